"""Compiled kernels on disk, from one process to the next, and never for sources other than those that run.

In: a function, and what Numba made of it. Out: files in a folder for each room of the package, named after a hash of
the source files of that room and of all rooms that it can import: a kernel contains code of other files, and Numba's
own cache looks only at the file where the kernel stands.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .numba_or_none import NAME, PACKAGE, numba

KEPT = 8
"""Folders of kernels of one room kept side by side (sources x Python x NumPy x Numba); the least lately used go."""


class KernelCache:
    """The compiled forms of one kernel on disk, one file for each signature and processor; Numba's cache interface.

    Each file is written aside and renamed into place, so that processes may read and write at once, and holds all it
    needs, so that none can mix up another's. A file that cannot be read counts as absent: a cache may cost time, never
    an answer.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._room = function.__module__.split(".")[1]

    @property
    def cache_path(self) -> str:
        return str(_folders(self._room)[0])

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        if not _sources_unchanged(self._room):
            return None
        for folder in _folders(self._room):
            try:
                content = self._file(folder, signature, target.codegen()).read_bytes()
                kept_signature, compiled = pickle.loads(content)
                if kept_signature == signature:
                    _mark_used(folder)
                    return numba.core.compiler.CompileResult._rebuild(target, *compiled)
            except Exception:  # absent, torn, or of another make: compile again
                continue
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if compiled.lifted or compiled.library.has_dynamic_globals or not _sources_unchanged(self._room):
            return
        folder = _folder_to_write(self._room)
        if folder is None:
            return
        content = numba.core.serialize.dumps((signature, compiled._reduce()))
        aside = folder / f".{uuid.uuid4().hex}"
        try:
            aside.write_bytes(content)
            aside.replace(self._file(folder, signature, compiled.library.codegen))
        except OSError:  # the disk is full, or the folder was cleared away: the next process compiles again
            with contextlib.suppress(OSError):
                aside.unlink()

    def is_kept(self) -> bool:
        return _sources_unchanged(self._room) and any(
            any(folder.glob(f"{self._name}-*")) for folder in _folders(self._room)
        )

    def flush(self) -> None:
        for folder in _folders(self._room):
            for file in folder.glob(f"{self._name}-*"):
                file.unlink(missing_ok=True)

    def _file(self, folder: Path, signature: Any, codegen: Any) -> Path:
        parts = repr((signature, codegen.magic_tuple()))
        return folder / f"{self._name}-{hashlib.sha256(parts.encode()).hexdigest()[:16]}"


class _Room(NamedTuple):
    """One file or folder beside the package's `__init__`, as it was at import."""

    hash: bytes  # of the names and contents of its source files
    needs: frozenset[str]  # other rooms that its files name in imports
    stamp: list[tuple[str, int, int]]  # path, time and size of each file


def _source_files(place: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path)


def _files_of(room: str) -> list[os.DirEntry[str]]:
    folder = PACKAGE / room
    if folder.is_dir():
        return list(_source_files(str(folder)))
    with os.scandir(PACKAGE) as entries:
        return [entry for entry in entries if entry.name == f"{room}.py"]


def _stamp(files: list[os.DirEntry[str]]) -> list[tuple[str, int, int]]:
    return [(entry.path, status.st_mtime_ns, status.st_size) for entry in files for status in [entry.stat()]]


def _read_rooms() -> dict[str, _Room]:
    """Return the package's rooms; none where nothing compiles or a source cannot be read."""
    if numba is None or numba.config.DISABLE_JIT:
        return {}
    own = NAME.encode()
    imports = re.compile(rb"^[ \t]*(?:from|import)[ \t]+%b(?:\.(\w+)|[ \t]+import[ \t]+(\w+))" % own, re.MULTILINE)
    try:
        rooms = {}
        names = {place.name.removesuffix(".py") for place in PACKAGE.iterdir()} - {"__pycache__"}
        files = {name: found for name in sorted(names) if (found := _files_of(name))}
        for name, entries in files.items():
            digest, needs = hashlib.sha256(), set()
            for entry in entries:
                content = Path(entry.path).read_bytes()
                digest.update(f"{os.path.relpath(entry.path, PACKAGE)} {len(content)}\n".encode() + content)
                for match in imports.finditer(content):
                    needed = (match[1] or match[2]).decode()
                    needs.add(needed if needed in files else "__init__")
            rooms[name] = _Room(digest.digest(), frozenset(needs - {name}), _stamp(entries))
        return rooms
    except OSError:
        return {}


_ROOMS = _read_rooms()


@functools.cache
def _rooms_seen_from(room: str) -> tuple[str, ...]:
    """Return a room and all that it can import, directly or through others: code of these may stand in its kernels."""
    seen, fresh = {room}, [room]
    while fresh:
        found = _ROOMS[fresh.pop()].needs & _ROOMS.keys() - seen
        seen |= found
        fresh += found
    return tuple(sorted(seen))


@functools.cache
def _key(room: str) -> str:
    """Return the hash of all that the code compiled in a room depends on."""
    digest = hashlib.sha256()
    for name in _rooms_seen_from(room):
        digest.update(_ROOMS[name].hash)
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    digest.update("\n".join([sys.version, np.__version__, numba.__version__, *settings]).encode())
    return digest.hexdigest()[:16]


def keeps(function: Callable[..., Any]) -> bool:
    """Tell whether compiled forms of a function are kept: it is the package's, and its sources could be read."""
    package, _, rest = function.__module__.partition(".")
    return package == NAME and rest.partition(".")[0] in _ROOMS


def _sources_unchanged(room: str) -> bool:
    """Tell whether the files are still those that were hashed: a later import may bring in code edited since."""
    try:
        return all(_stamp(_files_of(name)) == _ROOMS[name].stamp for name in _rooms_seen_from(room))
    except OSError:
        return False


@functools.cache
def _folders(room: str) -> list[Path]:
    """Return the folders to look in, best first: the user's choice, the user's cache folder, beside the sources.

    Beside the sources comes last, because files there outlive an uninstall and leave a folder that can be imported.
    """
    places = [Path(numba.misc.appdirs.user_cache_dir(NAME, appauthor=False)), PACKAGE / "__pycache__"]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR, NAME))
    return [place / "kernels" / room / _key(room) for place in places]


@functools.cache
def _mark_used(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _folder_to_write(room: str) -> Path | None:
    """Return the first folder that can be written to, made if need be; None, with one warning, if there is none."""
    for folder in _folders(room):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _mark_used(folder)
        _clear_old(folder)
        return folder
    tried = ", ".join(str(folder) for folder in _folders(room))
    warnings.warn(
        f"{NAME} has to compile again at each start: it can write to none of {tried}. "
        "Set NUMBA_CACHE_DIR to a folder that can be written to.",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def _clear_old(current: Path) -> None:
    """Remove the folders used least lately; a process that still runs on one of them merely compiles again."""
    with contextlib.suppress(OSError):
        others = [folder for folder in current.parent.iterdir() if folder != current]
        for folder in sorted(others, key=lambda folder: folder.stat().st_mtime, reverse=True)[KEPT - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)
