"""Which copies a user chooses: a mask, numbers, a slice, one number, or all.

In: what was passed. Out: the numbers of copies, or an error that names the wrong item.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Integers


def chosen(where: str, name: str, value: Any, count: int) -> Integers:
    """Return the numbers of the chosen ones of so many copies, in the order in which they are given."""
    if value is None:
        return np.arange(count)
    if isinstance(value, slice):
        return np.arange(count)[value]
    if isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_):
        value = [value]
    given = value if isinstance(value, np.ndarray) else _array(where, name, value, count)
    if given.dtype == np.bool_:
        if given.shape != (count,):
            raise ValueError(f"{where}: {name} has shape {given.shape}; a mask of copies must be ({count},)")
        return np.flatnonzero(given)
    if given.size == 0:
        return np.zeros(0, np.int64)
    numbers = inputs.whole_numbers(where, name, given)
    if numbers.ndim != 1:
        raise ValueError(f"{where}: {name} has shape {numbers.shape}; numbers of copies must be (m,)")
    for place in np.flatnonzero((numbers < 0) | (numbers >= count))[:1].tolist():
        inputs.refuse(ValueError, where, f"{name}[{place}]", numbers.item(place), f"must be from 0 to {count - 1}")
    if len(np.unique(numbers)) != len(numbers):
        inputs.refuse(ValueError, where, name, value, "must name each copy once")
    return numbers


def _array(where: str, name: str, value: Any, count: int) -> Any:
    """Return a mask or numbers in a list as an array."""
    items = inputs.listed(where, name, value, "a mask, or numbers of copies")
    truths = [isinstance(one, bool | np.bool_) for one in items]
    if any(truths) and not all(truths):
        k = truths.index(not truths[0])
        inputs.refuse(TypeError, where, f"{name}[{k}]", items[k], "must be like those before: a mask, or numbers")
    if not any(truths):
        return np.array(inputs.whole_numbers(where, name, items))
    if len(items) != count:
        raise ValueError(f"{where}: {name} has {len(items)} entries; there are {count} copies")
    return np.array([inputs.truth(where, f"{name}[{k}]", one) for k, one in enumerate(items)])
