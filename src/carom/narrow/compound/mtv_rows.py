"""The least way out for rows of bodies that touch or overlap: how deep, and, asked apart, where they touch.

In: rows of bodies, which of them are asked about, and how they stand. Out: columns, one entry for each row asked about.
World frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import Bodies
from carom.narrow.compound.manifold import COLUMNS, manifold_of_escape
from carom.narrow.compound.mtv import escape
from carom.narrow.compound.standing import BodyRows, Standing


class Escapes(NamedTuple):
    """The least way out of some rows."""

    depth: Floats
    """(m,) as the search found it: negative where bodies are apart by rounding"""
    normal: Floats
    """(m, 2) from A to B"""
    point_a: Floats
    """(m, 2) the points of both surfaces that realise the depth"""
    point_b: Floats
    count: Integers  # type: ignore[assignment]
    """(m,) contact points, and then where they are, their features and depths"""
    points: Floats
    features: Integers
    depths: Floats


@kernel
def _depths_of_rows(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    separations: Floats,
    out_depths: Floats,
) -> None:
    """Write how long the least way out of some `rows` is."""
    for k in range(rows.shape[0]):
        row = rows[k]
        found, _ = escape(a, rows_a[row], b, rows_b[row], max(0.0, -separations[row]))
        out_depths[k] = found[0]


@kernel
def _escapes_of_rows(
    a: Bodies,
    rows_a: Integers,
    b: Bodies,
    rows_b: Integers,
    rows: Integers,
    separations: Floats,
    out_depths: Floats,
    out_normals: Floats,
    out_points_a: Floats,
    out_points_b: Floats,
    out_counts: Integers,
    out_points: Floats,
    out_features: Integers,
    out_point_depths: Floats,
) -> None:
    """Write the least way out of some `rows` that touch or overlap, and where they do."""
    scratch = np.zeros(2 * COLUMNS)
    witness = np.zeros(4)
    for k in range(rows.shape[0]):
        row = rows[k]
        found, piece = escape(a, rows_a[row], b, rows_b[row], max(0.0, -separations[row]))
        out_depths[k] = found[0]
        out_normals[k, 0], out_normals[k, 1] = found[3] + 0.0, found[4] + 0.0
        count = manifold_of_escape(a, b, found, piece, scratch, witness)
        out_counts[k] = count
        out_points_a[k, 0], out_points_a[k, 1] = witness[0], witness[1]
        out_points_b[k, 0], out_points_b[k, 1] = witness[2], witness[3]
        for which in range(count):
            at = COLUMNS * which
            out_points[k, which, 0], out_points[k, which, 1] = scratch[at], scratch[at + 1]
            out_point_depths[k, which] = scratch[at + 2]
            out_features[k, which, 0], out_features[k, which, 1] = int(scratch[at + 3]), int(scratch[at + 4])


def depths_of(rows: BodyRows, which: Integers, found: Standing) -> Floats:
    """Return how long the least way out of some rows is."""
    depths = np.empty(which.size)
    if which.size:
        _depths_of_rows(*rows, which, found.separation, depths)
    return depths


def escapes_of(rows: BodyRows, which: Integers, found: Standing) -> Escapes:
    """Return the least way out of some rows, and where they touch."""
    n = which.size
    way = Escapes(
        np.empty(n),
        np.empty((n, 2)),
        np.empty((n, 2)),
        np.empty((n, 2)),
        np.zeros(n, dtype=np.int64),
        np.zeros((n, 2, 2)),
        np.zeros((n, 2, 2), dtype=np.int64),
        np.zeros((n, 2)),
    )
    if n:
        columns: tuple[Any, ...] = way
        _escapes_of_rows(*rows, which, found.separation, *columns)
    return way
