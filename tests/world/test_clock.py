"""The clock of a world: how long its steps took, and how many there were, wherever a world goes."""

from __future__ import annotations

import copy
import pickle

import pytest

import carom as cm


def falling() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (20, 2)))
    world.add(cm.Circle((0, 3), 0.5), kind="dynamic", restitution=0.5, velocity=(0, -9))
    return world


def test_the_clock_tells_the_steps_that_have_ended() -> None:
    world = falling()
    assert (world.time, world.steps) == (0.0, 0)
    world.step(0.25, steps=3)
    world.step(0.0)
    world.step(0.125)
    assert (world.time, world.steps) == (0.875, 4)


def test_at_a_pause_the_clock_tells_that_instant() -> None:
    world = falling()
    world.step(0.125)
    pauses = [(world.time - hit.time, world.steps) for hit in world.events(1.5)]
    assert pauses
    assert all(before == pytest.approx(0.125, abs=1e-12) and steps == 1 for before, steps in pauses)
    assert (world.time, world.steps) == (1.625, 2)


def test_a_step_that_is_abandoned_took_as_long_as_it_came() -> None:
    world = falling()
    world.step(0.125)
    for hit in world.events(1.5):
        at = hit.time
        world.abandon()
    assert world.time == pytest.approx(0.125 + at, abs=1e-12)
    assert world.steps == 2


def test_the_clock_goes_with_copies_snapshots_pickles_and_recordings() -> None:
    world = falling()
    tape = cm.Recording(world)
    world.step(0.25, steps=2)
    kept = world.snapshot()
    many = world.copies(3)
    twins = [world.copy(), copy.deepcopy(world), pickle.loads(pickle.dumps(world)), tape.replay().world]
    assert [(twin.time, twin.steps) for twin in twins] == [(0.5, 2)] * 4
    world.step(0.25)
    many.step(0.25)
    assert [(world.time, world.steps), (many.world(1).time, many.world(1).steps)] == [(0.75, 3)] * 2
    world.restore(kept)
    assert (world.time, world.steps) == (0.5, 2)


def test_worlds_of_equal_state_have_equal_digests_whatever_their_clocks() -> None:
    world, other = cm.World(), cm.World()
    world.step(1.0)
    assert world.digest() == other.digest()


@pytest.mark.parametrize("name", ["time", "steps"])
def test_the_clock_is_not_set(name: str) -> None:
    with pytest.raises(AttributeError, match=f"World.{name} cannot be set"):
        setattr(falling(), name, 1)
