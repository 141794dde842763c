"""Bodies that are still too deep in each other at the end of a step go back to where it began.

In: bodies at the end of a step of which some are wedged, and where all stood at its start, when nobody was too deep.
Out: the wedged where they stood, and with them those that stand in their way there. They go on as one, by their
momentum and angular momentum, at rest where something that cannot be moved is among them. A kinematic body that drives
them goes back, too, which is told. So does what a body would pass on its way back. So no pair is ever deeper than it
may be, and nothing is passed through, whatever the solver could not do.
"""

from __future__ import annotations

import math

from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.conservative_advancement import Way, time_to_gap
from carom.narrow.signed_distance import separate
from carom.world.step.constants import DEEP, SPARE
from carom.world.step.end.displacement import are_apart
from carom.world.step.end.projection import are_near
from carom.world.step.notes import Note, Notes
from carom.world.step.pairs.contacts import moves, skin_of
from carom.world.step.pairs.filters import MEET, concern, is_one_way
from carom.world.step.pairs.sensors import are_parting
from carom.world.step.piles import Piles
from carom.world.step.play.report import tell
from carom.world.step.tables import CRUSHED, KINEMATIC, LOST, Bodies, Body, Course, Tables
from carom.world.step.ways.motion import note_pull, own_pull, place_parts, wrapped
from carom.world.step.ways.neighbours import neighbours_of
from carom.world.step.ways.setting_off import settle_parts
from carom.world.step.ways.writer import push, set_way

LISTED, DUE, BACK = 1, 2, 3
"""Values of `fate`: the body is looked at; it is to go back; it has gone back."""


@kernel
def take_back(w: Tables, piles: Piles, count: int) -> None:
    """Take back the first `count` bodies of `solved` that are too deep in others, and whom they then stand in."""
    bodies, solving, listed = w.bodies, piles.solving, piles.solved
    scratch = piles.contacts[piles.contacts.shape[0] - 1]
    for k in range(count):
        solving[listed[k]].fate, solving[listed[k]].group = LISTED, listed[k]
        settle_parts(w, listed[k], w.state[0].length)
    changed = True
    while changed:
        changed, k = False, 0
        while k < count:
            number = listed[k]
            body = bodies[number]
            for p in range(body.first_part, body.first_part + body.part_count):
                for m in range(neighbours_of(w, p, w.around)):
                    q = w.around[m]
                    other_number = w.parts[q].body
                    if are_parting(w, number, other_number) or not are_near(w, p, q, DEEP, scratch):
                        continue
                    went = False
                    for one, beside in ((number, other_number), (other_number, number)):
                        if may_go_back(w, solving, one):
                            count = call_back(w, piles, count, one, beside)
                            went = True
                    if went:
                        join(bodies, solving, number, other_number)
                        count = put_back(w, piles, count)
                        changed = True
                        break  # `around` was used anew; all are looked at again in the next turn
            k += 1
    share_momentum(w, piles, count)


@kernel
def take_lost_back(w: Tables, piles: Piles, count: int) -> int:
    """Take back those of the first `count` bodies of `solved` that are lost in others, and whom they pass on their way.

    Returns how many bodies are listed.
    """
    for k in range(count):
        number = piles.solved[k]
        piles.solving[number].fate = DUE if w.courses[number].met == LOST else LISTED
        piles.solving[number].group = number
    count = put_back(w, piles, count)
    share_momentum(w, piles, count)
    return count


@inner
def may_go_back(w: Tables, solving: Notes, number: int) -> bool:
    """Tell whether a body moves, and neither has gone back nor is to."""
    body = w.bodies[number]
    return bool(body.kind >= KINEMATIC and body.asleep == 0 and solving[number].fate < DUE)


@kernel
def call_back(w: Tables, piles: Piles, count: int, number: int, other: int) -> int:
    """Note that a body is to go back for another one; return how many bodies are listed."""
    noted, body, course = piles.solving[number], w.bodies[number], w.courses[number]
    if noted.fate == 0:
        noted.group, piles.solved[count] = number, number
        count += 1
    noted.fate = DUE
    stayed = body.x == course.start_x and body.y == course.start_y and body.angle == course.start_angle
    if body.kind == KINEMATIC and not stayed:
        tell(w, CRUSHED, other, number, w.bodies[other].x, w.bodies[other].y)
    return count


