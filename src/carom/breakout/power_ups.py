"""The rules that both physics share: menu and pause, lives and levels, score, power-ups and their timers, the shake.

In: one game and its trace, which are written to; times in seconds. `as_tutorial` reproduces what the tutorial's game
does carelessly.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom.breakout.levels import Levels
from carom.breakout.state import (
    ACTIVE,
    BALL_RADIUS,
    BALL_TURNED,
    BRICK_HIT,
    CAUGHT,
    CHAOS,
    CONFUSE,
    EFFECT_ENDED,
    EMPTY,
    ENTER,
    EVENTS,
    FLATTEST,
    FREE,
    GAME_OVER,
    ITEM_CAUGHT,
    ITEM_DROPPED,
    ITEM_SPEED,
    ITEMS,
    LASTS,
    LAUNCH_SPEED,
    LAUNCH_X,
    LAUNCH_Y,
    LAUNCHED,
    LEVEL_LOADED,
    LEVEL_WON,
    LIFE_LOST,
    LIVES,
    MENU,
    NEXT,
    ONE_IN,
    PAD_SIZE,
    PADDLE_GROWTH,
    PADDLE_HIT,
    PADDLE_TOP,
    PADDLE_WIDEST,
    PADDLE_WIDTH,
    PAUSE,
    PAUSED,
    POINTS,
    POINTS_CLEARED,
    POINTS_ITEM,
    POINTS_LIFE,
    POWER_UPS,
    PREVIOUS,
    RELEASE,
    SERVED,
    SHAKE_TIME,
    SOLID,
    SOLID_HIT,
    SPEED,
    SPEED_FACTOR,
    STICKY,
    TURN_AFTER,
    TURN_COS,
    TURN_SIN,
    WIDTH,
    WIN,
    Game,
    Trace,
)

NO_LEVEL = -1


@inner
def next_random(state: int) -> int:
    """Return the number after `state` in a stream of 32 bits without 0 (Marsaglia, Xorshift RNGs, 2003)."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ ((state << 5) & 0xFFFFFFFF)


@inner
def note(trace: Trace, kind: int, subject: int, time: float, x: float, y: float, nx: float, ny: float) -> None:
    """Write one event into the trace, if there is room, and count it."""
    k = trace.count
    trace.count = k + 1
    trace.seen |= 1 << kind
    if k < EVENTS:
        event = trace.events[k]
        event.kind = kind
        event.subject = subject
        event.time = time
        event.point[0] = x
        event.point[1] = y
        event.normal[0] = nx
        event.normal[1] = ny


@inner
def load_level(game: Game, trace: Trace, levels: Levels, level: int) -> None:
    """Put all bricks of the level in place; of the last one where the table has fewer."""
    level = min(level, len(levels.columns) - 1)
    game.level = level
    game.columns = levels.columns[level]
    game.rows = levels.rows[level]
    for cell in range(len(game.bricks)):
        game.bricks[cell] = levels.codes[level, cell]
    game.remaining = levels.destructible[level]
    note(trace, LEVEL_LOADED, level, 0.0, game.ball[0], game.ball[1], 0.0, 0.0)


@inner
def reset_player(game: Game, as_tutorial: bool) -> None:
    """Serve a new ball on a normal paddle, all effects off; the tutorial forgets the items that fall or run."""
    left = (WIDTH - PADDLE_WIDTH) / 2
    game.paddle = left
    game.paddle_width = PADDLE_WIDTH
    game.paddle_grown = PADDLE_WIDTH
    game.paddle_velocity = 0.0
    game.stuck = SERVED
    game.stuck_offset = PADDLE_WIDTH / 2
    game.ball[0] = left + PADDLE_WIDTH / 2
    game.ball[1] = PADDLE_TOP - BALL_RADIUS
    game.velocity[0] = LAUNCH_X
    game.velocity[1] = LAUNCH_Y
    game.speed = LAUNCH_SPEED
    game.fruitless = 0.0
    game.effects = 0
    if not as_tutorial:
        game.falling = 0
        game.running = 0
        game.shake = 0.0
        for kind in range(POWER_UPS):
            game.timers[kind] = 0.0


@inner
def press_buttons(game: Game, trace: Trace, n_levels: int, buttons: int, as_tutorial: bool) -> int:
    """Change the state as the buttons ask, let go of a stuck ball; return the level to load, or NO_LEVEL."""
    mode = game.mode
    if mode == ACTIVE:
        if buttons & PAUSE:
            game.mode = PAUSED
        elif buttons & RELEASE and game.stuck != FREE:
            launch(game, trace, 0.0)
    elif mode == PAUSED:
        if buttons & PAUSE:
            game.mode = ACTIVE
    elif mode == MENU:
        if buttons & ENTER:
            game.mode = ACTIVE
            game.score = 0
        if buttons & NEXT:
            return int((game.level + 1) % n_levels)
        if buttons & PREVIOUS:
            return int((game.level + n_levels - 1) % n_levels)
    elif buttons & ENTER:
        game.effects &= ~(1 << CHAOS)
        game.mode = MENU
        if not as_tutorial:
            game.mode = ACTIVE
            return int((game.level + 1) % n_levels)
    return NO_LEVEL


