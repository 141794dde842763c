"""The contract of the prebuilt kernels: which kernels Python calls, and with which types, one of them a line.

In: the package's kernels as they were called, or the lines of `signatures.txt`. Out: the lines, or Numba's types for
each kernel. A line is a kernel's full name and its argument types: A is an array (dtype, dimensions, layout, writable),
R a structured dtype by the name of its constant, N a named tuple, T a tuple.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .subpackages import NAME, PACKAGE, programs

types: Any = importlib.import_module("numba.core.types")
from_dtype: Any = importlib.import_module("numba.np.numpy_support").from_dtype

LISTED = Path(__file__).with_name("signatures.txt")
NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


@functools.cache
def import_all() -> dict[str, str]:
    """Import every module of the package and its programs; return those that lack a package of others, by their names.

    Of a folder that lacks one, the modules in it are not named.
    """
    lacking = {}
    for package in (NAME, *programs()):
        for found in pkgutil.walk_packages([str(Path(PACKAGE).with_name(package))], f"{package}."):
            if not found.name.endswith("__main__"):
                try:
                    importlib.import_module(found.name)
                except ModuleNotFoundError as missing:
                    if (missing.name or NAME).startswith(NAME):
                        raise
                    lacking[found.name] = str(missing.name).partition(".")[0]
    return lacking


def lacked_by(line: str, lacking: dict[str, str]) -> str:
    """Return the package that is not installed without which the kernel of a line cannot be had, if there is one."""
    modules = [line.partition(" ")[0], *re.findall(r"'([\w.]+):", line)]
    lacked = (lacking[one] for one in lacking if any(f"{module}.".startswith(f"{one}.") for module in modules))
    return next(lacked, "")


def _is_ours(module_name: str) -> bool:
    return module_name.startswith((f"{NAME}.", f"{NAME}_"))


def kernels() -> Iterator[tuple[str, Any]]:
    """Yield the name and the dispatcher of every kernel of the modules imported so far."""
    for module_name, module in sorted(sys.modules.items()):
        if _is_ours(module_name):
            for value in list(vars(module).values()):
                function = getattr(value, "py_func", None)
                if function is not None and function.__module__ == module_name and hasattr(value, "lent"):
                    yield f"{module_name}.{function.__qualname__}", value


def called() -> set[str]:
    """Return the lines of the kernels that Python has called in this process."""
    return {
        f"{name} ({' '.join(spell(one) + ',' for one in signature)})"
        for name, kernel in kernels()
        for signature in kernel.signatures
    }


@functools.cache
def records() -> dict[str, np.dtype[Any]]:
    """Return the structured dtypes of the package and its programs, by `module:NAME`."""
    import_all()
    found: dict[str, np.dtype[Any]] = {}
    for module_name, module in sorted(sys.modules.items()):
        if _is_ours(module_name):
            for name, value in vars(module).items():
                if isinstance(value, np.dtype) and value.names and value not in found.values():
                    found[f"{module_name}:{name}"] = value
    return found


@functools.cache
def _record_names() -> dict[Any, str]:
    return {from_dtype(known): name for name, known in records().items()}


def spell(given: Any) -> str:
    """Return a Numba type as it is written in the list."""
    if isinstance(given, types.Record):
        return f"R('{_record_names()[given]}')"
    if isinstance(given, types.Array):
        return f"A({spell(given.dtype)}, {given.ndim}, {given.layout!r}, {given.mutable})"
    if isinstance(given, types.NamedTuple | types.NamedUniTuple):
        made = given.instance_class
        return f"N('{made.__module__}:{made.__qualname__}', [{', '.join(spell(one) for one in given)}])"
    if isinstance(given, types.BaseTuple):
        return f"T([{', '.join(spell(one) for one in given)}])"
    if isinstance(given, types.Number | types.Boolean):
        return str(given)
    raise TypeError(f"no spelling for the type {given!r}")


def listed() -> list[str]:
    """Return the lines of the list."""
    return LISTED.read_text(encoding="utf-8").splitlines()


def read(lines: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Return for each kernel the signatures that lines spell."""

    def array(dtype: Any, ndim: int, layout: str, mutable: bool) -> Any:
        return types.Array(dtype, ndim, layout, readonly=not mutable, aligned=True)

    def named(where: str, members: list[Any]) -> Any:
        module, _, name = where.partition(":")
        made = getattr(importlib.import_module(module), name)
        alike = len(set(members)) == 1
        return types.NamedUniTuple(members[0], len(members), made) if alike else types.NamedTuple(members, made)

    scope: dict[str, Any] = {name: getattr(types, name) for name in NUMBERS}
    scope |= {"A": array, "N": named, "T": types.Tuple, "bool": types.boolean}
    scope["R"] = {name: from_dtype(dtype) for name, dtype in records().items()}.__getitem__
    found: dict[str, list[tuple[Any, ...]]] = {}
    for line in lines:
        name, _, spelled = line.partition(" ")
        found.setdefault(name, []).append(eval(spelled, scope))
    return found
