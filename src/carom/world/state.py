"""The state of a world as a whole: held in a `Store`, copied, kept for later, pickled, told by a digest.

In: a world's store. Out: the base that the other files about `World` build on. What changes the world says so with
`_changed`, and with `_record` if it is to be replayed.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from carom._core import inputs
from carom._core.types import Floats, Integers
from carom.world import tables as at
from carom.world.digest import digest_of
from carom.world.store import Store
from carom.world.update import read_all, read_movers, wake_what_rests_on


class WorldSnapshot:
    """The state of a world at one time, made by `World.snapshot`."""

    __slots__ = ("_store",)

    def __init__(self, store: Store) -> None:
        self._store = store


class WorldState:
    """What holds for a world as a whole."""

    def __init__(self) -> None:
        self._store = Store()
        self._begin()

    def _begin(self) -> None:
        self._positions: Floats = np.zeros((0, 2))
        self._velocities: Floats = np.zeros((0, 2))
        self._loop: object | None = None  # stands for the loop over events that is under way
        self._log: list[tuple[Any, ...]] | None = None  # of a Recording
        self._fresh = False  # whether they are up to date
        self._complete = False  # whether only bodies that steps move may have left them since
        self._shown = False  # whether anyone may hold a view of them

    @property
    def _tables(self) -> at.Tables:
        return self._store.tables

    @property
    def _data(self) -> list[Any]:
        return self._store.data

    def digest(self) -> int:
        """Return 64 bits that stand for the whole state: equal worlds have equal digests, on any machine alike."""
        return digest_of(self._tables, self._live(), self._store.exits, self.unfinished)

    def snapshot(self) -> WorldSnapshot:
        """Return the whole state, to go back to with `restore`. Shapes and data are shared, not copied."""
        self._refuse_within("World.snapshot")
        return WorldSnapshot(self._store.copy())

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot of this or another world; from there the world continues bit for bit.

        Handles of bodies that were in the world then are valid again; those of bodies added since say that they are
        removed.
        """
        self._refuse_within("World.restore")
        if not isinstance(snapshot, WorldSnapshot):
            inputs.refuse(TypeError, "World.restore", "snapshot", snapshot, "must come from World.snapshot")
        given = self._store.next_serial
        self._store = snapshot._store.copy()
        # Numbers given since then must not be given again: handles of bodies that are no longer there hold them.
        self._store.next_serial = max(given, self._store.next_serial)
        self._fresh = False
        self._complete = False
        self._refresh()
        self._record("restore", snapshot)

    def copy(self) -> Self:
        """Return a world of its own with the same state, which continues bit for bit."""
        self._refuse_within("World.copy")
        other = type(self).__new__(type(self))
        other._store = self._store.copy()
        other._begin()
        return other

    def _refuse_within(self, where: str) -> None:
        if self._loop is not None:
            remedy = "finish the loop over World.events first, or call World.resume or World.abandon"
            raise RuntimeError(f"{where}: a step is under way; {remedy}")

    def __copy__(self) -> Self:
        return self.copy()

    def __getstate__(self) -> Store:
        self._refuse_within("World")
        return self._store

    def __setstate__(self, store: Store) -> None:
        self._store = store
        self._begin()

    @property
    def unfinished(self) -> bool:
        """Whether a step was left at an instant within it: `resume` or `abandon` it; the next step resumes it first."""
        return bool(self._tables.state["phase"][0] != at.BETWEEN)

    def _live(self) -> Integers:
        count = int(self._tables.state["bodies"][0])
        return np.flatnonzero(self._tables.bodies["kind"][:count] != at.GONE)

    def _record(self, name: str, *given: Any) -> None:
        """Keep what was done, if a Recording asked for it."""
        if self._log is not None:
            self._log.append((name, *given))

    def _changed(self) -> None:
        """Have everything predicted anew, if a step is under way, and nothing taken as at rest."""
        self._fresh = False
        self._complete = False
        state = self._tables.state
        state["still"] = 0
        if state["phase"][0] != at.BETWEEN:
            state["phase"] = at.CHANGED

    def _wake_on(self, rows: Any) -> None:
        """Give what rests on or beside bodies in some rows, or in one, its acceleration back, before they change."""
        changing = np.zeros(len(self._tables.bodies), dtype=np.bool_)
        changing[rows] = True
        wake_what_rests_on(self._tables, changing, np.zeros_like(changing))

    def _refresh(self) -> None:
        count = int(self._tables.state["bodies"][0])
        if self._fresh and len(self._positions) == count:
            return
        if len(self._positions) != count:
            self._positions, self._velocities = np.empty((count, 2)), np.empty((count, 2))
            self._complete = False
        if self._complete:
            read_movers(self._tables, self._positions, self._velocities)
        else:
            read_all(self._tables, 0, count, self._positions, self._velocities)
        self._complete = True
        self._fresh = not self.unfinished
