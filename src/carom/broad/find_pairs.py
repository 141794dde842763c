"""The pairs of shapes that touch, or are near, and are on layers that meet: candidates by their bounds, then exactly.

In: sets of shapes with their layers. Out: pairs of rows in no promised order, each once. World frame, user's units.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.layers import DEFAULT, Layers
from carom._core.types import Booleans, Floats, Integers, Rows32
from carom.broad import memory
from carom.broad.all_pairs import (
    IN_BLOCKS,
    PAIR_BYTES,
    Candidates,
    Method,
    Plan,
    TooManyPairs,
    all_pairs,
    measured,
)
from carom.broad.blocks import in_blocks
from carom.broad.queries import ALL
from carom.broad.sweep import sweep
from carom.broad.tree_circles import boxes_of
from carom.narrow.dispatch import Rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.kinds import are_sharp_aabbs
from carom.narrow.separation import separation_of_rows
from carom.shapes.given import set_of
from carom.shapes.set import Shapes
from carom.tolerances import CULL_ULPS, EPSILON

Bits = tuple[Integers, Integers]  # the layers that each row is on, and those it wants to meet

MOST_CLASSES = 64  # up to which a crowd is searched class by class

NOTHING = Candidates(np.empty(0, np.int32), np.empty(0, np.int32), Plan("none", "there is no pair", 0))
NO_FILTER = (None, None, None)

AT_ONCE = 2**20  # candidates that are decided together: their places in memory fit the processor's cache


class Search(NamedTuple):
    """The wanted pairs, and how to search for them."""

    where: str
    """The caller, for the text of errors."""
    distance: float
    """The largest between two shapes of a pair."""
    touching: bool
    """Whether shapes just so far apart are a pair."""
    method: Method
    threads: int


class Side(NamedTuple):
    """One set of shapes as the search needs it."""

    shapes: Shapes
    layers: Integers | None  # None where every shape is on every layer and wants to meet all
    masks: Integers | None
    owners: Integers | None  # None where each row is a thing of its own, or pairs are of two sets

    @property
    def rows(self) -> int:
        """How many shapes there are."""
        return len(self.shapes)

    def part(self, begin: int, end: int) -> Side:
        """Return the rows from `begin` up to `end`."""
        columns = (column if column is None else column[begin:end] for column in self[1:])
        return Side(self.shapes[begin:end], *columns)


def side_of(where: str, prefix: str, layers: Layers, shapes: Any, layer: Any, alone: bool) -> Side:
    """Return one set of shapes from the user with its layers; `prefix` is "others" for the second of two."""
    rows = set_of(where, prefix or "shapes", shapes)
    on = None if layer is None else layers.column(where, f"{prefix}_layer".lstrip("_"), layer, len(rows))
    return Side(rows, on, None, rows._proxies.owner if alone else None)


def with_mask(where: str, prefix: str, layers: Layers, side: Side, mask: Any) -> Side:
    """Return a side with what it wants to meet, out of the layers that the rows of both sides are on."""
    if side.layers is None and mask is None:
        return side
    on = layers.column(where, "layer", DEFAULT, side.rows) if side.layers is None else side.layers
    name = f"{prefix}_mask".lstrip("_")
    masks = np.full(side.rows, ALL) if mask is None else layers.column(where, name, mask, side.rows)
    return side._replace(layers=on, masks=masks)


def layers_and_masks(
    layers: Layers, where: str, prefix: str, layer: Any, mask: Any, rows: int
) -> tuple[Integers, Integers]:
    """Return the layers that each row is on, and those it wants to meet, all if `mask` is None."""
    on = layers.column(where, f"{prefix}layer", layer, rows)
    return on, np.full(rows, ALL) if mask is None else layers.column(where, f"{prefix}mask", mask, rows)


def find_pairs(search: Search, a: Side, b: Side | None, most: int | None) -> Candidates | None:
    """Return the pairs in no promised order, or None if more than `most` bounds overlap.

    Raises
    ------
    MemoryError
        If the pairs, as far as bounds, layers and owners tell, would not fit into memory.
    """
    second = a if b is None else b
    try:
        near = near_pairs(search, a, b, most)
    except TooManyPairs as crowd:
        if most is not None or all(column is None for column in (*a[1:], *second[1:])):
            raise
        return _find_in_crowd(search, a, b, crowd.plan)
    if near is None:
        return None
    i, j, plan = near
    del near
    if b is None:
        i, j = np.minimum(i, j), np.maximum(i, j)
    if a.owners is not None and second.owners is not None:
        kept = a.owners[i] != second.owners[j]
        i, j = i[kept], j[kept]
    kept_by_layers = meeting(a, second, i, j)
    if kept_by_layers is not None:
        i, j = i[kept_by_layers], j[kept_by_layers]
    # The bounds of a box along the axes are the box.
    exact = search.distance == 0.0 and search.touching and are_sharp_aabbs(a.shapes) and are_sharp_aabbs(second.shapes)
    if not exact:
        kept = decided(search, a.shapes, second.shapes, i, j)
        i, j = i[kept], j[kept]
    return Candidates(i, j, plan)


def meeting(a: Side, b: Side, i: Rows32, j: Rows32) -> Booleans | None:
    """Tell which pairs are on layers that meet; None where all are."""
    if a.layers is None and b.layers is None:
        return None
    kept = np.empty(i.size, dtype=np.bool_)
    _meet(i, j, _bits(a), _bits(b), kept)
    return kept


def near_pairs(search: Search, a: Side, b: Side | None, most: int | None) -> Candidates | None:
    """Return the pairs whose bounds are within the distance, whatever their layers and owners."""
    if not a.rows or not (b is None or b.rows):
        return NOTHING
    mine = measured(grown(a.shapes, search.distance))
    theirs = None if b is None else measured(grown(b.shapes, search.distance))
    return all_pairs(search.where, mine, theirs, most, method=search.method, threads=search.threads)


def plan_of(search: Search, a: Side, b: Side | None) -> Plan:
    """Return how the pairs of bounds within the distance are found: that is told by finding them."""
    try:
        found = near_pairs(search, a, b, None)
    except TooManyPairs as crowd:
        return crowd.plan
    assert found is not None
    return found.plan


def _find_in_crowd(search: Search, a: Side, b: Side | None, plan: Plan) -> Candidates:
    """Return the pairs where too many bounds overlap, but layers or owners may leave few: only these count as too many.

    Rows of the same layers, mask and owner are one class, and only classes that meet are searched. Where there are many
    classes, all rows are searched some at a time, and pairs that layers or owners exclude are dropped at once.
    """
    groups = _groups_that_meet(a, b)
    if groups is None:
        blocks, count = [], 0
        for block in in_blocks(partial(find_pairs, search), a, b, AT_ONCE):
            blocks.append(block)
            count += len(block)
            if not memory.fits(PAIR_BYTES * count):
                raise TooManyPairs(
                    memory.refusal(search.where, count, "pairs, and more, are found", PAIR_BYTES, IN_BLOCKS), plan
                )
        every = np.concatenate([np.empty((0, 2), np.int32), *blocks])
        return Candidates(every[:, 0].copy(), every[:, 1].copy(), plan)
    second = a if b is None else b
    bounds, other_bounds = grown(a.shapes, search.distance), grown(second.shapes, search.distance)
    count = 0
    for rows, partners in groups:
        together = bounds[rows] if partners is None else np.concatenate((bounds[rows], other_bounds[partners]))
        count += sweep(together, 0 if partners is None else rows.size, 0)[0]
    if not memory.fits(PAIR_BYTES * count):
        what = "pairs of bounding boxes overlap, of shapes that meet"
        raise TooManyPairs(memory.refusal(search.where, count, what, PAIR_BYTES, IN_BLOCKS), plan)
    firsts, seconds = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for rows, partners in groups:
        one = Side(a.shapes[rows], *NO_FILTER)
        other = None if partners is None else Side(second.shapes[partners], *NO_FILTER)
        found = find_pairs(search, one, other, None)
        assert found is not None
        firsts.append(rows[found.first].astype(np.int32))
        seconds.append((rows if partners is None else partners)[found.second].astype(np.int32))
    i, j = np.concatenate(firsts), np.concatenate(seconds)
    return Candidates(i, j, plan) if b is not None else Candidates(np.minimum(i, j), np.maximum(i, j), plan)


def _groups_that_meet(a: Side, b: Side | None) -> list[tuple[Integers, Integers | None]] | None:
    """Return rows that all meet each other (and None), or all meet some others; None if there are too many classes."""
    sides = [a] if b is None else [a, b]
    keys = []
    for side in sides:
        owners = np.zeros(len(side.shapes), np.int64) if side.owners is None else side.owners
        keys.append(np.stack((*_bits(side), owners), axis=1))
    classes, numbers = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    if len(classes) > MOST_CLASSES:
        return None
    layers, masks, owners = classes.T
    wanted = (masks[:, None] & layers) != 0
    meet = wanted & wanted.T
    if a.owners is not None and b is None:
        meet &= owners[:, None] != owners
    numbers = numbers.ravel()
    mine, theirs = numbers[: len(a.shapes)], numbers[-len(sides[-1].shapes) :]
    groups: list[tuple[Integers, Integers | None]] = []
    for k in range(len(classes)):
        rows = np.flatnonzero(mine == k)
        those = meet[k].copy()
        if b is None:
            those[: k + 1] = False
            if meet[k, k]:
                groups.append((rows, None))
        partners = np.flatnonzero(those[theirs])
        if rows.size and partners.size:
            groups.append((rows, partners))
    return groups


def grown(shapes: Shapes, distance: float) -> Floats:
    """Return the boxes of shapes grown by half a distance: those of shapes within the distance overlap.

    A separation is rounded by the size of the shapes, however near they are: their boxes have room for that, too.
    """
    if distance == 0.0:
        return shapes.bounds
    boxes = boxes_of(shapes._buffer, shapes._starts)
    half = 0.5 * distance * (1.0 + CULL_ULPS * EPSILON)
    boxes[:, :2] -= half
    boxes[:, 2:] += half
    return boxes


def _bits(side: Side) -> Bits:
    if side.layers is not None and side.masks is not None:
        return side.layers, side.masks
    n = len(side.shapes)
    return np.ones(n, np.int64), np.full(n, ALL, np.int64)


@kernel
def _meet(i: Rows32, j: Rows32, bits_a: Bits, bits_b: Bits, out_kept: Booleans) -> None:
    (layers_a, masks_a), (layers_b, masks_b) = bits_a, bits_b
    for k in range(out_kept.shape[0]):
        a, b = i[k], j[k]
        out_kept[k] = (masks_a[a] & layers_b[b]) != 0 and (masks_b[b] & layers_a[a]) != 0


def decided(search: Search, a: Shapes, b: Shapes, i: Rows32, j: Rows32) -> Booleans:
    """Tell which candidates are pairs, by the exact verbs."""
    kept = np.empty(i.size, dtype=np.bool_)
    for begin in range(0, i.size, AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        rows = Rows(a._buffer, a._starts[i[part]], b._buffer, b._starts[j[part]])
        if search.distance > 0.0:
            apart = separation_of_rows(rows, search.threads)
            kept[part] = apart <= search.distance if search.touching else apart < search.distance
        else:
            sides = sides_of_rows(rows, search.threads)
            kept[part] = sides <= 0 if search.touching else sides < 0
    return kept
