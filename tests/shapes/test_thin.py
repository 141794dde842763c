"""No part of a turned outline is a needle that rounding has made: letters at any angle and place."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

import carom as cm
from carom.shapes.outlines.thin import REACH

Points = list[tuple[float, float]]
LETTERS: dict[str, Points] = {
    "T": [(0, 0), (1, 0), (1, 3), (3, 3), (3, 4), (-2, 4), (-2, 3), (0, 3)],
    "L": [(0, 0), (3, 0), (3, 1), (1, 1), (1, 4), (0, 4)],
    "E": [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (3, 2), (3, 3), (1, 3), (1, 4), (3, 4), (3, 5), (0, 5)],
    "plus": [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)],
    "H": [(0, 0), (1, 0), (1, 2), (2, 2), (2, 0), (3, 0), (3, 5), (2, 5), (2, 3), (1, 3), (1, 5), (0, 5)],
    "comb": [
        (0, -1),
        (12, -1),
        *[p for k in range(11, -1, -2) for p in ((k + 1, 4), (k, 4), (k, 0), (k - 1, 0))][:-1],
        (0, 0),
    ],
}
FRAME: tuple[Points, Points] = ([(0, 0), (6, 0), (6, 6), (0, 6)], [(2, 2), (4, 2), (4, 4), (2, 4)])


def turned(points: Points, angle: float, x: float, y: float, size: float = 1.0) -> Points:
    c, s = size * math.cos(angle), size * math.sin(angle)
    return [(c * u - s * v + x, s * u + c * v + y) for u, v in points]


def exact_area(points: Any) -> Fraction:
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    return sum((a[0] * b[1] - a[1] * b[0] for a, b in zip(exact, exact[1:] + exact[:1], strict=True)), Fraction(0)) / 2


def width(points: Any) -> float:
    """Return the least distance between two parallel lines that hold a convex outline between them."""
    p = [(Fraction(x), Fraction(y)) for x, y in points]
    widths = []
    for a, b in zip(p, p[1:] + p[:1], strict=True):
        e = b[0] - a[0], b[1] - a[1]
        widths.append(float(max(e[0] * (v[1] - a[1]) - e[1] * (v[0] - a[0]) for v in p)) / math.hypot(*map(float, e)))
    return min(widths)


def check(outline: Points, holes: list[Points]) -> cm.Compound:
    """Hold parts against the bound on their width, and their union against the outline, to a few roundings."""
    region = cm.decompose(outline, holes)
    largest = max(abs(v) for ring in (outline, *holes) for p in ring for v in p)
    reach = REACH * largest
    assert min(width(part.vertices) for part in region.parts) > reach
    area = exact_area(outline) - sum(exact_area(hole) for hole in holes)
    around = sum(math.dist(a, b) for ring in (outline, *holes) for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    assert abs(float(sum(exact_area(part.vertices) for part in region.parts) - area)) <= 2 * reach * around
    # Only the edges of the outline are on the outside, whichever corners the parts are made of.
    found = region._made.outside
    assert len(found.sides) == sum(map(len, (outline, *holes)))
    seen = shapely.Polygon(outline, holes)
    grown = seen.buffer(4 * reach + 1e-9 * largest)
    assert all(grown.covers(shapely.Polygon(part.vertices)) for part in region.parts)
    x, y = seen.representative_point().coords[0]
    assert cm.contains(region, cm.Point((x, y)))
    return region


@given(
    st.sampled_from(sorted(LETTERS)),
    st.floats(0, 7),
    st.sampled_from([(0.0, 0.0), (10.0, -7.0), (1e4, 1e4), (-1e7, 3.0)]),
    st.sampled_from([1.0, 0.1, 1000.0]),
)
@example("T", 0.1, (0.0, 0.0), 1.0)
def test_turned_letters_have_no_thin_parts(letter: str, angle: float, place: tuple[float, float], size: float) -> None:
    outline = turned(LETTERS[letter], angle, *place, size)
    region = check(outline, [])
    plain = cm.decompose(LETTERS[letter])
    assert len(region.parts) <= 2 * len(plain.parts)
    rows = cm.Shapes.from_shapely(shapely.Polygon(outline))
    assert min(width(part.vertices) for part in rows) > 0.0 and len(rows) == len(region.parts)


@pytest.mark.parametrize("k", range(40))
def test_turned_frames_have_no_thin_parts(k: int) -> None:
    outline, hole = (turned(ring, 0.157 * k, 3.0 * k, -k) for ring in FRAME)
    check(outline, [hole])


def test_a_turned_t_is_met_as_one_without_seams() -> None:
    """A disc that slides along the beam's lower side, or its top, meets the stem or nothing."""
    for k in range(50):
        angle = 0.1 * k + 0.05
        region = cm.decompose(turned(LETTERS["T"], angle, 0.0, 0.0))
        c, s = math.cos(angle), math.sin(angle)
        disc = cm.Circle((c * -1.0 - s * 2.5, s * -1.0 + c * 2.5), 0.4)
        hit = cm.cast(disc, region, (3 * c, 3 * s))
        assert hit and hit.fraction == pytest.approx(0.2, abs=1e-9)
        assert hit.normal == pytest.approx((-c, -s), abs=1e-9)
        assert cm.cast(cm.Circle((c * -1.0 - s * 4.5, s * -1.0 + c * 4.5), 0.4), region, (3 * c, 3 * s)) is None


def test_needles_and_steps_an_ulp_high_stay() -> None:
    """A region that is thin itself stays exact: only thin parts of others go."""
    ulp = 2.0**-52
    notch = [(1, 1), (2, 1), (2, 2), (1.5, 2 - ulp), (1, 2)]
    steps = [(0, 1), (1, 1), (2, 1 + ulp), (2, 1 + 2 * ulp), (1, 1 + ulp), (0, 1 + 2 * ulp)]
    for outline in (notch, steps):
        assert sum(exact_area(part.vertices) for part in cm.decompose(outline).parts) == exact_area(outline)


def test_a_body_with_a_joined_needle_turns_and_moves() -> None:
    region = cm.decompose(turned(LETTERS["T"], 0.1, 0.0, 0.0))
    back = region.rotated(-0.1, (0, 0)).translated((5, 5))
    assert back.area == pytest.approx(8.0, rel=1e-12)
    assert np.allclose(cm.bounds(back), (3, 5, 8, 9))
    assert min(width(part.vertices) for part in back.parts) > 1e-6
