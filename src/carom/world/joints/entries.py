"""The rows of joints in a world's tables: taken and given back.

In: a store, and columns of joints that are checked. Out: the table of joints, the list of each body's joints, and a
note that the graph of mechanisms is to be built anew. A free row has no kind; the lowest is taken first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from carom.world.changes.removed import note_joint
from carom.world.joints.kinds import HOLDS, REMOVED
from carom.world.joints.lists import delist, enlist, moved_by, note_due
from carom.world.joints.rigid import join_rigid, part_rigid
from carom.world.step.tables import PLACED, Tables
from carom.world.store import Store

SETS_ROWS = {"ratio", "length", "ax", "ay", "bx", "by", "axis_x", "axis_y", "over_ax"}
"""Columns with which velocities and gaps of joints that hold are others."""
FORGOTTEN = ("pull", "push", "flown", "drift", "gap", "force_x", "force_y", "torque")
"""Columns of what a joint did last."""
FEWEST = 4  # rows that a table of joints begins with


def add_joint(store: Store, columns: Mapping[str, float], data: Any) -> int:
    """Put a joint into the lowest row that is free, and return it."""
    used = int(store.tables.state["joints"][0])
    free = np.flatnonzero(store.tables.joints.table["kind"][:used] == REMOVED)
    row = int(free[0]) if free.size else used
    if row == used:
        store.make_room("joints", max(FEWEST, used + 1))
        store.tables.state["joints"] = used + 1
        store.joint_data.append(None)
    table = store.tables.joints.table
    table[row] = np.zeros((), dtype=table.dtype)
    for name, value in columns.items():
        table[name][row] = value
    table["serial"][row] = store.next_joint
    store.next_joint += 1
    store.whole = True
    store.joint_data[row] = data
    enlist(store.tables, row)
    join_rigid(store.tables, row)
    note_due(store.tables, moved_by(store.tables, [row]), PLACED)
    store.tables.state["linked"] = 0
    note_arrival(store, row)
    return row


def change_joint(store: Store, row: int, columns: Mapping[str, float]) -> None:
    """Write columns of a joint."""
    table, w = store.tables.joints.table, store.tables
    if "off" in columns:
        switch_joint(store, row, bool(columns["off"]))
    bends = columns.get("sprung", table["sprung"][row]) != table["sprung"][row]
    if bends or "ratio" in columns:
        w.state["linked"] = 0
    for name, value in columns.items():
        table[name][row] = value
    if bends:
        join_rigid(w, row)
        store.arrived |= part_rigid(w, [int(table["a"][row])])
    if SETS_ROWS & columns.keys() and HOLDS[table["kind"][row]]:
        note_due(w, moved_by(w, [row]), PLACED)
    if "collides" in columns:
        note_arrival(store, row)


def switch_joint(store: Store, row: int, off: bool) -> None:
    """Have a joint do nothing, as if it were removed, or do again what it does."""
    w = store.tables
    table = w.joints.table
    if bool(table["off"][row]) == off:
        return
    table["off"][row] = off
    for name in FORGOTTEN:
        table[name][row] = 0.0
    note_arrival(store, row)
    w.state["linked"] = 0
    if off:
        leave_lists(w, row)
        store.arrived |= part_rigid(w, [int(table["a"][row])])
    else:
        enlist(w, row)
        join_rigid(w, row)
        note_due(w, moved_by(w, [row]), PLACED)


def leave_lists(w: Tables, row: int) -> None:
    """Take a joint out of the lists of its bodies."""
    for end in "ab":
        if w.joints.table[end][row] >= 0:
            delist(w, row, int(w.joints.table[end][row]))


def note_arrival(store: Store, row: int) -> None:
    """Have the next step look whether two bodies overlap that may meet from now on, or meet no more."""
    ends = (int(store.tables.joints.table[end][row]) for end in "ab")
    store.arrived.update(end for end in ends if end >= 0)


def remove_joints(store: Store, rows: Iterable[int]) -> None:
    """Take joints out of the lists of their bodies, and free their rows."""
    w = store.tables
    table, ends = w.joints.table, set[int]()
    for row in rows:
        note_joint(store, row)
        ends.add(int(table["a"][row]))
        note_arrival(store, row)
        leave_lists(w, row)
        table[row] = np.zeros((), dtype=table.dtype)
        table["serial"][row] = -1
        store.joint_data[row] = None
    store.arrived |= part_rigid(w, ends)
    w.state["linked"] = 0


def take_away_broken(store: Store) -> None:
    """Free the rows of the joints that have broken in the step that has ended."""
    used = int(store.tables.state["joints"][0])
    if used and store.tables.state["hits"][0]:  # each is told
        broken = np.flatnonzero(store.tables.joints.table["broken"][:used])
        if broken.size:
            remove_joints(store, broken.tolist())
