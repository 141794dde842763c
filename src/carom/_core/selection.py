"""Columns put in order: the least so many in front of the rest, for trees that split at medians; and all, for kernels.

In: keys, and what goes along with them. Out: the same in another order, or the order. Any units.
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


@inner
def comes_before(keys: Floats | Integers, one: int, other: int) -> bool:
    """Tell whether a key comes before another, of equal ones the first."""
    return bool(keys[one] < keys[other] or (keys[one] == keys[other] and one < other))


@inner
def _sink(keys: Floats | Integers, order: Integers, place: int, count: int) -> None:
    """Let an entry of a heap, the greatest of which is on top, sink to its place."""
    while True:
        child = 2 * place + 1
        if child >= count:
            return
        if child + 1 < count and comes_before(keys, order[child], order[child + 1]):
            child += 1
        if not comes_before(keys, order[place], order[child]):
            return
        order[place], order[child] = order[child], order[place]
        place = child


@kernel
def order_by(keys: Floats | Integers, order: Integers) -> None:
    """Write the places of the keys in ascending order, those of equal keys ascending, too (J. Williams' heap sort)."""
    # NumPy's own sorts ask Numba for lists, which prebuilt kernels do without.
    count = order.shape[0]
    for k in range(count):
        order[k] = k
    for begin in range(count // 2 - 1, -1, -1):
        _sink(keys, order, begin, count)
    for last in range(count - 1, 0, -1):
        order[0], order[last] = order[last], order[0]
        _sink(keys, order, 0, last)
