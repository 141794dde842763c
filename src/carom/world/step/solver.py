"""All contacts of one island, solved together for the whole step: normals, friction, restitution.

In: bodies with velocities at the start of the step and accelerations, contacts with gaps and the impulses of the step
before. Out: the velocity of each body after the step, in `next_x`, `next_y`, `next_spin` of its row of `solving`, which
is also that of its way; impulses.

A contact may close by its gap, and no faster; one that touches or is too deep may not close at all, and is not pushed
open either, so that no energy comes from it. Friction is Coulomb's. Where the island moves, normals and frictions are
solved in turns; where it is calm, as one problem, which settles best.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.step.constants import COARSE, EXACT, FEW, FEW_TURNS, MOST_TURNS, SETTLED, SETTLED_CALM
from carom.world.step.contacts import closing_of, drive_along, moves, resists_rolling
from carom.world.step.islands import Islands
from carom.world.step.minimise import minimise
from carom.world.step.rows import Rows, add_impulse, bound_frictions, roots_of, speed_along, write_levers, write_row
from carom.world.step.slow import is_slow
from carom.world.step.tables import Table


@kernel
def solve_island(
    bodies: Table,
    solving: Table,
    contacts: Table,
    rows: Rows,
    islands: Islands,
    s: int,
    step: float,
    quick: bool,
) -> tuple[int, float]:
    """Solve island s, coarsely if `quick`; islands do not share rows, so that several may be solved at once.

    Returns turns times rows, and how many times the tolerance the worst row misses its speed by.
    """
    begin, end = islands.begins[s], islands.begins[s + 1]
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    calm = begin_speeds(bodies, solving, rows, islands, s, step)
    points, rolls, tolerance = 0, 0, math.inf
    for c in range(begin, end):
        contact = contacts[islands.order[c]]
        points += contact.count
        rolls += 1 if resists_rolling(contact) else 0
        swiftest = max(bodies[contact.a].swift, bodies[contact.b].swift)
        tolerance = min(
            tolerance, SETTLED * swiftest * step if swiftest > 0.0 else EXACT * max(closing_of(contact), 0.0)
        )
    first = 4 * begin
    middle, last = first + points, first + 2 * points + rolls
    before = energy(rows, low, high)
    fill(bodies, solving, contacts, rows, islands, s, middle, step)
    work, worst, passes = 0, 0.0, 1 if quick else 2  # a coarse one, and one that settles
    for turn in range(passes if points > 0 else 0):
        wanted = tolerance if turn == 1 else COARSE * tolerance
        share = EXACT if points <= FEW else 1.0
        if calm:
            bound_frictions(rows, middle, last)
            turns, worst = minimise(rows, first, last, low, high, share * SETTLED_CALM * wanted, FEW_TURNS, 0.0)
            work += 2 * points * turns
            if worst <= wanted:
                continue
            calm = False
        turns, worst = minimise(rows, first, middle, low, high, share * wanted, MOST_TURNS, 0.0)
        work += points * turns
        if turn == 0:
            rub(rows, middle, last)
    if energy(rows, low, high) > 2.0 * before + work_of(rows, first, last):
        # A coarse solution makes less. Frictions that contradict the normals would throw what is light: then without.
        drop_frictions(rows, middle, last)
        turns, worst = minimise(rows, first, middle, low, high, tolerance, MOST_TURNS, 0.0)
        work += points * turns
    write_back(bodies, solving, contacts, rows, islands, s, middle)
    bounce(bodies, solving, contacts, islands.order, begin, end)
    if worst == 0.0:
        return work, 0.0
    # A solution that is no number misses by all.
    return work, worst / tolerance if tolerance > 0.0 and worst < math.inf else math.inf


@kernel
def begin_speeds(bodies: Table, solving: Table, rows: Rows, islands: Islands, s: int, step: float) -> bool:
    """Write the speeds that the bodies of an island would have without contacts; tell whether it is calm: all slow."""
    speed, calm, k = rows.speed, True, islands.starts[s] + s
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body = bodies[islands.members[at]]
        solving[islands.members[at]].place = k
        reach = abs(body.spin) * body.sweep
        calm = calm and is_slow(math.sqrt(body.vx * body.vx + body.vy * body.vy + reach * reach), body.swift, step)
        mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
        speed[k, 0] = (body.vx + step * body.pull_x) / mass
        speed[k, 1] = (body.vy + step * body.pull_y) / mass
        speed[k, 2] = (body.spin + step * body.pull_spin) / inertia if inertia > 0.0 else 0.0
        k += 1
    speed[k, 0], speed[k, 1], speed[k, 2] = 0.0, 0.0, 0.0
    return calm


@inner
def place_of(bodies: Table, solving: Table, number: int, still: int) -> int:
    """Return the place of a body among the speeds; `still` is that of all that cannot be moved."""
    return int(solving[number].place) if moves(bodies[number]) else still


@kernel
def fill(
    bodies: Table, solving: Table, contacts: Table, rows: Rows, islands: Islands, s: int, middle: int, step: float
) -> None:
    """Write the rows of normals, then from `middle` on those of frictions, and of what resists rolling.

    The impulses so far are in the speeds.
    """
    begin, end, still = islands.begins[s], islands.begins[s + 1], islands.starts[s + 1] + s
    r, points = 4 * begin, middle - 4 * begin
    rolls = middle + points
    for c in range(begin, end):
        contact = contacts[islands.order[c]]
        a, b = bodies[contact.a], bodies[contact.b]
        i, j = place_of(bodies, solving, contact.a, still), place_of(bodies, solving, contact.b, still)
        roots = roots_of(a, b, i != still, j != still)
        for k in range(contact.count):
            for across in range(2):
                at = r + across * points
                x, y = (contact.nx, contact.ny) if across == 0 else (-contact.ny, contact.nx)
                row = rows.table[at]
                length = write_row(row, i, j, roots, contact, k, x, y)
                wanted = drive_along(a, b, contact, k, across == 1)
                wanted -= max(contact.gap[k], 0.0) / step if across == 0 else 0.0
                row.wanted, row.low, row.high = wanted / length, 0.0, math.inf
                row.impulse = (contact.normal[k] if across == 0 else contact.across[k]) * length
                row.share, row.bound = contact.friction * length / rows.table[r].length, r
                add_impulse(row, rows.speed, row.impulse)
            r += 1
        if resists_rolling(contact):
            row, turn = rows.table[rolls], contact.radius
            length = write_levers(row, i, j, roots, 0.0, 0.0, turn, turn)
            wanted = (a.way_spin if i == still else 0.0) - (b.way_spin if j == still else 0.0)
            row.wanted, row.impulse = turn * wanted / length, contact.roll * length
            row.share, row.bound = contact.rolling * length / rows.table[r - 1].length, r - 1
            add_impulse(row, rows.speed, row.impulse)
            rolls += 1


@kernel
def energy(rows: Rows, low: int, high: int) -> float:
    """Return twice the kinetic energy of the bodies of an island."""
    total = 0.0
    for k in range(low, high):
        x, y, spin = rows.speed[k, 0], rows.speed[k, 1], rows.speed[k, 2]
        total += x * x + y * y + spin * spin
    return total


@kernel
def work_of(rows: Rows, first: int, last: int) -> float:
    """Return twice the energy that moving walls add to bodies at most."""
    total = 0.0
    for r in range(first, last):
        total += max(rows.table[r].impulse * rows.table[r].wanted, 0.0)
    return 2.0 * total


@kernel
def drop_frictions(rows: Rows, middle: int, last: int) -> None:
    """Take all frictions back."""
    for r in range(middle, last):
        row = rows.table[r]
        add_impulse(row, rows.speed, -row.impulse)
        row.impulse = 0.0


@kernel
def rub(rows: Rows, middle: int, last: int) -> None:
    """Go once through all frictions: each stops its point as far as the normal impulse there allows."""
    table = rows.table
    for r in range(middle, last):
        row = table[r]
        most = row.share * table[row.bound].impulse
        if most == 0.0 and row.impulse == 0.0:
            continue
        new = min(max(row.impulse + row.wanted - speed_along(row, rows.speed), -most), most)
        add_impulse(row, rows.speed, new - row.impulse)
        row.impulse = new


@kernel
def write_back(
    bodies: Table, solving: Table, contacts: Table, rows: Rows, islands: Islands, s: int, middle: int
) -> None:
    """Hand the speeds to the bodies and the impulses to the contacts."""
    r, across = 4 * islands.begins[s], middle
    rolls = 2 * middle - r
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = contacts[islands.order[c]]
        for k in range(contact.count):
            contact.normal[k] = rows.table[r].impulse / rows.table[r].length
            contact.across[k] = rows.table[across].impulse / rows.table[across].length
            contact.most[k] = max(contact.most[k], contact.normal[k])
            r, across = r + 1, across + 1
        if resists_rolling(contact):
            contact.roll = rows.table[rolls].impulse / rows.table[rolls].length
            rolls += 1
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body, noted, k = bodies[islands.members[at]], solving[islands.members[at]], at + s
        mass = math.sqrt(body.inverse_mass)
        noted.next_x, noted.next_y = rows.speed[k, 0] * mass, rows.speed[k, 1] * mass
        noted.next_spin = rows.speed[k, 2] * math.sqrt(body.inverse_inertia)


@kernel
def bounce(bodies: Table, solving: Table, contacts: Table, order: Integers, begin: int, end: int) -> None:
    """Let what bounces part: each point that pushed parts at least as fast as its restitution asks for."""
    for c in range(begin, end):
        contact = contacts[order[c]]
        if contact.bounce == 0.0:
            continue
        a, b = bodies[contact.a], bodies[contact.b]
        mass_a, inertia_a = (a.inverse_mass, a.inverse_inertia) if moves(a) else (0.0, 0.0)
        mass_b, inertia_b = (b.inverse_mass, b.inverse_inertia) if moves(b) else (0.0, 0.0)
        p, q = solving[contact.a], solving[contact.b]
        nx, ny = contact.nx, contact.ny
        for k in range(contact.count):
            if contact.most[k] == 0.0:
                continue
            ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
            turn_a, turn_b = ax * ny - ay * nx, bx * ny - by * nx
            parting = (q.next_x - p.next_x) * nx + (q.next_y - p.next_y) * ny
            parting += q.next_spin * turn_b - p.next_spin * turn_a
            ease = mass_a + mass_b + inertia_a * turn_a * turn_a + inertia_b * turn_b * turn_b
            impulse = max((-contact.bounce * contact.parting[k] - parting) / ease, 0.0)
            contact.normal[k] += impulse
            p.next_x -= mass_a * impulse * nx
            p.next_y -= mass_a * impulse * ny
            p.next_spin -= inertia_a * impulse * turn_a
            q.next_x += mass_b * impulse * nx
            q.next_y += mass_b * impulse * ny
            q.next_spin += inertia_b * impulse * turn_b
