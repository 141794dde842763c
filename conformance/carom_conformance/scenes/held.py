"""Limits, motors, slides, gears, joints that break, and jointed bodies that are set elsewhere."""

from __future__ import annotations

import math

from carom_conformance.engine import Engine, Joint
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, PERCENT, G, ball, crate, run, wall
from carom_conformance.scenes.chains import gap, pinned

CLOSE = "a hundredth"


@scenes("joints", CLOSED, {"0.5 rad": (0.5,), "1 rad": (1.0,)})
def limit_of_a_hinge(engine: Engine, most: float) -> Answer:
    """A bar on a hinge falls to its lower limit and rests there, at {}."""
    world = engine.world(DOWN)
    bar = world.add(crate(1, 0, 2, 0.2))
    world.join(Joint("pin", bar, at=(0, 0), limits=(-most, most)))
    run(world, 4)
    return Answer(world.state(bar).angle, -most, 0.01, CLOSE)


@scene("joints", CLOSED)
def limits_in_a_blow(engine: Engine) -> Answer:
    """A bar at 20 rad/s strikes the limit of its hinge at 1 rad: the greatest angle that it comes to."""
    world = engine.world(NOTHING, sleep=False)
    bar = world.add(crate(1, 0, 2, 0.2, velocity=(0, 20), spin=20.0))
    world.join(Joint("pin", bar, at=(0, 0), limits=(-1, 1)))
    most = 0.0
    for _ in range(120):
        world.step(DT)
        most = max(most, world.state(bar).angle)
    return Answer(most, 1.0, 0.05, "three degrees")


@scene("joints", CLOSED)
def limits_under_a_load(engine: Engine) -> Answer:
    """An arm of mass 1 at its limit carries a load of 1000 that is welded to its end: its angle after three seconds."""
    world = engine.world(DOWN, sleep=False)
    arm = world.add(crate(1, 0, 2, 0.2, group=1))
    load = world.add(ball(2, 0, 0.3, mass=1000.0, group=1))
    world.join(Joint("pin", arm, at=(0, 0), limits=(0.0, 1.0)))
    world.join(Joint("weld", load, arm, at=(2, 0)))
    run(world, 3)
    return Answer(world.state(arm).angle, 0.0, 0.02, CLOSE)


@scene("joints", CLOSED)
def limit_of_a_slide(engine: Engine) -> Answer:
    """A cabin on an upright slide falls to its lower limit, 2 below: it rests there."""
    world = engine.world(DOWN)
    cabin = world.add(crate(0, 0))
    world.join(Joint("slide", cabin, at=(0, 0), axis=(0, 1), limits=(-2, 1)))
    run(world, 3)
    return Answer(world.state(cabin).y, -2.0, 0.02, CLOSE)


@scene("joints", CLOSED)
def a_slide_aslant(engine: Engine) -> Answer:
    """A body on a smooth slide of slope 3/4 goes down it with g 3/5: its velocity after a second, and its angle."""
    world = engine.world(DOWN)
    body = world.add(crate(0, 0))
    world.join(Joint("slide", body, at=(0, 0), axis=(0.8, 0.6), limits=(-50, 50)))
    run(world, 1)
    found = world.state(body)
    return Answer((found.vx, found.vy, found.angle), (-4.8, -3.6, 0.0), 0.02, CLOSE)


@scene("joints", CLOSED)
def a_slide_stays_on_its_line(engine: Engine) -> Answer:
    """A body on a level slide is thrown at (3, 4) with a spin: how far it leaves the line, and how far it turns."""
    world = engine.world(DOWN)
    body = world.add(crate(0, 0, velocity=(3, 4), spin=5.0))
    world.join(Joint("slide", body, at=(0, 0), axis=(1, 0), limits=(-50, 50)))
    off = turned = 0.0
    for k in range(120):
        world.step(DT)
        found = world.state(body)
        if k >= 30:
            off, turned = max(off, abs(found.y)), max(turned, abs(found.angle))
    return Answer((off, turned), (0.0, 0.0), 0.02, CLOSE)


@scene("joints", CLOSED)
def speed_of_a_motor(engine: Engine) -> Answer:
    """A strong motor turns a wheel at 3 rad/s: its angle after five seconds."""
    world = engine.world(NOTHING)
    wheel = world.add(ball(0, 0, 1.0))
    world.join(Joint("pin", wheel, at=(0, 0), speed=3.0, strength=1e4))
    run(world, 5)
    return Answer(world.state(wheel).angle, 15.0, 0.06, "a step's turn")


@scene("joints", CLOSED)
def torque_of_a_motor(engine: Engine) -> Answer:
    """A motor of torque 0.5 speeds a wheel of moment 0.5 up by 1 rad/s each second."""
    world = engine.world(NOTHING)
    wheel = world.add(ball(0, 0, 1.0))
    world.join(Joint("pin", wheel, at=(0, 0), speed=100.0, strength=0.5))
    run(world, 2)
    return Answer(world.state(wheel).spin, 2.0, 0.04, "a step's share")


