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

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from carom._core.jit import kernel
from carom._core.names import names_near
from carom._core.types import Floats
from carom.narrow.signed_distance import nearest, settle
from carom.narrow.walk import advance, start
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.basic import Polygon
from carom.shapes.bounds import bounds
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.tolerances import FACE_BAND
from carom.vector import Vec

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
    deciding = _first_along(_directions(edges), normal)
    if deciding is None:  # no edge's normal: two corners, or centres, are nearest
        deciding = len(edges)
        edges.append(_Edge("nearest points", normal, (a.vertices[_index(found[4])], b.vertices[_index(found[5])])))
    directions = _directions(edges)
    origin = origin_for(a, b) if measured_from is None else measured_from
    cores = _Core(a, origin), _Core(b, origin)
    axes: list[Axis] = []
    for k, edge in enumerate(edges):
        earlier = None if k == deciding else _first_along(directions[:k], edge.normal)
        if earlier is not None and axes[earlier].parallel_to is not None:
            earlier = axes[earlier].parallel_to
        axes.append(_axis(*cores, edge, separation, earlier, normal if k == deciding else None))
    return Axes(tuple(axes), deciding, rounded, undecided, origin)


def origin_for(a: Shape, b: Shape) -> Vec:
    """Return the point from which intervals are measured: the world's origin or, far from it, A's position."""
    boxes = bounds(a), bounds(b)
    (low_x, low_y), (high_x, high_y) = np.min(boxes, axis=0)[:2].tolist(), np.max(boxes, axis=0)[2:].tolist()
    size = max(high_x - low_x, high_y - low_y)
    return a.position if max(map(abs, (low_x, low_y, high_x, high_y))) > FAR * size else Vec(0.0, 0.0)


def axis_along(a: ConvexShape, b: ConvexShape, normal: Vec, gap: float, origin: Vec) -> Axis:
    """Return the axis along which a body of several parts is parted from another, with two parts on it."""
    first, second = _Core(a, origin), _Core(b, origin)
    ends = max(a.vertices, key=normal.dot), min(b.vertices, key=normal.dot)
    return Axis("way out", normal, first.interval(normal), second.interval(normal), gap, None, ends)


def number_along(axes: Sequence[Axis], normal: Vec) -> int | None:
    """Return the number of the first axis along a normal or against it; None if there is none."""
    return _first_along(np.array([axis.direction for axis in axes]), normal)


def gap_along(a: ConvexShape, b: ConvexShape, normal: Vec) -> float:
    """Return how far B's interval begins behind the end of A's along a direction."""
    world = Vec(0.0, 0.0)
    return _gap(_Core(a, world), _Core(b, world), normal)


class _Edge(NamedTuple):
    source: str
    normal: Vec  # on the side of B
    features: tuple[Vec, Vec]


class _Core:
    """The numbers of a shape that a projection needs."""

    def __init__(self, shape: ConvexShape, measured_from: Vec) -> None:
        self.origin, self.radius = shape._origin(), shape.radius
        self.offset = Vec(*self.origin) - measured_from
        points = shape._record[POINTS:].reshape(-1, STRIDE)
        self.x, self.y = points[:, 0], points[:, 1]

    def along(self, n: Vec) -> Floats:
        """Return how far each core point is along n, relative to the origin."""
        return self.x * n.x + self.y * n.y

    def interval(self, n: Vec) -> Interval:
        """Return the interval of the shape on the axis n."""
        along, origin = self.along(n), n.dot(self.offset)
        return Interval(origin + float(along.min()) - self.radius, origin + float(along.max()) + self.radius)


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


def _directions(edges: list[_Edge]) -> Floats:
    return np.array([edge.normal for edge in edges], dtype=np.float64).reshape(-1, 2)


def _first_along(directions: Floats, n: Vec) -> int | None:
    """Return the number of the first of several directions that is n or -n, to rounding."""
    forth = np.abs(directions - n).sum(axis=1)
    back = np.abs(directions + n).sum(axis=1)
    same = np.minimum(forth, back) <= FACE_BAND
    return int(same.argmax()) if same.any() else None


def _axis(a: _Core, b: _Core, edge: _Edge, separation: float, earlier: int | None, decides: Vec | None) -> Axis:
    """Return an axis with both projections; `decides` is the separation's own normal if the axis is to have it."""
    if decides is not None:
        return Axis(edge.source, decides, a.interval(decides), b.interval(decides), separation, None, edge.features)
    n = edge.normal
    ahead, behind = _gap(a, b, n), _gap(a, b, -n)
    if behind > ahead:
        n, ahead = -n, behind
    # No gap is larger than the separation; only the products' rounding can make it so.
    gap = min(ahead, separation) + 0.0
    return Axis(edge.source, Vec(n.x + 0.0, n.y + 0.0), a.interval(n), b.interval(n), gap, earlier, edge.features)


def _gap(a: _Core, b: _Core, n: Vec) -> float:
    """Return how far B begins behind A's end along n, from differences as the walk takes them."""
    i, j = a.along(n).argmax(), b.along(n).argmin()
    (ax, ay), (bx, by) = a.origin, b.origin
    px, py = float(a.x[i] - b.x[j]) - (bx - ax), float(a.y[i] - b.y[j]) - (by - ay)
    return -n.dot((px, py)) - (a.radius + b.radius)


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
