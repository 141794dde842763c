"""All pairs of boxes that touch or overlap, by the method that suits them.

In: boxes (n, 4), lower x, y, upper x, y, of one set or two. Out: pairs of rows in no promised order, each once, and
the plan: which method and why.

The rule. The sizes are measured; the cost model of `levels` says whether one grid will do ("grid") or how many
("hierarchy"). The search counts its work. If that passes a limit for each box, then the boxes are crowded in a way that
the model does not know (all in one spot, far outliers, long thin boxes), and "sweep" starts afresh: it is slower where
grids are good, but its time is bounded for any boxes. So no set costs more than both. docs/design/all-pairs.md has the
measurements.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from carom._threads import in_parts
from carom._typing import Floats, Rows32
from carom.broad import memory
from carom.broad.grid import file_boxes, search
from carom.broad.levels import Extent, choose_levels, measure, one_level
from carom.broad.sweep import sweep

Method = Literal["auto", "grid", "hierarchy", "sweep"]
METHODS = ("auto", "grid", "hierarchy", "sweep")

WORK_PER_BOX = 128
"""Tests for each box up to which grids go on: giving up then costs no more than half of what the sweep costs."""

ROOM = 16  # pairs for each box that are written at the first attempt of a sweep
PAIR_BYTES = 24  # of memory for each pair while it is found and put into order

IN_BLOCKS = "ask for them a block at a time with block="

GRID_PAIRS = 64
"""Pairs for each box up to which grids go on; the sweep writes so many faster, and can count them first."""

UNBOUNDED = 2**62


class Plan(NamedTuple):
    """How pairs were found."""

    method: str
    """"grid", "hierarchy", "sweep", or "none" where there was nothing to search."""
    why: str
    """The reason, in a sentence."""
    levels: int
    """How many grids; 0 for a sweep."""


class TooManyPairs(MemoryError):
    """The pairs of bounds would not fit into memory."""

    def __init__(self, text: str, plan: Plan) -> None:
        super().__init__(text)
        self.plan = plan


class Candidates(NamedTuple):
    """Pairs of rows whose boxes touch or overlap, in no promised order; of one set, either way round."""

    first: Rows32
    second: Rows32
    plan: Plan


class Boxes(NamedTuple):
    """Boxes, and what was measured of them."""

    bounds: Floats
    """(n, 4), C-contiguous"""
    extent: Extent


def measured(bounds: Floats) -> Boxes:
    """Return boxes that are known to be good with their measures."""
    return Boxes(bounds, measure(bounds, np.inf)[1])


def all_pairs(
    where: str,
    boxes: Boxes,
    others: Boxes | None = None,
    *,
    method: Method = "auto",
    threads: int = 1,
    most: int | None = None,
) -> Candidates | None:
    """Return the pairs of boxes that touch or overlap.

    Parameters
    ----------
    where : str
        The caller, for the text of errors.
    boxes, others : Boxes
        Finite, lower <= upper. With `others`, pairs are of a row of `boxes` and a row of `others`; else of two rows of
        `boxes`.
    method : "auto", "grid", "hierarchy" or "sweep"
    threads : int
    most : int, optional
        Return None if there are more pairs than this, instead of all or an error.

    Raises
    ------
    TooManyPairs
        If the pairs would not fit into memory, with their exact number; nothing has then been allocated for them.
    """
    filed, asking = (boxes, None) if others is None else (others, boxes)
    n, m = len(boxes.bounds), len(filed.bounds)
    if n == 0 or m == 0 or (others is None and n == 1):
        nothing = np.empty(0, np.int32)
        return Candidates(nothing, nothing, Plan("none", "there is no pair", 0))
    why = "asked for"
    if method != "sweep":
        askers = None if asking is None else asking.extent
        if method == "grid":
            levels = one_level(filed.extent, askers)
        else:
            levels = choose_levels(filed.bounds, filed.extent, askers)
        work = WORK_PER_BOX * (n if asking is None else n + m) if method == "auto" else UNBOUNDED
        found = _by_grids(filed, asking, levels, work, threads, most)
        if found is not None:
            why = why if method == "grid" else _reason(len(levels))
            return Candidates(*found, Plan("hierarchy" if len(levels) > 1 else "grid", why, len(levels)))
        if method != "auto":
            # Too many for the room: the sweep says exactly how many.
            why = f"{method} found more pairs than there is room for"
        else:
            why = f"grids took more than {WORK_PER_BOX} tests or {GRID_PAIRS} pairs a box: the boxes are crowded"
    plan = Plan("sweep", why, 0)
    pairs = _by_sweep(where, boxes, others, most, plan)
    return None if pairs is None else Candidates(*pairs, plan)


def _reason(levels: int) -> str:
    if levels == 1:
        return "the sizes are so much alike, or so small beside the gaps, that one grid costs least"
    return f"the sizes differ so much that {levels} grids cost least"


def _by_grids(
    boxes: Boxes, asking: Boxes | None, levels: Floats, work: int, threads: int, most: int | None
) -> tuple[Rows32, Rows32] | None:
    """Return the pairs of `boxes`, or of `asking` with them, or None if they take more work or room than there is."""
    filed = file_boxes(boxes.bounds, levels)
    if asking is None:
        askers, rows, ends = filed.boxes, filed.rows, filed.level_ends
    else:
        # In the order of cells, too: what is asked one after the other then lies near in memory.
        points = boxes.extent._replace(boxes=len(asking.bounds), width=0.0, height=0.0)
        askers, rows, _, _ = file_boxes(asking.bounds, one_level(points))
        ends = np.empty(0, np.int64)
    room = UNBOUNDED if most is None else most
    dense = UNBOUNDED if work == UNBOUNDED else GRID_PAIRS * (len(askers) + len(filed.boxes))
    parts: dict[int, tuple[Rows32, Rows32] | None] = {}

    def part(begin: int, end: int) -> None:
        firsts, seconds = [], []
        at, left, count, length = begin, work, 0, max(4096, 4 * (end - begin))
        while at < end:
            expected = count * (end - begin) // max(1, at - begin)
            if count > room or expected > dense or not memory.fits(PAIR_BYTES * (count + length)):
                parts[begin] = None
                return
            first, second = np.empty(length, np.int32), np.empty(length, np.int32)
            found, after, left = search(
                askers, rows, ends, filed.boxes, filed.rows, filed.starts, levels, at, end, left, first, second
            )
            if left < 0:
                parts[begin] = None
                return
            firsts.append(first[:found])
            seconds.append(second[:found])
            # One asker alone may have more partners than there was room for.
            length = 2 * length
            count, at = count + found, after
        parts[begin] = _joined(firsts), _joined(seconds)

    in_parts(threads, len(askers), part)
    found = [parts[begin] for begin in sorted(parts)]
    whole = [pairs for pairs in found if pairs is not None]
    if len(whole) < len(found) or sum(pairs[0].size for pairs in whole) > room:
        return None
    return _joined([pairs[0] for pairs in whole]), _joined([pairs[1] for pairs in whole])


def _joined(runs: list[Rows32]) -> Rows32:
    return runs[0] if len(runs) == 1 else np.concatenate(runs)


def _by_sweep(
    where: str, boxes: Boxes, others: Boxes | None, most: int | None, plan: Plan
) -> tuple[Rows32, Rows32] | None:
    n = len(boxes.bounds)
    together = boxes.bounds if others is None else np.concatenate((boxes.bounds, others.bounds))
    split = 0 if others is None else n
    fitting = memory.free() // PAIR_BYTES
    room = min(fitting, ROOM * len(together) + 4096)
    if most is not None:
        room = min(room, most)
    found, first, second = sweep(together, split, room)
    if found > room:
        if most is not None and found > most:
            return None
        if found > fitting:
            remedy = IN_BLOCKS if most is None else "ask for smaller ones with block="
            text = memory.refusal(where, found, "pairs of bounding boxes overlap", PAIR_BYTES, remedy)
            raise TooManyPairs(text, plan)
        _, first, second = sweep(together, split, found)
    if split:
        swapped = first >= split
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        second -= split
    return first, second
