"""Bodies that are still too deep in each other at the end of a step go back to where it began.

In: bodies at the end of a step of which some are wedged, and where all stood at its start, when nobody was too deep.
Out: the wedged where they stood, and with them those that stand in their way there. Together they keep their momentum:
they go on with one velocity, at rest where something that cannot be moved is among them. A kinematic body that drives
them, or that has passed where one of them stands again, waits, and that is told. So no pair is ever deeper than it may
be, and nothing is passed through, whatever the solver could not do.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.conservative_advancement import time_to_gap
from carom.world.step.constants import DEEP, SPARE
from carom.world.step.contacts import moves
from carom.world.step.filters import MEET, concern, is_one_way
from carom.world.step.islands import root_of
from carom.world.step.listing import neighbours_of, skin_of
from carom.world.step.motion import place_parts
from carom.world.step.projection import are_apart, are_near
from carom.world.step.report import tell
from carom.world.step.sleep import settle_parts
from carom.world.step.tables import CRUSHED, DYNAMIC, KINEMATIC, Record, Table, Tables

LISTED, BACK = 1, 2
"""Values of `mark`: the body is looked at; it has gone back."""


@kernel
def take_back(w: Tables, solving: Table, contacts: Table, listed: Integers, count: int, work: Floats) -> None:
    """Take back the first `count` bodies of `listed` that are too deep in others, and whom they then stand in."""
    bodies = w.bodies
    scratch = contacts[contacts.shape[0] - 1]
    for k in range(count):
        enter(solving, listed[k])
        settle_parts(w, listed[k], w.state[0].length)
    changed = True
    while changed:
        changed, k = False, 0
        while k < count:
            number = listed[k]
            body = bodies[number]
            for p in range(body.first_part, body.first_part + body.part_count):
                near = neighbours_of(w, p)
                for m in range(near):
                    q = w.near[m]
                    other_number = w.parts[q].body
                    other = bodies[other_number]
                    if (body.parting != 0 and other.parting != 0) or not are_near(w, p, q, DEEP, scratch):
                        continue
                    went = False
                    for side in range(2):
                        one = number if side == 0 else other_number
                        if bodies[one].kind < KINEMATIC or bodies[one].asleep != 0 or solving[one].mark == BACK:
                            continue
                        if solving[one].mark == 0:
                            enter(solving, one)
                            listed[count] = one
                            count += 1
                        go_back(w, solving[one], one, other_number if side == 0 else number)
                        count = take_back_drivers(w, solving, listed, count, one, work)
                        changed, went = True, True
                    if went:
                        join(bodies, solving, number, other_number)
                        break  # `near` was used anew; all are looked at again in the next turn
            k += 1
    share_momentum(bodies, solving, listed, count)
    for k in range(count):
        solving[listed[k]].mark = 0


@inner
def enter(solving: Table, number: int) -> None:
    """Have a body be looked at."""
    noted = solving[number]
    noted.mark, noted.root = LISTED, number


@kernel
def take_back_drivers(w: Tables, solving: Table, listed: Integers, count: int, number: int, work: Floats) -> int:
    """Take back the kinematic bodies that have passed where a body stands again; return how many bodies are listed."""
    state, body = w.state[0], w.bodies[number]
    if state.drivers == 0 or body.kind != DYNAMIC:
        return count
    for m in range(state.movers):
        other = w.movers[m]
        driver = w.bodies[other]
        if driver.kind != KINEMATIC or solving[other].mark == BACK or is_one_way(driver):
            continue
        if concern(body, driver, w.rules) != MEET or not has_passed(w, body, driver, w.courses[other], work):
            continue
        if solving[other].mark == 0:
            enter(solving, other)
            listed[count] = other
            count += 1
        go_back(w, solving[other], other, number)
        join(w.bodies, solving, number, other)
    return count


@kernel
def has_passed(w: Tables, body: Record, driver: Record, course: Record, work: Floats) -> bool:
    """Tell whether a kinematic body would meet a body that stands on its way back to where the step began."""
    dx, dy, turn = course.start_x - driver.x, course.start_y - driver.y, course.start_angle - driver.angle
    far = abs(dx) + abs(dy) + abs(turn) * driver.sweep
    if far == 0.0:
        return False
    still, way = (body.x, body.y, 0.0, 0.0, 0.0, body.sweep), (driver.x, driver.y, dx, dy, turn, driver.sweep)
    tolerance = 0.25 * SPARE * skin_of(body, driver)
    for p in range(body.first_part, body.first_part + body.part_count):
        for q in range(driver.first_part, driver.first_part + driver.part_count):
            if are_apart(body, w.parts[p], driver, w.parts[q], far):
                continue
            i, j = w.parts[p].record, w.parts[q].record
            if time_to_gap(w.buffer, i, still, w.buffer, j, way, 1.0, 0.0, 0.0, -math.inf, tolerance, work) < 1.0:
                return True
    return False


@inner
def join(bodies: Table, solving: Table, a: int, b: int) -> None:
    """Note that two bodies go back for each other. What cannot be moved is the root of all that go back for it."""
    for side in range(2):
        number = a if side == 0 else b
        if not moves(bodies[number]):
            solving[number].root = number
    first, second = root_of(solving, a), root_of(solving, b)
    if moves(bodies[first]):
        solving[first].root = second
    else:
        solving[second].root = first


@kernel
def share_momentum(bodies: Table, solving: Table, listed: Integers, count: int) -> None:
    """Give the bodies that went back for each other one velocity, by their momentum; none beside what is not moved."""
    for k in range(count):
        root = solving[listed[k]]
        root.next_x, root.next_y, root.mass = 0.0, 0.0, 0.0
    for turn in range(2):
        for k in range(count):
            body, number = bodies[listed[k]], root_of(solving, listed[k])
            if solving[listed[k]].mark != BACK or not moves(body):
                continue
            root, mass = solving[number], 1.0 / body.inverse_mass
            if turn == 0:
                root.next_x += mass * body.vx
                root.next_y += mass * body.vy
                root.mass += mass
            else:
                free = moves(bodies[number])
                body.vx = root.next_x / root.mass if free else 0.0
                body.vy = root.next_y / root.mass if free else 0.0
                body.spin = 0.0


@kernel
def go_back(w: Tables, noted: Record, number: int, other: int) -> None:
    """Put a body back to where it stood when the step began; a kinematic one keeps its velocity, and has waited."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    noted.mark, w.rests[number].displaced = BACK, 1
    if body.kind == KINEMATIC and (
        body.x != course.start_x or body.y != course.start_y or body.angle != course.start_angle
    ):
        tell(w, CRUSHED, other, number, w.bodies[other].x, w.bodies[other].y)
    body.x, body.y, body.angle = course.start_x, course.start_y, course.start_angle
    body.way_x, body.way_y, body.way_spin = 0.0, 0.0, 0.0
    place_parts(body, w.parts, w.buffer, True)
    settle_parts(w, number, state.length)
