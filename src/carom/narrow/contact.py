"""How two shapes touch: the normal, the depth, and one or two contact points with ids that last while they slide.

In: two shapes that touch or overlap. Out: a manifold: the unit normal from A towards B, the depth of the minimum
translation vector, and points halfway between the two surfaces with a depth and a feature pair each. World frame,
user's units. The edge that the separation found is the reference face; the edge of the other shape that faces it most
is clipped to it (E. Catto, "Contact Manifolds", GDC 2007).
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np

from carom import _records as rec
from carom._jit import inner, kernel
from carom._threads import ONE, checked, in_parts
from carom._typing import Booleans, Floats, Integers
from carom.columns import Shapes
from carom.narrow._door import Rows, pair, rows
from carom.narrow.gap import core_points, magnitude, separate, settle, settle_rows
from carom.narrow.walk import EDGE_A, VERTICES, next_place
from carom.shapes import Polygon, Shape
from carom.tolerances import FACE_BAND
from carom.vector import Vec, new

# Columns of the two rows that a manifold writes: point x and y, depth, feature of A, feature of B. A feature is the
# number k of a vertex, or -1 - k for the edge that leaves vertex k.
COLUMNS = 5

# separation, normal x and y, number of points, whether the sign of the separation is undecided
Manifold = tuple[float, float, float, int, bool]


@inner
def edge_facing(a: Floats, i: int, place: int, nx: float, ny: float) -> int:
    """Return the place of the edge, leaving or arriving at a core point, that looks along n most."""
    first = i + rec.POINTS
    before = place - rec.STRIDE if place > first else first + rec.STRIDE * (int(a[i + rec.COUNT]) - 1)
    leaving = a[place + 2] * nx + a[place + 3] * ny
    return place if leaving >= a[before + 2] * nx + a[before + 3] * ny else before


@inner
def number(i: int, place: int) -> float:
    """Return the number of the core point at a place."""
    return float((place - i - rec.POINTS) // rec.STRIDE)


@kernel
def clip_face(
    a: Floats, i: int, at: int, b: Floats, j: int, bt: int, deepest: float, band: float, swapped: bool, out: Floats
) -> int:
    """Clip the edge of B that faces A's edge `at` to that edge; write the points in overlap, return how many.

    `bt` is B's deepest vertex, `deepest` its depth; `swapped` tells that the roles of A and B were changed over.
    """
    nx, ny = a[at + 2], a[at + 3]
    far = next_place(a, i, at)
    face = edge_facing(b, j, bt, -nx, -ny)
    # Along the reference edge, from its start: its length, and where the facing edge's two ends stand. All points are
    # taken relative to the reference edge's start, where differences of near coordinates are exact.
    offset_x, offset_y = b[j + rec.X] - a[i + rec.X], b[j + rec.Y] - a[i + rec.Y]
    length = (a[far + 1] - a[at + 1]) * nx - (a[far] - a[at]) * ny
    end = next_place(b, j, face)
    x0, y0 = (b[face] - a[at]) + offset_x, (b[face + 1] - a[at + 1]) + offset_y
    x1, y1 = (b[end] - a[at]) + offset_x, (b[end + 1] - a[at + 1]) + offset_y
    along0, along1 = y0 * nx - x0 * ny, y1 * nx - x1 * ny
    over0, over1 = x0 * nx + y0 * ny, x1 * nx + y1 * ny
    radius = a[i + rec.RADIUS] + b[j + rec.RADIUS]
    count = 0
    for which in range(2):
        # Each end of the facing edge, or, where it stands beyond the reference edge, the point above that edge's end.
        along, over = (along0, over0) if which == 0 else (along1, over1)
        feature_a, feature_b = -1.0 - number(i, at), number(j, face if which == 0 else end)
        limit = min(max(along, 0.0), length)
        if limit != along:
            if along0 == along1:
                continue
            over = over0 + (over1 - over0) * ((limit - along0) / (along1 - along0))
            along = limit
            feature_a, feature_b = number(i, at if limit == 0.0 else far), -1.0 - number(j, face)
            if along < min(along0, along1) or along > max(along0, along1):
                continue
        depth = min(radius - over, deepest)
        if depth < -band:
            continue
        depth = max(depth, 0.0)
        # From the reference edge's start: along the edge, then up to halfway between the two surfaces.
        height = a[i + rec.RADIUS] - depth / 2.0
        row = COLUMNS * count
        out[row] = a[i + rec.X] + (a[at] - along * ny + height * nx)
        out[row + 1] = a[i + rec.Y] + (a[at + 1] + along * nx + height * ny)
        out[row + 2] = depth
        out[row + 3], out[row + 4] = (feature_b, feature_a) if swapped else (feature_a, feature_b)
        count += 1
    if count == 2 and out[0] == out[COLUMNS] and out[1] == out[COLUMNS + 1]:
        # One point, as far as its coordinates can tell: the deeper one.
        if out[COLUMNS + 2] > out[2]:
            out[2], out[3], out[4] = out[COLUMNS + 2], out[COLUMNS + 3], out[COLUMNS + 4]
        return 1
    return count


@kernel
def manifold(a: Floats, i: int, b: Floats, j: int, out: Floats) -> Manifold:
    """Write up to two contact points into `out` (2 * COLUMNS); none where the shapes are clearly apart."""
    found = separate(a, i, b, j)
    separation, nx, ny, feature, at, bt, undecided = found
    if separation > 0.0 and not undecided:
        return separation, nx, ny, 0, False
    count = 0
    if feature != VERTICES and a[i + rec.COUNT] > 1.0 and b[j + rec.COUNT] > 1.0:
        band = FACE_BAND * magnitude(a, i, b, j)
        if feature == EDGE_A:
            count = clip_face(a, i, at, b, j, bt, -separation, band, False, out)
        else:
            count = clip_face(b, j, bt, a, i, at, -separation, band, True, out)
    if count == 0:
        ax, ay, bx, by = core_points(a, i, b, j, found)
        ra, rb = a[i + rec.RADIUS], b[j + rec.RADIUS]
        out[0] = ((ax + nx * ra) + (bx - nx * rb)) / 2.0
        out[1] = ((ay + ny * ra) + (by - ny * rb)) / 2.0
        out[2] = max(0.0 - separation, 0.0)
        out[3] = -1.0 - number(i, at) if feature == EDGE_A else number(i, at)
        out[4] = number(j, bt) if feature in (EDGE_A, VERTICES) else -1.0 - number(j, bt)
        count = 1
    return separation, nx, ny, count, undecided


# A manifold, then of each of two points: x, y, depth, feature of A, feature of B.
Flat = tuple[float, float, float, int, bool, float, float, float, int, int, float, float, float, int, int]


@kernel
def _manifold_of_pair(a: Floats, b: Floats) -> Flat:
    out = np.zeros(2 * COLUMNS)
    separation, nx, ny, count, undecided = manifold(a, 0, b, 0, out)
    first = float(out[0]), float(out[1]), float(out[2]), int(out[3]), int(out[4])
    second = float(out[5]), float(out[6]), float(out[7]), int(out[8]), int(out[9])
    return separation, nx, ny, count, undecided, *first, *second


@kernel
def _manifolds_of_rows(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out_separations: Floats,
    out_undecided: Booleans,
    out_normals: Floats,
    out_counts: Integers,
    out_points: Floats,
    out_depths: Floats,
    out_features: Integers,
) -> None:
    scratch = np.zeros(2 * COLUMNS)
    for row in range(out_counts.shape[0]):
        separation, nx, ny, count, undecided = manifold(a, starts_a[row], b, starts_b[row], scratch)
        out_separations[row], out_undecided[row], out_counts[row] = separation, undecided, count
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        for k in range(count):
            at = COLUMNS * k
            out_points[row, k, 0], out_points[row, k, 1], out_depths[row, k] = (
                scratch[at],
                scratch[at + 1],
                scratch[at + 2],
            )
            out_features[row, k, 0], out_features[row, k, 1] = int(scratch[at + 3]), int(scratch[at + 4])


class ContactColumns(NamedTuple):
    """`Contact` for every row of two sets; what a row does not have is 0."""

    hit: Booleans
    """(n,) whether the shapes touch or overlap."""
    normal: Floats
    """(n, 2)"""
    depth: Floats
    """(n,)"""
    count: Integers  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(n,) how many points: 0, 1 or 2."""
    points: Floats
    """(n, 2, 2)"""
    depths: Floats
    """(n, 2)"""
    features: Integers
    """(n, 2, 2) of A and of B; the vertex numbers are those of the cleaned outlines."""


