"""The parameters and types that `help` shows of a function with overloads.

In: the function, whose own annotations say Any, as its body looks at what it was given. Out: the same function with the
annotations of all its overloads together.
"""

from __future__ import annotations

import inspect
from typing import Any, TypeVar, get_overloads

Function = TypeVar("Function", bound=Any)


def typed_by_overloads(function: Function) -> Function:
    """Give an overloaded function the parameters of its overloads, and their types as texts joined by ``|``."""
    told: dict[str, dict[str, None]] = {}
    for one in get_overloads(function):
        for name, kinds in one.__annotations__.items():
            told.setdefault(name, {}).update(dict.fromkeys(kinds.split(" | ")))
    types = {name: " | ".join(kinds) for name, kinds in told.items() if name != "options"}
    function.__annotations__ |= types
    shown = inspect.signature(function)
    if "options" in shown.parameters:  # in a hurry, it does not name them itself
        shown = inspect.signature(get_overloads(function)[-1])
    parameters = [one.replace(annotation=types.get(one.name, one.annotation)) for one in shown.parameters.values()]
    function.__signature__ = shown.replace(parameters=parameters, return_annotation=types["return"])
    return function
