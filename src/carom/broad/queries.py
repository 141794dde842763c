"""What is asked of the shapes of a tree, and how the answers are gathered: some queries at a time, within memory.

In: a kernel that answers some queries, as many as it has room for. Out: what is decided about the candidates it finds,
in the order of the queries; a MemoryError before the answers would no longer fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Floats, Integers
from carom.broad import memory
from carom.broad.tree import Tree
from carom.narrow.dispatch import Rows
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y

Answer = TypeVar("Answer")

ROOM = 1 << 16
"""Candidates looked at together: enough that a call costs nothing, few enough to stay in the processor's cache."""

HIT_BYTES = 240
"""What a hit that is found takes at most: its columns, their parts, and what putting them in order takes."""


class Queries(NamedTuple):
    """What is asked: records, and for each query which layers it sees and which rows it passes by."""

    records: Floats
    starts: Integers
    masks: Integers
    """(n,)"""
    ignore: Integers
    """(n, k) row numbers, -1 for none."""

    def pairs(self, tree: Tree, queries: Integers, slots: Integers) -> Rows:
        """Return the records of pairs of query and slot."""
        return Rows(self.records, self.starts[queries], tree.records, tree.starts[slots])

    def some(self, queries: Integers) -> Queries:
        """Return some of the queries."""
        return Queries(self.records, self.starts[queries], self.masks[queries], self.ignore[queries])


class Found(NamedTuple):
    """Pairs of query and slot, in ascending order of query."""

    queries: Integers
    slots: Integers


def queries_of_points(points: Floats, masks: Integers, ignore: Integers) -> Queries:
    """Return points (n, 2) as queries."""
    records = np.zeros((len(points), POINTS + STRIDE))
    records[:, COUNT] = 1.0
    records[:, X : Y + 1] = points
    return Queries(records.reshape(-1), records.shape[1] * np.arange(len(points)), masks, ignore)


def offsets_of(queries: Integers, count: int) -> Integers:
    """Return where the answers of each of `count` queries begin, and where the last one's end."""
    return np.append(0, np.cumsum(np.bincount(queries, minlength=count)))


class Answers:
    """What is found for queries in turn, as long as all of it fits into memory."""

    def __init__(self, where: str, size: int, queries: int) -> None:
        """Begin with none; an answer takes so many bytes."""
        self._where, self._size, self._queries = where, size, queries
        self._parts: dict[int, Any] = {}
        self._count = 0

    def keep(self, begin: int, end: int, count: int, part: Any) -> None:
        """Keep what was found for the queries from `begin` to `end`."""
        self._count += count
        self._parts[begin] = part
        self.check(0, end)

    def check(self, more: int, reached: int) -> None:
        """Refuse to go on where what is kept, and so many more, would not fit."""
        need = self._size * (self._count + more)
        if not memory.fits(need):
            raise MemoryError(
                f"{self._where}: up to query {reached:,} of {self._queries:,} there are at least {self._count + more:,}"
                f" answers, which would take {need / 2**30:,.1f} GiB of memory, and {memory.free() / 2**30:,.1f} GiB"
                " are free; ask fewer queries at a time"
            )

    def in_order(self) -> list[Any]:
        """Return the parts in the order of the queries."""
        return [self._parts[begin] for begin in sorted(self._parts)]


def in_turn(
    where: str,
    tree: Tree,
    asked: Queries,
    ask: Callable[..., tuple[int, int]],
    decide: Callable[[Found], Answer],
    threads: int,
) -> list[Answer]:
    """Return what is decided about the candidates, in the order of the queries, a bounded number at a time."""
    answer = Answers(where, HIT_BYTES, asked.starts.size)

    def work(begin: int, end: int) -> None:
        room = min(ROOM, 256 + 16 * (end - begin))
        while True:
            found = Found(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64))
            came_to, count = ask(begin, end, *found)
            if came_to == begin < end:
                answer.check(room, begin + 1)
                room *= 4
                continue
            found = Found(found.queries[:count], found.slots[:count])
            if asked.ignore.shape[1]:
                kept = (asked.ignore[found.queries] != tree.rows[found.slots][:, None]).all(axis=1)
                found = Found(found.queries[kept], found.slots[kept])
            decided = decide(found)
            answer.keep(begin, came_to, _count_of(decided), decided)
            begin = came_to
            if begin >= end:
                return

    in_parts(threads, asked.starts.size, work)
    return answer.in_order()


def _count_of(decided: Any) -> int:
    """Return how many pairs were found: `Found`, or `Found` and their hits."""
    found = decided if isinstance(decided, Found) else decided[0]
    return int(found.queries.size)
