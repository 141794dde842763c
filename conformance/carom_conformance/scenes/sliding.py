"""Sliding and rolling: seams between flush tiles, slopes, friction."""

from __future__ import annotations

import math

from carom_conformance.engine import Body, Engine
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, PERCENT, G, ball, crate, floor, line, run, wall
from carom_conformance.shapes import Polygon

STEP = "the distance of one step at the initial speed"


def over_tiles(engine: Engine, rider: Body, wide: float, x0: float = 0.0) -> Answer:
    """Return the velocity of a smooth body that has slid over flush tiles for two seconds, and how far it rose."""
    world = engine.world(DOWN, friction=0.0, sleep=False)
    for k in range(60):
        world.add(wall(x0 + (k - 5) * wide, -0.5, wide, 1))
    handle = world.add(rider)
    run(world, 2)
    found = world.state(handle)
    return Answer(
        (found.vx, found.vy, found.y - rider.at[1]), (rider.velocity[0], 0.0, 0.0), 0.02, "the slop of a contact"
    )


TILES = {
    "a box over tiles of 1": (crate(0, 0.5, velocity=(8, 0)), 1.0, 0.0),
    "a box over tiles of a tenth": (crate(0, 0.5, velocity=(2, 0)), 0.1, 0.0),
    "a ball over tiles of 1": (ball(0, 0.5, velocity=(8, 0)), 1.0, 0.0),
    "a small box at 20 units a second": (crate(0, 0.1, 0.2, 0.2, velocity=(20, 0)), 1.0, 0.0),
    "a box 10000 from the origin": (crate(1e4, 0.5, velocity=(8, 0)), 1.0, 1e4),
}


@scenes("motion", "schteppe/p2.js#173", TILES)
def smooth_over_flush_tiles(engine: Engine, rider: Body, wide: float, x0: float) -> Answer:
    """A smooth body slides over flush boxes as over one: velocity and height after two seconds, {}."""
    return over_tiles(engine, rider, wide, x0)


@scene("motion", "erincatto/box2d#341")
def a_box_over_flush_segments(engine: Engine) -> Answer:
    """A smooth box slides at 6 over segments that lie end to end, for two seconds."""
    world = engine.world(DOWN, friction=0.0, sleep=False)
    for k in range(-3, 20):
        world.add(line((k, 0), (k + 1, 0)))
    handle = world.add(crate(0, 0.52, velocity=(6, 0)))
    run(world, 2)
    return Answer(world.state(handle).vx, 6.0, 0.06, PERCENT)


@scene("motion", "dimforge/rapier#669")
def a_ball_along_a_wall_of_tiles(engine: Engine) -> Answer:
    """A smooth ball that gravity presses at a wall of flush boxes flies along it at 10, for two seconds."""
    world = engine.world((-G, 0.0), friction=0.0, sleep=False)
    for k in range(-3, 30):
        world.add(wall(-0.5, k, 1, 1))
    handle = world.add(ball(0.5, 0, velocity=(0, 10)))
    run(world, 2)
    return Answer(world.state(handle).vy, 10.0, 0.1, PERCENT)


@scene("motion", "dimforge/rapier#669")
def a_ball_falls_on_a_seam(engine: Engine) -> Answer:
    """A smooth ball falls straight down on the seam of two flush boxes, restitution 1: it bounces straight up."""
    world = engine.world(DOWN, friction=0.0, restitution=1.0, sleep=False)
    world.add(wall(-1, -0.5, 2, 1))
    world.add(wall(1, -0.5, 2, 1))
    handle = world.add(ball(0, 2))
    run(world, 1)
    found = world.state(handle)
    return Answer((found.x, found.vx), (0.0, 0.0), 1e-3, "rounding of 32-bit floats")


def on_slope(
    engine: Engine, degrees: float, friction: float, seconds: float, disc: bool = False
) -> tuple[float, float, float]:
    """Return how far a body has gone down a slope, its speed down it, and its spin."""
    angle = math.radians(degrees)
    world = engine.world(DOWN, friction=friction, sleep=False)
    world.add(wall(0, 0, 400, 2, angle=angle))
    at = (-1.5 * math.sin(angle), 1.5 * math.cos(angle))
    handle = world.add(ball(*at) if disc else crate(*at, angle=angle))
    run(world, seconds)
    found, down = world.state(handle), (-math.cos(angle), -math.sin(angle))
    way = (found.x - at[0]) * down[0] + (found.y - at[1]) * down[1]
    return way, found.vx * down[0] + found.vy * down[1], found.spin


SLOPES = {
    "20 degrees and friction 0": (20.0, 0.0),
    "30 degrees and friction 0.2": (30.0, 0.2),
    "45 degrees and friction 0.9": (45.0, 0.9),
}


@scenes("motion", CLOSED, SLOPES)
def speed_down_a_slope(engine: Engine, degrees: float, friction: float) -> Answer:
    """A box slides down a slope for two seconds with the acceleration g (sin a - mu cos a): {}."""
    angle = math.radians(degrees)
    right = 2 * G * (math.sin(angle) - friction * math.cos(angle))
    return Answer(on_slope(engine, degrees, friction, 2)[1], right, max(0.01 * right, 0.02), PERCENT)


HELD = {
    "15 degrees and friction 0.3": (15.0, 0.3),
    "30 degrees and friction 0.6": (30.0, 0.6),
    "40 degrees and friction 0.9": (40.0, 0.9),
}


