"""Compiled code is kept between processes and never answers for sources other than its own.

Each test works on a small package of its own that carries a copy of `carom/_core/jit`, in fresh processes. A folder
that cannot be written to is played by a plain file in its place, which stops an administrator as well.
"""

from __future__ import annotations

import ast
import functools
import gc
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom._core import jit
from carom._core.jit.kernel_cache import KEPT

if jit.KERNELS != "jit":
    pytest.skip("Numba is not at work", allow_module_level=True)

ROOT = Path(__file__).parents[2]

ASK = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from sample import kernels
    from sample._core import jit
    {before}
    answers = [kernels.double(3.0), kernels.shift(3.0)]
hits = [sum(f.stats.cache_hits.values()) if hasattr(f, "stats") else 0 for f in (kernels.double, kernels.shift)]
print(json.dumps({{"answers": answers, "hits": hits, "warned": [str(w.message) for w in caught], "extra": {extra}}}))
"""


class Sample:
    """A package of three files: a kernel that calls an inner function of another file, which reads a third."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "sample"
        self.folder.mkdir()
        self.beside = self.folder / "__pycache__"
        self.cache = root / "user"
        (self.folder / "_core").mkdir()
        shutil.copytree(
            Path(jit.__file__).parent, self.folder / "_core" / "jit", ignore=shutil.ignore_patterns("__pycache__")
        )
        self.write("__init__", "")
        self.write("numbers", "FACTOR = 2.0")
        self.write(
            "parts",
            "from sample._core.jit import inner\nfrom sample.numbers import FACTOR\n\n"
            "@inner\ndef product(x):\n    return FACTOR * x\n",
        )
        self.write(
            "kernels",
            "from sample._core.jit import kernel\nfrom sample.parts import product\n\n"
            "@kernel\ndef double(x):\n    return product(x)\n\n"
            "@kernel\ndef shift(x):\n    return product(x) + 1.0\n",
        )

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text)

    def start(self, before: str = "", extra: str = "None", **settings: str) -> subprocess.Popen[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "CAROM_"))}
        home = str(self.cache)
        environment |= {"XDG_CACHE_HOME": home, "HOME": home, "PYTHONDONTWRITEBYTECODE": "1"} | settings
        code = ASK.format(before=before, extra=extra)
        return subprocess.Popen(
            [sys.executable, "-c", code], cwd=self.root, env=environment, stdout=subprocess.PIPE, text=True
        )

    def ask(self, before: str = "", extra: str = "None", **settings: str) -> dict[str, Any]:
        return self.answer(self.start(before, extra, **settings))

    @staticmethod
    def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        answer: dict[str, Any] = json.loads(out)
        return answer

    def kept(self, place: Path) -> list[Path]:
        return [file for file in place.rglob("sample.kernels.*") if file.is_file()]


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path)


def test_the_next_process_loads_and_any_edit_compiles_again(sample: Sample) -> None:
    first = sample.ask("due = [jit.will_compile(kernels.double)]", "due + [jit.will_compile(kernels.double)]")
    assert first == {"answers": [6.0, 7.0], "hits": [0, 0], "warned": [], "extra": [True, False]}
    second = sample.ask(extra="jit.will_compile(kernels.double)")
    assert second == {"answers": [6.0, 7.0], "hits": [1, 1], "warned": [], "extra": False}

    sample.write("numbers", "FACTOR = 5.0")
    edited = sample.ask()
    assert (edited["answers"], edited["hits"]) == ([15.0, 16.0], [0, 0])
    sample.write("numbers", "FACTOR = 2.0")
    assert sample.ask()["hits"] == [1, 1]


PLAY = "from sample_game import play; before = play.twice(3.0); own = sum(play.twice.stats.cache_hits.values())"


def test_a_program_beside_the_package_is_kept_and_compiled_anew_as_the_package_is(sample: Sample) -> None:
    game = sample.root / "sample_game"
    game.mkdir()
    (game / "__init__.py").write_text("")
    (game / "play.py").write_text(
        "from sample import kernel, product\n\n@kernel\ndef twice(x):\n    return 2.0 * product(x)\n"
    )
    sample.write("__init__", "from sample._core.jit import kernel\nfrom sample.parts import product\n")
    assert sample.ask(PLAY, "[before, own]")["extra"] == [12.0, 0]
    assert sample.ask(PLAY, "[before, own]")["extra"] == [12.0, 1]
    sample.write("numbers", "FACTOR = 5.0")
    assert sample.ask(PLAY, "[before, own]")["extra"] == [30.0, 0]
    (game / "other.py").write_text("COLOUR = 1\n")
    edited = sample.ask(PLAY, "[before, own]")
    assert edited["extra"] == [30.0, 0] and edited["hits"] == [1, 1], "an edit of the program leaves the package alone"


