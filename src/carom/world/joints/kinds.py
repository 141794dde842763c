"""The kinds of joints: what the rows of each measure and are for, what bounds them, its settings, and how it is drawn.

In: nothing. Out: a record of each kind, and columns of these for kernels, which read them by the number of the kind. A
joint has three rows that are eliminated with its bodies; a limit and a motor have their place in one of them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

X, Y, ANGLE, DISTANCE, ACROSS, ALONG, SUM = range(7)
"""Measures of a row: how far the anchor of a is from that of b, in x and y; how a is turned, seen from b; the
distance of the anchors; how far that of a is from the axis of b, and how far along it; the distance of the anchor of a
from a point of the world, plus so many times that of the anchor of b from another."""

NONE, RIGID, SOFT, GIVEN, IF_SPRUNG, UNLESS_SPRUNG = range(6)
"""Roles of a row: none; a joint that holds; a spring; an impulse that is given, which nothing solves for; a spring if
the joint has one, else none; a joint that holds unless it has a spring."""

NO_SLOT = -1
STRAIGHT, BY_LEVERS, BY_AXIS, BY_LENGTH, BY_REACH = range(5)
"""How the way of a body bends that such a joint holds: not at all; by the spin of both bodies; by that of an axis, too;
round the other anchor, at a distance; round a point of the world."""

JointKind = Literal["pin", "rod", "rope", "spring", "weld", "slide", "wheel", "gear", "drag", "motor", "pulley"]
Row: TypeAlias = tuple[int, int]
"""What it measures, and its role."""
NO_ROW = (X, NONE)
OF_SPRING = ("hertz", "damping", "stiffness", "resistance")
ANCHORS = ("anchor_a", "anchor_b")


class Kind(NamedTuple):
    """A kind of joint."""

    rows: tuple[Row, Row, Row]
    settings: tuple[str, ...]
    """The attributes of a joint that not all kinds have."""
    limit: int = NO_SLOT
    """The row that a limit bounds."""
    motor: int = NO_SLOT
    """The row that a motor drives."""
    length: str = ""
    """The column that holds its length."""
    bends: int = STRAIGHT
    drawn: str = "line"
    holds: bool = True
    """Whether any of its rows may hold; a kind of which none does makes no loop."""
    meets: bool = False
    """Whether its two bodies go on to meet each other, as those of other kinds do only if told so."""


POINT = ((X, RIGID), (Y, RIGID))
BETWEEN = ("distance", "length", *ANCHORS)
TURNED = ("angle", "speed", "max_torque", "rest", *OF_SPRING, *ANCHORS)
ON_AXIS = ("offset", "axis", "limits", "speed", "rest", *OF_SPRING, *ANCHORS)

RECORDS: dict[JointKind, Kind] = {
    "pin": Kind((*POINT, (ANGLE, IF_SPRUNG)), ("limits", *TURNED), 2, 2, bends=BY_LEVERS, drawn="arc"),
    "rod": Kind(
        ((DISTANCE, RIGID), NO_ROW, NO_ROW), ("distance", "length", *ANCHORS), length="length", bends=BY_LENGTH
    ),
    "rope": Kind(
        ((DISTANCE, NONE), NO_ROW, NO_ROW),
        ("distance", "length", *ANCHORS),
        0,
        length="high",
        bends=BY_LENGTH,
        drawn="rope",
    ),
    "spring": Kind(
        ((DISTANCE, SOFT), NO_ROW, NO_ROW),
        ("limits", *OF_SPRING, *BETWEEN),
        0,
        length="rest",
        drawn="zigzag",
    ),
    "weld": Kind((*POINT, (ANGLE, UNLESS_SPRUNG)), ("angle", *OF_SPRING, *ANCHORS), bends=BY_LEVERS, drawn="cross"),
    "slide": Kind(
        ((ACROSS, RIGID), (ANGLE, RIGID), (ALONG, IF_SPRUNG)),
        ("max_force", *ON_AXIS),
        2,
        2,
        bends=BY_AXIS,
        drawn="axis",
    ),
    "wheel": Kind(
        ((ACROSS, RIGID), (ANGLE, NONE), (ALONG, IF_SPRUNG)),
        ("angle", "max_torque", *ON_AXIS),
        2,
        1,
        bends=BY_AXIS,
        drawn="axis",
    ),
    "gear": Kind(((ANGLE, RIGID), NO_ROW, NO_ROW), ("ratio",)),
    "drag": Kind(
        ((X, SOFT), (Y, SOFT), NO_ROW),
        ("distance", "target", "max_force", *OF_SPRING, *ANCHORS),
        drawn="zigzag",
        holds=False,
    ),
    "motor": Kind(
        ((X, SOFT), (Y, SOFT), (ANGLE, SOFT)),
        ("velocity", "speed", "max_force", "max_torque", "anchor_a"),
        drawn="none",
        holds=False,
        meets=True,
    ),
    "pulley": Kind(
        ((SUM, NONE), NO_ROW, NO_ROW),
        ("ratio", "over", *BETWEEN),
        0,
        length="high",
        bends=BY_REACH,
        drawn="pulley",
        meets=True,
    ),
}
"""The kinds by name."""
KINDS: tuple[JointKind, ...] = get_args(JointKind)
"""Their names; the number of each is its place here and one more."""
NUMBERS: dict[str, int] = {name: number for number, name in enumerate(KINDS, 1)}
REMOVED, PIN, ROD, ROPE, SPRING, WELD, SLIDE, WHEEL, GEAR, DRAG, MOTOR_KIND, PULLEY = range(12)
"""Their numbers, and that of a row without a joint. WHEEL is a slide whose body turns freely."""

HAVE: dict[str, tuple[JointKind, ...]] = {
    setting: tuple(kind for kind in KINDS if setting in RECORDS[kind].settings)
    for setting in dict.fromkeys(setting for kind in KINDS for setting in RECORDS[kind].settings)
}
"""The kinds that have each property, of those that not all have."""
LENGTHS: dict[JointKind, str] = {kind: RECORDS[kind].length for kind in KINDS if RECORDS[kind].length}
"""The column that holds the length of each kind."""
ALWAYS_SPRUNG = tuple(kind for kind in HAVE["stiffness"] if RECORDS[kind].rows[0][1] == SOFT)
"""The kinds that are springs, and not joints that may have one."""

# For kernels: by the number of the kind, of which 0 is none; of rows three for each kind.
_BY_NUMBER = (Kind((NO_ROW, NO_ROW, NO_ROW), ()), *(RECORDS[kind] for kind in KINDS))
MEASURES = tuple(row[0] for kind in _BY_NUMBER for row in kind.rows)
ROLES = tuple(row[1] for kind in _BY_NUMBER for row in kind.rows)
LIMITS = tuple(kind.limit for kind in _BY_NUMBER)
MOTORS = tuple(kind.motor for kind in _BY_NUMBER)
BENDS = tuple(kind.bends for kind in _BY_NUMBER)
MEETING = frozenset(NUMBERS[kind] for kind in KINDS if RECORDS[kind].meets)
HOLDS = tuple(int(kind.holds) for kind in _BY_NUMBER)
