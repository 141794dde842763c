"""Whether two shapes touch or overlap, and whether one contains another: yes or no, right for every finite input.

In: records, as pairs or row by row, or two sets. Out: for each pair -1 overlap, 0 touch, 1 apart, or whether A contains
B. Shapes are closed sets: touching counts. A rounded answer is trusted only outside its error bound; inside it exact
arithmetic decides. World frame, user's units.

Sets of discs, AABBs or OBBs without radius are answered from their columns by one formula a row, without branches, so
that the compiler turns the loops into vector instructions. An OBB is its stored corners; centre, half extents and axes
are read off them and rounded, which the bounds include. Source of the box test: S. Gottschalk, M. Lin, D. Manocha,
"OBBTree" (1996), in two dimensions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from carom._core.jit import inner, kernel, uncounted_kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Columns, Floats, Integers, Sides
from carom.narrow.dispatch import Rows, rows
from carom.narrow.exact.double_double import decided_side, side_of_sharp
from carom.narrow.exact.integers import side_by_integers, side_of_touching_by_integers
from carom.narrow.exact.sign import side_of_touching
from carom.narrow.kinds import AABB_AND_OBB, AABBS, DISC_AND_AABB, DISC_AND_OBB, DISCS, OBBS, form_of, form_of_sets
from carom.narrow.pairs.aabb import side_of_aabbs
from carom.narrow.pairs.discs import UNDECIDED, side_of_discs
from carom.narrow.signed_distance import clearly_apart, clearly_overlapping, is_undecided, magnitude, separate_near
from carom.narrow.walk import walk
from carom.shapes.basic import ConvexShape
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND, SMALLEST_SQUARE, SQUARE_BAND


@kernel
def _discs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        out_sides[k] = side_of_discs(b[0, row] - a[0, row], b[1, row] - a[1, row], a[2, row] + b[2, row])


@kernel
def _aabbs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    # Corners are stored as they are, so comparing them decides.
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        gap = max(
            max(a[0, row] - b[2, row], b[0, row] - a[2, row]),
            max(a[1, row] - b[3, row], b[1, row] - a[3, row]),
        )
        # Not a choice of three: that the compiler would not turn into vector instructions.
        out_sides[k] = (1 if gap > 0.0 else 0) - (1 if gap < 0.0 else 0)


@kernel
def _discs_obbs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        dx, dy, radius = a[0, row] - b[0, row], a[1, row] - b[1, row], a[2, row]
        half_x, half_y, c, s = b[2, row], b[3, row], b[4, row], b[5, row]
        x = max(abs(c * dx + s * dy) - half_x, 0.0)
        y = max(abs(c * dy - s * dx) - half_y, 0.0)
        error = SIGN_BAND * (abs(dx) + abs(dy) + half_x + half_y + radius)
        squared, limit = x * x + y * y, radius * radius
        decided = abs(squared - limit) > 2.0 * error * (x + y + radius + error)
        out_sides[k] = (1 if squared > limit else -1) if decided else UNDECIDED


@kernel
def _discs_aabbs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    # Differences from the corners, which are stored as they are: a centre would be rounded, far from the origin by more
    # than the gap.
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        px, py, radius = a[0, row], a[1, row], a[2, row]
        gap_x, gap_y = max(b[0, row] - px, px - b[2, row]), max(b[1, row] - py, py - b[3, row])
        x, y = max(gap_x, 0.0), max(gap_y, 0.0)
        depth = max(max(radius, min(-gap_x, -gap_y)), 0.0)  # a centre inside overlaps without any radius
        squared, limit = x * x + y * y, depth * depth
        decided = abs(squared - limit) > SQUARE_BAND * limit and max(squared, limit) > SMALLEST_SQUARE
        out_sides[k] = (1 if squared > limit else -1) if decided else UNDECIDED


@kernel
def _aabbs_obbs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        # The way from the turned box's centre to the middle of the other, without rounding that middle.
        dx = ((a[0, row] - b[0, row]) + (a[2, row] - b[0, row])) * 0.5
        dy = ((a[1, row] - b[1, row]) + (a[3, row] - b[1, row])) * 0.5
        ax, ay = (a[2, row] - a[0, row]) * 0.5, (a[3, row] - a[1, row]) * 0.5
        bx, by, c, s = b[2, row], b[3, row], b[4, row], b[5, row]
        cosine, sine = abs(c), abs(s)
        gap = max(
            max(abs(dx) - (ax + (bx * cosine + by * sine)), abs(dy) - (ay + (bx * sine + by * cosine))),
            max(
                abs(c * dx + s * dy) - (bx + (ax * cosine + ay * sine)),
                abs(c * dy - s * dx) - (by + (ax * sine + ay * cosine)),
            ),
        )
        error = SIGN_BAND * (abs(dx) + abs(dy) + ax + ay + bx + by)
        out_sides[k] = (1 if gap > 0.0 else -1) if abs(gap) > error else UNDECIDED


@kernel
def _obbs(a: Columns, b: Columns, begin: int, out_sides: Sides) -> None:
    first = max(begin, 0)
    for k in range(out_sides.shape[0]):
        row = first + k
        dx, dy = b[0, row] - a[0, row], b[1, row] - a[1, row]
        ax, ay, ac, asn = a[2, row], a[3, row], a[4, row], a[5, row]
        bx, by, bc, bsn = b[2, row], b[3, row], b[4, row], b[5, row]
        # Cosine and sine of the angle between the boxes; each axis: distance of centres against projected extents.
        cosine, sine = abs(ac * bc + asn * bsn), abs(ac * bsn - asn * bc)
        gap = max(
            max(
                abs(ac * dx + asn * dy) - (ax + (bx * cosine + by * sine)),
                abs(ac * dy - asn * dx) - (ay + (bx * sine + by * cosine)),
            ),
            max(
                abs(bc * dx + bsn * dy) - (bx + (ax * cosine + ay * sine)),
                abs(bc * dy - bsn * dx) - (by + (ax * sine + ay * cosine)),
            ),
        )
        error = SIGN_BAND * (abs(dx) + abs(dy) + ax + ay + bx + by)
        out_sides[k] = (1 if gap > 0.0 else -1) if abs(gap) > error else UNDECIDED


_LOOPS: dict[int, Callable[[Columns, Columns, int, Sides], None]] = {
    DISCS: _discs,
    AABBS: _aabbs,
    OBBS: _obbs,
    DISC_AND_AABB: _discs_aabbs,
    DISC_AND_OBB: _discs_obbs,
    AABB_AND_OBB: _aabbs_obbs,
}


def closed_form_sides(a: ConvexShape | Shapes, b: ConvexShape | Shapes, count: int, threads: int) -> Sides | None:
    """Return the side of every row of two sets of `count` rows or one, or None if there is no closed form for them."""
    form = form_of_sets(a, b, False)
    if form is None:
        return None
    sides = np.empty(count, dtype=np.int8)
    loop, rows_a, rows_b = _LOOPS[form.form], _spread(form.a, count), _spread(form.b, count)
    in_parts(threads, count, lambda begin, end: loop(rows_a, rows_b, begin, sides[begin:end]))
    return sides


def _spread(columns: Columns, count: int) -> Columns:
    """Return the columns of one row as those of many."""
    return columns if columns.shape[1] == count else np.repeat(columns, count, axis=1)


_FIRST = np.zeros(1, dtype=np.int64)


@kernel
def side(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if two shapes overlap, 0 if they exactly touch, 1 if they are apart, or UNDECIDED."""
    reach = a[i + RADIUS] + b[j + RADIUS]
    form = form_of(a, i, b, j)
    if form == DISCS:
        return side_of_discs(b[j + X] - a[i + X], b[j + Y] - a[i + Y], reach)
    if form == AABBS and reach == 0.0:
        return side_of_aabbs(a, i, b, j)
    # The sign alone is told sooner than the distance, and exactly, by the first edge that keeps the two apart.
    fewer, more = min(a[i + COUNT], b[j + COUNT]), max(a[i + COUNT], b[j + COUNT])
    if form != OBBS and reach == 0.0 and fewer > 1.0 and more > 2.0:
        return side_of_sharp(a, i, b, j)
    found = separate_near(a, i, b, j)
    if found[6]:
        return UNDECIDED
    return 1 if found[0] > 0.0 else -1


