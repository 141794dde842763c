"""Seeded scenes of shapes that move and turn: two shapes and the first one's motion, hard in one way a family.

Most scenes are aimed: B is put near where some vertex of A comes by, so that near misses and late hits are common. The
same family and row is the same scene for ever.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import carom as cm
from tests.support import turning_oracle as slow

FAMILIES = (
    "mixed",
    "needles",
    "thin walls",
    "spins",
    "far pivots",
    "offsets",
    "sizes",
    "two sizes",
    "rolling",
    "touch",
)
Scene = tuple[Any, Any, slow.Motion]


def polygon(rng: Random, x: float, y: float, size: float, corners: int) -> cm.Polygon:
    while True:
        turns = sorted(rng.uniform(0.0, math.tau) for _ in range(corners))
        wide, high = rng.uniform(0.05, 1.0) * size, rng.uniform(0.05, 1.0) * size
        points = [(x + wide * math.cos(turn), y + high * math.sin(turn)) for turn in turns]
        try:
            return cm.Polygon(points, radius=rng.choice([0.0, 0.0, 0.2 * size]))
        except ValueError:  # too thin
            continue


def shape(rng: Random, size: float = 1.0, thin: float | None = None) -> Any:
    """Return a shape of any kind near the origin, of about that size; `thin` is the width of kinds that have one."""
    x, y = rng.uniform(-2.0, 2.0) * size, rng.uniform(-2.0, 2.0) * size
    angle, length = rng.uniform(0.0, 7.0), rng.uniform(0.1, 1.5) * size
    width = rng.uniform(0.05, 1.0) * size if thin is None else thin
    end = x + length * math.cos(angle), y + length * math.sin(angle)
    made = (
        lambda: cm.Point((x, y)),
        lambda: cm.Segment((x, y), end),
        lambda: cm.Circle((x, y), width),
        lambda: cm.Capsule((x, y), end, width),
        lambda: cm.Box((x, y), (length, width)),
        lambda: cm.Box((x, y), (length, width), angle),
        lambda: cm.Box((x, y), (length, width), angle, radius=0.1 * width),
        lambda: polygon(rng, x, y, size, rng.randint(3, 8)),
    )
    return rng.choice(made)()


def scene(family: str, row: int) -> Scene:
    rng = Random(f"{family} {row}")
    size = 10.0 ** rng.uniform(-9, 9) if family in ("sizes", "two sizes") else 1.0
    move = rng.choice([(0.0, 0.0), (rng.uniform(-4, 4) * size, rng.uniform(-4, 4) * size)])
    turn = rng.choice([-1, 1]) * rng.choice([0.01, 0.3, 1.5, 3.0, 6.3, 20.0]) * rng.uniform(0.3, 1.0)
    a, b = shape(rng, size), shape(rng, size)
    near = 0.3 * size
    if family == "needles":
        a, b, near = shape(rng, thin=1e-9), shape(rng, thin=10.0 ** -rng.uniform(3, 12)), 1e-3
    elif family == "thin walls":
        b, near = cm.Box((0, 0), (1e-9, rng.uniform(0.1, 5)), rng.uniform(0, 7)), 1e-3
    elif family == "spins":
        b, near, turn = shape(rng, 1e-3), 1e-3, turn * rng.uniform(0, 500)
    elif family == "two sizes":
        b = shape(rng, 10.0 ** rng.uniform(-9, 9))
        move = tuple((b.position - a.position) * rng.uniform(0.5, 1.5))
    elif family == "rolling":
        a, b = polygon(rng, 0, 1, 0.7, rng.randint(3, 30)), cm.Box.from_corners((-9, -1), (9, 0))
        move = (rng.uniform(-2, 2), rng.uniform(-0.8, 0.3))
    pivot = tuple(a.position)
    if rng.random() < 0.6:
        pivot = (rng.uniform(-2, 2) * size, rng.uniform(-2, 2) * size)
    if family == "far pivots":
        pivot = (rng.uniform(-1e6, 1e6), rng.uniform(-1e6, 1e6))
        turn = rng.choice([turn, rng.uniform(-2e-6, 2e-6)])
    motion = slow.Motion((move[0], move[1]), turn, (pivot[0], pivot[1]))
    if family not in ("rolling", "two sizes") and rng.random() < 0.8:
        x, y = rng.choice(slow.posed(a, motion, 0.0 if family == "touch" else rng.random()).points)
        off = rng.choice([0.0, 1e-15, 1e-9, 0.1]) if family == "touch" else near
        at = b.vertices[rng.randrange(len(b.vertices))] if family == "touch" else b.position
        b = b.translated((float(x) - at.x + rng.gauss(0, off), float(y) - at.y + rng.gauss(0, off)))
    if family == "offsets":
        far = cm.Vec(rng.uniform(-1e7, 1e7), rng.uniform(-1e7, 1e7))
        a, b, motion = a.translated(far), b.translated(far), motion._replace(pivot=tuple(far + motion.pivot))
    return a, b, motion
