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
from carom.world.addressed import UNDER_WAY, addresses_of, kernels_of
from carom.world.joints.entries import take_away_broken
from carom.world.step import tables as at
from carom.world.step.play.events import DONE, LOOK_UP, PAUSED, SOLVE
from carom.world.store import Store
from carom.world.waiting import SERVED, serve

EVENTS_FOR_PART = 4  # room made at once for predicted events
PLAY_ON = -1.0  # in place of the length of a step that is to begin


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
        for k, status in stopped.items():
            if status == PAUSED:
                return PAUSED
            store = steps.store_of(k)
            if status in SERVED:
                store.piles = serve(store, status)
            else:
                store.lengthen(status)
            steps.keep(k, store)
    for k in steps.unsettled():
        store = steps.store_of(k)
        take_away_broken(store)
        store.make_room_ahead()
        steps.keep(k, store)
    return DONE


def step_at_once(store: Store, length: float) -> int | None:
    """Make a step in one call, where nothing was left to it and there is room; return how many hits it has told.

    Returns None, and nothing has begun, where a step has to be made with more care.
    """
    table = addresses_of(store)
    if store.waits or store.roomy is not store.known:
        return None
    told, store.told = store.told, 0
    status, hits, unsettled = kernels_of(store).play_step(table, length, False)
    if status == UNDER_WAY:
        store.told = told
        return None
    if status != DONE or unsettled:
        drive(SingleSteps(store, 1, False, status))
        hits = int(store.tables.state["hits"][0])
    return hits


def make_room(store: Store) -> None:
    """Have room for what a step writes at least."""
    store.make_ready()
    wanted = EVENTS_FOR_PART * int(store.tables.state["parts"][0])
    if len(store.tables.heap) < wanted:
        store.make_room("events", wanted)
    addresses_of(store)
    store.roomy = store.known


class SingleSteps:
    """The steps of one world."""

    def __init__(self, store: Store, threads: int, pauses: bool, status: int = LOOK_UP) -> None:
        make_room(store)
        store.tables.state["pauses"] = int(pauses)
        self.store, self.threads, self.status = store, threads, status
        self.kernels = kernels_of(store)

    def play(self) -> Mapping[int, int]:
        """Play on, and share islands among threads where there are many."""
        store, kernels, threads = self.store, self.kernels, self.threads
        status, self.status = self.status, LOOK_UP  # that with which the step has stopped before
        while status in (LOOK_UP, SOLVE):
            if status == SOLVE:
                at_once(threads, partial(kernels.solve_share, addresses_of(store)))
                store.tables.state["phase"] = at.SOLVED
            status = kernels.play_step(addresses_of(store), PLAY_ON, threads > 1)[0]
        return {} if status == DONE else {0: status}

    def store_of(self, k: int) -> Store:
        """Return the store of the world."""
        return self.store

    def keep(self, k: int, store: Store) -> None:
        """Do nothing: the store is the world's own."""

    def unsettled(self) -> Iterable[int]:
        """Return the number of the store."""
        return (0,)
