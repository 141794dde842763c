"""Shapes from and to Shapely, GeoJSON, pygame and pymunk.

In: shapes of another library. Out: Carom's values, or the other way round. Coordinates are taken over as they are, so
y points where it pointed before. The other library is imported by the function that needs it, and by no other.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import no_attribute, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.types import Booleans
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment, Shape
from carom.shapes.box import Box
from carom.shapes.compound import Compound, region, regions, rings_table
from carom.shapes.compound_parts import RingsTable
from carom.shapes.features import (
    BadFeature,
    Collection,
    Features,
    OnBad,
    check_on_bad,
    collection_of,
    read_or_note,
)
from carom.shapes.given import check_shape
from carom.shapes.outlines.of_cells import outlines
from carom.shapes.set import Shapes
from carom.shapes.to_shapely import to_geometries

if TYPE_CHECKING:
    import pygame
    import pymunk

__all__ = ["from_pygame", "from_pymunk", "from_shapely", "to_pygame", "to_pymunk", "to_shapely"]

_MULTIPLE = {"MultiPoint": "Point", "MultiLineString": "LineString", "MultiPolygon": "Polygon"}


@told_by_name
def from_shapely(geometry: Any, *, on_bad: OnBad = "raise") -> Shape | tuple[Shape, ...]:
    """Return the shape of a Shapely geometry, of anything else with `__geo_interface__`, or of a GeoJSON mapping.

    Parameters
    ----------
    geometry : object or mapping
        A geometry, a Feature, or a collection of them. Where coordinates have three numbers the third is left out.
    on_bad : "raise", "skip" or "repair"
        A feature that cannot be read is named by an error, has no shape, or is repaired by Shapely's `make_valid`, and
        has no shape where this fails. `bad` of the answer lists such features.

    Returns
    -------
    Point, Segment, Polygon or Compound
        A Polygon if it is convex and has no hole, else a Compound.
    tuple of these
        Of a collection, and of a line of several segments; empty if there is nothing in it.
    Features
        Of a FeatureCollection, and where something else was skipped: a tuple with `owner`, the place of each shape's
        feature, and `bad`.

    Raises
    ------
    TypeError
        No geometry.
    ValueError
        An unknown type, or a polygon whose edges cross; the text names both, and the feature in a collection: by its
        place, and by its id and its property `name` if it has them.

    Examples
    --------
    >>> import carom as cm
    >>> cm.convert.from_shapely({"type": "Point", "coordinates": (1.0, 2.0)})
    Point((1.0, 2.0))
    >>> import shapely
    >>> cm.convert.from_shapely(shapely.box(0, 0, 1, 1).difference(shapely.box(0.5, 0.5, 2, 2))).area
    0.75
    >>> bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> cm.convert.from_shapely(bow_tie, on_bad="repair")
    (Polygon([(0.0, 2.0), (0.0, 0.0), (1.0, 1.0)]), Polygon([(2.0, 0.0), (2.0, 2.0), (1.0, 1.0)]))
    """
    where = "from_shapely"
    check_on_bad(where, on_bad)
    data = _mapping(where, geometry)
    if data.get("type") == "FeatureCollection":
        return _features(collection_of(where, data), on_bad)
    try:
        return _read(where, data)
    except (TypeError, ValueError):
        if on_bad == "raise":
            raise
    alone = data.get("geometry") if data.get("type") == "Feature" else data
    return _features(collection_of(where, {"features": [data]})._replace(geometries=[alone]), on_bad)


def _mapping(where: str, geometry: Any) -> Mapping[str, Any]:
    """Return the GeoJSON mapping that tells a geometry."""
    data = getattr(geometry, "__geo_interface__", geometry)
    if not isinstance(data, Mapping):
        expected = "must be a geometry with __geo_interface__ or a GeoJSON mapping"
        inputs.refuse_type(where, "geometry", geometry, expected)
    return data


def _features(collection: Collection, on_bad: OnBad) -> Features:
    """Return the shapes of features; those without a geometry have none."""
    where, errors = "from_shapely", (TypeError, ValueError)
    told: dict[int, list[Shape | RingsTable]] = {}
    faults: dict[int, Exception] = {}
    for row, geometry in enumerate(collection.geometries):
        if geometry is not None:
            try:
                told[row] = _told(f"{where}: {collection.label(row)}" if on_bad == "raise" else where, geometry)[1]
            except errors as error:
                faults[row] = error
    made: dict[int, list[Shape]] = {}
    for row, found in zip(told, _all_made(list(told.values())), strict=True):
        if isinstance(found, ValueError):
            faults[row] = found
        else:
            made[row] = found
    bad: list[BadFeature] = []
    for row in sorted(faults):
        if on_bad == "raise":
            raise faults[row]
        read = partial(_read, where)
        repaired, note = read_or_note(collection, row, on_bad, collection.geometries[row], read, errors)
        if repaired is not None:
            made[row] = [*repaired] if isinstance(repaired, tuple) else [repaired]
        if note is not None:
            bad.append(replace(note, reason=note.reason.replace(f"{where}: ", "")))
    rows = sorted(made)
    owner = [row for row in rows for _ in made[row]]
    return Features([shape for row in rows for shape in made[row]], owner, bad)


def _read(where: str, geometry: Any) -> Shape | tuple[Shape, ...]:
    """Return the shape of one geometry or Feature, or the shapes of a collection."""
    alone, parts = _told(where, geometry)
    (made,) = _all_made([parts])
    if isinstance(made, ValueError):
        raise made
    return made[0] if alone else tuple(made)


def _all_made(told: Sequence[Sequence[Shape | RingsTable]]) -> list[list[Shape] | ValueError]:
    """Return the shapes of several lists whose regions are yet to be made; the first error of a list in its place."""
    regions_made = iter(regions([part for parts in told for part in parts if isinstance(part, RingsTable)]))
    found: list[list[Shape] | ValueError] = []
    for parts in told:
        shapes = [next(regions_made) if isinstance(part, RingsTable) else part for part in parts]
        error = next((one for one in shapes if isinstance(one, ValueError)), None)
        found.append(error or [_simplest(one) for one in shapes if not isinstance(one, ValueError)])
    return found


def _told(where: str, geometry: Any) -> tuple[bool, list[Shape | RingsTable]]:
    """Return the shapes of a geometry or Feature, regions as the tables of their rings; and whether it is one alone."""
    data = _mapping(where, geometry)
    kind = data.get("type")
    if kind == "Feature":
        return _told(where, data.get("geometry"))
    if kind == "GeometryCollection":
        parts = _items(where, "geometries", data.get("geometries", ()))
        return False, [one for part in parts for one in _told(where, part)[1]]
    coordinates = data.get("coordinates")
    if coordinates is None:
        inputs.refuse(ValueError, where, "geometry", data, "must have a GeoJSON type and coordinates")
    if kind not in ("Point", "LineString", "LinearRing", "Polygon", *_MULTIPLE):
        inputs.refuse(ValueError, where, "geometry", kind, "is no type of geometry that is known here")
    coordinates = _items(where, "coordinates", coordinates)
    if len(coordinates) == 0:
        return False, []
    if kind in _MULTIPLE:
        one_kind = _MULTIPLE[kind]
        several = (_told(where, {"type": one_kind, "coordinates": part})[1] for part in coordinates)
        return False, [one for parts in several for one in parts]
    if kind == "Point":
        return True, [Point(inputs.point(where, "coordinates", coordinates[:2]))]
    if kind in ("LineString", "LinearRing"):
        line = _ring(where, "coordinates", coordinates)
        points = [inputs.point(where, f"coordinates[{k}]", point) for k, point in enumerate(line)]
        try:
            lines: list[Shape | RingsTable] = [Segment(a, b) for a, b in pairwise(points) if a != b]
        except ValueError as error:  # too short
            raise ValueError(f"{where}: coordinates: {error}") from None
        if len(points) < 2 or (not lines and points[0] == points[-1]):
            inputs.refuse(ValueError, where, "coordinates", data["coordinates"], "have no length; did you mean Point?")
        return len(lines) == 1, lines
    outline, *holes = [_ring(where, f"coordinates[{k}]", ring) for k, ring in enumerate(coordinates)]
    return True, [rings_table(where, outline, holes)]


def _ring(where: str, name: str, points: Any) -> list[Any]:
    """Return the points of a line without their third numbers."""
    if isinstance(points, (list, tuple)) and {*map(type, points)} <= {list, tuple} and {*map(len, points)} == {2}:
        return [*points]
    return [_items(where, f"{name}[{k}]", point)[:2] for k, point in enumerate(_items(where, name, points))]


def _items(where: str, name: str, value: Any) -> Sequence[Any]:
    """Return the numbers of a point, or the points of a line."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        inputs.refuse_type(where, name, value, "must be a list, as in GeoJSON")
    return value


