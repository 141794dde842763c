"""When a shape that moves along a straight line first touches another: the linear time of impact.

In: two records and A's motion. Out: the fraction of the motion, the normal from A towards B there, and the feature that
meets. A meets B when the origin, seen from A - B as it moves along, enters that polygon rounded by both radii. So the
origin is a ray against the polygon of the walk: clip it against every edge moved out by the radius, then, where it
comes in beyond an edge's end, try the arc of that vertex alone. The pair starts apart; `cast` and `ray` see to starts
in touch and overlap. A ray is the cast of a point.
"""

from __future__ import annotations

import math

from carom._core.arithmetic import cross, scale_for
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.exact.first_touch import Impact as Impact
from carom.narrow.exact.first_touch import refined
from carom.narrow.pairs.disc_box import ray_disc
from carom.narrow.signed_distance import magnitude
from carom.narrow.walk import (
    EDGE_A,
    EDGE_B,
    VERTICES,
    advance,
    edge_count,
    edge_length,
    nearest_feature,
    next_place,
    start,
    unit,
)
from carom.shapes.proxy import COUNT, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.tolerances import LONG_PATH, NEARLY_GRAZING, SIGN_BAND, SMALLEST_MOTION, STEADY_BANDS, STEEP
from carom.vector import LEAST


@inner
def has_area(a: Floats, i: int, b: Floats, j: int) -> bool:
    """Tell whether A - B has area: not if both are points or segments, unless two segments cross."""
    edges_a, edges_b = edge_count(a, i), edge_count(b, j)
    if edges_a == 2 and edges_b == 2:
        p, q = i + POINTS, j + POINTS
        return bool(a[p + 2] * b[q + 3] != a[p + 3] * b[q + 2])
    return edges_a > 2 or edges_b > 2


@kernel
def clip(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, radius: float) -> Impact:
    """Return where the path enters A - B grown by `radius`, which may be negative for a polygon moved inward."""
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    at, bt, left_a, left_b = start(a, i, b, j)
    enter, leave = -math.inf, math.inf
    hit_x, hit_y, hit_a, hit_b, far_b = 0.0, 0.0, at, bt, bt
    between = False  # whether the path comes in between the ends of an edge
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        old_a, old_b = at, bt
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        gap = -(nx * px + ny * py) - radius
        closing = nx * mx + ny * my
        if closing > 0.0:
            when = gap / closing
            if when >= enter:
                foot = (px + when * mx) * ny - (py + when * my) * nx
                met = 0.0 <= foot <= edge_length(a, old_a, at, b, old_b, bt, nx, ny)
                # Of two edges on one line the one that is really met counts.
                if when > enter or met:
                    enter, between = when, met
                    hit_x, hit_y, hit_a, hit_b, far_b = nx, ny, old_a, old_b, bt
        elif closing < 0.0:
            leave = min(leave, gap / closing)
        elif gap > 0.0:
            leave = -math.inf
    area = has_area(a, i, b, j)
    if not area:
        leave = max(leave, enter)  # in and out at once, but for rounding
    if enter > min(leave, 1.0) or leave < 0.0 or (radius < 0.0 and not area):
        return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b
    if enter >= 0.0 and between:
        return enter, hit_x, hit_y, (EDGE_A if hit_b == far_b else EDGE_B), hit_a, hit_b
    polygon = radius <= 0.0 and area
    if radius < 0.0 and not (polygon and enter >= 0.0):
        return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b
    # Came in beyond the end of an edge, or starts inside every edge moved out and yet apart: the corner that the arc of
    # the nearest vertex leaves out. Without an arc only rounding can have put the path beyond the end.
    when = max(enter, 0.0)
    _, nx, ny, feature, hit_a, hit_b = nearest_feature(a, i, b, j, when * mx, when * my)
    if polygon or (feature != VERTICES and enter >= 0.0):
        closing = nx * mx + ny * my
        if feature != VERTICES and (closing > 0.0 or (closing == 0.0 and radius > 0.0)):
            hit_x, hit_y = nx, ny
        if feature == VERTICES and radius == 0.0:
            # Where a path runs along an edge, rounding moves the place at which it comes in far before the corner.
            px, py = (a[hit_a] - b[hit_b]) - offset_x, (a[hit_a + 1] - b[hit_b + 1]) - offset_y
            length, ux, uy = unit(mx, my)
            when = max(when, min(-(px * ux + py * uy) / length, 1.0))
        return when, hit_x, hit_y, feature, hit_a, hit_b
    if radius == 0.0:
        return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b
    px, py = (a[hit_a] - b[hit_b]) - offset_x, (a[hit_a + 1] - b[hit_b + 1]) - offset_y
    scale, length = 1.0, abs(mx) + abs(my)
    if length < SMALLEST_MOTION:
        if max(abs(px), abs(py), radius) > 1e30 * length:
            return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b  # apart by more than any rounding: too far to be reached
        scale = scale_for(length)
    fraction, nx, ny = ray_disc(0.0, 0.0, -mx * scale, -my * scale, px * scale, py * scale, radius * scale)
    if not fraction <= 1.0:
        return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b
    if nx * mx + ny * my < NEARLY_GRAZING * (abs(mx) + abs(my)):
        # A grazing path finds an arc only to half the digits: if it touches where a side begins, the side's normal is
        # the better one.
        _, near_x, near_y, feature, hit_a, hit_b = nearest_feature(a, i, b, j, fraction * mx, fraction * my)
        if feature != VERTICES:
            nx, ny = near_x, near_y
        return fraction, nx, ny, feature, hit_a, hit_b
    return fraction, nx, ny, VERTICES, hit_a, hit_b