@scene("joints", CLOSED)
def a_motor_lifts_an_arm(engine: Engine) -> Answer:
    """A motor of torque 20 lifts an arm whose weight needs 10 at most, at 1 rad/s: its angle after one second."""
    world = engine.world(DOWN, sleep=False)
    arm = world.add(crate(1, 0, 2, 0.2))
    world.join(Joint("pin", arm, at=(0, 0), speed=1.0, strength=20.0))
    run(world, 1)
    return Answer(world.state(arm).angle, 1.0, 0.15, "the motor takes a tenth of a second to come to its speed")


@scene("joints", CLOSED)
def a_brake_holds_an_arm(engine: Engine) -> Answer:
    """A brake of torque 11 holds an arm level whose weight needs 10: its angle after five seconds."""
    world = engine.world(DOWN, sleep=False)
    arm = world.add(crate(1, 0, 2, 0.2))
    world.join(Joint("pin", arm, at=(0, 0), speed=0.0, strength=11.0))
    run(world, 5)
    return Answer(world.state(arm).angle, 0.0, 0.01, CLOSE)


@scene("joints", CLOSED)
def a_weak_brake_slips(engine: Engine) -> Answer:
    """A brake of torque 5 slips on an arm whose weight needs 10: its spin after 0.1 s with (10 - 5) / I."""
    world = engine.world(DOWN, sleep=False)
    body = crate(1, 0, 2, 0.2)
    arm = world.add(body)
    world.join(Joint("pin", arm, at=(0, 0), speed=0.0, strength=5.0))
    run(world, 0.1)
    right = -0.1 * 5 / (body.moment + 1)
    return Answer(world.state(arm).spin, right, 0.02, "five percent")


@scene("joints", CLOSED)
def ratio_of_a_gear(engine: Engine) -> Answer:
    """A motor turns a wheel at 2 rad/s; a gear of 3 turns another the other way: both angles after three seconds."""
    world = engine.world(NOTHING)
    small, large = world.add(ball(-2, 0, 0.5)), world.add(ball(2, 0, 1.5))
    world.join(Joint("pin", small, at=(-2, 0)))
    world.join(Joint("pin", large, at=(2, 0), speed=2.0, strength=1e4))
    world.join(Joint("gear", small, large, ratio=3.0))
    run(world, 3)
    turned = world.state(large).angle, world.state(small).angle / 3
    return Answer(turned, (6.0, -6.0), 0.1, "two steps' turn")


@scenes("joints", CLOSED, {"15": (15.0, True), "25": (25.0, False)})
def a_rope_that_breaks(engine: Engine, most: float, right: bool) -> Answer:
    """Whether a rope that carries {} breaks under a weight of 20."""
    world = engine.world(DOWN, sleep=False)
    lamp = world.add(ball(0, -2, 0.3, mass=2.0))
    joint = world.join(Joint("rope", lamp, at=(0, -2), to=(0, 0), length=2.0, breaks_at=most))
    run(world, 1)
    return Answer(world.broken(joint), right)


@scene("joints", CLOSED)
def a_broken_joint_lets_go(engine: Engine) -> Answer:
    """A lamp whose rope breaks at once falls freely for a second."""
    world = engine.world(DOWN, sleep=False)
    lamp = world.add(ball(0, -2, 0.3, mass=2.0))
    world.join(Joint("rope", lamp, at=(0, -2), to=(0, 0), length=2.0, breaks_at=5.0))
    run(world, 1)
    return Answer(world.state(lamp).vy, -10.0, 0.2, "the first step")


@scene("joints", CLOSED)
def a_joint_holds_below_its_force(engine: Engine) -> Answer:
    """A pendulum's rod that carries 3.1 m g holds a swing from 90 degrees, whose greatest force is 3 m g."""
    world = engine.world(DOWN, sleep=False)
    bob = world.add(ball(2, 0, 0.1))
    joint = world.join(Joint("rod", bob, at=(2, 0), to=(0, 0), breaks_at=3.1 * G))
    run(world, 5)
    return Answer(world.broken(joint), False)


def _hung(engine: Engine, kind: str) -> tuple[float, float]:
    """Return the gap of a joint after its hook has been set aside, and its speed."""
    world = engine.world(DOWN, sleep=False)
    hook = world.add(wall(0, 0, 0.5, 0.5, kind="kinematic"))
    disc = world.add(ball(0, -2, 0.3))
    world.join(Joint(kind, disc, hook, at=(0, -2) if kind == "rod" else (0, 0), to=(0, 0)))
    run(world, 0.2)
    world.place(hook, (0.5, 0.0), 0.0)
    run(world, 3)
    x, y = world.state(disc)[:2]
    return math.hypot(x - 0.5, y) - 2, math.hypot(*world.state(disc)[3:5])


@scenes("joints", CLOSED, {"a pin": ("pin",), "a rod": ("rod",)})
def a_hook_set_aside(engine: Engine, kind: str) -> Answer:
    """A hook is set aside by 0.5; three seconds later {} is closed again."""
    return Answer(_hung(engine, kind)[0], 0.0, 0.02, CLOSE)


