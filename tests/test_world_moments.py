"""Many impacts at one moment: rows of touching balls hand on what hits them, and no energy comes of it."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm

STALLED, CUT = 4, 5


def row_of_balls(velocities: list[float], masses: list[float], restitution: float, gap: int = 0) -> cm.World:
    """Return a world with a row of touching balls, but for a gap of 1 before ball number `gap`, if that is not 0."""
    world = cm.World()
    for k, (speed, mass) in enumerate(zip(velocities, masses, strict=True)):
        x = k - 1 if k < gap else k
        world.add(cm.Circle((x, 0), 0.5), kind="dynamic", velocity=(speed, 0), mass=mass, restitution=restitution)
    return world


def momentum_and_energy(world: cm.World, masses: list[float]) -> tuple[float, float]:
    v, m = world.velocities, np.array(masses)
    return float((m * v[:, 0]).sum()), float((m * (v * v).sum(axis=1)).sum())


@pytest.mark.parametrize(("coming", "standing"), [(1, 12), (9, 9), (12, 5), (9, 20), (30, 30), (60, 60)])
def test_as_many_balls_leave_a_long_cradle_as_come(coming: int, standing: int) -> None:
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
def test_a_row_that_is_pressed_everywhere_at_once(count: int, restitution: float) -> None:
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
