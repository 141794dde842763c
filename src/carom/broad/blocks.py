"""Pairs in the promised order, by the first row, then by the second: all at once, or a block at a time.

In: one set or two, and the search that finds the pairs of parts of them in any order. Out: (m, 2) int32, or blocks of
it that together are the same. Pairs are ordered by two counting sorts, by the second row and then by the first: linear
in rows and pairs. (Tried: one, and insertion among the partners of each row; slower from 10,000 rows on.) Memory for
blocks is bounded by rows and block, however many pairs there are: how many rows are searched at a time follows from how
many pairs the last ones had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Rows32
from carom.broad.all_pairs import Candidates


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


class Part(Protocol):
    """Rows of a set, of which parts can be searched."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        ...

    def part(self, begin: int, end: int) -> Self:
        """Return the rows from `begin` up to `end`."""
        ...


Rows = TypeVar("Rows", bound=Part)
Find = Callable[[Rows, Rows | None, int | None], Candidates | None]
"""Given a set, another or None, and a number: the pairs, in any order, or None if they may be more than that number."""


def ordered(find: Find[Rows], a: Rows, b: Rows | None, size: int | None) -> Rows32 | Iterator[Rows32]:
    """Return the pairs of a set, or of two, in order: all of them, or blocks of a size."""
    if size is not None:
        return in_blocks(find, a, b, size)
    found = find(a, b, None)
    assert found is not None
    return in_order(found.first, found.second, a.rows, None if b is None else b.rows)


def in_blocks(find: Find[Rows], a: Rows, b: Rows | None, size: int) -> Iterator[Rows32]:
    """Yield the pairs in order, `size` at a time, by searching for the partners of some rows after the others."""
    rows = a.rows
    # One row alone overlaps no more than all others, so there is always room for the partners of one.
    most = max(2 * size, 4 * (rows if b is None else b.rows), 2**16)
    left = np.empty((0, 2), np.int32)
    begin, step = 0, rows
    while begin < rows:
        end = min(rows, begin + step)
        whole = begin == 0 and end == rows
        some_rows = a if whole else a.part(begin, end)
        among = b is None and not whole
        found = find(some_rows, a.part(begin, rows) if among else b, most)
        if found is None:
            step = max(1, (end - begin) // 2)
            continue
        if among:
            forward = found.second > found.first
            first, second = found.first[forward], found.second[forward]
            some = in_order(first, second, end - begin, rows - begin) + np.int32(begin)
        else:
            some = in_order(found.first, found.second, end - begin, None if b is None else b.rows)
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
