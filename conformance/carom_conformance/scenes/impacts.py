"""Impacts: bounces, exchanges of momentum, elastic rooms, cradles."""

from __future__ import annotations

import math
from random import Random

from carom_conformance.engine import Body, Engine
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import (
    DOWN,
    DT,
    NOTHING,
    PERCENT,
    G,
    ball,
    crate,
    energy,
    floor,
    room,
    run,
    wall,
)
from carom_conformance.shapes import Circle

IMPULSE = "one percent of the speed before"
FALL = "an impact within a step is off by the speed that gravity gives in a step, twice"


def peak(engine: Engine, restitution: float, drop: float, seconds: float, bounces: int) -> float:
    """Return the greatest height that a ball which is dropped on a floor comes to after so many bounces."""
    world = engine.world(DOWN, friction=0.0, restitution=restitution, sleep=False)
    world.add(floor())
    disc, best, seen, before = world.add(ball(0, drop + 0.5)), 0.0, 0, -1.0
    for _ in range(round(seconds / DT)):
        world.step(DT)
        found = world.state(disc)
        seen += before < 0 < found.vy
        before = found.vy
        if seen == bounces:
            best = max(best, found.y - 0.5)
    return best


@scene("motion", "liabru/matter-js#13")
def first_bounce_of_restitution_1(engine: Engine) -> Answer:
    """A ball of restitution 1 that falls from 5 comes up to 5 again."""
    return Answer(peak(engine, 1.0, 5.0, 2.5, 1), 5.0, 0.35, FALL)


@scene("motion", "erincatto/box2d#167")
def tenth_bounce_of_restitution_1(engine: Engine) -> Answer:
    """A ball of restitution 1 that falls from 5 comes up to 5 after ten bounces, neither less nor more."""
    return Answer(peak(engine, 1.0, 5.0, 21.0, 10), 5.0, 0.5, "ten percent of the height after ten bounces")


@scene("motion", CLOSED)
def a_bounce_of_restitution_one_half(engine: Engine) -> Answer:
    """A ball of restitution 0.5 that falls from 5 comes up to 1.25."""
    return Answer(peak(engine, 0.5, 5.0, 2.2, 1), 1.25, 0.17, FALL)


@scene("motion", CLOSED)
def no_bounce_of_restitution_0(engine: Engine) -> Answer:
    """A ball of restitution 0 that falls from 5 stays down."""
    world = engine.world(DOWN, friction=0.0)
    world.add(floor())
    disc, best = world.add(ball(0, 5.5)), 0.0
    run(world, 1.2)
    for _ in range(60):
        world.step(DT)
        best = max(best, world.state(disc).y - 0.5)
    return Answer(best, 0.0, 0.03, "a bounce of three centimetres is not seen")


def exchange(
    engine: Engine, masses: tuple[float, float], right: tuple[float, float], restitution: float = 1.0
) -> Answer:
    """Return the velocities of two discs after the first, at 3, met the second at rest, head on."""
    world = engine.world(NOTHING, friction=0.0, restitution=restitution)
    a, b = world.add(ball(-3, 0, mass=masses[0], velocity=(3, 0))), world.add(ball(0, 0, mass=masses[1]))
    run(world, 2)
    return Answer((world.state(a).vx, world.state(b).vx), right, 0.03, IMPULSE)


MASSES = {
    "equal masses": ((1.0, 1.0), (0.0, 3.0)),
    "masses 1 and 3": ((1.0, 3.0), (-1.5, 1.5)),
    "masses 3 and 1": ((3.0, 1.0), (1.5, 4.5)),
    "masses 1 and a million": ((1.0, 1e6), (-3.0, 0.0)),
}


@scenes("motion", CLOSED, MASSES)
def elastic_impact(engine: Engine, masses: tuple[float, float], right: tuple[float, float]) -> Answer:
    """A disc at 3 hits one at rest head on, restitution 1: the velocities after it, {}."""
    return exchange(engine, masses, right)


@scene("motion", CLOSED)
def plastic_impact(engine: Engine) -> Answer:
    """A disc at 3 hits an equal one at rest head on, restitution 0: both go on at 1.5."""
    return exchange(engine, (1.0, 1.0), (1.5, 1.5), 0.0)


