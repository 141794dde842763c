"""The tables of a world's piles, beside its bodies: contacts, islands, and what the solver notes while it works.

Only `old` and `old_names`, the contacts of the step before, last from one step to the next.
"""

from typing import Annotated, NamedTuple

from carom._core.types import Floats, Integers
from carom.world.step.contacts import Contact
from carom.world.step.declared import F8, I8, Length, Scratch, Table, Use, form_of, make
from carom.world.step.instant import MOST_AT_ONCE
from carom.world.step.islands import Islands
from carom.world.step.rows import Rows


class Solving:
    """The notes of the stages of a step on a body; no stage writes a column of another one."""

    # of the solver and its rounds
    next_x: F8  # the velocity that the solver gives a body for its way
    next_y: F8
    next_spin: F8
    push_x: F8  # what its way has beside that velocity, so as to leave nothing deep
    push_y: F8
    push_spin: F8
    seen_x: F8  # that of the way on which it looked around last
    seen_y: F8
    seen_spin: F8
    place: I8  # among the speeds of its island
    root: I8  # on the way to the body that stands for its island
    island: I8
    anew: I8  # 1: its way is another than that
    calm: I8  # 1: it was slow and goes no farther than acceleration brings it
    violent: I8  # 1: its island was solved roughly
    flies: I8  # 1: a point of it has given something back
    blow: I8  # 1: its velocity changes at once, when the step begins; else as it goes
    # of impacts
    spot: Scratch[I8]  # among the velocities of those that meet at one instant; -1: it cannot be moved
    # of sleep
    points: Scratch[I8]  # of the contacts of the island that it stands for
    # of the projection
    member: I8  # its number among those that are opened, from 1 on; 0 in between
    shifted: I8  # 1: the last measure has moved it, or it is new among them; 2: it is deep in another body
    # of taking back
    fate: I8  # LISTED, DUE or BACK; 0 in between
    group: I8  # on the way to the body that stands for those that go back together
    back_x: F8  # the way that it went back
    back_y: F8
    mass: Scratch[F8]  # of those that it stands for, and so on
    moment_x: Scratch[F8]
    moment_y: Scratch[F8]
    momentum_x: Scratch[F8]
    momentum_y: Scratch[F8]
    turning: Scratch[F8]  # angular momentum
    inertia: Scratch[F8]
    energy: Scratch[F8]  # twice that of their turning
    fall: Scratch[F8]  # twice the work of their accelerations on the ways that they went back


SOLVING = form_of(Solving)


class Piles(NamedTuple):
    """The tables of a world's piles."""

    solving: Annotated[Table, Solving, Length("bodies")]
    contacts: Annotated[Table, Contact, Length("contacts")]
    old: Annotated[Table, Contact, Length("contacts"), Use.LASTING]
    """The contacts of the step before, for their impulses."""
    instant: Annotated[Table, Contact, Length("one", 2 * MOST_AT_ONCE)]
    """The contacts of the impacts at one instant, and behind them the names of those that have met at it before."""
    names: Annotated[Integers, Length("contacts", 2, 1, fill=-1, hashed=True)]
    """A hash table of the contacts by their names."""
    old_names: Annotated[Integers, Length("contacts", 2, 1, fill=-1, hashed=True)]
    counts: Annotated[Integers, Length("one", 2)]
    """How many contacts there are, and how many there were."""
    solved: Annotated[Integers, Length("bodies")]
    """The bodies that the solver moves."""
    islands: Islands
    rows: Rows
    work: Annotated[Floats, Length("points", 8, 20), Use.SCRATCH]


def make_piles(bodies: int, contacts: int, most_points: int) -> Piles:
    """Return tables for so many bodies and contacts, and parts with so many points."""
    return make(Piles, bodies=bodies, contacts=contacts, points=most_points, nodes=0, blocks=0, updates=0)
