"""Where two bodies touch, or would if they came nearer: one point or two, each with a gap of its own.

In: the records of two parts. Out: the normal, and the points with their gaps and names. A gap is negative where the two
overlap. World frame, user's units.

Unlike the manifold of `collide`, the points need not be in overlap: a solver that lets two bodies close a gap within
the step has to know both ends of the edge that will stand on the floor. The edge that the separation found is the
reference; the edge of the other shape that faces it most is clipped to it (E. Catto, "Contact Manifolds", GDC 2007).
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.manifold import edge_facing, number
from carom.narrow.signed_distance import core_points, separate
from carom.narrow.walk import EDGE_A, VERTICES, next_place
from carom.shapes.proxy import COUNT, RADIUS, X, Y

Spot = tuple[float, float, float, int]  # x, y, gap, name
# separation, normal from A to B, number of points, and the points
Points = tuple[float, float, float, int, Spot, Spot]

PER_BODY = 4096  # names of features of a part: more corners than that share names


@inner
def name_of(feature_a: int, feature_b: int, end: int) -> int:
    """Return a number by which a point is known again in the next step."""
    return (2 * (feature_a % PER_BODY) + end) * PER_BODY + feature_b % PER_BODY


@kernel
def contact_points(a: Floats, i: int, b: Floats, j: int) -> Points:
    """Return where two shapes touch or would touch."""
    found = separate(a, i, b, j)
    separation, nx, ny, feature, at, bt, _ = found
    if feature != VERTICES and a[i + COUNT] > 1.0 and b[j + COUNT] > 1.0:
        if feature == EDGE_A:
            count, first, second = along_edge(a, i, at, b, j, bt, 1.0)
        else:
            count, first, second = along_edge(b, j, bt, a, i, at, -1.0)
        if count == 2:
            return separation, nx, ny, 2, first, second
    ax, ay, bx, by = core_points(a, i, b, j, found)
    ra, rb = a[i + RADIUS], b[j + RADIUS]
    x, y = ((ax + nx * ra) + (bx - nx * rb)) / 2.0, ((ay + ny * ra) + (by - ny * rb)) / 2.0
    one = x, y, separation, name_of(number(i, at), number(j, bt), 0)
    return separation, nx, ny, 1, one, one


@inner
def along_edge(a: Floats, i: int, at: int, b: Floats, j: int, bt: int, side: float) -> tuple[int, Spot, Spot]:
    """Return both ends of what A's edge `at` shares with the edge of B that faces it; bt is B's nearest corner.

    `side` is 1 if A is the first body of the pair, else -1.
    """
    nx, ny = a[at + 2], a[at + 3]
    far = next_place(a, i, at)
    face = edge_facing(b, j, bt, -nx, -ny)
    end = next_place(b, j, face)
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    # Along the reference edge, from its start, and over it; the facing edge runs against it.
    x0, y0 = (b[face] - a[at]) + offset_x, (b[face + 1] - a[at + 1]) + offset_y
    x1, y1 = (b[end] - a[at]) + offset_x, (b[end + 1] - a[at + 1]) + offset_y
    length = (a[far + 1] - a[at + 1]) * nx - (a[far] - a[at]) * ny
    along0, along1, over0, over1 = y0 * nx - x0 * ny, y1 * nx - x1 * ny, x0 * nx + y0 * ny, x1 * nx + y1 * ny
    low, high = max(along1, 0.0), min(along0, length)
    radius, radii = a[i + RADIUS], a[i + RADIUS] + b[j + RADIUS]
    first = 0.0, 0.0, 0.0, 0
    if not low < high:
        return 0, first, first
    slope = (over0 - over1) / (along0 - along1)
    second = first
    feature_a, feature_b = (number(i, at), number(j, face)) if side > 0.0 else (number(j, face), number(i, at))
    for k in range(2):
        along = low if k == 0 else high
        over = over1 + (along - along1) * slope
        gap = over - radii
        height = radius + gap / 2.0
        x = a[i + X] + (a[at] - along * ny + height * nx)
        y = a[i + Y] + (a[at + 1] + along * nx + height * ny)
        # The ends by the direction of the first body's edge, so that a change of roles keeps the names of the points.
        place = k if side > 0.0 else 1 - k
        spot = x, y, gap, name_of(feature_a, feature_b, place)
        if k == 0:
            first = spot
        else:
            second = spot
    return 2, first, second
