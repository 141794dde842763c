"""Mechanisms that are pushed, driven or set from outside: the change is handed on once, and what waits says so."""

from __future__ import annotations

import pytest

import carom as cm

DT = 1 / 60


def dumbbell() -> tuple[cm.World, cm.Body, cm.Body]:
    """Connect two balls of the masses 1 and 3 by a rod."""
    world = cm.World()
    a, b = (world.add(cm.Circle((x, 0), 0.1), kind="dynamic", mass=mass) for x, mass in ((0, 1), (1, 3)))
    world.rod(a, b, from_=(0, 0), to=(1, 0))
    return world, a, b


def test_a_push_along_a_rod_moves_both_ends_alike_from_then_on() -> None:
    """Velocities changed their signs in each step."""
    world, a, b = dumbbell()
    a.apply_impulse((4, 0))
    for _ in range(20):
        world.step(DT)
        assert a.velocity == pytest.approx((1, 0), abs=1e-9) and b.velocity == pytest.approx((1, 0), abs=1e-9)


def test_bodies_that_are_joined_while_they_fly_go_on_as_one() -> None:
    world = cm.World()
    a, b = (world.add(cm.Box((x, 0), (1, 1)), "dynamic", velocity=(0, v)) for x, v in ((0, 1), (1, -1)))
    world.weld(a, b, (0.5, 0))
    for _ in range(10):
        world.step(DT)
        # Of two boxes 1 wide whose middles are 1 apart: m (1 + 1) 1/2 over 2 (m / 6 + m / 4).
        assert (a.spin, b.spin) == pytest.approx((-1.2, -1.2), abs=1e-4)


def test_what_hangs_on_a_driver_that_starts_goes_along_smoothly() -> None:
    world = cm.World(gravity=(0, -10))
    trolley = world.add(cm.Box((0, 0), (1, 0.2)), kind="kinematic")
    bob = world.add(cm.Box((0, -1), (0.2, 2)), kind="dynamic", mass=1)
    world.pin(bob, trolley, (0, 0))
    trolley.velocity = 2, 0
    before = None
    for _ in range(30):
        world.step(DT)
        assert before is None or abs(bob.spin - before) < 0.2
        before = bob.spin


def test_a_rod_that_is_made_longer_moves_its_ends_smoothly_and_leaves_them_there() -> None:
    world, a, b = dumbbell()
    world.joints[0].length = 1.2
    for _ in range(12):
        before = a.position.x, b.position.x
        world.step(DT)
        assert abs(a.position.x - before[0]) < 0.09 and abs(b.position.x - before[1]) < 0.09
        assert max(abs(one.velocity.x) for one in (a, b)) < 1e-9
    assert (a.position.x, b.position.x) == pytest.approx((-0.15, 1.05), abs=1e-9)


def test_accelerations_that_are_set_in_each_step_lose_no_energy() -> None:
    world = cm.World(gravity=(0, -10), sleep=False)
    bob = world.add(cm.Circle((1, 0), 0.1), "dynamic", mass=1)
    world.rod(bob, None, from_=(1, 0), to=(0, 0))
    for _ in range(600):
        bob.acceleration = 0, 0
        world.step(DT)
    assert 0.5 * bob.velocity.dot(bob.velocity) + 10 * bob.position.y == pytest.approx(0, abs=1e-4)


def test_a_driver_waits_while_what_it_leads_has_no_way_and_goes_on_when_it_has_one() -> None:
    """It went on without it, and what it led fell asleep."""
    world = cm.World()
    wall = world.add(cm.Box((3, 0), (1, 4)))
    trolley = world.add(cm.Box((0, 0), (1, 0.2)), kind="kinematic", velocity=(3, 0))
    bar = world.add(cm.Box((1.5, 0), (1.5, 0.2)), kind="dynamic")
    joint = world.weld(bar, trolley, (0.75, 0))
    for _ in range(120):
        world.step(DT)
        assert joint.error < 1e-6
    assert trolley.waited == pytest.approx(DT) and bar.waited == pytest.approx(DT)
    assert not bar.asleep and trolley.position.x < 0.26 and bar.position.x < 1.76
    world.remove(wall)
    world.step(DT, 60)
    assert trolley.waited == 0 and joint.error < 1e-9 and trolley.position.x > 3.1
    assert bar.velocity == pytest.approx((3, 0), abs=1e-6)


@pytest.mark.parametrize("limits", [None, (-4.0, 4.0)])
def test_a_change_at_a_pause_leaves_the_energy_of_what_swings(limits: tuple[float, float] | None) -> None:
    """It gained or lost up to 1 % of it in six pauses: joints gape by the sagitta of their ways there."""
    world = cm.World(gravity=(0, -10))
    links: list[cm.Body] = []
    for k in range(3):
        links.append(world.add(cm.Box((0.5 + k, 0), (0.9, 0.2)), kind="dynamic", mass=1, spin=k, mask=()))
        world.pin(links[k], links[k - 1] if k else None, (k, 0), limits=limits)
    for y in (0, 2.5):
        world.add(cm.Box((30, y), (4, 1)), restitution=1)
    ball = world.add(cm.Circle((30, 1.2), 0.2), kind="dynamic", restitution=1, velocity=(0, 7), gravity_scale=0)

    def energy() -> float:
        return sum(
            b.mass * (b.velocity.dot(b.velocity) / 2 + 10 * b.position.y) + b.inertia * b.spin**2 / 2 for b in links
        )

    world.step(DT)
    start, pauses = energy(), 0
    for _ in range(60):
        for _ in world.events(DT):
            pauses += 1
            ball.mass = 1 + 0.1 * (pauses % 3)
        assert abs(energy() - start) < 1e-8
        assert max(joint.error for joint in world.joints) < 1e-9
    assert pauses > 4


def test_stiff_springs_that_begin_strained_pull_from_the_first_step_on() -> None:
    """Their turns did not end for a whole step, and what is taken at once leaves springs out: they flew apart."""
    world = cm.World()
    corners = [(3.7, 3.9), (5.3, 3.9), (4.5, 5.3)]
    bodies = [world.add(cm.Box(at, (0.4, 0.4)), kind="dynamic", mass=1) for at in corners]
    springs = []
    for k, (length, stiffness) in enumerate([(0.84, 19e3), (0.81, 24e3), (1.45, 720e3)]):
        a, b = bodies[k], bodies[k - 1]
        setting = {"length": length, "stiffness": stiffness, "resistance": 10.0}
        springs.append(world.spring(a, b, from_=a.position, to=b.position, **setting))
    for body, velocity in zip(bodies, [(-2.5, -1.1), (0.3, 1.6), (-3.5, 4.1)], strict=True):
        body.velocity = velocity

    def strain() -> float:
        return sum(s.stiffness * (s.distance - s.length) ** 2 / 2 for s in springs)

    start = strain()
    world.step(DT)
    assert strain() < start
