"""Pages and docstrings are right: every example prints the lines below it, every link leads somewhere.

The python blocks of a page run in order and share their names, as a reader would paste them. In a plain block a comment
that begins with `->` is the result of the statement before it; in a block with `>>>` it stands below the line.
Examples write into a folder that is thrown away.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import carom
import carom_breakout
import carom_gym
import carom_playground
from carom._core import jit

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+\.svg)\)")
RESULT = re.compile(r"^\s*# -> ?(.*)$")
MORE = re.compile(r"^\s*#    (.*)$")  # lines of a result after the first
TRAILING = re.compile(r"  # -> (.*)$")
SOURCE_FILE = re.compile(r"`([a-z0-9_/]+\.py)`")
SOURCES = [file.relative_to(ROOT).as_posix() for file in ROOT.glob("[!.]*/**/*.py")]
PACKAGES = [carom, carom_breakout, carom_gym, carom_playground]
MODULES = [package.__name__ for package in PACKAGES]
MODULES += [one.name for top in PACKAGES for one in pkgutil.walk_packages(top.__path__, f"{top.__name__}.")]
MODULES.remove("carom.__main__")  # importing it runs the command
if jit.KERNELS != "jit":
    MODULES.remove("carom._core.jit.signatures")  # spells Numba's types


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yield each python block of a page with the number of lines above it."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield text.count("\n", 0, found.start(1)), found.group(1)


def check(test: doctest.DocTest) -> None:
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append, clear_globs=False)
    assert not said, "".join(said)


def is_verb_or_noun(thing: Any) -> bool:
    """Tell the questions and the shapes from their common base and from the answers, which the questions show."""
    return inspect.isfunction(thing) or (inspect.isclass(thing) and carom.Shape in thing.__bases__)


def statements(block: str) -> Iterator[tuple[int, str, str | None]]:
    """Yield each statement of a plain block with the lines above it, its source, and its result if one is shown."""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        end = node.end_lineno or node.lineno
        told = [found[1]] if (found := TRAILING.search(lines[end - 1])) else []
        if not told and end < len(lines) and (found := RESULT.match(lines[end])):
            told = [found[1]]
            for line in lines[end + 1 :]:
                if not (found := MORE.match(line)):
                    break
                told.append(found[1])
        yield first - 1, "\n".join(lines[first - 1 : end]), "\n".join(told) if told else None


def run_plain(block: str, names: dict[str, Any], page: Path, above: int) -> None:
    """Run a plain block; what its comments say comes out must come out."""
    for before, source, result in statements(block):
        if result is None:
            exec(compile("\n" * (above + before) + source, page, "exec"), names)
            continue
        example = doctest.Example(source, result, lineno=before)
        test = doctest.DocTest([example], names, page.name, str(page), above, None)
        test.globs = names
        check(test)


def test_a_wrong_result_in_a_plain_block_is_noticed() -> None:
    right = "x = [1,\n     2]\nx  # -> [1, 2]\nfor one in x:\n    print(one)\n# -> 1\n#    2\nx.append(3)\n"
    names: dict[str, Any] = {}
    run_plain(right, names, Path("page"), 0)
    assert names["x"] == [1, 2, 3]
    for wrong in ("x  # -> [1]\n", "for one in x:\n    print(one)\n# -> 1\n#    2\n"):
        with pytest.raises(AssertionError):
            run_plain(wrong, names, Path("page"), 0)


@pytest.mark.parametrize("page", [page for page in PAGES if list(blocks(page))], ids=lambda page: page.name)
def test_code_on_a_page_runs_and_prints_as_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for above, block in blocks(page):
        if "from numba import" in block:
            pytest.importorskip("numba")
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), above)
            test.globs = names
            check(test)
        else:
            run_plain(block, names, page, above)
    shown = {Path(target).name: page.parent / target for target in PICTURE.findall(page.read_text(encoding="utf-8"))}
    for made in tmp_path.glob("*.svg"):
        if made.name in shown:
            assert made.read_text() == shown[made.name].read_text(), f"{made.name} is not what the page makes now"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_print_as_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name.endswith(".stable_baselines"):
        pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is no extra of Carom")
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name), extraglobs={"cm": carom}):
        check(test)


@pytest.mark.parametrize("name", [name for name in carom.__all__ if is_verb_or_noun(getattr(carom, name))])
def test_every_verb_and_noun_shows_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(carom, name)) or ""), f"the docstring of {name} has no example"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_have_targets(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    inside = [target for target in LINK.findall(text) if "://" not in target and not target.startswith("mailto:")]
    assert [target for target in inside if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_source_files_named_on_a_page_exist(page: Path) -> None:
    named = SOURCE_FILE.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in SOURCES)] == []
