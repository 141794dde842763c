"""The moving paddle: the percentage rule on its top, true normals elsewhere, never a crushed or swallowed ball."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from carom_breakout.bricks import SLOP
from carom_breakout.flaws.stage import Scene, deepest_overlap, play, set_scene
from carom_breakout.rules import step
from carom_breakout.state import (
    BALL_RADIUS,
    CAUGHT,
    EXACT,
    FLATTEST,
    FREE,
    HEIGHT,
    LAUNCHED,
    LIFE_LOST,
    MOUSE_SPEED,
    PAD_SIZE,
    PADDLE_BLOCKED,
    PADDLE_HEIGHT,
    PADDLE_HIT,
    PADDLE_SPEED,
    PADDLE_TOP,
    PADDLE_WIDEST,
    RELEASE,
    SPEED,
    STICKY,
    WIDTH,
    make_inputs,
    make_trace,
)

getcontext().prec = 50
STEPS = [1 / 1000, 1 / 240, 1 / 60, 1 / 15, 1 / 4, 1 / 2]
SPEEDS = [50.0, 364.0, 5_000.0, 100_000.0]
BRICKS = "2 0 0 0"


def above(x: float, velocity: tuple[float, float], gap: float = 30.0, paddle: float = 350.0) -> Scene:
    return set_scene(BRICKS, (x, PADDLE_TOP - BALL_RADIUS - gap), velocity, paddle)


@given(st.floats(-0.999, 0.999), st.sampled_from(SPEEDS), st.floats(0.15, math.pi - 0.15), st.sampled_from(STEPS[2:]))
def test_the_paddle_top_follows_the_percentage_rule_at_the_touch(percent, speed, angle, dt):
    vx, vy = speed * math.cos(angle), speed * math.sin(angle)
    gap = 5.0
    touch_x = 400.0 + 50.0 * percent
    scene = above(touch_x - vx * gap / vy, (vx, vy), gap)
    assume(BALL_RADIUS < scene.games[0].ball[0] < WIDTH - BALL_RADIUS)
    time = gap / vy
    film = play(scene, EXACT, min(dt, 100.0 / speed), steps=math.ceil(1.5 * time / min(dt, 100.0 / speed)))
    assert film.kinds == [PADDLE_HIT]
    aside = 100.0 * percent * 2.0
    up = max(speed * vy / math.hypot(aside, vy), FLATTEST * speed)
    across = math.copysign(math.sqrt(max(speed**2 - up**2, 0.0)), percent)
    assert film.game.velocity == pytest.approx(np.array([across, -up]), rel=1e-6, abs=1e-6 * speed)
    assert np.linalg.norm(film.game.velocity) == pytest.approx(speed, rel=1e-12)
    assert film.overlap <= 1e-9


def test_the_ball_never_leaves_the_paddle_flat():
    scene = above(400.0 + 45.0, (-200.0, 0.5), gap=0.01)
    film = play(scene, EXACT, 0.05)
    vx, vy = film.game.velocity
    assert -vy == pytest.approx(FLATTEST * scene.games[0].speed)
    assert vx > 0.0


@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_the_percentage_uses_the_place_of_the_moving_paddle_at_the_touch(direction):
    # Straight down at 300 px/s, 30 px above the paddle: they meet after 0.1 s, when the paddle has moved 50 px.
    film = play(above(400.0, (0.0, 300.0)), EXACT, 0.5, direction=direction)
    percent = -direction * 50.0 / 50.0
    length = math.hypot(200.0 * percent, 300.0)
    assert film.hits[0][0] == pytest.approx((400.0, PADDLE_TOP - BALL_RADIUS))
    assert film.game.velocity == pytest.approx(np.array([200.0 * percent, -300.0]) * 300.0 / length)


@given(st.floats(-400.0, 400.0), st.sampled_from([-1, 0, 1]), st.sampled_from(STEPS))
def test_a_side_reflects_relative_to_the_paddle(vx, direction, dt):
    # The ball is left of the paddle, at the height of its middle.
    velocity = direction * PADDLE_SPEED
    assume(vx - velocity > 20.0)
    scene = set_scene(BRICKS, (300.0, 589.0), (vx, 1.0), 350.0)
    time = (350.0 - BALL_RADIUS - 300.0) / (vx - velocity)
    assume(300.0 + min(vx, 0.0) * time > 40.0 and 350.0 + velocity * time > 60.0 and time < 1.0)
    film = play(
        scene, EXACT, min(dt, time * 1.2), steps=math.ceil(1.2 * time / min(dt, time * 1.2)), direction=direction
    )
    assert film.hits[0][1] == (-1.0, 0.0)
    assert film.hits[0][0][0] == pytest.approx(300.0 + vx * time, abs=1e-9)
    assert film.game.velocity.tolist() == pytest.approx([2 * velocity - vx, 1.0])


@given(st.floats(0.05, 1.5), st.sampled_from([-1, 0, 1]))
def test_a_paddle_corner_reflects_by_its_true_normal_in_the_paddle_frame(heading, direction):
    # Towards the left end of the top, so that in the paddle's frame the ball comes at it from this heading.
    normal = Decimal(-math.cos(heading)), Decimal(-math.sin(heading))
    relative = Decimal(150) * -normal[0], Decimal(150) * -normal[1]
    velocity = float(relative[0]) + direction * PADDLE_SPEED, float(relative[1])
    lead = Decimal("0.03")
    start = [
        float(Decimal(end) + n * Decimal(BALL_RADIUS) - r * lead)
        for end, n, r in zip((350.0, PADDLE_TOP), normal, relative, strict=True)
    ]
    film = play(set_scene(BRICKS, (start[0], start[1]), velocity), EXACT, 0.04, direction=direction)
    assert film.hits[0][1] == pytest.approx([float(n) for n in normal], abs=1e-9)
    after = float(-relative[0]) + direction * PADDLE_SPEED, float(-relative[1])
    assert film.game.velocity == pytest.approx(np.array(after), rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("direction", [-1, 1])
def test_the_paddle_stops_exactly_at_the_walls(direction, dt):
    film = play(set_scene(BRICKS, (400.0, 200.0), (0.0, -10.0), 333.3), EXACT, dt, math.ceil(1.2 / dt), direction)
    assert film.game.paddle == (0.0 if direction < 0 else WIDTH - 100.0)


@pytest.mark.parametrize("goal", [-500.0, 3.0, 399.0, 800.0, 1e9])
def test_the_paddle_follows_the_mouse_at_a_limited_speed(goal):
    scene = set_scene(BRICKS, (400.0, 200.0), (0.0, -10.0), 350.0)
    inputs = make_inputs(1)
    inputs.mouse = goal
    step(scene.games, scene.levels, inputs, 1 / 60)
    moved = scene.games[0].paddle - 350.0
    stop = min(max(goal - 50.0, 0.0), 700.0)
    assert abs(moved) <= MOUSE_SPEED / 60 * (1 + 1e-12)
    assert moved == pytest.approx(min(max(stop - 350.0, -MOUSE_SPEED / 60), MOUSE_SPEED / 60))
    for _ in range(10):
        step(scene.games, scene.levels, inputs, 1 / 60)
    assert scene.games[0].paddle == stop


@given(
    st.floats(BALL_RADIUS, 120.0),
    st.floats(PADDLE_TOP - 20.0, HEIGHT),
    st.floats(-500.0, 500.0),
    st.floats(-300.0, 300.0),
    st.sampled_from([-1, 1]),
    st.sampled_from(STEPS[1:]),
    st.booleans(),
)
def test_a_ball_between_paddle_and_wall_enters_neither(x, y, vx, vy, side, dt, by_mouse):
    # The paddle drives at the wall with the ball in between, by key or by mouse, from either side.
    ball = (x if side < 0 else WIDTH - x, y)
    scene = set_scene(BRICKS, ball, (vx, vy), 120.0 if side < 0 else WIDTH - 220.0)
    assume(deepest_overlap(scene.games, scene.levels, EXACT) < 0.0 and abs(vx) + abs(vy) > 1.0)
    inputs = make_inputs(1)
    if by_mouse:
        inputs.mouse = 0.0 if side < 0 else WIDTH
    else:
        inputs.direction = side
    trace = make_trace(1)
    for _ in range(math.ceil(0.4 / dt)):
        step(scene.games, scene.levels, inputs, dt, EXACT, trace)
        if trace[0].seen & (1 << LIFE_LOST):
            break
        assert deepest_overlap(scene.games, scene.levels, EXACT) <= 1e-9
        assert 0.0 <= scene.games[0].paddle <= WIDTH - 100.0
    assert scene.games[0].stalls == 0


def test_a_squeezed_ball_blocks_the_paddle_for_the_rest_of_the_step():
    scene = set_scene(BRICKS, (30.0, 590.0), (-3.0, 0.5), 45.0)
    film = play(scene, EXACT, 1 / 60, steps=3, direction=-1)
    assert PADDLE_BLOCKED in film.kinds
    assert film.game.paddle >= 2 * BALL_RADIUS - 1e-9
    assert film.overlap <= 1e-9


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_ball_on_paddle_and_wall_at_once_stays_in_the_field(speed, dt):
    # The rule on the top sends it at the wall that it touches already.
    scene = set_scene(BRICKS, (BALL_RADIUS, PADDLE_TOP - BALL_RADIUS - 0.001), (-0.2 * speed, speed), 0.0)
    film = play(scene, EXACT, dt)
    assert film.kinds[0] == PADDLE_HIT or film.kinds[1] == PADDLE_HIT
    assert film.overlap <= 1e-9
    assert film.game.stalls == 0


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_no_speed_and_no_step_gets_a_ball_through_the_paddle(speed, dt):
    # The paddle fills the whole width, so the ball stays in a closed room of wall, top and paddle.
    scene = set_scene(" ".join(["1"] * 7 + ["2"]), (500.0, 400.0), (0.3 * speed, 0.95 * speed), 0.0, 800.0)
    scene.games[0].bricks[7] = 1
    film = play(scene, EXACT, dt, steps=3)
    assert LIFE_LOST not in film.kinds
    assert film.overlap <= 1e-9
    assert np.linalg.norm(film.game.velocity) == pytest.approx(math.hypot(0.3, 0.95) * speed, rel=1e-11)
    assert film.impacts >= math.floor(3 * dt * speed * 0.3 / 267.5)


@pytest.mark.parametrize("dt", STEPS)
def test_the_ball_is_lost_when_its_top_reaches_the_bottom(dt):
    scene = set_scene(BRICKS, (700.0, 500.0), (0.0, 400.0))
    film = play(scene, EXACT, dt, math.ceil(0.4 / dt))
    assert film.kinds == [LIFE_LOST]
    assert (700.0, HEIGHT + BALL_RADIUS) in film.path
    assert film.game.lives == 2


def grown(scene: Scene, steps: int = 1, dt: float = 1 / 60) -> float:
    for _ in range(steps):
        step(scene.games, scene.levels, make_inputs(1), dt)
    return float(scene.games[0].paddle_width)


@pytest.mark.parametrize(
    ("left", "expected"), [(350.0, 325.0), (0.0, 0.0), (10.0, 0.0), (700.0, 650.0), (690.0, 650.0)]
)
def test_the_paddle_grows_evenly_and_inside_the_walls(left, expected):
    scene = set_scene(BRICKS, (400.0, 300.0), (0.0, -10.0), left)
    scene.games[0].paddle_grown = 150.0
    assert grown(scene) == 150.0
    assert scene.games[0].paddle == expected


def test_the_paddle_grows_only_where_no_ball_is_in_the_way():
    scene = set_scene(BRICKS, (330.0, 590.0), (-40.0, 0.01), 350.0)
    scene.games[0].paddle_grown = 150.0
    assert grown(scene) == 100.0
    assert grown(scene, 60) == 150.0
    assert deepest_overlap(scene.games, scene.levels, EXACT) <= 1e-9


def test_pad_size_items_add_up_to_the_widest_paddle():
    scene = set_scene(BRICKS, (400.0, 300.0), (0.0, -10.0), 350.0)
    game = scene.games[0]
    for _ in range(9):
        game.falling = 1
        game.items[0].kind = PAD_SIZE
        game.items[0].position[:] = game.paddle, PADDLE_TOP - 21.0
        grown(scene, 2)
    assert game.paddle_width == PADDLE_WIDEST
    assert 0.0 <= game.paddle <= WIDTH - PADDLE_WIDEST


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_sticky_paddle_holds_the_ball_until_the_effect_ends(speed, dt):
    gap = min(27.5, 0.05 * speed)
    scene = above(420.0, (0.0, speed), gap)
    game = scene.games[0]
    game.effects = game.running = 1 << STICKY
    game.timers[STICKY] = 2.0
    inputs, steps = make_inputs(1), math.ceil(1.5 / dt)
    inputs.direction = 1
    for _ in range(steps):
        step(scene.games, scene.levels, inputs, dt)
        assert deepest_overlap(scene.games, scene.levels, EXACT) <= SLOP
    assert game.stuck == CAUGHT
    # Held at the place of the paddle where it landed, while the paddle went to the wall.
    landed = gap / speed * PADDLE_SPEED
    assert game.ball.tolist() == pytest.approx([700.0 + 420.0 - 350.0 - landed, PADDLE_TOP - BALL_RADIUS])
    trace = make_trace(1)
    for _ in range(math.ceil(0.5 / dt) + 1):
        step(scene.games, scene.levels, make_inputs(1), dt, trace=trace)
        if trace[0].seen & (1 << LAUNCHED):
            break
    assert game.stuck == FREE
    assert game.velocity[1] < 0.0


def test_a_wall_pushes_a_held_ball_along_the_paddle():
    scene = set_scene(BRICKS, (351.0, 567.0), (0.0, 400.0), 350.0, effects=1 << STICKY)
    film = play(scene, EXACT, 1 / 60, steps=60, direction=-1)
    assert film.game.stuck == CAUGHT
    assert film.game.paddle == 0.0
    assert film.game.ball[0] == BALL_RADIUS
    assert film.overlap <= SLOP


def test_release_sends_a_held_ball_off():
    scene = set_scene(BRICKS, (400.0, 560.0), (0.0, 400.0), 350.0, effects=1 << STICKY)
    for _ in range(5):
        step(scene.games, scene.levels, make_inputs(1))
    inputs = make_inputs(1)
    inputs.buttons = RELEASE
    step(scene.games, scene.levels, inputs)
    assert scene.games[0].stuck == FREE
    assert scene.games[0].ball[1] == pytest.approx(PADDLE_TOP - BALL_RADIUS - 400.0 / 60)


def test_the_paddle_top_restores_the_speed_of_the_game():
    # A side hit by the moving paddle makes the ball faster; speed items make the game faster for good.
    scene = set_scene(BRICKS, (400.0, 560.0), (300.0, 900.0), 350.0)
    scene.games[0].speed = 364.0
    film = play(scene, EXACT, 1 / 60, steps=2)
    assert np.linalg.norm(film.game.velocity) == pytest.approx(364.0)
    scene.games[0].falling = 1
    scene.games[0].items[0].kind = SPEED
    scene.games[0].items[0].position[:] = 350.0, PADDLE_TOP - PADDLE_HEIGHT
    film = play(scene, EXACT, 1 / 60)
    assert film.game.speed == 364.0 * 1.2
