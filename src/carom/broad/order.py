"""Pairs of row numbers into the promised order: by the first row, then by the second.

In: pairs in any order, each once. Out: (m, 2) int32. Two counting sorts, by the second row and then by the first:
linear in rows and pairs. (Tried: one, and insertion among the partners of each row; slower from 10,000 rows on.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Rows32


@inner
def begin_runs(counts: Rows32) -> None:
    """Turn counts, one place further on, into the places where the runs begin, one place further on as well."""
    begin = 0
    for row in range(1, counts.shape[0]):
        count = counts[row]
        counts[row] = begin
        begin += count


@kernel
def _place(
    first: Rows32, second: Rows32, mirrored: bool, starts: Rows32, other_starts: Rows32, between: Rows32, out: Rows32
) -> None:
    """Write the pairs in order: sorted by the second row, then by the first, equal ones in the order they had."""
    for k in range(first.shape[0]):
        a, b = first[k], second[k]
        if mirrored:
            a, b = min(a, b), max(a, b)
            first[k], second[k] = a, b
        starts[a + 1] += 1
        other_starts[b + 1] += 1
    begin_runs(starts)
    begin_runs(other_starts)
    for k in range(first.shape[0]):
        b = second[k]
        place = other_starts[b + 1]
        other_starts[b + 1] = place + 1
        between[place, 0] = first[k]
        between[place, 1] = b
    for k in range(first.shape[0]):
        a = between[k, 0]
        place = starts[a + 1]
        starts[a + 1] = place + 1
        out[place, 0] = a
        out[place, 1] = between[k, 1]


def in_order(first: Rows32, second: Rows32, rows: int, others: int | None = None) -> Rows32:
    """Return pairs in order, (m, 2); `rows` and `others` are the numbers of rows of the two sets.

    Without `others` both rows are of one set, either way round; the smaller is put first. `first` and `second` serve
    as scratch.
    """
    kind: type[Any] = np.int32 if first.size < 2**31 - 1 else np.int64
    starts = np.zeros(rows + 1, dtype=kind)
    other_starts = np.zeros((rows if others is None else others) + 1, dtype=kind)
    between, out = np.empty((first.size, 2), np.int32), np.empty((first.size, 2), np.int32)
    _place(first, second, others is None, starts, other_starts, between, out)
    return out
