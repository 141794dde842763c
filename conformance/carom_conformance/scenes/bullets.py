"""Bodies so fast that they could pass a wall within a step; and flight without any wall."""

from __future__ import annotations

from carom_conformance.engine import Body, Engine
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import (
    DOWN,
    DT,
    EXACT_MOTION,
    FIRST_ORDER,
    NOTHING,
    G,
    ball,
    crate,
    line,
    room,
    run,
    wall,
)

LANES = 40
HEAVY = 1e9
SPEEDS = {f"{speed:g} units a second": (speed,) for speed in (100.0, 1e3, 1e4, 1e5)}


def through(engine: Engine, kind: str, speed: float, disc: bool = True, thin: bool = False) -> Answer:
    """Return how many of 40 bullets, each from another phase of a step, end beyond a wall 0.1 thick."""
    world, bullets = engine.world(NOTHING, friction=0.0), []
    for lane in range(LANES):
        start, y = -1 - speed * DT * (lane + 0.5) / LANES, 2.0 * lane
        if thin:
            world.add(line((0, y - 0.9), (0, y + 0.9)))
        else:
            world.add(wall(0, y, 0.1, 1.8, kind=kind, mass=HEAVY))
        settings = {"velocity": (speed, 0.0), "bullet": True}
        bullets.append(
            world.add(ball(start, y, 0.05, **settings) if disc else crate(start, y, 0.1, 0.05, spin=30, **settings))
        )
    for _ in range(12):
        world.step(DT)
    return Answer(sum(world.state(bullet).x > 0.1 for bullet in bullets), 0)


@scenes("motion", "liabru/matter-js#5", SPEEDS)
def bullets_at_a_wall(engine: Engine, speed: float) -> Answer:
    """How many of 40 discs of radius 0.05 pass a static wall 0.1 thick at {}."""
    return through(engine, "static", speed)


@scenes("motion", "godotengine/godot#6664", SPEEDS)
def bullets_at_a_paddle(engine: Engine, speed: float) -> Answer:
    """How many of 40 discs of radius 0.05 pass a kinematic wall 0.1 thick at {}."""
    return through(engine, "kinematic", speed)


@scenes("motion", "schteppe/p2.js#264", {"1000 units a second": (1e3,), "100000 units a second": (1e5,)})
def bullets_at_a_heavy_plate(engine: Engine, speed: float) -> Answer:
    """How many of 40 discs of radius 0.05 pass a dynamic plate 0.1 thick of a great mass at {}."""
    return through(engine, "dynamic", speed)


@scenes("motion", "erincatto/box2d#71", {"1000 units a second": (1e3,), "100000 units a second": (1e5,)})
def bullets_at_a_line(engine: Engine, speed: float) -> Answer:
    """How many of 40 discs of radius 0.05 pass a static segment at {}."""
    return through(engine, "static", speed, thin=True)


@scene("motion", "liabru/matter-js#5")
def spinning_chips_at_a_wall(engine: Engine) -> Answer:
    """How many of 40 boxes of 0.1 by 0.05 that spin at 30 rad/s pass a static wall 0.1 thick at 1000 units a second."""
    return through(engine, "static", 1e3, disc=False)


@scene("motion", CLOSED)
def bullets_head_on(engine: Engine) -> Answer:
    """How many of 40 pairs of discs of radius 0.5 that fly head on at 200 units a second pass through each other."""
    world, pairs = engine.world(NOTHING, friction=0.0, restitution=1.0), []
    for lane in range(LANES):
        start, y = 4 + 400 * DT * lane / LANES, 3.0 * lane
        left = world.add(ball(-start, y, velocity=(200, 0), bullet=True))
        pairs.append((left, world.add(ball(start, y, velocity=(-200, 0), bullet=True))))
    for _ in range(12):
        world.step(DT)
    return Answer(sum(world.state(left).x > world.state(right).x for left, right in pairs), 0)


