"""Stores of the same bodies, as copies of one world have them.

In: stores. Out: one around the tables of a copy; whether two have the same lists; or one with tables no longer than
copies need, to which no body is ever added.
"""

from __future__ import annotations

from typing import Any

from carom.world.step.declared import shorter
from carom.world.step.piles import Piles
from carom.world.step.tables import Tables
from carom.world.store import Store

LISTS = ("exits", "arrived", "overlapping", "departed", "free_rows", "gone")
"""Attributes of a store that steps change, beside its tables and the user's data of joints that break."""

ROWS_OF_HITS = 128
"""Rows that tables of hits begin with in copies: an event wants 56, and few copies tell of more than 72 in a step."""


def trimmed(store: Store) -> Store:
    """Return a store with the same content whose tables have no more rows than bodies, parts and joints need."""
    other, state = store.copy(), store.tables.state[0]
    counts = {"bodies": int(state["bodies"]), "parts": int(state["parts"]), "joints": int(state["joints"])}
    counts |= {"numbers": store.used, "hits": max(ROWS_OF_HITS, int(state["hits"]), int(state["blows"]))}
    tables: Any = other.tables
    for of, count in counts.items():
        tables = shorter(tables, of, max(count, 1))
    other.tables, other.piles = tables, shorter(other.piles, "bodies", max(counts["bodies"], 1))
    return other


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
    """Tell whether two stores have the same left to the next step, rows free, list of shapes and data of joints."""
    same = store.shapes is other.shapes and all(getattr(store, name) == getattr(other, name) for name in LISTS)
    return same and [*map(id, store.joint_data)] == [*map(id, other.joint_data)]
