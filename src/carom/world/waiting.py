"""Work that a step asks of its caller: kernels that stand outside of it, so that few worlds compile them.

In: the tables of a world whose step has stopped, their addresses, and why. Out: the same, so that the step goes on.
"""

from __future__ import annotations

from carom._core.types import Integers
from carom.world.addressed import find_due_at, solve_jointed_at, solve_unequal_at
from carom.world.joints.order import link
from carom.world.step.piles import Piles
from carom.world.step.play.events import FLY, LINK, UNEQUAL_WAIT
from carom.world.step.solve.island_kinds import JOINTED, UNEQUAL
from carom.world.step.tables import Tables

SERVED = frozenset((FLY, LINK, UNEQUAL_WAIT))
"""Reasons for which a step stops that are served here."""


def serve(w: Tables, piles: Piles, table: Integers, status: int) -> Piles:
    """Do what a step has stopped for; return its piles, which may have been made longer."""
    if status == LINK:
        return link(w, piles)
    if status == FLY:
        find_due_at(table)
        return piles
    kinds = piles.islands.kind[: int(w.state["islands"][0])].tolist()  # those that are not fresh are left alone
    if UNEQUAL in kinds:
        solve_unequal_at(table)
    if JOINTED in kinds:
        solve_jointed_at(table)
    return piles