@kernel
def starts_inside(a: Floats, i: int, b: Floats, j: int, radius: float) -> bool:
    """Tell whether the path starts inside A - B grown by `radius`, by the same sums as `clip`.

    `clip` finds only where a path comes in: of a path that starts inside it tries the arcs, so those are left out here.
    """
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    at, bt, left_a, left_b = start(a, i, b, j)
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        if -(nx * px + ny * py) - radius > 0.0:
            return False
    return radius <= 0.0 or nearest_feature(a, i, b, j, 0.0, 0.0)[3] != VERTICES


@kernel
def measure_through(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, radius: float) -> tuple[float, float]:
    """Return a length that the core difference's least width is at least, and how far the path runs inside it.

    The first is its area over its diameter; the second is of the difference grown by the radius, its corners sharp.
    """
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    at, bt, left_a, left_b = start(a, i, b, j)
    first_x, first_y = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
    # A shape without area has no inside to run through, even where rounding makes one for a path along it.
    twice_area, enter, leave = 0.0, 0.0, 1.0 if radius > 0.0 or has_area(a, i, b, j) else 0.0
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        far_x, far_y = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        twice_area += (px - first_x) * (far_y - first_y) - (py - first_y) * (far_x - first_x)
        gap, closing = -(nx * px + ny * py) - radius, nx * mx + ny * my
        if closing > 0.0:
            enter = max(enter, gap / closing)
        elif closing < 0.0:
            leave = min(leave, gap / closing)
        elif gap >= 0.0:
            leave = 0.0  # it runs along this side, or beyond it
    diameter = 2.0 * (a[i + REACH] + b[j + REACH])
    width = twice_area / (2.0 * diameter) if twice_area > 0.0 else 0.0
    return width, (leave - enter) * (abs(mx) + abs(my))


@kernel
def graze(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, radius: float, band: float) -> Impact:
    """Return where the path touches A - B grown by `radius` without going in: beside a vertex, or at its end."""
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    length, ux, uy = unit(mx, my)
    at, bt, left_a, left_b = start(a, i, b, j)
    first, hit_a, hit_b, aside = math.inf, at, bt, 0.0
    least, most = math.inf, -math.inf  # how far the polygon reaches to both sides of the path's line
    while True:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        along, across = -(px * ux + py * uy), cross(ux, uy, px, py)
        least, most = min(least, across), max(most, across)
        if abs(abs(across) - radius) <= 0.25 * band and -band <= along <= length + band and along < first:
            first, hit_a, hit_b, aside = along, at, bt, across
        if left_a + left_b == 0:
            break
        _, _, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
    if first == math.inf or min(aside - least, most - aside) > band:
        return math.inf, 0.0, 0.0, VERTICES, hit_a, hit_b
    fraction = min(max(first / length, 0.0), 1.0)
    if most - least <= band and radius <= band:
        return fraction, ux, uy, VERTICES, hit_a, hit_b  # head on, onto the end of a line
    # The polygon lies on one side of the path, and the normal looks to the other.
    left = aside < 0.0 if most - least <= band else aside - least >= most - aside
    return fraction, (-uy if left else uy), (ux if left else -ux), VERTICES, hit_a, hit_b


