"""The paddle in exact physics: its course through a step, its growth, the ball and the power-ups that it meets.

In: one game, its player's input, the length of the step. Out: how the paddle moves; and at a hit the ball's new
velocity. Field frame, pixels and seconds. The paddle stops where it would leave a ball between it and a wall no room to
move in, so that the ball is crushed into neither.
"""

from __future__ import annotations

import math

from carom import distance_disc_box, inner, sweep_disc_box
from carom_breakout import state
from carom_breakout.bricks import SLOP
from carom_breakout.power_ups import catch_item, remove_item
from carom_breakout.state import Game, Trace, note

PINCH = 1.0  # the paddle stops where it would leave a ball between it and a wall less room than this to move in


@inner
def paddle_way(game: Game, direction: int, mouse: float, dt: float) -> tuple[float, float, float]:
    """Return (velocity, left end after the step, seconds until it stops): the paddle's way if nothing is in it."""
    start, farthest = game.paddle, state.WIDTH - game.paddle_width
    velocity = direction * state.PADDLE_SPEED
    reached = start + velocity * dt
    goal = min(max(reached, 0.0), farthest)
    if mouse == mouse and direction == 0:
        wanted = min(max(mouse - game.paddle_width / 2, 0.0), farthest)
        velocity = state.MOUSE_SPEED if wanted > start else -state.MOUSE_SPEED
        reached = start + velocity * dt
        goal = min(wanted, reached) if wanted > start else max(wanted, reached)
    if goal == reached:
        return velocity, goal, dt
    if goal == start:
        return 0.0, start, dt
    return velocity, goal, min((goal - start) / velocity, dt)


@inner
def grow_paddle(game: Game) -> None:
    """Give the paddle the width it has earned, evenly to both sides and inside the walls, once the ball allows it."""
    if game.paddle_grown == game.paddle_width:
        return
    width = game.paddle_grown
    left = min(max(game.paddle - (width - game.paddle_width) / 2, 0.0), state.WIDTH - width)
    x, y = game.ball[0], game.ball[1]
    if game.stuck == state.FREE:
        bottom = state.PADDLE_TOP + state.PADDLE_HEIGHT
        room, _, _ = distance_disc_box(x, y, left, state.PADDLE_TOP, left + width, bottom, state.BALL_RADIUS)
        if room < PINCH:
            return
    game.stuck_offset += game.paddle - left
    game.paddle = left
    game.paddle_width = width


@inner
def carry_ball(game: Game) -> None:
    """Put a stuck ball on the paddle's top, where it was, but never into a wall."""
    x = game.paddle + game.stuck_offset
    game.ball[0] = min(max(x, state.BALL_RADIUS), state.WIDTH - state.BALL_RADIUS)
    game.ball[1] = state.PADDLE_TOP - state.BALL_RADIUS


@inner
def is_beside(game: Game, left: float, velocity: float) -> bool:
    """Tell whether the ball is on the side of the paddle that it moves to, and no higher and no lower than it."""
    y = game.ball[1]
    if y <= state.PADDLE_TOP - state.BALL_RADIUS or y >= state.PADDLE_TOP + state.PADDLE_HEIGHT + state.BALL_RADIUS:
        return False
    return bool(game.ball[0] < left if velocity < 0.0 else game.ball[0] > left + game.paddle_width)


