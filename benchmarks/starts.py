"""How long a fresh process takes: to import, to its first answer, to the first picture of Breakout; cold and warm.

Cold means that nothing is compiled yet: the package is copied to an empty folder, with an empty folder for caches.
Warm is the same once more. Python's own bytecode is always there, as after an installation.
"""

from __future__ import annotations

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import carom
from benchmarks.harness import Table, duration

TRIES = 5
IMPORTS = ("pass", "import numpy", "import numba", "import carom", "import shapely", "import pymunk", "import pygame")
FIRST_ANSWERS = {
    "first carom.intersects": "import carom as c; c.intersects(c.Circle((0, 0), 1), c.Box((1, 0), (1, 1)))",
    "first carom.collide": "import carom as c; c.collide(c.Circle((0, 0), 1), c.Box((1, 0), (1, 1)))",
    "first carom.cast": "import carom as c; c.cast(c.Circle((0, 0), 1), c.Box((9, 0), (1, 1)), (10, 0))",
}
FIRST_PICTURE = "import carom.cli as c; c.main('breakout --shot first.png --seconds 0.1 --seed 1 --mute'.split())"


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("what a fresh process does", "cold", "warm")]
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        rows += [(f"`{line}`", "", duration(median_seconds([line] * TRIES, Path(folder)))) for line in IMPORTS]
    for name, statement in FIRST_ANSWERS.items():
        rows.append((name, *cold_and_warm(statement)))
    rows.append(("first picture of `carom breakout`, written to a file", *cold_and_warm(FIRST_PICTURE)))
    notes = "Wall time from starting Python to its end. Cold: compiling what it needs, once. Warm: median of five."
    return Table("Starting", notes, rows)


def install(root: Path) -> None:
    """Copy the package to an empty folder, with Python's bytecode and without compiled kernels."""
    source = Path(carom.__file__).parent
    shutil.copytree(source, root / "carom", ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(root / "carom", quiet=1)


def cold_and_warm(statement: str) -> tuple[str, str]:
    """Return the time of a statement with nothing compiled, and once more when it is."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        install(root)
        return duration(seconds(statement, root)), duration(median_seconds([statement] * TRIES, root))


def median_seconds(statements: list[str], root: Path) -> float:
    return statistics.median(seconds(statement, root) for statement in statements)


def seconds(statement: str, root: Path) -> float:
    """Return the wall time of a fresh Python that sees the package and the caches below `root` only."""
    cache = str(root / "cache")
    settings = {"PYTHONPATH": str(root), "XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": "", "SDL_VIDEODRIVER": "dummy"}
    started = time.perf_counter()
    command = [sys.executable, "-c", statement]
    subprocess.run(command, cwd=root, env=os.environ | settings, check=True, capture_output=True)
    return time.perf_counter() - started
