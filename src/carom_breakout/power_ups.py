"""Broken bricks and power-ups: points, drops, catching, and the timers of the effects.

In: one game and its trace, which are written to; times in seconds. Out: the game, with items that fall and effects that
run. `power_up_table.py` says how often each power-up drops, how long it lasts and by which it is shut out. Both physics
share these rules; `as_tutorial` asks for the careless version that the tutorial's game has.
"""

from __future__ import annotations

from carom import inner
from carom_breakout import state
from carom_breakout.lives import launch
from carom_breakout.state import Game, Trace, next_random, note


@inner
def strike_brick(
    game: Game,
    trace: Trace,
    cell: int,
    time: float,
    nx: float,
    ny: float,
    left: float,
    top: float,
) -> None:
    """Break a brick, with its points and drops, or shake the field for a solid one; (left, top) is its corner."""
    x, y = game.ball[0], game.ball[1]
    code = game.bricks[cell]
    if code == state.SOLID:
        game.shake = state.SHAKE_TIME
        note(trace, state.SOLID_HIT, cell, time, x, y, nx, ny)
        return
    game.bricks[cell] = state.EMPTY
    game.remaining -= 1
    game.score += state.POINTS[code]
    note(trace, state.BRICK_HIT, cell, time, x, y, nx, ny)
    number = game.drops
    for kind in range(len(state.ONE_IN) if number != state.NO_DROPS else 0):
        number = next_random(number)
        k = game.falling
        if number % state.ONE_IN[kind] == 0 and k < state.ITEMS:
            game.falling = k + 1
            game.items[k].kind = kind
            game.items[k].position[0] = left
            # The item falls through the whole step, and is at the brick's top now.
            game.items[k].position[1] = top - state.ITEM_SPEED * time
            note(trace, state.ITEM_DROPPED, kind, time, left, top, 0.0, 0.0)
    game.drops = number


@inner
def remove_item(game: Game, k: int) -> None:
    """Take the k-th falling item away; the others keep their order."""
    game.falling -= 1
    for i in range(k, game.falling):
        game.items[i].kind = game.items[i + 1].kind
        game.items[i].position[0] = game.items[i + 1].position[0]
        game.items[i].position[1] = game.items[i + 1].position[1]


@inner
def catch_item(game: Game, trace: Trace, kind: int, time: float, x: float, y: float, as_tutorial: bool) -> None:
    """Put a power-up to work; one of a kind that is at work already starts its time anew."""
    note(trace, state.ITEM_CAUGHT, kind, time, x, y, 0.0, -1.0)
    game.score += state.POINTS_ITEM
    shut_out = game.effects & state.SHUT_OUT_BY[kind] != 0
    if shut_out and not as_tutorial:
        return
    if kind == state.SPEED:
        game.velocity[0] *= state.SPEED_FACTOR
        game.velocity[1] *= state.SPEED_FACTOR
        game.speed *= state.SPEED_FACTOR
    elif kind == state.PAD_SIZE and as_tutorial:
        game.paddle_width += state.PADDLE_GROWTH
        game.paddle_grown = game.paddle_width
    elif kind == state.PAD_SIZE:
        game.paddle_grown = min(game.paddle_grown + state.PADDLE_GROWTH, state.PADDLE_WIDEST)
    elif not shut_out:
        game.effects |= 1 << kind
    if state.LASTS[kind] > 0.0:
        game.running |= 1 << kind
        game.timers[kind] = state.LASTS[kind]


@inner
def run_timers(game: Game, trace: Trace, dt: float, as_tutorial: bool) -> None:
    """Count the timers and the shake down; an effect ends with its timer."""
    if game.shake > 0.0:
        game.shake = max(game.shake - dt, 0.0)
    if game.running == 0:
        return
    for kind in range(len(state.LASTS)):
        bit = 1 << kind
        if game.running & bit:
            game.timers[kind] -= dt
            if game.timers[kind] <= 0.0:
                game.timers[kind] = 0.0
                game.running &= ~bit
                game.effects &= ~bit
                note(trace, state.EFFECT_ENDED, kind, dt, game.ball[0], game.ball[1], 0.0, 0.0)
                if kind == state.STICKY and game.stuck == state.CAUGHT and not as_tutorial:
                    launch(game, trace, dt)
