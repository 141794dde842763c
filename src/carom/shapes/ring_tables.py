"""Many polygons by the points of their rings, as files hold them.

In: the points of all rings, and whose each ring is, from the user. Out: the shapes: rows where all polygons are convex,
else regions by their edges. World frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.missing import need
from carom._core.threads import checked
from carom._core.types import Floats, Integers
from carom.shapes.from_shapely import Read, from_geometries
from carom.shapes.proved_regions import Whose, convex_outlines, convex_rows, proved_regions

LEAST_POINTS = 4
"""Of a ring, the last one that closes it included."""


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


def ring_table(
    where: str, points: ArrayLike, rings: ArrayLike, polygons: Any, owner: Any, *, copy: bool = True
) -> RingTable:
    """Return rings from the user, checked."""
    places = inputs.table(where, "points", points, 2, copy=copy)
    begins = _ascending(where, "rings", rings, len(places), LEAST_POINTS)
    first = np.arange(begins.size) if polygons is None else _ascending(where, "polygons", polygons, begins.size - 1, 1)
    whose = np.arange(first.size - 1) if owner is None else inputs.whole_numbers(where, "owner", owner)
    if whose.shape != (first.size - 1,):
        raise ValueError(
            f"{where}: owner has shape {whose.shape}; it must be ({first.size - 1},), one for each polygon"
        )
    if whose.size and (whose[0] < 0 or (whose[1:] < whose[:-1]).any()):
        inputs.refuse(ValueError, where, "owner", whose, "must be 0 or more, and ascend")
    open_ones = (places[begins[:-1]] != places[begins[1:] - 1]).any(axis=1)
    if open_ones.any():
        ring = int(open_ones.argmax())
        raise ValueError(f"{where}: ring {ring}, from point {begins[ring]} on, must end with the point it begins with")
    return RingTable(places, begins, first, whose, int(whose[-1]) + 1 if whose.size else 0)


def _ascending(where: str, name: str, value: ArrayLike, end: int, least: int) -> Integers:
    """Return where runs begin, and the end of all, that have at least so many items each."""
    starts = inputs.whole_numbers(where, name, value)
    if starts.ndim != 1 or not starts.size or starts[0] != 0 or starts[-1] != end:
        inputs.refuse(ValueError, where, name, starts, f"must begin with 0 and end with {end}")
    short = np.diff(starts) < least
    if short.any():
        k = int(short.argmax())
        expected = f"must be at least {least} more than the one before, {starts[k]}"
        inputs.refuse(ValueError, where, f"{name}[{k + 1}]", starts[k + 1], expected)
    return starts


def read_given(
    where: str,
    points: ArrayLike,
    rings: ArrayLike,
    polygons: Any,
    owner: Any,
    touching: bool,
    simple: bool,
    threads: int,
    copy: bool,
) -> Read:
    """Return the shapes of polygons by rings from the user, all of which is checked."""
    table = ring_table(where, points, rings, polygons, owner, copy=inputs.truth(where, "copy", copy))
    closed, known = inputs.truth(where, "touching", touching), inputs.truth(where, "simple", simple)
    return read_rings(where, table, closed, known, checked(where, threads))


def read_rings(where: str, table: RingTable, touching: bool, simple: bool, threads: int) -> Read:
    """Return the shapes of polygons.

    Raises
    ------
    ValueError
        As `from_geometries`, for a polygon that crosses itself; without `touching`, for one that may touch itself.
    """
    outlines = convex_outlines(table.points, table.begins) if table.first.size == table.begins.size else None
    if outlines is not None:
        return Read(None, lambda: convex_rows(*outlines, table.owner, table.inputs))

    def slowly() -> Read:
        try:
            return from_geometries(where, _geometries(where, table), "raise")[0]
        except ValueError as error:  # the caller gave points, and no geometries
            raise ValueError(str(error).replace("geometry[", "points of owner[")) from None

    def refuse(doubtful: Integers) -> None:
        if not touching:
            raise ValueError(f"{where}: polygon {doubtful[0]} crosses or touches itself, or rounding leaves that open")
        raise _Doubtful

    try:
        whose = Whose(table.first, table.owner, table.inputs)
        regions = proved_regions(table.points, table.begins, whose, None if simple else refuse, threads)
    except _Doubtful:
        return slowly()
    return slowly() if regions is None else Read(regions, lambda: slowly().rows())


def _geometries(where: str, table: RingTable) -> Any:
    """Return polygons as Shapely's: one for each input that has some, None for the others."""
    need(where, "shapely")
    import shapely

    rings = shapely.linearrings(
        table.points, indices=np.repeat(np.arange(table.begins.size - 1), np.diff(table.begins))
    )
    found = shapely.polygons(rings, indices=np.repeat(np.arange(table.owner.size), np.diff(table.first)))
    counts, whole = np.bincount(table.owner, minlength=table.inputs), np.full(table.inputs, None)
    several = counts[table.owner] > 1
    whole[table.owner[~several]] = found[~several]
    _, place = np.unique(table.owner[several], return_inverse=True)
    whole[counts > 1] = shapely.multipolygons(found[several], indices=place.reshape(-1))
    return whole
