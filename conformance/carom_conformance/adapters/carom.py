"""Carom."""

from __future__ import annotations

from typing import Any

import carom as cm
from carom_conformance import engine, shapes
from carom_conformance.engine import Body, Hit, Joint, State
from carom_conformance.shapes import Point


def made(shape: shapes.Shape) -> Any:
    """Return a shape of Carom."""
    if isinstance(shape, shapes.Circle):
        return cm.Circle(shape.centre, shape.radius)
    if isinstance(shape, shapes.Segment):
        return cm.Segment(shape.a, shape.b)
    if isinstance(shape, shapes.Capsule):
        return cm.Capsule(shape.a, shape.b, shape.radius)
    return cm.Polygon(shape.vertices)


class Adapter(engine.Engine):
    """Queries need no world."""

    name = "Carom"
    version = cm.__version__
    settings = "Default settings."

    def intersects(self, a: shapes.Shape, b: shapes.Shape) -> bool:
        return bool(cm.intersects(made(a), made(b)))

    def contains(self, shape: shapes.Shape, point: Point) -> bool:
        return bool(cm.contains(made(shape), point))

    def distance(self, a: shapes.Shape, b: shapes.Shape) -> float:
        return float(cm.distance(made(a), made(b)))

    def overlap(self, a: shapes.Shape, b: shapes.Shape) -> tuple[float, Point] | None:
        found = cm.collide(made(a), made(b))
        return None if found is None else (found.depth, (found.normal.x, found.normal.y))

    def raycast(self, origin: Point, translation: Point, shape: shapes.Shape) -> Hit | None:
        found = cm.raycast(origin, translation, made(shape))
        return None if found is None else Hit(found.fraction, (found.normal.x, found.normal.y))

    def cast(self, a: shapes.Shape, b: shapes.Shape, translation: Point) -> float | None:
        found = cm.cast(made(a), made(b), translation)
        return None if found is None else found.fraction

    def turning_cast(
        self, a: shapes.Shape, b: shapes.Shape, translation: Point, rotation: float, pivot: Point
    ) -> float | None:
        found = cm.cast(made(a), made(b), translation, rotation=rotation, pivot=pivot)
        return None if found is None else found.fraction

    def world(self, gravity: Point, friction: float = 0.6, restitution: float = 0.0, sleep: bool = True) -> World:
        return World(cm.World(gravity=gravity, sleep=sleep), friction, restitution)


class World(engine.World):
    """A world of Carom; a body of several shapes is a Compound."""

    def __init__(self, world: Any, friction: float, restitution: float) -> None:
        self.world, self.surface = world, {"friction": friction, "restitution": restitution}
        self.counts = [0, 0]

    def add(self, body: Body) -> Any:
        parts = [made(shape) for shape in body.shapes]
        shape = parts[0] if len(parts) == 1 else cm.Compound.from_parts(parts)
        shape = shape.rotated(body.angle, pivot=(0, 0)).translated(body.at)
        settings: dict[str, Any] = {"kind": body.kind, "sensor": body.sensor, "group": body.group, **self.surface}
        if body.kind != "static":
            settings |= {"velocity": body.velocity, "spin": body.spin}
        if body.kind == "kinematic":
            settings["pivot"] = body.at
        if body.kind == "dynamic":
            settings |= {"mass": body.mass, "inertia": body.moment}
        if body.belt:
            settings["surface_velocity"] = (body.belt, 0)
        handle = self.world.add(shape, **settings)
        handle.data = body.angle  # that of a polygon begins at 0
        return handle

    def join(self, joint: Joint) -> Any:
        a, b = joint.a, joint.b
        ends = {"breaks_at": (joint.breaks_at, None)} if joint.breaks_at is not None else {}
        if joint.kind == "pin":
            motor = {"speed": joint.speed, "max_torque": joint.strength} if joint.strength else {}
            return self.world.pin(a, b, joint.at, limits=joint.limits, **motor, **ends)
        if joint.kind == "rod":
            return self.world.rod(a, b, joint.at, joint.to, **ends)
        if joint.kind == "rope":
            return self.world.rope(a, b, joint.at, joint.to, length=joint.length, **ends)
        if joint.kind == "spring":
            settings = {"length": joint.length, "hertz": joint.hertz, "damping": joint.damping}
            return self.world.spring(a, b, joint.at, joint.to, **settings)
        if joint.kind == "slide":
            return self.world.slide(a, b, joint.at, axis=joint.axis, limits=joint.limits, **ends)
        if joint.kind == "gear":
            return self.world.gear(a, b, ratio=joint.ratio)
        return self.world.weld(a, b, joint.at, **ends)

    def step(self, dt: float) -> None:
        for hit in self.world.step(dt):
            self.counts[0] += hit.kind == "enter"
            self.counts[1] += hit.kind == "exit"

    def state(self, body: Any) -> State:
        (x, y), (vx, vy) = body.position, body.velocity
        return State(x, y, body.angle + body.data, vx, vy, body.spin)

    def place(self, body: Any, at: Point, angle: float) -> None:
        body.position, body.angle = at, angle - body.data

    def push(self, body: Any, velocity: Point, spin: float) -> None:
        body.velocity, body.spin = velocity, spin

    def remove(self, body: Any) -> None:
        self.world.remove(body)

    def asleep(self, body: Any) -> bool:
        return bool(body.asleep)

    def visits(self) -> tuple[int, int]:
        return self.counts[0], self.counts[1]

    def broken(self, joint: Any) -> bool:
        return bool(joint.removed)


def _load_kernels() -> None:
    """Load compiled code once, as this module is imported, for all the processes that are forked afterwards."""
    engine, ball, crate = Adapter(), shapes.Circle((0, 3), 0.5), shapes.box(0, 0, 1, 1)
    for other in (crate, shapes.Capsule((0, 0), (1, 0), 0.2)):
        engine.intersects(ball, other), engine.distance(ball, other), engine.overlap(crate, other)
        engine.contains(other, (0, 0)), engine.raycast((0, 5), (0, -9), other), engine.cast(ball, other, (0, -9))
    engine.turning_cast(crate, ball, (1, 0), 1.0, (0, 0))
    world = engine.world((0, -10))
    world.add(Body((shapes.box(0, -1, 9, 2),), kind="static"))
    bodies = [world.add(Body((shape,), (x, 0.6))) for x, shape in ((0, crate), (2, shapes.Circle((0, 0), 0.5)))]
    world.join(Joint("rod", bodies[0], bodies[1], at=(0, 0.6), to=(2, 0.6)))
    for _ in range(30):
        world.step(1 / 60)


_load_kernels()
