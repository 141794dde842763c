"""Contacts by name: a hash table from the two parts of each contact to its row.

In: contacts, of the step or of the one before. Out: the row of a pair of parts.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.step.pairs.contacts import Contacts
from carom.world.step.piles import Piles


@inner
def pair_name(part_a: int, part_b: int) -> int:
    """Return a number for a pair of parts."""
    return part_a << 32 | part_b


@inner
def slot_of_name(names: Integers, contacts: Contacts, name: int) -> int:
    """Return where a pair stands in the hash table of contacts, or the free place where it would."""
    mask = names.shape[0] - 1
    at = (name * 2654435761 ^ name >> 29) & mask
    while names[at] >= 0 and contacts[names[at]].name != name:
        at = (at + 1) & mask
    return int(at)


@inner
def contact_of(piles: Piles, part_a: int, part_b: int) -> int:
    """Return the contact of two parts; -1 if there is none."""
    return int(piles.names[slot_of_name(piles.names, piles.contacts, pair_name(part_a, part_b))])


@kernel
def name_contacts(names: Integers, contacts: Contacts, first: int, last: int) -> None:
    """Enter contacts into the hash table; from the first one on it is made anew."""
    if first == 0:
        names[:] = -1
    for c in range(first, last):
        names[slot_of_name(names, contacts, contacts[c].name)] = c
