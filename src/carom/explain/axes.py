"""The axes of the separating axis test of two shapes, and their Minkowski difference, for reading one pair at a time.

In: two shapes. Out: every axis with the two intervals that the shapes cover on it and the gap between these; and the
corners of the difference A - B, counter-clockwise, and the radius that it is grown by. The axes are edge normals of
both cores and, where the nearest features are no edges, the axis between these; the largest gap is the separation. The
difference is the convex polygon that the walk goes round: the origin of its own plane lies inside just when the shapes
overlap, and the nearest point of its boundary is A's witness point less B's. Nothing is decided here: `nearest` says
which axis decides and how large the separation is. World frame, user's units; intervals are measured
along the axis from the world's origin or, where that is far away, from A's position, so that no digit is lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.names import names_near
from carom._core.types import Floats
from carom.narrow.signed_distance import nearest, settle
from carom.narrow.walk import advance, start
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.basic import Polygon
from carom.shapes.bounds import bounds
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import FACE_BAND
from carom.vector import Vec

COLUMNS, PARALLEL = 8, 7  # of the numbers of an axis, and which of them tells what it is parallel to
FAR = 1000.0  # of their size: two shapes farther from the world's origin are measured from A's position


@names_near
class Interval(NamedTuple):
    """The interval that a shape covers on an axis."""

    low: float
    high: float


@names_near
class Axis(NamedTuple):
    """One axis of the separating axis test."""

    source: str
    """Where it comes from: "edge 2 of A", an edge counted by the vertex it leaves, or "nearest points"."""
    direction: Vec
    """Unit vector, on the side of B: of its two directions the one with the larger gap."""
    a: Interval
    """The interval of A."""
    b: Interval
    """The interval of B."""
    gap: float
    """How far B's interval begins behind the end of A's; negative where they overlap."""
    parallel_to: int | None
    """Number of an earlier axis of the same direction, which makes this one needless; None if there is none."""
    features: tuple[Vec, Vec]
    """Start and end of the edge; for "nearest points" and "way out" the point of each core."""

    @property
    def half_a(self) -> float:
        """Half of the length of A's interval."""
        return (self.a.high - self.a.low) / 2.0

    @property
    def half_b(self) -> float:
        """Half of the length of B's interval."""
        return (self.b.high - self.b.low) / 2.0

    @property
    def between(self) -> float:
        """How far the middle of B's interval lies behind that of A's."""
        return (self.b.low - self.a.low) + (self.half_b - self.half_a)


class Axes(NamedTuple):
    """All axes of a pair."""

    axes: tuple[Axis, ...]
    deciding: int
    """Number of the axis with the largest gap, which is the separation."""
    rounded: float
    """The separation as computed; its sign is sure unless `undecided`."""
    undecided: bool
    """Whether rounding left the sign of the separation to exact arithmetic."""
    origin: Vec
    """The point from which intervals are measured."""


def separating_axes(a: ConvexShape, b: ConvexShape, measured_from: Vec | None = None) -> Axes:
    """Return every axis that decides whether two shapes meet; intervals are `measured_from` a point if one is given."""
    first, second = a._record, b._record
    found = nearest(first, 0, second, 0)
    rounded, undecided = found[0], found[6]
    separation = settle(first, second, rounded) if undecided else rounded
    normal = Vec(found[1] + 0.0, found[2] + 0.0)
    edges = [*_edges(a, "A", 1.0), *_edges(b, "B", -1.0)]
    deciding = _along(_flat([edge.normal for edge in edges]), len(edges), normal.x, normal.y)
    if deciding < 0:  # no edge's normal: two corners, or centres, are nearest
        deciding = len(edges)
        edges.append(_Edge("nearest points", normal, (a.vertices[_index(found[4])], b.vertices[_index(found[5])])))
    origin = origin_for(a, b) if measured_from is None else measured_from
    normals, projected = _flat([edge.normal for edge in edges]), np.empty(COLUMNS * len(edges))
    _project(first, second, normals, deciding, normal.x, normal.y, separation, origin.x, origin.y, projected)
    numbers = projected.tolist()
    axes = tuple([_axis(edge, numbers[COLUMNS * k : COLUMNS * (k + 1)]) for k, edge in enumerate(edges)])
    return Axes(axes, deciding, rounded, undecided, origin)


