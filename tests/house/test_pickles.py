"""Every public class is pickled after use and used in a fresh process; see `tests/support/pickled.py`."""

from __future__ import annotations

import ast
import copy
import importlib.util
import pickle
from pathlib import Path
from typing import Any

import pytest

import carom as cm
from tests.support import pickled

SOURCE = Path(cm.__file__).parents[1]
ELSEWHERE = {
    "carom_breakout.app": "a window, its pictures and sounds",
    "carom_breakout.art": "pictures",
    "carom_gym.lander_pictures": "pictures",
    "carom_gym.painter": "pictures",
    "carom_gym.stable_baselines": "a wrapper for a package that is no extra",
    "carom_playground.browser": "the translator of the live page",
    "carom_playground.launch": "the start of the window",
    "carom_playground.layout": "places in the window, by pygame's rectangles",
    "carom_playground.lesson": "texts and tasks, which are constants",
    "carom_playground.magnifier": "a picture in the window",
    "carom_playground.painter": "pictures",
    "carom_playground.pen": "the window's mouse",
    "carom_playground.window": "the window",
}
"""Parts of the programs whose classes nobody keeps, and why."""


@pytest.fixture(scope="module")
def outcome() -> tuple[list[str], dict[str, str], dict[str, str]]:
    return pickled.tried()


def test_every_public_class_is_used_after_a_pickle_in_a_fresh_process(outcome: Any) -> None:
    held, failed, skipped = outcome
    assert not failed
    assert {*held, *pickled.ALONE, *pickled.REFUSED} >= {*pickled.CASES} - {*skipped}
    assert len(held) > 90


def test_only_what_needs_a_package_is_skipped(outcome: Any) -> None:
    absent = [name for name in pickled.OPTIONAL if importlib.util.find_spec(name) is None]
    assert not outcome[2] or absent


def test_the_tables_name_no_class_that_is_gone(outcome: Any) -> None:
    there = {name for name, _ in pickled.classes()}
    modules = {name.rpartition(".")[0] for name in there if name in {*pickled.CASES, *pickled.ALONE}}
    named = {*pickled.CASES, *pickled.ALONE, *pickled.REFUSED}
    assert {name for name in named if name.rpartition(".")[0] in modules} <= there


def test_a_new_class_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = {name: case for name, case in pickled.CASES.items() if name in ("carom.Vec", "carom.Mass")}
    monkeypatch.setattr(pickled, "CASES", rest)
    monkeypatch.setattr(pickled, "PACKAGES", ("carom",))
    monkeypatch.setattr(pickled, "PARTS", ())
    held, failed, _ = pickled.tried()
    assert held == ["carom.Mass", "carom.Vec"]
    assert "a new public class" in failed["carom.Worlds"]


def test_every_module_with_public_classes_is_looked_through() -> None:
    """A module of the library with `__all__`, and one of a program that defines a class, is in a list."""
    for file in sorted(SOURCE.glob("carom*/**/*.py")):
        name = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        body = ast.parse(file.read_text(encoding="utf-8")).body
        if name.partition(".")[0] == "carom":
            assigned = [
                target.id
                for one in body
                if isinstance(one, ast.Assign)
                for target in one.targets
                if isinstance(target, ast.Name)
            ]
            public = "__all__" in assigned and not any(part.startswith("_") for part in name.split("."))
            assert not public or name in pickled.PACKAGES or name == "carom.shapes.basic", name
        elif any(isinstance(one, ast.ClassDef) and not one.name.startswith("_") for one in body):
            elsewhere = any(name == one or name.startswith(one + ".") for one in ELSEWHERE)
            assert elsewhere != (name in pickled.PARTS), name


@pytest.mark.parametrize("name", ["Level", "Index", "Compound", "Shapes", "Explanation", "Circle", "Box", "Polygon"])
def test_what_is_made_on_demand_is_left_out(name: str) -> None:
    """A pickle after use is about as long as that of its copy, which was not used."""
    value = pickled.CASES[f"carom.{name}"].make()
    fresh = pickle.loads(pickle.dumps(value))
    before = len(pickle.dumps(fresh))
    pickled.use_of(f"carom.{name}")(fresh)
    assert len(pickle.dumps(fresh)) <= before + (8_000 if name == "Index" else 8)


@pytest.mark.parametrize("given", [lambda: 1, open, (x for x in ())], ids=["lambda", "builtin", "generator"])
def test_data_that_cannot_be_pickled_is_named(given: Any) -> None:
    world = cm.World()
    world.add(cm.Circle((0, 0), 1), data=given)
    if given is open:
        assert pickle.loads(pickle.dumps(world)).bodies[0].data is open
        return
    for one in (world, world.copies(2), world.snapshot()):
        with pytest.raises((TypeError, AttributeError, pickle.PicklingError), match=r"lambda|generator"):
            pickle.dumps(one)


def test_a_world_within_a_loop_over_events_refuses_by_name() -> None:
    world = pickled.scene()
    world.add(cm.Circle((-15, 0.6), 0.5), kind="dynamic", velocity=(0, -5))
    events = world.events(0.5)
    next(events)
    for keep in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(RuntimeError, match="a step is under way; finish the loop"):
            keep(world)
    list(events)
    assert pickle.loads(pickle.dumps(world)).digest() == world.digest()


def test_what_is_pickled_together_stays_together() -> None:
    world = pickled.scene()
    ball = world.bodies[4]
    ball.data = {"body": ball, "world": world}
    hero = pickled.character()
    kept, other, walker, snapshot = pickle.loads(pickle.dumps((ball, world, hero, world.snapshot())))
    assert kept is other.body(ball.row)
    assert kept.data["body"] is kept
    assert kept.data["world"] is other
    assert walker.floor == hero.floor
    other.step(0.1)
    other.restore(snapshot)
    assert other.digest() == world.digest()
