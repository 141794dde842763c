"""What each row of an index is as a value: the shapes that `Index.shapes` gives back.

In: sets of shapes, first all, then some for some rows. Out: the present shapes of any rows. Kept as the sets that came
in, and for each row which of them holds it; put together only when asked for, or when too much has become stale.
"""

from __future__ import annotations

import numpy as np

from carom._core.types import Integers
from carom.shapes.basic import Shape
from carom.shapes.set import Shapes

STALE = 4
"""So many times as many rows as are in use may be kept before they are put together."""

LEAST_STALE = 10_000


class RowValues:
    """The present shape of every row that ever was."""

    def __init__(self, shapes: Shapes) -> None:
        self._sets = [shapes]
        self._place = np.arange(len(shapes))
        self._kept = len(shapes)

    def of(self, rows: Integers) -> Shapes:
        """Return the shapes of some rows."""
        if len(self._sets) > 1:
            self._put_together()
        shapes = self._sets[0]
        return shapes if rows.size == len(shapes) else shapes[rows]

    def of_row(self, row: int) -> Shape:
        """Return the shape of one row."""
        place = self._place.item(row)
        for shapes in self._sets:
            if place < len(shapes):
                return shapes[place]
            place -= len(shapes)
        raise IndexError(row)

    def replace(self, rows: Integers, shapes: Shapes) -> None:
        """Give rows other shapes; row numbers one beyond the last are new rows."""
        new = rows[rows >= self._place.size]
        self._place = np.append(self._place, np.zeros(new.size, dtype=np.int64))
        self._place[rows] = self._kept + np.arange(rows.size)
        self._sets.append(shapes)
        self._kept += rows.size
        if self._kept > STALE * self._place.size + LEAST_STALE:
            self._put_together()

    def _put_together(self) -> None:
        self._sets = [Shapes.concatenate(self._sets)[self._place]]
        self._place = np.arange(self._place.size)
        self._kept = self._place.size
