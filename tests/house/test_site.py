"""The site has every page in its sidebar, links that lead somewhere, and its pictures from commands that pages name.

The site itself is built by `make docs`, which fails at a warning and at a broken link. Here its parts are tried.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.figures import fill
from tools.site import contents, divide, gallery, home, links, results
from tools.site.stage import Stage

ROOT = Path(__file__).parents[2]
STAGED = Stage(ROOT)
STAGED.places |= gallery.places() | results.places()
STAGED.copy_docs()
DOCS = sorted(STAGED.pages)


def test_each_page_stands_in_the_sidebar_once() -> None:
    pages = [page for page in DOCS if not page.startswith("source/")]
    named = [page for listed in contents.SECTIONS.values() for page in listed.split()]
    tree = contents.below([*pages, *named, "index"])
    assert "" not in tree, "name it in tools/site/contents.py"
    placed = [*named, *(page for listed in tree.values() for page in listed)]
    assert sorted(set(placed)) == sorted(placed)
    assert [page for page in pages if page not in placed] == []


def test_pages_of_one_subject_stand_in_the_order_of_their_numbers() -> None:
    pages = ["reference/index", "reference/worlds", *(f"reference/worlds-{k}" for k in (10, 2, 3))]
    assert contents.below(pages)["reference/worlds"] == [f"reference/worlds-{k}" for k in (2, 3, 10)]


def test_links_lead_to_where_files_stand_on_the_site(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.places |= gallery.places() | results.places() | {"docs/joints.md": "joints.md"}
    text = "[a](../examples/heap.py) [b](joints.md#gear) [c](https://x.org) [d](#here) ![e](images/a.png)"
    stage.places["docs/images/a.png"] = "images/a.png"
    linked = stage.linked(text, "docs/world.md", "world.md")
    assert linked == "[a](gallery/heap.md) [b](joints.md#gear) [c](https://x.org) [d](#here) ![e](images/a.png)"
    assert stage.linked("```\n[a](x.md)\n```", "docs/world.md", "world.md") == "```\n[a](x.md)\n```"
    assert "source/Makefile.md" in stage.linked("[make](../Makefile)", "docs/world.md", "world.md")
    assert stage.pages["source/Makefile"].startswith("# Makefile\n")
    assert contents.below(["source/Makefile", "source/index"]) == {"source/index": ["source/Makefile"]}


@pytest.mark.parametrize("file", sorted((ROOT / "docs").rglob("*.md")), ids=lambda file: file.stem)
def test_a_divided_page_keeps_all_its_lines_and_headings_and_has_few_screens(file: Path) -> None:
    text = fill.without_templates(file.read_text(encoding="utf-8"))
    parts = divide.divide(text, file)
    assert max(divide.height(part.text, file) for part in parts) < 1.15 * divide.MOST
    if len(parts) == 1:
        assert parts[0].text == text
        return
    plain = [line.lstrip("#").strip() for part in parts for line in part.text.splitlines() if " · " not in line]
    wanted = [line.lstrip("#").strip() for line in text.splitlines()]
    assert [line for line in plain if line] == [line for line in wanted if line and " · " not in line]
    assert set(divide.anchors(text)) <= {anchor for part in parts for anchor in part.anchors}


def test_each_table_of_results_says_its_machine_its_command_and_its_commit() -> None:
    stage = Stage(ROOT)
    results.add_to(stage)
    tables = [page for page in stage.pages if page.startswith("benchmarks/") and not page.endswith("index")]
    assert len(tables) == len(list(results.RESULTS.rglob("*.md")))
    for page in tables:
        text = stage.pages[page]
        assert results.MACHINE.search(text) and results.COMMAND.search(text) and results.COMMIT.search(text), page


def test_each_example_has_a_page_with_its_program_and_the_pages_that_speak_of_it() -> None:
    stage = Stage(ROOT)
    stage.places |= STAGED.places
    gallery.add_to(stage)
    examples = {file.stem for file in (ROOT / "examples").rglob("*.py")}
    assert {page.rpartition("/")[2] for page in stage.pages} == examples | {"index"}
    heap = stage.pages["gallery/heap"]
    assert "images/heap.png" in heap and "def make_heap" in heap and "--window" in heap and "](../world.md)" in heap


def test_a_link_to_nothing_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<p id="there"></p>')
    page = tmp_path / "a.html"
    page.write_text('<a href="b.html#there"></a><a href="https://x.org"></a>')
    assert links.check(tmp_path) == (1, [])
    page.write_text('<a href="b.html#gone"></a><img src="c.png">')
    assert links.check(tmp_path) == (2, ["a.html: no anchor for b.html#gone", "a.html: no file for c.png"])


@pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="an sdist has no .ci")
def test_the_site_is_built_and_checked_with_every_change() -> None:
    assert "\nmake docs\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_first_page_moves_and_its_films_are_small_and_say_how_they_are_made() -> None:
    text = home.HOME.read_text(encoding="utf-8")
    shown = re.findall(r"images/films/(\w+)\.gif", text)
    assert len(shown) == 6 and "python -m tools.site.films" in text
    pytest.importorskip("pygame", reason="the films are drawn with pygame-ce: install the extra `play`")
    from tools.site import films

    assert shown == list(films.FILMS)
    files = sorted((ROOT / "docs" / "images" / "films").iterdir())
    assert [file.stem for file in files] == sorted(shown)
    assert max(file.stat().st_size for file in files) < 150_000


def test_a_film_has_pictures_that_differ() -> None:
    pygame = pytest.importorskip("pygame", reason="the films are drawn with pygame-ce: install the extra `play`")
    from tools.site import films

    frames = films.FILMS["cradle"]()
    first, second = next(frames), next(frames)
    assert first.get_size() == second.get_size() == (films.FINER * films.SIZE[0], films.FINER * films.SIZE[1])
    assert pygame.image.tobytes(first, "RGB") != pygame.image.tobytes(second, "RGB")
