"""Resting: stacks, pyramids, great ratios of masses, balance, sleep and waking."""

from __future__ import annotations

import math

from carom_conformance.engine import Body, Engine, Joint, World
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, SLOP, ball, crate, floor, run, speed, wall
from carom_conformance.shapes import box


def stack(engine: Engine, count: int, heavy: float = 1.0, sleep: bool = True) -> tuple[World, list[object]]:
    """Return a world with a stack of boxes, the top one of another mass."""
    world = engine.world(DOWN, sleep=sleep)
    world.add(floor())
    return world, [world.add(crate(0, 0.5 + k, mass=heavy if k == count - 1 else 1.0)) for k in range(count)]


def sunk(world: World, boxes: list[object]) -> float:
    """Return how far the boxes of a stack are from their places, at most."""
    return max(math.dist(world.state(one)[:2], (0.0, 0.5 + k)) for k, one in enumerate(boxes))


STACKS = {"5 boxes": (5, 1.0), "10 boxes": (10, 1.0), "20 boxes": (20, 1.0)}


@scenes("motion", "meh2481/gl_test#79", STACKS)
def a_stack_stands(engine: Engine, count: int, heavy: float) -> Answer:
    """How far a box of a stack is from its place after ten seconds: {}."""
    world, boxes = stack(engine, count, heavy)
    run(world, 10)
    return Answer(sunk(world, boxes), 0.0, 0.005 * count, "five millimetres a contact, the slop that engines leave")


HEAVY = {"100": (1e2,), "10000": (1e4,), "1000000": (1e6,)}


@scenes("motion", "jrouwe/JoltPhysics#1390", HEAVY)
def a_heavy_box_on_four_light_ones(engine: Engine, heavy: float) -> Answer:
    """How far a box of a stack is from its place after five seconds under one of mass {}."""
    world, boxes = stack(engine, 5, heavy)
    run(world, 5)
    return Answer(sunk(world, boxes), 0.0, 0.05, "a hundredth of a box for each of five contacts")


@scene("motion", "dartsim/dart#3442")
def a_hundred_on_one(engine: Engine) -> Answer:
    """A box of mass 100 rests on one of mass 1: its height after five seconds."""
    world, boxes = stack(engine, 2, 100.0)
    run(world, 5)
    return Answer(world.state(boxes[1]).y, 1.5, 0.02, "a hundredth of a box for each contact")


@scene("motion", "godot-jolt/godot-jolt#1041")
def a_heavy_ball_lands_on_a_crate(engine: Engine) -> Answer:
    """A ball of mass 1000 falls from 2 on a crate of mass 1: the crate is not pressed into the floor, in any step."""
    world = engine.world(DOWN)
    world.add(floor())
    box_, low = world.add(crate(0, 0.5)), 0.5
    world.add(ball(0, 3.5, mass=1000.0))
    for _ in range(180):
        world.step(DT)
        low = min(low, world.state(box_).y)
    return Answer(low, 0.5, 0.05, "a twentieth of the crate")


@scene("motion", CLOSED)
def a_pyramid_stands(engine: Engine) -> Answer:
    """The largest displacement of any of 55 boxes of a pyramid in five seconds."""
    world, kept = engine.world(DOWN), []
    world.add(floor())
    for row in range(10):
        for k in range(10 - row):
            at = ((k - (9 - row) / 2) * 1.05, 0.5 + row)
            kept.append((world.add(crate(*at)), at))
    run(world, 5)
    return Answer(max(math.dist(world.state(one)[:2], at) for one, at in kept), 0.0, 0.05, SLOP)


@scene("motion", CLOSED)
def a_wall_of_bricks_stands(engine: Engine) -> Answer:
    """The largest displacement of any of 40 bricks of a wall in five seconds."""
    world, kept = engine.world(DOWN), []
    world.add(floor())
    for row in range(8):
        for k in range(5):
            at = (2.0 * k + row % 2 - 4.5, 0.25 + row * 0.5)
            kept.append((world.add(crate(*at, 2.0, 0.5)), at))
    run(world, 5)
    return Answer(max(math.dist(world.state(one)[:2], at) for one, at in kept), 0.0, 0.05, SLOP)


