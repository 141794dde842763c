"""The least so many of a part of a column, in front of the rest: Hoare's selection, for trees that split at medians.

In: keys with two more columns and row numbers that go along. Out: all four in another order. Any units.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers


@inner
def _exchange(values: Floats, i: int, j: int) -> None:
    values[i], values[j] = values[j], values[i]


@kernel
def select(keys: Floats, others: Floats, thirds: Floats, order: Integers, begin: int, end: int, place: int) -> None:
    """Move the least keys in front of `place`, the rest behind, all else with them (Hoare's selection)."""
    low, high = begin, end - 1
    while low < high:
        a, b, c = keys[low], keys[low + (high - low) // 2], keys[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                _exchange(keys, i, j)
                _exchange(others, i, j)
                _exchange(thirds, i, j)
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return
