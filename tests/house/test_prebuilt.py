"""Kernels compiled beforehand: every type of argument and answer, refusals, faults, counts, and when they are at work.

A small package of its own with a copy of `carom/_core/jit` is emitted and linked once, by the tools that build Carom's
wheel. What is said here of its kernels holds for Carom's, whose wrappers are written by the same code.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carom._core import inputs, jit
from carom.tolerances import LARGEST
from carom.vector import Vec
from tests.support import small_calls
from tests.support.odd_numbers import likely_pairs

if jit.KERNELS != "jit":
    pytest.skip("Numba is not at work", allow_module_level=True)
if shutil.which("cc") is None and sys.platform != "win32":
    pytest.skip("no C compiler on this machine", allow_module_level=True)
from tools.emit import build
from tools.emit.listed import unfit

KERNELS = """
from typing import NamedTuple

import numpy as np
from sample._core.jit import inner, kernel

ROW = np.dtype([("mark", "i8"), ("at", "f8", 2)], align=True)


class Tree(NamedTuple):
    boxes: np.ndarray
    count: int


@inner
def square(x):
    return x * x


@kernel
def scaled(values, factor, times, negative):
    total = 0.0
    for value in values:
        total += square(value) * factor
    return -total * times if negative else total * times


@kernel
def moved(table, x, y):
    for row in range(len(table)):
        table[row].at[0] += x
        table[row].at[1] += y
        table[row].mark += 1
    return len(table), table[0].at[0], table[0].mark > 3


@kernel
def mark_of(row):
    return row.mark


@kernel
def inside(tree, point):
    found = 0
    for k in range(tree.count):
        if tree.boxes[k, 0] <= point[0] <= tree.boxes[k, 1]:
            found += 1
    return found, (tree.count, point[1])


@kernel
def summed(values):
    total = 0
    for k in range(len(values)):
        total += values[k]
    return total


@kernel
def filled(n, out):
    room = np.empty(n)
    for k in range(n):
        room[k] = k
    out[0] = room.sum()
"""

OFFERED = """
from typing import NamedTuple

from sample._core.jit import kernel
from sample._core.jit.offered import offer


class Gap(NamedTuple):
    width: float
    open: bool


@kernel
def _gap(a, i, b, j):
    width = b[j] - a[i]
    return width, width > 0.0


def gap(a, i, b, j):
    return Gap(*_gap(a, i, b, j))


offer(gap, _gap, ("float64", "bool"), Gap, least=1)
"""

SIGNATURES = """
sample.kernels.filled (int64, A(float64, 1, 'C', True),)
sample.kernels.inside (N('sample.kernels:Tree', [A(float64, 2, 'C', True), int64]), T([float64, float64]),)
sample.kernels.mark_of (R('sample.kernels:ROW'),)
sample.kernels.moved (A(R('sample.kernels:ROW'), 1, 'C', True), float64, float64,)
sample.kernels.scaled (A(float64, 1, 'C', False), float64, int64, bool,)
sample.kernels.summed (A(int32, 1, 'C', True),)
sample.kernels.summed (A(bool, 1, 'A', True),)
sample.offered._gap (A(float64, 1, 'C', True), int64, A(float64, 1, 'C', True), int64,)
"""

ROW = np.dtype([("mark", "i8"), ("at", "f8", 2)], align=True)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout of the small package with its extension beside the sources."""
    root = tmp_path_factory.mktemp("prebuilt")
    (root / "pyproject.toml").write_text("")
    package = root / "src" / "sample"
    (package / "_core").mkdir(parents=True)
    copy = shutil.copytree(
        Path(jit.__file__).parent, package / "_core" / "jit", ignore=shutil.ignore_patterns("__pyc*")
    )
    (copy / "signatures.txt").write_text(SIGNATURES.strip() + "\n")
    (package / "__init__.py").write_text("")
    (package / "apart.py").write_text("COLOUR = 1\n")
    (package / "kernels.py").write_text(KERNELS)
    (package / "offered.py").write_text(OFFERED)
    out = root / "out"
    out.mkdir()
    build.emit(out, "--package", "sample", "--wide", "sample.kernels.scaled", where=root / "src")
    shutil.copy2(build.link(out, build.THIS_MACHINE, root / "made"), package)
    return root


