"""The two normals: that of a contact points from A to B, that of a hit out of the thing hit, towards the mover.

Needs matplotlib; leaves normals.png in the current folder.
"""

import carom as cm
from carom.draw import Figure

BLUE, ORANGE, RED = "#0072B2", "#E69F00", "#D55E00"
a, b = cm.Circle((-1.9, 0), 1.5), cm.Box((0.6, 0), (3, 3))
contact = cm.collide(a, b)
mover, floor, motion = cm.Circle((-2.4, 1.3), 0.8), cm.Box((0.9, -1.2), (4.6, 1)), cm.Vec(4.4, -2.2)
hit = cm.cast(mover, floor, motion)

figure = Figure(figsize=(11, 3.65), layout="constrained")
left, right = figure.subplots(1, 2)
moved = [b.translated(contact.move_b), mover.translated(motion * hit.fraction)]
cm.picture([a, b, moved[0]], color=[BLUE + "44", ORANGE + "44", ORANGE + "00"]).draw(left)
cm.picture([mover, floor, moved[1]], color=[BLUE + "44", ORANGE + "44", BLUE + "00"]).draw(right)
for axes, start, vector, text, color in (
    (left, contact.points[0], contact.normal, "normal", RED),
    (right, mover.center, motion, "motion", BLUE),
    (right, hit.point, hit.normal * 1.5, "normal", RED),
):
    axes.quiver(*start, *vector, angles="xy", scale_units="xy", scale=1, color=color, width=0.008, zorder=9)
    axes.annotate(text, start + vector, (12, 2), textcoords="offset points", color=color, size=13)
for axes, name, shape in ((left, "A", a), (left, "B", b), (right, "A", mover), (right, "B", floor)):
    axes.annotate(name, shape.position, (-28, -18), textcoords="offset points", size=15)
    axes.set(aspect="equal", xlim=(-3.6, 3.4), ylim=(-1.8, 2.2), xticks=[], yticks=[])
left.set_title(
    "collide(A, B): the normal points from A to B.\nB moved by normal * depth (unfilled) just touches A.", size=11
)
right.set_title(
    "cast(A, B, motion): the normal points out of B, the shape hit,\ntowards A, the mover. Unfilled: A at the hit.",
    size=11,
)
figure.savefig("normals.png", dpi=100)
print("wrote normals.png")
