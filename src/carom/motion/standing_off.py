"""Which side of a line something is on that lies exactly on it, in a world, and how it is put there.

In: two parts without width that lie on each other, and the normal along which they were found to meet. Out: whether
they do meet, for acceleration tells the side where it presses them together, and the bodies brought as far off each
other as all else without width stops, so that from then on the place itself tells. World frame, user's units.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.motion.course import go_along
from carom.motion.flush import span_along
from carom.motion.look import slop_of
from carom.motion.supports import stands
from carom.motion.tables import DYNAMIC, Record, Table
from carom.shapes.proxy import RADIUS, X, Y
from carom.tolerances import STAND_OFF_SLOPS


@inner
def gap_along(a: Floats, i: int, j: int, nx: float, ny: float) -> float:
    """Return how far the shape at j begins beyond where the shape at i ends, along n."""
    dx, dy = a[j + X] - a[i + X], a[j + Y] - a[i + Y]
    apart = (dx * nx + dy * ny) + (span_along(a, j, nx, ny)[0] - span_along(a, i, nx, ny)[1])
    return float(apart - (a[i + RADIUS] + a[j + RADIUS]))


@kernel
def stand_off(bodies: Table, parts: Table, buffer: Floats, event: Record) -> None:
    """Put two parts that lie on each other off each other along the normal of their event.

    It is no farther than rounding may have brought them there, so that nobody else can be between. What is held against
    it stays, and so does the heavier one.
    """
    p, q = parts[event.part_a], parts[event.part_b]
    a, b = bodies[p.body], bodies[q.body]
    nx, ny = event.nx, event.ny
    way = STAND_OFF_SLOPS * slop_of(p, q) - gap_along(buffer, p.record, q.record, nx, ny)
    if way <= 0.0:
        return
    ease_a = a.inverse_mass if a.kind == DYNAMIC and a.stopped == 0 else 0.0
    ease_b = b.inverse_mass if b.kind == DYNAMIC and b.stopped == 0 else 0.0
    held_a, held_b = stands(bodies, a, -nx, -ny, True), stands(bodies, b, nx, ny, True)
    if ease_a > 0.0 and (ease_b == 0.0 or (held_b and not held_a) or (held_a == held_b and ease_a >= ease_b)):
        go_along(a, -way * nx, -way * ny, parts, buffer)
    elif ease_b > 0.0:
        go_along(b, way * nx, way * ny, parts, buffer)
