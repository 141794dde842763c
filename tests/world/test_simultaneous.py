"""Many impacts at one instant: rows of touching balls hand on an impact, and gain no energy."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm
from carom._core.jit import kernel
from carom.world.step import tables
from carom.world.step.piles import Piles
from carom.world.step.play.events import cut_short
from carom.world.step.play.predict import look_around
from carom.world.step.tables import Tables
from tests.support.smooth_world import SmoothWorld

HIT, CRUSHED, STALLED, CUT = "hit", "crushed", "stalled", "cut"


@kernel
def cut(w: Tables, number_a: int, number_b: int) -> None:
    """Cut a step short, as only kernels do."""
    cut_short(w, number_a, number_b)


def row_of_balls(velocities: list[float], masses: list[float], restitution: float, gap: int = 0) -> cm.World:
    """Return a world with a row of touching balls, but for a gap of 1 before ball number `gap`, if that is not 0."""
    world = SmoothWorld()
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


@pytest.mark.parametrize("restitution", [1.0, 0.5, 0.0])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (1e-13, 0.0), (1e5, -3e4)])
def test_a_ball_that_meets_two_at_once_favours_none(restitution: float, offset: tuple[float, float]) -> None:
    world, (dx, dy) = SmoothWorld(), offset
    world.add(cm.Circle((dx, dy), 0.5), kind="dynamic", velocity=(3, 0), restitution=restitution)
    for y in (0.5, -0.5):
        world.add(cm.Circle((2 + dx, y + dy), 0.5), kind="dynamic", restitution=restitution)
    hits = world.step(1.0)
    # Each normal stands 30 degrees off the way, and the two 60 degrees apart.
    impulse = (1 + restitution) * 3 * np.sqrt(3) / 2 / 2.5
    assert hits.impulse == pytest.approx([impulse] * 2, rel=1e-9)
    expected = [(3 - np.sqrt(3) * impulse, 0)] + [(impulse * np.sqrt(3) / 2, side * impulse / 2) for side in (1, -1)]
    assert world.velocities == pytest.approx(np.array(expected), abs=1e-8 if dx > 1 else 1e-12)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_ball_that_meets_a_fan_of_balls_at_once_keeps_the_energy(count: int) -> None:
    world = SmoothWorld()
    world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(0, -2), restitution=1, mass=3)
    angles = (np.arange(count) - (count - 1) / 2) * 1.1
    for angle in angles.tolist():
        place = (1.0 * np.sin(angle), -1.0 * np.cos(angle) - 1.0)
        world.add(cm.Circle(place, 0.5), kind="dynamic", restitution=1)
    world.step(2.0)
    masses = np.array([3.0] + [1.0] * count)
    assert (masses * (world.velocities**2).sum(axis=1)).sum() == pytest.approx(12.0, rel=1e-12)
    assert (masses[:, None] * world.velocities).sum(axis=0) == pytest.approx((0, -6), abs=1e-11)
    # Mirrored about the way.
    assert world.velocities[1:, 0] == pytest.approx(-world.velocities[:0:-1, 0], abs=1e-9)
    assert world.velocities[1:, 1] == pytest.approx(world.velocities[:0:-1, 1], abs=1e-9)


@pytest.mark.parametrize("restitution", [0.9, 0.5, 0.0])
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
    assert (np.diff(world.positions[:, 0]) >= 1 - 0.0012).all()


@pytest.mark.parametrize("restitution", [1.0, 0.5])
@pytest.mark.parametrize("count", [10, 40])
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


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("step", [1 / 60, 1.25])
def test_only_the_driver_that_would_crush_a_body_waits(step: float, response: str) -> None:
    world = SmoothWorld()
    world.add(cm.Box((5, 0), (1, 10)))
    for y in (0, 100):
        world.add(cm.Box((2, y), (1, 1)), kind="kinematic", velocity=(1, 0))
    squeezed = world.add(cm.Circle((3, 0), 0.5), kind="dynamic", response=response)
    world.add(cm.Circle((4, 100), 0.5), kind="dynamic", response=response)
    for _ in range(round(1.25 / step)):
        hits = world.step(step)
        assert (hits.body[hits.kind == CRUSHED] == squeezed.row).all()
    assert world.positions[1:3] == pytest.approx(np.array([(3, 0), (3.25, 100)]), abs=1e-9)


@pytest.mark.parametrize("response", ["bounce", "stop"])
@pytest.mark.parametrize("place", [0.0, 1e6])
def test_a_slide_towards_a_far_corner_does_not_join_an_impact_elsewhere(response: str, place: float) -> None:
    """It closes by less than the slop for seconds, on a way of many sizes."""
    found = []
    for elsewhere in (False, True):
        world = SmoothWorld()
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
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((0, -1.5), (40, 1)))
    sled = world.add(cm.Box((0, -0.9), (2, 0.2)), kind="dynamic", velocity=(2, 0), response=response)
    ball = world.add(cm.Circle((1.5, 1), 0.1), kind="dynamic", velocity=(-1, 0), response="stop")
    hits = world.step(1 / 240, steps=240)
    assert list(zip(hits.kind.tolist(), hits.body.tolist(), strict=True)) in ([(HIT, 1)], [(HIT, 2)])
    assert tuple(sled.velocity) == pytest.approx(tuple(ball.velocity), abs=1e-9)
    assert tuple(ball.velocity) == pytest.approx((0.5, 0), abs=1e-9)
    assert ball.position.y == pytest.approx(-0.7, abs=0.005)


@pytest.mark.parametrize("response", ["bounce", "slide", "stop"])
@pytest.mark.parametrize("angle", [45.0, 9.0, 2.0, 0.1])
def test_a_wedge_presses_a_ball_out_at_the_speed_of_its_slope(angle: float, response: str) -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (1e6, 1)))
    ball = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", response=response, restitution=0.3)
    along = np.array((np.cos(np.radians(angle)), np.sin(np.radians(angle))))
    into = np.array((along[1], -along[0]))
    touch = np.array((0, 0.5)) - 0.5 * into
    corners = [touch - 20 * along, touch + 20 * along, touch + 20 * along - 5 * into, touch - 20 * along - 5 * into]
    wedge = world.add(cm.Polygon(corners), kind="kinematic", velocity=(0, -0.1))
    height = wedge.position.y
    for k in range(15):
        assert (world.step(1 / 60).kind == HIT).all()
        assert wedge.position.y == pytest.approx(height - 0.1 * (k + 1) / 60)
    assert tuple(ball.velocity) == pytest.approx((0.1 / np.tan(np.radians(angle)), 0), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("seed", [7, 20, 27, 48])
def test_a_bar_that_tumbles_on_a_lift_is_not_hit_without_end(seed: int) -> None:
    # One end lies on the lift and no longer closes, while the other, far above it, still falls: no impact of now.
    rng = np.random.default_rng(seed)
    world = cm.World(gravity=(0, -10))
    lift = world.add(cm.Box((0, 0.5), (4, 0.5)), kind="kinematic", velocity=(0, 1))
    world.add(cm.Box((0, -1), (20, 2)))
    for k in range(3):
        half, x, y = rng.uniform(0.3, 0.5), -1.2 + 1.2 * k, 1.5 + k
        spin, speed, response = rng.normal() * 5, rng.normal(), ("bounce", "slide", "stop")[int(rng.integers(3))]
        bar = cm.Segment((x - half, y), (x + half, y + 0.1))
        world.add(bar, kind="dynamic", friction=0.7, spin=spin, velocity=(speed, 0), response=response)
    for step in range(100):
        if step % 30 == 0:
            lift.velocity = (0, 1 if step % 60 == 0 else -1)
        hits = world.step(1 / 60)
        assert world._tables.state["played"][0] <= 2000
        assert not np.isin(hits.kind, (STALLED, CUT)).any()


def test_a_light_ball_between_a_heavy_one_and_a_wall_is_hit_few_times() -> None:
    world = cm.World()
    world.add(cm.Box((0, -1), (10, 2)))
    world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic", mass=1e-3)
    heavy = world.add(cm.Circle((0, 1.5), 0.5), kind="dynamic", mass=1.0, velocity=(0, -1))
    hits = world.step(1 / 60)
    assert 2 <= len(hits) <= 10
    assert heavy.velocity.y == pytest.approx(0.0, abs=1e-9)
    assert hits.impulse[hits.other == 0].sum() == pytest.approx(1.0)


def test_a_body_that_rolls_over_its_corner_ends_no_deeper_than_promised() -> None:
    # The corner that it stands on parts at first, and is back below the floor at the end of the step.
    world = cm.World(gravity=(0, -10))
    floor = world.add(cm.Box((0, -1), (20, 2)))
    corners = [(0.0349, -0.0001), (0.2793, 0.0647), (0.1496, 0.5534), (-0.3391, 0.4238), (-0.2743, 0.1794)]
    shape = cm.decompose([*corners, (-0.0299, 0.2443)])
    body = world.add(shape, kind="dynamic", friction=0, velocity=(2.05, 0.1107), spin=-2.6506)
    half_width = 0.1264
    for _ in range(4):
        world.step(1 / 60)
        assert cm.separation(floor.shape, body.shape) >= -0.3 * 0.008 * half_width


def test_a_step_that_is_cut_short_names_the_bodies_that_were_next() -> None:
    world = cm.World()
    wall, ball = world.add(cm.Box((3, 0), (1, 1))), world.add(cm.Circle((1, 2), 1), kind="dynamic")
    world.step(1 / 60)
    cut(world._tables, wall.row, ball.row)
    (row,) = world._tables.hits[: int(world._tables.state["hits"][0])]
    assert (row["kind"], row["body"], row["other"], row["x"], row["y"]) == (tables.CUT, ball.row, wall.row, 1.0, 2.0)


@pytest.mark.parametrize("first", [0, 20, 40])
def test_a_turning_bar_that_wedges_boxes_against_a_wall_shoots_none_of_them(first: int) -> None:
    # A solution of all impacts at once let a box go at a hundred thousand, in two scenes of sixty.
    for seed in range(first, first + 20):
        rng, world, left, boxes = np.random.default_rng(seed), cm.World(), 4.5, []
        world.add(cm.Box((0, -1), (20, 2)))
        world.add(cm.Box((5, 5), (1, 12)))
        for _ in range(int(rng.integers(1, 5))):
            wide = rng.uniform(0.4, 1)
            left -= wide / 2 + 1e-9
            shape, mass = cm.Box((left, 0.4 + 1e-9), (wide, 0.8)), 10 ** rng.uniform(-2, 2)
            boxes.append(world.add(shape, kind="dynamic", restitution=0.8, friction=0, mass=mass))
            left -= wide / 2
        angle = rng.uniform(-0.3, 0.3)
        bar = cm.Box((left - 1.3, 0.4 + rng.uniform(0, 0.5)), (2, 0.3), angle=angle)
        way = rng.uniform(1, 4), rng.normal() * 2
        world.add(bar, kind="kinematic", velocity=way, spin=rng.normal() * 4)
        for _ in range(40):
            world.step(1 / 60)
            assert max(np.hypot(*box.velocity) + abs(box.spin) for box in boxes) < 1000


@pytest.mark.parametrize("seed", [16, 17, 30])
def test_bodies_that_a_bar_stirs_without_gravity_are_not_hit_without_end(seed: int) -> None:
    """What is light between what is heavy, or rolls on the bar, was hit 13,000 to 110,000 times in a step."""
    rng = np.random.default_rng(seed)
    world = cm.World()
    corners = [(-6, -6), (6, -6), (6, 6), (-6, 6)]
    for k in range(4):
        world.add(cm.Segment(corners[k], corners[(k + 1) % 4]), restitution=seed % 2)
    world.add(cm.Box((0, 0), (6, 0.4)), kind="kinematic", spin=rng.uniform(-4, 4))
    for x in np.arange(-5, 5.1, 1.2):
        for y in (-5.0, -4.2, -3.4, 3.5, 4.3):
            form = rng.integers(4)
            shape: cm.Circle | cm.Box | cm.Capsule | cm.Polygon = cm.Circle((x, y), rng.uniform(0.1, 0.35))
            if form == 1:
                shape = cm.Box((x, y), rng.uniform(0.2, 0.6, 2))
            elif form == 2:
                shape = cm.Capsule((x - 0.2, y), (x + 0.2, y), 0.1)
            elif form == 3:
                shape = cm.hull(np.array((x, y)) + 0.3 * rng.normal(size=(6, 2)).clip(-2, 2))
            world.add(
                shape,
                kind="dynamic",
                velocity=rng.uniform(-5, 5, 2),
                spin=rng.uniform(-8, 8),
                mass=10 ** rng.uniform(-2, 2),
                restitution=rng.choice([0, 0.3, 1]),
                friction=rng.choice([0, 0.6]),
            )
    most = 0
    for _ in range(180):
        hits = world.step(1 / 60)
        most = max(most, len(hits))
        assert not np.isin(hits.kind, (STALLED, CUT)).any()
    assert most < 6000


def test_a_wall_does_not_remember_how_hard_others_hit_it() -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, -0.5), (100, 1)))
    fast = world.add(cm.Circle((-20, 2), 0.5), kind="dynamic", velocity=(0, -1e6), restitution=0.5)
    slow = world.add(cm.Circle((20, 0.5005), 0.5), kind="dynamic", velocity=(0, -1e-3), restitution=0.5)
    world.step(0.1)
    assert fast.velocity.y == pytest.approx(5e5)
    world.step(0.9)
    assert slow.velocity.y == pytest.approx(5e-4)


@kernel
def meets_where_it_stands(w: Tables, piles: Piles, number: int) -> bool:
    """Have a body that is held look around; tell whether anything is foreseen."""
    body = w.bodies[number]
    body.way_x, body.way_y, body.way_spin, body.horizon = 0.0, 0.0, 0.0, w.state[0].length
    w.state[0].now, w.bodies[0].own_time, body.own_time = 0.0, 0.0, 0.0
    look_around(w, piles, number)
    return bool(w.state[0].events > 0)


def test_what_is_held_does_not_meet_the_wall_that_it_lies_on() -> None:
    """A Segment that was held on a wall, nearer than parts without width stand off, met it a million times."""
    world = cm.World()
    world.add(cm.Box((0, -1), (4, 2)))
    bar = world.add(cm.Segment((-0.5, 1e-13), (0.5, 1e-13)), kind="dynamic", velocity=(1, 0))
    world.step(1 / 60)
    assert not meets_where_it_stands(world._tables, world._store.piles, bar.row)
