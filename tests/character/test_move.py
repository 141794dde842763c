"""One shape moved among obstacles: slides, bounces and stops against closed forms; seams that are not felt."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm

BALL = cm.Circle((0, 0), 0.5)
MOVERS = [
    BALL,
    cm.Box((0, 0), (1, 1)),
    cm.Box((0, 0), (0.8, 0.8), radius=0.1),
    cm.Capsule((0, -0.2), (0, 0.2), 0.3),
    cm.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.25), (0, 0.5), (-0.5, 0.25)]),
    cm.decompose([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, 0.1), (-0.5, 0.5)]),
]


def floor(tiles: int, at: float = 0.0, width: float = 1.0, height: float = 1.0) -> cm.Shapes:
    """Return flush tiles whose common top is y = at, from x = at on."""
    x = at + width * np.arange(tiles + 1)
    lower = np.column_stack((x[:-1], np.full(tiles, at - height)))
    upper = np.column_stack((x[1:], np.full(tiles, at)))
    return cm.Shapes([cm.Box.from_corners(a, b) for a, b in zip(lower, upper, strict=True)])


def lowest(shape: Any) -> float:
    """Return the least y of the shape."""
    return cm.bounds(shape).min_y


def put_on(shape: Any, x: float, y: float) -> Any:
    """Return the mover with its middle at x and its lowest point exactly at y, or a rounding above."""
    moved = shape.translated((x, y - lowest(shape)))
    while lowest(moved) < y:
        moved = moved.translated((0.0, math.ulp(max(abs(y), 1.0))))
    return moved


def test_a_free_path_is_moved_in_full() -> None:
    went = cm.move(BALL, (3, 4), cm.Box((0, 9), (1, 1)))
    assert went.position == (3.0, 4.0) and went.hits == () and went.rest == (0.0, 0.0)
    assert went.heading == (3.0, 4.0) and went.shape == BALL.translated((3, 4))


@pytest.mark.parametrize("mover", MOVERS, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("at", [0.0, 0.1, 1e3, 1e7 + 0.3, -1e7])
@pytest.mark.parametrize("press", [0.0, -0.3, -50.0])
def test_a_floor_of_flush_tiles_is_one_floor(mover: Any, at: float, press: float) -> None:
    tiles = floor(12, at)
    start = put_on(mover, at + 1.5, at)
    went = cm.move(start, (7.25, press), tiles)
    ulps = 64 * math.ulp(max(abs(at), 1.0))
    moved = cm.bounds(went.shape).min_x - cm.bounds(start).min_x
    assert abs(moved - 7.25) <= ulps + 1e-11
    assert all(hit.normal == pytest.approx((0.0, 1.0), abs=1e-12) for hit in went.hits)
    assert lowest(went.shape) >= at - ulps - 1e-11
    back = cm.move(went.shape, (-7.25, press), tiles)
    assert abs(cm.bounds(back.shape).min_x - cm.bounds(start).min_x) <= 2 * ulps + 2e-11


@pytest.mark.parametrize("mover", MOVERS, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("fall", [(2.0, -3.0), (-1.0, -3.0), (5.0, -2.5), (0.0, -2.0)])
@pytest.mark.parametrize("shift", [-0.5, 0.0, 0.25, 0.5])
def test_landing_on_a_seam_is_landing_on_the_floor(mover: Any, fall: tuple[float, float], shift: float) -> None:
    start = mover.translated((6.0 + shift, 2.0 - lowest(mover)))
    went = cm.move(start, fall, floor(24, 0.0, 0.5))
    moved = cm.bounds(went.shape).min_x - cm.bounds(start).min_x
    assert moved == pytest.approx(fall[0], abs=1e-12)
    assert all(hit.normal == pytest.approx((0.0, 1.0), abs=1e-12) for hit in went.hits)
    assert abs(lowest(went.shape)) < 1e-11


def test_a_corner_of_walls_stops_a_slide_and_reverses_a_bounce() -> None:
    walls = cm.Shapes([cm.Box.from_corners((-9, -1), (9, 0)), cm.Box.from_corners((3, 0), (4, 9))])
    for mover in (BALL.translated((0, 2)), cm.Box((0, 2), (1, 1))):
        went = cm.move(mover, (6, -6), walls)
        assert went.position == pytest.approx((2.5, 0.5), abs=1e-12)
        assert went.heading == (0.0, 0.0) and went.rest != (0.0, 0.0)
        exact = cm.move(mover.translated((1, 0)), (2.5, -2.5), walls, response="bounce")
        assert {tuple(hit.normal) for hit in exact.hits} == {(0.0, 1.0), (-1.0, 0.0)}
        assert exact.heading == pytest.approx((-2.5, 2.5))
        assert exact.position == pytest.approx((1.5, 1.5), abs=1e-12)


@pytest.mark.parametrize("speed", [0.3, 7.0, 123.456, 4567.8])
def test_billiards_follow_the_unfolded_table(speed: float) -> None:
    """A ball in a room bounces as a point in a smaller one goes straight through mirror images."""
    room = cm.Shapes(
        [
            cm.Box.from_corners(a, b)
            for a, b in (((-1, -1), (11, 0)), ((-1, 6), (11, 7)), ((-1, 0), (0, 6)), ((10, 0), (11, 6)))
        ]
    )
    way = cm.Vec(0.8, 0.6) * speed
    went = cm.move(cm.Circle((2, 3), 0.5), way, room, response="bounce")

    def mirrored(x: float, low: float, high: float) -> float:
        width = high - low
        x = (x - low) % (2.0 * width)
        return low + (x if x <= width else 2.0 * width - x)

    assert went.position == pytest.approx(
        (mirrored(2 + way.x, 0.5, 9.5), mirrored(3 + way.y, 0.5, 5.5)), abs=1e-11 * (1 + speed)
    )
    assert went.heading.length == pytest.approx(speed, rel=1e-12)
    assert [hit.fraction for hit in went.hits] == sorted(hit.fraction for hit in went.hits)


def test_restitution_takes_speed_away() -> None:
    wall = cm.Box.from_corners((5, -9), (6, 9))
    went = cm.move(BALL, (9, 2), wall, response="bounce", restitution=0.5)
    assert went.heading == pytest.approx((-4.5, 2.0))
    assert went.position == pytest.approx((4.5 - 2.25, 2.0))
    assert cm.move(BALL, (9, 2), wall, response="bounce", restitution=0).position == pytest.approx(
        cm.move(BALL, (9, 2), wall).position
    )


def test_a_stop_reports_the_rest_of_the_motion() -> None:
    went = cm.move(BALL, (9, 3), cm.Box.from_corners((5, -9), (6, 9)), response="stop")
    assert went.position == pytest.approx((4.5, 1.5)) and went.rest == pytest.approx((4.5, 1.5))
    (hit,) = went.hits
    assert hit.fraction == 0.5 and hit.normal == (-1.0, 0.0) and hit.row == 0 and not hit.overlapping
    assert hit.point == pytest.approx((5.0, 1.5))


@pytest.mark.parametrize("response", ["slide", "bounce", "stop"])
@pytest.mark.parametrize("length", [1e3, 1e6, 1e9])
def test_no_speed_passes_through_a_thin_wall(response: str, length: float) -> None:
    wall = cm.Box.from_corners((5, -1e10), (5 + 1e-9, 1e10))
    for mover in MOVERS:
        went = cm.move(mover, (length, 0.25 * length), wall, response=response)
        assert cm.bounds(went.shape).max_x <= 5 + 1e-9
        assert went.hits


def test_a_shape_that_starts_inside_may_leave_but_not_go_deeper() -> None:
    block = cm.Box((0, 0), (4, 4))
    inside = cm.Circle((1.5, 0), 1)
    deeper = cm.move(inside, (-2, 0), block)
    assert deeper.position == (1.5, 0.0) and deeper.hits[0].overlapping and deeper.hits[0].fraction == 0.0
    assert cm.move(inside, (5, 0), block).position == (6.5, 0.0)
    assert cm.move(inside, (0, 1), block).position == (1.5, 1.0)


def test_an_index_and_sets_give_the_same() -> None:
    rng = np.random.default_rng(4)
    obstacles = cm.Shapes.boxes(rng.uniform(-20, 20, (200, 2)), rng.uniform(0.5, 2, (200, 2)), rng.uniform(0, 6, 200))
    index = cm.Index(obstacles)
    for _ in range(30):
        start = cm.Circle(rng.uniform(-20, 20, 2), 0.3)
        way = rng.uniform(-9, 9, 2)
        for response in ("slide", "bounce", "stop"):
            assert cm.move(start, way, index, response=response) == cm.move(start, way, obstacles, response=response)
    hit = cm.move(cm.Circle((-30, 0), 5), (60, 0), index).hits[0]
    assert cm.move(cm.Circle((-30, 0), 5), (60, 0), index, ignore=hit.row).hits[0].row != hit.row
    assert cm.move(cm.Circle((-30, 0), 5), (60, 0), obstacles, ignore=[hit.row]).hits[0].row != hit.row
    assert cm.move(cm.Circle((-30, 0), 5), (60, 0), index, mask=0).hits == ()


@given(st.integers(0, 10**9), st.sampled_from(["slide", "bounce", "stop"]))
def test_no_move_ends_inside_an_obstacle(seed: int, response: str) -> None:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-3, 3)
    obstacles = cm.Shapes(
        [
            *cm.Shapes.boxes(
                rng.uniform(-5, 5, (6, 2)) * scale, rng.uniform(0.3, 2, (6, 2)) * scale, rng.uniform(0, 6, 6)
            ),
            *cm.Shapes.circles(rng.uniform(-5, 5, (4, 2)) * scale, rng.uniform(0.2, 1, 4) * scale),
            *cm.Shapes.capsules(rng.uniform(-5, 5, (3, 2)) * scale, rng.uniform(-5, 5, (3, 2)) * scale, 0.2 * scale),
        ]
    )
    mover = MOVERS[seed % 5].rotated(seed % 7)
    mover = (
        mover.placed(rng.uniform(-5, 5, 2) * scale)
        if scale == 1.0
        else _sized(mover, scale).translated(rng.uniform(-5, 5, 2) * scale)
    )
    if cm.intersects(obstacles, mover).any():
        return
    way = cm.Vec(*rng.normal(0, 6, 2)) * scale
    went = cm.move(mover, way, obstacles, response=response)
    assert cm.separation(obstacles, went.shape).min() >= -1e-11 * scale
    if response == "bounce" and went.heading != (0.0, 0.0):
        assert went.heading.length == pytest.approx(way.length, rel=1e-9)
    fractions = [hit.fraction for hit in went.hits]
    assert fractions == sorted(fractions) and all(0.0 <= fraction <= 1.0 for fraction in fractions)


def _sized(shape: Any, scale: float) -> Any:
    """Return the shape scaled about the origin."""
    if isinstance(shape, cm.Circle):
        return cm.Circle((0, 0), shape.radius * scale)
    if isinstance(shape, cm.Capsule):
        return cm.Capsule(shape.start * scale, shape.end * scale, shape.radius * scale)
    return cm.Polygon([vertex * scale for vertex in shape.vertices], radius=shape.radius * scale)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "says"),
    [
        ((1, (1, 0), BALL), {}, TypeError, "shape = 1"),
        ((BALL, (1, math.nan), BALL), {}, ValueError, "translation"),
        ((BALL, 3, BALL), {}, TypeError, "translation"),
        ((BALL, (1, 0), [3]), {}, TypeError, "obstacles"),
        ((BALL, (1, 0), BALL), {"response": "fly"}, ValueError, "response = 'fly'"),
        ((BALL, (1, 0), BALL), {"restitution": 1.5}, ValueError, "restitution = 1.5"),
        ((BALL, (1, 0), BALL), {"ignore": 4}, ValueError, "ignore = 4"),
    ],
)
def test_nonsense_is_refused(arguments: Any, options: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        cm.move(*arguments, **options)


def test_empty_obstacles() -> None:
    assert cm.move(BALL, (1, 0), cm.Shapes([])).position == (1.0, 0.0)
    assert cm.move(BALL, (1, 0), cm.Index([])).position == (1.0, 0.0)
    assert cm.move(BALL, (0, 0), cm.Box((0, 1), (9, 1))).hits == ()


@pytest.mark.parametrize("at", [0.0, 1e7])
@pytest.mark.parametrize("foot", [[(4, -1), (8, -1), (8, 2), (4, 0)], [(4, 0), (8, 0), (8, 2)]])
def test_a_box_on_a_floor_slides_up_a_ramp_from_its_foot(foot: Any, at: float) -> None:
    ramp = cm.Polygon([(at + x, y) for x, y in foot])
    level = cm.Shapes([cm.Box.from_corners((at - 10, -1), (at + 4, 0)), ramp])
    went = cm.move(cm.Box((at + 1, 0.5), (1, 1)), (4, 0), level)
    # Of the 1.5 left at the foot, 4 / 5 are left along x on a slope of (2, 1).
    assert [hit.row for hit in went.hits] == [1]
    assert went.position.x - at == pytest.approx(3.5 + 1.5 * 0.8, abs=1e-7)
    assert went.position.y == pytest.approx(0.5 + 1.5 * 0.4, abs=1e-7)


LEVEL = cm.read_grid("\n".join(["P  ", "   ", "---", "   ", "###"]))  # y points down


def test_a_level_blocks_with_its_solids_and_against_its_one_way_edges() -> None:
    ball = cm.Circle((1.5, 0.5), 0.25)
    assert cm.move(ball, (0, 9), LEVEL).position == (1.5, 1.75)
    assert cm.move(ball, (0, 9), LEVEL).hits[0].row == len(LEVEL.solids)
    below = cm.Circle((1.5, 3.5), 0.25)
    assert cm.move(below, (0, -3), LEVEL).position == (1.5, 0.5)
    assert cm.move(below, (0, 3), LEVEL).position == (1.5, 3.75)
    inside = cm.Circle((1.5, 2.1), 0.25)
    assert cm.move(inside, (0, 9), LEVEL).position == (1.5, 3.75)


def test_many_movers_go_as_each_alone() -> None:
    rng = np.random.default_rng(3)
    movers = cm.Shapes.circles(rng.uniform(-20, 20, (40, 2)), 0.3)
    ways = rng.uniform(-9, 9, (40, 2))
    obstacles = cm.Shapes.boxes(rng.uniform(-20, 20, (80, 2)), rng.uniform(0.5, 2, (80, 2)), rng.uniform(0, 6, 80))
    for among in (obstacles, cm.Index(obstacles)):
        went = cm.move(movers, ways, among, response="bounce")
        alone = [cm.move(mover, way, among, response="bounce") for mover, way in zip(movers, ways, strict=True)]
        assert went.position.tolist() == [[*one.position] for one in alone]
        assert [*went.shapes] == [one.shape for one in alone]
        assert np.diff(went.hits.offsets).tolist() == [len(one.hits) for one in alone]
        assert went.hits.row.tolist() == [hit.row for one in alone for hit in one.hits]
        assert went.rest.tolist() == [[*one.rest] for one in alone]
    assert (
        cm.move([*movers], (1, 0), obstacles).position.tolist() == cm.move(movers, (1, 0), obstacles).position.tolist()
    )
    passed = cm.move(movers, ways, obstacles, ignore=np.tile(np.arange(80), (40, 1)))
    assert np.allclose(passed.position, movers.positions + ways) and not passed.hits.row.size
    with pytest.raises(ValueError, match=r"move: ignore has shape \(3,\)"):
        cm.move(movers, ways, obstacles, ignore=[1, 2, 3])


def test_movers_that_are_free_go_together_as_each_alone() -> None:
    """Some rest, some slide, some start in touch; with an Index and without."""
    rng = np.random.default_rng(4)
    walls = cm.Shapes.boxes(rng.uniform(0, 60, (60, 2)), rng.uniform(0.5, 3, (60, 2)))
    shapes = [cm.Circle((x, y), 0.4) for x, y in rng.uniform(0, 60, (100, 2)).tolist()]
    shapes += [cm.Box((x, y), (1, 0.5), angle=0.2) for x, y in rng.uniform(0, 60, (60, 2)).tolist()]
    shapes += [cm.Point((x, y)) for x, y in rng.uniform(0, 60, (20, 2)).tolist()]
    shapes += [cm.Polygon([(x, y), (x + 1, y), (x, y + 1)]) for x, y in rng.uniform(0, 60, (20, 2)).tolist()]
    ways = rng.uniform(-3, 3, (200, 2))
    ways[::9] = 0.0
    ways[4::9, 0] = 0.0
    for obstacles in (walls, cm.Index(walls)):
        many = cm.move(cm.Shapes(shapes), ways, obstacles)
        hit = 0
        for row, (shape, way) in enumerate(zip(shapes, ways.tolist(), strict=True)):
            one = cm.move(shape, way, obstacles)
            assert many.shapes[row] == one.shape
            for name in ("position", "rest", "heading"):
                assert getattr(many, name)[row].tolist() == list(getattr(one, name))
            begin, end = many.hits.offsets[row : row + 2].tolist()
            assert many.hits.row[begin:end].tolist() == [found.row for found in one.hits]
            assert many.hits.fraction[begin:end].tolist() == [found.fraction for found in one.hits]
            hit += end > begin
        assert 20 < hit < 180
