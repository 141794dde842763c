"""The state of a world as plain columns: what each table holds, and how the tables are made and made larger.

Everything that a step reads or writes stands in these arrays, so that one kernel call plays a whole step, may stop at
any instant and go on later, and a copy of the arrays is a copy of the world. A body is a row of `bodies`, and the same
row of `courses` and `rests`; it has one or more convex parts, rows of `parts`, each with its record in `buffer`. World
frame, user's units; times within a step count from its start, in seconds.
"""

from typing import Annotated, NamedTuple, TypeAlias

from carom._core.types import Floats, Integers, Rows32
from carom.world.joints.tables import Joints
from carom.world.step.declared import (
    F8,
    I1,
    I8,
    Lasting,
    Length,
    Passing,
    Record,
    Table,
    Two,
    TwoWhole,
    Use,
    Within,
    form_of,
    make,
)

GONE, STATIC, KINEMATIC, DYNAMIC = -1, 0, 1, 2  # kinds of bodies
NEW = 2  # value of `moved`
PUSHED, PLACED = 2, 3  # values of `due`
AIMED, READY = 1, 2  # values of `aimed`
AT_ONCE, AND_FLIES = 1, 2  # values of `jumps`
CHANGED_THERE = -1.0  # value of `left`: it was changed at a pause, where its way ended
MET, LET_ON, LOST = 1, 2, 3  # values of `met`; LOST: so deep in another that it goes back at the end
OF_PILE, WAS_OF_PILE = 1, 2  # bits of `pile`


class Body(Record):
    """A body: where it is, how it moves, and how it is set."""

    x: Lasting[F8]  # what it turns about, at its own time: the centre of mass, or the pivot of a kinematic body
    y: Lasting[F8]
    vx: Lasting[F8]  # velocity where its way began
    vy: Lasting[F8]
    way_x: Passing[F8]  # velocity of the straight line it follows until something happens
    way_y: Passing[F8]
    own_time: Passing[F8]  # the time that its place belongs to
    horizon: F8  # until when the bounds of its parts hold
    # line 2
    kind: Lasting[I1]
    sensor: Lasting[I1]  # 1: notices, and stops nothing
    response: Lasting[I1]
    asleep: Lasting[I1]
    moved: I1  # 1: it was elsewhere at the start of the step; NEW: it has not looked around since it came
    solved: Passing[I1]  # 1: its way is the solver's
    pile: Lasting[I1]  # OF_PILE: it has contacts in the solver in this step; WAS_OF_PILE: it had in the one before
    parting: Lasting[I1]  # 1: it was put into something, and is on its way out; 2: it stays until it leaves by itself
    first_part: I8
    part_count: I8
    mask: Lasting[I8]  # bit k: meets layer k
    layer: Lasting[I8]  # bit k: is on layer k
    spin: Lasting[F8]  # radians a second
    way_spin: Passing[F8]  # of its way
    angle: Lasting[F8]  # at 0 its parts stand as their models do
    # line 3
    pull_x: Passing[F8]  # acceleration along its way
    pull_y: Passing[F8]
    pull_spin: Passing[F8]
    inverse_mass: Lasting[F8]  # 0: immovable
    inverse_inertia: Lasting[F8]  # 0: nothing but its own spin turns it
    restitution: Lasting[F8]
    friction: Lasting[F8]
    swift: F8  # the acceleration that its fastest point feels without contacts
    # line 4
    spare_x: Lasting[F8]  # what rounding has left out of x and y
    spare_y: Lasting[F8]
    sweep: F8  # how far from (x, y) it reaches
    half_width: F8  # half of its least width; of a Segment its length; infinite for static ones without width
    acceleration_x: Lasting[F8]  # in addition to gravity
    acceleration_y: Lasting[F8]
    acceleration_spin: Lasting[F8]
    gravity_scale: Lasting[F8]  # times the world's gravity
    # line 5
    damping: Lasting[F8]  # a share of its velocity is lost each second
    one_way_x: Lasting[F8]  # blocks only what comes from this side; 0, 0: blocks everything
    one_way_y: Lasting[F8]
    middle_x: Lasting[F8]  # its position relative to (x, y), at angle 0
    middle_y: Lasting[F8]
    serial: I8  # number of the body, never given twice
    surface_x: Lasting[F8]  # velocity of its surface beside its own, at angle 0: only friction sees it
    surface_y: Lasting[F8]
    # line 6
    rolling: Lasting[F8]  # rolling resistance: largest lever, in radii, at which what presses it resists turning
    sleepless: Lasting[I8]  # 1: it never falls asleep
    upright: Lasting[I8]  # 1: no impact turns it
    kept_mass: Lasting[F8]  # 1 / the mass that it had when it was dynamic last; 0: it never was, or is
    joint: I8  # 1 + the first of its joints; 0: it has none
    node: I8  # 1 + its place in the order in which mechanisms are eliminated; 0: it is of none
    rigid: I8  # 1 + the first of the bodies that hard welds join with it; 0: they join it with none
    group: Lasting[I8]  # it passes through others of the same group; 0: it is of none


