"""Which bodies of many copies touch something, or are in a sensor.

In: the addresses of the tables of copies, after a step. Out: for each copy and each body that is asked about, whether
it gave another one an impulse, by a contact that the solver held or by a blow; whether one is near it now; or whether
it is in a sensor.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Integers
from carom.narrow.signed_distance import separate
from carom.narrow.slop import slop_of_size
from carom.shapes.proxy import X, Y
from carom.world.addressed import piles_at, tables_at
from carom.world.reports.contact_rows import pushes
from carom.world.step.tables import Tables


@inner
def note(w: Tables, a: int, b: int, rows: Integers, layers: int, out: Booleans, k: int) -> None:
    """Note for the bodies that are asked about that a and b touch, if the other one is on one of some layers."""
    for m in range(rows.shape[0]):
        if (rows[m] == a and w.bodies[b].layer & layers != 0) or (rows[m] == b and w.bodies[a].layer & layers != 0):
            out[k, m] = True


@kernel
def find_touches(tables: Integers, rows: Integers, layers: int, out: Booleans) -> None:
    """Write which bodies touched one on some layers, given by bits, in the last step: (n, m)."""
    for k in range(out.shape[0]):
        w, piles = tables_at(tables[k]), piles_at(tables[k])
        for c in range(piles.counts[1]):
            if piles.old[c].name >= 0 and pushes(piles.old[c]):
                note(w, piles.old[c].a, piles.old[c].b, rows, layers, out, k)
        for c in range(w.state[0].blows):
            if w.blows[c].name >= 0:
                note(w, w.blows[c].a, w.blows[c].b, rows, layers, out, k)


@kernel
def find_near(tables: Integers, rows: Integers, layers: int, within: float, out: Booleans) -> None:
    """Write which bodies are no farther than a distance from one on some layers: (n, m).

    All parts are gone through, and of those whose bounds are near the distance is measured. Sensors do not count.
    """
    for k in range(out.shape[0]):
        w = tables_at(tables[k])
        for m in range(rows.shape[0]):
            body = w.bodies[rows[m]]
            for p in range(body.first_part, body.first_part + body.part_count):
                if not out[k, m]:
                    out[k, m] = is_near(w, p, layers, within)


@inner
def is_near(w: Tables, p: int, layers: int, within: float) -> bool:
    """Tell whether a part is no farther than a distance from one of another body that is no sensor."""
    part = w.parts[p]
    i = part.record
    x, y, room = w.buffer[i + X], w.buffer[i + Y], within + slop_of_size(part.width)
    for q in range(w.state[0].parts):
        other = w.parts[q]
        if other.body < 0 or other.body == part.body:
            continue
        body = w.bodies[other.body]
        if body.layer & layers == 0 or body.sensor != 0:
            continue
        dx, dy = w.buffer[other.record + X] - x, w.buffer[other.record + Y] - y
        gap_x = max(dx + other.left - part.right, part.left - (dx + other.right))
        gap_y = max(dy + other.bottom - part.top, part.bottom - (dy + other.top))
        near = max(gap_x, gap_y) <= room + slop_of_size(other.width)
        if near and separate(w.buffer, i, w.buffer, other.record)[0] <= within:
            return True
    return False


@kernel
def find_inside(tables: Integers, row: int, out: Booleans) -> None:
    """Write which bodies are in a sensor of each copy: (n, rows)."""
    for k in range(out.shape[0]):
        w = tables_at(tables[k])
        for place in range(w.inside.shape[0]):
            if w.inside[place] >= 0:
                a, b = w.parts[w.inside[place] >> 31].body, w.parts[w.inside[place] & 0x7FFFFFFF].body
                if a == row or b == row:
                    out[k, b if a == row else a] = True
