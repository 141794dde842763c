"""Bodies that hard welds join have no contact with each other, and those of a group pass through one another."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from collections.abc import Callable, Sequence

import pytest

import carom as cm

STEP = 1 / 60


def angular_momentum(bodies: Sequence[cm.Body]) -> float:
    """Return it about the common centre of mass."""
    mass = sum(body.mass for body in bodies)
    x, y = (sum(body.mass * body.position[k] for body in bodies) / mass for k in (0, 1))
    vx, vy = (sum(body.mass * body.velocity[k] for body in bodies) / mass for k in (0, 1))
    return sum(
        body.mass * ((body.position.x - x) * (body.velocity.y - vy) - (body.position.y - y) * (body.velocity.x - vx))
        + body.inertia * body.spin
        for body in bodies
    )


def tile(size: float, x: float, y: float) -> cm.Shape:
    return cm.Box((x * size, y * size), (size, size))


def disc(size: float, x: float, y: float) -> cm.Shape:
    return cm.Circle((x * size, y * size), size / 2)


PLACES = {
    "row": [(0, 0), (1, 0), (2, 0)],
    "corner": [(0, 0), (1, 0), (1, 1)],
    "ring": [(0, 0), (1, 0), (1, 1), (0, 1)],
    "stairs": [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)],
}


def welded(
    world: cm.World,
    places: Sequence[tuple[int, int]],
    shape: Callable[..., cm.Shape] = tile,
    size: float = 1.0,
    spin: float = 0.0,
) -> tuple[list[cm.Body], list[cm.Joint]]:
    """Return bodies that lie at each other, each welded to the one before, and the welds."""
    bodies = [
        world.add(shape(size, x, y), kind="dynamic", spin=spin, velocity=(-spin * y * size, spin * x * size))
        for x, y in places
    ]
    welds = [
        world.weld(b, a, ((b.position.x + a.position.x) / 2, (b.position.y + a.position.y) / 2))
        for a, b in itertools.pairwise(bodies)
    ]
    return bodies, welds


@pytest.mark.parametrize("size", [1 / 64, 1.0, 64.0])
@pytest.mark.parametrize("shape", [tile, disc])
@pytest.mark.parametrize("places", PLACES)
def test_welded_bodies_that_touch_keep_their_spin(places: str, shape: Callable[..., cm.Shape], size: float) -> None:
    world = cm.World()
    bodies, welds = welded(world, PLACES[places], shape, size, spin=1.0)
    before = angular_momentum(bodies)
    for _ in range(60):
        world.step(STEP)
        assert max(weld.error for weld in welds) < 1e-9 * size
    assert angular_momentum(bodies) == pytest.approx(
        before, rel=1e-3
    )  # of the first step, the second order of its turn


def test_tiles_that_hang_at_one_swing_as_a_pendulum() -> None:
    world = cm.World(gravity=(0, -10))
    bodies, _ = welded(world, PLACES["corner"])
    world.pin(bodies[0], None, (0, 0))
    world.step(STEP, 30)
    assert bodies[0].angle == pytest.approx(-0.7442, abs=1e-3)  # inertia 3.5, centre at (2/3, 1/3), by its equation


def test_bodies_welded_to_the_same_body_do_not_meet() -> None:
    world = cm.World()
    hub = world.add(cm.Circle((0, 0), 1), kind="dynamic", spin=2)
    arms = [world.add(cm.Box((x, 0), (3, 0.2)), kind="dynamic", velocity=(0, 2 * x), spin=2) for x in (-1.0, 1.0)]
    for arm in arms:
        world.weld(arm, hub, arm.position)
    before = angular_momentum([hub, *arms])
    world.step(STEP, 60)
    assert angular_momentum([hub, *arms]) == pytest.approx(before, rel=1e-3)
    assert len(world.contacts().body) == 0


def test_others_are_met_as_before() -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1.5), (20, 2)))
    bodies, _ = welded(world, PLACES["ring"])
    crate = world.add(cm.Box((0.5, 3), (1, 1)), kind="dynamic")
    world.step(STEP, 120)
    assert crate.position.y == pytest.approx(2.0, abs=0.02)
    assert [round(body.position.y, 2) for body in bodies] == [0, 0, 1, 1]


GOING: dict[str, Callable[[cm.Joint], None]] = {
    "removed": lambda weld: weld.remove(),
    "bent": lambda weld: setattr(weld, "hertz", 2.0),
}


@pytest.mark.parametrize("how", GOING)
def test_bodies_meet_again_once_their_weld_has_gone(how: str) -> None:
    world = cm.World()
    a, b, c = (world.add(cm.Circle((0.5 * k, 0), 0.5), kind="dynamic") for k in range(3))
    welds = [world.weld(b, a, (0.25, 0)), world.weld(c, b, (0.75, 0))]
    world.step(STEP, 10)
    assert (a.position.x, c.position.x) == (0, 1) and len(world.contacts().body) == 0
    GOING[how](welds[1])
    world.step(STEP, 240)
    assert cm.distance(c.shape, a.shape) > -1e-3
    if how == "removed":
        assert cm.separation(c.shape, b.shape) > -0.01  # put into each other, they have parted
    assert welds[0].error < 1e-9 and math.dist(a.position, b.position) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("copies", [False, True])
def test_bodies_part_once_their_weld_has_broken(copies: bool) -> None:
    world = cm.World()
    a = world.add(cm.Box((0, 0), (1, 1)), kind="dynamic")
    b = world.add(cm.Box((0.8, 0), (1, 1)), kind="dynamic")
    world.weld(b, a, (0.4, 0), breaks_at=(50, None))
    b.force = (0, 300)
    twins = world.copies(2) if copies else None
    for _ in range(180):
        (world if twins is None else twins).step(STEP)
    if twins is not None:
        positions = twins.positions
        apart = abs(positions[:, 1] - positions[:, 0]).max(axis=1).min()
    else:
        assert world.joints == [] or len(world.joints) == 0
        apart = max(abs(b.position.x - a.position.x), abs(b.position.y - a.position.y))
    assert apart > 0.99


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_a_copy_knows_what_is_welded(twin: Callable[[cm.World], cm.World]) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -5), (40, 2)))
    welded(world, PLACES["stairs"], spin=1.0)
    world.step(STEP, 5)
    other = twin(world)
    for one in (world, other):
        one.joint(1).remove()
        one.step(STEP, 120)
    assert world.digest() == other.digest()


def test_bodies_of_a_group_pass_through_one_another() -> None:
    world = cm.World()
    left = world.add(cm.Circle((-3, 0), 0.5), kind="dynamic", velocity=(1, 0), group=7)
    right = world.add(cm.Circle((3, 0), 0.5), kind="dynamic", velocity=(-1, 0), group=7)
    world.step(STEP, 300)
    assert (left.position.x, right.position.x) == pytest.approx((2, -2)) and left.group == 7
    right.group = 0
    left.velocity, right.velocity = (-1, 0), (1, 0)
    world.step(STEP, 180)
    assert right.position.x < left.position.x - 0.99


def test_bodies_of_other_groups_and_of_none_meet() -> None:
    for groups in ((1, 2), (0, 0), (0, 1), (-1, 1)):
        world = cm.World()
        left = world.add(cm.Circle((-3, 0), 0.5), kind="dynamic", velocity=(1, 0), group=groups[0])
        right = world.add_many(cm.Shapes.circles([(3, 0)], 0.5), kind="dynamic", velocity=(-1, 0), group=groups[1])[0]
        world.step(STEP, 300)
        assert left.position.x < right.position.x - 0.99


def test_bodies_that_leave_their_group_inside_each_other_part() -> None:
    world = cm.World()
    a, b = (world.add(cm.Box((0.5 * k, 0), (1, 1)), kind="dynamic", group=1) for k in range(2))
    world.step(STEP, 30)
    assert (a.position.x, b.position.x) == (0, 0.5)
    a.group = 2
    world.step(STEP, 240)
    assert b.position.x - a.position.x > 0.99


@pytest.mark.parametrize("bad", [1.5, "car", None, 2**63, float("nan")])
def test_a_group_is_a_whole_number(bad: object) -> None:
    world = cm.World()
    body = world.add(cm.Circle((0, 0), 1))
    with pytest.raises((TypeError, ValueError), match="group"):
        body.group = bad  # type: ignore[assignment]
    with pytest.raises((TypeError, ValueError), match="group"):
        world.add(cm.Circle((0, 0), 1), group=bad)  # type: ignore[arg-type]
    assert body.group == 0 and len(world.bodies) == 1
