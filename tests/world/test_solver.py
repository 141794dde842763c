"""Piles that only the solver moves: stacks, masses, slopes, rolling, dominoes; against theory where there is one."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm
from carom.world.step.tables import STATIC
from tests.support.pile import SKIN, Pile

FLOOR = cm.Box((0, -1), (60, 2))
STEP = 1 / 60


def pile_of(*boxes: tuple[float, float, float]) -> Pile:
    """Return boxes of width 1 on a floor, each given by x, y and mass."""
    pile = Pile()
    pile.add(FLOOR, STATIC)
    for x, y, mass in boxes:
        pile.add(cm.Box((x, y), (1, 1)), mass=mass)
    return pile


def on_slope(shape: cm.Shape, angle: float, friction: float) -> Pile:
    """Return a body of half height 0.5 that just touches a slope falling to the right."""
    pile = Pile()
    pile.add(cm.Box((0, 0), (90, 2), angle=-angle), STATIC, friction=friction)
    up = 1.5 * np.array([math.sin(angle), math.cos(angle)])
    pile.add(shape.rotated(-angle).translated(up), friction=friction)
    return pile


def speed(pile: Pile, row: int = 1) -> float:
    return float(math.hypot(pile.bodies["vx"][row], pile.bodies["vy"][row]))


def test_a_stack_of_twenty_stands() -> None:
    pile = pile_of(*((0.0, 0.5 + k, 1.0) for k in range(20)))
    start = np.array([0.5 + k for k in range(20)])
    for _ in range(120):
        pile.step()
        assert (
            pile.overlap() <= SKIN
        )  # of a box's half width 0.5 the skin is half of that; the rest is the projection's
    assert np.abs(pile.bodies["x"][1:]).max() <= 1e-9
    assert np.abs(pile.bodies["y"][1:] - start).max() <= 0.02
    assert np.abs(pile.bodies["angle"][1:]).max() <= 1e-9


@pytest.mark.parametrize("heavy", [10.0, 1e3, 1e6])
def test_a_heavy_box_on_five_does_not_sink(heavy: float) -> None:
    pile = pile_of(*((0.0, 0.5 + k, 1.0) for k in range(5)), (0.0, 5.5, heavy))
    for _ in range(120):
        pile.step()
    assert pile.overlap() <= 1e-3
    assert pile.bodies["y"][6] == pytest.approx(5.5, abs=1e-2)


@pytest.mark.parametrize(("angle", "friction"), [(0.5, 0.2), (0.3, 0.0), (0.8, 0.5)])
def test_a_box_slides_down_a_slope_at_the_acceleration_of_theory(angle: float, friction: float) -> None:
    pile = on_slope(cm.Box((0, 0), (1, 1)), angle, friction)
    for _ in range(20):
        pile.step()
    before = speed(pile)
    for _ in range(40):
        pile.step()
    acceleration = (speed(pile) - before) / (40 * STEP)
    assert acceleration == pytest.approx(10 * (math.sin(angle) - friction * math.cos(angle)), rel=1e-6)


@pytest.mark.parametrize("angle", [0.1, 0.3, 0.5])
def test_a_box_stays_where_friction_holds_it(angle: float) -> None:
    pile = on_slope(cm.Box((0, 0), (1, 1)), angle, 0.9)
    for _ in range(120):
        pile.step()
    assert speed(pile) <= 0.6 * 10 * STEP  # slow enough to fall asleep
    assert math.hypot(pile.bodies["x"][1], pile.bodies["y"][1]) == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize("angle", [0.1, 0.3])
def test_a_disc_rolls_down_a_slope_as_theory_says(angle: float) -> None:
    pile = on_slope(cm.Circle((0, 0), 0.5), angle, 0.9)
    for _ in range(120):
        pile.step()
    assert speed(pile) == pytest.approx(2 / 3 * 10 * math.sin(angle) * 2.0, rel=1e-9)
    assert -pile.bodies["spin"][1] * 0.5 == pytest.approx(speed(pile), rel=1e-9)


def test_dominoes_fall_and_gain_no_energy() -> None:
    pile = Pile()
    pile.add(FLOOR, STATIC)
    for k in range(10):
        pile.add(cm.Box((0.6 * k, 1.0), (0.2, 2.0)), friction=0.3)
    pile.add(cm.Circle((-0.4, 1.8), 0.2), mass=1.0, friction=0.3, vx=4.0)
    pile.step()
    start = pile.energy()
    for _ in range(180):
        pile.step()
        assert pile.energy() <= start + 0.02 * abs(start)
    assert np.all(np.abs(pile.bodies["angle"][1:10]) > 0.5)


def test_momentum_is_kept_where_nothing_holds_the_pile() -> None:
    pile = Pile(gravity=(0.0, 0.0))
    rng = np.random.default_rng(3)
    for k in range(12):
        at = (0.9 * (k % 4) + rng.uniform(-0.05, 0.05), 0.9 * (k // 4))
        pile.add(cm.Box(at, (0.88, 0.88)), swift=10.0, vx=1.0 - 0.5 * (k % 4), vy=rng.uniform(-1, 1))
    mass = 0.88**2

    def momentum() -> np.ndarray:
        b = pile.bodies
        turning = b["spin"] / b["inverse_inertia"] + mass * (b["x"] * b["vy"] - b["y"] * b["vx"])
        return np.array([mass * b["vx"].sum(), mass * b["vy"].sum(), turning.sum()])

    pile.step(0.0001)
    before = momentum()
    for _ in range(60):
        pile.step()
        after = momentum()
        assert np.abs(after[:2] - before[:2]).max() <= 1e-12
    assert len(pile.old) > 0


def test_the_same_pile_gives_the_same_bits() -> None:
    piles = [pile_of(*((0.1 * (k % 3), 0.5 + 1.01 * k, 1.0) for k in range(6))) for _ in range(2)]
    for _ in range(60):
        for pile in piles:
            pile.step()
    assert all(
        np.array_equal(piles[0].bodies[name], piles[1].bodies[name]) for name in ("x", "y", "angle", "vx", "spin")
    )
