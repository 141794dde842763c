"""The gallery: a page for each example, with its picture, its program and the pages that speak of it.

In: examples/, and the pages of docs/. Out: pages on a stage, and one of all pictures; `places` tells where the files of
examples/ stand, which must be known before any page's links are followed.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tools.site.stage import Stage, listing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TITLES = {
    "newtons_cradle": "Newton's cradle",
    "ppo": "PPO",
    "topdown": "From above",
    "explain_boxes": "Boxes explained",
}
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| ([a-z ]+) \| .*examples/.*$", re.MULTILINE)
NAMED = re.compile(r"examples/([a-z_/]+)\.py")


def places() -> dict[str, str]:
    """Return where each file of examples/ stands."""
    return {"examples": "gallery/index.md"} | {
        file.relative_to(ROOT).as_posix(): f"gallery/{file.stem}.md" for file in (ROOT / "examples").rglob("*.py")
    }


def add_to(stage: Stage) -> None:
    """Add a page for each example, and the one of all."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    cards = ["# Gallery\n\nEvery program of `examples/`: its picture leads to its code."]
    for row in ROW.finditer(text):
        cards.append(f"## {row[1].capitalize()}\n\n" + cards_of(NAMED.findall(row[0])))
        for name in NAMED.findall(row[0]):
            stage.add(f"gallery/{Path(name).name}.md", page(name), f"docs/gallery/{Path(name).name}.md")
    stage.add("gallery/index.md", "\n\n".join(cards) + "\n")


def cards_of(names: list[str]) -> str:
    return '<div class="cards">\n\n' + "\n".join(map(card, names)) + "\n</div>"


def card(name: str) -> str:
    """Return a picture that leads to the example's page, with its first words below; a link alone if it leaves none."""
    stem = Path(name).name
    if not picture(stem):
        return f"<div>\n\n[{title(name)}]({stem}.md)\n\n</div>\n"
    return f"<div>\n\n[![{title(name)}](../images/{stem}.png) {title(name)}]({stem}.md)\n\n</div>\n"


def picture(stem: str) -> bool:
    return (DOCS / "images" / f"{stem}.png").exists()


def title(name: str) -> str:
    stem = Path(name).name
    return TITLES.get(stem, stem.replace("_", " ").capitalize())


def page(name: str) -> str:
    """Return the page of an example."""
    stem = Path(name).name
    code = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    words = (ast.get_docstring(ast.parse(code)) or "").replace("<", "&lt;")
    window = f"\n.venv/bin/python examples/{name}.py --window" if "--window" in code else ""
    shown = f"![{title(name)}: the picture that the program leaves](../images/{stem}.png)\n\n" if picture(stem) else ""
    pages = "".join(f"- [{heading}](../{place})\n" for heading, place in speaking_of(name))
    belongs = f"It belongs to:\n\n{pages}\n" if pages else ""
    return (
        f"# {title(name)}\n\n{words}\n\n{shown}```\n.venv/bin/python examples/{name}.py{window}\n```\n\n"
        f"{belongs}## The program\n\n{listing(code, 'python')}"
    )


def speaking_of(name: str) -> list[tuple[str, str]]:
    """Return the titles and places of the pages that link to an example, without the index of all."""
    found = []
    for file in sorted(DOCS.rglob("*.md")):
        text = file.read_text(encoding="utf-8")
        if f"examples/{name}.py)" in text and file.name not in ("index.md", "home.md"):
            heading = TITLE.search(text)
            found.append((heading[1] if heading else file.stem, file.relative_to(DOCS).as_posix()))
    return found
