"""Impulses of pairs in a step: with those of joints and the pull on a body they are its change of momentum."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import carom as cm
from carom._core.types import Floats

GRAVITY, DT = 10.0, 1 / 60
EXACT = 1e-9
Rng = np.random.Generator


def room(rng: Rng, gravity: float = GRAVITY) -> cm.World:
    world = cm.World(gravity=(0, -gravity))
    for center, size in (((0, -0.5), (13, 1)), ((0, 10.5), (13, 1)), ((-6, 5), (1, 12)), ((6, 5), (1, 12))):
        world.add(cm.Box(center, size), restitution=float(rng.choice([0, 0.5])))
    return world


def poured(rng: Rng, count: int = 20, restitution: float = 0.0) -> cm.World:
    world = room(rng)
    for k in range(count):
        at, size = (rng.uniform(-4, 4), 0.8 + 0.4 * k), rng.uniform(0.3, 0.6)
        shape = cm.Circle(at, size) if k % 2 else cm.Box(at, (2 * size, 1.2 * size), rng.uniform(0, 3))
        mass = rng.uniform(0.5, 3)
        world.add(shape, kind="dynamic", mass=mass, restitution=restitution, friction=0.5, damping=0.1 * (k % 3))
    return world


def stirred(rng: Rng) -> cm.World:
    """Return a world whose steps are played in portions, with bodies that wait and go back."""
    world = poured(rng, 15)
    world.add(cm.Box((0, 3), (5, 0.3)), kind="kinematic", spin=2.0)
    return world


def gas(rng: Rng) -> cm.World:
    world = room(rng)
    for k in range(20):
        at, velocity = (-4 + 1.6 * (k % 5), 1 + 1.6 * (k // 5)), rng.normal(0, 4, 2)
        world.add(cm.Circle(at, 0.4), kind="dynamic", velocity=velocity, restitution=0.8, friction=0.3, mass=1 + k % 3)
    return world


def jointed(rng: Rng) -> cm.World:
    """Return a chain on which balls fall, and a body with limbs that falls on a floor."""
    world, last = room(rng), None
    for k in range(5):
        link = world.add(cm.Box((0.5 + k, 6), (0.9, 0.2)), kind="dynamic", mass=1)
        world.pin(link, last, (k, 6))
        last = link
    for k in range(6):
        at = (0.5 + 0.7 * k, 7 + 0.4 * k)
        world.add(cm.Circle(at, 0.3), kind="dynamic", mass=2, restitution=float(rng.choice([0, 0.3])))
    trunk = world.add(cm.Box((-3, 3), (0.5, 1)), kind="dynamic", mass=5)
    for side in (-1, 1):
        arm = world.add(cm.Box((-3 + 0.6 * side, 3.3), (0.7, 0.2)), kind="dynamic", mass=1)
        world.pin(trunk, arm, (-3 + 0.25 * side, 3.3), limits=(-1, 1))
    return world


def of_all_kinds(rng: Rng) -> cm.World:
    """Return a world with a mechanism of each kind of joint above a floor, with limits and motors, and balls above."""
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (80, 2)))

    def two(x: float, y: float, mass: float) -> tuple[cm.Body, cm.Body]:
        shapes = cm.Box((x, y), (0.8, 0.4)), cm.Box((x + 1.2, y + 0.5), (0.8, 0.4))
        first, second = (
            world.add(shape, kind="dynamic", mass=mass, velocity=rng.normal(0, 2, 2), spin=float(rng.normal(0, 2)))
            for shape in shapes
        )
        return first, second

    for k in range(2):
        x = 21.0 * k
        a, b = two(x, 4, 1 + k)
        world.rod(a, b, (x + 0.2, 4.1), (x + 1, 4.4))
        world.rod(a, None, (x - 0.2, 4), (x, 7))
        a, b = two(x + 3, 4, 1 + k)
        world.rope(a, b, (x + 3.2, 4.1), (x + 4, 4.4))
        world.rope(a, None, (x + 2.8, 4), (x + 3, 6))
        a, b = two(x + 6, 4, 1 + k)
        world.spring(a, b, (x + 6.2, 4.1), (x + 7, 4.4), hertz=3, damping=0.3)
        world.spring(a, None, (x + 5.8, 4), (x + 6, 6), hertz=2, damping=0.1, limits=(1.5, 2.5))
        a, b = two(x + 9, 4, 1 + k)
        world.slide(a, b, (x + 9.6, 4.2), axis=(1, 0.3), limits=(-0.5, 0.5))
        world.pin(b, None, (x + 11, 5))
        a, b = two(x + 12, 4, 1 + k)
        world.weld(a, b, (x + 12.6, 4.2))
        world.drag(a, (x + 12, 4), (x + 13, 6), max_force=30)
        a, b = two(x + 15, 1, 1 + k)
        world.slide(b, a, (x + 15, 1), axis=(0, 1), turns=True, hertz=4, damping=0.7, speed=5, max_torque=8)
        a, b = two(x + 18, 4, 1)
        world.pin(a, None, (x + 18, 4), speed=3, max_torque=10)
        world.pin(b, None, (x + 19.2, 4.5), limits=(-1, 1))
        world.gear(a, b, ratio=2.0)
    for k in range(10):
        world.add(cm.Circle((4.1 * k, 9 + 0.2 * k), 0.4), kind="dynamic", mass=2, restitution=0.4 * (k % 2))
    return world


def led(rng: Rng) -> cm.World:
    """Return a world with a chain that hangs on a cart, which goes to and fro over heaped discs."""
    world = poured(rng, 10)
    last = world.add(cm.Box((-3, 8), (1, 0.4)), kind="kinematic", velocity=(1.5, 0), mask=0)
    for k in range(4):
        link = world.add(cm.Box((-3, 7.3 - 1.1 * k), (0.2, 0.9)), kind="dynamic", mass=1)
        world.pin(link, last, (-3, 7.8 - 1.1 * k))
        last = link
    return world


def struck(rng: Rng) -> cm.World:
    world = room(rng)
    for k in range(4):
        world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic")
    world.add(cm.Circle((0.2, 8), 0.4), kind="dynamic", mass=20, velocity=(0, -10))
    return world


class Balance:
    """The momenta of a world before a step, to be compared with those after it."""

    def __init__(self, world: cm.World) -> None:
        self.world, self.asleep = world, world.asleep
        self.before = world.velocities.copy()

    def misses(self) -> Floats:
        """Return by what share of their momenta what bodies got falls short of how these changed; not of sleepers."""
        world = self.world
        mass = np.array([world.body(row).mass for row in range(len(self.before))])
        moved = np.isfinite(mass) & ~(self.asleep & world.asleep)
        mass = np.where(moved, mass, 1.0)
        got = mass[:, None] * world.pulled
        pairs = world.contacts()
        np.add.at(got, pairs.other, pairs.given)
        np.add.at(got, pairs.body, -pairs.given)
        for joint in world.joints:
            got[joint.a.row] += joint.force * DT
            if joint.b is not None:
                got[joint.b.row] -= joint.force * DT
        change = mass[:, None] * (world.velocities - self.before)
        size = mass * (np.hypot(*world.velocities.T) + np.hypot(*self.before.T) + GRAVITY * DT)
        return np.abs(change - got).max(axis=1)[moved] / size[moved]


SCENES: tuple[Callable[[Rng], cm.World], ...] = (
    poured,
    lambda rng: poured(rng, 20, 0.5),
    stirred,
    gas,
    jointed,
    struck,
    of_all_kinds,
    led,
)


@pytest.mark.parametrize("scene", range(len(SCENES)))
def test_pairs_joints_and_pulls_add_up_to_each_change_of_momentum(scene: int) -> None:
    world = SCENES[scene](np.random.default_rng(scene))
    pushed = 0.0
    for _ in range(150):
        balance = Balance(world)
        world.step(DT)
        assert balance.misses().max(initial=0.0) < EXACT
        pushed = max(pushed, np.abs(world.contacts().given).max(initial=0.0))
    assert pushed > 1.0


@pytest.mark.parametrize("scene", [0, 3, 4])
def test_they_add_up_where_a_step_is_changed_at_a_pause(scene: int) -> None:
    rng = np.random.default_rng(scene)
    world, changes = SCENES[scene](rng), 0
    for k in range(100):
        balance = Balance(world)
        for hit in world.events(DT):
            if k % 3 == 0 and hit.body.kind == "dynamic":
                hit.body.mask = None  # the rest of the step begins anew
                changes += 1
        assert balance.misses().max(initial=0.0) < EXACT
    assert changes > 3


def test_a_body_of_a_pile_is_pulled_by_gravity_alone() -> None:
    world = struck(np.random.default_rng(0))
    for _ in range(25):
        world.step(DT)
        awake = np.array([body.kind == "dynamic" and not body.asleep for body in world.bodies])
        assert world.pulled[awake] == pytest.approx(np.tile((0, -GRAVITY * DT), (awake.sum(), 1)), abs=1e-12)


def test_a_ball_tells_what_its_bounce_gave_by_the_speed_at_that_height() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (10, 2)))
    ball = world.add(cm.Circle((0, 3), 0.5), kind="dynamic", mass=2, restitution=0.5)
    fallen, impulses = 0.0, list[float]()
    while not impulses:
        assert len(world.contacts().body) == 0
        for hit in world.events(DT):
            fallen = 3 - ball.position.y
            impulses.append(hit.impulse)
    found = world.contacts()
    assert found.given.tolist() == [[0.0, pytest.approx(2 * 1.5 * math.sqrt(2 * GRAVITY * fallen), rel=EXACT)]]
    assert found.impulses.sum() == found.given[0, 1] == sum(impulses)
    # In mid-fall its energy is that of the place: gravity has given more than it gives evenly.
    assert abs(world.pulled[ball.row, 1] + GRAVITY * DT) <= GRAVITY * DT / 4


@pytest.mark.parametrize(("height", "mass", "restitution"), [(1, 4, 0), (3, 4, 0.3), (4, 20, 0)])
def test_a_blow_on_a_pile_is_told_in_full(height: int, mass: float, restitution: float) -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (60, 2)))
    top = [world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic") for k in range(height)][-1]
    world.step(DT, 60)
    bird = world.add(
        cm.Circle((0, height + 5), 0.4), kind="dynamic", mass=mass, velocity=(0, -10), restitution=restitution
    )
    while True:
        before = bird.velocity
        if any({hit.body, hit.other} == {bird, top} for hit in world.step(DT)):
            break
    change = mass * (bird.velocity - before - cm.Vec(*world.pulled[bird.row]))
    found = world.contacts()
    at = (found.body == top.row) & (found.other == bird.row)
    assert found.given[at].sum(axis=0) == pytest.approx(change, rel=EXACT, abs=EXACT)
    assert change.y > 50


def twins(world: cm.World) -> Iterator[cm.World]:
    yield world.copy()
    yield pickle.loads(pickle.dumps(world))
    yield world.copies(2).world(1)
    other = cm.World()
    other.restore(world.snapshot())
    yield other


def test_twins_tell_the_same_and_go_on_to() -> None:
    world = jointed(np.random.default_rng(3))
    for k in range(60):
        world.step(DT)
        if k % 20 == 12:
            for twin in twins(world):
                for one, other in zip(twin.contacts(), world.contacts(), strict=True):
                    assert np.array_equal(one, other)
                assert (twin.pulled == world.pulled).all()
                following = twin.copy(), world.copy()
                for each in following:
                    each.step(DT)
                assert np.array_equal(*(each.contacts().given for each in following))


def test_copies_tell_what_a_world_does() -> None:
    world = gas(np.random.default_rng(5))
    many = world.copies(3)
    for _ in range(40):
        many.step(DT)
        world.step(DT)
        assert (many.world(2).contacts().given == world.contacts().given).all()
    assert len(world.contacts().body)


def test_a_body_that_is_removed_at_a_pause_takes_its_blows_with_it() -> None:
    world = cm.World()
    wall = world.add(cm.Box((3, 0), (1, 9)))
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(20, 0), restitution=1)
    for hit in world.events(1.0):
        found = world.contacts()
        sign = 1 if found.other[0] == ball.row else -1
        assert found.given.tolist() == [[pytest.approx(sign * -40 * ball.mass), 0.0]]
        world.remove(hit.other)
    assert wall.removed and len(world.contacts().body) == 0
    assert ball.velocity == (-20, 0)
