"""Questions to a world or its copies, from checked queries to columns of answers.

In: a `Scene` and queries. Out: rows, hits and distances, in the promised order. One pass of a kernel settles nearly
all; the few that are left are asked `again`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Integers
from carom.broad.answers import Answers, in_turn, offsets_from, offsets_of
from carom.broad.queries import Queries
from carom.broad.search_rows import ROW_BYTES
from carom.broad.tree_regions import SHORT
from carom.narrow.cast import HitColumns, RayHitColumns, ray_columns
from carom.world.questions.again import (
    LATER,
    Motions,
    hits_again,
    near,
    nearest_again,
    no_hits,
    set_of_queries,
    touched_again,
)
from carom.world.questions.first_hits import first_hits
from carom.world.questions.ground import RAYS, REGIONS, ground_of
from carom.world.questions.nearest import nearest_rows
from carom.world.questions.scene import Scene
from carom.world.questions.touched import touched_rows


def hits_of_rays(where: str, scene: Scene, asked: Queries, motions: Floats, threads: int) -> RayHitColumns:
    """Return the first hit of each ray, with rows of bodies."""
    rows, distances, hits = _first(where, scene, asked, None, Motions(motions, ray=True), threads)
    return RayHitColumns(hits.hit, hits.fraction, distances, hits.point, hits.normal, rows, hits.overlapping)


def hits_of_shapes(
    where: str, scene: Scene, asked: Queries, shapes: Any, motions: Motions, threads: int
) -> tuple[Integers, HitColumns]:
    """Return the row that each moving shape meets first, -1 for none, and the hits."""
    rows, _, hits = _first(where, scene, asked, shapes, motions, threads)
    return rows, hits


def _first(
    where: str, scene: Scene, asked: Queries, shapes: Any, motions: Motions, threads: int
) -> tuple[Integers, Floats, HitColumns]:
    count = asked.masks.size
    rows, distances, hits, again = np.full(count, -1), np.full(count, math.inf), no_hits(count), np.ones(count, bool)

    ground = ground_of(scene.views, scene.sensors, count if motions.ray else 0, RAYS)

    def work(begin: int, end: int) -> None:
        given = asked, motions.translations, scene.sensors, scene.room, begin, end, rows, distances, hits, again
        first_hits(ground, scene.views, scene.each, *given)

    if count and motions.turns is None:
        in_parts(threads, count, work)
    left = np.flatnonzero(again)
    # No later than what is known to be hit; where that turns out to be missed, the whole way.
    limits = np.minimum(hits.fraction * LATER + (LATER - 1.0), 1.0)
    while left.size:
        missed = []
        for alone, queries in scene.groups(left):
            some = asked.as_shapes().some(queries) if motions.ray else asked.some(queries)
            some = some._replace(points=asked.points[queries]) if motions.ray else some
            own = None if motions.ray else set_of_queries(shapes, count)[queries]
            found, columns = hits_again(where, alone, some, own, motions.some(queries), limits[queries])
            rows[queries] = found
            if motions.ray:
                told = ray_columns(asked.points[queries], motions.translations[queries], columns, found)
                distances[queries] = told.distance
            for column, each in zip(hits, columns, strict=True):
                column[queries] = each
            missed.append(queries[(found < 0) & (limits[queries] < 1.0)])
        left = np.concatenate(missed)
        limits[left] = 1.0
    return rows, distances, hits


def touched(
    where: str, scene: Scene, asked: Queries, shapes: Any, inclusive: bool, threads: int
) -> tuple[Integers, Integers]:
    """Return where each query's rows begin, (n + 1,), and the rows that it touches, ascending."""
    count, most = asked.masks.size, 0 if inclusive else -1
    counts, again = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    ground = ground_of(scene.views, scene.sensors, count, REGIONS)

    def ask(begin: int, end: int, rows: Integers) -> tuple[int, int]:
        given = ground, scene.views, scene.each, asked, most, scene.sensors, scene.room
        return touched_rows(*given, counts, again, begin, end, rows)

    def keep(rows: Integers) -> tuple[Integers]:
        return (rows.copy(),)

    room = 4 * SHORT
    answers = Answers(where, ROW_BYTES, count)
    rows: Integers = np.empty(0, dtype=np.int64)
    if count:
        (rows,) = in_turn(answers, count, lambda queries: max(room, 4 * queries), 1, ask, keep, threads)
    unsettled = again | (counts > SHORT)
    if not unsettled.any():
        return offsets_from(counts), rows
    lists = np.split(rows, offsets_from(counts)[1:-1])
    for k in np.flatnonzero(unsettled & ~again).tolist():
        lists[k] = np.unique(lists[k])
    for alone, queries in scene.groups(np.flatnonzero(again)):
        some = asked.as_shapes() if len(asked.points) else asked
        own = set_of_queries(shapes, count)[queries]
        found = touched_again(where, alone, some.some(queries), own, inclusive)
        ends = offsets_of(found.queries, queries.size)[1:-1]
        for k, list_of_rows in zip(queries.tolist(), np.split(found.slots, ends), strict=True):
            lists[k] = list_of_rows
    return offsets_from(np.array([one.size for one in lists])), np.concatenate(lists)


def near_rows(
    where: str, scene: Scene, asked: Queries, within: Floats, inclusive: bool, threads: int
) -> tuple[Integers, Integers]:
    """Return where each query's rows begin, (n + 1,), and the rows no farther than `within`, ascending."""
    found, _ = near(where, scene, asked, within, inclusive, threads)
    return offsets_of(found.queries, within.size), found.slots


def nearest_rows_of(
    where: str, scene: Scene, asked: Queries, k: int, within: float, threads: int
) -> tuple[Integers, Floats]:
    """Return the k nearest rows of each query and their distances, -1 and infinity where there are no more."""
    count = asked.masks.size
    rows, distances = np.full((count, k), -1), np.full((count, k), math.inf)
    again = np.zeros(count, dtype=np.bool_)
    ground = ground_of(scene.views, scene.sensors, count, REGIONS)

    def work(begin: int, end: int) -> None:
        given = ground, scene.views, scene.each, asked, within, scene.sensors, scene.room
        nearest_rows(*given, begin, end, rows, distances, again)

    if count:
        in_parts(threads, count, work)
    for alone, queries in scene.groups(np.flatnonzero(again)):
        # Each distance of these is, if anything, too large: the true ones are among all that are no farther.
        limits = np.minimum(np.where(rows[queries, -1] >= 0, distances[queries, -1], within), within)
        rows[queries], distances[queries] = nearest_again(where, alone, asked.some(queries), k, limits)
    return rows, distances
