"""`explain` against exact projections: every axis, the level that decides, the table and the pictures."""

from __future__ import annotations

import itertools
import math
import pickle
import random
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import shapely
from hypothesis import given

import carom as cm
from carom import cli
from carom.canvas.drawing import Outline, Text
from carom.explain.typed import read_shape
from tests.support import oracle, scenes

SVG = "{http://www.w3.org/2000/svg}"
VOLUMES = ("bounding circle", "AABB", "OBB")
TURNED = cm.Box((0, 0), (2, 1), 0.3)
ROWS = [40, pytest.param(2000, marks=pytest.mark.full)]
FLOOR = Fraction(5e-324)


def complaint(a: Any, b: Any) -> str | None:
    """Return a complaint about the explanation of a pair, held against the other verbs and exact projections."""
    why = cm.explain(a, b)
    separation = cm.separation(a, b)
    if why.axis.gap != separation or why.separation != separation or why.closest != cm.closest(a, b):
        return f"gap {why.axis.gap!r}, separation {why.separation!r}, asked for {separation!r}"
    if why.contact != cm.collide(a, b) or why.axis.direction != why.closest.normal:
        return f"contact {why.contact!r}, direction {why.axis.direction!r}, normal {why.closest.normal!r}"
    meets, overlaps = cm.intersects(a, b), cm.intersects(a, b, touching=False)
    if why.verdict != ("overlap" if overlaps else "touch" if meets else "apart"):
        return f"verdict {why.verdict!r}, intersects {meets!r}, without touching {overlaps!r}"
    told = [level.verdict for level in why.levels]
    if told != ["cannot tell"] * (len(told) - 1) + [why.verdict]:
        return f"the levels say {told!r}, the answer is {why.verdict!r}"
    if max(axis.gap for axis in why.axes) != separation:
        return f"an axis has gap {max(axis.gap for axis in why.axes)!r}, the separation is {separation!r}"
    for axis in why.axes:
        wrong = wrong_axis(a, b, axis, why.origin)
        if wrong:
            return f"{axis!r}: {wrong}"
        if axis.parallel_to is not None:
            other = why.axes[axis.parallel_to]
            turn = abs(Fraction(axis.direction.x)) * abs(Fraction(other.direction.y))
            turn -= abs(Fraction(axis.direction.y)) * abs(Fraction(other.direction.x))
            if abs(turn) > 2**-48 or other.parallel_to is not None:
                return f"{axis!r} is said to be parallel to {other!r}"
    wide = [line for line in str(why).splitlines() if len(line) > 100]
    if wide:
        return f"too wide: {wide[0]!r}"
    return None


def wrong_axis(a: Any, b: Any, axis: Any, origin: Any, *, best: bool = True) -> str | None:
    """Complain about an axis whose numbers are wrong or, if it is to be the `best` of its two directions, is not."""
    eps = Fraction(sys.float_info.epsilon)
    size = 16 * eps * (Fraction(oracle.size(a, b)) + abs(oracle.separation(a, b)))
    coarse = 16 * eps * Fraction(oracle.largest_coordinate(a, b)) + size
    gap = oracle.gap(a, b, axis.direction)
    if abs(Fraction(axis.gap) - gap) > size + 2 * FLOOR:
        return f"exactly the gap is {float(gap)!r}"
    if best and oracle.gap(a, b, (-axis.direction.x, -axis.direction.y)) > gap + 2 * size:
        return "the other way the gap is larger"
    for name, shape, covered in (("A", a, axis.a), ("B", b, axis.b)):
        low, high = projection(shape, axis.direction, origin)
        if abs(Fraction(covered.low) - low) > coarse + FLOOR or abs(Fraction(covered.high) - high) > coarse + FLOOR:
            return f"exactly {name} covers {float(low)!r} to {float(high)!r}"
    return None


def projection(shape: Any, direction: Any, origin: Any = (0.0, 0.0)) -> tuple[Fraction, Fraction]:
    points, radius = oracle.exact(shape)
    (x0, y0), (nx, ny) = map(Fraction, origin), map(Fraction, direction)
    along = [(x - x0) * nx + (y - y0) * ny for x, y in points]
    return min(along) - radius, max(along) + radius


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_explanations_of_hard_pairs_are_right(family: str, rows: int) -> None:
    assert not scenes.failures(rows, lambda row: scenes.pair(family, row), complaint)


