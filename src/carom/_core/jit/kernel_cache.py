"""Compiled kernels on disk, from one process to the next, and never for sources other than those that run.

In: a function, and what Numba made of it. Out: files in a folder for each subpackage, named after a hash of the source
files of that subpackage and of all that it can import: a kernel contains code of other files, and Numba's own cache
looks only at the file where the kernel stands.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import subpackages
from .numba_or_none import numba
from .subpackages import NAME, PACKAGE

KEPT = 8
"""Folders of kernels of one subpackage kept at once (sources x Python x NumPy x Numba); the least lately used go."""


class KernelCache:
    """The compiled forms of one kernel on disk, one file for each signature and processor; Numba's cache interface.

    Each file is written aside and renamed into place, so that processes may read and write at once, and holds all it
    needs, so that none can mix up another's. A file that cannot be read counts as absent: a cache may cost time, never
    an answer.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._subpackage = subpackages.subpackage_of(function.__module__)

    @property
    def cache_path(self) -> str:
        return str(_folders(self._subpackage)[0])

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        if not subpackages.unchanged(self._subpackage):
            return None
        for folder in _folders(self._subpackage):
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
        if compiled.lifted or compiled.library.has_dynamic_globals or not subpackages.unchanged(self._subpackage):
            return
        folder = _folder_to_write(self._subpackage)
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
        return subpackages.unchanged(self._subpackage) and any(
            any(folder.glob(f"{self._name}-*")) for folder in _folders(self._subpackage)
        )

    def flush(self) -> None:
        for folder in _folders(self._subpackage):
            for file in folder.glob(f"{self._name}-*"):
                file.unlink(missing_ok=True)

    def _file(self, folder: Path, signature: Any, codegen: Any) -> Path:
        parts = repr((signature, codegen.magic_tuple()))
        return folder / f"{self._name}-{hashlib.sha256(parts.encode()).hexdigest()[:16]}"


@functools.cache
def _key(subpackage: str) -> str:
    """Return the hash of all that the code compiled in a subpackage depends on."""
    digest = hashlib.sha256(subpackages.key(subpackage).encode())
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    digest.update("\n".join([sys.version, np.__version__, numba.__version__, *settings]).encode())
    return digest.hexdigest()[:16]


def keeps(function: Callable[..., Any]) -> bool:
    """Tell whether compiled forms of a function are kept: it comes with the package, and its sources could be read."""
    package = function.__module__.partition(".")[0]
    ours = package == NAME or package.startswith(f"{NAME}_")
    return ours and subpackages.is_known(subpackages.subpackage_of(function.__module__))


@functools.cache
def _folders(subpackage: str) -> list[Path]:
    """Return the folders to look in, best first: the user's choice, the user's cache folder, beside the sources.

    Beside the sources comes last, because files there outlive an uninstall and leave a folder that can be imported.
    """
    places = [Path(numba.misc.appdirs.user_cache_dir(NAME, appauthor=False)), Path(PACKAGE, "__pycache__")]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR, NAME))
    return [place / "kernels" / subpackage / _key(subpackage) for place in places]


def folder() -> Path:
    """Return the folder where kernels are kept, one folder below it for each subpackage."""
    return _folders("shapes")[0].parents[1]


@functools.cache
def _mark_used(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _folder_to_write(subpackage: str) -> Path | None:
    """Return the first folder that can be written to, made if need be; None, with one warning, if there is none."""
    for folder in _folders(subpackage):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _mark_used(folder)
        _clear_old(folder)
        return folder
    tried = ", ".join(str(folder) for folder in _folders(subpackage))
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