@kernel
def put_back(w: Tables, piles: Piles, count: int) -> int:
    """Put back all that are to go, and whom they would have passed by that; return how many bodies are listed."""
    due = True
    while due:
        due, k = False, 0
        while k < count:
            number, k = piles.solved[k], k + 1
            if piles.solving[number].fate == DUE:
                due = True
                count = go_back(w, piles, count, number)
    return count


@kernel
def go_back(w: Tables, piles: Piles, count: int, number: int) -> int:
    """Put a body to where it stood when the step began, and call back whom it passes on its way there.

    A kinematic body keeps its velocity: it has waited. Returns how many bodies are listed.
    """
    state, solving, body, course = w.state[0], piles.solving, w.bodies[number], w.courses[number]
    dx, dy, turn = course.start_x - body.x, course.start_y - body.y, wrapped(course.start_angle - body.angle)
    far = abs(dx) + abs(dy) + abs(turn) * body.sweep
    way = body.x, body.y, dx, dy, turn, body.sweep
    for m in range(state.movers):
        other = w.movers[m]
        if other == number or not may_go_back(w, solving, other):
            continue
        if is_on_way(w, body, way, far, w.bodies[other], piles.work):
            count = call_back(w, piles, count, other, number)
            join(w.bodies, solving, number, other)
    k = body.joint
    while k != 0:  # what joints connect goes back as a whole
        joint = w.joints.table[k - 1]
        k, other = (joint.next_a, joint.b) if joint.a == number else (joint.next_b, joint.a)
        if other >= 0 and may_go_back(w, solving, other):
            count = call_back(w, piles, count, other, number)
            join(w.bodies, solving, number, other)
    noted = solving[number]
    if far > 0.0:
        course.waited = state.before + state.now - state.begins  # its whole way in this portion is taken back
    noted.fate, noted.back_x, noted.back_y, w.rests[number].displaced = BACK, -dx, -dy, 1
    body.x, body.y, body.angle = course.start_x, course.start_y, course.start_angle
    set_way(body, 0.0, 0.0, 0.0)
    place_parts(w, body, True)
    settle_parts(w, number, state.length)
    return count


@kernel
def is_on_way(w: Tables, body: Body, way: Way, far: float, other: Body, work: Floats) -> bool:
    """Tell whether a body is in another one, as that stands, or would meet it on a way."""
    if concern(w, body, other) != MEET or is_one_way(body) or is_one_way(other):
        return False
    if are_parting(w, w.parts[body.first_part].body, w.parts[other.first_part].body):
        return False
    still, spare = (other.x, other.y, 0.0, 0.0, 0.0, other.sweep), 0.25 * SPARE * skin_of(body, other)
    for p in range(body.first_part, body.first_part + body.part_count):
        for q in range(other.first_part, other.first_part + other.part_count):
            if are_apart(body, w.parts[p], other, w.parts[q], far):
                continue
            i, j, thin = w.parts[p].record, w.parts[q].record, w.parts[p].thin != 0 or w.parts[q].thin != 0
            if separate(w.buffer, i, w.buffer, j)[0] < -4.0 * spare:
                return True  # it might leave on the other side
            # What touches may part. But parts without width are never deep: they meet before they touch.
            target, floor = (spare, SPARE * spare) if thin else (0.0, -math.inf)
            if time_to_gap(w.buffer, i, way, w.buffer, j, still, 1.0, target, spare, floor, 0.25 * spare, work) < 1.0:
                return True
    return False


@inner
def group_of(solving: Notes, number: int) -> int:
    """Return the body that stands for those that go back together with a body."""
    while solving[number].group != number:
        number = solving[number].group
    return number


@inner
def join(bodies: Bodies, solving: Notes, a: int, b: int) -> None:
    """Note that two bodies go back for each other. What cannot be moved is the root of all that go back for it."""
    for number in (a, b):
        if not moves(bodies[number]):
            solving[number].group = number
    first, second = group_of(solving, a), group_of(solving, b)
    if moves(bodies[first]):
        solving[first].group = second
    else:
        solving[second].group = first


