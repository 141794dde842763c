"""Every verb at the ends of the range: against the exact oracle, with errors of at most 16 eps.

Needles of aspect 1e9, sizes from 1e-150 to 1e150 side by side, lattices 1e15 from the origin whose cells share corners
and sides, outlines whose vertices lie all but on one line, long edges all but parallel, coordinates that are subnormal.
The answers are judged by `judges` and `cast_judges`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import carom as cm
from tests.support import oracle, scenes
from tests.support.cast_judges import wrong_cast, wrong_ray
from tests.support.judges import (
    EPSILON,
    wrong_closest,
    wrong_contact,
    wrong_contains,
    wrong_intersects,
    wrong_separation,
)

Maker = Callable[[Random], Any]


def made(makers: tuple[Callable[[], Any], ...], rng: Random) -> Any:
    """Return the shape of the first maker that is not refused: rounding may leave no shape."""
    while True:
        try:
            return rng.choice(makers)()
        except ValueError:
            continue


def outline(points: list[tuple[float, float]], radius: float = 0.0) -> Any:
    return cm.Polygon([(float(x), float(y)) for x, y in scenes.hull_of(points)], radius=radius)


def needle(rng: Random) -> Any:
    """A shape a billion times as long as wide, at any angle and at nearly none."""
    x, y, length = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.choice((1.0, 1e3, 1e9))
    width = length * 1e-9
    turn = rng.choice((0.0, math.pi / 4, rng.uniform(-4, 4), rng.uniform(-1e-8, 1e-8)))
    c, s = length * math.cos(turn), length * math.sin(turn)
    ends = (x - c / 2, y - s / 2), (x + c / 2, y + s / 2)
    thin = [(u, v * 1e-9) for u, v in ((-0.5, 0.0), (0.5, rng.uniform(-1, 1)), (rng.uniform(-0.5, 0.5), 1.0))]
    return made(
        (
            lambda: cm.Box((x, y), (length, width), turn),
            lambda: cm.Box((x, y), (length, width), turn, radius=width * rng.choice((1.0, 1e-3, 10.0))),
            lambda: cm.Capsule(*ends, width),
            lambda: outline([(x + c * u - s * v, y + s * u + c * v) for u, v in thin]),
        ),
        rng,
    )


def needles(rng: Random) -> scenes.Scene:
    a = needle(rng)
    b = needle(rng) if rng.random() < 0.6 else scenes.make(rng.choice(scenes.KINDS), rng, rng.uniform(-1, 1), 0.3)
    return scenes.brought_together(a, b, rng) if rng.random() < 0.6 else (a, b)


def whole_range(rng: Random) -> scenes.Scene:
    """Any two sizes from 1e-149 to 1e149, alike, a billion times one another, or anything."""
    first = rng.uniform(-149, 149)
    second = rng.choice((first, rng.uniform(-149, 149), max(-149.0, first - 9), min(149.0, first + 9)))
    size_a, size_b = 10.0**first, 10.0**second
    far = 0.9 * rng.choice((size_a, size_b, max(size_a, size_b)))

    def shape(size: float, x: float, y: float) -> Any:
        kinds = scenes.KINDS if max(abs(x), abs(y)) < 1e10 * size else ("point", "circle")
        return made((lambda: scenes.make(rng.choice(kinds), rng, x, y, scale=size),), rng)

    a, b = shape(size_a, 0.0, 0.0), shape(size_b, far * rng.uniform(-1, 1), far * rng.uniform(-1, 1))
    try:
        return scenes.brought_together(a, b, rng) if rng.random() < 0.6 else (a, b)
    except ValueError:  # there its size is lost
        return a, b


def lattice(rng: Random) -> scenes.Scene:
    """Triangles, quadrilaterals and segments of one lattice, which share corners, sides and lines; also 1e15 away."""
    off, step = rng.choice(((0.0, 0.1), (0.1, 1 / 3), (1e7, 0.3), (1e15, 1.0), (-1e15, 3.0)))

    def cell() -> Any:
        points = [
            (off + rng.randint(0, 3) * step, -off + rng.randint(0, 3) * step) for _ in range(rng.choice((2, 3, 4)))
        ]
        return cm.Segment(*points) if len(points) == 2 else outline(points)

    return made((cell,), rng), made((cell,), rng)


def flat_chains(rng: Random) -> scenes.Scene:
    """An outline along a parabola of nearly no curvature, against shapes that lie along it."""
    count, bend = rng.choice((4, 8, 30)), 10.0 ** rng.uniform(-14, -3)
    tilt = rng.choice((0.0, 1.0, 0.1, rng.uniform(-1, 1)))
    chain = [(x, tilt * x + bend * (x * x - 1)) for x in (2 * k / count - 1 for k in range(count + 1))]
    chain += [(1.0, tilt + rng.choice((bend, 0.5, 1e-6))), (-1.0, -tilt + rng.choice((bend, 0.5, 1e-6)))]
    a = outline(chain)
    b = made(
        (
            lambda: cm.Box((rng.uniform(-1, 1), -0.5), (1.0, 1.0)),
            lambda: cm.Segment((-1.0, -tilt - rng.choice((0, bend))), (1.0, tilt - rng.choice((0, bend)))),
            lambda: cm.Circle((rng.uniform(-1, 1), -1.0), 1.0),
            lambda: a.translated((rng.uniform(-1, 1), rng.choice((0.0, bend, -bend, 1e-15)))),
        ),
        rng,
    )
    return scenes.brought_together(a, b, rng) if rng.random() < 0.5 else (a, b)


def nearly_parallel(rng: Random) -> scenes.Scene:
    """Two long edges whose slopes are neighbouring fractions, from one corner or brought together exactly."""
    p, q, times = rng.randint(1, 50), rng.randint(1, 50), rng.choice((10, 1000, 10**5, 10**6))
    long = q * times, p * times
    first = [(0, 0), long, (0, long[1] + rng.randint(1, 100))]
    second = [(0, 0), (long[0] + rng.randint(-1, 1), long[1] + rng.randint(-1, 1)), (long[0], -rng.randint(1, 100))]
    x, y = rng.choice(((0, 0), (rng.randint(-2, 2), rng.randint(-2, 2)), rng.choice(first)))
    scale, radius = rng.choice((1.0, 2.0**-300, 0.5)), rng.choice((0.0, 0.0, 1.0, 1e6))
    a, b = (
        cm.Polygon([(float(u) * scale, float(v) * scale) for u, v in oracle.convex_hull(points)], radius=radius * scale)
        for points in (first, [(u + x, v + y) for u, v in second])
    )
    return a, b


def subnormal(rng: Random) -> scenes.Scene:
    """The smallest sizes there are, and coordinates that differ by less than any normal number."""
    tiny, size = rng.choice((5e-324, 1e-310, 1e-300, 1e-200)), rng.choice((1e-150, 1e-149, 1e-140, 1.0))

    def at() -> float:
        return rng.choice((0.0, tiny, -tiny, 3 * tiny, size, -size, size / 2, -size / 2, size + tiny))

    def shape() -> Any:
        length = size * rng.choice((1.0, 1.5, 2.0))
        return made(
            (
                lambda: cm.Point((at(), at())),
                lambda: cm.Circle((at(), at()), length),
                lambda: cm.Segment((at(), at()), (at(), at())),
                lambda: cm.Capsule((at(), at()), (at(), at()), length),
                lambda: cm.Box((at(), at()), (length, size)),
                lambda: cm.Box((at(), at()), (length, size), rng.uniform(-4, 4)),
                lambda: cm.Box((at(), at()), (length, size), rng.uniform(-4, 4), radius=size),
                lambda: outline([(at(), at()) for _ in range(6)]),
            ),
            rng,
        )

    return shape(), shape()


FAMILIES: dict[str, Maker] = {
    maker.__name__: maker for maker in (needles, whole_range, lattice, flat_chains, nearly_parallel, subnormal)
}


def pair(family: str, row: int) -> scenes.Scene:
    rng = Random(f"hard/{family}/{row}")
    while True:
        try:
            a, b = FAMILIES[family](rng)
            return (a, b) if rng.random() < 0.5 else (b, a)
        except ValueError:
            continue


def journey(family: str, row: int) -> scenes.Journey:
    """Return the pair of that row and a path: towards the touch, along it, corner to corner, a million lengths on."""
    a, b = pair(family, row)
    rng = Random(f"hard path/{family}/{row}")
    x, y = (float(v) for v in oracle.direction(a, b))
    length = min(oracle.size(a, b) + abs(float(oracle.separation(a, b))), 1e143)
    (ax, ay), (bx, by) = rng.choice(oracle.exact(a).points), rng.choice(oracle.exact(b).points)
    turn, far = rng.gauss(0, 0.7), rng.choice((0.3, 1.0, 2.0, 1e6))
    c, s = math.cos(turn), math.sin(turn)
    path = rng.choice(
        (
            (x * length, y * length),
            (-y * length, x * length),
            (float(bx - ax), float(by - ay)),
            ((c * x - s * y) * length * far, (s * x + c * y) * length * far),
            ((c * x - s * y) * length * far, (s * x + c * y) * length * far),
        )
    )
    return a, b, path


def far_sizes(row: int) -> scenes.Journey:
    """Return two shapes, one up to 1e250 times as large, and a path past a corner of the standing one by the radii."""
    rng = Random(f"far sizes/{row}")
    kinds = [kind for kind in scenes.KINDS if kind != "point"]
    while True:
        first = rng.uniform(-120, 120)
        second = max(first - rng.choice((rng.uniform(0, 30), rng.uniform(15, 60), rng.uniform(60, 250))), -148.0)
        large, small = 10.0**first, 10.0**second
        try:
            a, b = (scenes.make(rng.choice(kinds), rng, scale=size) for size in (large, small))
            if rng.random() < 0.3:
                radius = large * rng.choice((1.0, 0.5, 10.0 ** -rng.uniform(0, 30)))
                b = outline([(rng.uniform(-small, small), rng.uniform(-small, small)) for _ in range(4)], radius)
            sides = oracle.edges(list(oracle.exact(a).points))
            a, b = (a, b) if rng.random() < 0.5 else (b, a)
            turn = rng.choice((0.0, math.pi / 2, math.pi, rng.uniform(-4, 4)))
            if sides and rng.random() < 0.6:
                _, (x, y) = rng.choice(sides)
                turn = math.atan2(float(y), float(x)) + rng.choice((0.0, 0.0, rng.gauss(0, 10 ** -rng.uniform(1, 17))))
            c, s = math.cos(turn), math.sin(turn)
            (ax, ay), (bx, by) = (rng.choice(oracle.exact(shape).points) for shape in (a, b))
            beside = (a.radius + b.radius) * rng.choice((1.0, -1.0, 1 + EPSILON, 1 - EPSILON, 0.0, rng.uniform(-1, 1)))
            length = oracle.size(a, b) * rng.choice((1e-3, 1.0, 2.0, 1e3, 1e6))
            start = float(bx - ax) - c * length + s * beside, float(by - ay) - s * length - c * beside
            length *= rng.choice((1.0, 1.0, 1.5, 2.0, 1e3))
            return a.translated(start), b, (c * length, s * length)
        except ValueError:  # there its size is lost
            continue


def wrong_about_pair(a: Any, b: Any) -> str | None:
    return wrong_intersects(a, b) or wrong_separation(a, b) or wrong_closest(a, b) or wrong_contact(a, b)


def wrong_about_path(a: Any, b: Any, path: tuple[float, float]) -> str | None:
    x, y = (float(v) for v in oracle.exact(a).points[0])
    return wrong_cast(a, b, path) or wrong_ray((x, y), path, b)


@pytest.mark.parametrize("rows", [60, pytest.param(8_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_at_the_ends_of_the_range_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: pair(family, row), wrong_about_pair)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", [40, pytest.param(5_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", FAMILIES)
def test_contains_at_the_ends_of_the_range_is_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: pair(family, row), wrong_contains)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", [60, pytest.param(8_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", FAMILIES)
def test_paths_at_the_ends_of_the_range_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: journey(family, row), wrong_about_path)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", [60, pytest.param(20_000, marks=pytest.mark.full)])
def test_paths_of_sizes_far_apart_are_right(rows: int) -> None:
    complaints = scenes.failures(rows, far_sizes, wrong_about_path)
    assert not complaints, complaints


@pytest.mark.parametrize("count", [50, pytest.param(1000, marks=pytest.mark.full)])
def test_outlines_of_many_vertices_are_touched_exactly(count: int) -> None:
    """Outlines of very many vertices, exactly touched at a vertex, at a side, an ulp beside it."""
    reach = 10**6
    ring = [2 * math.pi * k / count for k in range(count)]
    corners = oracle.convex_hull([(round(reach * math.cos(t)), round(reach * math.sin(t))) for t in ring])
    a = cm.Polygon([(float(x), float(y)) for x, y in corners])
    rng = Random(count)
    for _ in range(12):
        (x, y), (u, v) = rng.choice(list(pairwise(corners)))
        for px, py in ((x, y), (Fraction(x + u, 2), Fraction(y + v, 2))):
            p = float(px), float(py)
            for point in (p, (math.nextafter(p[0], 0), p[1]), (p[0], math.nextafter(p[1], math.inf))):
                complaint = wrong_about_pair(a, cm.Point(point)) or wrong_about_path(
                    cm.Point((2 * p[0], 2 * p[1])), a, (point[0] - 2 * p[0], point[1] - 2 * p[1])
                )
                assert complaint is None, complaint
