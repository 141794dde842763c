"""The list of scenes, their pictures, and Carom's answers to those that are quick."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from carom_conformance import exact
from carom_conformance.adapters import ADAPTERS, load
from carom_conformance.engine import Body, Engine, NotOffered, World
from carom_conformance.judge import judge
from carom_conformance.registry import CHAPTERS, CLOSED, RATIONAL, Answer, all_scenes
from carom_conformance.report import PICTURES, kept
from carom_conformance.scenes.pairs import APART, DEEPER, TOUCHING
from carom_conformance.shapes import Capsule, Circle, Polygon, Segment, between, box

from carom._core import jit

ROOT = Path(__file__).parents[2] / "conformance" / "carom_conformance"
SCENES = all_scenes()
QUICK = 0.2
"""Seconds that a scene took where the results were made."""
MOST_LINES = {"adapters": 150, "scenes": 300, "carom_conformance": 300}
ENGINES = {"carom": "carom", "pymunk": "pymunk", "box2d": "pyb2d3", "shapely": "shapely"}
FILES = sorted(ROOT.rglob("*.py"))


def test_there_are_scenes_of_each_chapter_with_text_source_and_picture() -> None:
    counts = Counter(scene.chapter for scene in SCENES.values())
    assert sum(counts.values()) >= 150 and min(counts[chapter] for chapter in CHAPTERS) >= 30
    for name, scene in SCENES.items():
        assert name == scene.name and re.fullmatch(r"[a-z0-9.-]+", name), name
        assert scene.text.endswith(".") and "{}" not in scene.text, name
        assert scene.source in (CLOSED, RATIONAL) or re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", scene.source), name
    assert {file.stem for file in PICTURES.glob("*.svg")} == SCENES.keys()


def test_the_pictures_are_small() -> None:
    sizes = [file.stat().st_size for file in PICTURES.iterdir()]
    assert max(sizes) < 10_000 and sum(sizes) < 1_000_000


def quick() -> list[str]:
    """Return the scenes that Carom got right within a moment."""
    (carom, *_) = kept()
    return [name for name, row in carom.rows.items() if row.verdict == "right" and row.seconds < QUICK]


@pytest.mark.skipif(jit.KERNELS == "plain", reason="plain Python takes a hundred times as long")
def test_carom_gets_quick_scenes_right() -> None:
    names, engine = quick(), load("carom")
    assert len(names) > 150
    wrong = {name: answer for name in names if judge(answer := SCENES[name].play(engine)).verdict != "right"}
    assert wrong == {}


def test_only_adapters_import_engines_each_its_own() -> None:
    for file in FILES:
        of_engines = {
            name.partition(".")[0]
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            for name in names_imported(node)
        } & set(ENGINES.values())
        assert of_engines == (
            {ENGINES[file.stem]} if file.parent.name == "adapters" and file.stem in ENGINES else set()
        )
    assert set(ENGINES) == set(ADAPTERS)


def names_imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_files_are_short(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", '"""'))]
    assert len(lines) <= MOST_LINES[file.parent.name]


def test_the_right_answers_are_those_of_rational_arithmetic() -> None:
    unit = between(0, 0, 1, 1)
    assert exact.intersects(unit, between(1, 1, 2, 2)) and not exact.intersects(
        unit, between(math.nextafter(1, 2), 1, 2, 2)
    )
    assert exact.intersects(Circle((0, 0), 2), Circle((3, 4), 3))
    assert not exact.intersects(Circle((0, 0), 2), Circle((3, 4), math.nextafter(3, 0)))
    assert exact.distance(Segment((0, 0), (3, 4)), Segment((4, -3), (10, 5))) == 5.0
    assert exact.distance(Capsule((3, 3), (8, 4), 0.5), unit) == pytest.approx(math.sqrt(8) - 0.5, abs=1e-15)
    assert exact.depth(unit, box(0.5, 1.25, 1, 1)) == 0.25
    assert exact.contains(Polygon(((0, 0), (9, 3), (0, 3))), (3, 1))
    assert exact.ray((-1, 0.5), (4, 0), unit.vertices) == Fraction(1, 4)
    assert exact.ray((-1, 1.5), (4, 0), unit.vertices) is None
    assert exact.root(Fraction(2)) == pytest.approx(math.sqrt(2), abs=1e-16)


def test_pairs_that_are_called_touching_touch_and_those_called_apart_are_apart() -> None:
    assert [name for name, pair in {**TOUCHING, **DEEPER}.items() if not exact.intersects(*pair)] == []
    assert [name for name, pair in APART.items() if exact.intersects(*pair)] == []


@pytest.mark.parametrize(
    ("body", "moment"),
    [
        (Body((Circle((0, 0), 2),), mass=3), 6.0),
        (Body((box(0, 0, 2, 1),), mass=12), 5.0),
        (Body((Segment((-1, 0), (1, 0)),), mass=3), 1.0),
        (Body((Capsule((-1e-9, 0), (1e-9, 0), 2),), mass=3), 6.0),
        (Body((Circle((-1, 0), 1), Circle((1, 0), 1)), mass=2), 3.0),
    ],
)
def test_the_moment_of_inertia_of_a_body_is_that_of_its_shapes(body: Body, moment: float) -> None:
    assert body.moment == pytest.approx(moment)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (Answer(1.0, 1.001, 0.01), "right"),
        (Answer(1.0, 1.1, 0.01), "wrong"),
        (Answer(math.nan, 1.0, 0.01), "wrong"),
        (Answer(None, 1.0, 0.01), "wrong"),
        (Answer(True, 1), "wrong"),
        (Answer(False, False), "right"),
        (Answer((1.0, math.inf), (1.0, 2.0), 0.1), "wrong"),
        (Answer((1.0,), (1.0, 2.0)), "wrong"),
    ],
)
def test_an_answer_is_judged_by_its_kind_and_tolerance(answer: Answer, verdict: str) -> None:
    assert judge(answer).verdict == verdict


def test_an_engine_that_offers_nothing_has_no_answer() -> None:
    with pytest.raises(NotOffered):
        Engine().world((0, 0))
    with pytest.raises(NotOffered):
        World().step(0.1)
