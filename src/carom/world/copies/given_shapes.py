"""Shapes for bodies of copies, from their points.

In: the shapes that bodies have, and points for each of them in each copy. Out: sets of shapes of the same kinds, one
set for each body; or an error that names the argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Floats
from carom.shapes.basic import Capsule, Point, Segment
from carom.shapes.polygon import Polygon
from carom.shapes.set import Shapes


def shapes_with(where: str, now: list[Any], vertices: Any, count: int) -> Shapes:
    """Return for each of m shapes so many of its kind with other points: (count, m, k, 2), or (m, k, 2) for all."""
    if isinstance(vertices, np.ndarray) and vertices.dtype.kind in "fiu":
        given = inputs.as_float64(vertices)
    else:
        lengths = _lengths(vertices)
        if 0 < len(lengths) < 3:
            raise ValueError(f"{where}: vertices has shape {lengths}; it must be ({count}, {len(now)}, k, 2)")
        given = _read(where, "vertices", vertices, 3 if len(lengths) == 3 else 4)
    if given.ndim == 3:
        given = given[None]
    if given.ndim != 4 or given.shape[3] != 2 or given.shape[0] not in (1, count) or given.shape[1] != len(now):
        raise ValueError(f"{where}: vertices has shape {given.shape}; it must be ({count}, {len(now)}, k, 2)")
    for m, shape in enumerate(now):
        wanted = _points_in(where, m, shape)
        if given.shape[2] != wanted:
            raise ValueError(f"{where}: vertices has {given.shape[2]} points a shape; that of bodies[{m}] has {wanted}")
    given = np.broadcast_to(given, (count, *given.shape[1:]))
    inputs.table(where, "vertices", given.reshape(-1, 2), 2)
    kinds: dict[type, list[int]] = {}
    for m, shape in enumerate(now):
        kinds.setdefault(type(shape), []).append(m)
    made, places = [], []
    for kind, members in kinds.items():
        radii = np.tile([now[m].radius if kind in (Capsule, Polygon) else 0.0 for m in members], count)
        points = given[:, members].reshape(count * len(members), -1, 2)
        made.append(_of_kind(where, kind, points, radii))
        places.append((np.arange(count)[:, None] * len(now) + members).ravel())
    if len(made) == 1:
        return made[0]
    return Shapes.concatenate(made)[np.argsort(np.concatenate(places))]


def _lengths(value: Any) -> tuple[int, ...]:
    """Return how long nested lists are, by their first items."""
    lengths: list[int] = []
    while isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0):
        lengths.append(len(value))
        if lengths[-1] == 0:
            break
        value = value[0]
    return tuple(lengths)


def _read(where: str, name: str, value: Any, depth: int) -> Floats:
    """Return nested lists of points as an array, or refuse the first item that is wrong."""
    if depth == 2:
        return inputs.table(where, name, value, 2)
    items = inputs.items_of(where, name, value, None, "an array (n, m, k, 2) of numbers")
    rows = [_read(where, f"{name}[{k}]", one, depth - 1) for k, one in enumerate(items)]
    if not rows:
        inputs.refuse(ValueError, where, name, value, "must have a row at least")
    for k in [k for k, one in enumerate(rows) if one.shape != rows[0].shape][:1]:
        inputs.refuse(ValueError, where, f"{name}[{k}]", items[k], "must be as long as those before")
    return np.stack(rows)


def _points_in(where: str, m: int, shape: Any) -> int:
    """Return how many points a shape has."""
    if isinstance(shape, Segment | Capsule):
        return 2
    if isinstance(shape, Point):
        return 1
    if isinstance(shape, Polygon):
        return len(shape.vertices)
    expected = "must be a body whose shape is a Point, Segment, Capsule or Polygon"
    inputs.refuse(TypeError, where, f"bodies[{m}]", shape, expected)


def _of_kind(where: str, kind: type, points: Floats, radii: Floats) -> Shapes:
    """Return shapes of one kind from their points, (n, k, 2)."""
    if kind is Point:
        return Shapes.points(points[:, 0])
    if kind is Capsule:
        return Shapes.capsules(points[:, 0], points[:, 1], radii)
    if kind is Segment:
        return Shapes.segments(points[:, 0], points[:, 1])
    made, wanted = Shapes.polygons(points, radius=radii), points.shape[1]
    for n in np.flatnonzero([len(one.vertices) != wanted for one in made])[:1].tolist():
        expected = f"must be the vertices of a convex polygon of {wanted}"
        inputs.refuse(ValueError, where, "vertices", points[n].tolist(), expected)
    return made
