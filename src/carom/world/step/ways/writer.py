"""The one writer of how bodies move: all that the step stores in velocities, ways and marks of waiting, it stores here.

In: a body, and what a stage of the step or a user has found for it. Out: the columns of the body and of its course. A
velocity from outside, which the joints of the body may not allow, is a `push`: its whole mechanism hears of it before
it goes its next way. A velocity that joints have a part in is set.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom.world.step.tables import PUSHED, Body, Course


@inner
def set_velocity(body: Body, vx: float, vy: float, spin: float) -> None:
    """Give a body a velocity that its joints allow, or that its whole mechanism is given."""
    body.vx, body.vy, body.spin = vx, vy, spin


@inner
def push(body: Body, course: Course, vx: float, vy: float, spin: float) -> None:
    """Give a body a velocity from outside, which its mechanism is to take up before its next way."""
    if body.joint != 0 and (body.vx != vx or body.vy != vy or body.spin != spin):
        course.due = max(course.due, PUSHED)
    set_velocity(body, vx, vy, spin)


@inner
def tell(body: Body, course: Course, vx: float, vy: float, spin: float) -> None:
    """Give a body the velocity that its user has set, of which its mechanism hears though it may be the one it has."""
    if body.joint != 0:
        course.due = max(course.due, PUSHED)
    set_velocity(body, vx, vy, spin)


@inner
def set_way(body: Body, x: float, y: float, spin: float) -> None:
    """Send a body on a straight way with an even turn, from its own time on."""
    body.way_x, body.way_y, body.way_spin = x, y, spin


@inner
def set_pull(body: Body, x: float, y: float, spin: float) -> None:
    """Have the velocity of a body change evenly in time by an acceleration."""
    body.pull_x, body.pull_y, body.pull_spin = x, y, spin


@inner
def end_with(body: Body, vx: float, vy: float, spin: float, length: float) -> None:
    """Have the velocity of a body change evenly to what it is to be after a time."""
    set_pull(body, (vx - body.vx) / length, (vy - body.vy) / length, (spin - body.spin) / length)


@inner
def stop(body: Body) -> None:
    """Leave a body where it is until the portion ends; its velocity stays."""
    set_way(body, 0.0, 0.0, 0.0)
    set_pull(body, 0.0, 0.0, 0.0)


@inner
def have_wait(course: Course) -> None:
    """Note that a body waits: whatever is found for it, it stays where it is until the portion ends."""
    course.stalled = 1


@inner
def have_go(course: Course) -> None:
    """Note that a body waits no longer."""
    course.stalled = 0
