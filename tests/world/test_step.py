"""Scenes of a world whose outcome is known in closed form: impacts, several at once, seams, rest, kinematic bodies."""

from __future__ import annotations

import math
from typing import Any

import pytest

import carom as cm
from tests.support.smooth_world import SmoothWorld

ELASTIC: dict[str, Any] = {"kind": "dynamic", "restitution": 1.0}
HIT, ENTERED, EXITED, CRUSHED = "hit", "enter", "exit", "crushed"

SKIN = 0.0041  # of bodies one unit wide: they come to rest so near


def near(vector: cm.Vec, x: float, y: float, error: float = 1e-12) -> bool:
    """Return whether both coordinates of a vector are within an error of x and y."""
    return abs(vector.x - x) <= error and abs(vector.y - y) <= error


def floor_of_tiles(world: cm.World, count: int = 20, at: tuple[float, float] = (0.0, 0.0)) -> list[cm.Body]:
    """Add a row of flush unit tiles whose common top is y = 0, shifted by `at`, and return its bodies."""
    return [
        world.add(cm.Box.from_corners((at[0] + k, at[1] - 1.0), (at[0] + k + 1.0, at[1])))
        for k in range(-count // 2, count // 2)
    ]


@pytest.mark.parametrize("moving", [1, 2, 3])
def test_a_cradle_releases_as_many_balls_as_come(moving: int) -> None:
    world = SmoothWorld()
    standing = [world.add(cm.Circle((k, 0), 0.5), **ELASTIC) for k in range(5)]
    coming = [world.add(cm.Circle((-3 - k, 0), 0.5), velocity=(1, 0), **ELASTIC) for k in range(moving)]
    world.step(1.0, steps=6)
    row = [*coming[::-1], *standing]
    speeds = [round(body.velocity.x, 12) for body in row]
    assert speeds == [0.0] * 5 + [1.0] * moving


@pytest.mark.parametrize("heavier", [1e-3, 0.5, 3.0, 1e6])
def test_two_masses_part_as_the_textbook_says(heavier: float) -> None:
    world = SmoothWorld()
    a = world.add(cm.Circle((0, 0), 0.5), velocity=(2, 0), mass=heavier, kind="dynamic", restitution=0.5)
    b = world.add(cm.Box((5, 0.3), (1, 1)), velocity=(-1, 0), kind="dynamic")
    hits = world.step(2.0)
    # Momentum is kept, and they part with half the speed of approach, which was 3.
    mean = (2 * heavier - 1) / (heavier + 1)
    assert near(a.velocity, mean - 1.5 / (heavier + 1), 0, 1e-9)
    assert near(b.velocity, mean + 1.5 * heavier / (heavier + 1), 0, 1e-9)
    assert hits.time.tolist() == pytest.approx([4 / 3])
    assert hits.speed.tolist() == pytest.approx([3.0])
    assert hits.impulse.tolist() == pytest.approx([4.5 * heavier / (heavier + 1)])


def test_a_ball_comes_straight_back_from_a_corner() -> None:
    world = SmoothWorld()
    world.add(cm.Box.from_corners((-2, -2), (0, 20)))
    world.add(cm.Box.from_corners((-2, -2), (20, 0)))
    ball = world.add(cm.Circle((5, 5), 1), velocity=(-3, -3), **ELASTIC)
    world.step(2.0)
    assert near(ball.velocity, 3, 3)
    assert near(ball.position, 3, 3)


@pytest.mark.parametrize("at", [(0.0, 0.0), (1e7, -1e7), (0.1, 0.7)])
@pytest.mark.parametrize("shape", ["circle", "box", "triangle", "capsule"])
@pytest.mark.parametrize("speed", [0.0, 0.7])
def test_flush_tiles_are_one_floor_for_a_body_that_lands_on_a_seam(at: Any, shape: str, speed: float) -> None:
    world = SmoothWorld()
    floor_of_tiles(world, at=at)
    shapes = {
        "circle": cm.Circle((0, 0.5), 0.5),
        "box": cm.Box.from_corners((0, 0), (1, 1)),
        "triangle": cm.Polygon([(0, 0), (1, 0), (0.5, 1)]),
        "capsule": cm.Capsule((0, 0.25), (1, 0.25), 0.25),
    }
    body = world.add(shapes[shape].translated(at).translated((0, 2)), velocity=(speed, -2.0), **ELASTIC)
    world.step(0.25, steps=8)
    assert body.velocity.x == pytest.approx(speed, abs=1e-9)
    assert body.velocity.y == pytest.approx(2.0)


@pytest.mark.parametrize("at", [(0.0, 0.0), (0.1, 0.3), (1e7, 1e7), (-12345.678, 1e5)])
@pytest.mark.parametrize("shape", ["circle", "box", "octagon"])
def test_no_body_stumbles_over_seams(at: tuple[float, float], shape: str) -> None:
    world = SmoothWorld(gravity=(0, -10))
    floor_of_tiles(world, 60, at)
    octagon = [(math.cos(k * math.pi / 4 + math.pi / 8), math.sin(k * math.pi / 4 + math.pi / 8)) for k in range(8)]
    low = min(y for _, y in octagon)
    shapes = {
        "circle": cm.Circle((0, 0.5), 0.5),
        "box": cm.Box.from_corners((0, 0), (1, 1)),
        "octagon": cm.Polygon([(x, y - low) for x, y in octagon]),
    }
    body = world.add(shapes[shape].translated(at).translated((-25, 0)), kind="dynamic", velocity=(13.7, 0))
    for _ in range(200):
        world.step(1 / 60)
        assert body.velocity.x == pytest.approx(13.7, rel=1e-9)
        assert abs(body.velocity.y) < 0.05 * 10 / 60
        assert abs(cm.bounds(body.shape)[1] - at[1]) <= SKIN


@pytest.mark.parametrize("angle", [0.1, 0.7, 1.3])
def test_a_ball_on_a_billiard_table_follows_the_unfolded_path(angle: float) -> None:
    """The path of a point between four cushions is a straight line in the plane folded up."""
    world = SmoothWorld()
    for low, high in (((-1, -1), (0, 6)), ((10, -1), (11, 6)), ((-1, -1), (11, 0)), ((-1, 5), (11, 6))):
        world.add(cm.Box.from_corners(low, high))
    ball = world.add(cm.Circle((3, 2), 0.5), velocity=(20 * math.cos(angle), 20 * math.sin(angle)), **ELASTIC)
    world.step(1 / 60, steps=600)

    def folded(start: float, way: float, length: float) -> float:
        place = (start + way) % (2 * length)
        return place if place <= length else 2 * length - place

    x = 0.5 + folded(2.5, 200 * math.cos(angle), 9)
    y = 0.5 + folded(1.5, 200 * math.sin(angle), 4)
    assert near(ball.position, x, y, 1e-9)


def test_a_ball_that_bounces_keeps_its_energy_and_height() -> None:
    world = SmoothWorld(gravity=(0, -9.81))
    floor_of_tiles(world)
    ball = world.add(cm.Circle((0.3, 4.5), 0.5), **ELASTIC)
    bounces = 0
    for _ in range(1500):
        bounces += world.step(1 / 60).time.size
        energy = 9.81 * ball.position.y + ball.velocity.y**2 / 2
        assert energy == pytest.approx(9.81 * 4.5, rel=1e-12)
    # A flight up and down takes 2 sqrt(2 h / g), to the first order of the step.
    assert bounces == pytest.approx(25 / (2 * math.sqrt(2 * 4.0 / 9.81)), abs=1.5)


def test_a_fall_ends_where_the_curve_ends() -> None:
    world = SmoothWorld(gravity=(1, -10))
    ball = world.add(cm.Point((0, 0)), kind="dynamic", velocity=(3, 4), acceleration=(0, 2))
    world.step(0.1, steps=20)
    assert near(ball.position, 3 * 2 + 0.5 * 4, 4 * 2 - 0.5 * 8 * 4)
    assert near(ball.velocity, 5, -12)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.7])
