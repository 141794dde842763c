"""Two turned boxes, and a disc and a turned box: the walk written out, since the edges of a box come in pairs.

In: a box as its numbers (`Obb`), a disc as its centre. Out: what of the two is nearest, if that is clear beyond
rounding; what is not is left to the walk. World frame, user's units. Single pairs take the numbers from records, rows
from columns, and both ask the same functions.

The numbers are the stored corners and the stored normals of their edges, so nothing rests on a cosine: a needle whose
short edges rounding has turned is the shape that it is stored as. A box's corners and edges are numbered from 0 to 3,
counter-clockwise, edge k leaves corner k; corner, edge and normal k ^ 2 are those of k with the signs changed.
"""

from __future__ import annotations

import math

from carom._core.jit import inner
from carom._core.types import Columns, Floats
from carom.narrow.walk import EDGE_A, EDGE_B, VERTICES, unit
from carom.shapes.proxy import POINTS, STRIDE, X, Y
from carom.tolerances import FACE_BAND, SMALLEST_ROOT

# centre x, y; corner 0 and 1, relative to it; outward normals of edge 0 and 1
Obb = tuple[float, float, float, float, float, float, float, float, float, float]
Vector = tuple[float, float]

CLEAR, APART, UNCLEAR = 0, 1, 2

# one of the three above; distance, normal x and y, feature as in `walk`, number of A's and of B's edge or corner
Found = tuple[int, float, float, float, int, int, int]


@inner
def obb_of_record(a: Floats, i: int) -> Obb:
    """Return the numbers of a turned box from its record."""
    k = i + POINTS
    m = k + STRIDE
    return a[i + X], a[i + Y], a[k], a[k + 1], a[m], a[m + 1], a[k + 2], a[k + 3], a[m + 2], a[m + 3]


@inner
def obb_of_row(a: Columns, row: int) -> Obb:
    """Return the numbers of a turned box from a set's columns."""
    return (
        a[0, row],
        a[1, row],
        a[2, row],
        a[3, row],
        a[4, row],
        a[5, row],
        a[6, row],
        a[7, row],
        a[8, row],
        a[9, row],
    )


@inner
def corner(a: Obb, k: int) -> Vector:
    """Return corner k, relative to the centre."""
    return corner_at(a, k & 1 == 1, k & 2 == 2)


@inner
def normal(a: Obb, k: int) -> Vector:
    """Return the outward unit normal of edge k."""
    return normal_at(a, k & 1 == 1, k & 2 == 2)


@inner
def corner_at(a: Obb, odd: bool, back: bool) -> Vector:
    """Return the corner whose number is odd or even, and in the back half (2, 3) or not."""
    x, y = (a[4] if odd else a[2]), (a[5] if odd else a[3])
    return (0.0 - x if back else x), (0.0 - y if back else y)


@inner
def normal_at(a: Obb, odd: bool, back: bool) -> Vector:
    """Return the normal of the edge that leaves that corner."""
    x, y = (a[8] if odd else a[6]), (a[9] if odd else a[7])
    return (0.0 - x if back else x), (0.0 - y if back else y)


@inner
def length_of_edge(a: Obb, k: int) -> float:
    """Return the length of edge k, from its unit normal."""
    ax, ay = corner(a, k)
    bx, by = corner(a, k + 1)
    nx, ny = normal(a, k)
    return (by - ay) * nx - (bx - ax) * ny


@inner
def chosen(first: bool, a: Obb, b: Obb) -> Obb:
    """Return A or B, number by number, which takes no branch."""
    return (
        (a[0] if first else b[0]),
        (a[1] if first else b[1]),
        (a[2] if first else b[2]),
        (a[3] if first else b[3]),
        (a[4] if first else b[4]),
        (a[5] if first else b[5]),
        (a[6] if first else b[6]),
        (a[7] if first else b[7]),
        (a[8] if first else b[8]),
        (a[9] if first else b[9]),
    )


