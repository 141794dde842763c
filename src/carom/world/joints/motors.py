"""The motors of joints in many copies of a world, as columns: copy by copy, and in each by the row of the joint.

In: the tables of all copies, and values for their motors. Out: columns, NaN where a joint has no motor; or motors that
are set, whose bodies are awake. A value that differs from none that is there changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Floats
from carom.tolerances import LARGEST
from carom.world.joints.lists import moved_by
from carom.world.joints.tables import PIN, SLIDE, WHEEL
from carom.world.stacked import Stack
from carom.world.step.tables import Tables
from carom.world.update import rouse_bodies


def motors_of(w: Tables, column: str) -> Floats:
    """Return a column of the motors of all copies, (n, rows of joints)."""
    table = w.joints.table[:, : int(w.state["joints"][0, 0])]
    has = np.isin(table["kind"], (PIN, SLIDE, WHEEL)) & (table["broken"] == 0)
    return np.where(has, table[column], np.nan)


def set_motors(where: str, name: str, stack: Stack, column: str, values: Floats) -> None:
    """Set a column of motors, where values are others than there are."""
    w = stack.tables
    before = motors_of(w, column)
    has = ~np.isnan(before)
    changed = (values != before) & (has | ~np.isnan(values))
    least = -LARGEST if column == "speed" else 0.0
    wrong: Any = changed & ~(has & (values >= least) & (values <= LARGEST))
    if wrong.any():
        k, row = (int(one) for one in np.argwhere(wrong)[0])
        expected = f"must be from {least:g} to {LARGEST:g}" if has[k, row] else "must be NaN: the joint has no motor"
        inputs.refuse(ValueError, where, f"{name}[{k}][{row}]", float(values[k, row]), expected)
    w.joints.table[column][:, : values.shape[1]][changed] = values[changed]
    for row in np.flatnonzero(changed.any(axis=0)).tolist():
        copies = np.flatnonzero(changed[:, row])
        bodies = np.array(moved_by(stack.of(copies[0])[0], [row]), dtype=np.int64)
        asleep = (w.bodies["asleep"][copies[:, None], bodies] != 0).any(axis=1)
        for waits in ("timer", "stayed", "settled"):
            w.rests[waits][copies[:, None], bodies] = 0
        for k in copies[asleep].tolist():
            rouse_bodies(stack.of(k)[0], bodies)
