"""What an `Index` answers with: hits that know their row, lists of rows, columns.

In: the columns of the searches. Out: named tuples, one layout everywhere: where there is none, a row is -1 and a
fraction or distance infinite; where a query has many answers, offsets say which are its own.
"""

from __future__ import annotations

from typing import NamedTuple

from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import Hit
from carom.narrow.ray import RayHit


class RowLists(NamedTuple):
    """A list of rows for each query: those of query k are ``rows[offsets[k] : offsets[k + 1]]``."""

    offsets: Integers
    """(n + 1,)"""
    rows: Integers
    """(offsets[n],) ascending for each query."""


class Neighbors(NamedTuple):
    """The nearest rows of each query, nearest first, of equally near ones the lower row number first."""

    rows: Integers
    """(n, k); -1 where there are fewer than k."""
    distances: Floats
    """(n, k); infinite where there are fewer than k."""


class RayHitLists(NamedTuple):
    """All hits of each ray, in ascending order of (fraction, row): those of ray k are offsets[k] to offsets[k + 1]."""

    offsets: Integers
    """(n + 1,)"""
    shape: Integers
    """(m,) row numbers."""
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


class CastColumns(NamedTuple):
    """The first hit of each moving shape; where there is none, the fraction is infinite, the shape -1, the rest 0."""

    hit: Booleans
    """(n,)"""
    fraction: Floats
    """(n,)"""
    point: Floats
    """(n, 2)"""
    normal: Floats
    """(n, 2)"""
    shape: Integers
    """(n,) the row that was hit."""
    overlapping: Booleans
    """(n,)"""


class RowRayHit(RayHit):
    """Where a ray meets the first shape of an index: a `RayHit` that knows the row."""

    row: int
    """The row that was hit."""


class RowHit(Hit):
    """Where and when a moving shape hits the first of an index: a `Hit` that knows the row."""

    row: int
    """The row that was hit."""
