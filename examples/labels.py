"""Labels on a crowded map: each takes the first free place beside its town, the largest towns first.

Needs matplotlib; leaves labels.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

TOWNS, HEIGHT = 240, 1.5
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
rng = np.random.default_rng(8)
towns = np.concatenate((rng.normal(50, 9, (TOWNS // 2, 2)), rng.uniform(2, 98, (TOWNS // 2, 2))))
sizes = np.sort(rng.pareto(1.5, TOWNS) + 0.3)[::-1].clip(max=5)
parts = (["Al", "Bor", "Cas", "Dun", "Els", "Fal", "Gar", "Hol"], ["ten", "wick", "mere", "by", "ford", "stow"])
names = [rng.choice(parts[0]) + rng.choice(parts[1]) for _ in range(TOWNS)]

index = cm.Index(cm.Shapes.circles(towns, 0.25 * np.sqrt(sizes)))
placed = []
for town, size, name in zip(towns, sizes, names, strict=True):
    half = np.array((0.47 * len(name), HEIGHT)) / 2
    for side in SIDES:
        center = town + side * (half + 0.35 * np.sqrt(size))
        label = cm.Box(center, 2 * half)
        if not index.query(label, touching=False).size:
            index.insert(label)
            placed.append((center, name))
            break

assert not any(row >= TOWNS for pair in index.pairs(touching=False) for row in pair)
figure = Figure(figsize=(9, 9), layout="constrained")
axes = figure.add_subplot(aspect="equal", xticks=[], yticks=[])
cm.picture(index, color=["#D55E00"] * TOWNS + ["#F2EDE4"] * len(placed)).draw(axes)
for (x, y), name in placed:
    axes.text(x, y, name, ha="center", va="center", size=5.5, color="#222222", zorder=9)
axes.set(xlim=(0, 100), ylim=(0, 100))
axes.set_title(f"{len(placed)} of {TOWNS} names have a place; none lies on another, or on a town")
figure.savefig("labels.png", dpi=100)
print("wrote labels.png")