BODY = form_of(Body)
Bodies: TypeAlias = Table[Body]


class Course(Record):
    """The notes of the event queue on a body within a step."""

    since: Passing[F8]  # when its way began
    stamp: I8  # changes when the body does: what was predicted for another stamp is void
    queued: I8  # 1: waits for its look around
    last_hit: Passing[F8]  # when it was hit last, since the whole step began
    met: Passing[I8]  # MET: another in this step; LET_ON: and goes on, deeper perhaps; or LOST
    spent: F8  # the share of the impacts that it may have in this step; see `go_on`
    stuck: I8  # 1: it has had them, and is solved
    presses: I8  # impacts in this step with kinematic bodies
    stalled: Passing[I8]  # 1: it stays where it is until the portion ends or it is changed, after so many impacts
    waited: F8  # seconds of this portion that it waited, up to where its way began
    due: Passing[I8]  # 1: its mechanism's ways are to be found; PUSHED: its velocity was set, too; PLACED: or its place
    start_x: Passing[F8]  # where it stood when the whole step began, or was put since
    start_y: Passing[F8]
    start_angle: Passing[F8]
    pulled_x: F8  # the velocity that no pair and no joint has given it in this step: gravity and the like
    pulled_y: F8
    drawn_x: F8  # the same that the present way of its mechanism gives it by its end
    drawn_y: F8
    jumps: (
        I8  # AT_ONCE: what its pile gives in this portion it has got at its start, not evenly; AND_FLIES: but its pull
    )
    left: F8  # when it left the way that its pile gave it, since its mechanism was hit; 0: it has not
    target_x: Lasting[F8]  # where a kinematic body is told to be when the step ends
    target_y: Lasting[F8]
    target_angle: Lasting[F8]
    told: Lasting[I8]  # 1: it is told where to be; 2: and it is on its way there


COURSE = form_of(Course)


class Rest(Record):
    """The notes of a step on a body for the next."""

    timer: Lasting[F8]  # for how long it has been slow enough to sleep
    stood_vx: Lasting[F8]  # the velocity that it had halfway
    stood_vy: Lasting[F8]
    stood_spin: Lasting[F8]
    home_x: Lasting[F8]  # the place about which it has swung
    home_y: Lasting[F8]
    home_angle: Lasting[F8]
    stayed: Lasting[F8]  # for how long it has swung there
    settled: Lasting[I8]  # 1: for long enough, and it has turned back since
    ring: I8  # the next one of those that fell asleep together
    near: Lasting[I8]  # 1: it was within some skins of another when the step before ended
    displaced: Lasting[I8]  # 1: the end of that step has put it elsewhere, so as to open what was too deep
    waited: F8  # seconds that it waited in the portions of the step before the last one


REST = form_of(Rest)