def test_an_edit_compiles_only_what_can_import_the_edited_file(sample: Sample) -> None:
    sample.write("apart", "from sample import kernels\n\nCOLOUR = 1\n")
    sample.ask()
    sample.write("apart", "from sample import kernels\n\nCOLOUR = 2\n")
    sample.write("new", "SOUND = 3\n")
    assert sample.ask()["hits"] == [1, 1]
    sample.write("kernels", (sample.folder / "kernels.py").read_text() + "# a comment\n")
    assert sample.ask()["hits"] == [0, 0]


def test_an_edit_below_a_room_compiles_it_again_through_any_import(sample: Sample) -> None:
    sample.write("parts", "from sample import numbers\n" + (sample.folder / "parts.py").read_text())
    (sample.folder / "deep").mkdir()
    (sample.folder / "deep" / "__init__.py").write_text("")
    (sample.folder / "deep" / "values.py").write_text("VALUE = 2.0\n")
    sample.write("numbers", "from sample.deep.values import VALUE\n\nFACTOR = VALUE\n")
    assert sample.ask()["hits"] == [0, 0]
    assert sample.ask()["hits"] == [1, 1]
    (sample.folder / "deep" / "values.py").write_text("VALUE = 4.0\n")
    assert sample.ask()["answers"] == [12.0, 13.0]


def test_the_users_cache_folder_serves_and_sees_edits_too(sample: Sample) -> None:
    chosen = str(sample.root / "chosen")
    assert sample.ask(NUMBA_CACHE_DIR=chosen)["hits"] == [0, 0]
    assert sample.ask(NUMBA_CACHE_DIR=chosen)["hits"] == [1, 1]
    assert len(sample.kept(sample.root / "chosen")) == 2
    assert not sample.cache.exists()
    sample.write("numbers", "FACTOR = 5.0")
    assert sample.ask(NUMBA_CACHE_DIR=chosen)["answers"] == [15.0, 16.0]


def test_nothing_is_kept_beside_the_sources_where_the_users_folder_can_be_written(sample: Sample) -> None:
    sample.ask()
    assert len(sample.kept(sample.cache)) == 2
    assert not sample.beside.exists()


def test_a_user_without_a_cache_folder_keeps_kernels_beside_the_sources(sample: Sample) -> None:
    sample.cache.write_text("no folder can be made here")
    assert sample.ask() == {"answers": [6.0, 7.0], "hits": [0, 0], "warned": [], "extra": None}
    assert sample.ask()["hits"] == [1, 1]
    assert len(sample.kept(sample.beside)) == 2


def test_a_package_without_a_writable_folder_works_and_warns_once(sample: Sample) -> None:
    sample.beside.write_text("no folder can be made here")
    sample.cache.write_text("nor here")
    answer = sample.ask()
    assert answer["answers"] == [6.0, 7.0]
    assert len(answer["warned"]) == 1
    assert "NUMBA_CACHE_DIR" in answer["warned"][0]


def test_an_image_with_kernels_beside_its_sources_stays_warm_for_any_user(sample: Sample) -> None:
    sample.cache.write_text("the user who builds the image keeps them beside the sources")
    sample.ask()
    sample.cache.unlink()
    assert sample.ask()["hits"] == [1, 1]
    assert not sample.kept(sample.cache)


def test_torn_files_are_compiled_again_and_replaced(sample: Sample) -> None:
    sample.ask()
    files = sample.kept(sample.cache)
    sizes = {file: file.stat().st_size for file in files}
    files[0].write_bytes(files[0].read_bytes()[:100])
    files[1].write_bytes(b"")
    assert sample.ask()["answers"] == [6.0, 7.0]
    assert {file: file.stat().st_size for file in files} == sizes
    assert sample.ask()["hits"] == [1, 1]


def test_many_processes_start_at_once_on_an_empty_cache(sample: Sample) -> None:
    processes = [sample.start() for _ in range(4)]
    answers = [sample.answer(process) for process in processes]
    assert [answer["answers"] for answer in answers] == [[6.0, 7.0]] * 4
    assert [answer["warned"] for answer in answers] == [[]] * 4
    assert len(sample.kept(sample.cache)) == 2
    assert sample.ask()["hits"] == [1, 1]


