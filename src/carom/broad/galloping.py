"""Where whole numbers that ascend come to some limit, found soonest if that is near: steps that double, then halves.

In: the numbers, the places from which and up to which to look, the limit. Out: a place.
Source: J. L. Bentley, A. C. Yao, "An Almost Optimal Algorithm for Unbounded Searching" (1976).
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Integers, Rows32


@inner
def first_from(values: Integers | Rows32, begin: int, end: int, least: int) -> int:
    """Return the first place from `begin` on whose value is at least so large, soonest if it is near; values ascend."""
    step, low = 1, begin
    while low < end and values[low] < least:
        begin = low + 1
        low += step
        step *= 2
    high = min(low, end)
    while begin < high:
        middle = (begin + high) // 2
        if values[middle] < least:
            begin = middle + 1
        else:
            high = middle
    return begin