def _contact_rows(pairs: Rows, threads: int) -> ContactColumns:
    n = pairs.starts_a.size
    separations, undecided = np.empty(n), np.empty(n, dtype=np.bool_)
    normal, count = np.empty((n, 2)), np.empty(n, dtype=np.int64)
    points, depths, features = np.zeros((n, 2, 2)), np.zeros((n, 2)), np.zeros((n, 2, 2), dtype=np.int64)
    columns: tuple[Any, ...] = separations, undecided, normal, count, points, depths, features

    def work(begin: int, end: int) -> None:
        _manifolds_of_rows(*pairs.part(begin, end), *(column[begin:end] for column in columns))

    in_parts(threads, n, work)
    settle_rows(pairs, undecided, separations, threads)
    hit = separations <= 0.0
    missed = ~hit
    for column in (normal, count, points, depths, features):
        column[missed] = 0
    return ContactColumns(hit, normal, np.where(hit, 0.0 - separations, 0.0), count, points, depths, features)


class Contact(NamedTuple):
    """How two shapes touch or overlap."""

    normal: Vec
    """Unit vector from A towards B: moving B by ``normal * depth`` makes them just touch."""
    depth: float
    """How deep they overlap; 0 where they merely touch."""
    points: tuple[Vec, ...]
    """One or two points, halfway between the two surfaces."""
    depths: tuple[float, ...]
    """The depth at each point; the largest is `depth` up to rounding."""
    features: tuple[tuple[int, int], ...]
    """For each point what meets there, of A and of B: k for vertex k, -1 - k for the edge that leaves vertex k."""

    @property
    def move_a(self) -> Vec:
        """The least translation of A that parts the two."""
        return -self.normal * self.depth

    @property
    def move_b(self) -> Vec:
        """The least translation of B that parts the two."""
        return self.normal * self.depth

    @property
    def side(self) -> str:
        """The side of A that was met, as the axis nearest to the normal: "+x", "-x", "+y" or "-y"."""
        x, y = self.normal
        if abs(x) >= abs(y):
            return "+x" if x > 0.0 else "-x"
        return "+y" if y > 0.0 else "-y"


