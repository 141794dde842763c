"""Divide long pages: a page of the site has at most about four screens.

In: the Markdown of a page. Out: its parts, each of whole sections, with a title and the anchors of its headings. The
height of a section is estimated by its lines, tables and pictures, for a column 860 pixels wide.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from PIL import Image

MOST = 3300  # pixels; a screen has about 900
LEAST = 700  # of what stands on a page of its own
LETTERS = 105  # in a line of text
LINE, CODE_LINE, ROW_LINE, GAP, HEADING = 26, 20, 26, 14, 70
VECTOR, HIGHEST = 320, 540  # pixels: the usual height of a drawing, and the largest of a picture, as in `site.css`
WIDE = 56  # letters of a title
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
BELOW = re.compile(r"^### (.+)$", re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
APART = ("coming-from.md",)  # whose sections stand each on a page of its own


class Part(NamedTuple):
    """A page of the site, made of a part of a page of docs/."""

    text: str
    anchors: list[str]


def divide(text: str, file: Path) -> list[Part]:
    """Return the parts of a page, the first with the page's own title.

    Parameters
    ----------
    text
        Markdown.
    file
        Where it lies: its pictures are found from there.
    """
    if file.name not in APART and height(text, file) <= 1.15 * MOST:
        return [Part(text, anchors(text))]
    head, *sections = split(text, SECTION)
    groups: list[list[str]] = [[]]
    used = height(head, file)
    for section in sections:
        pieces = [section] if height(section, file) <= 1.15 * MOST else lifted(section)
        for piece in pieces:
            tall = height(piece, file)
            if file.name in APART or (used + tall > MOST and used > LEAST):
                groups.append([])
                used = 0
            groups[-1].append(piece)
            used += tall
    if len(groups) > 1 and height("".join(groups[-1]), file) < LEAST and file.name not in APART:
        rest = groups.pop()
        groups[-1] += rest
    parts = [head + "".join(groups[0]), *map(titled, groups[1:])]
    return [Part(part, anchors(part)) for part in parts]


def split(text: str, heading: re.Pattern[str]) -> list[str]:
    """Return what stands above the first heading outside of programs, and the text of each from there on."""
    hidden = FENCE.sub(lambda block: " " * len(block[0]), text)
    places = [0, *(found.start() for found in heading.finditer(hidden)), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def lifted(section: str) -> list[str]:
    """Return a section in pieces, those below its first heading one level up."""
    first, *others = split(section, BELOW)
    return [first, *(other.removeprefix("#") for other in others)]


def titled(sections: list[str]) -> str:
    """Return a page of sections; a single one gives it its title."""
    if len(sections) == 1:
        first, *others = split(sections[0].removeprefix("#"), BELOW)
        return first + "".join(other.removeprefix("#") for other in others)
    names = [found[1] for section in sections if (found := SECTION.match(section))]
    shown = names if len("".join(names)) < WIDE else [names[0], "…", names[-1]]
    return f"# {' · '.join(shown)}\n\n" + "".join(sections)


def anchors(text: str) -> list[str]:
    """Return the anchors of all headings, as Sphinx and the usual readers of Markdown make them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return [slug(heading) for heading in headings]


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", LINK.sub(r"\1", heading).strip().lower()).replace(" ", "-")


def height(text: str, file: Path) -> float:
    """Return about how many pixels a text is high."""
    total = sum(CODE_LINE * (block.count("\n") + 1) + 2 * GAP for block in FENCE.findall(text))
    rest = FENCE.sub("", text)
    for target in PICTURE.findall(rest):
        total += picture(file.parent / target)
    for block in re.split(r"\n{2,}", PICTURE.sub("", rest)):
        if block.startswith("#"):
            total += HEADING
        elif block.startswith("|"):
            total += sum(map(row, block.splitlines()))
        elif block.strip():
            letters = len(LINK.sub(r"\1", block))
            total += LINE * max(1.0, letters / LETTERS) + GAP
    return total


def row(line: str) -> float:
    """Return the height of a row of a table: its longest cell has about half of the width."""
    cells = [len(LINK.sub(r"\1", cell)) for cell in line.strip("|").split("|")]
    share = max(cell / (1.6 * LETTERS * max(cell, 12) / max(sum(cells), 1)) for cell in cells)
    return ROW_LINE * max(1.0, share) + 10


def picture(file: Path) -> float:
    """Return the height of a picture in a column."""
    if file.suffix == ".svg" or not file.exists():
        return VECTOR
    with Image.open(file) as image:
        return min(HIGHEST, image.height * min(1.0, 860 / image.width))
