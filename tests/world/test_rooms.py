"""Bodies of all kinds poured into a room of lines or thin boxes: none leaves it, and the room may be of any size."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np
import pytest

import carom as cm

WIDE, HIGH = 5.0, 12.0
KINDS = ["circle", "box", "capsule", "polygon", "segment", "star", "point"]


def star(x: float, y: float, tips: int, unit: float) -> cm.Compound:
    radii = [0.6 if k % 2 else 0.27 for k in range(2 * tips)]
    return cm.decompose(
        [((x + r * cos(pi * k / tips)) * unit, (y + r * sin(pi * k / tips)) * unit) for k, r in enumerate(radii)]
    )


def shape_of(kind: str, x: float, y: float, rng: np.random.Generator, unit: float) -> cm.Shape | cm.Compound:
    size, other = rng.uniform(0.2, 0.9, 2)
    lift = rng.uniform(-0.2, 0.2)
    ends = ((x - 0.3) * unit, y * unit), ((x + 0.3) * unit, (y + lift) * unit)
    if kind == "circle":
        return cm.Circle((x * unit, y * unit), 0.5 * size * unit)
    if kind == "box":
        return cm.Box((x * unit, y * unit), (size * unit, other * unit))
    if kind == "capsule":
        return cm.Capsule(*ends, 0.15 * unit)
    if kind == "wire":
        return cm.Capsule(*ends, 0.002 * unit)
    if kind == "polygon":
        return cm.hull((np.array([x, y]) + 0.4 * rng.normal(size=(6, 2)).clip(-1.5, 1.5)) * unit)
    if kind == "segment":
        return cm.Segment(*ends)
    return star(x, y, int(rng.integers(3, 6)), unit) if kind == "star" else cm.Point((x * unit, y * unit))


def wall_of(a: tuple[float, float], b: tuple[float, float], thick: float) -> cm.Shape:
    """Return a wall that begins at the line from a to b, anticlockwise around the room, and lies outside."""
    if thick == 0.0:
        return cm.Segment(a, b)
    x, y = np.sign([b[1] - a[1], a[0] - b[0]]) * thick
    low, high = np.minimum(a, b) + np.minimum([x, y], 0.0), np.maximum(a, b) + np.maximum([x, y], 0.0)
    return cm.Box((low + high) / 2, high - low)


def room(
    seed: int, kinds: list[str], gravity: float, unit: float = 1.0, mass: float = 1.0, thick: float = 0.0
) -> cm.World:
    """Return 40 bodies above a spinning bar; masses differ by 10,000."""
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -gravity * unit))
    w, h = WIDE * unit, HIGH * unit
    for a, b in [((-w, 0), (w, 0)), ((-w, h), (-w, 0)), ((w, 0), (w, h)), ((w, h), (-w, h))]:
        world.add(wall_of(a, b, thick))
    world.add(cm.Box((0, 2 * unit), (3 * unit, 0.3 * unit)), kind="kinematic", spin=rng.uniform(-2, 2))
    for k in range(40):
        x, y = -4 + 1.3 * (k % 7) + rng.uniform(-0.1, 0.1), 4 + 1.3 * (k // 7) + rng.uniform(-0.1, 0.1)
        world.add(
            shape_of(kinds[rng.integers(len(kinds))], x, y, rng, unit),
            kind="dynamic",
            velocity=rng.uniform(-3, 3, 2) * unit,
            spin=rng.uniform(-5, 5),
            mass=10 ** rng.uniform(-2, 2) * mass,
            restitution=float(rng.choice([0, 0, 0.5])),
        )
    return world


def outside(world: cm.World) -> int:
    x, y = world.positions[4:].T
    return int(((np.abs(x) > WIDE + 0.01) | (y < -0.01) | (y > HIGH + 0.01)).sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kinds", [["segment"], ["segment", "point"], KINDS], ids=["segments", "thin", "all"])
def test_nothing_leaves_a_room_of_lines(kinds: list[str], seed: int) -> None:
    world = room(seed, kinds, 10.0)
    for _ in range(40):
        world.step(1 / 60, steps=10)
        assert outside(world) == 0


@pytest.mark.parametrize("seed", [0, 1, 4, 5])
@pytest.mark.parametrize("thick", [0.001, 0.003, 0.01])
@pytest.mark.parametrize("kinds", [["segment"], ["segment", "point"], KINDS], ids=["segments", "thin", "all"])
def test_nothing_leaves_a_room_of_thin_boxes(kinds: list[str], thick: float, seed: int) -> None:
    world = room(seed, kinds, 10.0, thick=thick)
    world.step(1 / 60, steps=400)
    assert outside(world) == 0


@pytest.mark.parametrize("seed", [*(pytest.param(seed, marks=pytest.mark.full) for seed in range(2)), 2])
def test_nothing_leaves_a_room_that_it_falls_through_ten_times_in_a_step(seed: int) -> None:
    world = room(seed, KINDS, 1000.0)
    for _ in range(30):
        world.step(0.2)
        assert outside(world) == 0


@pytest.mark.parametrize("gravity", [10.0, 0.0])
@pytest.mark.parametrize(("unit", "mass"), [(2.0**30, 1.0), (2.0**-30, 1.0), (1.0, 2.0**40)])
def test_a_world_has_no_unit_of_length_or_mass(unit: float, mass: float, gravity: float) -> None:
    for seed in range(2):
        one, other = room(seed, KINDS, gravity), room(seed, KINDS, gravity, unit, mass)
        for _ in range(100):
            one.step(1 / 64)
            other.step(1 / 64)
        assert (other.positions / unit == one.positions).all()
        assert (other.velocities / unit == one.velocities).all()
        assert (other.angles == one.angles).all()


def deep(world: cm.World) -> int:
    return len(world.overlaps().depth)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kinds", [["capsule", "box"], KINDS, ["segment", "wire"]], ids=["smooth", "all", "wires"])
def test_no_body_is_deep_after_steps_with_changes_at_pauses(kinds: list[str], seed: int) -> None:
    world = room(seed, kinds, 10.0)
    bodies = list(world.bodies)[5:]
    for step in range(150):
        for k, _ in enumerate(world.events(1 / 60)):
            if k % 7 == 0:
                bodies[(step + k) % 40].apply_impulse((0.0, 0.001))
        assert deep(world) == 0


@pytest.mark.parametrize("seed", range(3))
def test_no_body_is_deep_where_a_step_is_abandoned(seed: int) -> None:
    world = room(seed, KINDS, 100.0)
    for step in range(100):
        for k, _ in enumerate(world.events(1 / 60)):
            if k == step % 10:
                world.abandon()
        assert deep(world) == 0


@pytest.mark.parametrize("seed", [0, 12])
def test_no_wire_leaves_a_room_however_fast_it_flies_and_turns(seed: int) -> None:
    world, rng = room(seed, ["wire"], 10.0), np.random.default_rng(seed)
    bodies = list(world.bodies)[5:]
    for step in range(120):
        for body in bodies[step % 4 :: 4]:
            if rng.random() < 0.2:
                body.velocity, body.spin = rng.uniform(-500, 500, 2), rng.uniform(-1000, 1000)
        world.step(1 / 60)
        assert outside(world) == 0


def test_a_body_removed_where_a_step_is_abandoned_is_out_of_the_grid() -> None:
    world = room(0, KINDS, 10.0)
    bodies = list(world.bodies)[5:]
    world.step(1 / 60, steps=30)
    while len(bodies) > 20:
        for k, _ in enumerate(world.events(1 / 60)):
            if k == 3:
                body = bodies.pop()
                body.velocity = (0.0, 1.0)
                world.remove(body)
                world.abandon()
    parts = world._tables.parts[: int(world._tables.state["parts"][0])]
    assert (parts["body"] < 0).any()
    assert (parts["cell"][parts["body"] < 0] < 0).all()


@pytest.mark.parametrize(("seed", "gravity", "dt"), [(12, 1.8, 0.00078), (34, 0.1, 0.00056), (21, 800.0, 0.00016)])
def test_no_body_is_deep_after_short_steps(seed: int, gravity: float, dt: float) -> None:
    """What goes on within the skin without an impact is measured in the next step, however short."""
    world = room(seed, KINDS, gravity)
    for _ in range(150):
        world.step(dt, steps=4)
        assert deep(world) == 0


def test_sensors_lose_what_is_put_out_of_them_at_the_end_of_a_step() -> None:
    """What opens overlaps moves bodies without a way on which they could leave."""
    for seed in (1, 5):
        world = room(seed, KINDS, 100.0)
        bodies = list(world.bodies)[5:]
        box = world.add(cm.Box((0, 3), (3, 2)), sensor=True)
        line = world.add(cm.Segment((-4, 5), (4, 1)), sensor=True)
        within: set[tuple[int, int]] = set()
        for step in range(100):
            for k, hit in enumerate(world.events(1 / 60)):
                if k % 9 == 4:
                    bodies[(step + k) % 40].velocity = ((-1) ** k * 15.0, 10.0)
                if hit.kind in ("enter", "exit"):
                    pair = (hit.body.row, hit.other.row)
                    assert (pair in within) == (hit.kind == "exit")
                    within ^= {pair}
            for sensor in (box, line):
                assert all(cm.separation(body.shape, sensor.shape) < 1e-6 for body in world.inside(sensor))


def test_a_step_is_abandoned_after_many_bodies_came() -> None:
    world = room(0, ["circle"], 10.0)
    world.step(1 / 60, steps=40)
    while len(world.bodies) < 100:
        for k, _ in enumerate(world.events(1 / 60)):
            if k == 0:
                for x in np.linspace(-4.5, -1.5, 200):
                    world.add(cm.Circle((x, 11.0), 0.3), kind="dynamic")
                world.abandon()
    assert len(world._store.piles.solving) >= len(world.bodies) == 245
    assert deep(world) > 0  # they were put there
    world.step(1 / 60)


def test_nothing_leaves_a_drum_that_waits() -> None:
    """A drum that went back, since a body had no way out, left those outside that it had pushed before."""
    for seed in range(8):
        rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -700))
        turns = np.arange(6) * pi / 3
        sides = [cm.Box((5.05 * cos(a), 5.05 * sin(a)), (0.1, 5.9), angle=a) for a in turns]
        drum = world.add(cm.Compound.from_parts(sides), kind="kinematic", spin=5)
        for k in range(10):
            x, y = -2.4 + 0.8 * (k % 7), -1.5 + k // 7
            shape = cm.Box((x, y), (0.6, 0.3)) if rng.random() < 0.5 else cm.Segment((x - 0.3, y), (x + 0.3, y))
            world.add(shape, kind="dynamic", mass=10 ** rng.uniform(-2, 2), restitution=0.9 * rng.integers(2))
        for _ in range(40):
            world.step(1 / 30)
            places = world.positions[1:]
            out = [cos(a + drum.angle) * places[:, 0] + sin(a + drum.angle) * places[:, 1] for a in turns]
            assert np.max(out) < 5.05


TURNS = np.arange(4) * pi / 2


def crate_of(thick: float) -> cm.Compound:
    """Return four sides around a square of 6."""
    far, size = 3 + 0.5 * thick, (thick, 6 + 2 * thick)
    return cm.Compound.from_parts([cm.Box((far * cos(a), far * sin(a)), size, angle=a) for a in TURNS])


def crate_in_a_room(world: cm.World, thick: float, **moving: Any) -> cm.Body:
    """Put four walls in, and between them a crate, body 4."""
    for center, size in (((0, -11), (24, 2)), ((0, 11), (24, 2)), ((-11, 0), (2, 24)), ((11, 0), (2, 24))):
        world.add(cm.Box(center, size))
    return world.add(crate_of(thick), kind="dynamic", **moving)


def farthest_in(world: cm.World, crate: cm.Body) -> float:
    """Return how far from the middle of the crate, towards a side, the other bodies come."""
    places = world.positions[5:] - world.positions[4]
    out = [cos(a + crate.angle) * places[:, 0] + sin(a + crate.angle) * places[:, 1] for a in TURNS]
    return float(np.max(out))


def test_nothing_leaves_a_crate_that_is_thrown() -> None:
    """A crate that hit a floor went on without a look at what it held, which was beyond its sides then."""
    for seed in range(6):
        rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -20))
        moving = {"velocity": rng.normal(0, 20, 2), "spin": rng.normal(0, 5)}
        crate = crate_in_a_room(world, 0.02, mass=10 ** rng.uniform(-1, 1), **moving)
        for k in range(16):
            shape = shape_of(["circle", "box", "segment", "polygon"][k % 4], k % 4 - 1.5, k // 4 - 1.5, rng, 1.0)
            world.add(shape, kind="dynamic", mass=10 ** rng.uniform(-1, 1))
        for _ in range(90):
            world.step(1 / 30)
            assert farthest_in(world, crate) < 3.01


@pytest.mark.parametrize("seed", range(6))
def test_nothing_leaves_a_crate_that_is_stirred_without_gravity(seed: int) -> None:
    """What was hit without end was held, or let go on, while others looked at the velocity that it no longer had."""
    rng, world, thick = np.random.default_rng(seed), cm.World(), (0.004, 0.02, 0.1)[seed % 3]
    crate = crate_in_a_room(world, thick, mass=10 ** rng.uniform(-1, 1))
    for k in range(16):
        shape = shape_of(["segment", "box", "segment", "circle"][k % 4], 1.4 * (k % 4 - 1.5), k // 4 - 1.5, rng, 1.0)
        world.add(shape, kind="dynamic", mass=10 ** rng.uniform(-3, 1), restitution=0.3 * rng.integers(2))
    bodies = list(world.bodies)[4:]
    for _ in range(90):
        body = bodies[rng.integers(len(bodies))] if rng.random() < 0.5 else crate
        body.velocity, body.spin = rng.normal(0, 30, 2), rng.normal(0, 20)
        body.force = rng.normal(0, 100, 2) * body.mass if rng.random() < 0.2 else (0, 0)
        world.step(1 / 30)
        assert farthest_in(world, crate) < 3 + 0.5 * thick


def test_what_spins_in_free_space_with_all_that_it_holds_goes_on_spinning() -> None:
    """It stood still all at once: bodies in its corners were taken to be lost, and what goes back did not turn."""
    world, rng = cm.World(), np.random.default_rng(0)
    world.add(crate_of(0.2), kind="dynamic", mass=5, spin=3.0, restitution=0.3)
    for k in range(25):
        place = -2 + k // 5, -2 + k % 5
        shape = cm.Circle(place, 0.3) if (k // 5 + k % 5) % 2 else cm.Box(place, (0.6, 0.4))
        world.add(shape, kind="dynamic", mass=1, velocity=rng.normal(0, 1, 2), restitution=0.3)
    masses, inertias = (np.array([getattr(body, name) for body in world.bodies]) for name in ("mass", "inertia"))

    def momenta() -> tuple[np.ndarray, float]:
        (x, y), (vx, vy) = world.positions.T, world.velocities.T
        return masses @ world.velocities, float(masses @ (x * vy - y * vx) + inertias @ world.spins)

    momentum, turning = momenta()
    for _ in range(150):
        before = momenta()[1]
        world.step(1 / 60)
        assert momenta()[1] == pytest.approx(before, abs=0.002 * turning)
    assert momenta()[0] == pytest.approx(momentum, abs=1e-9)
    assert momenta()[1] == pytest.approx(turning, rel=0.02)
