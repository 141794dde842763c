"""The same exact questions in whole numbers of any length, for sizes too far apart for products of float64.

In: two records, a motion of A, a radius as two terms. Out: the answers of `sign.side_of_touching` and of
`sign.path_touches`; and, of whole numbers or fractions, how the distance of a segment from an outline compares with a
radius. Every float64 is a whole number times a power of two, so one common power makes all of them whole and nothing
is ever lost. Slow (up to a millisecond), and needed only where the numbers of one pair lie more than about 1e125 apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from carom.narrow.exact.sign import BEYOND, path_touches, side_of_touching
from carom.shapes.hull import cross, edges, hull_of
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y

Whole = tuple[int, int]
Place = tuple[Any, Any]  # whole numbers, or fractions


def decide_side(a: Any, i: int, b: Any, j: int, mx: float, my: float, first: float, second: float) -> int:
    """Return the exact sign of (signed distance of core A, moved by m, from core B) - (first + second)."""
    side = side_of_touching(a, i, b, j, mx, my, first, second)
    return side_by_integers(a, i, b, j, mx, my, first, second) if side == BEYOND else side


def decide_path(a: Any, i: int, b: Any, j: int, mx: float, my: float) -> bool:
    """Tell whether A, apart from B, touches it anywhere along the motion m, its end included."""
    answer = path_touches(a, i, b, j, mx, my)
    return path_by_integers(a, i, b, j, mx, my) if answer == BEYOND else answer == 1


def side_by_integers(a: Any, i: int, b: Any, j: int, mx: float, my: float, first: float, second: float) -> int:
    """Return the exact sign of (signed distance of core A, moved by m, from core B) - (first + second)."""
    outline, _, radius = _whole(a, i, b, j, mx, my, first, second, moved=True)
    turns = [cross(p, q, (0, 0)) for p, q in edges(outline)]
    if len(outline) > 2 and min(turns) >= 0:
        if radius > 0:
            return -1
        # Inside or on the boundary: how does the nearest edge's line compare with the margin, which is -radius?
        return max(
            _sign(radius * radius * _dot(_minus(q, p), _minus(q, p)) - turn * turn)
            for (p, q), turn in zip(edges(outline), turns, strict=True)
        )
    if radius < 0:
        return 1
    return compare_outline((0, 0), (0, 0), outline, radius)


def side_of_touching_by_integers(a: Any, i: int, b: Any, j: int) -> int:
    """Return the exact side of two shapes as they stand: -1 overlap, 0 touch, 1 apart."""
    return side_by_integers(a, i, b, j, 0.0, 0.0, float(a[i + RADIUS]), float(b[j + RADIUS]))


def path_by_integers(a: Any, i: int, b: Any, j: int, mx: float, my: float) -> bool:
    """Tell whether A, apart from B, touches it anywhere along the motion m, its end included."""
    first, second = float(a[i + RADIUS]), float(b[j + RADIUS])
    outline, motion, radius = _whole(a, i, b, j, mx, my, first, second, moved=False)
    return compare_outline((0, 0), (-motion[0], -motion[1]), outline, radius) <= 0


def _whole(
    a: Any, i: int, b: Any, j: int, mx: float, my: float, first: float, second: float, moved: bool
) -> tuple[list[Whole], Whole, int]:
    """Return the outline of A - B, counter-clockwise, the motion and the radius in one common unit."""
    numbers = [mx, my, first, second, *_points(a, i), *_points(b, j)]
    ratios = [number.as_integer_ratio() for number in numbers]
    unit = max(bottom for _, bottom in ratios)
    whole = [top * (unit // bottom) for top, bottom in ratios]
    motion = (whole[0], whole[1])
    values = iter(whole[4:])
    cores = []
    for record, at in ((a, i), (b, j)):
        x, y = next(values), next(values)
        cores.append([(x + next(values), y + next(values)) for _ in range(int(record[at + COUNT]))])
    shift = motion if moved else (0, 0)
    differences = {(p[0] - q[0] + shift[0], p[1] - q[1] + shift[1]) for p in cores[0] for q in cores[1]}
    return hull_of(sorted(differences), cross), motion, whole[2] + whole[3]


def _points(record: Any, at: int) -> Iterable[float]:
    """Yield the origin and the core points of a record as plain floats."""
    yield float(record[at + X])
    yield float(record[at + Y])
    for k in range(int(record[at + COUNT])):
        place = at + POINTS + STRIDE * k
        yield float(record[place])
        yield float(record[place + 1])


def compare_outline(p: Place, q: Place, outline: list[Place], radius: Any) -> int:
    """Return the sign of (distance of the segment pq from the outline) - radius; both may be single points."""
    if len(outline) > 2 and all(cross(u, v, p) >= 0 for u, v in edges(outline)):
        return -1 if radius > 0 else 0
    if any(_meet(p, q, u, v) for u, v in edges(outline)):
        return -1 if radius > 0 else 0
    ends = [(end, u, v) for end in (p, q) for u, v in edges(outline)] + [(u, p, q) for u in outline]
    return min(compare_with_point(point, u, v, radius) for point, u, v in ends)


def compare_with_point(point: Place, u: Place, v: Place, radius: Any) -> int:
    """Return the sign of (distance of a point from the segment uv) - radius."""
    edge, away = _minus(v, u), _minus(point, u)
    along, length = _dot(edge, away), _dot(edge, edge)
    if 0 < along < length:
        return _sign(cross(u, v, point) ** 2 - radius * radius * length)
    nearest = away if along <= 0 else _minus(point, v)
    return _sign(_dot(nearest, nearest) - radius * radius)


def _meet(p: Place, q: Place, u: Place, v: Place) -> bool:
    """Tell whether two closed segments have a point in common."""
    corners = ((p, q, u), (p, q, v), (u, v, p), (u, v, q))
    turns = [_sign(cross(x, y, z)) for x, y, z in corners]
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    return any(turn == 0 and min(x, y) <= z <= max(x, y) for turn, (x, y, z) in zip(turns, corners, strict=True))


def _minus(p: Place, q: Place) -> Place:
    return p[0] - q[0], p[1] - q[1]


def _dot(p: Place, q: Place) -> Any:
    return p[0] * q[0] + p[1] * q[1]


def _sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)
