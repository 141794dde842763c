"""Random mechanisms, one function for each kind: it builds one around a place in a `Workshop`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

import carom as cm
from tests.support.soak import KINDS, Rng, shape_of

Place = tuple[float, float]


class Shop(Protocol):
    """What a mechanism asks of the room that it is built in."""

    rng: Rng
    world: cm.World
    passive: bool
    """Without motors."""
    movers: list[cm.Body]
    """Kinematic bodies that go to and fro."""

    def put(self, shape: cm.Shape | cm.Compound, **settings: Any) -> cm.Body: ...


def link(shop: Shop, x: float, y: float, u: float, v: float, thick: float = 0.12) -> cm.Body:
    """Put a bar between two points, a little shorter than these are apart."""
    if shop.rng.random() < 0.5:
        length, angle = math.hypot(u - x, v - y), math.atan2(v - y, u - x)
        return shop.put(cm.Box(((x + u) / 2, (y + v) / 2), (length - thick, thick), angle=angle))
    c = 0.2
    return shop.put(cm.Capsule((x + c * (u - x), y + c * (v - y)), (u - c * (u - x), v - c * (v - y)), thick / 2))


def chain(shop: Shop, at: Place) -> None:
    """Build a chain of pins, welds that bend or not, and rods, free or from a point of the world on."""
    rng, world, (x, y) = shop.rng, shop.world, at
    count, every = int(rng.integers(2, 9)), str(rng.choice(["pin", "weld", "bend", "rod", "mixed"]))
    step, left, before = 2.4 / count, x - 1.2, None
    for k in range(count):
        body = link(shop, left + k * step, y, left + (k + 1) * step, y, min(0.12, step / 4))
        point = left + k * step, y
        kind = every if every != "mixed" else str(rng.choice(["pin", "weld", "bend", "rod"]))
        if before is not None or rng.random() < 0.6:
            if kind == "pin":
                world.pin(body, before, point, limits=(-1.0, 0.8) if rng.random() < 0.3 else None)
            elif kind == "weld":
                world.weld(body, before, point)
            elif kind == "bend":
                world.weld(body, before, point, hertz=float(10 ** rng.uniform(0, 2)), damping=rng.uniform(0, 1))
            else:
                world.rod(body, before, from_=(left + (k + 0.3) * step, y), to=(left + (k - 0.3) * step, y))
        before = body


def ragdoll(shop: Shop, at: Place) -> None:
    """Build a body of ten with limits at its pins, and springs at some."""
    (x, y), world = at, shop.world
    torso = shop.put(cm.Box((x, y), (0.35, 0.7)))
    world.pin(shop.put(cm.Circle((x, y + 0.6), 0.2)), torso, (x, y + 0.38), limits=(-0.5, 0.5))
    for side in (-1, 1):
        for hip, dx, dy in ((0.3, 0.4 * side, 0.0), (-0.4, 0.1 * side, -0.4)):
            px, py = x + 0.2 * side, y + hip
            upper = link(shop, px, py, px + dx, py + dy, 0.1)
            lower = link(shop, px + dx, py + dy, px + 2 * dx, py + 2 * dy, 0.1)
            spring = {"hertz": 3.0, "damping": 0.5} if shop.rng.random() < 0.3 else {}
            world.pin(upper, torso, (px, py), limits=(-1.2, 1.2), **spring)
            world.pin(lower, upper, (px + dx, py + dy), limits=(-0.1, 1.8) if side > 0 else (-1.8, 0.1))


def loop(shop: Shop, at: Place) -> None:
    """Build a ring of bars, pinned or welded."""
    (x, y), rng = at, shop.rng
    count = int(rng.integers(3, 8))
    turns = [2 * math.pi * k / count + 0.3 for k in range(count + 1)]
    points = [(x + 1.1 * math.cos(t), y + 1.1 * math.sin(t)) for t in turns]
    bars = [link(shop, *points[k], *points[k + 1]) for k in range(count)]
    join = shop.world.weld if rng.random() < 0.3 else shop.world.pin
    for k in range(count):
        join(bars[k], bars[k - 1], points[k])


def car(shop: Shop, at: Place) -> None:
    """Build a frame on two sprung wheels."""
    (x, y), rng = at, shop.rng
    frame = shop.put(cm.Box((x, y), (1.8, 0.4)))
    for hub in ((x - 0.6, y - 0.5), (x + 0.6, y - 0.5)):
        motor = {} if shop.passive else {"speed": float(rng.normal(0, 10)), "max_torque": float(rng.uniform(1, 300))}
        spring: dict[str, Any] = {"hertz": rng.uniform(1, 8), "damping": rng.uniform(0, 1)}
        limits = (-0.2, 0.15) if rng.random() < 0.7 else None
        wheel = shop.put(cm.Circle(hub, 0.28))
        shop.world.slide(wheel, frame, hub, axis=(0, 1), turns=True, limits=limits, **spring, **motor)


def springs(shop: Shop, at: Place) -> None:
    """Connect three bodies by springs, which let them meet."""
    (x, y), world, rng = at, shop.world, shop.rng
    bodies = [
        shop.put(shape_of(str(rng.choice(["circle", "box", "polygon", "star", "rounded"])), x + dx, y + dy, 0.4, rng))
        for dx, dy in ((-0.8, -0.6), (0.8, -0.6), (0, 0.8))
    ]
    for k in range(3):
        a, b = bodies[k], bodies[k - 1]
        spring: dict[str, Any] = {"hertz": float(10 ** rng.uniform(-0.5, 2.5)), "damping": rng.uniform(0, 1.5)}
        limits = (0.5, 2.2) if rng.random() < 0.3 else None
        length = float(rng.uniform(0.8, 1.6))
        world.spring(a, b, from_=a.position, to=b.position, length=length, limits=limits, collide=True, **spring)
    if rng.random() < 0.3:
        world.spring(bodies[0], None, from_=bodies[0].position, to=(x, y), stiffness=100.0, resistance=1.0)


def gears(shop: Shop, at: Place) -> None:
    """Build two geared wheels, on a frame or in the world."""
    (x, y), world, rng = at, shop.world, shop.rng
    frame = shop.put(cm.Box((x, y - 0.9), (2.0, 0.15))) if rng.random() < 0.5 else None
    a, b = shop.put(cm.Circle((x - 0.7, y), 0.5)), shop.put(cm.Circle((x + 0.5, y), 0.4))
    world.pin(a, frame, a.position, **({} if shop.passive else {"speed": 5.0, "max_torque": 50.0}))
    world.pin(b, frame, b.position)
    world.gear(a, b, ratio=float(rng.choice([-2, -1, 0.5, 1, 3])))


def sliders(shop: Shop, at: Place) -> None:
    """Build a cart on a rail, which may be free, and a pole on it."""
    (x, y), world, rng = at, shop.world, shop.rng
    rail = shop.put(cm.Box((x, y - 0.7), (2.4, 0.15))) if rng.random() < 0.6 else None
    cart = shop.put(cm.Box((x, y), (0.6, 0.3)))
    turn = rng.uniform(-0.3, 0.3) if rail is None else 0.0
    more: dict[str, Any] = {"hertz": 2.0, "damping": 0.1} if rng.random() < 0.4 else {}
    if not shop.passive:
        more |= {"speed": float(rng.choice([-3, 3])), "max_force": float(rng.uniform(1, 500))}
    world.slide(cart, rail, (x, y), axis=(math.cos(turn), math.sin(turn)), limits=(-0.7, 0.7), **more)
    world.pin(link(shop, x, y, x, y + 1.0), cart, (x, y))


def ropes(shop: Shop, at: Place) -> None:
    """Hang two bodies on ropes."""
    (x, y), world, rng = at, shop.world, shop.rng
    a, b = shop.put(cm.Circle((x - 0.6, y), 0.3)), shop.put(cm.Box((x + 0.6, y), (0.5, 0.5)))
    if rng.random() < 0.6:
        world.rope(a, None, from_=(x - 0.6, y), to=(x, y + 1.2), length=float(rng.uniform(1.35, 2)))
    world.rope(b, a, from_=(x + 0.4, y), to=(x - 0.4, y), length=float(rng.uniform(0.81, 2)), collide=True)


def dragged(shop: Shop, at: Place) -> None:
    """Drag a body by one of its points."""
    (x, y), rng = at, shop.rng
    body = shop.put(cm.Box((x, y), (0.8, 0.4)))
    most = None if rng.random() < 0.3 else float(10 ** rng.uniform(0, 4))
    target = (x + rng.uniform(-1, 1), y + rng.uniform(-1, 1))
    shop.world.drag(body, (x + 0.3, y), target, hertz=float(rng.uniform(0.5, 10)), damping=0.7, max_force=most)


def cradle(shop: Shop, at: Place) -> None:
    """Hang four balls side by side on rods."""
    x, y = at
    for k in range(4):
        ball = shop.put(cm.Circle((x - 0.9 + 0.6 * k, y - 0.8), 0.29), friction=0.0)
        shop.world.rod(ball, None, from_=ball.position, to=(x - 0.9 + 0.6 * k, y + 1.2))


def truss(shop: Shop, at: Place) -> None:
    """Connect six small bodies by rods, of which there are more than are needed."""
    x, y = at
    spots = [(i, j) for i in range(3) for j in range(2)]
    nodes = {(i, j): shop.put(cm.Circle((x - 0.8 + 0.8 * i, y - 0.5 + 0.8 * j), 0.15)) for i, j in spots}
    for p, a in nodes.items():
        for q, b in nodes.items():
            if p < q and max(abs(p[0] - q[0]), abs(p[1] - q[1])) == 1:
                shop.world.rod(a, b, from_=a.position, to=b.position)


def arm(shop: Shop, at: Place) -> None:
    """Have a kinematic body swing or push two bars."""
    (x, y), world, rng = at, shop.world, shop.rng
    if rng.random() < 0.5:
        hub = world.add(cm.Box((x, y), (0.6, 0.2)), kind="kinematic", spin=float(rng.normal(0, 2)))
    else:
        hub = world.add(cm.Box((x, y), (0.4, 0.2)), kind="kinematic")
        shop.movers.append(hub)
    one, two = link(shop, x + 0.3, y, x + 0.8, y), link(shop, x + 0.8, y, x + 1.3, y)
    world.pin(one, hub, (x + 0.3, y))
    if rng.random() < 0.7:
        world.pin(two, one, (x + 0.8, y))
    else:
        world.weld(two, one, (x + 0.8, y), hertz=4, damping=0.2)


def free(shop: Shop, at: Place) -> None:
    """Put some bodies of any kind."""
    rng = shop.rng
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if rng.random() < 0.5:
                kind = KINDS[int(rng.integers(len(KINDS)))]
                shop.put(shape_of(kind, at[0] + dx, at[1] + dy, rng.uniform(0.2, 0.45), rng))


UNDRIVEN = (chain, ragdoll, loop, car, springs, gears, sliders, ropes, dragged, cradle, truss, free)
MECHANISMS: dict[str, Callable[[Shop, Place], None]] = {each.__name__: each for each in (*UNDRIVEN, arm)}


def set_any(joint: cm.Joint, rng: np.random.Generator) -> None:
    """Set something of a joint: its motor, spring, length, target, or what it breaks at."""
    if joint.kind in ("pin", "slide", "wheel") and rng.random() < 0.5:
        joint.speed = float(rng.normal(0, 5))
        if joint.kind == "slide":
            joint.max_force = float(rng.uniform(0, 500))
        else:
            joint.max_torque = float(rng.uniform(0, 100))
    elif joint.kind in ("pin", "weld", "slide", "wheel", "spring"):
        joint.hertz = float(10 ** rng.uniform(-1, 2)) if joint.kind == "spring" or rng.random() < 0.7 else None
    elif joint.kind == "rope":
        joint.length = joint.distance + float(rng.uniform(0, 1))
    elif joint.kind == "drag":
        joint.target = joint.target + rng.normal(0, 0.3, 2)
    elif joint.kind == "rod":
        joint.breaks_at = (float(rng.uniform(100, 10000)), None)
