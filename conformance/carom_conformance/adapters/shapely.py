"""Shapely, which has no circles, no depths and no motion."""

from __future__ import annotations

import shapely

from carom_conformance import engine, shapes
from carom_conformance.engine import NotOffered
from carom_conformance.shapes import Point


def made(shape: shapes.Shape) -> shapely.Geometry:
    """Return a geometry of Shapely; a disc and a capsule would be polygons, which is another shape."""
    if isinstance(shape, shapes.Segment):
        return shapely.LineString([shape.a, shape.b])
    if isinstance(shape, shapes.Polygon):
        return shapely.Polygon(shape.vertices)
    raise NotOffered


class Adapter(engine.Engine):
    """Predicates and distances of polygons and lines."""

    name = "Shapely"
    version = f"{shapely.__version__} (GEOS {shapely.geos_version_string})"
    settings = "Default settings."

    def intersects(self, a: shapes.Shape, b: shapes.Shape) -> bool:
        return bool(shapely.intersects(made(a), made(b)))

    def contains(self, shape: shapes.Shape, point: Point) -> bool:
        return bool(shapely.covers(made(shape), shapely.Point(point)))

    def distance(self, a: shapes.Shape, b: shapes.Shape) -> float:
        return float(shapely.distance(made(a), made(b)))
