"""Single calls about one body, one joint or a small world, beside pymunk: what a game reads and writes in each frame.

The world is a floor, a crate on it, and two discs on a pin with a motor. Every statement is timed between steps, and
leaves a world in which the next one finds the same. Median of one call from Python, in processor time of an idle
machine. Calls cost less in a wheel, whose kernels are no functions of Numba: `make prebuilt` makes a clone like one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pymunk

import carom as cm
from benchmarks.harness import RACE_HEADINGS, Contender, Table, race_rows

DT = 1 / 60


def ours() -> dict[str, Any]:
    """Return a small world of Carom and what is in it, after some steps."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (40, 1)))
    crate = world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    one, two = (world.add(cm.Circle((x, 20), 0.5), kind="dynamic") for x in (5, 6.5))
    pin = world.pin(one, two, one.position, speed=1, max_torque=3)
    world.step(DT, steps=20)
    empty, flying = cm.World(), cm.World()
    row = [flying.add(cm.Circle((3 * k, 0), 0.5), kind="dynamic") for k in range(3)]
    for a, b in pairwise(row):
        flying.pin(a, b, (a.position + b.position) * 0.5)
    row[0].velocity, row[2].velocity = (0, 0.1), (0, -0.1)  # they turn in place
    asleep = cm.World(gravity=(0, -10))
    asleep.add(cm.Box((0, -0.5), (40, 1)))
    asleep.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    asleep.step(DT, steps=200)
    names = {"empty": empty, "flying": flying, "asleep": asleep, "place": tuple(one.position), "angle": one.angle}
    return {"world": world, "crate": crate, "body": one, "pin": pin, "dt": DT, **names}


def theirs() -> dict[str, Any]:
    """Return the same in pymunk."""
    space = pymunk.Space()
    space.gravity = (0, -10)
    space.add(pymunk.Segment(space.static_body, (-20, 0), (20, 0), 0.1))

    def disc(of: pymunk.Space, x: float, y: float) -> pymunk.Body:
        body = pymunk.Body(1, 1)
        body.position = (x, y)
        of.add(body, pymunk.Circle(body, 0.5))
        return body

    one, two = disc(space, 5, 20), disc(space, 6.5, 20)
    motor = pymunk.SimpleMotor(one, two, 1)
    space.add(pymunk.PivotJoint(one, two, tuple(one.position)), motor)
    for _ in range(20):
        space.step(DT)
    empty, flying = pymunk.Space(), pymunk.Space()
    row = [disc(flying, 3 * k, 0) for k in range(3)]
    for a, b in pairwise(row):
        flying.add(pymunk.PivotJoint(a, b, tuple((a.position + b.position) / 2)))
    row[0].velocity, row[2].velocity = (0, 0.1), (0, -0.1)
    box = next(iter(one.shapes))
    return {
        "space": space,
        "body": one,
        "shape": box,
        "motor": motor,
        "dt": DT,
        "empty": empty,
        "flying": flying,
        "place": tuple(one.position),
    }


CALLS = (
    ("where a body is", "body.position", "body.position"),
    ("its angle", "body.angle", "body.angle"),
    ("its velocity", "body.velocity", "body.velocity"),
    ("the angle of a joint", "pin.angle", None),
    ("set a velocity", "body.velocity = (1.0, 2.0)", "body.velocity = (1.0, 2.0)"),
    ("set a spin", "body.spin = 1.0", "body.angular_velocity = 1.0"),
    ("set a force", "crate.force = (0.0, 0.0)", "body.force = (0.0, 0.0)"),
    ("push", "body.apply_impulse((0.0, 0.0))", "body.apply_impulse_at_local_point((0.0, 0.0))"),
    (
        "push at a point",
        "body.apply_impulse((0.0, 0.0), at=(1.0, 2.0))",
        "body.apply_impulse_at_world_point((0.0, 0.0), (1.0, 2.0))",
    ),
    ("put a body elsewhere", "crate.position = (0.0, 0.5)", "body.position = place"),
    ("turn a body", "crate.angle = 0.0", "body.angle = 0.0"),
    ("set the speed of a motor", "pin.speed = 1.0", "motor.rate = 1.0"),
    ("a step of an empty world", "empty.step(dt)", "empty.step(dt)"),
    ("of one that sleeps", "asleep.step(dt)", None),
    ("of three discs on two pins", "flying.step(dt)", "flying.step(dt)"),
    ("all contacts", "world.contacts()", None),
    ("what a body rests on", "crate.resting_on", None),
    ("all overlaps", "world.overlaps()", None),
    (
        "a ray",
        "world.raycast((-9.0, 0.5), (20.0, 0.0))",
        "space.segment_query_first((-9.0, 0.5), (11.0, 0.5), 0, every)",
    ),
    ("two shapes touch", "intersects(a, b)", None),
    ("their contact", "collide(a, b)", None),
)


def run(rounds: int) -> Table:
    """Return the table."""
    mine = ours() | {
        "intersects": cm.intersects,
        "collide": cm.collide,
        "a": cm.Circle((0, 0), 1),
        "b": cm.Circle((1, 0), 1),
    }
    other = theirs() | {"every": pymunk.ShapeFilter()}
    rows: list[tuple[str, ...]] = [RACE_HEADINGS]
    for question, statement, beside in CALLS:
        contenders = [Contender("carom", statement, mine)]
        if beside is not None:
            contenders.append(Contender("pymunk", beside, other))
        rows += race_rows(question, contenders, rounds)
    return Table("Single calls about bodies, joints and small worlds", "Median time of one call from Python.", rows)
