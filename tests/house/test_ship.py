"""The script that builds and tries what is shipped: its selection, its steps, and the Pythons that it finds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.ship import pythons
from tools.ship.steps import Failed, Steps, run

ROOT = Path(__file__).parents[2]
SELECTION = ROOT / "tools" / "ship" / "selection.txt"


def test_the_selection_has_a_file_of_every_folder_of_tests() -> None:
    chosen = SELECTION.read_text(encoding="utf-8").split()
    assert [name for name in chosen if not (ROOT / name).exists()] == []
    folders = {file.parent for file in (ROOT / "tests").rglob("test_*.py")}
    assert folders - {(ROOT / name).parent for name in chosen} == set()


def test_a_step_that_fails_is_told_and_what_needs_it_is_not_begun(capsys: pytest.CaptureFixture[str]) -> None:
    steps, done = Steps(2), []
    first = steps.add("first", lambda: "one line")
    bad = steps.add("bad", lambda: run(sys.executable, "-c", "print('a word'); raise SystemExit(3)"), first)
    steps.add("after", lambda: done.append(1), bad)
    steps.add("apart", lambda: done.append(2), first)
    assert sorted(steps.outcome()) == ["after", "bad"] and done == [2]
    said = capsys.readouterr().out
    assert "first: one line" in said and "a word" in said and "exit status 3" in said and "not begun  after" in said
    assert "2 steps passed, 2 failed" in said


def test_a_command_that_does_not_end_is_stopped_and_what_it_said_is_kept() -> None:
    with pytest.raises(Failed, match=r"(?s)begun.*no end after 1 s"):
        run(sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(60)", most=1)


def test_a_command_sees_no_setting_of_kernels_but_those_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_KERNELS", "plain")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    ask = "import os; print([os.environ.get(name) for name in ('CAROM_KERNELS', 'PYTHONPATH', 'CAROM_PAGE')])"
    assert run(sys.executable, "-c", ask, CAROM_PAGE="x").strip() == "[None, None, 'x']"


def test_each_python_that_is_found_names_the_version_it_is_listed_by() -> None:
    programs = pythons.found()
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    assert all(run(program, "-c", ask).strip() == version.rstrip("t") for version, program in programs.items())
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert here in programs or here not in pythons.NEEDED
