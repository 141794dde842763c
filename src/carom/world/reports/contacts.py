"""Contacts: which bodies gave each other an impulse in a step, where they touch, and how hard it was, all in all.

In: a world's store after a step, or at a pause within one. Out: `WorldContacts`, one row for each pair of convex parts
that the solver held apart in that step, or that met in an impact. Places and normals are those of the present instant.
World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import kernel
from carom._core.names import names_near
from carom._core.types import Floats, Integers
from carom.world.addressed import addresses_of, piles_at, tables_at
from carom.world.changes.bodies import advance_bodies
from carom.world.reports.contact_rows import total, write_contacts_at
from carom.world.single_calls import is_there
from carom.world.step.declared import rows_of
from carom.world.step.pairs.contacts import CONTACT
from carom.world.store import Store

FEW = 16
"""Rows for which there is room at first."""
_ONE = rows_of(CONTACT, 1)


@names_near
class WorldContacts(NamedTuple):
    """The impulses of bodies on each other in the last step: a row for each pair of convex parts, by rows of bodies."""

    body: Integers
    """(m,) row of the first body."""
    other: Integers
    """(m,) row of the second, which is greater."""
    normal: Floats
    """(m, 2) unit vector from the first towards the second."""
    count: Integers  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(m,) how many points, 1 or 2."""
    points: Floats
    """(m, 2, 2) halfway between the two surfaces; what a row does not have is 0."""
    depths: Floats
    """(m, 2) the depth at each point; negative for a gap: bodies come to rest a little apart, and impacts part them."""
    impulses: Floats
    """(m, 2) impulse of the whole step along the normal at each point, mass x speed: of impacts and of what pressed."""
    friction_impulses: Floats
    """(m, 2) impulse of friction on the second body, along the normal turned by a quarter turn anticlockwise."""
    given: Floats
    """(m, 2) the same as a vector: what the first body gave the second in the step; the second gave the opposite."""

    def __repr__(self) -> str:
        return f"<WorldContacts: {len(self.body)} pair{'s' if len(self.body) != 1 else ''} of parts>"

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are body, other, nx, ny, count, x0, y0, x1, y1, depth0, depth1, impulse0, impulse1, friction_impulse0,
        friction_impulse1, given_x, given_y.
        """
        return flat(self._asdict())


def contacts_of(store: Store, live: Callable[[], Integers]) -> WorldContacts:
    """Return the contacts of the last step, or at a pause those of the present one."""
    advanced, room = False, FEW
    while True:
        whole, values = np.empty(3 * room, np.int64), np.empty(14 * room)
        m = write_contacts_at(addresses_of(store), advanced, np.empty_like(_ONE), whole, values)
        if m >= 0:
            break
        if m == -1:
            store, advanced = store.copy(), True  # reading must not change how ways are rounded
            advance_bodies(store.tables, live())
        else:
            room = -2 - m
    two = m, 2
    return WorldContacts(
        whole[:m],
        whole[m : 2 * m],
        values[: 2 * m].reshape(two),
        whole[2 * m : 3 * m],
        values[2 * m : 6 * m].reshape(m, 2, 2),
        values[6 * m : 8 * m].reshape(two),
        values[8 * m : 10 * m].reshape(two),
        values[10 * m : 12 * m].reshape(two),
        values[12 * m : 14 * m].reshape(two),
    )


@kernel
def find_supports_at(table: Integers, row: int, serial: int, out: Integers, out_normals: Floats) -> int:
    """Write the rows and serial numbers of bodies that held one against its acceleration, by row, and normals.

    Returns how many there are, written or not; -1 if the body is gone.
    """
    w, piles = tables_at(table), piles_at(table)
    if not is_there(w, row, serial):
        return -1
    state, body, found = w.state[0], w.bodies[row], 0
    pull_x = state.gravity_x * body.gravity_scale + body.acceleration_x
    pull_y = state.gravity_y * body.gravity_scale + body.acceleration_y
    for c in range(piles.counts[1]):
        contact = piles.old[c]
        if contact.name < 0 or (contact.a != row and contact.b != row):
            continue
        sign, other = (1.0, contact.a) if contact.b == row else (-1.0, contact.b)
        nx, ny = sign * contact.nx, sign * contact.ny
        if not (total(contact.normal, contact.count) > 0.0 and nx * pull_x + ny * pull_y < 0.0):
            continue
        at, room = 0, min(found, out.shape[0])
        while at < room and out[at, 0] < other:
            at += 1
        if at == room or out[at, 0] != other:  # of several contacts with a body the last one counts
            for k in range(min(found, out.shape[0] - 1), at, -1):
                out[k, 0], out[k, 1] = out[k - 1, 0], out[k - 1, 1]
                out_normals[k, 0], out_normals[k, 1] = out_normals[k - 1, 0], out_normals[k - 1, 1]
            found += 1
        if at < out.shape[0]:
            out[at, 0], out[at, 1], out_normals[at, 0], out_normals[at, 1] = other, w.bodies[other].serial, nx, ny
    return found


def supports_of(store: Store, row: int, serial: int) -> list[tuple[int, int, float, float]] | None:
    """Return the rows and serial numbers of bodies that held one in the last step, and normals towards it.

    Returns None if the body is gone.
    """
    found = room = FEW
    while found >= room:
        room = found + 1
        out, normals = np.empty((room, 2), dtype=np.int64), np.empty((room, 2))
        found = find_supports_at(addresses_of(store), row, serial, out, normals)
    if found < 0:
        return None
    return [(*whose, *normal) for whose, normal in zip(out[:found].tolist(), normals[:found].tolist(), strict=True)]
