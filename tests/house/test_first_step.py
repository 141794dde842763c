"""A first step compiles what it needs and tells of it; worlds without joints and sensors have a form of their own."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom as cm
from carom._core import jit
from carom.world.store import Store

FIRST_STEP = """
import json
import carom as cm
world = cm.World(gravity=(0, -10))
world.add(cm.Box((0, -1), (50, 2)))
world.add(cm.Box((0, 3), (1, 1)), kind="dynamic")
world.step(1 / 60)
from carom._core.jit import signatures
def is_compiled(one):
    return one.signatures or (one.lent.cache_info().currsize and one.lent().signatures)
print(json.dumps([name for name, one in signatures.kernels() if is_compiled(one)]))
"""
NOT_ASKED = (
    "carom.world.joints.",
    "carom.world.questions.",
    "carom.world.step.solve.interior.",
    "carom.world.step.solve.unequal.",
    "carom.world.step.play.crossings.",
    "carom.world.step.play.events.play_visit",
    "carom.world.step.solve.rows.spread",
    "carom.world.step.members.join_mechanisms",
    "carom.world.addressed.play_step_at",
)


@pytest.mark.skipif(jit.KERNELS != "jit", reason="nothing is compiled here")
def test_a_first_step_compiles_what_it_needs_and_tells_of_it(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP], capture_output=True, text=True, timeout=600, env=environment, check=True
    )
    compiled = json.loads(done.stdout)
    assert "carom.world.addressed.play_bare_step_at" in compiled and len(compiled) > 300
    assert [name for name in compiled if name.startswith(NOT_ASKED)] == []
    lines = done.stderr.splitlines()
    assert lines[0].endswith("once; `carom compile` does all of it beforehand")
    assert any(line.startswith("carom compiles play_bare_step_at: about ") for line in lines)
    assert all(line.startswith("carom compiles ") for line in lines)


def heap(seed: int = 0) -> cm.World:
    """Return a world in which bodies fall, hit, roll and rest."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)))
    world.add(cm.Box((0, 8), (3, 0.25)), kind="kinematic", spin=1.0)
    shapes = [cm.Circle((0, 0), 0.5), cm.Box((0, 0), (1, 0.75)), cm.Polygon([(0, 0), (1, 0), (0.25, 0.75)])]
    for k in range(15):
        at = (k % 5 - 1.5 + 0.125 * (k // 5) + 0.01 * seed, 1.0 + 1.5 * (k // 5))
        world.add(shapes[k % 3].placed(at), kind="dynamic", restitution=0.25 * (k % 3), velocity=(0.25 * (k % 5), 0))
    return world


def store_of(world: cm.World) -> Store:
    return world._store


def digest_after(world: cm.World, steps: int = 120) -> int:
    for _ in range(steps):
        world.step(1 / 64)
    return world.digest()


def test_both_forms_give_the_same_bits() -> None:
    bare, whole = heap(), heap()
    store_of(whole).whole = True
    assert not store_of(bare).whole
    assert digest_after(bare) == digest_after(whole)


def test_both_forms_give_copies_the_same_bits() -> None:
    bare, whole = heap(), heap()
    store_of(whole).whole = True
    ours, theirs = bare.copies(3), whole.copies(3)
    for _ in range(60):
        ours.step(1 / 64)
        theirs.step(1 / 64)
    for k in range(3):
        assert ours.world(k).digest() == theirs.world(k).digest()


def jointed(world: cm.World) -> None:
    first, second = world.bodies[3], world.bodies[4]
    world.rod(first, second, first.position, second.position)


def jointed_once(world: cm.World) -> None:
    jointed(world)
    world.joints[0].remove()


def sensing(world: cm.World) -> None:
    world.add(cm.Box((0, 3), (2, 2)), sensor=True)


def sensing_later(world: cm.World) -> None:
    world.bodies[1].sensor = True


CHANGES = [jointed, jointed_once, sensing, sensing_later]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_world_that_had_a_joint_or_sensor_keeps_the_whole_form(change: Callable[[cm.World], None]) -> None:
    world = heap()
    before = world.snapshot()
    digest_after(world, 5)
    assert not store_of(world).whole
    change(world)
    after = world.snapshot()
    kept = pickle.loads(pickle.dumps(world))
    twins = [world, world.copy(), kept, heap(1)]
    twins[-1].restore(after)
    assert [store_of(one).whole for one in twins] == [True] * 4
    assert world.copies(2)._steps.base.whole and pickle.loads(pickle.dumps(world.copies(2)))._steps.base.whole
    world.restore(before)
    assert not store_of(world).whole


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_pickle_without_the_mark_finds_it(change: Callable[[cm.World], None]) -> None:
    world = heap()
    change(world)
    store_of(world).whole = False
    assert store_of(pickle.loads(pickle.dumps(world))).whole


def test_a_joint_added_within_a_step_holds_in_its_rest() -> None:
    digests = []
    for whole in (False, True):
        world = heap()
        store_of(world).whole = whole
        digest_after(world, 10)
        for number, _ in enumerate(world.events(1.0)):
            if number == 3:
                jointed(world)
        digests.append(digest_after(world, 30))
    assert len(set(digests)) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines_of(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: float, once: bool, wait: float) -> str:
    from carom._core.jit import notice

    def play_step() -> None:
        """Stand for a kernel."""

    monkeypatch.setattr(notice, "EVERY", 0.1)
    monkeypatch.setattr(notice.Notice, "_seconds", lambda self, function: seconds)
    monkeypatch.setattr(sys, "stderr", stream)
    told: Any = notice.Notice()
    with told.compiling(play_step, once):
        time.sleep(wait)
    return stream.getvalue().replace(f"{lines_of.__name__}.<locals>.", "")


needs_numba = pytest.mark.skipif(jit.KERNELS != "jit", reason="Numba is not at work")


@needs_numba
def test_a_long_compile_is_told_at_once_and_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = lines_of(monkeypatch, io.StringIO(), 31.0, True, 0.55).splitlines()
    assert first == "carom compiles play_step: about 30 s, once; `carom compile` does all of it beforehand"
    assert 2 <= len(others) <= 6 and all(line.endswith(" s of about 30 s") for line in others)


@needs_numba
def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    told = lines_of(monkeypatch, Terminal(), 4.0, False, 1.2)
    assert told.startswith("carom compiles play_step: about 4 s\n\r  [#######....")
    assert told.endswith("] 1 s of about 4 s\033[K\r\033[K")


@needs_numba
def test_a_short_compile_is_told_if_it_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines_of(monkeypatch, io.StringIO(), 0.5, True, 0.01) == ""
    assert "about 1 s" in lines_of(monkeypatch, io.StringIO(), 0.5, True, 0.3)


@needs_numba
def test_a_compile_that_fails_is_told_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    from carom._core.jit import notice

    monkeypatch.setattr(notice, "EVERY", 0.02)
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    told = notice.Notice()
    with pytest.raises(KeyboardInterrupt), told.compiling(heap, True):
        raise KeyboardInterrupt
    said = stream.getvalue()
    time.sleep(0.1)
    assert stream.getvalue() == said


@needs_numba
def test_the_estimate_counts_what_is_reached_and_not_read_yet() -> None:
    from carom._core.jit import notice
    from carom.world.addressed import play_bare_step_at, play_step_at

    bare, whole = (notice.reached(one.py_func) for one in (play_bare_step_at, play_step_at))
    assert {one.__name__ for one in whole - bare} > {"spread", "foresee_crossing", "halt_mechanisms", "factor"}
    told = notice.Notice()
    before = told._seconds(play_bare_step_at.py_func)
    for one in bare:
        told.note_read(one, bare=True)
    after = told._seconds(play_bare_step_at.py_func)
    assert after == pytest.approx((1.0 - notice.READING) * before)
