"""Six pairs: the closest points where they are apart; where they meet, contact points and B moved out of A (unfilled).

Needs matplotlib; leaves questions.png in the current folder.
"""

import carom as cm
from carom.draw import Figure

BLUE, ORANGE = "#0072B2", "#E69F00"
PAIRS = [
    (cm.Circle((-2, 0), 1), cm.Box((1.8, 0), (1.8, 2.8), angle=0.3)),
    (cm.Capsule((-2.5, -1), (-1, 1.2), 0.5), cm.Polygon([(0.5, -1.5), (3, -1), (2, 1.5)])),
    (cm.Box((-1.2, -0.4), (2.4, 2)), cm.Box((1, 0.4), (2, 2))),
    (cm.Box((-1, -0.8), (3, 1.6), angle=-0.2), cm.Circle((0.6, 0.3), 1.1)),
    (cm.Polygon([(-2.4, -1.4), (0.8, -0.8), (-0.5, 1.3)]), cm.Box((0.9, 0.5), (1.2, 1), radius=0.5)),
    (cm.Segment((-3, -1.2), (1.1, -0.6)), cm.Capsule((1.1, -1.2), (1.1, 1.2), 0.6)),
]

figure = Figure(figsize=(12, 5.5), layout="constrained")
for axes, (a, b) in zip(figure.subplots(2, 3).flat, PAIRS, strict=True):
    nearest, contact = cm.closest(a, b), cm.collide(a, b)
    points = contact.points if contact else (nearest.point_a, nearest.point_b)
    end = points[0] + contact.move_b if contact else points[1]
    parted = b.translated(contact.move_b) if contact else b
    cm.picture([a, b, parted], color=[BLUE + "55", ORANGE + "55", ORANGE + "00"]).draw(axes)
    axes.annotate("", end, points[0], arrowprops={"arrowstyle": "-|>", "lw": 2, "shrinkA": 0, "shrinkB": 0}, zorder=9)
    axes.scatter(*zip(*points, strict=True), color="black", zorder=9)
    axes.annotate("A", a.position, (-6, 10), textcoords="offset points", size=15, zorder=9)
    axes.annotate("B", b.position, (-6, 10), textcoords="offset points", size=15, zorder=9)
    axes.set(aspect="equal", xlim=(-3.4, 3.4), ylim=(-2.1, 2.1), xticks=[], yticks=[])
    axes.set_title(f"{'they meet' if contact else 'apart'}: separation {nearest.separation:.2f}")
figure.savefig("questions.png", dpi=100)
print("wrote questions.png")
