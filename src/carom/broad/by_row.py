"""A column of whole numbers by row number, in which rows that went take no room.

In: values by row, more rows, and which rows are still in use. Out: the value of any row; -1 of one that went. As long
as no row was dropped the column is an array; then it has the numbers of the rows that it keeps, ascending, beside it.
"""

from __future__ import annotations

import numpy as np

from carom._core.types import Integers

GONE = -1


class ByRow:
    """Whole numbers by row number."""

    __slots__ = ("_rows", "_values", "size")

    def __init__(self, values: Integers, rows: Integers | None = None, size: int | None = None) -> None:
        self._values, self._rows = values, rows
        self.size = values.size if size is None else size
        """How many row numbers were ever given."""

    @property
    def kept(self) -> int:
        """How many rows have a value here."""
        return self._values.size

    @property
    def values(self) -> Integers:
        """The values that are kept, in the order of their rows."""
        return self._values

    def __getitem__(self, rows: Integers) -> Integers:
        """Return the values of rows; -1 of those that were dropped."""
        if self._rows is None or not self._rows.size:
            return self._values[rows] if self._rows is None else np.full(np.shape(rows), GONE)
        at = np.minimum(np.searchsorted(self._rows, rows), self._rows.size - 1)
        found: Integers = np.where(self._rows[at] == rows, self._values[at], GONE)
        return found

    def __setitem__(self, rows: Integers, values: Integers | int) -> None:
        """Set the values of rows that are kept."""
        self._values[rows if self._rows is None else np.searchsorted(self._rows, rows)] = values

    def append(self, values: Integers) -> None:
        """Take in more rows, whose numbers follow all that were given."""
        if self._rows is not None:
            self._rows = np.append(self._rows, np.arange(self.size, self.size + values.size))
        self._values = np.append(self._values, values)
        self.size += values.size

    def keep(self, rows: Integers) -> None:
        """Drop all rows but these, which are ascending."""
        self._values, self._rows = self[rows], rows

    def where(self, chosen: Integers) -> Integers:
        """Return the rows at some places among those that are kept."""
        return chosen if self._rows is None else self._rows[chosen]

    def renumbered(self) -> ByRow:
        """Return a column of the same rows that counts them."""
        return ByRow(np.arange(self.kept), self._rows, self.size)
