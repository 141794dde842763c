"""Chains, bridges, welded tiles and ropes: how far joints come apart, under loads up to a million."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from carom_conformance.engine import Engine, Joint, World
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, PERCENT, G, ball, crate, floor, run
from carom_conformance.shapes import Point

LINK = "a hundredth of a link"


class Pin(NamedTuple):
    """A point that two bodies share, in the frames of both; the world stands for a missing one."""

    a: Any
    of_a: Point
    b: Any
    of_b: Point


def pinned(world: World, a: Any, b: Any, at: Point, kind: str = "pin") -> Pin:
    """Join two bodies at a point and return it in the frames of both."""
    world.join(Joint(kind, a, b, at=at))
    return Pin(a, local(world, a, at), b, local(world, b, at))


def local(world: World, body: Any, at: Point) -> Point:
    """Return a point of the world in the frame of a body."""
    if body is None:
        return at
    s = world.state(body)
    c, n = math.cos(s.angle), math.sin(s.angle)
    dx, dy = at[0] - s.x, at[1] - s.y
    return c * dx + n * dy, c * dy - n * dx


def outside(world: World, body: Any, at: Point) -> Point:
    """Return a point of a body's frame in the world."""
    if body is None:
        return at
    s = world.state(body)
    c, n = math.cos(s.angle), math.sin(s.angle)
    return s.x + c * at[0] - n * at[1], s.y + n * at[0] + c * at[1]


def gap(world: World, pins: Iterable[Pin]) -> float:
    """Return how far the two ends of any of the joints are apart at most."""
    return max(math.dist(outside(world, p.a, p.of_a), outside(world, p.b, p.of_b)) for p in pins)


def widest(world: World, pins: list[Pin], seconds: float) -> float:
    """Return the widest gap at the end of any step."""
    worst = 0.0
    for _ in range(round(seconds / DT)):
        world.step(DT)
        worst = max(worst, gap(world, pins))
    return worst


def chain(engine: Engine, links: int, load: float, level: bool) -> tuple[World, list[Pin], list[Any]]:
    """Return a world with a chain of links of 1, that hangs or is let go level, and a load at its end."""
    world = engine.world(DOWN, sleep=False)
    bodies, pins = [], []
    for k in range(links):
        link = crate(k + 0.5, 0, 1, 0.2, group=1) if level else crate(0, -k - 0.5, 0.2, 1, group=1)
        bodies.append(world.add(link))
        pins.append(pinned(world, bodies[-1], bodies[-2] if k else None, (k, 0) if level else (0, -k)))
    if load:
        end = (float(links), 0.0) if level else (0.0, -float(links))
        bodies.append(world.add(ball(*end, 0.3, mass=load, group=1)))
        pins.append(pinned(world, bodies[-1], bodies[-2], end))
    return world, pins, bodies


LOADS = {"1": (1.0,), "100": (1e2,), "10000": (1e4,), "1000000": (1e6,)}


@scenes("joints", "godotengine/godot#50002", LOADS)
def a_hanging_chain(engine: Engine, load: float) -> Answer:
    """The widest gap of any joint of a hanging chain of ten links in five seconds, with a load of {} links."""
    world, pins, _ = chain(engine, 10, load, level=False)
    return Answer(widest(world, pins, 5), 0.0, 0.01, LINK)


@scenes("joints", "dimforge/rapier#415", LOADS)
def a_swinging_chain(engine: Engine, load: float) -> Answer:
    """The widest gap of any joint of a chain of ten that is let go level, in five seconds, with a load of {} links."""
    world, pins, _ = chain(engine, 10, load, level=True)
    return Answer(widest(world, pins, 5), 0.0, 0.05, "a twentieth of a link")


@scene("joints", CLOSED)
def a_chain_of_forty_is_let_go(engine: Engine) -> Answer:
    """The widest gap of any joint of a chain of 40 that is let go level, in five seconds."""
    world, pins, _ = chain(engine, 40, 0, level=True)
    return Answer(widest(world, pins, 5), 0.0, 0.05, "a twentieth of a link")