@kernel
def side_of_pair(a: Floats, b: Floats) -> int:
    """Return the side of two records."""
    return side(a, 0, b, 0)


@uncounted_kernel
def _sides_of_rows(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    for row in range(out_sides.shape[0]):
        i, j = starts_a[row], starts_b[row]
        # Circles around and circles inside settle most rows. Of one pair they would save less than it takes to call.
        if clearly_apart(a, i, b, j):
            out_sides[row] = 1
        elif clearly_overlapping(a, i, b, j):
            out_sides[row] = -1
        else:
            out_sides[row] = side(a, i, b, j)


@uncounted_kernel
def _settle_sides(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    for row in range(out_sides.shape[0]):
        if out_sides[row] == UNDECIDED:
            out_sides[row] = decided_side(a, starts_a[row], b, starts_b[row])


@inner
def set_core_point(point: Floats, b: Floats, j: int, number: int) -> None:
    """Make `point` the record of one core point of B."""
    place = j + POINTS + STRIDE * number
    point[X], point[Y] = b[j + X], b[j + Y]
    point[POINTS], point[POINTS + 1] = b[place], b[place + 1]


@kernel
def _insides_of_rows(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    """Write -1 where B lies within A, 1 where it does not, or UNDECIDED."""
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        i, j = starts_a[row], starts_b[row]
        # B, a core grown by a radius, lies within A just when each of its core points, grown by that radius, does.
        margin = b[j + RADIUS]
        answer = -1
        for k in range(int(b[j + COUNT])):
            set_core_point(point, b, j, k)
            distance, radius = walk(point, 0, a, i)[0], a[i + RADIUS] - margin
            if is_undecided(distance, radius, SIGN_BAND * (magnitude(point, 0, a, i) + margin)):
                answer = UNDECIDED
            elif distance > radius:
                answer = 1
                break
        out_sides[row] = answer


@kernel
def _settle_insides(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, out_sides: Sides) -> None:
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for row in range(out_sides.shape[0]):
        if out_sides[row] == UNDECIDED:
            i, j = starts_a[row], starts_b[row]
            answer = -1
            for k in range(int(b[j + COUNT])):
                set_core_point(point, b, j, k)
                side = side_of_touching(point, 0, a, i, 0.0, 0.0, a[i + RADIUS], -b[j + RADIUS])
                answer = max(answer, side)
                if side == 1:
                    answer = 1
                    break
            out_sides[row] = answer


def _inside_by_integers(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return -1 if B lies within A, 1 if it does not, where numbers lie too far apart for expansions."""
    point = np.zeros(POINTS + STRIDE)
    point[COUNT] = 1.0
    for k in range(int(b[j + COUNT])):
        set_core_point(point, b, j, k)
        if side_by_integers(point, 0, a, i, 0.0, 0.0, float(a[i + RADIUS]), -float(b[j + RADIUS])) > 0:
            return 1
    return -1


def _in_parts(threads: int, loop: Callable[..., None], pairs: Rows, sides: Sides) -> None:
    in_parts(threads, sides.size, lambda begin, end: loop(*pairs.part(begin, end), sides[begin:end]))


def _settle(
    pairs: Rows, threads: int, sides: Sides, loop: Callable[..., None], by_integers: Callable[..., int]
) -> None:
    """Decide what rounding may hide: by a loop with expansions, what is beyond these by whole numbers."""
    if (sides == UNDECIDED).any():
        _in_parts(threads, loop, pairs, sides)
    for row in np.flatnonzero(sides == UNDECIDED).tolist():
        sides[row] = by_integers(pairs.a, pairs.starts_a[row], pairs.b, pairs.starts_b[row])


def insides(pairs: Rows, threads: int) -> Booleans:
    """Tell for each row whether A contains B."""
    sides = np.empty(pairs.starts_a.size, dtype=np.int8)
    _in_parts(threads, _insides_of_rows, pairs, sides)
    _settle(pairs, threads, sides, _settle_insides, _inside_by_integers)
    return sides <= 0


def is_inside(a: Floats, b: Floats) -> bool:
    """Tell whether one shape contains another, from their records."""
    one = Rows(a, _FIRST, b, _FIRST)
    side = np.empty(1, dtype=np.int8)
    _insides_of_rows(*one, side)
    answer = side.item(0)
    return bool(insides(one, 1)[0]) if answer == UNDECIDED else answer <= 0


def sides_of_rows(pairs: Rows, threads: int, sides: Sides | None = None) -> Sides:
    """Return for each pair -1 overlap, 0 touch, 1 apart, exactly; `sides` may bring what is known already."""
    if sides is None:
        sides = np.empty(pairs.starts_a.size, dtype=np.int8)
        _in_parts(threads, _sides_of_rows, pairs, sides)
    _settle(pairs, threads, sides, _settle_sides, side_of_touching_by_integers)
    return sides


def intersecting_rows(a: ConvexShape | Shapes, b: ConvexShape | Shapes, touching: bool, threads: int) -> Booleans:
    """Tell for each row whether two sets, or a set and one shape, intersect."""
    pairs = rows("intersects", ("a", "b"), a, b)
    sides = sides_of_rows(pairs, threads, closed_form_sides(a, b, pairs.starts_a.size, threads))
    return sides <= 0 if touching else sides < 0