@given(scenes.pairs())
def test_explanations_of_drawn_pairs_are_right(pair: Any) -> None:
    assert complaint(*pair) is None


@pytest.mark.parametrize(("kind_a", "kind_b"), list(itertools.product(scenes.KINDS, scenes.KINDS)))
def test_every_pair_of_kinds_is_explained_and_drawn(kind_a: str, kind_b: str) -> None:
    rng = scenes.Random(f"{kind_a} {kind_b}")
    a, b = scenes.make(kind_a, rng), scenes.make(kind_b, rng, 0.5, 0.25)
    for other in (b, b.translated((3.0, 1.0)), b.translated((30.0, 10.0))):
        assert complaint(a, other) is None
        check_picture(cm.explain(a, other))


@pytest.mark.parametrize("family", scenes.FAMILIES)
def test_hard_pairs_are_drawn(family: str) -> None:
    for row in range(10):
        check_picture(cm.explain(*scenes.pair(family, row)))


def check_picture(why: cm.Explanation) -> None:
    assert not re.search(r"\b(nan|inf)\b", why._repr_svg_())
    root = ElementTree.fromstring(why._repr_svg_())
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == why.sentence
    state = "apart" if why.verdict == "apart" else "meets"
    for name, other in (("a", "b"), ("b", "a")):
        assert len(root.findall(f".//*[@class='{name} {state}']")) == 1
        assert root.find(f".//{SVG}text[@class='name {name}']").text == name.upper()  # type: ignore[union-attr]
        marks = [*root.findall(f".//*[@class='projection {name}']"), *root.findall(f".//*[@class='point {name}']")]
        distinct = sum(axis.parallel_to is None for axis in why.axes)
        assert len(marks) == 1 + min(distinct, 8), other
    volumes = root.findall(".//*[@class='volume']")
    assert len(volumes) == (2 if why.levels[-1].name in VOLUMES else 0)


def test_axes_agree_with_shapely() -> None:
    a, b = TURNED, cm.Polygon([(1.5, 0.5), (4, 0), (4.2, 1.5), (3, 2.2)])
    for axis in cm.explain(a, b).axes:
        turn = -math.degrees(math.atan2(axis.direction.y, axis.direction.x))
        for shape, covered in ((a, axis.a), (b, axis.b)):
            turned = shapely.affinity.rotate(shapely.Polygon(shape.vertices), turn, origin=(0, 0))
            low, _, high, _ = turned.bounds
            assert (covered.low, covered.high) == pytest.approx((low, high), abs=1e-14)


# --- the levels ---------------------------------------------------------------------------------------------------


def names(a: Any, b: Any) -> list[str]:
    return [level.name for level in cm.explain(a, b).levels]


def test_bounding_circles_come_first_and_may_be_enough() -> None:
    far = cm.explain(TURNED, cm.Box((9, 9), (1, 1)))
    assert [(level.name, level.verdict) for level in far.levels] == [("bounding circle", "apart")]
    circles = far.levels[0].volumes
    assert circles == (cm.bounding_circle(far.a), cm.bounding_circle(far.b))
    assert far.levels[0].gap == cm.separation(*circles)


@pytest.mark.parametrize("x", [1.5, 2.0, 2.5])
def test_circles_are_their_own_bounding_circles(x: float) -> None:
    why = cm.explain(cm.Circle((0, 0), 1), cm.Circle((x, 0), 1))
    assert [(level.name, level.verdict, level.gap) for level in why.levels] == [("bounding circle", why.verdict, x - 2)]


def test_aabbs_only_if_neither_shape_is_turned() -> None:
    box = cm.Box((0, 0), (2, 1))
    assert names(box, cm.Box((1, 0.5), (2, 1))) == ["bounding circle", "AABB"]
    assert names(box, cm.Circle((1.25, 0.5), 0.75)) == ["bounding circle", "AABB", "separating axes"]
    assert "AABB" in names(box, cm.Box((1, 0.5), (2, 1), math.pi / 2))
    for other in (cm.Box((1, 0.5), (2, 1), 0.3), cm.Box((1, 0.5), (2, 1), 0.3, radius=0.5)):
        assert "AABB" not in names(box, other) + names(other, box)


