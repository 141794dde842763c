"""Work that a step asks of its caller: kernels that stand outside of it, so that few worlds compile them.

In: a world whose step has stopped, and why. Out: the same, so that the step goes on.
"""

from __future__ import annotations

from carom.world.addressed import BARE, WHOLE, addresses_of, find_due_at, solve_jointed_at
from carom.world.joints.order import link
from carom.world.step.piles import Piles
from carom.world.step.play.events import FLY, LINK, UNEQUAL_WAIT
from carom.world.step.solve.island_kinds import JOINTED, UNEQUAL
from carom.world.store import Store

SERVED = frozenset((FLY, LINK, UNEQUAL_WAIT))
"""Reasons for which a step stops that are served here."""


def serve(store: Store, status: int) -> Piles:
    """Do what the step of a world has stopped for; return its piles, which may have been made longer."""
    w, piles, table = store.tables, store.piles, addresses_of(store)
    if status == LINK:
        return link(w, piles)
    if status == FLY:
        find_due_at(table)
        return piles
    kinds = piles.islands.kind[: int(w.state["islands"][0])].tolist()  # those that are not fresh are left alone
    if UNEQUAL in kinds:
        (WHOLE if store.whole else BARE).solve_unequal(table)
    if JOINTED in kinds:
        solve_jointed_at(table)
    return piles