def test_sources_edited_after_the_import_keep_nothing(sample: Sample) -> None:
    edit = "import pathlib; pathlib.Path('sample/numbers.py').write_text('FACTOR = 55.0')"
    assert sample.ask(before=edit)["answers"] == [6.0, 7.0]
    assert sample.kept(sample.cache) == []
    assert sample.ask()["answers"] == [165.0, 166.0]


def test_only_the_folders_used_last_stay(sample: Sample) -> None:
    sample.ask()
    folders = sample.cache / "sample" / "kernels" / "kernels"  # of the subpackage of that name
    (mine,) = folders.iterdir()
    for age in range(12):
        other = mine.with_name(f"older{age:02}")
        other.mkdir()
        (other / "file").write_text("")
        os.utime(other, (10**9 - age, 10**9 - age))
    sample.write("numbers", "FACTOR = 5.0")
    sample.ask()
    left = {folder.name for folder in folders.iterdir()}
    assert len(left) == KEPT
    assert {mine.name, "older00", f"older{KEPT - 3:02}"} <= left


def test_compiler_settings_do_not_share_kernels(sample: Sample) -> None:
    sample.ask()
    assert sample.ask(NUMBA_BOUNDSCHECK="1")["hits"] == [0, 0]


def test_constants_in_a_call_compile_no_second_form(sample: Sample) -> None:
    sample.write(
        "more",
        "from sample._core.jit import inner, kernel\n\n"
        "@inner\ndef part(x, n, flip):\n    return -n * x if flip else n * x\n\n"
        "@kernel\ndef whole(x, n):\n    return part(x, 2, True) + part(x, 3, False) + part(x, n, n > 4)\n\n"
        "@kernel\ndef face(x):\n    return whole(x, 4) + whole(x, 5)\n",
    )
    compiled = "[len(f.signatures) for f in (more.part.lent(), more.whole.lent(), more.face, more.part, more.whole)]"
    answer = sample.ask(before="from sample import more", extra=f"[more.face(1.0), {compiled}]")
    assert answer["extra"] == [2.0 * (3 - 2) + 4 - 5, [1, 1, 1, 0, 0]]


def test_inner_functions_can_be_called_from_python(sample: Sample) -> None:
    first = "from sample.parts import product; products = [product(2.0), kernels.double(2.0), product(3.0)]"
    assert sample.ask(before=first, extra="products")["extra"] == [4.0, 4.0, 6.0]


def test_the_users_own_numba_functions_keep_their_cache(sample: Sample) -> None:
    (sample.root / "own.py").write_text("import numba\n@numba.njit(cache=True)\ndef own(x):\n    return x + 1.0\n")
    answer = sample.ask(
        before="import own", extra="[own.own(1.0), own.own.stats.cache_path, jit.numba.config.CACHE_DIR]"
    )
    assert answer["extra"] == [2.0, str(sample.root / "__pycache__"), ""]


def test_a_kernel_outside_the_package_is_not_kept(sample: Sample) -> None:
    outside = "outside = jit.kernel(eval('lambda x: x + 1.0'))"
    assert sample.ask(before=outside, extra="outside(1.0)")["extra"] == 2.0
    assert len(sample.kept(sample.cache)) == 2
    assert len([file for file in sample.cache.rglob("*") if file.is_file()]) == 2


NO_NUMBA = (
    "import sys\n"
    "class Block:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name.partition('.')[0] in ('numba', 'llvmlite'):\n"
    "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
    "sys.meta_path.insert(0, Block())\n"
)


def test_functions_stay_plain_without_numba_or_with_its_compiler_off(sample: Sample) -> None:
    kind = "[type(kernels.double).__name__, jit.will_compile(kernels.double)]"
    off = sample.ask(extra=kind, NUMBA_DISABLE_JIT="1")
    assert off == {"answers": [6.0, 7.0], "hits": [0, 0], "warned": [], "extra": ["function", False]}
    (sample.root / "sitecustomize.py").write_text(NO_NUMBA)
    missing = sample.ask(extra=f"[*{kind}, 'numba' in sys.modules]", PYTHONPATH=str(sample.root))
    (warned,) = missing.pop("warned")
    assert missing == {"answers": [6.0, 7.0], "hits": [0, 0], "extra": ["function", False, False]}
    assert "plain Python" in warned and 'pip install "sample[jit]"' in warned
    assert not sample.cache.exists()


