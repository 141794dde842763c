"""One instant: its contacts are solved together, and told.

In: the contacts that `gathering` has written. Out: changed velocities, rows of `hits`, and whether bodies rattle and
ask for a huddle. Corners that meet corners wait until the faces of the same instant are solved, and then look again. A
body to which things happen again and again without progress in time is solved with all contacts of the moment and does
not bounce any more, and at last stands still.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.tolerances import (
    MOST_HUDDLES,
    MOST_PRESSES,
    RATTLES,
    SAME_NORMAL,
)
from carom.world.contacts import (
    ASIDE,
    CORNERS_MEET,
    INELASTIC,
    STICKS,
    bury,
    disband,
    has_joined,
    keep_velocities,
    one_before,
    rally,
    restore_velocities,
)
from carom.world.crush import give_way
from carom.world.report import report, settle
from carom.world.resting import agree_on_shares, hold
from carom.world.simultaneous import MOST_COUNTED, touch
from carom.world.solver import prepare, slow_speed, solve
from carom.world.sticky import stick
from carom.world.tables import DYNAMIC, Record, Table


@inner
def resolve(
    state: Record,
    bodies: Table,
    parts: Table,
    buffer: Floats,
    queue: Integers,
    contacts: Table,
    hits: Table,
    rules: Integers,
    waiting: Integers,
    first: int,
) -> None:
    """Solve the contacts from `first` on; corners that meet corners only where no faces meet."""
    last = state.contacts
    faces = 0
    for c in range(first, last):
        contact = contacts[c]
        prepare(state, bodies, contact, rules)
        faces += 1 if contact.state & CORNERS_MEET == 0 else 0
        count_rattles(state, bodies, contacts, first, c)
    joined = rally(state, bodies, contacts, waiting, first)
    begin = first
    if joined >= 0:
        begin = min(joined, first)
        for c in range(begin, last):
            contact = contacts[c]
            if has_joined(bodies, contact):
                prepare(state, bodies, contact, rules)
                contact.impulse = 0.0
                touch(state, bodies, parts, buffer, queue, contact.a, False)
                touch(state, bodies, parts, buffer, queue, contact.b, False)
            elif c < first:
                contact.state |= ASIDE
    for c in range(first, last):
        # Once the faces are solved, what still closes at the corners is predicted again.
        if faces > 0 and contacts[c].state & CORNERS_MEET != 0:
            bury(state, contacts[c])
    agree_on_shares(bodies, contacts, begin, last)
    driven = state.driven != 0
    if driven:
        keep_velocities(bodies, contacts, begin, last)
    solve(bodies, contacts, begin, last, 0.0)
    if driven and give_way(state, bodies, parts, buffer, queue, contacts, hits, begin, last):
        # What waits has pushed nothing.
        restore_velocities(bodies, contacts, begin, last)
        for c in range(begin, last):
            contact = contacts[c]
            if contact.state & ASIDE == 0:
                prepare(state, bodies, contact, rules)
                contact.impulse = 0.0
                if has_joined(bodies, contact):
                    contact.approach = 0.0
        agree_on_shares(bodies, contacts, begin, last)
        solve(bodies, contacts, begin, last, 0.0)
    if joined >= 0:
        disband(bodies, contacts, begin, last)
    for k in range(2 * (last - first)):
        contact = contacts[first + k % (last - first)]
        if contact.state & (ASIDE | INELASTIC) == INELASTIC:
            hold(state, bodies, contact)
    for c in range(first, last):
        contact = contacts[c]
        if contact.state & ASIDE == 0:
            if contact.state & STICKS != 0:
                for k in range(stick(state, bodies, parts, buffer, queue, contacts, hits, waiting, c)):
                    touch(state, bodies, parts, buffer, queue, waiting[k], False)
                    settle(state, bodies, hits, waiting[k])
            if contact.approach > 0.0:
                report(state, bodies, contacts, hits, last, c)
    for c in range(begin, last):
        for side in range(2):
            settle(state, bodies, hits, contacts[c].a if side == 0 else contacts[c].b)


@kernel
def count_rattles(state: Record, bodies: Table, contacts: Table, first: int, c: int) -> None:
    """Count an impact for those for whom it is slower than what bounces after a fall within a step."""
    contact = contacts[c]
    a, b = bodies[contact.a], bodies[contact.b]
    slow = max(slow_speed(state, a), slow_speed(state, b)) * 2.0 ** max(a.huddled, b.huddled)
    # What sticks goes on as one: it rattles only where something kinematic presses it, again and again.
    sticks = contact.state & STICKS != 0 and max(a.presses, b.presses) < MOST_PRESSES
    if contact.bounce >= 1.0 or contact.approach > slow or sticks:
        return
    for side in range(2):
        number = contact.a if side == 0 else contact.b
        body = bodies[number]
        if body.kind != DYNAMIC or is_flush(contacts, first, c, number):
            continue
        body.rattles = min(body.rattles + 1, MOST_COUNTED)
        if body.rattles >= RATTLES and body.huddled < MOST_HUDDLES:
            state.rattling = 1


@kernel
def is_flush(contacts: Table, first: int, c: int, number: int) -> bool:
    """Tell whether another contact of this instant pushes a body the same way, as those of one floor do."""
    at = one_before(contacts, c, number)
    sign = 1.0 if contacts[c].a == number else -1.0
    while at >= first:
        other = contacts[at]
        same = sign if other.a == number else -sign
        if abs(contacts[c].nx - same * other.nx) + abs(contacts[c].ny - same * other.ny) <= SAME_NORMAL:
            return True
        at = one_before(contacts, at, number)
    return False
