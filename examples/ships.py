"""A day in a strait: ships in two lanes, ferries across; where any two came nearer than half a mile, and how near.

Needs matplotlib and the extra `tables`; leaves ships.png in the current folder.
"""

import numpy as np

import carom as cm
from carom.draw import Figure

# isort: split
import pandas as pd
from matplotlib.collections import LineCollection

SHIPS, FERRIES, DAY, WITHIN = 90, 8, 24 * 60.0, 0.5  # minutes, sea miles
rng, rows = np.random.default_rng(12), []
for ship in range(SHIPS + FERRIES):
    times = np.arange(0.0, DAY, 3.0) + rng.uniform(0.0, 2.5, int(DAY / 3.0))  # each tells its place when it likes
    if ship < SHIPS:  # along the lane, to the right of its middle
        side, speed = 1 if ship % 2 else -1, rng.uniform(0.15, 0.35)
        way = (times - rng.uniform(-150.0, DAY)) * speed
        x, y = side * (way - 30.0), -side * rng.uniform(1.0, 4.0) + 4.0 * np.sin(side * (way - 30.0) / 15.0)
    else:  # to and fro, with half an hour in port
        turn = np.clip(np.abs((times / 60.0 + ship) % 5.0 - 2.5) * 1.2 - 0.25, 0.0, 2.5) / 2.5
        x, y = -20.0 + 5.0 * (ship - SHIPS) + 6.0 * turn, -16.0 + 32.0 * turn
    rows.append(pd.DataFrame({"id": ship, "t": times, "x": x, "y": y})[np.abs(x) < 30.0])

tracks = pd.concat(rows)
met = cm.tables.encounters(tracks, within=WITHIN).compute()

axes = (figure := Figure(figsize=(9, 4.6), layout="constrained")).add_subplot(aspect="equal", xticks=[], yticks=[])
ways, colors = (track[["x", "y"]] for _, track in tracks.groupby("id")), ["#8FBBD9"] * SHIPS + ["#B9A26B"] * FERRIES
axes.add_collection(LineCollection(list(ways), colors=colors, linewidths=0.4))
where = []  # the first of both was then, between two of its samples
for a, t in zip(met["a"], met["closest"], strict=True):
    track = tracks[tracks["id"] == a]
    where.append([np.interp(t, track["t"], track[axis]) for axis in ("x", "y")])
dots = axes.scatter(*np.transpose(where), c=met["separation"], cmap="plasma", s=16, zorder=3, linewidths=0)
figure.colorbar(dots, label="closest approach, sea miles", shrink=0.8)
axes.set(xlim=(-30, 30), ylim=(-17, 17), title=f"{len(met)} encounters within {WITHIN} sea miles in a day")
figure.savefig("ships.png", dpi=90)
print("wrote ships.png")
