"""Piles through a step: islands are solved, bodies get their ways, and what these ways would run into is added.

In: contacts. Out: for each body of a pile its way and acceleration through the step. A solution may send bodies into
others that no contact names. Such pairs become contacts ahead, and their islands are solved again from the start of the
step with the impulses so far, until nothing new is met.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.world.contacts import moves
from carom.world.filters import MEET, concern
from carom.world.islands import Islands, find_islands
from carom.world.listing import (
    SLOW,
    foresee,
    name_contacts,
    neighbours_of,
    pair_name,
    slot_of,
    ways_overlap,
)
from carom.world.motion import set_bounds, stop
from carom.world.neighbours import is_loose, settle_in, stays_within
from carom.world.rows import Rows
from carom.world.sleep import OF_PILE, rouse
from carom.world.solver import solve_island
from carom.world.tables import DYNAMIC, KINEMATIC, Table, Tables

MOST_ROUNDS = 8
NO_SOLUTION = 10.0
"""Times the tolerance: where a row misses its speed by more, what drives the island leaves it no room."""


@kernel
def join_pile(
    bodies: Table, solving: Table, contacts: Table, first: int, last: int, solved: Integers, count: int
) -> int:
    """Have the bodies of new contacts take part; return how many bodies do."""
    for c in range(first, last):
        for side in range(2):
            number = contacts[c].a if side == 0 else contacts[c].b
            body, noted = bodies[number], solving[number]
            noted.next_x, noted.next_y, noted.next_spin = body.vx, body.vy, body.spin
            if moves(body) and body.pile & OF_PILE == 0:
                body.pile |= OF_PILE
                solved[count] = number
                count += 1
    return count


@kernel
def solve_piles(
    w: Tables,
    solving: Table,
    contacts: Table,
    names: Integers,
    count: int,
    solved: Integers,
    islands: Islands,
    rows: Rows,
    work: Floats,
) -> int:
    """Solve all piles and aim their bodies; return the number of contacts, or -1 if the table is too short.

    Velocities stay as they are; `send_off` changes them.
    """
    state, bodies = w.state[0], w.bodies
    seen, members = 0, 0
    quick = True
    for turn in range(MOST_ROUNDS):
        name_contacts(names, contacts, seen, count)
        members = state.solved = join_pile(bodies, solving, contacts, seen, count, solved, members)
        # The last rounds solve in full what quick ones have sent into nobody new; it may still meet some.
        quick = quick and turn < MOST_ROUNDS - 2
        found = find_islands(bodies, solving, solved, members, contacts, count, 0 if not quick else seen, islands)
        seen = count
        for s in range(found):
            if islands.fresh[s] != 0:
                first, last = islands.starts[s], islands.starts[s + 1]
                begin, end = islands.begins[s], islands.begins[s + 1]
                for _ in range(2):
                    _, missed = solve_island(
                        bodies,
                        solving,
                        contacts,
                        rows,
                        islands.members,
                        first,
                        last,
                        islands.order,
                        begin,
                        end,
                        state.length,
                        quick,
                    )
                    if missed < NO_SOLUTION or not hold_drivers(bodies, contacts, islands.order, begin, end):
                        break
        for k in range(members):
            if islands.fresh[solving[solved[k]].island] != 0:
                aim(w, solving, solved[k])
        if turn == MOST_ROUNDS - 1:
            break
        for k in range(members):
            if islands.fresh[solving[solved[k]].island] != 0:
                count = meet_others(w, solving, contacts, names, count, islands, solved[k], work)
                if count < 0:
                    return -1
        if count == seen:
            if not quick:
                break
            quick = False
    return count


@kernel
def hold_drivers(bodies: Table, contacts: Table, order: Integers, begin: int, end: int) -> bool:
    """Have the kinematic bodies that press on an island wait, since they would crush it; False if there are none.

    The island forgets its impulses, which have grown without bounds.
    """
    found = False
    for c in range(begin, end):
        contact = contacts[order[c]]
        for k in range(2):
            contact.normal[k], contact.across[k], contact.most[k] = 0.0, 0.0, 0.0
            body = bodies[contact.a if k == 0 else contact.b]
            if body.kind == KINEMATIC and (body.way_x != 0.0 or body.way_y != 0.0 or body.way_spin != 0.0):
                stop(body)
                found = True
    return found


@kernel
def send_off(w: Tables, solving: Table, solved: Integers) -> None:
    """Give the bodies of piles the velocity and the acceleration of their ways."""
    state = w.state[0]
    for k in range(state.solved):
        body, noted = w.bodies[solved[k]], solving[solved[k]]
        if noted.mark != 0:
            # More than acceleration does: that was an impact, at the start.
            body.vx, body.vy, body.spin = noted.next_x, noted.next_y, noted.next_spin
        body.pull_x, body.pull_y = (noted.next_x - body.vx) / state.length, (noted.next_y - body.vy) / state.length
        body.pull_spin = (noted.next_spin - body.spin) / state.length
        noted.mark = 0


@inner
def aim(w: Tables, solving: Table, number: int) -> None:
    """Set a solved body on its way, and look whether its list of neighbours still serves."""
    state, body, noted = w.state[0], w.bodies[number], solving[number]
    length = state.length
    body.solved, body.horizon = 1, length
    turn = (noted.next_spin - body.spin) * body.sweep
    x, y, most = noted.next_x - body.vx, noted.next_y - body.vy, SLOW * body.swift * length
    body.way_x, body.way_y, body.way_spin = noted.next_x, noted.next_y, noted.next_spin
    noted.mark = 1 if x * x + y * y + turn * turn > most * most else 0
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(body, part, 0.0, length)
        if not stays_within(part) or is_loose(state, body, part):
            settle_in(state, body, w.parts, w.cells, w.levels, w.near, w.lists, p)


@kernel
def meet_others(
    w: Tables,
    solving: Table,
    contacts: Table,
    names: Integers,
    count: int,
    islands: Islands,
    number: int,
    work: Floats,
) -> int:
    """Add contacts with the bodies that a solved one runs into on its way; return how many contacts there are."""
    bodies, parts, body = w.bodies, w.parts, w.bodies[number]
    for p in range(body.first_part, body.first_part + body.part_count):
        near = neighbours_of(w, p)
        for k in range(near):
            q = w.near[k]
            other_number = parts[q].body
            other = bodies[other_number]
            if other_number == number or other.kind != DYNAMIC or not ways_overlap(parts[p], parts[q]):
                continue
            if other.pile & OF_PILE != 0 and other_number < number and islands.fresh[solving[other_number].island] != 0:
                continue  # it looks for both
            if concern(body, other, w.rules) != MEET:
                continue
            part_a, part_b = min(p, q), max(p, q)
            if names[slot_of(names, contacts, pair_name(part_a, part_b))] >= 0:
                continue
            if count == contacts.shape[0] - 1:
                return -1
            met = foresee(w, contacts[count], part_a, part_b, work)
            if met == 2:
                rouse(w, other_number, True)
                met = foresee(w, contacts[count], part_a, part_b, work)
            count += met
    return count
