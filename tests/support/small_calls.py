"""The functions that exist in C and in Python, and one table of right and odd calls, to be answered alike by both.

In: a function and calls. Out: a line for each: the answer with its types, to the last bit, or that it is refused. Run
as a program it prints the lines of this install, so that prebuilt kernels can be compared with CAROM_KERNELS=plain.
"""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from carom._core import inputs, quick, shape_inputs
from carom.tolerances import LARGEST
from carom.vector import Vec

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "new": quick.new,
    "plain_pairs": inputs.plain_pairs,
    "plain_table": shape_inputs.plain_table,
    "point": inputs.point,
}


class Float(float):
    """A float of a user's own type."""


class Pair(tuple):  # type: ignore[type-arg]
    """A tuple of a user's own type."""


class Row(collections.namedtuple("Row", "a b")):
    """A named tuple of a user's own type, with a `__dict__`."""


class Wrong:
    """A list that fails while it is read."""

    def __iter__(self) -> Any:
        raise ValueError("no items")


NUMBERS = [0.0, -0.0, 1, 1.5, True, None, "1", 1j, 10**400, -(2**60), LARGEST, 2.0 * LARGEST, math.inf, math.nan]
NUMBERS += [5e-324, Float(0.5), np.float64(0.5), np.float32(0.1), np.int64(3), np.array(2.0)]
LISTS = [
    (1.0, 2.0),
    [1, 2.5],
    Vec(1.0, -0.0),
    Pair((1.0, 2.0)),
    Row(1.0, 2.0),
    (),
    [],
    (1.0,),
    (1.0, 2.0, 3.0),
    "xy",
    b"xy",
]
LISTS += [
    {1.0: 2.0, 3.0: 4.0},
    {1.0, 2.0},
    np.array([1.0, 2.0]),
    np.array([[1.0, 2.0]]),
    range(2),
    None,
    3,
    Wrong(),
    Vec,
]
LISTS += [(x, y) for x, y in itertools.product(NUMBERS, (2.0, 3))] + [[7.0, x] for x in NUMBERS]
TYPES = [tuple, Vec, Pair, Row, list, int, object, 1, None, Vec(1.0, 2.0)]

CALLS: dict[str, list[tuple[Any, ...]]] = {
    "new": [(), (Vec,), (Vec, (1, 2), 3), *itertools.product(TYPES, LISTS)],
    "plain_pairs": [
        (),
        (LISTS[0],),
        (LISTS[0],) * 3,
        *itertools.product(LISTS, LISTS[:4]),
        *itertools.product(LISTS[:4], LISTS),
    ],
    "plain_table": [(), ((), ()), *((one,) for one in LISTS), *(([one],) for one in LISTS)]
    + [((LISTS[0], one),) for one in LISTS]
    + [(np.ones((2, 2)),), (Pair(((1.0, 2.0),)),), (Vec((0.0, 1.0), (2.0, 3.0)),)],  # type: ignore[arg-type]
    "point": [(), ("f", "p"), ("f", "p", (1, 2), 3), *(("f", "p", one) for one in [*LISTS, *NUMBERS])],
}


def told(answer: Any) -> str:
    """Return an answer with its types, to the last bit."""
    if isinstance(answer, np.ndarray):
        return f"array {answer.dtype} {answer.shape} {answer.tobytes().hex()}"
    if isinstance(answer, tuple):
        return f"{type(answer).__name__}({', '.join(map(told, answer))})"
    return f"{type(answer).__name__} {answer!r}"


def outcome(function: Callable[..., Any], call: tuple[Any, ...]) -> str:
    """Return what a call answers, or the type of the error with which it is refused."""
    try:
        return f"answers {told(function(*call))}"
    except (TypeError, ValueError) as error:
        return f"refuses by {type(error).__name__}"


def outcomes(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[str]:
    """Return the outcome of each call, with the place of the call in the table."""
    return [f"{place}: {outcome(function, call)}" for place, call in enumerate(calls)]


if __name__ == "__main__":
    for name, function in FUNCTIONS.items():
        print(*(f"{name} {one}" for one in outcomes(function, CALLS[name])), sep="\n")
