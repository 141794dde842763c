"""Digests: 64 bits that stand for the whole state of a world, so that equal states can be told by one number.

In: a world's tables. Out: a number made of the bytes of all that decides what the world does next, and of nothing else,
so that it is the same on any machine, and after a snapshot, a copy or a replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carom._core.types import Integers
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.world.joints.kinds import REMOVED
from carom.world.joints.tables import Joint
from carom.world.step.declared import Array, Use, arrays_of, columns_of
from carom.world.step.piles import Piles
from carom.world.step.tables import Tables


def digest_of(w: Tables, piles: Piles, live: Integers, exits: Sequence[tuple[float, ...]], unfinished: bool) -> int:
    """Return the digest of the bodies in some rows, of contacts, joints, exits not told yet, and what holds for all.

    It is made of the columns and tables that are declared as lasting; within a step also of those that last until it
    ends. Columns and tables in which all is as it begins are left out, so that a new one does not change the digests of
    worlds that do without it.
    """
    import hashlib  # only here

    hashed = hashlib.blake2b(digest_size=8)
    uses = (Use.LASTING, Use.PASSING) if unfinished else (Use.LASTING,)

    def add(name: str, values: Any, begun: float = 0.0) -> None:
        if (values != begun).any():
            hashed.update(name.encode() + np.ascontiguousarray(values + 0).tobytes())

    hashed.update(np.ascontiguousarray(live).tobytes())
    last: Any = piles.old[: int(piles.counts[1])]
    tables: Any
    for tables in (w, piles._replace(old=last)):
        for name, one in arrays_of(type(tables)).items():
            if not isinstance(one, Array) or one.use is not Use.LASTING:
                continue
            array = getattr(tables, name)
            if one.record is None:
                add(name, np.sort(array[array >= 0]) if one.length.hashed else array, one.length.fill)
            else:
                rows = array[live] if one.length.of == "bodies" else array
                for column in columns_of(one.record, *uses):
                    add(f"{name}.{column}", rows[column])
    held = np.flatnonzero(w.joints.table["kind"] != REMOVED)
    if held.size:
        hashed.update(held.tobytes())
        for column in columns_of(Joint, *uses):
            add(f"joints.{column}", w.joints.table[column][held])
    for row in live.tolist():
        first = int(w.bodies["first_part"][row])
        for part in range(first, first + int(w.bodies["part_count"][row])):
            start = int(w.parts["record"][part])
            size = POINTS + STRIDE * int(w.buffer[start + COUNT])
            hashed.update(np.ascontiguousarray(w.buffer[start : start + size] + 0.0).tobytes())
    hashed.update(np.array(exits, dtype=np.float64).tobytes())
    return int.from_bytes(hashed.digest(), "little")
