"""Exact motion: every hit of the step in time order, at its true instant and normal, and the rest played on.

In: one game and its trace, and the length of the step. Out: ball, paddle and bricks at its end, and the events. Between
two hits all motion is straight, so the next hit is a closed form: against walls and bricks (`bricks.py`) and, in the
paddle's own frame, against the moving paddle (`paddle.py`). Field frame, pixels and seconds.
"""

from __future__ import annotations

import math

from carom import inner, sweep_disc_box
from carom_breakout import state
from carom_breakout.bricks import SLOP, is_near_brick, meet_bricks, next_brick, next_wall
from carom_breakout.levels import BRICKS_END
from carom_breakout.paddle import PINCH, carry_ball, grow_paddle, is_beside, meet_paddle, paddle_way
from carom_breakout.state import Game, Player, Trace, note

MOST_IDLE = 64  # hits in a row without progress in time, after which the ball slides, or waits for the next step
NO_TIME = 2.0**-50  # share of a step up to which two hits are at one instant: four roundings of its length
MOST_HITS = 1_000_000  # in one step: no game comes near, but a window must not hang on any level

NOTHING, WALL, BRICK, PADDLE = 0, 1, 2, 3


@inner
def slide(game: Game, nx: float, ny: float) -> None:
    """Let a ball in a gap exactly as wide as itself fly along it, at its speed, rather than hit both sides for ever."""
    vx, vy = game.velocity[0], game.velocity[1]
    along = vy * nx - vx * ny
    if along != 0.0:
        speed = math.sqrt(vx * vx + vy * vy)
        sense = speed if along > 0.0 else -speed
        game.velocity[0] = -ny * sense
        game.velocity[1] = nx * sense


@inner
def glide(game: Game, direction: int, mouse: float, dt: float) -> float:
    """Play a step in which nothing happens; return how long the paddle moves, or -1, nothing changed, if it may happen.

    Most steps are of this kind, and this is all of their work.
    """
    busy = (game.mode ^ state.ACTIVE) | game.stuck
    fruitless = game.fruitless + dt
    if busy != 0 or game.shake > 0.0 or game.paddle_grown != game.paddle_width or fruitless >= state.TURN_AFTER:
        return -1.0
    x, y = game.ball[0], game.ball[1]
    end_x, end_y = x + game.velocity[0] * dt, y + game.velocity[1] * dt
    highest = min(y, end_y)
    if not (
        highest > state.BALL_RADIUS
        and max(y, end_y) < state.PADDLE_TOP - state.BALL_RADIUS
        and state.BALL_RADIUS < end_x < state.WIDTH - state.BALL_RADIUS
    ):
        return -1.0
    velocity, goal, moves = paddle_way(game, direction, mouse, dt)
    # Among the bricks the ball's way has two legs where the paddle stops within the step, and rounds otherwise.
    among = highest <= BRICKS_END + state.BALL_RADIUS
    if among and (moves < dt or is_near_brick(game, x, y, end_x, end_y)):
        return -1.0
    for k in range(game.falling):
        if game.items[k].position[1] + state.ITEM_SPEED * dt + state.ITEM_HEIGHT >= state.PADDLE_TOP:
            return -1.0
    if game.running != 0:
        for kind in range(len(state.LASTS)):
            if game.running >> kind & 1 and game.timers[kind] <= dt:
                return -1.0
        for kind in range(len(state.LASTS)):
            game.timers[kind] -= dt * (game.running >> kind & 1)
    for k in range(game.falling):
        game.items[k].position[1] += state.ITEM_SPEED * dt
    game.paddle, game.paddle_velocity, game.fruitless = goal, velocity, fruitless
    game.ball[0], game.ball[1] = end_x, end_y
    return moves


