"""Points that cross lines, and lines that cross points: beside rational arithmetic, and decided without it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import carom as cm
from carom.narrow.cast import cast_of_pair

Pair = tuple[cm.Point, cm.Segment, tuple[float, float]]


def scenes(seed: int, count: int) -> list[Pair]:
    """Return points, lines and motions of sizes from 1e-100 to 1e100, up to 1,000 times their size from the origin."""
    chance, found = np.random.default_rng(seed), []
    for _ in range(count):
        size = 10.0 ** chance.integers(-100, 101) if chance.random() < 0.5 else 1.0
        place = chance.normal(size=2) * size * 10.0 ** chance.integers(0, 4)
        at, start, end = (chance.normal(size=(3, 2)) * size + place).tolist()
        motion = (3 * size * chance.normal(size=2)).tolist()
        found.append((cm.Point(at), cm.Segment(start, end), (motion[0], motion[1])))
    return found


def crossing(point: cm.Point, line: cm.Segment, motion: tuple[float, float]) -> Fraction | None:
    """Return when the point crosses the line, in rational numbers; None if it does not."""
    ends = ([Fraction(x) for x in place] for place in (point.position, line.start, line.end, motion))
    (x, y), (ax, ay), (bx, by), (mx, my) = ends
    turning = mx * (by - ay) - my * (bx - ax)
    if turning == 0:
        return None
    when = ((ax - x) * (by - ay) - (ay - y) * (bx - ax)) / turning
    along = ((ax - x) * my - (ay - y) * mx) / turning
    return when if 0 <= when <= 1 and 0 <= along <= 1 else None


@pytest.mark.parametrize("seed", range(4))
def test_times_and_places_are_those_of_rational_arithmetic(seed: int) -> None:
    hits = 0
    for point, line, motion in scenes(seed, 300):
        when, ray = crossing(point, line, motion), cm.raycast(point.position, motion, line)
        back = cm.cast(line, point, (-motion[0], -motion[1]))
        assert (ray is not None) == (back is not None) == (when is not None)
        if when is None or ray is None or back is None:
            continue
        hits += 1
        exact, length = [Fraction(a) + when * Fraction(m) for a, m in zip(point.position, motion, strict=True)], 0.0
        length = max(map(abs, motion)) + max(map(abs, (*point.position, *line.start, *line.end)))
        for place in (ray.point, (point.position + cm.Vec(*motion) * back.fraction)):
            off = max(abs(Fraction(found) - right) for found, right in zip(place, exact, strict=True))
            assert off <= Fraction(length) * Fraction(2, 10**14)
    assert hits > 30


def test_steep_crossings_are_decided_at_once() -> None:
    doubts, hits = 0, 0
    for point, line, motion in scenes(9, 1000):
        if crossing(point, line, motion) is not None:
            for a, b, sign in ((point, line, 1), (line, point, -1)):
                hit, undecided = cast_of_pair(a._record, b._record, sign * motion[0], sign * motion[1])[:2]
                assert hit
                hits, doubts = hits + 1, doubts + undecided
    assert hits > 200 and doubts < 0.1 * hits


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_at_ends_and_along_lines_exact_arithmetic_still_decides(turn: float) -> None:
    line = cm.Segment((-1, 0), (1, 0)).rotated(turn)
    for at, motion, hit in (
        ((1, 1), (0, -2), True),
        ((np.nextafter(1, 2), 1), (0, -2), False),
        ((0, 1), (0, -1), True),
        ((0, np.nextafter(1, 2)), (0, -1), False),
        ((-2, 0), (4, 0), True),
    ):
        if turn == 0.0:
            assert (cm.raycast(at, motion, line) is not None) == hit
        else:  # turned, the same question has no exact end: both ways of asking it agree
            start, way = cm.Vec(*at).rotated(turn), cm.Vec(*motion).rotated(turn)
            assert (cm.raycast(start, way, line) is None) == (cm.cast(line, cm.Point(start), -way) is None)


@pytest.mark.parametrize("copies", [1, 5])
def test_rays_of_copies_at_lines_are_those_of_each_world(copies: int) -> None:
    x = np.linspace(0, 40, 80)
    world = cm.World()
    world.add_many(cm.Shapes.polyline(np.stack((x, np.sin(x)), axis=1)))
    worlds, chance = world.copies(copies), np.random.default_rng(3)
    origins = chance.uniform((2, 2), (38, 4), (copies, 1, 2))
    rays = 6 * np.stack((np.cos(np.linspace(-2.6, -0.5, 12)), np.sin(np.linspace(-2.6, -0.5, 12))), axis=1)
    found = worlds.raycast(origins, rays)
    for k in range(copies):
        alone = worlds.world(k).raycast(np.repeat(origins[k], 12, axis=0), rays)
        for column, single in zip(found, alone, strict=True):
            assert np.array_equal(column[k], single)
    assert found.hit.sum() > 6 * copies
