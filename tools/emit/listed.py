"""Which lines of `signatures.txt` cannot be emitted, found in seconds and without compiling.

In: the lines. Out: a sentence for each that is unfit: its kernel is not there, or its package is not installed; it
takes what `words.py` cannot spell; it returns, by its annotation, what cannot be made of words, such as an array.
A kernel that Python calls writes arrays into those that it is given.
"""

from __future__ import annotations

import importlib
import typing
from collections.abc import Iterator
from types import NoneType
from typing import Any

from tools.emit.words import table

ANSWERS = (NoneType, bool, int, float)


def unfit(lines: list[str], package: str = "carom") -> list[str]:
    """Return a sentence for each line that cannot be emitted, in order."""
    read = importlib.import_module(f"{package}._core.jit.signatures").read
    return [f"{line.partition(' ')[0]}: {fault}" for line in lines for fault in _faults(line, read)]


def _faults(line: str, read: Any) -> Iterator[str]:
    name = line.partition(" ")[0]
    module, _, function = name.rpartition(".")
    try:
        found = vars(importlib.import_module(module)).values()
    except ImportError as missing:
        yield f"cannot be imported: {missing}"
        return
    kernels = [one.py_func for one in found if hasattr(one, "lent") and one.py_func.__qualname__ == function]
    if not kernels:
        yield f"{module} has no such kernel"
        return
    try:
        for given in read([line])[name]:
            dtypes: list[str] = []
            for one in given:
                table(one, dtypes)
    except (AttributeError, ImportError, KeyError, NotImplementedError) as error:
        yield f"takes what has no spelling in words: {error!r}"
    answer = typing.get_type_hints(kernels[0]).get("return", NoneType)
    if not _is_answer(answer):
        yield f"returns {answer}, which cannot be made of words: write into an array that is given"


def _is_answer(hint: Any) -> bool:
    if typing.get_origin(hint) is tuple:
        return all(_is_answer(one) for one in typing.get_args(hint))
    return hint in ANSWERS