def test_a_bouncing_ball_comes_to_rest_and_then_has_no_events(restitution: float) -> None:
    world = SmoothWorld(gravity=(0, -10))
    tiles = floor_of_tiles(world)
    ball = world.add(cm.Circle((0.5, 3), 0.5), kind="dynamic", restitution=restitution)
    world.step(1 / 60, steps=900)
    assert ball.velocity == (0, 0)
    assert ball.position.y == pytest.approx(0.5, abs=SKIN)
    assert [body for body, _ in ball.resting_on] == [tiles[10]]
    before = world.digest()
    hits = world.step(1 / 60, steps=60)
    assert hits.time.size == 0
    assert world.digest() == before


def test_twenty_boxes_stand_on_one_another() -> None:
    world = SmoothWorld(gravity=(0, -10))
    floor_of_tiles(world)
    boxes = [world.add(cm.Box((0.3, 0.5 + 1.2 * k), (1, 1)), kind="dynamic") for k in range(20)]
    world.step(1 / 60, steps=300)
    for k, box in enumerate(boxes):
        assert box.velocity == (0, 0)
        assert near(box.position, 0.3, k + 0.5, (k + 1) * SKIN)
    assert boxes[7].resting_on == ((boxes[6], cm.Vec(0.0, 1.0)),)
    world.remove(boxes[0])
    world.step(1 / 60, steps=120)
    assert [box.position.y for box in boxes[1:]] == pytest.approx([k + 0.5 for k in range(19)], abs=20 * SKIN)


