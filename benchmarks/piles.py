"""Piles beside pymunk and Box2D 3: stacks, heaps, a bin, dominoes, heavy on light, bullets, stars, turning and rubbing.

Box2D takes part where its binding pyb2d3 is installed. All play the same scene, bodies of density 1 with friction 0.6,
in steps of 1/60 s. The overlap is the deepest of any two bodies at the ends of steps, measured by Carom for all; the
energy is the most that any measured step has over the start, as a share of it. Asleep is when the last body fell
asleep; outside is how many left a closed room.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import carom as cm
from benchmarks.harness import Table
from carom._core.types import Floats

DT = 1 / 60
GRAVITY = 10.0
FRICTION = 0.6
HEADINGS = (
    "scene",
    "library",
    "ms a step, by quarters",
    "mean ms",
    "times Carom's",
    "overlap",
    "energy",
    "asleep",
    "outside",
)


class Body(NamedTuple):
    """A dynamic body: a disc of a radius, a box of two sides, or an outline about its centre of mass."""

    x: float
    y: float
    radius: float = 0.0
    sides: tuple[float, float] = (0.0, 0.0)
    outline: tuple[tuple[float, float], ...] = ()
    density: float = 1.0
    velocity: tuple[float, float] = (0.0, 0.0)
    spin: float = 0.0


class Scene(NamedTuple):
    """Static boxes (x, y, width, height), bodies, and how long they are watched."""

    name: str
    walls: list[tuple[float, float, float, float]]
    bodies: list[Body]
    steps: int
    every: int
    """Steps between two measures of overlap and energy."""
    gravity: float = GRAVITY
    elastic: bool = False
    """Without friction, restitution 1."""


FLOOR = (0.0, -1.0, 80.0, 2.0)


def stack(count: int = 20) -> Scene:
    return Scene(f"stack of {count}", [FLOOR], [Body(0, 0.5 + k, sides=(1, 1)) for k in range(count)], 600, 10)


def pyramid(rows: int = 20) -> Scene:
    bodies = [
        Body((k - (rows - r - 1) / 2) * 1.05, 0.5 + r, sides=(1, 1)) for r in range(rows) for k in range(rows - r)
    ]
    return Scene(f"pyramid of {len(bodies)}", [FLOOR], bodies, 600, 10)


def heap(count: int, steps: int, seed: int = 7) -> Scene:
    """Return discs and boxes in turns, poured between two walls."""
    rng, wide = np.random.default_rng(seed), max(6, int(math.sqrt(count) * 0.8))
    per, bodies = int((wide - 1.2) / 1.1), []
    for k in range(count):
        size = rng.uniform(0.6, 1.0)
        x, y = -wide / 2 + 0.7 + 1.1 * (k % per) + rng.uniform(-0.05, 0.05), 1 + 1.1 * (k // per)
        bodies.append(Body(x, y, radius=size / 2) if k % 2 else Body(x, y, sides=(size, size)))
    return Scene(f"heap of {count:,}", bin_of(wide, 3 * count / per + 20), bodies, steps, 5)


def fall(count: int = 10_000) -> Scene:
    """Return boxes that fall into a bin, row by row."""
    rng, wide = np.random.default_rng(7), int(math.sqrt(count))
    per = int((wide - 1.2) / 1.1)
    bodies = [
        Body(
            -wide / 2 + 0.7 + 1.1 * (k % per) + rng.uniform(-0.05, 0.05),
            1 + 1.1 * (k // per),
            sides=(0.8, 0.8),
        )
        for k in range(count)
    ]
    return Scene(f"{count:,} boxes into a bin", bin_of(wide, 3 * count / per + 20), bodies, 240, 40)


def bin_of(wide: float, high: float) -> list[tuple[float, float, float, float]]:
    """Return a floor between two walls."""
    return [(0, -1, wide + 8, 2), (-wide / 2 - 1, high / 2, 2, high), (wide / 2 + 1, high / 2, 2, high)]


def heavy(mass: float) -> Scene:
    bodies = [Body(0, 0.5 + k, sides=(1, 1)) for k in range(5)] + [Body(0, 5.5, sides=(1, 1), density=mass)]
    return Scene(f"mass {mass:,.0f} on five of 1", [FLOOR], bodies, 300, 10)


def dominoes() -> Scene:
    bodies = [Body(0.6 * k, 1.0, sides=(0.2, 2.0)) for k in range(20)]
    bodies.append(Body(-1, 1.8, radius=0.2, density=5.0, velocity=(4, 0)))
    return Scene("20 dominoes", [FLOOR], bodies, 600, 10)


def stars(count: int, discs: bool) -> Scene:
    """Return five-pointed stars, or discs of their reach, at random places above a floor."""
    rng, side = np.random.default_rng(3), 2.4 * math.sqrt(count)
    turns = np.arange(10) * math.pi / 5
    reach = np.where(np.arange(10) % 2 == 0, 0.7, 0.3)
    outline = tuple(zip((reach * np.cos(turns)).tolist(), (reach * np.sin(turns)).tolist(), strict=True))
    bodies = []
    for x, y in zip(rng.uniform(-side / 2, side / 2, count), rng.uniform(1, side, count), strict=True):
        bodies.append(Body(x, y, radius=0.5) if discs else Body(x, y, outline=outline))
    return Scene(
        f"{count} {'discs' if discs else 'stars'} at random places", bin_of(side + 2, 4 * side), bodies, 600, 10
    )


def gas(count: int, boxes: bool) -> Scene:
    """Return bodies of size 1 in a square room, 20 % filled, elastic and without friction."""
    rng, rows = np.random.default_rng(1), math.ceil(math.sqrt(count))
    side = math.sqrt(count / 0.2)
    bodies = []
    for k in range(count):
        x, y = ((k % rows) + 0.5) * side / rows - side / 2, ((k // rows) + 0.5) * side / rows - side / 2
        at = x, y, 0.0 if boxes else 0.5, (0.8, 0.8) if boxes else (0.0, 0.0)
        bodies.append(Body(*at, velocity=tuple(rng.normal(0, 5, 2).tolist()), spin=rng.normal() if boxes else 0.0))
    name = f"gas of {count:,} {'turning boxes' if boxes else 'discs'}"
    return Scene(name, room(side, 10), bodies, 300, 30, gravity=0.0, elastic=True)


def bullets(count: int, boxes: bool) -> Scene:
    """Return fast bodies in a room with walls a hundredth thick."""
    rng, rows = np.random.default_rng(3), math.ceil(math.sqrt(count))
    side, bodies = 3.0 * rows, []
    for k in range(count):
        angle, speed = rng.uniform(0, 7), 10 ** rng.uniform(0, 4)
        x, y = ((k % rows) + 0.5) * 3.0 - side / 2, ((k // rows) + 0.5) * 3.0 - side / 2
        velocity = speed * math.cos(angle), speed * math.sin(angle)
        at = x, y, 0.0 if boxes else 0.05, (0.1, 0.05) if boxes else (0.0, 0.0)
        bodies.append(Body(*at, velocity=velocity, spin=rng.uniform(-50, 50) if boxes else 0.0))
    name = f"{count:,} bullets, {'spinning boxes' if boxes else 'discs'}"
    return Scene(name, room(side, 0.01), bodies, 60, 20, gravity=0.0, elastic=True)


def room(side: float, thick: float) -> list[tuple[float, float, float, float]]:
    """Return four walls around a square."""
    at, long = side / 2 + thick / 2, side + 2 * thick
    return [(0, -at, long, thick), (0, at, long, thick), (-at, 0, thick, long), (at, 0, thick, long)]


SCENES: tuple[Callable[[], Scene], ...] = (
    stack,
    pyramid,
    lambda: heap(200, 900),
    lambda: heap(1_000, 600),
    fall,
    lambda: heavy(10),
    lambda: heavy(1_000),
    lambda: heavy(1_000_000),
    dominoes,
    lambda: stars(200, discs=False),
    lambda: stars(200, discs=True),
    lambda: gas(1_000, boxes=False),
    lambda: gas(10_000, boxes=False),
    lambda: gas(1_000, boxes=True),
    lambda: bullets(1_000, boxes=False),
    lambda: bullets(1_000, boxes=True),
)


class CaromWorld:
    """A scene in Carom."""

    def __init__(self, scene: Scene) -> None:
        settings: dict[str, Any] = {
            "friction": 0.0 if scene.elastic else FRICTION,
            "restitution": float(scene.elastic),
        }
        self.world = cm.World(gravity=(0, -scene.gravity))
        for x, y, wide, high in scene.walls:
            self.world.add(cm.Box((x, y), (wide, high)), **settings)
        for body in scene.bodies:
            shape, mass = shape_of(body), mass_of(body).mass
            moving: dict[str, Any] = {"velocity": body.velocity, "spin": body.spin, "mass": mass}
            self.world.add(shape, kind="dynamic", **moving, **settings)
        self.first = len(scene.walls)

    def step(self) -> None:
        """Let a step pass."""
        self.world.step(DT)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return bool(self.world.asleep[self.first :].all())

    def state(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return positions, angles, velocities and spins of the bodies."""
        world, first = self.world, self.first
        return world.positions[first:], world.angles[first:], world.velocities[first:], world.spins[first:]


