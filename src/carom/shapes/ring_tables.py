"""Many polygons as tables of rings, in any number, as files hold them.

In: the points of all rings, and whose each ring is. Out: the box of each input, whether all polygons are surely in
order, and the shapes: rows where all are convex, else regions by their edges. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.shapes.from_shapely import Read, from_geometries
from carom.shapes.outlines.simple_regions import prove_simple
from carom.shapes.proved_regions import Whose, convex_outlines, convex_rows, proved_regions
from carom.shapes.regions import Rings, filed
from carom.tolerances import LARGEST


class RingTable(NamedTuple):
    """Polygons by their rings."""

    points: Floats
    """(v, 2), each ring closed by its first point"""
    begins: Integers
    """(r + 1,) where each ring begins"""
    first: Integers
    """(n + 1,) the first ring of each polygon, the one around it"""
    owner: Integers
    """(n,) the input of each, ascending"""
    inputs: int


class _Doubtful(Exception):
    """A polygon is not surely in order."""


def bounds_of_rings(table: RingTable) -> Floats:
    """Return the box of each input, NaN of those without a polygon."""
    bounds = np.full((table.inputs, 4), np.nan)
    _write_bounds(table.points, table.begins, table.first, table.owner, bounds)
    return bounds


def surely_in_order(table: RingTable) -> bool:
    """Tell whether all polygons are surely in order, and no coordinate is too large."""
    if not _are_sound(table.points, table.begins):
        return False
    if _without_holes(table) and convex_outlines(table.points, table.begins) is not None:
        return True
    filled = np.ones(table.owner.size, dtype=np.bool_)
    whole = Rings(table.points, table.begins, table.first, filled, table.owner, table.inputs)
    simple = np.zeros(table.owner.size, dtype=np.bool_)
    prove_simple(filed(whole), simple)
    return bool(simple.all())


def read_rings(where: str, table: RingTable, geometries: Callable[[], Any], proved: bool = False) -> Read:
    """Return the shapes of polygons; `geometries` makes the same as Shapely's, where these are needed.

    With `proved`, `surely_in_order` has said that they are.

    Raises
    ------
    ValueError
        As `from_geometries`, for a polygon that crosses itself.
    """

    def slowly() -> Read:
        return from_geometries(where, geometries(), "raise")[0]

    if not _are_sound(table.points, table.begins):
        return slowly()
    outlines = convex_outlines(table.points, table.begins) if _without_holes(table) else None
    if outlines is not None:
        return Read(None, lambda: convex_rows(*outlines, table.owner, table.inputs))

    def refuse(_: Integers) -> None:
        raise _Doubtful

    try:
        whose = Whose(table.first, table.owner, table.inputs)
        regions = proved_regions(table.points, table.begins, whose, None if proved else refuse)
    except _Doubtful:
        return slowly()
    return slowly() if regions is None else Read(regions, lambda: slowly().rows())


def _without_holes(table: RingTable) -> bool:
    return table.first.size == table.begins.size


@kernel
def _are_sound(points: Floats, begins: Integers) -> bool:
    """Tell whether rings are closed and within range; -0.0 becomes 0.0."""
    for ring in range(begins.shape[0] - 1):
        start, last = begins[ring], begins[ring + 1] - 1
        for k in range(start, last + 1):
            points[k, 0], points[k, 1] = points[k, 0] + 0.0, points[k, 1] + 0.0
            if not (abs(points[k, 0]) <= LARGEST and abs(points[k, 1]) <= LARGEST):
                return False
        if points[start, 0] != points[last, 0] or points[start, 1] != points[last, 1]:
            return False
    return True


@kernel
def _write_bounds(points: Floats, begins: Integers, first: Integers, owner: Integers, out: Floats) -> None:
    for polygon in range(owner.shape[0]):
        row, start = owner[polygon], begins[first[polygon]]
        if math.isnan(out[row, 0]):
            out[row, 0], out[row, 1] = points[start, 0], points[start, 1]
            out[row, 2], out[row, 3] = points[start, 0], points[start, 1]
        for k in range(start, begins[first[polygon] + 1]):
            x, y = points[k, 0], points[k, 1]
            out[row, 0], out[row, 1] = min(out[row, 0], x), min(out[row, 1], y)
            out[row, 2], out[row, 3] = max(out[row, 2], x), max(out[row, 3], y)
