"""Two boxes along the axes: their separation and contact read off their corners, which are stored without rounding.

In: lower and upper corner of A, then of B. Out: along each axis the gap (negative in overlap) and on which side of A
box B lies; from these the side of touching, the separation and the contact. World frame, user's units.

A gap is one subtraction, so its sign is exact: such a pair is never in doubt. A box's corners are numbered from the
lower left one, counter-clockwise; edge k leaves corner k. Corner and edge opposite to k are k ^ 2.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Floats
from carom.narrow.walk import EDGE_A, EDGE_B, VERTICES, unit
from carom.shapes.proxy import POINTS, STRIDE, X, Y

Corners = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
FAR = POINTS + 2 * STRIDE


@inner
def corners(a: Floats, i: int) -> Corners:
    """Return the lower and the upper corner of a box along the axes, exactly."""
    x, y = a[i + X], a[i + Y]
    return x + a[i + POINTS], y + a[i + POINTS + 1], x + a[i + FAR], y + a[i + FAR + 1]


@inner
def side_of_aabbs(a: Floats, i: int, b: Floats, j: int) -> int:
    """Return the side of two AABBs by comparing their corners, which are stored without rounding."""
    answer = -1
    for axis in range(2):
        low_a = a[i + X + axis] + a[i + POINTS + axis]
        high_a = a[i + X + axis] + a[i + POINTS + 2 * STRIDE + axis]
        low_b = b[j + X + axis] + b[j + POINTS + axis]
        high_b = b[j + X + axis] + b[j + POINTS + 2 * STRIDE + axis]
        if low_a > high_b or low_b > high_a:
            return 1
        if low_a == high_b or low_b == high_a:
            answer = 0
    return answer


@inner
def gaps(a: Corners, b: Corners) -> tuple[float, float, float, float, bool]:
    """Return gap and side (of A, where B lies: 1.0 or -1.0) along x, the same along y, and whether A comes second.

    That is a fixed order of any two boxes, by which what is tied comes out the same for (B, A).
    """
    second = (a[0] > b[0]) | (
        (a[0] == b[0]) & ((a[1] > b[1]) | ((a[1] == b[1]) & ((a[2] > b[2]) | ((a[2] == b[2]) & (a[3] > b[3])))))
    )
    right, left, above, below = b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3]
    is_right = (right > left) | ((right == left) & (not second))
    is_above = (above > below) | ((above == below) & (not second))
    return max(right, left), 1.0 if is_right else -1.0, max(above, below), 1.0 if is_above else -1.0, second


@inner
def distance_of_aabbs(a: Floats, i: int, b: Floats, j: int) -> tuple[float, float, float, int, int, int]:
    """Return what the walk would: distance, normal, feature, and the places of A's and of B's point."""
    distance, nx, ny, feature, corner_a, corner_b = distance_of_corners(corners(a, i), corners(b, j))
    return distance, nx, ny, feature, i + POINTS + STRIDE * corner_a, j + POINTS + STRIDE * corner_b


@inner
def distance_of_corners(box_a: Corners, box_b: Corners) -> tuple[float, float, float, int, int, int]:
    """Return the same from the boxes' corners, with the numbers of A's and of B's corner in place of places."""
    gap_x, side_x, gap_y, side_y, second = gaps(box_a, box_b)
    if gap_x > 0.0 and gap_y > 0.0:
        distance, nx, ny = unit(side_x * gap_x, side_y * gap_y)
        corner = (2 if side_x > 0.0 else 3) if side_y > 0.0 else (1 if side_x > 0.0 else 0)
        return distance, nx, ny, VERTICES, corner, corner ^ 2
    # The face between them; its witness is the lower end of what the two faces share.
    if gap_x >= gap_y:
        of_a = box_b[1] > box_a[1] or (box_b[1] == box_a[1] and not second)
        edge_a, low_a, low_b = (1, 1, 0) if side_x > 0.0 else (3, 0, 1)
        nx, ny = side_x, 0.0
    else:
        of_a = box_b[0] > box_a[0] or (box_b[0] == box_a[0] and not second)
        edge_a, low_a, low_b = (2, 3, 0) if side_y > 0.0 else (0, 0, 3)
        nx, ny = 0.0, side_y
    if of_a:
        return max(gap_x, gap_y), nx, ny, EDGE_A, edge_a, low_b
    return max(gap_x, gap_y), nx, ny, EDGE_B, low_a, edge_a ^ 2


# separation, normal x and y, number of points, then of each of two points: x, y, feature of A, feature of B
BoxContact = tuple[float, float, float, int, float, float, int, int, float, float, int, int]


@inner
def contact_of_aabbs(a: Corners, b: Corners) -> BoxContact:
    """Return the contact of two boxes that touch or overlap: the ends of what their nearest faces share."""
    gap_x, side_x, gap_y, side_y, second = gaps(a, b)
    upright = gap_x >= gap_y  # the faces are
    side = side_x if upright else side_y
    ahead = side > 0.0
    face_a = (a[2] if ahead else a[0]) if upright else (a[3] if ahead else a[1])
    face_b = (b[0] if ahead else b[2]) if upright else (b[1] if ahead else b[3])
    low_a, low_b = (a[1] if upright else a[0]), (b[1] if upright else b[0])
    high_a, high_b = (a[3] if upright else a[2]), (b[3] if upright else b[2])
    low, high, middle = max(low_a, low_b), min(high_a, high_b), (face_a + face_b) * 0.5
    # Numbers of A's face and of its corners at the low and at the high end; of B's face, opposite, the other two.
    edge_a = (1 if ahead else 3) if upright else (2 if ahead else 0)
    corner_low = (1 if ahead else 0) if upright else (3 if ahead else 0)
    corner_high = (2 if ahead else 3) if upright else (2 if ahead else 1)
    other_low = (0 if ahead else 1) if upright else (0 if ahead else 3)
    other_high = (3 if ahead else 2) if upright else (1 if ahead else 2)
    edge_b = edge_a ^ 2
    # Where one face ends within the other its corner meets that face; level corners meet the face of the first box.
    low_is_b = (low_b > low_a) | ((low_b == low_a) & (not second))
    high_is_b = (high_b < high_a) | ((high_b == high_a) & (not second))
    low_of_a, low_of_b = (-1 - edge_a if low_is_b else corner_low), (other_low if low_is_b else -1 - edge_b)
    high_of_a, high_of_b = (-1 - edge_a if high_is_b else corner_high), (other_high if high_is_b else -1 - edge_b)
    # Upright faces are told from above, level ones from the left.
    return (
        max(gap_x, gap_y),
        side if upright else 0.0,
        0.0 if upright else side,
        2 if low < high else 1,
        middle if upright else low,
        high if upright else middle,
        high_of_a if upright else low_of_a,
        high_of_b if upright else low_of_b,
        middle if upright else high,
        low if upright else middle,
        low_of_a if upright else high_of_a,
        low_of_b if upright else high_of_b,
    )