@pytest.fixture(scope="session")
def extension(project: Path) -> Any:
    """Return the extension, called in this process."""
    (file,) = (project / "src" / "sample").glob("_kernels.*")
    sys.path.insert(
        0, str(project / "src")
    )  # the dtypes of named tuples are not needed, their modules are not imported
    spec = importlib.util.spec_from_file_location("sample._kernels", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.pop(0)
    return module


@pytest.fixture(scope="session")
def kernels(extension: Any) -> dict[str, Any]:
    """Return the kernels of the extension by their short names."""
    return {name.rpartition(".")[2]: found for name, found in vars(extension).items() if name.startswith("sample.")}


def table(rows: int = 3) -> np.ndarray:
    made = np.zeros(rows, ROW)
    made["mark"] = np.arange(rows)
    return made


def test_every_kind_of_argument_and_answer(kernels: dict[str, Any]) -> None:
    values = np.array([1.0, 2.0, 3.0])
    assert kernels["scaled"](values, 2.0, 3, True) == -84.0
    assert kernels["scaled"](values, np.float64(2.0), np.int64(3), np.False_) == 84.0
    assert kernels["scaled"](values, 2, True, False) == 28.0
    assert math.isnan(kernels["scaled"](values, math.nan, 1, False))
    rows = table()
    assert kernels["moved"](rows, 1.5, -2) == (3, 1.5, False)
    assert rows["at"].tolist() == [[1.5, -2.0]] * 3 and rows["mark"].tolist() == [1, 2, 3]
    assert kernels["mark_of"](rows[2]) == 3
    boxes = np.array([[0.0, 1.0], [0.5, 2.0], [3.0, 4.0]])
    assert kernels["inside"]((boxes, 3), (0.75, 9)) == (2, (3, 9.0))
    assert kernels["summed"](np.array([1, 2, -5], np.int32)) == -2
    assert kernels["summed"](np.array([True, False, True, True])[::2]) == 2
    out = np.zeros(1)
    assert kernels["filled"](5, out) is None
    assert out.tolist() == [10.0]


def test_large_arrays_let_other_threads_run_and_give_the_same(kernels: dict[str, Any]) -> None:
    values = np.arange(100_000.0)
    assert kernels["scaled"](values, 1.0, 1, False) == pytest.approx(np.dot(values, values), rel=1e-12)


ARRAYS = [
    np.array([1.0, 2.0]),
    np.array([1.0, 2.0]).astype(">f8"),
    np.array([1.0, 2.0], np.float32),
    np.array([[1.0, 2.0]]),
    np.array(1.0),
    np.arange(6.0)[::2],
    np.asfortranarray(np.ones((2, 2))),
    np.frombuffer(b"\0" * 17, np.uint8)[1:].view(np.float64),
    np.array([1, 2]),
    np.array([1, 2], np.int32),
    np.array([], np.int32),
    np.array([True]),
    np.array([None, 1], object),
    np.array(["a"]),
    np.ma.array([1.0, 2.0]),
    np.array([1.0, 2.0]).view(np.recarray),
    table(),
    table().view(np.recarray),
    table()[["at"]],
    np.zeros(2, [("mark", "f8"), ("at", "f8", 2)]),
]
OTHERS = [
    None,
    True,
    3,
    -1,
    2**63,
    -(2**70),
    1.5,
    math.inf,
    1j,
    "x",
    b"x",
    (),
    (1.0, 2.0),
    [1.0],
    {},
    object,
    table()[0],
]
OTHERS += [np.int8(1), np.uint64(2**63), np.float32(0.5), np.void(b"ab"), (np.ones((2, 2)), 2), (np.ones((2, 2)), 2.0)]


@pytest.mark.parametrize("name", ["scaled", "moved", "mark_of", "inside", "summed", "filled"])
def test_arguments_of_other_types_are_refused_and_never_crash(kernels: dict[str, Any], name: str) -> None:
    good: dict[str, tuple[Any, ...]] = {
        "scaled": (np.ones(2), 1.0, 1, False),
        "moved": (table(), 0.0, 0.0),
        "mark_of": (table()[0],),
        "inside": ((np.ones((1, 2)), 1), (1.0, 1.0)),
        "summed": (np.ones(2, np.int32),),
        "filled": (1, np.ones(1)),
    }
    taken = faults = 0
    for place, other in itertools.product(range(len(good[name])), [*ARRAYS, *OTHERS]):
        given = [*good[name]]
        given[place] = other
        if isinstance(other, int) and name == "filled" and abs(other) > 10:
            continue  # a size in earnest
        try:
            kernels[name](*given)
        except TypeError:
            continue
        except ValueError:
            faults += 1  # a kernel that was called, with a negative size
        taken += 1
    for few in ([], [*good[name], None], [*good[name]] * 3):
        with pytest.raises(TypeError, match=rf"sample\.kernels\.{name} was not compiled for arguments of the types"):
            kernels[name](*few)
    assert taken < len(ARRAYS) * len(good[name])
    assert faults == (name == "filled")


def test_read_only_arrays_are_taken_where_nothing_is_written(kernels: dict[str, Any]) -> None:
    values, rows = np.ones(3), table()
    values.flags.writeable = rows.flags.writeable = False
    assert kernels["scaled"](values, 1.0, 1, False) == 3.0
    with pytest.raises(TypeError, match="compiled for"):
        kernels["moved"](rows, 1.0, 1.0)
    assert rows["mark"].tolist() == [0, 1, 2]


def test_a_fault_in_a_kernel_reaches_the_caller_as_its_exception(kernels: dict[str, Any]) -> None:
    for _ in range(3):
        with pytest.raises(ValueError, match="negative dimensions"):
            kernels["filled"](-1, np.ones(1))
        with pytest.raises((MemoryError, ValueError)):
            kernels["filled"](2**60, np.ones(1))


@given(st.lists(st.floats(allow_nan=False, width=32), max_size=20), st.floats(-1e3, 1e3), st.integers(-9, 9))
def test_the_bits_are_those_of_plain_python(
    kernels: dict[str, Any], values: list[float], factor: float, times: int
) -> None:
    total = 0.0
    for value in values:
        total += value * value * factor
    answer, expected = kernels["scaled"](np.array(values, float), factor, times, False), total * times
    assert answer == expected or (math.isnan(answer) and math.isnan(expected))


def test_references_stay_level_over_many_calls(kernels: dict[str, Any]) -> None:
    values, rows, out, boxes, word = np.ones(3), table(), np.zeros(1), np.ones((1, 2)), "x" * 9
    point, row = (1.0, 2.0), rows[0]
    tree = (boxes, 1)
    held = [values, rows, row, out, boxes, tree, point, word]

    def calls(times: int) -> list[int]:
        for _ in range(times):
            kernels["scaled"](values, 1.0, 1, False)
            kernels["moved"](rows, 0.0, 0.0)
            kernels["mark_of"](row)
            kernels["inside"](tree, point)
            kernels["filled"](3, out)
            for bad in (word, values[:0]):
                with pytest.raises(TypeError):
                    kernels["moved"](bad, 0.0, 0.0)
            with pytest.raises(ValueError, match="negative"):
                kernels["filled"](-1, out)
        return [sys.getrefcount(one) for one in [*held, None]]

    *few, none_before = calls(10)
    *many, none_after = calls(2000)
    assert few == many
    assert abs(none_after - none_before) < 1000  # Python itself takes and drops some


@pytest.mark.parametrize("name", sorted(small_calls.FUNCTIONS))
def test_the_small_work_of_calls_answers_in_c_as_in_python(extension: Any, name: str) -> None:
    extension.readers(Vec, LARGEST, inputs.point_with_care)
    compiled = small_calls.outcomes(getattr(extension, name), small_calls.CALLS[name])
    assert compiled == small_calls.outcomes(small_calls.FUNCTIONS[name], small_calls.CALLS[name])
    assert any("answers" in one for one in compiled) and any("refuses" in one for one in compiled)


def test_the_table_of_small_work_has_every_function_that_is_in_c_and_in_python() -> None:
    listed = (Path(build.__file__).parent / "start.c").read_text(encoding="utf-8")
    table = listed[listed.index("static PyMethodDef OWN[]") :].partition("};")[0]
    in_c = set(re.findall(r'\{"(\w+)"|QUICK\((\w+)\)', table))
    assert {one or other for one, other in in_c} - {"address", "readers"} == set(small_calls.FUNCTIONS)


@given(likely_pairs, likely_pairs, st.lists(likely_pairs, max_size=5), st.booleans())
def test_the_small_work_of_calls_is_that_of_python(
    extension: Any, one: Any, other: Any, rows: list[Any], listed: bool
) -> None:
    extension.readers(Vec, LARGEST, inputs.point_with_care)
    for name, call in {
        "point": ("f", "p", one),
        "plain_pairs": (one, other),
        "plain_table": (rows if listed else tuple(rows),),
        "new": (Vec, (one, other)),
    }.items():
        found = small_calls.outcome(getattr(extension, name), call)
        assert found == small_calls.outcome(small_calls.FUNCTIONS[name], call)


def test_the_small_work_of_calls_refuses_what_it_is_not_for(project: Path, extension: Any) -> None:
    code = "from sample import _kernels; print(_kernels.plain_pairs((1.0, 2), [3, 4.0])); _kernels.point('f', 'p', 1)"
    env = os.environ | {"PYTHONPATH": str(project / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert "`readers` has not been called" in done.stderr
    for bad in ((), (list, 1.0, len), (Vec, 1, len), (Vec, 1.0, 2)):
        with pytest.raises(TypeError, match="readers takes a type of tuples, a number and a function"):
            extension.readers(*bad)


def test_references_stay_level_over_much_small_work(extension: Any) -> None:
    extension.readers(Vec, LARGEST, inputs.point_with_care)
    x, pair, rows, bad = 1.25e3, (2.5, 3), [(1.0, 2.0)] * 3, [(1.0, 2.0), (1.0, "x")]
    held = [x, pair, rows, bad, Vec, inputs.point_with_care]

    def calls(times: int) -> list[int]:
        for _ in range(times):
            extension.point("f", "p", pair)
            extension.plain_pairs(pair, [x, 10**400])
            extension.plain_pairs(pair, (x, x))
            extension.plain_table(rows)
            extension.plain_table(bad)
            extension.new(Vec, (x, x))
            extension.readers(Vec, LARGEST, inputs.point_with_care)
            with pytest.raises(TypeError):
                extension.point("f", "p", "xy")
        return [sys.getrefcount(one) for one in held]

    assert calls(10) == calls(1000)


def ask(project: Path, **settings: str) -> dict[str, Any]:
    code = (
        "import json, sys, numpy as np\nfrom sample import kernels\nfrom sample._core import jit\n"
        "answer = kernels.scaled(np.arange(4.0), 2.0, 1, False)\n"
        "print(json.dumps([answer, jit.KERNELS, type(kernels.scaled).__name__, 'numba' in sys.modules]))"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "CAROM_"))}
    settings |= {"PYTHONPATH": str(project / "src"), "NUMBA_CACHE_DIR": str(project / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | settings, capture_output=True, text=True, check=False
    )
    return {"answer": json.loads(done.stdout) if done.returncode == 0 else None, "said": done.stderr}


PREBUILT = {"answer": [28.0, "prebuilt", "builtin_function_or_method", False], "said": ""}
COMPILED = [28.0, "jit", "CPUDispatcher", True]
PLAIN = [28.0, "plain", "function", False]


def test_the_kind_at_work_is_prebuilt_unless_the_environment_forces_another(project: Path) -> None:
    assert ask(project) == PREBUILT
    assert ask(project, CAROM_KERNELS="prebuilt") == PREBUILT
    assert ask(project, CAROM_KERNELS="jit")["answer"] == COMPILED
    assert ask(project, CAROM_KERNELS="plain")["answer"] == PLAIN
    assert ask(project, NUMBA_DISABLE_JIT="1")["answer"] == PLAIN


def test_an_edit_of_a_checkout_turns_prebuilt_kernels_off_where_it_can_matter(project: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns("out", "cache"))
    package = copy / "src" / "sample"
    (package / "apart.py").write_text("COLOUR = 2\n")
    assert ask(copy) == PREBUILT
    (package / "kernels.py").write_text(KERNELS.replace("return x * x", "return 2.0 * x * x"))
    assert ask(copy)["answer"] == [56.0, *COMPILED[1:]]
    refused = ask(copy, CAROM_KERNELS="prebuilt")
    assert refused["answer"] is None and "sources of kernels have changed; run `make prebuilt`" in refused["said"]
    (copy / "pyproject.toml").unlink()  # as installed: nobody edits it, and the key is not computed
    assert ask(copy) == PREBUILT


USER = """
import json

import numpy as np
from numba import njit
from sample import offered
from sample._core import jit


@njit(cache=True)
def total(values):
    width, count = 0.0, 0
    for k in range(len(values) - 1):
        found = offered.gap(values, k, values, k + 1)
        if found.open:
            width += found.width
            count += 1
    return width, count


answer = total(np.array([1.0, 4.0, 2.0, 2.5]))
print(json.dumps([*answer, jit.KERNELS, sum(total.stats.cache_hits.values())]))
"""


def test_compiled_code_of_a_user_calls_the_carom_of_today(project: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns("out", "cache"))
    user = tmp_path / "user.py"
    user.write_text(USER)

    def ask_user(**settings: str) -> Any:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "CAROM_"))}
        settings |= {"PYTHONPATH": str(copy / "src"), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, str(user)], env=kept | settings, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert ask_user() == [3.5, 2, "prebuilt", 0]
    assert ask_user() == [3.5, 2, "prebuilt", 1]
    assert ask_user(CAROM_KERNELS="jit") == [3.5, 2, "jit", 1]
    file = copy / "src" / "sample" / "offered.py"
    file.write_text(OFFERED.replace("b[j] - a[i]", "10.0 * (b[j] - a[i])"))
    assert ask_user() == [35.0, 2, "jit", 1]  # the code that the user's cache kept, and the kernel as it is now