@inner
def meet_paddle(game: Game, trace: Trace, time: float, velocity: float, nx: float, ny: float) -> bool:
    """Let the ball answer to the paddle, which moves with this velocity; return whether that blocks the paddle.

    The top follows the percentage rule: the farther from the middle, the farther aside, at the ball's own speed, and
    never flat. Sides and corners reflect by their true normal in the paddle's frame.
    """
    x, y = game.ball[0], game.ball[1]
    vx, vy = game.velocity[0], game.velocity[1]
    left, half = game.paddle, game.paddle_width / 2
    if nx == 0.0 and ny < 0.0:
        y = state.PADDLE_TOP - state.BALL_RADIUS
        game.ball[1] = y
        speed = game.speed
        aside = state.LAUNCH_X * state.BOUNCE_STRENGTH * (x - (left + half)) / half
        scale = speed / math.sqrt(aside * aside + vy * vy)
        across, up = aside * scale, vy * scale
        if up < state.FLATTEST * speed:
            up = state.FLATTEST * speed
            flat = math.sqrt(speed * speed - up * up)
            across = flat if aside > 0.0 else -flat
        game.velocity[0] = across
        game.velocity[1] = -up
        if game.effects & (1 << state.STICKY):
            game.stuck = state.CAUGHT
            game.stuck_offset = x - left
        note(trace, state.PADDLE_HIT, 0, time, x, y, nx, ny)
        return False
    if ny == 0.0:
        x = left - state.BALL_RADIUS if nx < 0.0 else left + game.paddle_width + state.BALL_RADIUS
        game.ball[0] = x
    room = x - state.BALL_RADIUS if nx < 0.0 else state.WIDTH - state.BALL_RADIUS - x
    blocked = velocity * nx > 0.0 and room < PINCH
    if blocked:
        velocity = 0.0
        note(trace, state.PADDLE_BLOCKED, 0, time, x, y, nx, ny)
    closing = -((vx - velocity) * nx + vy * ny)
    if closing > 0.0:
        # No more than a ball at the game's speed would get, or one squeezed against a wall grows faster with each hit.
        leaving = min(closing, game.speed + abs(velocity))
        game.velocity[0] = vx + (closing + leaving) * nx
        game.velocity[1] = vy + (closing + leaving) * ny
        note(trace, state.PADDLE_HIT, 0, time, x, y, nx, ny)
    return blocked


@inner
def fall_exactly(game: Game, trace: Trace, dt: float) -> None:
    """Let the items fall through the step and the moving paddle catch those it meets, in the order of the list."""
    half_x, half_y = state.ITEM_WIDTH / 2, state.ITEM_HEIGHT / 2
    width, bottom = game.paddle_width, state.PADDLE_TOP + state.PADDLE_HEIGHT
    k = 0
    while k < game.falling:
        x, y = game.items[k].position[0], game.items[k].position[1]
        if y + state.ITEM_SPEED * dt + state.ITEM_HEIGHT < state.PADDLE_TOP:
            game.items[k].position[1] = y + state.ITEM_SPEED * dt
            k += 1
            continue
        caught = math.inf
        time, left = 0.0, trace.paddle_start
        for leg in range(2):
            span = trace.paddle_moved if leg == 0 else dt - trace.paddle_moved
            pace = trace.paddle_pace if leg == 0 else 0.0
            center_x, center_y = x + half_x, y + state.ITEM_SPEED * time + half_y
            # A box against a box is the centre of one against the other grown by it.
            low_x, high_x = left - half_x, left + width + half_x
            low_y, high_y = state.PADDLE_TOP - half_y, bottom + half_y
            gap, _, _ = distance_disc_box(center_x, center_y, low_x, low_y, high_x, high_y, 0.0)
            if caught == math.inf and gap < 0.0:
                caught = time
            if caught == math.inf and span > 0.0:
                fraction, _, _ = sweep_disc_box(
                    center_x, center_y, -pace * span, state.ITEM_SPEED * span, low_x, low_y, high_x, high_y, 0.0, SLOP
                )
                caught = time + fraction * span
            time, left = time + span, game.paddle
        game.items[k].position[1] = y + state.ITEM_SPEED * dt
        if caught <= dt:
            kind = game.items[k].kind
            remove_item(game, k)
            catch_item(game, trace, kind, caught, x, y + state.ITEM_SPEED * caught, False)
        elif y + state.ITEM_SPEED * dt >= state.HEIGHT:
            remove_item(game, k)
        else:
            k += 1
