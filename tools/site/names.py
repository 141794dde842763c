"""The place in the reference that a piece of code names.

In: `names.json` beside the staged pages, which has the page and the anchor of each public name, and what stands between
backticks in a text: `World.step`, `cm.Circle((0, 0), 1)`. Out: a page with an anchor, or None. A name that may mean
something else has no place: a word in lower case that is also the name of a field, unless it is called.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import NamedTuple

INDEX = "reference/index"  # which lists names and nothing else
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
    name, called = found[1], found[2]
    outright = text.startswith(("cm.", "carom.")) or page == INDEX
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


@functools.cache
def read(file: Path) -> Names:
    places, fields = json.loads(file.read_text(encoding="utf-8"))
    return Names(places, frozenset(fields))