@kernel
def share_momentum(w: Tables, piles: Piles, count: int) -> None:
    """Have the bodies that went back for each other go on as one, by their momenta; at rest beside what is not moved.

    They turn together about their centre of mass, but not so fast that they would have more energy than before; a group
    that goes back up loses what its fall has given it. The marks are cleared: what is listed is done with.
    """
    bodies, solving, listed = w.bodies, piles.solving, piles.solved
    for k in range(count):
        root = solving[listed[k]]
        root.mass, root.moment_x, root.moment_y, root.inertia = 0.0, 0.0, 0.0, 0.0
        root.momentum_x, root.momentum_y, root.turning, root.energy, root.fall = 0.0, 0.0, 0.0, 0.0, 0.0
    for turn in range(3):
        for k in range(count):
            noted, body, number = solving[listed[k]], bodies[listed[k]], group_of(solving, listed[k])
            if noted.fate == BACK and moves(body):
                root, x, y = solving[number], body.x - bodies[number].x, body.y - bodies[number].y
                if turn == 0:
                    add_momentum(root, body, x, y)
                    x, y, _ = own_pull(w.state[0], body)
                    root.fall += 2.0 * (x * noted.back_x + y * noted.back_y) / body.inverse_mass
                elif turn == 1:
                    add_turning(root, noted, body, x, y)
                else:
                    note_pull(w, listed[k], body.vx, body.vy, -1.0)
                    if moves(bodies[number]):
                        go_as_one(root, body, w.courses[listed[k]], x, y)
                    else:
                        push(body, w.courses[listed[k]], 0.0, 0.0, 0.0)
                    note_pull(w, listed[k], body.vx, body.vy, 1.0)
    for k in range(count):
        solving[listed[k]].fate = 0


@inner
def add_momentum(root: Note, body: Body, x: float, y: float) -> None:
    """Add the mass of a body that stands at (x, y), its moment and its momentum to those that go back together."""
    mass = 1.0 / body.inverse_mass
    root.mass += mass
    root.moment_x += mass * x
    root.moment_y += mass * y
    root.momentum_x += mass * body.vx
    root.momentum_y += mass * body.vy


@inner
def add_turning(root: Note, noted: Note, body: Body, x: float, y: float) -> None:
    """Add the angular momentum of a body where it was when the step ended, its inertia and twice its energy."""
    mass, x, y = 1.0 / body.inverse_mass, x - root.moment_x / root.mass, y - root.moment_y / root.mass
    vx, vy = body.vx - root.momentum_x / root.mass, body.vy - root.momentum_y / root.mass
    inertia = 1.0 / body.inverse_inertia if body.inverse_inertia > 0.0 else 0.0
    root.turning += mass * ((x + noted.back_x) * vy - (y + noted.back_y) * vx) + inertia * body.spin
    root.energy += mass * (vx * vx + vy * vy) + inertia * body.spin * body.spin
    # What has a size and does not turn keeps the others from turning, too.
    root.inertia += mass * (x * x + y * y) + (inertia if inertia > 0.0 or body.sweep == 0.0 else math.inf)


@inner
def go_as_one(root: Note, body: Body, course: Course, x: float, y: float) -> None:
    """Give a body at (x, y) the velocity of all that went back with it, which turn about their centre of mass."""
    inertia, spin = root.inertia, 0.0
    if inertia > 0.0:
        most = math.sqrt(root.energy / inertia)
        spin = min(max(root.turning / inertia, -most), most)
    square = root.momentum_x * root.momentum_x + root.momentum_y * root.momentum_y
    energy = square / root.mass + (inertia * spin * spin if inertia < math.inf else 0.0)
    share = math.sqrt(max(1.0 - root.fall / energy, 0.0)) if root.fall > 0.0 and energy > 0.0 else 1.0
    spin *= share
    vx = share * root.momentum_x / root.mass - spin * (y - root.moment_y / root.mass)
    vy = share * root.momentum_y / root.mass + spin * (x - root.moment_x / root.mass)
    push(body, course, vx, vy, spin)
