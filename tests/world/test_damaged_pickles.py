"""Pickles of worlds that were changed by accident: loading refuses them, or the world is the one that was pickled."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import carom as cm

TIMES = 150  # of each; 1,700 were tried when this was written
CODE = """
import faulthandler, pickle, random, sys
from tests.world.test_damaged_pickles import scene
faulthandler.enable()
digests = {"World": lambda it: [it.digest()], "Worlds": lambda it: [it.world(k).digest() for k in range(len(it))]}
for kind, whole in (("World", scene()), ("Worlds", scene().copies(2))):
    content, digest, refused, others = pickle.dumps(whole), digests[kind](whole), 0, 0
    for number in range(int(sys.argv[1])):
        rng, changed = random.Random(number), bytearray(content)
        for _ in range(rng.randint(0, 3)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        faulthandler.dump_traceback_later(300, exit=True)
        try:
            found = pickle.loads(bytes(changed))
        except Exception:
            refused += 1
            continue
        others += type(found).__name__ != kind or digests[kind](found) != digest
        found.step(1 / 60)
    print(kind, refused, others)
"""


def scene() -> cm.World:
    """Return a world in mid-scene: a pile, a sensor, a Compound, a row that is free, a ball that falls."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (60, 2)))
    world.add(cm.Box((3, 1), (2, 4)), sensor=True)
    world.add(cm.Polygon([(4, 0), (5, 0), (4, 1)]), kind="kinematic", spin=1.0)
    world.add(cm.Compound.from_parts([cm.Box((-6, 1), (1, 2)), cm.Box((-5, 0.5), (1, 1))]), kind="dynamic")
    for k in range(20):
        world.add(cm.Circle((k % 6 - 3, 1 + k // 6), 0.45), kind="dynamic")
    world.step(1 / 60, steps=90)
    gone = world.add(cm.Circle((9, 9), 0.4), kind="dynamic")
    world.add(cm.Box((0, 9), (1, 1)), kind="dynamic", velocity=(0, -9))
    world.remove(gone)
    world.step(1 / 60, steps=3)
    return world


def test_a_damaged_pickle_never_ends_python() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(TIMES)], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for line, kind in zip(done.stdout.splitlines(), ("World", "Worlds"), strict=True):
        name, refused, others = line.split()
        assert name == kind
        assert 0 < int(refused) < TIMES, "some are refused, some are not changed"
        assert others == "0", "loaded as another world"


def test_a_whole_pickle_goes_on_bit_for_bit() -> None:
    world = scene()
    other = pickle.loads(pickle.dumps(world))
    assert world.digest() == other.digest()
    world.step(1 / 60, steps=30)
    other.step(1 / 60, steps=30)
    assert world.digest() == other.digest()


@pytest.mark.parametrize(
    ("table", "column", "value", "named"),
    [
        ("parts", "record", 10**9, "parts.record"),
        ("parts", "body", 999, "parts.body"),
        ("bodies", "first_part", -5, "first_part"),
        ("bodies", "x", float("nan"), "bodies.x"),
        ("bodies", "response", 77, "bodies.response"),
        ("rests", "ring", 0, "ring"),
        ("state", "bodies", 10**6, "state.bodies"),
        ("state", "phase", 99, "state"),
        ("state", "later", 1e300, "state.later"),
        ("state", "later", -1.0, "state.later"),
        ("state", "struck", 10**6, "state.struck"),
    ],
)
def test_a_number_that_cannot_be_is_named(table: str, column: str, value: float, named: str) -> None:
    world = scene()
    getattr(world._store.tables, table)[column][: 1 if table == "state" else 4] = value
    with pytest.raises(ValueError, match=f"World: the pickle is damaged.*{named}"):
        pickle.loads(pickle.dumps(world))


def test_a_recording_plays_no_call_that_no_world_has() -> None:
    world = cm.World()
    with cm.Recording(world) as tape:
        ball = world.add(cm.Circle((0, 0), 1), kind="dynamic")
        ball.velocity = (1, 0)
        world.step(0.1)
    state = tape.__getstate__()
    for calls in ([("copy",)], ["step"], 5):
        with pytest.raises(ValueError, match="Recording: the pickle is damaged"):
            object.__new__(cm.Recording).__setstate__({**state, "calls": calls})
    for call in (("_remove_rows", [7]), ("_one_step", float("nan")), ("__setattr__", "_store", 1)):
        other = object.__new__(cm.Recording)
        other.__setstate__({**state, "calls": [call]})
        with pytest.raises(ValueError, match="Recording: the recording is damaged"):
            other.replay()
