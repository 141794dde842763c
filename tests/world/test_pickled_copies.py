"""Pickles and copies of `Worlds`: each goes on from its own state, as the original would, whatever it was doing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import carom as cm

AGAIN: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda it: pickle.loads(pickle.dumps(it)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
FLOOR = cm.Box((0, -1), (40, 2))


def pile() -> cm.World:
    """Return a world whose copies need longer tables of contacts and hits as they go on."""
    world = cm.World(gravity=(0, -10))
    world.add(FLOOR, data="floor")
    for k in range(40):
        world.add(cm.Circle((k % 8 - 4, 1 + k // 8), 0.4), kind="dynamic", restitution=0.3, data=("ball", k))
    return world


def mechanism() -> cm.World:
    """Return a world with a chain that breaks, a motor, and a spring."""
    world = cm.World(gravity=(0, -10))
    floor = world.add(FLOOR)
    links = [world.add(cm.Box((k, 6), (0.9, 0.2)), kind="dynamic") for k in range(6)]
    hinges = [
        world.pin(a, b, (k + 0.5, 6), breaks_at=(30.0, None) if k == 2 else None)
        for k, (a, b) in enumerate(pairwise(links))
    ]
    hinges[1].data = "hinge"
    world.pin(floor, links[0], (-0.5, 6))
    world.pin(floor, links[-1], (5.5, 6), speed=2.0, max_torque=50.0)
    world.spring(floor, links[3], (3, 9), (3, 6), hertz=2, damping=0.2)
    return world


def doorway() -> cm.World:
    """Return a world whose copies wait with exits and overlaps: a sensor is left by a body that is put elsewhere."""
    world = cm.World()
    world.add(cm.Box((0, 0), (2, 2)), sensor=True)
    visitor = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(0.1, 0))
    world.add(cm.Circle((5.2, 0), 0.5), kind="dynamic")
    world.step(0.1)
    visitor.position = (4.5, 0)
    return world


SCENES = {one.__name__: one for one in (pile, mechanism, doorway)}


def told(worlds: cm.Worlds) -> list[Any]:
    return [
        [worlds.world(k).digest() for k in range(len(worlds))],
        worlds.positions.tobytes(),
        worlds.motor_speeds.size,
    ]


def gone_on(worlds: cm.Worlds, steps: int) -> list[Any]:
    """Return all that is told of the copies and their hits in so many steps, and after a reset of some."""
    found = []
    for _ in range(steps):
        hits = worlds.step(1 / 60)
        found.append([hits.world.tolist(), hits.kind.tolist(), hits.time.tolist()])
    worlds.reset([True] + [False] * (len(worlds) - 1))
    worlds.step(1 / 60)
    return [*found, *told(worlds)]


@pytest.mark.parametrize("again", AGAIN.values(), ids=AGAIN)
@pytest.mark.parametrize("steps", [0, 45])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_a_copy_goes_on_as_the_original_and_apart_from_it(
    scene: Callable[[], cm.World], steps: int, again: Callable[[Any], Any]
) -> None:
    worlds, same = (scene().copies(3) for _ in range(2))
    for one in (worlds, same):
        if len(one.motor_speeds[0]):
            one.motor_speeds = np.where(np.isnan(one.motor_speeds), np.nan, [[2.0], [0.0], [-9.0]])
        else:
            one.velocities = np.where(moving(one), one.velocities + np.arange(3)[:, None, None], one.velocities)
        for _ in range(steps):
            one.step(1 / 60)
    other = again(worlds)
    before = told(worlds)
    assert told(other) == before
    expected = gone_on(same, 40)
    assert gone_on(worlds, 40) == expected
    assert told(other) == before, "the copy stays as it is while the original goes on"
    assert gone_on(other, 40) == expected
    other.reset()
    worlds.reset()
    assert gone_on(other, 5) == gone_on(worlds, 5)


def moving(worlds: cm.Worlds) -> Any:
    """Return which bodies may have a velocity, as (1, rows, 1)."""
    kinds = [worlds.world(0).body(row).kind for row in range(worlds.positions.shape[1])]
    return np.array([kind == "dynamic" for kind in kinds])[None, :, None]


def test_a_joint_breaks_after_the_pickle_and_stays_broken_in_another() -> None:
    worlds = mechanism().copies(2)
    joints = np.isnan(worlds.joint_forces[..., 0]).sum()
    while not (broken := int(np.isnan(worlds.joint_forces[..., 0]).sum()) - int(joints)):
        before, _ = pickle.dumps(worlds), worlds.step(1 / 60)
    intact, other = pickle.loads(before), pickle.loads(pickle.dumps(worlds))
    assert broken == 2
    assert not np.isnan(intact.joint_forces).any()
    assert np.isnan(other.joint_forces).any()
    intact.step(1 / 60)
    assert told(intact) == told(other) == told(worlds)


def test_data_of_bodies_and_joints_come_along() -> None:
    many = pickle.loads(pickle.dumps(pile().copies(2)))
    assert many.world(1).body(0).data == "floor"
    assert many.world(1).body(3).data == ("ball", 2)
    joints = pickle.loads(pickle.dumps(mechanism().copies(2))).world(0).joints
    assert [joint.data for joint in joints].count("hinge") == 1


def test_a_copy_of_a_world_with_many_hits_that_steps_without_any_can_be_pickled() -> None:
    """A world of its own from `world(k)` was refused on loading, as damaged: it told of more hits than there are."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (300, 2)))
    for k in range(100):
        world.add(cm.Circle((k - 50, 0.41), 0.4), kind="dynamic", velocity=(0, -1), restitution=0.5)
    assert len(world.step(1 / 60)) == 100
    worlds = world.copies(2)
    for steps in (0, 1):
        for _ in range(steps):
            assert len(worlds.step(1e-3)) == 0
        for one in (worlds.world(1), pickle.loads(pickle.dumps(worlds)).world(1)):
            assert pickle.loads(pickle.dumps(one)).digest() == one.digest()


def test_worlds_of_a_world_left_within_a_step_go_on() -> None:
    world = pile()
    world.step(1 / 60, steps=10)
    assert next(iter(world.events(1.0))).kind == "hit"
    assert world.unfinished
    worlds = world.copies(2)
    other = pickle.loads(pickle.dumps(worlds))
    assert gone_on(other, 5) == gone_on(worlds, 5)


@pytest.mark.parametrize("column", ["x", "first_part"])
def test_worlds_are_checked_as_a_world_is(column: str) -> None:
    """A seal tells of damage; what another program has written wrongly is found by the check that a world has."""
    worlds = pile().copies(2)
    worlds._steps.tables.bodies[column][1, 3] = -(10**9) if column == "first_part" else np.nan
    with pytest.raises(ValueError, match=f"World: the pickle is damaged.*{column}"):
        pickle.loads(pickle.dumps(worlds))


def test_a_pickle_of_worlds_holds_no_address() -> None:
    """Two pickles of equal worlds, made one after the other at other addresses, are equal to the last byte."""
    first = pile().copies(2)
    second = pile().copies(2)
    for one in (first, second):
        one.step(1 / 60)
    assert first._steps.stack.addresses().tolist() != second._steps.stack.addresses().tolist()
    assert pickle.dumps(first) == pickle.dumps(second)
