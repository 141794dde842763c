"""Menu and pause, levels and lives: the effects of the buttons, of a lost ball and of a cleared level.

In: one game and its trace, which are written to; the table of levels; times in seconds. Out: the game, served anew
where a ball was lost or a level begins. Both physics share these rules; `as_tutorial` asks for the careless version
that the tutorial's game has.
"""

from __future__ import annotations

from carom import inner
from carom_breakout import state
from carom_breakout.levels import Levels
from carom_breakout.state import Game, Trace, note

NO_LEVEL = -1


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
    note(trace, state.LEVEL_LOADED, level, 0.0, game.ball[0], game.ball[1], 0.0, 0.0)


@inner
def reset_player(game: Game, as_tutorial: bool) -> None:
    """Serve a new ball on a normal paddle, all effects off; the tutorial forgets the items that fall or run."""
    left = (state.WIDTH - state.PADDLE_WIDTH) / 2
    game.paddle = left
    game.paddle_width = state.PADDLE_WIDTH
    game.paddle_grown = state.PADDLE_WIDTH
    game.paddle_velocity = 0.0
    game.stuck = state.SERVED
    game.stuck_offset = state.PADDLE_WIDTH / 2
    game.ball[0] = left + state.PADDLE_WIDTH / 2
    game.ball[1] = state.PADDLE_TOP - state.BALL_RADIUS
    game.velocity[0] = state.LAUNCH_X
    game.velocity[1] = state.LAUNCH_Y
    game.speed = state.LAUNCH_SPEED
    game.fruitless = 0.0
    game.effects = 0
    if not as_tutorial:
        game.falling = 0
        game.running = 0
        game.shake = 0.0
        for kind in range(len(state.LASTS)):
            game.timers[kind] = 0.0


@inner
def launch(game: Game, trace: Trace, time: float) -> None:
    """Let go of the ball that is stuck to the paddle."""
    game.stuck = state.FREE
    note(trace, state.LAUNCHED, 0, time, game.ball[0], game.ball[1], 0.0, -1.0)


@inner
def press_buttons(game: Game, trace: Trace, levels: Levels, buttons: int, as_tutorial: bool) -> None:
    """Change the state as the buttons ask, let go of a stuck ball, load the level asked for."""
    mode, n_levels, wanted = game.mode, len(levels.columns), NO_LEVEL
    if buttons & state.LEAVE and mode != state.MENU:
        reset_player(game, False)
        game.mode, game.lives = state.MENU, state.LIVES
        wanted = game.level
    elif mode == state.ACTIVE:
        if buttons & state.PAUSE:
            game.mode = state.PAUSED
        elif buttons & state.NEW_BALL and game.ball[1] > state.HEIGHT + state.BALL_RADIUS:
            reset_player(game, False)
        elif buttons & state.RELEASE and game.stuck != state.FREE:
            launch(game, trace, 0.0)
    elif mode == state.PAUSED:
        if buttons & state.PAUSE:
            game.mode = state.ACTIVE
    elif mode == state.MENU:
        if buttons & state.ENTER:
            game.mode = state.ACTIVE
            game.score = 0
        if buttons & state.NEXT:
            wanted = (game.level + 1) % n_levels
        elif buttons & state.PREVIOUS:
            wanted = (game.level + n_levels - 1) % n_levels
    elif buttons & state.ENTER:
        game.effects &= ~(1 << state.CHAOS)
        game.mode = state.MENU
        if not as_tutorial:
            game.mode = state.ACTIVE
            wanted = (game.level + 1) % n_levels
    if wanted != NO_LEVEL:
        load_level(game, trace, levels, wanted)


@inner
def settle(game: Game, trace: Trace, levels: Levels, lost: bool, time: float, as_tutorial: bool) -> None:
    """Take a life for a lost ball, call a cleared level won, load the level that is to be played anew."""
    x, y = game.ball[0], game.ball[1]
    wanted = NO_LEVEL
    if lost:
        game.lives -= 1
        note(trace, state.LIFE_LOST, game.lives, time, x, y, 0.0, 0.0)
        if game.lives == 0:
            note(trace, state.GAME_OVER, game.level, time, x, y, 0.0, 0.0)
            game.mode = state.MENU
            game.lives = state.LIVES
            wanted = game.level
        reset_player(game, as_tutorial)
    if game.mode == state.ACTIVE and game.remaining == 0:
        game.score += state.POINTS_CLEARED + state.POINTS_LIFE * game.lives
        note(trace, state.LEVEL_WON, game.level, time, x, y, 0.0, 0.0)
        game.mode = state.WIN
        reset_player(game, as_tutorial)
        game.effects |= 1 << state.CHAOS
        if as_tutorial:
            game.lives = state.LIVES
            wanted = game.level
    if wanted != NO_LEVEL:
        load_level(game, trace, levels, wanted)
