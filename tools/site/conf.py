"""What Sphinx asks: the name, the theme, how Markdown is read. The pages are those that `tools.site` stages.

In: the staged folder, and in it `names.json`, the table of names of the reference. Out: settings that Sphinx reads.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

project = "Carom"
author = "the Carom developers"
copyright = author
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser", "tools.site.linking"]
myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 4
myst_all_links_external = False
highlight_language = "none"  # of blocks without a language: commands and what they print
smartquotes = False
html_theme = "furo"
html_title = f"Carom {release}"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "monokai"
templates_path: list[str] = []
WORDY = 40
"""Letters from which on a cell of a table keeps some width on a phone, where else each word has a line of its own."""


def setup(app: Sphinx) -> None:
    """Keep the sidebar short: a page's own branch is open, others show their first page; keep cells wide enough."""
    app.connect("html-page-context", close_branches, priority=100)  # before the theme asks for the sidebar
    app.connect("doctree-read", mark_cells)


def mark_cells(app: Sphinx, tree: nodes.document) -> None:
    """Mark the cells of tables that have many words."""
    for cell in tree.findall(nodes.entry):
        if sum(map(len, cell.findall(nodes.Text))) > WORDY:  # without words on pictures
            cell["classes"].append("wordy")


def close_branches(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Let the table of contents leave out what is below other branches, of two hundred pages on every page."""
    whole = context["toctree"]
    context["toctree"] = lambda **given: whole(**given | {"collapse": True})