@told_by_name
def to_shapely(shape: Shape | tuple[Shape, ...], *, quarter: int = 16) -> Any:
    """Return a shape as a Shapely geometry; all that `from_shapely` returns is taken back.

    Points, segments, sharp boxes and polygons, and compounds keep their `vertices` to the last bit. Shapely has no
    round shapes: they become polygons that lie inside the shape. A line made of segments becomes a MultiLineString.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or a tuple of them
    quarter : int, positive
        Straight pieces for each quarter of a circle.

    Returns
    -------
    shapely.Point, shapely.LineString or shapely.Polygon
        Of a tuple, the MultiPoint, MultiLineString, MultiPolygon or GeometryCollection of these.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `quarter` no whole number.
    ValueError
        If `quarter` is not positive, or all of a round shape is lost to the rounding of its coordinates.

    Examples
    --------
    >>> import carom as cm
    >>> print(cm.convert.to_shapely(cm.Box((1, 1), (2, 2))))
    POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))
    """
    need("to_shapely", "shapely")
    import shapely

    if isinstance(shape, tuple):
        parts = [to_shapely(part, quarter=quarter) for part in shape]
        kinds = {part.geom_type for part in parts}
        many = {"Point": shapely.MultiPoint, "LineString": shapely.MultiLineString, "Polygon": shapely.MultiPolygon}
        kind = kinds.pop() if len(kinds) == 1 else ""
        return many.get(kind, shapely.GeometryCollection)(parts)
    check_shape("to_shapely", "shape", shape)
    if isinstance(shape, Compound):
        if shape._given and isinstance(shape._given[0], Segment):
            return to_shapely(shape.parts, quarter=quarter)
        return shapely.Polygon(shape.outline, shape.holes)
    return to_geometries("to_shapely", Shapes([shape])._proxies, quarter, f"shape = {inputs.short(shape)}")[0]


