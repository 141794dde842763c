"""One question to an index: one shape, point or ray that sees all layers goes straight to one kernel.

In: the slots of an index, and what the user passed. Out: the answer as rows or numbers; or None where the general way
has to answer: the question is another one, its values need a closer look, or something is undecided. User's frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.threads import ONE
from carom._core.types import Floats, Integers
from carom.broad.answers import RayNumbers
from carom.broad.single import NO_SHAPE, ROOM, first_hit_of_one, nearest_of_one, rows_of_one
from carom.broad.tree_slots import Slots
from carom.shapes.base import ConvexShape

One = tuple[Floats, float, float, int]
"""The record of one shape, or `NO_SHAPE` and a point; and the row that it passes by, -1 for none."""


def shape_of(slots: Slots, value: Any, mask: Any, ignore: Any, threads: Any) -> One | None:
    """Return a shape of one part as one."""
    ignored = _row_of(slots, mask, ignore, threads)
    return (value._record, 0.0, 0.0, ignored) if ignored is not None and isinstance(value, ConvexShape) else None


def point_of(slots: Slots, where: str, name: str, value: Any, mask: Any, ignore: Any, threads: Any) -> One | None:
    """Return a point, a pair of plain numbers, as one."""
    ignored = _row_of(slots, mask, ignore, threads)
    if ignored is None or not inputs.is_pair(value):
        return None
    x, y = inputs.point(where, name, value)
    return NO_SHAPE, x, y, ignored


def rows_touched(slots: Slots, one: One | None, most: int) -> Integers | None:
    """Return the rows that a shape or a point overlaps (`most` -1) or touches (0), ascending."""
    if one is None:
        return None
    rows, table = np.empty(ROOM, dtype=np.int64), slots.table()  # held here: others may make another
    found = rows_of_one(table.addresses, *one, most, rows)
    return rows[:found].copy() if found >= 0 else None


def nearest_rows(slots: Slots, one: One | None, k: int, within: float) -> tuple[Integers, Floats] | None:
    """Return the k rows nearest to a shape or point, and their distances."""
    if one is None:
        return None
    rows, distances, table = np.empty(k, dtype=np.int64), np.empty(k), slots.table()
    return (rows, distances) if nearest_of_one(table.addresses, *one, within, rows, distances) else None


def first_hit(slots: Slots, where: str, one: One | None, translation: Any) -> RayNumbers | None:
    """Return the first hit of a point, as a ray, or of a shape, as `cast` has it move: row -1 for none."""
    if one is None or not inputs.is_pair(translation):
        return None
    (record, x, y, ignored), (mx, my), table = one, inputs.point(where, "translation", translation), slots.table()
    hit, undecided = first_hit_of_one(table.addresses, record, x, y, mx, my, ignored)
    return None if undecided else hit


def _row_of(slots: Slots, mask: Any, ignore: Any, threads: Any) -> int | None:
    """Return the row to pass by, -1 for none; None if the general way has to see what is asked."""
    if mask is not None or threads is not ONE:
        return None
    if ignore is None:
        return -1
    return ignore if type(ignore) is int and 0 <= ignore < slots.slot_of.size else None
