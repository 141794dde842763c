"""Two ways to the minimum translation vector, and both against the area that is left when the bodies are parted."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
import shapely

import carom as cm
from carom._core.jit import kernel
from carom.convert import to_shapely
from carom.narrow.compound.answers import body_rows
from carom.narrow.compound.bodies import Corners
from carom.narrow.compound.boundary import near_pieces
from carom.narrow.compound.mtv_pieces import EVERYWHERE, mtv_within
from carom.narrow.compound.mtv_squares import mtv_by_squares
from carom.tolerances import COVER_BAND


def star(points: int, rng: random.Random, least: float = 0.2) -> list[tuple[float, float]]:
    turn = rng.uniform(0, 7)
    sizes = [1.0 if k % 2 else rng.uniform(least, 0.7) for k in range(2 * points)]
    angles = [turn + k * math.pi / points for k in range(2 * points)]
    return [(r * math.cos(t), r * math.sin(t)) for r, t in zip(sizes, angles, strict=True)]


def comb(teeth: int, rng: random.Random) -> list[tuple[float, float]]:
    points = [(0.0, -0.5), (1.0, -0.5)]
    for k in range(teeth):
        right, width = 1.0 - k / teeth, 1.0 / teeth
        depth = rng.uniform(0.1, 0.9)
        points += [(right, 0.5), (right - 0.4 * width, 0.5), (right - 0.4 * width, 0.5 - depth)]
        points += [(right - width, 0.5 - depth)] if k < teeth - 1 else [(0.0, 0.5 - depth)]
    return points


def body(rng: random.Random) -> Any:
    kind = rng.randrange(7)
    place = (rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8))
    if kind < 2:
        return cm.decompose(star(rng.randrange(3, 30), rng)).translated(place)
    if kind == 2:
        return cm.decompose(comb(rng.randrange(2, 9), rng)).translated(place)
    if kind == 3:
        hole = [(0.5 * x, 0.5 * y) for x, y in star(4, rng, 0.4)]
        return cm.decompose([(-1, -1), (1, -1), (1, 1), (-1, 1)], [hole]).translated(place)
    if kind == 4:
        parts = [cm.Capsule((0, 0), (math.cos(t), math.sin(t)), 0.1) for t in (0.1, 2.0, 4.5)]
        return cm.Compound.from_parts([*parts, cm.Circle((0, 0), 0.3)]).translated(place)
    return [cm.Circle(place, rng.uniform(0.05, 0.6)), cm.Point(place), cm.Box(place, (0.7, 0.2), 0.3)][rng.randrange(3)]


@kernel
def both_ways(rows: Any, band: float, least: float, out: Any) -> None:
    """Write the vector from squares of translations, then that from all pieces of the boundary that are near enough."""
    limits = np.empty(1)
    found, _ = mtv_by_squares(rows, 0, band)
    out[0, 0], out[0, 1], out[0, 2] = found[0], found[1], found[2]
    a = Corners(rows.a.buffer, rows.a.starts, rows.a.exposed, rows.a.cones)
    b = Corners(rows.b.buffer, rows.b.starts, rows.b.exposed, rows.b.cones)
    limits[0], out[1, 0] = least + 2.0 * band, math.inf
    while out[1, 0] == math.inf:
        piece, count, cover = near_pieces(rows, 0, 0.0, 0.0, limits[0], 2.0 * limits[0])
        found = mtv_within(a, b, cover, piece, count, limits[0], band, EVERYWHERE)
        out[1, 0], out[1, 1], out[1, 2] = found[0], found[1], found[2]
        limits[0] *= 2.0


@pytest.mark.parametrize("seed", range(120))
def test_both_ways_find_the_same_depth(seed: int) -> None:
    rng = random.Random(seed)
    a, b = body(rng), body(rng)
    while not isinstance(a, cm.Compound) or cm.separation(a, b) >= 0.0:
        a, b = body(rng), body(rng)
    rows = body_rows("collide", ("a", "b"), a, b)
    band = COVER_BAND * 20.0
    squares, pieces = ways = np.empty((2, 3))
    both_ways(rows, band, 1e-3, ways)
    assert squares[0] == pytest.approx(pieces[0], rel=1e-11)
    assert squares[0] == pytest.approx(-cm.separation(a, b), rel=1e-11)
    moved = b.translated(squares[1:].tolist())
    assert cm.separation(a, moved) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_no_shorter_way_parts_bodies_of_many_parts(seed: int) -> None:
    """Shapely's area of overlap is above zero everywhere on a circle a little smaller than the depth."""
    rng = random.Random(seed)
    a, b = (cm.decompose(star(25 + 5 * k, rng)).translated((0.4 * k, 0.1 * seed)) for k in range(2))
    contact = cm.collide(a, b)
    assert contact is not None and contact.depth > 0.01
    first, second = (shapely.make_valid(to_shapely(one)) for one in (a, b))
    for angle in np.linspace(0.0, 2.0 * math.pi, 90, endpoint=False):
        for share in (0.5, 0.9, 0.999):
            step = share * contact.depth * np.array([math.cos(angle), math.sin(angle)])
            assert first.intersection(shapely.transform(second, lambda p, step=step: p + step)).area > 0.0
    out = shapely.transform(second, lambda p: p + np.array(contact.normal) * contact.depth * (1.0 + 1e-9))
    assert first.intersection(out).area == pytest.approx(0.0, abs=1e-15)
