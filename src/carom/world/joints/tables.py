"""The tables of joints: a row for each joint, and beside them the graph that joints and bodies make.

A joint connects body `a` with body `b`, or with the world where `b` is -1. It has up to three rows that are eliminated,
each rigid or a spring, and beside them a limit and a motor, which are bounded. `kinds` says which rows the kinds have
and what these measure. Angles and offsets are those of `a`, seen from `b`.
"""

from typing import Annotated, NamedTuple

from carom._core.types import Floats, Integers
from carom.world.step.declared import (
    F8,
    I8,
    Column,
    Lasting,
    Length,
    Passing,
    Record,
    Six,
    Table,
    Two,
    Use,
    Within,
    form_of,
)

Three = Annotated[Floats, Column("f8", (3,))]
ThreeWhole = Annotated[Integers, Column("i8", (3,))]
Eighteen = Annotated[Floats, Column("f8", (18,))]


class Joint(Record):
    """A joint of two bodies, or of a body and the world."""

    kind: Lasting[I8]
    a: Lasting[I8]  # rows of the bodies; b is -1 for the world
    b: Lasting[I8]
    ax: Lasting[F8]  # anchor of a, relative to its (x, y), at angle 0
    ay: Lasting[F8]
    bx: Lasting[F8]  # anchor of b, likewise; of the world where it stands, of a drag the target
    by: Lasting[F8]
    axis_x: Lasting[F8]  # SLIDE, WHEEL: direction of the axis, of length 1, b at angle 0
    axis_y: Lasting[F8]
    ratio: Lasting[F8]  # GEAR, PULLEY: what is measured of a, plus so many times that of b; else -1
    zero: Lasting[F8]  # the angle of a plus `ratio` times that of b at which the joint's angle is 0
    over_ax: Lasting[F8]  # PULLEY: the point of the world from which the distance of the anchor of a counts
    over_ay: Lasting[F8]
    over_bx: Lasting[F8]  # and that of b
    over_by: Lasting[F8]
    length: Lasting[F8]  # ROD: its length
    low: Lasting[F8]  # limits of angle (PIN), length (ROPE, SPRING, PULLEY) or offset (SLIDE, WHEEL); else infinite
    high: Lasting[F8]
    stiffness: Lasting[F8]  # of a spring, force over way or torque over angle
    resistance: Lasting[F8]  # force over speed
    rest: Lasting[F8]  # angle, length or offset at which the spring is at rest
    mass: Lasting[F8]  # that it moves, of which it has its frequency
    sprung: Lasting[I8]  # 1: it has a spring; a WELD then bends
    speed: Lasting[F8]  # of the motor
    velocity_x: Lasting[F8]  # MOTOR_KIND: the velocity of the anchor of a, seen from that of b
    velocity_y: Lasting[F8]
    most: Lasting[F8]  # the largest torque or force of the motor, of a DRAG of the spring; 0: no motor
    most_torque: Lasting[F8]  # MOTOR_KIND: its largest torque, beside its largest force
    collides: Lasting[I8]  # 1: the two bodies meet each other
    off: Lasting[I8]  # 1: it does nothing, and is in no list of a body
    breaks_force: Lasting[F8]  # it breaks at more
    breaks_torque: Lasting[F8]
    serial: I8  # number of the joint, never given twice; -1: removed
    next_a: I8  # 1 + the next joint in the list of each body; 0 at its end
    next_b: I8
    pull: Lasting[Three]  # forces and torques of the eliminated rows in the step before
    push: Lasting[Two]  # those of limit and motor
    flown: Lasting[Six]  # accelerations of both its bodies on their last flight, from the start of a step to its end
    gap: Lasting[Three]  # by how much its rigid rows gape since something was set elsewhere: no way closes that
    drift: Lasting[Six]  # by how much these were others than on the flight before
    late: Passing[Three]  # what it does to a by the end of the way: impulses along x and y, and to turn it
    given: Passing[Three]  # its impulses on a in this step, up to where its way begins
    late_b: Passing[Two]  # what it does to b by the end of the way: impulses along x and y
    broken: Passing[I8]  # 1: it broke in this step, and pulls no more
    force_x: Lasting[F8]  # what it did to a in the last step, over its time
    force_y: Lasting[F8]
    torque: Lasting[F8]
    # the graph
    node: I8  # its place in the order of elimination
    place_a: I8  # the places of its bodies
    place_b: I8
    block_a: I8  # the block of its rows and its bodies; -1: the body cannot be moved
    block_b: I8
    flip_a: I8  # 1: the block holds the body's rows
    flip_b: I8
    # of its way
    held: Within[ThreeWhole]  # the roles of the rows that its limit and motor take among the eliminated ones, for now
    hold_at: Within[Three]  # what these measure where they hold
    state: Within[ThreeWhole]  # what holds such a row in flight: see `held`
    side: Within[ThreeWhole]  # at which of its bounds the motor is there: -1, 1, or 0 at none
    begun: Within[Three]  # how fast such rows change where the way begins
    lower: Lasting[F8]  # what its limit lets it measure where its ways end: more than the limit if they begin beyond
    upper: Lasting[F8]
    value: Within[Three]  # of the eliminated rows at the end of the way
    before: Within[Three]  # of them where it begins
    ease: Within[Three]  # by how much a row gives way to its impulse
    turn: Within[Three]  # impulses of the way
    jacobian: Within[Eighteen]  # of them, six numbers each


