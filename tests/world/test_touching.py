"""`World.contacts`: what presses on what, where and how hard, and who sleeps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm

GRAVITY, H = 10.0, 1 / 60


def test_a_stack_tells_who_presses_on_whom_and_how_hard() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (10, 2)))
    for k in range(4):
        world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic", mass=k + 1)
    world.step(H, steps=20)
    found = world.contacts()
    assert found.body.tolist() == [0, 1, 2, 3] and found.other.tolist() == [1, 2, 3, 4]
    assert found.normal == pytest.approx(np.tile((0, 1), (4, 1)))
    assert found.count.tolist() == [2, 2, 2, 2]
    # Each carries the weight of all above it.
    assert found.impulses.sum(axis=1) == pytest.approx(np.array([10, 9, 7, 4]) * GRAVITY * H, rel=0.1)
    assert np.sort(found.points[0, :, 0]) == pytest.approx([-0.5, 0.5], abs=1e-9)
    assert np.abs(found.points[:, :, 1] - np.arange(4)[:, None]).max() <= 0.02
    assert np.abs(found.depths).max() <= 0.008
    assert np.abs(found.friction_impulses).max() <= 1e-9
    assert list(found.flat())[:5] == ["body", "other", "nx", "ny", "count"]


def test_a_sliding_box_rubs_with_its_coefficient() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (100, 2)))
    world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic", velocity=(5, 0), friction=0.3)
    world.step(H, steps=10)
    found = world.contacts()
    pressed, rubbed = found.impulses.sum(), found.friction_impulses.sum()
    assert pressed == pytest.approx(GRAVITY * H, rel=1e-3)
    # To the left, which is the normal (0, 1) turned by a quarter turn anticlockwise.
    assert rubbed == pytest.approx(math.sqrt(0.3 * 0.6) * pressed, rel=1e-3)


def test_bodies_that_fly_have_no_contacts_and_sleeping_ones_keep_theirs() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    floor = world.add(cm.Box((0, -1), (10, 2)))
    low = world.add(cm.Circle((0, 0.5), 0.5), kind="dynamic")
    high = world.add(cm.Circle((3, 500), 0.5), kind="dynamic")
    world.step(H, steps=60)
    assert low.asleep and not high.asleep and not floor.asleep
    assert world.asleep.tolist() == [False, True, False]
    found = world.contacts()
    assert found.body.tolist() == [0] and found.other.tolist() == [1]
    assert found.impulses.sum() == pytest.approx(GRAVITY * H, rel=1e-3)


def test_contacts_at_a_pause_are_those_of_the_present_step_and_change_nothing() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (10, 2)))
    world.add(cm.Box((0, 0.5), (1, 1)), kind="dynamic")
    world.add(cm.Circle((3, 0.6), 0.5), kind="dynamic", velocity=(0, -30))
    other = world.copy()
    seen = 0
    for _hit in world.events(H):
        seen += 1
        assert (0, 1) in set(zip(*world.contacts()[:2], strict=True))
    other.step(H)
    assert seen > 0 and world.digest() == other.digest()


def test_contacts_of_removed_bodies_are_gone_also_when_their_rows_are_given_to_others() -> None:
    world = cm.World(gravity=(0, -GRAVITY))
    world.add(cm.Box((0, -1), (20, 2)))
    low, high = (world.add(cm.Box((0, 0.5 + k), (1, 1)), kind="dynamic") for k in range(2))
    world.step(H, steps=60)
    row = low.row
    world.remove(low)
    assert len(world.contacts().body) == 0
    new = world.add(cm.Box((8, 9), (1, 1)), kind="dynamic")
    other = world.add(cm.Circle((-8, 9), 0.5), kind="dynamic")
    assert row in (new.row, other.row)
    assert len(world.contacts().body) == 0 and new.resting_on == () and high.resting_on == ()
    for _ in range(3):
        world.step(H)
        assert new.row not in world.contacts().flat()["other"]
