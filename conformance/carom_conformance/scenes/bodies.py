"""Short ways to say bodies, and to let time pass; no scene stands here."""

from __future__ import annotations

import math
from typing import Any

from carom_conformance.engine import Body, World
from carom_conformance.shapes import Circle, Point, Segment, box

DT = 1 / 60
G = 10.0
DOWN = (0.0, -G)
NOTHING = (0.0, 0.0)

FIRST_ORDER = "an integrator of first order is off by g t dt / 2"
SLOP = "two millimetres a contact, the slop that engines leave"
PERCENT = "one percent"
EXACT_MOTION = "rounding of 32-bit floats"


def ball(x: float, y: float, radius: float = 0.5, **settings: Any) -> Body:
    """Return a dynamic disc."""
    return Body((Circle((0, 0), radius),), (x, y), **settings)


def crate(x: float, y: float, wide: float = 1.0, high: float = 1.0, **settings: Any) -> Body:
    """Return a dynamic box."""
    return Body((box(0, 0, wide, high),), (x, y), **settings)


def wall(x: float, y: float, wide: float, high: float, **settings: Any) -> Body:
    """Return a static box, or another kind of one."""
    return Body((box(0, 0, wide, high),), (x, y), **{"kind": "static", **settings})


def line(a: Point, b: Point) -> Body:
    """Return a static segment."""
    return Body((Segment(a, b),), kind="static")


def floor(half: float = 60.0) -> Body:
    """Return a floor whose top is at height 0."""
    return wall(0, -1, 2 * half, 2)


def run(world: World, seconds: float, dt: float = DT) -> None:
    """Let time pass in even steps."""
    for _ in range(round(seconds / dt)):
        world.step(dt)


def room(world: World, half: float, thick: float = 1.0) -> None:
    """Add four walls around a square about the origin."""
    at, long = half + thick / 2, 2 * (half + thick)
    for x, y, wide, high in ((0, -at, long, thick), (0, at, long, thick), (-at, 0, thick, long), (at, 0, thick, long)):
        world.add(wall(x, y, wide, high))


def speed(world: World, body: Any) -> float:
    """Return the speed of a body."""
    found = world.state(body)
    return math.hypot(found.vx, found.vy)


def energy(world: World, bodies: list[tuple[Any, Body]], gravity: float = 0.0) -> float:
    """Return the energy of bodies, each given with its description."""
    total = 0.0
    for handle, body in bodies:
        s = world.state(handle)
        total += body.mass * ((s.vx**2 + s.vy**2) / 2 + gravity * s.y) + body.moment * s.spin**2 / 2
    return total
