"""The stores of many copies of one world, stacked, and their steps: played on together, and taken out one by one.

In: the store of a world between two steps, and how many copies; or the stores of the copies. Out: tables with the copy
as the first axis, what is seen of them, and steps that `drive` drives. Between two steps no copy is ahead of another;
`length` tells whether a step is under way that an exception has left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from carom._core.threads import at_once
from carom._core.types import Booleans, Floats, Integers
from carom.world.addressed import BARE, ROOM_AHEAD, WHOLE
from carom.world.alike import are_as_long, around, have_same_lists, make_as_long, without_waiting
from carom.world.arrivals import open_for
from carom.world.batch import WAITS, addresses_of_copies, play_bare_copies, play_copies, solve_copies
from carom.world.readings import Columns
from carom.world.sensor_exits import tell_exits
from carom.world.stacked import copy_of, joined, put, stacked
from carom.world.step.piles import Piles
from carom.world.step.play.events import DONE, LOOK_UP
from carom.world.step.tables import Tables
from carom.world.store import Store

AT_ONCE = 256  # copies are played in so many, whose tables stay in the processor's cache meanwhile
MOTION = ("vx", "vy", "spin", "acceleration_x", "acceleration_y", "acceleration_spin")


class CopiedSteps:
    """The stores of copies, and their steps."""

    def __init__(self, first: Store, copies: int | list[Store]) -> None:
        self.first = first
        self.base = without_waiting(first)
        self.own: dict[int, Store] = {}
        """The copies whose lists are others than those of `base`: of what is left to the next step, of free rows."""
        if isinstance(copies, list):
            for one in copies:
                make_as_long(first, one)
            for one in copies:
                make_as_long(one, first)
            self.tables: Tables = joined([one.tables for one in copies])
            self.piles: Piles = joined([one.piles for one in copies])
            for k, one in enumerate(copies):
                self.note_lists(k, one)
        else:
            self.tables, self.piles = stacked(first.tables, copies), stacked(first.piles, copies)
            self.own = {} if self.base is first else dict.fromkeys(range(copies), first)
        self.start: tuple[Tables, Piles] = first.tables, first.piles
        self.count, self.bodies = len(self.tables.state), int(first.tables.state["bodies"][0])
        self.length, self.threads = 0.0, 1
        self.statuses = np.full(self.count, DONE)
        shape = self.count, self.bodies
        self.seen = Columns(np.zeros((*shape, 2)), np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
        self.wanted, self.changed = np.zeros((*shape, len(MOTION))), np.zeros(shape, np.bool_)
        self._known: tuple[Any, Any, Any] = (None, None, None)
        self.settle()

    def begin(self, length: float, threads: int) -> None:
        """Have all copies begin a step."""
        self.length, self.threads = length, threads
        self.statuses[:] = WAITS

    def resume(self) -> None:
        """Have those copies go on that an exception has left."""
        self.threads = 1
        for k in self.own:
            if self.statuses[k] not in (WAITS, DONE) and self.own[k].exits:
                store = self.store_of(k)
                tell_exits(store)
                self.keep(k, store)

    def play(self) -> Mapping[int, int]:
        """Play the copies on, and return why each has stopped that needs something from outside."""
        for k in [k for k, one in self.own.items() if one.waits and self.statuses[k] == WAITS]:
            store = self.store_of(k)
            if not store.unfinished:  # an interrupt may have come behind this
                open_for(store, self.length)
            self.keep(k, store)
            self.statuses[k] = LOOK_UP
        while True:
            self._play(self.length, self.statuses, self.threads)
            stopped = np.flatnonzero((self.statuses != DONE) & (self.statuses != LOOK_UP))
            if stopped.size:
                return dict(zip(stopped.tolist(), self.statuses[stopped].tolist(), strict=True))
            if (self.statuses == DONE).all():
                return {}

    def settle(self) -> None:
        """Make the changes that are wanted, and see where all bodies are."""
        self._play(0.0, np.full(self.count, WAITS), 1)

    def set_motion(self, changed: Booleans, first: int, values: Floats) -> None:
        """Set the velocities, spins or accelerations, the columns of MOTION from a first one on, of some bodies."""
        bodies = self.tables.bodies[:, : self.bodies]
        for k, column in enumerate(MOTION):
            self.wanted[:, :, k] = bodies[column]
        self.wanted[:, :, 0], self.wanted[:, :, 1] = self.seen.velocities[..., 0], self.seen.velocities[..., 1]
        self.wanted[:, :, 2] = self.seen.spins
        self.wanted[:, :, first : first + values.shape[2]] = values
        try:
            self.changed[:] = changed
            self.settle()
        finally:
            self.changed[:] = False

    def _play(self, length: float, statuses: Integers, threads: int) -> None:
        """Play all copies on, by some threads."""
        at = self.addresses()

        def work(part: int, parts: int) -> None:
            begin, end = self.count * part // parts, self.count * (part + 1) // parts
            for first in range(begin, end, AT_ONCE):
                self._play_some(length, statuses, at, first, min(first + AT_ONCE, end))

        at_once(min(threads, self.count), work)

    def _play_some(self, length: float, statuses: Integers, at: Integers, first: int, last: int) -> None:
        """Play some copies on until each is done or needs something from outside."""
        asks = True
        kernels = WHOLE if self.base.whole else BARE
        play = play_copies if kernels is WHOLE else play_bare_copies
        while asks:
            play(at, self.wanted, self.changed, length, statuses, self.seen, first, last)
            asks = solve_copies(kernels, at, statuses, first, last)

    def addresses(self) -> Integers:
        """Return the addresses of the tables, made anew where these are others."""
        w, piles, found = self._known
        if w is not self.tables or piles is not self.piles:
            found = addresses_of_copies(self.tables, self.piles)
            self._known = self.tables, self.piles, found
        return cast(Integers, found)

    def store_of(self, k: int) -> Store:
        """Return the tables of one copy as a world's own."""
        store = around(self.own.get(k, self.base), copy_of(self.tables, k), copy_of(self.piles, k))
        store.told = min(store.told, int(store.tables.state["hits"][0]))
        return store

    def keep(self, k: int, store: Store) -> None:
        """Take over one copy's tables, if any has become longer, and its lists."""
        if not are_as_long(store, copy_of(self.tables, k), copy_of(self.piles, k)):
            stores = [self.store_of(j) for j in range(self.count)]
            stores[k] = store
            for one in stores:
                make_as_long(one, store)
            self.tables, self.piles = joined([one.tables for one in stores]), joined([one.piles for one in stores])
        self.note_lists(k, store)

    def note_lists(self, k: int, store: Store) -> None:
        """Note a copy's lists, if they are others than those of the rest."""
        if have_same_lists(store, self.base):
            self.own.pop(k, None)
        else:
            self.own[k] = around(store, self.base.tables, self.base.piles)

    def unsettled(self) -> list[int]:
        """Return the copies in which a joint has broken, or the next step may want more room."""
        broken = (self.tables.joints.table["broken"] != 0).any(axis=1)
        short = ROOM_AHEAD * self.piles.counts[:, 1] > self.piles.contacts.shape[1]
        found: list[int] = np.flatnonzero(broken | short).tolist()
        return found

    def reset(self, mask: Booleans) -> None:
        """Put some copies back to where they began."""
        store = around(self.first, *self.start)
        make_as_long(store, self.store_of(0))
        put(self.tables, mask, store.tables)
        put(self.piles, mask, store.piles)
        self.statuses[mask] = DONE
        for k in np.flatnonzero(mask).tolist():
            self.note_lists(k, self.first)
        self.settle()