@scene("motion", CLOSED)
def oblique_impact(engine: Engine) -> Answer:
    """A smooth disc at (5, 0) hits an equal one at rest along (0.8, 0.6), restitution 1: both velocities."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    a, b = world.add(ball(-5, -0.6, velocity=(5, 0), bullet=True)), world.add(ball(0, 0))
    run(world, 2, DT / 4)
    found = world.state(a), world.state(b)
    got = (found[0].vx, found[0].vy, found[1].vx, found[1].vy)
    return Answer(got, (1.8, -2.4, 3.2, 2.4), 0.25, "the discs move 0.02 in a step, which turns the normal by 0.03")


@scene("motion", CLOSED)
def off_centre_impact(engine: Engine) -> Answer:
    """A disc at 4 hits the end of a bar of the same mass and length 2, restitution 1: velocities and spin."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    disc, bar = ball(-2.15, 0.9, 0.1, velocity=(4, 0), bullet=True), crate(0, 0, 0.1, 2.0)
    a, b = world.add(disc), world.add(bar)
    run(world, 1)
    lever, moment = 0.9, bar.moment
    impulse = 2 * 4 / (1 + 1 + lever**2 / moment)
    right = (4 - impulse, impulse, -lever * impulse / moment)
    return Answer((world.state(a).vx, world.state(b).vx, world.state(b).spin), right, 0.1, IMPULSE)


@scene("motion", "erincatto/box2d#501")
def slow_bounces_in_a_pong_court(engine: Engine) -> Answer:
    """A ball at 0.2 units a second bounces off an upright wall, restitution 1, without gravity."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0, sleep=False)
    world.add(wall(5, 0, 1, 20))
    disc = world.add(ball(3.8, 0, velocity=(0.2, 1)))
    run(world, 3)
    found = world.state(disc)
    return Answer((found.vx, found.vy), (-0.2, 1.0), 0.01, PERCENT)


@scene("motion", "InfiniTimeOrg/InfiniTime#1084")
def a_ball_into_a_corner(engine: Engine) -> Answer:
    """A ball that flies along a diagonal into a corner, restitution 1, comes straight back."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    world.add(wall(3, 0, 2, 20))
    world.add(wall(0, 3, 20, 2))
    disc = world.add(ball(0, 0, velocity=(4, 4)))
    run(world, 1)
    found = world.state(disc)
    return Answer((found.vx, found.vy), (-4.0, -4.0), 0.04, PERCENT)


@scene("motion", CLOSED)
def a_ball_between_two_others(engine: Engine) -> Answer:
    """A ball hits two that touch each other, in their middle: by symmetry it keeps to its line."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    world.add(ball(2, 0.5))
    world.add(ball(2, -0.5))
    disc = world.add(ball(-1, 0, velocity=(5, 0)))
    run(world, 1)
    return Answer(abs(world.state(disc).vy), 0.0, 0.05, PERCENT)


@scene("motion", "liabru/matter-js#256")
def energy_in_a_room(engine: Engine) -> Answer:
    """A disc keeps its energy of 12.5 for 20 s in a room of 10, restitution 1."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0, sleep=False)
    room(world, 5)
    disc = ball(0.3, 0.2, velocity=(4, 3))
    handle = world.add(disc)
    run(world, 20)
    return Answer(energy(world, [(handle, disc)]), 12.5, 0.125, PERCENT)