@inner
def play_motion(game: Game, trace: Trace, player: Player, dt: float) -> tuple[bool, float]:
    """Move the paddle and the ball through the step, from hit to hit; return (ball lost, when its motion ended)."""
    grow_paddle(game)
    start = game.paddle
    velocity, goal, moves = paddle_way(game, player.direction, player.mouse, dt)
    game.paddle = goal
    game.paddle_velocity = velocity
    trace.paddle_start = start
    trace.paddle_width = game.paddle_width
    trace.paddle_pace = velocity
    trace.paddle_moved = moves
    x, y = game.ball[0], game.ball[1]
    vx, vy = game.velocity[0], game.velocity[1]
    if game.stuck != state.FREE:
        carry_ball(game)
        return False, dt

    narrow = math.inf  # when the room between paddle and wall becomes too narrow for the ball
    if velocity != 0.0 and y + (abs(vx) + abs(vy)) * dt > state.PADDLE_TOP - state.BALL_RADIUS:
        side = 2.0 * state.BALL_RADIUS + PINCH
        narrow = ((side if velocity < 0.0 else state.WIDTH - side - game.paddle_width) - start) / velocity
    time, idle, hits, slid, lost = 0.0, 0, 0, False, False
    while time < dt:
        moving = time < moves
        until = moves if moving else dt
        pace = velocity if moving else 0.0
        left = start + velocity * time if moving else game.paddle
        x, y = game.ball[0], game.ball[1]
        vx, vy = game.velocity[0], game.velocity[1]
        if moving and time < narrow:
            until = min(until, narrow)
        elif moving and is_beside(game, left, velocity):
            moves, goal = time, left
            game.paddle, game.paddle_velocity = left, 0.0
            note(trace, state.PADDLE_BLOCKED, 0, time, x, y, 0.0, 0.0)
            continue
        first, kind = until - time, NOTHING
        nx, ny = 0.0, 0.0
        first, met = next_wall(x, y, vx, vy, first)
        if met >= 0:
            kind = WALL
            nx, ny = (0.0, 1.0) if met >= 2 else (1.0, 0.0)
        if min(y, y + vy * first) < BRICKS_END + state.BALL_RADIUS:
            fraction, cell, brick_x, brick_y = next_brick(game, x, y, vx * first, vy * first)
            if fraction <= 1.0:
                first, kind, met = first * fraction, BRICK, cell
                nx, ny = brick_x, brick_y
        if max(y, y + vy * first) > state.PADDLE_TOP - state.BALL_RADIUS:
            right, bottom = left + game.paddle_width, state.PADDLE_TOP + state.PADDLE_HEIGHT
            fraction, paddle_x, paddle_y = sweep_disc_box(
                x, y, (vx - pace) * first, vy * first, left, state.PADDLE_TOP, right, bottom, state.BALL_RADIUS, SLOP
            )
            if fraction <= 1.0:
                first, kind = first * fraction, PADDLE
                nx, ny = paddle_x, paddle_y
        game.ball[0] = x + vx * first
        game.ball[1] = y + vy * first
        if kind == NOTHING:
            time = until
            continue
        time += first
        idle = idle + 1 if first <= NO_TIME * dt else 0
        hits += 1
        if kind == PADDLE:
            game.paddle = min(max(left + pace * first, 0.0), state.WIDTH - game.paddle_width)
            if meet_paddle(game, trace, time, pace, nx, ny):
                moves = min(time, moves)
                game.paddle_velocity = 0.0
                goal = game.paddle
            game.paddle = goal
            if game.stuck != state.FREE:
                carry_ball(game)
                break
        elif kind == WALL and met == 3:
            lost = True
            break
        else:
            meet_bricks(game, trace, time, met if kind == BRICK else -1 - met, nx, ny)
            if game.remaining == 0:
                break
        if idle > MOST_IDLE and not slid and kind != PADDLE:
            idle, slid = 0, True
            slide(game, nx, ny)
        elif idle > MOST_IDLE or hits > MOST_HITS:
            game.stalls += 1
            if time < moves:
                game.paddle = left
                moves = time
            break
    trace.paddle_moved = moves
    return lost, time


@inner
def turn_fruitless_ball(game: Game, trace: Trace, dt: float) -> None:
    """Turn a ball that has long met nothing but walls and solid bricks: upright if it is flat, else to its right.

    True normals can leave a ball all but level, or on a closed way among solid bricks, where no player can reach it.
    The angle is no rational part of a full turn, so that it never comes back to the same way.
    """
    if game.stuck != state.FREE or trace.seen & (1 << state.BRICK_HIT | 1 << state.PADDLE_HIT):
        game.fruitless = 0.0
        return
    game.fruitless += dt
    if game.fruitless < state.TURN_AFTER:
        return
    game.fruitless = 0.0
    vx, vy = game.velocity[0], game.velocity[1]
    flat = abs(vy) < state.FLATTEST * game.speed
    sine = -state.TURN_SIN if flat and (vx < 0.0) == (vy >= 0.0) else state.TURN_SIN
    game.velocity[0] = state.TURN_COS * vx - sine * vy
    game.velocity[1] = sine * vx + state.TURN_COS * vy
    note(trace, state.BALL_TURNED, 0, dt, game.ball[0], game.ball[1], 0.0, 0.0)
