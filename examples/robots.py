"""A hundred robots cast a hundred rays a step; none meets its own robot. Leaves robots.png; needs matplotlib."""

import numpy as np

import carom as cm
from carom.draw import Figure

# isort: split
from matplotlib.collections import LineCollection

ROBOTS, RAYS, RANGE, RADIUS, STEPS = 100, 100, 12.0, 0.3, 10
rng = np.random.default_rng(5)
turns = np.sort(rng.uniform(0, 2 * np.pi, (120, 7)), axis=1)
outlines = np.stack((np.cos(turns), np.sin(turns)), axis=2) * rng.uniform(0.5, 1.6, (120, 1, 1))
rocks = [cm.hull(outline) for outline in outlines + rng.uniform(0, 40, (120, 1, 2))]
rocks += [cm.Box((20 + 21 * x, 20 + 21 * y), (2 + 40 * abs(y), 2 + 40 * abs(x))) for x, y in np.eye(2)]
rocks += [cm.Box((20 - 21 * x, 20 - 21 * y), (2 + 40 * abs(y), 2 + 40 * abs(x))) for x, y in np.eye(2)]

index, places = cm.Index(rocks), rng.uniform(1, 39, (2000, 2))
robots = [place for place in places if not index.query(cm.Circle(place, RADIUS), within=0.5).size][:ROBOTS]
rows = index.insert(cm.Shapes.circles(robots, RADIUS))

angles = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
rays = np.tile(RANGE * np.column_stack((np.cos(angles), np.sin(angles))), (ROBOTS, 1))
for _ in range(STEPS):
    starts = np.repeat(robots, RAYS, axis=0)
    seen = index.raycast(starts, rays, ignore=np.repeat(rows, RAYS))
    best = np.minimum(seen.fraction, 1.0).reshape(ROBOTS, RAYS).argmax(axis=1)
    for k, row in enumerate(rows.tolist()):  # one after the other, towards the widest view, until something is near
        hit = index.cast(cm.Circle(robots[k], RADIUS), rays[best[k]] / 8, ignore=row)
        robots[k] = robots[k] + rays[best[k]] / 8 * (0.9 * hit.fraction if hit else 1.0)
        index.update(row, cm.Circle(robots[k], RADIUS))

lines = np.stack((starts, starts + np.minimum(seen.fraction, 1.0)[:, None] * rays), 1)
axes = (figure := Figure(figsize=(8, 8), layout="constrained")).add_subplot(aspect="equal", xticks=[], yticks=[])
axes.add_collection(LineCollection(lines, colors="#8FBBD9", linewidths=0.25))
cm.picture(cm.Shapes(rocks), color="#8A8F94").draw(axes)
cm.picture(cm.Shapes.circles(starts[::RAYS], RADIUS), color="#D55E00").draw(axes)
axes.set(xlim=(-1, 41), ylim=(-1, 41), title="100 robots, 10,000 rays: each ends at the first rock or other robot")
figure.savefig("robots.png", dpi=90)
print("wrote robots.png")
