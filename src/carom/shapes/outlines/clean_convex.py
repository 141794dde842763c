"""Cleaning of a convex outline: from the points a user gave to a strictly convex, counter-clockwise one.

In: pairs of finite floats in order round the outline, any winding, closed or not, with repeated and collinear points.
Out: the numbers of the points to keep, counter-clockwise, the first kept one of the input first. Every turn is decided
exactly. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from carom._core.types import Floats
from carom.tolerances import EPSILON, SMALLEST_SQUARE
from carom.vector import Point2

_FILTER = 4.0 * EPSILON  # over twice Shewchuk's bound (1.5 + 4 eps) eps, 1997, for the determinant below
_DROP = 8.0 * EPSILON  # times the largest coordinate: most that rounding three turned vertices does to a straight edge


def orientation(a: Point2, b: Point2, c: Point2) -> int:
    """Return the exact sign of the turn a, b, c: 1 counter-clockwise, -1 clockwise, 0 on one line."""
    return turn_sign(a, b, a, c)


def turn_sign(a: Point2, b: Point2, c: Point2, d: Point2) -> int:
    """Return the exact sign of the turn from the direction a to b to the direction c to d: 1 counter-clockwise."""
    ex, ey, fx, fy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    left, right = ex * fy, ey * fx
    determinant, magnitude = left - right, abs(left) + abs(right)
    if magnitude > SMALLEST_SQUARE and abs(determinant) > _FILTER * magnitude:
        return 1 if determinant > 0.0 else -1
    if (ex == 0.0 or fy == 0.0) and (ey == 0.0 or fx == 0.0):  # a difference is 0 only where it is exact
        return 0
    first, second = Fraction(b[0]) - Fraction(a[0]), Fraction(b[1]) - Fraction(a[1])
    exact = first * (Fraction(d[1]) - Fraction(c[1])) - second * (Fraction(d[0]) - Fraction(c[0]))
    return (exact > 0) - (exact < 0)


def doubled_areas(a: Point2, b: Point2, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return twice the area of each triangle a, b, (x, y), and bounds of the errors; a bound is inf where unknown."""
    left, right = (b[0] - a[0]) * (y - a[1]), (b[1] - a[1]) * (x - a[0])
    magnitude = abs(left) + abs(right)
    return left - right, np.where(magnitude > SMALLEST_SQUARE, _FILTER * magnitude, np.inf)


AABB = tuple[float, float, float, float]
"""Least x and y, greatest x and y."""


def box_around(points: Sequence[Point2]) -> AABB:
    """Return the box along the axes that just holds points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def boxes_touch(a: AABB, b: AABB) -> bool:
    """Tell whether two boxes have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def clean_outline(points: Sequence[Point2]) -> list[int]:
    """Return the numbers of the points that make a strictly convex, counter-clockwise outline.

    Repeated points and points on a straight edge go. A point that turns inward by no more than rounding goes too: the
    boundary moves by at most 8 eps times the largest coordinate.

    Raises
    ------
    ValueError
        Fewer than three distinct points, no area, concave, or crossing itself. The text has no caller's name.
    """
    if _is_clean(points):
        return list(range(len(points)))
    kept = [i for i, p in enumerate(points) if p != points[i - 1]] or [0]
    distinct = len(set(points))
    if distinct < 3:
        hint = ("", "; for one use Point", "; for two use Segment")[distinct]
        raise ValueError(f"vertices must hold at least three distinct points, not {distinct}{hint}")
    winding = winding_sign(points, kept)
    if winding == 0:
        if _on_one_line(points, kept):
            raise ValueError("vertices have no area: all points lie on one line; for a line use Segment")
        raise ValueError("vertices cross or retrace their own outline; a convex outline goes round once")
    if winding < 0:
        kept = kept[:1] + kept[:0:-1]
    dropped: dict[int, int] = {}
    kept = _drop_straight(points, kept, dropped)
    _check_dropped(points, kept, dropped)
    if _revolutions(points, kept) != 1:
        raise ValueError("vertices go round more than once; a convex outline goes round once")
    return kept


def _is_clean(points: Sequence[Point2]) -> bool:
    """Tell whether nothing is to be done: every turn is to the left beyond doubt, and the outline goes round once."""
    if len(points) < 3:
        return False
    (x, y), (last_x, last_y) = points[-1], points[-2]
    ex, ey = x - last_x, y - last_y
    was_up, ups = ey > 0.0 or (ey == 0.0 and ex > 0.0), 0
    for here_x, here_y in points:
        fx, fy = here_x - x, here_y - y
        left, right = ex * fy, ey * fx
        if not left - right > _FILTER * (abs(left) + abs(right)) > _FILTER * SMALLEST_SQUARE:
            return False
        up = fy > 0.0 or (fy == 0.0 and fx > 0.0)
        ups += up and not was_up
        x, y, ex, ey, was_up = here_x, here_y, fx, fy, up
    return ups == 1


