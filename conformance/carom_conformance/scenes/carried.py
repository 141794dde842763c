"""Bodies that kinematic ones carry: drums, lifts, platforms, belts, presses."""

from __future__ import annotations

import math

from carom_conformance.engine import Body, Engine, World
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, SLOP, ball, crate, run, wall
from carom_conformance.shapes import box

FRAME = (box(0, 3, 6.2, 0.2), box(0, -3, 6.2, 0.2), box(3, 0, 0.2, 6.2), box(-3, 0, 0.2, 6.2))


def drum(engine: Engine, spin: float) -> tuple[World, object]:
    """Return a world with a square frame that turns about its middle."""
    world = engine.world(DOWN)
    return world, world.add(Body(FRAME, kind="kinematic", spin=spin))


@scenes("motion", CLOSED, {"1 rad/s": (1.0,), "4 rad/s": (4.0,), "10 rad/s": (10.0,)})
def a_ball_in_a_drum(engine: Engine, spin: float) -> Answer:
    """A frame turns for ten seconds with a ball in it: its angle, and 1 if the ball has left it, else 0, {}."""
    world, frame = drum(engine, spin)
    disc = world.add(ball(0, 0, 0.4))
    run(world, 10)
    found = world.state(disc)
    return Answer(
        (world.state(frame).angle, float(math.hypot(found.x, found.y) > 4)),
        (10 * spin, 0.0),
        0.01,
        "rounding of 32-bit floats",
    )


@scene("motion", CLOSED)
def a_pile_in_a_drum(engine: Engine) -> Answer:
    """How many of 20 boxes leave a frame that turns at 2 rad/s, in ten seconds."""
    world, _ = drum(engine, 2.0)
    pile = [world.add(crate(k % 5 - 2, k // 5 - 1.5, 0.6, 0.6)) for k in range(20)]
    run(world, 10)
    return Answer(sum(math.hypot(*world.state(one)[:2]) > 4.3 for one in pile), 0)


@scenes("motion", CLOSED, {"up at 1": (1.0,), "up at 10": (10.0,), "down at 2": (-2.0,)})
def a_lift_carries_a_crate(engine: Engine, speed: float) -> Answer:
    """A crate stands on a lift: its height above the lift's top after two seconds, {}."""
    world = engine.world(DOWN)
    lift = world.add(wall(0, -0.5, 4, 1, kind="kinematic", velocity=(0, speed)))
    box_ = world.add(crate(0, 0.5, velocity=(0, speed)))
    run(world, 2)
    return Answer(world.state(box_).y - world.state(lift).y - 1, 0.0, 0.02, SLOP)


@scene("motion", CLOSED)
def a_platform_carries_a_crate_aside(engine: Engine) -> Answer:
    """A crate at rest on a platform that moves at 2, friction 0.6, goes at 2 after two seconds."""
    world = engine.world(DOWN)
    world.add(wall(0, -0.5, 40, 1, kind="kinematic", velocity=(2, 0)))
    box_ = world.add(crate(0, 0.5))
    run(world, 2)
    return Answer(world.state(box_).vx, 2.0, 0.02, "one percent")


@scene("motion", CLOSED)
def a_carried_stack_does_not_wander(engine: Engine) -> Answer:
    """How far a box of a stack of ten is aside of a platform that has carried it at 0.2 for 20 s."""
    world = engine.world(DOWN)
    base = world.add(wall(0, -0.5, 40, 1, kind="kinematic", velocity=(0.2, 0)))
    pile = [world.add(crate(0, 0.5 + k, velocity=(0.2, 0))) for k in range(10)]
    run(world, 20)
    return Answer(max(abs(world.state(one).x - world.state(base).x) for one in pile), 0.0, 0.05, "a twentieth of a box")


@scene("motion", CLOSED)
def a_belt_takes_a_crate_along(engine: Engine) -> Answer:
    """A belt at 2 with friction 0.5 speeds a crate up by mu g t: 1.25 after a quarter of a second, 2 after one."""
    world = engine.world(DOWN, friction=0.5)
    world.add(wall(0, -0.5, 40, 1, belt=2.0))
    box_ = world.add(crate(0, 0.5))
    run(world, 0.25)
    early = world.state(box_).vx
    run(world, 0.75)
    return Answer((early, world.state(box_).vx), (1.25, 2.0), 0.1, "mu g times a step")


@scene("motion", CLOSED)
def a_ball_on_a_belt_rolls(engine: Engine) -> Answer:
    """A ball at rest on a belt at 3 goes at 1 in the end, and turns so that its rim goes with the belt."""
    world = engine.world(DOWN, friction=0.5)
    world.add(wall(0, -0.5, 60, 1, belt=3.0))
    disc = world.add(ball(0, 0.5))
    run(world, 3)
    found = world.state(disc)
    return Answer((found.vx, found.spin * 0.5), (1.0, 2.0), 0.04, "two percent")


@scene("motion", CLOSED)
def a_belt_and_a_stop(engine: Engine) -> Answer:
    """A crate on a belt at 2 is held by a wall: it stays there, upright, for five seconds."""
    world = engine.world(DOWN, friction=0.5)
    world.add(wall(0, -0.5, 20, 1, belt=2.0))
    world.add(wall(3, 1, 1, 2))
    box_ = world.add(crate(1, 0.5))
    run(world, 6)
    found = world.state(box_)
    return Answer((found.x, found.angle), (2.0, 0.0), 0.02, SLOP)


@scene("motion", CLOSED)
def a_paddle_strikes_a_ball(engine: Engine) -> Answer:
    """A paddle at 3 strikes a ball at rest, restitution 1: the ball leaves at 6."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    world.add(wall(-2, 0, 1, 4, kind="kinematic", velocity=(3, 0)))
    disc = world.add(ball(0, 0))
    run(world, 1)
    return Answer(world.state(disc).vx, 6.0, 0.06, "one percent")


@scene("motion", CLOSED)
def a_turning_bat_strikes_a_ball(engine: Engine) -> Answer:
    """A bat that turns at 2 rad/s about its middle strikes a ball 1.5 out, restitution 1: it leaves at twice 3."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    world.add(wall(0, 0, 4, 0.2, kind="kinematic", spin=2))
    disc = world.add(ball(1.5, 0.45, 0.2, bullet=True))
    run(world, 0.5, DT / 4)
    found = world.state(disc)
    return Answer(math.hypot(found.vx, found.vy), 6.0, 0.3, "the bat turns a little before it strikes")


@scene("motion", "godotengine/godot#6664")
def a_fast_wall_sweeps_a_ball(engine: Engine) -> Answer:
    """A kinematic wall 0.1 thick at 100 units a second takes a ball along and does not pass it."""
    world = engine.world(NOTHING, friction=0.0)
    plate = world.add(wall(-2.03, 0, 0.1, 4, kind="kinematic", velocity=(100, 0)))
    disc = world.add(ball(0, 0, 0.05, bullet=True))
    run(world, 0.5)
    return Answer(world.state(disc).x > world.state(plate).x, True)
