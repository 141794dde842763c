"""Compiled kernels on disk, from one process to the next, and never for sources other than those that run.

In: a function, and what Numba made of it. Out: files in a folder named after a hash of every source file of the
package: a kernel contains code of other files, and Numba's own cache looks only at the file where the kernel stands.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
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
"""Folders of compiled kernels kept side by side (sources x Python x NumPy x Numba); the least lately used go."""


class KernelCache:
    """The compiled forms of one kernel on disk, one file for each signature and processor; Numba's cache interface.

    Each file is written aside and renamed into place, so that processes may read and write at once, and holds all it
    needs, so that none can mix up another's. A file that cannot be read counts as absent: a cache may cost time, never
    an answer.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(_folders()[0])

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        if not _sources_unchanged():
            return None
        for folder in _folders():
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
        if compiled.lifted or compiled.library.has_dynamic_globals or not _sources_unchanged():
            return
        folder = _folder_to_write()
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
        return _sources_unchanged() and any(any(folder.glob(f"{self._name}-*")) for folder in _folders())

    def flush(self) -> None:
        for folder in _folders():
            for file in folder.glob(f"{self._name}-*"):
                file.unlink(missing_ok=True)

    def _file(self, folder: Path, signature: Any, codegen: Any) -> Path:
        parts = repr((signature, codegen.magic_tuple()))
        return folder / f"{self._name}-{hashlib.sha256(parts.encode()).hexdigest()[:16]}"


class _Sources(NamedTuple):
    """The package's source files as they were at import: their joint hash, and (path, time, size) of each."""

    hash: str
    stamp: list[tuple[str, int, int]]


def _source_files(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path)


def _stamp() -> list[tuple[str, int, int]]:
    files = [(entry.path, entry.stat()) for entry in _source_files(str(PACKAGE))]
    return [(path, status.st_mtime_ns, status.st_size) for path, status in files]


def _read_sources() -> _Sources | None:
    """Return the hash of all that compiled code depends on; None where nothing compiles or no source can be read."""
    if numba is None or numba.config.DISABLE_JIT:
        return None
    digest = hashlib.sha256()
    try:
        stamp = _stamp()
        for path, _, size in stamp:
            digest.update(f"{os.path.relpath(path, PACKAGE)} {size}\n".encode())
            digest.update(Path(path).read_bytes())
    except OSError:
        return None
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    digest.update("\n".join([sys.version, np.__version__, numba.__version__, *settings]).encode())
    return _Sources(digest.hexdigest()[:16], stamp) if stamp else None


_SOURCES = _read_sources()


def keeps(function: Callable[..., Any]) -> bool:
    """Tell whether compiled forms of a function are kept: it is the package's, and its sources could be read."""
    return _SOURCES is not None and function.__module__.startswith(f"{NAME}.")


def _sources_unchanged() -> bool:
    """Tell whether the files are still those that were hashed: a later import may bring in code edited since."""
    try:
        return _SOURCES is not None and _stamp() == _SOURCES.stamp
    except OSError:
        return False


@functools.cache
def _folders() -> list[Path]:
    """Return the folders to look in, best first: the user's choice, beside the source, the user's cache folder."""
    if _SOURCES is None:
        return []
    places = [PACKAGE / "__pycache__", Path(numba.misc.appdirs.user_cache_dir(NAME, appauthor=False))]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR, NAME))
    return [place / "kernels" / _SOURCES.hash for place in places]


@functools.cache
def _mark_used(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _folder_to_write() -> Path | None:
    """Return the first folder that can be written to, made if need be; None, with one warning, if there is none."""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _mark_used(folder)
        _clear_old(folder)
        return folder
    tried = ", ".join(str(folder) for folder in _folders())
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
