"""Questions that one pass cannot settle: decided exactly, by the verbs for pairs.

In: a world, and queries that are to be asked again, since the sign of an answer lies inside the error bound or a body
of several parts is concerned. Out: their answers. Bodies of one part are asked row by row, as sets are; those of
several as wholes, so that an edge between two parts is never met and a start inside is told as of one shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats, Integers
from carom.broad.answers import HIT_BYTES, Answers, Found, in_turn, offsets_of, room_for_candidates
from carom.broad.queries import Queries
from carom.broad.tree_circles import boxes_of, boxes_of_turning
from carom.narrow.cast import HitColumns, hit_rows, hits_of_turning_rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.separation import separation_of_rows
from carom.narrow.verbs import cast, intersects, raycast
from carom.shapes.set import Shapes
from carom.tolerances import EPSILON, LARGEST
from carom.world.questions.present import records_now
from carom.world.questions.scene import Scene
from carom.world.questions.touched import parts_on_ways

FARTHEST = 8.0 * LARGEST  # more than any two shapes are apart
LATER = 1.0 + 2.0**-20  # a whole is met at the same fraction as its parts, but for rounding


class Motions(NamedTuple):
    """How shapes move: each by a translation, and by a turn about a pivot where they turn."""

    translations: Floats
    turns: Floats | None = None
    pivots: Floats | None = None
    ray: bool = False

    def some(self, queries: Integers | Booleans) -> Motions:
        """Return the motions of some queries."""
        turns, pivots = (None if one is None else one[queries] for one in (self.turns, self.pivots))
        return Motions(self.translations[queries], turns, pivots, self.ray)


def candidates(
    where: str, scene: Scene, asked: Queries, boxes: Floats, translations: Floats, limits: Floats, threads: int
) -> Found:
    """Return pairs of query and part whose bounds the query's box meets on its way up to a limit, by query."""
    ask = partial(parts_on_ways, scene.views, scene.each, asked, boxes, translations, limits, scene.sensors)
    count = asked.masks.size
    return Found(*in_turn(Answers(where, HIT_BYTES, count), count, room_for_candidates, 2, ask, Found, threads))


def grown(asked: Queries, within: Floats) -> Floats:
    """Return the boxes of shapes, grown by a distance each."""
    room = (within * (1.0 + 64.0 * EPSILON))[:, None]
    boxes = boxes_of(asked.records, asked.starts)
    return np.hstack((boxes[:, :2] - room, boxes[:, 2:] + room))


def wholes(scene: Scene, rows: Integers) -> Iterator[tuple[int, Any, Integers]]:
    """Yield each body of several parts among rows, its shape, and where its row stands."""
    several = scene.views.bodies["part_count"][0][rows] > 1
    for row in np.unique(rows[several]).tolist():
        yield row, scene.whole(0, row), np.flatnonzero(rows == row)


def hits_again(
    where: str, scene: Scene, asked: Queries, shapes: Any, motions: Motions, limits: Floats
) -> tuple[Integers, HitColumns]:
    """Return the row that each of some shapes or rays meets first, up to a limit and -1 for none, and the hits.

    `shapes` are the shapes as a set; of rays nobody looks at it.
    """
    if motions.turns is None or motions.pivots is None:
        boxes = boxes_of(asked.records, asked.starts)
    else:
        boxes = boxes_of_turning(asked.records, asked.starts, motions.translations, motions.pivots)
    queries, parts = candidates(where, scene, asked, boxes, motions.translations, limits, 1)
    rows = scene.views.parts["body"][0][parts]
    plain = np.flatnonzero(scene.views.bodies["part_count"][0][rows] == 1)
    found: list[Any] = [
        (queries[plain], rows[plain], _hits_of_parts(scene, asked, motions, queries[plain], parts[plain]))
    ]
    for whole, shape, at in wholes(scene, rows):
        own = np.unique(queries[at])
        found.append((own, np.full(own.size, whole), _hits_of_whole(asked, shapes, motions.some(own), own, shape)))
    count = asked.masks.size
    first, hits = np.full(count, -1), no_hits(count)
    of, row = (np.concatenate([one[k] for one in found]) for k in (0, 1))
    columns = HitColumns(*(np.concatenate(column) for column in zip(*(one[2] for one in found), strict=True)))
    order = np.lexsort((row, columns.fraction, of))
    order = order[columns.hit[order]]
    order = order[np.append(True, np.diff(of[order]) > 0)[: order.size]]
    first[of[order]] = row[order]
    for column, each in zip(hits, columns, strict=True):
        column[of[order]] = each[order]
    return first, hits


