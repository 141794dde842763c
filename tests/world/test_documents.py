"""Worlds as JSON: the same world again to the bit, in words that a stranger can read, and nothing in them is run."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.shapes.texts import shape_of_text

DT = 1 / 60
SHAPES = [
    cm.Point((0.1, -2e-7)),
    cm.Segment((0, 0), (1, 1 / 3)),
    cm.Circle((1e7, 0.3), 0.1),
    cm.Capsule((0, 0), (1, 2), 0.25),
    cm.Box((0, 1), (2, 3), 0.4),
    cm.Box((0, 1), (2, 3), radius=0.1),
    cm.Polygon([(0, 0), (2, 0.1), (1, 2)], radius=0.2),
    cm.decompose([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]]),
    cm.decompose([(0, 0), (4, -2), (3, 0), (4, 2)]).rotated(0.3),
    cm.Compound.from_parts([cm.Box((0, 0), (1, 1), 0.2), cm.Circle((1, 0), 0.5)]),
    cm.Compound.polyline([(0, 0), (1, 0), (2, 1)]),
]


def lively() -> cm.World:
    """Return a world with all that a world can have, in the middle of things."""
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (40, 2)), layer="ground", data={"kind": "floor", "bears": [1, 2.5, None]})
    bodies = world.add_many(cm.Shapes.boxes([(k, 0.5 + k) for k in range(6)], (1, 1)), kind="dynamic")
    ell = world.add(SHAPES[8].translated((-8, 5)), kind="dynamic", data="ell")
    both = world.add(SHAPES[9].translated((8, 3)), kind="dynamic", velocity=(1, 2), restitution=0.5)
    world.add(cm.Box((2, 2), (3, 3)), sensor=True)
    world.add(cm.Box((-3, 1), (1, 0.3)), kind="kinematic", spin=1)
    world.pin(both, bodies[5], (7, 4), limits=(-1, 1), data="hinge")
    world.rope(ell, None, (-8, 5), (-8, 9))
    world.spring(bodies[0], bodies[3], (0, 0.5), (3, 3.5), hertz=2, damping=0.3)
    world.step(DT, steps=40)
    world.remove(bodies[2])
    return world


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_shape_is_read_from_what_repr_writes(shape: cm.Shape) -> None:
    assert shape_of_text("here", "text", repr(shape)) == shape


@pytest.mark.parametrize(
    "text",
    [
        "", "1", "[1, 2]", "Circle", "Circle()", "Circle((0, 0), -1)", "Circle((0, 0), 1", "__import__('os')",
        "Circle((0, 0), 1).radius", "Circle(*[(0, 0), 1])", "Circle(**{})", "Circle((0, 0), radius='1')",
        "Circle((0, 0), 1 + 1)", "Box.from_rect((0, 0, 1, 1))", "[Circle((0, 0), 1)]", "Circle((0, 0), True or 1)",
        "decompose([(0, 0), (1, 0)])", "(" * 5000, "[" * 60 + "]" * 60, "-" * 5000 + "1", "lambda: 1",
        "Circle((0,0),1);1", "Circle((0, 0), 1).placed((1, 1)).radius", "(1, 2).rotated(1)",
        "Compound.from_parts(5)", "Polygon([(0, 0), (1, 1), (2, 2)])", None, 3, ["Circle((0, 0), 1)"],
    ],
)  # fmt: skip
def test_other_texts_are_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="here: text"):
        shape_of_text("here", "text", text)


def test_a_world_from_its_file_goes_on_bit_for_bit(tmp_path: Path) -> None:
    world = lively()
    world.save(tmp_path / "world.json")
    again = cm.World.load(tmp_path / "world.json")
    assert again.digest() == world.digest()
    assert (again.time, again.steps) == (world.time, world.steps)
    assert [body.data for body in again] == [body.data for body in world]
    assert [body.shape for body in again] == [body.shape for body in world]
    assert [joint.data for joint in again.joints] == ["hinge", None, None]
    for _ in range(120):
        assert again.step(DT).time.tolist() == world.step(DT).time.tolist()
        assert again.digest() == world.digest()
    added = [one.add(cm.Circle((0, 20), 0.5), kind="dynamic") for one in (world, again)]
    assert added[0].row == added[1].row
    assert again.step(DT).time.tolist() == world.step(DT).time.tolist()
    assert again.digest() == world.digest()


def test_a_file_written_again_is_the_same_text(tmp_path: Path) -> None:
    lively().save(tmp_path / "one.json")
    cm.World.load(tmp_path / "one.json").save(tmp_path / "two.json")
    first, second = ((tmp_path / name).read_text() for name in ("one.json", "two.json"))
    differing = [one for one, other in zip(first.split("\n"), second.split("\n"), strict=True) if one != other]
    assert len(differing) < 0.1 * first.count("\n"), "only what is made of the rest may be made otherwise"


def test_an_editor_changes_what_a_line_says(tmp_path: Path) -> None:
    world = cm.World()
    world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0))
    world.save(tmp_path / "world.json")
    document = json.loads((tmp_path / "world.json").read_text())
    kind, wide, numbers = document["tables"]["bodies"]["columns"]["vx"]
    document["tables"]["bodies"]["columns"]["vx"] = [kind, wide, [2.5, *numbers[1:]]]
    (tmp_path / "world.json").write_text(json.dumps(document))
    again = cm.World.load(tmp_path / "world.json")
    again.step(1.0)
    assert again.bodies[0].position == (2.5, 0)


def test_a_world_within_a_step_is_refused_and_one_that_was_left_there_goes_on(tmp_path: Path) -> None:
    world = lively()
    for _ in world.events(DT):
        with pytest.raises(RuntimeError, match=r"World\.save"):
            world.save(tmp_path / "world.json")
        break
    assert not (tmp_path / "world.json").exists()


@pytest.mark.parametrize("data", [object(), {1, 2}, (1, 2), {1: 2}, float, np.float64, b"x"])
def test_data_that_json_has_no_words_for_is_refused_and_nothing_is_written(tmp_path: Path, data: Any) -> None:
    world = lively()
    world.save(tmp_path / "world.json")
    before = (tmp_path / "world.json").read_bytes()
    world.bodies[3].data = data
    with pytest.raises(TypeError, match=rf"World\.save: data of row {world.bodies[3].row} = "):
        world.save(tmp_path / "world.json")
    assert (tmp_path / "world.json").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["world.json"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", "{", '{"format": "carom world"}', "[" * 100_000])
def test_a_file_that_holds_no_world_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.json").write_text(text)
    with pytest.raises(ValueError, match=r"World\.load: "):
        cm.World.load(tmp_path / "world.json")


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text('{"format": "carom world", "version": 2}')
    with pytest.raises(ValueError, match="version = 2"):
        cm.World.load(tmp_path / "world.json")


def leaves(value: Any) -> list[tuple[Any, Any]]:
    """Return the places of all that a document holds."""
    found: list[tuple[Any, Any]] = []
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(one, dict | list):
            found += leaves(one)
    return found


def loaded(file: Path) -> cm.World | None:
    """Return the world of a file, None if it is refused as it ought to be."""
    try:
        return cm.World.load(file)
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_refused_or_gives_a_world_that_steps(tmp_path: Path, seed: int) -> None:
    lively().save(tmp_path / "world.json")
    text, chance = (tmp_path / "world.json").read_text(), random.Random(seed)
    for _ in range(8):
        document = json.loads(text)
        holder, key = chance.choice(leaves(document))
        worse = [None, -1, 2**62, 1e308, "~nan", "x", [], {}, True, "~inf", [1], {"all": 3}]
        holder[key] = chance.choice(worse)
        (tmp_path / "world.json").write_text(json.dumps(document))
        world = loaded(tmp_path / "world.json")
        assert world is None or len(pickle.dumps(world)) > 0
