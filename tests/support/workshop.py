"""Rooms full of random mechanisms and free bodies, by seed, for long runs; `Workshop.play` says what has gone wrong.

Each kind of room is a function that fills a `Workshop`. Joints may gape where their mechanism waits, and no more than
that later; bodies whose joint is removed may overlap, as they did with it, until they are apart.
"""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import carom as cm
from tests.support.drivers import Drivers
from tests.support.mechanisms import MECHANISMS, UNDRIVEN, set_any
from tests.support.pushes import Pushes, parts_of, width_of
from tests.support.soak import KINDS, PROMISE, shape_of

GAP, GAIN, MOST_SECONDS = 1e-6, 1e-6, 1.0
GIVEN = 1e-3
"""By how much of its energy a driven room may have more than it was given."""
PASSED, USUALLY, SHARE = 1.0, 1e-2, 90
"""By how much a limit may be passed where nothing waits, and by how much in so many of a hundred steps."""
CELL = 3.0


class Workshop:
    """A room with a mechanism or some free bodies in each of its cells."""

    columns, floors = 4, 4

    def __init__(self, kind: str, seed: int) -> None:
        self.rng = np.random.default_rng([seed, sum(map(ord, kind))])
        self.world, self.kind, self.steps = cm.World(), kind, 150
        self.passive, self.driven = False, False
        self.wide, self.high = CELL * self.columns, CELL * self.floors
        self.mass, self.bounce = float(self.rng.choice([0, 1, 3])), 0.0
        self.movers: list[cm.Body] = []
        self.excused: set[frozenset[cm.Body]] = set()
        self.gaps: dict[cm.Joint, float] = {}
        self.passed: list[float] = []
        self.given = 0.0
        ROOMS[kind](self)
        self.excused = self.overlaps()

    def put(self, shape: cm.Shape | cm.Compound, **settings: Any) -> cm.Body:
        """Put a dynamic body in, of a random mass and friction."""
        usual = {
            "mass": float(10 ** self.rng.uniform(0, self.mass)),
            "restitution": self.bounce,
            "friction": float(self.rng.choice([0.0, 0.3, 0.8])),
        }
        return self.world.add(shape, kind="dynamic", **(usual | settings))

    def fill(self, names: list[str]) -> None:
        """Build walls, fill each cell, and throw all bodies."""
        w, h, t, rng = self.wide, self.high, 0.5, self.rng
        for x, y, wide, high in (
            (w / 2, -t / 2, w + 2 * t, t),
            (w / 2, h + t / 2, w + 2 * t, t),
            (-t / 2, h / 2, t, h),
            (w + t / 2, h / 2, t, h),
        ):
            self.world.add(cm.Box((x, y), (wide, high)), restitution=self.bounce)
        for k in range(self.columns * self.floors):
            name = names[int(rng.integers(len(names)))]
            MECHANISMS[name](self, (CELL * (k % self.columns + 0.5), CELL * (k // self.columns + 0.5)))
        for body in self.dynamic():
            body.velocity, body.spin = rng.normal(0, 2, 2), rng.normal(0, 2)

    def some(self) -> list[str]:
        """Choose a few kinds of mechanisms: rooms of one or two kinds show other faults than those of all kinds."""
        names = sorted(each.__name__ for each in UNDRIVEN)
        return [*self.rng.choice(names, size=int(self.rng.choice([2, 3, len(names)])), replace=False), "free"]

    def dynamic(self) -> list[cm.Body]:
        return [body for body in self.world.bodies if body.kind == "dynamic"]

    def overlaps(self) -> set[frozenset[cm.Body]]:
        found, body = self.world.overlaps(), self.world.body
        return {frozenset((body(a), body(b))) for a, b in zip(found.body.tolist(), found.other.tolist(), strict=True)}

    # What is wrong.

    def outside(self) -> list[str]:
        """Name the bodies that are nowhere, or not in the room."""
        wrong = []
        for body in self.dynamic():
            x, y = body.position
            if not all(map(math.isfinite, (x, y, body.angle, *body.velocity, body.spin))):
                wrong.append(f"not finite: {body}")
            elif not (-1e-3 < x < self.wide + 1e-3 and -1e-3 < y < self.high + 1e-3):
                wrong.append(f"outside: {body} at ({x:.3f}, {y:.3f})")
        return wrong

    def deep(self) -> list[str]:
        """Name the pairs that are deeper in each other than the world promises, part by part."""
        wrong, pairs = [], self.overlaps()
        self.excused &= pairs
        for pair in pairs - self.excused:
            a, b = pair
            size = min(width_of(a.shape), width_of(b.shape))
            depth = max(-cm.separation(p, q) for p in parts_of(a.shape) for q in parts_of(b.shape))
            share = depth / (PROMISE * (size if size < math.inf else 1.0) / 2)
            if "dynamic" in (a.kind, b.kind) and share > 1 + 1e-6:
                wrong.append(f"{share:.2f} times as deep as promised: {a}, {b}")
        return wrong

    def gaping(self) -> list[str]:
        """Name the joints that gape, and those whose limits are passed by far, where neither body waits."""
        wrong, gaps = [], {}
        for joint in self.world.joints:
            passed = passed_of(joint)
            gap = joint.error - passed
            most = max(GAP, 1.001 * self.gaps.get(joint, 0.0))
            waits = any(body is not None and body.waited > 0 for body in (joint.a, joint.b))
            if not (gap < most or (waits and math.isfinite(gap))):
                wrong.append(f"gap {gap:.3g}: {joint}")
            gaps[joint] = gap
            if is_limited(joint) and not waits:
                self.passed.append(passed)
                wrong += [f"limit passed by {passed:.3g}: {joint}"] if not passed < PASSED else []
        self.gaps = gaps
        return wrong

    def energy(self) -> float:
        """Return the energy of motion, of gravity and of springs."""
        total, gravity = 0.0, self.world.gravity
        for body in self.dynamic():
            v, inertia = body.velocity, body.inertia
            total += body.mass * (0.5 * v.dot(v) - body.position.dot(gravity))
            total += 0.5 * inertia * body.spin**2 if inertia < math.inf else 0.0
        return total + sum(map(strain, self.world.joints))

    # Play.

    def length(self, step: int) -> float:
        return 1 / 60 if self.kind != "wild" or step % 7 else float(self.rng.choice([1 / 240, 1 / 30, 1 / 10]))

    def play(self) -> tuple[list[str], int]:
        """Play to the end, or to what goes wrong; return that, and the digest."""
        start = self.energy()
        scale = max(start + sum(body.mass for body in self.dynamic()) * max(0.0, self.world.gravity.y) * self.high, 1.0)
        for step in range(self.steps):
            for body in self.movers if step % 40 == 0 else ():
                body.velocity = (-1) ** (step // 40) * 2.0, 0.0
            if self.kind == "wild":
                change(self)
            joined = {joint: frozenset((joint.a, joint.b)) for joint in self.world.joints if joint.b is not None}
            wrong = self.step(self.length(step), step)
            self.excused |= {joined[joint] for joint in joined.keys() - set(self.world.joints)}  # some have broken
            wrong += self.outside()
            if not wrong:
                wrong += self.deep() + self.gaping()
            if self.kind != "wild":
                more, most = self.energy() - start - self.given, GAIN if self.passive else GIVEN
                wrong += [f"energy grows by {more / scale:.3g} of it"] if not more < most * scale else []
            if wrong:
                return [f"step {step}: {text}" for text in wrong], 0
        usually = float(np.percentile(self.passed, SHARE)) if self.passed else 0.0
        wrong = [f"limits are passed by {usually:.3g}"] if not usually < USUALLY else []
        return wrong, self.world.digest()

    def step(self, length: float, step: int) -> list[str]:
        """Play a step, some of them with changes at pauses; say whether it takes long, or copies go otherwise."""
        if self.kind == "wild" and step % 11 == 5:
            for _ in self.world.events(length):
                change_at_pause(self)
            return []
        wrong = differences(self.world, length) if step % 30 == 11 else []
        snapshot, drivers, pushes = self.world.snapshot(), Drivers(self.world), Pushes(self.world, length)
        begun = time.thread_time()
        hits = self.world.step(length)
        if time.thread_time() - begun > MOST_SECONDS:  # once more, since it may have compiled a kernel
            self.world.restore(snapshot)
            begun = time.thread_time()
            self.world.step(length)
            if (took := time.thread_time() - begun) > MOST_SECONDS:
                wrong.append(f"slow: {took:.1f} s")
        self.given += 0.0 if self.passive else drivers.gave(hits, length)
        return wrong + (pushes.from_afar() if self.kind != "wild" else [])  # where turns do not end, they may


def is_limited(joint: cm.Joint) -> bool:
    return joint.kind == "rope" or (joint.kind in ("pin", "slide", "wheel", "spring") and joint.limits is not None)


def passed_of(joint: cm.Joint) -> float:
    """Return how far a joint is beyond its limits, the length of a rope among them."""
    if not is_limited(joint):
        return 0.0
    if joint.kind == "rope":
        return joint.error
    assert joint.limits is not None
    low, high = joint.limits
    value = {"pin": lambda: joint.angle, "spring": lambda: joint.distance}.get(joint.kind, lambda: joint.offset)()
    return max(low - value, value - high, 0.0)


def strain(joint: cm.Joint) -> float:
    """Return the energy in the spring of a joint; one that pulls at most so much has the more the farther it is."""
    if joint.kind not in ("pin", "spring", "weld", "slide", "wheel", "drag") or joint.stiffness is None:
        return 0.0
    if joint.kind == "drag":
        most, far = joint.max_force or math.inf, joint.distance
        full = most / joint.stiffness
        return 0.5 * joint.stiffness * far**2 if far <= full else most * (far - 0.5 * full)
    if joint.kind == "spring":
        return 0.5 * joint.stiffness * (joint.distance - joint.length) ** 2
    if joint.kind == "weld":
        return 0.5 * joint.stiffness * joint.angle**2
    value = joint.angle if joint.kind == "pin" else joint.offset
    return 0.5 * joint.stiffness * (value - joint.rest) ** 2


def differences(world: cm.World, length: float) -> list[str]:
    """Play the next step by all ways there are, and say which differ; the world itself stays as it is."""
    expected = world.copy()
    expected.step(length)
    digest = expected.digest()
    snapshot, threaded, copies = world.snapshot(), world.copy(), world.copies(2)
    again = pickle.loads(pickle.dumps(world))
    again.step(length)
    threaded.step(length, threads=2)
    copies.step(length)
    world.step(length)
    ways = {"itself": world, "a pickle": again, "threads": threaded, "copies": copies.world(1)}
    wrong = [f"other bits by {name}" for name, one in ways.items() if one.digest() != digest]
    world.restore(snapshot)
    world.step(length)
    wrong += [] if world.digest() == digest else ["other bits after a snapshot"]
    world.restore(snapshot)
    return wrong


def passive(shop: Workshop) -> None:
    """Have nothing drive the mechanisms: energy does not grow."""
    shop.passive = True
    shop.world.gravity = 0, -float(shop.rng.choice([0, 1, 10, 30]))
    shop.bounce = float(shop.rng.choice([0, 0, 0.3, 0.8, 1]))
    shop.fill(shop.some())


def driven(shop: Workshop) -> None:
    """Have motors and kinematic bodies drive."""
    shop.world.gravity = 0, -float(shop.rng.choice([0, 10, 10]))
    shop.bounce = float(shop.rng.choice([0, 0, 0.3, 0.8]))
    shop.fill([*shop.some(), "arm"])


ROOMS: dict[str, Callable[[Workshop], None]] = {"passive": passive, "driven": driven, "wild": driven}


def change(shop: Workshop) -> None:
    """Do what a user may do between two steps."""
    rng, world, what = shop.rng, shop.world, shop.rng.random()
    bodies, joints = shop.dynamic(), world.joints
    body, other = (bodies[int(rng.integers(len(bodies)))] for _ in range(2))
    if what < 0.1:
        body.apply_impulse(body.mass * rng.normal(0, 3, 2))
    elif what < 0.14 and joints:
        remove_any(shop)
    elif what < 0.18 and len(bodies) > 5:
        world.remove(body)
    elif what < 0.24 and other is not body and (body.position - other.position).length > 0.1:
        join = [world.rope, world.spring, world.rod][int(rng.integers(3))]
        spring = {"hertz": 2.0, "damping": 0.3} if join == world.spring else {}
        join(body, other, from_=body.position, to=other.position, **spring)
    elif what < 0.34 and joints:
        set_any(joints[int(rng.integers(len(joints)))], rng)
    elif what < 0.38:
        place = rng.uniform(1, shop.wide - 1), rng.uniform(1, shop.high - 1)
        if not world.query(cm.Circle(place, 0.5)):
            shop.put(shape_of(str(rng.choice(KINDS)), *place, rng.uniform(0.2, 0.45), rng))
    elif what < 0.42:
        for mover in [one for one in world.bodies if one.kind == "kinematic"][:1]:
            mover.move_to(mover.position + rng.normal(0, 0.05, 2), mover.angle + rng.normal(0, 0.1))
    elif what < 0.44:
        body.mass = float(10 ** rng.uniform(0, 3))
    elif what < 0.46:
        world.gravity = rng.normal(0, 10, 2)
    elif what < 0.48:
        body.velocity = rng.normal(0, 20, 2)
    elif what < 0.50:
        world.drag(body, body.position, (shop.wide / 2, shop.high / 2), hertz=1.0, damping=0.5, max_force=1000.0)


def change_at_pause(shop: Workshop) -> None:
    """Do what a user may do at a pause of a step."""
    rng, what = shop.rng, shop.rng.random()
    joints, bodies = shop.world.joints, shop.dynamic()
    if what < 0.02 and joints:
        remove_any(shop)
    elif what < 0.1 and joints:
        set_any(joints[int(rng.integers(len(joints)))], rng)
    elif what < 0.12:
        bodies[int(rng.integers(len(bodies)))].velocity = rng.normal(0, 5, 2)


def remove_any(shop: Workshop) -> None:
    """Remove a joint, whose bodies may overlap then."""
    joints = shop.world.joints
    joints[int(shop.rng.integers(len(joints)))].remove()
    shop.excused |= shop.overlaps()
