"""A step played to its end: what its kernels ask for is done, and joints that broke in it are taken away.

In: the steps of one world, or of many copies of one, that have begun. Out: the same, ended, or paused. An interrupt
leaves them where they were, and driven again they go on to the same bits. A `World` and its copies go through this one
function, so that what is done for one is done for the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Protocol

from carom._core.threads import at_once
from carom.world.addressed import BARE, WHOLE, addresses_of
from carom.world.joints.entries import take_away_broken
from carom.world.step import tables as at
from carom.world.step.play.events import DONE, LOOK_UP, PAUSED, SOLVE
from carom.world.store import Store
from carom.world.waiting import SERVED, serve

EVENTS_FOR_PART = 4  # room made at once for predicted events


class Steps(Protocol):
    """The steps of one or many stores, which are driven together."""

    def play(self) -> Mapping[int, int]:
        """Play on, and return why each store that is not done has stopped: paused, or for something from outside."""

    def store_of(self, k: int) -> Store:
        """Return a store to change."""

    def keep(self, k: int, store: Store) -> None:
        """Take over a store that was changed."""

    def unsettled(self) -> Iterable[int]:
        """Return the stores that may have something to do when all steps are done."""


def drive(steps: Steps) -> int:
    """Play steps on: PAUSED, or DONE at the end of all."""
    while stopped := steps.play():
        longer = set()
        for k, status in stopped.items():
            if status == PAUSED:
                return PAUSED
            if status in longer:
                continue  # the tables of all have become longer with those of the first
            store = steps.store_of(k)
            if status in SERVED:
                store.piles = serve(store, status)
            else:
                store.lengthen(status)
                longer.add(status)
            steps.keep(k, store)
    for k in steps.unsettled():
        store = steps.store_of(k)
        take_away_broken(store)
        store.make_room_ahead()
        steps.keep(k, store)
    return DONE


def make_room(store: Store) -> None:
    """Have room for what a step writes at least."""
    store.make_ready()
    wanted = EVENTS_FOR_PART * int(store.tables.state["parts"][0])
    if len(store.tables.heap) < wanted:
        store.make_room("events", wanted)


class SingleSteps:
    """The steps of one world."""

    def __init__(self, store: Store, threads: int, pauses: bool) -> None:
        make_room(store)
        store.tables.state["pauses"] = int(pauses)
        self.store, self.threads = store, threads
        self.kernels = WHOLE if store.whole else BARE

    def play(self) -> Mapping[int, int]:
        """Play on, and share islands among threads where there are many."""
        store, kernels, threads = self.store, self.kernels, self.threads
        while True:
            status = kernels.play_step(addresses_of(store), threads > 1)
            if status == SOLVE:
                at_once(threads, partial(kernels.solve_share, addresses_of(store)))
                store.tables.state["phase"] = at.SOLVED
            elif status == DONE:
                return {}
            elif status != LOOK_UP:
                return {0: status}

    def store_of(self, k: int) -> Store:
        """Return the store of the world."""
        return self.store

    def keep(self, k: int, store: Store) -> None:
        """Do nothing: the store is the world's own."""

    def unsettled(self) -> Iterable[int]:
        """Return the number of the store."""
        return (0,)
