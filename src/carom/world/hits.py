"""The hits of a step, as columns in the order of time, and one hit as a value with the bodies themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.vector import Vec
from carom.world.body import Body
from carom.world.tables import CRUSHED, CUT, ENTERED, EXITED, HIT, OVERLAPPED, STALLED, Tables

KINDS = {
    HIT: "hit",
    ENTERED: "enter",
    EXITED: "exit",
    CRUSHED: "crushed",
    STALLED: "stalled",
    CUT: "cut",
    OVERLAPPED: "overlap",
}


class WorldHits(NamedTuple):
    """Hits of one or more steps, one row each, in the order of time."""

    time: Floats
    """(m,) seconds since the call began."""
    kind: Integers
    """(m,) 0 hit, 1 enter, 2 exit, 3 crushed, 4 stalled, 5 cut, 6 overlap."""
    body: Integers
    """(m,) row of the dynamic body, of two the lower row; of a sensor the visitor."""
    other: Integers
    """(m,) row of what it met: a wall, a sensor, what crushes it."""
    point: Floats
    """(m, 2) where they met."""
    normal: Floats
    """(m, 2) unit vector out of `other`, towards `body`; 0 for sensors."""
    speed: Floats
    """(m,) speed of approach along the normal, before."""
    impulse: Floats
    """(m,) impulse along the normal, mass x speed."""


class WorldHit(NamedTuple):
    """One thing that happened, at whose instant the world pauses."""

    kind: str
    """One of "hit", "enter" or "exit" for sensors, "crushed", "stalled", "cut", "overlap"."""
    time: float
    """Seconds since the step began."""
    body: Body
    """What was moving into the other; of a sensor the visitor."""
    other: Body
    """What it met."""
    point: Vec
    """Where they met."""
    normal: Vec
    """Unit vector out of `other`, towards `body`; 0 for sensors."""
    speed: float
    """Speed of approach along the normal, before."""
    impulse: float
    """Impulse along the normal, mass x speed."""


def columns(w: Tables, first: int, last: int, before: float) -> WorldHits:
    """Return hits `first` up to `last` as columns of their own, times counted from `before` seconds earlier."""
    rows = w.hits[first:last]
    return WorldHits(
        rows["time"] + before,
        rows["kind"].copy(),
        rows["body"].copy(),
        rows["other"].copy(),
        np.column_stack((rows["x"], rows["y"])),
        np.column_stack((rows["nx"], rows["ny"])),
        rows["speed"].copy(),
        rows["impulse"].copy(),
    )
