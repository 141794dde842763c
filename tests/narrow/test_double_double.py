"""Flush tiles decided with pairs of floats: against rational arithmetic, or not decided at all."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.narrow.exact.double_double import UNDECIDED, side_of_sharp
from tests.support import oracle, scenes

ROWS = [150, pytest.param(10_000, marks=pytest.mark.full)]


def record(shape: Any) -> Any:
    return shape._record


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_every_decided_sign_is_the_exact_one(family: str, rows: int) -> None:
    for row in range(rows):
        a, b = scenes.pair(family, row)
        if a.radius == b.radius == 0.0:
            assert side_of_sharp(record(a), 0, record(b), 0) in (UNDECIDED, oracle.sign(a, b)), (a, b)


def neighbours(rng: Random) -> tuple[Any, Any, bool]:
    """Return flush triangles on a grid, turned by a Pythagorean angle, corners of one perhaps moved by an ulp."""
    p, q, _ = rng.choice(scenes.TRIPLES)
    size, x, y = 2.0 ** rng.randint(-20, 20), float(rng.randint(-1000, 1000)), float(rng.randint(-1000, 1000))
    corners = [(0, 0), (rng.randint(1, 9), 0), (rng.randint(-5, 5), rng.randint(1, 9))]
    across = [(0, 0), corners[1], (rng.randint(-5, 5), -rng.randint(1, 9))]
    place = [
        [(size * (x + p * u - q * v), size * (y + q * u + p * v)) for u, v in outline] for outline in (corners, across)
    ]
    moved = rng.random() < 0.5
    if moved:
        towards = rng.choice((-math.inf, math.inf))
        for k in rng.choice(((0,), (1,), (0, 1))):
            u, v = place[1][k]
            place[1][k] = (u, np.nextafter(v, towards).item())
    return cm.Polygon(place[0]), cm.Polygon(place[1]), moved


@pytest.mark.parametrize("rows", [500, pytest.param(50_000, marks=pytest.mark.full)])
def test_flush_triangles_are_all_decided(rows: int) -> None:
    rng = Random("flush")
    pairs = [neighbours(rng) for _ in range(rows)]
    signs = [oracle.sign(a, b) for a, b, _ in pairs]
    assert {sign for sign, (_, _, moved) in zip(signs, pairs, strict=True) if not moved} == {0}
    assert set(signs) == {-1, 0, 1}
    for sign, (a, b, moved) in zip(signs, pairs, strict=True):
        side = side_of_sharp(record(a), 0, record(b), 0)
        assert side == sign or (moved and side == UNDECIDED), (a, b)
    a, b = cm.Shapes([a for a, _, _ in pairs]), cm.Shapes([b for _, b, _ in pairs])
    assert np.sign(cm.separation(a, b)).tolist() == signs
    assert cm.intersects(a, b).tolist() == [sign <= 0 for sign in signs]
    assert cm.collide(a, b).hit.tolist() == [sign <= 0 for sign in signs]


def test_turned_tiles_are_decided_as_their_stored_corners_lie() -> None:
    across = math.cos(0.3), math.sin(0.3)
    tiles = [cm.Box((k * across[0], k * across[1]), (1, 1), 0.3) for k in range(200)]
    signs = [oracle.sign(a, b) for a, b in pairwise(tiles)]
    found = [side_of_sharp(record(a), 0, record(b), 0) for a, b in pairwise(tiles)]
    assert {-1, 1} <= set(signs)
    assert all(side in (UNDECIDED, sign) for side, sign in zip(found, signs, strict=True))
    assert found.count(UNDECIDED) < 10


def test_lines_and_products_that_vanish_are_left_to_expansions() -> None:
    crossing = cm.Segment((0, 0), (2, 2)), cm.Segment((0, 2), (2, 0))
    tiny = cm.Polygon([(0, 0), (1e-150, 0), (0, 1e-150)]), cm.Polygon([(0, 0), (0, -1e-150), (1e-150, 0)])
    for a, b in (crossing, tiny):
        assert side_of_sharp(record(a), 0, record(b), 0) == UNDECIDED
        assert cm.intersects(cm.Shapes([a]), cm.Shapes([b])).tolist() == [True]
