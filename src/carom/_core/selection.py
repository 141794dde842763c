"""Columns put in order: the least so many in front of the rest, for trees that split at medians; and all, for kernels.

In: keys, and what goes along with them. Out: the same in another order, or the order. Any units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers

RUN = 16
"""So many entries are put in order by insertion."""


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


@inner
def _goes_behind(keys: Floats | Integers, ties: Floats | Integers, one: int, other: int) -> bool:
    """Tell whether an entry that stands in front of another has to go behind it."""
    return bool(keys[other] < keys[one] or (keys[other] == keys[one] and ties[other] < ties[one]))


@kernel
def order_by_two(keys: Floats | Integers, ties: Floats | Integers, order: Integers) -> None:
    """Write the places of the keys in ascending order, equal ones in that of `ties`, then of places (merge sort)."""
    # NumPy's own sorts ask Numba for lists, which prebuilt kernels do without.
    count, width = order.shape[0], RUN
    for begin in range(0, count, RUN):
        for k in range(begin, min(begin + RUN, count)):
            place = k
            while place > begin and _goes_behind(keys, ties, order[place - 1], k):
                order[place] = order[place - 1]
                place -= 1
            order[place] = k
    other = np.empty(count if count > RUN else 0, dtype=np.int64)
    while width < count:
        for begin in range(0, count, 2 * width):
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            i, j = begin, middle
            for k in range(begin, end):
                if i < middle and (j >= end or not _goes_behind(keys, ties, order[i], order[j])):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        for k in range(count):
            order[k] = other[k]
        width *= 2


@kernel
def order_by(keys: Floats | Integers, order: Integers) -> None:
    """Write the places of the keys in ascending order, those of equal keys ascending, too."""
    order_by_two(keys, keys, order)
