"""A gas in a box: 900 discs of one speed, and after some seconds their speeds are Maxwell's distribution.

Leaves gas.png in the current folder; with --window it runs in a window until that is closed. Needs matplotlib.
"""

import sys

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

import carom as cm

SIDE, RADIUS, SPEED = 60.0, 0.5, 8.0


def make_gas() -> tuple[cm.World, np.ndarray]:
    world = cm.World()
    for x, y, w, h in ((-1, -1, 1, 62), (60, -1, 1, 62), (-1, -1, 62, 1), (-1, 60, 62, 1)):
        world.add(cm.Box.from_corner((x, y), (w, h)))
    grid = np.stack(np.meshgrid(np.arange(30), np.arange(30)), -1).reshape(-1, 2) * 2.0 + 1.0
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, len(grid))
    velocities = SPEED * np.column_stack((np.cos(angles), np.sin(angles)))
    discs = cm.Shapes.circles(grid, RADIUS)
    return world, world.rows(world.add_many(discs, kind="dynamic", velocity=velocities, restitution=1, friction=0))


def draw(world: cm.World, rows: np.ndarray, left: object, right: object) -> None:
    left.clear()
    right.clear()
    speeds = np.linalg.norm(world.velocities[rows], axis=1)
    size = np.full(len(rows), 2 * RADIUS)
    places = {"offsets": world.positions[rows], "offset_transform": left.transData, "units": "x"}
    left.add_collection(EllipseCollection(size, size, 0 * size, array=speeds, cmap="viridis", clim=(0, 20), **places))
    left.set(xlim=(0, SIDE), ylim=(0, SIDE), aspect="equal", xticks=[], yticks=[], title="speed by colour")
    edges = np.linspace(0, 25, 26)
    v = np.linspace(0, 25, 200)
    right.hist(speeds, edges, density=True, color="#56B4E9", label=f"{len(rows)} discs")
    right.plot(v, 2 * v / SPEED**2 * np.exp(-((v / SPEED) ** 2)), color="#D55E00", label="Maxwell, in the plane")
    right.set(xlabel="speed", ylabel="share per unit of speed", ylim=(0, 0.2), title="all began with speed 8")
    right.legend()


def show_window(world: cm.World, rows: np.ndarray) -> None:
    from matplotlib import pyplot
    from matplotlib.animation import FuncAnimation

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 6))

    def tick(_: int) -> None:
        world.step(1 / 60, steps=2)
        draw(world, rows, left, right)

    animation = FuncAnimation(figure, tick, interval=33, cache_frame_data=False)
    pyplot.show()
    del animation


world, rows = make_gas()
if "--window" in sys.argv:
    show_window(world, rows)
else:
    before = (world.velocities**2).sum()
    hits = world.step(1 / 60, steps=600)
    after = (world.velocities**2).sum()
    figure = Figure(figsize=(12, 6), layout="constrained")
    draw(world, rows, *figure.subplots(1, 2))
    figure.suptitle(f"10 s, {len(hits.time):,} impacts, energy changed by {abs(after / before - 1):.0e} of itself")
    figure.savefig("gas.png", dpi=100)
