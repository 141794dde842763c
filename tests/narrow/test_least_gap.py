"""The least gap of two parts: never above their separation, and that itself where an edge faces the other part."""

from __future__ import annotations

import math
from random import Random

import pytest

import carom as cm
from carom import kernels
from carom._core.jit import kernel
from carom._core.types import Floats
from carom.narrow.least_gap import least_gap


@kernel
def gap_of(a: Floats, i: int, b: Floats, j: int) -> tuple[float, float, float]:
    """Ask of two records, as only kernels do."""
    return least_gap(a, i, b, j)


def shape(rng: Random) -> cm.Shape:
    x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
    kind = rng.randrange(5)
    if kind == 0:
        return cm.Circle((x, y), rng.uniform(0.0, 1))
    if kind == 1:
        return cm.Capsule((x, y), (x + rng.uniform(0.1, 1), y + rng.uniform(-1, 1)), rng.uniform(0.1, 0.5))
    if kind == 2:
        return cm.Box((x, y), (rng.uniform(0.1, 2), rng.uniform(0.1, 2)), angle=rng.choice([0.0, rng.uniform(0, 6)]))
    if kind == 3:
        return cm.Segment((x, y), (x + 1, y + rng.uniform(-1, 1)))
    return cm.hull([(x + rng.uniform(-1, 1), y + rng.uniform(-1, 1)) for _ in range(6)])


@pytest.mark.parametrize("seed", range(100))
def test_the_least_gap_is_never_above_the_separation(seed: int) -> None:
    rng = Random(seed)
    a, b = shape(rng), shape(rng)
    values, (i, j) = kernels.records([a, b])
    gap, nx, ny = gap_of(values, int(i), values, int(j))
    assert gap <= cm.separation(a, b) + 1e-12
    assert math.hypot(nx, ny) == pytest.approx(1.0)
    back, mx, my = gap_of(values, int(j), values, int(i))
    assert back == pytest.approx(gap) and (mx, my) == pytest.approx((-nx, -ny))


def test_the_least_gap_of_what_faces_an_edge_is_the_separation() -> None:
    floor = cm.Box((0, 0), (4, 1))
    for other in (cm.Circle((1, 1.5), 0.5), cm.Box((1, 1.5), (1, 0.5))):
        values, (i, j) = kernels.records([floor, other])
        assert gap_of(values, int(i), values, int(j)) == pytest.approx((cm.separation(floor, other), 0, 1))
