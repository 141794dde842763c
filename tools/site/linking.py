"""Links from names to their entries in the reference: an extension of Sphinx.

In: pages as Sphinx has read them, and the table of names. Out: each name of Carom in a page's text is a link, and so is
each `cm.name`, and each method of what is called `world`, `body` and the like, in its programs. Names in the first
column of tables that list the calls of other libraries stay as they are.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools.site.names import OWNERS, Names, place_of, read

OTHERS = ("coming-from", "geopandas")  # pages whose tables begin with calls of other libraries
OF_FIELDS = ("reference/", "explain", "joints", "many", "maps", "tables", "design/site", "design/values")
"""Pages on which a word that is the name of a function and of a field mostly means the field."""
AS = re.compile(r"\b(?:[Aa]s(?: in| for)?|what) $")
LISTED = re.compile(r"(?:,| /|,? and|,? or) ")
IN_CODE = re.compile(r'(<span class="n">(\w+)</span><span class="o">\.</span>)<span class="n">(\w+)</span>'
                     r'(?:<span class="o">\.</span><span class="n">(\w+)</span>)?')  # fmt: skip
HIGHLIGHTED = re.compile(r'<div class="highlight-python.*?</pre>', re.DOTALL)


def link_texts(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Make links of the names in a page's text."""
    names = table(app)
    for node in list(tree.findall(nodes.literal)):
        if any(isinstance(above, (nodes.reference, nodes.title)) for above in parents(node)):
            continue
        if posixpath.basename(page).startswith(OTHERS) and in_first_column(node):
            continue
        place = place_of(node.astext(), names, page)
        if not place and means_function(node, names, page):
            place = place_of(f"cm.{node.astext()}", names, page)
        if place and not here(place, page, node):
            link = nodes.reference("", "", internal=True, refuri=address(app, place, page))
            node.replace_self(link)
            link += node


def means_function(node: nodes.literal, names: Names, page: str) -> bool:
    """Tell whether a word such as `distance`, of a function and of fields, stands for the function."""
    if not node.astext().isidentifier():
        return False
    if not page.startswith(OF_FIELDS):
        return True
    beside = node.parent.children[: node.parent.index(node)]
    before = beside[-1].astext() if beside else ""
    if len(beside) > 1 and LISTED.fullmatch(before):  # after a name that means a function alone
        return place_of(beside[-2].astext(), names) is not None and beside[-2].astext().islower()
    return AS.search(before) is not None


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


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("doctree-resolved", link_texts)
    app.connect("html-page-context", link_programs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
