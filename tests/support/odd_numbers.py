"""Numbers and pairs that a quick look takes or leaves: plain, out of range, of other types; and what is said of them.

Strategies for Hypothesis, and `outcome`, which writes an answer to the last bit, or an error with its words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Vec


class Float(float):
    """A float of a user's own type."""


class Int(int):
    """An int of a user's own type."""


class Pair(tuple):  # type: ignore[type-arg]
    """A tuple of a user's own type."""


EDGES = [0.0, -0.0, 1.0, LARGEST, -LARGEST, math.nextafter(LARGEST, math.inf), 2.0 * LARGEST, math.inf, -math.inf]
EDGES += [math.nan, 5e-324, SMALLEST_SIZE, math.nextafter(SMALLEST_SIZE, 0.0), math.pi / 2, -math.pi, 0.1, -0.25]
WHOLE = [0, 1, -3, 2**53 + 1, -(2**60), int(LARGEST), int(LARGEST) + 1, 10**300, 10**400, -(10**400)]
OTHERS = [True, False, None, "1", 1j, Float(0.5), Int(2), Fraction(1, 3), Decimal("0.5"), np.float64(0.5)]
OTHERS += [np.float64("nan"), np.float32(0.1), np.int64(3), np.bool_(True), np.array(2.0), np.array([1.0])]
plain = st.one_of(st.floats(-1e3, 1e3), st.integers(-1000, 1000))
numbers = st.one_of(plain, plain, st.floats(), st.sampled_from(EDGES), st.sampled_from(WHOLE), st.sampled_from(OTHERS))


def pair_of(kind: int, x: Any, y: Any) -> Any:
    """Return two numbers as one of many kinds of pairs, some of which are none."""
    if kind == 5:
        try:
            return np.array([x, y], dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            return np.array([0.5, -0.0])
    makers: list[Callable[[], Any]] = [
        lambda: (x, y),
        lambda: [x, y],
        lambda: tuple.__new__(Vec, (x, y)),
        lambda: Pair((x, y)),
        lambda: (x, y, x),
        lambda: x,
        lambda: {x: y} if x.__hash__ else {},
        lambda: (x,),
        lambda: "xy",
    ]
    return makers[kind if kind < 5 else kind - 1]()


kinds = st.one_of(st.integers(0, 2), st.integers(0, 9))
pairs = st.builds(pair_of, kinds, numbers, numbers)
likely_pairs = st.one_of(st.builds(pair_of, st.integers(0, 2), plain, plain), pairs)


def told(answer: Any) -> str:
    """Return an answer with its types, to the last bit."""
    if isinstance(answer, np.ndarray):
        return f"array {answer.dtype} {answer.shape} {answer.tobytes().hex()}"
    if isinstance(answer, tuple):
        return f"{type(answer).__name__}({', '.join(map(told, answer))})"
    if hasattr(answer, "_record"):
        return f"{type(answer).__name__} {told(answer._record)} {told(answer._detail)}"
    return f"{type(answer).__name__} {answer!r}"


def outcome(ask: Callable[[], Any]) -> str:
    """Return what a call answers, or how it refuses."""
    try:
        return told(ask())
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
