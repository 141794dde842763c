"""What the page's own scripts offer to the script that is translated from Python, read from their text.

In: scripts, as Biome lays them out. Out: each exported function with its parameters, each class with its members, and
the entries of exported tables. So there is one list of what the page has: the code that does it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

ANY = "changes"
"""The name of a last parameter that takes arguments by any keyword, as one object."""

CLASS = re.compile(r"^export class (\w+)(?: extends (\w+))? \{(?:\}|\n(.*?)^\})", re.MULTILINE | re.DOTALL)


class Signature(NamedTuple):
    """The parameters of a function."""

    names: tuple[str, ...] = ()
    """Those by place; of one that is taken apart an empty name."""
    least: int = 0
    """How many of these must be given."""
    rest: bool = False
    """Whether any number more may follow."""
    keywords: frozenset[str] = frozenset()
    """Those by keyword only, which are handed over as one object."""
    first: bool = False
    """Whether that object stands before all others, not behind."""

    def call(self, given: list[str], keywords: dict[str, str]) -> list[str]:
        """Return the arguments as the function takes them; raise ValueError where it does not."""
        given, keywords = list(given), dict(keywords)
        if self.names[-1:] == (ANY,) and keywords:
            inside = ", ".join(f"{name}: {value}" for name, value in keywords.items())
            return [*given, f"{{ {inside} }}"]
        options = {name: keywords.pop(name) for name in list(keywords) if name in self.keywords}
        places = {name: self.names.index(name) for name in keywords if name in self.names}
        spread = any(one.startswith("...") for one in given)
        if unknown := keywords.keys() - places.keys() or {n for n, k in places.items() if k < len(given) or spread}:
            raise ValueError(f"the page takes no {', '.join(sorted(unknown))}")
        if places:
            given += ["undefined"] * (max(places.values()) + 1 - len(given))
            for name, place in places.items():
                given[place] = keywords[name]
        if not spread and not self.rest and len(given) > len(self.names):
            raise ValueError("the page takes fewer arguments")
        if not spread and (len(given) < self.least or "undefined" in given[: self.least]):
            raise ValueError("the page takes more arguments")
        if not self.keywords or not (options or self.first):
            return given
        told = f"{{ {', '.join(f'{name}: {value}' for name, value in options.items())} }}" if options else "{}"
        if self.first:
            return [told, *given]
        return [*given, *["undefined"] * (len(self.names) - len(given)), told]


@dataclass
class Members:
    """The members of a class: methods, static ones, too, and names that are read."""

    parent: str = ""
    methods: dict[str, Signature] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)


class Offer(NamedTuple):
    """What a script offers."""

    functions: dict[str, Signature]
    classes: dict[str, Members]
    tables: dict[str, dict[str, Signature | None]]
    """Exported objects; an entry that is no function is None."""
    names: tuple[str, ...]
    """All exports."""


def read(script: str) -> Offer:
    """Return what a script offers."""
    functions, classes, tables = {}, {}, {}
    names = re.findall(r"^export (?:async )?(?:function|const|class) (\w+)", script, re.MULTILINE)
    for match in re.finditer(r"^export (?:function (\w+)|const (\w+) = (?:kept\()?)(?=\()", script, re.MULTILINE):
        functions[match[1] or match[2]] = signature(script[match.end() :])
    for match in re.finditer(CLASS, script):
        classes[match[1]] = members(match[3] or "", match[2] or "")
    for match in re.finditer(r"^export const (\w+) = \{\n(.*?)^\};", script, re.MULTILINE | re.DOTALL):
        tables[match[1]] = entries(match[2], "  ")
    return Offer(functions, classes, tables, tuple(names))


def entries(text: str, indent: str) -> dict[str, Signature | None]:
    """Return the entries of an object whose lines are indented so far."""
    found: dict[str, Signature | None] = {}
    for match in re.finditer(rf"^{indent}(\w+)(?:: (?=\()|(?=\()|:)", text, re.MULTILINE):
        behind = text[match.end() :]
        found[match[1]] = signature(behind) if behind.startswith("(") else None
    return found


def methods_by_type(script: str) -> dict[str, dict[str, Signature]]:
    """Return the tables within the table of methods, one for each of Python's types."""
    (inside,) = re.findall(r"^export const METHODS = \{\n(.*?)^\};", script, re.MULTILINE | re.DOTALL)
    found = {}
    for match in re.finditer(r"^  (\w+): \{\n(.*?)^  \},", inside, re.MULTILINE | re.DOTALL):
        found[match[1]] = {name: told for name, told in entries(match[2], "    ").items() if told is not None}
    return found


def members(body: str, parent: str) -> Members:
    """Return the members of a class by its body."""
    found = Members(parent)
    for kind, name in re.findall(r"^  (static |get |set )?(\w+)\(", body, re.MULTILINE):
        if kind.strip() in ("get", "set"):
            found.values.add(name)
            continue
        behind = re.search(rf"^  {kind}{name}(?=\()", body, re.MULTILINE)
        assert behind is not None
        found.methods[name] = signature(body[behind.end() :])
    together = " ".join(re.findall(r"\[(this\.\w+(?:, this\.\w+)*)\] = ", body))
    found.values |= set(re.findall(r"this\.(\w+)", together)) | set(re.findall(r"this\.(\w+) (?:\?\?)?= ", body))
    return found


def signature(text: str) -> Signature:
    """Return the parameters in the parentheses that a text begins with."""
    names: list[str] = []
    least, rest, keywords, first = 0, False, frozenset[str](), False
    for part in parts(text):
        name = part.partition(" = ")[0].strip()
        if part.startswith("..."):
            rest = True
        elif part.startswith("{"):
            keywords = frozenset(one.partition(" = ")[0].partition(":")[0].strip() for one in parts(part))
            first = not names
        else:
            names.append(name if name.isidentifier() else "")
            least += " = " not in part
    return Signature(tuple(names), least, rest, keywords, first)


def parts(text: str) -> Iterator[str]:
    """Yield what stands between the brackets that a text begins with, divided at the commas outside of others."""
    depth, start = 0, 1
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 or (depth == 1 and letter == ","):
            if part := text[start:place].strip():
                yield part
            start = place + 1
        if depth == 0:
            return
