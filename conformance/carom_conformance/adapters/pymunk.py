"""pymunk, the binding of Chipmunk."""

from __future__ import annotations

import math
from typing import Any

import pymunk

from carom_conformance import engine, shapes
from carom_conformance.engine import Body, Hit, Joint, NotOffered, State
from carom_conformance.shapes import Point

KINDS = {"static": pymunk.Body.STATIC, "kinematic": pymunk.Body.KINEMATIC, "dynamic": pymunk.Body.DYNAMIC}
ALONE = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
"""The body of shapes that are in no space."""


def made(shape: shapes.Shape, body: pymunk.Body) -> pymunk.Shape:
    """Return a shape of pymunk on a body."""
    if isinstance(shape, shapes.Circle):
        return pymunk.Circle(body, shape.radius, shape.centre)
    if isinstance(shape, shapes.Polygon):
        return pymunk.Poly(body, list(shape.vertices))
    return pymunk.Segment(body, shape.a, shape.b, shape.radius if isinstance(shape, shapes.Capsule) else 0.0)


def alone(shape: shapes.Shape) -> pymunk.Shape:
    """Return a shape in no space, ready to be queried."""
    found = made(shape, ALONE)
    found.cache_bb()
    return found


def points(a: shapes.Shape, b: shapes.Shape) -> pymunk.ContactPointSet | None:
    """Return the contact of two shapes; pymunk 7.3.1 asserts that there is a point, and so fails if they are apart."""
    try:
        found = alone(a).shapes_collide(alone(b))
    except AssertionError:
        return None
    return found if found.points else None


class Adapter(engine.Engine):
    """Pairs by `shapes_collide`, points by `point_query`, rays by `segment_query`; a circle is cast as a thick ray."""

    name = "pymunk"
    version = pymunk.version
    settings = "Ten iterations a step, as by default; collision_slop 0.005, since the scenes are in metres."

    def intersects(self, a: shapes.Shape, b: shapes.Shape) -> bool:
        return bool(points(a, b))

    def contains(self, shape: shapes.Shape, point: Point) -> bool:
        return alone(shape).point_query(point).distance <= 0

    def distance(self, a: shapes.Shape, b: shapes.Shape) -> float:
        for one, other in ((a, b), (b, a)):
            if isinstance(one, shapes.Circle):
                return max(0.0, alone(other).point_query(one.centre).distance - one.radius)
        raise NotOffered

    def overlap(self, a: shapes.Shape, b: shapes.Shape) -> tuple[float, Point] | None:
        found = points(a, b)
        if not found:
            return None
        return max(abs(point.distance) for point in found.points), (found.normal.x, found.normal.y)

    def raycast(self, origin: Point, translation: Point, shape: shapes.Shape, radius: float = 0.0) -> Hit | None:
        end = (origin[0] + translation[0], origin[1] + translation[1])
        found = alone(shape).segment_query(origin, end, radius)
        return None if found is None or found.shape is None else Hit(found.alpha, (found.normal.x, found.normal.y))

    def cast(self, a: shapes.Shape, b: shapes.Shape, translation: Point) -> float | None:
        if not isinstance(a, shapes.Circle):
            raise NotOffered
        found = self.raycast(a.centre, translation, b, a.radius)
        return None if found is None else found.fraction

    def world(self, gravity: Point, friction: float = 0.6, restitution: float = 0.0, sleep: bool = True) -> World:
        space = pymunk.Space()
        space.gravity, space.collision_slop = gravity, 0.005
        space.sleep_time_threshold = 0.5 if sleep else math.inf
        return World(space, friction, restitution)


class World(engine.World):
    """A Space. Friction and restitution of a pair are products of two, so that each shape gets a square root."""

    def __init__(self, space: pymunk.Space, friction: float, restitution: float) -> None:
        self.space, self.surface = space, (math.sqrt(friction), math.sqrt(restitution))
        self.counts = [0, 0]
        for place, moment in enumerate(("begin", "separate")):
            space.on_collision(1, None, **{moment: lambda arbiter, space, data, place=place: self.count(place)})

    def count(self, place: int) -> None:
        """Count an entry or an exit."""
        self.counts[place] += 1

    def add(self, body: Body) -> Any:
        dynamic = body.kind == "dynamic"
        handle = pymunk.Body(body.mass, body.moment) if dynamic else pymunk.Body(body_type=KINDS[body.kind])
        handle.position, handle.angle = body.at, body.angle
        handle.velocity, handle.angular_velocity = body.velocity, body.spin
        parts = [made(shape, handle) for shape in body.shapes]
        for part in parts:
            part.friction, part.elasticity = self.surface
            part.sensor, part.collision_type = body.sensor, int(body.sensor)
            part.surface_velocity = (body.belt, 0)
            part.filter = pymunk.ShapeFilter(group=body.group)
        self.space.add(handle, *parts)
        return handle

    def join(self, joint: Joint) -> Any:
        if joint.breaks_at is not None:
            raise NotOffered
        a, b = joint.a, joint.b or self.space.static_body
        at, to = (a.world_to_local(joint.at), b.world_to_local(joint.to))
        turn = a.angle - b.angle
        made: list[pymunk.Constraint]
        if joint.kind == "rod":
            made = [pymunk.PinJoint(a, b, at, to)]
        elif joint.kind == "rope":
            made = [pymunk.SlideJoint(a, b, at, to, 0, joint.length)]
        elif joint.kind == "spring":
            omega = 2 * math.pi * joint.hertz
            stiff, damp = a.mass * omega**2, 2 * a.mass * joint.damping * omega
            made = [pymunk.DampedSpring(a, b, at, to, joint.length, stiff, damp)]
        elif joint.kind == "slide":
            low, high = joint.limits or (-1e4, 1e4)
            (x, y), (dx, dy) = joint.at, joint.axis
            start, end = (b.world_to_local((x + t * dx, y + t * dy)) for t in (low, high))
            made = [pymunk.GrooveJoint(b, a, start, end, at), pymunk.RotaryLimitJoint(b, a, turn, turn)]
        elif joint.kind == "gear":
            made = [pymunk.GearJoint(b, a, turn, -1 / joint.ratio)]
        else:
            made = [pymunk.PivotJoint(a, b, joint.at)]
            limits = (0, 0) if joint.kind == "weld" else joint.limits
            if limits:
                made.append(pymunk.RotaryLimitJoint(b, a, turn + limits[0], turn + limits[1]))
            if joint.strength:
                made.append(pymunk.SimpleMotor(a, b, joint.speed))
                made[-1].max_force = joint.strength
        for one in made:
            one.collide_bodies = False
        self.space.add(*made)
        return made

    def step(self, dt: float) -> None:
        self.space.step(dt)

    def state(self, body: Any) -> State:
        (x, y), (vx, vy) = body.position, body.velocity
        return State(x, y, body.angle, vx, vy, body.angular_velocity)

    def place(self, body: Any, at: Point, angle: float) -> None:
        body.position, body.angle = at, angle
        self.space.reindex_shapes_for_body(body)

    def push(self, body: Any, velocity: Point, spin: float) -> None:
        body.velocity, body.angular_velocity = velocity, spin

    def remove(self, body: Any) -> None:
        self.space.remove(*body.constraints, *body.shapes, body)

    def asleep(self, body: Any) -> bool:
        return bool(body.is_sleeping)

    def visits(self) -> tuple[int, int]:
        return self.counts[0], self.counts[1]