@inner
def is_second(a: Obb, b: Obb) -> bool:
    """Tell whether (A, B) is to be computed as (B, A): what `comes_second` tells of the records of two sharp boxes."""
    if a[0] != b[0]:
        return a[0] > b[0]
    one = (a[1], a[2], a[3], a[6], a[7], a[4], a[5], a[8], a[9])
    other = (b[1], b[2], b[3], b[6], b[7], b[4], b[5], b[8], b[9])
    for k in range(9):
        if one[k] != other[k]:
            return one[k] > other[k]
    return False


@inner
def extent(nx: float, ny: float, fx: float, fy: float, b: Obb, first: float, second: float) -> float:
    """Return how far two boxes together reach along a normal of A, with a minus; f is A's corner there.

    `first` and `second` are the cross products of that normal with B's normals 0 and 1.
    """
    x, y = corner_at(b, (first > 0.0) == (second <= 0.0), second > 0.0)
    return -(nx * (fx - x) + ny * (fy - y))


@inner
def farthest_axis(a: Obb, b: Obb) -> tuple[float, bool, bool, bool]:
    """Return the line through an edge that the other box is farthest beyond, or least far behind.

    Returns
    -------
    distance from it; whether it is an edge of A; whether its number is odd; whether it is in the back half (2, 3).
    """
    ox, oy = b[0] - a[0], b[1] - a[1]
    c00, c01 = a[6] * b[7] - a[7] * b[6], a[6] * b[9] - a[7] * b[8]
    c10, c11 = a[8] * b[7] - a[9] * b[6], a[8] * b[9] - a[9] * b[8]
    a0, a1, b0, b1 = a[6] * ox + a[7] * oy, a[8] * ox + a[9] * oy, b[6] * ox + b[7] * oy, b[8] * ox + b[9] * oy
    of_a0 = abs(a0) + extent(a[6], a[7], a[2], a[3], b, c00, c01)
    of_a1 = abs(a1) + extent(a[8], a[9], a[4], a[5], b, c10, c11)
    of_b0 = abs(b0) + extent(b[6], b[7], b[2], b[3], a, -c00, -c10)
    of_b1 = abs(b1) + extent(b[8], b[9], b[4], b[5], a, -c01, -c11)
    of_a, of_b = max(of_a0, of_a1), max(of_b0, of_b1)
    is_a = of_a >= of_b
    odd = (is_a & (of_a1 > of_a0)) | ((not is_a) & (of_b1 > of_b0))
    along_a, along_b = (a1 if odd else a0), (b1 if odd else b0)
    return max(of_a, of_b), is_a, odd, (is_a & (along_a < 0.0)) | ((not is_a) & (along_b > 0.0))


@inner
def nearest_of_obbs(a: Obb, b: Obb, beyond: float, size: float) -> Found:
    """Return what of two turned boxes is nearest, if that is clear; a distance above `beyond` is told as APART.

    A and B are in their fixed order; `size` is a number that no coordinate difference exceeds.
    """
    best, of_a, odd, back = farthest_axis(a, b)
    if best > beyond:
        return APART, best, 0.0, 0.0, VERTICES, 0, 0
    found = from_axis(chosen(of_a, a, b), chosen(of_a, b, a), best, (1 if odd else 0) + (2 if back else 0), size)
    state, distance, nx, ny, feature, k, m = found
    return (
        state,
        distance,
        (nx if of_a else -nx),
        (ny if of_a else -ny),
        (feature if of_a | (feature == VERTICES) else EDGE_A + EDGE_B - feature),
        (k if of_a else m),
        (m if of_a else k),
    )


