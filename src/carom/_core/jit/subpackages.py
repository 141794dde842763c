"""The source files of the package by subpackage, and a hash of all that the code of a subpackage can depend on.

In: the package's folder, as it is at the first question. Out: for each subpackage, a file or folder beside the
package's `__init__`, a key that changes when a source changes that it can import, directly or through others. The
programs, packages beside this one whose names begin with its own, such as `carom_gym`, count as one subpackage each.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import NamedTuple

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = str(__package__).partition(".")[0]


class _Subpackage(NamedTuple):
    """One file or folder beside the package's `__init__`, as it was at import."""

    hash: bytes  # of the names and contents of its source files
    needs: frozenset[str]  # other subpackages that its files name in imports
    stamp: list[tuple[str, int, int]]  # path, time and size of each file


def _source_files(place: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path)


def programs() -> list[str]:
    """Return the names of the packages beside this one that are built on it and come with it."""
    beside = os.path.dirname(PACKAGE)
    with os.scandir(beside) as entries:
        return sorted(
            entry.name
            for entry in entries
            if entry.name.startswith(f"{NAME}_") and os.path.exists(os.path.join(entry.path, "__init__.py"))
        )


def subpackage_of(module: str) -> str:
    """Return the subpackage of a module's full name: `narrow` of carom.narrow.walk, `carom_gym` of carom_gym.vector."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package == NAME else package


def _files_of(subpackage: str) -> list[os.DirEntry[str]]:
    above = os.path.dirname(PACKAGE) if subpackage.startswith(f"{NAME}_") else PACKAGE
    folder = os.path.join(above, subpackage)
    if os.path.isdir(folder):
        return list(_source_files(folder))
    with os.scandir(PACKAGE) as entries:
        return [entry for entry in entries if entry.name == f"{subpackage}.py"]


def _stamp(files: list[os.DirEntry[str]]) -> list[tuple[str, int, int]]:
    return [(entry.path, status.st_mtime_ns, status.st_size) for entry in files for status in [entry.stat()]]


@functools.cache
def _subpackages() -> dict[str, _Subpackage]:
    """Return the package's subpackages; none where a source cannot be read."""
    import hashlib  # with the next, a tenth of the import of an installed wheel, which does not come here
    import re

    own = NAME.encode()
    # `import carom`, `from carom.narrow import`, `from carom import` with its names, and all of these of a program.
    imports = re.compile(
        rb"^[ \t]*(?:(import[ \t]+%b)(?![.\w])|(?:from|import)[ \t]+%b\.(\w+)|(?:from|import)[ \t]+(%b_\w+)"
        rb"|from[ \t]+%b[ \t]+import[ \t]+(\([^)]*\)|[^\n]+))" % (own, own, own, own),
        re.MULTILINE,
    )
    try:
        subpackages = {}
        names = {name.removesuffix(".py") for name in os.listdir(PACKAGE)} - {"__pycache__"} | {*programs()}
        files = {name: found for name in sorted(names) if (found := _files_of(name))}
        with open(os.path.join(PACKAGE, "__init__.py"), "rb") as file:
            handed_on = {
                word: match[1].decode()
                for match in re.finditer(rb"^from %b\.(\w+)\S* import (.*)" % own, file.read(), re.MULTILINE)
                for word in re.findall(rb"\w+", match[2])
            }
        for name, entries in files.items():
            digest, needs = hashlib.sha256(), set()
            for entry in entries:
                with open(entry.path, "rb") as file:
                    content = file.read()
                digest.update(f"{os.path.relpath(entry.path, PACKAGE)} {len(content)}\n".encode() + content)
                for match in imports.finditer(content):
                    words = re.findall(rb"\w+", match[4] or match[2] or match[3] or b"__init__")
                    for word in set(words) - {b"as"}:
                        needed = word.decode()
                        needs.add(needed if needed in files else handed_on.get(word, "__init__"))
            subpackages[name] = _Subpackage(digest.digest(), frozenset(needs - {name}), _stamp(entries))
        return subpackages
    except OSError:
        return {}


@functools.cache
def _seen_from(subpackage: str) -> tuple[str, ...]:
    """Return a subpackage and all that it can import, directly or through others: its kernels may hold their code."""
    seen, fresh = {subpackage}, [subpackage]
    while fresh:
        found = _subpackages()[fresh.pop()].needs & _subpackages().keys() - seen
        seen |= found
        fresh += found
    return tuple(sorted(seen))


@functools.cache
def key(subpackage: str) -> str:
    """Return the hash of the sources that the code of a subpackage can depend on."""
    import hashlib

    digest = hashlib.sha256()
    for name in _seen_from(subpackage):
        digest.update(_subpackages()[name].hash)
    return digest.hexdigest()[:16]


def is_known(subpackage: str) -> bool:
    """Tell whether a subpackage is there and all sources could be read."""
    return subpackage in _subpackages()


def unchanged(subpackage: str) -> bool:
    """Tell whether the files are still those that were hashed: a later import may bring in code edited since."""
    try:
        return all(_stamp(_files_of(name)) == _subpackages()[name].stamp for name in _seen_from(subpackage))
    except OSError:
        return False