@scene("joints", CLOSED)
def a_door_set_open(engine: Engine) -> Answer:
    """A door on a hinge with limits is turned about its middle by a program; its hinge is closed a second later."""
    world = engine.world(DOWN, sleep=False)
    door = world.add(crate(1, 0, 2, 0.2))
    world.join(Joint("pin", door, at=(0, 0), limits=(-1, 1)))
    world.place(door, (1.0, 0.0), 0.5)
    run(world, 1)
    found = world.state(door)
    end = (found.x - math.cos(found.angle), found.y - math.sin(found.angle))
    return Answer(math.hypot(*end), 0.0, 0.02, CLOSE)


@scene("joints", CLOSED)
def a_towed_cart(engine: Engine) -> Answer:
    """A kinematic hook at 3 tows a disc by a rod of 2: both distance and speed after two seconds."""
    world = engine.world(NOTHING)
    hook = world.add(wall(0, 0, 0.2, 0.2, kind="kinematic", velocity=(3, 0), group=1))
    disc = world.add(ball(-2, 0, 0.3, group=1))
    world.join(Joint("rod", disc, hook, at=(-2, 0), to=(0, 0)))
    run(world, 2)
    found = world.state(disc)
    return Answer((world.state(hook).x - found.x, found.vx), (2.0, 3.0), 0.03, CLOSE)


@scene("joints", CLOSED)
def a_weld_to_a_turning_body(engine: Engine) -> Answer:
    """A box is welded to a kinematic arm that turns at 1 rad/s: its angle and distance after three seconds."""
    world = engine.world(NOTHING)
    arm = world.add(wall(0, 0, 1, 1, kind="kinematic", spin=1, group=1))
    box_ = world.add(crate(2, 0, group=1))
    world.join(Joint("weld", box_, arm, at=(1, 0)))
    run(world, 3)
    found = world.state(box_)
    return Answer((found.angle, math.hypot(found.x, found.y)), (3.0, 2.0), 0.05, "three degrees")


@scene("joints", CLOSED)
def a_body_goes_and_its_joint_with_it(engine: Engine) -> Answer:
    """The upper of two pinned bodies is removed: the lower falls freely for a second."""
    world = engine.world(DOWN, sleep=False)
    upper, lower = world.add(crate(0, 0, 0.2, 1)), world.add(crate(0, -1, 0.2, 1))
    world.join(Joint("pin", upper, at=(0, 0.5)))
    world.join(Joint("pin", lower, upper, at=(0, -0.5)))
    run(world, 0.5)
    world.remove(upper)
    run(world, 1)
    return Answer(world.state(lower).vy, -10.0, 0.1, PERCENT)


@scene("joints", CLOSED)
def jointed_bodies_pass_each_other(engine: Engine) -> Answer:
    """A wheel overlaps the bar on which it is pinned; it turns freely at 5 rad/s for two seconds."""
    world = engine.world(NOTHING)
    bar, wheel = world.add(crate(0, 0, 4, 1, mass=1e6)), world.add(ball(0, 0, 0.5, spin=5.0))
    world.join(Joint("pin", wheel, bar, at=(0, 0)))
    run(world, 2)
    return Answer(world.state(wheel).spin, 5.0, 0.05, PERCENT)


@scene("joints", CLOSED)
def a_lever_sets_off(engine: Engine) -> Answer:
    """A level lever of mass 1 and length 4 with a mass of 2 at its left end sets off: its spin after 0.1 s."""
    world = engine.world(DOWN, sleep=False)
    bar = crate(0, 0, 4, 0.1, group=1)
    lever, weight = world.add(bar), world.add(ball(-2, 0, 0.1, mass=2.0, group=1))
    world.join(Joint("pin", lever, at=(0, 0)))
    world.join(Joint("weld", weight, lever, at=(-2, 0)))
    run(world, 0.1)
    right = 0.1 * 2 * G * 2 / (bar.moment + 2 * (4 + 0.005))
    return Answer(world.state(lever).spin, right, 0.03, "the lever has turned a little by then")


@scene("joints", CLOSED)
def a_closed_loop(engine: Engine) -> Answer:
    """Four bars are pinned to a square that hangs at one corner: the widest gap of any joint in five seconds."""
    world = engine.world(DOWN, sleep=False)
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0)]
    bars, pins = [], []
    for k in range(4):
        (x0, y0), (x1, y1) = corners[k], corners[(k + 1) % 4]
        wide, high = abs(x1 - x0) or 0.1, abs(y1 - y0) or 0.1
        bars.append(world.add(crate((x0 + x1) / 2, (y0 + y1) / 2, wide, high, group=1)))
    pins = [pinned(world, bars[k], bars[k - 1], corners[k]) for k in range(4)]
    pins.append(pinned(world, bars[0], None, corners[0]))
    worst = 0.0
    for _ in range(300):
        world.step(DT)
        worst = max(worst, gap(world, pins))
    return Answer(worst, 0.0, 0.02, CLOSE)
