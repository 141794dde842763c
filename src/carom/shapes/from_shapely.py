"""Many Shapely geometries at once, as rows of a set.

In: an array of geometries, or a collection of features. Out: `Proxies` whose owner tells the geometry of each row, and
which features could not be read as they were. Points, lines and convex polygons without holes are read in a few
vectorised calls; every other polygon is divided into convex parts, one by one. Coordinates are taken over as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.missing import need
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.compound import region
from carom.shapes.features import (
    BadFeature,
    Collection,
    OnBad,
    check_on_bad,
    collection_of,
    read_or_note,
    table_of,
)
from carom.shapes.outlines.needless import without_needless
from carom.shapes.outlines.region_cells import divide
from carom.shapes.outlines.simple_cells import Cells, cells_of, joined_cells
from carom.shapes.proved_regions import Whose, convex_outlines, convex_rows, proved_regions
from carom.shapes.proxy import POLYGON, STADIUM
from carom.shapes.proxy_writers import make_proxies, order_outlines
from carom.shapes.regions import Regions
from carom.shapes.set_make import discs, from_values
from carom.shapes.set_rows import Proxies, Work, by_groups, join
from carom.tolerances import LARGEST, SMALLEST_SIZE

# Shapely's numbers of types: those of lines lie between the first two, those of collections end at the last.
POINT_TYPE, POLYGON_TYPE, COLLECTION_TYPE = 0, 3, 7


class Source(NamedTuple):
    """The caller that reads, and the names that errors have for geometries."""

    where: str
    collection: Collection

    def name(self, row: int) -> str:
        """Return the beginning of errors about one geometry."""
        return f"{self.where}: {self.collection.label(row)}"


class Read(NamedTuple):
    """Geometries as they were read: by their edges, or as rows at once."""

    regions: Regions | None
    rows: Callable[[], Proxies]


def from_geometries(where: str, geometry: Any, on_bad: OnBad) -> tuple[Read, tuple[BadFeature, ...]]:
    """Return geometries, without the empty ones, and those that were skipped or repaired."""
    need(where, "shapely")
    check_on_bad(where, on_bad)
    collection = _collection(where, geometry)
    given = np.asarray(collection.geometries, dtype=object)
    if given.ndim > 1:
        raise ValueError(f"{where}: geometry has shape {given.shape}; it must be (n,), one geometry a row")
    given = given.reshape(-1)
    source = Source(where, collection)
    if collection.word == "features":
        given, bad = _values_of(source, given, on_bad)
    else:
        bad = {}
        _check_types(source, given)
    every = np.arange(given.size)
    if on_bad == "raise":
        return _read(source, given, every), ()
    unread = given.copy()
    for row in _unreadable(source, given, every):
        unread[row], note = read_or_note(collection, row, on_bad, given[row], _readable(source, row), ValueError)
        if note is not None:
            bad[row] = replace(note, reason=note.reason.replace(f"{source.name(row)}: ", ""))
    return _read(source, unread, every), tuple([bad[row] for row in sorted(bad)])


def _read(source: Source, given: NDArray[Any], names: Integers) -> Read:
    """Return geometries, of which errors know each by a number."""
    single = _single(source, given, names)
    read = _polygons(source, single)
    if read is None:
        rows = _rows(source, single)
        read = Read(None, lambda: rows)
    return read


def _collection(where: str, geometry: Any) -> Collection:
    """Return the geometries of whatever holds some."""
    if (table := table_of(geometry)) is not None:
        return table
    data = geometry if isinstance(geometry, Mapping) else getattr(geometry, "__geo_interface__", None)
    if isinstance(data, Mapping):
        if data.get("type") == "FeatureCollection":
            return collection_of(where, data)
        if isinstance(geometry, Mapping):
            feature = data if data.get("type") == "Feature" else {"geometry": data}
            return collection_of(where, {"features": [feature]})
    return Collection(geometry)


def _check_types(source: Source, given: NDArray[Any]) -> None:
    """Refuse what is no geometry, whatever becomes of bad ones."""
    import shapely

    wrong = ~(shapely.is_geometry(given) | shapely.is_missing(given))
    if wrong.any():
        row = int(wrong.argmax())
        kind = type(given[row]).__name__
        remedy = "; shapely.from_wkb and shapely.from_wkt read texts" if isinstance(given[row], (str, bytes)) else ""
        expected = f"must be a Shapely geometry or None, not {kind}{remedy}"
        inputs.refuse(TypeError, source.where, source.collection.label(row), given[row], expected)


def _values_of(source: Source, given: NDArray[Any], on_bad: OnBad) -> tuple[NDArray[Any], dict[int, BadFeature]]:
    """Return the geometries that GeoJSON tells of, None for those that are skipped, and the records of these."""
    from shapely.geometry import shape

    values, bad = np.full(given.size, None), {}
    for row, told in enumerate(given.tolist()):
        if told is None:
            continue
        try:
            values[row] = shape(told)
        except Exception as error:  # of many kinds
            if on_bad == "raise":
                raise ValueError(f"{source.name(row)} must have a GeoJSON type and coordinates: {error}") from None
            bad[row] = source.collection.bad(row, f"no GeoJSON geometry: {error}", False)
    return values, bad


def _unreadable(source: Source, given: NDArray[Any], rows: Integers) -> list[int]:
    """Return the rows that cannot be read: halves are looked for in halves, so that few bad ones cost little."""
    try:
        _read(source, given[rows], rows)
    except ValueError:
        if rows.size == 1:
            return [int(rows[0])]
        half = rows.size // 2
        return _unreadable(source, given, rows[:half]) + _unreadable(source, given, rows[half:])
    return []


def _readable(source: Source, row: int) -> Callable[[Any], Any]:
    """Return what passes on a geometry if it can be read."""

    def reading(geometry: Any) -> Any:
        alone = np.full(1, None)
        alone[0] = geometry
        _read(source, alone, np.array([row]))
        return geometry

    return reading


class Single(NamedTuple):
    """The points, lines and polygons that geometries are made of."""

    geometries: NDArray[Any]
    owner: Integers
    """The place of the geometry that each is of."""
    names: Integers
    """The number by which errors know that one."""
    inputs: int
    """How many geometries there were."""


def _single(source: Source, given: NDArray[Any], names: Integers) -> Single:
    """Return what geometries are made of, without the empty ones."""
    import shapely

    single, owner = given, np.arange(given.size)
    kinds = shapely.get_type_id(given)
    if (kinds > COLLECTION_TYPE).any():
        row = int((kinds > COLLECTION_TYPE).argmax())
        raise ValueError(f"{source.name(int(names[row]))} must be made of points, straight lines and polygons")
    while (kinds > POLYGON_TYPE).any():
        single, places = shapely.get_parts(single, return_index=True)
        owner, kinds = owner[places], shapely.get_type_id(single)
    kept = ~(shapely.is_missing(single) | shapely.is_empty(single))
    if not kept.all():
        single, owner = single[kept], owner[kept]
    return Single(single, owner, names[owner], given.size)


def _rows(source: Source, single: Single) -> Proxies:
    """Return the rows of geometries."""
    import shapely

    kinds = shapely.get_type_id(single.geometries)
    whole = (kinds == POLYGON_TYPE) & (shapely.get_num_interior_rings(single.geometries) == 0)
    groups = np.select([kinds == POINT_TYPE, whole, kinds == POLYGON_TYPE], [0, 2, 3], 1)

    def reading(read: Callable[[Source, NDArray[Any], Integers], tuple[Proxies, Integers]]) -> Work:
        return lambda places: read(source, single.geometries[places], single.names[places])

    rows, place = by_groups(groups, [*map(reading, (_points, _lines, _outlines, _regions))])
    return rows._replace(owner=single.owner[place], inputs=single.inputs)


def _polygons(source: Source, single: Single) -> Read | None:
    """Return polygons: rows where all are convex, else by their edges, each surely in order.

    None where something else is there, or kernels cannot decide.

    Raises
    ------
    ValueError
        As `_rows`.
    """
    import shapely

    geometries, owner, names, inputs = single
    if not geometries.size or (shapely.get_type_id(geometries) != POLYGON_TYPE).any():
        return None
    rings, of = geometries, np.arange(geometries.size)
    if shapely.get_num_interior_rings(geometries).any():
        rings, of = shapely.get_rings(geometries, return_index=True)
        there = ~shapely.is_empty(rings)
        rings, of = rings[there], of[there]
    points, ring = _coordinates(source, rings, names[of])
    begins = np.append(0, np.cumsum(np.bincount(ring, minlength=rings.size)))
    if rings is geometries:
        outlines = convex_outlines(points, begins)
        if outlines is not None:
            rows = convex_rows(*outlines, owner, inputs)
            return Read(None, lambda: rows)
    first = np.append(0, np.cumsum(np.bincount(of, minlength=geometries.size)))

    def by_parts(places: Integers) -> None:
        _rows(source, Single(geometries[places], owner[places], names[places], inputs))

    regions = proved_regions(points, begins, Whose(first, owner, inputs), by_parts)
    return None if regions is None else Read(regions, lambda: _rows(source, single))


def _coordinates(source: Source, geometries: NDArray[Any], owner: Integers) -> tuple[Floats, Integers]:
    """Return all coordinates and, for each, the place of its geometry."""
    import shapely

    points, places = shapely.get_coordinates(geometries, return_index=True)
    points += 0.0  # no -0.0
    bad = inputs.first_false(np.abs(points) <= LARGEST)
    if bad >= 0:
        inputs.point(source.name(int(owner[places[bad]])), "point", tuple(points[bad].tolist()))
    return points, places


def _points(source: Source, geometries: NDArray[Any], owner: Integers) -> tuple[Proxies, Integers]:
    points, places = _coordinates(source, geometries, owner)
    return discs(points, np.zeros(len(points))), places


def _lines(source: Source, geometries: NDArray[Any], owner: Integers) -> tuple[Proxies, Integers]:
    points, places = _coordinates(source, geometries, owner)
    a, b = points[:-1], points[1:]
    kept = (places[1:] == places[:-1]) & ((a[:, 0] != b[:, 0]) | (a[:, 1] != b[:, 1]))
    a, b, place = a[kept], b[kept], places[1:][kept]
    short = np.maximum(np.abs(b[:, 0] - a[:, 0]), np.abs(b[:, 1] - a[:, 1])) < SMALLEST_SIZE
    if short.any():
        row = int(owner[place[short.argmax()]])
        raise ValueError(f"{source.name(row)} has points nearer than {SMALLEST_SIZE:g} to each other")
    has = np.zeros(len(geometries), dtype=np.bool_)
    has[place] = True
    if not has.all():
        row = int(owner[has.argmin()])
        raise ValueError(f"{source.name(row)} is a line without length; make it a Point, or leave it out")
    n = len(a)
    both = np.stack((a, b), axis=1).reshape(-1, 2)
    return Proxies(*make_proxies(np.full(n, STADIUM), both, 2 * np.arange(n + 1), np.zeros(n))), place


def _outlines(source: Source, geometries: NDArray[Any], owner: Integers) -> tuple[Proxies, Integers]:
    """Return polygons without holes, those that floats prove to be in order at once."""
    points, places = _coordinates(source, geometries, owner)
    count = np.bincount(places, minlength=len(geometries))
    closing = np.append(places[1:] != places[:-1], True)  # Shapely closes every ring
    points, count = points[~closing], count - 1
    first = np.append(0, np.cumsum(count))
    clean, turned = np.zeros(count.size, dtype=np.bool_), np.zeros(count.size, dtype=np.bool_)
    order_outlines(points, first, clean, turned)
    n = int(clean.sum())
    convex = points if n == clean.size else points[np.repeat(clean, count)]
    convex_first = np.append(0, np.cumsum(count[clean]))
    found = Proxies(*make_proxies(np.full(n, POLYGON), convex, convex_first, np.zeros(n)))
    row_of = np.flatnonzero(clean)
    if n == clean.size:
        return found, row_of
    others = np.flatnonzero(~clean)
    own = points[np.repeat(~clean, count)]
    divided, divided_of, simple = _divided(own, np.append(0, np.cumsum(count[others])))
    sets, places_of = [found, divided], [row_of, others[divided_of]]
    if not simple.all():
        doubtful = others[~simple]
        rest, rest_of = _regions(source, geometries[doubtful], owner[doubtful])
        sets.append(rest)
        places_of.append(doubtful[rest_of])
    return join(sets), np.concatenate(places_of)


def _divided(points: Floats, first: Integers) -> tuple[Proxies, Integers, Booleans]:
    """Return the convex parts of outlines that are surely simple, the outline of each, and which outlines these are."""
    points, first, *_ = without_needless(points, first)
    cells, simple = cells_of(points, first)
    return _parts(points, first[cells.ring], cells), cells.ring, simple


def _parts(points: Floats, begins: Integers, cells: Cells) -> Proxies:
    """Return convex parts as rows; the corners of each are numbered from a point on."""
    sizes = np.add.reduceat(cells.kept, cells.first[:-1], dtype=np.int64) if cells.ring.size else cells.ring
    first, corners = np.append(0, np.cumsum(sizes)), cells.corners[cells.kept]
    places = points[np.repeat(begins, sizes) + corners]
    return Proxies(*make_proxies(np.full(sizes.size, POLYGON), places, first, np.zeros(sizes.size)), ids=corners)


def _regions(source: Source, geometries: NDArray[Any], owner: Integers) -> tuple[Proxies, Integers]:
    """Return the convex parts of polygons with any outline and holes."""
    import shapely

    _coordinates(source, geometries, owner)
    rings, of = shapely.get_rings(geometries, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    starts = np.searchsorted(ring, np.arange(len(rings) + 1))
    divided, others, places = [], [], []
    for place, row in enumerate(owner.tolist()):
        low, high = (int(np.searchsorted(of, place + k)) for k in (0, 1))
        begins = starts[low : high + 1][np.append(True, np.diff(starts[low : high + 1]) > 0)]  # no empty holes
        table, begins = points[begins[0] : begins[-1]] + 0.0, begins - begins[0]
        found = divide(source.name(row), table, begins)
        if found is not None:
            divided.append((place, found))
            continue
        outline, *holes = np.split(table, begins[1:-1])
        others.append(from_values([region(source.name(row), outline, holes)])._replace(owner=None, inputs=None))
        places.append(np.full(others[-1].starts.size, place))
    if divided:
        cells = joined_cells([found.cells for _, found in divided])
        begins = np.append(0, np.cumsum([len(found.points) for _, found in divided]))
        tables = np.concatenate([found.points for _, found in divided])
        others.append(_parts(tables, begins[cells.ring], cells))
        places.append(np.array([place for place, _ in divided])[cells.ring])
    return join(others), np.concatenate(places)
