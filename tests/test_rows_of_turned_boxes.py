"""Rows of turned boxes, whose closed forms rest on few numbers: needles, near touch, against rational arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import oracle
import pytest

import carom as cm

ROWS = [300, pytest.param(30_000, marks=pytest.mark.full)]


def thin(rng: Random, angle: float | None = None) -> Any:
    """Return a turned box, mostly far longer than wide, or wider than long."""
    width, length = 10.0 ** rng.uniform(-13, 0.3), 2.0
    size = (width, length) if rng.random() < 0.6 else (length, width)
    return cm.Box((rng.uniform(-1, 1), 0.0), size, rng.uniform(0.1, 3.0) if angle is None else angle)


def tips(count: int) -> Iterator[tuple[Any, Any]]:
    """Yield discs, boxes along the axes and turned boxes near the corner of a turned box, by 1e-16 to 1e-6."""
    rng = Random("tips of needles")
    for _ in range(count):
        box = thin(rng)
        x, y = rng.choice(box.vertices)
        near = rng.choice((-1, 1)) * 10.0 ** rng.uniform(-16, -6)
        radius, turn = rng.uniform(0.1, 1.0), rng.uniform(0.0, 6.28)
        away = radius + near
        yield cm.Circle((x + away * math.cos(turn), y + away * math.sin(turn)), radius), box
        size = rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)
        yield cm.Box((x + size[0] / 2 + near, y), size), box
        other = thin(rng, box.angle if rng.random() < 0.3 else None)
        u, v = rng.choice(other.vertices)
        yield other.translated((x - u + near, y - v)), box


@pytest.mark.parametrize("count", ROWS)
def test_tips_of_needles(count: int) -> None:
    pairs = list(tips(count))
    for which in range(3):
        rows = pairs[which::3]
        a, b = cm.Shapes([a for a, _ in rows]), cm.Shapes([b for _, b in rows])
        assert a._columns_of_one_kind() is not None and b._columns_of_one_kind() is not None
        signs = np.array([oracle.sign(*row) for row in rows])
        for first, second in ((a, b), (b, a)):
            assert (cm.intersects(first, second) == (signs <= 0)).all()
            assert (cm.intersects(first, second, touching=False) == (signs < 0)).all()
            assert (np.sign(cm.separation(first, second)) == signs).all()
            assert (cm.collide(first, second).hit == (signs <= 0)).all()
