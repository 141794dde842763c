"""What `make bench` does on a busy machine, and whether pages quote the tables that it wrote."""

from __future__ import annotations

import re
import sys
from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import pytest

from benchmarks import __main__ as program
from benchmarks import harness
from tools.figures import fill

TABLE = harness.Table("A table", "Its notes.", [("what", "time"), ("this", "1 ms")])


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Return the program, with one benchmark that takes no time, and results that are thrown away."""
    monkeypatch.setattr(program, "BENCHMARKS", ("quick",))
    monkeypatch.setitem(sys.modules, "benchmarks.quick", SimpleNamespace(run=lambda rounds: TABLE))  # type: ignore[arg-type]
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    monkeypatch.setattr(program.time, "sleep", lambda seconds: None)
    return program


def run(bench: ModuleType, monkeypatch: pytest.MonkeyPatch, cores: list[float], *words: str) -> None:
    monkeypatch.setattr(
        harness, "Others", lambda: SimpleNamespace(cores=lambda: cores[0] if len(cores) == 1 else cores.pop(0))
    )
    monkeypatch.setattr(sys, "argv", ["bench", "--machine", "here", *words])
    bench.main()


def test_a_quiet_machine_writes_its_figures(bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run(bench, monkeypatch, [0.05])
    text = (tmp_path / "here" / "quick.md").read_text(encoding="utf-8")
    assert "| this | 1 ms |" in text and "other processes" not in text
    assert f"Measured at {harness.commit()}.\nWritten by `make bench ARGS=quick`." in text


@pytest.mark.parametrize("cores", [[1.5], [0.0, 1.5]], ids=["before", "meanwhile"])
def test_a_busy_machine_says_so_and_writes_nothing(
    bench: ModuleType, cores: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=r"other processes use 1\.5 cores|not written: quick"):
        run(bench, monkeypatch, cores)
    assert list(tmp_path.iterdir()) == []


def test_anyway_writes_and_notes_how_busy_it_was(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run(bench, monkeypatch, [1.5], "--anyway")
    text = (tmp_path / "here" / "quick.md").read_text(encoding="utf-8")
    assert "\nMeasured while other processes used 1.5 cores.\n" in text


def test_the_cores_that_others_use_are_counted_without_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    psutil = pytest.importorskip("psutil")
    times = namedtuple("times", "user system idle iowait steal guest")
    own = namedtuple("own", "user system children_user children_system")
    machine = [times(100, 10, 500, 5, 1, 50), times(106, 11, 503, 6, 2, 99)]  # 8 s busy, a second of it stolen
    ours = [own(20, 1, 3, 1), own(22, 1, 4, 2)]  # 4 s of that
    monkeypatch.setattr(psutil, "cpu_times", lambda: machine.pop(0))
    monkeypatch.setattr(harness.os, "times", lambda: ours.pop(0))
    clock = [0.0, 2.0]
    monkeypatch.setattr(harness.time, "perf_counter", lambda: clock.pop(0))
    assert harness.Others().cores() == pytest.approx(2.0)


ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "2-x-amd-epyc-linux-x86-64"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CITED = re.compile(rf"results/{RESULTS.name}/(\w+)\.md|figures\.md#(piles)\b")
UNITS = {
    "ns": ("s", 1e-9),
    "us": ("s", 1e-6),
    "ms": ("s", 1e-3),
    "s": ("s", 1.0),
    "GB": ("B", 1e9),
    "million": ("", 1e6),
}
QUANTITY = re.compile(r"(?<![\w./])(\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?)(?: (ns|us|ms|s|GB|million)\b)?")
MEASURED = re.compile(r"\S*\d (?:ns|us|ms)\b")
# Not a measurement of ours, or computed from two.
NOT_OURS = re.compile(r"\S+ \w+ \([^)]*\bcited\)|[\d.]+(?: to [\d.]+)? times\b|over [\d.]+ GB")


class Quantity(NamedTuple):
    """A number on a page, in seconds, bytes, or as it is, with what its rounding may have hidden."""

    spelled: str
    value: float
    rounding: float
    kind: str


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text; in a list such as 1.2 / 1.3 ns all have the unit of the last."""
    text = text.replace("**", "")
    found: list[Quantity] = []
    unit = ""
    for one in reversed(list(QUANTITY.finditer(text))):
        unit = one[2] or (unit if text.startswith(" / ", one.end()) else "")
        kind, size = UNITS.get(unit, ("", 1.0))
        digits, _, power = one[1].replace(",", "").partition("e")
        last = -len(digits.partition(".")[2]) if "." in digits else len(digits) - len(digits.rstrip("0"))
        size *= 10.0 ** int(power or 0)
        found.append(Quantity(one[0], float(digits) * size, 0.501 * 10.0**last * size, kind))
    return found


@cache
def measured(name: str) -> dict[str, list[Quantity]]:
    """Return the numbers of a table of results by the first cell of their row; those of all rows are under ""."""
    text = (RESULTS / f"{name}.md").read_text(encoding="utf-8")
    found = {"": quantities(text)}
    for line in text.splitlines():
        if line.startswith("|"):
            found.setdefault(line.split("|")[1].strip(), []).extend(quantities(line))
    return found


def claims(section: str) -> Iterator[tuple[str, str]]:
    """Yield a label and a text for each cell of the tables of a section, and for its paragraphs that cite results."""
    for paragraph in re.split(r"\n\s*\n|^- ", section, flags=re.MULTILINE):
        if not paragraph.startswith("|") and CITED.search(paragraph):
            yield "", " ".join(one.spelled for one in quantities(unlinked(paragraph)) if one.kind)
        for line, below in pairwise([*paragraph.splitlines(), ""]):
            if line.startswith("|") and not below.startswith("|-"):  # which is below headings
                label, *cells = line.strip("|").split("|")
                yield from ((label.strip(), unlinked(cell)) for cell in cells)