def hanging(count: int, span: float) -> list[Point]:
    """Return the joints of an even chain of links of 1 that hangs at rest between two points of one height.

    The joint k links from the middle carries the weight of these, so that the slope of a link is k over the horizontal
    pull; the pull follows from the span, by bisection.
    """
    low, high = 1e-3, 1e3
    for _ in range(200):
        pull = (low + high) / 2
        wide = sum(1 / math.hypot(1, (k + 0.5 - count / 2) / pull) for k in range(count))
        low, high = (pull, high) if wide < span else (low, pull)
    points = [(0.0, 0.0)]
    for k in range(count):
        slope = (k + 0.5 - count / 2) / pull
        c = 1 / math.hypot(1, slope)
        points.append((points[-1][0] + c, points[-1][1] + slope * c))
    return points


def between_posts(
    engine: Engine, count: int, span: float, mass: float = 1.0
) -> tuple[World, list[Pin], list[tuple[Any, Point]]]:
    """Return a chain that hangs at rest between two posts."""
    world, pins, kept = engine.world(DOWN, sleep=False), [], []
    points = hanging(count, span)
    for k in range(count):
        (x0, y0), (x1, y1) = points[k], points[k + 1]
        at = ((x0 + x1) / 2, (y0 + y1) / 2)
        kept.append((world.add(crate(*at, 0.95, 0.1, angle=math.atan2(y1 - y0, x1 - x0), mass=mass, group=1)), at))
        pins.append(pinned(world, kept[-1][0], kept[-2][0] if k else None, points[k]))
    pins.append(pinned(world, kept[-1][0], None, points[-1]))
    return world, pins, kept


@scene("joints", CLOSED)
def a_chain_hangs_in_its_curve(engine: Engine) -> Answer:
    """A chain of 20 hangs between posts in the curve that balances every link: how far a link goes in five seconds."""
    world, _, kept = between_posts(engine, 20, 15.0)
    run(world, 5)
    return Answer(max(math.dist(world.state(link)[:2], at) for link, at in kept), 0.0, 0.05, "a twentieth of a link")


@scene("joints", CLOSED)
def a_bridge_under_a_boulder(engine: Engine) -> Answer:
    """A ball of 100 planks' mass falls on a bridge of 20 planks: the widest gap of any joint in five seconds."""
    world, pins, _ = between_posts(engine, 20, 18.0)
    world.add(ball(9, 0, 0.8, mass=100.0))
    return Answer(widest(world, pins, 5), 0.0, 0.1, "a tenth of a plank")


def beam(engine: Engine, count: int, load: float) -> tuple[World, list[Any], list[Pin]]:
    """Return a beam of welded tiles that sticks out of a wall, and a load on its last."""
    world = engine.world(DOWN, sleep=False)
    tiles, pins = [], []
    for k in range(count):
        tiles.append(world.add(crate(k + 0.5, 0, mass=load if k == count - 1 else 1.0, group=1)))
        pins.append(pinned(world, tiles[-1], tiles[-2] if k else None, (k, 0), "weld"))
    return world, tiles, pins


@scenes(
    "joints",
    "jrouwe/JoltPhysics#1392",
    {"5 tiles": (5, 1.0), "10 tiles": (10, 1.0), "5 tiles and a load of 100": (5, 100.0)},
)
def a_welded_beam(engine: Engine, count: int, load: float) -> Answer:
    """How far the end of a beam of welded tiles of 1 droops in three seconds: {}."""
    world, tiles, _ = beam(engine, count, load)
    run(world, 3)
    return Answer(world.state(tiles[-1]).y, 0.0, 0.02 * count, "two hundredths a weld")


@scene("joints", CLOSED)
def welded_tiles_keep_their_turning(engine: Engine) -> Answer:
    """Three welded tiles in an L turn freely at 1 rad/s: the share of their angular momentum left after ten seconds."""
    world = engine.world(NOTHING, sleep=False)
    at = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    cx, cy = 2 / 3, 1 / 3
    tiles = [world.add(crate(x, y, velocity=(cy - y, x - cx), spin=1.0, group=1)) for x, y in at]
    world.join(Joint("weld", tiles[1], tiles[0], at=(0.5, 0)))
    world.join(Joint("weld", tiles[2], tiles[1], at=(1, 0.5)))
    before = turning(world, tiles)
    run(world, 10)
    return Answer(turning(world, tiles) / before, 1.0, 0.02, "two percent")


def turning(world: World, bodies: list[Any], moment: float = 1 / 6) -> float:
    """Return the angular momentum of bodies of mass 1 about their common centre."""
    states = [world.state(one) for one in bodies]
    n = len(states)
    cx, cy, ux, uy = (sum(s[i] for s in states) / n for i in (0, 1, 3, 4))
    return sum((s.x - cx) * (s.vy - uy) - (s.y - cy) * (s.vx - ux) + moment * s.spin for s in states)