@inner
def is_met_there(found: Impact, late: Impact, band: float, mx: float, my: float) -> bool:
    """Tell whether the path surely comes in where it was found to, through a side that it goes at steeply.

    It cannot come in before that side, and it does before the side, and all others, moved inward by the error bound.
    """
    closing = found[1] * mx + found[2] * my
    steep = found[3] != VERTICES and closing >= STEEP * (abs(mx) + abs(my))
    return bool(steep and (late[0] - found[0]) * closing <= STEADY_BANDS * band)


@inner
def is_same(early: Impact, found: Impact, late: Impact) -> bool:
    """Tell whether a path comes in through the same feature if the shapes grow and shrink by the error bound.

    Then it meets that feature, also where it runs along it.
    """
    return bool(found[3] == early[3] == late[3] and found[4] == early[4] == late[4] and found[5] == early[5] == late[5])


@inner
def is_steady(early: Impact, found: Impact, late: Impact, band: float, mx: float, my: float) -> bool:
    """Tell whether a path comes in at nearly the same time if the shapes grow and shrink by the error bound.

    A path along the side it meets may come in later and sooner, if it is long beside the shapes.
    """
    length = abs(mx) + abs(my)
    closing = found[1] * mx + found[2] * my
    if closing >= STEEP * length and (late[0] - early[0]) * closing <= STEADY_BANDS * band:
        return True
    return band <= LONG_PATH * SIGN_BAND * length and is_same(early, found, late)


@kernel
def crosses(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Impact, band: float) -> bool:
    """Tell whether a point surely crosses a line of two ends, or such a line a point, steeply and by more than a band.

    A line without width has no side that could be moved inward: here all four signs that decide are certain.
    """
    if a[i + COUNT] + b[j + COUNT] != 3.0 or found[3] == VERTICES:
        return False
    _, nx, ny, _, at, bt = found
    offset_x, offset_y = b[j + X] - a[i + X], b[j + Y] - a[i + Y]
    px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
    length, closing, gap = abs(mx) + abs(my), nx * mx + ny * my, -(nx * px + ny * py)
    if closing < STEEP * length or not band < gap < closing - band:
        return False
    if a[i + COUNT] == 2.0:
        after = next_place(a, i, at)
        far_x, far_y = px + (a[after] - a[at]), py + (a[after + 1] - a[at + 1])
    else:
        after = next_place(b, j, bt)
        far_x, far_y = px - (b[after] - b[bt]), py - (b[after + 1] - b[bt + 1])
    when, aside = gap / closing, band + band * length / closing
    one = (px + when * mx) * ny - (py + when * my) * nx
    other = (far_x + when * mx) * ny - (far_y + when * my) * nx
    return bool(min(one, other) < -aside and max(one, other) > aside)


