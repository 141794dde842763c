"""Fill templates of Markdown with figures of the results.

In: a page with templates, and benchmarks/results. Out: the page, where each template is followed by its text:

    <!-- figures
    A ray takes {searches: first hit of a ray / carom / each}.
    -->
    A ray takes 270 ns.

    <!-- end of figures -->

A figure between braces names a table, the beginnings of cells of a row, in their order, and a heading. The first such
row counts. Where a cell is `*` all rows do, one after the other; the least is bold unless it is the first, Carom's.

    {searches: a box / carom / each}            two digits and the unit
    {searches: a box / carom / each @ ns}       in that unit, which is not written
    {searches: a box / carom / each @ us 3}     three digits; 0 for as the results have it
    {piles: heap of 200 / * / mean ms}          all, between the bars of a table
    {rows: a / each; rows: b / each}            both, between slashes
    {least rows: * / shapely / times}           the least, or with `most` the largest
    {rows: a / shapely / each ÷ rows: a / carom / each}      how many times one is the other; either may be a number
"""

from __future__ import annotations

import functools
import math
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "2-x-amd-epyc-linux-x86-64"
BLOCK = re.compile(
    r"(?P<template><!-- figures\n(?P<text>.*?)\n-->\n)(?P<filled>.*?)(?P<end><!-- end of figures -->)", re.S
)
FIGURE = re.compile(r"\{([^{}]+)\}")
VALUE = re.compile(r"([+-]?[\d,]*\.?\d+(?:e[+-]\d+)?)(?: (ns|us|ms|s|kB|MB|GB))?(?![\w.])")
SIZES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "million": 1e6, "": 1.0}


class Figure(NamedTuple):
    """A number of the results: in units of its kind, such as seconds, the unit that it has there, and how it stands."""

    value: float
    unit: str
    spelled: str


def pages() -> list[Path]:
    """Return the pages that may have figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(page: str) -> str:
    """Return a page with the figures that the results have now."""
    return BLOCK.sub(lambda block: f"{block['template']}{of_template(block['text'])}\n\n{block['end']}", page)


def without_templates(page: str) -> str:
    """Return a page as readers see it."""
    return BLOCK.sub(lambda block: block["filled"].rstrip("\n"), page)


def of_template(template: str) -> str:
    """Return the text of a template."""
    return FIGURE.sub(lambda found: written(found[1]), template)


def written(expression: str) -> str:
    """Return the figures that stand between braces."""
    what, _, how = expression.partition(" @ ")
    unit, digits = "", 2
    for word in how.split():
        unit, digits = (unit, int(word)) if word.isdigit() else (word, digits)
    choice, _, rest = what.partition(" ")
    parts = (rest if choice in ("least", "most") else what).split("; ")
    found = [one for part in parts for one in asked(part)]
    if choice in ("least", "most"):
        found = [(min if choice == "least" else max)(found, key=lambda one: one.value)]
    shown = [spelled(one, unit, digits) for one in found]
    if len(parts) > 1 or len(shown) == 1:
        return " / ".join(shown)
    least = min(found, key=lambda one: one.value)
    if least.value < found[0].value:
        shown = [f"**{text}**" if one.value == least.value else text for one, text in zip(found, shown, strict=True)]
    return " | ".join(shown)


def asked(part: str) -> list[Figure]:
    """Return the figures that a part of an expression asks for: those of rows, or a ratio."""
    above, ratio, below = part.partition(" ÷ ")
    if not ratio:
        return looked_up(part)
    first, second = ([figure(one)] if VALUE.fullmatch(one) else looked_up(one) for one in (above, below))
    return [Figure(a.value / b.value, "", "") for a, b in zip(first, second, strict=True)]


def looked_up(reference: str) -> list[Figure]:
    """Return the figures of the rows that a reference names."""
    name, _, path = reference.strip().partition(": ")
    *keys, heading = path.split(" / ")
    headings, *rows = table(name)
    column = next((k for k, one in enumerate(headings) if one == heading), None)
    if column is None:
        column = next((k for k, one in enumerate(headings) if begins(one, heading)), None)
    matched = [row for row in rows if matches(row, keys)]
    if column is None or not matched:
        raise LookupError(f"{name}.md has no figure for {path}")
    return [figure(row[column]) for row in (matched if "*" in keys else matched[:1])]


def matches(row: tuple[str, ...], keys: list[str]) -> bool:
    """Return whether cells of a row begin with the keys, in their order; the first key is that of the first cell."""
    cells = iter(row)
    return begins(row[0], keys[0]) and all(any(begins(cell, key) for cell in cells) for key in keys)


def begins(cell: str, key: str) -> bool:
    """Return whether a cell begins with the words of a key: 1,000 is no beginning of 1,000,000."""
    return key == "*" or re.match(re.escape(key) + r"(?!\w|[,.]\d)", cell) is not None


@functools.cache
def table(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a table of results, headings first."""
    lines = (RESULTS / f"{name}.md").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line.startswith("|") and not line.startswith("|-")]
    return [tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|")) for line in lines]


def figure(cell: str) -> Figure:
    """Return the first number of a cell."""
    found = VALUE.search(cell)
    if not found:
        raise LookupError(f"there is no number in {cell!r}")
    return Figure(float(found[1].replace(",", "")) * SIZES[found[2] or ""], found[2] or "", found[0])


def spelled(one: Figure, unit: str, digits: int) -> str:
    """Return a figure with some of its digits: in its own unit, which is written, or in a unit that is not."""
    if digits == 0 and one.spelled:
        return one.spelled
    known = len(re.sub(r"e.*|\D", "", one.spelled).lstrip("0")) or digits
    text = rounded(one.value / SIZES[unit or one.unit], min(digits, known))
    return text if unit or not one.unit else f"{text} {one.unit}"


def rounded(number: float, digits: int) -> str:
    """Return a number with some digits: 0.043, 2.7, 1,200, 3.9e-05."""
    if number == 0.0:
        return "0"
    if abs(number) < 1e-4:
        return f"{number:.{digits - 1}e}"
    near = float(f"{number:.{digits - 1}e}")
    return f"{near:,.{max(0, digits - 1 - math.floor(math.log10(abs(near))))}f}"
