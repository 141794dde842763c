"""What is too deep at the end of a step is opened by the least displacement, without speed.

In: the bodies of piles where they stand at the end of the step, and the pairs of the contacts that the solver had. Out:
the same bodies, moved and turned so that no pair overlaps by more than a share of the skin. Of all displacements that
open the gaps it is the least by mass: min 1/2 dq' M dq so that J dq >= target - gap. It is measured anew until open.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.pile.contacts import moves, write_contact
from carom.world.pile.listing import skin_of
from carom.world.pile.minimise import minimise
from carom.world.pile.motion import place_parts
from carom.world.pile.rows import Rows
from carom.world.tables import Table, Tables

DEEP = -0.3
"""Times the skin: what is deeper is opened."""
TARGET = -0.1
"""Times the skin: to there."""
SETTLED = 0.1
"""Times the skin: the error allowed."""
REACH = 2.0
"""Times the skin, and so much more as the worst is deep: pairs that near take part."""
MOST_MEASURES = 10
MOST_TURNS = 3000
MOST_ANGLE = 0.2
"""Radians that a body turns at a time; more, and the straight measure is no guide."""


@kernel
def open_gaps(
    w: Tables, solving: Table, contacts: Table, count: int, solved: Integers, members: int, rows: Rows
) -> int:
    """Open the gaps of the contacts; return how often it had to measure."""
    bodies, parts = w.bodies, w.parts
    scratch = contacts[count]
    for k in range(members):
        solving[solved[k]].place = k
    reach = REACH
    for measure in range(MOST_MEASURES):
        points, worst, least_skin = 0, 0.0, math.inf
        for c in range(count):
            name = contacts[c].name
            part_a, part_b = name >> 32, name & 0xFFFFFFFF
            number_a, number_b = parts[part_a].body, parts[part_b].body
            a, b = bodies[number_a], bodies[number_b]
            if not moves(a) and not moves(b):
                continue
            skin = skin_of(a, b)
            separation = write_contact(
                bodies, number_a, number_b, w.buffer, parts[part_a].record, parts[part_b].record, 0.0, scratch
            )
            if separation > reach * skin:
                continue
            worst, least_skin = max(worst, -separation / skin), min(least_skin, skin)
            for k in range(scratch.count):
                if scratch.gap[k] <= reach * skin:
                    i = solving[number_a].place if moves(a) else members
                    j = solving[number_b].place if moves(b) else members
                    write_row(rows, points, a, b, i, j, members, scratch, k, TARGET * skin)
                    points += 1
        if worst <= -DEEP:
            return measure
        for k in range(members + 1):
            rows.speed[k, 0], rows.speed[k, 1], rows.speed[k, 2] = 0.0, 0.0, 0.0
        minimise(rows, points, members + 1, SETTLED * least_skin, MOST_TURNS)
        for k in range(members):
            displace(w, solved[k], rows, k)
        reach = REACH + min(2.0 * worst, 60.0)
    return MOST_MEASURES


@inner
def write_row(rows, r, a, b, i, j, fixed, contact, k, target):  # type: ignore[no-untyped-def]
    """Write the row of one point: by how much its gap is to open."""
    nx, ny = contact.nx, contact.ny
    turn_a = contact.ax[k] * ny - contact.ay[k] * nx
    turn_b = contact.bx[k] * ny - contact.by[k] * nx
    mass_a, inertia_a = (math.sqrt(a.inverse_mass), math.sqrt(a.inverse_inertia)) if i < fixed else (0.0, 0.0)
    mass_b, inertia_b = (math.sqrt(b.inverse_mass), math.sqrt(b.inverse_inertia)) if j < fixed else (0.0, 0.0)
    v0, v1, v2 = -mass_a * nx, -mass_a * ny, -inertia_a * turn_a
    v3, v4, v5 = mass_b * nx, mass_b * ny, inertia_b * turn_b
    length = math.sqrt((v0 * v0 + v1 * v1 + v2 * v2) + (v3 * v3 + v4 * v4 + v5 * v5))
    jacobian = rows.jacobian
    jacobian[r, 0], jacobian[r, 1], jacobian[r, 2] = v0 / length, v1 / length, v2 / length
    jacobian[r, 3], jacobian[r, 4], jacobian[r, 5] = v3 / length, v4 / length, v5 / length
    rows.pair[r, 0], rows.pair[r, 1], rows.length[r] = i, j, length
    rows.wanted[r] = (target - contact.gap[k]) / length
    rows.low[r], rows.high[r], rows.impulse[r] = 0.0, math.inf, 0.0


@inner
def displace(w: Tables, number: int, rows: Rows, k: int) -> None:
    """Move and turn a body by its share."""
    body = w.bodies[number]
    mass = math.sqrt(body.inverse_mass)
    dx, dy = rows.speed[k, 0] * mass, rows.speed[k, 1] * mass
    turn = rows.speed[k, 2] * math.sqrt(body.inverse_inertia)
    if dx == 0.0 and dy == 0.0 and turn == 0.0:
        return
    share = min(1.0, MOST_ANGLE / abs(turn)) if turn != 0.0 else 1.0
    body.x += share * dx
    body.y += share * dy
    body.angle += share * turn
    body.moved = 1
    place_parts(body, w.parts, w.buffer, turn != 0.0)
