"""Mechanisms beside pymunk and Box2D 3: chains, bridges, a truss, a car, ragdolls on stairs and on a heap.

Box2D takes part where its binding pyb2d3 is installed. All play the same scene in steps of 1/60 s, pymunk with its 10
iterations and Box2D with its 4 substeps. A gap is how far the anchors of a joint are apart at most, at the ends of
steps, in lengths of 1; limits are as far passed as the most that any of them is, in radians. Times end when all bodies
sleep.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import carom as cm
from benchmarks.harness import Table

DT = 1 / 60
GRAVITY = 10.0
HEADINGS = ("scene", "library", "ms a step", "times pymunk's", "longest ms", "gap", "limit passed", "asleep")


class Body(NamedTuple):
    """A dynamic disc of a radius, or box of two sides."""

    x: float
    y: float
    sides: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0
    mass: float = 1.0
    angle: float = 0.0


class Pin(NamedTuple):
    """A pin of two bodies by their numbers, -1 for the world; a weld if it is rigid."""

    a: int
    b: int
    x: float
    y: float
    limits: tuple[float, float] | None = None
    motor: tuple[float, float] | None = None
    rigid: bool = False


class Scene(NamedTuple):
    """Static boxes (x, y, width, height), bodies, their joints, and how long they are watched."""

    name: str
    walls: list[tuple[float, float, float, float]]
    bodies: list[Body]
    pins: list[Pin]
    steps: int = 600


def chain(links: int, load: float = 0.0) -> Scene:
    """Return a chain that is let go level, with a load at its end."""
    bodies = [Body(k + 0.5, 0, (1, 0.2)) for k in range(links)]
    bodies += [Body(links, 0, radius=0.3, mass=load)] if load else []
    pins = [Pin(k, k - 1, k, 0) for k in range(len(bodies))]
    return Scene(f"chain of {links}" + (f" under {load:g}" if load else ""), [], bodies, pins)


def bridge(planks: int = 30, load: float = 100.0, sag: float = 0.0) -> Scene:
    """Return a bridge with a load on it that hangs by so much in its middle; without sag no finite force holds it."""
    ends = [(k, sag * ((2 * k / planks - 1) ** 2 - 1)) for k in range(planks + 1)]
    bodies = [
        Body((x + x1) / 2, (y + y1) / 2, (math.dist((x, y), (x1, y1)) - 0.05, 0.2), angle=math.atan2(y1 - y, x1 - x))
        for (x, y), (x1, y1) in pairwise(ends)
    ]
    pins = [Pin(k if k < planks else planks - 1, k - 1 if k < planks else -1, x, y) for k, (x, y) in enumerate(ends)]
    name = f"{'hanging' if sag else 'taut'} bridge of {planks} under {load:g}"
    return Scene(name, [], [*bodies, Body(planks / 2, 1 - sag, (2, 1), mass=load)], pins)


def truss(long: int = 15) -> Scene:
    bodies = [Body(c, r, (1, 1)) for r in range(2) for c in range(long)]
    pins = [
        Pin(r * long + c, r * long + c - 1 if c else -1, c - 0.5, r, rigid=True) for r in range(2) for c in range(long)
    ]
    pins += [Pin(long + c, c, c, 0.5, rigid=True) for c in range(long)]
    return Scene(f"truss of {len(pins)} welds", [], bodies, pins, 120)


def ragdoll(x: float, y: float, first: int, heavy: float = 1.0) -> tuple[list[Body], list[Pin]]:
    """Return the 11 bodies of a ragdoll, with a trunk so many times as heavy, and its joints."""
    bodies = [Body(x, y, (0.4, 0.4), mass=3 * heavy), Body(x, y + 0.38, (0.36, 0.32), mass=2 * heavy)]
    bodies += [Body(x, y + 0.72, radius=0.16)]
    pins = [Pin(1, 0, x, y + 0.2, (-0.4, 0.4)), Pin(2, 1, x, y + 0.55, (-0.5, 0.5))]
    for side in (-1, 1):
        at = len(bodies)
        bodies += [Body(x + side * 0.27, y + 0.3, (0.12, 0.4)), Body(x + side * 0.27, y - 0.09, (0.1, 0.38), mass=0.7)]
        pins += [Pin(at, 1, x + side * 0.25, y + 0.48, (-2, 2)), Pin(at + 1, at, x + side * 0.27, y + 0.1, (-2, 2))]
        bodies += [
            Body(x + side * 0.12, y - 0.43, (0.15, 0.45), mass=1.5),
            Body(x + side * 0.12, y - 0.87, (0.13, 0.43)),
        ]
        pins += [
            Pin(at + 2, 0, x + side * 0.12, y - 0.2, (-1, 1)),
            Pin(at + 3, at + 2, x + side * 0.12, y - 0.65, (-1.5, 0.1)),
        ]
    return bodies, [pin._replace(a=pin.a + first, b=pin.b + first) for pin in pins]


STAIRS = [(0.0, -1.0, 60.0, 2.0)] + [(-1.0 - k, 0.25 + 0.25 * k, 1.0, 0.5 + 0.5 * k) for k in range(6)]


def on_stairs(heavy: float = 1.0) -> Scene:
    bodies, pins = ragdoll(-4, 6, 0, heavy)
    return Scene(f"ragdoll on stairs, {heavy:g}:1", STAIRS, bodies, pins)


def on_heap(count: int = 20) -> Scene:
    bodies: list[Body] = []
    pins: list[Pin] = []
    for k in range(count):
        own, joints = ragdoll(-3 + 2 * (k % 4), 2 + 2.4 * (k // 4), len(bodies))
        bodies, pins = bodies + own, pins + joints
    walls = [(0.0, -1.0, 60.0, 2.0), (-5.0, 10.0, 1.0, 24.0), (5.0, 10.0, 1.0, 24.0)]
    return Scene(f"{count} ragdolls on a heap", walls, bodies, pins)


def car() -> Scene:
    hills = [(4.0 * k, -1.0, 4.0, 2.0 + 0.3 * (k % 2)) for k in range(30)]
    bodies = [Body(0, 1.6, (2, 0.5), mass=5), Body(-0.7, 1.25, radius=0.35), Body(0.7, 1.25, radius=0.35)]
    pins = [Pin(1, 0, -0.7, 1.25, motor=(-8, 20)), Pin(2, 0, 0.7, 1.25)]
    return Scene("car over steps", hills, bodies, pins)


SCENES: tuple[Callable[[], Scene], ...] = (
    lambda: chain(20),
    lambda: chain(20, 100),
    lambda: bridge(sag=1.5),
    bridge,
    truss,
    car,
    on_stairs,
    lambda: on_stairs(1000),
    on_heap,
)


class CaromWorld:
    """A scene in Carom."""

    def __init__(self, scene: Scene) -> None:
        self.world = cm.World(gravity=(0, -GRAVITY))
        for x, y, wide, high in scene.walls:
            self.world.add(cm.Box((x, y), (wide, high)), friction=0.6)
        self.bodies = [
            self.world.add(
                cm.Circle((one.x, one.y), one.radius) if one.radius else cm.Box((one.x, one.y), one.sides, one.angle),
                kind="dynamic",
                mass=one.mass,
                friction=0.6,
            )
            for one in scene.bodies
        ]
        for pin in scene.pins:
            a, b = self.bodies[pin.a], self.bodies[pin.b] if pin.b >= 0 else None
            if pin.rigid:
                self.world.weld(a, b, (pin.x, pin.y))
            elif pin.motor:
                self.world.pin(a, b, (pin.x, pin.y), speed=pin.motor[0], max_torque=pin.motor[1])
            else:
                self.world.pin(a, b, (pin.x, pin.y), limits=pin.limits)

    def step(self) -> None:
        """Let a step pass."""
        self.world.step(DT)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return all(body.asleep for body in self.bodies)

    def places(self) -> list[tuple[float, float, float]]:
        """Return (x, y, angle) of all bodies."""
        return [(*body.position, body.angle) for body in self.bodies]


class PymunkSpace:
    """A scene in pymunk."""

    def __init__(self, scene: Scene) -> None:
        import pymunk

        space = self.space = pymunk.Space()
        space.gravity, space.sleep_time_threshold = (0, -GRAVITY), 0.5
        for x, y, wide, high in scene.walls:
            corners = [(x + i * wide / 2, y + j * high / 2) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            wall = pymunk.Poly(space.static_body, corners)
            wall.friction = 0.6
            space.add(wall)
        self.bodies = []
        for one in scene.bodies:
            wide, high = one.sides
            turns = one.mass * (one.radius**2 / 2 if one.radius else (wide**2 + high**2) / 12)
            body = pymunk.Body(one.mass, turns)
            body.position, body.angle = (one.x, one.y), one.angle
            shape: Any = pymunk.Circle(body, one.radius) if one.radius else pymunk.Poly.create_box(body, one.sides)
            shape.friction = 0.6
            space.add(body, shape)
            self.bodies.append(body)
        for pin in scene.pins:
            a, b = self.bodies[pin.a], self.bodies[pin.b] if pin.b >= 0 else space.static_body
            joints: list[Any] = [pymunk.PivotJoint(b, a, (pin.x, pin.y))]
            if pin.limits:
                joints.append(pymunk.RotaryLimitJoint(b, a, *pin.limits))
            if pin.motor:
                joints.append(pymunk.SimpleMotor(a, b, pin.motor[0]))
                joints[-1].max_force = pin.motor[1]
            if pin.rigid:
                joints.append(pymunk.GearJoint(b, a, 0, 1))
            for joint in joints:
                joint.collide_bodies = False
            space.add(*joints)

    def step(self) -> None:
        """Let a step pass."""
        self.space.step(DT)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return all(body.is_sleeping for body in self.bodies)

    def places(self) -> list[tuple[float, float, float]]:
        """Return (x, y, angle) of all bodies."""
        return [(*body.position, body.angle) for body in self.bodies]


class Box2DWorld:
    """A scene in Box2D 3."""

    def __init__(self, scene: Scene) -> None:
        import pyb2d3

        self.world = pyb2d3.World(gravity=(0, -GRAVITY), maximum_linear_speed=1e6)
        form = pyb2d3.shape_def(material=pyb2d3.surface_material(friction=0.6))
        ground = self.world.create_static_body(position=(0, 0))
        for x, y, wide, high in scene.walls:
            ground.create_polygon_shape(form, pyb2d3.box(wide / 2, high / 2, center=(x, y), rotation=0.0))
        self.bodies = []
        for one in scene.bodies:
            body = self.world.create_dynamic_body(position=(one.x, one.y), rotation=pyb2d3.make_rot(one.angle))
            if one.radius:
                body.create_circle_shape(form, pyb2d3.circle(center=(0, 0), radius=one.radius))
            else:
                body.create_polygon_shape(form, pyb2d3.box(one.sides[0] / 2, one.sides[1] / 2))
            mass = pyb2d3.MassData()
            wide, high = one.sides
            mass.mass, mass.center = one.mass, (0.0, 0.0)
            mass.rotational_inertia = one.mass * (one.radius**2 / 2 if one.radius else (wide**2 + high**2) / 12)
            body.mass_data = mass
            self.bodies.append(body)
        self.angles = [one.angle for one in scene.bodies]
        for pin in scene.pins:
            ends = [self.bodies[number] if number >= 0 else ground for number in (pin.b, pin.a)]
            told: dict[str, Any] = {}
            for name, number in (("local_anchor_a", pin.b), ("local_anchor_b", pin.a)):
                told[name] = anchor_of(scene.bodies[number] if number >= 0 else Body(0, 0), pin)
            angles = [scene.bodies[number].angle if number >= 0 else 0.0 for number in (pin.b, pin.a)]
            told["reference_angle"] = angles[1] - angles[0]
            if pin.limits:
                told |= {"enable_limit": True, "lower_angle": pin.limits[0], "upper_angle": pin.limits[1]}
            if pin.motor:
                told |= {"enable_motor": True, "motor_speed": pin.motor[0], "max_motor_torque": pin.motor[1]}
            make = self.world.create_weld_joint if pin.rigid else self.world.create_revolute_joint
            make(*ends, **told)

    def step(self) -> None:
        """Let a step pass."""
        self.world.step(DT, 4)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return not any(body.awake for body in self.bodies)

    def places(self) -> list[tuple[float, float, float]]:
        """Return (x, y, angle) of all bodies; angles go on beyond half a turn."""
        for k, body in enumerate(self.bodies):
            self.angles[k] += math.remainder(body.angle - self.angles[k], 2 * math.pi)
        return [(*body.position, angle) for body, angle in zip(self.bodies, self.angles, strict=True)]


def anchor_of(one: Body, pin: Pin) -> tuple[float, float]:
    """Return where a pin is in the frame of a body."""
    dx, dy, c, s = pin.x - one.x, pin.y - one.y, math.cos(one.angle), math.sin(one.angle)
    return c * dx + s * dy, c * dy - s * dx


def faults(scene: Scene, places: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Return the widest gap of any joint, and by how much a limit is passed at most."""
    gap, passed = 0.0, 0.0
    for pin in scene.pins:
        ends, angles = [], []
        for number in (pin.a, pin.b):
            one = scene.bodies[number] if number >= 0 else Body(0, 0)
            x, y, angle = places[number] if number >= 0 else (0.0, 0.0, 0.0)
            dx, dy = anchor_of(one, pin)
            c, s = math.cos(angle), math.sin(angle)
            ends.append((x + c * dx - s * dy, y + s * dx + c * dy))
            angles.append(angle)
        gap = max(gap, math.dist(*ends))
        if pin.limits:
            turn = angles[0] - angles[1]
            passed = max(passed, pin.limits[0] - turn, turn - pin.limits[1])
    return gap, passed


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for loads in (car(), on_stairs(1000)):  # the kernels: that takes as long as many steps
        world: Any = CaromWorld(loads)
        for _ in range(60):
            world.step()
    playing: list[tuple[str, type[Any]]] = [("pymunk", PymunkSpace), ("carom", CaromWorld)]
    if importlib.util.find_spec("pyb2d3"):
        playing.insert(1, ("Box2D 3", Box2DWorld))
    for make in SCENES:
        scene = make()
        played, beside = [], 0.0
        for library, kind in playing:
            world = kind(scene)
            times, gap, passed, slept = [], 0.0, 0.0, ""
            for k in range(scene.steps):
                begun = time.process_time()
                world.step()
                times.append(time.process_time() - begun)
                wide, beyond = faults(scene, world.places())
                gap, passed = max(gap, wide), max(passed, beyond)
                if world.asleep():
                    slept = f"{(k + 1) * DT:.1f} s"
                    break
            milliseconds = np.array(times[1:]) * 1e3
            mean = float(milliseconds.mean())
            beside = beside or mean
            cells = (f"{mean:.3f}", f"{mean / beside:.1f}", f"{milliseconds.max():.2f}", f"{gap:.0e}", f"{passed:.0e}")
            played.append((scene.name, library, *cells, slept))
        rows += reversed(played)
    return Table("Mechanisms", "Steps of 1/60 s, one run each, one thread, processor time.", rows)


if __name__ == "__main__":
    for row in run(1).rows:
        print(" | ".join(row))
