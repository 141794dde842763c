"""Stores of the same bodies, as copies of one world have them: as long as each other, with lists compared.

In: stores. Out: one around the tables of a copy; or the same, its tables as long as those of another.
"""

from __future__ import annotations

from carom.world.joints.order import GROWN_BY_LINKS
from carom.world.step.declared import arrays_in, longer, room_for
from carom.world.step.piles import Piles
from carom.world.step.tables import Tables
from carom.world.store import Store

LISTS = ("exits", "arrived", "overlapping", "departed", "free_rows", "gone")
"""Attributes of a store that steps change, beside its tables and the user's data of joints that break."""


def around(store: Store, tables: Tables, piles: Piles) -> Store:
    """Return a store with the same bodies around other tables, with lists of its own."""
    other = object.__new__(Store)
    vars(other).update(vars(store))
    for name in (*LISTS, "joint_data", "gone_data"):
        setattr(other, name, getattr(store, name).copy())
    other.tables, other.piles = tables, piles
    return other


def without_waiting(store: Store) -> Store:
    """Return a store around the same tables with nothing left to the next step; itself where nothing is."""
    if not store.waits:
        return store
    other = around(store, store.tables, store.piles)
    other.exits, other.arrived, other.overlapping, other.departed = [], set(), set(), {}
    other.gone, other.gone_data = {}, {}
    return other


def have_same_lists(store: Store, other: Store) -> bool:
    """Tell whether two stores have the same left to the next step, the same rows free, and the same data of joints."""
    same = all(getattr(store, name) == getattr(other, name) for name in LISTS)
    return same and [*map(id, store.joint_data)] == [*map(id, other.joint_data)]


def are_as_long(store: Store, tables: Tables, piles: Piles) -> bool:
    """Tell whether a store's tables are as long as others."""
    return all(
        [len(array) for array, _ in arrays_in(own)] == [len(array) for array, _ in arrays_in(other)]
        for own, other in ((store.tables, tables), (store.piles, piles))
    )


def make_as_long(store: Store, other: Store) -> None:
    """Have at least as much room for what steps write as another store has."""
    for name in ("inside", "overlaps"):
        while len(getattr(store.tables, name)) < len(getattr(other.tables, name)):
            store.widen(name)
    for of in ("events", "hits"):
        store.tables = longer(store.tables, of, room_for(other.tables, of))
    store.make_ready(len(other.piles.contacts))
    for of in GROWN_BY_LINKS:
        store.piles = longer(store.piles, of, room_for(other.piles, of))
