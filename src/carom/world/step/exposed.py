"""Which stretches of its edges a body of several parts shows: there no other part of it covers an edge.

In: the parts of a body as it comes, at angle 0. Out: of each edge the stretch that no other part touches, by a margin,
as two places along its line. A contact on such a stretch is with the outside of the body, whatever its
normal, and nobody has to look at the other parts. Stretches turn with the body, so they are told once. User's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import NO_SIZE
from carom.world.step.declared import Table
from carom.world.step.tables import Body, Part

ASIDE = 32.0
"""Times the distance that counts as touching: a side is covered there if it is covered so far along it."""


@inner
def margin_of(part: Part) -> float:
    """Return how far other parts have to be from a point off an edge and aside, each by `ASIDE`, with room to spare."""
    return float(8.0 * ASIDE * NO_SIZE * part.width)


@kernel
def note_exposed(body: Body, parts: Table[Part], a: Floats) -> None:
    """Write where each edge of a body of several parts is exposed, at the place that its corner has in the record."""
    for p in range(body.first_part, body.first_part + body.part_count):
        i, shift = parts[p].model, parts[p].exposed - parts[p].model
        if parts[p].exposed == 0:
            continue
        last = i + POINTS + STRIDE * (int(a[i + COUNT]) - 1)
        for at in range(i + POINTS, last + STRIDE, STRIDE):
            after = at + STRIDE if at < last else i + POINTS
            middle = 0.5 * ((a[after + 1] - a[at + 1]) * a[at + 2] - (a[after] - a[at]) * a[at + 3])
            begin, end = -math.inf, math.inf
            for r in range(body.first_part, body.first_part + body.part_count):
                if r == p:
                    continue
                low, high = covered(a, i, at, parts[r].model, margin_of(parts[p]))
                if low > high:
                    continue
                if low + high < 2.0 * middle:
                    begin = max(begin, high)
                else:
                    end = min(end, low)
            a[at + shift], a[at + shift + 1] = begin, end


@inner
def covered(a: Floats, i: int, at: int, r: int, margin: float) -> tuple[float, float]:
    """Return from where to where on the line of an edge a part is within a margin; all of it for a disc."""
    low, high = -math.inf, math.inf
    x, y = a[i + X] + a[at] - a[r + X], a[i + Y] + a[at + 1] - a[r + Y]
    for k in range(r + POINTS, r + POINTS + STRIDE * int(a[r + COUNT]), STRIDE):
        room = a[r + RADIUS] + margin - (x - a[k]) * a[k + 2] - (y - a[k + 1]) * a[k + 3]
        rise = a[at + 2] * a[k + 3] - a[at + 3] * a[k + 2]
        if rise > 0.0:
            high = min(high, room / rise)
        elif rise < 0.0:
            low = max(low, room / rise)
        elif room < 0.0:
            return math.inf, -math.inf
    return low, high


@inner
def is_exposed(part: Part, a: Floats, x: float, y: float, near: float) -> bool:
    """Tell whether a point is on the exposed stretch of an edge: no other part is near it, nor a little aside."""
    reach = ASIDE * near
    if part.exposed == 0 or 4.0 * reach > margin_of(part):
        return False
    j = part.record
    x, y = x - a[j + X], y - a[j + Y]
    above, place = -math.inf, 0
    for at in range(j + POINTS, j + POINTS + STRIDE * int(a[j + COUNT]), STRIDE):
        height = (x - a[at]) * a[at + 2] + (y - a[at + 1]) * a[at + 3]
        if height > above:
            above, place = height, at
    if abs(above) > reach:
        return False
    along = (y - a[place + 1]) * a[place + 2] - (x - a[place]) * a[place + 3]
    place += part.exposed - j
    return bool(a[place] < along < a[place + 1])
