"""A marble run over a map of Tiled: flush tiles and slopes, on which balls roll without feeling the seams.

Leaves marble_run.png in the current folder, with the way of each marble; with --window it runs in a window, Esc closes.
Needs matplotlib, or pygame-ce for the window. The map is marble_run.tmx, beside this file.
"""

import sys
from pathlib import Path

import numpy as np

import carom as cm

COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00")
LEVEL = cm.read_map(Path(__file__).with_name("marble_run.tmx"), scale=1 / 16, y_up=True)


def make_run() -> tuple[cm.World, list[cm.Body]]:
    world = cm.World(gravity=(0, -10))
    LEVEL.add_to(world)
    places = [(1.4 + 0.45 * k, 12.6 + 0.3 * k) for k in range(5)]
    marbles = cm.Shapes.circles(places, [0.2, 0.16, 0.22, 0.18, 0.2])
    return world, world.add_many(marbles, kind="dynamic", restitution=0.35, data=list(COLOURS))


world, marbles = make_run()
if "--window" in sys.argv:
    camera = cm.draw.Camera((1080, 630), position=(12, 7), zoom=45)
    for screen, _ in cm.draw.frames((1080, 630), "A marble run: Esc closes", sys.argv):
        world.step(1 / 60)
        screen.fill("#EAF1F7")
        cm.draw.paint(screen, LEVEL, camera)
        cm.draw.paint(screen, marbles, camera, color=COLOURS)
else:
    from carom.draw import Figure

    figure = Figure(figsize=(12, 7), layout="constrained")
    axes, path = figure.subplots(), []
    for _ in range(1700):
        world.step(1 / 120)
        path.append(world.positions[world.rows(marbles)])
    cm.picture(LEVEL).draw(axes)
    for marble, way in zip(marbles, np.stack(path, 1), strict=True):
        axes.plot(*way.T, color=marble.data, linewidth=1, alpha=0.8, zorder=9)
    cm.picture(marbles, color=COLOURS).draw(axes)
    axes.set(xlim=(0, 24), ylim=(0, 14), aspect="equal", xticks=[], yticks=[], facecolor="#EAF1F7")
    figure.savefig("marble_run.png", dpi=80)
    print("wrote marble_run.png")