def _own(shape: Shape, feature: int) -> int:
    """Return a feature with the user's vertex number in place of the cleaned polygon's."""
    if not isinstance(shape, Polygon):
        return feature
    return shape.vertex_ids[feature] if feature >= 0 else -1 - shape.vertex_ids[-1 - feature]


@overload
def collide(a: Shape, b: Shape, *, threads: int = 1) -> Contact | None: ...


@overload
def collide(a: Shapes, b: Shape | Shapes, *, threads: int = 1) -> ContactColumns: ...


@overload
def collide(a: Shape, b: Shapes, *, threads: int = 1) -> ContactColumns: ...


def collide(a: Any, b: Any, *, threads: int = ONE) -> Any:
    """Return how two shapes touch or overlap: normal, depth and contact points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon, or Shapes
        Sets go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Contact or None, or ContactColumns for sets
        Named tuple (normal, depth, points, depths, features), with `move_a`, `move_b` and `side`; None where the
        shapes are apart, just as `intersects` tells. For sets `hit` tells which rows do.
        Faces that meet give two points, everything else one.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Notes
    -----
    The minimum translation vector is the nearest boundary point of the Minkowski difference. Circles at one centre
    are parted along x, since no direction is better than another.

    Examples
    --------
    >>> contact = cm.collide(cm.Box((0, 0), (2, 2)), cm.Box((1.5, 0), (2, 2)))
    >>> contact.normal, contact.depth, contact.move_b
    (Vec(1.0, 0.0), 0.5, Vec(0.5, 0.0))
    >>> contact.points
    (Vec(0.75, 1.0), Vec(0.75, -1.0))
    >>> cm.collide(cm.Circle((0, 0), 1), cm.Circle((5, 0), 1)) is None
    True
    """
    if threads is not ONE:
        checked("collide", threads)
    found = pair("collide", a, b)
    if found is None:
        return _contact_rows(rows("collide", ("a", "b"), a, b), threads)
    first, second = found
    separation, nx, ny, count, undecided, x0, y0, depth0, a0, b0, x1, y1, depth1, a1, b1 = _manifold_of_pair(
        first, second
    )
    if undecided:
        separation = settle(first, second, separation)
    if separation > 0.0:
        return None
    normal = new(Vec, (nx + 0.0, ny + 0.0))
    point = new(Vec, (x0, y0))
    ids = (_own(a, a0), _own(b, b0))
    if count == 1:
        return new(Contact, (normal, 0.0 - separation, (point,), (depth0,), (ids,)))
    points, depths = (point, new(Vec, (x1, y1))), (depth0, depth1)
    return new(Contact, (normal, 0.0 - separation, points, depths, (ids, (_own(a, a1), _own(b, b1)))))
