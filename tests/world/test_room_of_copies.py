"""The tables of copies: what each has of its own is no longer than it needs, and the rest they use in turn."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world.step.declared import arrays_in
from carom.world.store import Store

DT = 1 / 50


def on_legs(world: cm.World, x: float, y: float, legs: int) -> None:
    """Add a hull at (x, y) with legs of two parts, at motors within limits."""
    hull = world.add(cm.Box((x, y), (2, 0.6)), "dynamic", density=5, layer=2, mask=1)
    for k in range(legs):
        above, at = hull, (x, y - 0.2)
        for angle, low, high in ((0.4, -0.8, 1.1), (-0.5, -1.1, 0.4)):
            end = at[0] + math.sin(angle), at[1] - math.cos(angle)
            middle = (at[0] + end[0]) / 2, (at[1] + end[1]) / 2
            leg = world.add(cm.Box(middle, (0.3, 1), angle), "dynamic", density=1, layer=2, mask=1)
            world.pin(leg, above, at, limits=(low, high), speed=1 - 2 * k, max_torque=80)
            above, at = leg, end


def lander() -> cm.World:
    """Return a body with a leg of two parts above ground and a sensor of eleven parts each."""
    world = cm.World(gravity=(0, -10), sleep=False)
    lines = [((2.0 * k, 0.3 * (k % 3)), (2.0 * k + 2, 0.3 * ((k + 1) % 3))) for k in range(11)]
    world.add(cm.Compound.from_parts([cm.Capsule(*line, 0.015) for line in lines]), layer=1)
    world.add(cm.Compound.from_parts([cm.Capsule(*line, 0.02) for line in lines]), sensor=True, layer=1)
    on_legs(world, 10, 4, 1)
    return world


def walker() -> cm.World:
    """Return a body with two legs of two parts, over 200 lines of ground that are a body each, and a sensor of 200."""
    world = cm.World(gravity=(0, -10), sleep=False)
    lines = [((0.4 * k, 0.02 * (k % 3)), (0.4 * k + 0.4, 0.02 * ((k + 1) % 3))) for k in range(199)]
    world.add(cm.Compound.from_parts([cm.Capsule(*line, 0.02) for line in lines]), sensor=True, layer=1)
    on_legs(world, 10, 2.2, 2)
    world.add_many([cm.Capsule(*line, 0.015) for line in lines], layer=1, friction=2.5)
    return world


@pytest.mark.parametrize(("scene", "most"), [(lander, 90_000), (walker, 400_000)])
def test_a_copy_takes_no_more_memory_than_it_needs(scene: Callable[[], cm.World], most: int) -> None:
    """With tables as long as those of the world a lander took 185 kB, and a walker 970 kB."""
    worlds = scene().copies(64)
    for _ in range(2):
        assert worlds._steps.stack.room() / len(worlds) < most
        worlds.step(DT)


def rain(count: int = 40) -> cm.World:
    """Return discs that bounce in a box, at rest in the air: what falls together meets at many places."""
    world = cm.World()
    for box in (cm.Box((0, -0.5), (12, 1)), cm.Box((-5.5, 5), (1, 12)), cm.Box((5.5, 5), (1, 12))):
        world.add(box)
    for k in range(count):
        world.add(cm.Circle((k % 8 - 4, 0.31 + 0.61 * (k // 8)), 0.3), kind="dynamic", restitution=0.5)
    return world


def pushed(worlds: cm.Worlds, k: int) -> None:
    """Have all discs of one copy fall and bounce about."""
    velocities, accelerations = worlds.velocities.copy(), worlds.accelerations
    velocities[k, 3:] = np.random.default_rng(k).uniform(-30, 30, velocities[k, 3:].shape)
    accelerations[k, 3:, 1] = -30
    worlds.velocities, worlds.accelerations = velocities, accelerations


def test_tables_grow_in_the_copy_that_needs_it_and_go_on_as_those_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """All copies had their tables made longer with those of one: with 256 landers that took 0.4 s each time."""
    asked, lengthen = [], Store.lengthen

    def noted(store: Store, status: int) -> None:
        asked.append(status)
        lengthen(store, status)

    monkeypatch.setattr(Store, "lengthen", noted)
    worlds = rain().copies(40)
    pushed(worlds, 7)
    single = worlds.world(7)
    before = worlds._steps.stack.room()
    for _ in range(60):
        worlds.step(DT)
    grown = len(asked)
    assert grown > 1
    assert worlds._steps.stack.room() - before < 2_000_000, "one copy has longer tables, 39 have not"
    asked.clear()
    for _ in range(60):
        single.step(DT)
    assert worlds.world(7).digest() == single.digest()
    assert len(asked) <= grown, "a world is asked no more often than its copy"
    pushed(worlds, 8)
    other = worlds.world(8)
    for _ in range(30):
        worlds.step(DT, threads=3)
        other.step(DT)
        single.step(DT)
    assert [worlds.world(k).digest() for k in (7, 8)] == [single.digest(), other.digest()]
    back = pickle.loads(pickle.dumps(worlds))
    assert [back.world(k).digest() for k in range(40)] == [worlds.world(k).digest() for k in range(40)]
    worlds.reset([k == 7 for k in range(40)])
    pushed(worlds, 7)
    assert worlds.world(7).digest() != single.digest()


def spoiled(array: np.ndarray[Any, Any]) -> None:
    """Write what no step could go on with into a table that is lent, where a step does not count on zeros."""
    for name in array.dtype.names or (None,):
        column = array if name is None else array[name]
        if name not in ("member", "fate"):
            column[...] = np.nan if column.dtype.kind == "f" else 2**30


@pytest.mark.parametrize("scene", [lander, walker, rain])
def test_nothing_in_tables_that_are_lent_outlasts_a_step(scene: Callable[[], cm.World]) -> None:
    worlds = scene().copies(1)
    if scene is rain:
        pushed(worlds, 0)
    single = worlds.world(0)
    stack = worlds._steps.stack
    for _ in range(12 if scene is walker else 40):
        for pool in stack._pools:
            for (i, _), array in pool.items():
                if not stack._forms[i].length.numbered:
                    spoiled(array)
        assert worlds.step(DT).flat()["time"].tolist() == single.step(DT).time.tolist()
        assert worlds.world(0).digest() == single.digest()


def test_each_table_of_a_world_is_lent_or_lasts() -> None:
    store = rain()._store
    lent = [one for part in (store.tables, store.piles) for _, one in arrays_in(part) if one.length.in_turn]
    assert len(lent) > 15
    assert not any(one.length.shared for one in lent)
