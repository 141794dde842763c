"""Two boxes that a joint of each kind holds. In: the name of a kind. Out: the world and its joint."""

from __future__ import annotations

from collections.abc import Callable

import carom as cm

Make = Callable[[cm.World, cm.Body, cm.Body], cm.Joint]

KINDS: dict[str, Make] = {
    "pin": lambda w, a, b: w.pin(a, b, (1.5, 0), limits=(-1, 1), speed=2, max_torque=50, hertz=4, damping=0.5),
    "rod": lambda w, a, b: w.rod(a, b, (0, 0), (3, 0)),
    "rope": lambda w, a, b: w.rope(a, b, (0, 0), (3, 0), length=4),
    "spring": lambda w, a, b: w.spring(a, b, (0, 0), (3, 0), stiffness=100, resistance=2, limits=(1, 5)),
    "weld": lambda w, a, b: w.weld(a, b, (1.5, 0)),
    "slide": lambda w, a, b: w.slide(a, b, (1.5, 0), (0, 2), limits=(-1, 2), speed=1, max_force=9),
    "wheel": lambda w, a, b: w.slide(a, b, (0, 0), (0, 1), turns=True, hertz=4, damping=0.7, max_torque=9),
    "gear": lambda w, a, b: w.gear(a, b, ratio=2),
    "drag": lambda w, a, b: w.drag(a, (0.5, 0.5), max_force=1000),
    "motor": lambda w, a, b: w.motor(a, b, velocity=(1, 0), speed=2, max_force=30, max_torque=9),
    "pulley": lambda w, a, b: w.pulley(a, b, (0, 0.5), (3, 0.5), over=((0, 4), (3, 4)), ratio=2),
}


def two_boxes() -> tuple[cm.World, cm.Body, cm.Body]:
    """Return a world with two boxes that do not touch, of mass 2 and 3."""
    world = cm.World(gravity=(0, -10))
    a, b = (world.add(cm.Box((x, 0), (2, 1)), kind="dynamic", mass=mass) for x, mass in ((0, 2), (3, 3)))
    return world, a, b


def joined(kind: str) -> tuple[cm.World, cm.Joint]:
    world, a, b = two_boxes()
    return world, KINDS[kind](world, a, b)