def gas(engine: Engine, count: int, boxes: bool) -> tuple[float, float]:
    """Return the energy of a gas before and after 10 s."""
    random, world = Random(1), engine.world(NOTHING, friction=0.0, restitution=1.0, sleep=False)
    side, bodies = math.ceil(math.sqrt(count)), []
    room(world, side)
    for k in range(count):
        at = (2 * (k % side) - side + 1, 2 * (k // side) - side + 1)
        velocity = (random.gauss(0, 3), random.gauss(0, 3))
        body = (
            crate(*at, 0.8, 0.8, velocity=velocity, spin=random.gauss(0, 1)) if boxes else ball(*at, velocity=velocity)
        )
        bodies.append((world.add(body), body))
    before = energy(world, bodies)
    run(world, 10)
    return before, energy(world, bodies)


@scene("motion", "liabru/matter-js#256")
def energy_of_a_gas(engine: Engine) -> Answer:
    """The energy of 36 discs in a room after 10 s over that before, restitution 1."""
    before, after = gas(engine, 36, boxes=False)
    return Answer(after / before, 1.0, 0.05, "five percent over some hundred impacts")


@scene("motion", "liabru/matter-js#13")
def energy_of_turning_boxes(engine: Engine) -> Answer:
    """The energy of 25 boxes that turn, in a room after 10 s over that before, restitution 1."""
    before, after = gas(engine, 25, boxes=True)
    return Answer(after / before, 1.0, 0.05, "five percent over some hundred impacts")


@scene("motion", CLOSED)
def momentum_of_a_cluster(engine: Engine) -> Answer:
    """Twelve discs that fly into each other in free space keep their momentum."""
    random, world, bodies = Random(2), engine.world(NOTHING, restitution=0.5, sleep=False), []
    for k in range(12):
        angle = 2 * math.pi * k / 12
        body = ball(
            6 * math.cos(angle),
            6 * math.sin(angle),
            0.5,
            mass=random.uniform(1, 5),
            velocity=(-3 * math.cos(angle), -3 * math.sin(angle)),
        )
        bodies.append((world.add(body), body))
    before = [sum(body.mass * body.velocity[i] for _, body in bodies) for i in (0, 1)]
    run(world, 5)
    after = [
        sum(body.mass * (world.state(handle).vx, world.state(handle).vy)[i] for handle, body in bodies) for i in (0, 1)
    ]
    return Answer((after[0] - before[0], after[1] - before[1]), (0.0, 0.0), 1e-3, "rounding of 32-bit floats")


CRADLES = {"one ball": (1,), "two balls": (2,), "three balls": (3,)}


@scenes("motion", "liabru/matter-js#361", CRADLES)
def a_row_of_five_is_hit(engine: Engine, count: int) -> Answer:
    """Of five equal balls in a row, restitution 1, as many leave at 2 as hit it at 2: {}."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0, sleep=False)
    struck = [world.add(ball(k, 0)) for k in range(5)]
    for k in range(count):
        world.add(ball(-2 - k, 0, velocity=(2, 0)))
    run(world, 1.5)
    right = tuple([0.0] * (5 - count) + [2.0] * count)
    return Answer(tuple(world.state(handle).vx for handle in struck), right, 0.1, "five percent of the speed")


@scene("motion", "erincatto/box3d#83")
def a_box_of_restitution_1_falls_flat(engine: Engine) -> Answer:
    """A box of restitution 1 that falls flat from 2 rises to 2 at most, and keeps level."""
    world = engine.world(DOWN, friction=0.0, restitution=1.0, sleep=False)
    world.add(wall(0, -1, 0.75, 2))
    handle, best, seen = world.add(crate(0, 2.5)), 0.0, False
    for _ in range(90):
        world.step(DT)
        found = world.state(handle)
        seen = seen or found.vy > 0
        if seen:
            best = max(best, found.y - 0.5)
    return Answer(best, 2.0, 0.22, FALL)


@scene("motion", CLOSED)
def a_compound_hits_a_wall_flat(engine: Engine) -> Answer:
    """A dumb-bell of two discs hits a wall with both at once, restitution 1: it comes back without a spin."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    world.add(wall(3, 0, 1, 20))
    bell = world.add(Body((Circle((0, -1), 0.5), Circle((0, 1), 0.5)), (0, 0), velocity=(4, 0)))
    run(world, 1)
    found = world.state(bell)
    return Answer((found.vx, found.spin), (-4.0, 0.0), 0.04, PERCENT)


@scene("motion", "jrouwe/JoltPhysics#1286")
def energy_of_bouncing_bars(engine: Engine) -> Answer:
    """Twenty smooth bars bounce on a floor, restitution 1: their energy after ten seconds over that before."""
    world = engine.world(DOWN, friction=0.0, restitution=1.0, sleep=False)
    world.add(floor())
    bars = [crate(4 * k - 40, 2 + 0.1 * k, 2, 0.3, angle=0.3 + 0.1 * k) for k in range(20)]
    bodies = [(world.add(bar), bar) for bar in bars]
    before = energy(world, bodies, G)
    run(world, 10)
    return Answer(energy(world, bodies, G) / before, 1.0, 0.05, "five percent over some hundred impacts")


@scene("motion", CLOSED)
def no_energy_gained_by_a_spinning_ball(engine: Engine) -> Answer:
    """A ball of restitution 1 that spins at 30 rad/s bounces on a rough floor: its greatest energy over that before."""
    world = engine.world(DOWN, friction=0.5, restitution=1.0, sleep=False)
    world.add(floor())
    disc = ball(0, 3, velocity=(1, 0), spin=30.0)
    handle, most = world.add(disc), 1.0
    before = energy(world, [(handle, disc)], G)
    for _ in range(600):
        world.step(DT)
        most = max(most, energy(world, [(handle, disc)], G) / before)
    return Answer(most, 1.0, 0.02, "two percent")


@scene("motion", CLOSED)
def two_balls_meet_in_the_air(engine: Engine) -> Answer:
    """A ball that falls hits one that was thrown up at 10, restitution 1: both velocities after 0.8 s."""
    world = engine.world(DOWN, friction=0.0, restitution=1.0, sleep=False)
    upper, lower = world.add(ball(0, 10)), world.add(ball(0, 5, velocity=(0, 10)))
    run(world, 0.8)
    return Answer((world.state(upper).vy, world.state(lower).vy), (2.0, -8.0), 0.1, PERCENT)
