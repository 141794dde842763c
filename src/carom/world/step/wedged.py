"""Bodies that are still too deep in each other at the end of a step go back to where it began.

In: bodies at the end of a step of which some are wedged, and where all stood at its start, when nobody was too deep.
Out: the wedged at rest where they stood, and with them those that stand in their way there; a kinematic body that
drives them waits, and that is told. So no pair is ever deeper than it may be, whatever the solver could not do.
"""

from __future__ import annotations

from carom._core.jit import kernel
from carom._core.types import Integers
from carom.world.step.constants import DEEP
from carom.world.step.listing import neighbours_of
from carom.world.step.motion import place_parts
from carom.world.step.projection import are_near
from carom.world.step.report import tell
from carom.world.step.sleep import settle_parts
from carom.world.step.tables import CRUSHED, DYNAMIC, KINEMATIC, Record, Table, Tables

LISTED, BACK = 1, 2
"""Values of `mark`: the body is looked at; it has gone back."""


@kernel
def take_back(w: Tables, solving: Table, contacts: Table, listed: Integers, count: int) -> None:
    """Take back the first `count` bodies of `listed` that are too deep in others, and whom they then stand in."""
    bodies = w.bodies
    scratch = contacts[contacts.shape[0] - 1]
    for k in range(count):
        solving[listed[k]].mark = LISTED
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
                            listed[count] = one
                            count += 1
                        go_back(w, solving[one], one, other_number if side == 0 else number)
                        changed, went = True, True
                    if went:
                        break  # `near` was used anew; all are looked at again in the next turn
            k += 1
    for k in range(count):
        solving[listed[k]].mark = 0


@kernel
def go_back(w: Tables, noted: Record, number: int, other: int) -> None:
    """Put a body back to where it stood when the step began; a kinematic one keeps its velocity, and has waited."""
    state, body, course = w.state[0], w.bodies[number], w.courses[number]
    noted.mark, w.rests[number].displaced = BACK, 1
    if body.kind == DYNAMIC:
        body.vx, body.vy, body.spin = 0.0, 0.0, 0.0
    elif body.x != course.start_x or body.y != course.start_y or body.angle != course.start_angle:
        tell(w, CRUSHED, other, number, w.bodies[other].x, w.bodies[other].y)
    body.x, body.y, body.angle = course.start_x, course.start_y, course.start_angle
    body.way_x, body.way_y, body.way_spin = 0.0, 0.0, 0.0
    place_parts(body, w.parts, w.buffer, True)
    settle_parts(w, number, state.length)