def overhang(engine: Engine, out: float) -> float:
    """Return the angle of a plank after three seconds whose centre is this far beyond the edge of a table."""
    world = engine.world(DOWN)
    world.add(wall(-5, -1, 10, 2))
    plank = world.add(crate(out, 0.1, 4, 0.2))
    run(world, 3)
    return abs(world.state(plank).angle)


@scene("motion", CLOSED)
def a_plank_lies_on_an_edge(engine: Engine) -> Answer:
    """A plank of 4 whose centre is 0.05 within the edge of a table stays: its angle after three seconds."""
    return Answer(overhang(engine, -0.05), 0.0, 0.02, SLOP)


@scene("motion", CLOSED)
def a_plank_tips_over_an_edge(engine: Engine) -> Answer:
    """A plank of 4 whose centre is 0.05 beyond the edge of a table tips over within three seconds."""
    return Answer(overhang(engine, 0.05) > 0.5, True)


@scene("motion", CLOSED)
def a_harmonic_tower_stands(engine: Engine) -> Answer:
    """Six planks overhang by 0.9 of the harmonic series: the largest displacement of one in five seconds."""
    world, kept = engine.world(DOWN), []
    world.add(wall(-10, -1, 20, 2))
    x = -1.0
    for k in range(6):
        x += 0.9 / (6 - k) * 1.0
        at = (x, 0.1 + 0.2 * k)
        kept.append((world.add(crate(*at, 2.0, 0.2)), at))
    run(world, 5)
    return Answer(max(math.dist(world.state(one)[:2], at) for one, at in kept), 0.0, 0.05, SLOP)


@scene("motion", CLOSED)
def dominoes_fall(engine: Engine) -> Answer:
    """The last of 15 dominoes, pushed by a ball at the first, lies down within ten seconds."""
    world = engine.world(DOWN)
    world.add(floor())
    row = [world.add(crate(0.6 * k, 1, 0.2, 2)) for k in range(15)]
    world.add(ball(-1, 1.8, 0.2, mass=2.0, velocity=(4, 0)))
    run(world, 10)
    return Answer(abs(world.state(row[-1]).angle) > 1.0, True)


@scene("motion", CLOSED)
def a_domino_stands_a_small_push(engine: Engine) -> Answer:
    """A domino of 0.4 by 2 that is turned by 5 degrees falls back and stands; it would fall beyond 11.3."""
    world = engine.world(DOWN)
    world.add(floor())
    angle = math.radians(5)
    centre = (1.0 * math.cos(angle) + 0.2 * math.sin(angle), 0.2 * math.cos(angle) - 1.0 * math.sin(angle))
    domino = world.add(crate(-centre[1], centre[0], 0.4, 2, angle=angle))
    run(world, 5)
    return Answer(world.state(domino).angle, 0.0, 0.02, SLOP)


@scene("motion", CLOSED)
def a_balanced_seesaw(engine: Engine) -> Answer:
    """A plank on a narrow post with a mass of 2 at -1 and of 1 at 2 stays level for three seconds."""
    world = engine.world(DOWN)
    world.add(wall(0, -1, 0.6, 2))
    plank = world.add(crate(0, 0.1, 6, 0.2, mass=4.0))
    world.add(crate(-1, 0.45, 0.5, 0.5, mass=2.0))
    world.add(crate(2, 0.45, 0.5, 0.5, mass=1.0))
    run(world, 3)
    return Answer(world.state(plank).angle, 0.0, 0.02, SLOP)


@scene("motion", CLOSED)
def a_ball_lies_in_a_notch(engine: Engine) -> Answer:
    """A disc of radius 0.5 in a right-angled notch lies sqrt 0.5 above its bottom."""
    world = engine.world(DOWN)
    world.add(wall(-math.sqrt(2), math.sqrt(2), 4, 4, angle=math.pi / 4)._replace(at=(-2 * math.sqrt(2), 0)))
    world.add(wall(2 * math.sqrt(2), 0, 4, 4, angle=math.pi / 4))
    disc = world.add(ball(0, 1.5))
    run(world, 4)
    found = world.state(disc)
    return Answer((found.x, found.y), (0.0, math.sqrt(0.5)), 0.02, SLOP)