@scenes("motion", "liabru/matter-js#752", HELD)
def a_box_holds_on_a_slope(engine: Engine, degrees: float, friction: float) -> Answer:
    """Where friction is greater than the slope's tangent a box stays for ten seconds: {}."""
    return Answer(on_slope(engine, degrees, friction, 10)[0], 0.0, 0.01, "a creep of a millimetre a second is allowed")


@scene("motion", CLOSED)
def a_disc_rolls_down_a_slope(engine: Engine) -> Answer:
    """A disc rolls without slipping down 20 degrees for two seconds, with 2/3 g sin a, and spins with its speed."""
    _, speed, spin = on_slope(engine, 20, 0.9, 2, disc=True)
    right = 2 * 2 / 3 * G * math.sin(math.radians(20))
    return Answer((speed, spin), (right, right / 0.5), 0.03 * right / 0.5, "three percent: the contact settles first")


@scene("motion", CLOSED)
def a_disc_slips_down_a_slope(engine: Engine) -> Answer:
    """A disc slips down 45 degrees with friction 0.1 for a second: its speed and its spin."""
    _, speed, spin = on_slope(engine, 45, 0.1, 1, disc=True)
    side = G * math.sqrt(0.5)
    return Answer((speed, spin), (side * 0.9, 2 * 0.1 * side / 0.5), 0.1, "two percent of the speed")


@scene("motion", CLOSED)
def up_a_slope_and_back(engine: Engine) -> Answer:
    """A disc rolls up a slope of 2 degrees at 1 and turns round: its velocity up the slope after 8 s."""
    angle = math.radians(2)
    t, n = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    world = engine.world(DOWN, friction=0.6)
    world.add(wall(-n[0], -n[1], 400, 2, angle=angle))
    handle = world.add(ball(n[0] / 2, n[1] / 2, velocity=t, spin=-2.0))
    run(world, 8)
    found = world.state(handle)
    slowing = 2 / 3 * G * math.sin(angle)
    return Answer(found.vx * t[0] + found.vy * t[1], 1 - slowing * 8, 0.05, "five percent of the speed")


@scene("motion", CLOSED)
def a_sliding_box_stops(engine: Engine) -> Answer:
    """A box that slides at 4 with friction 0.5 stops after v^2 / (2 mu g) = 1.6."""
    world = engine.world(DOWN, friction=0.5)
    world.add(floor())
    handle = world.add(crate(0, 0.5, velocity=(4, 0)))
    run(world, 3)
    return Answer(world.state(handle).x, 1.6, 4 * DT, STEP)


@scene("motion", CLOSED)
def a_sliding_disc_begins_to_roll(engine: Engine) -> Answer:
    """A disc that slides at 3 rolls in the end at 2, whatever the friction."""
    world = engine.world(DOWN, friction=0.4)
    world.add(floor())
    handle = world.add(ball(0, 0.5, velocity=(3, 0)))
    run(world, 3)
    found = world.state(handle)
    return Answer((found.vx, -found.spin * 0.5), (2.0, 2.0), 0.04, "two percent")


@scene("motion", CLOSED)
def a_rolling_disc_goes_on(engine: Engine) -> Answer:
    """A disc rolls at 2 on a flat floor for ten seconds: nothing slows it down."""
    world = engine.world(DOWN, friction=0.6)
    world.add(floor())
    handle = world.add(ball(-10, 0.5, velocity=(2, 0), spin=-4.0))
    run(world, 10)
    return Answer(world.state(handle).vx, 2.0, 0.02, PERCENT)


@scene("motion", CLOSED)
def a_back_spin_turns_a_disc_round(engine: Engine) -> Answer:
    """A disc that slides at 3 with a back spin of 30 rad/s comes back at v = (2 * 3 - 30 r) / 3 = -3."""
    world = engine.world(DOWN, friction=0.4)
    world.add(floor())
    handle = world.add(ball(0, 0.5, velocity=(3, 0), spin=30.0))
    run(world, 4)
    return Answer(world.state(handle).vx, -3.0, 0.06, "two percent")


@scene("motion", "erincatto/box2d#613")
def along_triangulated_ground(engine: Engine) -> Answer:
    """A smooth box slides at 6 over a floor of triangles whose inner edges meet the surface, for two seconds."""
    world = engine.world(DOWN, friction=0.0, sleep=False)
    for k in range(-3, 20):
        world.add(Body((Polygon(((k, -1), (k + 1, 0), (k, 0))),), kind="static"))
        world.add(Body((Polygon(((k, -1), (k + 1, -1), (k + 1, 0))),), kind="static"))
    handle = world.add(crate(0, 0.5, velocity=(6, 0)))
    run(world, 2)
    found = world.state(handle)
    return Answer((found.vx, found.angle), (6.0, 0.0), 0.06, PERCENT)


@scene("motion", CLOSED)
def a_puck_between_two_walls(engine: Engine) -> Answer:
    """A smooth puck slides through a channel of flush tiles that is as wide as the puck, without gravity."""
    world = engine.world(NOTHING, friction=0.0, sleep=False)
    for k in range(-3, 20):
        for y in (-1.0, 1.0):
            world.add(wall(k, y, 1, 1))
    handle = world.add(ball(0, 0, velocity=(5, 0)))
    run(world, 2)
    return Answer(world.state(handle).vx, 5.0, 0.05, PERCENT)
