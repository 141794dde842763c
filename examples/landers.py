"""Two hundred landers try their luck: copies of one world, each with its own thrust; the softest landing stands out.

Leaves landers.png in the current folder. Needs matplotlib.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

TRIES, STEPS, DT = 200, 420, 1 / 60
world = cm.World(gravity=(0, -1.6))  # that of the moon
GROUND = [(-30, -6), (-30, 2), (-18, 4), (-8, 0), (8, 0), (20, 5), (30, 3), (30, -6)]
ground = world.add(cm.decompose(GROUND))
lander = world.add(cm.Box((-14, 16), (2, 1.6)), kind="dynamic", velocity=(5, 0), friction=0.9)

worlds, chance = world.copies(TRIES), np.random.default_rng(7)
thrust = chance.uniform((-3, 0), (0.5, 3.2), (TRIES, 2))
since, until = chance.uniform((0, 200), (200, 420), (TRIES, 2)).T
paths, blow = np.empty((STEPS, TRIES, 2)), np.zeros(TRIES)
for step in range(STEPS):
    worlds.accelerations[:, lander.row] = np.where(((since < step) & (step < until))[:, None], thrust, 0)
    hits = worlds.step(DT)
    np.maximum.at(blow, hits.world, hits.speed)  # the hardest hit of each try
    paths[step] = worlds.positions[:, lander.row]
landed = (blow > 0) & (abs(worlds.positions[:, lander.row, 0]) < 8)
best = int(np.where(landed, blow, np.inf).argmin())

figure = Figure(figsize=(9, 4.7), layout="constrained", facecolor="#10141C")
axes = figure.subplots()
cm.picture(ground, color="#8A8F98").draw(axes)
axes.plot(paths[:, :, 0], paths[:, :, 1], color="#56B4E9", linewidth=0.5, alpha=0.35)
axes.plot(*paths[:, best].T, color="#E69F00", linewidth=2.5)
axes.set(aspect="equal", frame_on=False, xticks=[], yticks=[], xlim=(-30, 30), ylim=(-4, 24))
title = f"{TRIES} tries, each with a thrust of its own; orange: the softest landing, {blow[best]:.1f} a second"
axes.set_title(title, color="white")
figure.savefig("landers.png", dpi=100)
print("wrote landers.png")
