"""Check the links of the built site: each that leads to a file or an anchor of the site must find it.

In: a folder of HTML. Out: the number of links that were followed, and a line for each that leads nowhere. Links to
other sites are not fetched.
"""

from __future__ import annotations

import functools
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag leads to, and the anchors that it is."""
        given = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := given.get(key)) is not None]
        self.anchors |= {value for key in ("id", "name") if (value := given.get(key))}


def check(site: Path) -> tuple[int, list[str]]:
    """Return how many links within the site were followed, and what is wrong.

    Parameters
    ----------
    site
        The folder with the built pages.
    """

    @functools.cache
    def read(file: Path) -> Page:
        page = Page()
        page.feed(file.read_text(encoding="utf-8"))
        return page

    followed, wrong = 0, []
    for file in sorted(site.rglob("*.html")):
        if "_static" in file.parts or file.name == "play.html":
            continue
        for link in sorted(set(read(file).links)):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.is_file():
                wrong.append(f"{file.relative_to(site)}: no file for {link}")
            elif target.suffix == ".html" and target.name != "play.html" and parts.fragment:
                if unquote(parts.fragment) in read(target).anchors:
                    continue
                wrong.append(f"{file.relative_to(site)}: no anchor for {link}")
    return followed, wrong