@inner
def from_axis(a: Obb, b: Obb, best: float, k: int, size: float) -> Found:
    """Return what is nearest, from A's edge k whose line B is farthest beyond."""
    nx, ny = normal(a, k)
    ox, oy = b[0] - a[0], b[1] - a[1]
    first, second = nx * b[7] - ny * b[6], nx * b[9] - ny * b[8]
    m = (1 if (first > 0.0) == (second <= 0.0) else 0) + (2 if second > 0.0 else 0)
    ax, ay = corner(a, k)
    bx, by = corner(b, m)
    px, py = (ax - bx) - ox, (ay - by) - oy
    along = px * ny - py * nx
    if 0.0 <= along <= length_of_edge(a, k):
        return CLEAR, best, nx, ny, EDGE_A, k, m
    # Beyond an end of the edge. There A - B goes on with an edge of B: parallel to A's, it may hold the foot instead.
    c, e = (k, (m + 3) & 3) if along < 0.0 else ((k + 1) & 3, m)
    ax, ay = corner(a, c)
    px, py = (ax - bx) - ox, (ay - by) - oy
    nx, ny = normal(b, e)
    distance = nx * px + ny * py
    sx, sy = corner(b, e)
    sx, sy = (ax - sx) - ox, (ay - sy) - oy
    along = sy * nx - sx * ny
    band = FACE_BAND * size
    if distance >= best - band and 0.0 <= along <= length_of_edge(b, e):
        return CLEAR, distance, -nx, -ny, EDGE_B, c, e
    # Else the corner there is nearest, provided the origin lies beyond it along all edges that end or begin there.
    ux, uy = normal(a, c + 3)
    vx, vy = normal(a, c)
    outside = (px * uy - py * ux >= 0.0) & (px * vy - py * vx <= 0.0)
    ux, uy = normal(b, m + 3)
    vx, vy = normal(b, m)
    outside &= (px * uy - py * ux <= 0.0) & (px * vy - py * vx >= 0.0)
    distance, nx, ny = unit(-px, -py)
    clear = outside & (best > 0.0) & (distance > 2.0 * band)
    return (CLEAR if clear else UNCLEAR), distance, nx, ny, VERTICES, c, m


@inner
def nearest_of_obb_and_point(a: Obb, x: float, y: float) -> tuple[bool, float, float, float, float, bool, bool, bool]:
    """Return what `point_polygon.polygon_and_point` does, to the bit, of a turned box and a disc's centre.

    Both answers are worked out, edge and corner, and no number is chosen by another: a branch would be guessed wrongly.

    Returns
    -------
    whether all was clear; distance from the farthest line, then of what is nearest; normal x and y; whether an edge is
    nearest; and whether the number of the edge, or corner, is odd, and in the back half (2, 3).
    """
    ox, oy = x - a[0], y - a[1]
    ax, ay, bx, by = a[2] - ox, a[3] - oy, a[4] - ox, a[5] - oy
    cx, cy, dx, dy = (0.0 - a[2]) - ox, (0.0 - a[3]) - oy, (0.0 - a[4]) - ox, (0.0 - a[5]) - oy
    lowest, right = -(a[6] * ax + a[7] * ay), -(a[8] * bx + a[9] * by)
    highest, left = -((0.0 - a[6]) * cx + (0.0 - a[7]) * cy), -((0.0 - a[8]) * dx + (0.0 - a[9]) * dy)
    near, far = max(lowest, right), max(highest, left)
    best, back = max(near, far), far > near
    odd = (back & (left > highest)) | ((not back) & (right > lowest))
    nx, ny = normal_at(a, odd, back)
    sx, sy = corner_at(a, odd, back)
    fx, fy = corner_at(a, not odd, back != odd)
    px, py = sx - ox, sy - oy
    along = px * ny - py * nx
    on_edge = (along >= 0.0) & (along <= (fy - sy) * nx - (fx - sx) * ny)
    # The corner at that end, and the other edge there.
    first = along < 0.0
    ex, ey = normal_at(a, not odd, back == (odd == first))
    px, py = (px if first else fx - ox), (py if first else fy - oy)
    other, own = px * ey - py * ex, px * ny - py * nx
    largest = max(max(max(abs(ax), abs(ay)), max(abs(bx), abs(by))), max(max(abs(cx), abs(cy)), max(abs(dx), abs(dy))))
    distance = math.sqrt(px * px + py * py)
    ux, uy = -px / distance, -py / distance
    clear = ((first & (other >= 0.0)) | ((not first) & (other <= 0.0) & (own >= 0.0))) & (best > 0.0)
    clear &= (distance > 2.0 * FACE_BAND * largest) & (max(abs(px), abs(py)) > SMALLEST_ROOT)
    return (
        on_edge | clear,
        best,
        (best if on_edge else distance),
        (nx if on_edge else ux),
        (ny if on_edge else uy),
        on_edge,
        odd == (on_edge | first),
        back != (odd & (not (on_edge | first))),
    )