@pytest.mark.parametrize(("wish", "kind"), [("plain", "function"), ("jit", "CPUDispatcher")])
def test_the_environment_forces_the_kind_of_kernels(sample: Sample, wish: str, kind: str) -> None:
    answer = sample.ask(extra="[type(kernels.double).__name__, jit.KERNELS]", CAROM_KERNELS=wish)
    assert (answer["answers"], answer["warned"], answer["extra"]) == ([6.0, 7.0], [], [kind, wish])


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("fast", "CAROM_KERNELS = 'fast' must be one of prebuilt, jit, plain"),
        ("prebuilt", "CAROM_KERNELS=prebuilt: No module named 'sample._kernels'"),
        ("jit", 'CAROM_KERNELS=jit needs Numba: pip install "sample[jit]"'),
    ],
)
def test_kernels_that_are_forced_and_not_there_are_an_error(sample: Sample, wish: str, said: str) -> None:
    (sample.root / "sitecustomize.py").write_text(NO_NUMBA)
    environment = os.environ | {"CAROM_KERNELS": wish, "PYTHONPATH": str(sample.root)}
    command = [sys.executable, "-c", "import sample.kernels"]
    done = subprocess.run(command, cwd=sample.root, env=environment, capture_output=True, text=True, check=False)
    assert said in done.stderr


def test_a_numba_that_fails_to_load_is_reported_not_ignored(sample: Sample) -> None:
    (sample.root / "numba").mkdir()
    (sample.root / "numba" / "__init__.py").write_text("raise ImportError('Numba needs another NumPy')")
    done = subprocess.run(
        [sys.executable, "-c", "import sample.kernels"], cwd=sample.root, capture_output=True, text=True, check=False
    )
    assert "Numba needs another NumPy" in done.stderr


ALL_VERBS = """
import itertools
import numpy as np
import carom as cm
from tests.support.verbs import VERBS

shapes = [cm.Point((0.0, 0.0)), cm.Segment((0, 0), (1, 0)), cm.Circle((0.2, 0.1), 1), cm.Capsule((0, 0), (1, 1), 0.2),
          cm.Box((1, 0), (1, 1)), cm.Box((1, 0), (1, 1), angle=0.3, radius=0.1), cm.Polygon([(0, 0), (2, 0), (1, 2)])]
for a, b in itertools.product(shapes, repeat=2):
    for verb in VERBS:
        verb.ask(a, b)
    cm.intersects(a, b, touching=False)
    cm.cast(a, b.translated((5, 0)), (9, 0.5))
    cm.cast(a, b, (9, 0.5))
for shape in shapes:
    cm.raycast((-5, 0), (10, 0), shape)
    cm.contains(shape, (1, 1))
    cm.contains(shape, np.zeros((3, 2)))
"""

ALL_PHYSICS = """
from carom_breakout import levels, rules, state

table = levels.make_levels(levels.shipped_levels())
games, inputs = state.make_games(table, [1, 2]), state.make_inputs(2)
inputs.buttons = state.RELEASE | state.ENTER
for physics in (state.EXACT, 1, 2, 3, 4, 5):
    rules.step(games, table, inputs, 1 / 60, physics)
"""

PRINT_REPEATED = """
import sys
for name, module in list(sys.modules.items()):
    if name.startswith(("carom.", "carom_")):
        for function in vars(module).values():
            if len(getattr(function, "signatures", ())) > 1:
                print(function.py_func.__qualname__, *function.signatures, sep="\\n    ")
"""


