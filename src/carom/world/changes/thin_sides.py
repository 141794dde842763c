"""Bodies without width that are put onto each other get a side.

In: Points and Segments that were added or moved since the last step. Out: those that lie on a Point or a line are
moved off it by a few roundings, to the side from which they are driven: against their acceleration, or else against
their velocity. From then on it is always known on which side each is.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Integers
from carom.tolerances import STAND_OFF_SLOPS
from carom.world.step.pairs.contacts import Contact, Contacts, moves, write_contact
from carom.world.step.pairs.filters import MEET, concern
from carom.world.step.tables import Body, Tables
from carom.world.step.ways.motion import own_pull, place_parts, slop_between
from carom.world.step.ways.neighbours import find_near
from carom.world.store import Store


@kernel
def choose_sides(w: Tables, rows: Integers, scratch: Contacts) -> None:
    """Move bodies in some rows, and those near them, off what they lie on, where neither has a width."""
    bodies, parts = w.bodies, w.parts
    contact = scratch[0]
    for k in range(rows.shape[0]):
        number = rows[k]
        body = bodies[number]
        for p in range(body.first_part, body.first_part + body.part_count):
            if parts[p].thin == 0:
                continue
            count = find_near(w, p, w.around)
            for n in range(count):
                q = w.around[n]
                if parts[q].thin == 0 or parts[q].body == number or concern(w, body, bodies[parts[q].body]) != MEET:
                    continue
                part_a, part_b = min(p, q), max(p, q)
                number_a, number_b = parts[part_a].body, parts[part_b].body
                i, j = parts[part_a].record, parts[part_b].record
                slop = slop_between(w.buffer, parts[p], parts[q])
                separation = write_contact(bodies, number_a, number_b, w.buffer, i, j, 0.0, contact)
                if separation < STAND_OFF_SLOPS * slop:
                    part_to_side(
                        w, bodies[number_a], bodies[number_b], contact, 2.0 * STAND_OFF_SLOPS * slop - separation
                    )


@kernel
def part_to_side(w: Tables, a: Body, b: Body, contact: Contact, way: float) -> None:
    """Move one of two bodies that lie on each other to its side of the other."""
    state, x, y = w.state[0], 0.0, 0.0
    for side in range(2):
        body, sign = (a, -1.0) if side == 0 else (b, 1.0)
        if moves(body):
            pull_x, pull_y, _ = own_pull(state, body)
            x, y = x + sign * pull_x, y + sign * pull_y
    along = x * contact.nx + y * contact.ny
    if along == 0.0:
        along = (b.vx - a.vx) * contact.nx + (b.vy - a.vy) * contact.ny
    # The normal leads from a to b; what drives b along it is what b comes from.
    sign = -1.0 if along > 0.0 else 1.0
    one, sign = (b, sign) if moves(b) else (a, -sign)
    if moves(one):
        one.x, one.y = one.x + sign * way * contact.nx, one.y + sign * way * contact.ny
        place_parts(w, one, False)


def begin_sides(store: Store) -> None:
    """Give bodies without width that came since the last step their sides."""
    if not store.arrived:
        return
    w = store.tables
    rows = np.array(sorted(store.arrived), dtype=np.int64)
    first = w.bodies["first_part"][rows]
    if w.parts["thin"][first].any() or (w.bodies["part_count"][rows] > 1).any():
        choose_sides(w, rows, store.piles.instant)
