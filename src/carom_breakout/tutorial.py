"""The naive physics of the tutorial's game, stage by stage, with all its flaws.

In: one game and its trace, the player's input, the length of the step, the stage. Out: the same, moved on the
tutorial's way: first move, then test for overlaps, then push. Field frame, pixels and seconds. Stage 1 takes the ball
for a box, and bricks vanish without a bounce; 2 tests a circle; 3 bounces off bricks; 4 has a paddle, which the ball
can stick in; 5 mends that, and a ball can be lost. Rules after LearnOpenGL, In Practice, 2D Game (Joey de Vries); the
order of its updates is kept: several of the flaws come from it. `read_carelessly` is the tutorial's level loading.
"""

from __future__ import annotations

import math
from pathlib import Path

from carom import inner
from carom_breakout import state
from carom_breakout.levels import BRICKS_END, LARGEST_CODE, Level
from carom_breakout.power_ups import catch_item, remove_item, run_timers, strike_brick
from carom_breakout.state import Game, Player, Trace, next_random, note

UP, RIGHT, DOWN, LEFT, NOWHERE = 0, 1, 2, 3, -1
NEW_PARTICLES = 2  # a frame, each of two random numbers


@inner
def boxes_overlap(
    x: float, y: float, width: float, height: float, left: float, top: float, wide: float, high: float
) -> bool:
    """Tell whether two boxes, given by upper left corner and size, overlap or touch."""
    return x + width >= left and left + wide >= x and y + height >= top and top + high >= y


@inner
def circle_difference(x: float, y: float, left: float, top: float, width: float, height: float) -> tuple[float, float]:
    """Return the vector from the ball's centre to the closest point of a box: 0 if the centre is inside (flaw 2)."""
    half_x, half_y = width / 2, height / 2
    center_x, center_y = left + half_x, top + half_y
    closest_x = center_x + min(max(x - center_x, -half_x), half_x)
    closest_y = center_y + min(max(y - center_y, -half_y), half_y)
    return closest_x - x, closest_y - y


@inner
def compass(dx: float, dy: float) -> int:
    """Return the direction with the largest dot product with (dx, dy); NOWHERE for no vector. UP has y positive."""
    best, largest = NOWHERE, 0.0
    if dy > largest:
        best, largest = UP, dy
    if dx > largest:
        best, largest = RIGHT, dx
    if -dy > largest:
        best, largest = DOWN, -dy
    if -dx > largest:
        best = LEFT
    return best


@inner
def is_hit(dx: float, dy: float, inclusive: bool) -> bool:
    """Tell whether a closest point this far from the centre lies in the ball, or, inclusive, on its rim."""
    distance = math.sqrt(dx * dx + dy * dy)
    return distance < state.BALL_RADIUS or (inclusive and distance == state.BALL_RADIUS)


@inner
def move_paddle(game: Game, trace: Trace, player: Player, dt: float) -> None:
    """Move the paddle, with a stuck ball, if it is inside before the step: it may overshoot by one step (flaw 8)."""
    shift = 0.0
    if player.direction != 0:
        shift = state.PADDLE_SPEED * dt if player.direction > 0 else -state.PADDLE_SPEED * dt
    elif player.mouse == player.mouse:
        shift = player.mouse - (game.paddle + game.paddle_width / 2)
        shift = min(max(shift, -state.MOUSE_SPEED * dt), state.MOUSE_SPEED * dt)
    inside = game.paddle >= 0.0 if shift < 0.0 else game.paddle <= state.WIDTH - game.paddle_width
    game.paddle_velocity = 0.0
    if shift != 0.0 and inside:
        game.paddle_velocity = shift / dt
        trace.paddle_pace = shift / dt
        game.paddle += shift
        if game.stuck != state.FREE:
            game.ball[0] += shift


@inner
def move_ball(game: Game, trace: Trace, dt: float) -> None:
    """Move the ball by the whole step, then put it back inside the walls."""
    if game.stuck != state.FREE:
        return
    ball, velocity = game.ball, game.velocity
    ball[0] += velocity[0] * dt
    ball[1] += velocity[1] * dt
    if ball[0] - state.BALL_RADIUS <= 0.0:
        velocity[0] = -velocity[0]
        ball[0] = state.BALL_RADIUS
        note(trace, state.WALL_HIT, 0, 0.0, ball[0], ball[1], 1.0, 0.0)
    elif ball[0] + state.BALL_RADIUS >= state.WIDTH:
        velocity[0] = -velocity[0]
        ball[0] = state.WIDTH - state.BALL_RADIUS
        note(trace, state.WALL_HIT, 1, 0.0, ball[0], ball[1], -1.0, 0.0)
    if ball[1] - state.BALL_RADIUS <= 0.0:
        velocity[1] = -velocity[1]
        ball[1] = state.BALL_RADIUS
        note(trace, state.WALL_HIT, 2, 0.0, ball[0], ball[1], 0.0, 1.0)