@kernel
def impact(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, separation: float) -> tuple[Impact, bool]:
    """Return when A, by `separation` apart from B, first touches it along the motion m, and whether it is undecided.

    An undecided one may be no hit, or a hit at a time that rounding cannot explain: `first_touch` has the answer.
    """
    radius = a[i + RADIUS] + b[j + RADIUS]
    # At least the least number: between points and paths that are subnormal the product vanishes.
    band = max(SIGN_BAND * (magnitude(a, i, b, j) + abs(mx) + abs(my)), LEAST)
    early = clip(a, i, b, j, mx, my, radius + band)
    if early[0] == math.inf:
        # From outside the grown polygon that is a miss. A long motion has a wide band: where it reaches past the start,
        # the growth has to end before it, and a miss proves nothing.
        if separation > 2.0 * band:
            return early, False
        early = clip(a, i, b, j, mx, my, radius + 0.5 * separation)
    found = clip(a, i, b, j, mx, my, radius)
    if found[0] < math.inf:
        late = clip(a, i, b, j, mx, my, radius - band)
        if late[0] < math.inf:
            if is_met_there(found, late, band, mx, my) or is_steady(early, found, late, band, mx, my):
                return found, False
            if is_same(early, found, late):
                return refined(a, i, b, j, mx, my, found), False
            return found, True
        if radius == 0.0 and crosses(a, i, b, j, mx, my, found, band):
            return found, False
    # So near to grazing that the sign is in doubt: exact arithmetic decides. If it is a hit, this is about the place:
    # at a vertex, or at the path's end or through something thin, where the grown polygon was met early.
    if found[0] == math.inf:
        found = graze(a, i, b, j, mx, my, radius, band)
    if found[0] == math.inf:
        fraction, nx, ny, feature, at, bt = early
        if fraction == math.inf:
            _, nx, ny, feature, at, bt = nearest_feature(a, i, b, j, 0.0, 0.0)
            fraction = 0.0
        closing = nx * mx + ny * my
        fraction = min(fraction + (band / closing if closing > band else 0.0), 1.0)
        if radius > band:
            _, nx, ny, feature, at, bt = nearest_feature(a, i, b, j, fraction * mx, fraction * my)
        found = fraction, nx, ny, feature, at, bt
    return found, True


@inner
def held_in_cone(a: Floats, i: int, at: int, nx: float, ny: float, place: float, radius: float) -> tuple[float, float]:
    """Return a unit vector, or the normal of a side that ends at a core point if only rounding has it lie beyond that.

    Places are rounded by `place`. A side no longer than that tells nothing: it may as well be another that is met.
    """
    if a[i + COUNT] < 2.0:
        return nx, ny
    before = at - STRIDE
    if before < i + POINTS:
        before += STRIDE * int(a[i + COUNT])
    beyond = a[before + 3] * nx - a[before + 2] * ny
    faces = beyond > 0.0 and beyond * radius <= place and a[before + 2] * nx + a[before + 3] * ny > 0.0
    if faces and abs(a[at] - a[before]) + abs(a[at + 1] - a[before + 1]) > place:
        return a[before + 2], a[before + 3]
    beyond = ny * a[at + 2] - nx * a[at + 3]
    if beyond > 0.0 and beyond * radius <= place and nx * a[at + 2] + ny * a[at + 3] > 0.0:
        after = next_place(a, i, at)
        if abs(a[after] - a[at]) + abs(a[after + 1] - a[at + 1]) > place:
            return a[at + 2], a[at + 3]
    return nx, ny


@inner
def held_normal(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Impact) -> tuple[float, float]:
    """Return the normal of an impact, that of an arc held between the normals of the sides beside it.

    A shape rounded by next to nothing has arcs shorter than the rounding of a place on them.
    """
    _, nx, ny, feature, at, bt = found
    radius = a[i + RADIUS] + b[j + RADIUS]
    if feature != VERTICES or radius == 0.0:
        return nx, ny
    place = SIGN_BAND * (magnitude(a, i, b, j) + abs(mx) + abs(my))
    nx, ny = held_in_cone(a, i, at, nx, ny, place, radius)
    nx, ny = held_in_cone(b, j, bt, -nx, -ny, place, radius)
    return -nx, -ny


@inner
def impact_point(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Impact) -> tuple[float, float]:
    """Return the point on the surface of B, in the world, where an impact happens."""
    fraction, nx, ny, feature, at, bt = found
    if feature == EDGE_B:
        reach = a[i + RADIUS]
        x, y = a[i + X] + (a[at] + fraction * mx), a[i + Y] + (a[at + 1] + fraction * my)
        return x + nx * reach, y + ny * reach
    reach = b[j + RADIUS]
    return b[j + X] + b[bt] - nx * reach, b[j + Y] + b[bt + 1] - ny * reach
