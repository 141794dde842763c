"""The answers of an `Index`, and how they are gathered within memory.

In: the columns of searches, each of which answers some queries in a row, as many as it has room for. Out: the columns
of all answers, in the order of the queries, or a MemoryError before they would no longer fit; and the named tuples that
the user gets, one layout everywhere: where there is no answer, a row is -1 and a fraction or distance infinite; where a
query has many answers, offsets say which are its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.names import names_near
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.broad import memory
from carom.narrow.cast import Hit, HitColumns, RayHit, RayHitColumns
from carom.shapes.basic import ConvexShape
from carom.vector import Vec, new

ROOM = 1 << 16
"""Candidates looked at together: enough that a call costs nothing, few enough to stay in the processor's cache."""

HIT_BYTES = 240
"""Of memory that a hit takes at most: its columns, their parts, and scratch for putting them in order."""


@names_near
class RowLists(NamedTuple):
    """A list of rows for each query: those of query k are ``rows[offsets[k] : offsets[k + 1]]``."""

    offsets: Integers
    """(n + 1,)"""
    rows: Integers
    """(offsets[n],) ascending for each query."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are query and row.
        """
        return flat(self._asdict())


@names_near
class Neighbors(NamedTuple):
    """The nearest rows of each query, nearest first, of equally near ones the lower row number first."""

    rows: Integers
    """(n, k); -1 where there are fewer than k."""
    distances: Floats
    """(n, k); infinite where there are fewer than k."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the neighbours there are as a dict of arrays (m,) for a data frame.

        These are query, row, distance.
        """
        rows, distances = np.atleast_2d(self.rows), np.atleast_2d(self.distances)
        query, _ = found = np.nonzero(rows >= 0)
        return {"query": query, "row": rows[found], "distance": distances[found]}


@names_near
class RayHitLists(NamedTuple):
    """All hits of each ray, in ascending order of (fraction, row): those of ray k are offsets[k] to offsets[k + 1]."""

    offsets: Integers
    """(n + 1,)"""
    row: Integers
    """(m,) the row that was hit."""
    fraction: Floats
    """(m,)"""
    distance: Floats
    """(m,)"""
    point: Floats
    """(m, 2)"""
    normal: Floats
    """(m, 2)"""
    overlapping: Booleans
    """(m,)"""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are query, row, fraction, distance, x, y, nx, ny, overlapping.
        """
        return flat(self._asdict())


@names_near
class CastColumns(NamedTuple):
    """The first hit of each moving shape; where there is none, the fraction is infinite, the row -1, the rest 0."""

    hit: Booleans
    """(n,)"""
    fraction: Floats
    """(n,)"""
    point: Floats
    """(n, 2)"""
    normal: Floats
    """(n, 2)"""
    row: Integers
    """(n,) the row that was hit."""
    overlapping: Booleans
    """(n,)"""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (n,) for a data frame.

        These are hit, fraction, x, y, nx, ny, row, overlapping.
        """
        return flat(self._asdict())


class RowRayHit(RayHit):
    """Where a ray meets the first shape of an index: a `RayHit` that knows the row."""

    row: int
    """The row that was hit."""


class RowHit(Hit):
    """Where and when a moving shape hits the first of an index: a `Hit` that knows the row."""

    row: int
    """The row that was hit."""


RayNumbers = tuple[int, float, float, float, float, float, float, bool]
"""Row, fraction, distance, point, normal, and whether the ray starts inside."""


def first_of(columns: RayHitColumns) -> RayNumbers:
    """Return the hit of the first ray as numbers."""
    row, fraction, distance, overlapping = (
        column.item(0) for column in (columns.row, columns.fraction, columns.distance, columns.overlapping)
    )
    return row, fraction, distance, *columns.point[0].tolist(), *columns.normal[0].tolist(), overlapping


