"""Time contenders side by side and write the result down with the machine it came from.

In: statements with the names they use. Out: seconds per call, the median of several rounds. Every round times each
contender once, in turn, so that a slow minute of the machine hits all of them and the ratios stay fair.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import statistics
import subprocess
import time
import timeit
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("carom", "numpy", "numba", "shapely", "pymunk", "pyb2d3", "pygame-ce")


BUSY = 0.2
"""Cores that other processes may use while something is measured that is written down."""


class Others:
    """How many cores other processes, and other guests of a virtual machine, use from the making of this on."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._before = self._seconds()

    def cores(self) -> float:
        """Return the mean so far; of our own processes those that still run count as others."""
        return max(0.0, self._seconds() - self._before) / (time.perf_counter() - self._began)

    @staticmethod
    def _seconds() -> float:
        import psutil  # of the group `rivals`; the tests read the rest of this module without it

        machine = psutil.cpu_times()._asdict()
        idle = ("idle", "iowait", "guest", "guest_nice")  # the last two are part of `user` and `nice`
        own = os.times()
        busy = sum(seconds for kind, seconds in machine.items() if kind not in idle)
        return float(busy - own.user - own.system - own.children_user - own.children_system)


class Contender(NamedTuple):
    """One library's way to answer a question: a statement and the names it uses, made outside the clock."""

    library: str
    statement: str
    names: dict[str, Any]


class Table(NamedTuple):
    """A titled table of text; the first row holds the headings."""

    title: str
    notes: str
    rows: list[tuple[str, ...]]


def race(contenders: Sequence[Contender], rounds: int) -> list[float]:
    """Return the seconds per call of each contender, the loop of about 10 ns included."""
    timers = [timeit.Timer(c.statement, globals=c.names) for c in contenders]
    for timer in timers:
        timer.timeit(1)  # compiles or loads, once
    counts = [max(1, timer.autorange()[0] // 4) for timer in timers]  # about 0.05 s for each turn
    times: list[list[float]] = [[] for _ in timers]
    for _ in range(rounds):
        for timer, count, kept in zip(timers, counts, times, strict=True):
            kept.append(timer.timeit(count) / count)
    return [statistics.median(kept) for kept in times]


def race_rows(question: str, contenders: Sequence[Contender], rounds: int) -> list[tuple[str, ...]]:
    """Return a table row for each contender: question, library, statement, time, and the ratio to the first."""
    seconds = race(contenders, rounds)
    return [
        (question, c.library, f"`{c.statement}`", duration(s), f"{s / seconds[0]:.2f}")
        for c, s in zip(contenders, seconds, strict=True)
    ]


RACE_HEADINGS = ("question", "library", "statement", "a call", "times Carom's")


def duration(seconds: float) -> str:
    """Return seconds with three digits in the fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def processor() -> str:
    """Return the processor's name as the system gives it."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = re.findall(r"^model name\s*: (.*)$", described, re.MULTILINE)
    return names[0].strip() if names else platform.machine()


def machine() -> str:
    """Return what the figures depend on, in a line."""
    return f"{os.cpu_count()} x {processor()}, {platform.system()} {platform.machine()}"


def machine_folder() -> str:
    """Return a folder name for this machine: 2-x-amd-epyc-linux-x86-64."""
    return re.sub(r"[^a-z0-9]+", "-", machine().lower()).strip("-")


def versions(packages: Sequence[str] = PACKAGES) -> str:
    """Return the versions of Python and of those packages that are installed."""
    found = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def commit() -> str:
    """Return the commit that is measured, and whether files were changed since; "no commit" outside of a repository."""
    found = git("log", "-1", "--format=commit %h of %as")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!benchmarks/results")
    return f"{found}, with changes" if found and changed else found or "no commit"


def git(*words: str) -> str:
    """Return what git says about this repository; nothing if it is none."""
    if not shutil.which("git"):
        return ""
    return subprocess.run(
        ["git", *words], cwd=RESULTS.parents[1], capture_output=True, text=True, check=False
    ).stdout.strip()


def lines(table: Table) -> list[str]:
    """Return a table as lines of Markdown, its columns aligned."""
    widths = [max(len(row[column]) for row in table.rows) for column in range(len(table.rows[0]))]
    body = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in table.rows
    ]
    ruler = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [f"# {table.title}", "", table.notes, "", body[0], ruler, *body[1:]]


def write(name: str, table: Table, folder: str, busy: float = 0.0) -> Path:
    """Write a table to results/<machine>/<name>.md and return the file; it notes if others used over `BUSY` cores."""
    target = RESULTS / folder / f"{name}.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    note = [f"Measured while other processes used {busy:.1f} cores.", ""] if busy > BUSY else []
    origin = [f"{machine()}; {versions()}.", f"Measured at {commit()}.", f"Written by `make bench ARGS={name}`."]
    text = [*lines(table), "", *note, *origin, ""]
    target.write_text("\n".join(text), encoding="utf-8")
    return target
