"""The contacts that last: which bodies press on each other, where, and how hard.

In: a world's store after a step, or at a pause within one. Out: `WorldContacts`, one row for each pair of convex parts
that the solver held apart in that step. Places and normals are those of the present instant. World frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import inner, kernel
from carom._core.names import names_near
from carom._core.types import Floats, Integers
from carom.world.step.declared import rows_of
from carom.world.step.pairs.contacts import Contacts, keep_impulses, write_contact
from carom.world.step.pairs.seams import keep_outside
from carom.world.step.tables import Tables
from carom.world.store import Store
from carom.world.update import advance_bodies


@names_near
class WorldContacts(NamedTuple):
    """Contacts in which bodies pressed on each other in the last step, one row each, by rows of bodies."""

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
    """(m, 2) the depth at each point; negative for a gap, since bodies come to rest a little apart."""
    impulses: Floats
    """(m, 2) impulse of the step along the normal at each point, mass x speed."""
    friction_impulses: Floats
    """(m, 2) impulse of friction on the second body, along the normal turned by a quarter turn anticlockwise."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are body, other, nx, ny, count, x0, y0, x1, y1, depth0, depth1, impulse0, impulse1, friction_impulse0,
        friction_impulse1.
        """
        return flat(self._asdict())


@inner
def total(of_points: Floats, count: int) -> float:
    """Return the sum over one point or two."""
    return float(of_points[0] + of_points[1] if count == 2 else of_points[0])


@kernel
def measure_contacts(w: Tables, contacts: Contacts, count: int, out: Contacts) -> int:
    """Write those contacts that pressed, measured anew where the bodies are; return how many."""
    bodies, found = w.bodies, 0
    for c in range(count):
        old = contacts[c]
        if old.name < 0 or total(old.normal, old.count) <= 0.0:
            continue  # void, since one of the two was removed, or without a push
        part_a, part_b = old.name >> 32, old.name & 0xFFFFFFFF
        new = out[found]
        write_contact(bodies, old.a, old.b, w.buffer, w.parts[part_a].record, w.parts[part_b].record, 0.0, new)
        keep_outside(w, part_a, part_b, 0.0, new)
        keep_impulses(new, old)
        # A point that is new since then has the impulse of the one that is gone.
        new.normal[0] += total(old.normal, old.count) - total(new.normal, new.count)
        new.across[0] += total(old.across, old.count) - total(new.across, new.count)
        found += 1
    return found


def contacts_of(store: Store, live: Integers) -> WorldContacts:
    """Return the contacts of the last step, or at a pause those of the present one."""
    piles = store.piles
    kept, count = (piles.contacts, piles.counts[0]) if store.unfinished else (piles.old, piles.counts[1])
    if store.unfinished:
        store = store.copy()  # reading must not change how ways are rounded
        advance_bodies(store.tables, live)
    w = store.tables
    rows = rows_of(kept.dtype, int(count))
    rows = rows[: measure_contacts(w, kept, int(count), rows)]
    first, second = rows["a"], rows["b"]
    swapped = first > second
    sign = np.where(swapped, -1.0, 1.0)[:, None]
    body, other = np.where(swapped, second, first), np.where(swapped, first, second)
    has = np.arange(2) < rows["count"][:, None]
    normal = np.column_stack((rows["nx"], rows["ny"])) * sign + 0.0
    places = np.column_stack((w.bodies["x"][first], w.bodies["y"][first]))
    points = np.where(has[..., None], places[:, None] + np.stack((rows["ax"], rows["ay"]), axis=-1), 0.0)
    columns = (
        body,
        other,
        normal,
        rows["count"],
        points,
        *(np.where(has, values, 0.0) for values in (-rows["gap"], rows["normal"], rows["across"])),
    )
    order = np.lexsort((other, body))
    return WorldContacts(*(column[order] for column in columns))


def supports_of(store: Store, row: int) -> list[tuple[int, float, float]]:
    """Return the rows of bodies that held one against its acceleration in the last step, and normals towards it."""
    w, piles, found = store.tables, store.piles, {}
    body = w.bodies[row]
    pull = [float(w.state[f"gravity_{at}"][0] * body["gravity_scale"] + body[f"acceleration_{at}"]) for at in "xy"]
    contacts = piles.old[: int(piles.counts[1])]
    for contact in contacts[(contacts["a"] == row) | (contacts["b"] == row)]:
        sign = 1.0 if contact["b"] == row else -1.0
        nx, ny = sign * float(contact["nx"]), sign * float(contact["ny"])
        pressed = contact["normal"][: int(contact["count"])].sum() > 0.0
        if pressed and nx * pull[0] + ny * pull[1] < 0.0:
            found[int(contact["a"] if contact["b"] == row else contact["b"])] = nx, ny
    return [(other, nx, ny) for other, (nx, ny) in sorted(found.items())]
