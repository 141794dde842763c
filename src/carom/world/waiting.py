"""Work that a step asks of its caller.

In: a world whose step has stopped, and why. Out: the same, so that the step goes on.
"""

from __future__ import annotations

from carom.world.addressed import addresses_of, kernels_of
from carom.world.joints.order import link
from carom.world.step.piles import Piles
from carom.world.step.play.events import LINK, UNEQUAL_WAIT
from carom.world.store import Store

SERVED = frozenset((LINK, UNEQUAL_WAIT))
"""Reasons for which a step stops that are served here."""


def serve(store: Store, status: int) -> Piles:
    """Do what the step of a world has stopped for; return its piles, which may have been made longer."""
    if status == LINK:
        return link(store.tables, store.piles)
    # In the bare form of the step alone: the kernel stands outside of it, so that few worlds compile it.
    kernels_of(store).solve_unequal(addresses_of(store))
    return store.piles
