"""Seams: where parts touch each other, such as flush tiles, only the outside of all of them together is met.

In: a contact of two parts, and the parts beside them. Out: the same contact, or one at the outer side that is meant. A
normal is an outer one if no other part lies where it leads: else the contact is with a side, or at a corner, that
another part covers. Then the side of the same part counts that is on the outside and farthest from the other body. The
parts of one body are taken together, and so are all static bodies. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.least_gap import least_gap
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import EPSILON, NO_SIZE, SLOP_ULPS
from carom.world.step.constants import DEEPEST
from carom.world.step.pairs.contacts import Contact, receding_at, write_contact
from carom.world.step.pairs.filters import MEET, concern, is_one_way
from carom.world.step.pairs.sensors import are_parting
from carom.world.step.tables import STATIC, Tables
from carom.world.step.ways.neighbours import neighbours_of

ASIDE = 32.0
"""Times the distance that counts as touching: a side is covered there if it is covered so far along it."""
SAME = 1e-12
"""By how much the cosine between a normal and that of a side may differ from 1, for it to be that side's."""
LEADS_INTO = 1e-6
"""Sine of the angle by which a normal has to lean towards a part to lead into it."""

MISSED, COVERED, OUTER = 0, 1, 2
"""The side of a contact of two parts: none, of a disc that is beside no outer side; a covered one; an outer one."""


@inner
def write_outer(w: Tables, part_a: int, part_b: int, slack: float, far: float, contact: Contact) -> tuple[float, int]:
    """Write the contact of two parts as they stand, with the outer sides of both; return how far apart they are.

    Infinity if that is more than `far`, and then nothing counts. Tells, too, of which sides it is.
    """
    i, j = w.parts[part_a].record, w.parts[part_b].record
    separation, _, _ = least_gap(w.buffer, i, w.buffer, j)
    if separation <= far:
        a, b = w.parts[part_a].body, w.parts[part_b].body
        separation = write_contact(w.bodies, a, b, w.buffer, i, j, slack, contact)
    if separation > far:
        return math.inf, MISSED
    return separation, keep_outside(w, part_a, part_b, slack, contact)


@kernel
def keep_outside(w: Tables, part_a: int, part_b: int, slack: float, contact: Contact) -> int:
    """Have a contact of two parts, where they stand, be with the outer sides of both bodies.

    Returns OUTER; COVERED if it stays one with a side that another part covers, since all outer sides are too far; or
    MISSED if a disc is not beside the outer side that is meant.
    """
    bodies, parts, found = w.bodies, w.parts, OUTER
    for mover, wall, sign in ((part_a, part_b, -1.0), (part_b, part_a, 1.0)):
        body = bodies[parts[wall].body]
        if body.kind == STATIC or body.part_count > 1:
            found = min(found, keep_outside_of(w, mover, wall, sign, slack, contact))
    return found


@kernel
def keep_outside_of(w: Tables, mover: int, wall: int, sign: float, slack: float, contact: Contact) -> int:
    """Do so for the side of a wall; its outward normal is the contact's times `sign`."""
    buffer, q = w.buffer, w.parts[wall]
    j = q.record
    if buffer[j + RADIUS] > 0.0 or buffer[j + COUNT] < 2.0:
        return OUTER
    count = list_beside(w, mover, wall)
    if count == 0:
        return OUTER
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    far = max(abs(buffer[j + X]), abs(buffer[j + Y]))
    near = NO_SIZE * min(q.width, w.parts[mover].width) + 2.0 * SLOP_ULPS * EPSILON * (far + q.width)
    nx, ny = sign * contact.nx, sign * contact.ny
    side = side_along(buffer, j, nx, ny)
    least = min(contact.gap[0], contact.gap[contact.count - 1])
    for k in range(contact.count):
        if contact.gap[k] > least + near:
            continue  # it is the other point that tells what is met
        half = 0.5 * (contact.gap[k] + slack)
        x, y = a.x + contact.ax[k] - half * nx, a.y + contact.ay[k] - half * ny
        if is_outer(w, count, j, side, x, y, nx, ny, near):
            if side != 0:
                # The normals of discs lean by rounding at the end of a side, and two that lean wedge what lies between.
                contact.nx, contact.ny = sign * buffer[side + 2], sign * buffer[side + 3]
            return OUTER
    i = w.parts[mover].record
    # Bodies that were put into each other may be as deep as they like, and a part without width as a share of the wall.
    size = min(a.half_width, b.half_width) if w.parts[mover].width > 0.0 else max(a.half_width, b.half_width)
    limit = -math.inf if size == 0.0 or are_parting(w, contact.a, contact.b) else -DEEPEST * size
    best_side = farthest_outer(w, count, i, j, limit, near)
    if best_side == 0:
        return COVERED
    # Beyond its end the mover may be as deep as it may be in what lies there.
    best, x, y, place = gap_of_side(buffer, i, j, best_side, near + DEEPEST * size)
    if best == math.inf:
        return MISSED if buffer[i + COUNT] == 1.0 else COVERED
    best_x, best_y, inward = buffer[best_side + 2], buffer[best_side + 3], buffer[i + RADIUS] + 0.5 * best
    x, y = x - inward * best_x, y - inward * best_y
    contact.nx, contact.ny, contact.count, contact.separation = sign * best_x, sign * best_y, 1, best
    contact.ax[0], contact.ay[0], contact.bx[0], contact.by[0] = x - a.x, y - a.y, x - b.x, y - b.y
    contact.gap[0], contact.feature[0] = best - slack, -1 - (place - i)
    contact.receding[0] = receding_at(a, b, contact, 0)
    return OUTER