@inner
def hit_bricks(game: Game, trace: Trace, stage: int, inclusive: bool) -> None:
    """Test every brick in file order, each against the position that the ones before have left (flaws 3 to 6)."""
    ball, velocity = game.ball, game.velocity
    width, height = state.WIDTH / game.columns, BRICKS_END // game.rows
    through = game.effects & (1 << state.PASS_THROUGH) != 0
    for cell in range(game.columns * game.rows):
        code = game.bricks[cell]
        if code == state.EMPTY:
            continue
        left, top = width * (cell % game.columns), height * (cell // game.columns)
        dx, dy = circle_difference(ball[0], ball[1], left, top, width, height)
        if stage == state.TUTORIAL_BOX:
            side = 2 * state.BALL_RADIUS
            if not boxes_overlap(
                ball[0] - state.BALL_RADIUS, ball[1] - state.BALL_RADIUS, side, side, left, top, width, height
            ):
                continue
        elif not is_hit(dx, dy, inclusive):
            continue
        toward = compass(dx, dy)
        nx = 1.0 if toward == LEFT else -1.0 if toward == RIGHT else 0.0
        ny = 0.0 if nx != 0.0 else -1.0 if toward == UP else 1.0
        if stage < state.TUTORIAL_RESOLUTION or (through and code != state.SOLID):
            strike_brick(game, trace, cell, 0.0, 0.0, 0.0, left, top)
            continue
        strike_brick(game, trace, cell, 0.0, nx, ny, left, top)
        if nx != 0.0:
            velocity[0] = -velocity[0]
            ball[0] += nx * (state.BALL_RADIUS - abs(dx))
        else:
            velocity[1] = -velocity[1]
            ball[1] += ny * (state.BALL_RADIUS - abs(dy))


@inner
def catch_items(game: Game, trace: Trace) -> None:
    """Put to work each falling item that overlaps the paddle, also in the menu (flaw 10)."""
    k = 0
    while k < game.falling:
        x, y = game.items[k].position[0], game.items[k].position[1]
        width, height = state.ITEM_WIDTH, state.ITEM_HEIGHT
        if boxes_overlap(game.paddle, state.PADDLE_TOP, game.paddle_width, state.PADDLE_HEIGHT, x, y, width, height):
            kind = game.items[k].kind
            remove_item(game, k)
            catch_item(game, trace, kind, 0.0, x, y, True)
        elif y >= state.HEIGHT:
            remove_item(game, k)
        else:
            k += 1


@inner
def hit_paddle(game: Game, trace: Trace, stage: int, inclusive: bool) -> None:
    """Turn the ball by the percentage rule wherever it overlaps the paddle, and leave it in there (flaw 7)."""
    if game.stuck != state.FREE or stage < state.TUTORIAL_PADDLE:
        return
    ball, velocity = game.ball, game.velocity
    dx, dy = circle_difference(ball[0], ball[1], game.paddle, state.PADDLE_TOP, game.paddle_width, state.PADDLE_HEIGHT)
    if not is_hit(dx, dy, inclusive):
        return
    half = game.paddle_width / 2
    speed = math.sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1])
    vx = state.LAUNCH_X * ((ball[0] - (game.paddle + half)) / half) * state.BOUNCE_STRENGTH
    vy = -velocity[1]
    length = math.sqrt(vx * vx + vy * vy)
    if length > 0.0:
        vx, vy = vx / length * speed, vy / length * speed
    velocity[0] = vx
    velocity[1] = vy if stage == state.TUTORIAL_PADDLE else -abs(vy)
    if game.effects & (1 << state.STICKY):
        game.stuck = state.CAUGHT
    note(trace, state.PADDLE_HIT, 0, 0.0, ball[0], ball[1], 0.0, -1.0)


@inner
def play_step(game: Game, trace: Trace, player: Player, dt: float, stage: int, inclusive: bool) -> bool:
    """Play one step in the tutorial's order, in every state; return whether the ball is lost."""
    trace.paddle_start = game.paddle
    trace.paddle_width = game.paddle_width
    trace.paddle_pace = 0.0
    trace.paddle_moved = dt
    if game.mode == state.ACTIVE:
        move_paddle(game, trace, player, dt)
    move_ball(game, trace, dt)
    hit_bricks(game, trace, stage, inclusive)
    catch_items(game, trace)
    hit_paddle(game, trace, stage, inclusive)
    # Particles draw from the same stream as the drops (flaw 6), so the frame rate decides which power-ups fall.
    for _ in range(2 * NEW_PARTICLES):
        game.drops = next_random(game.drops)
    for k in range(game.falling):
        game.items[k].position[1] += state.ITEM_SPEED * dt
    run_timers(game, trace, dt, True)
    return bool(stage == state.TUTORIAL and game.ball[1] - state.BALL_RADIUS >= state.HEIGHT)


def read_carelessly(file: str | Path) -> Level:
    """Read a level file as the tutorial does: nothing is checked.

    A missing file is an empty level, which counts as won (flaw 11). The number of columns is that of the first row: of
    a longer row the rest is left out, of a shorter one it reads on behind the end of the row (flaw 12). The
    content there is anybody's guess; here it is a white brick.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    rows = [[min(int(word), LARGEST_CODE) for word in line.split() if word.isdigit()] for line in lines]
    columns = len(rows[0]) if rows else 0
    if columns == 0:
        return Level(str(file), ((state.EMPTY,),))
    return Level(str(file), tuple(tuple((row + [LARGEST_CODE] * columns)[:columns]) for row in rows))
