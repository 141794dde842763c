"""Imports point one way, heavy packages stay where they are needed, and `import carom` brings none of them in."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "carom"

# From the ground up: a file or folder of the package may import from those on the lines above its own, and a folder
# from itself. The public names in __init__ and the command line see everything.
LAYERS = [
    "tolerances vector",
    "_core",
    "shapes",
    "convert draw narrow",
    "breakout broad explain world",
    "character maps playground_app",
    "__init__ cli",
    "__main__",
]
RANKS = {name: rank for rank, line in enumerate(LAYERS) for name in line.split()}

# Packages beyond the base dependencies, and the only places that may import them.
CONFINED = {
    "numba": {"_core"},
    "pygame": {"breakout", "cli", "convert", "draw", "playground_app"},
    "pymunk": {"convert"},
    "PIL": {"breakout"},
    "imageio": {"breakout"},
    "imageio_ffmpeg": {"breakout"},
    "tqdm": {"breakout"},
    "matplotlib": {"draw"},
    "gymnasium": set(),
    "shapely": {"convert", "shapes"},
}

FILES = sorted(PACKAGE.rglob("*.py"))


def module(file: Path) -> str:
    """Return the full name of the module that a file is: carom.narrow.walk, and carom.narrow for its __init__."""
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(file) for file in FILES}


def imported(file: Path) -> Iterator[str]:
    """Yield the full names of all that a file imports, anywhere in it, imports for type checkers included."""
    package = module(file).split(".") if file.name == "__init__.py" else module(file).split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "__import__"):
            yield ast.literal_eval(node.args[0])


def place(name: str) -> str:
    """Return the layer that a full name of the package stands in; a name taken from `carom` itself is __init__'s."""
    part = name.split(".")[1] if "." in name else "__init__"
    return part if part in RANKS else "__init__"


@pytest.mark.parametrize("file", FILES, ids=module)
def test_imports_point_one_way(file: Path) -> None:
    here = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert here in RANKS, f"{file.name} is new: give {here} its line in LAYERS"
    for name in imported(file):
        package = name.partition(".")[0]
        if package == "carom":
            assert RANKS[place(name)] < RANKS[here] or place(name) == here, f"{here} may not import {name}"
        else:
            assert here in CONFINED.get(package, {here}), f"only {CONFINED[package]} may import {package}"


def test_no_two_files_need_each_other() -> None:
    needs = {}
    for file in FILES:
        names = {name if name in MODULES else name.rpartition(".")[0] for name in imported(file)}
        needs[module(file)] = names & MODULES - {module(file)}
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)


def test_every_layer_exists() -> None:
    assert {file.relative_to(PACKAGE).parts[0].removesuffix(".py") for file in FILES} == set(RANKS)


@pytest.mark.parametrize("name", ["carom", "carom.breakout.rules"])
def test_importing_carom_loads_no_heavy_package(name: str) -> None:
    heavy = sorted(set(CONFINED) - {"numba"})
    question = f"import {name}, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
