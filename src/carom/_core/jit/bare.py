"""Functions that the bare form of a kernel leaves out: what few callers ask is compiled for those that do.

In: a function, and the answer that stands in its place. Out: the function, marked. Tables that `tables_reader` reads as
bare hand the mark on by their type: a kernel that reads them is compiled without the marked functions that it gives
them to. The caller takes the whole form as soon as anything could reach one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

ANSWER = "answer_where_bare"
"""The attribute of a function that is left out."""


def left_out(answer: Any) -> Callable[[Function], Function]:
    """Mark a function that bare forms leave out, with a number or None as its answer there; `kernel` goes above."""

    def mark(function: Function) -> Function:
        function.__dict__[ANSWER] = answer
        return function

    return mark


def is_left_out(function: Callable[..., Any], given: Iterable[Any]) -> bool:
    """Tell whether a call of a function with arguments of these types is left out."""
    return ANSWER in function.__dict__ and has_bare(given)


def has_bare(given: Iterable[Any]) -> bool:
    """Tell whether one of these types is that of bare tables; what stands in for a function takes all as one tuple."""
    return any(getattr(one, "bare", False) for kind in given for one in getattr(kind, "types", (kind,)))
