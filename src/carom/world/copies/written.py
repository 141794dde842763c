"""Arrays that write through: an item that is set in a column of copies is set in the copies.

In: an array of what copies have, and what to do with one that is to take its place. Out: an array whose slices, and
slices of slices, may be written; no written number is ever lost. Everything that is computed from it is a plain
array.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Put = Callable[[NDArray[Any]], None]


class Column(np.ndarray[Any, np.dtype[Any]]):
    """A column of copies; `over` makes it."""

    _put: Put | None = None
    _live = False

    @classmethod
    def over(cls, array: NDArray[Any], put: Put, live: bool = False) -> Self:
        """Return a column over an array; `put` receives what is to take its place.

        A `live` array holds by itself what the copies have; any other is written here.
        """
        column = array.view(cls)
        column.flags.writeable = False
        column._put, column._live = put, live
        return column

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if self._put is None or not isinstance(found, Column):
            return found
        chosen = found.base is None  # by places: with numbers of its own
        found.flags.writeable = False
        found._put, found._live = partial(self.__setitem__, key), self._live and not chosen
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._put is None:
            super().__setitem__(key, value)
            return
        wanted = np.array(self)
        wanted[key] = value
        self._put(wanted)
        if not self._live:
            self.flags.writeable = True
            super().__setitem__(..., wanted)
            self.flags.writeable = False

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def copy(self, order: Any = "C") -> Any:
        """Return a plain array of the same numbers."""
        return np.array(self, order=order)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return self.copy().__reduce__()

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def _changed(self, operation: Callable[[Any, Any], Any], other: Any) -> Self:
        self[...] = operation(np.asarray(self), other)
        return self

    def __iadd__(self, other: Any) -> Self:  # type: ignore[misc]
        return self._changed(operator.add, other)

    def __isub__(self, other: Any) -> Self:  # type: ignore[misc, override]
        return self._changed(operator.sub, other)

    def __imul__(self, other: Any) -> Self:  # type: ignore[misc]
        return self._changed(operator.mul, other)

    def __itruediv__(self, other: Any) -> Self:  # type: ignore[misc, override]
        return self._changed(operator.truediv, other)
