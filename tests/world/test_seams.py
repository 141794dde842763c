"""Points and segments at flush surfaces: none passes between two tiles, none stumbles over their seam."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

import carom as cm
from tests.support.smooth_world import SmoothWorld

SKIN = 0.008  # share of half a width: bodies come to rest so near

# x, y and size of a scene: rounding of all kinds, and all scales.
PLACES = [(0.0, 0.0, 1.0), (0.1, 0.3, 1.0), (1e7, 1e7, 1.0), (0.0, 0.0, 1e-9), (0.0, 0.0, 1e9), (1e9, -1e9, 1.0)]


def tiles(name: str, x: float, y: float, size: float) -> list[Any]:
    """Return shapes that touch on the line x from y on downward, and leave nothing between them."""

    def box(low_x: float, low_y: float, high_x: float, high_y: float) -> Any:
        return cm.Box.from_corners((x + low_x * size, y + low_y * size), (x + high_x * size, y + high_y * size))

    def polygon(*points: tuple[float, float]) -> Any:
        return cm.Polygon([(x + px * size, y + py * size) for px, py in points])

    return {
        "boxes": [box(-1, -1, 0, 0), box(0, -1, 1, 0)],
        "polygons": [polygon((-1, -1), (0, -1), (0, 0), (-1, 0)), polygon((0, -1), (1, -1), (1, 0), (0, 0))],
        "four": [box(-1, -1, 0, 0), box(0, -1, 1, 0), box(-1, -2, 0, -1), box(0, -2, 1, -1)],
        "T": [box(-1, -2, 0, 1), box(0, -1, 1, 0)],
        "inner corner": [box(-1, -1, 0, 0), box(0, -2, 1, 1)],
        "corners that touch": [box(-1, 0, 0, 1), box(0, -1, 1, 0)],
        "roof": [polygon((-1, -1), (0, -1), (0, 0)), polygon((0, -1), (1, -1), (0, 0))],
        "valley": [polygon((-1, -1), (0, -1), (0, 0), (-1, 1)), polygon((0, -1), (1, -1), (1, 1), (0, 0))],
        "lines": [cm.Segment((x - size, y), (x, y)), cm.Segment((x, y), (x + size, y))],
        "discs": [cm.Circle((x - size, y), size), cm.Circle((x + size, y), size)],
    }[name]


TILES = ["boxes", "polygons", "four", "T", "inner corner", "corners that touch", "roof", "valley", "lines", "discs"]


def thin(name: str, x: float, y: float, size: float) -> Any:
    """Return a mover whose lower end is at (x, y)."""
    if name == "point":
        return cm.Point((x, y))
    if name == "upright":
        return cm.Segment((x, y), (x, y + 0.5 * size))
    if name == "needle":
        return cm.Polygon([(x, y), (x + 1e-13 * size, y + 0.5 * size), (x - 1e-13 * size, y + 0.5 * size)])
    if name == "dot":
        return cm.Circle((x, y), 1e-15 * size)
    return cm.Box((x, y + 0.25 * size), (1e-12 * size, 0.5 * size))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mover", ["point", "upright", "sliver", "needle", "dot"])
@pytest.mark.parametrize("name", TILES)
def test_no_thin_shape_passes_along_a_seam(name: str, mover: str, place: tuple[float, float, float]) -> None:
    x, y, size = place
    if max(abs(x), abs(y)) > 1e6 and mover in ("sliver", "needle"):
        pytest.skip("its width is lost to rounding")
    obstacles = tiles(name, x, y, size)
    shape = thin(mover, x, y + 1.5 * size, size)
    for down in (1.75, 3.0, 50.0):
        went = cm.move(shape, (0, -down * size), cm.Shapes(obstacles), response="stop")
        gone = (went.position.y - shape.position.y) / size
        assert gone > -1.51 and went.hits, (gone, went.hits)
        world = SmoothWorld()
        for tile in obstacles:
            world.add(tile)
        body = world.add(shape, kind="dynamic", velocity=(0, -down * size), response="stop")
        hits = world.step(1.0)
        gone = (body.position.y - shape.position.y) / size
        assert gone > -1.51 and len(hits.kind), gone
        # A point that stands there stays there.
        body.velocity = (0, -down * size)
        world.step(1.0)
        assert (body.position.y - shape.position.y) / size > -1.51


@pytest.mark.parametrize("place", PLACES)
def test_a_point_does_not_pass_between_corners_that_touch(place: tuple[float, float, float]) -> None:
    x, y, size = place
    obstacles = tiles("corners that touch", x, y, size)
    start = cm.Point((x - size, y - size))
    went = cm.move(start, (3 * size, 3 * size), cm.Shapes(obstacles))
    assert went.position.x <= x + 1e-6 * size and went.position.y <= y + 1e-6 * size
    world = SmoothWorld()
    for tile in obstacles:
        world.add(tile)
    body = world.add(start, kind="dynamic", velocity=(3 * size, 3 * size))
    world.step(1.0)
    assert body.position.x <= x + 1e-6 * size and body.position.y <= y + 1e-6 * size


@pytest.mark.parametrize("aside", [0.0, 1e-3, 0.1, 0.5])
@pytest.mark.parametrize("at", [(0.0, 0.0), (0.1, 0.7), (1e7, -1e7)])
@pytest.mark.parametrize("mover", ["point", "upright", "dot"])
def test_points_and_lines_slide_over_seams(mover: str, at: tuple[float, float], aside: float) -> None:
    x, y = at
    world = SmoothWorld(gravity=(0, -10))
    for k in range(8):
        world.add(cm.Box.from_corners((x + k, y - 1 - k % 2), (x + k + 1, y)))
    body = world.add(thin(mover, x + 1 + aside, y + 0.5, 1.0), kind="dynamic")
    world.step(1 / 60, steps=60)
    assert body.resting_on
    start = body.position
    # So slow against gravity that at a seam it falls far more than it goes.
    for speed, steps in ((0.01, 30), (1.0, 120), (40.0, 6)):
        body.velocity = (speed, 0)
        before = body.position.x
        hits = world.step(1 / 60, steps=steps)
        assert (hits.speed < 0.2).all(), (speed, hits.normal)
        assert body.position.x == pytest.approx(before + speed * steps / 60, abs=1e-6)
        assert body.position.y == pytest.approx(start.y, abs=SKIN)


@pytest.mark.parametrize("ends", [range(7), [0, 1, 6], [0, 5, 5.25, 6]])
@pytest.mark.parametrize("mover", ["point", "upright", "sliver", "dot"])
def test_segments_end_to_end_are_one_floor(mover: str, ends: Any) -> None:
    lines = [cm.Segment((start, 0), (end, 0)) for start, end in itertools.pairwise(ends)]
    world = SmoothWorld(gravity=(0, -10))
    for line in lines:
        world.add(line)
    shape = thin(mover, 0.5, 0.3, 1.0)
    body = world.add(shape, kind="dynamic")
    world.step(1 / 60, steps=60)
    lower = body.position.y - shape.position.y
    assert lower == pytest.approx(-0.3, abs=SKIN)
    body.velocity = (2.0, 0)
    hits = world.step(1 / 60, steps=120)
    assert len(hits.kind) == 0, hits.normal
    assert body.position.x == pytest.approx(4.5, abs=1e-9)
    assert body.position.y == pytest.approx(shape.position.y - 0.3, abs=SKIN)
    went = cm.move(shape, (4, -1), cm.Shapes(lines))
    assert went.position == pytest.approx((4.5, shape.position.y - 0.3), abs=1e-9)
    assert [hit.normal for hit in went.hits] == [(0.0, 1.0)]


@pytest.mark.parametrize("aside", [-1e-3, 0.0, 0.3])
def test_a_point_slides_up_to_a_wall_and_down_to_a_floor(aside: float) -> None:
    """Along flush surfaces it goes on until something stands across."""
    room = [cm.Box.from_corners((k, -1), (k + 1, 0)) for k in range(-3, 3)]
    room += [cm.Box.from_corners((2, k), (3, k + 1)) for k in range(3)]
    obstacles = cm.Shapes(room)
    # At its foot a ramp is no wall.
    ramp = cm.Polygon([(0.5, 0), (1.5, 0), (1.5, 1)])
    went = cm.move(cm.Point((aside, 0)), (0.5 - aside + 0.5, 0), cm.Shapes([*room, ramp]))
    assert went.position == pytest.approx((0.75, 0.25))
    went = cm.move(cm.Point((aside, 0)), (5, 0), obstacles)
    assert went.position == pytest.approx((2, 0))
    assert [hit.normal for hit in went.hits] == [(-1.0, 0.0)]
    went = cm.move(cm.Point((2, 2.5)), (0, -5), obstacles)
    assert went.position == (2.0, 0.0)
    assert {hit.normal for hit in went.hits} == {(0.0, 1.0)}


def test_a_seam_between_moving_bodies_stays_closed() -> None:
    left, right = cm.Box((-0.5, -0.5), (1, 1)), cm.Box((0.5, -0.5), (1, 1))
    # A tile that goes up or down beside another: the point meets a corner where that is by then.
    for speed, when, end in ((0.0, 0.4, 0.0), (1.0, 1 / 3, 1.0), (-1.0, 0.4, 0.0)):
        world = SmoothWorld()
        world.add(left)
        world.add(right, kind="kinematic", velocity=(0, speed))
        point = world.add(cm.Point((0, 2)), kind="dynamic", velocity=(0, -5))
        hits = world.step(1.0)
        assert hits.time[0] == pytest.approx(when)
        assert point.position == pytest.approx((0, end), abs=1e-9)
    # Two that move together, onto a point that stands; and as one body.
    for shapes in ([left, right], [cm.Compound.from_parts([left, right])]):
        world = SmoothWorld()
        falling = [world.add(shape, kind="dynamic", velocity=(0, -2)) for shape in shapes]
        world.add(cm.Point((0, -1.5)))
        hits = world.step(1.0)
        assert hits.time.tolist() == pytest.approx([0.25] * len(shapes))
        assert all(body.position.y == pytest.approx(-1.0) for body in falling)
    # One that shuts the gap in time.
    world = SmoothWorld()
    world.add(left)
    world.add(cm.Box((1.5, -0.5), (1, 1)), kind="kinematic", velocity=(-2.0, 0))
    point = world.add(cm.Point((0, 2.5)), kind="dynamic", velocity=(0, -5))
    world.step(0.6)
    # It meets two corners at one instant, where any normal between their sides is one.
    assert point.position.y == pytest.approx(0.0, abs=1e-3)


def test_one_way_tiles_stop_a_point_from_one_side() -> None:
    for start, speed, end in ((2.0, -5.0, 0.0), (-3.0, 5.0, 2.0)):
        world = SmoothWorld()
        for x in (-0.5, 0.5):
            world.add(cm.Box((x, -0.5), (1, 1)), one_way=(0, 1))
        point = world.add(cm.Point((0, start)), kind="dynamic", velocity=(0, speed))
        world.step(1.0)
        assert point.position == pytest.approx((0, end), abs=1e-9)


def test_a_compound_that_moves_onto_a_point_stops_at_its_seam() -> None:
    pair = cm.Compound.from_parts([cm.Box((-0.5, 0.5), (1, 1)), cm.Box((0.5, 0.5), (1, 1))])
    went = cm.move(pair, (0, -3), cm.Point((0, -1)))
    assert went.position.y == pytest.approx(pair.centroid.y - 1)
    assert went.hits[0].normal == (0.0, 1.0)


def test_bodies_put_in_by_columns_meet_at_seams() -> None:
    world = SmoothWorld()
    world.add_many(cm.Shapes.boxes([(-0.5, -0.5), (0.5, -0.5)], [(1, 1)] * 2))
    points = world.add_many(cm.Shapes.points([(0, 1), (0, 2)]), kind="dynamic", velocity=(0, -9))
    world.step(1.0)
    assert points[0].position.y == pytest.approx(0.0, abs=1e-12)
    assert points[1].position.y == pytest.approx(0.0, abs=1e-12)  # it lies on the first


@pytest.mark.parametrize("shape", ["disc", "polygon"])
@pytest.mark.parametrize("at", [0.0, 1e7, 1e9])
def test_a_disc_slides_over_seams_that_are_far_away(at: float, shape: str) -> None:
    """It lies up to the slop below their face, and so meets the beginning of the next tile's arc."""
    world = SmoothWorld(gravity=(0, -0.1))
    for k in range(12):
        tile = cm.Box.from_corners((at + 0.1 * k, at - 0.1), (at + 0.1 * k + 0.1, at))
        world.add(tile if shape == "disc" else cm.Polygon(tile.vertices))
    body = world.add(cm.Circle((at + 0.125, at + 0.03), 0.03), kind="dynamic")
    world.step(1 / 60, steps=10)
    body.velocity = (10, 0)
    hits = world.step(1 / 60, steps=4)
    assert len(hits.kind) == 0, hits.normal
    assert body.velocity == (10.0, 0.0)
    assert abs(body.position.y - at - 0.03) <= 20 * 2.0**-52 * max(at, 1.0)


