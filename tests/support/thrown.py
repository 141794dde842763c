"""Bodies without width on joints, thrown at a floor without width, by seed; `through` tells whether one came through.

In: a seed, and a variant: shapes alone, or masses of 1:1,000, or bounces and frictions of all kinds, too. Out: a world,
the two jointed bodies and their joint.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import carom as cm

KINDS = ["rod", "pin", "limits", "motor", "rope", "slide", "weld", "spring"]
HALF, RADIUS, FLOOR = 0.17, 0.14, 30.0
STEP = 1 / 60


class Thrown(NamedTuple):
    world: cm.World
    line: cm.Body
    other: cm.Body
    joint: cm.Joint


def join(world: cm.World, kind: str, other: cm.Body, line: cm.Body, at: cm.Vec, along: cm.Vec) -> cm.Joint:
    """Join two bodies by a kind of joint at a point of the second."""
    if kind == "rod":
        return world.rod(other, line, other.position, at)
    if kind == "rope":
        return world.rope(other, line, other.position, at)
    if kind == "spring":
        return world.spring(other, line, other.position, at, hertz=3, damping=0.1)
    if kind == "slide":
        return world.slide(other, line, at, axis=along, limits=(0, 0.1))
    if kind == "weld":
        return world.weld(other, line, at)
    if kind == "motor":
        return world.pin(other, line, at, speed=4, max_torque=5)
    return world.pin(other, line, at, limits=(-0.4, 0.4) if kind == "limits" else None)


def thrown(seed: int, variant: int) -> Thrown:
    """Throw a Segment of 0.34, joined to a disc or another Segment, at a floor at about 5 units a second, spinning."""
    rng, world = np.random.default_rng([seed, variant]), cm.World(gravity=(0, -10))
    world.add(cm.Segment((-FLOOR, 0), (FLOOR, 0)))
    kind, disc, high = str(rng.choice(KINDS)), rng.random() < 0.5, cm.Vec(0, rng.uniform(0.6, 2))

    def settings() -> dict[str, float]:
        given = {"mass": float(10 ** rng.uniform(-1.5, 1.5))} if variant > 0 else {}
        return given | ({"restitution": rng.random(), "friction": rng.random()} if variant > 1 else {})

    def direction() -> cm.Vec:
        angle = rng.uniform(-math.pi, math.pi)
        return cm.Vec(math.cos(angle), math.sin(angle))

    end, along, gap = direction() * HALF, direction(), 0.02 if kind in ("rod", "rope", "spring") else 0.0
    line = world.add(cm.Segment(high - end, high + end), kind="dynamic", **settings())
    near = high + end + along * gap
    shape = cm.Circle(near + along * (RADIUS + 0.001), RADIUS) if disc else cm.Segment(near, near + along * 2 * HALF)
    other = world.add(shape, kind="dynamic", **settings())
    line.velocity = other.velocity = rng.normal((0, -5), (2, 1))
    line.spin = rng.normal(0, 5)
    return Thrown(world, line, other, join(world, kind, other, line, high + end, along))


def lowest(body: cm.Body) -> float:
    """Return how high the lowest point of a disc or Segment is."""
    shape = body.shape
    return min(shape.start.y, shape.end.y) if isinstance(shape, cm.Segment) else body.position.y - RADIUS


def through(scene: Thrown, steps: int) -> tuple[bool, int]:
    """Step a scene; tell whether one of its bodies came through the floor, and in how many steps something waited."""
    waits = 0
    for _ in range(steps):
        scene.world.step(STEP)
        waits += bool((scene.world.waited > 0).any())
        for body in (scene.line, scene.other):
            if lowest(body) < (0 if isinstance(body.shape, cm.Segment) else -0.01) and abs(body.position.x) < FLOOR - 1:
                return True, waits
    return False, waits
