"""Questions to a world of 10,000 bodies, beside an index of the same shapes and pymunk's space; and steps after them.

Half of the bodies are circles, half turned boxes, at rest in a square of side 300; rays are 100 long, most end after
about 9. Times are those of the processor, the least of several turns, all contenders by turns in one run. The last rows
are steps of two equal worlds whose bodies move, one of which is asked between steps, outside of the clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pymunk

import carom as cm
from benchmarks.harness import Table, duration

HEADINGS = ("question", "library", "each", "times World's")
BODIES, RAYS, QUERIES, CALLS = 10_000, 100_000, 20_000, 2_000
STEPS = 100


def run(rounds: int) -> Table:
    rng = np.random.default_rng(11)
    shapes, circles = scene(rng)
    world, index, space = world_of(shapes), cm.Index(shapes), space_of(shapes, circles)
    rows: list[tuple[str, ...]] = [HEADINGS]
    for question, ask, other, count in questions(rng):
        contenders: list[tuple[str, Callable[[], Any]]] = [
            ("carom World", lambda ask=ask: ask(world)),
            ("carom Index", lambda ask=ask: ask(index)),
        ]
        if other is not None:
            contenders.append(("pymunk", lambda other=other: other(space)))
        rows += race_rows(question, contenders, count, rounds)
    rows += steps(shapes, rng)
    return Table(
        "Questions to a world", "Processor time, the least of several turns; one thread, answers in fresh arrays.", rows
    )


def scene(rng: np.random.Generator) -> tuple[cm.Shapes, tuple[Any, Any]]:
    """Return the shapes, and centres and radii of those that are circles."""
    half = BODIES // 2
    centers, radii = rng.uniform(0, 300, (half, 2)), rng.uniform(0.3, 0.7, half)
    boxes, sizes, angles = rng.uniform(0, 300, (half, 2)), rng.uniform(0.5, 1.3, (half, 2)), rng.uniform(-3, 3, half)
    shapes = cm.Shapes.concatenate([cm.Shapes.circles(centers, radii), cm.Shapes.boxes(boxes, sizes, angles)])
    return shapes, (centers, radii)


def world_of(shapes: cm.Shapes, **options: Any) -> cm.World:
    world = cm.World()
    world.add_many(shapes, **options)
    return world


def space_of(shapes: cm.Shapes, circles: tuple[Any, Any]) -> pymunk.Space:
    space = pymunk.Space()
    for center, radius in zip(*(column.tolist() for column in circles), strict=True):
        space.add(pymunk.Circle(space.static_body, radius, center))
    for box in shapes[BODIES // 2 :]:
        space.add(pymunk.Poly(space.static_body, [tuple(v) for v in box.vertices]))  # type: ignore[union-attr]
    return space


def questions(rng: np.random.Generator) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any] | None, int]]:
    """Return each question, how it is asked of a world or an index, and of a space, and how many it is."""
    origins, angles = rng.uniform(0, 300, (RAYS, 2)), rng.uniform(-math.pi, math.pi, RAYS)
    motions = 100.0 * np.column_stack((np.cos(angles), np.sin(angles)))
    points = rng.uniform(0, 300, (QUERIES, 2))
    regions = cm.Shapes.boxes(points, np.full((QUERIES, 2), 2.0))
    starts, ways, at = (list(map(tuple, some[:CALLS].tolist())) for some in (origins, motions, points))
    ends = list(map(tuple, (origins + motions)[:CALLS].tolist()))
    every = pymunk.ShapeFilter()
    region, one = cm.Box((12.0, 12.0), (4.0, 4.0)), (150.0, 150.0)

    def in_space(space: Any) -> None:
        for start, end in zip(starts, ends, strict=True):
            space.segment_query_first(start, end, 0, every)

    def one_in_space(space: Any) -> None:
        for _ in range(CALLS):
            space.segment_query_first(one, (210.0, 170.0), 0, every)

    def near_in_space(space: Any) -> None:
        for point in at:
            space.point_query_nearest(point, math.inf, every)

    return [
        ("the same ray, a call each", lambda t: [t.raycast(one, (60.0, 20.0)) for _ in starts], one_in_space, CALLS),
        ("rays, a call each", lambda t: [t.raycast(*ray) for ray in zip(starts, ways, strict=True)], in_space, CALLS),
        (f"{RAYS:,} rays in one call", lambda t: t.raycast(origins, motions), None, RAYS),
        ("10,000 rays in one call", lambda t: t.raycast(origins[:10_000], motions[:10_000]), None, 10_000),
        ("1,000 rays in one call", lambda t: t.raycast(origins[:1_000], motions[:1_000]), None, 1_000),
        ("a box, a call each", lambda t: [t.query(region) for _ in starts], None, CALLS),
        (f"{QUERIES:,} boxes of side 2 in one call", lambda t: t.query(regions), None, QUERIES),
        ("nearest of points, a call each", lambda t: [t.nearest(point) for point in at], near_in_space, CALLS),
        (f"nearest of {QUERIES:,} points in one call", lambda t: t.nearest(points), None, QUERIES),
    ]


def race_rows(
    question: str, contenders: list[tuple[str, Callable[[], Any]]], count: int, rounds: int
) -> list[tuple[str, ...]]:
    """Return a row for each contender: question, library, time for each, and the ratio to the first."""
    least = [math.inf] * len(contenders)
    for turn in range(rounds + 1):  # in the first one kernels compile, and the index lays out its grid
        for k, (_, ask) in enumerate(contenders):
            begun = time.process_time()
            ask()
            if turn:
                least[k] = min(least[k], (time.process_time() - begun) / count)
    return [
        (question, library, duration(each), f"{each / least[0]:.2f}")
        for (library, _), each in zip(contenders, least, strict=True)
    ]


def steps(shapes: cm.Shapes, rng: np.random.Generator) -> list[tuple[str, ...]]:
    """Return rows for a step of a world that nobody asks, and of one that is asked before each step."""
    velocities = rng.uniform(-2, 2, (BODIES, 2))
    worlds = [world_of(shapes, kind="dynamic") for _ in range(2)]
    for world in worlds:
        world.velocities = velocities
    origins, ways = rng.uniform(0, 300, (2_000, 2)), rng.uniform(-100, 100, (2_000, 2))
    times: list[list[float]] = [[], []]
    for turn in range(STEPS):
        worlds[1].raycast(origins, ways)
        for k in (0, 1) if turn % 2 else (1, 0):
            begun = time.process_time()
            worlds[k].step(1 / 60)
            times[k].append(time.process_time() - begun)
    middle = [float(np.median(kept[3:])) for kept in times]
    same = np.array_equal(worlds[0].positions, worlds[1].positions)
    told = "equal positions" if same else "OTHER positions"
    return [
        ("a step, median", "carom World", duration(middle[0]), "1.00"),
        (
            f"a step after 2,000 rays, median; {told}",
            "carom World",
            duration(middle[1]),
            f"{middle[1] / middle[0]:.2f}",
        ),
    ]
