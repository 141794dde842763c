"""Contacts: which bodies gave each other an impulse in a step, where they touch, and how hard it was, all in all.

In: a world's store after a step, or at a pause within one. Out: `WorldContacts`, one row for each pair of convex parts
that the solver held apart in that step, or that met in an impact. Places and normals are those of the present instant.
World frame, user's units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import inner, kernel
from carom._core.names import names_near
from carom._core.types import Floats, Integers
from carom.world.step.declared import Table, rows_of
from carom.world.step.pairs.blows import impulses_of
from carom.world.step.pairs.contacts import Contacts, keep_impulses, write_contact
from carom.world.step.pairs.seams import keep_outside
from carom.world.step.tables import DYNAMIC, Blow, Tables
from carom.world.store import Store
from carom.world.update import advance_bodies


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

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are body, other, nx, ny, count, x0, y0, x1, y1, depth0, depth1, impulse0, impulse1, friction_impulse0,
        friction_impulse1, given_x, given_y.
        """
        return flat(self._asdict())


@inner
def total(of_points: Floats, count: int) -> float:
    """Return the sum over one point or two."""
    return float(of_points[0] + of_points[1] if count == 2 else of_points[0])


@kernel
def measure_contacts(
    w: Tables, contacts: Contacts, blows: Table[Blow], rows: Integers, out: Contacts, given: Floats
) -> None:
    """Write contacts as they are where the bodies are now, with their impulses, and those of blows on the same pairs.

    `rows` are those of the contacts to which the blows belong, `given` the impulses on their bodies b as vectors.
    """
    for c in range(contacts.shape[0]):
        old, new = contacts[c], out[c]
        i, j = w.parts[old.name >> 32].record, w.parts[old.name & 0xFFFFFFFF].record
        write_contact(w.bodies, old.a, old.b, w.buffer, i, j, 0.0, new)
        keep_outside(w, old.name >> 32, old.name & 0xFFFFFFFF, 0.0, new)
        keep_impulses(new, old)
        n0, t0, n1, t1 = impulses_of(old)
        n, t = n0 + n1, t0 + t1
        given[c, 0], given[c, 1] = n * old.nx - t * old.ny, n * old.ny + t * old.nx
        # A point that is new since then has the impulse of the one that is gone.
        new.normal[0] += n - total(new.normal, new.count)
        new.across[0] += t - total(new.across, new.count)
    for k in range(blows.shape[0]):
        blow, new = blows[k], out[rows[k]]
        given[rows[k], 0] += blow.x
        given[rows[k], 1] += blow.y
        for m in range(2):
            at = 1 if new.count == 2 and blow.feature[m] == new.feature[1] else 0
            new.normal[at] += blow.normal[m]
            new.across[at] += blow.across[m]


def pushed_in(store: Store) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the contacts of the present step whose impulses no blow tells, and the blows that have not become void.

    What sleeps keeps the contacts with which it fell asleep.
    """
    w, piles = store.tables, store.piles
    contacts = piles.contacts[: int(piles.counts[0])] if store.unfinished else piles.old[: int(piles.counts[1])]
    blows = w.blows[: int(w.state["blows"][0])]
    has = np.arange(2) < contacts["count"][:, None]
    impulses = (contacts[name] != 0.0 for name in ("normal", "across", "back"))
    pushed = (has & np.logical_or.reduce([*impulses])).any(axis=1) & (contacts["name"] >= 0)
    moving = (w.bodies["kind"] == DYNAMIC) & (w.bodies["asleep"] == 0)
    sleeps = ~(moving[contacts["a"]] | moving[contacts["b"]])
    pushed &= ~(sleeps & np.isin(contacts["name"], blows["name"]))  # it fell asleep in an earlier portion
    if w.state["booked"][0]:
        pushed &= sleeps
    return contacts[pushed], blows[blows["name"] >= 0]


def contacts_of(store: Store, live: Integers) -> WorldContacts:
    """Return the contacts of the last step, or at a pause those of the present one."""
    contacts, blows = pushed_in(store)
    new, first = np.unique(blows["name"][~np.isin(blows["name"], contacts["name"])], return_index=True)
    added = rows_of(contacts.dtype, len(new))
    for name in ("name", "a", "b"):
        added[name] = blows[~np.isin(blows["name"], contacts["name"])][name][first]
    pairs = np.concatenate((contacts, added))
    by_name = np.argsort(pairs["name"])
    at = by_name[np.searchsorted(pairs["name"][by_name], blows["name"])]
    if store.unfinished:
        store = store.copy()  # reading must not change how ways are rounded
        advance_bodies(store.tables, live)
    w = store.tables
    old, told, rows = (rows_of(one.dtype, len(one)) for one in (pairs, blows, pairs))
    old[:], told[:], given = pairs, blows, np.zeros((len(pairs), 2))
    measure_contacts(w, old, told, at, rows, given)
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
        given * sign + 0.0,
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
