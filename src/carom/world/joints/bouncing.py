"""Restitution in islands with joints: a second solution on velocities, mixed with the first so that no energy is made.

In: an island that is solved, with the velocities that its joints allow where its ways end, and the factors there. Out:
velocities with which each point that has pushed parts with its share of its speed of closing, as far as energy lets it.
The ways are those of the first solution.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.joints.bounded import Parts
from carom.world.joints.gauss_seidel import settle_bounded
from carom.world.joints.mechanism import add_late, clear_places
from carom.world.step.pairs.contacts import drive_along, moves
from carom.world.step.piles import Piles
from carom.world.step.play.impulses import energy_of
from carom.world.step.solve.one_point import share_that_keeps
from carom.world.step.solve.restitution import ask_back
from carom.world.step.solve.rows import add_impulse, spread
from carom.world.step.solve.speeds import clear, energy
from carom.world.step.tables import Tables
from carom.world.step.ways.motion import own_pull


@kernel
def bounce(w: Tables, piles: Piles, s: int, parts: Parts, missable: float, springs: float) -> None:
    """Have island s bounce, if something in it does.

    `missable` is the speed by which a row may miss, `springs` twice the work of springs on the ways.
    """
    rows, islands, graph = piles.rows, piles.islands, piles.rows.graph
    first, middle, frictions, _ = parts
    low, high = islands.starts[s] + s, islands.starts[s + 1] + s + 1
    forget_back(piles, s)
    if not ask_back(w.bodies, piles, s):
        return
    for k in range(low, high - 1):
        p = rows.node[k] - 1
        for c in range(3):
            rows.speed[k, c] = graph.root[p, c] * graph.speed[p, c] if p >= 0 else rows.speed[k, c]
    begun = energy(rows.speed, low, high, 0.0)
    most = energy_allowed(w, piles, s) + springs
    for k in range(low, high):
        for c in range(3):
            rows.ahead[k, c] = rows.speed[k, c]
    settle_bounded(rows, islands, s, (first, middle, frictions, frictions), missable)
    slope, bend = 0.0, 0.0
    for k in range(low, high):
        for c in range(3):
            change = rows.speed[k, c] - rows.ahead[k, c]
            slope += 2.0 * change * rows.ahead[k, c]
            bend += change * change
    clear(rows.push, low, high)
    before, more = work_of_walls(w, piles, s, first, middle)
    share = share_that_keeps(min(begun - most - before, 0.0), slope - more, bend)
    for at in range(graph.listed[0]):
        clear_places(graph.x, graph, graph.listed[1 + at])
    spread(rows, low, high, False, 0.0)
    for at in range(graph.listed[0]):
        add_late(w.joints.table, graph, graph.listed[1 + at], share)
    for k in range(low, high - 1):
        number = islands.members[k - s]
        body, noted, p = w.bodies[number], piles.solving[number], rows.node[k] - 1
        way_x, way_y = noted.next_x + noted.push_x, noted.next_y + noted.push_y
        way_spin = noted.next_spin + noted.push_spin
        mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
        for c in range(3):
            rows.speed[k, c] = rows.ahead[k, c] + share * (rows.speed[k, c] - rows.ahead[k, c])
        noted.next_x, noted.next_y = mass * rows.speed[k, 0], mass * rows.speed[k, 1]
        noted.next_spin = inertia * rows.speed[k, 2] if inertia > 0.0 or p < 0 else noted.next_spin
        noted.push_x, noted.push_y = way_x - noted.next_x, way_y - noted.next_y
        noted.push_spin = way_spin - noted.next_spin
    note_back(piles, s, share, middle - first)


@inner
def forget_back(piles: Piles, s: int) -> None:
    """Have the contacts of an island give nothing back."""
    for c in range(piles.islands.begins[s], piles.islands.begins[s + 1]):
        contact = piles.contacts[piles.islands.order[c]]
        for k in range(2):
            contact.back[k], contact.back_across[k] = 0.0, 0.0


@inner
def note_back(piles: Piles, s: int, share: float, points: int) -> None:
    """Note a share of what the rows add to the impulses of contacts; the next step begins without it."""
    r = 4 * piles.islands.begins[s]
    for c in range(piles.islands.begins[s], piles.islands.begins[s + 1]):
        contact = piles.contacts[piles.islands.order[c]]
        for k in range(contact.count):
            normal, across = piles.rows.table[r], piles.rows.table[r + points]
            contact.back[k] = share * (normal.impulse / normal.length - contact.normal[k])
            contact.back_across[k] = share * (across.impulse / across.length - contact.across[k])
            r += 1


@kernel
def energy_allowed(w: Tables, piles: Piles, s: int) -> float:
    """Return twice the kinetic energy of an island at the start of its ways, and the work of accelerations on these."""
    islands, state = piles.islands, w.state[0]
    total, length = 0.0, state.length - state.now
    for at in range(islands.starts[s], islands.starts[s + 1]):
        body, noted = w.bodies[islands.members[at]], piles.solving[islands.members[at]]
        if not moves(body):
            continue
        x, y, spin = own_pull(state, body)
        work = (x * (noted.next_x + noted.push_x) + y * (noted.next_y + noted.push_y)) / body.inverse_mass
        if body.inverse_inertia > 0.0:
            work += spin * (noted.next_spin + noted.push_spin) / body.inverse_inertia
        total += energy_of(body, body.vx, body.vy, body.spin) + 2.0 * work * length
    return total


@inner
def work_of_walls(w: Tables, piles: Piles, s: int, first: int, middle: int) -> tuple[float, float]:
    """Return twice the work of moving walls and belts by the impulses of contacts, and what the rows add to it.

    What the rows add to the impulses is added to `push`.
    """
    rows, islands, before, more, r = piles.rows, piles.islands, 0.0, 0.0, first
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        a, b = w.bodies[contact.a], w.bodies[contact.b]
        for k in range(contact.count):
            for across in range(2):
                row = rows.table[r + across * (middle - first)]
                drive = drive_along(a, b, contact, k, across == 1)
                had = contact.normal[k] if across == 0 else contact.across[k]
                before += 2.0 * had * drive
                more += 2.0 * (row.impulse / row.length - had) * drive
                add_impulse(row, rows.push, row.impulse - had * row.length)
            r += 1
    return before, more
