"""Rows that exactly touch, and the same one unit in the last place nearer and farther: every verb, every pair of kinds.

The touches are built on a grid of Pythagorean triples, where every sum is exact, and never ask the library; what a
nudged row does, the exact oracle says. Sets go through the row loops and their closed forms, a pair through its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import carom as cm
from tests.support import oracle, scenes

EPSILON = 2.0**-52
PAIRS = list(itertools.product(scenes.KINDS, scenes.KINDS))
ROWS = [4, pytest.param(500, marks=pytest.mark.full)]
Table = list[tuple[Any, ...]]


def nudged(
    kind: str, points: scenes.Points, radius: float, axis: int, towards: float, least: float, rng: Random
) -> Any:
    """Return a shape whose core is moved by an ulp along an axis, or None if it is no shape any more."""

    def move(v: float) -> float:
        return math.nextafter(v, towards) if v else math.copysign(least, towards)

    moved = [(move(x), y) if axis == 0 else (x, move(y)) for x, y in points]
    if kind in ("polygon", "rounded polygon"):
        moved = [(float(x), float(y)) for x, y in scenes.hull_of(moved)]
    try:
        return scenes.build(kind, moved, radius, rng)
    except ValueError:
        return None


def touches(kind_a: str, kind_b: str, count: int) -> Iterator[tuple[Any, Any]]:
    """Yield `count` exact touches of two kinds; after each, where it can be made, an ulp to either side of it."""
    for k in range(count):
        rng = Random(f"rows in touch/{kind_a}/{kind_b}/{k}")
        core_a, radius_a, core_b, radius_b, _ = scenes.touching_parts(rng, kind_a, kind_b)
        place = scenes.Placement(rng, scenes.scale_of(rng))
        a = scenes.build(kind_a, place.points(core_a), radius_a * place.scale, rng)
        points, radius = place.points(core_b), radius_b * place.scale
        yield a, scenes.build(kind_b, points, radius, rng)
        axis = rng.randrange(2)
        for towards in (-math.inf, math.inf):
            b = nudged(kind_b, points, radius, axis, towards, place.scale * EPSILON, rng)
            if b is not None:
                yield a, b
        if radius:
            yield a, scenes.build(kind_b, points, math.nextafter(radius, math.inf), rng)
            yield a, scenes.build(kind_b, points, math.nextafter(radius, 0.0), rng)


def complain(rows: Table, wrong: Any) -> None:
    """Fail with the first few of the rows that a mask names."""
    bad = np.flatnonzero(wrong).tolist()
    shown = ["\n    ".join(repr(part) for part in rows[row]) for row in bad[:4]]
    assert not bad, f"{len(bad)} of {len(rows)} rows, the first of them\n    " + "\n  and ".join(shown)


@pytest.mark.parametrize("count", ROWS)
@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_rows_in_touch_are_decided_exactly(kinds: tuple[str, str], count: int) -> None:
    rows = list(touches(*kinds, count))
    signs = np.array([oracle.sign(a, b) for a, b in rows])
    assert (signs == 0).sum() >= count
    a, b = cm.Shapes([a for a, _ in rows]), cm.Shapes([b for _, b in rows])
    for first, second in ((a, b), (b, a)):
        complain(rows, cm.intersects(first, second) != (signs <= 0))
        complain(rows, cm.intersects(first, second, touching=False) != (signs < 0))
        found = cm.separation(first, second)
        complain(rows, np.sign(found) != signs)
        complain(rows, cm.distance(first, second) != np.maximum(found, 0.0))
        complain(rows, cm.closest(first, second).separation != found)
        contact = cm.collide(first, second)
        complain(rows, contact.hit != (signs <= 0))
        complain(rows, np.where(contact.hit, -contact.depth, 0.0) != np.minimum(found, 0.0))
        complain(rows, (contact.count > 0) != contact.hit)
    exact = [oracle.separation(a, b) for a, b in rows]
    limits = [16 * EPSILON * (oracle.size(a, b) + abs(float(e))) for (a, b), e in zip(rows, exact, strict=True)]
    separations = cm.separation(a, b).tolist()
    off = [abs(Fraction(s) - e) > limit for s, e, limit in zip(separations, exact, limits, strict=True)]
    complain(rows, np.array(off))


@pytest.mark.parametrize("count", [300, pytest.param(40_000, marks=pytest.mark.full)])
def test_held_rows_are_contained_exactly(count: int) -> None:
    rows = [scenes.held(row) for row in range(1_000_000, 1_000_000 + count)]
    a, b = cm.Shapes([a for a, _ in rows]), cm.Shapes([b for _, b in rows])
    complain(rows, cm.contains(a, b) != np.array([oracle.contains(a, b) for a, b in rows]))
    points = [tuple(map(float, oracle.exact(b).points[0])) for _, b in rows]
    inside = np.array([oracle.sign(oracle.point(p), a) <= 0 for (a, _), p in zip(rows, points, strict=True)])
    complain(rows, cm.contains(a, points) != inside)


def approaches(kind_a: str, kind_b: str, count: int) -> Iterator[scenes.Journey]:
    """Yield paths that end in an exact touch or graze one, and the same an ulp shorter, longer and turned."""
    for k in range(count):
        rng = Random(f"approaches/{kind_a}/{kind_b}/{k}")
        core_a, radius_a, core_b, radius_b, (p, q) = scenes.touching_parts(rng, kind_a, kind_b)
        back, on = float(rng.randint(20, 200)), rng.choice((0.0, 64.0, 4096.0))
        if rng.random() < 0.5:  # along the tangent, past the touch
            start, step = (-q * back, p * back), (q * (back + on), -p * (back + on))
        else:  # head on or aslant, up to the touch
            side = float(rng.randint(-5, 5))
            step = (p * back - q * side, q * back + p * side)
            start = (-step[0], -step[1])
        place = scenes.Placement(rng, scenes.scale_of(rng), reach=8)
        points = place.points([(x + start[0], y + start[1]) for x, y in core_a])
        a = scenes.build(kind_a, points, radius_a * place.scale, rng)
        b = scenes.build(kind_b, place.points(core_b), radius_b * place.scale, rng)
        x, y = place.vector(step)
        yield a, b, (x, y)
        for towards in (-math.inf, math.inf):
            yield a, b, (math.nextafter(x, towards) if x else x, y)
            yield a, b, (x, math.nextafter(y, towards) if y else y)


@pytest.mark.parametrize("count", [2, pytest.param(300, marks=pytest.mark.full)])
@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_casts_that_touch_or_graze_are_decided_exactly(kinds: tuple[str, str], count: int) -> None:
    rows = [row for row in approaches(*kinds, count) if oracle.separation(*row[:2]) > 1e-9 * oracle.size(*row[:2])]
    assert rows
    hits = np.array([oracle.path_hits(*row) for row in rows])
    a, b = cm.Shapes([a for a, _, _ in rows]), cm.Shapes([b for _, b, _ in rows])
    paths = [path for _, _, path in rows]
    found = cm.cast(a, b, paths)
    complain(rows, found.hit != hits)
    late = []
    for row, fraction in zip(rows, found.fraction.tolist(), strict=True):
        first, second, path = row
        limit = 16 * EPSILON * (oracle.size(first, second) + abs(path[0]) + abs(path[1]))
        soonest, latest = (oracle.first_touch(*row, sign * limit) for sign in (1, -1))
        # Grown or shrunk by the allowed error, the target is met no later, or no sooner, than this.
        hit = fraction < math.inf
        late.append(hit and (soonest is None or fraction < soonest or (latest is not None and fraction > latest)))
    complain(rows, np.array(late))
    if kinds[0] == "point":
        starts = [tuple(first.position) for first, _, _ in rows]
        rays = cm.raycast(starts, paths, b)
        complain(rows, rays.hit != hits)
        complain(rows, rays.fraction != found.fraction)
