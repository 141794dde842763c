"""Steps that are run two at a time, each a list of commands, with what came of each.

In: the name of a step, and its work. Out: a line when it ends, with its seconds; what a command said, where it fails.
A step may wait for others; if one of these failed, it is not begun and counts as failed.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

SHOWN = 60  # lines of a command that failed


class Failed(Exception):
    """A command of a step failed, or what it said was not right."""


class Steps:
    """The steps of one run: `add` begins one as soon as a core is free, `outcome` waits for all."""

    def __init__(self, at_once: int) -> None:
        self._pool = ThreadPoolExecutor(at_once)
        self._begun: list[tuple[str, Future[None]]] = []
        self._said = threading.Lock()
        self._start = time.monotonic()

    def add(self, name: str, work: Callable[[], str | None], *after: Future[None]) -> Future[None]:
        """Begin a step, once those before it are done; what `work` returns stands behind its name.

        A step is added after those that it waits for, so the pool cannot fill up with steps that wait.
        """
        step = self._pool.submit(self._run, name, work, after)
        self._begun.append((name, step))
        return step

    def _run(self, name: str, work: Callable[[], str | None], after: tuple[Future[None], ...]) -> None:
        if any(step.exception() for step in after):
            self._say(f"-     not begun  {name}")
            raise Failed("a step before it failed")
        begun = time.monotonic()
        try:
            told = work()
        except Exception as error:
            self._say(f"FAIL  {time.monotonic() - begun:5.0f} s  {name}\n{error}")
            raise
        self._say(f"ok    {time.monotonic() - begun:5.0f} s  {name}{': ' * bool(told)}{told or ''}")

    def _say(self, line: str) -> None:
        with self._said:
            print(line, flush=True)

    def outcome(self) -> list[str]:
        """Wait for all steps; return the names of those that failed."""
        failed = [name for name, step in self._begun if step.exception()]
        self._say(
            f"{len(self._begun) - len(failed)} steps passed, {len(failed)} failed, in {self.minutes():.1f} minutes"
        )
        return failed

    def minutes(self) -> float:
        """Return for how long the steps have run."""
        return (time.monotonic() - self._start) / 60


def run(*command: str | Path, where: Path | None = None, most: float = 900.0, **settings: str) -> str:
    """Run a command without the settings of this process's Python; return what it said, or raise `Failed`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA_", "CAROM_"))}
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=where,
            env=kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=most,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
        raise Failed(f"      {' '.join(words)}\n{indented(said)}\n      no end after {most:.0f} s") from None
    if done.returncode != 0:
        raise Failed(f"      {' '.join(words)}\n{indented(done.stdout)}\n      exit status {done.returncode}")
    return done.stdout


def indented(text: str) -> str:
    """Return the last lines of a text, set in."""
    return "\n".join(f"      | {line}" for line in text.strip().splitlines()[-SHOWN:])