@scene("motion", CLOSED)
def a_stack_stands_far_away(engine: Engine) -> Answer:
    """A stack of five boxes stands 10,000 units from the origin: how far its top moves in five seconds."""
    world = engine.world(DOWN)
    world.add(wall(1e4, -1, 20, 2))
    boxes = [world.add(crate(1e4, 0.5 + k)) for k in range(5)]
    run(world, 5)
    return Answer(math.dist(world.state(boxes[-1])[:2], (1e4, 4.5)), 0.0, 0.03, SLOP)


@scene("motion", CLOSED)
def a_small_world_stands(engine: Engine) -> Answer:
    """A stack of five boxes of one centimetre, in metres: how far its top moves in five seconds, in centimetres."""
    world = engine.world(DOWN)
    world.add(wall(0, -0.01, 0.2, 0.02))
    boxes = [world.add(crate(0, 0.005 + 0.01 * k, 0.01, 0.01)) for k in range(5)]
    run(world, 5)
    return Answer(
        100 * math.dist(world.state(boxes[-1])[:2], (0.0, 0.045)), 0.0, 0.05, "a hundredth of a box a contact"
    )


@scene("motion", CLOSED)
def overlapping_boxes_part(engine: Engine) -> Answer:
    """Two boxes that are put into each other by 0.3 are apart after three seconds."""
    world = engine.world(NOTHING)
    a, b = world.add(crate(0, 0)), world.add(crate(0.7, 0.1))
    run(world, 3)
    return Answer(min(1.0, world.state(b).x - world.state(a).x), 1.0, 0.03, SLOP)


@scene("motion", "reworks-org/EnttPong#4")
def overlapping_boxes_part_without_a_throw(engine: Engine) -> Answer:
    """Two boxes that are put into each other by 0.3 come out of it, and fly apart at no speed."""
    world = engine.world(NOTHING)
    a, b = world.add(crate(0, 0)), world.add(crate(0.7, 0.1))
    run(world, 3)
    return Answer(speed(world, a) + speed(world, b), 0.0, 0.1, "a tenth of a unit a second is not seen")


@scene("motion", CLOSED)
def a_box_falls_asleep(engine: Engine) -> Answer:
    """A box that falls on a floor sleeps within five seconds."""
    world = engine.world(DOWN)
    world.add(floor())
    handle = world.add(crate(0, 1, angle=0.2))
    run(world, 5)
    return Answer(world.asleep(handle), True)


@scene("motion", "dimforge/nphysics#154")
def a_pile_wakes_as_its_lowest_goes(engine: Engine) -> Answer:
    """A stack of three sleeps; the lowest is removed; the others have fallen by 1 two seconds later."""
    world, boxes = stack(engine, 3)
    run(world, 5)
    world.remove(boxes[0])
    run(world, 2)
    return Answer((world.state(boxes[1]).y, world.state(boxes[2]).y), (0.5, 1.5), 0.03, SLOP)


@scene("motion", CLOSED)
def a_sleeper_wakes_as_it_is_hit(engine: Engine) -> Answer:
    """A box sleeps on a smooth floor; a ball of the same mass at 4 hits it, restitution 1: the box goes on at 4."""
    world = engine.world(DOWN, friction=0.0, restitution=1.0)
    world.add(floor())
    handle = world.add(crate(0, 0.5))
    run(world, 4)
    world.add(ball(-3, 0.5, velocity=(4, 0)))
    run(world, 1)
    return Answer(world.state(handle).vx, 4.0, 0.1, "two percent")


@scene("motion", CLOSED)
def a_sleeper_wakes_as_it_is_pushed(engine: Engine) -> Answer:
    """A box sleeps; its velocity is set to (0, 5): it is in the air a quarter of a second later."""
    world = engine.world(DOWN)
    world.add(floor())
    handle = world.add(crate(0, 0.5))
    run(world, 4)
    world.push(handle, (0.0, 5.0), 0.0)
    run(world, 0.25)
    return Answer(world.state(handle).y, 0.5 + 5 * 0.25 - 5 * 0.25**2, 0.05, "an integrator of first order")


