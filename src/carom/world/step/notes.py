"""The notes of the stages of a step on a body, one row for each body, beside the tables that last.

In: none. Out: the layout of the rows; the stages write their own columns, and read those of the stages before them.
"""

from typing import TypeAlias

from carom.world.step.declared import F8, I8, Record, Scratch, Table, form_of


class Note(Record):
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


NOTE = form_of(Note)
Notes: TypeAlias = Table[Note]
