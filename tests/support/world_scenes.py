"""Shapes for bodies of every kind, and how deep the bodies of a world overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import carom as cm

KINDS = ("circle", "box", "turned", "triangle", "capsule", "compound", "rounded")


def make(kind: str, x: float, y: float, size: float, turn: float) -> Any:
    """Return a shape that fits into a circle of diameter `size` around (x, y)."""
    r = size / 2
    if kind == "circle":
        return cm.Circle((x, y), r)
    if kind == "box":
        return cm.Box((x, y), (r * 1.4, r))
    if kind == "turned":
        return cm.Box((x, y), (r * 1.4, r), turn)
    if kind == "rounded":
        return cm.Box((x, y), (r, r / 2), turn, radius=r / 8)
    around = [(x + r * math.cos(turn + k * math.tau / 3), y + r * math.sin(turn + k * math.tau / 3)) for k in range(3)]
    if kind == "triangle":
        return cm.Polygon(around)
    if kind == "capsule":
        return cm.Capsule((x - r / 2, y), (x + r / 2, y), r / 3).rotated(turn)
    corner = [(-0.6, -0.6), (0.6, -0.6), (0.6, -0.2), (-0.2, -0.2), (-0.2, 0.6), (-0.6, 0.6)]
    return cm.decompose([(x + r * a, y + r * b) for a, b in corner])


def parts(shape: Any) -> Iterator[Any]:
    yield from (shape.parts if isinstance(shape, cm.Compound) else (shape,))


def deepest(world: cm.World) -> float:
    """Return the least separation of any two bodies of a world, by the row verbs."""
    owners, shapes = [], []
    for body in world.bodies:
        for part in parts(body.shape):
            owners.append(body.row)
            shapes.append(part)
    all_parts = cm.Shapes(shapes)
    bounds, owner = all_parts.bounds, np.array(owners)
    still = np.array([world.body(row).kind == "static" for row in owners])
    near = (bounds[:, None, :2] <= bounds[None, :, 2:]).all(2) & (bounds[None, :, :2] <= bounds[:, None, 2:]).all(2)
    near &= (owner[:, None] < owner[None, :]) & ~(still[:, None] & still[None, :])
    i, j = np.nonzero(near)
    return float(cm.separation(all_parts[i], all_parts[j]).min(initial=0.0)) if i.size else 0.0
