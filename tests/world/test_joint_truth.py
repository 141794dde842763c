"""Mechanisms against theory: energy, periods, momenta, gaps and forces, at 60 steps a second unless told."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

import carom as cm
from tests.support.measures import DT, energy_of, gap_of

G = 9.81


def period(length: float, swing: float) -> float:
    """Return the period of a pendulum by the arithmetic-geometric mean (C. F. Gauss)."""
    a, b = 1.0, math.cos(swing / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(length / G) / a


def chain(
    world: cm.World, links: int, down: bool, load: float = 0.0, order: Sequence[int] | None = None
) -> list[cm.Body]:
    """Hang a chain of links of length 1 from the origin, straight down or level, with a load at its end."""
    bodies = []
    for k in range(links):
        shape = cm.Box((0, -k - 0.5), (0.2, 1)) if down else cm.Box((k + 0.5, 0), (1, 0.2))
        bodies.append(world.add(shape, kind="dynamic", mass=1))
    if load:
        at = (0, -links) if down else (links, 0)
        bodies.append(world.add(cm.Circle(at, 0.3), kind="dynamic", mass=load))
    for k in order or range(len(bodies)):
        point = (0, -k) if down else (k, 0)
        world.pin(bodies[k], bodies[k - 1] if k else None, point)
    return bodies


@pytest.mark.parametrize(("swing", "seconds"), [(2.5, 1000), (0.1, 60)])
def test_a_pendulum_keeps_its_energy_its_length_and_its_period(swing: float, seconds: int) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    at = math.sin(swing), -math.cos(swing)
    bob = world.add(cm.Circle(at, 0.05), kind="dynamic", mass=1)
    world.rod(bob, None, from_=at, to=(0, 0))
    start, longest, crossings, before = energy_of(world), 0.0, [], bob.position.x
    for k in range(seconds * 60):
        world.step(DT)
        x, y = bob.position
        longest = max(longest, abs(math.hypot(x, y) - 1))
        if before < 0 <= x:
            crossings.append(k + 1 - x / (x - before))
        before = x
    found = (crossings[-1] - crossings[0]) / (len(crossings) - 1) * DT
    assert abs(energy_of(world) - start) < 1e-5 * G * (1 - math.cos(swing))
    assert longest < 1e-9
    assert abs(found / period(1, swing) - 1) < 5e-4


def test_a_double_pendulum_keeps_its_energy() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    first = world.add(cm.Circle((1, 0), 0.05), kind="dynamic", mass=1)
    second = world.add(cm.Circle((2, 0), 0.05), kind="dynamic", mass=1)
    world.rod(first, None, from_=(1, 0), to=(0, 0))
    world.rod(second, first, from_=(2, 0), to=(1, 0))
    start, worst = energy_of(world), 0.0
    for _ in range(3600):
        world.step(DT)
        worst = max(worst, abs(energy_of(world) - start))
    assert worst < 1e-6 * 3 * G and gap_of(world) < 1e-9


def cart_pole(steps: int) -> tuple[float, float]:
    """Return where a cart and the end of its pole are after 3 s, made in so many steps."""
    world = cm.World(gravity=(0, -G), sleep=False)
    cart = world.add(cm.Box((0, 0), (0.4, 0.2)), kind="dynamic", mass=1)
    pole = world.add(cm.Circle((math.sin(0.5), math.cos(0.5)), 0.02), kind="dynamic", mass=0.5)
    world.slide(cart, None, (0, 0), axis=(1, 0))
    world.rod(pole, cart, from_=pole.position, to=(0, 0))
    for _ in range(steps):
        world.step(3 / steps)
    return cart.position.x, pole.position.y


def cart_pole_exactly() -> tuple[float, float]:
    """Return the same by the equations of motion of a cart with a point on a rod (Runge and Kutta, 30,000 steps)."""
    m, big = 0.5, 1.0

    def rates(s: np.ndarray) -> np.ndarray:
        _, v, a, w = s
        sin, cos = math.sin(a), math.cos(a)
        matrix = np.array([[big + m, m * cos], [m * cos, m]])
        force = np.array([m * w * w * sin, m * G * sin])
        pull = np.linalg.solve(matrix, force)
        return np.array([v, pull[0], w, pull[1]])

    s, h = np.array([0.0, 0.0, 0.5, 0.0]), 3 / 30_000
    for _ in range(30_000):
        k1 = rates(s)
        k2 = rates(s + h / 2 * k1)
        k3 = rates(s + h / 2 * k2)
        k4 = rates(s + h * k3)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return float(s[0]), math.cos(float(s[2]))


def test_a_cart_pole_is_of_second_order() -> None:
    exact = np.array(cart_pole_exactly())
    errors = [float(np.abs(np.array(cart_pole(n)) - exact).max()) for n in (180, 720)]
    assert errors[0] < 0.02 and errors[1] < errors[0] / 12


def test_a_free_mechanism_keeps_its_momenta() -> None:
    world = cm.World(sleep=False)
    corners = [(0, 0), (1, 0), (1.2, 1), (0.1, 0.9)]
    bars = []
    for (x, y), (u, v) in itertools.pairwise([*corners, corners[0]]):
        bar = world.add(cm.Segment((x, y), (u, v)), kind="dynamic", mass=1)
        bar.inertia = 0.1
        bars.append(bar)
    for k, corner in enumerate(corners):
        world.pin(bars[k], bars[k - 1], corner)
    for bar in bars:  # as one, about the origin
        x, y = bar.position
        bar.velocity, bar.spin = (-2 * y + 0.3, 2 * x), 2

    def momenta() -> np.ndarray:
        return np.array(
            [
                (b.velocity.x, b.velocity.y, b.position.x * b.velocity.y - b.position.y * b.velocity.x + 0.1 * b.spin)
                for b in bars
            ]
        ).sum(axis=0)

    bars[0].spin += 0.5
    world.step(DT)
    start, energy = momenta(), energy_of(world)
    for _ in range(600):
        world.step(DT)
    change = np.abs(momenta() - start)
    assert change[:2].max() < 1e-9
    assert change[2] < 1e-6 * abs(start[2]), "impulses along discrete gradients keep energy, and this to second order"
    assert abs(energy_of(world) - energy) < 1e-8 * energy and gap_of(world) < 1e-9


@pytest.mark.parametrize(("links", "load"), [(10, 1e3), (10, 1e6), (200, 1e6)])
def test_a_load_of_a_million_stretches_a_chain_by_nothing(links: int, load: float) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    bodies = chain(world, links, True, load)
    for _ in range(120 if links < 100 else 20):
        world.step(DT)
    assert gap_of(world) < 1e-9
    assert abs(bodies[-1].position.y + links) < 1e-9 and abs(bodies[-1].velocity.y) < 1e-7
    assert world.joints[0].force.y == pytest.approx((links + load) * G, rel=1e-6)


@pytest.mark.parametrize("load", [100.0, 1e4])
def test_a_chain_that_swings_under_a_load_makes_no_energy_and_does_not_gape(load: float) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    chain(world, 20, False, load)
    start = energy_of(world)
    scale, most, worst = load * G * 20, -math.inf, 0.0
    for _ in range(240):
        world.step(DT)
        most, worst = max(most, energy_of(world) - start), max(worst, gap_of(world))
    assert worst < 1e-8
    assert most < 1e-9 * scale


def test_the_order_of_joints_does_not_matter() -> None:
    places = []
    for order in (list(range(6)), random.Random(1).sample(range(6), 6)):
        world = cm.World(gravity=(0, -G), sleep=False)
        bodies = chain(world, 6, False, order=order)
        for _ in range(60):
            world.step(DT)
        places.append([body.position for body in bodies])
    assert np.abs(np.array(places[0]) - np.array(places[1])).max() < 1e-9


def test_a_truss_of_welds_that_say_the_same_does_not_sag() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    boxes = [[world.add(cm.Box((c, r), (1, 1)), kind="dynamic", mass=1) for c in range(15)] for r in range(2)]
    for r, c in itertools.product(range(2), range(15)):
        world.weld(boxes[r][c], boxes[r][c - 1] if c else None, (c - 0.5, r))
        if r:
            world.weld(boxes[1][c], boxes[0][c], (c, 0.5))
    for _ in range(60):
        world.step(DT)
    assert abs(boxes[0][14].position.y) < 1e-9 and gap_of(world) < 1e-9


def test_a_spring_sags_by_its_load_and_rings_at_its_frequency() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    ball = world.add(cm.Circle((0, -1), 0.1), kind="dynamic", mass=2)
    ball.turns = False
    spring = world.spring(ball, None, from_=(0, -1), to=(0, 0), length=1, hertz=5, damping=0)
    sag = 2 * G / spring.stiffness
    crossings, before, ways = [], 0.0, []
    for k in range(600):
        world.step(DT)
        y = ball.position.y + 1 + sag
        if before < 0 <= y:
            crossings.append(k + 1 - y / (y - before))
        before = y
        ways.append(y)
    found = 1 / ((crossings[-1] - crossings[0]) / (len(crossings) - 1) * DT)
    w_dt = 2 * math.pi * 5 * DT
    assert found / 5 == pytest.approx(1 - w_dt**2 / 12, abs=2e-3)
    assert max(ways[-60:]) == pytest.approx(sag, rel=0.02), "without damping it rings on"


@pytest.mark.parametrize("hertz", [1e3, 1e6])
def test_a_spring_far_too_quick_for_the_step_holds(hertz: float) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    ball = world.add(cm.Circle((0, -1), 0.1), kind="dynamic", mass=2)
    spring = world.spring(ball, None, from_=(0, -1), to=(0, 0), length=1, hertz=hertz, damping=1)
    for _ in range(240):
        world.step(DT)
    assert ball.position.y == pytest.approx(-1 - 2 * G / spring.stiffness, abs=1e-9)


@pytest.mark.parametrize("share", [0.99, 1.01])
def test_a_motor_holds_with_more_torque_than_it_needs_and_gives_way_with_less(share: float) -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    pin = world.pin(arm, None, (0, 0), speed=0, max_torque=share * 0.5 * G)
    for _ in range(30):
        world.step(DT)
    inertia = arm.inertia + 0.25
    fallen = 0.0 if share > 1 else -0.5 * 0.01 * 0.5 * G / inertia * 0.25
    assert pin.angle == pytest.approx(fallen, abs=1e-9 if share > 1 else 0.01 * abs(fallen))


def test_a_motor_turns_at_its_speed_and_a_gear_hands_it_on() -> None:
    world = cm.World(sleep=False)
    first = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", mass=1)
    second = world.add(cm.Circle((3, 0), 0.5), kind="dynamic", mass=1)
    world.pin(first, None, (0, 0), speed=2, max_torque=1)
    world.pin(second, None, (3, 0))
    gear = world.gear(second, first, ratio=2)
    for _ in range(120):
        world.step(DT)
    assert first.spin == pytest.approx(2, abs=1e-9)
    assert abs(second.spin) == pytest.approx(4, abs=1e-8) or abs(second.spin) == pytest.approx(1, abs=1e-8)
    assert gear.error < 1e-9


def test_a_limit_stops_and_throws_nothing_back() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    pin = world.pin(arm, None, (0, 0), limits=(-0.7, 1))
    deepest, back = 0.0, 0.0
    for _ in range(120):
        world.step(DT)
        deepest = max(deepest, -0.7 - pin.angle)
        back = max(back, arm.spin)
    assert deepest < 1e-6 and back < 1e-4
    assert pin.angle == pytest.approx(-0.7, abs=1e-6)


def test_a_rope_is_slack_until_it_is_taut() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    ball = world.add(cm.Circle((0, 0), 0.1), kind="dynamic", mass=1)
    world.rope(ball, None, from_=(0, 0), to=(0, 0.5), length=2)
    lowest = 0.0
    for k in range(120):
        world.step(DT)
        lowest = min(lowest, ball.position.y)
        if k == 20:
            assert ball.velocity.y == pytest.approx(-G * 21 * DT)
    assert lowest > -1.5 - 1e-6 and ball.position.y == pytest.approx(-1.5, abs=1e-6)


@pytest.mark.parametrize("bars", [1, 2, 5])
def test_an_impact_on_a_mechanism_keeps_its_energy(bars: int) -> None:
    world = cm.World(sleep=False)
    for k in range(bars):
        world.add(cm.Box((0, k + 0.5), (0.2, 0.9)), kind="dynamic", mass=1, restitution=1)
    parts = list(world.bodies)
    for k in range(1, bars):
        world.pin(parts[k], parts[k - 1], (0, k))
    ball = world.add(cm.Circle((-2, 0.7), 0.1), kind="dynamic", mass=0.5, velocity=(10, 0), restitution=1)
    start = energy_of(world)
    while not world.step(DT):
        pass
    assert energy_of(world) == pytest.approx(start, rel=1e-9)
    assert ball.velocity.x < 10 and gap_of(world) < 1e-9 if bars > 1 else True


def test_a_joint_breaks_at_more_than_it_bears() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    ball = world.add(cm.Circle((0, -1), 0.1), kind="dynamic", mass=1)
    strong = world.rod(ball, None, from_=(0, -1), to=(0, 0), breaks_at=(1.01 * G, None))
    hits = world.step(DT, 60)
    assert not hits and not strong.removed
    ball.mass = 1.1
    hits = world.step(DT, 10)
    assert hits.kind.tolist() == ["broken"] and strong.removed
    assert ball.position.y < -1.05


def test_what_hangs_at_rest_falls_asleep_and_wakes_as_a_whole() -> None:
    world = cm.World(gravity=(0, -G))
    bodies = chain(world, 5, True, 10)
    for _ in range(60):
        world.step(DT)
    assert all(body.asleep for body in bodies)
    bodies[0].apply_impulse((1, 0))
    assert not any(body.asleep for body in bodies)


def test_copies_snapshots_and_pauses_go_on_bit_for_bit() -> None:
    world = cm.World(gravity=(0, -G))
    chain(world, 4, False, 3)
    world.add(cm.Box((0, -3), (20, 1)))
    for _ in range(30):
        world.step(DT)
    other, kept = world.copy(), world.snapshot()
    for _ in range(40):
        world.step(DT)
        for _hit in other.events(DT):
            pass
    digest = world.digest()
    assert other.digest() == digest
    world.restore(kept)
    for _ in range(40):
        world.step(DT)
    assert world.digest() == digest


def test_an_island_without_a_solution_waits_and_goes_on() -> None:
    world = cm.World(gravity=(0, -G), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    world.pin(arm, None, (0, 0), limits=(-1, 1))
    world.step(DT)
    before = arm.position
    world._store.tables.joints.table["pull"][0] = math.nan  # a solution begins with these, and is no number
    world.step(DT)
    assert arm.position == before
    world.step(DT)
    assert arm.position.y < before.y and gap_of(world) < 1e-9


def test_a_truss_of_welds_keeps_still_while_its_corners_touch() -> None:
    world = cm.World(gravity=(0, -10), sleep=False)
    boxes = [[world.add(cm.Box((c, r), (1, 1)), kind="dynamic", mass=1) for c in range(15)] for r in range(2)]
    for r, c in itertools.product(range(2), range(15)):
        world.weld(boxes[r][c], boxes[r][c - 1] if c else None, (c - 0.5, r))
        if r:
            world.weld(boxes[1][c], boxes[0][c], (c, 0.5))
    worst = 0.0
    for _ in range(60):
        world.step(DT)
        worst = max(worst, gap_of(world))
    assert worst < 1e-9


def ragdoll(world: cm.World, x: float, y: float, heavy: float) -> None:
    """Add a trunk, so many times as heavy, with four limbs of two bodies."""
    trunk = world.add(cm.Box((x, y), (0.4, 0.8)), kind="dynamic", mass=3 * heavy, friction=0.6)
    for across, up in itertools.product((-1, 1), (-1, 1)):
        at = x + across * (0.27 if up > 0 else 0.12), y + (0.12 if up > 0 else -0.62)
        near = world.add(cm.Box(at, (0.12, 0.42)), kind="dynamic", mass=1, friction=0.6)
        far = world.add(cm.Box((at[0], at[1] - 0.4), (0.1, 0.4)), kind="dynamic", mass=0.7, friction=0.6)
        world.pin(near, trunk, (at[0], at[1] + 0.2), limits=(-1, 1))
        world.pin(far, near, (at[0], at[1] - 0.2), limits=(-1, 1))


@pytest.mark.parametrize("heavy", [1, 1000])
def test_ragdolls_that_fall_in_a_heap_gain_no_energy(heavy: float) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (30, 2)), friction=0.6)
    for k in range(3):
        ragdoll(world, 0.2 * k, 2 + 2.2 * k, heavy)
    before, fell = energy_of(world), world.positions[1:, 1].mean()
    start = before
    for _ in range(120):
        world.step(DT)
        now = energy_of(world)
        assert now < before + 0.02 * start
        before = now
    assert world.positions[1:, 1].mean() < fell - 1


@pytest.mark.parametrize("links", [1, 2])
def test_a_swinging_mechanism_bounces_off_a_wall_with_all_its_energy(links: int) -> None:
    world = cm.World(gravity=(0, -10), sleep=False)
    world.add(cm.Box((-1.2, -1), (1, 6)), restitution=1, friction=0)
    before = None
    for k in range(links):
        link = world.add(cm.Box((k + 0.5, 0), (1, 0.1)), kind="dynamic", restitution=1, friction=0)
        world.pin(link, before, (k, 0))
        before = link
    start, hits = energy_of(world), 0
    for _ in range(240):
        hits += len(world.step(DT))
        assert abs(energy_of(world) - start) < 1e-9 * 10 * links
    assert hits > 2


def test_a_cradle_on_rods_keeps_its_energy() -> None:
    world = cm.World(gravity=(0, -9.81))
    for k in range(5):
        at = (0.2002 * k - (math.sin(1) if k == 0 else 0), 1 - math.cos(1) if k == 0 else 0)
        ball = world.add(cm.Circle(at, 0.1), kind="dynamic", restitution=1, friction=0)
        world.rod(ball, None, from_=at, to=(0.2002 * k, 1))
    start, hits = energy_of(world), 0
    for _ in range(200):
        hits += len(world.step(DT))
    assert abs(energy_of(world) - start) < 1e-7 * abs(start)
    assert hits > 8


def test_balls_on_rods_that_rest_against_each_other_give_back_what_hits_them() -> None:
    world = cm.World(gravity=(0, -10), sleep=False)
    for k in range(4):
        at = (0.2002 * k - (math.sin(1) if k == 0 else 0), 1 - math.cos(1) if k == 0 else 0)
        ball = world.add(cm.Circle(at, 0.1), kind="dynamic", mass=1, restitution=1, friction=0)
        world.rod(ball, None, from_=at, to=(0.2002 * k, 1))
    start = energy_of(world)
    world.step(DT, 34)
    assert 0.98 * start < energy_of(world) < start + 1e-9


@pytest.mark.parametrize("limited", [False, True])
def test_what_is_jointed_bounces_as_one_body_does(limited: bool) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (9, 2)), restitution=0.5)
    left = world.add(cm.Circle((-0.3, 1.2), 0.2), kind="dynamic", restitution=0.5)
    right = world.add(cm.Circle((0.3, 1.2), 0.2), kind="dynamic", restitution=0.5)
    if limited:
        world.pin(left, right, (0, 1.2), limits=(-0.1, 0.1))
    else:
        world.weld(left, right, (0, 1.2))
    world.step(DT, 30)
    highest = 0.0
    for _ in range(20):
        world.step(DT)
        highest = max(highest, left.position.y - 0.2)
    assert 0.2 < highest < 0.3  # a quarter of 1


def test_a_limit_holds_after_an_impact_within_a_step() -> None:
    world = cm.World(gravity=(0, 0), sleep=False)
    arm = world.add(cm.Box((0.5, 0), (1, 0.1)), kind="dynamic", mass=1)
    joint = world.pin(arm, None, (0, 0), limits=(-0.05, 0.05))
    world.add(cm.Circle((0.9, 2), 0.05), kind="dynamic", mass=1, velocity=(0, -24.025), restitution=0.5)
    hits = 0
    for _ in range(30):
        hits += len(world.step(DT))
        assert -0.05 - 1e-6 < joint.angle < 0.05 + 1e-6
    assert hits > 0


@pytest.mark.parametrize(("most", "damping"), [(600, 0.7), (600, 0), (300, 0.7), (30, 0.7)])
def test_a_stiff_drag_at_its_largest_force_makes_no_energy(most: float, damping: float) -> None:
    world = cm.World(gravity=(0, 0))
    body = world.add(cm.Box((0, 0), (0.8, 0.4)), kind="dynamic", mass=1)
    drag = world.drag(body, (0, 0), (0.2, 0), hertz=8.77, damping=damping, max_force=most)
    full = most / drag.stiffness  # from there on it pulls with its largest force

    def energy() -> float:
        far = drag.distance
        strain = 0.5 * drag.stiffness * far**2 if far <= full else most * (far - 0.5 * full)
        return 0.5 * body.mass * body.velocity.x**2 + strain

    start = energy()
    for _ in range(120):
        world.step(DT)
        assert energy() < start * (1 + 2e-3)  # a force is one in a step, also where it comes to its largest within that
