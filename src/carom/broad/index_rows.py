"""The rows of an index: shapes that may change, come and go, under numbers that stay valid.

In: shapes with their layers, later others in place of some, more, fewer; row numbers as the user passes them. Out: the
slots that the searches read, and the present shapes. What is refused changes nothing. User's frame and units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.types import Integers
from carom.broad.find_pairs import ALL
from carom.broad.index_arguments import as_set, listed_shapes, shapes_of
from carom.broad.tree_slots import RowValues, Slots
from carom.shapes.set import Shapes

METHODS = ("auto", "tree", "grid")


class IndexRows:
    """Rows that are asked and changed by number; see `Index`."""

    def __init__(self, shapes: Any = (), *, layer: Any = 1, mask: Any = ALL, method: Any = "auto") -> None:
        if not isinstance(method, str) or method not in METHODS:
            inputs.refuse(ValueError, "Index", "method", method, f"must be one of {', '.join(map(repr, METHODS))}")
        rows = shapes if isinstance(shapes, Shapes) else listed_shapes("Index", "shapes", shapes)
        layers, masks = inputs.bits("Index", "layer", layer, len(rows)), inputs.bits("Index", "mask", mask, len(rows))
        self._slots = Slots(rows._buffer, rows._starts, layers, method)
        self._masks = masks
        self._values = RowValues(rows)

    def __len__(self) -> int:
        """Return how many rows are in use."""
        return self._slots.live

    @property
    def rows(self) -> Integers:
        """The row numbers in use, ascending."""
        return self._slots.rows

    @property
    def shapes(self) -> Shapes:
        """The present shapes of `rows`, in that order."""
        return self._values.of(self.rows)

    def update(self, rows: Any, shapes: Any) -> None:
        """Give rows other shapes.

        Parameters
        ----------
        rows : int or (n,) integers
            Row numbers in use, each once.
        shapes : a shape, Shapes, or an iterable of shapes
            One for each row, or one for all.

        Raises
        ------
        TypeError
            If `rows` are no whole numbers, or `shapes` is no shape.
        ValueError
            If a row was removed or never was, is named twice, or the numbers differ. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (5, 0)], 1))
        >>> index.update(0, cm.Circle((9, 0), 1))
        >>> index.query(cm.Point((9, 0)))
        array([0])
        """
        where = "Index.update"
        numbers = self._in_use(where, rows)
        values = as_set(shapes_of(where, "shapes", shapes))
        if len(values) != numbers.size:
            if len(values) != 1:
                wrong = f"{where}: shapes has {len(values)} rows and rows has {numbers.size}"
                raise ValueError(f"{wrong}; give one shape for each row, or one for all")
            values = values[np.zeros(numbers.size, dtype=np.int64)]
        self._slots.replace(numbers, values._buffer, values._starts)
        self._values.replace(numbers, values)

    def insert(self, shapes: Any, *, layer: Any = 1, mask: Any = ALL) -> Integers:
        """Take in more shapes, and return their row numbers.

        Parameters
        ----------
        shapes : a shape, Shapes, or an iterable of shapes
            Of a Compound in an iterable each part becomes a row.
        layer, mask : int or (n,) integers
            As for `Index`.

        Returns
        -------
        (n,) int64
            Numbers that no row ever had, ascending.

        Raises
        ------
        TypeError
            If `shapes` is no shape.
        ValueError
            If a column has the wrong length. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index([cm.Circle((0, 0), 1)])
        >>> index.insert(cm.Shapes.circles([(4, 0), (8, 0)], 1))
        array([1, 2])
        """
        where = "Index.insert"
        values = as_set(shapes_of(where, "shapes", shapes, parts=True))
        layers = inputs.bits(where, "layer", layer, len(values))
        masks = inputs.bits(where, "mask", mask, len(values))
        rows = self._slots.append(values._buffer, values._starts, layers)
        self._masks = np.append(self._masks, masks)
        self._values.replace(rows, values)
        return rows

    def remove(self, rows: Any) -> None:
        """Take rows out; their numbers are not given again.

        Parameters
        ----------
        rows : int or (n,) integers
            Row numbers in use, each once.

        Raises
        ------
        TypeError
            If `rows` are no whole numbers.
        ValueError
            If a row was removed before or never was, or is named twice. Nothing is changed then.

        Examples
        --------
        >>> index = cm.Index(cm.Shapes.circles([(0, 0), (5, 0)], 1))
        >>> index.remove(0)
        >>> len(index), index.rows
        (1, array([1]))
        """
        self._slots.take_out(self._in_use("Index.remove", rows))

    # From what the user passes to checked arrays

    def _in_use(self, where: str, rows: Any) -> Integers:
        """Return row numbers, each in use and named once."""
        given = inputs.whole_numbers(where, "rows", rows)
        if given.ndim > 1:
            raise ValueError(f"{where}: rows has shape {given.shape}; it must be one number or (n,)")
        self._check_known(where, "rows", given, least=0)
        numbers = np.atleast_1d(given)
        gone = self._slots.slot_of[numbers] < 0
        if gone.any():
            k = int(gone.argmax())
            expected = "was removed; row numbers are not given again: insert the shape, and keep the number it gets"
            inputs.refuse(ValueError, where, f"rows[{k}]" if given.ndim else "rows", numbers.item(k), expected)
        named = np.zeros(self._slots.slot_of.size, dtype=np.bool_)
        named[numbers] = True
        if np.count_nonzero(named) < numbers.size:
            values, counts = np.unique(numbers, return_counts=True)
            inputs.refuse(ValueError, where, "rows", rows, f"names row {values[counts.argmax()]} more than once")
        return numbers

    def _check_known(self, where: str, name: str, numbers: Integers, least: int) -> None:
        count = self._slots.slot_of.size
        bad = (numbers < least) | (numbers >= count)
        if bad.any():
            place = [int(part[0]) for part in bad.nonzero()] if bad.ndim else []
            number, name = numbers[bad].item(0), name + "".join(f"[{k}]" for k in place)
            expected = (
                f"must be a row number from 0 to {count - 1}" if count else "must be empty: there are no rows yet"
            )
            inputs.refuse(ValueError, where, name, number, expected + (", or -1 for none" if least < 0 else ""))

    def _filters(self, where: str, count: int, mask: Any, ignore: Any, single: bool) -> tuple[Integers, Integers]:
        """Return the mask of each query, (n,), and the rows it ignores, (n, k)."""
        masks = inputs.bits(where, "mask", mask, count)
        if ignore is None:
            return masks, np.empty((count, 0), dtype=np.int64)
        ignored = inputs.whole_numbers(where, "ignore", ignore)
        self._check_known(where, "ignore", ignored, least=-1)
        if ignored.ndim == 0:
            return masks, np.full((count, 1), ignored)
        if ignored.ndim == 1 and single:
            return masks, ignored[None]
        if ignored.ndim > 2 or len(ignored) != count:
            wrong = f"{where}: ignore has shape {ignored.shape}; it must be one row number"
            raise ValueError(f"{wrong}, ({count},) or ({count}, k): one row, or as many for each query")
        return masks, np.ascontiguousarray(ignored.reshape(count, -1))
