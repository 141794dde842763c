"""How far a motor lets a body look: no farther than the speed that it lacks takes it, whatever its torque or force."""

from __future__ import annotations

import pytest

import carom as cm

DT = 1 / 50


def listed(world: cm.World) -> int:
    """Return how many contacts the last step listed."""
    return int(world._store.piles.counts[1])


@pytest.mark.parametrize("most", [8.0, 80.0, 8e5])
def test_legs_in_the_air_list_no_contact_with_the_ground(most: float) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (60, 1)))
    hull = world.add(cm.Box((0, 6), (2, 0.6)), kind="dynamic", mass=5)
    for side in (-1, 1):
        thigh = world.add(cm.Box((0.5 * side, 5.2), (0.3, 1.2)), kind="dynamic", mass=0.5)
        shin = world.add(cm.Box((0.5 * side, 4.2), (0.25, 1.1)), kind="dynamic", mass=0.3)
        world.pin(thigh, hull, (0.5 * side, 5.7), limits=(-1, 1), speed=3 * side, max_torque=most)
        world.pin(shin, thigh, (0.5 * side, 4.7), limits=(-1, 0.1), speed=-3 * side, max_torque=most)
    for _ in range(10):
        world.step(DT)
        assert listed(world) == 0


@pytest.mark.parametrize("most", [1.0, 1e5])
def test_a_slide_far_from_the_ground_lists_no_contact_with_it(most: float) -> None:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (60, 1)))
    load = world.add(cm.Box((0, 4), (1, 1)), kind="dynamic")
    world.slide(load, None, (0, 4), axis=(0, 1), speed=-0.5, max_force=most + 10)
    for _ in range(5):
        world.step(DT)
        assert listed(world) == 0


@pytest.mark.parametrize("speed", [0.5, 50.0])
def test_an_arm_presses_on_a_wall_with_the_torque_of_its_motor(speed: float) -> None:
    world = cm.World()
    world.add(cm.Box((2, 1.2), (1, 1)))
    arm = world.add(cm.Box((1, 0), (2, 0.2)), kind="dynamic", mass=2, friction=0)
    world.pin(arm, None, (0, 0), speed=speed, max_torque=6)
    world.step(DT, steps=200)
    found = world.contacts()
    assert len(found.body) == 1
    (x, y), (nx, ny) = found.points[0].T, found.normal[0]  # halfway between the surfaces
    assert abs((found.impulses[0] * (x * ny - y * nx)).sum()) == pytest.approx(6 * DT, rel=1e-4)


@pytest.mark.parametrize("speed", [0.5, 50.0])
def test_a_piston_presses_on_a_wall_with_the_force_of_its_motor(speed: float) -> None:
    world = cm.World()
    world.add(cm.Box((5, 0), (1, 4)))
    piston = world.add(cm.Box((0, 0), (2, 1)), kind="dynamic", mass=2)
    world.slide(piston, None, (0, 0), axis=(1, 0), speed=speed, max_force=7)
    world.step(DT, steps=500)
    assert world.contacts().impulses.sum() == pytest.approx(7 * DT, rel=1e-9)
    assert piston.position.x == pytest.approx(3.5, abs=0.01)
