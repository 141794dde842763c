"""Whether an answer is right, and by how much it is wrong.

In: an `Answer`. Out: a `Row` with plain values, which goes into the JSON of results as it is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom_conformance.registry import Answer, Value

VERDICTS = ("right", "wrong", "crashed", "not offered")
"""An engine that does not end in time, or needs too much memory, has crashed as well; the note of its row says how."""


class Row(NamedTuple):
    """The verdict on one scene."""

    verdict: str
    measured: Value = None
    expected: Value = None
    off: float | None = None
    """By how much a number differs from the right one; None if it is no number."""
    within: float = 0.0
    reason: str = ""
    note: str = ""
    seconds: float = 0.0


def judge(answer: Answer) -> Row:
    """Return the verdict on an answer."""
    off = difference(answer.measured, answer.expected)
    if off is None:
        right = type(answer.measured) is type(answer.expected) and answer.measured == answer.expected
    else:
        right = off <= answer.within
    shown = None if off is None or not math.isfinite(off) else off
    kept = (plain(answer.measured), plain(answer.expected), shown, answer.within, answer.reason)
    return Row("right" if right else "wrong", *kept)


def difference(measured: Value, expected: Value) -> float | None:
    """Return the largest difference of two numbers or of two tuples of numbers; None for anything else."""
    if is_number(measured) and is_number(expected):
        return _apart(float(measured), float(expected))  # type: ignore[arg-type]
    if isinstance(measured, tuple) and isinstance(expected, tuple) and len(measured) == len(expected):
        return max((_apart(float(a), float(b)) for a, b in zip(measured, expected, strict=True)), default=0.0)
    return None


def is_number(value: Value) -> bool:
    """Return whether a value is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain(value: Value) -> Value:
    """Return a value that JSON can hold: a number that is not finite becomes text."""
    if isinstance(value, tuple):
        return tuple(plain(one) for one in value)  # type: ignore[misc]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _apart(a: float, b: float) -> float:
    if a == b:
        return 0.0
    return abs(a - b) if math.isfinite(a) and math.isfinite(b) else math.inf
