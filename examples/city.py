"""A made-up city of 20,000 concave footprints; 500 robots in its streets look around with 360 lidar rays each.

Needs matplotlib and shapely; leaves city.png in the current folder.
"""

import numpy as np
import shapely
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

import carom as cm

BUILDINGS, ROBOTS, RAYS, RANGE = 20_000, 500, 360, 60.0
rng = np.random.default_rng(7)
L = [(0, 0), (1, 0), (1, 0.45), (0.4, 0.45), (0.4, 1), (0, 1)]
U = [(0, 0), (1, 0), (1, 1), (0.7, 1), (0.7, 0.4), (0.3, 0.4), (0.3, 1), (0, 1)]
T = [(0.3, 0), (0.7, 0), (0.7, 0.55), (1, 0.55), (1, 1), (0, 1), (0, 0.55), (0.3, 0.55)]
CROSS = [(0.3, 0), (0.7, 0), (0.7, 0.3), (1, 0.3), (1, 0.7), (0.7, 0.7), (0.7, 1), (0.3, 1), (0.3, 0.7), (0, 0.7)]
PLANS = [np.array(plan) - 0.5 for plan in (L, U, T, [*CROSS, (0, 0.3), (0.3, 0.3)])]
side = int(np.sqrt(BUILDINGS)) + 1
lots = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=2).reshape(-1, 2)[:BUILDINGS].astype(float)
centers = 22.0 * lots + 10.0 * (lots // 5)  # a street after every five lots
centers += 30.0 * np.column_stack((np.sin(centers[:, 1] / 300.0), np.cos(centers[:, 0] / 400.0)))  # that bends
quarters = 0.4 * np.sin(centers[:, 0] / 500.0) + np.pi / 2 * rng.integers(0, 4, BUILDINGS)
footprints = []
for center, turn, kind in zip(centers, quarters, rng.integers(0, len(PLANS), BUILDINGS), strict=True):
    c, s = np.cos(turn), np.sin(turn)
    footprints.append(PLANS[kind] * rng.uniform(12, 17, 2) @ [[c, s], [-s, c]] + center)
walls = cm.Shapes.from_shapely(shapely.polygons([shapely.linearrings(ring) for ring in footprints]))
city = cm.Index(walls)
middle, width = centers.mean(axis=0), 450.0
places = middle + rng.uniform(-width, width, (4 * ROBOTS, 2))
free = [place for place in places if not city.query(cm.Circle(place, 1.0), within=1.0).size][:ROBOTS]
angles = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
rays = np.tile(RANGE * np.column_stack((np.cos(angles), np.sin(angles))), (ROBOTS, 1))
starts = np.repeat(free, RAYS, axis=0)
seen = city.raycast(starts, rays)
print(f"{len(walls):,} convex parts; {seen.hit.sum():,} of {len(rays):,} rays end at a wall")

lines = np.stack((starts, starts + np.minimum(seen.fraction, 1.0)[:, None] * rays), axis=1)
figure = Figure(figsize=(11, 5.6), layout="constrained")
for reach, axes in zip((width, 90.0), figure.subplots(1, 2, subplot_kw={"aspect": "equal"}), strict=True):
    near = np.abs(centers - middle).max(axis=1) < reach + 30
    axes.add_collection(PolyCollection([footprints[k] for k in np.flatnonzero(near)], facecolors="#4A4A4A"))
    axes.add_collection(LineCollection(lines, colors="#3B8BC2", linewidths=0.05 if reach == width else 0.2))
    axes.scatter(*np.array(free).T, s=1.5 if reach == width else 26, c="#D55E00", zorder=3)
    axes.set(xlim=middle[0] + [-reach, reach], ylim=middle[1] + [-reach, reach], xticks=[], yticks=[])
    axes.set_title("500 robots, 180,000 rays" if reach == width else "each ray ends at the first wall, or after 60 m")
figure.savefig("city.png", dpi=75)
