"""All pairs a block at a time: memory bounded by rows and block, however many pairs there are.

In: sets, and the way to find the pairs of parts of them. Out: blocks of pairs, together the same as all pairs at once.
How many rows are asked at a time follows from how many pairs the last ones had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from carom._core.types import Rows32
from carom.broad.all_pairs import Candidates
from carom.broad.order import in_order


def in_blocks(
    find: Callable[[Any, Any, int], Candidates | None],
    part: Callable[[Any, int, int], Any],
    a: Any,
    b: Any,
    rows: int,
    others: int | None,
    size: int,
) -> Iterator[Rows32]:
    """Yield the pairs in order, `size` at a time, by searching for the partners of some rows after the others.

    Parameters
    ----------
    find : function of a set, another or None, and a number
        Return the pairs in any order, or None if they may be more than that number.
    part : function of a set and the first and the last row, that not included
        Return these rows as a set.
    a, b : sets
        `b` is None where pairs are of one set.
    rows, others : int
        How many rows they have; None for `others` where pairs are of one set.
    size : int
    """
    # One row alone overlaps no more than all others, so there is always room for the partners of one.
    most = max(2 * size, 4 * (rows if others is None else others), 2**16)
    left = np.empty((0, 2), np.int32)
    begin, step = 0, rows
    while begin < rows:
        end = min(rows, begin + step)
        whole = begin == 0 and end == rows
        if others is None and not whole:
            found = find(part(a, begin, end), part(a, begin, rows), most)
        else:
            found = find(a if whole else part(a, begin, end), b, most)
        if found is None:
            step = max(1, (end - begin) // 2)
            continue
        if others is None and not whole:
            forward = found.second > found.first
            first, second = found.first[forward], found.second[forward]
            some = in_order(first, second, end - begin, rows - begin) + np.int32(begin)
        else:
            some = in_order(found.first, found.second, end - begin, others)
            some[:, 0] += begin
        begin = end
        step = 2 * step if some.shape[0] * 4 < most else step
        left = np.concatenate((left, some)) if left.size else some
        whole_blocks = left.shape[0] // size * size
        for at in range(0, whole_blocks, size):
            yield left[at : at + size].copy()
        left = left[whole_blocks:]
    if left.shape[0]:
        yield left.copy()