@kernel
def list_beside(w: Tables, mover: int, wall: int) -> int:
    """Write the parts that may touch a wall where a mover meets it into `beside`; return how many there are."""
    bodies, parts, found = w.bodies, w.parts, 0
    own = parts[wall].body
    body = bodies[own]
    if body.kind != STATIC:
        for r in range(body.first_part, body.first_part + body.part_count):
            if r != wall:
                w.beside[found] = r
                found += 1
        return found
    for k in range(neighbours_of(w, mover, w.beside)):
        r = w.beside[k]
        if r == wall:
            continue
        other = bodies[parts[r].body]
        if other.kind != STATIC:
            continue
        if parts[r].body != own and (concern(w, bodies[parts[mover].body], other) != MEET or is_one_way(other)):
            continue
        w.beside[found] = r
        found += 1
    return found


@inner
def side_of(a: Floats, j: int, at: int) -> tuple[float, float]:
    """Return the side of the part at j that begins at a corner."""
    last = j + POINTS + STRIDE * (int(a[j + COUNT]) - 1)
    after = at + STRIDE if at < last else j + POINTS
    return a[after] - a[at], a[after + 1] - a[at + 1]


@inner
def height_over(a: Floats, i: int, j: int, at: int) -> tuple[float, int]:
    """Return how high the lowest corner of the part at i is above the line of a side of the part at j, and which."""
    nx, ny, lowest, place = a[at + 2], a[at + 3], math.inf, 0
    for own in range(i + POINTS, i + POINTS + STRIDE * int(a[i + COUNT]), STRIDE):
        height = a[own] * nx + a[own + 1] * ny
        if height < lowest:
            lowest, place = height, own
    dx, dy = a[i + X] - a[j + X] - a[at], a[i + Y] - a[j + Y] - a[at + 1]
    return lowest + dx * nx + dy * ny - a[i + RADIUS], place


@kernel
def gap_of_side(a: Floats, i: int, j: int, at: int, beyond: float) -> tuple[float, float, float, int]:
    """Return how high the part at i is above a side of the part at j, beside it; the point of it, and its corner.

    What is `beyond` the ends of the side by no more counts, too. Infinity if nothing is beside the side: what is on its
    prolongation, far away, is not met.
    """
    x, y, nx, ny = a[j + X] + a[at], a[j + Y] + a[at + 1], a[at + 2], a[at + 3]
    ex, ey = side_of(a, j, at)
    length = math.sqrt(ex * ex + ey * ey)
    tx, ty = (ex / length, ey / length) if length > 0.0 else (-ny, nx)
    radius = a[i + RADIUS]
    low, high = -beyond - radius, length + beyond + radius
    first, last = i + POINTS, i + POINTS + STRIDE * (int(a[i + COUNT]) - 1)
    least, px, py, place = math.inf, 0.0, 0.0, first
    dx, dy = a[i + X] - x, a[i + Y] - y
    x0, y0 = dx + a[last], dy + a[last + 1]
    for own in range(first, last + STRIDE, STRIDE):
        x1, y1 = dx + a[own], dy + a[own + 1]
        # The corner, and where the edge before it passes the ends of the side.
        begin, end = x0 * tx + y0 * ty, x1 * tx + y1 * ty
        for along in (end, min(max(begin, low), high)):
            share = (along - begin) / (end - begin) if end != begin else 1.0
            if low <= along <= high and 0.0 <= share <= 1.0 and (end != begin or along == end):
                right, up = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
                height = right * nx + up * ny
                if height < least:
                    least, px, py, place = height, x + right, y + up, own
        x0, y0 = x1, y1
    return least - radius, px, py, place


