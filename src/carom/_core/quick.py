"""The small work of every single call, in C where prebuilt kernels are at work: named tuples made, plain pairs read.

In: the extension, if it is there. Out: `new`, and `built`, which puts a function of the extension in the place of the
Python function of the same meaning: `plain_pairs`, `point`, `plain_table`. They take a tenth to a half of the time, and
tests hold them to the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from carom import vector
from carom._core.jit import prebuilt

Function = TypeVar("Function", bound=Callable[..., Any])


def built(function: Function) -> Function:
    """Put the extension's function of the same name in the place of a Python function, if there is an extension."""
    found: Function = getattr(prebuilt.extension, function.__name__, function)
    return found


def readers(pair: type, most: float, careful: Callable[..., Any]) -> None:
    """Tell the extension's readers which tuples are pairs too, how large a number may be, and who looks with care."""
    if prebuilt.extension is not None:
        prebuilt.extension.readers(pair, most, careful)


new = vector.new if prebuilt.extension is None else prebuilt.extension.new
"""Make a named tuple of a type and its values, which nobody checks: `tuple.__new__`, in C or as it is."""
