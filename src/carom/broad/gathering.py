"""Pairs gathered run by run from a search that says how far it came, within limits of memory and work.

In: a search of grids or strips, ready to write pairs from some place on. Out: all its pairs, or None where they are
more than is wanted or fits, or take more work: then another method is to be tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Rows32
from carom.broad import grid, memory, strips
from carom.broad.levels import Extent, one_level

PAIR_BYTES = 24  # of memory for each pair while it is found and put into order

Pairs = tuple[Rows32, Rows32]
Ask = Callable[[int, int, int, Rows32, Rows32], tuple[int, int, int]]
"""Asked with the first place and the end, the permitted work, and two columns to write: the pairs written, the place it
came to, and the work that is left, less than 0 where it ran out."""


class Limits(NamedTuple):
    """How much a search may find and do."""

    pairs: int
    """More than these are not wanted."""
    dense: int
    """Where it looks as if there will be more than these, another method writes them faster."""
    work: int
    """Tests, and what costs as much."""


def gathered(ask: Ask, begin: int, end: int, limits: Limits) -> tuple[list[Rows32], list[Rows32], int] | None:
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
    filed: grid.Filed, levels: Floats, extent: Extent, asking: Floats | None, limits: Limits, threads: int
) -> Pairs | None:
    """Return the pairs of filed boxes, or of others that ask with them."""
    if asking is None:
        askers, rows, ends = filed.boxes, filed.rows, filed.level_ends
    else:
        # In the order of cells, too: what is asked one after the other then lies near in memory.
        points = extent._replace(boxes=len(asking), width=0.0, height=0.0)
        sorted_askers = grid.file_boxes(asking, one_level(points))
        askers, rows, ends = sorted_askers.boxes, sorted_askers.rows, np.empty(0, np.int64)
    parts: dict[int, tuple[list[Rows32], list[Rows32], int] | None] = {}

    def ask(begin: int, end: int, work: int, first: Rows32, second: Rows32) -> tuple[int, int, int]:
        return grid.search(
            askers, rows, ends, filed.boxes, filed.rows, filed.starts, levels, begin, end, work, first, second
        )

    def part(begin: int, end: int) -> None:
        parts[begin] = gathered(ask, begin, end, limits)

    in_parts(threads, len(askers), part)
    firsts, seconds = [], []
    for begin in sorted(parts):
        found = parts[begin]
        if found is None:
            return None
        firsts += found[0]
        seconds += found[1]
    first, second = _joined(firsts), _joined(seconds)
    return None if first.size > limits.pairs else (first, second)


def by_strips(boxes: strips.Filed, others: strips.Filed | None, limits: Limits) -> Pairs | None:
    """Return the pairs of filed boxes, or of them with others: of two levels the finer one asks the coarser one."""
    theirs = boxes if others is None else others
    firsts, seconds = [], []
    left, count = limits, 0
    for own, size in enumerate(boxes.sizes):
        for level, other_size in enumerate(theirs.sizes):
            if others is None and level < own:
                continue
            asking, asked, a, b = (boxes, theirs, own, level) if size <= other_size else (theirs, boxes, level, own)
            begin, end = asking.first_strips[a : a + 2]
            first, last = asked.first_strips[b : b + 2]

            def ask(
                begin: int,
                end: int,
                work: int,
                one: Rows32,
                other: Rows32,
                asking: strips.Filed = asking,
                asked: strips.Filed = asked,
                level: int = b,
                strips_of_level: tuple[int, int] = (first, last),
                same: bool = others is None and level == own,
            ) -> tuple[int, int, int]:
                return strips.search(
                    asking.boxes,
                    asking.rows,
                    asking.starts,
                    begin,
                    end,
                    asked.keys,
                    asked.boxes,
                    asked.rows,
                    asked.starts,
                    *strips_of_level,
                    asked.table,
                    level,
                    same,
                    work,
                    one,
                    other,
                )

            found = gathered(ask, begin, end, left)
            if found is None:
                return None
            count += sum(run.size for run in found[0])
            left = Limits(limits.pairs - count, limits.dense - count, found[2])
            if left.pairs < 0 or left.dense < 0:
                return None
            firsts += found[0] if asking is boxes else found[1]
            seconds += found[1] if asking is boxes else found[0]
    return _joined(firsts), _joined(seconds)
