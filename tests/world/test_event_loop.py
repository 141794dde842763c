"""Ways to leave a loop over a world's events: `break` and `return` play the rest, an exception leaves the instant."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import carom as cm
from tests.support.smooth_world import SmoothWorld

Loop = Callable[[], Iterator[cm.WorldHit]]


def scene() -> cm.World:
    """Return a world with hits after 0.25, 0.5 and 0.75 s."""
    world = SmoothWorld()
    world.add(cm.Box((5, 0), (1, 100)))
    for k in range(3):
        ball = cm.Circle((0, 3 * k), 0.5)
        world.add(ball, kind="dynamic", velocity=(16 / (k + 1), 0), restitution=1)
    return world


def by_break(loop: Loop) -> None:
    for _hit in loop():
        break


def by_return(loop: Loop) -> Any:
    for hit in loop():
        return hit
    return None


def by_return_within_a_block(loop: Loop) -> Any:
    for hit in loop():
        with contextlib.nullcontext():
            return hit
    return None


def by_break_within_a_try(loop: Loop) -> None:
    for _hit in loop():
        try:
            break
        finally:
            len("x")


def by_break_out_of_an_inner_loop(loop: Loop) -> None:
    for _ in range(2):
        for _hit in loop():
            for _ in range(3):
                break
            break
        break


def by_break_from_enumerate(loop: Loop) -> None:
    for _, _hit in enumerate(loop()):
        break


def by_a_condition(loop: Loop) -> None:
    for hit in loop():
        if hit.time > 0.4:
            break
    else:
        raise AssertionError


QUIET = [
    by_break,
    by_return,
    by_return_within_a_block,
    by_break_within_a_try,
    by_break_out_of_an_inner_loop,
    by_break_from_enumerate,
    by_a_condition,
]


def by_an_error(loop: Loop) -> None:
    for _hit in loop():
        raise KeyError


def by_an_error_in_a_call(loop: Loop) -> None:
    for _hit in loop():
        int("x")


def by_an_error_within_a_block(loop: Loop) -> None:
    for _hit in loop():
        with contextlib.nullcontext():
            raise KeyError


def by_an_error_on_its_way_through_a_finally(loop: Loop) -> None:
    for _hit in loop():
        try:
            raise KeyError
        finally:
            len("x")


def by_an_error_raised_again(loop: Loop) -> None:
    for _hit in loop():
        try:
            raise KeyError
        except KeyError:
            raise


def by_an_error_of_the_world(loop: Loop) -> None:
    for hit in loop():
        hit.body.velocity = (float("nan"), 0)


def by_a_step_within_the_step(loop: Loop) -> None:
    for hit in loop():
        hit.body._world.step(1.0)


LOUD = [
    by_an_error,
    by_an_error_in_a_call,
    by_an_error_within_a_block,
    by_an_error_on_its_way_through_a_finally,
    by_an_error_raised_again,
    by_an_error_of_the_world,
    by_a_step_within_the_step,
]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("leave", QUIET)
def test_leaving_a_loop_plays_the_rest(leave: Callable[[Loop], Any], named: bool) -> None:
    world = scene()
    events = world.events(1.0)
    leave((lambda: events) if named else (lambda: world.events(1.0)))
    assert not world.unfinished
    assert world.velocities[1:, 0].tolist() == [-16, -8, -16 / 3]


@pytest.mark.parametrize("leave", LOUD)
@pytest.mark.parametrize("then", ["resume", "abandon", "step", "events"])
@pytest.mark.parametrize("named", [False, True])
def test_an_error_in_a_loop_keeps_the_instant(leave: Callable[[Loop], Any], then: str, named: bool) -> None:
    """Also where the iterator of the loop has a name that lives on."""
    world = scene()
    events = world.events(1.0)
    with pytest.raises((KeyError, ValueError, RuntimeError)):
        leave((lambda: events) if named else (lambda: world.events(1.0)))
    assert world.unfinished
    assert world.positions[1:, 0] == pytest.approx([4.0, 2.0, 4 / 3])
    copy = world.copy()
    if then == "resume":
        assert world.resume().time.tolist() == [0.5, 0.75]
        assert world.positions[1:, 0] == pytest.approx([4 - 12.0, 4 - 4.0, 4 - 4 / 3])
    elif then == "abandon":
        world.abandon()
        assert world.positions[1:, 0] == pytest.approx([4.0, 2.0, 4 / 3])
        assert world.step(1.0).time.tolist() == pytest.approx([0.25, 0.5])
    elif then == "step":
        assert world.step(1.0).time.tolist() == []
        assert world.positions[1:, 0] == pytest.approx([4 - 28.0, 4 - 12.0, 4 - 20 / 3])
    else:
        assert [hit.time for hit in world.events(1.0)] == []
    assert not world.unfinished
    assert copy.unfinished
    assert copy.resume().time.tolist() == [0.5, 0.75], "it was left at the same instant"


def test_an_iterator_outside_a_loop_leaves_the_rest_to_the_next_step() -> None:
    world = scene()
    assert next(iter(world.events(1.0))).time == 0.25
    assert world.unfinished
    assert world.step(0.5).time.tolist() == []
    assert world.velocities[1:, 0].tolist() == [-16, -8, -16 / 3]


def test_events_can_be_asked_for_one_by_one() -> None:
    world = scene()
    events = world.events(1.0)
    assert next(events).time == 0.25
    assert [hit.time for hit in events] == [0.5, 0.75]
    assert list(events) == []
    with pytest.raises(StopIteration):
        next(events)
    world = scene()
    events = world.events(1.0)
    told = [(hit.time, next(events).time) for hit in events if hit.time < 0.7]
    assert told == [(0.25, 0.5)]
    assert not world.unfinished


def test_a_step_that_is_held_elsewhere_can_be_abandoned() -> None:
    world = scene()
    events = enumerate(world.events(1.0))
    with pytest.raises(KeyError):
        by_an_error(lambda: events)  # type: ignore[arg-type, return-value]
    with pytest.raises(RuntimeError, match="abandon"):
        world.step(1.0)
    world.abandon()
    assert world.positions[1:, 0] == pytest.approx([4.0, 2.0, 4 / 3])
    assert list(events) == []
    assert world.step(1.0).time.tolist() == pytest.approx([0.25, 0.5])


def test_a_step_that_is_held_elsewhere_can_be_resumed() -> None:
    world = scene()
    events = enumerate(world.events(1.0))
    with pytest.raises(KeyError):
        by_an_error(lambda: events)  # type: ignore[arg-type, return-value]
    with pytest.raises(RuntimeError, match="resume"):
        world.copy()
    assert world.resume().time.tolist() == [0.5, 0.75]
    assert world.velocities[1:, 0].tolist() == [-16, -8, -16 / 3]
    assert world.step(1.0).time.tolist() == []
    assert list(events) == []
    assert world.resume().time.tolist() == []


def test_resuming_ends_the_loop() -> None:
    """Hits not yet reported are returned, an exit made at the pause included; a recording of it does the same."""
    world = scene()
    tape = cm.Recording(world)
    for count, hit in enumerate(world.events(1.0)):
        assert (count, hit.time) == (0, 0.25)
        assert world.resume().time.tolist() == [0.5, 0.75]
        assert not world.unfinished
        assert world.step(0.25).time.tolist() == []
    gate = world.add(cm.Box((-20, 0), (4, 100)), sensor=True)
    for hit in world.events(1.25):
        assert (hit.kind, hit.body.row) == ("enter", 1)
        world.remove(gate)
        assert world.resume().kind.tolist() == ["exit"]
    assert world.step(0.1).time.tolist() == []
    assert tape.replay().diverged is None
    assert tape.replay().world.digest() == world.digest()


def test_abandoning_ends_the_loop() -> None:
    world = scene()
    for count, hit in enumerate(world.events(1.0)):
        assert (count, hit.time) == (0, 0.25)
        world.abandon()
        assert not world.unfinished
        assert world.step(0.375).time.tolist() == pytest.approx([0.25])
    assert world.positions[1:, 0] == pytest.approx([-2.0, 3.0, 10 / 3])


def test_resume_returns_the_hits_that_a_loop_did_not_see() -> None:
    """Two balls hit the wall at one instant, and the loop ends at the first."""
    world = SmoothWorld()
    world.add(cm.Box((5, 0), (1, 100)))
    for k in range(2):
        world.add(cm.Circle((0, 3 * k), 0.5), kind="dynamic", velocity=(16, 0), restitution=1)
    with pytest.raises(KeyError):
        by_an_error(lambda: world.events(1.0))
    assert world.copy().resume().time.tolist() == [0.25]
    assert world.resume().time.tolist() == [0.25]
    assert world.resume().time.tolist() == []


def test_an_exit_within_a_loop_is_silent() -> None:
    """The interpreter lets go of a loop that has a name when no code runs any more."""
    code = """
import carom as cm
world = cm.World()
world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(50, 0))
world.add(cm.Box((10, 0), (1, 20)))
events = enumerate(world.events(0.5))
next(events)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
