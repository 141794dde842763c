"""The protocol of an adapter: questions about two shapes, and a world of bodies, all in plain data.

An adapter derives a class from `Engine`, and one from `World` if its engine moves bodies, and overrides the methods
that its engine offers. The others raise `NotOffered`, which is a row of its own and never counts against an engine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom_conformance.shapes import Point, Shape, area_and_moment


class NotOffered(Exception):
    """The engine has no call for this question."""


class Hit(NamedTuple):
    """Where a ray meets a shape: the fraction of its translation, and the unit normal out of the shape."""

    fraction: float
    normal: Point


class Body(NamedTuple):
    """A body as a scene describes it. The shapes lie about the body's origin, which is its centre of mass."""

    shapes: tuple[Shape, ...]
    at: Point = (0.0, 0.0)
    angle: float = 0.0
    kind: str = "dynamic"
    """"static", "kinematic" or "dynamic"."""
    velocity: Point = (0.0, 0.0)
    spin: float = 0.0
    mass: float = 1.0
    inertia: float | None = None
    """Moment of inertia of a dynamic body; None for that of its shapes."""
    sensor: bool = False
    bullet: bool = False
    """A hint for engines that sweep chosen bodies alone."""
    belt: float = 0.0
    """Speed of the surface along the body's x axis, as that of a conveyor belt whose top carries to the right."""
    group: int = 0
    """Bodies of one group other than 0 pass through each other."""

    @property
    def moment(self) -> float:
        """Moment of inertia: the one given, or that of the shapes at an even density."""
        if self.inertia is not None:
            return self.inertia
        found = [area_and_moment(shape) for shape in self.shapes]
        return self.mass * sum(moment for _, moment in found) / sum(area for area, _ in found)


class Joint(NamedTuple):
    """A joint as a scene describes it. Points are points of the world, where the bodies are as the joint is made."""

    kind: str
    """"pin", "rod", "rope", "spring", "weld", "slide" or "gear"."""
    a: Any
    b: Any = None
    """Bodies as `World.add` returned them; None for the world."""
    at: Point = (0.0, 0.0)
    """The anchor; of rod, rope and spring that in `a`."""
    to: Point = (0.0, 0.0)
    """The anchor in `b` of rod, rope and spring."""
    axis: Point = (1.0, 0.0)
    """The direction of a slide."""
    limits: tuple[float, float] | None = None
    """Least and greatest angle of `a` seen from `b` (pin), or offset along the axis (slide); 0 as the joint is made."""
    speed: float = 0.0
    strength: float = 0.0
    """Motor of a pin: its speed, and its greatest torque; 0 for none."""
    length: float = 0.0
    """The greatest length of a rope; a rod keeps the distance of its anchors."""
    hertz: float = 0.0
    damping: float = 0.0
    """Frequency and damping ratio of a spring from the centre of one body to the world, at rest at the length given."""
    ratio: float = 1.0
    """Gear: `a` turns this many times as far as `b`, the other way."""
    breaks_at: float | None = None
    """The greatest force that the joint can carry."""


class State(NamedTuple):
    """Where a body is and how it moves. Angles go on beyond half a turn."""

    x: float
    y: float
    angle: float
    vx: float
    vy: float
    spin: float


class World:
    """Bodies in time. `add` and `join` return handles of any kind, which the other methods take."""

    def add(self, body: Body) -> Any:
        """Add a body."""
        raise NotOffered

    def join(self, joint: Joint) -> Any:
        """Add a joint. The bodies of a joint pass through each other."""
        raise NotOffered

    def step(self, dt: float) -> None:
        """Let time pass, in one step."""
        raise NotOffered

    def state(self, body: Any) -> State:
        """Return where a body is now."""
        raise NotOffered

    def place(self, body: Any, at: Point, angle: float) -> None:
        """Set a body elsewhere, as a program does that respawns it."""
        raise NotOffered

    def push(self, body: Any, velocity: Point, spin: float) -> None:
        """Set the velocity of a body."""
        raise NotOffered

    def remove(self, body: Any) -> None:
        """Remove a body."""
        raise NotOffered

    def asleep(self, body: Any) -> bool:
        """Return whether a body sleeps."""
        raise NotOffered

    def visits(self) -> tuple[int, int]:
        """Return how many times bodies entered and left sensors since the world was made."""
        raise NotOffered

    def broken(self, joint: Any) -> bool:
        """Return whether a joint broke."""
        raise NotOffered


class Engine:
    """An engine of collision. Shapes are closed sets: those that touch intersect."""

    name = "an engine"
    version = ""
    settings = ""
    """One sentence on the settings that the adapter chose, for the page of results."""

    def intersects(self, a: Shape, b: Shape) -> bool:
        """Return whether two shapes have a point in common."""
        raise NotOffered

    def contains(self, shape: Shape, point: Point) -> bool:
        """Return whether a point lies in a shape or on its boundary."""
        raise NotOffered

    def distance(self, a: Shape, b: Shape) -> float:
        """Return how far two shapes are apart, 0 if they intersect."""
        raise NotOffered

    def overlap(self, a: Shape, b: Shape) -> tuple[float, Point] | None:
        """Return the depth of two shapes and the unit normal from `a` to `b` along which `b` parts; None if apart."""
        raise NotOffered

    def raycast(self, origin: Point, translation: Point, shape: Shape) -> Hit | None:
        """Return where a ray of this length first meets a shape, or None."""
        raise NotOffered

    def cast(self, a: Shape, b: Shape, translation: Point) -> float | None:
        """Return the fraction of its translation at which `a` first meets `b`, or None."""
        raise NotOffered

    def turning_cast(self, a: Shape, b: Shape, translation: Point, rotation: float, pivot: Point) -> float | None:
        """Return the same of a shape that also turns evenly about a pivot, which moves with it."""
        raise NotOffered

    def world(self, gravity: Point, friction: float = 0.6, restitution: float = 0.0, sleep: bool = True) -> World:
        """Return an empty world in which every pair of bodies has this friction and restitution."""
        raise NotOffered
