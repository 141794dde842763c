"""The stores of many copies of one world, stacked, and their steps: played on together, and taken out one by one.

In: the stores of worlds of one structure between two steps, one for each copy. Out: their tables as a `Stack`, where
their bodies are seen, and steps that `drive` drives. A thread plays one copy to the end of its step before it begins
the next, so that both can use the same tables within it. Between two steps no copy is ahead of another; `length`
tells whether a step is under way that an exception has left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from carom._core.threads import at_once
from carom._core.types import Floats, Integers
from carom.world.addressed import BARE, ROOM_AHEAD, WHOLE
from carom.world.changes.pending import open_for
from carom.world.changes.sensor_exits import tell_exits
from carom.world.copies.alike import around, have_same_lists, without_waiting
from carom.world.copies.kernels import WAITS, play_bare_copies, play_copies, push_copies, see_copies
from carom.world.copies.stack import Kept, Stack
from carom.world.drive import make_room
from carom.world.reports.motion import Columns
from carom.world.step.play.events import DONE, LOOK_UP, UNEQUAL_WAIT
from carom.world.step.tables import Tables
from carom.world.store import Store

AT_ONCE = 256  # copies are played in so many, and between these Python sees whether it is interrupted
MOTION = ("vx", "vy", "spin", "acceleration_x", "acceleration_y", "acceleration_spin")


class States(NamedTuple):
    """The states of some copies between two steps."""

    base: Store
    """The lists of those that have none of their own."""
    kept: Kept
    own: dict[int, Store]


class CopiedSteps:
    """The stores of copies, and their steps."""

    def __init__(self, starts: list[Store]) -> None:
        self.first, self.count = starts[0], len(starts)
        self.base = without_waiting(self.first)
        self.own: dict[int, Store] = {}
        """The copies whose lists are others than those of `base`: of shapes, of what is left to the next step."""
        self.waiting: set[int] = set()
        """Those of them that have something left to the next step."""
        self.stack = Stack(self.first.tables, self.first.piles, self.count)
        self.everywhere, self.bodies = np.arange(self.count), int(self.first.tables.state["bodies"][0])
        self.length, self.threads = 0.0, 1
        self.statuses = np.full(self.count, DONE)
        shape = self.count, self.bodies
        self.seen = Columns(np.zeros((*shape, 2)), np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
        for k, store in enumerate(starts):
            if store is self.first:
                self._note_lists(k, store)
            else:
                self.keep(k, store)
        self.settle()
        alike = all(store is self.first for store in starts)
        self.begun = self.states(self.everywhere[:1] if alike else self.everywhere)
        """Those in which the copies were made: one for all, or one for each."""

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
        for k in sorted(self.waiting):
            if self.statuses[k] not in (WAITS, DONE) and self.own[k].exits:
                store = self.store_of(k)
                tell_exits(store)
                self.keep(k, store)

    def play(self) -> Mapping[int, int]:
        """Play the copies on, and return why those have stopped that need something from outside: one a thread."""
        for k in sorted(k for k in self.waiting if self.statuses[k] == WAITS):
            store = self.store_of(k)
            if not store.unfinished:  # an interrupt may have come behind this
                open_for(store, self.length)
            self.keep(k, store)
            self.statuses[k] = LOOK_UP
        at = self.stack.addresses(min(self.threads, self.count))
        at_once(self.stack.parts, lambda part, _: self._play(at, *self.stack.range_of(part)))
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

    def settle(self, copies: Integers | None = None) -> None:
        """See where the bodies of some copies are, of all if not given."""
        see_copies(self.stack.addresses(), self.everywhere if copies is None else copies, self.seen)

    def set_motion(self, copies: Integers, rows: Integers, first: int, values: Floats) -> None:
        """Set the columns of MOTION from a first one on, of bodies given by copy and row; values (m, columns)."""
        seen, bodies = self.seen, self.tables.bodies
        wanted = np.empty((len(rows), len(MOTION)))
        wanted[:, :2], wanted[:, 2] = seen.velocities[copies, rows], seen.spins[copies, rows]
        for k, column in enumerate(MOTION[3:], 3):
            wanted[:, k] = bodies[column][copies, rows]
        wanted[:, first : first + values.shape[1]] = values
        chosen = np.ascontiguousarray(copies), np.ascontiguousarray(rows)
        push_copies(self.stack.addresses(), *chosen, wanted, seen)

    def _play(self, at: Integers, begin: int, end: int) -> None:
        """Play copies `begin` up to `end` one after the other, up to one that needs something from outside."""
        kernels = WHOLE if self.base.whole else BARE
        play, statuses = play_copies if kernels is WHOLE else play_bare_copies, self.statuses
        while begin < end:
            last = min(begin + AT_ONCE, end)
            begin = play(at, self.length, statuses, self.seen, begin, last)
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
        self._note_lists(k, store)

    def _note_lists(self, k: int, store: Store) -> None:
        self.own.pop(k, None)
        self.waiting.discard(k)
        if not have_same_lists(store, self.base):
            self.own[k] = around(store, self.base.tables, self.base.piles)
            if store.waits:
                self.waiting.add(k)

    def note_shapes(self, k: int, shapes: dict[int, Any], look: bool) -> None:
        """Note the shapes by row that a copy has got; it may have to `look` for overlaps before its next step."""
        base = self.own.get(k, self.base)
        store = around(base, base.tables, base.piles)
        store.shapes = base.shapes.copy()
        for row, shape in shapes.items():
            store.shapes[row] = shape
        if look:
            store.arrived.update(shapes)
        self._note_lists(k, store)

    def unsettled(self) -> list[int]:
        """Return the copies in which a joint has broken, or the next step may want more room."""
        broken = (self.tables.joints.table["broken"] != 0).any(axis=1)
        short = ROOM_AHEAD * self.stack.piles.counts[:, 1] > self.stack.lengths("old")
        found: list[int] = np.flatnonzero(broken | short).tolist()
        return found

    def states(self, copies: Integers) -> States:
        """Return the states of some copies."""
        own = {n: self.own[k] for n, k in enumerate(copies.tolist()) if k in self.own} if self.own else {}
        return States(self.base, self.stack.kept_of(copies), own)

    def write(self, copies: Integers, states: States, which: Integers) -> None:
        """Put copies into states: `which` of them, one for each copy."""
        self._keep_stopped()
        self.stack.write(copies, states.kept, which)
        self.statuses[copies] = DONE
        if self.own or states.own or states.base is not self.base:
            for k, n in zip(copies.tolist(), which.tolist(), strict=True):
                self._note_lists(k, states.own.get(n, states.base))
        self.settle(copies)

    def reset(self, copies: Integers) -> None:
        """Put some copies back to where they began."""
        self.write(copies, self.begun, copies if self.begun.kept.many > 1 else np.zeros_like(copies))
