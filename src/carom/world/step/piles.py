"""The tables of a world's piles, beside its bodies: contacts, islands, and what the solver notes while it works.

Only `old` and `old_names`, the contacts of the step before, last from one step to the next.
"""

from typing import Annotated, NamedTuple

from carom._core.types import Floats, Integers
from carom.world.step.declared import Length, Table, Use, make
from carom.world.step.notes import Note
from carom.world.step.pairs.contacts import Contact
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.rows import Rows

MOST_AT_ONCE = 16
"""Impacts that are played together; others of the same instant come next."""


class Piles(NamedTuple):
    """The tables of a world's piles."""

    solving: Annotated[Table[Note], Length("bodies", in_turn=True)]
    contacts: Annotated[Table[Contact], Length("contacts", in_turn=True)]
    old: Annotated[Table[Contact], Length("contacts"), Use.LASTING]
    """The contacts of the step before, for their impulses."""
    instant: Annotated[Table[Contact], Length("one", 2 * MOST_AT_ONCE, in_turn=True)]
    """The contacts of the impacts at one instant, and behind them the names of those that have met at it before."""
    names: Annotated[Integers, Length("contacts", 2, 1, fill=-1, hashed=True, in_turn=True)]
    """A hash table of the contacts by their names."""
    old_names: Annotated[Integers, Length("contacts", 2, 1, fill=-1, hashed=True)]
    counts: Annotated[Integers, Length("one", 2)]
    """How many contacts there are, and how many there were."""
    solved: Annotated[Integers, Length("bodies", in_turn=True)]
    """The bodies that the solver moves."""
    islands: Islands
    rows: Rows
    work: Annotated[Floats, Length("points", 8, 20, in_turn=True), Use.SCRATCH]


def make_piles(bodies: int, contacts: int, most_points: int) -> Piles:
    """Return tables for so many bodies and contacts, and parts with so many points."""
    return make(Piles, bodies=bodies, contacts=contacts, points=most_points, nodes=0, blocks=0, changes=0)
