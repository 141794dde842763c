"""The pages that tell of changes: what the next version brings, from the notes in changes/, before what is released.

In: changes/ and CHANGELOG.md. Out: the page `changelog` on a stage, and the table of the design notes.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.divide import divide
from tools.site.stage import Stage

ROOT = Path(__file__).parents[2]
LOG = ROOT / "CHANGELOG.md"
KINDS = {"new": "New", "changed": "Changed", "fixed": "Fixed"}
RELEASES = re.compile(r"<!-- towncrier release notes start -->\n")
DESIGN = re.compile(r"^## Design\n(.*)", re.DOTALL | re.MULTILINE)


def add_to(stage: Stage) -> None:
    """Put the next version's changes above those of the releases, and add the table of the design notes."""
    notes = {kind: sorted((ROOT / "changes").glob(f"*.{kind}.md")) for kind in KINDS}
    parts = [
        f"## Next version: {KINDS[kind].lower()}\n\n"
        + "\n".join("- " + indented(file.read_text(encoding="utf-8")) for file in files)
        for kind, files in notes.items()
        if files
    ]
    head, releases = RELEASES.split(LOG.read_text(encoding="utf-8"))
    for number, part in enumerate(divide("\n\n".join([head.rstrip(), *parts, releases.lstrip()]), LOG)):
        stage.add(f"changelog{f'-{number + 1}' if number else ''}.md", part.text, LOG.name)
    design = DESIGN.search((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    assert design is not None
    words = "How Carom decides, searches and steps, and why: the rule, the reason, the measurements."
    stage.add("design/index.md", f"# Design\n\n{words}\n{design[1]}", "docs/index.md")


def indented(text: str) -> str:
    return text.strip().replace("\n", "\n  ")
