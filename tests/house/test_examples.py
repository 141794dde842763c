"""Each example runs by itself, quickly, and leaves the picture that the pages show."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from shapely import LineString, box

pytest.importorskip("matplotlib", reason="the examples draw with matplotlib: install the extra `plot`")
Image = pytest.importorskip("PIL.Image")

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LEAST_INK = 0.05  # share of a picture that is not background


def run(example: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    return runpy.run_path(str(example), run_name="__main__")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_leaves_its_picture(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(example, tmp_path, monkeypatch)
    assert [left.name for left in tmp_path.iterdir()] == [f"{example.stem}.png"]
    with Image.open(tmp_path / f"{example.stem}.png") as made, Image.open(image_on_the_page(example)) as shown:
        assert made.size == shown.size
        counts = sorted((count for count, _ in made.convert("RGB").getcolors(made.width * made.height)), reverse=True)
    assert len(counts) > 20
    assert counts[0] < (1.0 - LEAST_INK) * sum(counts), "the picture is all but blank"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_is_short_and_shown_on_a_page(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) < (80 if "--window" in text else 40)
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    assert any(f"images/{example.stem}.png" in page and f"examples/{example.name}" in page for page in pages)


def test_the_ball_of_the_example_passes_through_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run(ROOT / "examples" / "bouncing_ball.py", tmp_path, monkeypatch)
    walls = [box(*lower, *upper) for lower, upper in names["CORNERS"]]
    path = [*names["centers"], names["ball"].center]
    assert len(names["hits"]) == len(path) - 2 > 10
    assert sum(start.distance(end) for start, end in pairwise(path)) == pytest.approx((24**2 + 65**2) ** 0.5)
    flight = LineString(path)
    assert min(flight.distance(wall) for wall in walls) == pytest.approx(names["ball"].radius, rel=1e-12)


def image_on_the_page(example: Path) -> Path:
    return ROOT / "docs" / "images" / f"{example.stem}.png"
