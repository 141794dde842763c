"""Invariants of a world at any speed: no overlap, no tunnelling, and energy and momentum are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from tests.support.smooth_world import SmoothWorld
from tests.support.world_scenes import KINDS, deepest, make, parts

EVEN = {"kind": "dynamic", "restitution": 1.0}


def gas(rng: np.random.Generator, side: int, kinds: tuple[str, ...], speed: float, tiles: int = 6) -> cm.World:
    """Return an elastic gas in a room whose walls are rows of flush tiles."""
    world = SmoothWorld()
    room = 2.0 * side
    step = room / tiles
    for k in range(-1, tiles + 1):
        for low, size in (
            ((k * step, -1.0), (step, 1.0)),
            ((k * step, room), (step, 1.0)),
            ((-1.0, k * step), (1.0, step)),
            ((room, k * step), (1.0, step)),
        ):
            world.add(cm.Box.from_corners(low, (low[0] + size[0], low[1] + size[1])))
    for i in range(side):
        for j in range(side):
            shape = make(kinds[int(rng.integers(len(kinds)))], 2 * i + 1, 2 * j + 1, 1.6, rng.uniform(0, 6))
            velocity = rng.normal(0, speed, 2)
            world.add(shape, velocity=velocity, mass=float(rng.uniform(0.2, 5)), **EVEN)
    return world


def energy(world: cm.World) -> float:
    """Return the kinetic energy of the dynamic bodies."""
    return sum(b.mass * (b.velocity.x**2 + b.velocity.y**2) / 2 for b in world.bodies if b.kind == "dynamic")


def outside(world: cm.World, room: float) -> int:
    """Return how many dynamic bodies have their centre outside the room."""
    inner = world.positions[world.rows(b for b in world.bodies if b.kind == "dynamic")]
    return int(((inner < 0) | (inner > room)).any(1).sum())


@pytest.mark.parametrize("kinds", [("circle",), ("box",), KINDS])
@pytest.mark.parametrize("speed", [3.0, 300.0])
def test_a_gas_keeps_its_energy_its_room_and_its_distances(kinds: tuple[str, ...], speed: float) -> None:
    rng = np.random.default_rng(5)
    world = gas(rng, 4, kinds, speed)
    before = energy(world)
    for _ in range(20):
        hits = world.step(1 / 60, steps=2)
        assert set(hits.kind.tolist()) <= {"hit"}
        assert deepest(world) >= -1e-9
        assert outside(world, 8.0) == 0
    assert energy(world) == pytest.approx(before, rel=1e-12)


@given(
    st.lists(st.tuples(st.sampled_from(KINDS), st.floats(0.3, 1.9), st.floats(0.1, 10)), min_size=2, max_size=9),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_free_bodies_keep_momentum_and_energy(bodies: list[tuple[str, float, float]], seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    world = SmoothWorld()
    for k, (kind, size, mass) in enumerate(bodies):
        x, y = 2.0 * (k % 3), 2.0 * (k // 3)
        shape = make(kind, x * unit, y * unit, size * unit, rng.uniform(0, 6))
        velocity = (np.array([2.0, 2.0]) - (x, y) + rng.normal(0, 1, 2)) * unit
        world.add(shape, velocity=velocity, mass=mass, **EVEN)
    masses = np.array([body.mass for body in world.bodies])[:, None]
    momentum, before = (masses * world.velocities).sum(0), energy(world)
    largest = np.abs(masses * world.velocities).sum()
    for _ in range(12):
        world.step(1 / 8)
        assert deepest(world) >= -1e-9 * unit
    assert (masses * world.velocities).sum(0) == pytest.approx(momentum, abs=1e-12 * largest)
    assert energy(world) == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("wall", ["static", "kinematic", "dynamic"])
@pytest.mark.parametrize("shape", ["circle", "box"])
def test_no_bullet_gets_through_a_wall(wall: str, shape: str) -> None:
    """1,000 bullets at 1 to 100,000 units a second, each on its own piece of wall, 0.1 thick."""
    rng = np.random.default_rng(20240611)
    n = 1000
    speeds = np.sort(10 ** rng.uniform(0, 5, n))
    starts = -rng.uniform(1, 2, n) - rng.uniform(0, 1, n) * speeds / 60
    world = SmoothWorld()
    lanes = np.column_stack((np.zeros(n), 0.5 * np.arange(n)))
    pieces = cm.Shapes.boxes(lanes, np.tile((0.1, 0.4), (n, 1)))
    world.add_many(pieces, kind=wall, mass=1e15 if wall == "dynamic" else None)
    at = np.column_stack((starts, lanes[:, 1]))
    shapes = cm.Shapes.circles(at, 0.05) if shape == "circle" else cm.Shapes.boxes(at, np.full((n, 2), 0.1))
    bullets = world.rows(world.add_many(shapes, kind="dynamic", velocity=np.column_stack((speeds, np.zeros(n)))))
    world.step(1 / 60, steps=130)
    assert (world.positions[bullets, 0] <= -0.1 + 1e-6).all()
    assert (world.positions[bullets, 0] >= -0.1 - 1e-6).all()


def test_a_ball_at_full_speed_plays_every_bounce() -> None:
    world = SmoothWorld()
    for low, high in (((-1, -1), (0, 11)), ((10, -1), (11, 11)), ((-1, -1), (11, 0)), ((-1, 10), (11, 11))):
        world.add(cm.Box.from_corners(low, high))
    ball = world.add(cm.Circle((5, 5), 0.5), velocity=(1e5, 0), **EVEN)
    hits = world.step(1 / 60)
    assert hits.time.size == pytest.approx(1e5 / 60 / 9, abs=1)
    assert abs(ball.velocity.x) == 1e5


@pytest.mark.parametrize("spread", [1e3, 1e6])
def test_sizes_far_apart_collide_without_loss(spread: float) -> None:
    world = SmoothWorld()
    giant = world.add(cm.Circle((0, 0), spread), mass=spread**2, **EVEN)
    dust = [
        world.add(cm.Circle((-2 * spread, k), 0.5 / spread), velocity=(spread, 0), mass=1 / spread, **EVEN)
        for k in range(-5, 6)
    ]
    before = energy(world)
    hits = world.step(1 / 60, steps=120)
    assert hits.time.size == len(dust)
    assert all(body.velocity.x < 0 for body in dust)
    assert giant.velocity.x > 0
    assert energy(world) == pytest.approx(before, rel=1e-9)


class Watch:
    """The invariants of an elastic gas, quickly asked for at every instant: nothing excused."""

    def __init__(self, world: cm.World, room: float) -> None:
        shapes = [(body.row, part) for body in world.bodies for part in parts(body.shape)]
        self.world, self.room = world, room
        self.owner = np.array([row for row, _ in shapes])
        self.shapes = cm.Shapes([part for _, part in shapes])
        self.bounds, self.start = self.shapes.bounds, world.positions.copy()
        still = np.array([world.body(row).kind == "static" for row in self.owner.tolist()])
        self.pairs = (self.owner[:, None] < self.owner) & ~(still[:, None] & still)
        self.moving = np.array([body.row for body in world.bodies if body.kind == "dynamic"])
        self.masses = np.array([world.body(row).mass for row in self.moving.tolist()])
        self.energy = self.energy_now()

    def energy_now(self) -> float:
        return float((self.masses * (self.world.velocities[self.moving] ** 2).sum(1)).sum())

    def check(self) -> None:
        positions = self.world.positions
        inner = positions[self.moving]
        assert inner.min() > 0
        assert inner.max() < self.room
        assert abs(self.energy_now() / self.energy - 1) <= 1e-11
        moves = (positions - self.start)[self.owner]
        (x, y), (low_x, low_y, high_x, high_y) = moves.T, self.bounds.T
        low_x, low_y, high_x, high_y = low_x + x, low_y + y, high_x + x, high_y + y
        near = self.pairs & (low_x[:, None] <= high_x) & (low_x <= high_x[:, None])
        i, j = np.nonzero(near & (low_y[:, None] <= high_y) & (low_y <= high_y[:, None]))
        if i.size:
            both = self.shapes.translated(moves)[np.concatenate((i, j))]
            assert cm.separation(both[: i.size], both[i.size :]).min() >= -1e-9


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20))
def test_mixed_gases_keep_their_energy_for_long(seed: int) -> None:
    """A million impacts in all; the invariants at every instant at which something happens, nothing excused."""
    rng = np.random.default_rng(seed)
    world = gas(rng, 5, KINDS, float(rng.choice([5.0, 50.0, 3000.0])))
    watch, impacts = Watch(world, 10.0), 0
    while impacts < 50_000:
        for hit in world.events(1 / 60):
            impacts += 1
            assert hit.kind == "hit"
            watch.check()


@pytest.mark.parametrize("seed", range(30))
def test_rubbing_on_a_moving_wall_makes_no_energy_but_by_its_work(seed: int) -> None:
    # Seen from the wall it does no work; restitution and friction together could make energy (Kane's paradox).
    rng, world = np.random.default_rng(seed), cm.World()
    wall_speed = rng.normal(0, 3, 2)
    world.add(cm.Box((0, -1), (100, 2)), kind="kinematic", velocity=wall_speed, friction=2)
    bar = cm.Box((0, 0), (1, 0.1), angle=rng.uniform(0, np.pi))
    bar = bar.translated((0, 0.02 - cm.bounds(bar)[1]))
    velocity = rng.normal(0, 6, 2) + np.array([0, -4])
    body = world.add(bar, kind="dynamic", restitution=1, friction=2, velocity=velocity, spin=rng.normal(0, 20))

    def energy() -> float:
        along = np.array(body.velocity) - wall_speed
        return float(body.mass * (along @ along) + body.inertia * body.spin**2)

    for _ in range(5):
        before = energy()
        world.step(1 / 240)
        assert energy() <= before * (1 + 1e-9)


def test_bodies_in_free_space_that_have_no_way_out_keep_their_momentum() -> None:
    """They were put at rest, where they stood before the step."""
    world, bodies = cm.World(), []
    for k, mass in enumerate((0.1, 1000, 0.001, 10)):
        moves = k < 2
        shape = cm.Circle((k - 3 if moves else k, 0), 0.5)
        bodies.append(world.add(shape, kind="dynamic", mass=mass, restitution=1, velocity=(float(moves), 0)))
    for _ in range(300):
        world.step(1 / 60)
        assert sum(body.mass * body.velocity.x for body in bodies) == pytest.approx(1000.1, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_gas_of_mixed_shapes_that_falls_fast_gains_no_energy(seed: int) -> None:
    """Slow pairs made piles of it, which bounced where they were when the step began: a seventh in ten seconds."""
    rng, world, half, pull = np.random.default_rng(seed), cm.World(gravity=(0, -100)), 8.0, 100.0
    for x, y in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        size = (2, 4 * half) if x else (4 * half, 2)
        world.add(cm.Box((x * (half + 1), y * (half + 1)), size), restitution=1, friction=0)
    bodies = []
    for k in range(30):
        x, y, angle = -6.5 + 2.3 * (k % 6), -6 + 2.4 * (k // 6), rng.uniform(0, 6)
        corners = np.array((x, y)) + 0.5 * rng.normal(size=(7, 2)).clip(-1.2, 1.2)
        shapes = (
            cm.Circle((x, y), 0.5),
            cm.Box((x, y), (0.9, 0.6), angle=angle),
            cm.Capsule((x - 0.4, y), (x + 0.4, y), 0.25),
            cm.hull(corners),
        )
        velocity, spin = rng.uniform(-5, 5, 2), rng.uniform(-5, 5)
        settings = {"kind": "dynamic", "restitution": 1, "friction": 0, "spin": spin}
        bodies.append(world.add(shapes[k % 4], velocity=velocity, **settings))

    def energy() -> float:
        return sum(
            body.mass * (body.velocity.x**2 + body.velocity.y**2) / 2
            + body.mass * pull * (body.position.y + half)
            + body.inertia * body.spin**2 / 2
            for body in bodies
        )

    start = energy()
    for _ in range(24):
        world.step(1 / 60, steps=15)
        assert 0.9 * start < energy() < 1.004 * start