@overload
def from_pygame(thing: pygame.Rect | pygame.FRect) -> Box: ...


@overload
def from_pygame(thing: pygame.Mask) -> tuple[Polygon | Compound, ...]: ...


@typed_by_overloads
@told_by_name
def from_pygame(thing: Any) -> Any:
    """Return the box of a pygame Rect or FRect, or the regions of a Mask.

    Parameters
    ----------
    thing : pygame.Rect, pygame.FRect or pygame.Mask
        Of a rectangle, x and y are its corner. Of a mask, the pixel (x, y) is the square from there to (x + 1, y + 1).

    Returns
    -------
    Box
        Of a rectangle.
    tuple of Polygon and Compound
        Of a mask: exactly its pixels, holes left out, one region for each group joined by sides. For fewer and longer
        edges, give the points of `mask.outline(every)` to `decompose`.

    Raises
    ------
    TypeError
        Neither of them.
    ValueError
        A rectangle without width or height.

    Examples
    --------
    >>> import carom as cm
    >>> import pygame
    >>> cm.convert.from_pygame(pygame.Rect(10, 20, 30, 40))
    Box((25.0, 40.0), (30.0, 40.0))
    >>> cm.convert.from_pygame(pygame.Mask((3, 2), fill=True))
    (Polygon([(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (0.0, 2.0)]),)
    """
    if all(hasattr(thing, name) for name in ("left", "top", "width", "height")):
        return Box.from_rect(thing)
    if not all(hasattr(thing, name) for name in ("get_at", "get_size", "outline")):
        inputs.refuse_type("from_pygame", "thing", thing, "must be a pygame Rect, FRect or Mask")
    found = [region("from_pygame", outline, holes) for outline, holes in outlines(_pixels(thing))]
    return tuple(map(_simplest, found))


def _pixels(mask: pygame.Mask) -> Booleans:
    """Return the pixels of a mask as an array (h, w), from the words that it keeps a strip of columns in."""
    width, height = mask.get_size()
    words = np.array(memoryview(mask))  # type: ignore[arg-type]
    strips = words.shape[0]
    parts = words.view(np.uint8).reshape(strips, height, words.itemsize)
    parts = parts[:, :, :: 1 if sys.byteorder == "little" else -1]
    bits = np.unpackbits(parts, axis=2, bitorder="little").transpose(1, 0, 2)
    return np.ascontiguousarray(bits.reshape(height, strips * words.itemsize * 8)[:, :width].astype(np.bool_))


@told_by_name
def to_pygame(shape: Shape) -> pygame.FRect:
    """Return a box along the axes as a pygame FRect, whose numbers are rounded to 32 bits.

    Raises
    ------
    TypeError
        Not a Box. The AABB of any shape is `Box.from_corners` of its `bounds`.
    ValueError
        A Box that is turned or rounded.

    Examples
    --------
    >>> import carom as cm
    >>> rect = cm.convert.to_pygame(cm.Box((2, 3), (4, 2)))
    >>> rect.topleft, rect.size
    ((0.0, 2.0), (4.0, 2.0))
    """
    need("to_pygame", "pygame")
    import pygame

    check_shape("to_pygame", "shape", shape)
    remedy = "; for its AABB use Box.from_corners with the numbers of bounds(shape)"
    if not isinstance(shape, Box):
        expected = f"must be a Box, not {type(shape).__name__}: pygame has rectangles along the axes only{remedy}"
        inputs.refuse(TypeError, "to_pygame", "shape", shape, expected)
    if shape.angle or shape.radius:
        inputs.refuse(ValueError, "to_pygame", "shape", shape, f"must be neither turned nor rounded{remedy}")
    rect = pygame.FRect(*shape.lower, *shape.size)
    if not all(map(math.isfinite, rect)) or not (rect.width > 0.0 < rect.height):
        expected = "has numbers that do not fit into the 32 bits of a pygame FRect"
        inputs.refuse(ValueError, "to_pygame", "shape", shape, expected)
    return rect


