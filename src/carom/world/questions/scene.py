"""The scene of a question: a world at one instant, or copies of one, with all that an answer needs.

In: the tables of a world or of its copies. Out: what kernels read, the copy as the first axis, and the bodies of
several parts as whole shapes, which the verbs for pairs ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Integers
from carom.world.questions.walk import View, Views


class Scene(NamedTuple):
    """A world, or copies of one, as they are asked."""

    views: Views
    """The copy as the first axis, of length 1 for a world."""
    each: int
    """How many queries each copy is asked: the first copy the first ones, and so on."""
    room: int
    """Numbers that the record of a part has at most."""
    sensors: bool
    """Whether sensors are seen."""
    whole: Callable[[int, int], Any]
    """Return the shape of a body where it is now, from the number of the copy and the row."""

    def groups(self, queries: Integers) -> Iterator[tuple[Scene, Integers]]:
        """Yield for each copy that is asked some of these queries a scene of it alone, and them."""
        for k in np.unique(queries // self.each).tolist():
            views = View._make(table[k : k + 1] for table in self.views)
            if len(self.views.models) == 1:
                views = views._replace(models=self.views.models)
            alone = Scene(views, np.iinfo(np.int64).max, self.room, self.sensors, _of_copy(self.whole, k))
            yield alone, queries[queries // self.each == k]

    def view(self) -> View:
        """Return what kernels read of the only world there is."""
        return View._make(table[0] for table in self.views)


def scene_of(view: View, room: int, sensors: bool, whole: Callable[[int], Any]) -> Scene:
    """Return a world as a scene."""

    def of_row(_: int, row: int) -> Any:
        return whole(row)

    return Scene(View._make(table[None] for table in view), np.iinfo(np.int64).max, room, sensors, of_row)


def _of_copy(whole: Callable[[int, int], Any], k: int) -> Callable[[int, int], Any]:
    def of_row(_: int, row: int) -> Any:
        return whole(k, row)

    return of_row
