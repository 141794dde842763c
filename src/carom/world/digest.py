"""Digests: 64 bits that stand for the whole state of a world, so that equal states can be told by one number.

In: a world's tables. Out: a number made of the bytes of all that decides what the world does next, and of nothing else,
so that it is the same on any machine, and after a snapshot, a copy or a replay.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom._core.types import Integers
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.world.step.piles import Piles
from carom.world.step.tables import Tables

# A digest is made of the columns of bodies that last from step to step, and those that matter within one.
_LASTING = (
    *("x", "y", "angle", "vx", "vy", "spin", "kind", "layer", "mask", "sensor", "response"),
    *("inverse_mass", "inverse_inertia", "restitution", "friction", "damping", "gravity_scale"),
    *("one_way_x", "one_way_y", "acceleration_x", "acceleration_y", "acceleration_spin", "middle_x", "middle_y"),
    *("asleep", "timer", "stood_x", "stood_y", "stood_angle", "stood_speed", "near", "displaced"),
    *("pile", "parting", "spare_x", "spare_y"),
)
# Columns that are 0 where nobody has told otherwise are left out there, so that digests of such worlds stay the same.
_SELDOM = (
    *("sleepless", "surface_x", "surface_y", "rolling", "upright", "kept_mass"),
    *("told", "target_x", "target_y", "target_angle"),
)
_PASSING = (
    "way_x",
    "way_y",
    "way_spin",
    "pull_x",
    "pull_y",
    "pull_spin",
    "own_time",
    "since",
    "solved",
    "stalled",
    "last_hit",
    "met",
    "start_x",
    "start_y",
    "start_angle",
)
_OF_CONTACT = ("name", "normal", "across", "feature")


def digest_of(w: Tables, piles: Piles, live: Integers, exits: Sequence[tuple[float, ...]], unfinished: bool) -> int:
    """Return the digest of the bodies in some rows, of what touches, of exits not told yet, and of what holds for all.

    Within a step it is of the bodies' courses, too.
    """
    import hashlib  # only here

    hashed = hashlib.blake2b(digest_size=8)
    hashed.update(np.ascontiguousarray(live).tobytes())
    for name in _LASTING + _SELDOM + (_PASSING if unfinished else ()):
        table = next(one for one in (w.bodies, w.courses, w.rests) if name in (one.dtype.names or ()))
        column = np.ascontiguousarray(table[name][live] + 0)
        if name not in _SELDOM:
            hashed.update(column.tobytes())
        elif column.any():
            hashed.update(name.encode() + column.tobytes())
    for row in live.tolist():
        first = int(w.bodies["first_part"][row])
        for part in range(first, first + int(w.bodies["part_count"][row])):
            start = int(w.parts["record"][part])
            size = POINTS + STRIDE * int(w.buffer[start + COUNT])
            hashed.update(np.ascontiguousarray(w.buffer[start : start + size] + 0.0).tobytes())
    contacts = piles.old[: int(piles.counts[1])]
    for name in _OF_CONTACT:
        hashed.update(np.ascontiguousarray(contacts[name] + 0).tobytes())
    if contacts["roll"].any():
        hashed.update(b"roll" + np.ascontiguousarray(contacts["roll"] + 0).tobytes())
    if w.state["sleepless"].any():
        hashed.update(b"no sleep")
    hashed.update(np.sort(w.inside[w.inside >= 0]).tobytes())
    hashed.update(np.array(exits, dtype=np.float64).tobytes())
    hashed.update(np.array((w.state["gravity_x"].item(), w.state["gravity_y"].item())).tobytes())
    hashed.update(np.ascontiguousarray(w.rules).tobytes())
    return int.from_bytes(hashed.digest(), "little")
