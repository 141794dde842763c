"""Four pairs of boxes, each decided by another level of the test: the deciding axis with both shadows below them.

Needs matplotlib; leaves explain_boxes.png in the current folder.
"""

from math import radians

import carom as cm
from carom.draw import Figure

PAIRS = [
    (cm.Box((0, 0), (2, 1)), cm.Box((3, 1.5), (1.4, 1.4), angle=radians(20))),
    (cm.Box((0, 0), (2, 1)), cm.Box((1.2, 1.3), (1.6, 1.2))),
    (cm.Box((0, 0), (2, 1), angle=radians(-20)), cm.Box((1.2, 1.3), (1.6, 1.2), angle=radians(25))),
    (cm.Box((0, 0), (2, 1), angle=radians(-20)), cm.Box((0.9, 0.7), (1.6, 1.2), angle=radians(25))),
]

figure = Figure(figsize=(12, 12.6), layout="tight")
for axes, (a, b) in zip(figure.subplots(2, 2).flat, PAIRS, strict=True):
    why = cm.explain(a, b)
    why.draw(axes)
    axes.set_axis_off()
    levels = ", then ".join(level.name for level in why.levels)
    axes.set_title(f"{levels}: {why.verdict}", size=16)
figure.savefig("explain_boxes.png", dpi=80)
print("wrote explain_boxes.png")
