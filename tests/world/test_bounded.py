"""Work in a step is bounded: impacts of a body, times that a step is begun anew, and how long Ctrl-C waits."""

from __future__ import annotations

import _thread
import contextlib
import math
import pickle
import signal
import threading
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import carom as cm
from carom._core.types import Integers
from carom.world import drive
from carom.world.addressed import BARE, Played
from carom.world.step.constants import MOST_TRIES
from carom.world.step.play.events import EVENTS_AT_ONCE, LOOK_UP
from carom.world.store import Store

H = 1 / 60


def crate(spin: float, boxes: int, gravity: float = 0.0) -> cm.World:
    """Return a hollow crate with boxes in it, thrown with them."""
    world = cm.World(gravity=(0, gravity))
    walls = [cm.Box((0, y), (6.2, 0.2)) for y in (-3, 3)] + [cm.Box((x, 0), (0.2, 6.2)) for x in (-3, 3)]
    world.add(cm.Compound.from_parts(walls), kind="dynamic", mass=20, velocity=(3, 1), spin=spin)
    for k in range(boxes):
        shape = cm.Box((-2 + k % 5, -2 + k // 5), (0.6, 0.6), 0.1 * k)
        world.add(shape, kind="dynamic", velocity=(3, 1))
    return world


def wall_that_is_struck(speed: float) -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (100, 2)))
    for row in range(6):
        for k in range(8):
            world.add(cm.Box((k + row % 2 * 0.5, 0.25 + row * 0.5), (1, 0.5)), kind="dynamic")
    world.add(cm.Circle((-3, 1.5), 0.6), kind="dynamic", mass=20, velocity=(speed, 3))
    return world


@pytest.mark.parametrize("steps", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize(("spin", "boxes"), [(2.0, 25), (9.0, 20), (40.0, 12)])
def test_boxes_in_a_crate_that_spins_are_hit_a_bounded_number_of_times(spin: float, boxes: int, steps: int) -> None:
    """Free impacts before, new touches among what is solved afterwards: one for each neighbour."""
    world = crate(spin, boxes)
    momentum = sum(body.mass * np.array(body.velocity) for body in world.bodies)
    energy = sum(body.mass * body.velocity.dot(body.velocity) + body.inertia * body.spin**2 for body in world.bodies)
    for _ in range(steps):
        hits = world.step(H)
        assert set(hits.kind.tolist()) <= {"hit"}
        assert len(hits) < (2 * MOST_TRIES + 4) * len(world)
        assert world._store.tables.state["begun"][0] <= MOST_TRIES
        assert world.overlaps().depth.max(initial=0.0) <= 0.3 * 0.008 * 0.3 * 1.0001
    after = sum(body.mass * np.array(body.velocity) for body in world.bodies)
    assert np.allclose(after, momentum, rtol=1e-9)
    end = sum(body.mass * body.velocity.dot(body.velocity) + body.inertia * body.spin**2 for body in world.bodies)
    assert end <= energy * (1 + 1e-9)


@pytest.mark.parametrize("speed", [25.0, 90.0])
def test_a_brick_wall_that_is_struck_has_a_bounded_number_of_hits(speed: float) -> None:
    world = wall_that_is_struck(speed)
    for _ in range(40):
        hits = world.step(H)
        assert len(hits) <= 4 * MOST_TRIES * len(world)
        assert "stalled" not in hits.kind.tolist()
        assert world.overlaps().depth.max(initial=0.0) <= 0.3 * 0.008 * 0.25 * 1.0001


def star(x: float, y: float, r: float) -> cm.Compound:
    radii = [r if k % 2 else 0.45 * r for k in range(8)]
    return cm.decompose(
        [(x + a * math.cos(k * math.pi / 4), y + a * math.sin(k * math.pi / 4)) for k, a in enumerate(radii)]
    )


@pytest.mark.parametrize("seed", [0, 2, 6, 21, 33])
def test_bodies_between_two_kinematic_ones_that_wait_are_hit_a_bounded_number_of_times(seed: int) -> None:
    """An impact with one that waits counted as one with a driver, which has no more to wait for: a million hits."""
    rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -10))
    cross = cm.Compound.from_parts([cm.Box((0, 0), (4, 0.2)), cm.Box((0, 0), (0.2, 4))])
    world.add(cross, kind="kinematic", spin=2)
    world.add(cm.Box((0, -3.2), (7, 0.1)), kind="kinematic", velocity=(0, 4))
    for k in range(8):
        x, y, r = -2.4 + 0.7 * k, -2.6, rng.uniform(0.2, 0.3)
        box, line = cm.Box((x, y), (1.4 * r, r), angle=rng.uniform(0, 3)), cm.Segment((x - r, y), (x + r, y))
        world.add((cm.Circle((x, y), r), box, star(x, y, r), line)[rng.integers(4)], kind="dynamic")
    for _ in range(60):
        assert len(world.step(H)) < 300
        assert world.overlaps().depth.max(initial=0.0) <= 0.3 * 0.008 * 0.2


