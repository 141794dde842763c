"""Worlds kept by one process and opened by another, of which one is compiled and the other is plain Python."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import carom as cm
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
