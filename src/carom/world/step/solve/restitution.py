"""Restitution in piles: a second solution of an island, on velocities, mixed with the first so that no energy is made.

In: an island that is solved, its impulses in the contacts and in the rows. Out: rows in which each point that has
pushed parts with its share of its speed of closing, as far as energy lets it; no point closes faster than before.
"""

from __future__ import annotations

import math

from carom._core.jit import kernel
from carom.world.step.constants import FEW_TURNS
from carom.world.step.pairs.contacts import drive_along
from carom.world.step.piles import Piles
from carom.world.step.solve.island_rows import write_back
from carom.world.step.solve.minimise import minimise
from carom.world.step.solve.one_point import share_that_keeps
from carom.world.step.solve.rows import Span, add_impulse, bound_frictions, speed_along
from carom.world.step.solve.speeds import clear
from carom.world.step.solve.sweeps import sweep
from carom.world.step.tables import Bodies


@kernel
def give_back(
    bodies: Bodies, piles: Piles, s: int, span: Span, tolerance: float, sweeps: int, violent: bool, step: float
) -> None:
    """Have island s bounce, by so many sweeps, or exactly if none; if nothing in it does, nothing is changed.

    It is noted which bodies fly: those of which a point has given something back.
    """
    rows, islands, (first, middle, last, low, high) = piles.rows, piles.islands, span
    if not ask_back(bodies, piles, s):
        return
    if sweeps > 0:
        sweep(rows, first, middle, last, sweeps)
    else:
        minimise(rows, first, middle, low, high, tolerance, FEW_TURNS, 0.0)
        bound_frictions(rows, middle, last, low, high)
        minimise(rows, first, last, low, high, tolerance, FEW_TURNS, 0.0)
        bound_frictions(rows, middle, last, low, high)
    mix(bodies, piles, s, span, step)
    write_back(bodies, piles, s, middle, violent)
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        if contact.bounce > 0.0 and (contact.normal[0] > 0.0 or contact.normal[1] > 0.0):
            piles.solving[contact.a].flies, piles.solving[contact.b].flies = 1, 1


@kernel
def ask_back(bodies: Bodies, piles: Piles, s: int) -> bool:
    """Have the rows of points that have pushed want to part; tell whether any do."""
    islands, bounces, r = piles.islands, False, 4 * piles.islands.begins[s]
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        for k in range(contact.count):
            row = piles.rows.table[r]
            if contact.bounce > 0.0 and contact.most[k] > 0.0:
                drive = drive_along(bodies[contact.a], bodies[contact.b], contact, k, False)
                asked = (drive + max(-contact.bounce * contact.receding[k], 0.0)) / row.length
                bounces = bounces or asked > row.wanted
                row.wanted = max(row.wanted, asked)
            r += 1
    return bounces


@kernel
def mix(bodies: Bodies, piles: Piles, s: int, span: Span, step: float) -> None:
    """Mix the impulses of the rows with those in the contacts, which are the first solution's: no energy is made.

    Rolling resistance is the same in both.
    """
    contacts, rows, islands, (first, middle, _, low, high) = piles.contacts, piles.rows, piles.islands, span
    push, ahead, speed = rows.push, rows.ahead, rows.speed
    clear(push, low, high)
    clear(ahead, low, high)
    slope, made, r = 0.0, 0.0, first
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = contacts[islands.order[c]]
        for k in range(contact.count):
            for across in range(2):
                row = rows.table[r + across * (middle - first)]
                before = (contact.normal[k] if across == 0 else contact.across[k]) * row.length
                drive = drive_along(bodies[contact.a], bodies[contact.b], contact, k, across == 1) / row.length
                along = speed_along(row, speed) - drive
                row.step = row.impulse - before
                slope += row.step * along
                made += row.impulse * along
                add_impulse(row, push, row.step)
                add_impulse(row, ahead, row.impulse)
            r += 1
    bend = 0.0
    for k in range(low, high - 1):
        body = bodies[islands.members[k - s]]
        mass, inertia = math.sqrt(body.inverse_mass), math.sqrt(body.inverse_inertia)
        for axis in range(3):
            pull = (body.pull_x if axis == 0 else body.pull_y) / mass
            if axis == 2:
                pull = body.pull_spin / inertia if inertia > 0.0 else 0.0
            # On its way it gains or loses what its acceleration does there.
            bend += 0.5 * push[k, axis] * push[k, axis]
            slope -= step * pull * push[k, axis]
            made -= 0.5 * (ahead[k, axis] + step * pull) * (ahead[k, axis] + step * pull)
    if made <= 0.0:
        return
    less = 1.0 - share_that_keeps(made - slope + bend, slope - 2.0 * bend, bend)
    for k in range(low, high - 1):
        for axis in range(3):
            speed[k, axis] -= less * push[k, axis]
    for r in range(first, 2 * middle - first):
        rows.table[r].impulse -= less * rows.table[r].step
