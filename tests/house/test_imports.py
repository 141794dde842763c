"""Imports point one way: among subpackages, and from the programs to what users have; heavy packages come late.

CONTRIBUTING lists both.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import carom as cm
from carom import tolerances
from carom.draw import pair

SOURCE = Path(__file__).parents[2] / "src"
PACKAGE = SOURCE / "carom"

# From the ground up: a subpackage (file or folder of the package) may import from those on the lines above its own, and
# a folder from itself. The public names in __init__ and the command line see all. CONTRIBUTING has the same list.
LAYERS = [
    "tolerances vector",
    "_core",
    "shapes",
    "narrow canvas convert",
    "broad kernels explain",
    "world",
    "character maps tables",
    "draw",
    "cli __init__",
    "__main__",
]
MOST_ENTRIES = 16
# Methods that are short ways up, by file: the import stands in the method.
SHORT_WAYS = {"explain/findings.py": "carom.draw.pictures"}
RANKS = {name: rank for rank, line in enumerate(LAYERS) for name in line.split()}

# The programs, packages beside the library, and which other programs each may import.
PROGRAMS: dict[str, set[str]] = {
    "carom_breakout": set(),
    "carom_gym": {"carom_breakout"},
    "carom_playground": set(),
}
START = "carom_command"  # what the command runs; it imports the command line and nothing else
DISPATCHES = ("cli/install.py", "cli/programs.py", "draw/playground.py")  # the only files that import programs

# Packages beyond the base dependencies, and the only places that may import them.
CONFINED = {
    "numba": {"_core"},
    "pygame": {"canvas", "convert", "draw", *PROGRAMS},
    "pymunk": {"convert"},
    "PIL": {"draw", "maps"},
    "imageio": {"draw"},
    "imageio_ffmpeg": {"draw"},
    "llvmlite": {"_core"},
    "tqdm": {"carom_breakout", "cli"},
    "dask": {"tables"},
    "distributed": {"cli", "tables"},
    "pandas": {"tables"},
    "pyarrow": {"tables"},
    "matplotlib": {"canvas"},
    "gymnasium": {"carom_gym"},
    "shapely": {"convert", "shapes", "tables"},
    "stable_baselines3": {"carom_gym"},
    "zstandard": {"maps"},
}

FILES = sorted(PACKAGE.rglob("*.py"))
FILES_OF_PROGRAMS = sorted(file for name in PROGRAMS for file in (SOURCE / name).rglob("*.py"))
FILES_OF_TABLES = sorted((PACKAGE / "tables").rglob("*.py"))
# What says that the packages of an extra are not installed is the library's own.
BEFORE_TABLES = "carom._core.missing.need"


def module(file: Path) -> str:
    """Return the full name of the module that a file is: carom.narrow.walk, and carom.narrow for its __init__."""
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(file) for file in (*FILES, *FILES_OF_PROGRAMS)}


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


def in_dispatches(file: Path) -> bool:
    """Tell whether a file of the library starts programs."""
    return file.is_relative_to(PACKAGE) and file.relative_to(PACKAGE).as_posix() in DISPATCHES


@pytest.mark.parametrize("file", FILES, ids=module)
def test_imports_point_one_way(file: Path) -> None:
    here = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert here in RANKS, f"{file.name} is new: give {here} its line in LAYERS"
    for name in imported(file):
        package = name.partition(".")[0]
        if name.rpartition(".")[0] == SHORT_WAYS.get(file.relative_to(PACKAGE).as_posix()):
            continue
        if package in PROGRAMS:
            assert in_dispatches(file), f"{here} may not import a program, {name}"
        elif package == "carom":
            users = here == "tables" and is_public(name)
            assert users or RANKS[room_of(name)] < RANKS[here] or room_of(name) == here, f"{here} may not import {name}"
        else:
            assert here in CONFINED.get(package, {here}), f"only {CONFINED[package]} may import {package}"


@pytest.mark.parametrize("file", FILES_OF_PROGRAMS, ids=module)
def test_programs_import_only_what_users_have(file: Path) -> None:
    here = file.relative_to(SOURCE).parts[0]
    for name in imported(file):
        package = name.partition(".")[0]
        if package == "carom":
            assert is_public(name), f"{name} is not public: make it so, documented and tested, or do without"
        elif package in PROGRAMS:
            assert package in PROGRAMS[here] | {here}, f"{here} may not import {package}"
        else:
            assert here in CONFINED.get(package, {here}), f"only {CONFINED[package]} may import {package}"


@pytest.mark.parametrize("file", FILES_OF_TABLES, ids=module)
def test_tables_import_only_what_users_have(file: Path) -> None:
    for name in imported(file):
        if name.startswith("carom") and not f"{name}.".startswith("carom.tables."):
            assert is_public(name) or (name == BEFORE_TABLES and file.name == "__init__.py"), f"{name} is not public"
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            of_its_own = ast.unparse(node.value) in ("self", "kind") or node.attr in ("_asdict", "_replace")
            assert of_its_own, f"{ast.unparse(node)} is not public"


def is_public(name: str) -> bool:
    """Tell whether a full name is one that users have.

    These are those of `carom`, of its modules `kernels`, `tolerances` and `draw`, and of the part `pair` of the last.
    """
    for owner in (cm, cm.kernels, cm.draw, pair, tolerances):
        if name == owner.__name__:
            return True
        if name.rpartition(".")[0] == owner.__name__:
            return name.rpartition(".")[2] in dir(owner) and not name.rpartition(".")[2].startswith("_")
    return False


def test_programs_are_told_to_the_hook_of_wheels_and_to_type_checks() -> None:
    project = tomllib.loads((SOURCE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    packages = [f"src/{name}" for name in ("carom", *sorted([*PROGRAMS, START]))]
    assert project["hatch"]["build"]["targets"]["wheel"]["packages"] == packages
    assert project["mypy"]["files"] == [*packages, "tests/house/typed_columns.py"]
    assert [file.name for file in sorted(SOURCE.iterdir()) if (file / "__init__.py").exists()] == [
        "carom",
        *sorted([*PROGRAMS, START]),
    ]


def test_the_start_of_the_command_imports_the_command_line_alone() -> None:
    assert set(imported(SOURCE / START / "__init__.py")) == {"__future__.annotations", "carom.cli.main"}


@pytest.mark.parametrize("name", ["carom.breakout", "carom.breakout.environments", "carom.playground_app.launch"])
def test_an_old_path_names_the_new_one(name: str) -> None:
    new = {"breakout": "import carom_breakout", "playground_app": "import carom_playground"}[name.split(".")[1]]
    with pytest.raises(ModuleNotFoundError, match=new) as refused:
        importlib.import_module(name)
    assert refused.value.name == ".".join(name.split(".")[:2])


def test_no_two_files_need_each_other() -> None:
    needs = {}
    for file in (*FILES, *FILES_OF_PROGRAMS):
        names = {name if name in MODULES else name.rpartition(".")[0] for name in imported(file)}
        up = SHORT_WAYS.get(module(file).removeprefix("carom.").replace(".", "/") + ".py")
        late = {name for name in MODULES if name.startswith("carom_")} if in_dispatches(file) else set()
        late |= {"carom.tables"} if module(file) == "carom" else set()  # imported at its first use
        needs[module(file)] = names & MODULES - {module(file), up} - late
    assert len(list(TopologicalSorter(needs).static_order())) == len(MODULES)


def test_the_package_has_exactly_the_rooms_of_the_layers() -> None:
    subpackages = {file.relative_to(PACKAGE).parts[0].removesuffix(".py") for file in FILES}
    assert subpackages == set(RANKS)
    assert len(subpackages - {"__init__", "__main__"}) <= MOST_ENTRIES


def test_contributing_lists_the_rooms_layer_by_layer() -> None:
    page = (PACKAGE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"^## The subpackages\n.*?^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    told = re.search(r"^## The programs\n.*?^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert told is not None
    assert [line.split()[0].rstrip("/") for line in told[1].splitlines()] == list(PROGRAMS)
    layers = [[line.split(maxsplit=1) for line in layer.splitlines()] for layer in found[1].split("\n\n")]
    assert [" ".join(name.removesuffix(".py").rstrip("/") for name, _ in layer) for layer in layers] == LAYERS
    for name, _ in (line for layer in layers for line in layer):
        assert (PACKAGE / name).exists() and (PACKAGE / name).is_dir() == name.endswith("/"), name


@pytest.mark.parametrize("name", ["carom", "carom_breakout.rules"])
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
