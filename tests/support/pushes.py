"""Pushes from afar: which pairs of bodies pushed each other in a step, though they were never near.

In: a world before and after a step. Out: a line for each pair with impulses that was farther apart at its end than a
skin and the way that both may have gone. Bodies that waited may have gone back, by more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

import carom as cm

SKIN = 0.008
"""Share of half the smaller least width: bodies come to rest so near."""
PATH = 2.0
"""Times the larger of the speeds at both ends of a step: a body goes no farther in it, though it is hit on its way."""


def parts_of(shape: cm.Shape | cm.Compound) -> Sequence[cm.Shape]:
    return shape.parts if isinstance(shape, cm.Compound) else [shape]


def width_of(shape: cm.Shape | cm.Compound) -> float:
    """Return at least the least width of a shape; infinity of one that has none."""
    wide = [part for part in parts_of(shape) if not isinstance(part, cm.Point | cm.Segment)]
    return max((min(cm.smallest_box(part).size) for part in wide), default=math.inf)


class Pushes:
    """The speeds of all bodies before a step of a length."""

    def __init__(self, world: cm.World, length: float) -> None:
        self.world, self.length = world, length
        self.speeds, self.spins = np.linalg.norm(world.velocities, axis=1), np.abs(world.spins)

    def from_afar(self) -> list[str]:
        """Name the pairs that pushed each other from afar in the step that was played since."""
        world, contacts, wrong = self.world, self.world.contacts(), []
        drawn = math.hypot(*world.gravity) * self.length
        speeds = np.maximum(self.speeds, np.linalg.norm(world.velocities, axis=1)) + drawn
        spins = np.maximum(self.spins, np.abs(world.spins))
        pushing = np.flatnonzero(contacts.impulses.any(axis=1))
        for a, b in sorted({(int(contacts.body[k]), int(contacts.other[k])) for k in pushing}):
            one, two = world.body(a), world.body(b)
            apart = min(cm.separation(p, q) for p in parts_of(one.shape) for q in parts_of(two.shape))
            size = min(width_of(one.shape), width_of(two.shape))
            near = SKIN * (size if size < math.inf else 1.0) / 2
            ways = (speeds[row] + spins[row] * reach_of(body) for row, body in ((a, one), (b, two)))
            if one.waited == two.waited == 0 and apart > near + PATH * self.length * sum(ways):
                wrong.append(f"pushed from {apart:.3g} away: {one}, {two}")
        return wrong


def reach_of(body: cm.Body) -> float:
    """Return how far a body reaches from its centre of mass, at most: the same at each angle."""
    circles = [cm.bounding_circle(part) for part in parts_of(body.shape)]
    return max(math.dist(circle.center, body.position) + circle.radius for circle in circles)
