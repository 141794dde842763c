"""Where bodies are at the present instant, how fast, and for how long they have waited.

In: rows of a world's tables, at a pause or between steps. Out: columns of positions and velocities; nothing is moved.
"""

from __future__ import annotations

import math
from sys import getrefcount
from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.tolerances import LARGEST
from carom.vector import Vec
from carom.world.step.tables import BETWEEN, DYNAMIC, GONE, KINEMATIC, STATIC, Body, State, Tables
from carom.world.step.ways.motion import place_now, velocity_now

MOST_STEPS = 10**9  # of one call: more would never end
SHORT_TIME = 1.0  # seconds in which nothing gets out of all bounds


class Columns(NamedTuple):
    """Where bodies are and how fast, by row."""

    positions: Floats
    """(n, 2); NaN in rows without a body."""
    angles: Floats
    velocities: Floats
    """(n, 2)"""
    spins: Floats


def make_columns(count: int) -> Columns:
    """Return columns for so many bodies."""
    return Columns(np.empty((count, 2)), np.empty(count), np.empty((count, 2)), np.empty(count))


def is_held(columns: Columns) -> bool:
    """Tell whether someone holds a view of columns that a world alone would hold."""
    return _references(columns) > OWN_REFERENCES


def _references(columns: Columns) -> int:
    return max(getrefcount(column) for column in columns)


OWN_REFERENCES = _references(make_columns(0))
"""Those to a column that nobody else holds: how many there are differs among versions of Python."""


def follow(columns: Columns, older: list[Columns]) -> list[Columns]:
    """Have columns of other numbers of bodies tell what the present ones do; return those that someone still holds."""
    held = [one for one in older if is_held(one)]
    for one in held:
        for kept, now in zip(one, columns, strict=True):
            rows = min(len(kept), len(now))
            kept[:rows], kept[rows:] = now[:rows], np.nan
    return held


Motion = tuple[float, float, float, float, float, float]
"""Position, angle, velocity and spin."""


@inner
def motion_in(state: State, body: Body, since: float) -> Motion:
    """Return the motion of a body at the present instant, whose way began at some time."""
    x, y, angle = place_now(state, body)
    vx, vy, spin = body.vx, body.vy, body.spin
    if state.phase != BETWEEN and body.kind != STATIC:
        vx, vy, spin = velocity_now(state, body, since)
    if body.middle_x != 0.0 or body.middle_y != 0.0:
        c, s, _ = cos_sin_of(angle)
        x += c * body.middle_x - s * body.middle_y
        y += s * body.middle_x + c * body.middle_y
    return x, y, angle, vx, vy, spin


@inner
def read_body(state: State, body: Body, since: float, at: int, out: Columns) -> None:
    """Write where a body is at the present instant and how fast, without moving it."""
    if body.kind == GONE:
        out.positions[at, 0], out.positions[at, 1], out.angles[at] = math.nan, math.nan, math.nan
        out.velocities[at, 0], out.velocities[at, 1], out.spins[at] = 0.0, 0.0, 0.0
        return
    x, y, angle, vx, vy, spin = motion_in(state, body, since)
    out.positions[at, 0], out.positions[at, 1], out.angles[at] = x, y, angle
    out.velocities[at, 0], out.velocities[at, 1], out.spins[at] = vx, vy, spin


@kernel
def read_all(w: Tables, first: int, last: int, out: Columns) -> None:
    """Write where bodies `first` up to `last` are at the present instant and how fast, without moving them."""
    state, bodies = w.state[0], w.bodies
    for number in range(first, last):
        read_body(state, bodies[number], w.courses[number].since, number - first, out)


@kernel
def read_movers(w: Tables, out: Columns) -> None:
    """Write the same of the bodies that a step may move; of the others it stands there already."""
    state, bodies, movers = w.state[0], w.bodies, w.movers
    for k in range(state.movers):
        read_body(state, bodies[movers[k]], w.courses[movers[k]].since, movers[k], out)


def motion_of(w: Tables, row: int) -> tuple[Vec, float, Vec, float]:
    """Return position, angle, velocity and spin of a body at the present instant."""
    out = make_columns(1)
    read_all(w, row, row + 1, out)
    return Vec(*out.positions[0].tolist()), out.angles.item(0), Vec(*out.velocities[0].tolist()), out.spins.item(0)


def waited_in(w: Tables, rows: slice | int) -> Any:
    """Return for how many seconds of the present step, or of the last one, bodies have waited; of copies, in each."""
    body, course = w.bodies[..., rows], w.courses[..., rows]
    kind, waited = body["kind"], w.rests["waited"][..., rows] + course["waited"]
    stands = (body["way_x"] == 0.0) & (body["way_y"] == 0.0) & (body["way_spin"] == 0.0)
    told = (body["vx"] != 0.0) | (body["vy"] != 0.0) | (body["spin"] != 0.0)
    holds = (course["stalled"] != 0) | ((kind == KINEMATIC) & stands & told)
    since = np.where(w.state["phase"] != BETWEEN, w.state["now"] - course["since"], 0.0)
    return np.where(kind > STATIC, waited + np.where(holds, since, 0.0), 0.0)


def refuse_too_far(where: str, w: Tables, dt: float, steps: int) -> None:
    """Refuse a time in which some body, of one world or of copies, could get beyond all coordinates."""
    time = dt * steps
    if time <= SHORT_TIME:
        return
    bodies = w.bodies[..., : int(w.state["bodies"].flat[0])]
    moving = bodies[bodies["kind"] > STATIC]
    start, speed, pull = (
        max(float(np.abs(moving[name]).max(initial=0.0)) for name in names)
        for names in (("x", "y"), ("vx", "vy"), ("acceleration_x", "acceleration_y"))
    )
    if (moving["kind"] == DYNAMIC).any():
        pull += max(float(np.abs(w.state[name]).max()) for name in ("gravity_x", "gravity_y"))
    if not start + (speed + pull * time) * time <= LARGEST:
        many = "" if steps == 1 else f", {steps} times,"
        expected = f"is too long: in that time{many} a body could get farther than {LARGEST:g} from the origin"
        inputs.refuse(ValueError, where, "dt", dt, expected)
