"""Whether, when and where a path meets a shape: `cast` and `raycast` against the exact first touch.

The answers are judged in `tests/support/cast_judges.py`.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from tests.support import oracle, scenes
from tests.support.cast_judges import Path, wrong_cast, wrong_ray
from tests.support.judges import EPSILON

ROWS = [200, pytest.param(12_000, marks=pytest.mark.full)]


def ray(family: str, row: int) -> tuple[Path, Path, Any]:
    """Return the journey of that row as a ray: from a core point of the mover, or from its edge."""
    a, b, path = scenes.journey(family, row)
    points = oracle.exact(a).points
    x, y = points[row % len(points)]
    return (float(x), float(y)), path, b


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.JOURNEYS)
def test_cast_is_exact(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: scenes.journey(family, row), wrong_cast)
    assert not complaints, complaints


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.JOURNEYS)
def test_raycast_is_exact(family: str, rows: int) -> None:
    complaints = scenes.failures(rows, lambda row: ray(family, row), wrong_ray)
    assert not complaints, complaints


@given(scenes.pairs(), st.tuples(*[st.integers(-40, 40).map(lambda n: n / 4) | st.floats(-1e3, 1e3)] * 2))
@scenes.cases(3)
def test_casts_and_rays_of_drawn_pairs_are_exact(pair: scenes.Scene, path: tuple[float, float]) -> None:
    a, b = pair
    path = tuple(v if abs(v) > 1e-100 else 0.0 for v in path)
    complaint = wrong_cast(a, b, path)
    assert complaint is None, complaint
    x, y = oracle.exact(a).points[0]
    complaint = wrong_ray((float(x), float(y)), path, b)
    assert complaint is None, complaint


def test_the_scenes_of_paths_are_hard() -> None:
    """Grazes and ends in touch are exact: an ulp decides, and both answers occur."""
    for family in ("grazing", "ends_in_touch", "aimed", "thin_walls", "corners"):
        found = [oracle.path_hits(*scenes.journey(family, row)) for row in range(150)]
        assert 15 < found.count(True) < 150, family
    starts = [oracle.sign(*scenes.journey("from_touch", row)[:2]) for row in range(100)]
    assert set(starts) == {0}
    grazed = 0
    for row in range(150):
        a, b, path = scenes.journey("grazing", row)
        touch = oracle.first_touch(a, b, path)
        grazed += touch is not None and oracle.first_touch(a, b, path, -1e-9 * oracle.size(a, b)) is None
    assert grazed > 50


# Journeys that once got a wrong answer, or that a plausible shortcut gets wrong.
CASES: dict[str, tuple[Any, Any, Path]] = {
    "an edge that rises by less than half the smallest float": (
        cm.Polygon([(-1.0, 5e-324), (0.5, 0.0), (-5e-324, 1.0)], radius=1.0).translated((0.0, -32.0)),
        cm.Box((-1.0, 5e-324), (1.5, 1.0), -0.3923499666699266),
        (-5e-324, 64.0),
    ),
    "corner to corner at the smallest size there is": (
        cm.Box.from_corners((-2e-150, -1.5e-150), (0.0, -5e-151)),
        cm.Box.from_corners((2.4999999999999997e-151, 5e-151), (1.75e-150, 1.5e-150)),
        (2.4999999999999997e-151, 1e-150),
    ),
    "so long a path that rounding its end is more than the gap at its start": (
        cm.Point((-0.9333333333333333, -9.847903506101224e-11)),
        cm.Segment((-1.0, -7.64061478921647e-10), (1.0, -7.64061478921647e-10)),
        (-2564641.22815059, -3697649.9804263236),
    ),
    "from within a needle's length, across it": (
        cm.Polygon([(-5e8, 1.7169510241555064), (447189172.9692252, -2.4355261416847993), (5e8, -1.5007002675717693)]),
        cm.Capsule((-500.4267964934132, 0.3207189869917321), (499.5732035065868, 0.3207218704521038), 1e-6),
        (218584212621454.84, 975819117830665.2),
    ),
    "apart, no motion": (cm.Point((0, 0)), cm.Capsule((0, 0.25), (0.25, 0), 0.125), (0.0, 0.0)),
    "apart, on its way off": (cm.Point((0, 0)), cm.Capsule((0, 0.25), (0.25, 0), 0.125), (-1.0, 0.0)),
    "through the middle of a segment": (
        cm.Point((-39.467975980093314, -3.578702134380128)),
        cm.Segment((-3.588235746003275, 3.4820344959670226), (3.588235746003275, -3.4820344959670226)),
        (572.68566188656, 60.869810125638935),
    ),
    "at the corner of a polygon": (
        cm.Point((-335, -615)),
        cm.Polygon([(-11, -5), (-7, 0), (-8, 10), (-18, 11), (-19, -11)]),
        (33096.0, 62055.0),
    ),
    "past the corner of a turned box": (
        cm.Point((-4.955971746215452, -1.4879841874890474)),
        cm.Box((0.0, 0.0), (0.9836878116733335, 1.8195398958373605), 4.4505895925855405),
        (3.949902887490998, 1.248365245521805),
    ),
    "past the end of a segment": (cm.Point((608, -328)), cm.Segment((8, -8), (9, -15)), (-62040.0, 33088.0)),
    "corner past corner": (
        cm.Polygon([(-579, -1343), (-543, -1347), (-579, -1332)]),
        cm.Polygon([(1, 8), (5, 12), (-17, 19), (-43, 22), (-7, 7)]),
        (572.0000000000001, 1339.0000000000002),
    ),
    "end to end, parting at once": (cm.Segment((28, 14), (35, 13)), cm.Segment((28, 14), (23, 16)), (1.0, -18.0)),
    "along parallel sides": (
        cm.Segment((166429982720.0, 215822106624.0), (169651208192.0, 220117073920.0)),
        cm.Capsule((-536870912.0, 5502926848.0), (-6979321856.0, -3087007744.0), 7381975040.0),
        (-228707008512.0, -304942678016.0),
    ),
    "a grain through a line a million million million times its size": (
        cm.Capsule(
            (5.842317460986457e-10, -7.360722971931369e-11),
            (-5.842317460986457e-10, 7.360722971931369e-11),
            2.869735608450911e-10,
        ),
        cm.Segment((112877733.01091921, -678131902.5786512), (1345990859.5616722, 205640953.16270202)),
        (1592557404.040195, -2222068065.2838316),
    ),
    "along a box, inside its corner by less than an ulp": (
        cm.Segment((-0.04459069977245511, -1.2280697517065868), (0.2054093002275449, -3.103069751706587)),
        cm.Box((0.8943777292576419, 1.8859170305676856), (2.375, 2.5), -1e-17),
        (-0.6608186004550898, 4.956139503413174),
    ),
    "along the side of a box that is turned": (
        cm.Point((-1.8457338400476936e22, -5.734100753559538e21)),
        cm.Box((2.7675464714665996e19, 1.6356621400554387e19), (7.116917039948817e19, 6.185328376334729e19), 0.3),
        (3.6996283637483558e22, 1.1444291629913033e22),
    ),
    "along a needle": (
        cm.Polygon(
            [
                (-0.125, 0.0),
                (1.588870401999035, -0.7041965571871781),
                (1.4174833618007499, -0.6337769014645214),
                (0.046387040201521935, -0.07041965571477893),
            ]
        ).translated((-462482.8297417059, 190026.4711886184)),
        cm.Point((-0.125, 1.125)),
        (924965.6594834118, -380050.6923772368),
    ),
    "shorter than the shapes, nearly along them": (
        cm.Capsule((0.0, 0.0), (1.7915799429982173, 1.0024143615611152), 0.011287500929441936).translated(
            (-10000001.80336999, -0.9996007970957524)
        ),
        cm.Polygon(
            [
                (3.198318643512233e-05, 0.0),
                (0.002087590470068741, -0.00031704707516558186),
                (0.003224649325026617, 0.0014016592317179649),
                (0.0032850953845310936, 0.0025260768081874674),
            ]
        ).translated((-10000000.0, -0.0009109319851546443)),
        (0.0008222249586259656, -0.006778310863110271),
    ),
    "a grain 1e267 times smaller than the line that comes at it": (
        cm.Segment(
            (1.1239470824801557e138, -6.7101351942223e138),
            (-3.5855645189780843e139, 1.8276768277923517e139),
        ),
        cm.Polygon(
            [
                (-2.008932951498469e-129, 1.1536434348570205e-128),
                (-1.7545949629863858e-129, -1.1890743122548479e-128),
                (5.679449212620803e-130, -1.2856471548201377e-128),
                (1.9166520231627643e-129, -1.167178799552871e-128),
            ],
            radius=6.278923104190585e-129,
        ),
        (2.2231495230494594e145, 6.30950595348984e145),
    ),
    "a grain 1e243 times smaller, along the line that meets it": (
        cm.Segment((5.926281039379013e114, -3.0504634538678715e114), (-5.926281022945689e114, 3.0504634857936754e114)),
        cm.Polygon(
            [
                (-1.2542084764997595e-129, 3.563112364827924e-129),
                (5.1285914263869295e-129, 1.7192836180506575e-129),
                (5.00615099151196e-129, 1.855983107564362e-129),
                (4.5112693694763564e-129, 2.30211531179584e-129),
            ],
            radius=1.8479962894415466e-129,
        ),
        (8.18693935877436e114, -3.496119414282267e115),
    ),
    "a rounded grain by a line's far end": (
        cm.Segment((0.0, 0.0), (-5.7908900406372835e-34, -3.3433719238094593e-34)).translated(
            (-1.582100581206566e-33, -9.134261964446745e-34)
        ),
        cm.Polygon(
            [
                (-2.876882080190628e-79, -1.0925281534354425e-79),
                (-1.6799644746653082e-79, -5.155565627712711e-79),
                (-4.801303986564937e-80, -6.216356648363702e-79),
                (-2.6270910136573783e-79, 2.7554993901259974e-79),
            ],
            radius=3.1892648061894853e-79,
        ),
        (1.582100581206566e-33, 9.134261964446745e-34),
    ),
    "a point past a disc but for a grain's sides": (
        cm.Point((-3.927425296990868e-93, 1.5475398764501093e-93)),
        cm.Polygon(
            [
                (-1.946371319546013e-127, -3.766369463015511e-127),
                (-5.457123876755455e-128, -5.999875304063895e-127),
                (1.6587496020488483e-127, -5.843949397233041e-127),
                (9.882338592650515e-127, -2.809633586214558e-127),
            ],
            radius=3.2704922634483226e-106,
        ),
        (7.8548505939819e-93, -3.0950797528998013e-93),
    ),
    "from point to point, all of it subnormal": (cm.Point((0.0, 3e-310)), cm.Point((0.0, 1e-310)), (0.0, -2e-310)),
    "from point to point, aslant": (cm.Point((0.0, -1e-310)), cm.Point((3e-310, 3e-310)), (3e-310, 4e-310)),
    "from point to point, three of the least numbers away": (
        cm.Point((0.0, 0.0)),
        cm.Point((1.5e-323, 1.5e-323)),
        (1.5e-323, 1.5e-323),
    ),
    "from point to point, too near for the square of the way": (
        cm.Point((1e-300, 0.0)),
        cm.Point((-1e-300, -1e-300)),
        (-2e-300, -1e-300),
    ),
    "from touch to deep, where a capsule's side ends": (
        cm.Point((62.0, 23.0)),
        cm.Capsule((58.5, 6.875), (67.5, 18.875), 6.875),
        (11.0, -2.0),
    ),
    "from touch to deep": (
        cm.Box((59.5, 65.5), (9.0, 3.0)),
        cm.Box.from_corners((61.0, 62.00000000000001), (65.0, 64.00000000000001)),
        (25.665234764451228, -25.244716763822233),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_casts_that_were_wrong_once_are_right(name: str) -> None:
    a, b, path = CASES[name]
    complaint = wrong_cast(a, b, path)
    assert complaint is None, complaint
    if isinstance(a, cm.Point):
        complaint = wrong_ray(tuple(a.position), path, b)
        assert complaint is None, complaint


def test_a_ray_along_a_face_hits_and_one_ulp_beside_it_misses() -> None:
    box = cm.Box.from_corners((2, 0), (4, 2))
    hit = cm.raycast((0, 0), (8, 0), box)
    assert hit is not None
    assert (hit.fraction, hit.distance, tuple(hit.point)) == (0.25, 2.0, (2.0, 0.0))
    assert hit.overlapping is False
    assert cm.raycast((0, -math.ulp(0.25)), (8, 0), box) is None
    assert cm.raycast((0, 2), (8, 0), box) is not None
    assert cm.raycast((0, math.nextafter(2, 3)), (8, 0), box) is None
    assert cm.raycast((0, 1), (2, 0), box) is not None  # ends on the face
    assert cm.raycast((0, 1), (math.nextafter(2, 0), 0), box) is None
    assert cm.raycast((0, 1), (-8, 0), box) is None


def test_circle_grazes_circle() -> None:
    a, b = cm.Circle((0, 0), 1), cm.Circle((5, 2), 1)
    hit = cm.cast(a, b, (10, 0))
    assert hit is not None
    assert (hit.fraction, tuple(hit.normal), tuple(hit.point)) == (0.5, (0.0, -1.0), (5.0, 1.0))
    assert cm.cast(a, cm.Circle((5, math.nextafter(2, 3)), 1), (10, 0)) is None


def test_leaving_and_sliding_are_never_blocked() -> None:
    """A box on a floor of flush tiles; the tiles it stands on, touches with a corner, and slides over from afar."""
    box = cm.Box.from_corners((0.25, 0), (1.75, 0.5))
    tiles = [cm.Box.from_corners((i, -1), (i + 1, 0)) for i in range(-3, 4)]
    under, ahead = tiles[3:5], tiles[5]
    for tile in under:
        for path in ((3.0, 0.0), (-3.0, 0.0), (0.0, 2.0), (1.0, 1e-9), (0.0, 0.0)):
            assert cm.cast(box, tile, path) is None
            assert cm.cast(tile, box, path) is None or path[1] > 0
    hits = [cm.cast(box, tile, (0.0, -1.0)) for tile in tiles]
    assert [hit is not None for hit in hits] == [tile in under for tile in tiles]
    corner = cm.cast(box, ahead, (3.0, 0.0))  # apart at the start: a closed set, so it meets the tile's corner
    assert corner is not None
    assert corner.fraction == 0.25 / 3.0
    touching_corner = cm.Box.from_corners((0.25, 0), (2.0, 0.5))
    assert cm.cast(touching_corner, ahead, (3.0, 0.0)) is None


def test_a_point_leaves_a_point() -> None:
    """Points have no inside: whatever way one goes that stands on another, it goes no deeper."""
    for at in ((0.0, 0.0), (856.25, 49.875), (-1e9, 0.1)):
        point = cm.Point(at)
        for path in ((1.0, 0.0), (-1.0, 0.0), (0.0, 2.0), (-3.0, -1e9)):
            assert cm.cast(point, point, path) is None
            assert cm.raycast(at, path, point) is None
            assert not cm.cast(cm.Shapes([point]), cm.Shapes([point]), [path]).hit[0]


def test_a_shape_without_interior_may_be_left_along_itself() -> None:
    """A point at the end of a line goes off along it; boxes smaller than the slop slide along each other."""
    end = (-1.2280823531610083e140, -3.737848676035931e139)
    line = cm.Segment((0.0, 0.0), (7.945176987552381e130, 1.9402218062853863e131)).translated(end)
    path = (-3.789558480543399e148, -9.254147530839436e148)
    assert cm.cast(cm.Point(end), line, path) is None
    assert cm.raycast(end, path, line) is None
    line = cm.Segment((-1.4625430235503951, 1.3897349477489307), (1.0550984759064561, -0.9797238970423132))
    path = (2.369458844791244, 2.5176414994568512)
    assert cm.cast(line, line, path) is None
    assert not cm.cast(cm.Shapes([line]), cm.Shapes([line]), [path]).hit[0]
    wire = cm.Segment((805306368.0, 268435456.0), (1879048192.0, -671088640.0))
    dot = cm.Point((1612988271.0088496, -438286209.1327434))
    assert cm.cast(wire, dot, (1063792925127051.4, 145829067940787.06)) is None
    box = cm.Box((999999999999998.9, -0.9919873975651474), (1.5, 0.27028135297779565))
    other = cm.Box((1e15, -0.28139784594844197), (0.75, 1.1508977502556152))
    assert cm.cast(box, other, (1000.0, 0.0)) is None


def test_tiny_discs_do_not_pass_from_touch() -> None:
    """However small a radius is, a line holds what has one; its chord is all that there is to go through."""
    for radius in (1e-13, 1e-14):
        disc = cm.Circle((0.25, radius), radius)
        assert cm.cast(disc, cm.Segment((-1.0, 0.0), (1.0, 0.0)), (0.0, -1.0)) is not None


def test_rows_of_doubtful_hits_have_the_bits_of_pairs() -> None:
    """Doubtful hits are decided with more digits, alike for rows, for pairs, and for the rows of an index."""
    scenes_at_hand = [scenes.journey("along_edges", row) for row in range(300)]
    movers, targets, paths = (list(column) for column in zip(*scenes_at_hand, strict=True))
    columns = cm.cast(cm.Shapes(movers), cm.Shapes(targets), paths)
    for row, (a, b, path) in enumerate(scenes_at_hand):
        hit = cm.cast(a, b, path)
        found = cm.Index(cm.Shapes([b])).cast(a, path)
        assert columns.hit[row] == (hit is not None) == (found is not None), row
        if hit is not None and found is not None:
            alone = (hit.fraction, *hit.normal, *hit.point)
            assert alone == (columns.fraction[row], *columns.normal[row], *columns.point[row]), row
            assert alone == (found.fraction, *found.normal, *found.point), row


def test_starts_inside_are_hits_unless_they_leave() -> None:
    box = cm.Box((0, 0), (4, 2))
    hit = cm.raycast((0, 0.75), (9, 0), box)
    assert hit is not None
    assert (hit.fraction, hit.distance, hit.overlapping) == (0.0, 0.0, True)
    assert tuple(hit.normal) == (0.0, 1.0)
    still = cm.raycast((0, 0.75), (0, 0), box)
    assert still is not None
    assert still.overlapping
    assert cm.raycast((0, 1), (0, 0), box) is None
    small = cm.Box((0, 0.75), (0.5, 0.5))
    assert cm.cast(small, box, (0, 0)) is None
    assert cm.cast(small, box, (0, 3)) is None  # on its way out
    blocked = cm.cast(small, box, (0, -3))
    assert blocked is not None
    assert (blocked.fraction, blocked.overlapping, tuple(blocked.normal)) == (0.0, True, (0.0, 1.0))


def test_no_speed_passes_through_a_thin_wall() -> None:
    wall = cm.Box((0, 0), (1e-9, 10))
    for exponent in range(13):
        reach = 10.0**exponent
        hit = cm.cast(cm.Circle((-reach, 0), 0.25), wall, (2 * reach, 0))
        assert hit is not None
        assert hit.fraction == pytest.approx((reach - 0.25 - 0.5e-9) / (2 * reach), abs=8 * EPSILON)
