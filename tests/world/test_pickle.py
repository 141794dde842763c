"""Worlds kept by one process and opened by another, of which one is compiled and the other is plain Python."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.world.state.table_bytes import packed
from tests.support.plain_python import printed_by_other_mode
from tests.support.smooth_world import SmoothWorld


def scene() -> cm.World:
    """Return a world with bodies of every kind, one of them about to be met."""
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Circle((0, 3), 0.5), kind="dynamic", velocity=(3, 0), restitution=0.5, data="ball")
    world.add(cm.Box((0, -1), (40, 2)))
    world.add(cm.Polygon([(4, 0), (5, 0), (4, 1)]), kind="kinematic", spin=1.0)
    world.add(cm.Box((2, 1), (1, 3)), sensor=True)
    world.add_many(cm.Shapes.circles([(x, 5) for x in range(3)], [0.3] * 3), kind="dynamic")
    return world


def kept() -> tuple[Any, ...]:
    """Return a world left within a step, a copy of it, a snapshot, and a recording of all that was done."""
    world = scene()
    tape = cm.Recording(world)
    world.step(1 / 60, steps=45)
    for _hit in world.events(1 / 60):
        world.add(cm.Circle((0, 9), 0.1), kind="dynamic")
    tape.stop()
    snapshot = world.snapshot()
    world.add(cm.Circle((9, 0.5), 0.5), kind="dynamic", velocity=(0, -1), restitution=1)
    assert next(iter(world.events(1.0))).kind == "hit"
    assert world.unfinished
    return world, world.copy(), snapshot, tape


def continued(things: tuple[Any, ...]) -> list[Any]:
    """Return digests and hits of them as they go on."""
    world, copy, snapshot, tape = things
    found = [world.digest(), copy.digest()]
    world.resume()
    found.append(world.digest())
    # Larger tables, and bodies that come, move and go, need the same form, too.
    more = copy.add_many(cm.Shapes.circles([(x, 20) for x in range(40)], [0.3] * 40), kind="dynamic")
    copy.step(1 / 60, steps=5)
    copy.remove(more[::2])
    more[1].velocity = (1, 1)
    found += [copy.digest(), copy.step(1 / 60).kind.tolist(), copy.copy().digest()]
    replay = tape.replay()
    found += [replay.diverged, replay.world.digest()]
    world.restore(snapshot)
    world.step(1 / 60, steps=5)
    return [*found, world.digest()]


def test_a_pickled_world_opens_in_the_other_mode(tmp_path: Path) -> None:
    """The other is plain Python if this one is compiled, and compiled if it is not."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.write_bytes(pickle.dumps(kept()))
    code = f"""
import pickle
from tests.world import test_pickle as other
from pathlib import Path
print(other.continued(pickle.loads(Path({str(here)!r}).read_bytes())))
Path({str(there)!r}).write_bytes(pickle.dumps(other.kept()))
"""
    printed = printed_by_other_mode(code)
    expected = continued(pickle.loads(here.read_bytes()))
    assert expected[6] is None, "the recording replays in the process that made it"
    assert printed.strip() == repr(expected)
    assert continued(pickle.loads(there.read_bytes())) == expected


def test_another_version_plays_a_recording_and_says_that_digests_were_not_compared() -> None:
    tape = kept()[3]
    state = tape.__getstate__() | {"version": "0.0.1"}
    state["calls"] = [("digest", 1) if name == "digest" else (name, *given) for name, *given in state["calls"]]
    other = object.__new__(cm.Recording)
    other.__setstate__(state)
    replay = pickle.loads(pickle.dumps(other)).replay()
    assert other.version == "0.0.1" and replay.diverged is None
    assert "recorded by Carom 0.0.1" in replay.note and "not compared" in replay.note
    assert replay.world.digest() == tape.replay().world.digest()
    assert tape.replay().note == ""


def test_tables_are_read_by_the_names_of_their_columns() -> None:
    world = kept()[1]
    world.resume()
    snapshot = world.snapshot()._store
    state, bodies = snapshot.__getstate__(), snapshot.tables.bodies
    names = [*reversed(bodies.dtype.names)]
    moved = np.zeros(len(bodies), dtype=[(name, bodies.dtype[name]) for name in names] + [("of_another_version", "f8")])
    for name in names:
        moved[name] = bodies[name]
    state["tables"] = packed(snapshot.tables._replace(bodies=moved))
    store = object.__new__(type(world._store))
    store.__setstate__(state)
    assert store.tables.bodies.dtype == bodies.dtype
    other = cm.World.__new__(cm.World)
    other.__setstate__(store)
    assert other.digest() == world.digest()


def test_a_recording_from_before_bodies_turned_is_refused() -> None:
    with pytest.raises(ValueError, match="recorded before bodies turned and rubbed"):
        object.__new__(cm.Recording).__setstate__((None, []))