@told_by_name
def from_pymunk(shape: pymunk.Shape) -> Shape:
    """Return a pymunk shape as it lies in the world: placed and turned by its body, radius included.

    Parameters
    ----------
    shape : pymunk.Circle, pymunk.Segment or pymunk.Poly

    Returns
    -------
    Point, Circle, Segment, Capsule or Polygon

    Raises
    ------
    TypeError
        No pymunk shape.

    Examples
    --------
    >>> import carom as cm
    >>> import pymunk
    >>> body = pymunk.Body()
    >>> body.position = (3, 4)
    >>> cm.convert.from_pymunk(pymunk.Circle(body, 2.0, offset=(1, 0)))
    Circle((4.0, 4.0), 2.0)
    """
    need("from_pymunk", "pymunk")
    import pymunk

    def placed(point: Any) -> tuple[float, float]:
        x, y = point if shape.body is None else shape.body.local_to_world(point)
        return x, y

    if isinstance(shape, pymunk.Poly):
        return Polygon([placed(vertex) for vertex in shape.get_vertices()], radius=shape.radius)
    if isinstance(shape, pymunk.Circle | pymunk.Segment):
        points = (shape.offset, shape.offset) if isinstance(shape, pymunk.Circle) else (shape.a, shape.b)
        start, end = map(placed, points)
        if start == end:
            return Circle(start, shape.radius) if shape.radius else Point(start)
        return Capsule(start, end, shape.radius) if shape.radius else Segment(start, end)
    inputs.refuse_type("from_pymunk", "shape", shape, "must be a pymunk Circle, Segment or Poly")


@overload
def to_pymunk(shape: Point | Circle, body: pymunk.Body | None = None) -> pymunk.Circle: ...


@overload
def to_pymunk(shape: Segment | Capsule, body: pymunk.Body | None = None) -> pymunk.Segment: ...


@overload
def to_pymunk(shape: Polygon | Box, body: pymunk.Body | None = None) -> pymunk.Poly: ...


@overload
def to_pymunk(shape: Compound, body: pymunk.Body | None = None) -> tuple[pymunk.Poly, ...]: ...


@overload
def to_pymunk(shape: Shape, body: pymunk.Body | None = None) -> pymunk.Shape | tuple[pymunk.Shape, ...]: ...


@typed_by_overloads
@told_by_name
def to_pymunk(shape: Any, body: Any = None) -> Any:
    """Return a shape of the world as a pymunk shape of a body.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound
    body : pymunk.Body, optional
        The new shape moves with it: it lies where `shape` lies while the body is where it is now.

    Returns
    -------
    pymunk.Circle, pymunk.Segment or pymunk.Poly
    tuple of pymunk.Poly
        Of a Compound, one for each part.

    Raises
    ------
    TypeError
        No shape, or a body that is no pymunk.Body.

    Examples
    --------
    >>> import carom as cm
    >>> import pymunk
    >>> body = pymunk.Body()
    >>> body.position = (3, 4)
    >>> cm.convert.to_pymunk(cm.Circle((4, 4), 2), body).offset
    Vec2d(1.0, 0.0)
    """
    need("to_pymunk", "pymunk")
    import pymunk

    check_shape("to_pymunk", "shape", shape)
    if body is not None and not isinstance(body, pymunk.Body):
        expected = f"must be a pymunk Body, not {type(body).__name__}; leave it out for a shape without one"
        inputs.refuse(TypeError, "to_pymunk", "body", body, expected)
    if isinstance(shape, Compound):
        return tuple([to_pymunk(part, body) for part in shape.parts])
    points: list[Any] = [(x, y) if body is None else tuple(body.world_to_local((x, y))) for x, y in shape.vertices]
    if len(points) == 1:
        return pymunk.Circle(body, shape.radius, points[0])
    if len(points) == 2:
        return pymunk.Segment(body, points[0], points[1], shape.radius)
    return pymunk.Poly(body, points, radius=shape.radius)


if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> Any:
        raise no_attribute("carom.convert", name, __all__)


def _simplest(found: Shape) -> Shape:
    """Return the polygon that a region of one part is, else the shape as it is."""
    return found.parts[0] if isinstance(found, Compound) and found._made.starts.size == 1 else found
