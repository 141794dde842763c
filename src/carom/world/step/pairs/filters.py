"""Collision filters: where two bodies meet, which of their responses counts, and which pairs ignore each other.

Each body has a response, and a pair of layers may have one that goes before. Of two bodies' responses the later in this
list counts: bounce (restitution and friction), slide (as if both were 0), stop (no bounce and no slip), pass (nothing).
Bodies of one group pass through one another, and so do those that joints join, if these say so or leave them no room.
"""

from __future__ import annotations

import math
from typing import Literal

from carom._core.jit import inner, kernel
from carom._core.jit.bare import left_out
from carom._core.types import Integers
from carom.tolerances import ONE_WAY_SIDE
from carom.world.step.constants import REACH
from carom.world.step.pairs.contacts import Contact, skin_of
from carom.world.step.tables import DYNAMIC, STATIC, Body, Tables

BOUNCE, SLIDE, STOP, PASS = 0, 1, 2, 3
Response = Literal["bounce", "slide", "stop", "pass"]
NAMES: tuple[Response, ...] = ("bounce", "slide", "stop", "pass")

NOTHING, MEET, NOTICE = 0, 1, 2


@inner
def response_of(a: Body, b: Body, rules: Integers) -> int:
    """Return the response of a pair of bodies."""
    rule, first = -1, a.layer
    while first != 0:
        i, second = lowest_bit(first), b.layer
        while second != 0:
            rule = max(rule, int(rules[i, lowest_bit(second)]))
            second &= second - 1
        first &= first - 1
    return rule if rule >= 0 else int(max(a.response, b.response))


@inner
def lowest_bit(bits: int) -> int:
    """Return the number of the lowest bit that is set."""
    return math.frexp(float(bits & -bits))[1] - 1


@inner
def concern(w: Tables, a: Body, b: Body) -> int:
    """Tell what two bodies have to do with each other: NOTHING, MEET, or NOTICE where one is a sensor."""
    if (a.mask & b.layer) == 0 or (b.mask & a.layer) == 0 or (a.kind == STATIC and b.kind == STATIC):
        return NOTHING
    if a.group != 0 and a.group == b.group:
        return NOTHING
    if a.sensor + b.sensor > 0:
        return NOTICE if a.sensor + b.sensor == 1 else NOTHING
    if (a.kind != DYNAMIC and b.kind != DYNAMIC) or response_of(a, b, w.rules) == PASS:
        return NOTHING
    return NOTHING if a.joint != 0 and b.joint != 0 and are_kept_together(w, a, b) else MEET


@kernel
@left_out(False)
def are_kept_together(w: Tables, a: Body, b: Body) -> bool:
    """Tell whether hard welds join two bodies, or a joint connects them that is to let them through each other."""
    if a.rigid != 0 and a.rigid == b.rigid:
        return True
    if a.kind != DYNAMIC:
        a, b = b, a  # much may hang on one that cannot be moved
    own, other = w.parts[a.first_part].body, w.parts[b.first_part].body
    k = a.joint
    while k != 0:
        joint = w.joints.table[k - 1]
        if joint.collides == 0 and (joint.b == other if joint.a == own else joint.a == other):
            return True
        k = joint.next_a if joint.a == own else joint.next_b
    return False


@inner
def is_one_way(body: Body) -> bool:
    """Tell whether a body blocks from one side only."""
    return bool(body.one_way_x != 0.0 or body.one_way_y != 0.0)


@inner
def is_open(a: Body, b: Body, contact: Contact) -> bool:
    """Tell whether one of two bodies is one-way and lets the other through.

    It blocks what meets a side that looks its way and has not passed that side already.
    """
    return bool(
        opens(a, contact.nx, contact.ny, contact.separation, skin_of(a, b))
        or opens(b, -contact.nx, -contact.ny, contact.separation, skin_of(a, b))
    )


@inner
def opens(body: Body, nx: float, ny: float, separation: float, skin: float) -> bool:
    """Tell whether a one-way body lets through what stands along n from it."""
    dx, dy = body.one_way_x, body.one_way_y
    if dx == 0.0 and dy == 0.0:
        return False
    return bool(nx * dx + ny * dy <= ONE_WAY_SIDE or separation < -REACH * skin)
