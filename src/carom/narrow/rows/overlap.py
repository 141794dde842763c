"""Yes or no for sets of one kind: one branch-free formula a row, over contiguous columns.

In: the columns of two sets of discs, AABBs or OBBs without radius. Out: for each row -1 overlap, 0 touch, 1 apart, or
UNDECIDED where the answer lies inside its error bound; `intersects` has those few rows decided exactly. The loops have
no branches, so the compiler turns them into vector instructions. Each fills the sides of the rows from `begin` on.

An OBB is its stored corners; centre, half extents and axes are read off them and rounded, which the bounds include.
Source of the box test: S. Gottschalk, M. Lin, D. Manocha, "OBBTree" (1996), in two dimensions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.threads import in_parts
from carom._core.types import Columns, Sides
from carom.shapes.basic import Shape
from carom.shapes.proxy import AABB, DISC, OBB
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND, SMALLEST_SQUARE, SQUARE_BAND

UNDECIDED = 2


@inner
def side_of_discs(dx: float, dy: float, reach: float) -> int:
    """Return the side of two discs, from the difference of their centres and the sum of their radii."""
    squared, limit = dx * dx + dy * dy, reach * reach
    decided = abs(squared - limit) > SQUARE_BAND * limit and max(squared, limit) > SMALLEST_SQUARE
    return (1 if squared > limit else -1) if decided else UNDECIDED


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


_FORMS: dict[tuple[float, float], Callable[[Columns, Columns, int, Sides], None]] = {
    (DISC, DISC): _discs,
    (AABB, AABB): _aabbs,
    (DISC, AABB): _discs_aabbs,
    (DISC, OBB): _discs_obbs,
    (AABB, OBB): _aabbs_obbs,
    (OBB, OBB): _obbs,
}


def closed_form_sides(a: Shape | Shapes, b: Shape | Shapes, count: int, threads: int) -> Sides | None:
    """Return the side of every row of two sets of `count` rows or one, or None if there is no closed form for them."""
    (kind_a, columns_a), (kind_b, columns_b) = columns_of(a), columns_of(b)
    if kind_a < 0.0 or kind_b < 0.0:
        return None
    if kind_a > kind_b:
        kind_a, columns_a, kind_b, columns_b = kind_b, columns_b, kind_a, columns_a
    sides = np.empty(count, dtype=np.int8)
    form, rows_a, rows_b = _FORMS[kind_a, kind_b], spread(columns_a, count), spread(columns_b, count)
    in_parts(threads, count, lambda begin, end: form(rows_a, rows_b, begin, sides[begin:end]))
    return sides


def columns_of(shapes: Shape | Shapes) -> tuple[float, Columns]:
    """Return kind and columns of a set with a closed form, or of one shape; a kind of -1 where there is none."""
    found = (shapes if isinstance(shapes, Shapes) else Shapes([shapes]))._columns_of_one_kind()
    return (-1.0, np.zeros((0, 1))) if found is None else found


def spread(columns: Columns, count: int) -> Columns:
    """Return the columns of one row as those of many."""
    return columns if columns.shape[1] == count else np.repeat(columns, count, axis=1)
