"""Shapes for bodies of copies, from their points.

In: the shapes that bodies have, and points for each of them in each copy. Out: sets of shapes of the same kinds, one
set for each body; or an error that names the argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom.shapes.basic import Capsule, Point, Segment
from carom.shapes.polygon import Polygon
from carom.shapes.set import Shapes


def shapes_with(where: str, now: list[Any], vertices: Any, count: int) -> list[Shapes]:
    """Return for each of m shapes a set of so many of its kind, with other points, (count, m, k, 2) or (m, k, 2)."""
    try:
        given = np.asarray(vertices, dtype=np.float64)
    except (TypeError, ValueError):
        inputs.refuse(TypeError, where, "vertices", vertices, "must be an array (n, m, k, 2) of numbers")
    if given.ndim == 3:
        given = given[None]
    if given.ndim != 4 or given.shape[3] != 2 or given.shape[0] not in (1, count) or given.shape[1] != len(now):
        raise ValueError(f"{where}: vertices has shape {given.shape}; it must be ({count}, {len(now)}, k, 2)")
    given = np.broadcast_to(given, (count, *given.shape[1:]))
    made = []
    for m, shape in enumerate(now):
        points = np.ascontiguousarray(given[:, m])
        wanted = len(_points_of(where, m, shape))
        if points.shape[1] != wanted:
            raise ValueError(
                f"{where}: vertices has {points.shape[1]} points a shape; that of bodies[{m}] has {wanted}"
            )
        inputs.table(where, f"vertices[:, {m}]", points.reshape(-1, 2), 2)
        made.append(_with(shape, points))
        if isinstance(shape, Polygon):
            for n in np.flatnonzero([len(one.vertices) != wanted for one in made[-1]])[:1].tolist():
                expected = f"must be a convex polygon of {wanted} vertices"
                inputs.refuse(ValueError, where, f"vertices[{n}, {m}]", points[n].tolist(), expected)
    return made


def _points_of(where: str, m: int, shape: Any) -> Any:
    if isinstance(shape, Segment | Capsule):
        return (shape.start, shape.end)
    if isinstance(shape, Point):
        return (shape.position,)
    if isinstance(shape, Polygon):
        return shape.vertices
    expected = "must be a body whose shape is a Point, Segment, Capsule or Polygon"
    inputs.refuse(TypeError, where, f"bodies[{m}]", shape, expected)


def _with(shape: Any, points: Any) -> Shapes:
    if isinstance(shape, Point):
        return Shapes.points(points[:, 0])
    if isinstance(shape, Polygon):
        return Shapes.polygons(points, radius=shape.radius)
    if isinstance(shape, Capsule):
        return Shapes.capsules(points[:, 0], points[:, 1], shape.radius)
    return Shapes.segments(points[:, 0], points[:, 1])