def ray_hit(shape: ConvexShape, found: RayNumbers) -> RowRayHit:
    """Return the hit of a ray as a value."""
    row, fraction, distance, x, y, nx, ny, overlapping = found
    hit = new(RowRayHit, (fraction, distance, new(Vec, (x, y)), new(Vec, (nx, ny)), shape, overlapping))
    hit.row = row
    return hit


def row_hit(found: RayNumbers) -> RowHit:
    """Return the hit of a moving shape as a value."""
    row, fraction, _, x, y, nx, ny, overlapping = found
    hit = new(RowHit, (fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), overlapping))
    hit.row = row
    return hit


def cast_numbers(found: HitColumns, row: int) -> RayNumbers:
    """Return the hit of the first moving shape, which hit a row, as numbers."""
    fraction, overlapping = found.fraction.item(0), bool(found.overlapping[0])
    return row, fraction, 0.0, *found.point[0].tolist(), *found.normal[0].tolist(), overlapping


class Found(NamedTuple):
    """Pairs of query and slot, in ascending order of query."""

    queries: Integers
    slots: Integers


def offsets_of(queries: Integers, count: int) -> Integers:
    """Return where the answers of each of `count` queries begin, and where the last one's end."""
    return offsets_from(np.bincount(queries, minlength=count))


def offsets_from(counts: Integers) -> Integers:
    """Return where the answers of each query begin, and where the last one's end, from how many each has."""
    offsets = np.zeros(counts.size + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


class Answers:
    """The answers to queries in turn, as long as all of them fit into memory."""

    def __init__(self, where: str, size: int, queries: int) -> None:
        """Begin with none; an answer takes so many bytes."""
        self._where, self._size, self._queries = where, size, queries
        self._parts: dict[int, Any] = {}
        self._count = 0

    def keep(self, begin: int, end: int, columns: Any) -> None:
        """Keep the answers to the queries from `begin` to `end`."""
        self._count += len(columns[0])
        self._parts[begin] = columns
        self.check(0, end)

    def check(self, more: int, reached: int) -> None:
        """Refuse to go on where all that is kept, and so many more, would not fit."""
        need = self._size * (self._count + more)
        if not memory.fits(need):
            raise MemoryError(
                f"{self._where}: up to query {reached:,} of {self._queries:,} there are at least {self._count + more:,}"
                f" answers, which would take {need / 2**30:,.1f} GiB of memory, and "
                f"{memory.free_memory() / 2**30:,.1f} GiB are free; ask fewer queries at a time"
            )

    def joined(self) -> Any:
        """Return the columns of all parts, in the order of the queries."""
        parts = [self._parts[begin] for begin in sorted(self._parts)]
        return parts[0] if len(parts) == 1 else [np.concatenate(column) for column in zip(*parts, strict=True)]


def in_turn(
    answers: Answers,
    count: int,
    room_for: Callable[[int], int],
    width: int,
    ask: Callable[..., tuple[int, int]],
    decide: Callable[..., Any],
    threads: int,
) -> Any:
    """Return the columns of the answers to `count` queries, worked on a bounded number at a time.

    Parameters
    ----------
    room_for : function of a number of queries
        How many candidates there is room for at first.
    width : int
        How many columns candidates have.
    ask : function of the first query, the end, and these columns
        Write candidates; return the query it came to, since the next one's do not fit, and how many it wrote.
    decide : function of these columns, as far as they are written
        Return the columns of the answers.
    """

    def work(begin: int, end: int) -> None:
        room = room_for(end - begin)
        while True:
            columns = [np.empty(room, dtype=np.int64) for _ in range(width)]
            came_to, written = ask(begin, end, *columns)
            if came_to == begin < end:
                answers.check(room, begin + 1)
                room *= 4
                continue
            answers.keep(begin, came_to, decide(*(column[:written] for column in columns)))
            begin = came_to
            if begin >= end:
                return

    in_parts(threads, count, work)
    return answers.joined()


def room_for_candidates(queries: int) -> int:
    """Return how many candidates of so many queries are looked at together."""
    return min(ROOM, 256 + 16 * queries)
