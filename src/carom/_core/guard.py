"""One object, several threads: one of them at a time may change it, any number may read it while none does.

In: the thread that enters a `with` block, to change or to read. Out: its turn, which a thread may have many times over;
or, while another has it, a wait or a RuntimeError that names the call. Kernels release Python's lock and write where
they are told, so two of them in the same tables would corrupt memory. A turn is a mark that is taken off a list, since
one call of a list's method is atomic and takes a third of the time of a lock.
"""

from __future__ import annotations

import sys
import time
from threading import get_ident
from types import FrameType, TracebackType
from typing import Any

LOOK_AGAIN = 0.0001  # seconds
LONGEST_WAIT = 60.0  # seconds; a signal handler that waits for the question it has interrupted would wait for ever
HANDOVER = 5.0  # seconds in which a thread that took the turn says so, if no interrupt kept it from that


class Guard:
    """A `with` block of it changes the object; a second thread waits, or gets a RuntimeError."""

    __slots__ = ("depth", "free", "owner", "paused", "readers", "waits", "what")

    def __init__(self, what: str, waits: bool = False) -> None:
        self.what = what
        self.waits = waits
        self.free: list[None] = [None]  # empty while some thread changes the object
        self.owner = 0  # which
        self.depth = 0  # how many times over, less one
        self.readers: list[int] = []  # threads that read it
        self.paused = 0  # the thread that is within a change and has paused, so that it alone may go on with it

    def __reduce__(self) -> tuple[Any, ...]:
        return Guard, (self.what, self.waits)

    def __enter__(self) -> None:
        try:
            self.free.pop()
        except IndexError:
            if self.owner == get_ident():
                self.depth += 1
                return
            self._wait()
        self.owner = get_ident()
        if self.readers or self.paused:
            self._make_sure()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.depth:
            self.depth -= 1
        else:
            self.owner = 0
            self.free.append(None)

    def _wait(self) -> None:
        """Take the turn when the thread that has it is done, or refuse."""
        began = time.monotonic()
        while True:
            try:
                self.free.pop()
                return
            except IndexError:
                passed = time.monotonic() - began
            if self.owner == 0 and passed > HANDOVER:
                return  # an interrupt came between taking the turn, or giving it back, and saying so
            if self.owner != 0 and not self.waits:
                self.refuse()
            if passed > LONGEST_WAIT:
                self.refuse()
            time.sleep(LOOK_AGAIN)

    def _make_sure(self) -> None:
        """Wait until other threads have read what they read; refuse where another has paused within a change."""
        own, began = get_ident(), time.monotonic()
        try:
            if self.paused not in (0, own):
                self.refuse()
            while any(reader != own for reader in tuple(self.readers)):
                if time.monotonic() - began > LONGEST_WAIT:
                    raise RuntimeError(f"{_caller()}: another thread has been reading this {self.what} for a minute")
                time.sleep(LOOK_AGAIN)
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def refuse(self) -> None:
        what = "steps or changes" if self.what == "World" else "changes"
        raise RuntimeError(f"{_caller()}: another thread {what} this {self.what}; it has one caller at a time")

    def check(self) -> None:
        """Refuse to read a single value while another thread changes the object; `if not free` is to be asked first."""
        own = get_ident()
        if self.owner not in (0, own) and own not in self.readers:
            self.refuse()


class Reading:
    """A `with` block of it reads the object of a guard: any number of threads at once, while none changes it."""

    __slots__ = ("guard",)

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def __reduce__(self) -> tuple[Any, ...]:
        return Reading, (self.guard,)

    def __enter__(self) -> None:
        guard, own = self.guard, get_ident()
        guard.readers.append(own)
        if not guard.free:
            try:
                self.wait(own)
            except BaseException:
                guard.readers.remove(own)
                raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.guard.readers.remove(get_ident())

    def wait(self, own: int) -> None:
        """Read when the change is over that another thread is making, or refuse; the mark of `own` is there already."""
        guard, began = self.guard, time.monotonic()
        # Of a thread that reads already, that mark keeps the change waiting.
        while not guard.free and guard.owner != own and guard.readers.count(own) == 1:
            passed = time.monotonic() - began
            if guard.owner == 0 and passed > HANDOVER:
                guard.free.append(None)  # see Guard._wait
                continue
            if (guard.owner != 0 and not guard.waits) or passed > LONGEST_WAIT:
                guard.refuse()
            guard.readers.remove(own)
            try:
                time.sleep(LOOK_AGAIN)
            finally:
                guard.readers.append(own)


def _caller() -> str:
    """Return the public call that has met another thread's."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        called = frame.f_code.co_qualname
        if frame.f_globals is not globals() and not called.rpartition(".")[2].startswith(("_", "<")):
            return called
        frame = frame.f_back
    return "Carom"
