"""Views of positions and the like follow the world, also those that were asked for when it had fewer bodies."""

from __future__ import annotations

import numpy as np
import pytest

import carom as cm

NAMES = "positions", "angles", "velocities", "spins"


def moving() -> cm.World:
    world = cm.World()
    world.add(cm.Box((0, 0), (1, 1)), kind="dynamic", velocity=(5, 0), spin=1)
    return world


@pytest.mark.parametrize("name", NAMES)
def test_a_view_that_is_kept_follows_though_bodies_come(name: str) -> None:
    world = moving()
    kept = [getattr(world, name)]
    part = getattr(world, name)[:1]
    for k in range(6):
        world.add_many(
            cm.Shapes.circles(np.column_stack((np.arange(40) * 3.0, np.full(40, 9.0 + 3 * k))), 1), "dynamic"
        )
        kept.append(getattr(world, name))
        world.bodies[0].spin = k
        world.step(0.5)
        now = getattr(world, name)
        assert all(np.array_equal(one, now[: len(one)]) for one in kept)
        assert np.array_equal(part, now[:1])
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0] = 1


def test_columns_that_nobody_holds_are_given_back() -> None:
    world = moving()
    kept = world.positions
    for k in range(5):
        world.add(cm.Circle((0, 9 + 3 * k), 1))
        assert len(world.positions) == k + 2
    assert len(world._older) == 1
    assert len(kept) == 1
    del kept
    world.add(cm.Circle((0, 90), 1))
    assert len(world.positions) == 7
    assert world._older == []


def test_a_view_tells_nan_of_rows_that_a_snapshot_does_not_have() -> None:
    world = moving()
    start = world.snapshot()
    world.add(cm.Circle((9, 9), 1))
    kept = world.positions
    world.restore(start)
    assert len(world.positions) == 1
    assert kept[0].tolist() == [0, 0]
    assert np.isnan(kept[1]).all()