JOINT = form_of(Joint)


class Joints(NamedTuple):
    """The joints of a world."""

    table: Annotated[Table[Joint], Length("joints"), Use.LASTING]


class Matrix(NamedTuple):
    """A symmetric matrix of 3 x 3 blocks, and its factors.

    Place p has a block on the diagonal, and the blocks first[p]:first[p + 1] with later places.
    """

    first: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    later: Annotated[Integers, Length("blocks"), Use.SCRATCH]
    """The place of the other row of each block."""
    change_first: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    changes: Annotated[Integers, Length("changes"), Use.SCRATCH]
    """What the product of each block of a place with each one up to it changes: a block, or -1 - the place of a
    diagonal one."""
    diagonal: Annotated[Floats, Length("nodes", wide=(9,)), Use.WITHIN]
    """The block of each place, row by row."""
    pivots: Annotated[Floats, Length("nodes", wide=(6,)), Use.WITHIN]
    """Its own factors; see `elimination`."""
    off: Annotated[Floats, Length("blocks", wide=(9,)), Use.WITHIN]


class Graph(NamedTuple):
    """Bodies and joints in the order in which they are eliminated, mechanism by mechanism.

    Mechanism m has the places starts[m]:starts[m + 1], of bodies and of joints. Those from middle[m] on are of bodies
    that cannot be moved, and take no part in the elimination.
    """

    mechanisms: Annotated[Integers, Length("one"), Use.SCRATCH]
    """How many mechanisms there are; bodies that joints connect are one."""
    node: Annotated[Integers, Length("nodes"), Use.SCRATCH]
    """The body of each place, WORLD, or -2 - its joint."""
    mechanism: Annotated[Integers, Length("nodes"), Use.SCRATCH]
    """The mechanism of each place."""
    starts: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    middle: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    matrix: Matrix
    x: Annotated[Floats, Length("nodes", wide=(3,)), Use.SCRATCH]
    """The unknowns of a solution."""
    pose: Annotated[Floats, Length("nodes", wide=(13,)), Use.WITHIN]
    """Where a body begins and ends its way, and how it is turned in between; see `rows`."""
    way: Annotated[Floats, Length("nodes", wide=(3,)), Use.WITHIN]
    """The velocity of its way."""
    free: Annotated[Floats, Length("nodes", wide=(3,)), Use.WITHIN]
    """That of the way that it would take with nothing around."""
    speed: Annotated[Floats, Length("nodes", wide=(3,)), Use.WITHIN]
    """The velocity where its way begins."""
    mass: Annotated[Floats, Length("nodes", wide=(3,)), Use.WITHIN]
    """Its mass, twice, and its moment of inertia; 0 for what nothing changes."""
    root: Annotated[Floats, Length("nodes", wide=(3,)), Use.WITHIN]
    """The roots of these."""
    row: Annotated[Floats, Length("one", 6), Use.SCRATCH]
    """The gradient of one row."""
    lead: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    """Of each mechanism, the first of some bodies that is of it."""
    listed: Annotated[Integers, Length("nodes", more=1), Use.SCRATCH]
    """How many mechanisms the island has that is being solved, and behind it these, in the order of its bodies."""
    stiff: Annotated[Floats, Length("nodes", wide=(2,)), Use.WITHIN]
    """The share of mass and inertia that the pulls of its joints add."""
    reach: Annotated[Floats, Length("nodes"), Use.WITHIN]
    """How far it reaches from its centre of mass: an angle times it is a displacement."""


WORLD = -1
"""In `Graph.node`: the place is that of the world itself."""
