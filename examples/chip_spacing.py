"""Spacing violations among 100,000 rectangles of a chip layout: wires that do not touch, yet lie too near each other.

Needs matplotlib; leaves chip_spacing.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

RULE, TRACKS, WIRES = 0.3, 800, 125  # least distance; tracks, 1 apart; wires on each
HALF = np.array((14, 11))  # of the part shown
rng = np.random.default_rng(3)
lengths = rng.uniform(1.0, 12.0, (TRACKS, WIRES))
gaps = np.where(rng.random((TRACKS, WIRES)) < 0.01, rng.uniform(0.1, RULE, (TRACKS, WIRES)), 1.2)
widths = np.where(rng.random((TRACKS, WIRES)) < 0.002, 0.95, 0.55)  # a few wires carry more current
x, y = np.cumsum(lengths + gaps, axis=1) - lengths / 2, np.repeat(np.arange(TRACKS) + 0.5, WIRES)
chip = cm.Shapes.boxes(np.column_stack((x.ravel(), y)), np.column_stack((lengths.ravel(), widths.ravel())))

near = cm.pairs(chip, within=RULE, touching=False)
a, b = chip[near[:, 0]], chip[near[:, 1]]
found = cm.closest(a, b)
wrong = found.separation > 0  # wires that touch are one wire
spots = ((found.point_a + found.point_b) / 2)[wrong]

center = spots[np.argmax([(np.abs(spots - spot) < HALF).all(axis=1).sum() for spot in spots])]
(left, low), (right, high) = center - HALF, center + HALF
figure = Figure(figsize=(11, 4.8), layout="constrained")
whole, part = figure.subplots(1, 2)
*_, image = whole.hist2d(*spots.T, bins=(40, 32), cmap="Oranges")
figure.colorbar(image, ax=whole, shrink=0.8, label="gaps that are too narrow, for each square of 25")
whole.plot((left, right, right, left, left), (low, low, high, high, low), color="black", lw=1.5)
whole.annotate("shown right", (right, low), (6, 0), textcoords="offset points", size=12)
whole.set(aspect="equal", title=f"{len(chip):,} wires, {len(spots):,} gaps below {RULE}")
cm.picture(chip, color="#0072B255", window=(left, low, right, high)).draw(part)
part.scatter(*spots.T, s=200, facecolors="none", edgecolors="#D55E00", linewidths=2, zorder=9)
part.set_title("where most of them lie together")
figure.savefig("chip_spacing.png", dpi=100)
print("wrote chip_spacing.png")