def winding_sign(points: Sequence[Point2], kept: list[int]) -> int:
    """Return the exact sign of the area that the outline goes round."""
    ox, oy = points[kept[0]]
    total = magnitude = 0.0
    for here, after in zip(kept, kept[1:] + kept[:1], strict=True):
        left = (points[here][0] - ox) * (points[after][1] - oy)
        right = (points[here][1] - oy) * (points[after][0] - ox)
        total += left - right
        magnitude += abs(left) + abs(right)
    if magnitude > SMALLEST_SQUARE and abs(total) > (len(kept) + 4) * EPSILON * magnitude:
        return 1 if total > 0.0 else -1
    exact = [(Fraction(points[i][0]), Fraction(points[i][1])) for i in kept]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(exact, exact[1:] + exact[:1], strict=True))
    return (area > 0) - (area < 0)


def _on_one_line(points: Sequence[Point2], kept: list[int]) -> bool:
    first, second = points[kept[0]], points[kept[1]]
    return all(orientation(first, second, points[i]) == 0 for i in kept)


def _drop_straight(points: Sequence[Point2], kept: list[int], dropped: dict[int, int]) -> list[int]:
    """Return `kept` without the points that do not turn left; `dropped` gets each one and its neighbour.

    No point that goes takes area with it: at least a triangle is left.
    """
    reach = _DROP * max(max(abs(points[i][0]), abs(points[i][1])) for i in kept)

    def going(before: int, here: int, after: int) -> int | None:
        p, v, n = points[kept[before]], points[kept[here]], points[kept[after]]
        turn = orientation(p, v, n)
        if turn > 0:
            return None
        between = turn == 0 and min(p, n) <= v <= max(p, n)  # on a line, order by (x, y) is order along it
        if not between and _distance(v, p, n) > reach:
            raise ValueError(_not_convex(points, kept, kept[here]))
        dropped[kept[here]] = kept[before]
        return here

    return thinned(kept, going)


def thinned(rows: list[int], going: Callable[[int, int, int], int | None]) -> list[int]:
    """Return the rows of a ring that stay; `going` says which place goes, of three in a row, or None.

    It is asked again about a place when one of its neighbours goes, so the work is linear in the number of rows. Two
    rows stay at least.
    """
    count = left = len(rows)
    before, after = [count - 1, *range(count - 1)], [*range(1, count), 0]
    gone = [False] * count
    waiting = list(range(count - 1, -1, -1))
    while waiting and left > 2:
        place = waiting.pop()
        last = None if gone[place] else going(before[place], place, after[place])
        if last is not None:
            gone[last] = True
            left -= 1
            after[before[last]], before[after[last]] = after[last], before[last]
            waiting += [after[last], before[last]]
    return [row for row, is_gone in zip(rows, gone, strict=True) if not is_gone]


def _check_dropped(points: Sequence[Point2], kept: list[int], dropped: dict[int, int]) -> None:
    """Refuse an outline where many small drops have added up to a large one."""
    if not dropped:
        return
    reach = 2.0 * _DROP * max(max(abs(points[i][0]), abs(points[i][1])) for i in kept)
    after = dict(zip(kept, kept[1:] + kept[:1], strict=True))
    for i, edge in dropped.items():
        while edge not in after:
            edge = dropped[edge]
        if _distance(points[i], points[edge], points[after[edge]]) > reach:
            raise ValueError(_not_convex(points, list(range(len(points))), i))


def _distance(v: Point2, p: Point2, n: Point2) -> float:
    """Return the distance from `v` to the segment from `p` to `n`, to a few roundings."""
    ex, ey = n[0] - p[0], n[1] - p[1]
    length = math.hypot(ex, ey)
    if length == 0.0:
        return math.hypot(v[0] - p[0], v[1] - p[1])
    ex, ey = ex / length, ey / length
    along = (v[0] - p[0]) * ex + (v[1] - p[1]) * ey
    if along <= 0.0:
        return math.hypot(v[0] - p[0], v[1] - p[1])
    if along >= length:
        return math.hypot(v[0] - n[0], v[1] - n[1])
    return abs((v[0] - p[0]) * ey - (v[1] - p[1]) * ex)


def _not_convex(points: Sequence[Point2], outline: list[int], i: int) -> str:
    turned = 0.0
    loop = [points[k] for k in outline]
    for a, b, c in zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True):
        into, out = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
        size = max(map(abs, into + out)) or 1.0
        into, out = (into[0] / size, into[1] / size), (out[0] / size, out[1] / size)
        turned += math.atan2(into[0] * out[1] - into[1] * out[0], into[0] * out[0] + into[1] * out[1])
    if abs(abs(turned) - 2.0 * math.pi) > 0.1:
        return f"vertices[{i}] = {points[i]} is on an outline that crosses itself; a convex outline goes round once"
    return f"vertices[{i}] = {points[i]} turns inward; cut a concave outline into convex parts with decompose"


def _revolutions(points: Sequence[Point2], kept: list[int]) -> int:
    """Return how often the edges' direction goes round, where every turn is to the left by less than a half."""
    up = []
    for here, after in zip(kept, kept[1:] + kept[:1], strict=True):
        a, b = points[here], points[after]
        up.append(b[1] > a[1] or (b[1] == a[1] and b[0] > a[0]))
    return sum(now and not last for last, now in zip(up[-1:] + up[:-1], up, strict=True))
