"""The owners that others touch, or lie within a distance of, by the edges of polygons: without convex parts.

In: things under a tree of their boxes, and shapes that ask. Out: for each owner of these the owners it meets, the same
as by all rows; or None where rows have to be asked. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers, Rows32
from carom.broad.answers import offsets_of
from carom.broad.find_pairs import Search
from carom.broad.owner_pairs import reach_of
from carom.broad.region_nearest import Around, askers
from carom.broad.region_pairs import decided, edged, grown
from carom.broad.tree import STACK, Tree, slots_that_meet
from carom.shapes.outlines.sure_turns import UNSURE
from carom.shapes.set import Shapes

ASKED_AT_ONCE = 2**16
"""Things whose candidates are listed together."""


def owners_met(search: Search, near: Around, asking: Shapes) -> tuple[Integers, Integers] | None:
    """Return where the answers for each owner of a set begin, and the owners that it meets, ascending."""
    asked = edged(asking)
    if asked is None:
        return None
    things, (asker, count) = near.things, askers(asked)
    boxes = np.hstack((asked.things, asked.things)) if isinstance(asked.things, np.ndarray) else asked.things.bounds
    if search.distance > 0.0:
        # Of a pair both boxes are to be grown by what a separation may be rounded: here it is all on one side.
        rounded = float((things.bounds - grown(things.bounds, 0.0))[:, 0].max(initial=0.0))
        boxes = grown(boxes, reach_of(search) + rounded)
    boxes = np.ascontiguousarray(boxes)
    found = []
    for begin in range(0, len(boxes), ASKED_AT_ONCE):
        pairs = _candidates(near.tree, boxes, begin, min(begin + ASKED_AT_ONCE, len(boxes)))
        i, j = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        answer = decided(search, asked.things, things, i, j)
        if (answer == UNSURE).any():
            return None
        yes = answer == 1
        found.append(np.column_stack((asker[i[yes]], things.rings.owner[j[yes]])))
    return of_pairs(np.concatenate((*found, np.empty((0, 2), dtype=np.int64))), count)


def of_pairs(pairs: Integers, count: int) -> tuple[Integers, Integers]:
    """Return where the second ones of each of `count` first ones begin, and these, ascending, each once."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    pairs = pairs[np.append(True, (pairs[1:] != pairs[:-1]).any(axis=1))[: len(pairs)]]
    return offsets_of(pairs[:, 0], count), np.ascontiguousarray(pairs[:, 1])


def _candidates(tree: Tree, boxes: Floats, begin: int, end: int) -> Rows32:
    room = 1024 + 8 * (end - begin)
    while True:
        out = np.empty((room, 2), dtype=np.int32)
        count = _list(tree, boxes, begin, end, out)
        if count >= 0:
            return out[:count]
        room *= 4


@kernel
def _list(tree: Tree, boxes: Floats, begin: int, end: int, out: Rows32) -> int:
    """Write the pairs of box and thing whose boxes meet; return how many, -1 if there is no room."""
    slots, count = np.empty(tree.rows.shape[0] + STACK, dtype=np.int64), 0
    for k in range(begin, end):
        found = slots_that_meet(tree, (boxes[k, 0], boxes[k, 1], boxes[k, 2], boxes[k, 3]), 0, slots)
        if found < 0 or count + found > out.shape[0]:
            return -1
        for n in range(found):
            out[count, 0], out[count, 1] = k, tree.rows[slots[n]]
            count += 1
    return count