def test_turned_boxes_are_separated_by_smallest_boxes_or_axes() -> None:
    assert names(TURNED, cm.Box((1, 1), (2, 1), -0.4)) == ["bounding circle", "separating axes"]
    triangle = cm.Polygon([(0, 0), (2, 0), (1, 2)])
    assert names(TURNED, triangle) == ["bounding circle", "OBB", "separating axes"]
    level = cm.explain(TURNED, triangle).levels[1]
    assert level.volumes == (TURNED, cm.smallest_box(triangle))
    assert level.gap == cm.separation(*level.volumes)
    high = triangle.translated((-1.1, 0.85))
    assert names(TURNED, high)[:2] == ["bounding circle", "OBB"]
    assert cm.explain(TURNED, high).levels[-1].verdict == "apart"


def test_cases_within_rounding_are_decided_exactly() -> None:
    touching = cm.explain(cm.Circle((0, 0), 5), cm.Polygon([(3, 4), (9, 4), (9, 8)]))
    assert [level.verdict for level in touching.levels][-2:] == ["cannot tell", "touch"]
    assert touching.levels[-1].name == "exact arithmetic"
    above = cm.explain(cm.Circle((0, 0), 5), cm.Polygon([(3, math.nextafter(4, 5)), (9, 5), (9, 8)]))
    assert above.levels[-1].name == "exact arithmetic"
    assert above.verdict == "apart"
    assert above.separation > 0.0


def test_touching_rounded_cores_have_a_decided_sign() -> None:
    why = cm.explain(cm.Box((0, 0), (2, 2), radius=0.25), cm.Box((2, 0), (2, 2)))
    assert (why.verdict, why.separation) == ("overlap", -0.25)
    before, last = why.levels[-2:]
    assert (before.name, before.verdict, last.name) == ("separating axes", "cannot tell", "exact arithmetic")
    assert "the least overlap, 0.25; but without their radii the shapes only just touch" in before.text
    assert "sign" not in before.text


def test_the_first_axis_with_a_gap_ends_the_test() -> None:
    why = cm.explain(TURNED, cm.Box((1.4, 1.1), (1.5, 1), -0.4))
    level = why.levels[-1]
    assert level.name == "separating axes"
    first = next(k for k, axis in enumerate(why.axes) if axis.gap > 0)
    assert f"axis {first} separates them" in level.text
    assert 0 < why.axes[first].gap <= why.separation


# --- the axes -----------------------------------------------------------------------------------------------------


def test_each_edge_gives_an_axis_and_parallel_ones_are_marked() -> None:
    why = cm.explain(TURNED, cm.Polygon([(1, 0.5), (3, 0), (3, 2)]))
    assert [axis.source for axis in why.axes] == [f"edge {k} of A" for k in range(4)] + [
        f"edge {k} of B" for k in range(3)
    ]
    assert [axis.parallel_to for axis in why.axes] == [None, None, 0, 1, None, None, None]
    same = cm.explain(cm.Box((0, 0), (2, 1)), cm.Box((1, 0), (2, 1)))
    assert [axis.parallel_to for axis in same.axes] == [None, None, 0, 1, 0, 1, 0, 1]
    assert cm.explain(cm.Segment((0, 0), (2, 1)), cm.Capsule((0, 1), (2, 2), 0.5)).axes[1].parallel_to == 0


def test_an_edge_is_counted_by_the_users_vertex() -> None:
    triangle = cm.Polygon([(0, 0), (2, 0), (1, 2)], vertex_ids=[7, 3, 5])
    axes = cm.explain(triangle, cm.Point((5, 5))).axes
    assert [axis.source for axis in axes] == ["edge 7 of A", "edge 3 of A", "edge 5 of A", "nearest points"]
    assert axes[0].features == ((0, 0), (2, 0))


def test_round_shapes_add_the_axis_between_the_nearest_features() -> None:
    corner = cm.explain(cm.Circle((0, 0), 1), cm.Box((5, 5), (4, 2)))
    assert corner.axis.source == "nearest points"
    assert corner.axis.features == ((0, 0), (3, 4))
    assert corner.axis.direction == (0.6, 0.8)
    assert corner.axis.gap == 4.0
    assert corner.axis.a == (-1, 1)
    side = cm.explain(cm.Circle((0, 0), 1), cm.Box((5, 0), (4, 2)))
    assert side.axis.source == "edge 1 of B"
    assert all(axis.source != "nearest points" for axis in side.axes)


