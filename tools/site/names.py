"""Links from names to their entries in the reference: an extension of Sphinx.

In: `names.json` beside the staged pages, which has the page and the anchor of each public name. Out: each name of Carom
in a page's text (`World.step`, `cm.Circle((0, 0), 1)`) and each `cm.name` in its programs is a link. A name that may
mean something else stays as it is: a word in lower case that fields or parameters are called by, too, and names in the
first column of tables that list the calls of other libraries.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx

OWNERS = {  # what the pages call a thing by
    "world": "World", "body": "Body", "joint": "Joint", "index": "Index", "shapes": "Shapes", "worlds": "Worlds",
    "copies": "Worlds", "hero": "Character", "character": "Character", "level": "Level", "camera": "Camera",
    "tape": "Recording", "recording": "Recording", "contact": "Contact",
}  # fmt: skip
SUBJECT = re.compile(r"-.*")  # what tells the pages of one subject apart
WRITTEN = re.compile(r"(?:cm\.|carom\.)?([A-Za-z_][\w.]*)(\(.*\))?", re.DOTALL)
SUBJECTS = {  # pages on one class or module, where a name alone is one of its own
    "kernels": "kernels", "searches": "Index", "world": "World", "joints": "World", "tables": "tables",
    "drawing": "draw", "character": "Character", "shapes": "Shape",
}  # fmt: skip
OTHERS = ("coming-from", "geopandas")  # pages whose tables begin with calls of other libraries
IN_CODE = re.compile(r'(<span class="n">(\w+)</span><span class="o">\.</span>)<span class="n">(\w+)</span>'
                     r'(?:<span class="o">\.</span><span class="n">(\w+)</span>)?')  # fmt: skip
HIGHLIGHTED = re.compile(r'<div class="highlight-python.*?</pre>', re.DOTALL)


class Names(NamedTuple):
    """The table of the reference: where each name stands, and which of them are fields of classes."""

    places: dict[str, str]
    fields: frozenset[str]

    def is_field(self, word: str) -> bool:
        """Whether some class has a field that is called so."""
        return word in _words(self.fields)


@functools.cache
def _words(fields: frozenset[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in fields}


def place_of(text: str, names: Names, page: str = "") -> str | None:
    """Return the page and anchor that a piece of code in a text names, or None.

    Parameters
    ----------
    text
        As it stands between backticks.
    names
        The table of the reference.
    page
        Where it stands.
    """
    found = WRITTEN.fullmatch(text)
    if found is None:
        return None
    name, called, outright = found[1], found[2], text.startswith(("cm.", "carom."))
    subject = SUBJECTS.get(SUBJECT.sub("", page.rpartition("/")[2]), "")
    own = f"{subject}.{name}"
    if own in names.places and not outright and (called or own in names.fields or not names.is_field(name)):
        return names.places[own]
    first, _, rest = name.partition(".")
    if first in OWNERS and rest:
        name = f"{OWNERS[first]}.{rest}"
    if name not in names.places and f"draw.{name}" in names.places and not name.islower():
        name = f"draw.{name}"
    if names.is_field(name) and not outright and not called:
        return None
    return names.places.get(name)


def link_texts(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Make links of the names in a page's text."""
    names = table(app)
    for node in list(tree.findall(nodes.literal)):
        if any(isinstance(above, (nodes.reference, nodes.title)) for above in parents(node)):
            continue
        if posixpath.basename(page).startswith(OTHERS) and in_first_column(node):
            continue
        place = place_of(node.astext(), names, page)
        if place and not here(place, page, node):
            link = nodes.reference("", "", internal=True, refuri=address(app, place, page))
            node.replace_self(link)
            link += node


def parents(node: nodes.Node) -> list[nodes.Node]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def in_first_column(node: nodes.Node) -> bool:
    cells = [one for one in parents(node) if isinstance(one, nodes.entry)]
    return bool(cells) and cells[0].parent.index(cells[0]) == 0


def here(place: str, page: str, node: nodes.Node) -> bool:
    """Tell whether a name stands in its own entry, where a link would lead to the line that is read."""
    sections = [one for one in parents(node) if isinstance(one, nodes.section)]
    heading = sections[0].next_node(nodes.title) if sections else None
    return place.partition("#")[0] == page and heading is not None and heading.astext() == place.partition("#")[2]


def address(app: Sphinx, place: str, page: str) -> str:
    target, _, anchor = place.partition("#")
    return f"{app.builder.get_relative_uri(page, target)}#{anchor}"


def link_programs(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Make links of the names in a page's programs."""
    places = table(app).places

    def linked(found: re.Match[str]) -> str:
        before, top, name, member = found.groups()
        if top in OWNERS or top == "kernels":
            name = f"{OWNERS.get(top, top)}.{name}"
        elif top not in ("cm", "carom"):
            return found[0]
        inner = f'<span class="n">{found[3]}</span>'
        after = f'<span class="o">.</span><span class="n">{member}</span>' if member else ""
        if f"{name}.{member}" in places:
            return f'{before}<a href="{address(app, places[f"{name}.{member}"], page)}">{inner}{after}</a>'
        if name in places:
            return f'{before}<a href="{address(app, places[name], page)}">{inner}</a>{after}'
        return found[0]

    if "body" in context and tree is not None:
        context["body"] = HIGHLIGHTED.sub(lambda block: IN_CODE.sub(linked, block[0]), context["body"])


def table(app: Sphinx) -> Names:
    """Return the table of names."""
    return read(Path(app.srcdir, "names.json"))


@functools.cache
def read(file: Path) -> Names:
    places, fields = json.loads(file.read_text(encoding="utf-8"))
    return Names(places, frozenset(fields))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("doctree-resolved", link_texts)
    app.connect("html-page-context", link_programs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
