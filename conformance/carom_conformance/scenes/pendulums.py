"""Pendulums and springs: periods, energies, heights."""

from __future__ import annotations

import math
from typing import Any

from carom_conformance.engine import Body, Engine, Joint, World
from carom_conformance.registry import CLOSED, Answer, scene, scenes
from carom_conformance.scenes.bodies import DOWN, DT, NOTHING, PERCENT, G, ball, crate, energy, run

TWO = "two percent"


def period(world: World, body: Any, most: float = 20.0) -> float:
    """Return the time between the first and the third passage of a body through x = 0, found between steps."""
    passages: list[float] = []
    before, now = world.state(body).x, 0.0
    while now < most and len(passages) < 3:
        world.step(DT)
        now += DT
        x = world.state(body).x
        if before * x < 0 or x == 0.0:
            passages.append(now - DT * (x / (x - before) if x != before else 0.0))
        before = x
    return passages[2] - passages[0] if len(passages) == 3 else math.inf


def swing(
    engine: Engine, degrees: float, kind: str = "rod", length: float = 2.0, **settings: Any
) -> tuple[World, Any, Body]:
    """Return a world with a disc that is let go at the end of a rod, or of another joint, at an angle."""
    world = engine.world(DOWN, sleep=False)
    angle = math.radians(degrees)
    bob = ball(length * math.sin(angle), -length * math.cos(angle), 0.1, **settings)
    handle = world.add(bob)
    world.join(Joint(kind, handle, at=bob.at if kind != "pin" else (0.0, 0.0), to=(0.0, 0.0), length=length))
    return world, handle, bob


def mean(degrees: float) -> float:
    """Return the arithmetic-geometric mean of 1 and the cosine of half an amplitude, which gives the period."""
    a, b = 1.0, math.cos(math.radians(degrees) / 2)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


@scenes("joints", CLOSED, {"5 degrees": (5.0,), "60 degrees": (60.0,), "90 degrees": (90.0,), "150 degrees": (150.0,)})
def period_of_a_pendulum(engine: Engine, degrees: float) -> Answer:
    """The period of a small disc on a rod of 2, from an amplitude of {}: by the arithmetic-geometric mean."""
    world, handle, _ = swing(engine, degrees)
    right = 2 * math.pi * math.sqrt(2 / G) / mean(degrees)
    return Answer(period(world, handle), right, 0.01 * right, PERCENT)


@scene("joints", CLOSED)
def period_of_a_hanging_bar(engine: Engine) -> Answer:
    """The period of a bar of 2 by 0.1 pinned at its end, at a small amplitude: 2 pi sqrt(I / (m g l))."""
    world = engine.world(DOWN, sleep=False)
    bar = crate(math.sin(0.05), -math.cos(0.05), 0.1, 2.0, angle=0.05)
    handle = world.add(bar)
    world.join(Joint("pin", handle, at=(0, 0)))
    right = 2 * math.pi * math.sqrt((bar.moment + 1) / G)
    return Answer(period(world, handle), right, 0.01 * right, PERCENT)


@scenes("joints", "liabru/matter-js#216", {"a rod": ("rod",), "a pin": ("pin",), "a rope": ("rope",)})
def energy_of_a_pendulum(engine: Engine, kind: str) -> Answer:
    """The energy of a disc that swings from 60 degrees for a minute, over m g L, by {}."""
    world, handle, bob = swing(engine, 60, kind)
    before = energy(world, [(handle, bob)], G)
    run(world, 60)
    return Answer((energy(world, [(handle, bob)], G) - before) / (G * 2), 0.0, 0.02, TWO)


@scene("joints", CLOSED)
def length_of_a_rod(engine: Engine) -> Answer:
    """The greatest error of the length of a rod of 2 on which a disc swings from 150 degrees, in ten seconds."""
    world, handle, _ = swing(engine, 150)
    off = 0.0
    for _ in range(600):
        world.step(DT)
        off = max(off, abs(math.hypot(*world.state(handle)[:2]) - 2))
    return Answer(off, 0.0, 0.02, PERCENT)


@scene("joints", CLOSED)
def a_sling_at_20_rad_s(engine: Engine) -> Answer:
    """A disc on a pin of 1 at 20 rad/s without gravity: its distance and speed after ten seconds."""
    world = engine.world(NOTHING, sleep=False)
    handle = world.add(ball(1, 0, 0.1, velocity=(0, 20), spin=20.0))
    world.join(Joint("pin", handle, at=(0, 0)))
    run(world, 10)
    found = world.state(handle)
    return Answer((math.hypot(found.x, found.y), math.hypot(found.vx, found.vy) / 20), (1.0, 1.0), 0.02, TWO)


def two_bars(engine: Engine) -> tuple[World, list[tuple[Any, Body]]]:
    """Return a double pendulum that is let go level."""
    world = engine.world(DOWN, sleep=False)
    bars = [crate(0.5 + k, 0, 1, 0.1) for k in range(2)]
    handles = [world.add(bar) for bar in bars]
    world.join(Joint("pin", handles[0], at=(0, 0)))
    world.join(Joint("pin", handles[1], handles[0], at=(1, 0)))
    return world, list(zip(handles, bars, strict=True))


@scene("joints", "liabru/matter-js#423")
def energy_of_a_double_pendulum(engine: Engine) -> Answer:
    """The energy of two bars of 1 that swing down from level, after 20 s, over m g L."""
    world, bars = two_bars(engine)
    run(world, 20)
    return Answer(energy(world, bars, G) / G, 0.0, 0.05, "five percent of a chaotic motion")


