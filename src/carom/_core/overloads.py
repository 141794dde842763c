"""The types that `help` shows of a function with overloads.

In: the function, whose own annotations say Any, as its body looks at what it was given. Out: the same function with the
annotations of all its overloads together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_overloads

Function = TypeVar("Function", bound=Callable[..., Any])


def typed_by_overloads(function: Function) -> Function:
    """Give an overloaded function the types of its overloads, as texts joined by ``|``."""
    told: dict[str, dict[str, None]] = {}
    for one in get_overloads(function):
        for name, kinds in one.__annotations__.items():
            told.setdefault(name, {}).update(dict.fromkeys(kinds.split(" | ")))
    function.__annotations__ |= {name: " | ".join(kinds) for name, kinds in told.items() if name != "options"}
    return function