@pytest.mark.parametrize(("spin", "place"), [(-1.9, 0.11), (2.0, 0.101), (5.0, 0.101), (2.0, 0.3)])
def test_a_point_in_the_corner_of_a_cross_that_turns_is_looked_at_a_bounded_number_of_times(
    spin: float, place: float
) -> None:
    """Without gravity: between impacts it was looked at again after ever shorter times, 25,000 times in a step."""
    world = cm.World()
    cross = cm.Compound.from_parts([cm.Box((0, 0), (4, 0.2)), cm.Box((0, 0), (0.2, 4))])
    world.add(cross, kind="kinematic", spin=spin)
    world.add(cm.Point((place, place)), kind="dynamic")
    for _ in range(60):
        world.step(H)
        assert world._tables.state["played"][0] < 2500


@pytest.mark.parametrize("restitution", [0.3, 0.9, 0.99])
def test_a_ball_that_bounces_to_and_fro_in_a_narrow_gap_keeps_its_bounces(restitution: float) -> None:
    """As often as the geometric row of its speeds allows, up to the bound that the page tells."""
    world = cm.World()
    world.add(cm.Box((-1, 0), (1, 9)))
    world.add(cm.Box((1, 0), (1, 9)))
    ball = world.add(cm.Circle((0, 0), 0.4), kind="dynamic", velocity=(60, 0), restitution=restitution, friction=0)
    hits = world.step(H)
    speed, left, at, count = 60.0, H, 0.1, 0
    while left > at / speed:
        left, at, speed, count = left - at / speed, 0.2, speed * restitution, count + 1
    assert len(hits) == count
    assert abs(ball.velocity.x) == pytest.approx(60 * restitution**count, rel=1e-9)


@pytest.mark.parametrize("spin", [1e6, 5e15, -1e18])
@pytest.mark.parametrize("gravity", [0.0, -10.0])
def test_a_disc_that_spins_without_measure_touches_as_one_that_stands(spin: float, gravity: float) -> None:
    still, turning = (cm.World(gravity=(0, gravity)) for _ in range(2))
    for world, of in ((still, 0.0), (turning, spin)):
        world.add(cm.Box((0, -0.5), (60, 1)))
        world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", spin=of, friction=0)
        world.add(cm.Circle((0, 3), 0.5), kind="dynamic", velocity=(0, -20), spin=of, friction=0)
        world.step(H, steps=20)
    # As far as rounding of what turns so fast, and the skin, leave it open.
    assert np.allclose(still.positions, turning.positions, atol=0.3 * 0.008 * 0.5)


