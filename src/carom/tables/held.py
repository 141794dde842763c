"""Readings that stay in memory between the stages of a run, so that no row is read twice where there is room.

In: readings by name, of a run that its token tells. Out: the same again, in the process that the run began in; or None.
Another process, a worker of a cluster, reads anew, and keeps what all of its tasks need of the last run alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import NamedTuple
from uuid import uuid4

from carom.tables.reading import Reading

_held: dict[str, dict[str, Reading]] = {}
_lock = threading.RLock()


class Keeping(NamedTuple):
    """A run, and how many bytes its readings may take."""

    token: str
    most: int

    @classmethod
    def begun(cls, most: int) -> Keeping:
        """Return a new run of this process."""
        run = cls(f"{os.getpid()}-{uuid4().hex}", most)
        _held[run.token] = {}
        return run

    @property
    def is_here(self) -> bool:
        """Whether the run began in this process."""
        return self.token.startswith(f"{os.getpid()}-")

    def keep(self, name: str, reading: Reading) -> None:
        """Keep a reading, if there is room and this is the process."""
        with _lock:
            own = _held.get(self.token) if self.is_here else None
            # A task may end after the run that has failed.
            if own is not None and sum(one.size for one in own.values()) + reading.size <= self.most:
                own[name] = reading

    def kept(self, name: str) -> Reading | None:
        """Return a reading, if it was kept here."""
        return _held.get(self.token, {}).get(name)

    def shared(self, name: str, make: Callable[[], Reading]) -> Reading:
        """Return a reading that all tasks need: the first makes it."""
        with _lock:
            found = self.kept(name)
            if found is None:
                if not self.is_here and self.token not in _held:
                    _held.clear()
                    _held[self.token] = {}
                found = make()
                if self.token in _held:
                    _held[self.token][name] = found
            return found

    def forget(self) -> None:
        """Let all readings go."""
        _held.pop(self.token, None)
