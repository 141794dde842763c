"""The promise for bodies of several parts: no two convex parts of different bodies are deeper than 0.3 skins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom as cm


def star(x: float, y: float, angle: float) -> cm.Compound:
    """Return a star of five points."""
    corners = [(0.5 if k % 2 == 0 else 0.2, angle + k * math.pi / 5) for k in range(10)]
    return cm.decompose([(x + r * math.cos(a), y + r * math.sin(a)) for r, a in corners])


def parts_of(body: cm.Body) -> list[cm.Shape]:
    return list(body.shape.parts) if isinstance(body.shape, cm.Compound) else [body.shape]


@pytest.mark.parametrize("seed", range(2))
def test_no_two_parts_of_concave_bodies_in_a_heap_are_deep(seed: int) -> None:
    rng, world = np.random.default_rng(seed), cm.World(gravity=(0, -10))
    world.add(cm.Box((0, -1), (30, 2)))
    for x in (-3, 3):
        world.add(cm.Box((x, 10), (1, 30)))
    ell = cm.decompose([(-0.4, -0.4), (0.8, -0.4), (0.8, -0.1), (-0.1, -0.1), (-0.1, 0.8), (-0.4, 0.8)])
    for k in range(20):
        x, y, angle = -1.75 + 1.75 * (k % 3), 2 + 2.4 * (k // 3), rng.uniform(0, 6)
        shape = (star(x, y, angle), ell.placed((x, y), angle), cm.Circle((x, y), 0.2))[k % 3]
        world.add(shape, kind="dynamic")
    skin = 0.008 * 0.2  # of the widest
    for _ in range(12):
        world.step(1 / 60, steps=15)
        for body in world.bodies:
            for other in world.bodies:
                if other.row < body.row and "dynamic" in (body.kind, other.kind):
                    deep = min(cm.separation(p, q) for p in parts_of(body) for q in parts_of(other))
                    assert deep > -0.3 * skin * 1.01
