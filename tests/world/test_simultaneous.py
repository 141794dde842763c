"""Many impacts at one instant: rows of touching balls hand on an impact, and gain no energy."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm
from carom.world.solver import solve
from carom.world.tables import BODY, CONTACT, DYNAMIC, rows_of

HIT, CRUSHED, STALLED, CUT = 0, 3, 4, 5


def row_of_balls(velocities: list[float], masses: list[float], restitution: float, gap: int = 0) -> cm.World:
    """Return a world with a row of touching balls, but for a gap of 1 before ball number `gap`, if that is not 0."""
    world = cm.World()
    for k, (speed, mass) in enumerate(zip(velocities, masses, strict=True)):
        x = k - 1 if k < gap else k
        world.add(cm.Circle((x, 0), 0.5), kind="dynamic", velocity=(speed, 0), mass=mass, restitution=restitution)
    return world


def momentum_and_energy(world: cm.World, masses: list[float]) -> tuple[float, float]:
    """Return the sum of momenta along x and twice the kinetic energy."""
    v, m = world.velocities, np.array(masses)
    return float((m * v[:, 0]).sum()), float((m * (v * v).sum(axis=1)).sum())


@pytest.mark.parametrize(("coming", "standing"), [(1, 12), (9, 9), (12, 5), (9, 20), (30, 30), (60, 60)])
def test_a_long_cradle_releases_as_many_balls_as_come(coming: int, standing: int) -> None:
    world = row_of_balls([1.0] * coming + [0.0] * standing, [1.0] * (coming + standing), 1.0, coming)
    hits = world.step(0.25, steps=8)
    assert world.velocities[:, 0].tolist() == [0.0] * standing + [1.0] * coming
    assert not np.isin(hits.kind, (STALLED, CUT)).any()


@pytest.mark.parametrize("restitution", [1.0, 0.9, 0.5, 0.0])
@pytest.mark.parametrize("seed", range(8))
def test_rows_of_unequal_balls_gain_no_energy(seed: int, restitution: float) -> None:
    rng = np.random.default_rng(seed)
    coming, standing = rng.integers(1, 12, 2).tolist()
    masses = (100.0 ** rng.uniform(-1, 1, coming + standing)).tolist()
    world = row_of_balls([1.0] * coming + [0.0] * standing, masses, restitution, coming)
    momentum, energy = momentum_and_energy(world, masses)
    for _ in range(8):
        hits = world.step(0.25)
        assert not np.isin(hits.kind, (STALLED, CUT)).any()
        after = momentum_and_energy(world, masses)
        assert after[0] == pytest.approx(momentum, rel=1e-12)
        assert after[1] <= energy * (1 + 1e-12)
        energy = after[1] if restitution < 1 else energy
    assert restitution < 1 or after[1] == pytest.approx(energy, rel=1e-12)
    assert (np.diff(world.positions[:, 0]) >= 1 - 1e-9).all()


@pytest.mark.parametrize("restitution", [1.0, 0.5])
@pytest.mark.parametrize("count", [10, 100, 200])
def test_a_row_of_balls_pressed_everywhere_at_once_gains_no_energy(count: int, restitution: float) -> None:
    rng = np.random.default_rng(51)
    masses = (10 ** rng.uniform(-1, 1, count)).tolist()
    world = row_of_balls(rng.normal(0, 1, count).tolist(), masses, restitution)
    momentum, energy = momentum_and_energy(world, masses)
    hits = world.step(1e-3)
    after = momentum_and_energy(world, masses)
    assert after[0] == pytest.approx(momentum, rel=1e-11)
    assert after[1] <= energy * (1 + 1e-12)
    assert restitution < 1 or after[1] == pytest.approx(energy, rel=1e-12)
    assert not np.isin(hits.kind, (STALLED, CUT)).any()


def press(seed: int, offset: float = 0.0) -> tuple[cm.World, list[cm.Body]]:
    """Return a room in which a press drives up to 13 balls, and boxes, against the far wall."""
    corner = np.full(2, offset)
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, 0) if rng.random() < 0.5 else (0, -10))
    for low, high in (((-1, -1), (0, 7)), ((6, -1), (7, 7)), ((-1, -1), (7, 0)), ((-1, 6), (7, 7))):
        world.add(cm.Box.from_corners(corner + low, corner + high))
    count, circles = int(rng.integers(2, 14)), int(rng.integers(3)) < 2
    places: list[tuple[float, float, float]] = []
    balls = []
    while len(balls) < count:
        r = rng.uniform(0.2, 0.5)
        x, y = rng.uniform(1.1 + r, 6 - r), rng.uniform(r, 6 - r)
        if any((x - a) ** 2 + (y - b) ** 2 < (r + c + 1e-3) ** 2 for a, b, c in places):
            continue
        places.append((x, y, r))
        center = corner + np.array((x, y))
        shape = cm.Circle(center, r) if circles or rng.random() < 0.5 else cm.Box(center, (1.2 * r, 1.2 * r))
        velocity, bounce = rng.normal(0, 2, 2), float(rng.choice([0, 0.5, 0.9, 1]))
        mass = float(rng.uniform(0.2, 5))
        balls.append(world.add(shape, kind="dynamic", velocity=velocity, restitution=bounce, mass=mass))
    middle = corner + np.array((0.5, 3))
    world.add(cm.Box(middle, (0.9, 5.9)), kind="kinematic", velocity=(float(rng.uniform(0.5, 8)), 0))
    return world, balls


@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("seed", [11, 12, 35, 47, 99, 108])
def test_bodies_squeezed_by_a_press_are_crushed_and_never_stall(seed: int, offset: float) -> None:
    world, _ = press(seed, offset)
    kinds = set()
    for _ in range(140):
        kinds.update(world.step(1 / 60).kind.tolist())
    assert kinds <= {HIT, CRUSHED}


@pytest.mark.parametrize("seed", [1, 7, 57])
def test_bodies_squeezed_by_a_press_keep_a_bounded_speed(seed: int) -> None:
    world, balls = press(seed)
    for _ in range(140):
        hits = world.step(1 / 60)
        assert len(hits.time) < 4_000
        assert not (hits.kind == CUT).any()
        assert np.abs(world.velocities).max() < 1e5
        shapes = cm.Shapes([body.shape for body in world.bodies])
        near = cm.pairs(shapes)
        near = near[np.isin(near, world.rows(balls)).any(axis=1)]
        assert len(near) == 0 or cm.separation(shapes[near[:, 0]], shapes[near[:, 1]]).min() >= -1e-9


@pytest.mark.parametrize(("speed", "asked"), [(1.0, 1.0), (1.0, 0.0), (1e-165, 0.0), (1e-300, 0.0)])
@pytest.mark.parametrize("shares", [(0.0, 1.0, 1.0, 0.0), (0.0, 1.1, 1e-4, 0.0), (1.0, 1.0, 1000.0, 0.0)])
@pytest.mark.parametrize("spread", [0.0, 0.3, 1.5])
def test_impulses_stay_finite(speed: float, asked: float, shares: tuple[float, ...], spread: float) -> None:
    # Where no impulses would do (all are to part, between walls), and at speeds whose squares are 0.
    bodies, contacts = rows_of(BODY, 4), rows_of(CONTACT, 12)
    bodies["kind"], bodies["inverse_mass"] = DYNAMIC, shares
    bodies["vx"][1:3], bodies["vy"][1] = (speed, -0.3 * speed), 0.1 * speed
    weight = np.array(shares)
    for c in range(len(contacts)):
        a, b = c % 3, c % 3 + 1
        contacts["a"][c], contacts["b"][c] = a, b
        contacts["nx"][c], contacts["ny"][c] = np.cos(spread * (c - 1)), np.sin(spread * (c - 1))
        contacts["share_a"][c], contacts["share_b"][c] = weight[a], weight[b]
    contacts["target"] = asked
    solve(bodies, contacts, 0, len(contacts), 0.0)
    assert np.isfinite(contacts["impulse"]).all()
    energy = (bodies["vx"] ** 2 + bodies["vy"] ** 2)[weight > 0] / weight[weight > 0]
    before = (1.01 / shares[1] + 0.09 / shares[2]) * speed**2
    assert np.isfinite(energy).all()
    if asked == 0.0:
        assert energy.sum() <= before * (1 + 1e-9)


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("step", [1 / 60, 1.25])
def test_only_the_driver_that_would_crush_a_body_waits(step: float, response: str) -> None:
    world = cm.World()
    world.add(cm.Box((5, 0), (1, 10)))
    for y in (0, 100):
        world.add(cm.Box((2, y), (1, 1)), kind="kinematic", velocity=(1, 0))
    squeezed = world.add(cm.Circle((3, 0), 0.5), kind="dynamic", response=response)
    world.add(cm.Circle((4, 100), 0.5), kind="dynamic", response=response)
    for _ in range(round(1.25 / step)):
        hits = world.step(step)
        assert (hits.body[hits.kind == 3] == squeezed.row).all()
    assert world.positions[1:3] == pytest.approx(np.array([(3, 0), (3.25, 100)]), abs=1e-9)


@pytest.mark.parametrize("response", ["bounce", "stop"])
@pytest.mark.parametrize("place", [0.0, 1e6])
def test_a_slide_towards_a_far_corner_does_not_join_an_impact_elsewhere(response: str, place: float) -> None:
    """It closes by less than the slop for seconds, on a way of many sizes."""
    found = []
    for elsewhere in (False, True):
        world = cm.World()
        slider = world.add(
            cm.Circle((place + 1, 0), 1), kind="dynamic", velocity=(-2e-12 * max(place, 1), 1), response=response
        )
        wall = world.add(cm.Box.from_corners((place - 1, 2), (place, 4)))
        if elsewhere:
            world.add(cm.Circle((place + 10, 0), 1), kind="dynamic", velocity=(1, 0))
            world.add(cm.Box.from_corners((place + 12.5, -1), (place + 13, 1)))
        hits = world.step(4.0)
        met = (hits.body == slider.row) & (hits.other == wall.row)
        found.append((hits.time[met].tolist(), slider.position, slider.velocity))
    assert found[0] == found[1] and len(found[0][0]) == 1 and found[0][0][0] == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("response", ["bounce", "slide"])
def test_a_body_stuck_to_a_sliding_one_goes_on_with_it(response: str) -> None:
    """The floor supports both of two stuck bodies if it supports one of them."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1.5), (40, 1)))
    sled = world.add(cm.Box((0, -0.9), (2, 0.2)), kind="dynamic", velocity=(2, 0), response=response)
    ball = world.add(cm.Circle((1.5, 1), 0.1), kind="dynamic", velocity=(-1, 0), response="stop")
    hits = world.step(1 / 240, steps=240)
    assert [(int(kind), int(body)) for kind, body in zip(hits.kind, hits.body, strict=True)] in ([(0, 1)], [(0, 2)])
    assert sled.velocity == ball.velocity == pytest.approx((0.5, 0))
    assert ball.position.y == pytest.approx(-0.7)


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("angle", [45.0, 9.0, 2.0, 0.1])
def test_a_wedge_presses_a_ball_out_at_the_speed_of_its_slope(angle: float, response: str) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (1e6, 1)))
    ball = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", response=response, restitution=0.3)
    along = np.array((np.cos(np.radians(angle)), np.sin(np.radians(angle))))
    into = np.array((along[1], -along[0]))
    touch = np.array((0, 0.5)) - 0.5 * into
    corners = [touch - 20 * along, touch + 20 * along, touch + 20 * along - 5 * into, touch - 20 * along - 5 * into]
    wedge = world.add(cm.Polygon(corners), kind="kinematic", velocity=(0, -0.1))
    height = wedge.position.y
    for k in range(15):
        assert (world.step(1 / 60).kind == 0).all()
        assert wedge.position.y == pytest.approx(height - 0.1 * (k + 1) / 60)
    assert ball.velocity == pytest.approx((0.1 / np.tan(np.radians(angle)), 0))
