"""Rounded shapes, needles and corners whose cores just touch, or meet at a distance far below their size.

In come pairs built so that rounding alone decides which edge or corner is nearest: cores laid on one line or corner to
corner, an ulp apart or deep, shapes 1e-12 as wide as long, up to 1e15 from the origin. What comes out is judged by
`judges` and `cast_judges`, and by where each contact point lies: on the very edge or vertex that it names.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import carom as cm
from tests.support import oracle, scenes
from tests.support.cast_judges import wrong_cast
from tests.support.judges import EPSILON, allowed, assert_same_contacts, wrong_closest, wrong_contact, wrong_separation

ROWS = [150, pytest.param(15_000, marks=pytest.mark.full)]
KINDS = ("rounded box", "capsule", "rounded hexagon", "hexagon", "segment", "point", "circle", "aabb", "obb")
QUARTER = math.pi / 2


# --- scenes -------------------------------------------------------------------------------------------------------


def hexagon(rng: Random, x: float, y: float, size: tuple[float, float], angle: float, radius: float) -> Any:
    count, (c, s) = rng.choice((3, 4, 6, 6)), (math.cos(angle), math.sin(angle))
    ring = [(math.cos(math.tau * k / count), math.sin(math.tau * k / count)) for k in range(count)]
    if rng.random() < 0.3:
        ring = [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(7)]
    points = [(u * size[0] / 2, v * size[1] / 2) for u, v in ring]
    hull = scenes.hull_of([(x + c * u - s * v, y + s * u + c * v) for u, v in points])
    return cm.Polygon([(float(u), float(v)) for u, v in hull], radius=radius)


def shape(rng: Random, kind: str, x: float, y: float, unit: float, angle: float) -> Any:
    """Return a shape of about `unit`, often far longer than wide, with a radius from nearly none to its own size."""
    length = unit * rng.choice((1.0, 2.0, rng.uniform(0.3, 3.0)))
    width = length * rng.choice((1.0, 1.0, 0.3, 1e-3, 1e-6, 1e-12, 10.0 ** rng.uniform(-14, 0)))
    radius = unit * rng.choice((0.25, 1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15))
    size = (length, width) if rng.random() < 0.7 else (width, length)
    if kind == "point":
        return cm.Point((x, y))
    if kind == "circle":
        return cm.Circle((x, y), radius)
    if kind == "aabb":
        return cm.Box((x, y), size)
    if kind in ("obb", "rounded box"):
        return cm.Box((x, y), size, angle, radius=radius if kind == "rounded box" else 0.0)
    if kind in ("hexagon", "rounded hexagon"):
        return hexagon(rng, x, y, size, angle, radius if kind == "rounded hexagon" else 0.0)
    c = 0.0 if angle == QUARTER else math.cos(angle) * length / 2
    s = math.sin(angle) * length / 2
    ends = (x - c, y - s), (x + c, y + s)
    return cm.Segment(*ends) if kind == "segment" else cm.Capsule(*ends, radius)


def of_core(rng: Random, shape: Any) -> tuple[float, float]:
    """Return a vertex of a core, or a point of an edge, rounded."""
    points = [(float(x), float(y)) for x, y in oracle.exact(shape).points]
    k, share = rng.randrange(len(points)), rng.choice((0.0, 0.0, 0.5, rng.random()))
    (x, y), (u, v) = points[k], points[(k + 1) % len(points)]
    return x + (u - x) * share, y + (v - y) * share


def two_shapes(rng: Random) -> tuple[Any, Any, float, float]:
    unit = rng.choice((1.0, 1.0, 1e-9, 1e9))
    far = rng.choice((0.0, 0.0, 0.0, 1e7, 1e15)) * unit
    x, y = rng.choice((0.0, far)), rng.choice((0.0, far, -far))
    angle = rng.choice((0.0, 0.0, 0.3, QUARTER, 1e-9, rng.uniform(-4, 4)))
    turn = angle + rng.choice((0.0, 0.0, 0.0, QUARTER, math.pi, 1e-9, 1e-15, rng.uniform(-4, 4)))
    first, second = rng.choice(KINDS), rng.choice(KINDS)
    a = shape(rng, first, x, y, unit, angle)
    return a, shape(rng, second, x, y, unit * rng.choice((1.0, 1.0, 1e-3, 1e-9)), turn), unit, angle


def touching_cores(rng: Random) -> scenes.Scene:
    """Two shapes whose cores, or themselves, just touch, but for an ulp or a little more; or concentric."""
    a, b, unit, angle = two_shapes(rng)
    how = rng.choice(("whole", "cores", "cores", "points", "points", "concentric"))
    if how == "points":
        (x, y), (u, v) = of_core(rng, a), of_core(rng, b)
        b = b.translated((x - u, y - v))
        if rng.random() < 0.3:
            turn, reach = rng.choice((angle + QUARTER, angle, rng.uniform(0, 7))), a.radius + b.radius
            b = b.translated((reach * math.cos(turn), reach * math.sin(turn)))
    elif how != "concentric":
        turn, off = rng.choice((angle, angle + QUARTER, rng.uniform(0, 7))), rng.choice((0.0, 0.3, 1.0)) * unit
        b = b.translated((off * math.cos(turn), off * math.sin(turn)))
        first, second = (a, b) if how == "whole" else (oracle.core(a), oracle.core(b))
        (nx, ny), gap = oracle.direction(first, second), oracle.separation(first, second)
        b = b.translated((float(-nx * gap), float(-ny * gap)))
    if rng.random() < 0.6:
        x, y = b.position
        ulp = max(math.ulp(max(abs(x), abs(y))), 2.0**-54 * unit)
        near = rng.choice((-1, 1)) * rng.choice((ulp, ulp, 8 * ulp, 1e-15 * unit, 1e-12 * unit, 1e-8 * unit))
        b = b.translated(rng.choice(((near, 0.0), (0.0, near), (near, near))))
    return (a, b) if rng.random() < 0.5 else (b, a)


def corner_to_corner(rng: Random) -> scenes.Scene:
    """A corner near a corner, far nearer than their size, nearly along the normal of an edge that ends there."""
    a, b, unit, _ = two_shapes(rng)
    first, second = oracle.exact(a).points, oracle.exact(b).points
    k, m = rng.randrange(len(first)), rng.randrange(len(second))
    (x, y), (u, v) = first[k], first[(k + 1) % len(first)]
    length = oracle.root((u - x) ** 2 + (v - y) ** 2)
    nx, ny = (float((v - y) / length), float((x - u) / length)) if length else (1.0, 0.0)
    tilt, off = rng.choice((0.0, 1e-9, -1e-9, 1e-8, -1e-8, 1e-7, 1e-15)), unit * 10.0 ** rng.uniform(-11, -3)
    off += rng.choice((0.0, a.radius + b.radius))
    if rng.random() < 0.5:
        k = (k + 1) % len(first)
    x, y = float(first[k][0] - second[m][0]), float(first[k][1] - second[m][1])
    b = b.translated((x + (nx - tilt * ny) * off, y + (ny + tilt * nx) * off))
    return (a, b) if rng.random() < 0.5 else (b, a)


FAMILIES = {maker.__name__: maker for maker in (touching_cores, corner_to_corner)}


def scene(family: str, row: int) -> scenes.Scene:
    rng = Random(f"{family}/{row}")
    while True:
        try:
            return FAMILIES[family](rng)
        except ValueError:  # rounding left no shape
            continue


def journey(family: str, row: int) -> scenes.Journey:
    """Return a pair of the family with a path for the first that ends near where it stands, or passes it."""
    a, b = scene(family, row)
    rng = Random(f"{family}/path/{row}")
    nx, ny = (float(v) for v in oracle.direction(a, b))
    turn = rng.choice((0, 0, 1, 1, -1))
    nx, ny = (nx, ny) if turn == 0 else (-turn * ny, turn * nx)
    length = (oracle.size(a, b) + abs(float(oracle.separation(a, b)))) * rng.choice((0.1, 1.0, 100.0))
    path, back, on = (nx * length, ny * length), rng.choice((1.0, rng.random())), rng.choice((1.0, 1.0, 2.0))
    try:
        a = a.translated((-path[0] * back, -path[1] * back))
    except ValueError:  # so far away nothing is left of it
        return a, b, path
    return a, b, (path[0] * back * on, path[1] * back * on)


# --- judges -------------------------------------------------------------------------------------------------------


def off_feature(shape: Any, feature: int, x: Fraction, y: Fraction) -> Fraction:
    """Return how far a point is from the vertex or the edge of a core that a feature names."""
    points = oracle.exact(shape).points
    ids = list(shape.vertex_ids) if isinstance(shape, cm.Polygon) else list(range(len(points)))
    k = ids.index(feature if feature >= 0 else -1 - feature)
    named = points[k : k + 1] if feature >= 0 else (points[k], points[(k + 1) % len(points)])
    at_x, at_y = oracle.nearest(list(named), (x, y))
    return oracle.root((x - at_x) ** 2 + (y - at_y) ** 2)


def wrong_features(a: Any, b: Any) -> str | None:
    """Complain unless each contact point lies between the two features that it names, along the normal, or on both."""
    contact = cm.collide(a, b)
    if contact is None:
        return None
    limit = 2 * allowed(a, b, Fraction(0)) + Fraction(8 * EPSILON * oracle.largest_coordinate(a, b))
    n = Fraction(contact.normal[0]), Fraction(contact.normal[1])
    for p, depth, features in zip(contact.points, contact.depths, contact.features, strict=True):
        crossing = max(features) < 0
        if crossing and max(len(oracle.exact(shape).points) for shape in (a, b)) > 2:
            return f"{contact!r} names two edges for one point"
        for shape, feature, sign in ((a, features[0], 1), (b, features[1], -1)):
            inward = Fraction(0) if crossing else sign * (Fraction(depth) / 2 - Fraction(shape.radius))
            off = off_feature(shape, feature, Fraction(p[0]) + n[0] * inward, Fraction(p[1]) + n[1] * inward)
            if off > limit:
                return f"{contact!r}: {p!r} is {float(off)!r} off feature {feature} of {shape!r}"
    return None


QUESTIONS = (wrong_separation, wrong_closest, wrong_contact, wrong_features)


def wrong_pair(a: Any, b: Any) -> str | None:
    return next((complaint for question in QUESTIONS if (complaint := question(a, b))), None)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_of_needles_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scene(family, row), wrong_pair)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", FAMILIES)
def test_casts_of_needles_are_right(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: journey(family, row), wrong_cast)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", ROWS)
def test_rows_have_the_bits_of_single_pairs(rows: int) -> None:
    pairs = [scene(family, row) for family in FAMILIES for row in range(rows)]
    a, b = cm.Shapes([a for a, _ in pairs]), cm.Shapes([b for _, b in pairs])
    assert cm.separation(a, b).tolist() == [cm.separation(*pair) for pair in pairs]
    assert_same_contacts(cm.collide(a, b), pairs)


# Pairs that once got a wrong answer.
CASES = {
    "a capsule's core an ulp inside a needle along it": (
        cm.Capsule((0.6059136023079863, -4.995559107901499e-13), (1.6059136023079863, -4.995559107901499e-13), 0.25),
        cm.Box((1.0, 0.0), (0.7881727953840274, 1e-12)),
    ),
    "a needle as wide as a capsule, one ulp deep across it": (
        cm.Box((-0.36457362488984346, -0.4696696465620258), (1.0, 1.4144241333724494e-12)),
        cm.Capsule((0.0, 0.0), (0.0, 2.0), 1e-12).translated((-0.8645736248898432, -0.5279126145960346)),
    ),
    "both corners of a needle's tip equally near": (
        cm.Capsule((0.0, 0.0), (2.2411734416361533, 2.2411734416361534e-09), 0.25).translated(
            (-5.000444502911705e-13, 1.2691850620334173)
        ),
        cm.Box((0.0, 0.0), (1e-12, 2.038370124066835)),
    ),
    "one capsule's core within another's": (
        cm.Capsule((10000000.633738842, -10000000.0), (9999999.366261158, -10000000.0), 0.001),
        cm.Capsule((10000000.000000002, -10000000.0), (9999999.999999998, -10000000.0), 1e-09),
    ),
    "a rounded needle within a capsule": (
        cm.Box((0.0, 0.0), (1e-09, 1.0000000000000001e-21), -1.1622509563167363, radius=4.884690167037002e-11),
        cm.Capsule((-0.19863741785644498, 0.458849840609457), (0.19863741785644498, -0.458849840609457), 1e-09),
    ),
    "corner to corner, 10 apart, 3e9 long": (
        cm.Box((1955105764.7715185, 1631680380.528823), (2961027432.3468027, 616499853.4111172), 3.141592654589793),
        cm.Box((0.0, 0.0), (949184080.4595952, 2646860903.736317), 1e-09),
    ),
    "a point before a corner, 22 apart, 1e9 long": (
        cm.Point((-625428354.3845173, 329908162.215916)),
        cm.Box((0.0, 0.0), (1000000000.0, 1000000000.0), 0.3),
    ),
    "a disc before a corner of the same": (
        cm.Box((0.0, 0.0), (1000000000.0, 1000000000.0), 0.3),
        cm.Circle((-625428354.3845173, 329908162.215916), 1.0),
    ),
    "the end of a segment before a box's corner, 0.5 apart, 1e9 long": (
        cm.Box((0.0, 340030839.75567573), (1000000000.0, 300000000.0), -2.8102168296719707),
        cm.Segment((0.0, 502702994.24500036), (-945595622.142576, 177358685.26635113)).translated(
            (-521599457.58150136, -183504965.18230298)
        ),
    ),
    "the far side of a needle as near as its near side, and its corner there as good as before the point": (
        cm.Segment((-0.955336489125606, -0.29552020666133955), (0.955336489125606, 0.29552020666133955)),
        cm.Capsule((0.0, 0.0), (0.000955336489125606, 0.00029552020666133953), 1.0000000000000002e-12).translated(
            (-0.9553364947889137, -0.2955201883534055)
        ),
    ),
    "the same, 1e-9 long": (
        cm.Segment((4.754714657024861e-10, -1.546831771807449e-10), (-6.889292225685212e-10, 2.2412650049669197e-10)),
        cm.Capsule(
            (4.754714670429708e-10, -1.546831730603079e-10), (-4.754714670429708e-10, 1.546831730603079e-10), 1e-15
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pairs_that_were_wrong_once_are_right(name: str) -> None:
    a, b = CASES[name]
    complaint = wrong_pair(a, b) or wrong_pair(b, a)
    assert complaint is None, complaint
    rows = cm.closest(cm.Shapes([a, a]), cm.Shapes([b, b]))
    single = cm.closest(a, b)
    assert rows.separation[0] == single.separation and tuple(rows.normal[0]) == tuple(single.normal)


# And paths, or that a plausible shortcut gets wrong.
CASTS = {
    "down onto two ends that are equally near": (
        cm.Capsule((-1.0, 2.507721384296914), (1.0, 2.507721384296914), 1.8984181317222675),
        cm.Capsule((0.0, 0.0), (2e-09, 0.0), 1e-18).translated((-1.0000000020000002, 0.0)),
        (-0.0, -2.507721384296914),
    ),
    "a corner's arc far smaller than the rounding of a long path": (
        cm.Capsule((0.0, 0.0), (-0.955336489125606, -0.29552020666133955), 1e-12).translated(
            (-6.737481139029505, -2.0841471473629594)
        ),
        cm.Box((0.0001494742418804934, -0.0004832095884951317), (1.0116008212716603, 0.0010116008212716604), 0.3),
        (7.215149383592308, 2.231907250693629),
    ),
    "end to end along one line": (
        cm.Segment((1.5844176760297404, 1.5844176760297402), (2.998631239817049, 2.9986312369886217)),
        cm.Segment((-0.9745414695439474, -0.9745414695439473), (0.9745414695439474, 0.9745414695439473)),
        (-3.231436415285, -3.2314364152849997),
    ),
    "a point onto the very end of a capsule's side": (
        cm.Point((1.9248203110382694e-18, -1.9248203110382696e-09)),
        cm.Capsule((0.0, 0.0), (-2e-09, -2e-18), 5.3847579606263675e-11),
        (-1.9248203110382694e-18, 1.9248203110382696e-09),
    ),
    "a path that ends where it grazes the side of a tilted capsule": (
        cm.Point((600000600.0001998, 542994974.4578522)),
        cm.Capsule((0.0, 0.0), (2000000000.0, 0.002), 1000.0).translated((1000001000.0004997, 542993974.4578522)),
        (400000400.0003, 0.0),
    ),
    "grazing the arc of a tip and off from its side": (
        cm.Point((-0.0014184110630749676, 172.13900973260468)),
        cm.Box((-0.0009201365979881317, -0.5123852825226592), (0.001, 1.0000000000000002e-12), 1e-09, radius=1e-09),
        (-3.453069826327835e-06, -345.3027900302547),
    ),
    "grazing what is tiny with a side": (
        cm.Capsule((0.0, 0.0), (2.7857390086934317e-09, 0.0), 2.5e-10).translated((-8.964347525366491e-09, 0.0)),
        cm.Capsule((0.0, 0.0), (1.8164554148356102e-18, 1.8164554148356105e-27), 1.0000000000000002e-33).translated(
            (-9.082277074178051e-19, -2.5e-10)
        ),
        (7.571478021019775e-09, 0.0),
    ),
}


@pytest.mark.parametrize("name", CASTS)
def test_casts_that_were_wrong_once_are_right(name: str) -> None:
    complaint = wrong_cast(*CASTS[name])
    assert complaint is None, complaint
