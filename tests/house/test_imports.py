"""Imports point one way, among subpackages as CONTRIBUTING lists them; `import carom` loads no heavy package."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "carom"

# From the ground up: a subpackage (file or folder of the package) may import from those on the lines above its own, and
# a folder from itself. The public names in __init__ and the command line see all. CONTRIBUTING has the same list.
LAYERS = [
    "tolerances vector",
    "_core",
    "shapes",
    "narrow canvas convert",
    "broad kernels explain breakout",
    "world",
    "character maps tables playground_app",
    "draw",
    "cli __init__",
    "__main__",
]
MOST_ENTRIES = 18
RANKS = {name: rank for rank, line in enumerate(LAYERS) for name in line.split()}

# Packages beyond the base dependencies, and the only places that may import them.
CONFINED = {
    "numba": {"_core"},
    "pygame": {"breakout", "canvas", "cli", "convert", "draw", "playground_app"},
    "pymunk": {"convert"},
    "PIL": {"breakout", "maps"},
    "imageio": {"breakout"},
    "imageio_ffmpeg": {"breakout"},
    "llvmlite": {"_core"},
    "tqdm": {"breakout", "cli"},
    "dask": {"tables"},
    "distributed": {"cli", "tables"},
    "pandas": {"tables"},
    "pyarrow": {"tables"},
    "matplotlib": {"canvas"},
    "gymnasium": {"breakout"},
    "shapely": {"convert", "shapes", "tables"},
    "stable_baselines3": {"breakout"},
    "zstandard": {"maps"},
}

FILES = sorted(PACKAGE.rglob("*.py"))


def module(file: Path) -> str:
    """Return the full name of the module that a file is: carom.narrow.walk, and carom.narrow for its __init__."""
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(file) for file in FILES}


@functools.cache
def imported(file: Path) -> tuple[str, ...]:
    """Return the full names of all that a file imports, anywhere in it, imports for type checkers included."""
    return tuple(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    package = module(file).split(".") if file.name == "__init__.py" else module(file).split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "__import__"):
            if isinstance(node.args[0], ast.Constant):
                yield node.args[0].value
            else:  # the extension of the package, and all of its modules one by one
                assert file.parent.name == "jit", f"{file.name} imports a name that is not written out"


def room_of(name: str) -> str:
    """Return the subpackage of a full name of the package; a name taken from `carom` itself is __init__'s."""
    part = name.split(".")[1] if "." in name else "__init__"
    return part if part in RANKS else "__init__"


@pytest.mark.parametrize("file", FILES, ids=module)
def test_imports_point_one_way(file: Path) -> None:
    here = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert here in RANKS, f"{file.name} is new: give {here} its line in LAYERS"
    for name in imported(file):
        package = name.partition(".")[0]
        if package == "carom":
            assert RANKS[room_of(name)] < RANKS[here] or room_of(name) == here, f"{here} may not import {name}"
        else:
            assert here in CONFINED.get(package, {here}), f"only {CONFINED[package]} may import {package}"


def test_no_two_files_need_each_other() -> None:
    needs = {}
    for file in FILES:
        names = {name if name in MODULES else name.rpartition(".")[0] for name in imported(file)}
        needs[module(file)] = names & MODULES - {module(file)}
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)


def test_the_package_has_exactly_the_rooms_of_the_layers() -> None:
    subpackages = {file.relative_to(PACKAGE).parts[0].removesuffix(".py") for file in FILES}
    assert subpackages == set(RANKS)
    assert len(subpackages - {"__init__", "__main__"}) <= MOST_ENTRIES


def test_contributing_lists_the_rooms_layer_by_layer() -> None:
    page = (PACKAGE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"^## The subpackages\n.*?^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    layers = [[line.split(maxsplit=1) for line in layer.splitlines()] for layer in found[1].split("\n\n")]
    assert [" ".join(name.removesuffix(".py").rstrip("/") for name, _ in layer) for layer in layers] == LAYERS
    for name, _ in (line for layer in layers for line in layer):
        assert (PACKAGE / name).exists() and (PACKAGE / name).is_dir() == name.endswith("/"), name


@pytest.mark.parametrize("name", ["carom", "carom.breakout.rules"])
def test_importing_carom_loads_no_heavy_package(name: str) -> None:
    heavy = sorted(set(CONFINED) - {"numba", "llvmlite"})
    question = f"import {name}, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_kernels_are_listed_without_the_packages_that_few_have() -> None:
    """A wheel is built, and `carom compile` runs, where only Numba is installed."""
    pytest.importorskip("numba")
    code = (
        "import sys\n"
        f"for name in {sorted(set(CONFINED) - {'numba', 'llvmlite'})}:\n"
        "    sys.modules[name] = None\n"
        "from carom._core.jit import signatures\n"
        "print(len(signatures.read(signatures.listed())))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 100


def test_no_submodule_takes_the_place_of_a_public_name() -> None:
    """Importing carom.explain.levels binds modules on packages: `cm.explain` stays the function all the same."""
    for package in CONFINED.keys() - {"numba", "llvmlite", "stable_baselines3"}:
        pytest.importorskip(package)
    code = (
        "import importlib, pkgutil, carom as cm\n"
        "before = {name: getattr(cm, name) for name in cm.__all__}\n"
        "for found in pkgutil.walk_packages(cm.__path__, 'carom.'):\n"
        "    if not found.name.endswith(('__main__', 'jit.signatures', '.stable_baselines')):\n"
        "        importlib.import_module(found.name)\n"
        "print(*(name for name in cm.__all__ if getattr(cm, name) is not before[name]))\n"
        "print(*(name for name in cm.__all__ if not callable(before[name])))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "convert draw tables"]