@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")
def test_the_extension_asks_for_nothing_but_python_and_the_c_library(project: Path) -> None:
    (file,) = (project / "src" / "sample").glob("_kernels.*")
    listing = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
    asked = {line.split()[-1].partition("@")[0] for line in listing.splitlines()}
    asked = {name for name in asked if not re.match(r"_?Py|_ITM_|__gmon|__cxa_finalize|__stack_chk_fail", name)}
    assert asked <= {
        "malloc",
        "strcmp",
        "free",
        "memset",
        "memcpy",
        "memmove",
        "frexp",
        "ldexp",
        "nextafter",
        "fmod",
        "atan2",
        "sincos",
    }


def instructions(file: Path) -> set[str]:
    """Return the names of all instructions in the machine code of a file."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", file], capture_output=True, text=True, check=True)
    return {found[1] for found in re.finditer(r"^ +[0-9a-f]+:\t(\w+)", listing.stdout, re.MULTILINE)}


@pytest.mark.skipif(shutil.which("objdump") is None, reason="no disassembler on this machine")
@pytest.mark.skipif(build.THIS_MACHINE != "linux-x86_64", reason="names of instructions of x86-64")
def test_the_machine_code_keeps_to_the_oldest_processors(project: Path) -> None:
    used = instructions(project / "out" / build.THIS_MACHINE / "kernels.o")
    assert {"mulsd", "ret"} <= used
    assert not any(is_new(name) for name in used)
    copies = [instructions(project / "out" / build.THIS_MACHINE / f"wide_{level}.o") for level in (1, 2)]
    assert all(any(is_new(name) for name in used) for used in copies)
    assert {name for name in copies[1] if name.startswith("vfm")} == set()  # which would round once, not twice


def is_new(name: str) -> bool:
    """Tell an instruction of AVX or AVX-512; two older ones begin with v, too."""
    return name.startswith("v") and name not in ("verr", "verw")


@pytest.mark.full
def test_all_kernels_of_carom_give_the_same_bits_compiled_beforehand_at_the_first_call_and_as_python(
    tmp_path: Path,
) -> None:
    root = Path(jit.PACKAGE).parents[1]
    ignored = shutil.ignore_patterns("__pycache__", "_kernels*")
    for name in ("carom", *jit.subpackages.programs()):
        shutil.copytree(Path(jit.PACKAGE).with_name(name), tmp_path / name, ignore=ignored)
    package = tmp_path / "carom"
    out = tmp_path / "out"
    build.emit(out)
    shutil.copy2(build.link(out, build.THIS_MACHINE, tmp_path / "made"), package)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "CAROM_"))}
    kept |= {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(root)]), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def bits(kind: str) -> str:
        command = [sys.executable, "-m", "tests.support.bits"]
        return subprocess.run(
            command, cwd=tmp_path, env=kept | {"CAROM_KERNELS": kind}, capture_output=True, text=True, check=True
        ).stdout

    assert bits("prebuilt") == bits("jit") == bits("plain")
    if build.THIS_MACHINE == "linux-x86_64" and shutil.which("objdump"):
        assert not any(is_new(name) for name in instructions(out / build.THIS_MACHINE / "kernels.o"))


def test_every_listed_kernel_can_be_emitted() -> None:
    from carom._core.jit import signatures

    assert unfit(signatures.listed()) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("carom.narrow.gone.f (int64,)", "cannot be imported: No module named 'carom.narrow.gone'"),
        ("carom.vector.f (int64,)", "carom.vector has no such kernel"),
        ("carom.narrow.intersects._discs (R('carom.vector:GONE'),)", "takes what has no spelling in words"),
        ("tests.support.unfit_kernel.doubled (A(float64, 1, 'C', True),)", "which cannot be made of words"),
    ],
)
def test_a_listed_kernel_that_cannot_be_emitted_is_named_without_compiling(line: str, fault: str) -> None:
    assert len(found := unfit([line])) == 1 and fault in found[0] and found[0].startswith(line.partition(" ")[0])
