"""Steps of a world beside pymunk: discs and boxes in a closed square at 20 % fill, elastic, positions read each step.

The boxes do not turn (in pymunk their moment is infinite). Both step the same scene by turns, so that a slow minute of
the machine hits both. The deepest overlap is that of two bodies of size 1 at the ends of steps; the energy is that at
the end over that at the start, less 1.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import carom as cm
from benchmarks.harness import Table, duration

DT = 1 / 60
HEADINGS = ("scene", "library", "a step, median", "best", "times Carom's", "deepest overlap", "energy")
SCENES = (("discs", 1_000, 300), ("discs", 10_000, 300), ("boxes", 1_000, 300), ("boxes", 10_000, 300))
WARM_UP = 3
LARGE = (("discs", 100_000, 30), ("boxes", 100_000, 30))

Step = Callable[[], NDArray[np.float64]]
Energy = Callable[[], float]


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for kind, count, steps in (*SCENES, *LARGE):
        contenders = [("carom", *carom_world(kind, count))]
        if count < 100_000:
            contenders.append(("pymunk", *pymunk_world(kind, count)))
        before = [energy() for _, _, energy in contenders]
        for _, step, _ in contenders:
            for _ in range(WARM_UP):
                step()
        times: list[list[float]] = [[] for _ in contenders]
        deepest = [0.0] * len(contenders)
        for k in range(max(3, steps * rounds // 9)):
            for (_, step, _), kept in zip(contenders, times, strict=True):
                begun = time.perf_counter()
                positions = step()
                kept.append(time.perf_counter() - begun)
                if k % 10 == 0:
                    at = times.index(kept)
                    deepest[at] = max(deepest[at], overlap(kind, positions))
        ours = statistics.median(times[0])
        for (library, _, energy), kept, deep, start in zip(contenders, times, deepest, before, strict=True):
            middle = statistics.median(kept)
            cells = (duration(middle), duration(min(kept)), f"{middle / ours:.2f}", f"{deep:.1e}")
            rows.append((f"{count:,} {kind}", library, *cells, f"{energy() / start - 1:+.1e}"))
    for named, world in (
        ("boxes at rest", stacks()),
        ("boxes at rest, a ball", with_ball(stacks())),
        ("level", level()),
    ):
        middle, best = timed(world, 300 * rounds // 9)
        count = f"{len(world.rows()):,} {named}"
        rows.append((count, "carom", duration(middle), duration(best), "1.00", "", ""))
    return Table("A step of a world", "Steps of 1/60 s, all positions read into an array; one thread.", rows)


def timed(world: cm.World, steps: int) -> tuple[float, float]:
    """Return the median and the best time of a step with positions read, after the world has come to rest."""
    times = []
    for k in range(WARM_UP + steps):
        begun = time.perf_counter()
        world.step(DT)
        world.positions  # noqa: B018
        if k >= WARM_UP:
            times.append(time.perf_counter() - begun)
    return statistics.median(times), min(times)


def stacks(count: int = 10_000) -> cm.World:
    """Return stacks of five boxes on a floor."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box.from_corners((-2, -2), (2 * count / 5, 0)))
    x, y = 2.0 * (np.arange(count) // 5), 0.5 + np.arange(count) % 5
    world.add_many(cm.Shapes.boxes(np.column_stack((x, y)), np.ones((count, 2))), kind="dynamic")
    return world


def with_ball(world: cm.World) -> cm.World:
    """Put a ball in, so high that it will not come down."""
    world.add(cm.Circle((-1, 1e6), 0.5), kind="dynamic", velocity=(1, 0))
    return world


def level(count: int = 100_000) -> cm.World:
    """Return a wide field of static boxes with a ball among them."""
    world = cm.World()
    places = 3.0 * np.column_stack((np.arange(count) % 400, np.arange(count) // 400))
    world.add_many(cm.Shapes.boxes(places, np.ones((count, 2))), restitution=1)
    world.add(cm.Circle((301.5, 301.5), 0.5), kind="dynamic", velocity=(40, 31), restitution=1, friction=0)
    return world


def scene(kind: str, count: int) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return the side of the square, positions and velocities."""
    rng = np.random.default_rng(20240611)
    side = math.sqrt(count * (math.pi / 4 if kind == "discs" else 1.0) / 0.2)
    k = math.ceil(math.sqrt(count))
    grid = np.stack(np.meshgrid(np.arange(k), np.arange(k)), -1).reshape(-1, 2)[:count]
    return side, (grid + 0.5) * (side / k) + rng.uniform(-0.2, 0.2, (count, 2)), rng.normal(0, 5, (count, 2))


def walls(side: float) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the lower and upper corners of four walls, 10 thick."""
    low, high = -10.0, side + 10.0
    return [((low, low), (0, high)), ((side, low), (high, high)), ((low, low), (high, 0)), ((low, side), (high, high))]


def carom_world(kind: str, count: int) -> tuple[Step, Energy]:
    side, positions, velocities = scene(kind, count)
    world = cm.World()
    for lower, upper in walls(side):
        world.add(cm.Box.from_corners(lower, upper), restitution=1)
    if kind == "discs":
        shapes = cm.Shapes.circles(positions, 0.5)
    else:
        shapes = cm.Shapes.boxes(positions, np.ones((count, 2)))
    settings: dict[str, Any] = {"kind": "dynamic", "turns": False, "restitution": 1, "friction": 0}
    rows = world.rows(world.add_many(shapes, velocity=velocities, **settings))

    def step() -> NDArray[np.float64]:
        world.step(DT)
        return world.positions[rows]

    return step, lambda: float((world.velocities**2).sum())


def pymunk_world(kind: str, count: int) -> tuple[Step, Energy]:
    import pymunk
    import pymunk.batch as batch

    side, positions, velocities = scene(kind, count)
    space = pymunk.Space()
    for (lx, ly), (ux, uy) in walls(side):
        wall = pymunk.Poly(space.static_body, [(lx, ly), (ux, ly), (ux, uy), (lx, uy)])
        wall.elasticity = 1
        space.add(wall)
    for place, velocity in zip(positions.tolist(), velocities.tolist(), strict=True):
        body = pymunk.Body(1, math.inf)
        body.position, body.velocity = place, velocity
        shape: Any = pymunk.Circle(body, 0.5) if kind == "discs" else pymunk.Poly.create_box(body, (1, 1))
        shape.elasticity = 1
        space.add(body, shape)
    buffer = batch.Buffer()

    def read(fields: Any) -> NDArray[np.float64]:
        buffer.clear()
        batch.get_space_bodies(space, fields, buffer)
        return np.frombuffer(buffer.float_buf(), dtype=np.float64).reshape(-1, 2)[:count].copy()

    def step() -> NDArray[np.float64]:
        space.step(DT)
        return read(batch.BodyFields.POSITION)

    return step, lambda: float((read(batch.BodyFields.VELOCITY) ** 2).sum())


def overlap(kind: str, positions: NDArray[np.float64]) -> float:
    """Return the deepest overlap of any two bodies."""
    if kind == "discs":
        shapes = cm.Shapes.circles(positions, 0.5)
    else:
        shapes = cm.Shapes.boxes(positions, np.ones((len(positions), 2)))
    found = cm.pairs(shapes)
    if not len(found):
        return 0.0
    return float(-cm.separation(shapes[found[:, 0]], shapes[found[:, 1]]).min())