@scene("joints", CLOSED)
def welded_tiles_fall_as_one(engine: Engine) -> Answer:
    """A row of six welded tiles falls on its end's edge and lies down: the greatest difference of two tiles' angles."""
    world = engine.world(DOWN)
    world.add(floor())
    c, s = math.cos(0.5), math.sin(0.5)
    tiles = [world.add(crate(k * c, 4 + k * s, angle=0.5, group=1)) for k in range(6)]
    for k in range(5):
        world.join(Joint("weld", tiles[k + 1], tiles[k], at=((k + 0.5) * c, 4 + (k + 0.5) * s)))
    worst = 0.0
    for _ in range(240):
        world.step(DT)
        angles = [world.state(one).angle for one in tiles]
        worst = max(worst, max(angles) - min(angles))
    return Answer(worst, 0.0, 0.05, "three degrees at the blow")


@scenes("joints", "liabru/matter-js#1274", {"1": (1.0,), "10000": (1e4,)})
def length_of_a_rope(engine: Engine, load: float) -> Answer:
    """A load of {} falls until a rope of 3 stops it: the greatest length of the rope in three seconds."""
    world = engine.world(DOWN, sleep=False)
    disc = world.add(ball(0.5, 0, 0.3, mass=load))
    world.join(Joint("rope", disc, at=(0.5, 0), to=(0, 0), length=3.0))
    longest = 0.0
    for _ in range(180):
        world.step(DT)
        longest = max(longest, math.hypot(*world.state(disc)[:2]))
    return Answer(longest, 3.0, 0.03, PERCENT)


@scene("joints", CLOSED)
def a_slack_rope_does_nothing(engine: Engine) -> Answer:
    """A disc falls freely for half a second on a rope that is not yet taut."""
    world = engine.world(DOWN, sleep=False)
    disc = world.add(ball(0, -0.5, 0.3))
    world.join(Joint("rope", disc, at=(0, -0.5), to=(0, 0), length=3.0))
    run(world, 0.5)
    return Answer(world.state(disc).vy, -5.0, 1e-3, "rounding of 32-bit floats")


@scene("joints", CLOSED)
def a_rope_between_two_masses(engine: Engine) -> Answer:
    """A rope of 2 stops a disc of mass 3 at 4 from leaving one of 1 at rest: their momentum, and the rope's length."""
    world = engine.world(NOTHING, sleep=False)
    a, b = world.add(ball(0, 0, 0.3, mass=3.0, velocity=(4, 0))), world.add(ball(-1, 0, 0.3))
    world.join(Joint("rope", a, b, at=(0, 0), to=(-1, 0), length=2.0))
    run(world, 1)
    total = 3 * world.state(a).vx + world.state(b).vx
    length = max(2.0, math.dist(world.state(a)[:2], world.state(b)[:2]))
    return Answer((total, length), (12.0, 2.0), 0.05, "two percent of the length")


@scene("joints", CLOSED)
def a_wrecking_ball(engine: Engine) -> Answer:
    """A ball of 1000 links' mass swings down from level on a chain of 8: its speed at the bottom, over sqrt(2 g L)."""
    world, _, bodies = chain(engine, 8, 1000.0, level=True)
    fastest = 0.0
    for _ in range(150):
        world.step(DT)
        found = world.state(bodies[-1])
        fastest = max(fastest, math.hypot(found.vx, found.vy))
    return Answer(fastest / math.sqrt(2 * G * 8), 1.0, 0.02, "two percent")


@scene("joints", CLOSED)
def momentum_of_a_free_chain(engine: Engine) -> Answer:
    """A chain of five in free space, struck at one end, keeps its momentum and angular momentum over ten seconds."""
    world = engine.world(NOTHING, sleep=False)
    links = [
        world.add(crate(k + 0.5, 0, 1, 0.2, group=1, inertia=0.1, velocity=(0, 4.0 if k == 4 else 0.0)))
        for k in range(5)
    ]
    for k in range(4):
        world.join(Joint("pin", links[k + 1], links[k], at=(k + 1, 0)))
    before = turning(world, links, 0.1)
    run(world, 10)
    total = sum(world.state(one).vy for one in links)
    return Answer((total / 4, turning(world, links, 0.1) / before), (1.0, 1.0), 0.03, "three percent")
