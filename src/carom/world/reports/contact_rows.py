"""The rows of `WorldContacts`: which contacts of a step are told, and what each pair gave the other.

In: the tables of a world after a step, or at an instant within one to which its bodies are advanced. Out: the columns,
one behind the other. Told are the contacts of piles whose impulses no blow tells, and the blows that have not become
void, those of one pair in one row. A sleeping body keeps the contacts with which it fell asleep. World frame, user's
units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.selection import order_by_two
from carom._core.types import Floats, Integers
from carom.world.addressed import piles_at, tables_at
from carom.world.step.declared import Table
from carom.world.step.pairs.blows import impulses_of
from carom.world.step.pairs.contacts import Contact, Contacts, keep_impulses, write_contact
from carom.world.step.pairs.seams import keep_outside
from carom.world.step.tables import BETWEEN, DYNAMIC, Blow, Body, Tables


@inner
def total(of_points: Floats, count: int) -> float:
    """Return the sum over one point or two."""
    return float(of_points[0] + of_points[1] if count == 2 else of_points[0])


@inner
def pushes(contact: Contact) -> bool:
    """Tell whether a contact has an impulse at any of its points."""
    for k in range(contact.count):
        if contact.normal[k] != 0.0 or contact.across[k] != 0.0 or contact.back[k] != 0.0:
            return True
    return False


@inner
def is_awake(body: Body) -> bool:
    """Tell whether impulses move a body."""
    return bool(body.kind == DYNAMIC and body.asleep == 0)


@inner
def place_of(table: Integers, names: Integers, name: int) -> int:
    """Return where a name stands in a hash table of the numbers of names, or the free place where it would."""
    mask = table.shape[0] - 1
    at = (name * 2654435761 ^ name >> 29) & mask
    while table[at] >= 0 and names[table[at]] != name:
        at = (at + 1) & mask
    return int(at)


@kernel
def number_names(blows: Table[Blow], count: int, numbers: Integers, names: Integers, first: Integers) -> int:
    """Number the names of blows that are not void, each with its first blow; return how many there are."""
    named = 0
    for k in range(count):
        if blows[k].name >= 0:
            at = place_of(numbers, names, blows[k].name)
            if numbers[at] < 0:
                numbers[at], names[named], first[named] = named, blows[k].name, k
                named += 1
    return named


@kernel
def choose_rows(
    w: Tables,
    contacts: Contacts,
    listed: int,
    numbers: Integers,
    names: Integers,
    row_of: Integers,
    source: Integers,
) -> int:
    """Write the contacts that are told, and the rows of the names of blows among them; return how many."""
    count = 0
    for c in range(listed):
        contact = contacts[c]
        if contact.name < 0 or not pushes(contact):
            continue
        sleeps = not (is_awake(w.bodies[contact.a]) or is_awake(w.bodies[contact.b]))
        number = numbers[place_of(numbers, names, contact.name)]
        # A pair that fell asleep in an earlier portion is told by blows, as one that is awake is once all are booked.
        if (number >= 0 and sleeps) or (w.state[0].booked != 0 and not sleeps):
            continue
        if number >= 0:
            row_of[number] = count
        source[count] = c
        count += 1
    return count


@kernel
def chain_blows(
    blows: Table[Blow],
    count: int,
    numbers: Integers,
    names: Integers,
    row_of: Integers,
    head: Integers,
    after: Integers,
) -> None:
    """Chain the blows of each row, in order."""
    for back in range(count):
        k = count - 1 - back
        if blows[k].name >= 0:
            row = row_of[numbers[place_of(numbers, names, blows[k].name)]]
            after[k], head[row] = head[row], k


@kernel
def start_row(w: Tables, contacts: Contacts, c: int, a: int, b: int, name: int, new: Contact) -> tuple[float, float]:
    """Write a contact where the bodies are now, with the impulses of contact c if that is not negative.

    Returns what they are as a vector.
    """
    p, q = name >> 32, name & 0xFFFFFFFF
    write_contact(w.bodies, a, b, w.buffer, w.parts[p].record, w.parts[q].record, 0.0, new)
    keep_outside(w, p, q, 0.0, new)
    for m in range(2):
        new.normal[m], new.across[m] = 0.0, 0.0
    if c < 0:
        return 0.0, 0.0
    old = contacts[c]
    keep_impulses(new, old)
    n0, t0, n1, t1 = impulses_of(old)
    n, t = n0 + n1, t0 + t1
    # A point that is new since then has the impulse of the one that is gone.
    new.normal[0] += n - total(new.normal, new.count)
    new.across[0] += t - total(new.across, new.count)
    return n * old.nx - t * old.ny, n * old.ny + t * old.nx


@inner
def add_blow(new: Contact, blow: Blow) -> None:
    """Add the impulses of a blow at the points of a contact."""
    for m in range(2):
        at = 1 if new.count == 2 and blow.feature[m] == new.feature[1] else 0
        new.normal[at] += blow.normal[m]
        new.across[at] += blow.across[m]


@kernel
def write_columns(
    w: Tables, new: Contact, x: float, y: float, k: int, count: int, whole: Integers, out: Floats
) -> None:
    """Write row k of so many: bodies a, b and how many points; then the numbers, and what b was given, (x, y)."""
    a, b = new.a, new.b
    whole[k], whole[count + k], whole[2 * count + k] = min(a, b), max(a, b), new.count
    sign = -1.0 if a > b else 1.0
    out[2 * k], out[2 * k + 1] = sign * new.nx + 0.0, sign * new.ny + 0.0
    for m in range(2):
        has, at = m < new.count, 2 * k + m
        out[2 * count + 2 * at] = w.bodies[a].x + new.ax[m] if has else 0.0
        out[2 * count + 2 * at + 1] = w.bodies[a].y + new.ay[m] if has else 0.0
        out[6 * count + at] = -new.gap[m] if has else 0.0
        out[8 * count + at] = new.normal[m] if has else 0.0
        out[10 * count + at] = new.across[m] if has else 0.0
    out[12 * count + 2 * k], out[12 * count + 2 * k + 1] = sign * x + 0.0, sign * y + 0.0


@kernel
def write_contacts_at(table: Integers, advanced: bool, scratch: Contacts, whole: Integers, out: Floats) -> int:
    """Write the columns, and return how many rows they have.

    Nothing is written where bodies are not `advanced` to the instant of a step under way, and the answer is -1; or
    where there is too little room for so many rows, and the answer is -2 less their number.
    """
    w, piles = tables_at(table), piles_at(table)
    blows, struck, within = w.blows, w.state[0].blows, w.state[0].phase != BETWEEN
    if within and not advanced:
        return -1
    contacts = piles.contacts if within else piles.old
    listed = piles.counts[0] if within else piles.counts[1]
    most, size = listed + struck + 1, 2
    while size < 2 * most:
        size *= 2
    numbers, names, first = np.full(size, -1), np.empty(most, np.int64), np.empty(most, np.int64)
    row_of, source = np.full(most, -1), np.empty(most, np.int64)
    named = number_names(blows, struck, numbers, names, first)
    count = choose_rows(w, contacts, listed, numbers, names, row_of, source)
    for number in range(named):
        if row_of[number] < 0:
            row_of[number], source[count] = count, -1 - first[number]
            count += 1
    if 3 * count > whole.shape[0]:
        return -2 - count
    head, after = np.full(most, -1), np.empty(most, np.int64)
    chain_blows(blows, struck, numbers, names, row_of, head, after)
    pairs, order = np.empty(most, np.int64), np.empty(count, np.int64)
    for row in range(count):
        c = source[row]
        a, b = (contacts[c].a, contacts[c].b) if c >= 0 else (blows[-1 - c].a, blows[-1 - c].b)
        pairs[row], names[row] = min(a, b) << 32 | max(a, b), contacts[c].name if c >= 0 else blows[-1 - c].name
    order_by_two(pairs, names, order)  # by bodies, those of one pair by their parts
    new = scratch[0]
    for k in range(count):
        row = order[k]
        c = source[row]
        a, b = (contacts[c].a, contacts[c].b) if c >= 0 else (blows[-1 - c].a, blows[-1 - c].b)
        x, y = start_row(w, contacts, c, a, b, names[row], new)
        blow = head[row]
        while blow >= 0:
            x, y = x + blows[blow].x, y + blows[blow].y
            add_blow(new, blows[blow])
            blow = after[blow]
        write_columns(w, new, x, y, k, count, whole, out)
    return count