def test_concentric_circles_are_separated_along_x() -> None:
    why = cm.explain(cm.Circle((2, 3), 1), cm.Circle((2, 3), 2))
    assert (why.axis.direction, why.axis.gap, why.axis.a, why.axis.b) == ((1, 0), -3.0, (1, 3), (0, 4))


# --- the table ----------------------------------------------------------------------------------------------------


def test_the_table_shows_every_level_and_axis() -> None:
    why = cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (2, 1)))
    lines = str(why).splitlines()
    assert lines[0] == "A  Circle((0.0, 0.0), 1.0)"
    assert why.sentence in lines
    for level in why.levels:
        assert any(level.name in line and level.verdict in line for line in lines)
    rows = [line for line in lines if re.match(r"  +\d+  ", line)]
    assert [axis.parallel_to for axis in why.axes] == [None, None, 0, 1]
    assert [row.endswith("decides") for row in rows] == [False, True]
    assert "left out as parallel: edges 2 and 3 of B to axes 0 and 1" in lines
    assert re.split(r"  +", rows[1].strip()) == [
        "1",
        "edge 1 of B",
        "(1, 0)",
        "-1 to 1",
        "0.5 to 2.5",
        "-0.5",
        "decides",
    ]


def test_a_table_of_many_axes_stays_short_and_narrow() -> None:
    turns = [2 * math.pi * k / 400 for k in range(400)]
    many = cm.Polygon([(1e-140 * math.cos(t), 1e-140 * math.sin(t)) for t in turns])
    why = cm.explain(many, many.translated((1.234567e-140, 0)))
    lines = str(why).splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 100
    assert any(line.endswith("decides") for line in lines)
    assert any(re.match(r"and \d+ more axes", line) for line in lines)


def test_an_explanation_is_a_value() -> None:
    a, b = cm.Circle((0, 0), 1), TURNED
    why = cm.explain(a, b)
    assert why == cm.explain(a, b) == pickle.loads(pickle.dumps(why))
    assert hash(why) == hash(cm.explain(a, b))
    assert why != cm.explain(b, a)
    assert eval(repr(why), {"explain": cm.explain, "Circle": cm.Circle, "Box": cm.Box}) == why
    with pytest.raises(AttributeError):
        why.a = b  # type: ignore[misc]


@pytest.mark.parametrize("arguments", [(TURNED, (1, 2)), (3, TURNED), (TURNED, None), (cm.Shapes([TURNED]), TURNED)])
def test_values_that_are_no_shape_are_refused(arguments: Any) -> None:
    with pytest.raises(TypeError, match=r"explain: [ab] = .* must be a shape"):
        cm.explain(*arguments)


