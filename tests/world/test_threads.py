"""A world stepped by several threads is the same world to the last bit."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import carom as cm
from carom.world import drive as module


def stacks(count: int = 260, speed: float = 0.0) -> cm.World:
    """Return stacks of three boxes, so many that their islands are shared; the upper ones come down at some speed."""
    rng, world = Random(1), cm.World(gravity=(0, -10))
    world.add(cm.Box((2.0 * count, -1), (4.0 * count + 20, 2)))
    for k in range(count):
        for level in range(3):
            box = cm.Box((4 * k + rng.uniform(-0.2, 0.2), 0.5 + 1.001 * level), (1, 1))
            world.add(box, kind="dynamic", velocity=(0, -speed * level))
    return world


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of how many parts each share of work had."""
    parts, at_once = [], module.at_once

    def counted(count: int, work: Any) -> None:
        parts.append(count)
        at_once(count, work)

    monkeypatch.setattr(module, "at_once", counted)
    return parts


@pytest.mark.parametrize("threads", [2, 3])
def test_the_result_does_not_depend_on_the_number_of_threads(threads: int, shared: list[int]) -> None:
    alone, together = stacks(), stacks()
    for _ in range(12):
        first, second = alone.step(1 / 60), together.step(1 / 60, threads=threads)
        assert alone.digest() == together.digest()
        assert first.time.tolist() == second.time.tolist()
    assert len(shared) >= 12 and set(shared) == {threads}


def test_a_step_interrupted_between_threads_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, broken = stacks(), stacks()
    plain.step(1 / 60)

    def stop(count: int, work: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, "at_once", stop)
        with pytest.raises(KeyboardInterrupt):
            broken.step(1 / 60, threads=2)
    assert broken.unfinished
    broken.resume()
    assert plain.digest() == broken.digest()


def test_a_step_interrupted_between_threads_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """In its second round: the first has solved what the rest of the step would take up."""
    world, at_once, calls = stacks(speed=3.0), module.at_once, []
    heights = world.positions[:, 1].copy()

    def stop(count: int, work: Any) -> None:
        calls.append(count)
        if len(calls) == 2:
            raise KeyboardInterrupt
        at_once(count, work)

    with monkeypatch.context() as patched:
        patched.setattr(module, "at_once", stop)
        with pytest.raises(KeyboardInterrupt):
            world.step(1 / 60, threads=2)
    assert len(calls) == 2
    world.abandon()
    assert not world.unfinished and (world.positions[:, 1] == heights).all()
    world.step(1 / 60, steps=40)
    assert (world.positions[:, 1] > heights - 0.01).all()


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads: Any) -> None:
    world = stacks(1)
    before = world.digest()
    with pytest.raises((ValueError, TypeError), match="threads"):
        world.step(1 / 60, threads=threads)
    assert world.digest() == before
