"""Sensors: at any speed, for spinning bodies, and after any change to a world, each entry has its exit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from tests.support.smooth_world import SmoothWorld

ENTERED, EXITED = "enter", "exit"
Pair = tuple[float, float]


@pytest.mark.parametrize("speed", [1e10, 1e17, 1e21, 1e60, 1e140])
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_nothing_is_too_fast_for_a_sensor(speed: float, turn: float) -> None:
    world = SmoothWorld()
    way = cm.Vec(math.cos(turn), math.sin(turn))
    gate = world.add(cm.Circle(way * 5, 1), sensor=True)
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=way * speed)
    hits = world.step(1 / 60)
    assert hits.kind.tolist() == [ENTERED, EXITED]
    assert hits.time == pytest.approx([3.5 / speed, 6.5 / speed], rel=1e-9, abs=1e-17)
    assert hits.body.tolist() == [ball.row] * 2
    assert world.inside(gate) == []
    assert world.step(1 / 60).kind.tolist() == []


@pytest.mark.parametrize("spin", [0.7, -12.0, 300.0])
def test_a_spinning_rod_enters_and_leaves_at_the_exact_times(spin: float) -> None:
    world = SmoothWorld()
    rod = world.add(cm.Box((2, 0), (4, 0.2)), kind="kinematic", spin=spin, pivot=(0, 0))
    gates = [world.add(cm.Circle((3 * math.cos(a), 3 * math.sin(a)), 0.25), sensor=True) for a in (1.0, 2.9, 4.5)]
    hits = world.step(2 * math.tau / abs(spin) / 50, steps=50)
    # The rod's faces are 0.1 from its middle line: it touches a gate until the gate's centre is 0.35 beyond that line.
    wide = math.asin(0.35 / 3)
    expected = []
    for gate, angle in zip(gates, (1.0, 2.9, 4.5), strict=True):
        way = angle if spin > 0 else math.tau - angle
        for turn in (0.0, math.tau):
            expected.append(((way + turn - wide) / abs(spin), ENTERED, rod.row, gate.row))
            expected.append(((way + turn + wide) / abs(spin), EXITED, rod.row, gate.row))
    expected.sort()
    told = list(zip(hits.kind.tolist(), hits.body.tolist(), hits.other.tolist(), strict=True))
    assert told == [row[1:] for row in expected]
    assert hits.time == pytest.approx([row[0] for row in expected], rel=1e-9)


def test_a_rod_that_spins_inside_a_sensor_enters_once() -> None:
    world = SmoothWorld()
    gate = world.add(cm.Circle((0, 0), 2), sensor=True)
    rod = world.add(cm.Box((0, 0), (4, 0.2)), kind="kinematic", spin=7.0)
    assert world.step(1 / 60, steps=100).kind.tolist() == [ENTERED]
    rod.velocity = (30, 0)
    hits = world.step(1 / 60, steps=60)
    assert hits.kind.tolist() == [EXITED]
    assert world.inside(gate) == []


def test_a_moving_sensor_detects_a_spinning_body() -> None:
    world = SmoothWorld()
    gate = world.add(cm.Box((-10, 0), (2, 2)), kind="kinematic", velocity=(5, 0), sensor=True)
    wheel = world.add(cm.Polygon([(math.cos(k), math.sin(k)) for k in range(6)]), kind="kinematic", spin=3.0)
    hits = world.step(1 / 60, steps=300)
    assert hits.kind.tolist() == [ENTERED, EXITED]
    assert set(hits.body.tolist()) == {wheel.row}
    assert set(hits.other.tolist()) == {gate.row}
    assert (10 - 1 - 1) / 5 <= hits.time[0] <= (10 - 1) / 5
    assert (10 + 1) / 5 <= hits.time[1] <= (10 + 1 + 1) / 5


def visited() -> tuple[cm.World, cm.Body, cm.Body]:
    world = SmoothWorld()
    gate = world.add(cm.Box((0, 0), (4, 4)), sensor=True, layer="gates")
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", layer="balls")
    assert world.step(1 / 60).kind.tolist() == [ENTERED]
    return world, gate, ball


CHANGES: dict[str, Callable[[cm.World, cm.Body, cm.Body], Any]] = {
    "remove the visitor": lambda world, gate, ball: world.remove(ball),
    "remove the sensor": lambda world, gate, ball: world.remove(gate),
    "remove both": lambda world, gate, ball: world.remove(ball, gate),
    "put the visitor elsewhere": lambda world, gate, ball: setattr(ball, "position", (100, 0)),
    "put the sensor elsewhere": lambda world, gate, ball: setattr(gate, "position", (100, 0)),
    "the visitor's layer": lambda world, gate, ball: (setattr(gate, "mask", "balls"), setattr(ball, "layer", "ghosts")),
    "the visitor's mask": lambda world, gate, ball: setattr(ball, "mask", ()),
    "the sensor's mask": lambda world, gate, ball: setattr(gate, "mask", "default"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_between_steps_ends_visits_at_the_start_of_the_next(change: str) -> None:
    world, gate, ball = visited()
    rows = ball.row, gate.row
    with cm.Recording(world) as tape:
        CHANGES[change](world, gate, ball)
        world.add_many(cm.Shapes.circles([(50, 50), (60, 60)], 1))
        assert world.snapshot() is not None
        other = world.copy()
        hits = world.step(1 / 60)
    for told in (hits, other.step(1 / 60)):
        assert (told.kind.tolist(), told.time.tolist()) == ([EXITED], [0.0])
        assert (told.body[0], told.other[0]) == rows, "no body that came later stands in their rows"
    assert tape.replay().diverged is None
    assert world.step(1 / 60).kind.tolist() == []
    for body in (gate, ball):
        assert body.removed or body in world


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_at_a_pause_ends_visits_at_that_instant(change: str) -> None:
    world, gate, ball = visited()
    clock = world.add(cm.Circle((20, 20), 0.5), kind="dynamic", velocity=(1, 0), restitution=1)
    world.add(cm.Box((21.5, 20), (1, 1)))
    told = []
    for hit in world.events(1.0):
        told.append((hit.kind, hit.time, hit.body, hit.other))
        if hit.body == clock:
            CHANGES[change](world, gate, ball)
            world.add(cm.Circle((50, 50), 1))
    assert [(kind, body, other) for kind, _, body, other in told[1:]] == [("exit", ball, gate)]
    assert told[0][1] == told[1][1] == 0.5
    assert world.step(1 / 60).kind.tolist() == []


def test_a_body_moved_within_a_sensor_is_not_reported() -> None:
    world, gate, ball = visited()
    ball.position = (1, 1)
    ball.mask = "gates"
    assert ball.mask == "gates"
    assert world.step(1 / 60).kind.tolist() == []
    assert world.inside(gate) == [ball]
    ball.mask = None
    ball.layer = "default"
    assert (ball.mask, ball.layer) == (None, "default")
    assert world.inside(gate) == [ball]


def test_an_exit_survives_an_exception_and_a_loop_that_never_runs() -> None:
    world, gate, ball = visited()
    world.remove(ball)
    world.events(1.0)
    assert [hit.kind for hit in world.events(1 / 60)] == ["exit"]
    world, gate, ball = visited()
    ball.velocity = (1.0, 0.0)
    world.add(cm.Box((1.5, 0), (1, 1)))
    try:
        for _hit in world.events(1.0):
            world.remove(gate)
            raise KeyError
    except KeyError:
        pass
    assert world.resume().kind.tolist() == [EXITED]


@given(st.integers(0, 2**32 - 1))
def test_entries_and_exits_alternate(seed: int) -> None:
    """Whatever is moved, changed and removed: of each pair an entry, then an exit, and so on."""
    rng = np.random.default_rng(seed)
    world = SmoothWorld()
    for k in range(4):
        shape = [cm.Circle((2 * k, 0), 1.5), cm.Box((2 * k, 1), (2, 3)), cm.Box((2 * k, 1), (2, 3), 0.5)][k % 3]
        velocity = (0.0, 0.0) if k % 2 else rng.uniform(-5, 5, 2)
        world.add(shape, kind="static" if k % 2 else "kinematic", velocity=velocity, sensor=True)
    inside: set[tuple[cm.Body, cm.Body]] = set()

    def take(hit: cm.WorldHit) -> None:
        pair = (hit.body, hit.other)
        if hit.kind == "enter":
            assert pair not in inside
            inside.add(pair)
        elif hit.kind == "exit":
            inside.remove(pair)

    for _ in range(12):
        bodies = world.bodies
        for _ in range(int(rng.integers(3))):
            x, y = rng.uniform(-2, 8, 2)
            speed = 10.0 ** rng.uniform(-1, 4) * rng.normal(0, 1, 2)
            if rng.random() < 0.3:
                world.add(cm.Box((x, y), (2, 0.3)), kind="kinematic", spin=rng.normal(0, 20), velocity=speed / 100)
            else:
                world.add(cm.Circle((x, y), 0.3), kind="dynamic", velocity=speed, restitution=1)
        for body in bodies:
            chance = rng.random()
            if chance < 0.05:
                world.remove(body)
            elif chance < 0.15:
                body.position = rng.uniform(-2, 8, 2)
            elif chance < 0.2:
                body.mask = None if body.mask == () else ()
        for hit in world.events(1 / 30):
            take(hit)
            if rng.random() < 0.1 and not hit.body.removed:
                hit.body.position = rng.uniform(-2, 8, 2)
            elif rng.random() < 0.1 and not hit.other.removed:
                world.remove(hit.other)
    for body in world.bodies:
        world.remove(body)
    for hit in world.events(1 / 30):
        take(hit)
    assert inside == set()


def test_bodies_removed_together_leave_in_the_given_order() -> None:
    """Of a visitor and its sensor, both removed, there is one exit; rows come free once all is told."""
    world = SmoothWorld()
    gates = [world.add(cm.Box((x, 0), (9, 4)), sensor=True) for x in (0, 20)]
    balls = [world.add(cm.Circle((x, 0), 0.3), kind="dynamic", velocity=(0, 0.1)) for x in (0, 20, 2, 22, -2)]
    assert world.step(0.1).kind.tolist() == [ENTERED] * 5
    world.remove(balls[3], gates[0], balls[1], balls[2])
    told = [(hit.kind, hit.body, hit.other) for hit in world.events(0.1)]
    left = [(balls[3], gates[1]), *((balls[k], gates[0]) for k in (0, 2, 4)), (balls[1], gates[1])]
    assert sorted(told[1:4], key=lambda one: one[1]._row) == [("exit", *pair) for pair in left[1:4]]
    assert (told[0], told[4]) == (("exit", *left[0]), ("exit", *left[4]))
    world.step(0.1)
    rows = {world.add(cm.Circle((x, 9), 0.3)).row for x in range(4)}
    assert rows == {0, 3, 4, 5}


def test_turning_bodies_that_graze_a_turning_sensor_go_in_and_out_rarely() -> None:
    """Once one of them entered and left it half a million times in a step, at one instant."""
    rng, side, rows = np.random.default_rng(2), math.sqrt(40 / 0.2), 7
    world = cm.World(gravity=(0, -2))
    for at, size in (((0, -1), (4, 2)), ((0, 1), (4, 2)), ((-1, 0), (2, 4)), ((1, 0), (2, 4))):
        center = (at[0] * (side / 2 + 1), at[1] * (side / 2 + 1))
        sides = (side + 4, 2) if size[0] > size[1] else (2, side + 4)
        world.add(cm.Box(center, sides), restitution=1, friction=0)
    for k in range(40):
        x, y = ((k % rows) + 0.5) * side / rows - side / 2, ((k // rows) + 0.5) * side / rows - side / 2
        shape = cm.Circle((x, y), 0.5) if k % 2 else cm.Box((x, y), (0.8, 0.8))
        motion: dict[str, Any] = {"velocity": rng.normal(0, 5, 2), "spin": rng.normal()}
        world.add(shape, kind="dynamic", restitution=1, friction=0, **motion)
    world.add(cm.Box((0, 0), (4, 4)), sensor=True)
    world.add(cm.Box((3, 2), (4, 0.2)), sensor=True, kind="kinematic", spin=2.0)
    world.add(cm.Box((-3, -3), (3, 0.4)), kind="kinematic", spin=1.0, pivot=(-4, -3))
    for _ in range(200):
        assert np.isin(world.step(1 / 60).kind, (ENTERED, EXITED)).sum() < 100


def stays(center: Pair, way: Pair, spin: float, samples: int) -> list[Pair]:
    """Return from when to when, in steps, a bar of length 1 is in a box of 6 by 3, by samples of its way.

    What is apart for no longer than 12 samples, 2.5 times the shortest stay, counts as one.
    """
    time = np.linspace(0, 1 / 60, samples)
    half_x, half_y = 0.5 * np.cos(spin * time), 0.5 * np.sin(spin * time)
    low, high = np.zeros(samples), np.ones(samples)
    for at, along, half, size in zip(center, way, (half_x, half_y), (3.0, 1.5), strict=True):
        first = at + along * time - half
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = (-size - first) / (2 * half), (size - first) / (2 * half)
        low, high = np.maximum(low, np.minimum(*ends)), np.minimum(high, np.maximum(*ends))
    inside = np.flatnonzero(low <= high)
    runs = np.split(inside, np.flatnonzero(np.diff(inside) > 12) + 1)
    return [(run[0] / samples, run[-1] / samples) for run in runs if run.size > 12]


def merged(told: list[Pair], least: float) -> list[Pair]:
    """Join what lies no more than `least` apart."""
    joined = told[:1]
    for begin, end in told[1:]:
        if begin - joined[-1][1] <= least:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    return joined


@pytest.mark.parametrize("first", [0, 100, 200, pytest.param(300, marks=pytest.mark.full)])
def test_a_bar_that_whirls_through_a_sensor_tells_each_stay(first: int) -> None:
    """Once one in a hundred entered and left a million times, and after the first exit no entry was told."""
    for seed in range(first, first + (100 if first < 300 else 3000)):
        rng, world = np.random.default_rng(seed), cm.World()
        world.add(cm.Box((0, 0), (6, 3)), sensor=True)
        x, y = rng.uniform(-8, 8), rng.uniform(-4, 4)
        way, spin = tuple(rng.normal(0, 300, 2).tolist()), rng.normal(0, 600)
        world.add(cm.Segment((x - 0.5, y), (x + 0.5, y)), kind="dynamic", velocity=way, spin=spin)
        hits = world.step(1 / 60)
        assert hits.kind.tolist() == [ENTERED, EXITED] * (len(hits) // 2) + [ENTERED] * (len(hits) % 2)
        times = [*(hits.time * 60).tolist(), 1.0]
        for begin, end in stays((x, y), way, spin, 20_000):
            told = merged([(times[k], times[k + 1]) for k in range(0, len(hits), 2)], 12 / 20_000)
            assert any(a <= begin + 1e-3 and end - 1e-3 <= b for a, b in told), (seed, begin, end, told)