def gas(count: int) -> cm.World:
    rng, world = Random(3), cm.World()
    for center, size in (((0, -5.5), (13, 1)), ((0, 5.5), (13, 1)), ((-5.5, 0), (1, 12)), ((5.5, 0), (1, 12))):
        world.add(cm.Box(center, size))
    side = math.isqrt(count)
    for k in range(side * side):
        at = (-4.5 + 9 * (k % side) / side, -4.5 + 9 * (k // side) / side)
        velocity = (rng.uniform(-9, 9), rng.uniform(-9, 9))
        world.add(cm.Circle(at, 0.15), kind="dynamic", velocity=velocity, restitution=1, friction=0)
    return world


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Answer Ctrl-C: a shell that starts the tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_one_long_step_answers_an_interrupt_and_goes_on_as_if_there_had_been_none() -> None:
    plain, broken = gas(100), gas(100)
    plain.step(H)
    broken.step(H)
    plain.step(20.0)
    assert int(plain._store.tables.state["hits"][0]) > 5000
    timer = threading.Timer(0.01, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        broken.step(20.0)
    timer.join()
    assert broken.unfinished and 0.0 < broken._store.tables.state["now"][0] < 20.0
    broken.resume()
    assert plain.digest() == broken.digest()


def stirred(spin: float) -> cm.World:
    """Return boxes between walls around a bar: rounds have hundreds of contacts, and steps portions if it turns."""
    world = cm.World(gravity=(0, -10))
    for center, size in (((0, -0.5), (14, 1)), ((-6.5, 10), (1, 22)), ((6.5, 10), (1, 22))):
        world.add(cm.Box(center, size))
    world.add(cm.Box((0, 3), (6, 0.3)), kind="kinematic", spin=spin)
    for k in range(200):
        world.add(cm.Box((-5.4 + 1.2 * (k % 10), 4 + 0.9 * (k // 10)), (0.8, 0.8), 0.3 * k), kind="dynamic")
    world.step(H, steps=60)
    return world


@pytest.mark.parametrize(("spin", "looks"), [(0.0, 2), (2.0, 8)])
def test_a_step_is_interrupted_and_goes_on_between_its_portions_and_rounds(
    monkeypatch: pytest.MonkeyPatch, spin: float, looks: int
) -> None:
    plain, broken, played = stirred(spin), stirred(spin), []
    plain.step(0.1)

    def play(at: Integers, length: float, shared: bool) -> Played:
        found = BARE.play_step(at, length, shared)
        played.append(found[0])
        if played[-1] == LOOK_UP:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(drive, "kernels_of", lambda store: BARE._replace(play_step=play))
    with pytest.raises(KeyboardInterrupt):
        broken.step(0.1)
    while broken.unfinished:
        with contextlib.suppress(KeyboardInterrupt):
            broken.resume()
    assert played.count(LOOK_UP) >= looks and plain._store.tables.state["played"][0] < EVENTS_AT_ONCE
    assert broken.digest() == plain.digest()


def turning_over_a_row() -> cm.World:
    """Return boxes that come to a floor within a step, not at its start, and a bar that turns beside one more."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (300, 2)))
    for k in range(90):
        world.add(cm.Box((2 * k - 90, 0.515), (1, 1)), kind="dynamic")
    world.add(cm.Circle((-100, 0.5), 0.5), kind="dynamic")
    world.add(cm.Box((-100, 1.15), (2, 0.2)), kind="kinematic", spin=2.0)
    world.step(1e-3)
    return world


def test_an_interrupt_between_portions_while_a_table_is_made_longer_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, broken, later = turning_over_a_row(), turning_over_a_row(), []
    plain.step(0.1)

    def stop(store: Store, status: int) -> None:
        later.append(float(store.tables.state["later"][0]))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Store, "lengthen", stop)
        with pytest.raises(KeyboardInterrupt):
            broken.step(0.1)
    assert 0.0 < later[0] < 0.09
    assert broken.unfinished
    again = pickle.loads(pickle.dumps(broken))
    for world in (broken, again):
        world.resume()
        assert not world.unfinished
        assert world.digest() == plain.digest()
