"""The rows of an island: its contacts write them for the solvers, and read them back.

In: bodies with velocities at the start of the step and accelerations, contacts with gaps and the impulses so far. Out:
speeds with these impulses in them, a row for each normal, behind them those of frictions in the same order, then those
of what resists rolling; after a solver, the velocity of each body in its row of `solving`, and impulses.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.tolerances import SLIDES
from carom.world.step.constants import EXACT, SETTLED
from carom.world.step.contacts import Contacts, closing_of, drive_along, moves, resists_rolling
from carom.world.step.islands import Islands
from carom.world.step.notes import Notes
from carom.world.step.rows import Rows, add_impulse, roots_of, write_levers, write_row
from carom.world.step.slow import speed_of
from carom.world.step.tables import Bodies


@kernel
def begin_speeds(bodies: Bodies, solving: Notes, rows: Rows, islands: Islands, s: int, step: float) -> None:
    """Write the speeds that the bodies of an island would have without contacts."""
    speed, k = rows.speed, islands.starts[s] + s
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body = bodies[islands.members[at]]
        solving[islands.members[at]].place, rows.node[k] = k, body.node
        mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
        speed[k, 0] = (body.vx + step * body.pull_x) / mass
        speed[k, 1] = (body.vy + step * body.pull_y) / mass
        speed[k, 2] = (body.spin + step * body.pull_spin) / inertia if inertia > 0.0 else 0.0
        k += 1
    speed[k, 0], speed[k, 1], speed[k, 2], rows.node[k] = 0.0, 0.0, 0.0, 0


@kernel
def sizes_of(bodies: Bodies, contacts: Contacts, islands: Islands, s: int, step: float) -> tuple[int, int, float]:
    """Return how many points an island has, how many contacts of it resist rolling, and by what speed rows may miss."""
    points, rolls, tolerance = 0, 0, math.inf
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = contacts[islands.order[c]]
        points += contact.count
        rolls += 1 if resists_rolling(contact) else 0
        a, b = bodies[contact.a], bodies[contact.b]
        swiftest = max(a.swift, b.swift)
        # Without acceleration the closing speed tells; speeds are rounded, and no row can miss them by less.
        own = (
            max(EXACT * closing_of(contact), SLIDES * speed_of(a, b)) if swiftest == 0.0 else SETTLED * swiftest * step
        )
        tolerance = min(tolerance, own)
    return points, rolls, tolerance


@inner
def place_of(bodies: Bodies, solving: Notes, number: int, still: int) -> int:
    """Return the place of a body among the speeds; `still` is that of all that cannot be moved."""
    return int(solving[number].place) if moves(bodies[number]) else still


@kernel
def fill(
    bodies: Bodies, solving: Notes, contacts: Contacts, rows: Rows, islands: Islands, s: int, middle: int, step: float
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
def write_back(
    bodies: Bodies,
    solving: Notes,
    contacts: Contacts,
    rows: Rows,
    islands: Islands,
    s: int,
    middle: int,
    violent: bool,
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
        noted.push_x, noted.push_y, noted.push_spin = 0.0, 0.0, 0.0
        noted.violent, noted.flies = 1 if violent else 0, 0
