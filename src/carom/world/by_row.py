"""The bodies of a world by row: handles, positions and velocities as columns, who is inside which sensor.

In: rows, or handles, which have to be of this world. Out: handles, or arrays with a row for each body.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.types import Floats, Integers
from carom.tolerances import OVERLAP_SIZE
from carom.world import tables as at
from carom.world.body import Body
from carom.world.handling import WorldHandling
from carom.world.overlaps import WorldOverlaps, measured, pairs_near, rows_of
from carom.world.update import bring_body


class WorldByRow(WorldHandling):
    """A world whose bodies stand in rows."""

    @property
    def bodies(self) -> list[Body]:
        """All bodies, by row."""
        return [self._body(row) for row in self._live().tolist()]

    def __len__(self) -> int:
        return int(self._live().size)

    def __contains__(self, body: object) -> bool:
        return isinstance(body, Body) and body._world is self and not body.removed

    def body(self, row: int) -> Body:
        """Return the body of a row."""
        count = int(self._tables.state["bodies"][0])
        number = inputs.integer("World.body", "row", row)
        if not 0 <= number < count or self._tables.bodies["kind"][number] == at.GONE:
            inputs.refuse(ValueError, "World.body", "row", row, "has no body")
        return self._body(number)

    def rows(self, bodies: Iterable[Body] | None = None) -> Integers:
        """Return the rows of bodies in `positions`, `velocities` and hits; of all bodies if none are given.

        A body keeps its row as long as it is in the world; rows of removed bodies are given to later ones.
        """
        if bodies is None:
            return self._live()
        return np.array(self._own_all("World.rows", "bodies", bodies), dtype=np.int64)

    @property
    def positions(self) -> Floats:
        """Where the bodies are, by row: a live view, (n, 2), read-only; NaN in rows without a body.

        It follows the world with each step; within a step ask anew at each pause. Copy it to keep it.
        """
        self._refresh()
        self._shown = True
        return _read_only(self._positions)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, by row: a live view, (n, 2), read-only. Assign an array (n, 2) to set them all."""
        self._refresh()
        self._shown = True
        return _read_only(self._velocities)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        table = inputs.table("World.velocities", "velocities", velocities, 2, count)
        self._refresh()
        changed = (table != self._velocities).any(axis=1) & (self._tables.bodies["kind"][:count] != at.GONE)
        static = changed & (self._tables.bodies["kind"][:count] == at.STATIC)
        if static.any():
            row = int(static.argmax())
            inputs.refuse(ValueError, "World.velocities", f"velocities[{row}]", table[row], "is of a static body")
        rows = np.flatnonzero(changed)
        if rows.size:
            self._set_velocities(rows, table[rows])

    def inside(self, sensor: Body) -> list[Body]:
        """Return the bodies that have entered a sensor and not left it, by row."""
        row = self._own("World.inside", "sensor", sensor)
        w = self._tables
        if not w.bodies["sensor"][row]:
            inputs.refuse(ValueError, "World.inside", "sensor", sensor, "is no sensor")
        keys = w.inside[w.inside >= 0]
        a, b = w.parts["body"][keys >> 31], w.parts["body"][keys & 0x7FFFFFFF]
        others = np.unique(np.concatenate((b[a == row], a[b == row])))
        return [self._body(other) for other in others.tolist()]

    def overlaps(self) -> WorldOverlaps:
        """Return the pairs of bodies that would meet but are in each other now, by more than rounding.

        Only bodies that were put into each other ever are. Pairs with a one-way body do not count.
        """
        store, rows = self._store, self._live().tolist()
        if self.unfinished:
            store = store.copy()  # reading must not change how ways are rounded
            for row in rows:
                bring_body(store.tables, row)
        return rows_of(*measured(store, pairs_near(store, rows, False), OVERLAP_SIZE))

    def _own(self, where: str, name: str, body: Any) -> int:
        if not isinstance(body, Body):
            inputs.refuse(TypeError, where, name, body, f"must be a Body, not {type(body).__name__}")
        if body._world is not self:
            inputs.refuse(ValueError, where, name, body, "is of another world")
        if body.removed:
            inputs.refuse(ValueError, where, name, body, "is no longer in its world")
        return body._row

    def _own_all(self, where: str, name: str, bodies: Any) -> list[int]:
        given = inputs.listed(where, name, bodies, "bodies in a list")
        return [self._own(where, f"{name}[{k}]", body) for k, body in enumerate(given)]


def _read_only(array: Floats) -> NDArray[np.float64]:
    view = array.view()
    view.flags.writeable = False
    return view
