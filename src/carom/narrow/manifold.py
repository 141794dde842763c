"""How two records touch: one or two contact points with depths and feature ids, for one pair at a time.

In: two records. Out: a flat tuple of numbers, `Manifold`. World frame, user's units. The edge that the separation found
is the reference face; the edge of the other shape that faces it most is clipped to it (E. Catto, "Contact Manifolds",
GDC 2007). Discs, and sharp boxes along the axes, have formulas of their own, which rows of such shapes share.

A feature is the number k of a vertex, or -1 - k for the edge that leaves vertex k.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom._core.jit import inner, kernel
from carom._core.names import names_near
from carom._core.types import Floats
from carom.narrow.kinds import AABBS, form_of
from carom.narrow.pairs.aabb import Corners, contact_of_aabbs, corners
from carom.narrow.signed_distance import along_line, clearly_apart, core_points, magnitude, separate_near
from carom.narrow.walk import EDGE_A, VERTICES, next_place
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import FACE_BAND
from carom.vector import Vec

# x, y, depth, feature of A, feature of B
Spot = tuple[float, float, float, int, int]
# number of points, then each
Spots = tuple[int, Spot, Spot]
# separation, normal x and y, whether the sign of the separation is undecided, and the points: none if clearly apart
Manifold = tuple[float, float, float, bool, int, Spot, Spot]


@inner
def no_spot() -> Spot:
    """Return the numbers that stand in the place of a missing point."""
    return 0.0, 0.0, 0.0, 0, 0


@inner
def edge_facing(a: Floats, i: int, place: int, nx: float, ny: float) -> int:
    """Return the place of the edge, leaving or arriving at a core point, that looks along n most."""
    first = i + POINTS
    before = place - STRIDE if place > first else first + STRIDE * (int(a[i + COUNT]) - 1)
    leaving = a[place + 2] * nx + a[place + 3] * ny
    return place if leaving >= a[before + 2] * nx + a[before + 3] * ny else before


@inner
def number(i: int, place: int) -> int:
    """Return the number of the core point at a place."""
    return (place - i - POINTS) // STRIDE


@kernel
def clip_face(
    a: Floats, i: int, at: int, b: Floats, j: int, bt: int, deepest: float, band: float, swapped: bool
) -> Spots:
    """Clip the edge of B that faces A's edge `at` to that edge, and return the points in overlap.

    `bt` is B's deepest vertex, `deepest` its depth; `swapped` tells that the roles of A and B were changed over.
    """
    nx, ny = a[at + 2], a[at + 3]
    far = next_place(a, i, at)
    face = edge_facing(b, j, bt, -nx, -ny)
    # All points are taken relative to the reference edge's start, where differences of near coordinates are exact.
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    length = (a[far + 1] - a[at + 1]) * nx - (a[far] - a[at]) * ny
    end = next_place(b, j, face)
    x0, y0 = (b[face] - a[at]) + offset_x, (b[face + 1] - a[at + 1]) + offset_y
    x1, y1 = (b[end] - a[at]) + offset_x, (b[end + 1] - a[at + 1]) + offset_y
    origin = a[i + X], a[i + Y], a[at], a[at + 1]
    radii = a[i + RADIUS], a[i + RADIUS] + b[j + RADIUS]
    numbers = number(i, at), number(i, far), number(j, face), number(j, end)
    return clipped((nx, ny), length, (x0, y0, x1, y1), origin, radii, numbers, deepest, band, swapped)


@inner
def clipped(
    normal: tuple[float, float],
    length: float,
    facing: tuple[float, float, float, float],
    origin: tuple[float, float, float, float],
    radii: tuple[float, float],
    numbers: tuple[int, int, int, int],
    deepest: float,
    band: float,
    swapped: bool,
) -> Spots:
    """Return the points in overlap of an edge clipped to a reference edge.

    Parameters
    ----------
    normal : unit normal of the reference edge
    length : length of the reference edge
    facing : ends of the other edge, relative to the start of the reference edge
    origin : origin of the reference shape; start of the reference edge relative to it
    radii : radius of the reference shape, and of both together
    numbers : of the ends of the reference edge, and of the ends of the other edge
    """
    (nx, ny), (x0, y0, x1, y1) = normal, facing
    # Along the reference edge, from its start, and over it: where the other edge's two ends stand.
    along0, along1 = y0 * nx - x0 * ny, y1 * nx - x1 * ny
    over0, over1 = x0 * nx + y0 * ny, x1 * nx + y1 * ny
    count, first, second = 0, no_spot(), no_spot()
    for which in range(2):
        # Each end of the facing edge, or, where it stands beyond the reference edge, the point above that edge's end.
        along, over = (along0, over0) if which == 0 else (along1, over1)
        feature_a, feature_b = -1 - numbers[0], (numbers[2] if which == 0 else numbers[3])
        limit = min(max(along, 0.0), length)
        if limit != along:
            # The deepest end is beyond by rounding only, unless the edge is level: steep, it is deepest where it is.
            is_deeper = over0 < over1 if which == 0 else over1 < over0
            above = over0 + (over1 - over0) * ((limit - along0) / (along1 - along0)) if along0 != along1 else math.inf
            if is_deeper and above - over > band:
                along = limit
            elif along0 == along1:
                continue
            else:
                along, over = limit, above
                feature_a, feature_b = (numbers[0] if limit == 0.0 else numbers[1]), -1 - numbers[2]
                if along < min(along0, along1) or along > max(along0, along1):
                    continue
        depth = min(radii[1] - over, deepest)
        if depth < -band:
            continue
        depth = max(depth, 0.0)
        # From the reference edge's start: along the edge, then up to halfway between the two surfaces.
        height = radii[0] - depth / 2.0
        x = origin[0] + (origin[2] - along * ny + height * nx)
        y = origin[1] + (origin[3] + along * nx + height * ny)
        spot = (x, y, depth, feature_b, feature_a) if swapped else (x, y, depth, feature_a, feature_b)
        if count == 0:
            first = spot
        else:
            second = spot
        count += 1
    if count == 2 and first[0] == second[0] and first[1] == second[1]:
        # One point, as far as its coordinates can tell: the deeper one.
        return 1, (second if second[2] > first[2] else first), no_spot()
    return count, first, second


@inner
def manifold_of_aabbs(a: Corners, b: Corners) -> Manifold:
    """Return how two sharp boxes along the axes touch."""
    separation, nx, ny, count, x0, y0, a0, b0, x1, y1, a1, b1 = contact_of_aabbs(a, b)
    hit = separation <= 0.0
    two, depth = hit & (count == 2), (0.0 - separation) if hit else 0.0
    x0, y0, a0, b0 = (x0 if hit else 0.0), (y0 if hit else 0.0), (a0 if hit else 0), (b0 if hit else 0)
    x1, y1, a1, b1 = (x1 if two else 0.0), (y1 if two else 0.0), (a1 if two else 0), (b1 if two else 0)
    second = x1, y1, (depth if two else 0.0), a1, b1
    return separation, nx, ny, False, count if hit else 0, (x0, y0, depth, a0, b0), second


@inner
def at_crossing(a: Floats, i: int, b: Floats, j: int, spot: Spot) -> Spot:
    """Return a contact point moved to where the cores of two segments cross, if they do."""
    # Halfway between the line of one and the end of the other, on which it would be, there is nothing of either.
    at, bt = i + POINTS, j + POINTS
    ax, ay = a[at + STRIDE] - a[at], a[at + STRIDE + 1] - a[at + 1]
    bx, by = b[bt + STRIDE] - b[bt], b[bt + STRIDE + 1] - b[bt + 1]
    px, py = (b[j + X] - a[i + X]) + (b[bt] - a[at]), (b[j + Y] - a[i + Y]) + (b[bt + 1] - a[at + 1])
    turn = ax * by - ay * bx
    along_a, along_b = px * by - py * bx, px * ay - py * ax
    if turn < 0.0:
        turn, along_a, along_b = -turn, -along_a, -along_b
    if not (0.0 < along_a < turn and 0.0 < along_b < turn):
        return spot
    part = along_a / turn
    x, y = a[i + X] + (a[at] + part * ax), a[i + Y] + (a[at + 1] + part * ay)
    return x, y, spot[2], -1, -1


@inner
def manifold(a: Floats, i: int, b: Floats, j: int) -> Manifold:
    """Return how two shapes touch; where they are clearly apart just that."""
    reach = a[i + RADIUS] + b[j + RADIUS]
    if reach == 0.0 and form_of(a, i, b, j) == AABBS:
        return manifold_of_aabbs(corners(a, i), corners(b, j))
    if clearly_apart(a, i, b, j):
        return math.inf, 0.0, 0.0, False, 0, no_spot(), no_spot()
    found = along_line(a, i, b, j, separate_near(a, i, b, j))
    separation, nx, ny, feature, at, bt, undecided = found
    if separation > 0.0 and not undecided:
        return separation, nx, ny, False, 0, no_spot(), no_spot()
    if feature != VERTICES and a[i + COUNT] > 1.0 and b[j + COUNT] > 1.0:
        band = FACE_BAND * magnitude(a, i, b, j)
        if feature == EDGE_A:
            count, first, second = clip_face(a, i, at, b, j, bt, -separation, band, False)
        else:
            count, first, second = clip_face(b, j, bt, a, i, at, -separation, band, True)
        if count == 1 and a[i + COUNT] == b[j + COUNT] == 2.0:
            first = at_crossing(a, i, b, j, first) if feature == EDGE_A else at_crossing(b, j, a, i, first)
        if count > 0:
            return separation, nx, ny, undecided, count, first, second
    ax, ay, bx, by = core_points(a, i, b, j, found)
    ra, rb = a[i + RADIUS], b[j + RADIUS]
    x, y = ((ax + nx * ra) + (bx - nx * rb)) / 2.0, ((ay + ny * ra) + (by - ny * rb)) / 2.0
    feature_a = -1 - number(i, at) if feature == EDGE_A else number(i, at)
    feature_b = number(j, bt) if feature in (EDGE_A, VERTICES) else -1 - number(j, bt)
    return separation, nx, ny, undecided, 1, (x, y, max(0.0 - separation, 0.0), feature_a, feature_b), no_spot()


# A manifold, its two points written out.
Flat = tuple[float, float, float, bool, int, float, float, float, int, int, float, float, float, int, int]


@kernel
def manifold_of_pair(a: Floats, b: Floats) -> Flat:
    """Return how two records touch, with a normal without -0.0."""
    separation, nx, ny, undecided, count, first, second = manifold(a, 0, b, 0)
    return separation, nx + 0.0, ny + 0.0, undecided, count, *first, *second


@names_near
class Contact(NamedTuple):
    """How two shapes touch or overlap."""

    normal: Vec
    """Unit vector from A towards B: moving B by ``normal * depth`` makes them just touch."""
    depth: float
    """How deep they overlap; 0 where they merely touch."""
    points: tuple[Vec, ...]
    """One or two points, halfway between the two surfaces; of two segments that cross the point where they do."""
    depths: tuple[float, ...]
    """The depth at each point; the largest is `depth` up to rounding."""
    features: tuple[tuple[int, int], ...]
    """For each point the features of A and of B there: k for vertex k, -1 - k for the edge that leaves vertex k."""

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