def origin_for(a: Shape, b: Shape) -> Vec:
    """Return the point from which intervals are measured: the world's origin or, far from it, A's position."""
    u, v = bounds(a), bounds(b)
    low_x, low_y, high_x, high_y = min(u[0], v[0]), min(u[1], v[1]), max(u[2], v[2]), max(u[3], v[3])
    size = max(high_x - low_x, high_y - low_y)
    return a.position if max(map(abs, (low_x, low_y, high_x, high_y))) > FAR * size else Vec(0.0, 0.0)


def axis_along(a: ConvexShape, b: ConvexShape, normal: Vec, gap: float, origin: Vec) -> Axis:
    """Return the axis along which a body of several parts is parted from another, with two parts on it."""
    ends = max(a.vertices, key=normal.dot), min(b.vertices, key=normal.dot)
    numbers = np.empty(COLUMNS)
    _project(a._record, b._record, _flat([normal]), 0, normal.x, normal.y, gap, origin.x, origin.y, numbers)
    return _axis(_Edge("way out", normal, ends), numbers.tolist())


def number_along(axes: Sequence[Axis], normal: Vec) -> int | None:
    """Return the number of the first axis along a normal or against it; None if there is none."""
    number = _along(_flat([axis.direction for axis in axes]), len(axes), normal.x, normal.y)
    return None if number < 0 else number


def gap_along(a: ConvexShape, b: ConvexShape, normal: Vec) -> float:
    """Return how far B's interval begins behind the end of A's along a direction."""
    return _gap_along(a._record, b._record, normal.x, normal.y)


class _Edge(NamedTuple):
    source: str
    normal: Vec  # on the side of B
    features: tuple[Vec, Vec]


def _edges(shape: ConvexShape, name: str, sense: float) -> list[_Edge]:
    """Return the edges of a core; of a segment one, not there and back."""
    values, ends = shape._record.tolist(), shape.vertices
    ids = shape.vertex_ids if isinstance(shape, Polygon) else range(len(ends))
    return [
        _Edge(
            f"edge {ids[k]} of {name}",
            Vec(values[POINTS + STRIDE * k + 2], values[POINTS + STRIDE * k + 3]) * sense,
            (ends[k], ends[(k + 1) % len(ends)]),
        )
        for k in range(len(ends) if len(ends) > 2 else len(ends) - 1)
    ]


def _index(place: int) -> int:
    return (place - POINTS) // STRIDE


def _flat(directions: Sequence[Vec]) -> Floats:
    """Return directions as one row of numbers."""
    return np.array([number for direction in directions for number in direction], dtype=np.float64)


def _axis(edge: _Edge, numbers: Sequence[float]) -> Axis:
    """Return the axis of an edge, with the numbers that `_project` wrote of it."""
    x, y, low_a, high_a, low_b, high_b, gap, parallel = numbers
    parallel_to = None if parallel < 0.0 else int(parallel)
    intervals = Interval(low_a, high_a), Interval(low_b, high_b)
    return Axis(edge.source, Vec(x, y), *intervals, gap, parallel_to, edge.features)


@inner
def _is_along(normals: Floats, k: int, x: float, y: float) -> bool:
    """Tell whether a direction is (x, y) or against it, to rounding."""
    forth = abs(normals[2 * k] - x) + abs(normals[2 * k + 1] - y)
    back = abs(normals[2 * k] + x) + abs(normals[2 * k + 1] + y)
    return bool(min(forth, back) <= FACE_BAND)


@kernel
def _along(normals: Floats, count: int, x: float, y: float) -> int:
    """Return the number of the first of so many directions that is (x, y) or against it; -1 if there is none."""
    for k in range(count):
        if _is_along(normals, k, x, y):
            return k
    return -1


@inner
def _end(record: Floats, nx: float, ny: float) -> int:
    """Return where the core point stands that lies farthest along a direction."""
    best, farthest = POINTS, -math.inf
    for k in range(int(record[COUNT])):
        at = POINTS + STRIDE * k
        along = record[at] * nx + record[at + 1] * ny
        if along > farthest:
            best, farthest = at, along
    return best


