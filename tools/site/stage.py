"""Stage the pages: copy docs/ and what belongs to the site into one folder, with links that lead within it.

In: the repository, and pages that other modules generate. Out: a folder of Markdown that Sphinx builds. The pages of
docs/ stay as they are, readable where they lie: tables of contents, gallery, reference and results are added here.
A link to a file that is on no page leads to a page with the text of that file.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tools.figures.fill import without_templates
from tools.site import contents
from tools.site.divide import divide

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(\]\()(?![a-z]+:)([^)#\s]*)(#[^)]*)?(\))")
GOES_ON = "The programs of this page go on from those of [the page before]({name}).\n"
STEPS = re.compile(r"\n\[All steps\]\(.*\n?\Z")  # the theme has links to the previous and the next page of its own
LANGUAGES = {".py": "python", ".yml": "yaml", ".yaml": "yaml", ".toml": "toml", "": "text"}
FRONT = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}


class Stage:
    """A folder that is filled with pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[str, str] = {}  # by their names without suffix
        self.places: dict[str, str] = {}  # where a file of the repository stands on the stage, both with suffix
        self.sources: set[str] = set()
        self.anchors: dict[tuple[str, str | None], str] = {}  # the place of a heading, by its page and `#its-anchor`

    def copy_docs(self) -> None:
        """Take in the pages and pictures of docs/, and those at the top of the repository."""
        docs = [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / "docs").rglob("*.md"))]
        docs.remove("docs/home.md")
        self.places |= {name: name.removeprefix("docs/") for name in docs} | FRONT
        self.places |= {"docs/index.md": "pages.md", "docs/search.md": "searches.md"}  # Sphinx makes search.html
        self.places |= {"docs/design": "design/index.md", "README.md": "index.md", "docs/home.md": "index.md"}
        for file in (ROOT / "docs" / "images").rglob("*"):
            self.places[file.relative_to(ROOT).as_posix()] = file.relative_to(ROOT / "docs").as_posix()
        for pattern in ("pictures/*.svg", "results/*/*.json"):  # which lie on the site as they are
            names = [file.relative_to(ROOT).as_posix() for file in (ROOT / "conformance").glob(pattern)]
            self.places |= dict(zip(names, names, strict=True))
        parts = {name: self.divided(name) for name in [*docs, *FRONT]}  # first all: links lead into parts
        for name, texts in parts.items():
            for place, text in texts.items():
                self.add(place, STEPS.sub("\n", text), name)
        whole = self.pages["pages"].replace("# Carom\n", "# All pages\n", 1)
        self.pages["pages"] = whole.replace("| Reference |", "| [Reference](reference/index.md) |", 1)

    def divided(self, name: str) -> dict[str, str]:
        """Return the parts of a page by their places, and note where its headings are."""
        place = self.places[name]
        parts = divide(without_templates((ROOT / name).read_text(encoding="utf-8")), ROOT / name)
        texts: dict[str, str] = {}
        for number, part in enumerate(parts):
            own = place if number == 0 else place.replace(".md", f"-{number + 1}.md")
            text, before = part.text, posixpath.basename(next(reversed(texts), ""))
            self.places.setdefault(f"{posixpath.dirname(name)}/{posixpath.basename(own)}", own)
            if number and "```python" in text:
                end = text.index("\n") + 1  # of the title
                text = f"{text[:end]}\n{GOES_ON.format(name=before)}{text[end:]}"
            texts[own] = text
            self.anchors |= {(name, f"#{anchor}"): own for anchor in part.anchors}
        return texts

    def add(self, place: str, text: str, source: str | None = None) -> None:
        """Add a page; links in it are those of the file `source`, if it stands elsewhere in the repository."""
        self.pages[place.removesuffix(".md")] = text if source is None else self.linked(text, source, place)

    def linked(self, text: str, source: str, place: str) -> str:
        """Return a text with its links as they are on the stage."""

        def there(found: re.Match[str]) -> str:
            if not found[2] and (source, found[3]) not in self.anchors:
                return found[0]
            wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2])) if found[2] else source
            target = self.anchors.get((wanted, found[3])) or self.places.get(wanted) or self.source_page(wanted)
            if target == place and found[3]:
                return f"{found[1]}{found[3]}{found[4]}"
            return f"{found[1]}{posixpath.relpath(target, posixpath.dirname(place) or '.')}{found[3] or ''}{found[4]}"

        return "".join(part if part.startswith("```") else LINK.sub(there, part) for part in FENCE.split(text))

    def source_page(self, name: str) -> str:
        """Make a page with the text of a file, and return its place."""
        place = f"source/{name.replace('/', '-').replace('.', '-')}.md"
        if name not in self.sources:
            self.sources.add(name)
            text = (ROOT / name).read_text(encoding="utf-8")
            shown = listing(text, LANGUAGES.get(Path(name).suffix, "text"))
            self.add(place, f"# {name}\n\n{shown}")
        return place

    def write(self) -> None:
        """Write all pages, each with its table of contents, and the pictures."""
        listed = "".join(f"- [{name}](../{self.source_page(name)})\n" for name in sorted(self.sources))
        self.add("source/index.md", f"# Files\n\nFiles of the repository that pages link to.\n\n{listed}")
        tree = contents.below(list(self.pages))
        assert "" not in tree, f"on no table of contents: {tree['']}"
        for page, text in self.pages.items():
            file = self.folder / f"{page}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            more = f"\n\n{contents.hidden(tree[page])}" if page in tree else ""
            if page == "index":
                more = "\n\n" + "\n".join(
                    contents.hidden(listed.split(), caption) for caption, listed in contents.SECTIONS.items()
                )
            renew(file, text + more)
        keep_only(self.folder, [f"{page}.md" for page in self.pages])
        for kept, place in (("docs/images", "images"), ("conformance/pictures",) * 2, ("conformance/results",) * 2):
            shutil.copytree(ROOT / kept, self.folder / place, dirs_exist_ok=True)


def renew(file: Path, text: str) -> None:
    """Write a file if its text differs, so that Sphinx reads again only what has changed."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def listing(text: str, language: str) -> str:
    """Return a whole file as a block that scrolls if it is long."""
    return f"````{{code-block}} {language}\n:class: listing\n\n{text.rstrip()}\n````\n"


def keep_only(folder: Path, names: Iterable[str]) -> None:
    """Remove the pages of earlier builds that are no longer made."""
    known = {os.path.normpath(name) for name in names}
    for file in folder.rglob("*.md"):
        if os.path.normpath(file.relative_to(folder)) not in known:
            file.unlink()
