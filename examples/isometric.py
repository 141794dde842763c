"""An isometric courtyard of Tiled: a player slides along its walls to the exit; what a guard sees from its patrol.

Needs matplotlib; leaves isometric.png in the current folder.
"""

from pathlib import Path

import numpy as np

import carom as cm
from carom.draw import Figure

GROUND = np.array([(32, 16), (-32, 16)])  # one cell to the right and one down in the map, as they are drawn
WALK = [(90, 56), (-150, 70), (-45, 78), (120, 58), (120, 90)]  # in pixels, with walls in the way
TALL, REACH, WET, DRY = np.array((0, 22)), 5.5, "#1F4E79", "#0E8080"  # walls in pixels, the guard's view in cells
level = cm.read_map(Path(__file__).with_name("isometric.tmx"), roles={"wall": "solid", "pond": "trigger"})
ponds = [pond.shape for pond in level.named("pond")]

turns = np.linspace(0, 2 * np.pi, 241)
circle = np.column_stack((np.cos(turns), np.sin(turns))) @ GROUND  # a circle on the ground is an ellipse in the picture

player, way = cm.hull(0.3 * circle[:-1:15]), [level.named("start")[0].shape.position]
for step in np.repeat(WALK, 30, axis=0) / 30:
    way.append(cm.move(player.placed(way[-1]), step, level.solids).position)
wet = np.any([cm.contains(pond, np.array(way)) for pond in ponds], axis=0)
patrol = level.named("patrol")[0].shape.parts  # one trigger; its parts are the segments of the line
guards = np.array([patrol[0].start, *[part.end for part in patrol]])
seen = cm.Index(level.solids).raycast(guards[:, None], REACH * circle)

axes = (figure := Figure((10, 5.4))).add_axes((0, 0, 1, 1), frameon=False, aspect="equal")
cm.picture([*ponds, level.named("exit")[0].shape], color=["#8FB8DE"] * len(ponds) + ["#7FB069"]).draw(axes)
for view in guards[:, None] + np.fmin(seen.fraction, 1)[:, :, None] * REACH * circle:
    axes.fill(*view.T, color="#F2B84B", alpha=0.3, linewidth=0)
axes.plot(*guards.T, "o:", color="#B22222", markersize=7)
axes.scatter(*np.transpose(way), s=9, c=np.where(wet, WET, DRY), zorder=3)
for ring in [np.array(ring) for region in level.outlines for ring in (region.outline, *region.holes)]:
    for a, b in zip(ring, np.roll(ring, -1, 0), strict=True):  # the sides of the walls; their tops hide some of them
        axes.fill(*np.transpose([a, b, b - TALL, a - TALL]), color="#4A4E57" if b[1] < a[1] else "#5E636E", zorder=4)
for wall in level.solids:
    axes.fill(*np.transpose(wall.vertices - TALL), color="#A9AFBA", linewidth=0.5, zorder=5)
axes.set(xlim=level.bounds[::2], ylim=(level.bounds.max_y + 9, -TALL[1] - 9), xticks=[], yticks=[])
figure.savefig("isometric.png", dpi=75)
print("wrote isometric.png")
