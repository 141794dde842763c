"""Labels on a crowded map: each takes the first free place beside its town, the largest towns first.

Needs matplotlib; leaves labels.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

# isort: split
from matplotlib.patches import PathPatch
from matplotlib.textpath import TextPath

TOWNS, HEIGHT, MAP = 140, 2.1, cm.Box.from_corners((0, 0), (100, 100))  # the height of a label, in units of the map
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
HEADS = ["Al", "Bor", "Cas", "Dun", "El", "Fal", "Gar", "Hol", "Ken", "Lyn", "Mar", "Nor", "Pen"]
TAILS = ["ten", "wick", "mere", "by", "ford", "stow", "ham", "ley", "dale", "port", "field"]
rng = np.random.default_rng(8)
towns = np.concatenate((rng.normal(50, 13, (TOWNS // 2, 2)), rng.uniform(4, 96, (TOWNS // 2, 2)))).clip(4, 96)
sizes = np.sort(rng.pareto(1.5, TOWNS) + 0.3)[::-1].clip(max=5)
radii = 0.45 * np.sqrt(sizes)
names = rng.choice([head + tail for head in HEADS for tail in TAILS], TOWNS, replace=False)
widths = [TextPath((0, 0), name, size=1.9).get_extents().width + 0.6 for name in names]

index, placed = cm.Index(cm.Shapes.circles(towns, radii)), {}
for row, (town, radius, width) in enumerate(zip(towns, radii, widths, strict=True)):
    half = np.array((width, HEIGHT)) / 2
    for side in SIDES:
        label = cm.Box(town + side * (half + radius + 0.1), 2 * half)
        if cm.contains(MAP, label) and not index.query(label, touching=False).size:
            index.insert(label)
            placed[row] = label
            break

colors = ["#D55E00" if row in placed else "#C4C4C4" for row in range(TOWNS)] + ["#F2EDE4"] * len(placed)
axes = (figure := Figure(figsize=(9, 9), layout="constrained")).add_subplot(xticks=[], yticks=[])
cm.picture(index, color=colors).draw(axes)
for row, label in placed.items():
    at = label.position - (widths[row] / 2 - 0.3, 0.65)
    axes.add_patch(PathPatch(TextPath(at, names[row], size=1.9), color="#222222", linewidth=0, zorder=9))
axes.set(xlim=(0, 100), ylim=(0, 100))
axes.set_title(f"{len(placed)} of {TOWNS} names have a place; none lies on another, or on a town; grey: towns left out")
figure.savefig("labels.png", dpi=100)
print("wrote labels.png")