@scene("joints", CLOSED)
def no_energy_gained_by_a_double_pendulum(engine: Engine) -> Answer:
    """The greatest energy of two bars that swing down from level in 20 s, over m g L: never more than at the start."""
    world, bars = two_bars(engine)
    most = 0.0
    for _ in range(1200):
        world.step(DT)
        most = max(most, energy(world, bars, G) / G)
    return Answer(most, 0.0, 0.02, TWO)


@scene("joints", CLOSED)
def an_l_of_tiles_swings(engine: Engine) -> Answer:
    """Three welded tiles of 1, hung at the middle of the first, have turned by -0.7442 after half a second."""
    world = engine.world(DOWN, sleep=False)
    tiles = [world.add(crate(x, y, group=1)) for x, y in ((0, 0), (1, 0), (1, 1))]
    world.join(Joint("weld", tiles[1], tiles[0], at=(0.5, 0)))
    world.join(Joint("weld", tiles[2], tiles[1], at=(1, 0.5)))
    world.join(Joint("pin", tiles[0], at=(0, 0)))
    run(world, 0.5)
    return Answer(
        world.state(tiles[0]).angle, -0.7442, 0.03, "gravity times a step over the reach: an integrator of first order"
    )


@scene("joints", CLOSED)
def a_ball_strikes_a_pinned_bar(engine: Engine) -> Answer:
    """A disc at 4 strikes the end of a bar pinned at its other end, restitution 1: the spin and the disc's velocity."""
    world = engine.world(NOTHING, friction=0.0, restitution=1.0)
    bar = crate(0, -1, 0.1, 2)
    handle = world.add(bar)
    world.join(Joint("pin", handle, at=(0, 0)))
    disc = world.add(ball(-2, -1.8, 0.1, velocity=(4, 0), bullet=True))
    run(world, 0.5 + 0.1)
    inertia, lever = bar.moment + 1, 1.8
    right = 2 * 4 * lever / (lever**2 + inertia)
    return Answer((world.state(handle).spin, world.state(disc).vx), (right, 4 - right * inertia / lever), 0.1, TWO)


@scene("joints", CLOSED)
def a_ballistic_pendulum(engine: Engine) -> Answer:
    """A disc of mass 1 at 10 hits a block of mass 4 on a rod, restitution 0: they rise by 0.2."""
    world = engine.world(DOWN, friction=0.0, sleep=False)
    block = world.add(crate(0, -4, 1, 1, mass=4.0))
    world.join(Joint("rod", block, at=(0, -4), to=(0, 0)))
    world.add(ball(-1, -4, 0.2, velocity=(10, 0.2), bullet=True))
    best = 0.0
    for _ in range(60):
        world.step(DT)
        best = max(best, world.state(block).y + 4)
    return Answer(best, 0.2, 0.03, "the disc falls a little before it hits, and rides along")


@scene("joints", CLOSED)
def stretch_of_a_spring(engine: Engine) -> Answer:
    """A disc hangs on a damped spring of 1 Hz: it comes to rest g / (2 pi f)^2 below the spring's length of 2."""
    world = engine.world(DOWN, sleep=False)
    disc = world.add(ball(0, -2, 0.2))
    world.join(Joint("spring", disc, at=(0, -2), to=(0, 0), length=2.0, hertz=1.0, damping=0.5))
    run(world, 10)
    return Answer(world.state(disc).y, -2 - G / (2 * math.pi) ** 2, 0.01, PERCENT)


@scene("joints", CLOSED)
def period_of_a_spring(engine: Engine) -> Answer:
    """The period of a disc on a spring of 0.5 Hz without damping, along its axis, without gravity, is 2 s."""
    world = engine.world(NOTHING, sleep=False)
    disc = world.add(ball(0.5, 0, 0.2))
    world.join(Joint("spring", disc, at=(0.5, 0), to=(-3, 0), length=3.0, hertz=0.5))
    return Answer(period(world, disc), 2.0, 0.04, TWO)


@scene("joints", CLOSED)
def amplitude_of_a_spring(engine: Engine) -> Answer:
    """A disc on a spring of 0.5 Hz without damping comes as far out after ten seconds as at first: 0.5."""
    world = engine.world(NOTHING, sleep=False)
    disc = world.add(ball(0.5, 0, 0.2))
    world.join(Joint("spring", disc, at=(0.5, 0), to=(-3, 0), length=3.0, hertz=0.5))
    best = 0.0
    for k in range(660):
        world.step(DT)
        best = max(best, world.state(disc).x) if k >= 500 else 0.0
    return Answer(best, 0.5, 0.025, "five percent in five periods")


@scene("joints", CLOSED)
def decay_of_a_spring(engine: Engine) -> Answer:
    """A disc on a spring of 1 Hz with a damping ratio of 0.1: the share of 0.5 that is left after one period."""
    world = engine.world(NOTHING, sleep=False)
    disc = world.add(ball(0.5, 0, 0.2))
    world.join(Joint("spring", disc, at=(0.5, 0), to=(-3, 0), length=3.0, hertz=1.0, damping=0.1))
    best = 0.0
    for k in range(75):
        world.step(DT)
        best = max(best, world.state(disc).x) if k >= 40 else 0.0
    right = math.exp(-2 * math.pi * 0.1 / math.sqrt(0.99))
    return Answer(best / 0.5, right, 0.06, "a step is a sixtieth of the period")
