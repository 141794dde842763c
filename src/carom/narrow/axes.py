"""Along which axes two shapes are compared by the separating axis test, and what each axis says.

In: two shapes. Out: every axis with the two intervals that the shapes cover on it and the gap between these. The axes
are the edge normals of both cores and, where the nearest features are no edges, the axis between these. World frame,
user's units; an interval is measured from the world's origin along the axis. This is for reading, one pair at a time.

The largest gap is the separation. Which axis has it, and how much it is, is not found again here: `separate` tells.
"""

from __future__ import annotations

from typing import NamedTuple

from carom._records import POINTS, STRIDE, Point2
from carom._shape import Shape
from carom.narrow.separation import separate, settle
from carom.shapes import Polygon
from carom.tolerances import FACE_BAND
from carom.vector import Vec


class Interval(NamedTuple):
    """What a shape covers on an axis."""

    low: float
    high: float


class Axis(NamedTuple):
    """One axis of the separating axis test."""

    source: str
    """Where it comes from: "edge 2 of A", an edge counted by the vertex it leaves, or "nearest points"."""
    direction: Vec
    """Unit vector, on the side of B: of its two directions the one with the larger gap."""
    a: Interval
    """What A covers."""
    b: Interval
    """What B covers."""
    gap: float
    """How far B's interval begins behind the end of A's; negative where they overlap."""
    parallel_to: int | None
    """Number of an earlier axis of the same direction, which makes this one needless; None if there is none."""
    features: tuple[Vec, Vec]
    """Start and end of the edge; for "nearest points" the point of each core."""


class Axes(NamedTuple):
    """All axes of a pair."""

    axes: tuple[Axis, ...]
    deciding: int
    """Number of the axis with the largest gap, which is the separation."""
    rounded: float
    """The separation as computed; its sign is sure unless `undecided`."""
    undecided: bool
    """Whether rounding left the sign of the separation to exact arithmetic."""


def separating_axes(a: Shape, b: Shape) -> Axes:
    """Return every axis that decides whether two shapes meet."""
    first, second = a._record, b._record
    found = separate(first, 0, second, 0)
    rounded, undecided = found[0], found[6]
    separation = settle(first, second, rounded) if undecided else rounded
    normal = Vec(found[1] + 0.0, found[2] + 0.0)
    axes: list[Axis] = []
    for shape, name, sense in ((a, "A", 1.0), (b, "B", -1.0)):
        for source, outward, features in _edges(shape, name):
            axes.append(_axis(a, b, source, outward * sense, features, axes, separation))
    deciding = _parallel(axes, normal)
    if deciding is None:  # no edge's normal: two corners, or centres, are nearest
        deciding = len(axes)
        nearest = a.vertices[_index(found[4])], b.vertices[_index(found[5])]
        axes.append(_axis(a, b, "nearest points", normal, nearest, axes, separation))
    spans = _interval(a, normal), _interval(b, normal)
    axes[deciding] = axes[deciding]._replace(direction=normal, a=spans[0], b=spans[1], gap=separation)
    return Axes(tuple(axes), deciding, rounded, undecided)


def _edges(shape: Shape, name: str) -> list[tuple[str, Vec, tuple[Vec, Vec]]]:
    """Return source, outward unit normal and ends of each edge of a core; of a segment one, not there and back."""
    values, ends = shape._record.tolist(), shape.vertices
    ids = shape.vertex_ids if isinstance(shape, Polygon) else range(len(ends))
    return [
        (
            f"edge {ids[k]} of {name}",
            Vec(values[POINTS + STRIDE * k + 2], values[POINTS + STRIDE * k + 3]),
            (ends[k], ends[(k + 1) % len(ends)]),
        )
        for k in range(len(ends) if len(ends) > 2 else len(ends) - 1)
    ]


def _index(place: int) -> int:
    return (place - POINTS) // STRIDE


def _axis(
    a: Shape, b: Shape, source: str, n: Vec, features: tuple[Vec, Vec], earlier: list[Axis], separation: float
) -> Axis:
    ahead, behind = _gap(a, b, n), _gap(a, b, -n)
    if behind > ahead:
        n, ahead = -n, behind
    direction = Vec(n.x + 0.0, n.y + 0.0)
    # No gap is larger than the separation; what stands beyond it, the products' rounding added.
    gap = min(ahead, separation) + 0.0
    return Axis(source, direction, _interval(a, n), _interval(b, n), gap, _parallel(earlier, n), features)


def _gap(a: Shape, b: Shape, n: Vec) -> float:
    """Return how far B begins behind A's end along n, from differences as the walk takes them."""
    (ax, ay), (bx, by) = a._origin(), b._origin()
    ex, ey = max(a._points(), key=n.dot)
    sx, sy = min(b._points(), key=n.dot)
    return -n.dot(((ex - sx) - (bx - ax), (ey - sy) - (by - ay))) - (a.radius + b.radius)


def _interval(shape: Shape, n: Vec) -> Interval:
    origin = n.dot(shape._origin())
    along = [n.dot(point) for point in shape._points()]
    return Interval(origin + min(along) - shape.radius, origin + max(along) + shape.radius)


def _parallel(axes: list[Axis], n: Point2) -> int | None:
    """Return the number of the first axis of direction n or -n, to rounding."""
    x, y = n
    for k, axis in enumerate(axes):
        u, v = axis.direction
        if axis.parallel_to is None and min(abs(u - x) + abs(v - y), abs(u + x) + abs(v + y)) <= FACE_BAND:
            return k
    return None
