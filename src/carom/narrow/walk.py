"""The walk, a Minkowski-sum edge merge: the signed distance of the origin from the difference of two convex cores.

In: two proxies (see `shapes.proxy`), each as a buffer and the place where it starts. Out: the signed distance of the
cores without their radii (negative inside: the depth of the minimum translation vector), the unit normal from A towards
B, and the feature that decided: an edge of A, an edge of B, or a vertex of each. World frame, user's units.

The difference A - B is a convex polygon whose edges are those of A and of -B merged by angle, so one pass of n + m
steps meets all of them; their normals are the separating axes of SAT. Each polygon point is taken afresh as
(a - b) - offset, never summed up along the way, and a segment or point is a polygon without area: no special cases.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, unsigned
from carom._core.types import Floats
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, HIGHEST, LOWEST, POINTS, REACH, STRIDE, X, Y
from carom.tolerances import FACE_BAND, SURELY_LESS

EDGE_A = 0  # the nearest feature is an edge of A and a vertex of B
EDGE_B = 1  # a vertex of A and an edge of B
VERTICES = 2  # a vertex of each


# Result of the walk: distance, normal x, normal y, feature (one of the three above), place of A's point, of B's point.
# A place is the index into the buffer where that core point's x stands.
Nearest = tuple[float, float, float, int, int, int]
# The edge of A - B whose line the origin is farthest beyond, or least far behind: distance of the line (minus infinity
# if there are none), normal x and y, whether it is an edge of A, the places of A's and B's point where it begins; and
# the largest coordinate met.
Farthest = tuple[float, float, float, bool, int, int, float]


@inner
def edge_count(a: Floats, i: int) -> int:
    """Return how many edges a core has: none for a point, two for a segment (there and back)."""
    count = int(a[i + COUNT])
    return count if count > 1 else 0


@inner
def next_place(a: Floats, i: int, place: int) -> int:
    """Return the place of the core point after the one at `place`, counter-clockwise."""
    place += STRIDE
    return i + POINTS if place == i + POINTS + STRIDE * int(a[i + COUNT]) else place


@inner
def edge_of_a_first(nax: float, nay: float, nbx: float, nby: float) -> bool:
    """Tell whether A's edge comes before -B's in the order of angles, from their outward normals."""
    # Edges that rise come before edges that fall; within one half the sign of the cross product orders them. Without
    # the halves a segment's way back would be compared with an edge 180 degrees away, where the sign is all noise.
    # Written without a branch: which edge is next is a toss, and a wrong guess takes longer than all of this.
    a_rises = (nax > 0.0) | ((nax == 0.0) & (nay < 0.0))
    b_rises = (nbx < 0.0) | ((nbx == 0.0) & (nby > 0.0))
    turns = nay * nbx - nax * nby >= 0.0
    return (a_rises & (not b_rises)) | ((a_rises == b_rises) & turns)


@inner
def start(a: Floats, i: int, b: Floats, j: int) -> tuple[int, int, int, int]:
    """Return where the walk begins: the places of A's lowest and B's highest point, and the edges left of each."""
    at, bt = i + POINTS + STRIDE * int(a[i + LOWEST]), j + POINTS + STRIDE * int(b[j + HIGHEST])
    return at, bt, edge_count(a, i), edge_count(b, j)


@inner
def step(
    a: Floats, i: int, at: int, left_a: int, b: Floats, j: int, bt: int, left_b: int, a_first: bool
) -> tuple[float, float, int, int, int, int]:
    """Return the unit normal of the edge that leaves the present point, then where the walk stands after it.

    `a_first` tells whose edge is next where both have one left.
    """
    if left_b == 0 or (left_a > 0 and a_first):
        return a[at + 2], a[at + 3], next_place(a, i, at), bt, left_a - 1, left_b
    return -b[bt + 2], -b[bt + 3], at, next_place(b, j, bt), left_a, left_b - 1


@inner
def advance(
    a: Floats, i: int, at: int, left_a: int, b: Floats, j: int, bt: int, left_b: int
) -> tuple[float, float, int, int, int, int]:
    """Take a `step`; the edge that is next is the one whose angle comes first as far as floats can tell."""
    a_first = edge_of_a_first(a[at + 2], a[at + 3], b[bt + 2], b[bt + 3])
    return step(a, i, at, left_a, b, j, bt, left_b, a_first)


@inner
def farthest_edge(a: Floats, i: int, b: Floats, j: int) -> Farthest:
    """Return the edge of A - B whose line the origin is farthest beyond, or least far behind (see `Farthest`)."""
    # The same steps as `step` takes, written out: each takes the time that the next edge needs to be known.
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    at, bt, left_a, left_b = start(a, i, b, j)
    best, best_x, best_y, of_a, best_a, best_b = -math.inf, 0.0, 0.0, True, at, bt
    largest = 0.0
    while left_a + left_b > 0:
        nax, nay, nbx, nby = a[unsigned(at + 2)], a[unsigned(at + 3)], b[unsigned(bt + 2)], b[unsigned(bt + 3)]
        px = (a[unsigned(at)] - b[unsigned(bt)]) - offset_x
        py = (a[unsigned(at + 1)] - b[unsigned(bt + 1)]) - offset_y
        largest = max(largest, abs(px), abs(py))
        is_a = (left_b == 0) | ((left_a > 0) & edge_of_a_first(nax, nay, nbx, nby))
        old_a, old_b = at, bt
        if is_a:
            nx, ny, at, left_a = nax, nay, next_place(a, i, at), left_a - 1
        else:
            nx, ny, bt, left_b = -nbx, -nby, next_place(b, j, bt), left_b - 1
        distance = -(nx * px + ny * py)
        if distance > best:
            best, best_x, best_y, of_a, best_a, best_b = distance, nx, ny, is_a, old_a, old_b
    return best, best_x, best_y, of_a, best_a, best_b, largest


@inner
def walk(a: Floats, i: int, b: Floats, j: int) -> Nearest:
    """Return the feature of A - B that is nearest to the origin (see `Nearest`)."""
    return nearest_from(a, i, b, j, farthest_edge(a, i, b, j))


@inner
def nearest_from(a: Floats, i: int, b: Floats, j: int, found: Farthest) -> Nearest:
    """Return the nearest feature, from the edge that `farthest_edge` found."""
    best, best_x, best_y, of_a, best_a, best_b, largest = found
    if best > -math.inf:
        offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
        px, py = (a[best_a] - b[best_b]) - offset_x, (a[best_a + 1] - b[best_b + 1]) - offset_y
        face = EDGE_A if of_a else EDGE_B
        far_a = next_place(a, i, best_a) if of_a else best_a
        far_b = best_b if of_a else next_place(b, j, best_b)
        length = edge_length(a, best_a, far_a, b, best_b, far_b, best_x, best_y)
        along = px * best_y - py * best_x
        if 0.0 <= along <= length:
            return best, best_x, best_y, face, best_a, best_b
        if best <= -FACE_BAND * largest:
            # Inside, with two edges nearly on one line: the foot is on the other one.
            return edge_with_foot(a, i, b, j, (best, best_x, best_y, face, best_a, best_b), FACE_BAND * largest)
    near, near_x, near_y, feature, near_a, near_b = nearest_feature(a, i, b, j, 0.0, 0.0)
    if best > -math.inf and near <= 2.0 * FACE_BAND * largest:
        # Nearer than rounding can tell a direction: the face normal stands. If an edge is nearest, edge and normal must
        # be of one face, for the surfaces of shapes grown by a radius lie far off along the normal.
        near = near if best >= 0.0 else -near
        if feature != VERTICES:
            if -FACE_BAND * largest <= along <= length + FACE_BAND * largest:
                return near, best_x, best_y, face, best_a, best_b
            return near, near_x, near_y, feature, near_a, near_b
        return near, best_x, best_y, feature, near_a, near_b
    return near, near_x, near_y, feature, near_a, near_b


@inner
def edge_with_foot(a: Floats, i: int, b: Floats, j: int, best: Nearest, band: float) -> Nearest:
    """Return the edge, within `band` of the best, that has the origin's foot between its ends; or the best."""
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    at, bt, left_a, left_b = start(a, i, b, j)
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        old_a, old_b = at, bt
        ex, ey, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        distance = -(ex * px + ey * py)
        if distance >= best[0] - band and 0.0 <= px * ey - py * ex <= edge_length(a, old_a, at, b, old_b, bt, ex, ey):
            return distance, ex, ey, (EDGE_A if old_b == bt else EDGE_B), old_a, old_b
    return best


