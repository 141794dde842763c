"""Box2D 3 by its binding pyb2d3, which has worlds, and of the questions about shapes those of a point and a ray."""

from __future__ import annotations

import importlib.metadata
import math
from typing import Any

import pyb2d3 as b2

from carom_conformance import engine, shapes
from carom_conformance.engine import Body, Hit, Joint, NotOffered, State
from carom_conformance.shapes import Point

SUBSTEPS = 4
MOST_VERTICES = 8
KINDS = {"static": b2.BodyType.STATIC, "kinematic": b2.BodyType.KINEMATIC, "dynamic": b2.BodyType.DYNAMIC}


def attach(body: Any, shape: shapes.Shape, form: Any) -> Any:
    """Put a shape on a body."""
    if isinstance(shape, shapes.Circle):
        return body.create_circle_shape(form, b2.circle(shape.centre, shape.radius))
    if isinstance(shape, shapes.Capsule):
        return body.create_capsule_shape(form, b2.capsule(shape.a, shape.b, shape.radius))
    if isinstance(shape, shapes.Segment):
        return body.create_segment_shape(form, b2.segment(shape.a, shape.b))
    if len(shape.vertices) > MOST_VERTICES:
        raise NotOffered
    return body.create_polygon_shape(form, b2.polygon(points=list(shape.vertices)))


class Adapter(engine.Engine):
    """The questions about one shape need a world with that shape alone."""

    name = "Box2D 3"
    version = f"3.1 (pyb2d3 {importlib.metadata.version('pyb2d3')})"
    settings = "Four substeps a step, as its documentation recommends; restitution_threshold 0; no limit of speed."

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def alone(self, shape: shapes.Shape) -> Any:
        """Return a shape on a body of its own."""
        world = b2.World(gravity=(0, 0))
        body = world.create_static_body(position=(0, 0))
        self.kept = [world, body]
        return attach(body, shape, b2.shape_def())

    def contains(self, shape: shapes.Shape, point: Point) -> bool:
        return bool(self.alone(shape).test_point(point))

    def raycast(self, origin: Point, translation: Point, shape: shapes.Shape) -> Hit | None:
        self.alone(shape)
        found = self.kept[0].cast_ray_closest(origin, translation)
        return Hit(found.fraction, tuple(found.normal)) if found.hit else None

    def world(self, gravity: Point, friction: float = 0.6, restitution: float = 0.0, sleep: bool = True) -> World:
        return World(
            b2.World(gravity=gravity, restitution_threshold=0.0, maximum_linear_speed=1e9), friction, restitution, sleep
        )


class World(engine.World):
    """A world whose joints to the world hang on one static body."""

    def __init__(self, world: Any, friction: float, restitution: float, sleep: bool) -> None:
        self.world, self.surface = world, {"friction": friction, "restitution": restitution}
        world.sleeping_enabled = sleep
        self.ground, self.counts = world.create_static_body(position=(0, 0)), [0, 0]
        self.angles: dict[int, list[Any]] = {}

    def add(self, body: Body) -> Any:
        settings: dict[str, Any] = {"position": body.at, "rotation": b2.make_rot(body.angle), "type": KINDS[body.kind]}
        settings |= {"linear_velocity": body.velocity, "angular_velocity": body.spin, "is_bullet": body.bullet}
        handle = self.world.create_body(**settings)
        material = b2.surface_material(**self.surface, tangent_speed=body.belt)
        form = b2.shape_def(material=material, is_sensor=body.sensor)
        form.enable_sensor_events = body.sensor or body.kind != "static"
        form.filter = b2.make_filter(group_index=-body.group)
        for shape in body.shapes:
            attach(handle, shape, form)
        if body.kind == "dynamic":
            mass = b2.MassData()
            mass.mass, mass.center, mass.rotational_inertia = body.mass, (0.0, 0.0), body.moment
            handle.mass_data = mass
        self.angles[id(handle)] = [handle, body.angle]
        return handle

    def join(self, joint: Joint) -> Any:
        if joint.breaks_at is not None or joint.kind == "gear":
            raise NotOffered
        a, b = joint.a, joint.b or self.ground
        between = joint.kind in ("rod", "rope", "spring")
        told: dict[str, Any] = {"local_anchor_a": b.local_point(joint.to if between else joint.at)}
        told["local_anchor_b"] = a.local_point(joint.at)
        if between:
            told["length"] = joint.length if joint.kind == "spring" else math.dist(joint.at, joint.to)
            if joint.kind == "rope":
                told |= {
                    "enable_limit": True,
                    "min_length": 0.0,
                    "max_length": joint.length,
                    "enable_spring": True,
                    "hertz": 0.0,
                }
            elif joint.kind == "spring":
                told |= {"enable_spring": True, "hertz": joint.hertz, "damping_ratio": joint.damping}
            return self.world.create_distance_joint(b, a, **told)
        told["reference_angle"] = self.angle(a) - (self.angle(b) if joint.b else 0.0)
        if joint.kind == "weld":
            return self.world.create_weld_joint(b, a, **told)
        low, high = joint.limits or (0.0, 0.0)
        if joint.kind == "slide":
            told |= {"local_axis_a": b.local_vector(joint.axis), "enable_limit": joint.limits is not None}
            return self.world.create_prismatic_joint(b, a, **told, lower_translation=low, upper_translation=high)
        told |= {"enable_limit": joint.limits is not None, "lower_angle": low, "upper_angle": high}
        told |= {"enable_motor": joint.strength > 0, "motor_speed": joint.speed, "max_motor_torque": joint.strength}
        return self.world.create_revolute_joint(b, a, **told)

    def angle(self, body: Any) -> float:
        """Return the angle of a body, which goes on beyond half a turn, and keep it."""
        kept = self.angles.get(id(body), [body, body.angle])
        kept[1] += math.remainder(body.angle - kept[1], 2 * math.pi)
        return float(kept[1])

    def step(self, dt: float) -> None:
        self.world.step(dt, SUBSTEPS)
        for body, _ in self.angles.values():
            self.angle(body)
        found = self.world.get_sensor_events()
        self.counts = [self.counts[0] + found.begin_count, self.counts[1] + found.end_count]

    def state(self, body: Any) -> State:
        (x, y), (vx, vy) = body.position, body.linear_velocity
        return State(x, y, self.angle(body), vx, vy, body.angular_velocity)

    def place(self, body: Any, at: Point, angle: float) -> None:
        body.set_transform(at, b2.make_rot(angle))

    def push(self, body: Any, velocity: Point, spin: float) -> None:
        body.awake = True
        body.linear_velocity, body.angular_velocity = velocity, spin

    def remove(self, body: Any) -> None:
        self.angles.pop(id(body), None)
        body.destroy()

    def asleep(self, body: Any) -> bool:
        return not body.awake

    def visits(self) -> tuple[int, int]:
        return self.counts[0], self.counts[1]