@scene("motion", CLOSED)
def a_sleeper_wakes_as_its_floor_goes_down(engine: Engine) -> Answer:
    """A box sleeps on a lift at rest that then goes down at 1: the box is on it a second later."""
    world = engine.world(DOWN)
    lift = world.add(wall(0, -0.5, 4, 1, kind="kinematic"))
    handle = world.add(crate(0, 0.5))
    run(world, 4)
    world.push(lift, (0.0, -1.0), 0.0)
    run(world, 1)
    return Answer(world.state(handle).y - world.state(lift).y, 1.0, 0.03, SLOP)


@scene("motion", CLOSED)
def a_throw_does_not_sleep_at_its_top(engine: Engine) -> Answer:
    """A ball that is thrown straight up under gravity 0.02, and so is slow for long, comes down again after 20 s."""
    world = engine.world((0.0, -0.02))
    handle = world.add(ball(0, 0, velocity=(0, 0.2)))
    run(world, 20)
    return Answer(world.state(handle).vy, -0.2, 0.01, "five percent")


@scene("motion", CLOSED)
def a_slow_glide_goes_on(engine: Engine) -> Answer:
    """A box glides at 0.05 on a smooth floor: the distance after 20 s, unless it fell asleep."""
    world = engine.world(DOWN, friction=0.0)
    world.add(floor())
    handle = world.add(crate(0, 0.5, velocity=(0.05, 0)))
    run(world, 20)
    return Answer(world.state(handle).x, 1.0, 0.05, "five percent")


@scene("motion", CLOSED)
def a_nearly_level_slope(engine: Engine) -> Answer:
    """A box at rest on a smooth slope of 1 in 1000 sets off: its speed after 20 s, unless it fell asleep."""
    world = engine.world((-0.01, -10.0), friction=0.0)
    world.add(floor())
    handle = world.add(crate(0, 0.5))
    run(world, 20)
    return Answer(world.state(handle).vx, -0.2, 0.01, "five percent")


@scene("motion", CLOSED)
def a_tiny_pendulum_swings_on(engine: Engine) -> Answer:
    """A pendulum of 1 that swings by 4 mm to each side still does so after 20 s, unless it fell asleep."""
    world = engine.world(DOWN)
    bob = world.add(ball(0.004, -1, 0.1))
    world.join(Joint("rod", bob, at=(0.004, -1), to=(0, 0)))
    run(world, 20)
    most = 0.0
    for _ in range(120):
        world.step(DT)
        most = max(most, abs(world.state(bob).x))
    return Answer(most, 0.004, 0.0004, "a tenth")


@scene("motion", CLOSED)
def the_same_twice(engine: Engine) -> Answer:
    """A pile of 20 that is played twice in one process comes to the same places, to the last bit."""
    ends = []
    for _ in range(2):
        world = engine.world(DOWN)
        world.add(floor())
        pile = [world.add(crate(0.3 * (k % 3), 1 + 1.1 * k, angle=0.1 * k)) for k in range(20)]
        run(world, 5)
        ends.append([world.state(one) for one in pile])
    return Answer(
        max(abs(a - b) for one, other in zip(*ends, strict=True) for a, b in zip(one, other, strict=True)), 0.0
    )


@scene("motion", CLOSED)
def a_concave_body_stands(engine: Engine) -> Answer:
    """A body of three boxes in the form of a table stands, and a ball lies under it: how far the table moves."""
    world = engine.world(DOWN)
    world.add(floor())
    table = Body((box(0, 0.5, 3, 0.4), box(-1.3, -0.5, 0.4, 1.6), box(1.3, -0.5, 0.4, 1.6)), (0, 1.3), inertia=1.0)
    handle = world.add(table)
    world.add(ball(0, 0.4, 0.4))
    run(world, 3)
    return Answer(math.dist(world.state(handle)[:2], (0.0, 1.3)), 0.0, 0.03, SLOP)