def test_a_ball_lies_still_between_two_slopes() -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Polygon([(0, 0), (5, 5), (5, -1), (0, -1)]))
    world.add(cm.Polygon([(0, 0), (0, -1), (-5, -1), (-5, 5)]))
    ball = world.add(cm.Circle((0.7, 4), 0.5), kind="dynamic")
    world.step(1 / 60, steps=600)
    assert near(ball.position, 0, math.sqrt(0.5), SKIN)
    assert ball.velocity == (0, 0)


def test_a_box_slides_down_a_slope_as_galileo_says() -> None:
    world = SmoothWorld(gravity=(0, -10))
    slope = cm.Box((0, 0), (40, 2), math.atan(0.75))
    world.add(slope)
    box = world.add(cm.Box((0, 0), (1, 1), math.atan(0.75)).translated((-1.5 * 0.6, 1.5 * 0.8)), kind="dynamic")
    start = box.position
    world.step(1 / 60, steps=60)
    # Without friction the acceleration along the slope is g sin; the way is right to the first order of the step.
    assert box.velocity.length == pytest.approx(10 * 0.6, rel=1e-9)
    assert (box.position - start).length == pytest.approx(0.5 * 10 * 0.6 * (1 + 1 / 60), rel=1e-6)
    assert cm.separation(box.shape, slope) == pytest.approx(0, abs=SKIN)


@pytest.mark.parametrize("speed", [0.5, 20.0])
def test_a_paddle_hands_on_twice_its_speed(speed: float) -> None:
    world = SmoothWorld()
    paddle = world.add(cm.Box((-2, 0), (1, 30)), kind="kinematic", velocity=(speed, 0))
    ball = world.add(cm.Circle((0, 0.4), 0.5), velocity=(-1, 2), **ELASTIC)
    world.step(1 / 60, steps=60)
    assert near(ball.velocity, 2 * speed + 1, 2)
    assert near(paddle.position, -2 + speed, 0)


def test_a_lift_carries_the_boxes_on_it() -> None:
    world = SmoothWorld(gravity=(0, -10))
    lift = world.add(cm.Box((0, 0), (10, 1)), kind="kinematic", velocity=(0, 1))
    load = [world.add(cm.Box((0, 1 + k), (1, 1)), kind="dynamic") for k in range(3)]
    world.step(1 / 60, steps=60)
    for k, box in enumerate(load):
        assert near(box.position, 0, lift.position.y + 1 + k, (k + 1) * SKIN)
        assert near(box.velocity, 0, 1, 0.05 * 10 / 60)
    lift.velocity = (0, -1)
    world.step(1 / 60, steps=120)
    assert near(load[2].position, 0, lift.position.y + 3, 3 * SKIN)


