"""Two threads at one object: a World refuses the second, an Index answers as before or after a change."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom._core.guard import Guard, Reading

LONG = 900  # seconds: the first call compiles
REFUSED = "another thread steps or changes this World; it has one caller at a time"


@pytest.fixture(autouse=True)
def switches_often() -> Iterator[None]:
    """Have Python change threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(*works: Callable[[], Any]) -> list[BaseException]:
    """Run these at the same time, each in a thread of its own, and return what they raised."""
    raised: list[BaseException] = []

    def run(work: Callable[[], Any]) -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
        assert not thread.is_alive()
    return raised


def heap(count: int = 150) -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (60, 2)))
    for k in range(count):
        world.add(cm.Circle((k % 20 - 10, 1 + k // 20), 0.45), kind="dynamic")
    return world


CALLS: dict[str, Callable[[cm.World, cm.Body], Any]] = {
    "World.step": lambda world, body: world.step(1 / 60),
    "World.events": lambda world, body: list(world.events(1 / 60)),
    "World.resume": lambda world, body: world.resume(),
    "World.abandon": lambda world, body: world.abandon(),
    "World.add": lambda world, body: world.add(cm.Circle((0, 50), 1)),
    "World.add_many": lambda world, body: world.add_many([cm.Circle((0, 50), 1)]),
    "World.remove": lambda world, body: world.remove(body),
    "World.rule": lambda world, body: world.rule("default", "default", "slide"),
    "World.gravity": lambda world, body: setattr(world, "gravity", (0, 0)),
    "World.velocities": lambda world, body: setattr(world, "velocities", np.zeros((151, 2))),
    "World.spins": lambda world, body: setattr(world, "spins", np.zeros(151)),
    "Body.velocity": lambda world, body: setattr(body, "velocity", (1, 1)),
    "Body.data": lambda world, body: setattr(body, "data", 1),
    "World.positions": lambda world, body: world.positions,
    "World.contacts": lambda world, body: world.contacts(),
    "World.overlaps": lambda world, body: world.overlaps(),
    "World.bodies": lambda world, body: world.bodies,
    "World.digest": lambda world, body: world.digest(),
    "World.snapshot": lambda world, body: world.snapshot(),
    "World.restore": lambda world, body: world.restore(cm.World().snapshot()),
    "World.copy": lambda world, body: world.copy(),
    "pickle": lambda world, body: pickle.dumps(world),
    "Body.position": lambda world, body: body.position,
    "Character.move": lambda world, body: cm.Character(cm.Circle((0, 40), 1), up=(0, 1)).move((1, 0), world),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_refused_while_another_thread_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step waits within, so that the call is made in its midst for sure."""
    world, within, over = heap(), Event(), Event()
    body, digest, twin = world.body(5), world.digest(), world.copy()
    one_step = cm.World._one_step

    def slow(self: cm.World, length: float, threads: int = 1) -> None:
        if self is world:
            within.set()
            assert over.wait(LONG)
        one_step(self, length, threads)

    monkeypatch.setattr(cm.World, "_one_step", slow)
    thread = threading.Thread(target=world.step, args=(1 / 60,))
    thread.start()
    assert within.wait(LONG)
    try:
        with pytest.raises(RuntimeError, match=REFUSED) as raised:
            CALLS[name](world, body)
        assert name == "pickle" or str(raised.value).startswith(f"{name}: ")
    finally:
        over.set()
        thread.join(LONG)
    assert world.digest() != digest
    twin.step(1 / 60)
    assert world.digest() == twin.digest(), "the refused call has changed nothing"
    if name != "World.restore":
        CALLS[name](world, body)


def test_two_threads_that_step_one_world_leave_it_whole() -> None:
    world, steps = heap(), []

    def work() -> None:
        for _ in range(60):
            world.step(1 / 60)
            steps.append(None)

    raised = at_once(work, work)
    assert raised and all(isinstance(error, RuntimeError) and "World.step: " in str(error) for error in raised)
    assert not world.overlaps().depth.max(initial=0) > 0.01
    alone = heap()
    alone.step(1 / 60, steps=len(steps))
    assert alone.digest() == world.digest(), "it has made the steps that were not refused"


def test_one_thread_steps_while_others_read() -> None:
    world, done, refused = heap(), Event(), []

    def steps() -> None:
        try:
            for _ in range(60):
                world.step(1 / 60)  # readers never make it fail; they may make it wait
        finally:
            done.set()

    def reads() -> None:
        seen = 0
        while not done.is_set() or not seen:
            try:
                seen += len(world.positions) == 151
                assert world.contacts().body.size < 10_000 and world.body(7).position.y < 20
            except RuntimeError as error:
                refused.append(str(error))

    assert at_once(steps, reads, reads) == []
    assert all(REFUSED in text for text in refused)
    alone = heap()
    alone.step(1 / 60, steps=60)
    assert world.digest() == alone.digest()


def test_questions_of_several_threads_are_answered_at_once() -> None:
    world = heap()
    world.step(1 / 60, steps=30)
    contacts, places, digest = world.contacts().points.tolist(), world.positions.tolist(), world.digest()

    def asks() -> None:
        for _ in range(30):
            assert world.contacts().points.tolist() == contacts
            assert world.positions.tolist() == places
            assert world.overlaps().depth.size == 0
            assert world.digest() == digest

    assert at_once(asks, asks, asks) == []


def test_at_a_pause_only_the_thread_of_the_loop_goes_on() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(60, 0), restitution=1)
    for k in range(3):
        world.add(cm.Box((5 + k, 5 * k), (1, 1 + 10 * k)))
    seen = 0
    for _hit in world.events(1.0):
        seen += 1
        ball.velocity = (60, 1)  # at the pause, in the same thread
        raised = at_once(
            lambda: setattr(ball, "velocity", (0, 0)),
            lambda: world.add(cm.Circle((0, 50), 1)),
            lambda: world.remove(ball),
            lambda: world.step(1.0),
        )
        assert len(raised) == 4 and all(isinstance(error, RuntimeError) for error in raised)
        assert at_once(lambda: ball.position, world.contacts) == []
        assert ball.velocity == (60, 1)
        if seen > 3:
            break
    assert seen and not world.unfinished
    assert at_once(lambda: world.step(0.1)) == [], "the loop is over"


def test_another_thread_resumes_what_an_exception_has_left() -> None:
    world = cm.World()
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(60, 0), restitution=1)
    world.add(cm.Box((5, 0), (1, 1)))
    errors = at_once(lambda: [1 / 0 for _ in world.events(1.0)])  # the error holds its frames, and the loop
    assert isinstance(errors[0], ZeroDivisionError) and world.unfinished
    world.resume()
    assert not world.unfinished and ball.velocity == (-60, 0)


def test_worlds_refuse_a_second_thread() -> None:
    worlds, twin = heap(60).copies(20), heap(60).copies(20)
    steps = []

    def work() -> None:
        for _ in range(20):
            worlds.step(1 / 60)
            steps.append(None)

    raised = at_once(work, work)
    assert all(isinstance(error, RuntimeError) and "another thread" in str(error) for error in raised)
    for _ in steps:
        twin.step(1 / 60)
    assert (worlds.positions == twin.positions).all()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_are_stepped_by_threads_of_their_own(copied: Callable[[cm.World], cm.World]) -> None:
    world = heap()
    other = copied(world)
    assert at_once(*(lambda w=w: w.step(1 / 60, steps=30) for w in (world, other))) == []  # type: ignore[misc]
    assert world.digest() == other.digest()


def test_an_index_answers_as_before_or_after_a_change() -> None:
    """The two states have other numbers of points in every shape, in other places; all rows change at once."""
    rng = np.random.default_rng(4)
    centers = rng.uniform(0, 40, (400, 2))
    first = cm.Shapes.circles(centers, 1.5)
    turns = np.linspace(0, 2 * np.pi, 7, endpoint=False)
    seven = 1.5 * np.column_stack((np.cos(turns), np.sin(turns))) + np.array((1.0, 0.0))
    second = cm.Shapes([cm.Polygon(center + seven) for center in centers])
    rows, asked, ray = np.arange(400), cm.Circle((20, 20), 6), ((0, 20), (40, 0.5))
    many = cm.Shapes.circles(rng.uniform(0, 40, (50, 2)), 2)

    def answers(index: cm.Index) -> list[Any]:
        hit = index.raycast(*ray)
        assert hit is not None
        near = index.nearest((20, 20), k=5)
        return [
            index.query(asked).tolist(),
            (hit.row, hit.fraction, hit.shape),
            (near.rows.tolist(), near.distances.tolist()),
            index.query(many).rows.tolist(),
            index.pairs().tolist(),
            index.raycast([(0, y) for y in range(40)], (40, 0)).fraction.tolist(),
        ]

    index, done = cm.Index(first), Event()
    allowed = [answers(cm.Index(first)), answers(cm.Index(second))]
    assert all(one != other for one, other in zip(*allowed, strict=True))

    def changes() -> None:
        try:
            for k in range(60):
                index.update(rows, (second, first)[k % 2])
        finally:
            done.set()

    def asks() -> None:
        while not done.is_set():
            for k, answer in enumerate(answers(index)):
                assert answer in (allowed[0][k], allowed[1][k])

    assert at_once(changes, asks, asks) == []
    assert answers(index) == allowed[0]


def test_rows_of_an_index_come_and_go_while_it_is_asked() -> None:
    index, done = cm.Index(cm.Shapes.circles([(k, 0) for k in range(100)], 0.4)), Event()

    def changes() -> None:
        try:
            for _ in range(100):
                index.remove(index.insert(cm.Shapes.circles([(k, 1) for k in range(30)], 0.4)))
        finally:
            done.set()

    def asks() -> None:
        while not done.is_set():
            found = index.query(cm.Box((50, 0), (10.5, 0.5)))
            assert found.tolist() == list(range(45, 56))
            assert len(index.query(cm.Box((10, 1), (5, 0.5)))) in (5, 0)
            assert len(index.shapes) in (100, 130)

    assert at_once(changes, asks, asks) == []


def test_changes_by_several_threads_come_one_after_the_other() -> None:
    index = cm.Index()
    assert at_once(*([lambda: [index.insert(cm.Circle((k, 0), 1)) for k in range(100)]] * 3)) == []
    assert len(index) == 300 and index.rows.tolist() == list(range(300))


def test_an_interrupt_between_taking_a_turn_and_saying_so_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom._core.guard.HANDOVER", 0.01)
    guard = Guard("World")
    guard.free.pop()
    with guard:
        assert not guard.free
    assert guard.free == [None]
    guard.free.pop()
    with Reading(guard):
        pass
    with guard, guard, Reading(guard), guard:
        assert guard.depth == 2
    assert guard.free == [None] and guard.readers == [] and guard.depth == 0