def unlinked(text: str) -> str:
    return NOT_OURS.sub("", re.sub(r"\]\([^)]*\)", "]", text))


def stale(page: str) -> list[str]:
    """Return the numbers of a page that stand in none of the results which their section cites.

    Where a row of the page has the label of rows of results, its numbers are to stand in these.
    """
    found: list[str] = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE):
        names = sorted({one[1] or one[2] for one in CITED.finditer(section)})
        for label, claim in claims(section) if names else ():
            labels = [label if label in measured(name) else "" for name in names]
            if any(labels):
                rows = [measured(name)[one] for name, one in zip(names, labels, strict=True) if one]
            else:
                rows = [measured(name)[""] for name in names]
            known = [one for row in rows for one in row]
            found += [
                f"{one.spelled} ({claim.strip()}) is not in {', '.join(names)}"
                for one in quantities(claim)
                if not any(one.kind == like.kind and abs(one.value - like.value) <= one.rounding for like in known)
            ]
    return found


def test_figures_of_a_section_stand_in_the_results_that_it_cites() -> None:
    cited = {page: fill.without_templates(page.read_text(encoding="utf-8")) for page in PAGES}
    cited = {page: text for page, text in cited.items() if CITED.search(text)}
    assert {"README.md", "figures.md", "environments.md", "tables.md", "joints.md"} <= {page.name for page in cited}
    assert {page.name: found for page, text in cited.items() if (found := stale(text))} == {}


def test_a_stale_figure_is_told() -> None:
    table = (
        "## Speed\n\n| what | how long |\n|---|---|\n| a ray of 10,000 | **{}** |\n\n[All](results/{}/searches.md)\n"
    )
    assert stale(table.format("272 / 390 ns", RESULTS.name)) == []
    assert stale(table.format("2.1 us (pymunk 3.8 us)", RESULTS.name)) == []
    assert stale(table.format("273 ns", RESULTS.name)) == ["273 ns (**273 ns**) is not in searches"]
    assert len(stale(table.format("272 / 390 us", RESULTS.name))) == 2
    pile = "| heap of 200 | {} | 0.08 | **0.043** |\n\n[All](figures.md#piles)\n"
    assert stale(pile.format("0.43")) == [] != stale(pile.format("0.53"))  # which is that of another row
    assert stale(f"A ray takes 5 s ([all](results/{RESULTS.name}/searches.md)), as 1/60 s.") != []


def test_the_figures_of_pages_are_those_that_the_tool_takes_from_the_results() -> None:
    assert [
        page.name for page in fill.pages() if fill.filled(text := page.read_text(encoding="utf-8")) != text
    ] == [], "run python -m tools.figures"


def test_no_guide_has_a_time_that_was_typed() -> None:
    guides = [page for page in PAGES if page.parent.name != "design"]
    typed = {page.name: MEASURED.findall(fill.BLOCK.sub("", page.read_text(encoding="utf-8"))) for page in guides}
    assert {name: found for name, found in typed.items() if found} == {}


def test_a_template_is_followed_by_its_figures() -> None:
    template = "<!-- figures\nOne takes {searches: first hit of a ray among / carom / each}.\n-->\n"
    text = f"Rays:\n\n{template}Old.\n\n<!-- end of figures -->\n"
    page = fill.filled(text)
    assert page.endswith("each}.\n-->\nOne takes 270 ns.\n\n<!-- end of figures -->\n") and fill.filled(page) == page
    assert fill.without_templates(page) == "Rays:\n\nOne takes 270 ns.\n"


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("a: discs / Carom / each", "1.2 us"),
        ("a: discs / Carom / each @ ns 3", "1,230"),
        ("a: discs / Carom / each @ 0", "1.23 us"),
        ("a: discs / * / each", "1.2 us | **62 ns** | 6.0 ms"),
        ("a: 1,000 / * / gap", "0 | 0.05"),
        ("a: discs / Carom / each; a: discs / Box2D / each @ us", "1.2 / 0.062"),
        ("a: discs / pymunk / each ÷ a: discs / Carom / each", "4,900"),
        ("most a: discs / * / each", "6.0 ms"),
        ("a: discs / Carom / each ÷ 0.00000123", "1.0"),
    ],
)
def test_an_expression_asks_for_figures(expression: str, written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        ("scene", "library", "each", "gap"),
        ("discs", "Carom", "1.23 us", "1e-12"),
        ("discs", "Box2D 3", "62 ns", "2.0e-02"),
        ("discs", "pymunk", "6.0 ms", "0"),
        ("1,000,000 discs", "Carom", "5 s", "9"),
        ("1,000 discs", "Carom", "5 s", "0e+00"),
        ("1,000 discs", "Box2D 3", "5 s", "5e-02"),
    ]
    monkeypatch.setattr(fill, "table", lambda name: rows)
    assert fill.written(expression) == written


def test_a_figure_that_no_result_has_is_refused() -> None:
    for expression in ("searches: a fly / carom / each", "searches: a box / carom / eyes"):
        with pytest.raises(LookupError, match=r"searches\.md has no figure"):
            fill.written(expression)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="without a repository there are no commits")
def test_commits_of_results_are_in_the_history() -> None:
    for file in sorted((ROOT / "benchmarks" / "results").rglob("*.md")):
        named = re.search(r"commit (\w+) of", file.read_text(encoding="utf-8"))
        assert named and (harness.git("cat-file", "-t", named[1]) == "commit" or shallow()), file


def shallow() -> bool:
    return harness.git("rev-parse", "--is-shallow-repository") == "true"
