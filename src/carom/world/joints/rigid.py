"""Bodies that hard welds join, directly or through others: they move as one, and have no contact with each other.

In: a world's tables, and rows of joints that have come or gone. Out: the column `rigid` of its bodies, the same number
for all that are joined so. A contact between two of them would ask of the welds what these do not allow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from carom._core.types import Booleans
from carom.world.joints.kinds import WELD
from carom.world.step.tables import Tables


def join_rigid(w: Tables, row: int) -> None:
    """Take in a joint that has come: both its bodies, and all that hold to them, have one number from now on."""
    joint = w.joints.table[row]
    if not is_hard(joint) or joint["b"] < 0:
        return
    rigid, ends = w.bodies["rigid"], [int(joint["a"]), int(joint["b"])]
    joined = np.zeros(len(rigid), np.bool_)
    joined[ends] = True
    for number in {int(rigid[end]) for end in ends} - {0}:
        joined |= rigid == number
    rigid[joined] = 1 + int(np.flatnonzero(joined)[0])


def part_rigid(w: Tables, bodies: Iterable[int]) -> set[int]:
    """Find anew what is joined with some bodies, of which joints have gone; return the rows of all that were.

    The joints that have gone are in no list of a body any more, or are hard welds no more.
    """
    rigid = w.bodies["rigid"]
    numbers = {int(rigid[body]) for body in bodies} - {0}
    parted = np.flatnonzero(np.isin(rigid, sorted(numbers)))
    rigid[parted] = 0
    among = np.zeros(len(rigid), np.bool_)
    among[parted] = True
    for row in np.flatnonzero(hard_welds(w)).tolist():
        if among[w.joints.table["a"][row]]:
            join_rigid(w, row)
    return set(parted.tolist())


def find_rigid(w: Tables) -> None:
    """Find all that is joined."""
    w.bodies["rigid"] = 0
    for row in np.flatnonzero(hard_welds(w)).tolist():
        join_rigid(w, row)


def hard_welds(w: Tables) -> Booleans:
    """Tell of each joint whether it is a weld that does not bend."""
    found: Booleans = is_hard(w.joints.table[: int(w.state["joints"][0])])
    return found


def is_hard(joints: Any) -> Any:
    """Tell whether joints are welds that do not bend, and hold."""
    return (joints["kind"] == WELD) & (joints["sprung"] == 0) & (joints["broken"] == 0) & (joints["off"] == 0)
