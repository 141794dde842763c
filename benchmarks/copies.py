"""Steps of small worlds a second: copies in one call, a loop of worlds, and Gymnasium's lander with Box2D.

The crates are a stack that falls over and comes to rest; the lander is one box among slopes that never sleeps. The
cart-pole is two bodies on a slide and a pin, free or with a motor. The lander of Gymnasium has two legs on joints and a
score besides; it stands here as what people step today. It is measured where `gymnasium` finds `Box2D`. The room of a
copy is that of its tables; the longest stop is by how much the longest step of all copies was longer than their median,
while tables grow.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import carom as cm
from benchmarks.harness import Table

COPIES, STEPS, DT = 256, 60, 1 / 60


def crates() -> cm.World:
    world = cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -0.5), (40, 1)))
    for k in range(6):
        world.add(cm.Box((0.3 * (k % 2), 0.5 + 1.01 * k), (1, 1)), kind="dynamic")
    world.add(cm.Box((-6, 3), (1, 1)), kind="dynamic", velocity=(9, 1))
    return world


def lander() -> cm.World:
    world = cm.World(gravity=(0, -1.6))
    world.add(cm.decompose([(-30, -6), (-30, 2), (-18, 4), (-8, 0), (8, 0), (20, 5), (30, 3), (30, -6)]))
    world.add(cm.Box((-14, 16), (2, 1.6)), kind="dynamic", velocity=(5, 0), acceleration=(0, 0.5))
    return world


def cart_pole(**motor: float) -> cm.World:
    world = cm.World(gravity=(0, -9.8), sleep=False)
    cart = world.add(cm.Box((0, 0), (0.4, 0.2)), kind="dynamic", mass=1)
    pole = world.add(cm.Box((0, 0.5), (0.05, 1)), kind="dynamic", mass=0.1, spin=0.5)
    world.slide(cart, None, (0, 0), axis=(1, 0), **motor)
    world.pin(pole, cart, (0, 0))
    return world


def lander_on_legs() -> cm.World:
    world = cm.World(gravity=(0, -10), sleep=False)
    lines = [((2.0 * k, 0.3 * (k % 3)), (2.0 * k + 2, 0.3 * ((k + 1) % 3))) for k in range(10)]
    world.add(cm.Compound.from_parts([cm.Capsule(*line, 0.015) for line in lines]), friction=0.1, layer=1)
    world.add(cm.Compound.from_parts([cm.Capsule(*line, 0.02) for line in lines]), sensor=True, layer=1)
    hull = world.add(cm.Box((10, 2.4), (1.2, 0.9)), "dynamic", density=5, friction=0.1, layer=2, mask=1)
    for side in (-1, 1):
        box = cm.Box((10 + 0.7 * side, 1.9), (0.13, 0.53), 0.5 * side)
        leg = world.add(box, "dynamic", density=1, friction=0.2, layer=4, mask=1)
        world.pin(leg, hull, (10, 2.4), limits=(-0.25, 0.25), speed=0.3 * side, max_torque=40)
    return world


def driven_cart_pole() -> cm.World:
    return cart_pole(speed=1, max_force=10)


def run(rounds: int) -> Table:
    rows: list[tuple[str, ...]] = [
        ("world", "how", "steps of one world a second", "a step of one", "room of a copy", "longest stop")
    ]
    for name, make in (
        ("seven crates", crates),
        ("a lander that falls", lander),
        ("a lander on legs", lander_on_legs),
        ("a cart-pole", cart_pole),
        ("a cart-pole with a motor", driven_cart_pole),
    ):
        for how, way in (
            ("a loop of worlds", loop),
            (f"{COPIES} copies", lambda make: copies(make, 1)),
            (f"{COPIES} copies, 2 threads", lambda make: copies(make, 2)),
        ):
            room = room_of(make) if how == f"{COPIES} copies" else ("", "")
            rows.append((name, how, *shown(statistics.median(way(make) for _ in range(rounds))), *room))
    try:
        rows.append(
            ("LunarLander-v3", "Gymnasium, Box2D", *shown(statistics.median(box2d() for _ in range(rounds))), "", "")
        )
    except gymnasium.error.DependencyNotInstalled:
        rows.append(("LunarLander-v3", "Gymnasium, Box2D", "not installed", "", "", ""))
    return Table(
        "Copies of a world", f"Median of {rounds} turns of {STEPS} steps of 1/60 s; one thread unless said.", rows
    )


def shown(rate: float) -> tuple[str, str]:
    return f"{rate:,.0f}", f"{1e6 / rate:.1f} us"


def copies(make: Callable[[], cm.World], threads: int) -> float:
    worlds = make().copies(COPIES)
    worlds.step(DT, threads=threads)
    started = time.perf_counter()
    for _ in range(STEPS):
        worlds.step(DT, threads=threads)
    return COPIES * STEPS / (time.perf_counter() - started)


def room_of(make: Callable[[], cm.World]) -> tuple[str, str]:
    worlds, chance = make().copies(COPIES), np.random.default_rng(0)
    moves = np.array([[body.kind == "dynamic"] for body in worlds.world(0).bodies])
    worlds.velocities = worlds.velocities + moves * chance.uniform(-1, 1, worlds.velocities.shape)
    took = []
    for _ in range(2 * STEPS):
        started = time.perf_counter()
        worlds.step(DT)
        took.append(time.perf_counter() - started)
    stop = max(took) - statistics.median(took)
    return f"{worlds._steps.stack.room() / COPIES / 1e3:,.0f} kB", f"{1e3 * stop:.1f} ms"


def loop(make: Callable[[], cm.World]) -> float:
    worlds = [make() for _ in range(COPIES // 8)]
    for world in worlds:
        world.step(DT)
    started = time.perf_counter()
    for _ in range(STEPS):
        for world in worlds:
            world.step(DT)
    return len(worlds) * STEPS / (time.perf_counter() - started)


def box2d() -> float:
    env = gymnasium.make("LunarLander-v3").unwrapped
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 4, 5000).tolist()
    started = time.perf_counter()
    for action in actions:
        if env.step(action)[2]:
            env.reset()
    return len(actions) / (time.perf_counter() - started)
