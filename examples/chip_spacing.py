"""Spacing violations among 100,000 rectangles of a chip layout: wires that do not touch, yet lie too near each other.

Needs matplotlib; leaves chip_spacing.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

RULE, TRACKS, WIRES = 0.3, 250, 400  # least distance; tracks, 1 apart; wires on each
HALF = np.array((14, 6))  # of the part shown
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

figure = Figure(figsize=(11, 4.6), layout="constrained")
whole, part = figure.subplots(1, 2, width_ratios=(1, 1.35))
whole.scatter(*spots.T, s=1.5, color="#D55E00", linewidths=0)
whole.set_title(f"{len(chip):,} rectangles, {len(spots):,} gaps below {RULE}")
center = spots[np.argmax([(np.abs(spots - spot) < HALF).all(axis=1).sum() for spot in spots[::10]]) * 10]
(left, low), (right, high) = center - HALF, center + HALF
cm.picture(chip, color="#0072B255", window=(left, low, right, high)).draw(part)
part.scatter(*spots.T, s=260, facecolors="none", edgecolors="#D55E00", linewidths=2, zorder=9)
part.set_title("where most of them lie together")
whole.plot((left, right, right, left, left), (low, low, high, high, low), color="black", lw=1.5)
figure.savefig("chip_spacing.png", dpi=100)
print("wrote chip_spacing.png")
