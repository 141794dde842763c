"""The verbs: what a user asks of two shapes, of sets of shapes row by row, and of bodies of several parts.

In: what the user passed. Out: one answer for two shapes, columns where either is a set. Each verb answers two shapes of
one part itself, for one more call costs as much as the answer; all else goes through the table in `many`. World frame,
user's units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from carom._core import inputs
from carom._core.inputs import PointLike, PointsLike
from carom._core.names import refuse_keywords, taken, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.quick import new
from carom._core.threads import ONE, checked
from carom._core.types import Booleans, Floats
from carom.narrow.cast import (
    Hit,
    HitColumns,
    RayHit,
    RayHitColumns,
    cast_of_pair,
    ray_of_pair,
    settled_ray,
)
from carom.narrow.compound import alone
from carom.narrow.compound import answers as bodies
from carom.narrow.dispatch import (
    are_points,
    are_shapes,
    has_compound,
    of_records,
    points_or_shapes,
    readable,
    rows,
    shapes_of_both,
)
from carom.narrow.exact.hits import settle as settle_hit
from carom.narrow.exact.integers import decide_side
from carom.narrow.intersects import insides, is_inside, side_of_pair
from carom.narrow.manifold import Contact, manifold_of_pair
from carom.narrow.many import answer_many, both_turn, only_ray_hit, ray_rows
from carom.narrow.pairs.discs import UNDECIDED
from carom.narrow.rows.contact import ContactColumns
from carom.narrow.rows.rotating_cast import STILL, goes_straight, turn_and_pivot, turning_hit
from carom.narrow.rows.vertex_ids import own
from carom.narrow.separation import Closest, ClosestColumns, closest_of_pair, separation_of_pair
from carom.narrow.signed_distance import settle
from carom.shapes.basic import ConvexShape, Shape
from carom.shapes.compound import Compound
from carom.shapes.given import AnyShape, ManyShapes, OneShape, shapes_of, solid
from carom.shapes.proxy import RADIUS
from carom.shapes.set import Shapes
from carom.vector import Vec

# Kernels are asked at once for what most often comes; looking first would cost as much as half of an answer.
_side, _separation, _closest = of_records(side_of_pair), of_records(separation_of_pair), of_records(closest_of_pair)
_manifold, _cast = of_records(manifold_of_pair), of_records(cast_of_pair)

AnyPoints = PointLike | PointsLike
AnyNumbers = float | Sequence[float] | Floats


@overload
def intersects(a: OneShape, b: OneShape, *, touching: bool = True, threads: int = 1) -> bool: ...


@overload
def intersects(a: ManyShapes, b: AnyShape, *, touching: bool = True, threads: int = 1) -> Booleans: ...


@overload
def intersects(a: OneShape, b: ManyShapes, *, touching: bool = True, threads: int = 1) -> Booleans: ...


@typed_by_overloads
@told_by_name
def intersects(a: Any, b: Any, **options: Any) -> Any:
    """Tell whether two shapes touch or overlap.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
    touching : bool, default True
        Whether shapes that merely touch intersect. With False, only overlap counts: ``separation(a, b) < 0``.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    bool, or (n,) bool for sets
        Exactly right for every finite input, touching included.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape, or `touching` neither True nor False.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> left, right = cm.Box.from_corner((0, 0), (1, 1)), cm.Box.from_corner((1, 0), (1, 1))
    >>> cm.intersects(left, right), cm.intersects(left, right, touching=False)
    (True, False)
    """
    touching, threads = True, ONE
    if options:
        touching, threads = taken("intersects", intersects, options)
        touching, threads = inputs.truth("intersects", "touching", touching), checked("intersects", threads)
    try:
        answer = _side(a._record, b._record)
    except Exception:
        if are_shapes(a, b):
            raise
        if (found := shapes_of_both(a, b)) is not None:
            return intersects(*found, **options)
        known = alone.intersects(a, b)
        return answer_many("intersects", a, b, touching, threads) if known is None else known
    if answer == UNDECIDED:
        first, second = a._record, b._record
        answer = decide_side(first, 0, second, 0, 0.0, 0.0, first.item(RADIUS), second.item(RADIUS))
    return answer <= 0 if touching else answer < 0


@overload
def contains(shape: ManyShapes, other: AnyShape | AnyPoints, *, threads: int = 1) -> Booleans: ...


@overload
def contains(shape: OneShape, other: ManyShapes | PointsLike, *, threads: int = 1) -> Booleans: ...


@overload
def contains(shape: OneShape, other: OneShape | PointLike, *, threads: int = 1) -> bool: ...


@typed_by_overloads
@told_by_name
def contains(shape: Any, other: Any, **options: Any) -> Any:
    """Tell whether a shape contains a point, points, or another shape, boundary included.

    Parameters
    ----------
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
    other : a point (x, y), points (n, 2), a shape, or Shapes
        Many go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    bool, or (n,) bool where either is many
        Exactly right for every finite input, touching included.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `other` is neither shape nor points.
    ValueError
        If a point has the wrong length or is not finite, or the numbers of rows differ.

    Examples
    --------
    >>> triangle = cm.Polygon([(0, 0), (2, 0), (1, 2)])
    >>> cm.contains(triangle, (1, 1)), cm.contains(triangle, (2, 2))
    (True, False)
    >>> cm.contains(triangle, [(1, 0), (0, 1)])
    array([ True, False])
    >>> cm.contains(cm.Circle((1, 1), 3), triangle)
    True
    """
    threads = ONE
    if options:
        threads = checked("contains", *taken("contains", contains, options))
    if type(shape) is Compound and inputs.is_pair(other):
        known = alone.contains(shape, *inputs.point("contains", "other", other))
        if known is not None:
            return known
    shape = shape if isinstance(shape, ConvexShape) else shapes_of("contains", "shape", shape)
    other = other if isinstance(other, (Shape, Shapes)) else points_or_shapes("contains", "other", other)
    many = isinstance(shape, Shapes) or isinstance(other, Shapes)
    if has_compound(shape, other):
        inside = bodies.contains(shape, other, threads)
        return inside if many else inside.item(0)
    if many:
        return insides(rows("contains", ("shape", "other"), shape, other), threads)
    return is_inside(shape._record, other._record)


@overload
def separation(a: OneShape, b: OneShape, *, threads: int = 1) -> float: ...


@overload
def separation(a: ManyShapes, b: AnyShape, *, threads: int = 1) -> Floats: ...


@overload
def separation(a: OneShape, b: ManyShapes, *, threads: int = 1) -> Floats: ...


@typed_by_overloads
@told_by_name
def separation(a: Any, b: Any, **options: Any) -> Any:
    """Return the signed separation of two shapes.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    float, or (n,) float64 for sets
        The distance where they are apart; exactly 0.0 where they touch; minus the depth of the minimum translation
        vector where they overlap. The same for (a, b) and (b, a) to the last bit.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Notes
    -----
    One walk around the Minkowski difference of the two cores, less both radii. The sign is exact: where rounding
    cannot tell, expansion arithmetic does (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
    Geometric Predicates").

    Examples
    --------
    >>> cm.separation(cm.Circle((0, 0), 1), cm.Circle((5, 0), 2))
    2.0
    >>> cm.separation(cm.Box((0, 0), (2, 2)), cm.Box((1.5, 0), (2, 2)))
    -0.5
    """
    threads = ONE
    if options:
        threads = checked("separation", *taken("separation", separation, options))
    try:
        signed, undecided = _separation(a._record, b._record)
    except Exception:
        if are_shapes(a, b):
            raise
        if (found := shapes_of_both(a, b)) is not None:
            return separation(*found, **options)
        known = alone.separation(a, b)
        return answer_many("separation", a, b, threads) if known is None else known
    return settle(readable(a), readable(b), signed) if undecided else signed


@overload
def distance(a: OneShape, b: OneShape, *, threads: int = 1) -> float: ...


@overload
def distance(a: ManyShapes, b: AnyShape, *, threads: int = 1) -> Floats: ...


@overload
def distance(a: OneShape, b: ManyShapes, *, threads: int = 1) -> Floats: ...


@typed_by_overloads
@told_by_name
def distance(a: Any, b: Any, **options: Any) -> Any:
    """Return the distance of two shapes: their separation, never below 0.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    float, or (n,) float64 for sets
        0.0 exactly where they touch or overlap.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> cm.distance(cm.Point((3, 4)), cm.Point((0, 0)))
    5.0
    """
    threads = ONE
    if options:
        threads = checked("distance", *taken("distance", distance, options))
    try:
        separation, undecided = _separation(a._record, b._record)
    except Exception:
        if are_shapes(a, b):
            raise
        if (found := shapes_of_both(a, b)) is not None:
            return distance(*found, **options)
        known = alone.separation(a, b, False)
        return answer_many("distance", a, b, threads) if known is None else known
    return max(0.0, settle(readable(a), readable(b), separation) if undecided else separation)


@overload
def closest(a: OneShape, b: OneShape, *, threads: int = 1) -> Closest: ...


@overload
def closest(a: ManyShapes, b: AnyShape, *, threads: int = 1) -> ClosestColumns: ...


@overload
def closest(a: OneShape, b: ManyShapes, *, threads: int = 1) -> ClosestColumns: ...


@typed_by_overloads
@told_by_name
def closest(a: Any, b: Any, **options: Any) -> Any:
    """Return the separation of two shapes with its normal and its two points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Closest, or ClosestColumns for sets
        Named tuple (separation, normal, point_a, point_b); the normal points from A towards B, and
        ``point_b - point_a`` is ``normal * separation`` up to rounding.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Examples
    --------
    >>> found = cm.closest(cm.Circle((0, 0), 1), cm.Box((4, 0), (2, 2)))
    >>> found.separation, found.point_a, found.point_b
    (2.0, Vec(1.0, 0.0), Vec(3.0, 0.0))
    """
    threads = ONE
    if options:
        threads = checked("closest", *taken("closest", closest, options))
    try:
        separation, undecided, nx, ny, ax, ay, bx, by = _closest(a._record, b._record)
    except Exception:
        if are_shapes(a, b):
            raise
        if (found := shapes_of_both(a, b)) is not None:
            return closest(*found, **options)
        return answer_many("closest", a, b, threads)
    if undecided:
        separation = settle(readable(a), readable(b), separation)
    return new(Closest, (separation, new(Vec, (nx, ny)), new(Vec, (ax, ay)), new(Vec, (bx, by))))


@overload
def collide(a: OneShape, b: OneShape, *, threads: int = 1) -> Contact | None: ...


@overload
def collide(a: ManyShapes, b: AnyShape, *, threads: int = 1) -> ContactColumns: ...


@overload
def collide(a: OneShape, b: ManyShapes, *, threads: int = 1) -> ContactColumns: ...


@typed_by_overloads
@told_by_name
def collide(a: Any, b: Any, **options: Any) -> Any:
    """Return how two shapes touch or overlap: normal, depth and contact points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
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
    threads = ONE
    if options:
        threads = checked("collide", *taken("collide", collide, options))
    if type(a) is Compound:  # told sooner than by a fault of the kernel
        return _collide_whole(a, b, threads)
    try:
        separation, nx, ny, undecided, count, x0, y0, depth0, a0, b0, x1, y1, depth1, a1, b1 = _manifold(
            a._record, b._record
        )
    except Exception:
        if are_shapes(a, b):
            raise
        return _collide_whole(a, b, threads)
    if undecided:
        separation = settle(readable(a), readable(b), separation)
    if separation > 0.0:
        return None
    if a._detail is not None or b._detail is not None:  # only then a shape may have numbers of its own
        a0, b0 = own(a, a0), own(b, b0)
        if count > 1:
            a1, b1 = own(a, a1), own(b, b1)
    normal, point = new(Vec, (nx, ny)), new(Vec, (x0, y0))
    if count == 1:
        return new(Contact, (normal, 0.0 - separation, (point,), (depth0,), ((a0, b0),)))
    points, depths = (point, new(Vec, (x1, y1))), (depth0, depth1)
    return new(Contact, (normal, 0.0 - separation, points, depths, ((a0, b0), (a1, b1))))


def _collide_whole(a: Any, b: Any, threads: int) -> Any:
    """Return the contact where not both are shapes of one part."""
    if (found := shapes_of_both(a, b)) is not None:
        return collide(*found, threads=threads)
    known = alone.collide(a, b)
    return answer_many("collide", a, b, threads) if known is None else known[0]


@overload
def cast(
    a: OneShape,
    b: OneShape,
    translation: PointLike,
    *,
    rotation: float = 0.0,
    pivot: PointLike | None = None,
    other_rotation: float = 0.0,
    other_pivot: PointLike | None = None,
    threads: int = 1,
) -> Hit | None: ...


@overload
def cast(
    a: ManyShapes,
    b: AnyShape,
    translation: AnyPoints,
    *,
    rotation: AnyNumbers = 0.0,
    pivot: AnyPoints | None = None,
    other_rotation: AnyNumbers = 0.0,
    other_pivot: AnyPoints | None = None,
    threads: int = 1,
) -> HitColumns: ...


@overload
def cast(
    a: OneShape,
    b: ManyShapes,
    translation: AnyPoints,
    *,
    rotation: AnyNumbers = 0.0,
    pivot: AnyPoints | None = None,
    other_rotation: AnyNumbers = 0.0,
    other_pivot: AnyPoints | None = None,
    threads: int = 1,
) -> HitColumns: ...


@typed_by_overloads
@told_by_name
def cast(
    a: Any,
    b: Any,
    translation: Any,
    *,
    rotation: Any = STILL,
    pivot: Any = None,
    other_rotation: Any = STILL,
    other_pivot: Any = None,
    threads: int = ONE,
    **unknown: Any,
) -> Any:
    """Return when shape `a`, moving by `translation` and turning by `rotation`, first touches `b`.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets, and shapes in lists, go row by row: n with n, or n with one.
    translation : (x, y)
        The whole motion, in length units; any length. For sets one for all, or one for each row, (n, 2).
    rotation : float, default 0
        The whole turn, in radians, counter-clockwise where y points up; several turns are fine, up to 2**20 radians.
        At the fraction t of the motion `a` has been turned by t * rotation and moved by t * translation. For sets one
        for all, or one for each row, (n,).
    pivot : (x, y), optional
        The point of the world, as it lies at the start, that the turn is about; it moves along with the translation.
        `a.position` if not given. For sets one for all, or one for each row, (n, 2).
    other_rotation : float, default 0
        The whole turn of `b`, which stands but for that, at the same time, in the same way. For sets one for all, or
        one for each row, (n,).
    other_pivot : (x, y), optional
        The point of the world that `b` turns about. `b.position` if not given.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Hit or None, or HitColumns for sets
        Named tuple (fraction, point, normal, overlapping); None if they do not meet. From a start apart, grazing is a
        hit. From a start in touch, it is a hit only if the motion goes deeper; leaving and sliding never are. From a
        start in overlap, it is a hit at fraction 0 if the motion closes along the normal of the least way out.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape, `translation` or `pivot` no pair of numbers, or `rotation` no number.
    ValueError
        If one of these is not finite, the turn too large, or the numbers of rows differ.

    Notes
    -----
    Without rotation a closed form: the origin as a ray against the Minkowski difference, rounded by both radii. Whether
    there is a hit is decided exactly; nothing is passed through at any speed.

    With rotation conservative advancement: steps that are proved free of contact, until the shapes are nearer than a
    tolerance: 1e-12 of the smaller size, or what rounding takes where that is more (docs/design/turning.md). A hit is
    never late, and early by at most that distance. A start in touch is blocked where the motion goes deeper, and a
    start in overlap where it goes deeper than at the start, be it at once (fraction 0) or later; once clear, both are
    starts apart.

    Examples
    --------
    >>> hit = cm.cast(cm.Circle((0, 0), 1), cm.Box((10, 0), (2, 2)), (16, 0))
    >>> hit.fraction, hit.point, hit.normal
    (0.5, Vec(9.0, 0.0), Vec(-1.0, 0.0))

    A door, hinged at the origin, opens by a quarter turn and meets a ball half way:

    >>> door, ball = cm.Segment((0, 0), (2, 0)), cm.Circle((0, 1), 0.5**0.5)
    >>> hit = cm.cast(door, ball, (0, 0), rotation=1.5707963267948966, pivot=(0, 0))
    >>> round(hit.fraction, 9)
    0.5
    """
    if threads is not ONE:
        checked("cast", threads)
    if unknown:
        refuse_keywords("cast", cast, unknown)
    if other_rotation is not STILL or other_pivot is not None:
        return both_turn(solid(a), solid(b), translation, rotation, pivot, other_rotation, other_pivot, threads)
    if rotation is not STILL or pivot is not None:
        a, b = solid(a), solid(b)
        if not are_shapes(a, b):
            return answer_many("cast", a, b, translation, rotation, pivot, threads)
        (mx, my), (turn, px, py) = inputs.point("cast", "translation", translation), turn_and_pivot(a, rotation, pivot)
        if not goes_straight(a._record, 0, turn, (px, py)):
            answer = turning_hit(readable(a), readable(b), mx, my, turn, px, py)
            hit, overlapping, fraction, nx, ny, x, y = answer
            return Hit(fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), overlapping) if hit else None
    try:
        first, second = a._record, b._record
        mx, my = inputs.point("cast", "translation", translation)
        hit, undecided, overlapping, fraction, nx, ny, x, y = found = _cast(first, second, mx, my)
    except Exception:
        if are_shapes(a, b):
            raise
        if (both := shapes_of_both(a, b)) is not None:
            return cast(*both, translation, rotation=rotation, pivot=pivot, threads=threads)
        known = alone.cast(a, b, translation)
        return answer_many("cast", a, b, translation, rotation, pivot, threads) if known is None else known[0]
    if undecided:
        hit, _, overlapping, fraction, nx, ny, x, y = settle_hit(readable(a), readable(b), mx, my, found)
        nx, ny = nx + 0.0, ny + 0.0
    return new(Hit, (fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), overlapping)) if hit else None