class Part(Record):
    """A convex part of a body."""

    low_x: F8  # bounds of its way until the horizon
    low_y: F8
    high_x: F8
    high_y: F8
    body: I8
    record: I8  # where its record begins in the buffer, and its model among the models
    width: F8  # diameter of a circle around it
    listed: I8  # how many neighbours its list names; see `neighbours`
    # line 2
    fat_low_x: F8  # fat bounds, which hold as long as its way stays within them
    fat_low_y: F8
    fat_high_x: F8
    fat_high_y: F8
    cell: I8  # the cell of its fat bounds in the grid; -1: not in it
    next: I8  # in the list of its bucket
    previous: I8
    thin: I8  # 1: it has no width to speak of
    # line 3
    left: F8  # bounds relative to its own origin
    bottom: F8
    right: F8
    top: F8
    offset_x: F8  # its origin relative to the body's (x, y), turned as the body is
    offset_y: F8
    unused: TwoWhole


PART = form_of(Part)

SLOTS = 16  # of the list of a part's neighbours: one cache line

IMPACT, ENTER, EXIT, RENEW, TOUCH = 0, 1, 2, 3, 4
"""Kinds of predicted events. RENEW asks for new bounds; TOUCH, of two bodies of a pile, is only told."""


class Event(Record):
    """A predicted event."""

    when: F8
    what: I8
    part_a: I8
    part_b: I8
    stamp_a: I8
    stamp_b: I8
    contact: I8  # the row that a TOUCH tells of
    padding: I8


EVENT = form_of(Event)

KINDS_TOLD = range(8)
"""Kinds of what is told; `HitKind` has their names in the same order."""
HIT, ENTERED, EXITED, CRUSHED, STALLED, CUT, OVERLAPPED, BROKEN = KINDS_TOLD


class Told(Record):
    """A hit, or another event, as it is told."""

    time: F8
    x: F8
    y: F8
    nx: F8
    ny: F8
    speed: F8
    impulse: F8
    friction_impulse: F8
    kind: I8
    body: I8
    other: I8
    joint: I8  # row of the joint that broke, and the number that is never given twice; -1
    joint_serial: I8


HIT_ROW = form_of(Told)


class Blow(Record):
    """The impulses of two parts on each other in this step, beside those that the contacts of piles tell."""

    name: I8  # of the two parts, as in contacts; -1 once one of them was removed
    a: I8
    b: I8
    x: F8  # impulse on b
    y: F8
    since: F8  # when in the portion a push began that lasts to its end; -1: it was given at once
    feature: TwoWhole
    normal: Two  # the same along the normal and across it, at each point
    across: Two


BLOW = form_of(Blow)

BETWEEN, WITHIN, CHANGED, SOLVING, SOLVED, WAITING, OPEN = 0, 1, 2, 3, 4, 5, 6
"""Phases: between steps, within one, within one that was changed, while its islands are solved by threads, after; OPEN:
a portion is to begin anew, when a table is longer."""


