"""Random scenes for long runs, by seed: rooms at any angle, bodies of all kinds, drivers, and what a user does to them.

Each kind of scene is a function that fills a `Room`; `Room.play` steps it and says what has gone wrong.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import carom as cm
from tests.support.pushes import Pushes, parts_of, width_of

PROMISE = 0.3 * 0.008  # overlap at most, as a share of half the smaller least width
SMOOTH = ["circle", "box", "capsule", "polygon"]
KINDS = [*SMOOTH, "segment", "star", "ell", "point", "plank", "rounded"]
Rng = np.random.Generator


def star(x: float, y: float, radius: float, tips: int, angle: float) -> cm.Compound:
    radii = [radius if k % 2 else 0.45 * radius for k in range(2 * tips)]
    turns = [angle + math.pi * k / tips for k in range(2 * tips)]
    return cm.decompose([(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(radii, turns, strict=True)])


def shape_of(kind: str, x: float, y: float, r: float, rng: Rng) -> cm.Shape | cm.Compound:
    """Return a shape of a kind in a circle of radius r, at some angle."""
    angle = rng.uniform(0, 2 * math.pi)
    c, s = r * math.cos(angle), r * math.sin(angle)
    if kind == "circle":
        return cm.Circle((x, y), r)
    if kind == "box":
        return cm.Box((x, y), (1.4 * r, r * rng.uniform(0.5, 1.4)), angle=angle)
    if kind == "plank":
        return cm.Box((x, y), (1.9 * r, r * rng.uniform(0.02, 0.2)), angle=angle)
    if kind == "capsule":
        return cm.Capsule((x - 0.6 * c, y - 0.6 * s), (x + 0.6 * c, y + 0.6 * s), r * rng.uniform(0.1, 0.4))
    if kind == "polygon":
        n = int(rng.integers(3, 9))
        turns = np.sort(rng.uniform(0, 2 * math.pi, n))
        if np.diff(turns).min() < 0.2:
            turns = np.arange(n) * 2 * math.pi / n + angle
        return cm.hull(np.array((x, y)) + 0.95 * r * np.column_stack((np.cos(turns), np.sin(turns))))
    if kind == "segment":
        return cm.Segment((x - 0.9 * c, y - 0.9 * s), (x + 0.9 * c, y + 0.9 * s))
    if kind == "star":
        return star(x, y, 0.95 * r, int(rng.integers(3, 7)), angle)
    if kind == "ell":
        q = 1.2 * r
        corners = [(0, 0), (q, 0), (q, q / 3), (q / 3, q / 3), (q / 3, q), (0, q)]
        return cm.decompose(corners).translated((x - q / 2, y - q / 2)).rotated(angle, (x, y))
    if kind == "point":
        return cm.Point((x, y))
    return cm.Box((x, y), (r, 0.8 * r), angle=angle, radius=0.15 * r)


class Room:
    """Four walls at an angle around bodies; places are those in the room, from its lower left corner."""

    def __init__(self, kind: str, seed: int) -> None:
        self.rng: Rng = np.random.default_rng([seed, sum(map(ord, kind))])
        self.world, self.turn, self.wide, self.high = cm.World(), 0.0, 10.0, 14.0
        self.bodies: list[cm.Body] = []
        self.steps, self.driven = 240, False
        self.drive: Callable[[int], None] = lambda step: None
        self.length: Callable[[int], float] = lambda step: 1 / 60
        self.widths: dict[cm.Body, float] = {}
        SCENES[kind](self)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place of the room, or a direction, is in the world."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return c * x - s * y, s * x + c * y

    def box(self, x: float, y: float, wide: float, high: float, angle: float = 0.0) -> cm.Box:
        return cm.Box(self.at(x, y), (wide, high), angle=self.turn + angle)

    def add_walls(self, thick: float, **settings: Any) -> None:
        w, h, t = self.wide, self.high, thick
        for x, y, wide, high in (
            (w / 2, -t / 2, w + 2 * t, t),
            (w / 2, h + t / 2, w + 2 * t, t),
            (-t / 2, h / 2, t, h),
            (w + t / 2, h / 2, t, h),
        ):
            self.world.add(self.box(x, y, wide, high), **settings)

    def fill(
        self, count: int, kinds: list[str], low: float, mass: float, bounces: Sequence[float], speed: float, spin: float
    ) -> None:
        """Put up to so many bodies in from a height on, in rows, where there is room; masses up to 10**mass."""
        rng, columns = self.rng, max(1, int(self.wide - 0.2))
        for k in range(count):
            x, y = (k % columns + 0.5) * self.wide / columns, low + k // columns
            if y > self.high - 0.6:
                break
            shape = shape_of(kinds[int(rng.integers(len(kinds)))], *self.at(x, y), rng.uniform(0.2, 0.45), rng)
            settings = {
                "mass": float(10 ** rng.uniform(0, mass)) if mass else 1.0,
                "restitution": float(rng.choice(bounces)),
                "velocity": speed * rng.normal(0, 1, 2),
                "spin": spin * rng.normal(),
            }
            if not self.world.query(shape):
                self.bodies.append(self.world.add(shape, kind="dynamic", **settings))

    def outside(self) -> list[str]:
        """Name the bodies that are not in the room."""
        rows = self.world.rows(self.bodies)
        (x, y), c, s = self.world.positions[rows].T, math.cos(self.turn), math.sin(self.turn)
        along, up = c * x + s * y, c * y - s * x
        inside = (np.minimum(along, up) > -1e-3) & (along < self.wide + 1e-3) & (up < self.high + 1e-3)
        return [f"outside: {self.bodies[k]} at ({along[k]:.3f}, {up[k]:.3f})" for k in np.flatnonzero(~inside)]

    def deep(self) -> list[str]:
        """Name the pairs that are deeper in each other than the world promises, part by part."""
        found, wrong = self.world.overlaps(), []
        for rows in zip(found.body.tolist(), found.other.tolist(), strict=True):
            a, b = (self.world.body(row) for row in rows)
            for body in (a, b):
                if body not in self.widths:
                    self.widths[body] = width_of(body.shape)
            size = min(self.widths[a], self.widths[b])
            depth = max(-cm.separation(p, q) for p in parts_of(a.shape) for q in parts_of(b.shape))
            share = depth / (PROMISE * (size if size < math.inf else 1.0) / 2)
            if "dynamic" in (a.kind, b.kind) and share > 1 + 1e-6:
                wrong.append(f"{share:.2f} times as deep as promised: {a}, {b}")
        return wrong

    def energy(self) -> float:
        """Return the energy of all bodies, that of gravity from the corner of the room on."""
        rows, world = self.world.rows(self.bodies), self.world
        mass = np.array([body.mass for body in self.bodies])
        inertia = np.array([body.inertia if body.inertia < math.inf else 0.0 for body in self.bodies])
        speeds = (world.velocities[rows] ** 2).sum(axis=1)
        heights = world.positions[rows] @ np.array(world.gravity)
        return float((mass * (speeds / 2 - heights) + inertia * world.spins[rows] ** 2 / 2).sum())

    def play(self) -> tuple[list[str], list[float], int]:
        """Play to the end, or to what goes wrong; return that, the ms of each step but the first, and the digest."""
        times: list[float] = []
        start = self.energy()
        corners = [self.at(x, y) for x in (0, self.wide) for y in (0, self.high)]
        mass = sum(body.mass for body in self.bodies)
        lowest = min(-float(np.dot(corner, self.world.gravity)) for corner in corners) * mass
        for step in range(self.steps):
            self.drive(step)
            length = self.length(step)
            pushes, begun = Pushes(self.world, length), time.thread_time()
            self.world.step(length)
            if step > 0 and length < 0.2:
                times.append(1e3 * (time.thread_time() - begun))
            wrong = self.outside() + self.deep() + pushes.from_afar()
            if not self.driven and self.energy() - start > 1e-3 * (start - lowest):
                wrong.append("more energy than at the start")
            if wrong:
                return [f"step {step}: {text}" for text in wrong], times, 0
        return [], times, self.world.digest()


def thin(room: Room) -> None:
    """Fill a room of thin walls that is turned, with a bar that spins; the bodies have little width, or any."""
    rng = room.rng
    room.turn = rng.uniform(0, 2 * math.pi) if rng.random() < 0.7 else 0.0
    room.world.gravity = room.at(0, -float(rng.choice([1.0, 10.0, 100.0])))
    room.high, room.steps, room.driven = 12.0, 400, True
    room.add_walls(float(rng.choice([0.001, 0.01, 0.05])))
    room.world.add(room.box(5, 2, 3, 0.3), kind="kinematic", spin=rng.uniform(-2, 2))
    some = [["segment"], ["segment", "point"], KINDS, ["box", "plank"], ["circle", "star", "ell"]][rng.integers(5)]
    room.fill(40, some, 4.0, float(rng.choice([0, 2, 4])), (0, 0, 0.5), 3.0, 5.0)


def still(room: Room) -> None:
    """Fill a room in which nothing drives: energy does not grow."""
    rng = room.rng
    room.turn = rng.uniform(0, 2 * math.pi) if rng.random() < 0.5 else 0.0
    room.world.gravity = room.at(0, -float(rng.choice([1.0, 10.0, 30.0])))
    room.wide, room.high = float(rng.uniform(5, 14)), 30.0
    settings = {"friction": float(rng.choice([0, 0.3, 0.6, 1])), "restitution": float(rng.choice([0, 0, 0.5]))}
    room.add_walls(float(rng.choice([0.01, 0.5])), **settings)
    some, bounces = (
        [SMOOTH, KINDS, ["circle"], ["box"]][rng.integers(4)],
        [(0,), (0, 0.3), (0, 0.5, 0.9)][rng.integers(3)],
    )
    speed, spin = rng.uniform(0, 5, 2)
    room.fill(int(rng.integers(5, 120)), some, 0.6, float(rng.choice([0, 0, 1, 2, 4])), bounces, speed, spin)


def free(room: Room) -> None:
    """Fill a room without gravity."""
    rng = room.rng
    room.wide, room.high, room.turn = 9.0, 9.0, rng.uniform(0, 2 * math.pi)
    room.add_walls(float(rng.choice([0.01, 0.3])), restitution=float(rng.choice([0, 0.5, 1])))
    some, bounces = [SMOOTH, KINDS, ["box", "segment"]][rng.integers(3)], [(0,), (0, 0.5), (1,)][rng.integers(3)]
    speed, spin = float(rng.choice([1, 10, 100])), float(rng.choice([0, 5, 100]))
    room.fill(int(rng.integers(5, 60)), some, 0.6, float(rng.choice([0, 1, 3])), bounces, speed, spin)


def driven(room: Room) -> None:
    """Fill a room with three of: a bar and a cross that spin, a piston, a lift, a door, a funnel, a belt."""
    rng = room.rng
    room.turn, room.driven, room.steps = rng.uniform(0, 2 * math.pi) if rng.random() < 0.3 else 0.0, True, 300
    room.world.gravity = room.at(0, -float(rng.choice([0.0, 10.0, 10.0, 50.0])))
    room.wide, room.high = float(rng.uniform(6, 14)), float(rng.uniform(9, 16))
    w, h, add = room.wide, room.high, room.world.add
    room.add_walls(float(rng.choice([0.01, 0.1, 0.5])), friction=float(rng.choice([0.3, 0.6])))
    speed, spin, period = rng.uniform(0.5, 5), rng.uniform(0.5, 4) * rng.choice([-1, 1]), int(rng.integers(30, 120))
    movers: list[tuple[cm.Body, str]] = []
    for name in rng.choice(["bar", "cross", "piston", "lift", "door", "funnel", "belt"], size=3, replace=False):
        if name == "bar":
            bar = room.box(w / 2, 2.5, rng.uniform(2, 4.5), rng.uniform(0.05, 0.5))
            add(bar, kind="kinematic", spin=spin)
        elif name == "cross":
            arms = [room.box(w / 3, 5, 4, 0.2), room.box(w / 3, 5, 0.2, 4)]
            add(cm.Compound.from_parts(arms), kind="kinematic", spin=spin)
        elif name == "piston":
            movers.append((add(room.box(0.3, h / 4, 0.5, h / 2 - 0.2), kind="kinematic"), "piston"))
        elif name == "lift":
            movers.append((add(room.box(w / 2, 0.1, 0.8 * w, 0.1), kind="kinematic"), "lift"))
        elif name == "door":
            pivot = room.at(0.7 * w - 1.5, h / 2)
            movers.append((add(room.box(0.7 * w, h / 2, 3, 0.1), kind="kinematic", pivot=pivot), "door"))
        elif name == "funnel":
            for side in (-1, 1):
                add(room.box(w / 2 + 0.3 * side * w, 6, 0.35 * w, 0.05, side * rng.uniform(0.3, 1)))
        else:
            add(room.box(w / 2, 0.3, 0.6 * w, 0.1), surface_velocity=(speed, 0))
    some = [SMOOTH, KINDS, ["circle"], ["box", "plank"], ["star", "ell", "box"]][rng.integers(5)]
    bounces = [(0,), (0, 0.3), (0, 0.5, 0.9)][rng.integers(3)]
    fast, turning = rng.uniform(0, 5, 2)
    room.fill(int(rng.integers(8, 90)), some, 6.0, float(rng.choice([0, 0, 1, 2, 4])), bounces, fast, turning)

    def drive(step: int) -> None:
        back = (1, -1)[step // period % 2]
        for body, name in movers:
            if name == "piston":
                body.velocity = room.at(back * speed, 0)
            elif name == "lift":
                body.velocity = room.at(0, speed * (0, 1, 0, -1)[step // period % 4])
            else:
                body.spin = back * spin

    room.drive = drive


def wild(room: Room) -> None:
    """Have a user push, throw, put, add and remove bodies of a driven room, in steps of any length, beside sensors."""
    driven(room)
    rng, world, drive, w, h = room.rng, room.world, room.drive, room.wide, room.high
    for body in room.bodies:
        body.rolling_resistance = rng.uniform(0, 0.3) * (rng.random() < 0.2)
        body.can_sleep, body.turns = bool(rng.random() > 0.1), bool(rng.random() > 0.05)
        body.response = str(rng.choice(["bounce", "bounce", "bounce", "slide", "stop"]))
    world.add(room.box(w / 2, h / 2, 2, 2), sensor=True)
    world.add(cm.Segment(room.at(1, h / 3), room.at(w - 1, h / 3)), sensor=True)
    world.add(room.box(0.25 * w, 0.55 * h, 0.4 * w, 0.1), one_way=room.at(0, 1))
    fastest = float(rng.choice([10, 100, 3000]))
    lengths = [[1 / 60], [1 / 60, 1 / 120, 1 / 30], [1 / 240, 1 / 60, 1 / 10], [1 / 60] * 20 + [1.0]][rng.integers(4)]
    user = np.random.default_rng(rng.integers(2**32))

    def somewhere() -> tuple[float, float] | None:
        place = room.at(user.uniform(1, w - 1), user.uniform(1, h - 1))
        return None if world.query(cm.Circle(place, 0.5)) else place

    def change(step: int) -> None:
        drive(step)
        body, what = room.bodies[int(user.integers(len(room.bodies)))], user.random()
        if what < 0.06:
            body.apply_impulse(body.mass * user.normal(0, 5, 2))
        elif what < 0.09:
            body.velocity = user.normal(0, fastest, 2)
        elif what < 0.11:
            body.spin = user.normal(0, 50)
        elif what < 0.14 and len(room.bodies) > 1:
            world.remove(body)
            room.bodies.remove(body)
        elif what < 0.20 and (place := somewhere()):
            shape = shape_of(str(user.choice(KINDS)), *place, user.uniform(0.2, 0.45), user)
            room.bodies.append(world.add(shape, kind="dynamic", mass=float(10 ** user.uniform(0, 2))))
        elif what < 0.23 and (place := somewhere()):
            body.position = place
        elif what < 0.25:
            world.gravity = room.at(user.uniform(-10, 10), user.uniform(-20, 5))

    room.drive, room.length = change, lambda step: float(user.choice(lengths))


def crowd(room: Room) -> None:
    """Pour up to 300 bodies, masses up to 100 times the least."""
    rng = room.rng
    room.world.gravity, room.wide, room.high = (0.0, -10.0), float(rng.uniform(9, 18)), 60.0
    room.add_walls(0.5)
    some = [SMOOTH, KINDS, ["circle"], ["box"], ["star"], ["box", "polygon", "ell"]][rng.integers(6)]
    bounces = [(0,), (0, 0.3), (0, 0.5, 0.9)][rng.integers(3)]
    room.fill(int(rng.integers(150, 301)), some, 0.6, float(rng.choice([0, 0, 1, 2])), bounces, 2.0, 2.0)


SCENES: dict[str, Callable[[Room], None]] = {
    "thin": thin,
    "still": still,
    "free": free,
    "driven": driven,
    "wild": wild,
    "crowd": crowd,
}