def numbers_of(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("far", [0.0, 37.0, 1e7, -3e9])
def test_the_shadow_sentence_adds_up(seed: int, far: float) -> None:
    rng = scenes.Random(f"{seed} {far}")
    a, b = (scenes.make(kind, rng, far + k, far) for k, kind in enumerate(scenes.kinds(rng)))
    why = cm.explain(a, b)
    number, *told, size = numbers_of(why.shadow_sentence)
    half_a, half_b, between = told[:3]
    exact = []
    for shape in (a, b):
        low, high = projection(shape, why.axis.direction)
        exact.append(((high - low) / 2, (high + low) / 2))
    scale = max(abs(separation) for separation in (*told[:3], size, 1e-300))
    assert number == why.deciding
    for found, true in ((half_a, exact[0][0]), (half_b, exact[1][0]), (between, abs(exact[1][1] - exact[0][1]))):
        assert found == pytest.approx(float(true), abs=1e-3 * scale)
    if why.verdict == "touch":
        assert "so they touch" in why.shadow_sentence
    else:
        assert size == pytest.approx(abs(why.separation), rel=6e-2)
        assert size == pytest.approx(abs(half_a + half_b - between), abs=2e-3 * scale) or "B's before" in str(why)


@pytest.mark.parametrize("place", [(1e7, 0.0), (1e7 + 0.125, -3e8), (-1e12, 1e12), (5e5, 5e5)])
def test_far_from_the_origin_numbers_are_told_apart_and_measured_from_a_named_point(place: tuple[float, float]) -> None:
    a = cm.Box((0, 0), (2, 1), 0.3).translated(place)
    b = cm.Polygon([(1, 1), (3, 1), (2, 3)]).translated(place)
    why, near = cm.explain(a, b), cm.explain(cm.Box((0, 0), (2, 1), 0.3), cm.Polygon([(1, 1), (3, 1), (2, 3)]))
    assert why.origin == a.position
    for axis, other in zip(why.axes, near.axes, strict=True):
        assert (*axis.a, *axis.b) == pytest.approx((*other.a, *other.b), abs=1e-15 * abs(place[0]) * 4)
    lines = str(why).splitlines()
    x, y = numbers_of(next(line for line in lines if "measured from" in line))
    assert (x, y) == pytest.approx(a.position, rel=0, abs=0.01)
    for line in lines:
        if span := re.search(r"(\S+) to (\S+)  (\S+) to (\S+)", line):
            assert float(span[1]) < float(span[2]) and float(span[3]) < float(span[4])
    xs = numbers_of(str(why).partition("witness points")[2])
    assert (xs[:2], xs[2:4]) == (
        pytest.approx(why.closest.point_a, rel=0, abs=0.01),
        pytest.approx(why.closest.point_b, rel=0, abs=0.01),
    )
    assert numbers_of(str(cm.explain(a, b.translated((-place[0], 0))))) != []


@pytest.mark.parametrize("gap", [1e-3, -1e-3, 1e-6, -1e-6, 1e-9])
def test_witness_points_are_told_apart(gap: float) -> None:
    why = cm.explain(cm.Box((0, 0), (3, 2)), cm.Circle((2.5 + gap, 0.3), 1))
    x, _, u, *_ = numbers_of(str(why).partition("witness points")[2])
    assert u - x == pytest.approx(gap, rel=0.02)


@pytest.mark.parametrize("turn", range(12))
def test_a_touch_shows_no_rounding(turn: int) -> None:
    x, y = ((3.0, 4.0), (5.0, 12.0), (8.0, 15.0), (1.0, 0.0))[turn % 4]
    length = math.hypot(x, y)
    where = [(0.0, 0.0), (1024.0, 0.0), (-3.5, 65536.0)][turn // 4]
    start, end, far = ((where[0] + k * x, where[1] + k * y) for k in (0, 1, 2))
    pairs = [
        (cm.Segment(start, end), cm.Segment(end, far)),
        (cm.Circle(start, length), cm.Circle(far, length)),
        (cm.Segment(start, end), cm.Circle(far, length)),
        (cm.Box(start, (2, 2)), cm.Box((where[0] + 2, where[1] + 1), (2, 2))),
    ]
    for a, b in pairs:
        why = cm.explain(a, b)
        assert why.verdict == "touch"
        assert not re.search(r"e-\d|> 0|< 0", str(why)), str(why)
        assert "so they touch" in why.shadow_sentence


def test_a_gap_that_coordinates_cannot_show_is_told_in_words() -> None:
    why = cm.explain(cm.Circle((0, 0), 1), cm.Circle((1.2, 1.6), 1))
    apart = Fraction(1.2) ** 2 + Fraction(1.6) ** 2 > 4
    assert why.verdict == ("apart" if apart else "overlap")
    assert "less than coordinates are rounded by" in why.sentence
    assert "e-" not in str(why)


@pytest.mark.parametrize("sides", [3, 4, 5, 6, 8, 30])
def test_parallel_axes_are_left_out_and_told(sides: int) -> None:
    corners = [(math.cos(math.tau * k / sides), math.sin(math.tau * k / sides)) for k in range(sides)]
    why = cm.explain(cm.Polygon(corners), cm.Polygon(corners).translated((1, 0.5)))
    rows = [line for line in str(why).splitlines() if re.match(r"  +\d+  ", line)]
    assert len(rows) == sum(axis.parallel_to is None for axis in why.axes)
    left_out = sum(axis.parallel_to is not None for axis in why.axes)
    told = str(why).partition("left out as parallel: ")[2].partition("\n\n")[0].replace("\n", " ")
    edges = 0
    for words in re.findall(r"(\d+ edges of|edges? [\d, and]+ of)", told):
        edges += int(words.split()[0]) if words[0].isdigit() else len(re.findall(r"\d+", words))
    assert edges == left_out


# --- the pictures -------------------------------------------------------------------------------------------------


def test_rounded_corners_are_true_arcs() -> None:
    root = ElementTree.fromstring(
        cm.explain(cm.Box((0, 0), (2, 1), radius=0.25), cm.Capsule((3, 0), (4, 1), 0.5))._repr_svg_()
    )
    for name, arcs in (("a apart", 4), ("b apart", 2)):
        path = root.find(f".//*[@class='{name}']").get("d", "")  # type: ignore[union-attr]
        assert path.count("A") == arcs


def test_pictures_are_red_and_hatched_in_overlap_and_green_apart() -> None:
    for x, fill, hatched in ((1, "#D55E00", 2), (4, "#009E73", 0)):
        picture = cm.explain(TURNED, cm.Circle((x, 0), 1))._repr_svg_()
        assert picture.count(f'fill="{fill}"') == 2
        assert picture.count('fill="url(#hatch)"') == hatched


def test_save_writes_the_format_of_the_file_ending(tmp_path: Path) -> None:
    why = cm.explain(TURNED, cm.Circle((1, 1), 1))
    why.save(tmp_path / "sat.svg")
    assert (tmp_path / "sat.svg").read_text(encoding="utf-8") == why._repr_svg_()
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    why.save(str(tmp_path / "sat.png"))
    with image.open(tmp_path / "sat.png") as picture:
        assert picture.width > picture.height >= 1000
        assert len(picture.convert("RGB").getcolors(picture.width * picture.height)) > 20


def test_draw_puts_the_shapes_on_the_given_axes_in_world_coordinates() -> None:
    figure = pytest.importorskip("matplotlib.figure")
    axes = figure.Figure().subplots()
    a, b = cm.Box((10, 20), (2, 1), 0.3, radius=0.2), cm.Circle((12, 21), 1)
    assert cm.explain(a, b).draw(axes) is axes
    low_x, low_y, high_x, high_y = cm.bounds(a)
    boxes = [patch.get_path().get_extents() for patch in axes.patches]
    assert any(
        (box.x0, box.y0, box.x1, box.y1) == pytest.approx((low_x, low_y, high_x, high_y), abs=1e-4) for box in boxes
    )
    for shape in (a, b):
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        low_x, low_y, high_x, high_y = cm.bounds(shape)
        assert x0 < low_x < high_x < x1
        assert y0 < low_y < high_y < y1


def test_the_page_shows_the_table_and_the_picture_that_its_code_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "explain.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"^```(?:python|text)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out == shown
    assert Path("explain.svg").read_bytes() == (docs / "images" / "explain.svg").read_bytes()


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("point 1 -2", cm.Point((1, -2))),
        ("segment 0 0 1 2", cm.Segment((0, 0), (1, 2))),
        ("Circle 0 0 1e-3", cm.Circle((0, 0), 0.001)),
        ("capsule 0 0 1 2 .5", cm.Capsule((0, 0), (1, 2), 0.5)),
        ("box 1.5 0 1 .5", cm.Box((1.5, 0), (1, 0.5))),
        ("box 1.5 0 1 .5 30", cm.Box((1.5, 0), (1, 0.5), math.radians(30))),
        ("box 1.5 0 1 .5 0.3rad", cm.Box((1.5, 0), (1, 0.5), 0.3)),
        ("box 0 0 2 1 rounded .2", cm.Box((0, 0), (2, 1), radius=0.2)),
        ("box 0 0 2 1 30 rounded .2", cm.Box((0, 0), (2, 1), math.radians(30), radius=0.2)),
        ("polygon 0 0 2 0 1 2 rounded 0.5", cm.Polygon([(0, 0), (2, 0), (1, 2)], radius=0.5)),
        ("circle 0 0 1 + box 1 0 2 .5", cm.Compound.from_parts([cm.Circle((0, 0), 1), cm.Box((1, 0), (2, 0.5))])),
        ("outline 0 0 4 0 4 4 2 1 0 4", cm.decompose([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)])),
        (
            "outline 0 0 6 0 6 4 0 4 hole 1 1 5 1 5 3 1 3",
            cm.decompose([(0, 0), (6, 0), (6, 4), (0, 4)], [[(1, 1), (5, 1), (5, 3), (1, 3)]]),
        ),
        ("box 1.5 0 1 .5 90deg", cm.Box((1.5, 0), (0.5, 1))),
        ("box 1.5 0 1 .5 -30deg", cm.Box((1.5, 0), (1, 0.5), -math.radians(30))),
        ("polygon 0 0 2 0 1 2", cm.Polygon([(0, 0), (2, 0), (1, 2)])),
    ],
)
def test_a_shape_is_a_kind_and_its_numbers(text: str, shape: Any) -> None:
    assert read_shape(text) == shape


def test_the_command_prints_the_table_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    why = cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5)))
    assert cli.main(["explain", "circle 0 0 1", "box 1.5 0 1 .5"]) == 0
    assert capsys.readouterr().out == f"{why}\n"
    assert list(tmp_path.iterdir()) == []
    assert cli.main(["explain", "circle 0 0 1", "box 1.5 0 1 .5", "--shot", "sat.svg"]) == 0
    assert capsys.readouterr().out.startswith(f"{why}\n")
    assert (tmp_path / "sat.svg").read_text(encoding="utf-8") == why._repr_svg_()
    pytest.importorskip("matplotlib")
    assert cli.main(["explain", "circle 0 0 1", "box 1.5 0 1 .5", "--shot", "sat.png"]) == 0
    assert (tmp_path / "sat.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("columns", [40, 60, 79, 80, 100, 140])
def test_lines_are_as_wide_as_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for a, b in (("box 0 0 2 1 -20 rounded .1", "outline 0 0 4 0 4 1 1 1 1 3 0 3"), ("circle 1e7 0 1", "point 0 0")):
        assert cli.main(["explain", a, b]) == 0
        told = capsys.readouterr().out
        assert max(map(len, told.splitlines())) <= columns
        assert columns > 60 or max(map(len, told.splitlines())) > columns - 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["circle 0 0 1"], "SHAPE_B"),
        (["ball 0 0 1", "point 0 0"], '"ball 0 0 1" does not begin with a kind of shape'),
        (["", "point 0 0"], "point, segment, circle, capsule, box, polygon"),
        (["circle 0 0", "point 0 0"], "circle takes 3 numbers, x y radius; there are 2"),
        (["polygon 0 0 1 0 1", "point 0 0"], "polygon takes"),
        (["circle 0 0 one", "point 0 0"], '"circle 0 0 one": one is not a number'),
        (["circle 0 0 30deg", "point 0 0"], "30deg is not a number"),
        (["point 0 0", "circle 0 0 -1"], "Circle: radius = -1.0 must be positive"),
        (["point 0 0", "circle 0 nan 1"], "must be finite"),
        (["point 0 0", "polygon 0 0 1 0 2 0"], "Polygon: "),
        (["point 0 0", "point 1 1", "--shot", "no/sat.svg"], "--shot no/sat.svg cannot be written"),
        (["point 0 0", "point 1 1", "--shot", "sat.xyz"], "--shot sat.xyz: the picture must end in .svg, .png"),
        (["point 0 0", "point 1 1", "--svg", "sat.svg"], "--svg is now --shot FILE"),
        (["point 0 0", "point 1 1", "--svg=sat.svg"], "--svg is now --shot FILE"),
        (["point 0 0", "bx 1 1 1 1"], "did you mean box?"),
        (["point 0 0", "circle 0 0 1 rounded 1"], "only a box and a polygon can be rounded"),
        (["point 0 0", "box 0 0 1 1 rounded"], "rounded is not a number; an angle"),
        (["point 0 0", "polygon 0 0 1 0 1 1 rounded"], "rounded is not a number; a radius follows it"),
        (["point 0 0", "outline 0 0 1 0"], "each of 3 corners or more"),
        (["point 0 0", "outline 0 0 1 1 1 0 0 1"], "outline"),
        (["point 0 0", "circle 0 0 1 + segment 0 0 1 1"], "parts[1] = Segment"),
        (["point 0 0", "circle 0 0 1 +"], "does not begin with a kind of shape"),
    ],
)
def test_the_command_refuses_in_one_line(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["explain", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("carom")
    assert said in shown.err
    assert list(tmp_path.iterdir()) == []


FRAME = cm.decompose([(0, 0), (6, 0), (6, 4), (0, 4)], [[(1, 1), (5, 1), (5, 3), (1, 3)]])
HAMMER = cm.Compound.from_parts([cm.Capsule((0, 0), (0, 2), 0.1), cm.Box((0, 2), (1, 0.5))])


def parts(shape: Any) -> Any:
    return shape.parts if isinstance(shape, cm.Compound) else (shape,)


def rim(shape: Any) -> Any:
    """Return corners of a shape, of a round one many."""
    turns = [2 * math.pi * k / 720 for k in range(720)] if shape.radius else [0.0]
    around = [(shape.radius * math.cos(t), shape.radius * math.sin(t)) for t in turns]
    points = [(x + dx, y + dy) for x, y in shape.vertices for dx, dy in around]
    return shapely.MultiPoint(points).convex_hull.exterior.coords


@pytest.mark.parametrize("row", range(40))
def test_a_compound_is_explained_by_the_verbs_and_its_nearest_part(row: int) -> None:
    rng = random.Random(row)
    place = rng.choice([-2, 0, 1.5, 3, 40]), rng.choice([-0.5, 0, 1.25, 2, 3.5])
    b = rng.choice([HAMMER, cm.Circle((0, 0), 0.5), cm.Box((0, 0), (1, 1), 0.5), FRAME]).translated(place)
    a, b = (FRAME, b) if rng.random() < 0.5 else (b, FRAME)
    why = cm.explain(a, b)
    assert isinstance(why, cm.CompoundExplanation)
    assert why.separation == cm.separation(a, b)
    assert (why.closest, why.contact) == (cm.closest(a, b), cm.collide(a, b))
    assert why.verdict == ("apart" if not cm.intersects(a, b) else "overlap" if why.separation < 0 else "touch")
    told = [level.verdict for level in why.levels]
    assert told == ["cannot tell"] * (len(told) - 1) + [why.verdict]
    gaps = {(i, j): cm.separation(p, q) for i, p in enumerate(parts(a)) for j, q in enumerate(parts(b))}
    if why.verdict != "overlap":
        assert gaps[why.pair] == min(gaps.values()) == why.part.separation == why.separation
    for i, j in why.pairs:  # just moved out they touch, a little before they overlap
        first, second = shapely.Polygon(rim(parts(a)[i])), shapely.Polygon(rim(parts(b)[j]))
        for share in (0.99, 1.0, 1.01) if why.verdict == "overlap" else ():
            dx, dy = why.closest.normal * (why.contact.depth * share)
            moved = shapely.affinity.translate(second, dx, dy)
            area, apart = first.intersection(moved).area, first.distance(moved)
            assert (area > 1e-9, apart > 1e-9) == (share < 1, share > 1) or (share == 1.0 and area + apart < 1e-9)
    assert why.shadows == (why.part.a, why.part.b) == (parts(a)[why.pair[0]], parts(b)[why.pair[1]])
    assert wrong_axis(*why.shadows, why.axis, why.origin, best=False) is None
    if len(why.pairs) == 1:  # words, highlighted axis and kernels say the same
        assert (why.axis.direction, why.axis.gap) == (why.closest.normal, why.separation)
        assert f"along ({why.axis.direction.x:g}, " in str(why)
    else:
        share = why.closest.normal.dot(why.axis.direction) * why.separation
        assert share == pytest.approx(why.axis.gap, abs=1e-12)
    assert max(map(len, str(why).splitlines())) <= 100
    assert why.sentence in " ".join(str(why).split())
    assert ElementTree.fromstring(why._repr_svg_()).tag == f"{SVG}svg"


def test_a_compound_shows_its_depth_beside_that_of_the_part() -> None:
    why = cm.explain(FRAME, cm.Box((3, 2), (0.5, 6)))  # through both bars: out of one, it would still be in the other
    assert (why.part.separation, why.separation) == (-2.0, -3.25)
    assert why.levels[-1].name == "parts"
    assert why.levels[-1].text.endswith("when B moves by 3.25 along (1, 0)")
    assert (why.axis.direction, why.axis.gap) == ((1, 0), -3.25)


def test_the_picture_of_a_compound_shows_every_part(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    why = cm.explain(FRAME, HAMMER.translated((3, 0.5)))
    items = cm.picture(why)._drawings[0].items
    outlines = [item for item in items if isinstance(item, Outline)]
    assert len(outlines) == len(FRAME.parts) + len(HAMMER.parts)
    lit = [item.points for item in outlines if item.role in ("a meets", "b meets")]
    assert lit == [part.vertices for part in why.shadows]
    words = {item.text for item in items if isinstance(item, Text)}
    assert words >= {str(k) for k in range(len(FRAME.parts))}
    assert f"A and B overlap by {-why.separation:.4g}" in why._repr_svg_()
    why.save(tmp_path / "whole.png")
    assert (tmp_path / "whole.png").stat().st_size > 1000
