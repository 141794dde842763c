"""Sensors, groups, and bodies that come and go."""

from __future__ import annotations

from carom_conformance.engine import Engine
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, PERCENT, ball, crate, floor, run, wall


@scenes("motion", CLOSED, {"1 unit a second": (1.0,), "10 units a second": (10.0,), "60 units a second": (60.0,)})
def through_a_sensor(engine: Engine, speed: float) -> Answer:
    """A ball flies through a sensor 2 wide: entries and exits, at {}."""
    world = engine.world(NOTHING)
    world.add(wall(4, 0, 2, 2, sensor=True))
    world.add(ball(0, 0, velocity=(speed, 0), bullet=True))
    run(world, 10 / speed)
    return Answer(world.visits(), (1, 1))


@scenes("motion", "erincatto/box2d#86", {"500 units a second": (500.0,), "5000 units a second": (5000.0,)})
def through_a_sensor_within_a_step(engine: Engine, speed: float) -> Answer:
    """A small ball flies through a sensor 1 wide within a step: entries and exits, at {}."""
    world = engine.world(NOTHING)
    world.add(wall(4, 0, 1, 2, sensor=True))
    world.add(ball(0, 0, 0.1, velocity=(speed, 0), bullet=True))
    run(world, 4 * DT)
    return Answer(world.visits(), (1, 1))


@scene("motion", "erincatto/box2d#867")
def each_entry_has_its_exit(engine: Engine) -> Answer:
    """Twenty balls at 20 units a second fly through a thin sensor, each in another phase: entries and exits."""
    world = engine.world(NOTHING)
    for k in range(20):
        world.add(wall(4, 3.0 * k, 0.2, 2, sensor=True))
        world.add(ball(-k / 60, 3.0 * k, 0.1, velocity=(20, 0), bullet=True))
    run(world, 1)
    return Answer(world.visits(), (20, 20))


@scene("motion", CLOSED)
def a_sensor_stops_nothing(engine: Engine) -> Answer:
    """A ball keeps its velocity in a sensor."""
    world = engine.world(NOTHING)
    world.add(wall(4, 0, 2, 2, sensor=True))
    disc = world.add(ball(0, 0, velocity=(5, 0)))
    run(world, 2)
    return Answer(world.state(disc).x, 10.0, 1e-3, "rounding of 32-bit floats")


@scene("motion", "liabru/matter-js#598")
def a_sensor_notices_a_body_that_comes_to_rest_in_it(engine: Engine) -> Answer:
    """A crate falls into a sensor and rests there: one entry, no exit."""
    world = engine.world(DOWN)
    world.add(floor())
    world.add(wall(0, 0.5, 4, 1, sensor=True))
    world.add(crate(0, 4))
    run(world, 4)
    return Answer(world.visits(), (1, 0))


@scene("motion", CLOSED)
def a_body_removed_in_a_sensor_leaves_it(engine: Engine) -> Answer:
    """A ball that is removed within a sensor leaves it: entries and exits after one more step."""
    world = engine.world(NOTHING)
    world.add(wall(0, 0, 4, 4, sensor=True))
    disc = world.add(ball(0, 0))
    run(world, 3 * DT)
    world.remove(disc)
    run(world, 2 * DT)
    return Answer(world.visits(), (1, 1))


@scene("motion", CLOSED)
def a_body_set_out_of_a_sensor_leaves_it(engine: Engine) -> Answer:
    """A ball that is set elsewhere leaves a sensor, and enters it again when it is set back: entries and exits."""
    world = engine.world(NOTHING)
    world.add(wall(0, 0, 4, 4, sensor=True))
    disc = world.add(ball(0, 0))
    run(world, 3 * DT)
    world.place(disc, (20.0, 0.0), 0.0)
    run(world, 3 * DT)
    world.place(disc, (0.0, 0.0), 0.0)
    run(world, 3 * DT)
    return Answer(world.visits(), (2, 1))


@scene("motion", "erincatto/box2d#379")
def a_sensor_notices_a_kinematic_body(engine: Engine) -> Answer:
    """A kinematic body moves through a static sensor: entries and exits."""
    world = engine.world(NOTHING)
    world.add(wall(4, 0, 2, 2, sensor=True))
    world.add(wall(0, 0, 1, 1, kind="kinematic", velocity=(5, 0)))
    run(world, 2)
    return Answer(world.visits(), (1, 1))


@scene("motion", CLOSED)
def bodies_of_a_group_pass(engine: Engine) -> Answer:
    """Two balls of one group fly through each other; a third one of none is hit."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    one = world.add(ball(-3, 0, velocity=(4, 0), group=1))
    world.add(ball(0, 0, group=1))
    last = world.add(ball(3, 0))
    run(world, 2)
    return Answer((world.state(one).vx, world.state(last).vx), (0.0, 4.0), 0.04, PERCENT)


@scene("motion", CLOSED)
def bodies_come_and_go(engine: Engine) -> Answer:
    """Each of 100 steps adds a crate and removes the oldest of ten: the rest lie on the floor, none below it."""
    world, alive = engine.world(DOWN), []
    world.add(floor())
    for k in range(200):
        alive.append(world.add(crate(1.2 * (k % 7), 1 + k % 3)))
        if len(alive) > 10:
            world.remove(alive.pop(0))
        world.step(DT)
    return Answer(min(world.state(one).y for one in alive) > 0.4, True)


@scene("motion", CLOSED)
def a_body_set_elsewhere_is_swept_past_nothing(engine: Engine) -> Answer:
    """A ball that is set beyond a wall is there, and a ball set back does not hit the wall between."""
    world = engine.world(NOTHING)
    world.add(wall(0, 0, 1, 20))
    disc = world.add(ball(-3, 0))
    world.step(DT)
    world.place(disc, (3.0, 0.0), 0.5)
    run(world, 5 * DT)
    found = world.state(disc)
    return Answer((found.x, found.y, found.angle), (3.0, 0.0, 0.5), 1e-3, "an angle of a thousandth is not seen")
