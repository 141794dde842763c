"""The tables of a world's piles, beside its bodies: contacts, islands, and what the solver notes while it works.

Only `old` and `old_names`, the contacts of the step before, last from one step to the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.world.step.contacts import CONTACT
from carom.world.step.instant import MOST_AT_ONCE
from carom.world.step.islands import Islands, make_islands
from carom.world.step.rows import Rows, make_rows
from carom.world.step.tables import Table, rows_of

SOLVING = np.dtype(
    [
        ("next_x", "f8"),  # the velocity that the solver gives a body for its way
        ("next_y", "f8"),
        ("next_spin", "f8"),
        ("seen_x", "f8"),  # that of the way on which it looked around last
        ("seen_y", "f8"),
        ("seen_spin", "f8"),
        ("before_x", "f8"),  # the velocity before an impact
        ("before_y", "f8"),
        ("before_spin", "f8"),
        ("mass", "f8"),  # of all bodies that go back together
        ("place", "i8"),  # among the speeds of its island
        ("root", "i8"),  # on the way to the body that stands for its island
        ("island", "i8"),
        ("anew", "i8"),  # 1: its way is another than that
        ("calm", "i8"),  # 1: it was slow and goes no farther than acceleration brings it
        ("mark", "i8"),  # what a stage has noted of it; 0 in between
    ]
)


class Piles(NamedTuple):
    """The tables of a world's piles."""

    solving: Table
    contacts: Table
    old: Table
    """The contacts of the step before, for their impulses."""
    instant: Table
    """The contacts of the impacts at one instant, and behind them the names of those that have met at it before."""
    names: Integers
    """A hash table of the contacts by their names."""
    old_names: Integers
    counts: Integers
    """How many contacts there are, and how many there were."""
    solved: Integers
    """The bodies that the solver moves."""
    islands: Islands
    rows: Rows
    work: Floats


FORMS_OF_PILES = {"solving": SOLVING, "contacts": CONTACT, "old": CONTACT, "instant": CONTACT}
"""The tables of records among those of piles, and their columns."""


def make_piles(bodies: int, contacts: int, most_points: int, before: Piles | None = None) -> Piles:
    """Return tables for so many bodies and contacts, and parts with so many points; contacts `before` are kept."""
    names = 1 << (2 * contacts).bit_length()
    made = Piles(
        solving=rows_of(SOLVING, bodies),
        contacts=rows_of(CONTACT, contacts),
        old=rows_of(CONTACT, contacts),
        instant=rows_of(CONTACT, 2 * MOST_AT_ONCE),
        names=np.full(names, -1),
        old_names=np.full(names, -1),
        counts=np.zeros(2, dtype=np.int64),
        solved=np.zeros(bodies, dtype=np.int64),
        islands=make_islands(bodies, contacts),
        rows=make_rows(4 * contacts, 2 * bodies + 1),
        work=np.zeros(2 * (10 + 4 * most_points)),
    )
    if before is not None:
        made.contacts[: len(before.contacts)] = before.contacts
        made.old[: len(before.old)] = before.old
        made.counts[:] = before.counts
        made.solving[: len(before.solving)] = before.solving
        made.solved[: len(before.solved)] = before.solved
    return made
