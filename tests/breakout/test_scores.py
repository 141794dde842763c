"""High scores outlive the game in the user's own folder, and no file there can stop the game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom_breakout import scores


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CAROM_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@settings(max_examples=30, deadline=None)
@given(points=st.lists(st.integers(0, 2000), max_size=12))
def test_the_best_are_kept_in_order(points: list[int]) -> None:
    scores.save([])
    for one in points:
        before = [score.points for score in scores.load()]
        kept, place = scores.add(one, "Größe")
        expected = sorted([*before, *([one] if one > 0 else [])], reverse=True)[: scores.KEPT]
        assert [score.points for score in kept] == [score.points for score in scores.load()] == expected
        assert place == -1 or (kept[place].points == one and kept[place].level == "Größe")
    assert [score.points for score in scores.load()] == sorted((p for p in points if p), reverse=True)[: scores.KEPT]


NO_SCORES = ("3", "[[1]]", '[["a", "b", "c"]]', '[[-1, "", ""]]')


@pytest.mark.parametrize("text", ["", "{", "[]", "null", *(f'{{"scores": {one}}}' for one in NO_SCORES)])
def test_a_file_that_holds_something_else_counts_as_empty(text: str, data: Path) -> None:
    data.mkdir()
    (data / scores.FILE).write_text(text)
    assert scores.load() == []
    assert scores.add(10, "one")[1] == 0 and len(scores.load()) == 1


def test_a_folder_that_cannot_be_written_costs_the_scores_only(data: Path) -> None:
    data.write_text("a file in the way")
    kept, place = scores.add(10, "one")
    assert (kept[0].points, place) == (10, 0)
    assert scores.load() == [] and data.read_text() == "a file in the way"


def test_no_other_file_is_left_in_the_folder(data: Path) -> None:
    scores.add(10, "one")
    assert [file.name for file in data.iterdir()] == [scores.FILE]


@pytest.mark.parametrize(
    ("platform", "variables", "below"),
    [
        ("linux", {"XDG_DATA_HOME": "/x"}, "/x/carom"),
        ("linux", {}, "HOME/.local/share/carom"),
        ("darwin", {}, "HOME/Library/Application Support/carom"),
        ("win32", {}, "HOME/AppData/Roaming/carom"),
    ],
)
def test_the_folder_is_the_one_that_the_system_has_for_it(
    platform: str, variables: dict[str, str], below: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CAROM_DATA", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", classmethod(lambda cls: tmp_path))
    assert scores.folder().as_posix() == below.replace("HOME", tmp_path.as_posix())
