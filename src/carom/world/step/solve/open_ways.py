"""Ways that leave nothing deep, where a solution is rough: pushes beside the velocities, of which no energy comes.

In: rows with the displacement or speed that each lacks along itself, and how much of that does not matter. Out: a push
for each body, with which no row lacks more, or what some turns have made of it. Where the pile stands on something,
what is higher is moved rather: a body counts as half as heavy with each half width that it stands higher, so that an
opened gap is handed on upwards, and none is opened twice. That takes a third of the turns.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel, unsigned
from carom._core.types import Integers
from carom.world.step.constants import DEEP, SKIN, SPARE
from carom.world.step.piles import Piles
from carom.world.step.solve.rows import Rows, speed_along
from carom.world.step.solve.speeds import clear, read_speed
from carom.world.step.tables import Bodies, Body

MOST_OF_WAYS = 40
"""Turns for the ways of an island."""
MOST_OF_GAPS = 100
"""Turns for what is still deep at the end of a step."""
HIGHEST = 300.0
"""Half widths: bodies are told apart by their height up to here."""
FAINT = 0.5
"""Share of what does not matter: who is moved by less calls for no look at the rows beside."""
BEYOND = 1.4
"""Times the push that a row asks for by itself, since those beside take some of it back: half the turns."""


@kernel
def lift(
    bodies: Bodies, members: Integers, begin: int, end: int, rows: Rows, place: int, up_x: float, up_y: float
) -> None:
    """Have bodies begin without a push, from `place` on among the pushes; each gives way by its height."""
    size, far, origin = 0.0, math.sqrt(up_x * up_x + up_y * up_y), bodies[members[begin]]
    for at in range(begin, end):
        size += bodies[members[at]].half_width
    scale, ahead, push, k = (end - begin) / (far * size) if far > 0.0 else 0.0, rows.ahead, rows.push, place
    for at in range(begin, end):
        body = bodies[members[at]]
        height = ((body.x - origin.x) * up_x + (body.y - origin.y) * up_y) * scale
        ahead[k, 0], ahead[k, 1], ahead[k, 2] = 0.0, 0.0, 0.0
        push[k, 0] = math.ldexp(1.0, math.floor(min(max(height, -HIGHEST), HIGHEST)))
        push[k, 1] = 0.0  # the turn in which it was moved last
        k += 1
    # Behind them, what cannot be moved.
    clear(ahead, k, k + 1)
    clear(push, k, k + 1)


@kernel
def open_rows(rows: Rows, first: int, last: int, most: int) -> None:
    """Push bodies until no row lacks more than does not matter, in `most` turns at most.

    Each row has in `wanted` what it lacks, and in `share` how much does not matter. Bodies have been lifted. A turn
    goes through the rows in their order, but only beside bodies that the last one has moved.
    """
    table, ahead, push = rows.table, rows.ahead, rows.push
    for r in range(first, last):
        row = table[r]
        n, i, j = row.jacobian, row.i, row.j
        ease = push[i, 0] * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        row.low, row.step = 1.0 / (ease + push[j, 0] * (n[3] * n[3] + n[4] * n[4] + n[5] * n[5])), 0.0
    turn, found = 0.0, True
    while found and turn < most:
        turn += 1.0
        found = False
        for r in range(first, last):
            row = table[r]
            i, j, n = unsigned(row.i), unsigned(row.j), row.jacobian
            if push[i, 1] < turn - 1.0 and push[j, 1] < turn - 1.0:
                continue
            lack = row.wanted - speed_along(row, ahead)
            if row.step == 0.0 and lack <= row.share:
                continue
            found = found or lack > row.share
            new = max(row.step + BEYOND * lack * row.low, 0.0)
            p = new - row.step
            row.step = new
            a, b = p * push[i, 0], p * push[j, 0]
            ahead[i, 0] += a * n[0]
            ahead[i, 1] += a * n[1]
            ahead[i, 2] += a * n[2]
            ahead[j, 0] += b * n[3]
            ahead[j, 1] += b * n[4]
            ahead[j, 2] += b * n[5]
            if abs(p) > FAINT * row.share * row.low:
                push[i, 1] = turn if push[i, 0] > 0.0 else 0.0
                push[j, 1] = turn if push[j, 0] > 0.0 else 0.0


@kernel
def open_ways(bodies: Bodies, piles: Piles, s: int, step: float) -> None:
    """Give the bodies of an island pushes with which nothing ends the step deep.

    Where there is no room for that, pushes grow with each turn. None is right that is faster than all bodies were.
    """
    solving, contacts, rows, islands = piles.solving, piles.contacts, piles.rows, piles.islands
    begin, end = islands.starts[s], islands.starts[s + 1]
    up_x, up_y, fastest = 0.0, 0.0, 0.0
    for at in range(begin, end):
        body = bodies[islands.members[at]]
        up_x, up_y = up_x - body.pull_x, up_y - body.pull_y
        fastest = max(fastest, fastest_point(body, body.vx, body.vy, body.spin) + step * body.swift)
    lift(bodies, islands.members, begin, end, rows, begin + s, up_x, up_y)
    first = 4 * islands.begins[s]
    r = first
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = contacts[islands.order[c]]
        skin = SKIN * min(bodies[contact.a].half_width, bodies[contact.b].half_width)
        for k in range(contact.count):
            row = rows.table[r]
            row.wanted = -((1.0 + SPARE) * skin + contact.gap[k]) / (step * row.length) - speed_along(row, rows.speed)
            row.share = -0.5 * DEEP * skin / (step * row.length)
            r += 1
    open_rows(rows, first, r, MOST_OF_WAYS)
    room = True
    for at in range(begin, end):
        body, noted = bodies[islands.members[at]], solving[islands.members[at]]
        noted.push_x, noted.push_y, noted.push_spin = read_speed(rows.ahead, at + s, body)
        room = room and fastest_point(body, noted.push_x, noted.push_y, noted.push_spin) <= fastest
    for at in range(begin, end):
        noted = solving[islands.members[at]]
        if not room:
            noted.push_x, noted.push_y, noted.push_spin = 0.0, 0.0, 0.0


@inner
def fastest_point(body: Body, vx: float, vy: float, spin: float) -> float:
    """Return how fast the outermost point of a body is at most at some velocity."""
    return float(math.sqrt(vx * vx + vy * vy) + abs(spin) * body.sweep)
