"""The store with which a copy begins: short tables, room for its first step, and what is left to that step.

In: the store of a world between two steps. Out: one to which no body is ever added.
"""

from __future__ import annotations

from carom.world.changes.thin_sides import begin_sides
from carom.world.copies.alike import trimmed
from carom.world.drive import make_room
from carom.world.joints.order import link
from carom.world.reports.overlaps import begin_overlaps
from carom.world.store import Store


def start_of(store: Store) -> Store:
    """Return a store for copies of a world, which have what is left to their next step: exits, and overlaps."""
    return prepared(_looked_for(store))


def _looked_for(store: Store) -> Store:
    """Return a world's store in which it was looked for bodies put into others, if there are none: once for all copies.

    Else each copy looks for itself, and parts them, as its first step begins.
    """
    looked = store.copy()
    begin_sides(looked)
    begin_overlaps(looked)
    return store if looked.overlapping or store.overlapping else looked


def prepared(store: Store) -> Store:
    """Return a store for copies, with room for their first steps."""
    made = trimmed(store)
    make_room(made)
    made.tables.state["pauses"] = 0
    if made.tables.state["joints"][0] != 0:
        made.piles = link(made.tables, made.piles)  # once for all
    return made