@inner
def launch(game: Game, trace: Trace, time: float) -> None:
    """Let go of the ball that is stuck to the paddle."""
    game.stuck = FREE
    note(trace, LAUNCHED, 0, time, game.ball[0], game.ball[1], 0.0, -1.0)


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
    if code == SOLID:
        game.shake = SHAKE_TIME
        note(trace, SOLID_HIT, cell, time, x, y, nx, ny)
        return
    game.bricks[cell] = EMPTY
    game.remaining -= 1
    game.score += POINTS[code]
    note(trace, BRICK_HIT, cell, time, x, y, nx, ny)
    number = game.drops
    for kind in range(POWER_UPS):
        number = next_random(number)
        k = game.falling
        if number % ONE_IN[kind] == 0 and k < ITEMS:
            game.falling = k + 1
            game.items[k].kind = kind
            game.items[k].position[0] = left
            game.items[k].position[1] = top - ITEM_SPEED * time  # it falls through the whole step, and is at top now
            note(trace, ITEM_DROPPED, kind, time, left, top, 0.0, 0.0)
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
    note(trace, ITEM_CAUGHT, kind, time, x, y, 0.0, -1.0)
    game.score += POINTS_ITEM
    other = CHAOS if kind == CONFUSE else CONFUSE
    shut_out = kind >= CONFUSE and game.effects & (1 << other) != 0
    if shut_out and not as_tutorial:
        return
    if kind == SPEED:
        game.velocity[0] *= SPEED_FACTOR
        game.velocity[1] *= SPEED_FACTOR
        game.speed *= SPEED_FACTOR
    elif kind == PAD_SIZE and as_tutorial:
        game.paddle_width += PADDLE_GROWTH
        game.paddle_grown = game.paddle_width
    elif kind == PAD_SIZE:
        game.paddle_grown = min(game.paddle_grown + PADDLE_GROWTH, PADDLE_WIDEST)
    elif not shut_out:
        game.effects |= 1 << kind
    if LASTS[kind] > 0.0:
        game.running |= 1 << kind
        game.timers[kind] = LASTS[kind]


@inner
def run_timers(game: Game, trace: Trace, dt: float, as_tutorial: bool) -> None:
    """Count the timers and the shake down; an effect ends with its timer."""
    if game.shake > 0.0:
        game.shake = max(game.shake - dt, 0.0)
    if game.running == 0:
        return
    for kind in range(POWER_UPS):
        bit = 1 << kind
        if game.running & bit:
            game.timers[kind] -= dt
            if game.timers[kind] <= 0.0:
                game.timers[kind] = 0.0
                game.running &= ~bit
                game.effects &= ~bit
                note(trace, EFFECT_ENDED, kind, dt, game.ball[0], game.ball[1], 0.0, 0.0)
                if kind == STICKY and game.stuck == CAUGHT and not as_tutorial:
                    launch(game, trace, dt)


@inner
def turn_fruitless_ball(game: Game, trace: Trace, dt: float) -> None:
    """Turn a ball that has long met nothing but walls and solid bricks: upright if it is flat, else to its right.

    True normals can leave a ball all but level, or on a closed way among solid bricks, where no player can reach it.
    The angle is no rational part of a full turn, so that it never comes back to the same way.
    """
    if game.stuck != FREE or trace.seen & (1 << BRICK_HIT | 1 << PADDLE_HIT):
        game.fruitless = 0.0
        return
    game.fruitless += dt
    if game.fruitless < TURN_AFTER:
        return
    game.fruitless = 0.0
    vx, vy = game.velocity[0], game.velocity[1]
    flat = abs(vy) < FLATTEST * game.speed
    sine = -TURN_SIN if flat and (vx < 0.0) == (vy >= 0.0) else TURN_SIN
    game.velocity[0] = TURN_COS * vx - sine * vy
    game.velocity[1] = sine * vx + TURN_COS * vy
    note(trace, BALL_TURNED, 0, dt, game.ball[0], game.ball[1], 0.0, 0.0)


@inner
def settle(game: Game, trace: Trace, lost: bool, time: float, as_tutorial: bool) -> int:
    """Take a life for a lost ball, call a cleared level won; return the level to load anew, or NO_LEVEL."""
    x, y = game.ball[0], game.ball[1]
    wanted = NO_LEVEL
    if lost:
        game.lives -= 1
        note(trace, LIFE_LOST, game.lives, time, x, y, 0.0, 0.0)
        if game.lives == 0:
            note(trace, GAME_OVER, game.level, time, x, y, 0.0, 0.0)
            game.mode = MENU
            game.lives = LIVES
            wanted = game.level
        reset_player(game, as_tutorial)
    if game.mode == ACTIVE and game.remaining == 0:
        game.score += POINTS_CLEARED + POINTS_LIFE * game.lives
        note(trace, LEVEL_WON, game.level, time, x, y, 0.0, 0.0)
        game.mode = WIN
        reset_player(game, as_tutorial)
        game.effects |= 1 << CHAOS
        if as_tutorial:
            game.lives = LIVES
            wanted = game.level
    return wanted