@pytest.mark.parametrize("use", [ALL_VERBS, ALL_PHYSICS], ids=["verbs", "breakout"])
def test_every_function_of_the_package_has_one_compiled_form(use: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-c", use + PRINT_REPEATED]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("use", [ALL_VERBS, ALL_PHYSICS], ids=["verbs", "breakout"])
def test_the_package_works_without_numba(use: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_NUMBA)
    command = [sys.executable, "-c", use + "\nimport sys; print('numba' in sys.modules)"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "False\n"
    assert jit.prebuilt.to_install("jit") in done.stderr


@jit.kernel
def _sorted_share(values: Any, out: Any) -> None:
    out[:] = np.sort(values) / np.sum(values)
    out[0] += np.cumsum(values)[-1] + float(np.argsort(values)[0]) + min(values[0], values[1]) % 2


@pytest.mark.skipif(not jit.is_compiled(), reason="nothing is compiled")
def test_a_kernel_may_call_numpy_functions() -> None:
    values, found = np.array([3.0, 1.0, 4.0]), np.zeros(3)
    _sorted_share(values, found)
    expected = np.array([1.0, 3.0, 4.0]) / 8.0
    expected[0] += 8.0 + 1.0 + 1.0
    assert found.tolist() == expected.tolist()


@functools.cache
def _functions() -> list[ast.FunctionDef]:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in Path(jit.PACKAGE).parent.rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _compiled_functions(*decorators: str) -> dict[str, ast.FunctionDef]:
    return {
        node.name: node
        for node in _functions()
        if any(isinstance(mark, ast.Name) and mark.id in decorators for mark in node.decorator_list)
    }


def test_callers_of_functions_that_return_arrays_allocate_too() -> None:
    """A function that allocates nothing counts no references (`jit._lend`), so an array from a callee would leak."""
    uncounted = _compiled_functions("uncounted_kernel")
    functions = _compiled_functions("inner", "kernel") | uncounted
    called = {
        name: {
            call.func.id for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        }
        for name, node in functions.items()
    }
    takes = {
        name
        for name, node in functions.items()
        if any(isinstance(part, ast.Attribute) and part.attr in jit.ALLOCATORS for part in ast.walk(node))
    }
    gives = {
        name
        for name, node in functions.items()
        if node.returns is not None
        and {"Floats", "Integers", "Booleans"} & set(re.findall(r"\w+", ast.unparse(node.returns)))
    }
    assert gives
    assert gives <= takes
    given = {name for name in functions if called[name] & gives} - takes
    lent = set().union(*called.values())
    assert uncounted
    assert not takes & set(uncounted)
    assert not given & (lent | set(uncounted)), "these hold arrays that others made, and are called by kernels"


@jit.kernel
def _large_part(x: float) -> float:
    return x * x


@jit.inner
def _small_part(x: float) -> float:
    return _large_part(x) + 1.0


@jit.kernel
def _whole(x: float) -> float:
    return _small_part(x)


@jit.kernel
def _twice_whole(x: float) -> float:
    return _whole(x) + _large_part(x)


def _defined(library: Any) -> dict[str, str]:
    """Return the functions that stand in the module of a library, and who may call each of them."""
    functions = library._final_module.functions
    return {one.name: one.linkage.name for one in functions if not one.is_declaration}


def test_a_callee_stands_alone_until_a_kernel_is_whole() -> None:
    """Numba would link all that a function needs, directly or through others, at each function again."""
    assert _twice_whole(3.0) == 19.0
    for function in (_large_part, _small_part, _whole):
        parts: Any = function
        (part,) = parts.lent().overloads.values()
        assert list(_defined(part.library)) == [part.fndesc.llvm_func_name]


def test_an_inner_function_that_calls_others_answers_python() -> None:
    assert _small_part(3.0) == 10.0


def test_callees_belong_to_their_kernel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """So LLVM leaves out what they are given and do not read."""
    from carom._core.jit.libraries import library_classes

    seen: list[dict[str, str]] = []
    whole: Any = library_classes()[0]
    monkeypatch.setattr(whole, "_optimize_final_module", lambda library: seen.append(_defined(library)))

    @jit.kernel
    def asked(x: float) -> float:
        return _twice_whole(x) + _whole(x)

    assert asked(3.0) == 29.0
    (linked,) = seen
    callees = {name: kind for name, kind in linked.items() if "asked" not in name}
    assert sorted(callees.values()) == ["internal"] * 4
    assert {kind for name, kind in linked.items() if name not in callees} == {"external"}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_compile_leaves_the_search_for_garbage_as_it_was(wanted: bool) -> None:
    @jit.kernel
    def fresh(x: float) -> float:
        return x + 1.0

    @jit.kernel
    def impossible(x: float) -> float:
        return x.nothing  # type: ignore[attr-defined, no-any-return]

    before = gc.isenabled()
    try:
        (gc.enable if wanted else gc.disable)()
        assert fresh(1.0) == 2.0
        assert gc.isenabled() == wanted
        with pytest.raises(Exception, match="nothing"):
            impossible(1.0)
        assert gc.isenabled() == wanted
    finally:
        (gc.enable if before else gc.disable)()


@pytest.mark.skipif(not jit.is_compiled(), reason="nothing is compiled")
def test_only_inner_functions_are_inlined() -> None:
    """Numba would inline all callees of such a function too, and a step of a world took a minute to compile."""
    assert _whole(3.0) == 10.0
    for function, everywhere in ((_small_part, True), (_large_part, False)):
        parts: Any = function
        assert [part.fndesc.inline for part in parts.lent().overloads.values()] == [everywhere]


def test_no_compiled_function_sorts_by_numpy() -> None:
    """Numba's sorts make lists, whose support the prebuilt kernels do without: `selection.order_by` sorts."""
    for name, node in _compiled_functions("inner", "kernel", "uncounted_kernel").items():
        asked = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
        assert not asked & {"sort", "argsort", "sorted", "unique"}, name
