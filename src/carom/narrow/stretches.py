"""The stretch of a ray inside one convex shape, row by row: from the hit ahead and the hit coming back.

In: rays, their hits as `raycast` has them, and the records of the shapes. Out: columns of stretches. World frame,
user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats
from carom.narrow.cast import HitColumns, hit_rows
from carom.narrow.dispatch import Rows
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, POINTS, STRIDE, X, Y


class Stretches(NamedTuple):
    """Columns of stretches: fractions, points, normals out of the shape, and whether the ray comes in and goes out."""

    entry: Floats
    exit: Floats
    entry_point: Floats
    exit_point: Floats
    entry_normal: Floats
    exit_normal: Floats
    enters: Booleans
    leaves: Booleans


def some_hits(hits: HitColumns, rows: Any) -> HitColumns:
    """Return some rows of hits."""
    columns: list[Any] = [column[rows] for column in hits]
    return HitColumns(*columns)


def hits_coming_back(origins: Floats, motions: Floats, pairs: Rows, threads: int) -> HitColumns:
    """Return the hits of rays that come back from their ends, which are exact: a sum that nobody rounded."""
    n = len(origins)
    ends = np.zeros((n, POINTS + STRIDE))
    ends[:, COUNT] = 1.0
    ends[:, X], ends[:, Y] = origins.T
    for place in (CENTER_X, POINTS):
        ends[:, place] = motions[:, 0]
    for place in (CENTER_Y, POINTS + 1):
        ends[:, place] = motions[:, 1]
    starts = ends.shape[1] * np.arange(n)
    return hit_rows(Rows(ends.reshape(-1), starts, pairs.b, pairs.starts_b), 0.0 - motions, True, threads)


def stretches_of_rows(origins: Floats, motions: Floats, ahead: HitColumns, pairs: Rows, threads: int) -> Stretches:
    """Return the stretch of each ray, of which every one hits."""
    return joined_hits(origins, motions, ahead, hits_coming_back(origins, motions, pairs, threads))


def joined_hits(origins: Floats, motions: Floats, ahead: HitColumns, back: HitColumns) -> Stretches:
    """Return the stretches between hits ahead, or the start, and hits coming back, or the end."""
    enters, leaves = ahead.hit & ~ahead.overlapping, back.hit & ~back.overlapping & (back.fraction > 0.0)
    entry = np.where(ahead.hit, ahead.fraction, 0.0)
    leave = np.where(leaves, 1.0 - np.where(leaves, back.fraction, 0.0), 1.0)
    # Near the start the place tells the fraction better than what is left of 1.
    unit = np.abs(motions).max(axis=1, initial=0.0)
    along = motions / np.where(unit > 0.0, unit, 1.0)[:, None]
    reached = (back.point - origins) / np.where(unit > 0.0, unit, 1.0)[:, None]
    square = (along * along).sum(axis=1)
    share = (reached * along).sum(axis=1) / np.where(square > 0.0, square, 1.0)
    leave = np.where(leaves & (leave < 0.5), share, leave)
    leave = np.clip(leave, entry, 1.0)
    moved = enters & (entry > 0.0)
    return Stretches(
        entry,
        leave,
        np.where(moved[:, None], ahead.point, origins),
        np.where(leaves[:, None], back.point, origins + motions),
        np.where(enters[:, None], ahead.normal, 0.0),
        np.where(leaves[:, None], back.normal, 0.0),
        enters,
        leaves,
    )