@inner
def edge_length(a: Floats, at: int, far_a: int, b: Floats, bt: int, far_b: int, nx: float, ny: float) -> float:
    """Return the length of the edge of A - B between two points of the walk, from its unit normal."""
    ex, ey = (a[far_a] - a[at]) - (b[far_b] - b[bt]), (a[far_a + 1] - a[at + 1]) - (b[far_b + 1] - b[bt + 1])
    return float(ey * nx - ex * ny)


@inner
def claims(along: float, distance: float, band: float) -> bool:
    """Tell whether the origin is beside an edge rather than beyond its end: `along` is how far from there, inward."""
    # At a needle's tip an edge that looks away would claim by rounding an origin that the other side does not.
    return along >= 0.0 and (distance >= -band or along > band)


@inner
def nearest_feature(a: Floats, i: int, b: Floats, j: int, mx: float, my: float) -> Nearest:
    """Return the edge or vertex of A - B, A moved by m, nearest to the origin.

    Each vertex tells by itself, from its own coordinates, whether the origin is beyond it or beside the edge before or
    after it; both edges ask it, so that rounding leaves no gap between them and no direction that is not a corner's.
    """
    offset_x, offset_y = (b[j + X] - a[i + X]) - mx, (b[j + Y] - a[i + Y]) - my
    at, bt, left_a, left_b = start(a, i, b, j)
    px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
    if left_a + left_b == 0:
        size, ux, uy = unit(-px, -py)
        return size, ux, uy, VERTICES, at, bt
    # Behind an edge by no more than this the origin may yet be before it.
    band = abs(offset_x) + abs(offset_y) + abs(mx) + abs(my) + 2.0 * (a[i + REACH] + b[j + REACH])
    band += abs(a[i + CENTER_X]) + abs(a[i + CENTER_Y]) + abs(b[j + CENTER_X]) + abs(b[j + CENTER_Y])
    band *= FACE_BAND
    near, near_x, near_y, feature, best_a, best_b = math.inf, 0.0, 0.0, VERTICES, at, bt
    first, farthest, outside = True, -math.inf, False
    first_x, first_y, last_x, last_y = 0.0, 0.0, 0.0, 0.0
    far_x, far_y, far_a, far_b, far_feature = 0.0, 0.0, at, bt, VERTICES
    while True:
        old_a, old_b = at, bt
        more = left_a + left_b > 0
        nx, ny = first_x, first_y  # after the last edge comes the first
        if more:
            nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        distance, along = -(nx * px + ny * py), px * ny - py * nx
        if first:
            first_x, first_y, first = nx, ny, False
        else:
            past, behind = px * last_y - py * last_x, -(last_x * px + last_y * py)
            beside = claims(-past, behind, band) or claims(along, distance, band)
            # Where both edges look away the vertex is on the far side, however thin the polygon is there.
            if not beside and max(behind, distance) >= -band:
                size, ux, uy = unit(-px, -py)
                if size < (near if feature == VERTICES else near * SURELY_LESS):
                    near, near_x, near_y, feature, best_a, best_b = size, ux, uy, VERTICES, old_a, old_b
        if not more:
            break
        edge = EDGE_A if old_b == bt else EDGE_B
        outside = outside or distance >= -band
        if distance > farthest:
            farthest, far_x, far_y, far_a, far_b, far_feature = distance, nx, ny, old_a, old_b, edge
        qx, qy = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        beyond = qx * ny - qy * nx
        if along >= 0.0 and beyond <= 0.0:
            if -beyond < along:  # that end is nearer, so its coordinates tell the distance better
                distance = -(nx * qx + ny * qy)
            # An edge is never farther than its own vertex where the foot is between its ends, so a tie goes to the
            # edge; of a segment's two sides, which tie, to the one that faces the origin.
            size = abs(distance)
            nearer = size * SURELY_LESS <= near and (distance >= 0.0 or size < near * SURELY_LESS)
            if nearer and distance >= -2.0 * band:  # nearer than an edge that claims: told from another end
                near, near_x, near_y, feature, best_a, best_b = size, nx, ny, edge, old_a, old_b
        px, py, last_x, last_y = qx, qy, nx, ny
    if not outside or near == math.inf:
        return abs(farthest), far_x, far_y, far_feature, far_a, far_b
    return near, near_x, near_y, feature, best_a, best_b


@inner
def unit(x: float, y: float) -> tuple[float, float, float]:
    """Return (length, x / length, y / length); the direction of a zero vector is +x."""
    largest = max(abs(x), abs(y))
    if largest == 0.0:
        return 0.0, 1.0, 0.0
    if largest > 1e-140:
        length = math.sqrt(x * x + y * y)
        return length, x / length, y / length
    # The squares of such small numbers vanish.
    x, y = x / largest, y / largest
    length = math.sqrt(x * x + y * y)
    return largest * length, x / length, y / length
