"""Other shapes for bodies of copies: numbers written into the tables that are there.

In: rows of static bodies of one part, and a shape of as many points for each in each copy. Out: bodies that have
these shapes, as if each had been set alone; and which copies have anything near them, so that their next step looks
for overlaps.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Integers
from carom.world.addressed import piles_at, tables_at
from carom.world.changes.bodies import begin_change, place_bodies, take_out_bodies
from carom.world.changes.body_parts import Form, reshape_body
from carom.world.step.tables import STATIC, Tables
from carom.world.step.ways.neighbours import find_near

NONE_FRESH = 2**62


@kernel
def reshape_copies(tables: Integers, copies: Integers, rows: Integers, form: Form, near: Booleans) -> None:
    """Give bodies of copies other shapes, the first copy first, and note which copies have others near them."""
    begin, first, row = 0, 0, np.zeros(1, np.int64)
    for i in range(copies.shape[0]):
        w, piles = tables_at(tables[copies[i]]), piles_at(tables[copies[i]])
        near[i] = others_near(w, rows)
        for m in range(rows.shape[0]):
            row[0] = rows[m]
            begin_change(w, row)
            take_out_bodies(w, row, piles.old, piles.counts[1])
            begin, first, _ = reshape_body(w, rows[m], form, i * rows.shape[0] + m, begin, first, NONE_FRESH, 0)
            place_bodies(w, row)
        near[i] = near[i] or others_near(w, rows)


@inner
def others_near(w: Tables, rows: Integers) -> bool:
    """Tell whether anything that moves is near one of some static bodies."""
    for m in range(rows.shape[0]):
        body = w.bodies[rows[m]]
        for p in range(body.first_part, body.first_part + body.part_count):
            count = find_near(w, p, w.around)
            for n in range(count):
                if w.bodies[w.parts[w.around[n]].body].kind != STATIC:
                    return True
    return False


def are_plain(w: Tables, rows: Integers) -> bool:
    """Tell whether bodies are static ones of one part, without joints, and no sensor notices anything in any copy."""
    wanted = {"kind": STATIC, "part_count": 1, "joint": 0, "sensor": 0, "angle": 0.0}
    plain = all((w.bodies[name][:, rows] == value).all() for name, value in wanted.items())
    return bool(plain and (w.inside < 0).all() and not (np.diff(rows) == 0).any())
