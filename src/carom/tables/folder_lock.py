"""One run at a time in the folder of an answer.

In: the path of a file beside that folder. Out: the time in which this run alone holds it. The file is locked through
the system, which frees it when its process ends, however that ends: so a run that was killed keeps nobody out. The
process and the host of the owner stand in the file, for the error that everybody else gets. Where a file system knows
no locks, these two decide.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

UNKNOWN = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP)
"""Errors of a file system that has no locks."""
BEYOND = 2**30
"""The byte that is locked on Windows, where nobody else could read the bytes that are."""


@contextmanager
def held(where: str, out: Path, path: Path) -> Iterator[None]:
    """Hold the lock of a folder while the block runs; refuse if another run holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = _taken(where, out, path)
    try:
        yield
    finally:
        if sys.platform == "win32":  # where an open file cannot go
            file.close()
            with suppress(OSError):
                path.unlink()
        else:
            path.unlink(missing_ok=True)
            file.close()


def _taken(where: str, out: Path, path: Path) -> BinaryIO:
    """Return the open file, locked."""
    while True:
        file = path.open("a+b")
        try:
            if not _locked(file):
                owner = _owner_of(file)
                told = f" (process {owner['process']} on {owner['host']})" if owner else ""
                raise FileExistsError(
                    f"{where}: out = {str(out)!r} is being written by another run{told}; wait for its end, or name "
                    "another folder"
                )
            if _is_at(file, path):  # else the owner before took the file away meanwhile
                with suppress(OSError):  # a full disk: the lock holds without the name
                    file.truncate(0)
                    file.write(json.dumps({"process": os.getpid(), "host": socket.gethostname()}).encode())
                    file.flush()
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _locked(file: BinaryIO) -> bool:
    """Lock a file, if nobody has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in UNKNOWN:
            return not _lives(_owner_of(file))
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


def _owner_of(file: BinaryIO) -> dict[str, Any]:
    """Return the process and the host that a file names; empty if it names none."""
    try:
        file.seek(0)
        found = json.loads(file.read(2**12))
        return {"process": int(found["process"]), "host": str(found["host"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _lives(owner: dict[str, Any]) -> bool:
    """Tell whether an owner may still be at work; of another host that is not known."""
    if not owner or owner["host"] != socket.gethostname():
        return bool(owner)
    try:
        os.kill(owner["process"], 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
