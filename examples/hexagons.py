"""A thousand hexagons, placed and turned at once, asked at once which of them touch a circle or a winding line.

Needs matplotlib; leaves hexagons.png in the current folder.
"""

import math

import numpy as np

import carom as cm
from carom.draw import Figure

BLUE, ORANGE, RED = "#56B4E9", "#E69F00", "#D55E00"
rng = np.random.default_rng(4)
hexagon = cm.Polygon([(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)])
many = cm.Shapes.repeat(hexagon, 1000).placed(rng.uniform((0, 0), (100, 50), (1000, 2)), rng.uniform(0, 7, 1000))

circle = cm.Circle((28, 24), 13)
x = np.linspace(48, 98, 60)
line = cm.Shapes.polyline(np.column_stack((x, 25 + 15 * np.sin(x / 5))))

in_circle = cm.intersects(many, circle)
on_line = np.zeros(len(many), dtype=bool)
for segment in line:
    on_line |= cm.intersects(many, segment)

figure = Figure(figsize=(11, 5.8), layout="constrained")
axes = figure.subplots()
colors = np.select([in_circle[:, None], on_line[:, None]], [RED, ORANGE], BLUE)[:, 0]
cm.picture(many, color=colors.tolist()).draw(axes)
cm.picture([circle, line], color="#00000000").draw(axes)
axes.set(aspect="equal", xlim=(-2, 102), ylim=(-2, 52), xticks=[], yticks=[])
axes.set_title(f"{in_circle.sum()} of {len(many)} hexagons touch the circle, {on_line.sum()} the line.")
figure.savefig("hexagons.png", dpi=100)
print("wrote hexagons.png")
