"""A step of many copies that an interrupt has left: what is told of it, and how it goes on."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world.copies import steps as copied_steps
from carom.world.step.play.events import DONE

DT = 1 / 60
COPIES = 5


def room() -> cm.World:
    """Return discs over a floor, two of which hang on a pin that breaks in the first step."""
    world = cm.World(gravity=(0, -10), sleep=False)
    world.add(cm.Box((0, -1), (60, 2)))
    for k in range(20):
        world.add(cm.Circle((k % 5 * 1.02 - 2, 0.9 + 1.2 * (k // 5)), 0.5), kind="dynamic")
    world.step(DT, 10)
    world.pin(world.body(1), world.body(2), (0, 0.5), breaks_at=(1e-6, None))
    return world


def stacks() -> cm.World:
    """Return stacks of light and heavy boxes: the solver of such islands stands outside of the kernel of a step."""
    world = cm.World(gravity=(0, -10), sleep=False)
    world.add(cm.Box((0, -1), (60, 2)))
    for k in range(20):
        world.add(cm.Box((k % 2 * 3, 0.5 + k // 2), (1, 1)), kind="dynamic", mass=1000 if k % 4 < 2 else 1)
    world.step(DT, 10)
    return world


def interrupted(monkeypatch: pytest.MonkeyPatch, worlds: cm.Worlds, times: int = 1, ahead: bool = True) -> None:
    """Interrupt a step so many times: when a copy is done, and others are not, or where the first one has stopped."""
    name = "play_copies" if ahead else "play_bare_copies"
    play, left = getattr(copied_steps, name), [times]

    def stop(*given: Any) -> int:
        length, statuses, first, last = given[1], given[2], given[-2], given[-1]
        if not left[0] or length == 0.0:
            reached: int = play(*given)
            return reached
        reached = play(*given[:-1], min(first + 2, last))
        if not ahead or (statuses == DONE).any():
            left[0] -= 1
            raise KeyboardInterrupt
        return reached

    monkeypatch.setattr(copied_steps, name, stop)
    for _ in range(times):
        with pytest.raises(KeyboardInterrupt):
            worlds.resume() if worlds.unfinished else worlds.step(DT)
        assert worlds.unfinished


def digests(worlds: cm.Worlds) -> list[int]:
    return [worlds.world(k).digest() for k in range(len(worlds))]


@pytest.mark.parametrize(("times", "ahead"), [(1, True), (1, False), (2, False)])
@pytest.mark.parametrize("pickled", [False, True])
def test_resume_plays_the_rest_in_all_copies(
    monkeypatch: pytest.MonkeyPatch, pickled: bool, times: int, ahead: bool
) -> None:
    whole, broken = ((room() if ahead else stacks()).copies(COPIES) for _ in range(2))
    assert not whole.unfinished and len(whole.resume()) == 0
    expected = whole.step(DT)
    interrupted(monkeypatch, broken, times, ahead)
    assert len(set(digests(broken))) > 1
    heights = broken.positions[:, :, 1].sum(axis=1)
    assert len(np.unique(heights)) == 1 + ahead, "what is read is where each copy is"
    if pickled:
        broken = pickle.loads(pickle.dumps(broken))
    hits = broken.resume()
    assert not broken.unfinished
    assert digests(broken) == digests(whole)
    assert np.array_equal(broken.positions, whole.positions, equal_nan=True)
    for one, other in zip(hits.flat().values(), expected.flat().values(), strict=True):
        assert np.array_equal(one, other)
    for worlds in (broken, whole):
        worlds.step(DT)
    assert digests(broken) == digests(whole)


def test_the_next_step_resumes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = room().copies(COPIES), room().copies(COPIES)
    interrupted(monkeypatch, broken)
    broken.step(DT)
    for _ in range(2):
        whole.step(DT)
    assert digests(broken) == digests(whole)


def test_nothing_is_set_before_the_step_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = room().copies(COPIES)
    interrupted(monkeypatch, worlds)
    before = digests(worlds)
    for name in ("positions", "angles", "velocities", "spins", "accelerations", "motor_speeds"):
        with pytest.raises(RuntimeError, match=f"Worlds.{name}: .*Worlds.resume"):
            setattr(worlds, name, getattr(worlds, name) + 1.0)
    assert digests(worlds) == before


@pytest.mark.parametrize("some", [False, True])
def test_copies_that_are_reset_are_in_no_step(monkeypatch: pytest.MonkeyPatch, some: bool) -> None:
    start = room().digest()
    worlds, whole = room().copies(COPIES), room().copies(COPIES)
    whole.step(DT)
    interrupted(monkeypatch, worlds)
    mask = [k > 2 for k in range(COPIES)] if some else [True] * COPIES
    worlds.reset(mask)
    assert worlds.unfinished == some
    worlds.resume()
    right = digests(whole)
    assert digests(worlds) == [start if gone else one for gone, one in zip(mask, right, strict=True)]