@scene("motion", "liabru/matter-js#840")
def a_ball_in_a_thin_room(engine: Engine) -> Answer:
    """A disc at 500 units a second stays for two seconds in a room of 10 with walls 0.1 thick, restitution 1."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    room(world, 5, 0.1)
    disc = world.add(ball(0.3, 0.2, 0.25, velocity=(400, 300), bullet=True))
    run(world, 2)
    found = world.state(disc)
    return Answer(max(abs(found.x), abs(found.y)) < 5, True)


@scene("motion", "erincatto/box2d#286")
def a_falling_bar_and_a_line(engine: Engine) -> Answer:
    """A thin bar that falls at 60 units a second on a floor that is a segment does not come through."""
    world = engine.world(DOWN)
    world.add(line((-20, 0), (20, 0)))
    bar = world.add(crate(0, 4, 2, 0.02, angle=0.3, velocity=(0, -60), spin=5, bullet=True))
    run(world, 2)
    return Answer(world.state(bar).y > -0.05, True)


@scene("motion", CLOSED)
def height_of_a_fall(engine: Engine) -> Answer:
    """A body that falls for a second under gravity 10 is 5 lower."""
    world = engine.world(DOWN)
    falling = world.add(ball(0, 0))
    run(world, 1)
    return Answer(world.state(falling).y, -5.0, G * DT / 2 + 1e-6, FIRST_ORDER)


@scene("motion", CLOSED)
def speed_of_a_fall(engine: Engine) -> Answer:
    """A body that falls for a second under gravity 10 has a speed of 10."""
    world = engine.world(DOWN)
    falling = world.add(ball(0, 0))
    run(world, 1)
    return Answer(world.state(falling).vy, -10.0, 1e-4, EXACT_MOTION)


@scene("motion", CLOSED)
def a_throw(engine: Engine) -> Answer:
    """A throw at (6, 8) is back at its height after 1.6 s, 9.6 farther on."""
    world = engine.world(DOWN)
    thrown = world.add(ball(0, 0, velocity=(6, 8)))
    run(world, 1.6)
    found = world.state(thrown)
    return Answer((found.x, found.y), (9.6, 0.0), G * 1.6 * DT / 2 + 1e-3, FIRST_ORDER)


@scene("motion", CLOSED)
def straight_flight(engine: Engine) -> Answer:
    """Without gravity a body keeps its velocity and spin for ten seconds."""
    world = engine.world(NOTHING)
    free = world.add(crate(0, 0, velocity=(3, -2), spin=1.5))
    run(world, 10)
    found = world.state(free)
    return Answer((found.x, found.y, found.angle), (30.0, -20.0, 15.0), 1e-3, EXACT_MOTION)


@scene("motion", CLOSED)
def a_fast_spin(engine: Engine) -> Answer:
    """A free bar at 100 rad/s, more than half a turn in two steps, has turned by 100 after a second."""
    world = engine.world(NOTHING)
    bar = world.add(crate(0, 0, 3, 0.1, spin=100))
    run(world, 1)
    return Answer(world.state(bar).spin, 100.0, 1e-3, EXACT_MOTION)


@scene("motion", CLOSED)
def a_thrown_bar_keeps_its_centre_on_a_parabola(engine: Engine) -> Answer:
    """The spin of a thrown bar does not turn its path aside."""
    world = engine.world(DOWN)
    bar = world.add(Body((crate(0, 0, 2, 0.2).shapes[0],), (0, 0), velocity=(2, 5), spin=7))
    run(world, 1)
    found = world.state(bar)
    return Answer((found.x, found.y), (2.0, 0.0), G * DT / 2 + 1e-3, FIRST_ORDER)


@scene("motion", CLOSED)
def kinematic_pose(engine: Engine) -> Answer:
    """A kinematic body that moves at (1, 2) and turns at 3 rad/s is at (1, 2) after a second, turned by 3."""
    world = engine.world(DOWN)
    moving = world.add(wall(0, 0, 1, 1, kind="kinematic", velocity=(1, 2), spin=3))
    run(world, 1)
    found = world.state(moving)
    return Answer((found.x, found.y, found.angle), (1.0, 2.0, 3.0), 1e-3, EXACT_MOTION)