@pytest.mark.parametrize("unit", [1.0, 64.0, 1 / 64])
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_nothing_is_caught_on_a_line_that_is_one_body(unit: float, friction: float) -> None:
    world = cm.World(gravity=(0, -10 * unit))
    world.add(cm.Compound.polyline([(0.37 * k * unit, 0) for k in range(300)]), friction=friction)
    ball = world.add(
        cm.Circle((6 * unit, 0.5 * unit), 0.5 * unit), "dynamic", velocity=(7 * unit, 0), spin=-14, friction=friction
    )
    box = world.add(cm.Box((2 * unit, 0.5 * unit), (unit, unit)), "dynamic", velocity=(7 * unit, 0), friction=0)
    world.step(1 / 60, steps=300)
    assert math.isclose(ball.velocity.x, 7 * unit, rel_tol=1e-3)
    assert math.isclose(box.velocity.x, 7 * unit, rel_tol=1e-9)
    assert abs(ball.position.y - 0.5 * unit) < 0.005 * unit


def test_a_disc_far_from_a_side_on_its_prolongation_is_not_pushed() -> None:
    """A disc that is pulled down passes beside two tiles: the top of the farther one pushed it from 2.4 away."""
    world = cm.World()
    both = cm.Compound.from_parts([cm.Box((0, 0), (1, 1)), cm.Box((1, 0), (1, 1))])
    body, disc = (
        world.add(shape, kind="dynamic", mass=1, acceleration=pull)
        for shape, pull in ((both, (0, 0)), (cm.Circle((-2, 0.62), 0.1), (0, -20000)))
    )
    world.add(cm.Circle((-2, 1), 0.1), kind="dynamic", mask=(), acceleration=(0, -20000))
    world.step(1 / 60)
    assert disc.velocity.x == 0
    assert body.velocity == (0, 0)
