"""Robots among 20,000 concave buildings cast 360 rays each; leaves city.png. Needs matplotlib and shapely."""

import numpy as np

import carom as cm
from carom.draw import Figure

# isort: split
import shapely
from matplotlib.collections import PolyCollection

BUILDINGS, ROBOTS, RAYS, RANGE = 20_000, 500, 360, 60.0
rng, side = np.random.default_rng(7), int(np.sqrt(BUILDINGS)) + 1
L = [(0, 0), (1, 0), (1, 0.45), (0.4, 0.45), (0.4, 1), (0, 1)]
U = [(0, 0), (1, 0), (1, 1), (0.7, 1), (0.7, 0.4), (0.3, 0.4), (0.3, 1), (0, 1)]
T = [(0.3, 0), (0.7, 0), (0.7, 0.55), (1, 0.55), (1, 1), (0, 1), (0, 0.55), (0.3, 0.55)]
lots = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=2).reshape(-1, 2)[:BUILDINGS]
centers = 22.0 * lots + 10.0 * (lots // 5)  # a street after every five lots, and it bends
centers += 30.0 * np.column_stack((np.sin(centers[:, 1] / 300.0), np.cos(centers[:, 0] / 400.0)))
turns = 0.4 * np.sin(centers[:, 0] / 500.0) + np.pi / 2 * rng.integers(0, 4, BUILDINGS)
footprints = []
for center, c, s in zip(centers, np.cos(turns), np.sin(turns), strict=True):
    plan = np.array((L, U, T)[rng.integers(3)]) - 0.5
    footprints.append(plan * rng.uniform(12, 17, 2) @ [[c, s], [-s, c]] + center)
city = cm.Index(cm.Shapes.from_shapely(shapely.polygons([shapely.linearrings(ring) for ring in footprints])))

places, (x, y) = centers.mean(axis=0) + rng.uniform(-700, 700, (4 * ROBOTS, 2)), centers.mean(axis=0)
robots = np.array([place for place in places if not city.query(cm.Circle(place, 2.0)).size][:ROBOTS])
angles = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
rays = RANGE * np.column_stack((np.cos(angles), np.sin(angles)))
seen = city.raycast(robots[:, None], rays)
views = robots[:, None] + np.minimum(seen.fraction, 1.0)[:, :, None] * rays

figure = Figure((11, 5.8), layout="constrained")
for axes, reach, title in zip(figure.subplots(1, 2), (300, 90), ("blue: what the robots see", "nearer"), strict=True):
    window = x - reach, y - reach, x + reach, y + reach
    axes.add_collection(PolyCollection(views, color="#9CCBEA"))
    axes.add_collection(PolyCollection(footprints, color="#5B6066", linewidths=0))
    cm.picture(cm.Shapes.circles(robots, 2.0), color="#D55E00", window=window).draw(axes)
    axes.set(xticks=[], yticks=[], title=title)
figure.savefig("city.png", dpi=100)
print("wrote city.png")
