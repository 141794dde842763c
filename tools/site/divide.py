"""Divide long pages: a page of the site has at most about four screens.

In: the Markdown of a page. Out: its parts, each of whole sections, with a title and the anchors of its headings. The
height of a section is estimated by its lines, tables and pictures, for a column 860 pixels wide.
"""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from math import ceil
from pathlib import Path
from typing import NamedTuple

from PIL import Image

MOST = 3050  # pixels, with 170 around them and room for an error; a screen has 900
LEAST = 700  # of what stands on a page of its own
LETTERS = 105  # in a line of text
LINE, CODE_LINE, CODE_EDGE, ROW_LINE, GAP, HEADING = 26, 19.5, 40, 21, 14, 70
COLUMN, TABLE_LETTER, CELL_EDGE, LONGEST = 860, 7.4, 17, 16  # pixels, and the letters of code that stay together
VECTOR, HIGHEST = 320, 460  # pixels: the usual height of a drawing, and the largest of a picture, as in `site.css`
WIDE = 56  # letters of a title
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
BELOW = re.compile(r"^### (.+)$", re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
DRAWN = re.compile(r'<svg[^>]*? width="([\d.]+)[a-z]*" height="([\d.]+)[a-z]*"')
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
    if file.name not in APART and height(text, file) <= 1.1 * MOST:
        return [Part(text, anchors(text))]
    head, *sections = split(text, SECTION)
    groups: list[list[str]] = [[]]
    used = height(head, file)
    for section in sections:
        pieces = [section] if height(section, file) <= 1.1 * MOST else lifted(section)
        for piece in pieces:
            tall = height(piece, file)
            if file.name in APART or (used + tall > MOST and used > LEAST):
                groups.append([])
                used = 0
            groups[-1].append(piece)
            used += tall
    if len(groups) > 1 and height("".join(groups[-1]), file) < LEAST and file.name not in APART:
        rest = groups.pop()
        before = head if len(groups) == 1 else ""
        if height(before + "".join(groups[-1] + rest), file) <= 1.05 * MOST:
            groups[-1] += rest
        else:
            groups.append([groups[-1].pop(), *rest] if len(groups[-1]) > 1 else rest)
    parts = [head + "".join(groups[0]), *map(titled, groups[1:])]
    return [Part(part, anchors(part)) for part in parts]


def split(text: str, heading: re.Pattern[str]) -> list[str]:
    """Return what stands above the first heading outside of programs, and the text of each from there on."""
    hidden = FENCE.sub(lambda block: " " * len(block[0]), text)
    places = [0, *(found.start() for found in heading.finditer(hidden)), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def lifted(section: str) -> list[str]:
    """Return a section in pieces, those below its first heading one level up; a bare heading stays with the first."""
    first, *others = split(section, BELOW)
    if others and "\n" not in first.strip():
        first += others.pop(0)
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
    total: float = sum(CODE_LINE * (block.count("\n") - 1) + CODE_EDGE for block in FENCE.findall(text))
    for block in re.split(r"\n{2,}", FENCE.sub("", text)):
        if block.startswith("|"):
            total += table(block.splitlines(), file) + GAP
            continue
        total += sum(picture(file.parent / target)[1] for target in PICTURE.findall(block))
        words = PICTURE.sub("", block)
        if words.startswith("#"):
            total += HEADING
        elif words.strip():
            total += LINE * max(1.0, len(LINK.sub(r"\1", words)) / LETTERS) + GAP
    return total


def table(lines: list[str], file: Path) -> float:
    """Return the height of a table, whose columns a browser makes as wide as words, and then texts, need."""
    rows = [line.strip("|").split("|") for line in lines if not line.startswith("|-")]
    needs = [[need(cell, file) for cell in row] for row in rows]
    columns = list(zip_longest(*needs, fillvalue=(0.0, 0.0, 0.0)))
    least = [max(cell[0] for cell in column) for column in columns]
    most = [max(cell[1] for cell in column) for column in columns]
    room = max(0.0, COLUMN - CELL_EDGE * len(columns) - sum(least))
    share = min(1.0, room / max(1.0, sum(most) - sum(least)))
    widths = [narrow + share * (wide - narrow) for narrow, wide in zip(least, most, strict=True)]
    return sum(
        max(
            max(picture + 6, ROW_LINE * ceil(wide / max(width, 1.0) - 0.02))
            for (_, wide, picture), width in zip(row, widths, strict=False)
        )
        + 10
        for row in needs
    )


def need(cell: str, file: Path) -> tuple[float, float, float]:
    """Return how wide the longest word of a cell is, how wide all of it, and how high its pictures are."""
    pictures = [picture(file.parent / target) for target in PICTURE.findall(cell)]
    words = re.sub(r"[*`]", "", LINK.sub(r"\1", PICTURE.sub("", cell))).split()
    widest = max((width for width, _ in pictures), default=0.0)
    longest = TABLE_LETTER * max((min(LONGEST, len(word)) for word in words), default=0)
    whole = TABLE_LETTER * len(" ".join(words))
    return max(widest, longest), max(widest, whole), max((high for _, high in pictures), default=0.0)


def picture(file: Path) -> tuple[float, float]:
    """Return the width and the height of a picture in a column."""
    if not file.exists():
        return COLUMN, VECTOR
    if file.suffix == ".svg":
        found = DRAWN.search(file.read_text(encoding="utf-8"))
        wide, high = (float(found[1]), float(found[2])) if found else (COLUMN, VECTOR)
    else:
        with Image.open(file) as image:
            wide, high = image.size
    scale = min(1.0, COLUMN / wide, HIGHEST / high)
    return scale * wide, scale * high
