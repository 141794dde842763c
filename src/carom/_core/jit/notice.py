"""What stderr tells while a kernel compiles: beforehand how long it may take, then every few seconds how far it is.

In: a function that is about to be compiled, and each that is compiled into it. Out: lines. The time is estimated from
the bytecode of all functions that will be reached, less what this process has read before.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from .bare import ANSWER
from .numba_or_none import numba
from .subpackages import NAME

SECONDS_PER_BYTE = 1e-4
"""Of bytecode, on a processor of 2020."""
READING = 0.6
"""Share of the time that goes into reading functions; the rest optimises all of them together."""
TOLD_FROM = 2.0
"""Seconds; a compile that will take less is told only if it takes longer."""
EVERY = 5.0
"""Seconds between two lines; in a terminal a bar moves every second."""
WIDTH = 30

Code = Callable[..., Any]


class Notice:
    """The lines about the kernel that compiles at present."""

    def __init__(self) -> None:
        self.wanted = True
        self._hinted = False
        # Functions that were compiled in this process, to be taken in by others, and whether with bare tables.
        self._read: set[tuple[Code, bool]] = set()
        self._busy = False

    @contextlib.contextmanager
    def compiling(self, function: Code, once: bool) -> Iterator[None]:
        """Tell of a compile, for as long as it goes on; `once` where its result is kept for later processes."""
        if not self.wanted or self._busy or sys.stderr is None:
            yield
            return
        self._busy, done = True, threading.Event()
        teller = threading.Thread(target=self._tell, args=(function, once, self._seconds(function), done), daemon=True)
        teller.start()
        try:
            yield
        finally:
            done.set()
            teller.join()
            self._busy = False

    def note_read(self, function: Code, bare: bool) -> None:
        """Note that a function is read, and is there for later kernels; `bare` where it was given bare tables."""
        self._read.add((function, bare))

    def _seconds(self, function: Code) -> float:
        sizes = {one: len(one.__code__.co_code) for one in reached(function)}
        forms = (True, False) if reads_bare(function) else (False,)
        fresh = sum(size for one, size in sizes.items() if all((one, form) not in self._read for form in forms))
        return SECONDS_PER_BYTE * (READING * fresh + (1.0 - READING) * sum(sizes.values()))

    def _tell(self, function: Code, once: bool, seconds: float, done: threading.Event) -> None:
        begun, what = time.monotonic(), f"{NAME} compiles {function.__qualname__}"
        if seconds < TOLD_FROM and done.wait(EVERY):
            return
        hint = "" if self._hinted or not once else f"; `{NAME} compile` does all of it beforehand"
        self._hinted = self._hinted or once
        self._say(f"{what}: about {rounded(seconds)} s{', once' if once else ''}{hint}\n")
        moves = sys.stderr.isatty()
        while not done.wait(1.0 if moves else EVERY):
            past = time.monotonic() - begun
            full = min(int(WIDTH * past / seconds), WIDTH - 1)
            bar = f"\r  [{'#' * full}{'.' * (WIDTH - full)}]" if moves else what + ":"
            of = f" of about {rounded(seconds)} s" if past < seconds else ""
            self._say(f"{bar} {past:.0f} s{of}" + ("\033[K" if moves else "\n"))
        if moves:
            self._say("\r\033[K")

    @staticmethod
    def _say(text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # nobody listens any more
            sys.stderr.write(text)
            sys.stderr.flush()


def rounded(seconds: float) -> int:
    """Return seconds as one says them: 1 to 9, then 10, 15, 20 and so on."""
    return max(round(seconds), 1) if seconds < 9.5 else 5 * round(seconds / 5.0)


def reached(function: Code) -> set[Code]:
    """Return the functions that are compiled for a kernel: it, and what it calls, directly or through others."""
    found, fresh, bare = {function}, [function], reads_bare(function)
    while fresh:
        for one in called_by(fresh.pop()):
            if one not in found and not (bare and ANSWER in one.__dict__):
                found.add(one)
                fresh.append(one)
    return found


def reads_bare(function: Code) -> bool:
    """Tell whether a kernel is the bare form."""
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    return any(getattr(one, "bare", False) is True for one in named)


def called_by(function: Code) -> Iterator[Code]:
    """Yield the functions of ours that a function names."""
    for name in function.__code__.co_names:
        one = function.__globals__.get(name)
        if isinstance(one, numba.core.dispatcher.Dispatcher) and hasattr(one, "lent"):
            yield one.py_func


notice = Notice()
