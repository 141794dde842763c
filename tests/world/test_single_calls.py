"""Single calls that are one compiled call do what the careful way does, to the bit, and leave to it what is not plain.

A world that is recorded goes the careful way in all.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world import world as world_module

DT = 1 / 60
POINT = (0.3, 0.2)


def workshop() -> tuple[cm.World, list[cm.Body], cm.Joint]:
    """Return a world with bodies of each kind, two of them pinned with a motor."""
    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -3), (40, 1)))
    lift = world.add(cm.Box((6, -1), (4, 0.4)), kind="kinematic", velocity=(0, 0.1))
    door = world.add(cm.Box((-6, 0), (3, 0.3)), kind="kinematic", pivot=(-7.5, 0))
    loose = [world.add(cm.Circle((1.2 * k - 5, 1 + 0.3 * k), 0.5), kind="dynamic", mass=1 + k) for k in range(5)]
    loose.append(world.add(cm.Box((3, 3), (1, 0.5)), kind="dynamic", turns=False))
    pin = world.pin(loose[1], loose[2], (loose[1].position + loose[2].position) * 0.5, speed=1, max_torque=3)
    return world, [floor, lift, door, *loose], pin


def act(rng: np.random.Generator, bodies: list[cm.Body], pin: cm.Joint) -> str:
    """Tell a body, or the motor, something at random; return what was refused."""
    body, what = bodies[int(rng.integers(len(bodies)))], int(rng.integers(8))
    pair, number = (float(rng.normal()), float(rng.normal())), float(rng.normal())
    try:
        if what == 0:
            body.velocity = pair
        elif what == 1:
            body.spin = number
        elif what == 2:
            body.force = pair
        elif what == 3:
            body.apply_impulse(pair)
        elif what == 4:
            body.apply_impulse(pair, at=body.position + POINT)
        elif what == 5:
            body.position += cm.Vec(0, 0.01)
        elif what == 6:
            body.angle = body.angle + 0.01 * number
        else:
            pin.speed = number
    except ValueError as error:
        return str(error)
    return ""


def told(bodies: list[cm.Body], pin: cm.Joint) -> list[Any]:
    """Return all that single calls read."""
    return [[(one.position, one.angle, one.velocity, one.spin) for one in bodies], pin.angle, pin.speed]


@pytest.mark.parametrize("seed", range(4))
def test_one_compiled_call_does_what_the_careful_way_does(seed: int) -> None:
    (world, bodies, pin), (other, others, other_pin) = workshop(), workshop()
    rng, other_rng = np.random.default_rng(seed), np.random.default_rng(seed)
    tape = cm.Recording(other)
    for k in range(120):
        for _ in range(3):
            assert act(rng, bodies, pin) == act(other_rng, others, other_pin)
        if k % 7 == 3:
            for hit, twin in zip(world.events(DT), other.events(DT), strict=True):
                assert (hit.kind, hit.time) == (twin.kind, twin.time)
                assert act(rng, bodies, pin) == act(other_rng, others, other_pin)
                assert told(bodies, pin) == told(others, other_pin)
        else:
            world.step(DT)
            other.step(DT)
        assert told(bodies, pin) == told(others, other_pin)
        assert world.digest() == other.digest()
    tape.stop()
    assert tape.replay().diverged is None


def test_what_is_read_is_what_the_columns_hold_also_of_a_copy_and_after_a_pickle() -> None:
    world, _, _ = workshop()
    for one in (world, world.copy(), pickle.loads(pickle.dumps(world))):
        one.step(DT, steps=20)
        for body in one.bodies:
            assert body.position == tuple(one.positions[body.row])
            assert body.velocity == tuple(one.velocities[body.row])
            assert (body.angle, body.spin) == (one.angles[body.row], one.spins[body.row])


def test_what_is_gone_tells_its_last_place_and_refuses_the_rest() -> None:
    world, bodies, pin = workshop()
    world.step(DT)
    ball = bodies[3]
    last, kept = (ball.position, ball.angle), world.snapshot()
    world.remove(ball)
    assert (ball.position, ball.angle) == last
    for ask in (lambda: ball.velocity, lambda: ball.spin, lambda: ball.apply_impulse((0, 1))):
        with pytest.raises(ValueError, match="is no longer in its world"):
            ask()
    with pytest.raises(ValueError, match=r"Body\.velocity"):
        ball.velocity = (1, 0)
    world.restore(kept)
    assert (ball.position, ball.angle) == last
    ball.velocity = (1, 0)
    assert ball.velocity == (1, 0)
    world.remove(bodies[4])
    assert pin.removed
    with pytest.raises(ValueError, match="is no longer in its world"):
        pin.speed = 2
    with pytest.raises(ValueError, match="is no longer in its world"):
        print(pin.angle)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("velocity", one) for one in (None, 3, (1,), (1, 2, 3), ("a", 2), (np.nan, 0), (1e300, 0))),
        *(("spin", one) for one in (None, "a", np.inf, True, (1, 2))),
        *(("force", one) for one in (None, (np.inf, 0), (1e15, 1e15, 0))),
    ],
)
def test_what_is_not_allowed_is_refused_by_name_and_changes_nothing(name: str, value: Any) -> None:
    world, bodies, _ = workshop()
    before = world.digest()
    with pytest.raises((TypeError, ValueError), match=rf"Body \(row 3\): {name}"):
        setattr(bodies[3], name, value)
    assert world.digest() == before


@pytest.mark.parametrize("value", [[1, 2], np.array((1.0, 2.0)), (np.float32(1), 2), cm.Vec(1, 2), (1, 2)])
def test_all_that_is_a_pair_of_numbers_is_one(value: Any) -> None:
    _, bodies, _ = workshop()
    bodies[3].velocity = value
    assert bodies[3].velocity == (1, 2)


def room(seed: int) -> cm.World:
    """Return a world with piles, sensors, a joint that breaks, and bodies put into others."""
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10))
    for center, size in (((0, -0.5), (12, 1)), ((-5.5, 5), (1, 12)), ((5.5, 5), (1, 12))):
        world.add(cm.Box(center, size))
    world.add(cm.Box((2, 2), (2, 2)), sensor=True)
    if seed % 2:
        world.add(cm.Box((-2, 3), (3, 0.3)), kind="kinematic", spin=1)
    for k in range(12):
        at = (float(rng.uniform(-4, 4)), 1.2 + 0.8 * k)
        world.add(cm.Circle(at, 0.4) if k % 2 else cm.Box(at, (0.8, 0.5)), kind="dynamic", restitution=0.3 * (k % 3))
    if seed > 1:
        bodies = [body for body in world.bodies if body.kind == "dynamic"]
        world.rod(bodies[0], bodies[1], bodies[0].position, bodies[1].position, breaks_at=(40, None))
        world.pin(bodies[2], bodies[3], bodies[2].position)
    return world


@pytest.mark.parametrize("seed", range(4))
def test_a_step_of_one_call_is_a_step_of_many(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    quick, careful, calls = room(seed), room(seed), []
    whole = world_module.step_at_once

    def counted(store: Any, length: float) -> int | None:
        calls.append(whole(store, length))
        return calls[-1]

    for k in range(150):
        if k == 60:
            for one in (quick, careful):
                one.remove(one.bodies[-1])
                one.add(cm.Circle((0, 8), 0.5), kind="dynamic")
                one.bodies[5].position = (0, 3)
        monkeypatch.setattr(world_module, "step_at_once", counted)
        hits = quick.step(DT)
        monkeypatch.setattr(world_module, "step_at_once", lambda store, length: None)
        others = careful.step(DT)
        assert quick.digest() == careful.digest()
        assert [str(hit) for hit in hits] == [str(hit) for hit in others]
        assert [body.resting_on for body in quick.bodies] == [
            tuple((quick.body(other.row), normal) for other, normal in body.resting_on) for body in careful.bodies
        ]
    assert sum(told is not None for told in calls) > 100
