"""Limits and ropes that push all the while turn velocities as rods do: energy is kept, and nothing is passed."""

from __future__ import annotations

import math

import pytest

import carom as cm
from tests.support.measures import DT, energy_of, gap_of

G = 10.0


def bar(world: cm.World, x: float, y: float, wide: float, high: float, **settings: object) -> cm.Body:
    return world.add(cm.Box((x, y), (wide, high)), kind="dynamic", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("rope", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("scale", [1.0, 64.0, 0.01])
def test_a_link_on_a_taut_rope_gains_no_energy(rope: float, scale: float) -> None:
    """Its gradient was that of where the step began, and the rope passed or left slack by 1e-4."""
    world = cm.World(gravity=(0, -G * scale))
    link = bar(world, (rope + 0.3) * scale, 0, 0.6 * scale, 0.07 * scale, mass=1)
    world.rope(link, None, (rope * scale, 0), (0, 0))
    start, size = energy_of(world), G * scale * (rope + 0.6) * scale
    for _ in range(240):
        world.step(DT)
        assert energy_of(world) - start < 1e-6 * size
        assert gap_of(world) < 1e-6 * rope * scale


@pytest.mark.parametrize("spin", [10.0, 20.0, 50.0])
def test_a_slide_that_spins_on_its_limit_keeps_energy_and_momentum(spin: float) -> None:
    world = cm.World()
    a, b = (bar(world, 0, y, 2, 0.3, mass=1, spin=spin, velocity=(-spin * y, 0)) for y in (-0.5, 0.5))
    world.slide(a, b, (0, -0.5), axis=(1, 0), limits=(-0.5, 0.5))

    def momentum() -> float:
        return sum(
            body.position.x * body.velocity.y - body.position.y * body.velocity.x + body.inertia * body.spin
            for body in (a, b)
        )

    start = momentum()
    world.step(DT, 120)  # it has run into its limit
    energy = energy_of(world)
    for _ in range(120):
        world.step(DT)
        assert abs(momentum() / start - 1) < 0.01
        assert abs(energy_of(world) / energy - 1) < 1e-5


@pytest.mark.parametrize("arms", [1, 2, 4])
@pytest.mark.parametrize("early", [0.0, 1e-17, 1e-14, 1e-12, 1e-9, 1e-6])
def test_an_impact_at_the_very_end_of_a_step_keeps_the_energy(arms: int, early: float) -> None:
    """In a time of which only rounding is left, joints asked for velocities that were rounding."""
    world, last = cm.World(), None
    for k in range(arms):
        arm = bar(world, k + 0.5, -0.05, 0.98, 0.1, mass=0.5)
        world.pin(arm, last, (k, -0.05))
        last = arm
    ball = cm.Circle((0.3, 0.1 + 10 * (DT - early)), 0.1)
    world.add(ball, kind="dynamic", mass=0.8, velocity=(0, -10), restitution=1, friction=0)
    start = energy_of(world)
    world.step(DT, 3)
    assert abs(energy_of(world) / start - 1) < 1e-6


def test_a_ball_on_an_arm_that_grazes_a_wall_keeps_its_energy() -> None:
    """Turns of Newton's method met the wall on their way to a flight that does not."""
    x, y, speed = 1.407335743928631, 1.5395718163074537, 46.64538601378124
    world = cm.World()
    for at, size in (((0, -5.5), (12, 1)), ((0, 5.5), (12, 1)), ((-5.5, 0), (1, 12)), ((5.5, 0), (1, 12))):
        world.add(cm.Box(at, size), restitution=1, friction=0)
    ball = world.add(
        cm.Circle((x + 3.2, y), 0.4), "dynamic", restitution=1, friction=0, velocity=(0, speed), spin=speed / 3.2
    )
    world.pin(ball, None, (x, y))
    start = energy_of(world)
    for _ in range(300):
        world.step(DT)
        assert abs(energy_of(world) / start - 1) < 1e-6


@pytest.mark.parametrize("spin", [0.1, 1.0, -3.0])
@pytest.mark.parametrize("limit", [0.2, 0.5, 1.5])
def test_limits_hold_while_bodies_fall_on_a_floor(spin: float, limit: float) -> None:
    """Overlaps were opened without them, and what waited within a step gaped by the sagitta of its ways."""
    world = cm.World(gravity=(0, -G))
    world.add(cm.Box((0, -0.5), (20, 1)))
    a, b = (bar(world, x, 3, 0.9, 0.2, mass=1, velocity=(0, -2), spin=spin * (1 - x)) for x in (0, 1))
    world.pin(b, a, (0.5, 3), limits=(-limit, limit))
    for _ in range(150):
        world.step(DT)
        assert gap_of(world) < 1e-6


def test_a_rope_that_is_run_into_throws_nothing_back() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0.5, 0), 0.1), kind="dynamic", velocity=(3, 0))
    world.rope(ball, None, (0.5, 0), (0, 0)).length = 1.0
    for _ in range(60):
        world.step(DT)
        assert ball.velocity.x > -1e-9
    assert ball.position.x == pytest.approx(1, abs=1e-6) and math.hypot(*ball.velocity) < 1e-6