@overload
def raycast(origin: PointsLike, translation: AnyPoints, shape: AnyShape, *, threads: int = 1) -> RayHitColumns: ...


@overload
def raycast(origin: PointLike, translation: PointsLike, shape: AnyShape, *, threads: int = 1) -> RayHitColumns: ...


@overload
def raycast(origin: PointLike, translation: PointLike, shape: ManyShapes, *, threads: int = 1) -> RayHitColumns: ...


@overload
def raycast(origin: PointLike, translation: PointLike, shape: OneShape, *, threads: int = 1) -> RayHit | None: ...


@typed_by_overloads
@told_by_name
def raycast(origin: Any, translation: Any, shape: Any, *, threads: int = ONE, **unknown: Any) -> Any:
    """Return where a ray first meets a shape.

    Parameters
    ----------
    origin : (x, y), (n, 2), or an array (..., 2)
        Where the ray starts.
    translation : (x, y), (n, 2), or an array (..., 2)
        From the origin to the ray's end, in length units. Answers to arrays of more dimensions have their leading
        shape, both broadcast together: (200, 1, 2) and (64, 2) give (200, 64).
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Many go row by row: ray k against shape k, n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    RayHit or None, or RayHitColumns where anything is many
        Named tuple (fraction, distance, point, normal, shape, overlapping); None if the ray misses. Grazing is a hit.
        A start inside is a hit at fraction 0. A start on the surface is a hit only if the ray goes inward.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `origin` or `translation` is no pair of numbers.
    ValueError
        If `origin` or `translation` is not finite, or the numbers of rows differ.

    Examples
    --------
    >>> hit = cm.raycast((0, 0), (10, 0), cm.Circle((5, 0), 1))
    >>> hit.fraction, hit.distance, hit.point, hit.normal
    (0.4, 4.0, Vec(4.0, 0.0), Vec(-1.0, 0.0))
    """
    if threads is not ONE:
        checked("raycast", threads)
    if unknown:
        refuse_keywords("raycast", raycast, unknown)
    numbers = inputs.plain_pairs(origin, translation)
    if numbers is None or not isinstance(shape, ConvexShape):
        shape = shapes_of("raycast", "shape", shape)
        one = inputs.is_pair(origin) and inputs.is_pair(translation)  # a quick look, and most often enough
        if isinstance(shape, Shapes) or not (one or not (are_points(origin) or are_points(translation))):
            return ray_rows(origin, translation, shape, threads)
        start = inputs.point("raycast", "origin", origin)
        way = inputs.point("raycast", "translation", translation)
        if isinstance(shape, Compound):
            known = alone.raycast(*start, *way, shape)
            return only_ray_hit(ray_rows(start, way, shape, threads), shape) if known is None else known[0]
        numbers = *start, *way
    x, y, mx, my = numbers
    found = ray_of_pair(x, y, mx, my, shape._record)
    if found[1]:
        found = settled_ray(x, y, mx, my, shape, found)
    hit, _, overlapping, fraction, distance, nx, ny, px, py = found
    if not hit:
        return None
    return new(RayHit, (fraction, distance, new(Vec, (px, py)), new(Vec, (nx, ny)), shape, overlapping))
