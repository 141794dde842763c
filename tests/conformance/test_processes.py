"""Each scene in a process of its own: an engine that crashes, hangs or grows is a row, and not the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from carom_conformance import results
from carom_conformance.engine import Engine
from carom_conformance.judge import Row
from carom_conformance.runner import run

ROOT = Path(__file__).parents[2]
SCENE = "touching-boxes-side-by-side"
MODULE = "tests.support.failing_engines"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of a process are those of POSIX")


@pytest.mark.parametrize(
    ("engine", "verdict", "note"),
    [
        ("Crashes", "crashed", "the process died of SIGSEGV"),
        ("Hangs", "crashed", "did not end within 1 s"),
        ("Grows", "crashed", "needs more memory than the limit"),
        ("Leaves", "crashed", "the process ended with status 3"),
        ("Raises", "wrong", "raised ZeroDivisionError: a word"),
        ("Prints", "right", ""),
    ],
)
def test_a_failing_engine_becomes_a_row(engine: str, verdict: str, note: str) -> None:
    rows = run(f"{MODULE}:{engine}", [SCENE], seconds=1)
    assert (rows[SCENE].verdict, rows[SCENE].note) == (verdict, note)


def test_the_scenes_after_a_crash_are_played() -> None:
    rows = run(f"{MODULE}:Crashes", [SCENE, "distance-circles", "touching-boxes-corner-to-corner"], jobs=2)
    assert [row.verdict for row in rows.values()] == ["crashed", "not offered", "crashed"]


def test_an_engine_is_one_of_the_adapters_or_a_class() -> None:
    with pytest.raises(ValueError, match="no adapter is called no_such"):
        run("no_such", [SCENE])


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    rows = {
        "a": Row("right", 1.0, 1.0, 0.0, 0.1, "a reason"),
        "b": Row("crashed", note="a word"),
        "c": Row("wrong", True, False),
    }
    found = results.of(Engine(), rows)
    results.write(found, tmp_path / "engine.json")
    assert results.read(tmp_path / "engine.json") == found


def test_the_command_plays_chosen_scenes_and_writes_them(tmp_path: Path) -> None:
    words = ["--engine", "shapely", "--scenes", SCENE, "distance-circles", "--json", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "carom_conformance", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "conformance")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 right, 0 wrong, 0 crashed, 1 not offered" in done.stdout
    assert json.loads((tmp_path / "shapely.json").read_text(encoding="utf-8"))["rows"][SCENE]["verdict"] == "right"
