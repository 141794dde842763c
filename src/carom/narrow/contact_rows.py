"""Contacts of two sets, row by row: every column written once, in one pass over the rows.

In: two sets. Out: the columns of `collide`. World frame, user's units. Sets of one kind go through the loops of
`contact_forms`, from their columns; all others, and the few rows that these leave, through the single pair's function.

Fresh memory is a good part of the time, so counts take one byte and features four. Rows whose sign rounding leaves in
doubt are first written as contacts; those that exact arithmetic then finds apart are cleared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import inner, uncounted_kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow._door import Rows
from carom.narrow.contact_forms import Counts, Features, contact_form
from carom.narrow.gap import settle_rows
from carom.narrow.manifold import manifold
from carom.shapes.basic import Shape
from carom.shapes.set import Shapes


class ContactColumns(NamedTuple):
    """`Contact` for every row of two sets; what a row does not have is 0."""

    hit: Booleans
    """(n,) whether the shapes touch or overlap."""
    normal: Floats
    """(n, 2)"""
    depth: Floats
    """(n,)"""
    count: Counts  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(n,) int8: how many points, 0, 1 or 2."""
    points: Floats
    """(n, 2, 2)"""
    depths: Floats
    """(n, 2)"""
    features: Features
    """(n, 2, 2) int32, of A and of B; wider where the user's vertex numbers are too large for that."""


@inner
def write_normal(row: int, nx: float, ny: float, depth: float, out_normals: Floats, out_depth: Floats) -> None:
    """Write the first columns of a row."""
    out_normals[row, 0], out_normals[row, 1], out_depth[row] = nx + 0.0, ny + 0.0, depth


@inner
def write_spot(
    row: int,
    which: int,
    x: float,
    y: float,
    depth: float,
    feature_a: int,
    feature_b: int,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    """Write one of the two points of a row."""
    out_points[row, which, 0], out_points[row, which, 1], out_depths[row, which] = x, y, depth
    out_features[row, which, 0], out_features[row, which, 1] = feature_a, feature_b


@uncounted_kernel
def _contacts_of_rows(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out_undecided: Booleans,
    out_hits: Booleans,
    out_normals: Floats,
    out_depth: Floats,
    out_counts: Counts,
    out_points: Floats,
    out_depths: Floats,
    out_features: Features,
) -> None:
    for row in range(out_hits.shape[0]):
        separation, nx, ny, undecided, count, first, second = manifold(a, starts_a[row], b, starts_b[row])
        out_undecided[row], out_hits[row], out_counts[row] = undecided, count > 0, count
        if count == 0:
            separation, nx, ny = 0.0, 0.0, 0.0
        write_normal(row, nx, ny, 0.0 - separation, out_normals, out_depth)
        x, y, depth, feature_a, feature_b = first
        write_spot(row, 0, x, y, depth, feature_a, feature_b, out_points, out_depths, out_features)
        x, y, depth, feature_a, feature_b = second
        write_spot(row, 1, x, y, depth, feature_a, feature_b, out_points, out_depths, out_features)


def _empty_contacts(n: int) -> ContactColumns:
    return ContactColumns(
        np.empty(n, dtype=np.bool_),
        np.empty((n, 2)),
        np.empty(n),
        np.empty(n, dtype=np.int8),
        np.empty((n, 2, 2)),
        np.empty((n, 2)),
        np.empty((n, 2, 2), dtype=np.int32),
    )


def contact_rows(a: Shape | Shapes, b: Shape | Shapes, pairs: Rows, threads: int) -> ContactColumns:
    """Return the contacts of two sets, or of a set and one shape, whose records are `pairs`."""
    n = pairs.starts_a.size
    undecided, found = np.empty(n, dtype=np.bool_), _empty_contacts(n)
    form, leaves = contact_form(a, b, n)
    left = np.empty(n if leaves else 0, dtype=np.bool_)

    def work(begin: int, end: int) -> None:
        out: list[Any] = [column[begin:end] for column in (undecided, *found)]
        if form is None:
            _contacts_of_rows(*pairs.part(begin, end), *out)
        elif leaves:
            form(begin, left[begin:end], *out)
        else:
            form(begin, *out)

    in_parts(threads, n, work)
    rest = np.flatnonzero(left)
    if rest.size:
        asked = Rows(pairs.a, pairs.starts_a[rest], pairs.b, pairs.starts_b[rest])
        parts: list[Any] = [np.empty(rest.size, dtype=np.bool_), *_empty_contacts(rest.size)]
        _contacts_of_rows(*asked, *parts)
        wholes: list[Any] = [undecided, *found]
        for whole, part in zip(wholes, parts, strict=True):
            whole[rest] = part
    rows = np.flatnonzero(undecided)
    if rows.size:
        _settle_contacts(pairs, rows, found, threads)
    return found


def _settle_contacts(pairs: Rows, rows: Integers, found: ContactColumns, threads: int) -> None:
    """Give undecided rows their true sign, and clear those that turn out to be apart."""
    asked = Rows(pairs.a, pairs.starts_a[rows], pairs.b, pairs.starts_b[rows])
    separations = 0.0 - found.depth[rows]
    settle_rows(asked, np.ones(rows.size, dtype=np.bool_), separations, threads)
    found.depth[rows] = 0.0 - separations
    apart = rows[separations > 0.0]
    for column in found:
        column[apart] = 0
