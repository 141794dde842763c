"""The stores of many copies of one world, stacked, and their steps: played on together, and taken out one by one.

In: the store of a world between two steps, and how many copies; or the stores of the copies. Out: their tables as a
`Stack`, what is seen of them, and steps that `drive` drives. A thread plays one copy to the end of its step before it
begins the next, so that both can use the same tables within it. Between two steps no copy is ahead of another; `length`
tells whether a step is under way that an exception has left.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from carom._core.threads import at_once
from carom._core.types import Booleans, Floats, Integers
from carom.world.addressed import BARE, ROOM_AHEAD, WHOLE
from carom.world.alike import around, have_same_lists, without_waiting
from carom.world.arrivals import open_for
from carom.world.batch import WAITS, play_bare_copies, play_copies
from carom.world.drive import make_room
from carom.world.readings import Columns
from carom.world.sensor_exits import tell_exits
from carom.world.stacked import Stack
from carom.world.step.play.events import DONE, LOOK_UP, UNEQUAL_WAIT
from carom.world.step.tables import Tables
from carom.world.store import Store

AT_ONCE = 256  # copies are played in so many, and between these Python sees whether it is interrupted
MOTION = ("vx", "vy", "spin", "acceleration_x", "acceleration_y", "acceleration_spin")


class CopiedSteps:
    """The stores of copies, and their steps."""

    def __init__(self, first: Store, count: int) -> None:
        self.first = first
        self.base = without_waiting(first)
        self.own: dict[int, Store] = {}
        """The copies whose lists are others than those of `base`: of what is left to the next step, of free rows."""
        if self.base is not first:
            self.own = dict.fromkeys(range(count), first)
        self.stack = Stack(first.tables, first.piles, count)
        self.count, self.bodies = count, int(first.tables.state["bodies"][0])
        self.length, self.threads = 0.0, 1
        self.statuses = np.full(count, DONE)
        shape = count, self.bodies
        self.seen = Columns(np.zeros((*shape, 2)), np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
        self.wanted, self.changed = np.zeros((*shape, len(MOTION))), np.zeros(shape, np.bool_)
        self.settle()

    @property
    def tables(self) -> Tables:
        """The tables that are stacked, the copy as the first axis."""
        return self.stack.tables

    def take(self, stores: list[Store], length: float, statuses: list[int]) -> None:
        """Take over the stores of all copies, and the step that is under way in some."""
        self.length, self.statuses[:] = length, statuses
        for k, store in enumerate(stores):
            make_room(store)
            if self.statuses[k] not in (WAITS, DONE):
                self.stack.keep(k)
            self.keep(k, store)
        self.settle()

    def begin(self, length: float, threads: int) -> None:
        """Have all copies begin a step."""
        self.stack.give_back()
        self.length, self.threads = length, threads
        self.statuses[:] = WAITS

    def resume(self) -> None:
        """Have those copies go on that an exception has left."""
        self._keep_stopped()
        self.threads = 1
        for k in self.own:
            if self.statuses[k] not in (WAITS, DONE) and self.own[k].exits:
                store = self.store_of(k)
                tell_exits(store)
                self.keep(k, store)

    def play(self) -> Mapping[int, int]:
        """Play the copies on, and return why those have stopped that need something from outside: one a thread."""
        for k in [k for k, one in self.own.items() if one.waits and self.statuses[k] == WAITS]:
            store = self.store_of(k)
            if not store.unfinished:  # an interrupt may have come behind this
                open_for(store, self.length)
            self.keep(k, store)
            self.statuses[k] = LOOK_UP
        at = self.stack.addresses(min(self.threads, self.count))
        at_once(
            self.stack.parts, lambda part, _: self._play(self.length, self.statuses, at, *self.stack.range_of(part))
        )
        return {k: int(self.statuses[k]) for k in self._stopped()}

    def _stopped(self) -> list[int]:
        """Return the copy in each part that has begun its step, and not ended it."""
        found = []
        for part in range(self.stack.parts):
            begin, end = self.stack.range_of(part)
            left = begin + np.flatnonzero(self.statuses[begin:end] != DONE)[:1]
            found += [int(k) for k in left if self.statuses[k] != WAITS]
        return found

    def _keep_stopped(self) -> None:
        """Have the copies that an exception has left within their step keep the tables that they use."""
        for k in self._stopped():
            if not self.stack.is_kept(k):
                self.stack.keep(k)

    def settle(self) -> None:
        """Make the changes that are wanted, and see where all bodies are."""
        self._play(0.0, np.full(self.count, WAITS), self.stack.addresses(), 0, self.count)

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

    def _play(self, length: float, statuses: Integers, at: Integers, begin: int, end: int) -> None:
        """Play copies `begin` up to `end` one after the other, up to one that needs something from outside."""
        kernels = WHOLE if self.base.whole else BARE
        play = play_copies if kernels is WHOLE else play_bare_copies
        while begin < end:
            last = min(begin + AT_ONCE, end)
            begin = play(at, self.wanted, self.changed, length, statuses, self.seen, begin, last)
            if begin < last and statuses[begin] == UNEQUAL_WAIT:
                kernels.solve_unequal(at[begin])
            elif begin < last and statuses[begin] != LOOK_UP:
                return

    def store_of(self, k: int, fresh: bool = False) -> Store:
        """Return the tables of one copy as a world's own; what it uses in turn with others is blank if `fresh`."""
        fresh = fresh and k not in self._stopped()
        store = around(self.own.get(k, self.base), *self.stack.of(k, fresh))
        store.told = min(store.told, int(store.tables.state["hits"][0]))
        return store

    def keep(self, k: int, store: Store) -> None:
        """Take over one copy's tables and lists."""
        self.stack.put(k, store.tables, store.piles)
        if have_same_lists(store, self.base):
            self.own.pop(k, None)
        else:
            self.own[k] = around(store, self.base.tables, self.base.piles)

    def unsettled(self) -> list[int]:
        """Return the copies in which a joint has broken, or the next step may want more room."""
        broken = (self.tables.joints.table["broken"] != 0).any(axis=1)
        short = ROOM_AHEAD * self.stack.piles.counts[:, 1] > self.stack.lengths("old")
        found: list[int] = np.flatnonzero(broken | short).tolist()
        return found

    def reset(self, mask: Booleans) -> None:
        """Put some copies back to where they began."""
        self._keep_stopped()
        self.stack.begin_again(mask)
        self.statuses[mask] = DONE
        for k in np.flatnonzero(mask).tolist():
            if self.base is self.first:
                self.own.pop(k, None)
            else:
                self.own[k] = self.first
        self.settle()