@inner
def _gap(a: Floats, b: Floats, nx: float, ny: float) -> float:
    """Return how far B begins behind A's end along (nx, ny), from differences as the walk takes them."""
    at, bt = _end(a, nx, ny), _end(b, -nx, -ny)
    px, py = (a[at] - b[bt]) - (b[X] - a[X]), (a[at + 1] - b[bt + 1]) - (b[Y] - a[Y])
    return float(-(nx * px + ny * py) - (a[RADIUS] + b[RADIUS]))


@kernel
def _gap_along(a: Floats, b: Floats, nx: float, ny: float) -> float:
    return _gap(a, b, nx, ny)


@inner
def _interval(record: Floats, nx: float, ny: float, from_x: float, from_y: float) -> tuple[float, float]:
    """Return the ends of the interval that a shape covers on an axis."""
    low, high = math.inf, -math.inf
    for k in range(int(record[COUNT])):
        at = POINTS + STRIDE * k
        along = record[at] * nx + record[at + 1] * ny
        low, high = min(low, along), max(high, along)
    origin = nx * (record[X] - from_x) + ny * (record[Y] - from_y)
    return origin + low - record[RADIUS], origin + high + record[RADIUS]


@kernel
def _project(
    a: Floats,
    b: Floats,
    normals: Floats,
    deciding: int,
    nx: float,
    ny: float,
    separation: float,
    from_x: float,
    from_y: float,
    out: Floats,
) -> None:
    """Write each axis with both projections, the gap, and the number of an earlier one that it is parallel to, or -1.

    The deciding axis has the separation, and its normal (nx, ny). No gap of another is larger: only the rounding of
    products can make it so.
    """
    for k in range(normals.size // 2):
        x, y, gap, parallel = nx, ny, separation, -1.0
        if k != deciding:
            x, y = normals[2 * k], normals[2 * k + 1]
            for earlier in range(k):
                if _is_along(normals, earlier, x, y):
                    like = out[COLUMNS * earlier + PARALLEL]
                    parallel = like if like >= 0.0 else float(earlier)
                    break
            ahead, behind = _gap(a, b, x, y), _gap(a, b, -x, -y)
            if behind > ahead:
                x, y, ahead = -x, -y, behind
            gap = min(ahead, separation) + 0.0
        row = COLUMNS * k
        out[row], out[row + 1] = x + 0.0, y + 0.0
        out[row + 2], out[row + 3] = _interval(a, x, y, from_x, from_y)
        out[row + 4], out[row + 5] = _interval(b, x, y, from_x, from_y)
        out[row + 6], out[row + PARALLEL] = gap, parallel


@names_near
class Difference(NamedTuple):
    """All differences of a point of A and a point of B: a convex core grown by a radius."""

    points: tuple[Vec, ...]
    """The core's corners, counter-clockwise; two of a line, one of two points."""
    radius: float
    """The sum of both radii."""


@kernel
def _walked(a: Floats, b: Floats, out_points: Floats) -> int:
    """Write the points that the walk meets, in its order; return how many."""
    at, bt, left_a, left_b = start(a, 0, b, 0)
    count = 0
    while True:
        out_points[count, 0] = (a[at] - b[bt]) - (b[X] - a[X])
        out_points[count, 1] = (a[at + 1] - b[bt + 1]) - (b[Y] - a[Y])
        count += 1
        if left_a + left_b <= 1:
            return count
        _, _, at, bt, left_a, left_b = advance(a, 0, at, left_a, b, 0, bt, left_b)


def difference(a: ConvexShape, b: ConvexShape) -> Difference:
    """Return the Minkowski difference of two shapes."""
    first, second = a._record, b._record
    points = np.empty((int(first[COUNT] + second[COUNT]) + 1, 2))
    count = _walked(first, second, points)
    corners: list[Vec] = []
    for x, y in points[:count].tolist():
        if not corners or (x, y) != corners[-1]:
            corners.append(Vec(x + 0.0, y + 0.0))
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    return Difference(tuple(corners), a.radius + b.radius)