@inner
def nearest_on_side(a: Floats, j: int, at: int, px: float, py: float) -> tuple[float, float]:
    """Return the point of a side, which begins at a corner, that is nearest to p."""
    x, y, (ex, ey) = a[j + X] + a[at], a[j + Y] + a[at + 1], side_of(a, j, at)
    square = ex * ex + ey * ey
    share = min(max(((px - x) * ex + (py - y) * ey) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return x + share * ex, y + share * ey


@inner
def side_along(a: Floats, j: int, nx: float, ny: float) -> int:
    """Return the corner at which the side of the part at j with the normal n begins; 0 if there is none."""
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        if a[at + 2] * nx + a[at + 3] * ny > 1.0 - SAME:
            return at
    return 0


@kernel
def farthest_outer(w: Tables, count: int, i: int, j: int, limit: float, near: float) -> int:
    """Return the outer side of the part at j, with `count` parts beside it, that is farthest from the part at i.

    That is the corner at which it begins; 0 if the part at i is below each by more than `limit` allows.
    """
    a, best, best_side = w.buffer, -math.inf, 0
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        gap, place = height_over(a, i, j, at)
        if gap <= best or gap < limit:
            continue
        # The point of the side that is nearest to the mover's.
        x, y = nearest_on_side(a, j, at, a[i + X] + a[place], a[i + Y] + a[place + 1])
        if is_outer(w, count, j, at, x, y, a[at + 2], a[at + 3], near):
            best, best_side = gap, at
    return best_side


@kernel
def is_outer(w: Tables, count: int, j: int, side: int, x: float, y: float, nx: float, ny: float, near: float) -> bool:
    """Tell whether n leads to the outside at a point of the part at j, with `count` parts beside it.

    On a side, unless that is 0, the point is judged a little aside, both ways, so that its end counts as the side.
    """
    if side == 0:
        return not leads_into_any(w, count, x, y, nx, ny, near)
    a = w.buffer
    x, y = nearest_on_side(a, j, side, x, y)
    ex, ey = side_of(a, j, side)
    length = math.sqrt(ex * ex + ey * ey)
    if length == 0.0:
        return not leads_into_any(w, count, x, y, nx, ny, near)
    tx, ty = ex / length, ey / length
    along = (x - a[j + X] - a[side]) * tx + (y - a[j + Y] - a[side + 1]) * ty
    aside = min(ASIDE * near, 0.5 * length)
    for to in (along + aside, along - aside):
        px, py = x + (to - along) * tx, y + (to - along) * ty
        if 0.0 <= to <= length and not leads_into_any(w, count, px, py, nx, ny, near):
            return True
    return False


@kernel
def leads_into_any(w: Tables, count: int, x: float, y: float, nx: float, ny: float, near: float) -> bool:
    """Tell whether one of the parts beside holds a point, and n leads from there into it."""
    a = w.buffer
    for k in range(count):
        part = w.parts[w.beside[k]]
        r = part.record
        right, up = x - a[r + X], y - a[r + Y]
        if max(max(part.left - right, right - part.right), max(part.bottom - up, up - part.top)) > near:
            continue
        apart = -math.inf
        begin, last = r + POINTS, r + POINTS + STRIDE * (int(a[r + COUNT]) - 1)
        for at in range(begin, last + STRIDE, STRIDE):
            apart = max(apart, (right - a[at]) * a[at + 2] + (up - a[at + 1]) * a[at + 3])
        if last == begin + STRIDE:
            # Beyond the ends of a line.
            ex, ey = a[last] - a[begin], a[last + 1] - a[begin + 1]
            length = math.sqrt(ex * ex + ey * ey)
            along = ((right - a[begin]) * ex + (up - a[begin + 1]) * ey) / length
            apart = max(apart, -along, along - length)
        if apart - a[r + RADIUS] > near:
            continue
        for at in range(begin, last + STRIDE, STRIDE):
            dx, dy = a[at] - right, a[at + 1] - up
            into = dx * nx + dy * ny
            if into > near and into * into > LEADS_INTO * LEADS_INTO * (dx * dx + dy * dy):
                return True
    return False