class State(Record):
    """The state of the whole world, and how far its step has come."""

    now: F8  # since the portion began, or was begun anew after a change
    length: F8  # of the portion of the step that is played, or of what was left of it then
    before: F8  # how much of the step had passed then
    begins: F8  # when in the step this portion began
    pace: F8  # the shorter of the lengths of this portion and of the one before
    whole: F8  # the length of the step
    later: F8  # how much of it comes after this portion
    clock: F8  # how long all steps took that have ended
    steps: I8  # how many there were
    gravity_x: Lasting[F8]
    gravity_y: Lasting[F8]
    phase: I8
    pauses: I8  # 1: the caller asked to pause at each instant with hits
    listed: I8  # 1: `movers` names all that may move
    told: I8  # hits of this step up to its last pause
    slow: I8  # 1: pairs may be slow, since some body has an acceleration, or was of a pile
    solved: I8  # bodies that the solver moves
    settling: I8  # how many it moved in the step before: some may have been slow since
    islands: I8
    rounds: I8  # of the solver so far
    quick: I8  # 1: it is a coarse one
    coarse: I8  # 1: some island has been solved coarsely, and not in full since
    seen: I8  # contacts that have been solved
    played: I8  # events in this step
    begun: I8  # times that the rest of the step was begun anew for what is hit too often
    bodies: I8  # how many rows each table uses
    parts: I8
    events: I8
    movers: I8
    drivers: I8  # kinematic bodies among them
    queue: I8
    hits: I8
    blows: I8
    booked: I8  # 1: what this portion has given is noted among `blows`, or none has begun; see `blows`
    span: F8  # the time for which its impulses and accelerations were found
    inside: I8
    levels: I8
    struck: I8  # pairs that have met at one instant
    struck_at: F8  # which
    sleepless: Lasting[I8]  # 1: nothing falls asleep
    joints: I8  # how many rows of the table of joints are in use
    aimed: Passing[I8]  # AIMED: its bodies have been sent on their ways, but those of mechanisms; READY: and contacts
    due: Passing[I8]  # 1: some mechanism begins a new way, which is to be found; PUSHED: some velocity was set, or more
    linked: Within[I8]  # 1: the graph of mechanisms is that of the joints and bodies there are
    least_x: F8  # bounds of all parts that ever stood in the grid, and of the origin
    least_y: F8
    most_x: F8
    most_y: F8


STATE = form_of(State)

MOST_LEVELS = 1100  # one for each power of two between the smallest size and the largest


class Tables(NamedTuple):
    """All arrays of a world."""

    state: Annotated[Table[State], Length("one"), Use.LASTING]
    bodies: Annotated[Table[Body], Length("bodies"), Use.LASTING]
    courses: Annotated[Table[Course], Length("bodies"), Use.LASTING]
    rests: Annotated[Table[Rest], Length("bodies"), Use.LASTING]
    parts: Annotated[Table[Part], Length("parts")]
    buffer: Annotated[Floats, Length("numbers")]  # records of parts
    models: Annotated[Floats, Length("numbers", shared=True)]  # their records at angle 0, relative to the body's (x, y)
    # The first part of each bucket of the grid with a mark, or -1: 2**n of them.
    cells: Annotated[Integers, Length("cells", fill=-1)]
    # Parts in each level, then a list of the levels in use, then how far the parts of each reach.
    levels: Annotated[Rows32, Length("one", 3 * MOST_LEVELS)]
    events: Annotated[Table[Event], Length("events", in_turn=True)]
    # Rows of `events`, the earliest on top; then free ones.
    heap: Annotated[Integers, Length("events", numbered=True, in_turn=True)]
    queue: Annotated[Integers, Length("bodies")]  # bodies that wait for their look around
    movers: Annotated[Integers, Length("bodies")]  # the bodies that may move
    around: Annotated[Integers, Length("parts", in_turn=True), Use.SCRATCH]  # parts found around one
    beside: Annotated[Integers, Length("parts", in_turn=True), Use.SCRATCH]  # parts that touch a wall where it is met
    lists: Annotated[Rows32, Length("parts", SLOTS)]  # the neighbours of each part
    hits: Annotated[Table[Told], Length("hits")]
    blows: Annotated[Table[Blow], Length("hits")]
    # Pairs of parts, a visitor inside a sensor; -1 where free.
    inside: Annotated[Integers, Length("inside", fill=-1, hashed=True), Use.LASTING]
    # (63, 63): response of two layers, -1 for that of the bodies.
    rules: Annotated[Integers, Length("one", 63, wide=(63,), fill=-1, shared=True), Use.LASTING]
    # Pairs of bodies that were put into each other, and are on their way out; -1 where free.
    overlaps: Annotated[Integers, Length("overlaps", fill=-1, hashed=True), Use.LASTING]
    joints: Joints


def make_tables() -> Tables:
    """Return the tables of a world without bodies."""
    return make(
        Tables, bodies=16, parts=16, numbers=64, cells=32, events=64, hits=512, inside=256, overlaps=16, joints=0
    )
