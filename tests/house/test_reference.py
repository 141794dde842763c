"""The reference pages are those that the docstrings give, and have every public name once."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import pytest

import carom

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
assert SPEC is not None
assert SPEC.loader is not None
reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reference)
PAGES = dict(reference.pages())


def test_every_public_name_stands_on_one_page() -> None:  # carom.kernels and carom.draw use some again
    everywhere = (name for _, _, names in reference.PAGES.values() for name in names.split())
    listed = Counter(reference.last(name) for name in everywhere if not name.startswith(("kernels.", "canvas.")))
    assert {
        name: listed[name] for name in carom.__all__ if listed[name] != 1 and name not in ("draw", "tables")
    } == {}  # by its parts


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_up_to_date(path: Path) -> None:
    assert path.exists() and path.read_text(encoding="utf-8") == PAGES[path], "run `make reference`"


def test_no_page_is_left_over() -> None:
    assert set(reference.FOLDER.glob("*.md")) == set(PAGES)


@pytest.mark.parametrize("name", ["intersects", "World.add", "Box.from_rect", "Index.raycast"])
def test_a_name_has_its_signature_and_its_text(name: str) -> None:
    headed = [text for page, text in PAGES.items() if f" {name}\n" in text and page.name != "kernels.md"]
    assert len(headed) == 1
    below = headed[0].partition(f" {name}\n")[2]
    assert below.startswith(f"\n```python\n{name}(")
    assert "**Parameters**" in below
