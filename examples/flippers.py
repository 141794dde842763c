"""Three things turn until they meet something: a flipper a ball, a door a chair, a thrown stick a wall.

Each is cast once; the picture shows what it sweeps up to the hit, and as a dot the point that it turns about. Needs
matplotlib; leaves flippers.png in the current folder.
"""

import math

import carom as cm
from carom.draw import Figure

BLUE, ORANGE, RED = "#7FB5DA", "#F2C879", "#D55E00"
flipper, ball = cm.Capsule((0, 0), (2.5, -1.2), 0.25), cm.Circle((1.7, 1.4), 0.4)
door, chair = cm.Box.from_corners((0, -0.08), (3, 0.08)), cm.Box((0.6, 1.9), (0.9, 0.9), 0.2)
stick, wall = cm.Box((0, 0), (2, 0.15), 0.4), cm.Box((4.4, 0.8), (0.1, 3.6))
scenes = [
    ("Flipper: 1.2 rad about its end", flipper, ball, (0, 0), 1.2, (0, 0)),
    ("Door: a quarter turn about its hinge", door, chair, (0, 0), math.pi / 2, (0, 0)),
    ("Thrown stick: one turn on the way", stick, wall, (6, 1.5), -2 * math.pi, None),
]
WINDOWS = [(-0.6, -1.7, 3.8), (-0.4, -0.6, 3.8), (-1.2, -2.3, 6.2)]  # left, bottom, side of each picture

figure = Figure(figsize=(12, 4.7), layout="constrained")
for axes, scene, (left, low, side) in zip(figure.subplots(1, 3), scenes, WINDOWS, strict=True):
    title, mover, other, move, turn, pivot = scene
    hit = cm.cast(mover, other, move, rotation=turn, pivot=pivot)
    times = [hit.fraction * step / 8 for step in range(9)]
    shown = [mover.rotated(turn * t, pivot=pivot).translated(cm.Vec(*move) * t) for t in times]
    cm.picture([other, *shown], color=[ORANGE, *["#DCE9F2"] * 8, BLUE]).draw(axes)
    axes.quiver(*hit.point, *hit.normal, angles="xy", scale_units="xy", scale=1.3, color=RED, width=0.008, zorder=9)
    axes.plot(*(pivot or mover.position), "k.", markersize=10, zorder=9)
    axes.set(xlim=(left, left + side), ylim=(low, low + side))
    axes.set(xticks=[], yticks=[], title=f"{title}\nhit at fraction {hit.fraction:.3f}")
figure.savefig("flippers.png", dpi=100)
print("wrote flippers.png")
