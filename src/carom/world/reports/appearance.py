"""The looks of a world at the present instant: the convex parts of its bodies and the kind of each body, in columns.

In: a world's store, between steps or at a pause, and the rows to show. Out: `BodyLooks`. Nothing of the world changes,
not even how the rest of a step is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Booleans, Floats, Integers
from carom.world.changes.bodies import advance_bodies
from carom.world.store import Store


class BodyLooks(NamedTuple):
    """Bodies and their convex parts, by columns; bodies in the order of their rows."""

    buffer: Floats
    """The records of all parts, see `shapes.proxy`."""
    records: Integers
    """(p,) where the record of each part begins, parts of one body side by side."""
    owner: Integers
    """(p,) which of the bodies, 0 to n - 1, a part belongs to; ascending."""
    kinds: Integers
    """(n,) STATIC, KINEMATIC or DYNAMIC."""
    asleep: Booleans
    sensor: Booleans
    layers: Integers
    """(n,) bits."""
    angles: Floats
    """(n,) how far each has turned since it came."""
    velocities: Floats
    """(n, 2)"""
    one_way: Floats
    """(n, 2) the direction that lets through; 0, 0 for bodies that block from all sides."""


def looks_of(store: Store, rows: Integers) -> BodyLooks:
    """Return what can be seen of the bodies of some rows."""
    w = store.tables
    if store.unfinished:
        w = store.copy().tables  # reading must not change how ways are rounded
        advance_bodies(w, rows)
    bodies = w.bodies[rows]
    counts = bodies["part_count"]
    owner = np.repeat(np.arange(len(rows)), counts)
    places = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return BodyLooks(
        w.buffer,
        w.parts["record"][bodies["first_part"][owner] + places],
        owner,
        bodies["kind"].astype(np.int64),
        bodies["asleep"] == 1,
        bodies["sensor"] == 1,
        bodies["layer"],
        bodies["angle"],
        np.column_stack((bodies["vx"], bodies["vy"])),
        np.column_stack((bodies["one_way_x"], bodies["one_way_y"])),
    )