def test_a_press_waits_rather_than_crush() -> None:
    world = SmoothWorld()
    world.add(cm.Box((10, 0), (1, 10)))
    first = world.add(cm.Box((8, 0), (1, 1)), kind="dynamic")
    second = world.add(cm.Box((6, 0), (1, 1)), kind="dynamic")
    press = world.add(cm.Box((0, 0), (1, 1)), kind="kinematic", velocity=(5, 0))
    for _ in range(60):
        hits = world.step(1 / 20)
        for a, b in ((first, second), (second, press)):
            assert cm.separation(a.shape, b.shape) >= -1e-9
        assert first.position.x <= 9 + 1e-9
    assert near(press.position, 7, 0, 1e-9)
    crushed = hits.kind == CRUSHED
    assert hits.other[crushed].tolist() == [press.row]
    assert hits.body[crushed].tolist() == [second.row]
    world.remove(first)
    world.step(1 / 20)
    assert press.position.x == pytest.approx(7.25)


@pytest.mark.parametrize("wall", [cm.Box((-0.5, 4), (1, 10)), cm.Segment((0, 0), (0, 9))], ids=["box", "line"])
@pytest.mark.parametrize("speed", [2.0, 4.0])
def test_a_press_crushes_nobody_while_a_pile_falls_elsewhere(speed: float, wall: cm.Shape) -> None:
    """A measure that moved nobody forgot who was deep yet: balls went as deep as they are wide."""
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((10, -0.5), (40, 1)))
    world.add(wall)
    world.add(cm.Box((2, 3), (0.5, 5.9)), kind="kinematic", velocity=(-speed, 0))
    for k in range(4):
        world.add(cm.Circle((0.6, 0.5 + k), 0.374), kind="dynamic")
    for k in range(30):
        shape = cm.Box((12 + 1.3 * (k % 3), 1 + 1.2 * (k // 3)), (0.8, 0.8), angle=k)
        world.add(shape, kind="dynamic", velocity=(0, -10))
    for _ in range(90):
        world.step(1 / 60)
        assert len(world.overlaps().depth) == 0


def test_a_compound_is_one_body() -> None:
    world = SmoothWorld()
    corner = cm.decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
    body = world.add(corner, kind="dynamic", velocity=(2, 0), restitution=1)
    wall = world.add(cm.Box((6, 1), (1, 10)))
    hits = world.step(1 / 60, steps=120)
    assert hits.other.tolist() == [wall.row]
    assert near(body.velocity, -2, 0)
    # 2.5 to the wall, then back for the rest of 4.
    assert near(body.position, corner.position.x + 1, corner.position.y, 1e-9)
    assert body.shape.area == pytest.approx(5.0)


def test_a_compound_ground_has_no_inner_edges() -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(
        cm.decompose([(-30, 0), (-30, -5), (30, -5), (30, 0), (10, 0), (5, 0), (0, 0), (0, -3), (-1, -3), (-1, 0)])
    )
    box = world.add(cm.Box((2, 0.5), (1, 1)), kind="dynamic", velocity=(11, 0))
    world.step(1 / 60, steps=90)
    assert box.velocity.x == pytest.approx(11.0, rel=1e-12)
    assert box.position.y == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("response", ["slide", "stop", "pass"])
def test_responses_decide_the_velocity_after_an_impact(response: str) -> None:
    world = SmoothWorld()
    world.add(cm.Box((0, -1), (100, 2)), response=response, restitution=1)
    body = world.add(cm.Circle((0, 1.5), 0.5), velocity=(3, -1), **ELASTIC)
    world.step(2.0)
    assert near(body.velocity, *{"slide": (3, 0), "stop": (0, 0), "pass": (3, -1)}[response])
    assert near(body.position, *{"slide": (6, 0.5), "stop": (3, 0.5), "pass": (6, -0.5)}[response])


@pytest.mark.parametrize("speed", [1.0, 37.0, 1e5])
@pytest.mark.parametrize("dt", [1 / 60, 1.0])
def test_a_sensor_reports_both_times_at_any_speed(speed: float, dt: float) -> None:
    world = SmoothWorld()
    gate = world.add(cm.Circle((5, 0), 1), sensor=True)
    ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(speed, 0))
    hits = world.step(dt, steps=math.ceil(8 / speed / dt))
    assert hits.kind.tolist() == [ENTERED, EXITED]
    assert hits.time.tolist() == pytest.approx([3.5 / speed, 6.5 / speed], rel=1e-9)
    assert hits.body.tolist() == [ball.row] * 2
    assert hits.other.tolist() == [gate.row] * 2
    assert ball.velocity == (speed, 0)


def test_a_sensor_reports_bodies_inside_from_the_start() -> None:
    world = SmoothWorld()
    room = world.add(cm.Box((0, 0), (10, 10)), sensor=True)
    still = world.add(cm.Circle((1, 1), 0.5), kind="dynamic")
    assert world.step(1.0).kind.tolist() == [ENTERED]
    assert world.inside(room) == [still]
    still.velocity = (100, 0)
    assert world.step(1.0).kind.tolist() == [EXITED]
    assert world.inside(room) == []


def test_a_one_way_platform_passes_from_below_only() -> None:
    world = SmoothWorld(gravity=(0, -10))
    world.add(cm.Box((0, 0), (10, 0.2)), one_way=(0, 1))
    jumper = world.add(cm.Box((0, -2), (1, 1)), kind="dynamic", velocity=(0, 10))
    low = world.add(cm.Box((3, -2), (1, 1)), kind="dynamic", velocity=(0, 6))
    world.step(1 / 60, steps=120)
    assert near(jumper.position, 0, 0.6, SKIN)
    assert low.position.y < -2


def test_layers_and_masks_decide_which_bodies_meet() -> None:
    world = SmoothWorld()
    world.add(cm.Box((5, 0), (1, 10)), layer="wall", mask=["ball"])
    ball = world.add(cm.Circle((0, 0), 0.5), velocity=(10, 0), layer="ball", **ELASTIC)
    ghost = world.add(cm.Circle((0, 3), 0.5), velocity=(10, 0), layer="ghost", **ELASTIC)
    blind = world.add(cm.Circle((0, -3), 0.5), velocity=(10, 0), layer="ball", mask=(), **ELASTIC)
    world.step(1.0)
    assert [round(body.velocity.x) for body in (ball, ghost, blind)] == [-10, 10, 10]
    world.rule("ball", "wall", "stop")
    ball.velocity = (10, 0)
    world.step(1.0)
    assert ball.velocity == (0, 0)


def test_a_body_that_starts_in_overlap_is_free_to_leave() -> None:
    world = SmoothWorld(overlaps="report")
    world.add(cm.Box((0, 0), (4, 4)))
    ball = world.add(cm.Circle((1.5, 0), 1), velocity=(1, 0), **ELASTIC)
    back = world.add(cm.Circle((1.5, 1), 0.2), velocity=(-1, 0), layer="other", mask=["default"], **ELASTIC)
    for k in range(1, 181):
        world.step(1 / 60)
        assert ball.position.x == pytest.approx(1.5 + k / 60)
        assert back.position.x == pytest.approx(1.5 + k / 60)


@pytest.mark.parametrize("at", [0.0, 1e7])
@pytest.mark.parametrize("pull", [0.0, -10.0])
@pytest.mark.parametrize("foot", [[(4, -1), (8, -1), (8, 2), (4, 0)], [(4, 0), (8, 0), (8, 2)]])
def test_a_box_on_a_floor_slides_up_a_ramp_from_its_foot(foot: Any, pull: float, at: float) -> None:
    # Corner meets corner there; the speed along the ramp, whose direction is (2, 1), is kept.
    world = SmoothWorld(gravity=(0, pull))
    world.add(cm.Box.from_corners((at - 10, -1), (at + 4, 0)))
    world.add(cm.Polygon([(at + x, y) for x, y in foot]))
    box = world.add(cm.Box((at + 1, 0.5), (1, 1)), kind="dynamic", velocity=(4, 0))
    hits, step = [], 0.7 / 700
    for k in range(700):
        for hit in world.events(step):
            if hit.other.row == 1:
                hits.append(hit)
                assert k * step + hit.time == pytest.approx(0.625, abs=1e-8 if pull == 0.0 else 2e-3)
                assert near(box.velocity, 3.2, 1.6, 1e-7 if pull == 0.0 else 0.1)
    assert hits
    rest = 0.7 - 0.625
    speed = 4 * 2 / math.sqrt(5) + pull / math.sqrt(5) * rest
    tolerance = 1e-7 if pull == 0.0 else 0.05
    assert near(box.velocity, speed * 2 / math.sqrt(5), speed / math.sqrt(5), tolerance)


def test_a_body_sleeps_only_where_its_contacts_carry_it() -> None:
    world, balls = SmoothWorld(gravity=(0, -10)), []
    for box in (cm.Box((0, -0.5), (6, 1)), cm.Box((-2.5, 20), (1, 40)), cm.Box((2.5, 20), (1, 40))):
        world.add(box)
    for row in range(4):
        for k in range(4 - row):
            at = (k - (3 - row) / 2, 0.55 + 0.9 * row)
            balls.append(world.add(cm.Circle(at, 0.5), kind="dynamic"))
    for _ in range(200):
        world.step(1 / 60)
        found = world.contacts()
        pushes = found.normal * found.impulses.sum(axis=1)[:, None]
        for ball in balls:
            if ball.asleep:
                carried = pushes[found.other == ball.row].sum(axis=0) - pushes[found.body == ball.row].sum(axis=0)
                assert carried == pytest.approx((0, 10 / 60), abs=0.02), "its contacts carry its weight"


def test_damping_counts_from_the_first_step_of_a_body_on() -> None:
    world = cm.World()
    first = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0), spin=2, damping=2)
    world.step(1 / 20)
    later = world.add(cm.Circle((10, 0), 1), kind="dynamic", velocity=(1, 0), damping=2)
    world.step(1 / 20)
    assert first.velocity.x == pytest.approx(math.exp(-0.2), rel=1e-14)
    assert first.spin == pytest.approx(2 * math.exp(-0.2), rel=1e-14)
    assert later.velocity.x == pytest.approx(math.exp(-0.1), rel=1e-14)


