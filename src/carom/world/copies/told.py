"""What many copies tell of pairs of their bodies: contacts and overlaps as columns that name the copy.

In: the steps of copies. Out: the columns of `WorldContacts` and `WorldOverlaps` of all copies, one behind the other.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.names import names_near
from carom._core.types import Floats, Integers
from carom.world.copies.steps import CopiedSteps
from carom.world.reports.contacts import contacts_of
from carom.world.reports.overlaps import overlaps_of
from carom.world.step.tables import GONE
from carom.world.store import Store


@names_near
class CopiesContacts(NamedTuple):
    """The impulses of bodies on each other in the last step of each copy: a row for each pair of convex parts."""

    world: Integers
    """(m,) number of the copy."""
    body: Integers
    """(m,) row of the first body."""
    other: Integers
    """(m,) row of the second, which is greater."""
    normal: Floats
    """(m, 2) unit vector from the first towards the second."""
    count: Integers  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(m,) how many points, 1 or 2."""
    points: Floats
    """(m, 2, 2) halfway between the two surfaces; what a row does not have is 0."""
    depths: Floats
    """(m, 2) the depth at each point; negative for a gap."""
    impulses: Floats
    """(m, 2) impulse of the whole step along the normal at each point, mass x speed."""
    friction_impulses: Floats
    """(m, 2) impulse of friction on the second body, along the normal turned by a quarter turn anticlockwise."""
    given: Floats
    """(m, 2) the same as a vector: what the first body gave the second in the step."""

    def __repr__(self) -> str:
        return f"<CopiesContacts: {len(self.body)} pair{'s' if len(self.body) != 1 else ''} of parts>"

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame: copy, then those of `WorldContacts.flat`."""
        return _flat(self)


@names_near
class CopiesOverlaps(NamedTuple):
    """Pairs of bodies that overlap in each copy, one row each."""

    world: Integers
    """(m,) number of the copy."""
    body: Integers
    """(m,) row of the first body."""
    other: Integers
    """(m,) row of the second, which is greater."""
    depth: Floats
    """(m,) how far one has to be moved along the normal until they just touch."""
    normal: Floats
    """(m, 2) unit vector from the first towards the second."""
    point: Floats
    """(m, 2) a point in both."""

    def __repr__(self) -> str:
        return f"<CopiesOverlaps: {len(self.body)} pair{'s' if len(self.body) != 1 else ''}>"

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame: copy, then those of `WorldOverlaps.flat`."""
        return _flat(self)


def _flat(told: Any) -> dict[str, NDArray[Any]]:
    return flat({"copy" if name == "world" else name: column for name, column in told._asdict().items()})


def contacts_in(steps: CopiedSteps) -> CopiesContacts:
    """Return the contacts of all copies."""
    found = [contacts_of(store, partial(_live, store)) for store in _stores(steps)]
    return CopiesContacts(*_joined(found))


def overlaps_in(steps: CopiedSteps) -> CopiesOverlaps:
    """Return the overlaps of all copies."""
    found = [overlaps_of(store, partial(_live, store)) for store in _stores(steps)]
    return CopiesOverlaps(*_joined(found))


def _stores(steps: CopiedSteps) -> list[Store]:
    return [steps.store_of(k) for k in range(steps.count)]


def _live(store: Store) -> Integers:
    return np.flatnonzero(store.tables.bodies["kind"][: int(store.tables.state["bodies"][0])] != GONE)


def _joined(found: list[Any]) -> list[Any]:
    """Return the number of the copy, and the columns of all copies one behind the other."""
    world = np.repeat(np.arange(len(found)), [len(one.body) for one in found])
    return [world, *(np.concatenate(columns) for columns in zip(*found, strict=True))]