class PymunkSpace:
    """The same in pymunk."""

    def __init__(self, scene: Scene) -> None:
        import pymunk

        self.space = pymunk.Space()
        self.space.gravity, self.space.sleep_time_threshold = (0, -scene.gravity), 0.5
        self.space.collision_slop = 0.005
        self.bodies = []
        rubs, bounces = (0.0, 1.0) if scene.elastic else (FRICTION, 0.0)
        for x, y, wide, high in scene.walls:
            corners = [(x + sx * wide / 2, y + sy * high / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            wall = pymunk.Poly(self.space.static_body, corners)
            wall.friction, wall.elasticity = rubs, bounces
            self.space.add(wall)
        for told in scene.bodies:
            found = mass_of(told)
            body = pymunk.Body(found.mass, found.inertia)
            body.position, body.velocity, body.angular_velocity = (told.x, told.y), told.velocity, told.spin
            parts: list[Any]
            if told.radius > 0.0:
                parts = [pymunk.Circle(body, told.radius)]
            elif told.outline:
                pieces = cm.decompose(told.outline).parts
                parts = [pymunk.Poly(body, [tuple(vertex) for vertex in piece.vertices]) for piece in pieces]
            else:
                parts = [pymunk.Poly.create_box(body, told.sides)]
            for part in parts:
                part.friction, part.elasticity = rubs, bounces
            self.space.add(body, *parts)
            self.bodies.append(body)

    def step(self) -> None:
        """Let a step pass."""
        self.space.step(DT)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return all(body.is_sleeping for body in self.bodies)

    def state(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return positions, angles, velocities and spins of the bodies."""
        bodies = self.bodies
        places, speeds = np.array([tuple(b.position) for b in bodies]), np.array([tuple(b.velocity) for b in bodies])
        return places, np.array([b.angle for b in bodies]), speeds, np.array([b.angular_velocity for b in bodies])


class Box2DWorld:
    """The same in Box2D 3, with its four substeps."""

    def __init__(self, scene: Scene) -> None:
        import pyb2d3

        self.world = pyb2d3.World(gravity=(0, -scene.gravity), restitution_threshold=0.0, maximum_linear_speed=1e6)
        rubs, bounces = (0.0, 1.0) if scene.elastic else (FRICTION, 0.0)
        material = pyb2d3.surface_material(friction=rubs, restitution=bounces)
        ground = self.world.create_static_body(position=(0, 0))
        for x, y, wide, high in scene.walls:
            ground.create_polygon_shape(
                pyb2d3.shape_def(material=material), pyb2d3.box(wide / 2, high / 2, center=(x, y), rotation=0.0)
            )
        self.bodies = []
        for told in scene.bodies:
            body = self.world.create_dynamic_body(
                position=(told.x, told.y), linear_velocity=told.velocity, angular_velocity=told.spin
            )
            form = pyb2d3.shape_def(density=told.density, material=material)
            if told.radius > 0.0:
                body.create_circle_shape(form, pyb2d3.circle(center=(0, 0), radius=told.radius))
            elif told.outline:
                for piece in cm.decompose(told.outline).parts:
                    body.create_polygon_shape(form, pyb2d3.polygon(points=[tuple(vertex) for vertex in piece.vertices]))
            else:
                body.create_polygon_shape(form, pyb2d3.box(told.sides[0] / 2, told.sides[1] / 2))
            self.bodies.append(body)

    def step(self) -> None:
        """Let a step pass."""
        self.world.step(DT, 4)

    def asleep(self) -> bool:
        """Tell whether all bodies sleep."""
        return not any(body.awake for body in self.bodies)

    def state(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return positions, angles, velocities and spins of the bodies."""
        bodies = self.bodies
        places, speeds = (
            np.array([tuple(getattr(b, name)) for b in bodies]) for name in ("position", "linear_velocity")
        )
        return places, np.array([b.angle for b in bodies]), speeds, np.array([b.angular_velocity for b in bodies])


def libraries() -> list[tuple[str, type[Any]]]:
    """Return the libraries that play, Carom first."""
    playing: list[tuple[str, type[Any]]] = [("carom", CaromWorld), ("pymunk", PymunkSpace)]
    if importlib.util.find_spec("pyb2d3"):
        playing.append(("Box2D 3", Box2DWorld))
    return playing


def shape_of(body: Body) -> Any:
    """Return the shape of a body where it starts."""
    if body.radius > 0.0:
        return cm.Circle((body.x, body.y), body.radius)
    if body.outline:
        return cm.decompose(body.outline).translated((body.x, body.y))
    return cm.Box((body.x, body.y), body.sides)


def mass_of(body: Body) -> Any:
    """Return mass and moment of inertia."""
    return shape_of(body).mass(body.density)


def energy(scene: Scene, masses: Floats, inertias: Floats, state: tuple[Floats, Floats, Floats, Floats]) -> float:
    """Return the energy of a state, potential energy counted from the floor."""
    places, _, speeds, spins = state
    kinetic = masses * (speeds**2).sum(axis=1) + inertias * spins**2
    return float((kinetic / 2 + masses * scene.gravity * places[:, 1]).sum())


def overlap(scene: Scene, state: tuple[Floats, Floats, Floats, Floats]) -> float:
    """Return the deepest overlap of any two bodies, or of one and a wall."""
    shapes: list[Any] = [cm.Box((x, y), (wide, high)) for x, y, wide, high in scene.walls]
    for body, (x, y), angle in zip(scene.bodies, state[0].tolist(), state[1].tolist(), strict=True):
        there = body._replace(x=x, y=y)
        shapes.append(shape_of(there) if angle == 0.0 or body.radius else shape_of(there).rotated(angle, pivot=(x, y)))
    found = cm.contacts(shapes)
    moving = (found.pairs >= len(scene.walls)).any(axis=1)
    return float(found.depth[moving].max(initial=0.0))


def left_the_room(scene: Scene, state: tuple[Floats, Floats, Floats, Floats]) -> int:
    """Return how many bodies are beyond the walls of a closed room."""
    half = max(abs(x) for x, *_ in scene.walls)
    return int((np.abs(state[0]) > half).any(axis=1).sum())


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [HEADINGS]
    for make in SCENES:
        scene = make()
        found = [mass_of(body) for body in scene.bodies]
        masses, inertias = np.array([one.mass for one in found]), np.array([one.inertia for one in found])
        mean = 0.0
        for library, kind in libraries():
            world: Any = kind(scene)
            start = energy(scene, masses, inertias, world.state())
            times, deep, over, slept = [], 0.0, -math.inf, ""
            for k in range(scene.steps):
                begun = time.process_time()
                world.step()
                times.append(time.process_time() - begun)
                if k % scene.every == scene.every - 1:
                    state = world.state()
                    deep, over = max(deep, overlap(scene, state)), max(over, energy(scene, masses, inertias, state))
                if not slept and scene.gravity and world.asleep():
                    slept = f"{(k + 1) * DT:.1f} s"
            milliseconds = np.array(times[1:]) * 1e3
            quarters = " ".join(f"{part.mean():.2f}" for part in np.array_split(milliseconds, 4))
            mean = mean or float(milliseconds.mean())
            ratio = f"{milliseconds.mean() / mean:.2f}"
            out = left_the_room(scene, world.state()) if scene.gravity == 0.0 else 0
            cells = (quarters, f"{milliseconds.mean():.3f}", ratio, f"{deep:.1e}", f"{over / start - 1:+.0e}", slept)
            rows.append((scene.name, library, *cells, f"{out:,}" if scene.gravity == 0.0 else ""))
    return Table("Piles, gases and bullets", "Steps of 1/60 s, one run each, one thread, processor time.", rows)
