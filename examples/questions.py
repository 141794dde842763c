"""Six pairs: the closest points where they are apart; where they meet, contact points and B moved out of A (dotted).

Needs matplotlib; leaves questions.png in the current folder.
"""

from math import cos, pi, sin

from matplotlib.figure import Figure

import carom as cm

DIRECTIONS = [cm.Vec(cos(k * pi / 90), sin(k * pi / 90)) for k in range(180)]
PAIRS = [
    (cm.Circle((-2, 0), 1), cm.Box((1.8, 0), (1.8, 2.8), angle=0.3)),
    (cm.Capsule((-2.5, -1), (-1, 1.2), 0.5), cm.Polygon([(0.5, -1.5), (3, -1), (2, 1.5)])),
    (cm.Box((-1.2, -0.4), (2.4, 2)), cm.Box((1, 0.4), (2, 2))),
    (cm.Box((-1, -0.8), (3, 1.6), angle=-0.2), cm.Circle((0.6, 0.3), 1.1)),
    (cm.Polygon([(-2.4, -1.4), (0.8, -0.8), (-0.5, 1.3)]), cm.Box((0.9, 0.5), (1.2, 1), radius=0.5)),
    (cm.Segment((-3, -1.2), (1.1, -0.6)), cm.Capsule((1.1, -1.2), (1.1, 1.2), 0.6)),
]

figure = Figure(figsize=(12, 5.9), layout="constrained")
for axes, (a, b) in zip(figure.subplots(2, 3).flat, PAIRS, strict=True):
    nearest, contact = cm.closest(a, b), cm.collide(a, b)
    points = contact.points if contact else (nearest.point_a, nearest.point_b)
    end = points[0] + contact.move_b if contact else points[1]
    parted = b.translated(contact.move_b) if contact else b
    for shape, color, style in ((a, "#0072B2", "-"), (b, "#E69F00", "-"), (parted, "#E69F00", ":")):
        # The outermost point in each direction: right for every kind of shape.
        outline = [max(shape.vertices, key=d.dot) + d * shape.radius for d in DIRECTIONS]
        axes.fill(*zip(*outline, strict=True), fc=color + ("55" if style == "-" else "00"), ec=color, ls=style, lw=2)
    axes.annotate("", end, points[0], arrowprops={"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0})
    axes.scatter(*zip(*points, strict=True), color="black", zorder=3)
    axes.annotate("A", a.position, (-6, 10), textcoords="offset points", size=15)
    axes.annotate("B", b.position, (-6, 10), textcoords="offset points", size=15)
    axes.set(aspect="equal", xlim=(-3.4, 3.4), ylim=(-2.1, 2.1), xticks=[], yticks=[])
    axes.set_title(f"{'they meet' if contact else 'apart'}: separation {nearest.separation:.2f}")
figure.savefig("questions.png", dpi=100)
