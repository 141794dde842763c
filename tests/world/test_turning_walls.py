"""Walls that turn: what they carry neither stops them nor leaves them, at any speed, in one body or in several."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm

H = 1 / 60
SKIN = 0.008

CARRIED = {
    "ball": cm.Circle((0, 0), 0.4),
    "box": cm.Box((0, 0), (0.8, 0.4)),
    "crumb": cm.Box((0, 0), (0.1, 0.1)),
    "wide": cm.Circle((1, 1), 1.4),
}


def frame_of(world: cm.World, spin: float, several: bool, half: float = 3.0, thick: float = 0.2) -> list[cm.Body]:
    """Return the kinematic bodies of a square frame about the origin, one or four of them."""
    far = 2 * half + thick
    walls = [
        cm.Box((0, half), (far, thick)),
        cm.Box((0, -half), (far, thick)),
        cm.Box((half, 0), (thick, far)),
        cm.Box((-half, 0), (thick, far)),
    ]
    shapes = walls if several else [cm.Compound.from_parts(walls)]
    return [world.add(shape, kind="kinematic", spin=spin, pivot=(0, 0)) for shape in shapes]


def deepest(body: cm.Body, walls: list[cm.Body]) -> float:
    """Return how deep a body is in the deepest part of the walls, in skins."""
    parts = [part for wall in walls for part in getattr(wall.shape, "parts", [wall.shape])]
    width = min(0.2, getattr(body.shape, "size", (2 * getattr(body.shape, "radius", 1),))[-1])
    return max(-cm.separation(body.shape, part) for part in parts) / (SKIN * width / 2)


@pytest.mark.parametrize("carried", CARRIED)
@pytest.mark.parametrize(
    ("spin", "several"),
    [
        *((spin, False) for spin in (0.5, -4.0, 20.0)),
        *((spin, True) for spin in (2.0, 20.0)),
        *(pytest.param(spin, False, marks=pytest.mark.full) for spin in (2.0, 8.0)),
        *(pytest.param(spin, True, marks=pytest.mark.full) for spin in (0.5, -4.0, 8.0)),
    ],
)
def test_a_frame_turns_on_whatever_it_carries(spin: float, carried: str, several: bool) -> None:
    world = cm.World(gravity=(0, -10))
    walls = frame_of(world, spin, several)
    body = world.add(CARRIED[carried], kind="dynamic")
    for step in range(150):
        hits = world.step(H)
        assert not any(hit.kind == "crushed" for hit in hits), "nothing can be crushed"
        for wall in walls:
            assert wall.angle == pytest.approx(spin * H * (step + 1), abs=1e-9)
        x, y = body.position
        angle = walls[0].angle
        inside = max(abs(math.cos(angle) * x + math.sin(angle) * y), abs(math.cos(angle) * y - math.sin(angle) * x))
        assert inside < 3.0
        if step % 10 == 0:
            assert deepest(body, walls) <= 0.3 + 1e-6


@pytest.mark.parametrize("spin", [1.5, 4.0])
def test_a_drum_of_many_bodies_lags_two_percent_at_most(spin: float) -> None:
    world, rng = cm.World(gravity=(0, -10)), np.random.default_rng(2)
    (drum,) = frame_of(world, spin, False, half=4.0, thick=0.3)
    bodies = []
    for k in range(40):
        center, size = (-2.5 + 0.85 * (k % 7), -2.2 + 0.85 * (k // 7)), rng.uniform(0.2, 0.35)
        shape = cm.Circle(center, size) if k % 2 else cm.Box(center, (2 * size, 1.5 * size), angle=rng.uniform(0, 6))
        bodies.append(world.add(shape, kind="dynamic", mass=10 ** rng.uniform(-1, 1), friction=0.5, restitution=0.2))
    steps = 150
    for _ in range(steps):
        world.step(H)
    assert drum.angle > 0.98 * spin * steps * H
    assert all(math.hypot(*body.position) < 4 * math.sqrt(2) for body in bodies)


def test_a_step_in_portions_is_as_good_as_short_steps() -> None:
    """A body that nothing holds goes as it would without walls that turn, and is hit where and when it should be."""

    def world_of(spin: float) -> tuple[cm.World, cm.Body]:
        world = cm.World(gravity=(0, -10))
        frame_of(world, spin, False)
        world.add(cm.Circle((0, 0), 0.4), kind="dynamic")
        for y in (-1.0, 1.0):
            world.add(cm.Box((40, y), (90, 0.5)))
        return world, world.add(
            cm.Circle((40, 0), 0.3), kind="dynamic", velocity=(1, 9), restitution=0.9, friction=0.0, gravity_scale=0.0
        )

    (turning, one), (still, other) = world_of(8.0), world_of(0.0)
    times: list[list[float]] = [[], []]
    for step in range(60):
        for k, (world, free) in enumerate(((turning, one), (still, other))):
            times[k] += [step * H + hit.time for hit in world.step(H) if free in (hit.body, hit.other)]
    assert (*one.position, *one.velocity) == pytest.approx((*other.position, *other.velocity), abs=1e-9)
    assert len(times[0]) >= 5
    assert times[0] == pytest.approx(times[1], abs=1e-9)


def test_a_told_turn_ends_on_its_target_with_what_it_carries() -> None:
    world = cm.World(gravity=(0, -10))
    (frame,) = frame_of(world, 0.0, False)
    world.add(cm.Circle((0, 0), 0.4), kind="dynamic")
    world.step(H, steps=60)
    for step in range(1, 61):
        frame.move_to((0.01 * step, 0), angle=0.1 * step)
        assert not any(hit.kind == "crushed" for hit in world.step(H))
        assert (frame.position.x, frame.position.y, frame.angle) == (0.01 * step, 0.0, 0.1 * step)


def test_a_pause_between_two_portions_changes_nothing_and_can_be_left() -> None:
    def begun() -> cm.World:
        world = cm.World(gravity=(0, -10))
        frame_of(world, 8.0, False)
        for k in range(4):
            world.add(cm.Circle((-1 + 0.8 * k, 0), 0.3), kind="dynamic", restitution=0.5)
        world.step(H, steps=20)
        return world

    whole, paused, left = begun(), begun(), begun()
    pauses, gone = 0, 0.0
    for _ in range(30):
        whole.step(H)
        for hit in paused.events(H):
            pauses += 1
            assert 0.0 <= hit.time <= H
    assert pauses > 5
    assert paused.digest() == whole.digest()
    steps = 20
    while gone == 0.0:
        events = left.events(H)
        hit = next(events, None)
        if hit is not None:
            gone = hit.time
            events.close()
            left.abandon()
        else:
            steps += 1
    frame = next(body for body in left.bodies if body.kind == "kinematic")
    assert frame.angle == pytest.approx(8.0 * (steps * H + gone), abs=1e-9)
    left.step(H)
    assert frame.angle == pytest.approx(8.0 * ((steps + 1) * H + gone), abs=1e-9)
