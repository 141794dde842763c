"""A world and a recording that earlier versions of Carom pickled: they load for ever after, and go on.

`data/keep.py` made the files, one pair for each version that moved bodies otherwise.
"""

from __future__ import annotations

import json
import lzma
import pickle
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm

DATA = Path(__file__).with_name("data")
KEPT = sorted(DATA.glob("world-*.pickle.xz"), key=lambda file: file.name)
KEEP = runpy.run_path(str(DATA / "keep.py"))
VERSIONS = [file.name.removeprefix("world-").removesuffix(".pickle.xz") for file in KEPT]


def loaded(version: str) -> tuple[cm.World, cm.Recording, dict[str, Any]]:
    facts = json.loads((DATA / f"world-{version}.json").read_text(encoding="utf-8"))
    return *pickle.loads(lzma.decompress((DATA / f"world-{version}.pickle.xz").read_bytes())), facts


def test_files_of_this_version_are_there_and_all_are_small() -> None:
    """A version that changes motion is a new one: run data/keep.py for it."""
    assert cm.__version__ in VERSIONS
    assert sum(file.stat().st_size for file in DATA.glob("world-*")) < 100_000 * len(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_kept_world_tells_the_same_of_its_bodies(version: str) -> None:
    world, _, facts = loaded(version)
    told = json.loads(json.dumps(KEEP["told"](world)))
    assert told == {name: facts[name] for name in told}
    assert any(facts["asleep"])
    if version == cm.__version__:
        assert world.digest() == facts["digest"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_kept_world_steps_and_answers(version: str) -> None:
    world, _, facts = loaded(version)
    hit = world.raycast((-28, 30), (0, -40))
    assert hit is not None and hit.body.data == "ground" and hit.fraction == pytest.approx(0.75)
    asked = [body.row for body in world.bodies if body.sensor]
    assert asked and not set(asked) & set(np.ravel(world.query(cm.Circle((-8, 1), 0.5))).tolist())
    world.step(1 / 60, steps=KEEP["STEPS"])
    if version == cm.__version__:
        assert world.digest() == facts["digest after"], "what changes motion raises the version"
    assert np.isfinite(world.positions[world.rows()]).all()
    pile = [body for body in world.bodies if isinstance(body.data, tuple)]
    assert len(pile) == 6 and all(body.asleep for body in pile)
    ball = world.add(cm.Circle((-2, 8), 0.4), kind="dynamic")
    hits = world.step(1 / 60, steps=120)
    assert ball.row in {*hits.body.tolist(), *hits.other.tolist()}
    assert ball.position.y > 0.39


@pytest.mark.parametrize("version", VERSIONS)
def test_a_kept_recording_plays_to_its_end(version: str) -> None:
    world, tape, _ = loaded(version)
    replay = tape.replay()
    assert replay.diverged is None, "what changes motion raises the version"
    assert (replay.note == "") is (version == cm.__version__)
    assert len(replay.world) == len(world)
    assert len(tape.digests) == 121
    if version == cm.__version__:
        assert replay.world.digest() == tape.digests[-1]
