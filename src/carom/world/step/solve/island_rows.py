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
from carom.world.step.pairs.contacts import closing_of, drive_along, moves, resists_rolling
from carom.world.step.pairs.slow import speed_of
from carom.world.step.piles import Piles
from carom.world.step.solve.rows import Span, add_impulse, roots_of, write_levers, write_row
from carom.world.step.solve.speeds import clear, energy, read_speed, write_speed
from carom.world.step.tables import Bodies
from carom.world.step.ways.motion import velocity_after


@kernel
def begin_speeds(bodies: Bodies, piles: Piles, s: int, step: float) -> None:
    """Write the speeds that the bodies of an island would have without contacts."""
    rows, islands = piles.rows, piles.islands
    for at in range(islands.starts[s], islands.starts[s + 1]):
        number, k = islands.members[at], at + s
        piles.solving[number].place, rows.node[k] = k, bodies[number].node
        write_speed(rows.speed, k, bodies[number], velocity_after(bodies[number], step))
    still = islands.starts[s + 1] + s
    clear(rows.speed, still, still + 1)
    rows.node[still] = 0


@kernel
def sizes_of(bodies: Bodies, piles: Piles, s: int, step: float) -> tuple[int, int, float]:
    """Return how many points an island has, how many contacts of it resist rolling, and by what speed rows may miss."""
    islands, points, rolls, tolerance = piles.islands, 0, 0, math.inf
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        points += contact.count
        rolls += 1 if resists_rolling(contact) else 0
        a, b = bodies[contact.a], bodies[contact.b]
        own = SETTLED * max(a.swift, b.swift) * step
        if max(a.swift, b.swift) == 0.0:
            # Without acceleration the closing speed tells; speeds are rounded, and no row can miss them by less.
            own = max(EXACT * closing_of(contact), SLIDES * speed_of(a, b))
        tolerance = min(tolerance, own)
    return points, rolls, tolerance


@kernel
def begin_island(bodies: Bodies, piles: Piles, s: int, step: float) -> tuple[Span, float, float]:
    """Write the speeds and the rows of an island, with the impulses so far in the speeds.

    Returns where they stand, by what speed rows may miss, and twice the energy of the speeds without impulses.
    """
    begin_speeds(bodies, piles, s, step)
    points, rolls, tolerance = sizes_of(bodies, piles, s, step)
    first, low, high = 4 * piles.islands.begins[s], piles.islands.starts[s] + s, piles.islands.starts[s + 1] + s + 1
    before = energy(piles.rows.speed, low, high, 0.0)
    fill(bodies, piles, s, first + points, step)
    return (first, first + points, first + 2 * points + rolls, low, high), tolerance, before


@inner
def missed_by(worst: float, tolerance: float) -> float:
    """Return how many times the tolerance a speed is missed by; a solution that is no number misses by all."""
    if worst == 0.0:
        return 0.0
    return worst / tolerance if tolerance > 0.0 and worst < math.inf else math.inf


@kernel
def fill(bodies: Bodies, piles: Piles, s: int, middle: int, step: float) -> None:
    """Write the rows of normals, then from `middle` on those of frictions, and of what resists rolling.

    The impulses so far are in the speeds.
    """
    solving, rows, islands = piles.solving, piles.rows, piles.islands
    begin, end, still = islands.begins[s], islands.begins[s + 1], islands.starts[s + 1] + s
    r, points = 4 * begin, middle - 4 * begin
    rolls = middle + points
    for c in range(begin, end):
        contact = piles.contacts[islands.order[c]]
        a, b = bodies[contact.a], bodies[contact.b]
        # All that cannot be moved has one place.
        i, j = solving[contact.a].place if moves(a) else still, solving[contact.b].place if moves(b) else still
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
def write_back(bodies: Bodies, piles: Piles, s: int, middle: int, violent: bool) -> None:
    """Hand the speeds to the bodies and the impulses to the contacts."""
    table, islands = piles.rows.table, piles.islands
    r, across = 4 * islands.begins[s], middle
    rolls = 2 * middle - r
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        for k in range(contact.count):
            contact.normal[k] = table[r].impulse / table[r].length
            contact.across[k] = table[across].impulse / table[across].length
            contact.most[k] = max(contact.most[k], contact.normal[k])
            r, across = r + 1, across + 1
        if resists_rolling(contact):
            contact.roll = table[rolls].impulse / table[rolls].length
            rolls += 1
    for at in range(islands.starts[s], islands.starts[s + 1]):
        noted = piles.solving[islands.members[at]]
        velocity = read_speed(piles.rows.speed, at + s, bodies[islands.members[at]])
        noted.next_x, noted.next_y, noted.next_spin = velocity
        noted.push_x, noted.push_y, noted.push_spin = 0.0, 0.0, 0.0
        noted.violent, noted.flies = 1 if violent else 0, 0
