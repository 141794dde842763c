"""How long a fresh process takes: to import, to its first answers, to the first picture of Breakout; three installs.

Numba with nothing compiled yet, Numba with all that it kept of an earlier process, and the wheel, if `make wheel` left
one in `dist`. Each is the package in a folder of its own, with an empty folder for caches. Python's own bytecode is
always there, as after an installation.
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
import zipfile
from collections.abc import Callable
from pathlib import Path

import carom
from benchmarks.harness import Table, duration

ROOT = Path(__file__).parents[1]
TRIES = 5
IMPORTS = ("pass", "import numpy", "import carom", "import numba", "import shapely", "import pymunk", "import pygame")
SCENE = """
import numpy as np, carom as cm
a, b = cm.Circle((0, 0), 1), cm.Box((1.5, 0.25), (2, 2), angle=0.5)
rng = np.random.default_rng(1)
boxes = cm.Shapes(list(cm.Shapes.boxes(rng.uniform(0, 50, (1000, 2)), rng.uniform(0.5, 1.0, (1000, 2)))))
def world():
    w = cm.World(gravity=(0, -10))
    w.add(cm.Box((0, -1), (50, 2)))
    for k in range(9):
        w.add(cm.Box((2 * k, 3), (1, 1)), kind="dynamic")
        w.add(cm.Polygon([(2 * k, 6), (2 * k + 1, 6), (2 * k, 7)]), kind="dynamic")
    w.step(1 / 60)
hero = cm.Character(cm.Capsule((20, 2), (20, 3), 0.5), up=(0, 1))
"""
FIRST_CALLS = (
    "cm.intersects(a, b)",
    "cm.collide(a, b)",
    "cm.separation(a, b)",
    "cm.cast(a, b, (9, 0))",
    "cm.cast(a, b, (9, 0), rotation=1)",
    "cm.raycast((-9, 0), (20, 0), b)",
    "cm.intersects(boxes, a)",
    "cm.pairs(boxes)",
    "cm.contacts(boxes)",
    "cm.Index(boxes)",
    "cm.Index(boxes).raycast((0, 0), (50, 50))",
    "cm.decompose([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)])",
    "cm.move(a, (30, 0), boxes)",
    "hero.move((1, -9), boxes)",
    "world()",
    "str(cm.explain(a, b))",
)
FIRST_STEP = """
import carom as cm
w = cm.World(gravity=(0, -10))
w.add(cm.Box((0, -1), (50, 2)))
w.add(cm.Box((0, 3), (1, 1)), kind="dynamic")
w.step(1 / 60)
"""
FIRST_PICTURE = "import carom.cli as c; c.main('breakout --shot first.png --seconds 0.1 --seed 1 --mute'.split())"


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [("what a fresh process does", "Numba, nothing compiled", "Numba, kept", "wheel")]
    wheels = sorted(ROOT.glob("dist/carom-*-abi3-*.whl"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        compiled, wheel = root / "compiled", root / "wheel"
        install(compiled)
        if wheels:
            zipfile.ZipFile(wheels[-1]).extractall(wheel)
            compileall.compile_dir(wheel / "carom", quiet=1)
        for line in IMPORTS:
            with_wheel = duration(median_of(wall, line, wheel, "prebuilt")) if wheels and "carom" in line else ""
            rows.append((f"`{line}`", "", duration(median_of(wall, line, compiled, "jit")), with_wheel))
        rows += [(f"first `{call}`", *three(inside, call, wheel if wheels else None)) for call in FIRST_CALLS]
        rows.append(("first step of a crate on a floor", *three(processor, FIRST_STEP, wheel if wheels else None)))
        rows.append(("first picture of `carom breakout`", *three(wall, FIRST_PICTURE, wheel if wheels else None)))
    notes = (
        "Imports and the picture: wall time from starting Python to its end. The step of a crate: processor time of "
        "all of it, the import included. Calls: time of the call alone, after the import. Nothing compiled: one "
        "try. The others: median of five processes."
    )
    return Table("Starting", notes, rows)


def install(root: Path) -> None:
    """Copy the packages to an empty folder, with Python's bytecode and without compiled kernels."""
    source = Path(carom.__file__).parent
    for package in (source, *sorted(source.parent.glob("carom_*"))):
        shutil.copytree(package, root / package.name, ignore=shutil.ignore_patterns("__pycache__", "_kernels*"))
        compileall.compile_dir(root / package.name, quiet=1)


def three(clock: Clock, statement: str, wheel: Path | None) -> tuple[str, str, str]:
    """Return the time of a statement with nothing compiled, once more when it is, and with a wheel."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        install(root)
        cold = duration(clock(statement, root, "jit"))
        kept = duration(median_of(clock, statement, root, "jit"))
    return cold, kept, duration(median_of(clock, statement, wheel, "prebuilt")) if wheel else ""


def median_of(clock: Clock, statement: str, root: Path, kernels: str) -> float:
    return statistics.median(clock(statement, root, kernels) for _ in range(TRIES))


def wall(statement: str, root: Path, kernels: str) -> float:
    """Return the wall time of a fresh Python."""
    started = time.perf_counter()
    fresh(statement, root, kernels)
    return time.perf_counter() - started


def processor(statement: str, root: Path, kernels: str) -> float:
    """Return the processor time of a fresh Python."""
    before = os.times()
    fresh(statement, root, kernels)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def inside(call: str, root: Path, kernels: str) -> float:
    """Return the time of a call in a fresh Python, after its scene is made."""
    clock = f"import time\nstarted = time.perf_counter()\n{call}\nprint(time.perf_counter() - started)"
    return float(fresh(SCENE + clock, root, kernels))


Clock = Callable[[str, Path, str], float]


def fresh(statement: str, root: Path, kernels: str) -> str:
    """Run a fresh Python that sees the package and the caches below `root` only; return what it prints."""
    settings = {"PYTHONPATH": str(root), "XDG_CACHE_HOME": str(root / "cache"), "NUMBA_CACHE_DIR": ""}
    settings |= {"SDL_VIDEODRIVER": "dummy", "CAROM_KERNELS": kernels}
    command = [sys.executable, "-c", statement]
    done = subprocess.run(command, cwd=root, env=os.environ | settings, check=True, capture_output=True, text=True)
    return done.stdout
