"""A character in scenes whose answers are known in closed form; and random terrain in which it overlaps nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom as cm
from tests.support.plain_python import printed_by_other_mode

DOWN = (0.0, -0.05)
BOX = cm.Box((0, 0.5), (0.8, 1))
PILL = cm.Capsule((0, 0.4), (0, 0.8), 0.4)
BALL = cm.Circle((0, 0.5), 0.5)
SHAPES = [BOX, PILL, BALL]
FEET = pytest.mark.parametrize("feet", SHAPES, ids=lambda shape: type(shape).__name__)


def tiles(first: int, last: int, top: float = 0.0) -> list[Any]:
    """Return flush unit boxes whose common top is y = top, from x = first to last."""
    return [cm.Box.from_corners((x, top - 1), (x + 1, top)) for x in range(first, last)]


def stand(shape: Any, x: float, y: float = 0.0, **settings: Any) -> cm.Character:
    """Return a character whose lowest point is at (x, y)."""
    return cm.Character(shape.translated((x, y)), up=(0, 1), **settings)


def walk(hero: cm.Character, level: Any, way: float, frames: int = 50, **more: Any) -> list[cm.Vec]:
    """Walk in equal frames, with gravity; return where it was after each."""
    return [hero.move((way / frames, DOWN[1]), level, **more).position for _ in range(frames)]


def lowest(hero: cm.Character) -> float:
    """Return the least y of the character."""
    return cm.bounds(hero.shape).min_y


def free(hero: cm.Character, level: Any) -> bool:
    """Return whether the character overlaps no shape of the level, up to rounding."""
    return bool(cm.separation(cm.Shapes(list(level)), hero.shape).min() > -1e-11)


# Floors


@FEET
@pytest.mark.parametrize("frames", [1, 7, 60])
def test_a_floor_of_flush_tiles_is_walked_at_full_speed(feet: Any, frames: int) -> None:
    level = cm.Shapes(tiles(-2, 12))
    hero = stand(feet, 0)
    walk(hero, level, 7.3, frames)
    assert hero.position == pytest.approx(feet.position + cm.Vec(7.3, 0), abs=1e-12)
    assert hero.on_floor and not hero.on_wall and hero.floor_normal == (0.0, 1.0)
    assert hero.floor == 9 or feet is not BALL


@FEET
@pytest.mark.parametrize("degrees", [5.0, 20.0, 30.0, 44.0])
def test_a_slope_is_climbed_and_descended_at_full_speed(feet: Any, degrees: float) -> None:
    slope = math.radians(degrees)
    top = cm.Vec(20 * math.cos(slope), 20 * math.sin(slope))
    level = cm.Shapes(
        [*tiles(-9, 0), cm.Polygon([(0, 0), (top.x, 0), top]), cm.Box.from_corners((top.x, -1), (50, top.y))]
    )
    hero = stand(feet, -3)
    walk(hero, level, 2, 10)
    walk(hero, level, 8, 40)
    assert hero.on_floor
    begin = hero.position
    walk(hero, level, 5, 23)
    gone = hero.position - begin
    assert gone == pytest.approx((5 * math.cos(slope), 5 * math.sin(slope)), abs=1e-11)
    assert hero.floor_normal == pytest.approx((-math.sin(slope), math.cos(slope)))
    walk(hero, level, -5, 31)
    assert hero.position == pytest.approx(begin, abs=1e-11)
    walk(hero, level, -9, 31)
    assert hero.on_floor and lowest(hero) == pytest.approx(0.0, abs=1e-11)


@FEET
@pytest.mark.parametrize("over", [-1e-6, 1e-6])
def test_max_slope_is_the_steepest_slope_that_is_walked(feet: Any, over: float) -> None:
    slope = 0.6 + over
    level = cm.Shapes([*tiles(-9, 0), cm.Polygon([(0, 0), (10, 0), (10, 10 * math.tan(slope))])])
    hero = stand(feet, -2, max_slope=0.6)
    walk(hero, level, 6, 40)
    assert hero.on_floor
    if over < 0:
        assert lowest(hero) > 1 and not hero.on_wall
    else:
        assert lowest(hero) < 0.3 and hero.on_wall


@FEET
def test_a_character_slides_only_on_slopes_beyond_max_slope(feet: Any) -> None:
    level = cm.Shapes([cm.Polygon([(-10, -10), (10, -10), (10, 10)])])
    for steep in (False, True):
        hero = stand(feet, 0, 3, max_slope=math.pi / 4 - 0.01 * steep)
        for _ in range(30):
            hero.move((0, -0.3), level)
        begin = hero.position
        for _ in range(100):
            hero.move((0, -0.3), level)
        if steep:
            assert hero.position.y < begin.y - 1 and hero.position.x < begin.x - 1 and not hero.on_floor
        else:
            assert hero.position == begin and hero.on_floor


@FEET
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("at", [0.0, 1e7])
def test_a_character_stands_still_in_a_valley(feet: Any, scale: float, at: float) -> None:
    if at and scale < 1.0:
        pytest.skip("a millionth so far out is a few roundings wide")
    left, right = cm.Polygon([(-9, 0), (0, 0), (-9, 5)]), cm.Polygon([(0, 0), (9, 0), (9, 7)])
    level = cm.Shapes([sized(shape, scale).translated((at, 0)) for shape in (left, right)])
    hero = cm.Character(sized(feet.translated((-3, 4)), scale).translated((at, 0)), up=(0, 1))
    for _ in range(60):
        hero.move((0.1 * scale, -0.2 * scale), level)
    for _ in range(20):
        hero.move((0, -0.2 * scale), level)
    begin = hero.position
    for _ in range(1000):
        hero.move((0, -0.2 * scale), level)
        assert hero.position == begin and hero.on_floor


@FEET
def test_a_character_between_two_steep_slopes_stands_and_can_jump(feet: Any) -> None:
    level = cm.Shapes([cm.Polygon([(-3, 0), (0, 0), (-3, 9)]), cm.Polygon([(0, 0), (3, 0), (3, 9)])])
    hero = stand(feet, 0.1, 5)
    for _ in range(60):
        hero.move((0, -0.2), level)
    begin = hero.position
    assert hero.on_floor and hero.floor_normal == (0, 1)
    for _ in range(20):
        hero.move((0.05, -0.2), level)
        assert hero.position == pytest.approx(begin, abs=1e-10) and hero.on_floor
    hero.move((0, 0.5), level)
    assert hero.position.y == pytest.approx(begin.y + 0.5) and not hero.on_floor


def sized(shape: Any, scale: float) -> Any:
    """Return the shape scaled about the origin."""
    if isinstance(shape, cm.Circle):
        return cm.Circle(shape.center * scale, shape.radius * scale)
    if isinstance(shape, cm.Capsule):
        return cm.Capsule(shape.start * scale, shape.end * scale, shape.radius * scale)
    if isinstance(shape, cm.Box):
        return cm.Box(shape.center * scale, shape.size * scale)
    return cm.Polygon([vertex * scale for vertex in shape.vertices])


# Snap


@FEET
@pytest.mark.parametrize("frames", [2, 11, 100])
def test_a_character_follows_a_convex_edge_at_any_speed(feet: Any, frames: int) -> None:
    level = cm.Shapes([*tiles(-9, 0), cm.Polygon([(0, 0), (0, -9), (9, -9)]), *tiles(9, 20, -9)])
    hero = stand(feet, -3)
    walk(hero, level, 8, frames)
    assert hero.on_floor and hero.floor_normal == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))
    assert free(hero, level)
    loose = stand(feet, -3, snap=0)
    loose.move((3.5, -0.01), level)
    loose.move((1, -0.01), level)
    assert not loose.on_floor


@FEET
def test_stairs_within_snap_are_walked_down_and_a_cliff_is_not(feet: Any) -> None:
    stairs = [cm.Box.from_corners((k, -9), (k + 1, -0.25 * k)) for k in range(8)]
    level = cm.Shapes([*tiles(-9, 0), *stairs])
    hero, loose = stand(feet, -1, snap=0.26), stand(feet, -1, snap=0.1)
    assert all(hero.move((0.1, -0.01), level) and hero.on_floor for _ in range(80))
    assert lowest(hero) < -1.4
    assert not all(loose.move((0.1, -0.01), level) and loose.on_floor for _ in range(80))
    cliff = cm.Shapes(tiles(-9, 0))
    hero = stand(feet, -1, snap=0.26)
    walk(hero, cliff, 3, 40)
    assert not hero.on_floor and hero.position.x > 1 and lowest(hero) < 0


@FEET
def test_snap_does_not_pull_back_a_jump(feet: Any) -> None:
    level = cm.Shapes([*tiles(-9, 1), cm.Polygon([(1, 0), (9, 0), (9, 4)])])
    for x in (-3, 3):
        hero = stand(feet, x, 4, snap=0.5)
        while not hero.on_floor:
            hero.move((0, -0.1), level)
        begin = hero.position
        hero.move((0.1, 0.12), level)
        assert hero.position == pytest.approx(begin + cm.Vec(0.1, 0.12)) and not hero.on_floor
        hero.move((0, 0.01), level)
        hero.move((0, -0.001), level)
        assert not hero.on_floor


# Steps


@FEET
@pytest.mark.parametrize("frames", [4, 40, 400])
@pytest.mark.parametrize("rise", [0.1, 0.3, 0.45])
def test_stairs_are_walked_up_at_any_speed(feet: Any, frames: int, rise: float) -> None:
    stairs = [cm.Box.from_corners((k, -1), (20, rise * (k + 1))) for k in range(6)]
    level = cm.Shapes([*tiles(-9, 0), *stairs])
    hero = stand(feet, -1, step_height=0.5)
    for at in walk(hero, level, 9, frames):
        assert hero.on_floor
        assert cm.separation(level, hero.shape.translated(at - hero.position)).min() > -1e-11
    assert lowest(hero) == pytest.approx(6 * rise, abs=1e-11)
    low = stand(feet, -1, step_height=0.09)
    walk(low, level, 9, 40)
    assert low.position.x < 1 or (rise < 0.15 and feet is not BOX)


FUNNEL = cm.Polygon([(-0.25, 0), (0.25, 0), (0.3, 1), (-0.3, 1)])


@pytest.mark.parametrize("feet", [*SHAPES, FUNNEL], ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("rise", [0.3, 0.45, 0.5, 0.6])
def test_a_high_step_is_climbed_however_slowly(feet: Any, rise: float) -> None:
    """A shape wider above its foot gets onto the edge of the step with a side that is next to upright."""
    level = cm.Shapes([*tiles(-3, 1), cm.Box.from_corners((1, -1), (9, rise))])
    hero = stand(feet, 0.2 - (cm.bounds(feet).max_x - 0.8), step_height=rise)
    for _at in walk(hero, level, 0.9, 600):
        assert free(hero, level)
    assert hero.on_floor and lowest(hero) == pytest.approx(rise, abs=1e-11)


def test_a_box_on_stairs_keeps_its_speed() -> None:
    level = cm.Shapes([*tiles(-9, 0), *(cm.Box.from_corners((k, -1), (20, 0.25 * (k + 1))) for k in range(6))])
    hero = stand(BOX, -1, step_height=0.3)
    walk(hero, level, 5, 37)
    assert hero.position == pytest.approx((4, 0.5 + 0.25 * 5), abs=1e-11)


@FEET
def test_a_step_under_too_low_a_ceiling_is_a_wall(feet: Any) -> None:
    step, ceiling = cm.Box.from_corners((1, 0), (5, 0.3)), cm.Box.from_corners((-2, 1.25), (9, 2))
    level = cm.Shapes([*tiles(-9, 9), step, ceiling])
    hero = stand(feet, 0, step_height=0.4)
    walk(hero, level, 3)
    assert hero.on_floor and (hero.on_wall or hero.on_ceiling) and free(hero, level)
    assert hero.position.x < 1


@FEET
@pytest.mark.parametrize("way", [0.2, 3.0, 1e6])
def test_a_character_steps_over_a_low_post_and_through_no_high_one(feet: Any, way: float) -> None:
    for height in (0.3, 0.6):
        post = cm.Box.from_corners((1, 0), (1.001, height))
        level = cm.Shapes([cm.Box.from_corners((-9, -1), (1e7, 0)), post])
        hero = stand(feet, 0, step_height=0.4)
        walk(hero, level, way * 40, 40) if way < 1 else hero.move((way, -0.01), level)
        assert free(hero, level)
        assert (hero.position.x > 2) == (height < 0.4)


# Walls and ceilings


@FEET
@pytest.mark.parametrize("way", [1.0, 50.0, 1e5])
def test_a_wall_stops_the_character_and_is_reported(feet: Any, way: float) -> None:
    level = cm.Shapes([*tiles(-3, 3), cm.Box.from_corners((2, 0), (2.01, 5))])
    hero = stand(feet, 1)
    went = hero.move((way, -1), level)
    assert cm.bounds(hero.shape).max_x == pytest.approx(2, abs=1e-12)
    assert hero.on_wall and hero.on_floor and went.heading == (0, 0)
    (hit,) = went.hits
    assert hit.kind == "wall" and hit.normal == pytest.approx((-1, 0)) and hit.row == 6
    hero.move((-0.5, -1), level)
    assert not hero.on_wall and cm.bounds(hero.shape).max_x == pytest.approx(1.5, abs=1e-12)


@FEET
def test_a_ceiling_stops_upward_motion_and_a_slanted_one_deflects_it(feet: Any) -> None:
    level = cm.Shapes([*tiles(-9, 9), cm.Box.from_corners((-9, 3), (9, 4))])
    hero = stand(feet, 0)
    went = hero.move((2, 10), level)
    assert hero.on_ceiling and not hero.on_floor and cm.bounds(hero.shape).max_y == pytest.approx(3)
    assert went.heading == pytest.approx((2, 0)) and hero.position.x == pytest.approx(2)
    slanted = cm.Shapes([cm.Polygon([(-9, 3 - 4.5), (9, 3 + 4.5), (-9, 9)])])
    hero = stand(feet, 0)
    hero.move((0, 3), slanted)
    assert hero.on_ceiling and hero.position.x > 0.1 and free(hero, slanted)


@FEET
def test_a_wall_in_the_air_stops_sideways_motion_only(feet: Any) -> None:
    level = cm.Shapes([cm.Box.from_corners((2, -50), (3, 50))])
    hero = stand(feet, 0)
    went = hero.move((9, 4), level)
    assert went.heading == pytest.approx((0, 4)) and hero.position.y == pytest.approx(feet.position.y + 4)
    went = hero.move((9, -4), level)
    assert went.heading == pytest.approx((0, -4)) and hero.on_wall and not hero.on_floor


@FEET
def test_running_into_a_steep_slope_does_not_climb_it(feet: Any) -> None:
    level = cm.Shapes([*tiles(-9, 0), cm.Polygon([(0, 0), (9, 0), (9, 18)])])
    hero = stand(feet, -1)
    walk(hero, level, 20, 20)
    assert hero.on_wall and lowest(hero) < 0.01
    hero = stand(feet, 0, 6)
    for _ in range(5):
        before = hero.position.y
        hero.move((1.0, -0.3), level)
        assert hero.position.y < before
    hero = stand(feet, -0.6, 3)
    went = hero.move((2, 0.5), level)
    assert went.position.y <= feet.position.y + 3.5 + 1e-12


# One-way platforms


@FEET
@pytest.mark.parametrize("degrees", [0.0, 30.0, -30.0])
@pytest.mark.parametrize("thin", [False, True])
def test_a_one_way_platform_passes_from_below_and_holds_from_above(feet: Any, degrees: float, thin: bool) -> None:
    slope = math.radians(degrees)
    along = cm.Vec(math.cos(slope), math.sin(slope)) * 4
    platform = cm.Segment(-along, along) if thin else cm.Box((0, 0), (8, 0.4), slope)
    level = cm.Shapes([platform])
    hero = stand(feet, 0.2, -6)
    for _ in range(7):
        went = hero.move((0, 1.3), level, one_way=0)
        assert went.hits == () and not hero.on_floor
    for _ in range(40):
        hero.move((0, -0.3), level, one_way=[0])
    assert hero.on_floor and free(hero, level)
    begin = hero.position
    walk(hero, level, 1, 10, one_way=0)
    assert hero.on_floor and (hero.position - begin) == pytest.approx(along * 0.25, abs=1e-11)
    fast = stand(feet, 0.2, 50)
    fast.move((0, -1e6), level, one_way=0)
    assert fast.on_floor
    hero.move((0, -0.05), level, one_way=0, drop=True)
    for _ in range(60):
        hero.move((0, -0.2), level, one_way=0)
    assert hero.position.y < -5 and not hero.on_floor


@FEET
def test_a_one_way_platform_passes_from_the_side(feet: Any) -> None:
    level = cm.Shapes([*tiles(-9, 9), cm.Box.from_corners((1, 0.2), (3, 0.4))])
    hero = stand(feet, -1)
    walk(hero, level, 6, one_way=9 + 9)
    assert hero.position == pytest.approx(feet.position + cm.Vec(5, 0), abs=1e-12) and hero.on_floor


@FEET
def test_drop_falls_through_the_platform_below_the_feet_and_no_other(feet: Any) -> None:
    platforms = [cm.Box.from_corners((k, y - 0.2), (k + 1, y)) for y in (4.0, 2.0) for k in range(-2, 2)]
    level = cm.Shapes([*platforms, *tiles(-3, 3)])
    rows = range(8)
    hero = stand(feet, 0, 4.5)
    for _ in range(10):
        hero.move((0, -0.1), level, one_way=rows)
    assert lowest(hero) == pytest.approx(4)
    hero.move((0, 0), level, one_way=rows, drop=True)
    for _ in range(25):
        hero.move((0, -0.1), level, one_way=rows)
    assert hero.on_floor and lowest(hero) == pytest.approx(2)
    for _ in range(40):
        hero.move((0, -0.1), level, one_way=rows, drop=True)
    assert hero.on_floor and lowest(hero) == pytest.approx(0, abs=1e-12)


def test_drop_does_not_fall_through_a_solid_floor() -> None:
    level = cm.Shapes(tiles(-3, 3))
    hero = stand(BOX, 0)
    for _ in range(5):
        hero.move(DOWN, level, drop=True)
    assert hero.on_floor and lowest(hero) == 0


# Riding


def world_with(*lifts: tuple[Any, dict[str, Any]]) -> tuple[cm.World, list[cm.Body]]:
    """Return a world with a kinematic body for each shape and its settings, tiles far to the left, and those bodies."""
    world = cm.World()
    for tile in tiles(-20, -10):
        world.add(tile)
    return world, [world.add(shape, kind="kinematic", **given) for shape, given in lifts]


@FEET
@pytest.mark.parametrize("velocity", [(3, 0), (-2, 0), (0, 4), (0, -5), (2.5, 3.5), (300, 0), (0, 400), (0, -400)])
def test_a_moving_platform_carries_the_character(feet: Any, velocity: tuple[float, float]) -> None:
    world, (lift,) = world_with((cm.Box((0, -0.5), (6, 1)), {"velocity": velocity}))
    hero = stand(feet, 0)
    hero.move(DOWN, world)
    assert hero.on_floor and hero.floor == lift.row
    for _ in range(40):
        world.step(0.05)
        went = hero.move((0, -0.2), world)
        assert hero.on_floor and went.carried == pytest.approx(cm.Vec(*velocity) * 0.05)
        assert hero.position - lift.position == pytest.approx(feet.position - (0, -0.5), abs=1e-10)
    world.step(0.05)
    went = hero.move((0.5, -0.2), world)
    assert hero.position - lift.position == pytest.approx(feet.position - (0, -0.5) + cm.Vec(0.5, 0), abs=1e-10)
    lift.velocity = (0, 0)
    world.step(0.05)
    assert hero.move((0, 0.3), world).heading == (0, 0.3)
    assert hero.position.y - lift.position.y == pytest.approx(feet.position.y + 0.8, abs=1e-9)


@FEET
@pytest.mark.parametrize("spin", [0.3, -0.3, 2.0])
def test_a_turntable_carries_the_character_round(feet: Any, spin: float) -> None:
    """A disc that turns in the plane takes along what stands on it, until its rim is too steep."""
    world = cm.World()
    disc = world.add(cm.Circle((0, -5), 5), kind="kinematic", spin=spin)
    hero = stand(feet, 0)
    hero.move((0, -0.01), world)
    for k in range(1, 7):
        world.step(0.05)
        hero.move((0, -0.01), world)
        assert hero.on_floor and hero.floor == disc.row
        turned = spin * 0.05 * k
        assert hero.position.x == pytest.approx(-5 * math.sin(turned), abs=0.12 * abs(turned) * 5)
        assert -1e-9 < cm.separation(disc.shape, hero.shape) < 1e-9


@FEET
def test_a_seesaw_lifts_the_character_on_it(feet: Any) -> None:
    world = cm.World()
    plank = world.add(cm.Box((0, -0.25), (12, 0.5)), kind="kinematic", spin=0.4)
    hero = stand(feet, 3)
    hero.move((0, -0.01), world)
    for _ in range(25):
        world.step(0.05)
        hero.move((0, -0.01), world)
        assert hero.on_floor and not hero.crushed and cm.separation(plank.shape, hero.shape) > -1e-9
    assert hero.position.y > feet.position.y + 1
    assert hero.position.x == pytest.approx(3, abs=0.7)


@FEET
@pytest.mark.parametrize("speed", [1.0, 1000.0])
def test_a_body_that_drives_into_the_character_pushes_it(feet: Any, speed: float) -> None:
    ram = cm.Box((-3, 0.6), (1, 1))
    world, (body,) = world_with((ram, {"velocity": (speed, 0)}))
    world.add(cm.Box.from_corners((-9, -1), (5000, 0)))
    hero = stand(feet, 0)
    hero.move(DOWN, world)
    for _ in range(60):
        world.step(0.05)
        hero.move((0, -0.1), world)
        assert not hero.crushed and cm.separation(body.shape, hero.shape) > -1e-9
    assert hero.on_floor
    assert cm.bounds(hero.shape).min_x == pytest.approx(cm.bounds(body.shape).max_x, abs=0.1)
    lift_world, (lift,) = world_with((cm.Box((0, -5), (3, 1)), {"velocity": (0, speed)}))
    lift_world.add(cm.Box.from_corners((-9, -1), (-0.1, 0)))
    hero = stand(feet, 0.3)
    hero.move((0, 0), lift_world)
    for _ in range(10):
        lift_world.step(0.5)
        hero.move((0, -0.01), lift_world)
    assert cm.separation(lift.shape, hero.shape) == pytest.approx(0, abs=1e-9) and lowest(hero) > -1


@pytest.mark.parametrize("one_way", [None, (0, 1)])
@pytest.mark.parametrize("frames", [1, 20])
@pytest.mark.parametrize("speed", [0.5, 2.0, 20.0])
def test_a_lift_that_rises_before_the_first_move_takes_the_hero_along(one_way: Any, frames: int, speed: float) -> None:
    thick = 2 * max(speed * frames / 60, 0.5)  # it has not passed the hero altogether
    world, (lift,) = world_with((cm.Box((0, -thick / 2), (6, thick)), {"velocity": (0, speed), "one_way": one_way}))
    hero = stand(BOX, 0)
    for _ in range(frames):
        world.step(1 / 60)
    for _ in range(30):
        hero.move(DOWN, world)
        assert lowest(hero) == pytest.approx(lift.position.y + thick / 2, abs=1e-9)
        assert hero.on_floor and hero.floor == lift.row and not hero.crushed
        world.step(1 / 60)


def test_a_hero_made_within_a_one_way_platform_that_moves_aside_falls_through() -> None:
    world, _ = world_with((cm.Box((0, -0.5), (6, 1)), {"velocity": (1, 0), "one_way": (0, 1)}))
    hero = stand(BOX, 0, -0.3)
    for _ in range(5):
        world.step(1 / 60)
        hero.move(DOWN, world)
    assert not hero.on_floor and lowest(hero) == pytest.approx(-0.3 + 5 * DOWN[1])


@FEET
@pytest.mark.parametrize("thick", [0.1, 1.0])
def test_a_squeezed_character_is_reported_and_stays_in_place(feet: Any, thick: float) -> None:
    world, (lift,) = world_with((cm.Box((0, -thick / 2), (6, thick)), {"velocity": (0, 1)}))
    world.add(cm.Box.from_corners((-3, 3), (3, 4)))
    hero = stand(feet, 0)
    hero.move(DOWN, world)
    tall = cm.bounds(feet).max_y
    for _ in range(60):
        world.step(0.05)
        hero.move((0, -0.1), world)
        top = cm.bounds(lift.shape).max_y
        assert hero.crushed == (top + tall > 3 + 1e-9)
        assert hero.position.x == 0 and lowest(hero) == pytest.approx(min(top, 3 - tall), abs=1e-9)
    lift.velocity = (0, -1)
    for _ in range(70):
        world.step(0.05)
        hero.move((0, 0), world)
        top = cm.bounds(lift.shape).max_y
        assert lowest(hero) <= 3 - tall + 1e-9
        assert hero.crushed or cm.separation(lift.shape, hero.shape) > -1e-9
    assert not hero.crushed


@FEET
@pytest.mark.parametrize("thick", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("speed", [23.0, 211.0, 5000.0])
def test_a_press_that_passes_the_character_within_a_frame_is_reported(feet: Any, thick: float, speed: float) -> None:
    world, (press,) = world_with((cm.Box((0, 4 + thick / 2), (6, thick)), {"velocity": (0, -speed)}))
    world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    hero = stand(feet, 0)
    hero.move(DOWN, world)
    tall, told = cm.bounds(feet).max_y, False
    while cm.bounds(press.shape).max_y > -2:
        before = cm.bounds(press.shape)
        world.step(1 / 60)
        hero.move(DOWN, world)
        now = cm.bounds(press.shape)
        came_over = now.min_y < tall - 1e-9 <= before.min_y
        assert hero.crushed == (came_over or now.min_y < 0 < now.max_y or 0 <= now.min_y < tall - 1e-9)
        assert hero.position == feet.position
        told = told or hero.crushed
    assert told


@FEET
@pytest.mark.parametrize("degrees", [10.0, 45.0, 80.0])
@pytest.mark.parametrize("speed", [1.0, 30.0, 1000.0])
def test_an_overhanging_wall_pushes_the_character_along_the_floor(feet: Any, degrees: float, speed: float) -> None:
    lean = 4 * math.tan(math.radians(degrees))
    wall = cm.Polygon([(0, 0.01), (40, 0.01), (40, 4.01), (-lean, 4.01)])
    world, (body,) = world_with((wall, {"velocity": (-speed, 0)}))
    world.add(cm.Box.from_corners((-2000, -1), (9, 0)))
    hero = stand(feet, -lean - 2)
    began = hero.position
    hero.move(DOWN, world)
    for _ in range(60):
        world.step(1 / 60)
        hero.move(DOWN, world)
        gap = cm.separation(body.shape, hero.shape)
        assert not hero.crushed and gap > -1e-9 and hero.position.y == pytest.approx(began.y, abs=1e-9)
        assert hero.position == began or gap < 1e-9


@FEET
@pytest.mark.parametrize("thick", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("spin", [0.5, 5.0, 60.0])
def test_a_swinging_arm_pushes_the_character_ahead(feet: Any, thick: float, spin: float) -> None:
    world, (arm,) = world_with((cm.Box((1.5, 2.5), (thick, 4.9)), {"spin": -spin, "pivot": (1.5, 5)}))
    world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    hero = stand(feet, 0)
    hero.move(DOWN, world)
    while arm.angle > -1.5:
        world.step(0.7 / 60)
        hero.move(DOWN, world)
        assert not hero.crushed and cm.separation(arm.shape, hero.shape) > -1e-9
    assert -3 < hero.position.x < -1.5  # where the tip has risen above it


@FEET
def test_a_moving_wall_crushes_the_character_against_a_wall(feet: Any) -> None:
    world, _ = world_with((cm.Box((-3, 1), (1, 2)), {"velocity": (1, 0)}))
    world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    world.add(cm.Box.from_corners((2, 0), (3, 9)))
    hero = stand(feet, 0)
    seen = []
    for _ in range(90):
        world.step(0.05)
        hero.move(DOWN, world)
        seen.append(hero.crushed)
        assert cm.bounds(hero.shape).max_x <= 2 + 1e-9 and lowest(hero) == pytest.approx(0, abs=1e-9)
    assert seen == sorted(seen) and not seen[0] and seen[-1]


@FEET
def test_moved_rows_of_an_index_carry_and_push(feet: Any) -> None:
    index = cm.Index(cm.Shapes([*tiles(-3, 0), cm.Box((1.5, -0.5), (3, 1)), cm.Circle((9, 9), 1)]))
    hero = stand(feet, 1.5)
    hero.move(DOWN, index)
    assert hero.floor == 3
    for k in range(1, 30):
        index.update([3], cm.Shapes([cm.Box((1.5 + 0.1 * k, -0.5 + 0.05 * k), (3, 1))]))
        hero.move((0, -0.05), index)
        assert hero.floor == 3
        assert hero.position == pytest.approx(feet.position + cm.Vec(1.5 + 0.1 * k, 0.05 * k), abs=1e-9)
    index.update([3], cm.Shapes([cm.Circle((1, 1), 0.5)]))
    began = hero.position
    hero.move((0, -0.05), index)
    assert hero.position == pytest.approx(began + cm.Vec(*DOWN))


def test_a_one_way_lift_carries_only_from_above() -> None:
    world = cm.World()
    floor = world.add(cm.Box.from_corners((-9, -1), (9, 0)))
    world.add(cm.Box((0, -3), (4, 0.2)), kind="kinematic", velocity=(0, 1), one_way=(0, 1))
    hero = stand(BOX, 0)
    rows = []
    for _ in range(80):
        world.step(0.05)
        hero.move(DOWN, world)
        rows.append(hero.floor)
        assert hero.on_floor and not hero.crushed
    assert rows == [floor.row] * rows.count(floor.row) + [1] * rows.count(1) and lowest(hero) > 1


def test_a_lift_that_is_removed_or_replaced_lets_go() -> None:
    world, (lift,) = world_with((cm.Box((0, -0.5), (6, 1)), {"velocity": (1, 0)}))
    hero = stand(BOX, 0)
    hero.move(DOWN, world)
    world.remove(lift)
    other = world.add(cm.Box((50, -0.5), (6, 1)), kind="kinematic", velocity=(1, 0))
    assert other.row == lift._row
    world.step(0.05)
    hero.move(DOWN, world)
    assert not hero.on_floor and hero.position.x == 0


# Anything


def landscape(rng: np.random.Generator, size: float, at: float, up: float = 1.0) -> list[Any]:
    """Return columns of ground with slopes and steps, and a low ceiling, in a closed room, sizes in units of `size`."""
    outlines = []
    heights = rng.integers(0, 5, 12) * rng.choice([0.25, 0.5, 1.0])
    for k, height in enumerate(heights.tolist()):
        after = float(heights[(k + 1) % 12]) if rng.random() < 0.5 else height
        outlines.append([(k, -2.0), (k + 1.0, -2.0), (k + 1.0, after), (k, height)])
    for x in rng.integers(0, 12, 3).tolist():
        low = rng.uniform(1.5, 6)
        outlines.append([(x, low), (x + 2.0, low + rng.uniform(-0.5, 0.5)), (x + 2.0, 9.0), (x, 9.0)])
    for low_x, low_y, high_x, high_y in ((-1, -3, 0, 10), (12, -3, 13, 10), (-1, 9, 13, 10), (-1, -3, 13, -2)):
        outlines.append([(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)])
    return [cm.Polygon([(at + size * x, up * size * y) for x, y in outline]) for outline in outlines]


def ramble(seed: int, up: float = 1.0) -> tuple[cm.Character, cm.Shapes, float, list[Any]]:
    """Move at random; return the character, the level, its size, and its states on the way."""
    rng = np.random.default_rng(seed)
    size, at = float(10.0 ** rng.integers(-6, 7)), float(rng.choice([0.0, 0.0, 1e7]))
    size = 1.0 if at else size
    level = cm.Shapes(landscape(rng, size, at, up))
    shape = sized([BOX, PILL, BALL][seed % 3], 0.7 * size)
    hero = cm.Character(
        shape.translated((at, 0)),
        up=(0, up),
        max_slope=rng.uniform(0.2, 1.2),
        snap=size * rng.choice([0.0, 0.1, 0.5]),
        step_height=size * rng.choice([0.0, 0.3]),
    )
    while cm.intersects(level, hero.shape).any():
        hero.position = at + size * rng.uniform(0.5, 11.5), up * size * rng.uniform(0.5, 8.5)
    seen = []
    fall = 0.0
    for _ in range(40):
        fall = 0.0 if hero.on_floor else fall - 0.02
        way = rng.choice([0.0, 0.05, -0.1, 0.5, -3.0, 100.0])
        jump = float(hero.on_floor and rng.random() < 0.2) * 0.3
        hero.move((size * way, up * size * (fall - 0.02 + jump)), level)
        seen.append((hero.position, hero.on_floor, hero.on_wall, hero.on_ceiling))
        depth = -cm.separation(level, hero.shape).min()
        assert depth <= 1e-11 * size + 64 * math.ulp(at)
        assert at < hero.position.x < at + 12 * size and -2 * size < up * hero.position.y < 9 * size
    return hero, level, size, seen


@given(st.integers(0, 10**9))
def test_no_walk_ends_inside_an_obstacle_or_beyond_a_wall(seed: int) -> None:
    ramble(seed)


@pytest.mark.parametrize("seed", range(12))
def test_y_down_gives_the_mirrored_walk(seed: int) -> None:
    _, _, size, seen = ramble(seed)
    _, _, _, mirrored = ramble(seed, up=-1.0)
    assert len(seen) == len(mirrored)
    for (at, *state), (other, *mirror) in zip(seen, mirrored, strict=True):
        assert other == pytest.approx((at.x, -at.y), rel=1e-9, abs=1e-9 * size) and state == mirror


def test_plain_python_walks_with_the_same_bits() -> None:
    code = "from tests.character.test_character import ramble; print([ramble(seed)[3] for seed in (0, 1, 2)])"
    assert printed_by_other_mode(code).strip() == repr([ramble(seed)[3] for seed in (0, 1, 2)])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(24))
def test_a_character_among_moving_platforms_overlaps_only_when_crushed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = cm.World()
    for low, high in (
        ((-1, -1), (21, 0)),
        ((-1, 0), (0, 12)),
        ((20, 0), (21, 12)),
        ((-1, 12), (21, 13)),
        ((6, 0), (9, 1)),
    ):
        world.add(cm.Box.from_corners(low, high))
    for k in range(4):
        shape = cm.Box(rng.uniform((2, 1), (18, 10)), rng.uniform(0.3, 4, 2))
        spin = float(rng.uniform(-2, 2)) if k == 0 else 0.0
        way = (0, 1) if k == 1 else None
        world.add(shape, kind="kinematic", velocity=rng.uniform(-4, 4, 2), spin=spin, one_way=way)
    platforms = [body for body in world.bodies if body.kind == "kinematic"]
    hero = cm.Character(SHAPES[seed % 3], up=(0, 1), step_height=0.3 * (seed % 2))
    while min(cm.separation(body.shape, hero.shape) for body in world.bodies) <= 0.0:
        hero.position = rng.uniform((1, 0.6), (19, 11))
    hero.move((0, 0), world)
    fall = 0.0
    for _ in range(150):
        for body in platforms:
            (x, y), (vx, vy) = body.position, body.velocity
            body.velocity = (
                vx if 1 < x < 19 else math.copysign(vx, 10 - x),
                vy if 1 < y < 11 else math.copysign(vy, 6 - y),
            )
        world.step(1 / 30)
        fall = 0.0 if hero.on_floor else fall - 0.03
        jump = 0.5 * float(hero.on_floor and rng.random() < 0.1)
        before = hero.position
        hero.move((rng.choice([0.0, 0.15, -0.15, 0.3]), fall - 0.03 + jump), world)
        assert 0 < hero.position.x < 20 and 0 < hero.position.y < 12 and (hero.position - before).length < 1.6
        for body in world.bodies:
            if body.kind == "static" or (body != platforms[1] and not hero.crushed):
                assert cm.separation(body.shape, hero.shape) > -1e-9


def test_any_direction_may_be_up() -> None:
    turn = 0.7
    up, right = cm.Vec(-math.sin(turn), math.cos(turn)), cm.Vec(math.cos(turn), math.sin(turn))
    floor = cm.Box((0, -0.5), (40, 1)).rotated(turn, pivot=(0, 0))
    hero = cm.Character(BOX.rotated(turn, pivot=(0, 0)).translated(up), up=up * 3)
    for _ in range(30):
        hero.move(up * -0.05, floor)
    began = hero.position
    for _ in range(50):
        assert hero.move(right * 0.1, floor) and hero.on_floor
    assert hero.position - began == pytest.approx(right * 5, abs=1e-11)


def test_position_and_shape_can_be_set() -> None:
    level = cm.Shapes([*tiles(-9, 9), cm.Box.from_corners((2, 0.7), (4, 2))])
    hero = stand(BOX, 0)
    hero.move(DOWN, level)
    walk(hero, level, 5)
    assert hero.on_wall and cm.bounds(hero.shape).max_x == pytest.approx(2)
    hero.shape = cm.Box((hero.position.x, 0.3), (0.8, 0.6))
    walk(hero, level, 2)
    assert hero.position.x == pytest.approx(3.6) and hero.on_floor
    hero.position = (-5, 3)
    assert hero.position == (-5, 3) and not hero.on_floor
    assert "Vec(-5.0, 3.0)" in repr(hero)


def test_a_character_without_obstacles_has_no_floor() -> None:
    for nothing in (cm.Shapes([]), cm.Index([]), cm.World()):
        hero = stand(BOX, 0)
        went = hero.move((1, -2), nothing)
        assert went.position == (1, -1.5) and went.heading == (1, -2) and not hero.on_floor and went.hits == ()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"up": (0, 0)}, "up"),
        ({"up": (0, math.nan)}, "up"),
        ({"up": (0, 1), "max_slope": math.pi / 2}, "max_slope"),
        ({"up": (0, 1), "snap": -1.0}, "snap"),
        ({"up": (0, 1), "step_height": math.inf}, "step_height"),
    ],
)
def test_wrong_settings_are_refused_by_name(settings: Any, says: str) -> None:
    with pytest.raises(ValueError, match=f"Character: {says}"):
        cm.Character(BOX, **settings)


def test_a_refused_move_changes_nothing() -> None:
    level = cm.Index(tiles(-3, 3))
    hero = stand(BOX, 0)
    hero.move(DOWN, level)
    before = dict(vars(hero))
    world = cm.World()
    wrong: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
        ((math.nan, 0), level, {}, ValueError, "translation"),
        (DOWN, [1], {}, TypeError, "obstacles"),
        (DOWN, level, {"one_way": 9}, ValueError, "one_way"),
        (DOWN, level, {"ignore": 9}, ValueError, "ignore"),
        (DOWN, level, {"drop": 1}, TypeError, "drop"),
        (DOWN, cm.Shapes(tiles(0, 1)), {"mask": 1}, ValueError, "mask"),
        (DOWN, world, {"one_way": 0}, ValueError, "one_way"),
        (DOWN, world, {"ignore": 3}, TypeError, "ignore"),
    ]
    for way, obstacles, given_, error, says in wrong:
        with pytest.raises(error, match=rf"Character\.move: {says}"):
            hero.move(way, obstacles, **given_)
        assert vars(hero) == before


@FEET
@pytest.mark.parametrize("start", [0.0, 0.13, 0.31, 0.59, 0.6])
def test_a_character_that_walks_off_a_ledge_keeps_its_speed(feet: Any, start: float) -> None:
    """However little of the frame is left when the floor ends; and a wall it then meets takes what goes into it."""
    for wall in (False, True):
        level = cm.Shapes([*tiles(-3, 1), *([cm.Box.from_corners((2.25, -9), (3, 9))] if wall else [])])
        hero = stand(feet, 0.6 + start - 0.3, snap=0.05)
        hero.move((0, -0.01), level)
        went = hero.move((1.2, -0.2), level)
        assert not hero.on_floor
        assert hero.on_wall == (wall and cm.bounds(hero.shape).max_x == pytest.approx(2.25))
        assert went.heading == pytest.approx((0.0 if hero.on_wall else 1.2, -0.2), abs=1e-12)


@FEET
def test_a_character_stopped_in_the_air_has_no_floor(feet: Any) -> None:
    """A frame so long that it leaves the floor at the top of a ramp, and is stopped by the ceiling."""
    ramp = cm.Polygon([(0, -1), (2, -1), (2, 1), (0, 0)])
    level = cm.Shapes(
        [*tiles(-3, 0), ramp, cm.Box.from_corners((-9, 6), (40, 7)), cm.Box.from_corners((40, -9), (41, 9))]
    )
    hero = stand(feet, -2)
    hero.move((0, -0.01), level)
    for _ in range(2):
        hero.move((1e6, -1e3), level)
        assert free(hero, level)
        assert not hero.on_floor or cm.separation(level[hero.floor], hero.shape) < 1e-9
