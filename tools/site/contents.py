"""The order of the site's pages: captions of the sidebar, and the pages below each.

In: nothing. Out: `SECTIONS`, by caption, the pages as the stage names them, without their suffix; `BELOW`, the pages
that stand below another page. Every page of `docs/` is in one of the two exactly once, which a test holds.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

SECTIONS = {
    "Start": "ten-minutes installing recipes gallery/index pages",
    "Shapes and questions": "shapes questions signs-and-normals touching outlines compounds explain",
    "Many shapes": "many pairs searches tables",
    "Motion": "world copies joints moving character maps drawing kernels",
    "Learn and play": "tutorial playground breakout environments tasks without-box2d",
    "Look up": "reference/index errors glossary figures benchmarks/index conformance conformance-adapters",
    "Coming from": "coming-from geopandas",
    "The project": "design/index changelog contributing security source/index",
}


def below(pages: list[str]) -> dict[str, list[str]]:
    """Return the pages that stand below others: steps of the tutorial, design notes, and what the build generates.

    Parameters
    ----------
    pages
        All pages of the stage.
    """
    known = set(pages)
    named = {page for listed in SECTIONS.values() for page in listed.split()}
    tree: dict[str, list[str]] = {}
    for page in sorted(pages, key=natural):
        folder, _, name = page.rpartition("/")
        if page in named or page == "index":
            continue
        subject, _, number = name.rpartition("-")
        first = f"{folder}/{subject}".lstrip("/")
        if number.isdigit() and first in known:
            parent = first
        elif folder == "tutorial":
            parent = "tutorial"
        elif name == "index":
            parent = f"{folder.rpartition('/')[0]}/index"
        else:
            parent = f"{folder}/index" if folder else ""
        tree.setdefault(parent, []).append(page)
    return tree


def natural(page: str) -> tuple[str, int]:
    """Return what sorts `worlds-2` before `worlds-10`."""
    subject, _, number = page.rpartition("-")
    return (subject, int(number)) if number.isdigit() else (page, 0)


def hidden(pages: list[str], caption: str = "") -> str:
    """Return a table of contents that only the sidebar shows."""
    head = f":caption: {caption}\n" if caption else ""
    listed = "\n".join(f"/{page}" for page in pages)
    return f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n{head}\n{listed}\n```\n"