def _hits_of_parts(scene: Scene, asked: Queries, motions: Motions, queries: Integers, parts: Integers) -> HitColumns:
    """Return the hits of pairs of query and part."""
    pairs, own = asked.beside(queries, *records_now(scene.view(), parts)), motions.some(queries)
    if own.turns is None or own.pivots is None:
        return hit_rows(pairs, own.translations, own.ray, 1)
    return hits_of_turning_rows(pairs, own.translations, own.turns, own.pivots, 1)


def _hits_of_whole(asked: Queries, shapes: Any, motions: Motions, queries: Integers, shape: Any) -> HitColumns:
    """Return the hits of some queries with a body of several parts."""
    if motions.ray:
        found = raycast(asked.points[queries], motions.translations, shape)
        return HitColumns(found.hit, found.fraction, found.point, found.normal, found.overlapping)
    mover: Shapes = shapes[queries]
    if motions.turns is None:
        return cast(mover, shape, motions.translations)
    return cast(mover, shape, motions.translations, rotation=motions.turns, pivot=motions.pivots)


def no_hits(count: int) -> HitColumns:
    """Return the hits of queries that hit nothing."""
    nothing = np.zeros(count, dtype=np.bool_)
    return HitColumns(nothing, np.full(count, math.inf), np.zeros((count, 2)), np.zeros((count, 2)), nothing.copy())


def touched_again(where: str, scene: Scene, asked: Queries, shapes: Any, inclusive: bool) -> Found:
    """Return pairs of query and row that touch, or overlap, by query, then by row, each once."""
    limits = np.ones(asked.masks.size)
    still = np.zeros((limits.size, 2))
    queries, parts = candidates(where, scene, asked, boxes_of(asked.records, asked.starts), still, limits, 1)
    rows = scene.views.parts["body"][0][parts]
    sides = sides_of_rows(asked.beside(queries, *records_now(scene.view(), parts)), 1)
    kept = sides <= (0 if inclusive else -1)
    if not inclusive:
        # Along an edge between two parts a body may be overlapped though each part is merely touched.
        for _, shape, at in wholes(scene, rows):
            asking = at[~kept[at] & (sides[at] == 0)]
            kept[asking] = intersects(shapes[queries[asking]], shape, touching=False)
    return once(queries[kept], rows[kept])


def near(
    where: str, scene: Scene, asked: Queries, within: Floats, inclusive: bool, threads: int
) -> tuple[Found, Floats]:
    """Return pairs of query and row no farther apart than `within`, as `touched_again`, and their separations."""
    still, limits = np.zeros((within.size, 2)), np.ones(within.size)
    boxes = grown(asked, np.minimum(within, FARTHEST))
    queries, parts = candidates(where, scene, asked, boxes, still, limits, threads)
    gaps, owners = np.empty(queries.size), scene.views.parts["body"]
    for alone, some in scene.groups(np.unique(queries)):
        at = np.flatnonzero(np.isin(queries, some))
        gaps[at] = separation_of_rows(asked.beside(queries[at], *records_now(alone.view(), parts[at])), threads)
    rows = owners[np.minimum(queries // scene.each, len(owners) - 1), parts]
    kept = gaps <= within[queries] if inclusive else gaps < within[queries]
    queries, rows, gaps = queries[kept], rows[kept], gaps[kept]
    order = np.lexsort((gaps, rows, queries))
    queries, rows, gaps = queries[order], rows[order], gaps[order]
    first = np.append(True, (np.diff(queries) != 0) | (np.diff(rows) != 0))[: order.size]
    return Found(queries[first], rows[first]), gaps[first]


def once(queries: Integers, rows: Integers) -> Found:
    """Return pairs of query and row in order, each once."""
    order = np.lexsort((rows, queries))
    queries, rows = queries[order], rows[order]
    first = np.append(True, (np.diff(queries) != 0) | (np.diff(rows) != 0))[: order.size]
    return Found(queries[first], rows[first])


def nearest_again(where: str, scene: Scene, asked: Queries, k: int, limits: Floats) -> tuple[Integers, Floats]:
    """Return the k nearest rows of each of some queries, none farther than its limit, and their distances."""
    (queries, rows), gaps = near(where, scene, asked, limits, True, 1)
    distances = np.maximum(gaps, 0.0)
    order = np.lexsort((rows, distances, queries))
    queries, count = queries[order], limits.size
    place = np.arange(order.size) - offsets_of(queries, count)[queries]
    out_rows, out = np.full((count, k), -1), np.full((count, k), math.inf)
    order, queries, place = order[place < k], queries[place < k], place[place < k]
    out_rows[queries, place], out[queries, place] = rows[order], distances[order]
    return out_rows, out


def set_of_queries(shapes: Any, count: int) -> Shapes:
    """Return a shape, or a set of one row, as so many rows."""
    rows = shapes if isinstance(shapes, Shapes) else Shapes([shapes])
    return rows if len(rows) == count else rows[np.zeros(count, dtype=np.int64)]
