"""Four pairs of boxes, each decided by another level of the test, with what that level looks at.

Needs matplotlib; leaves explain_boxes.png in the current folder.
"""

from math import radians

import carom as cm
from carom.draw import Figure

PAIRS = [
    (cm.Box((0, 0), (2, 1)), cm.Box((2.6, 1.3), (1.4, 1.4), angle=radians(20))),
    (cm.Box((0, 0), (2, 1)), cm.Box((1.2, 1.3), (1.6, 1.2))),
    (cm.Box((0, 0), (2, 1), angle=radians(-20)), cm.Box((1.2, 1.3), (1.6, 1.2), angle=radians(25))),
    (cm.Box((0, 0), (2, 1), angle=radians(-20)), cm.Box((0.9, 0.7), (1.6, 1.2), angle=radians(25))),
]
LAYERS = ("circle", "circle,aabb", "circle,axes", "circle,axes,mtv")  # what the levels look at

figure = Figure(figsize=(12, 9), layout="constrained")
for axes, (a, b), layers in zip(figure.subplots(2, 2).flat, PAIRS, LAYERS, strict=True):
    why = cm.explain(a, b)
    cm.picture(a, b, layers=layers).draw(axes)
    axes.set_axis_off()
    levels, decides = ", then ".join(level.name for level in why.levels), why.levels[-1]
    axes.set_title(f"{levels}:\n{why.verdict}, {'gap' if decides.gap > 0 else 'depth'} {abs(decides.gap):.3f}", size=16)
    axes.set(xlim=(-2.2, 4.2), ylim=(-2.3, 2.8))
figure.savefig("explain_boxes.png", dpi=80)
print("wrote explain_boxes.png")
