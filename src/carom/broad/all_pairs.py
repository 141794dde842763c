"""All pairs of boxes that touch or overlap, by the method that suits them.

In: boxes (n, 4), lower x, y, upper x, y, of one set or two. Out: pairs of rows in no promised order, each once, and
the plan: which method and why; or None where they are more than was asked for.

The rule. The sizes are measured; the cost model of `grid_levels` says whether one grid will do ("grid") or how many
("hierarchy"). If the boxes then crowd in few of the cells, "strips" takes them in place of the grids. Both write pairs
run by run, within limits of memory and work. If a sample tells that grids would test too much for each box, or the
work passes a limit, "sweep" takes their place: it is slower where the others are good, but its time is bounded for any
boxes. So no set costs more than both.
docs/design/all-pairs.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from carom._core.names import names_near
from carom._core.threads import in_parts
from carom._core.types import Floats, Rows32
from carom.broad import memory
from carom.broad.grid import CellBoxes, file_in_cells, sampled_work, search_cells
from carom.broad.grid_levels import Extent, choose_levels, measure, one_level
from carom.broad.strips import StripBoxes, file_in_strips, search_strips
from carom.broad.sweep import sweep
from carom.tolerances import LARGEST

PAIR_BYTES = 24  # of memory for each pair while it is found and put into order

Pairs = tuple[Rows32, Rows32]
Ask = Callable[[int, int, int, Rows32, Rows32], tuple[int, int, int]]
"""Asked with the first place and the end, the permitted work, and two columns to write: the pairs written, the place it
came to, and the work that is left, less than 0 where it ran out."""


Method = Literal["auto", "grid", "hierarchy", "strips", "sweep"]
METHODS = ("auto", "grid", "hierarchy", "strips", "sweep")

CROWDED = 50.0
"""Where a box shares its cell with so many times as many as if all were spread evenly, strips are quicker."""

WORK_PER_BOX = 192
"""Tests for each box from which on the sweep is quicker than grids: a sample of the boxes tells beforehand."""

MOST_WORK = 256
"""Tests for each box at which grids and strips give up, where the sample said nothing of them."""

ROOM = 16  # pairs for each box that are written at the first attempt of a sweep
IN_BLOCKS = "ask for them a block at a time with block="

GRID_PAIRS = 64
"""Pairs for each box up to which grids go on; the sweep writes so many faster, and can count them first."""

UNBOUNDED = 2**62


@names_near
class Plan(NamedTuple):
    """How pairs were found."""

    method: str
    """"grid", "hierarchy", "strips", "sweep", or "none" where there was nothing to search."""
    why: str
    """The reason, in a sentence."""
    levels: int
    """How many grids, or levels of strips; 0 for a sweep."""


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
    """Boxes and their measures."""

    bounds: Floats
    """(n, 4), C-contiguous"""
    extent: Extent

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.bounds)

    def part(self, begin: int, end: int) -> Boxes:
        """Return the boxes from `begin` up to `end`."""
        return measured(self.bounds[begin:end])


def measured(bounds: Floats) -> Boxes:
    """Return boxes that are known to be good with their measures."""
    return Boxes(bounds, measure(bounds, np.inf)[1])


class Limits(NamedTuple):
    """How much a search may find and do."""

    pairs: int
    """More than these are not wanted."""
    dense: int
    """Where it looks as if there will be more than these, another method writes them faster."""
    work: int
    """Tests, and steps that cost as much."""


def collect_runs(ask: Ask, begin: int, end: int, limits: Limits) -> tuple[list[Rows32], list[Rows32], int] | None:
    """Return the pairs from one place to another, in runs, and the work that is left; None beyond limits."""
    firsts, seconds = [], []
    at, left, count, length = begin, limits.work, 0, max(4096, 4 * (end - begin))
    while at < end:
        expected = count * (end - begin) // max(1, at - begin)
        if count > limits.pairs or expected > limits.dense or not memory.fits(PAIR_BYTES * (count + length)):
            return None
        first, second = np.empty(length, np.int32), np.empty(length, np.int32)
        found, after, left = ask(at, end, left, first, second)
        if left < 0:
            return None
        firsts.append(first[:found])
        seconds.append(second[:found])
        # One asker alone may have more partners than there was room for.
        length = 2 * length
        count, at = count + found, after
    return firsts, seconds, left


def _joined(runs: list[Rows32]) -> Rows32:
    return runs[0] if len(runs) == 1 else np.concatenate([np.empty(0, np.int32), *runs])


def by_grids(
    boxes: CellBoxes, levels: Floats, extent: Extent, asking: Floats | None, limits: Limits, threads: int
) -> Pairs | None:
    """Return the pairs of boxes in cells, or of others that ask with them."""
    askers = boxes
    if asking is not None:
        # In the order of cells, too: boxes asked about one after the other then lie near in memory.
        points = extent._replace(boxes=len(asking), width=0.0, height=0.0)
        askers = file_in_cells(asking, one_level(points))._replace(level_ends=np.empty(0, np.int64))
    if limits.work < UNBOUNDED and sampled_work(askers, boxes, levels) > WORK_PER_BOX:
        return None
    parts: dict[int, tuple[list[Rows32], list[Rows32], int] | None] = {}

    def part(begin: int, end: int) -> None:
        parts[begin] = collect_runs(partial(search_cells, askers, boxes, levels), begin, end, limits)

    in_parts(threads, len(askers.boxes), part)
    firsts, seconds = [], []
    for begin in sorted(parts):
        found = parts[begin]
        if found is None:
            return None
        firsts += found[0]
        seconds += found[1]
    first, second = _joined(firsts), _joined(seconds)
    return None if first.size > limits.pairs else (first, second)


def by_strips(boxes: StripBoxes, others: StripBoxes | None, limits: Limits) -> Pairs | None:
    """Return the pairs of filed boxes, or of them with others: of two levels the finer one asks the coarser one."""
    theirs = boxes if others is None else others
    firsts, seconds = [], []
    left, count = limits, 0
    for own, size in enumerate(boxes.sizes):
        for level, other_size in enumerate(theirs.sizes):
            if others is None and level < own:
                continue
            asking, asked, a, b = (boxes, theirs, own, level) if size <= other_size else (theirs, boxes, level, own)
            begin, end = asking.first_strips[a : a + 2].tolist()
            same = others is None and level == own
            found = collect_runs(partial(search_strips, asking, asked, b, same), begin, end, left)
            if found is None:
                return None
            count += sum(run.size for run in found[0])
            left = Limits(limits.pairs - count, limits.dense - count, found[2])
            if left.pairs < 0 or left.dense < 0:
                return None
            firsts += found[0] if asking is boxes else found[1]
            seconds += found[1] if asking is boxes else found[0]
    return _joined(firsts), _joined(seconds)


def all_pairs(
    where: str,
    boxes: Boxes,
    others: Boxes | None = None,
    most: int | None = None,
    *,
    method: Method = "auto",
    threads: int = 1,
) -> Candidates | None:
    """Return the pairs of boxes that touch or overlap.

    Parameters
    ----------
    where : str
        The caller, for the text of errors.
    boxes, others : Boxes
        Finite, lower <= upper. With `others`, pairs are of a row of `boxes` and a row of `others`; else of two rows of
        `boxes`.
    most : int, optional
        Return None if there are more pairs than this, instead of all or an error.
    method : "auto", "grid", "hierarchy", "strips" or "sweep"
    threads : int

    Raises
    ------
    TooManyPairs
        If the pairs would not fit into memory, with their exact number; nothing has then been allocated for them.
    """
    filed, asking = (boxes, None) if others is None else (others, boxes)
    n, m = boxes.rows, filed.rows
    if n == 0 or m == 0 or (others is None and n == 1):
        nothing = np.empty(0, np.int32)
        return Candidates(nothing, nothing, Plan("none", "there is no pair", 0))
    why, crowding = "asked for", 0.0
    if max(boxes.extent.magnitude, filed.extent.magnitude) > LARGEST:
        method, why = "sweep", "coordinates are so large that only comparisons can be trusted"
    auto = method == "auto"
    limits = Limits(UNBOUNDED if most is None else most, UNBOUNDED, UNBOUNDED)
    if auto:
        limits = limits._replace(dense=GRID_PAIRS * (n + m), work=MOST_WORK * (n if asking is None else n + m))
    if method in ("auto", "grid", "hierarchy"):
        askers = None if asking is None else asking.extent
        if method == "grid":
            levels = one_level(filed.extent, askers)
        else:
            levels = choose_levels(filed.bounds, filed.extent, askers)
        cells = file_in_cells(filed.bounds, levels)
        crowding = cells.crowding if auto else 0.0
        if crowding <= CROWDED:
            found = by_grids(cells, levels, filed.extent, None if asking is None else asking.bounds, limits, threads)
            if found is not None:
                why = why if method == "grid" else _reason(len(levels))
                return Candidates(*found, Plan("hierarchy" if len(levels) > 1 else "grid", why, len(levels)))
    if method == "strips" or crowding > CROWDED:
        strips = file_in_strips(boxes.bounds, boxes.extent)
        theirs = None if others is None else file_in_strips(others.bounds, others.extent)
        found = by_strips(strips, theirs, limits)
        if found is not None:
            if auto:
                why = f"a box shares its cell with {crowding:.3g} times as many as if all were spread evenly"
            return Candidates(*found, Plan("strips", why, len(strips.sizes)))
    if auto:
        what = "strips" if crowding > CROWDED else "grids"
        why = f"{what} would take more than {WORK_PER_BOX} tests or {GRID_PAIRS} pairs a box: they are crowded"
    elif method != "sweep":
        # Too many for the room: the sweep says exactly how many.
        why = f"{method} found more pairs than there is room for"
    plan = Plan("sweep", why, 0)
    pairs = _by_sweep(where, boxes, others, most, plan)
    return None if pairs is None else Candidates(*pairs, plan)


def _reason(levels: int) -> str:
    if levels == 1:
        return "the sizes are so much alike, or so small beside the gaps, that one grid costs least"
    return f"the sizes differ so much that {levels} grids cost least"


def _by_sweep(where: str, boxes: Boxes, others: Boxes | None, most: int | None, plan: Plan) -> Pairs | None:
    together = boxes.bounds if others is None else np.concatenate((boxes.bounds, others.bounds))
    split = 0 if others is None else boxes.rows
    fitting = memory.free_memory() // PAIR_BYTES
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
