"""Piles through a step: islands are solved, bodies get their ways, and what these ways would run into is added.

In: contacts. Out: for each body of a pile its way and acceleration through the step. A solution may send bodies into
others that no contact names. Such pairs become contacts ahead, and their islands are solved again from the start of the
step with the impulses so far, until nothing new is met.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom.world.step.constants import MOST_TRIES, NO_SOLUTION, SKIN, SPARE
from carom.world.step.members import join_mechanisms, join_pile
from carom.world.step.pairs.contacts import Contact, closing_of
from carom.world.step.pairs.filters import MEET, concern
from carom.world.step.pairs.listing import stands_at, write_ahead
from carom.world.step.pairs.names import contact_of, name_contacts
from carom.world.step.pairs.slow import is_slow
from carom.world.step.piles import Piles
from carom.world.step.play.events import DONE, FLY, LOOK_UP, MORE_CONTACTS, REGROUP, SOLVE, UNEQUAL_WAIT
from carom.world.step.play.impulses import energy_of, mass_of, most_energy, surface_speed
from carom.world.step.solve.island_kinds import JOINTED, is_coarse, kind_of, waits_for_caller
from carom.world.step.solve.islands import Islands, find_islands
from carom.world.step.solve.solver import solve_island
from carom.world.step.tables import (
    AND_FLIES,
    AT_ONCE,
    BETWEEN,
    DYNAMIC,
    KINEMATIC,
    OF_PILE,
    SOLVED,
    SOLVING,
    WAITING,
    Body,
    State,
    Tables,
)
from carom.world.step.ways.motion import drives, set_bounds, speed_beside, velocity_after
from carom.world.step.ways.neighbours import is_loose, keeps_within, met_on_way, settle_in
from carom.world.step.ways.setting_off import rouse
from carom.world.step.ways.writer import end_with, set_velocity, set_way, stop

LEAST_TO_SHARE = 500
"""Contacts of islands; fewer are solved before a thread has started."""

LEAST_TO_LOOK_UP = 200
"""Contacts; with fewer, a round takes no longer than the events between two looks."""

STEEPEST = 1000.0
"""Times its own speed that a kinematic body may drive others at: a wedge of a tenth of a degree does so at 600."""

LOOKS_IF_VIOLENT = 2
"""Rounds after which the bodies of a violent island look around."""


@kernel
def solve_piles(w: Tables, piles: Piles, shared: bool) -> int:
    """Solve all piles and aim their bodies: DONE; MORE_CONTACTS if a table is too short; REGROUP; SOLVE; FLY; LOOK_UP.

    REGROUP, if bodies woke: the contacts that were listed while they slept take them for what cannot be moved. SOLVE,
    if `shared` and the islands of this round are many, so that the caller solves them by several threads
    (`solve_share`), and calls again; UNEQUAL_WAIT, if it is to call `solve_unequal` before; FLY, if mechanisms that
    take no part are to find their ways first; LOOK_UP after each round of many contacts. `send_off` changes velocities
    later.
    """
    state, islands = w.state[0], piles.islands
    if state.phase == SOLVING or state.phase == WAITING:
        return SOLVE if state.phase == SOLVING else UNEQUAL_WAIT  # the caller was interrupted
    while True:
        if state.phase != SOLVED:
            if 4 * piles.counts[0] + 5 * state.joints > piles.rows.table.shape[0]:
                return MORE_CONTACTS  # rows of contacts, and those of joints
            waits = begin_round(w, piles)
            if state.due != 0:
                return FLY
            count, contacts = fresh_ones(state, islands)
            if shared and not waits and count > 1 and contacts >= LEAST_TO_SHARE:
                state.phase = SOLVING
                return SOLVE
            solve_share(w, piles, 0, 1)
            if waits:
                state.phase = WAITING
                return UNEQUAL_WAIT
        state.phase = BETWEEN
        hold_and_aim(w, piles)
        if state.rounds == MOST_TRIES - 1:
            return DONE
        count, woke = piles.counts[0], False
        for k in range(state.solved):
            if piles.solving[piles.solved[k]].anew != 0:
                count, wakes = meet_others(w, piles, count, piles.solved[k])
                if count < 0:
                    return MORE_CONTACTS
                woke = woke or wakes
        if woke:
            return REGROUP
        if count == piles.counts[0]:
            if state.coarse == 0:
                return DONE
            state.quick = 0
        piles.counts[0] = count
        state.rounds += 1
        if count >= LEAST_TO_LOOK_UP:
            return LOOK_UP


@kernel
def begin_round(w: Tables, piles: Piles) -> bool:
    """Sort what is to be solved into islands. Those with new contacts are fresh; after quick rounds coarse ones, too.

    Tells whether some are of unequal masses.
    """
    state, contacts, count, islands, waits = w.state[0], piles.contacts, piles.counts[0], piles.islands, False
    seen = 0 if state.rounds == 0 else state.seen
    name_contacts(piles.names, contacts, seen, count)
    join_pile(w, piles, seen, count)
    if piles.rows.graph.mechanisms[0] > 0:
        join_mechanisms(w, piles)
    # The last rounds solve in full what quick ones have sent into nobody new; it may still meet some.
    state.quick = 1 if state.quick != 0 and state.rounds < MOST_TRIES - 2 else 0
    again = state.quick == 0 and state.coarse != 0
    state.coarse = 0 if again or state.rounds == 0 else state.coarse
    state.islands = find_islands(
        w.bodies, piles.solving, piles.solved[: state.solved], contacts, count, seen, islands, piles.rows.graph
    )
    state.seen = count
    for s in range(state.islands):
        if islands.fresh[s] != 0 or again:
            islands.kind[s] = kind_of(w.bodies, contacts, islands, s, state.length)
            coarse = is_coarse(islands.kind[s])
            islands.fresh[s] = 1 if coarse else islands.fresh[s]
            state.coarse = 1 if coarse and state.quick != 0 else state.coarse
            waits = waits or (waits_for_caller(islands.kind[s]) and islands.fresh[s] != 0)
    return waits


@inner
def fresh_ones(state: State, islands: Islands) -> tuple[int, int]:
    """Return how many islands are to be solved, and how many contacts they have."""
    count, contacts = 0, 0
    for s in range(state.islands):
        if islands.fresh[s] != 0:
            contacts += islands.begins[s + 1] - islands.begins[s]
            count += 1
    return count, contacts


@kernel
def solve_share(w: Tables, piles: Piles, part: int, parts: int) -> None:
    """Solve one of so many shares of the fresh islands, dealt out by their contacts in order."""
    state, islands, before = w.state[0], piles.islands, 0
    _, total = fresh_ones(state, islands)
    for s in range(state.islands):
        if islands.fresh[s] != 0:
            own = islands.begins[s + 1] - islands.begins[s]
            own_part = min((2 * before + own) * parts // (2 * total), parts - 1) if total > 0 else 0
            if own_part == part and not waits_for_caller(islands.kind[s]):
                solve_one(w, piles, s)
            before += own


@inner
def solve_one(w: Tables, piles: Piles, s: int) -> None:
    """Solve an island, and note by how much it misses."""
    state = w.state[0]
    quick = state.quick != 0 and is_coarse(piles.islands.kind[s])
    piles.islands.missed[s] = solve_island(w.bodies, piles, s, state.length, quick)


@kernel
def driving_speeds(w: Tables, piles: Piles, s: int) -> tuple[float, float]:
    """Return how fast kinematic bodies drive an island at most: those that hit it, and all."""
    islands, hitting, driving = piles.islands, 0.0, 0.0
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        a, b = w.bodies[contact.a], w.bodies[contact.b]
        if a.kind == KINEMATIC or b.kind == KINEMATIC:
            speed = max(surface_speed(a), surface_speed(b))
            driving = max(driving, speed)
            hitting = max(hitting, speed) if is_hit(w, contact) else hitting
    return hitting, driving


@kernel
def hits_badly(w: Tables, piles: Piles, s: int) -> bool:
    """Tell whether a kinematic body that hits an island leaves it no solution, or shoots bodies out of a wedge."""
    islands, before, after, mass = piles.islands, 0.0, 0.0, 0.0
    surface, _ = driving_speeds(w, piles, s)
    if surface == 0.0 or islands.missed[s] >= NO_SOLUTION:
        return surface > 0.0
    for k in range(islands.starts[s], islands.starts[s + 1]):
        body, noted = w.bodies[islands.members[k]], piles.solving[islands.members[k]]
        x, y, spin = velocity_after(body, w.state[0].length)
        before += energy_of(body, x, y, spin)
        after += energy_of(body, noted.next_x, noted.next_y, noted.next_spin)
        mass += mass_of(body)
    return not after <= most_energy(before, mass, surface)


@kernel
def is_thrown(w: Tables, piles: Piles, s: int) -> bool:
    """Tell whether a solution throws a body at a speed that no wedge between kinematic bodies could give it."""
    islands, (_, surface) = piles.islands, driving_speeds(w, piles, s)
    if surface == 0.0:
        return False
    for k in range(islands.starts[s], islands.starts[s + 1]):
        body, noted = w.bodies[islands.members[k]], piles.solving[islands.members[k]]
        before = speed_beside(body, 0.0, 0.0, 0.0)
        after = abs(noted.next_x) + abs(noted.next_y) + abs(noted.next_spin) * body.sweep
        if not after <= before + STEEPEST * surface:
            return True
    return False


@inner
def is_hit(w: Tables, contact: Contact) -> bool:
    """Tell whether a kinematic body hits a body of a pile; one that is slow pushes it."""
    a, b = w.bodies[contact.a], w.bodies[contact.b]
    if contact.count == 0 or (a.kind != KINEMATIC and b.kind != KINEMATIC):
        return False
    return not is_slow(closing_of(contact), max(a.swift, b.swift), w.state[0].length)


@kernel
def hold_and_aim(w: Tables, piles: Piles) -> None:
    """Set the bodies of the islands just solved on their ways.

    Where an island has no solution, or bodies would be shot out of it, what hits it is left to the event queue; where
    it has none without these either, what drives it waits.
    """
    state, islands, solving = w.state[0], piles.islands, piles.solving
    for s in range(state.islands):
        if islands.fresh[s] == 0 or islands.kind[s] == JOINTED:
            continue
        if hits_badly(w, piles, s):
            let_go(w, piles, s, False)
            solve_one(w, piles, s)
        fails = islands.missed[s] >= NO_SOLUTION or is_thrown(w, piles, s)
        if fails and let_go(w, piles, s, True):
            solve_one(w, piles, s)
    for k in range(state.solved):
        noted = solving[piles.solved[k]]
        noted.anew = 0
        if islands.fresh[noted.island] != 0:
            aim(w, piles, piles.solved[k])


@kernel
def let_go(w: Tables, piles: Piles, s: int, holds: bool) -> bool:
    """Leave the kinematic bodies that hit an island to the event queue, or, if `holds`, have all that drive it wait.

    Contacts that are left have no points for the solver. The island forgets its impulses, which may have grown without
    bounds. False if nobody waits.
    """
    islands, found = piles.islands, False
    for c in range(islands.begins[s], islands.begins[s + 1]):
        contact = piles.contacts[islands.order[c]]
        forget_impulses(contact)
        if not holds and is_hit(w, contact):
            contact.count = 0
        for number in (contact.a, contact.b):
            if holds and drives(w.bodies[number]):
                stop(w.bodies[number])
                found = True
    return found


@inner
def forget_impulses(contact: Contact) -> None:
    """Have a contact begin without impulses."""
    contact.roll = 0.0
    for k in range(2):
        contact.normal[k], contact.across[k], contact.most[k] = 0.0, 0.0, 0.0
        contact.back[k], contact.back_across[k] = 0.0, 0.0


@kernel
def send_off(w: Tables, piles: Piles) -> None:
    """Give the bodies of piles the velocity and the acceleration of their ways."""
    state = w.state[0]
    for k in range(state.solved):
        body, noted = w.bodies[piles.solved[k]], piles.solving[piles.solved[k]]
        x, y, turn = noted.next_x - body.vx, noted.next_y - body.vy, (noted.next_spin - body.spin) * body.sweep
        if not is_slow(math.sqrt(x * x + y * y + turn * turn), body.swift, state.length):
            w.courses[piles.solved[k]].jumps = AND_FLIES if noted.flies != 0 else AT_ONCE
            # Acceleration does less: an impact changed it at the start. A body that bounced flies on, as it falls.
            flight = state.length if noted.flies != 0 else 0.0
            vx, vy = noted.next_x - body.pull_x * flight, noted.next_y - body.pull_y * flight
            set_velocity(body, vx, vy, noted.next_spin - body.pull_spin * flight)
        end_with(body, noted.next_x, noted.next_y, noted.next_spin, state.length)


@inner
def aim(w: Tables, piles: Piles, number: int) -> None:
    """Set a solved body on its way, and look whether its list of neighbours still serves."""
    state, body, noted = w.state[0], w.bodies[number], piles.solving[number]
    length = state.length
    body.solved, body.horizon = 1, length
    set_way(body, noted.next_x + noted.push_x, noted.next_y + noted.push_y, noted.next_spin + noted.push_spin)
    x, y = body.way_x - noted.seen_x, body.way_y - noted.seen_y
    turn = (body.way_spin - noted.seen_spin) * body.sweep
    noted.calm = 1 if is_calm(body, length) else 0
    # One whose way ends no farther from where it did at its last look around need not look again. A rough solution
    # finds in its first rounds nearly all that it meets.
    looks = noted.violent == 0 or state.rounds < LOOKS_IF_VIOLENT
    if looks and (abs(x) + abs(y) + abs(turn)) * length > SPARE * SKIN * body.half_width:
        noted.anew = 1
        noted.seen_x, noted.seen_y, noted.seen_spin = body.way_x, body.way_y, body.way_spin
    for p in range(body.first_part, body.first_part + body.part_count):
        part = w.parts[p]
        set_bounds(body, part, 0.0, length)
        if not keeps_within(part) or is_loose(state, body, part):
            settle_in(w, body, p)


@inner
def is_calm(body: Body, length: float) -> bool:
    """Tell whether a body was slow, and goes no farther than acceleration brings it in a step.

    Two of them meet only if their contact was listed when the step began: pairs are listed up to twice that far apart.
    """
    speed = speed_beside(body, 0.0, 0.0, 0.0)
    way = abs(body.way_x) + abs(body.way_y) + abs(body.way_spin) * body.sweep
    return bool(2.0 * speed <= body.swift * length and way <= body.swift * length)


@kernel
def meet_others(w: Tables, piles: Piles, count: int, number: int) -> tuple[int, bool]:
    """Add contacts with what a solved body runs into on its way, and wake the bodies that sleep there.

    Returns how many contacts there are, -1 if the table is too short, and whether any woke.
    """
    bodies, parts, body, woke = w.bodies, w.parts, w.bodies[number], False
    contacts, solving, noted = piles.contacts, piles.solving, piles.solving[number]
    for p in range(body.first_part, body.first_part + body.part_count):
        for k in range(met_on_way(w, p)):
            q = w.around[k]
            other_number = parts[q].body
            other = bodies[other_number]
            if other.pile & OF_PILE != 0:
                beside = solving[other_number]
                if (noted.calm != 0 and beside.calm != 0) or (other_number < number and beside.anew != 0):
                    continue  # they cannot meet, or it looks for both
            if concern(w, body, other) != MEET:
                continue
            part_a, part_b = min(p, q), max(p, q)
            if contact_of(piles, part_a, part_b) >= 0:
                continue
            if count == contacts.shape[0] - 1:
                return -1, woke
            if other.kind != DYNAMIC:
                # The island stops on the wall as a whole, or each body of it would press on until it is the lowest.
                found = 1 if stands_at(w, contacts[count], part_a, part_b) else 0
            else:
                found = write_ahead(w, contacts[count], part_a, part_b, piles.work)
            if found == 2:
                rouse(w, other_number)
                woke = True
            else:
                count += found
    return count, woke
