"""Questions that a Compound asks: its parts find the bodies that count, and the verbs for pairs decide as a whole.

In: a world, a Compound, masks and rows to pass by as one query has them. Out: rows, hits and distances, as of a shape
of one part. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.types import Floats, Integers
from carom.broad.things import part_queries
from carom.broad.tree_circles import boxes_of, boxes_of_turning
from carom.narrow.cast import HitColumns
from carom.narrow.verbs import cast, intersects
from carom.shapes.compound import Compound
from carom.world.questions.again import Motions, candidates, no_hits
from carom.world.questions.again import near as near_parts
from carom.world.questions.asked import nearest_rows_of
from carom.world.questions.scene import Scene


def near(
    where: str, scene: Scene, shape: Compound, within: Floats, inclusive: bool, masks: Integers, ignored: Integers
) -> Integers:
    """Return the rows that a Compound touches, or those within a distance of it, ascending."""
    asked = part_queries(shape, masks, ignored)
    limits = np.full(asked.masks.size, within.item(0))
    found, _ = near_parts(where, scene, asked, limits, inclusive or limits[0] == 0.0, 1)
    rows = np.unique(found.slots)
    if inclusive or limits[0] > 0.0:
        return rows
    overlapped = [intersects(shape, scene.whole(0, row), touching=False) for row in rows.tolist()]
    return rows[np.array(overlapped, dtype=np.bool_)]


def nearest(
    where: str, scene: Scene, shape: Compound, k: int, within: float, masks: Integers, ignored: Integers
) -> tuple[Integers, Floats]:
    """Return the k rows nearest to a Compound, and their distances."""
    rows, distances = nearest_rows_of(where, scene, part_queries(shape, masks, ignored), k, within, 1)
    least: dict[int, float] = {}
    for row, distance in zip(rows.ravel().tolist(), distances.ravel().tolist(), strict=True):
        if row >= 0:
            least[row] = min(distance, least.get(row, math.inf))
    order = sorted((distance, row) for row, distance in least.items())[:k]
    out_rows, out = np.full(k, -1), np.full(k, math.inf)
    out_rows[: len(order)], out[: len(order)] = [row for _, row in order], [distance for distance, _ in order]
    return out_rows, out


def hits(
    where: str, scene: Scene, shape: Compound, motions: Motions, masks: Integers, ignored: Integers
) -> tuple[Integers, HitColumns]:
    """Return the row that a Compound meets first on each of its motions, -1 for none, and the hits."""
    count = len(motions.translations)
    rows, out = np.full(count, -1), no_hits(count)
    for query in range(count):
        asked = part_queries(shape, masks[query : query + 1], ignored[query : query + 1])
        own = motions.some(np.full(asked.masks.size, query))
        turn, pivot = 0.0, None
        if own.turns is None or own.pivots is None:
            boxes = boxes_of(asked.records, asked.starts)
        else:
            turn, pivot = float(own.turns[0]), own.pivots[0]
            boxes = boxes_of_turning(asked.records, asked.starts, own.translations, own.pivots)
        found = candidates(where, scene, asked, boxes, own.translations, np.ones(asked.masks.size), 1)
        for row in np.unique(scene.views.parts["body"][0][found.slots]).tolist():
            way = (float(own.translations[0, 0]), float(own.translations[0, 1]))
            hit = cast(shape, scene.whole(0, row), way, rotation=turn, pivot=pivot)
            if hit is not None and hit.fraction < out.fraction[query]:
                rows[query], out.hit[query], out.fraction[query] = row, True, hit.fraction
                out.point[query], out.normal[query], out.overlapping[query] = hit.point, hit.normal, hit.overlapping
    return rows, out
