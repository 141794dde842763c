"""Names of Numba that are no promise of Numba: each is there in the version that is installed, or is told by its name.

The weekly workflow runs this with the newest Numba and with the next one: where it passes and the kernels compile, the
bound in pyproject.toml can be raised. The names are read from the sources, so that none can be forgotten or grow stale.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from carom._core.jit import KERNELS

if KERNELS != "jit":
    pytest.skip("Numba is not at work", allow_module_level=True)
import numba

from carom._core.jit import compilers, lean_code, libraries

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "src/carom/_core/jit").glob("*.py")), *sorted((ROOT / "tools/emit").glob("*.py"))]
# Where Numba has the names that begin with an underscore and are not our own.
PRIVATE = {
    "_alloca_var": "numba.core.lowering:Lower",
    "_analysis": "numba.core.compiler_machinery:PassManager",
    "_cache": "numba.core.dispatcher:Dispatcher",
    "_compile_subroutine_no_cache": "numba.core.base:BaseContext",
    "_defns": "numba.core.base:BaseContext",
    "_final_module": "numba.core.codegen:CPUCodeLibrary",
    "_finalize_final_module": "numba.core.codegen:CPUCodeLibrary",
    "_finalized": "numba.core.codegen:CodeLibrary",
    "_get_arg_packer": "numba.core.callconv:BaseCallConv",
    "_get_module_for_linking": "numba.core.codegen:CPUCodeLibrary",
    "_linking_libraries": "numba.core.codegen:CPUCodeLibrary",
    "_nrt": "numba.core.options:DefaultOptions",
    "_optimize_final_module": "numba.core.codegen:CPUCodeLibrary",
    "_optimize_functions": "numba.core.codegen:CPUCodeLibrary",
    "_parse_refprune_flags": "numba.core.codegen",
    "_rebuild": "numba.core.compiler:CompileResult",
    "_reduce": "numba.core.compiler:CompileResult",
    "_runPass": "numba.core.compiler_machinery:PassManager",
    "_singly_assigned_vars": "numba.core.lowering:Lower",
}
# Names that our classes have for Numba, and that Numba's own such classes lack.
ELSEWHERE = {"set_env": "numba.core.codegen:JITCPUCodegen", "typing_context": "numba.core.base:BaseContext"}


@cache
def trees() -> dict[str, ast.Module]:
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


def absent(text: str) -> str:
    return f"Numba {numba.__version__} has no {text}"


def has(place: str, name: str) -> bool:
    """Tell whether a module or class of Numba has a name, or sets it in its objects."""
    module, _, kind = place.partition(":")
    owner: Any = importlib.import_module(module)
    if not kind:
        return hasattr(owner, name)
    owner = getattr(owner, kind, None)
    if owner is None:
        return False
    return hasattr(owner, name) or any(
        f"self.{name} =" in inspect.getsource(base) for base in owner.__mro__ if base.__module__.startswith("numba")
    )


def test_a_name_that_numba_has_not_is_told() -> None:
    assert has("numba.core.codegen:CPUCodeLibrary", "_final_module")
    assert not has("numba.core.codegen:CPUCodeLibrary", "_no_such_name")
    assert not has("numba.core.codegen:NoSuchLibrary", "_final_module")


@pytest.mark.parametrize("name", sorted(PRIVATE))
def test_numba_has_the_private_name(name: str) -> None:
    assert has(PRIVATE[name], name), absent(f"{PRIVATE[name]}.{name}")


def test_the_private_names_of_the_sources_are_those_that_are_listed() -> None:
    ours: set[str] = set()
    used: dict[str, str] = {}
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name not in PRIVATE:
                ours.add(node.name)
            elif isinstance(node, ast.Attribute):
                if isinstance(node.ctx, ast.Store) and node.attr not in PRIVATE:
                    ours.add(node.attr)
                used[node.attr] = file
            elif isinstance(node, ast.keyword) and node.arg:
                used[node.arg] = file
            elif isinstance(node, ast.Dict):  # of options
                used |= {str(key.value): file for key in node.keys if isinstance(key, ast.Constant)}
    defined = {node.name for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    private = {name for name in used if name.isidentifier() and name[:1] == "_" and not name.startswith("__")}
    assert {name: used[name] for name in private - ours - PRIVATE.keys()} == {}, "add to PRIVATE where Numba has them"
    assert PRIVATE.keys() - used.keys() - defined == set(), "no source uses these any more"


def chains() -> Iterator[tuple[str, str]]:
    """Yield the dotted names of Numba that the sources spell, with the file."""
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and (spelled := ast.unparse(node)).startswith("numba."):
                yield spelled, file
            elif isinstance(node, ast.ImportFrom) and not node.level and str(node.module).startswith("numba"):
                yield from ((f"{node.module}.{one.name}", file) for one in node.names)
            elif isinstance(node, ast.Constant) and re.fullmatch(r"numba(\.\w+)+", str(node.value)):
                yield node.value, file


@pytest.mark.parametrize(("spelled", "file"), sorted(dict(chains()).items()))
def test_numba_has_the_name_that_a_source_spells(spelled: str, file: str) -> None:
    found: Any = numba
    path = "numba"
    for name in spelled.split(".")[1:]:
        if name in PRIVATE:
            break  # tested above, and nothing of Numba follows
        path = f"{path}.{name}"
        if not hasattr(found, name):
            try:
                importlib.import_module(path)
            except ModuleNotFoundError:
                pytest.fail(absent(f"{path}, which {file} uses"))
        found = getattr(found, name)


def test_what_we_put_in_place_of_numbas_methods_is_what_numba_calls() -> None:
    dispatcher = numba.core.registry.cpu_target
    contexts = compilers._remembering(dispatcher.typing_context, dispatcher.target_context)
    kinds = [*compilers.compiler_classes(), *libraries.library_classes(), lean_code.lowering_class()]
    kinds.append(type(compilers._passes(False)))
    for kind in [*kinds, *map(type, contexts)]:
        replaced = [name for one in kind.__mro__ if one.__module__.startswith("carom") for name in vars(one)]
        numbas = [one for one in kind.__mro__ if one.__module__.startswith("numba")]
        assert replaced and numbas
        for name in replaced:
            if not name.startswith("_") or name in PRIVATE:
                there = has(ELSEWHERE[name], name) if name in ELSEWHERE else any(hasattr(one, name) for one in numbas)
                assert there, absent(f"{numbas[0].__qualname__}.{name}, which Carom replaces")
