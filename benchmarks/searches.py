"""Questions to an index of 10,000 and 100,000 shapes, beside Shapely's tree and pymunk's space; and changing shapes.

Rays are those of 10,000 shapes, half circles, half turned boxes, in a square of side 300: 100 long, most end after
about 9. Regions are boxes, neighbours the nearest one, both among boxes. Shapely has no rays, pymunk no arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pymunk
import shapely

import carom as cm
from benchmarks.harness import Contender, Table, duration, race

HEADINGS = ("question", "library", "statement", "each", "times Carom's")
RAYS, SLOW_RAYS, QUERIES = 200_000, 5_000, 50_000


def run(rounds: int) -> Table:
    rng = np.random.default_rng(11)
    rows: list[tuple[str, ...]] = [HEADINGS, *rays(rng, min(rounds, 5))]
    rows += single_calls(rng, min(rounds, 5))
    for count in (10_000, 100_000):
        rows += regions(rng, count, min(rounds, 3))
    rows += changes(rng, min(rounds, 5))
    notes = (
        "Median time of one call, divided by its queries; one thread, answers in fresh arrays, the index made before."
    )
    return Table("Questions to an index", notes, rows)


def race_rows(question: str, contenders: list[tuple[Contender, int]], rounds: int) -> list[tuple[str, ...]]:
    seconds = [s / n for s, (_, n) in zip(race([c for c, _ in contenders], rounds), contenders, strict=True)]
    return [
        (question, c.library, f"`{c.statement}`", duration(s), f"{s / seconds[0]:.2f}")
        for (c, _), s in zip(contenders, seconds, strict=True)
    ]


def rays(rng: np.random.Generator, rounds: int) -> list[tuple[str, ...]]:
    centers, radii = rng.uniform(0, 300, (5000, 2)), rng.uniform(0.3, 0.7, 5000)
    boxes, sizes, angles = rng.uniform(0, 300, (5000, 2)), rng.uniform(0.5, 1.3, (5000, 2)), rng.uniform(-3, 3, 5000)
    turned = cm.Shapes.boxes(boxes, sizes, angles)
    shapes = cm.Shapes.concatenate([cm.Shapes.circles(centers, radii), turned])
    index, tree = cm.Index(shapes), cm.Index(shapes, method="tree")
    origins = rng.uniform(0, 300, (2 * RAYS, 2))
    origins = origins[np.diff(index.contains(origins).offsets) == 0][:RAYS]
    directions = rng.uniform(-math.pi, math.pi, len(origins))
    motions = 100.0 * np.column_stack((np.cos(directions), np.sin(directions)))
    space = pymunk.Space()
    space.add(*[pymunk.Circle(space.static_body, r, c) for r, c in zip(radii.tolist(), centers.tolist(), strict=True)])
    space.add(*[pymunk.Poly(space.static_body, [tuple(v) for v in box.vertices]) for box in turned])
    pairs = list(
        zip(map(tuple, origins[:SLOW_RAYS].tolist()), map(tuple, (origins + motions)[:SLOW_RAYS].tolist()), strict=True)
    )
    names: dict[str, Any] = {"index": index, "origins": origins, "motions": motions}
    theirs = {"first": space.segment_query_first, "rays": pairs, "every": pymunk.ShapeFilter()}
    contenders = [
        (Contender("carom", "index.raycast(origins, motions)", names), len(origins)),
        (Contender("carom, tree", "index.raycast(origins, motions)", names | {"index": tree}), len(origins)),
        (Contender("pymunk", "[first(a, b, 0, every) for a, b in rays]", theirs), len(pairs)),
    ]
    return race_rows("first hit of a ray among 10,000", contenders, rounds)


def single_calls(rng: np.random.Generator, rounds: int) -> list[tuple[str, ...]]:
    """Return rows for one question at a time among 10,000 circles."""
    centers, radii = rng.uniform(0, 300, (10_000, 2)), rng.uniform(0.3, 0.8, 10_000)
    index, space = cm.Index(cm.Shapes.circles(centers, radii)), pymunk.Space()
    space.add(*[pymunk.Circle(space.static_body, r, c) for r, c in zip(radii.tolist(), centers.tolist(), strict=True)])
    tree = shapely.STRtree(shapely.box(*(centers - radii[:, None]).T, *(centers + radii[:, None]).T))
    ours: dict[str, Any] = {"index": index, "box": cm.Box((12.0, 12.0), (4.0, 4.0))}
    ours |= {"origin": (150.0, 150.0), "motion": (60.0, 20.0), "point": (20.0, 20.0)}
    for _ in range(3_000):
        index.raycast(ours["origin"], ours["motion"])  # so many that the grid is laid out
    every, end = pymunk.ShapeFilter(), (210.0, 170.0)
    theirs: dict[str, Any] = {
        "space": space,
        "every": every,
        "origin": (150.0, 150.0),
        "end": end,
        "point": (20.0, 20.0),
    }
    theirs |= {"tree": tree, "box": shapely.box(10, 10, 14, 14)}
    theirs["at"] = shapely.Point(20.0, 20.0)
    asked = (
        ("a ray", "index.raycast(origin, motion)", "pymunk", "space.segment_query_first(origin, end, 0, every)"),
        ("a box", "index.query(box)", "shapely", "tree.query(box, predicate='intersects')"),
        ("a point", "index.contains(point)", "shapely", "tree.query(at, predicate='intersects')"),
        ("the nearest of a point", "index.nearest(point)", "shapely", "tree.nearest(at)"),
    )
    rows: list[tuple[str, ...]] = []
    for name, mine, library, other in asked:
        contenders = [(Contender("carom", mine, ours), 1), (Contender(library, other, theirs), 1)]
        rows += race_rows(f"{name} among 10,000, one call", contenders, rounds)
    return rows


def regions(rng: np.random.Generator, count: int, rounds: int) -> list[tuple[str, ...]]:
    side = 3.0 * math.sqrt(count)
    centers, sizes = rng.uniform(0, side, (count, 2)), rng.uniform(0.5, 1.3, (count, 2))
    at = rng.uniform(0, side, (QUERIES, 2))
    boxes = cm.Shapes.boxes(centers, sizes)
    lower, upper = centers - sizes / 2, centers + sizes / 2
    geometries = shapely.box(*lower.T, *upper.T)
    ours: dict[str, Any] = {
        "index": cm.Index(boxes),
        "points": at,
        "boxes": cm.Shapes.boxes(at, np.full((QUERIES, 2), 2.0)),
    }
    theirs: dict[str, Any] = {"tree": shapely.STRtree(geometries), "points": shapely.points(at)}
    theirs["boxes"] = shapely.box(*(at - 1).T, *(at + 1).T)
    made = {"Index": cm.Index, "STRtree": shapely.STRtree, "shapes": boxes}
    asked = (
        ("boxes of side 2", "index.query(boxes)", "tree.query(boxes, predicate='intersects')"),
        ("points", "index.contains(points)", "tree.query(points, predicate='intersects')"),
        (
            "nearest of points",
            "index.nearest(points)",
            "tree.query_nearest(points, return_distance=True, all_matches=False)",
        ),
    )
    rows = race_rows(
        f"made of {count:,} boxes",
        [
            (Contender("carom", "Index(shapes)", made), count),
            (
                Contender("shapely", "STRtree(shapes).query(box)", made | {"shapes": geometries, "box": geometries[0]}),
                count,
            ),
        ],
        rounds,
    )
    for name, mine, other in asked:
        contenders = [(Contender("carom", mine, ours), QUERIES), (Contender("shapely", other, theirs), QUERIES)]
        rows += race_rows(f"{name}, among {count:,} boxes", contenders, rounds)
    return rows


def changes(rng: np.random.Generator, rounds: int) -> list[tuple[str, ...]]:
    centers = rng.uniform(0, 950, (100_000, 2))
    index = cm.Index(cm.Shapes.circles(centers, 0.5))
    rows = rng.choice(len(centers), len(centers) // 10, replace=False)
    here, there = (cm.Shapes.circles(centers[rows] + step, 0.5) for step in (0.0, 0.3))
    names = {"index": index, "rows": rows, "here": here, "there": there, "Index": cm.Index, "shapes": index.shapes}
    contenders = [
        (Contender("carom", "index.update(rows, here); index.update(rows, there)", names), 2),
        (Contender("carom", "Index(shapes)", names), 1),
    ]
    return race_rows("10 % of 100,000 circles moved, or a new index", contenders, rounds)
