"""The list of joints of each body, and the anchors in it; a table of joints is walked through by them.

In: a world's tables, rows of joints and bodies. Out: rows of joints; lists that joints are put into and taken out of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from carom._core.types import Integers
from carom.vector import Vec
from carom.world.joints.kinds import REMOVED
from carom.world.joints.measures import anchor_of, anchored, stand_of
from carom.world.step.tables import DYNAMIC, PLACED, PUSHED, Tables

Anchors: TypeAlias = list[tuple[int, str, Vec]]
"""Joint, end and where in the world."""


def enlist(w: Tables, row: int) -> None:
    """Put a joint into the lists of its bodies, which are by falling rows: in a world as in its pickle."""
    table = w.joints.table
    for end in "ab":
        body = int(table[end][row])
        if body >= 0:
            array, name, place, following = link_to(w, row, body)
            table[f"next_{end}"][row] = following + 1
            array[name][place] = row + 1


def delist(w: Tables, row: int, body: int) -> None:
    """Take a joint out of the list of one of its bodies."""
    array, name, place, found = link_to(w, row, body)
    if found == row:
        array[name][place] = w.joints.table["next_a" if w.joints.table["a"][row] == body else "next_b"][row]


def link_to(w: Tables, row: int, body: int) -> tuple[Any, str, int, int]:
    """Return where a body's list leads to the first joint of at most some row: table, column, place; and that joint.

    The joint is -1 at the end of the list.
    """
    table, name, place = w.joints.table, "joint", body
    array: Any = w.bodies
    k = int(array[name][place]) - 1
    while k > row:
        array, name, place = table, "next_a" if table["a"][k] == body else "next_b", k
        k = int(array[name][place]) - 1
    return array, name, place, k


def relink(w: Tables) -> None:
    """Make the lists of all bodies anew: those of a pickle may be damaged."""
    w.bodies["joint"] = 0
    for column in ("next_a", "next_b"):
        w.joints.table[column] = 0
    for row in rows_in_use(w):
        if not w.joints.table["off"][row]:
            enlist(w, row)
    w.state["linked"] = 0


def rows_in_use(w: Tables) -> list[int]:
    """Return the rows of the joints there are; one that has broken in this step is no longer there."""
    table = w.joints.table[: int(w.state["joints"][0])]
    rows: list[int] = np.flatnonzero((table["kind"] != REMOVED) & (table["broken"] == 0)).tolist()
    return rows


def rows_off(w: Tables, bodies: Iterable[int]) -> set[int]:
    """Return the rows of the joints of some bodies that do nothing, and are in no list."""
    table = w.joints.table[: int(w.state["joints"][0])]
    rows = np.flatnonzero((table["kind"] != REMOVED) & (table["off"] != 0))
    ends = set(bodies)
    return {row for row in rows.tolist() if int(table["a"][row]) in ends or int(table["b"][row]) in ends}


def joints_of(w: Tables, bodies: Iterable[int]) -> list[int]:
    """Return the rows of the joints of some bodies, each once; of those that do nothing, too."""
    bodies = list(bodies)
    table, found = w.joints.table, rows_off(w, bodies)
    for body in bodies:
        k = int(w.bodies["joint"][body]) - 1
        while k >= 0:
            found.add(k)
            k = int(table["next_a" if table["a"][k] == body else "next_b"][k]) - 1
    return sorted(found)


PUSHES = {
    **dict.fromkeys(("velocity", "spin", "turns"), PUSHED),
    **dict.fromkeys(("position", "angle", "kind", "pivot", "shape"), PLACED),
}
"""Settings of bodies after which velocities, or velocities and places, may be such as joints do not allow."""


def note_change(w: Tables, bodies: Integers, name: str) -> None:
    """Note that a setting of some bodies has changed, if joints may now not allow their velocities."""
    if name in PUSHES:
        note_due(w, bodies, PUSHES[name])


def note_due(w: Tables, bodies: Any, due: int) -> None:
    """Note that velocities or places of some bodies were set: joints hand the change on before they go on."""
    if w.state["joints"][0] == 0:
        return
    bodies = np.asarray(bodies, dtype=np.int64)
    held = bodies[w.bodies["joint"][bodies] != 0]
    w.courses["due"][held] = np.maximum(w.courses["due"][held], due)


def moved_by(w: Tables, rows: Iterable[int]) -> list[int]:
    """Return the rows of the dynamic bodies that some joints connect."""
    table = w.joints.table
    ends = {int(table[end][row]) for row in rows for end in "ab"} - {-1}
    return sorted(body for body in ends if w.bodies["kind"][body] == DYNAMIC)


def anchors_on(w: Tables, body: int) -> Anchors:
    """Return the anchors of a body that is about to turn about another point: joint, end and where it is."""
    found: Anchors = []
    if w.state["joints"][0] == 0:
        return found
    stand, table = stand_of(w, body), w.joints.table
    for row in joints_of(w, [body]):
        end = "a" if table["a"][row] == body else "b"
        found.append((row, end, anchor_of(stand, float(table[f"{end}x"][row]), float(table[f"{end}y"][row]))))
    return found


def put_anchors(w: Tables, anchors: Anchors) -> None:
    """Have anchors of a body where they were, and the graph of mechanisms built anew."""
    table = w.joints.table
    for row, end, point in anchors:
        x, y = anchored(stand_of(w, int(table[end][row])), point)
        table[f"{end}x"][row], table[f"{end}y"][row] = x, y
        w.state["linked"] = 0
