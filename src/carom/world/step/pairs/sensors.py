"""Hash tables of pairs: of parts inside sensors, so that what enters also leaves; of bodies put into each other.

A pair of bodies has entered a sensor when the first of their parts meet, and left when the last have parted.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.step.tables import Body, State, Tables

FREE = -1
MOST_PARTS = 2**31


@kernel
def slot_of_pair(inside: Integers, p: int, q: int) -> int:
    """Return where a pair of rows p < q stands in the table, or the free place where it would."""
    last = inside.shape[0] - 1
    key = p * MOST_PARTS + q
    at = ((p & 0x3FFFFFFF) * 73856093 + (q & 0x3FFFFFFF) * 19349663) >> 7 & last
    while inside[at] != FREE and inside[at] != key:
        at = (at + 1) & last
    return int(at)


@kernel
def change_inside(inside: Integers, p: int, q: int, enters: bool) -> None:
    """Mark a pair, which the table has room for, or take it out."""
    last = inside.shape[0] - 1
    at = slot_of_pair(inside, p, q)
    if enters:
        inside[at] = p * MOST_PARTS + q
        return
    inside[at] = FREE
    # Those behind it that would not be found across the gap move up.
    at = (at + 1) & last
    while inside[at] != FREE:
        key = inside[at]
        inside[at] = FREE
        inside[slot_of_pair(inside, key >> 31, key & 0x7FFFFFFF)] = key
        at = (at + 1) & last


@kernel
def pairs_inside(inside: Integers, a: Body, b: Body) -> int:
    """Return how many pairs of parts of two bodies are marked."""
    count = 0
    for p in range(a.first_part, a.first_part + a.part_count):
        for q in range(b.first_part, b.first_part + b.part_count):
            count += 1 if inside[slot_of_pair(inside, min(p, q), max(p, q))] != FREE else 0
    return count


@inner
def is_inside(state: State, inside: Integers, p: int, q: int) -> bool:
    """Tell whether the parts p < q are marked as one inside the other."""
    return bool(state.inside > 0 and inside[slot_of_pair(inside, p, q)] != FREE)


@inner
def are_parting(w: Tables, number_a: int, number_b: int) -> bool:
    """Tell whether two bodies were put into each other, and are on their way out; not whether each is out of others."""
    if w.bodies[number_a].parting == 0 or w.bodies[number_b].parting == 0:
        return False
    return bool(w.overlaps[slot_of_pair(w.overlaps, min(number_a, number_b), max(number_a, number_b))] != FREE)


@kernel
def refill(keys: Integers, inside: Integers) -> None:
    """Put pairs into a new, free table."""
    for k in range(keys.shape[0]):
        inside[slot_of_pair(inside, keys[k] >> 31, keys[k] & 0x7FFFFFFF)] = keys[k]