@pytest.mark.parametrize("way", [-6.0, 6.0])
def test_an_angled_body_slides_as_a_box_does(way: float) -> None:
    """The corner that both of its parts share lay a rounding deep in the floor, and counted as a covered side."""
    world = cm.World(gravity=(way, -8))
    world.add(cm.Box((0, -5), (2000, 10)), friction=0.1)
    outline = [(-0.5, 0), (0.5, 0), (0.5, 0.3), (0, 0.3), (0, 1), (-0.5, 1)]
    body = world.add(cm.decompose(outline), kind="dynamic", friction=0.1)
    for k in range(60):
        world.step(1 / 60)
        assert body.velocity.x == pytest.approx(math.copysign(abs(way) - 0.8, way) * (k + 1) / 60, abs=1e-6)


@pytest.mark.parametrize("degrees", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("disc", [False, True])
def test_a_body_that_speeds_up_slowly_does_not_fall_asleep(disc: bool, degrees: float) -> None:
    """It was slow for half a second, and stayed on the slope for good."""
    slope = math.radians(degrees)
    world = cm.World(gravity=(10 * math.sin(slope), -10 * math.cos(slope)))
    world.add(cm.Box((0, -5), (2000, 10)), friction=0.6 if disc else 0.0)
    shape = cm.Circle((0, 0.5), 0.5) if disc else cm.Box((0, 0.5), (1, 1))
    body = world.add(shape, kind="dynamic", friction=0.6 if disc else 0.0)
    world.step(1 / 60, steps=300)
    pull = 10 * math.sin(slope) * (2 / 3 if disc else 1.0)
    assert body.velocity.x == pytest.approx(5 * pull, rel=0.01)
