"""What a game of Breakout is: the constants, and the columns that hold any number of games.

In: how many games, their levels and seeds. Out: the tables that the rules step. A row is one game; the field is 800 by
600 pixels, the origin is its upper left corner, y points down, times are seconds, speeds pixels per second. Random
numbers come from small streams kept in the games themselves, so a game is its columns and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom.breakout.levels import Levels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Codes = NDArray[np.int8]

WIDTH, HEIGHT = 800.0, 600.0
TICK = 1.0 / 60.0

# Physics: the exact one, or the tutorial's by the stage it has reached.
EXACT = 0
TUTORIAL_BOX, TUTORIAL_CIRCLE, TUTORIAL_RESOLUTION, TUTORIAL_PADDLE, TUTORIAL = 1, 2, 3, 4, 5

# games.mode
MENU, ACTIVE, WIN, PAUSED = 0, 1, 2, 3

PADDLE_WIDTH, PADDLE_HEIGHT, PADDLE_TOP = 100.0, 20.0, 580.0
PADDLE_SPEED = 500.0
PADDLE_WIDEST = 400.0  # exact physics only: the tutorial's paddle grows without limit
PADDLE_GROWTH = 50.0
MOUSE_SPEED = 3000.0  # the paddle follows the mouse no faster than this
BOUNCE_STRENGTH = 2.0
FLATTEST = 0.3  # exact physics: at least this share of the speed leaves the paddle upward, 17 degrees

BALL_RADIUS = 12.5
LAUNCH_X, LAUNCH_Y = 100.0, -350.0
LIVES = 3

# games.stuck
FREE, SERVED, CAUGHT = 0, 1, 2

SHAKE_TIME = 0.05

# Power-ups: the kind is the number of its effect, its timer and its bit in games.effects.
SPEED, STICKY, PASS_THROUGH, PAD_SIZE, CONFUSE, CHAOS = 0, 1, 2, 3, 4, 5
POWER_UPS = 6
POWER_UP_NAMES = ("speed", "sticky", "pass-through", "pad-size-increase", "confuse", "chaos")
ONE_IN = (75, 75, 75, 75, 15, 15)  # each destroyed brick drops each kind with this chance
LASTS = (0.0, 20.0, 10.0, 0.0, 15.0, 15.0)  # 0: until the life is lost
SPEED_FACTOR = 1.2
ITEM_WIDTH, ITEM_HEIGHT, ITEM_SPEED = 60.0, 20.0, 150.0
ITEMS = 32  # falling at once in one game; a drop beyond that is left out

# Brick codes
EMPTY, SOLID, BLUE, GREEN, TAN, ORANGE, WHITE = 0, 1, 2, 3, 4, 5, 6
POINTS = (0, 0, 10, 20, 30, 40, 50)  # by brick code
POINTS_ITEM = 5
POINTS_CLEARED, POINTS_LIFE = 250, 100  # for a cleared level, and for each life left then

# Inputs.buttons: a bit acts in every step in which it is set, so set it for one step at each key press.
RELEASE, ENTER, NEXT, PREVIOUS, PAUSE = 1, 2, 4, 8, 16

# Trace.kind, and the bit 1 << kind of Trace.seen
(
    BRICK_HIT,
    SOLID_HIT,
    WALL_HIT,
    PADDLE_HIT,
    LAUNCHED,
    ITEM_DROPPED,
    ITEM_CAUGHT,
    EFFECT_ENDED,
    LIFE_LOST,
    GAME_OVER,
    LEVEL_WON,
    LEVEL_LOADED,
    PADDLE_BLOCKED,
) = range(13)
EVENT_NAMES = (
    "brick hit",
    "solid hit",
    "wall hit",
    "paddle hit",
    "launched",
    "item dropped",
    "item caught",
    "effect ended",
    "life lost",
    "game over",
    "level won",
    "level loaded",
    "paddle blocked",
)


class Games(NamedTuple):
    """Any number of games as columns; every array has one row for each game."""

    mode: Integers  # (n,) MENU, ACTIVE, WIN or PAUSED
    level: Integers  # (n,) row of the Levels table
    bricks: Codes  # (n, cells) code of each brick, row by row as in the level; EMPTY where it is broken or never was
    remaining: Integers  # (n,) destructible bricks left
    lives: Integers  # (n,)
    score: Integers  # (n,) of this run; kept on show in the menu, cleared at the next start
    tick: Integers  # (n,) steps made
    ball: Floats  # (n, 2) centre
    velocity: Floats  # (n, 2) of the ball; kept while it is stuck, it leaves with it
    speed: Floats  # (n,) that the paddle's top gives back to the ball
    stuck: Integers  # (n,) FREE, SERVED or CAUGHT (by the sticky paddle)
    stuck_offset: Floats  # (n,) ball centre minus left end of the paddle while it is stuck
    paddle: Floats  # (n,) left end
    paddle_width: Floats  # (n,)
    paddle_grown: Floats  # (n,) width that the paddle will have once there is room for it
    paddle_velocity: Floats  # (n,) during the last step, until it arrived or was blocked
    effects: Integers  # (n,) bits 1 << kind of the power-ups at work
    running: Integers  # (n,) bits 1 << kind of the timers running
    timers: Floats  # (n, 6) seconds left
    shake: Floats  # (n,) seconds left
    items: Integers  # (n,) power-ups falling: the first so many entries of the next two
    item_kind: Integers  # (n, ITEMS)
    item_position: Floats  # (n, ITEMS, 2) upper left corner
    drops: Integers  # (n,) stream of random numbers for the drops
    stalls: Integers  # (n,) steps that ended early because hits made no progress in time; 0 in every game played


class Inputs(NamedTuple):
    """What the players do in one step, a row for each game."""

    direction: Integers  # (n,) -1 left, 0, +1 right
    mouse: Floats  # (n,) where the middle of the paddle should go, or NaN; used where direction is 0
    buttons: Integers  # (n,) bits RELEASE, ENTER, NEXT, PREVIOUS, PAUSE


class Trace(NamedTuple):
    """What happened in the last step, a row for each game, in time order.

    `count` goes on where the capacity ends, so that nothing is lost unnoticed. x and y are the ball's centre at that
    instant (of an item's events: its upper left corner); the normal points from what was hit to the ball. subject is
    the cell of the brick, or the kind of the power-up, or the wall (0 left, 1 right, 2 top), or the level.
    """

    seen: Integers  # (n,) bits 1 << kind
    count: Integers  # (n,)
    start: Floats  # (n, 2) ball at the start of the step
    end: Floats  # (n, 2) ball at the end of its way, before a lost ball is put back
    kind: Integers  # (n, capacity)
    subject: Integers  # (n, capacity)
    time: Floats  # (n, capacity) seconds from the start of the step
    point: Floats  # (n, capacity, 2)
    normal: Floats  # (n, capacity, 2)


def stream(seed: int, purpose: str) -> int:
    """Return the start of the stream of random numbers for one purpose of the game with this seed.

    Streams of different purposes never share numbers, so drawing particles cannot change which power-ups fall.
    """
    words = [seed, *purpose.encode()]
    return max(1, int(np.random.SeedSequence(words).generate_state(1)[0]))


def make_games(levels: Levels, seeds: Sequence[int], level: int = 0) -> Games:
    """Make one game in the menu for each seed.

    Parameters
    ----------
    levels : Levels
        The table of levels to play.
    seeds : sequence of int, >= 0
    level : int
        The level offered first.

    Returns
    -------
    Games
    """
    if not 0 <= level < len(levels.columns):
        raise ValueError(f"level = {level} must be one of the {len(levels.columns)} levels, counted from 0")
    for row, seed in enumerate(seeds):
        if seed < 0:
            raise ValueError(f"seeds[{row}] = {seed} must not be negative")
    n = len(seeds)
    cells = levels.codes.shape[1]
    count, left = np.int64, (WIDTH - PADDLE_WIDTH) / 2
    games = Games(
        mode=np.full(n, MENU, count),
        level=np.full(n, level, count),
        bricks=np.empty((n, cells), np.int8),
        remaining=np.full(n, levels.destructible[level], count),
        lives=np.full(n, LIVES, count),
        score=np.zeros(n, count),
        tick=np.zeros(n, count),
        ball=np.empty((n, 2)),
        velocity=np.empty((n, 2)),
        speed=np.full(n, float(np.sqrt(LAUNCH_X * LAUNCH_X + LAUNCH_Y * LAUNCH_Y))),
        stuck=np.full(n, SERVED, count),
        stuck_offset=np.full(n, PADDLE_WIDTH / 2),
        paddle=np.full(n, left),
        paddle_width=np.full(n, PADDLE_WIDTH),
        paddle_grown=np.full(n, PADDLE_WIDTH),
        paddle_velocity=np.zeros(n),
        effects=np.zeros(n, count),
        running=np.zeros(n, count),
        timers=np.zeros((n, POWER_UPS)),
        shake=np.zeros(n),
        items=np.zeros(n, count),
        item_kind=np.zeros((n, ITEMS), count),
        item_position=np.zeros((n, ITEMS, 2)),
        drops=np.array([stream(seed, "drops") for seed in seeds], count),
        stalls=np.zeros(n, count),
    )
    games.bricks[:] = levels.codes[level]
    games.ball[:] = left + PADDLE_WIDTH / 2, PADDLE_TOP - BALL_RADIUS
    games.velocity[:] = LAUNCH_X, LAUNCH_Y
    return games


def make_inputs(n: int) -> Inputs:
    """Make inputs for n games in which nobody does anything; write into its columns."""
    return Inputs(np.zeros(n, np.int64), np.full(n, np.nan), np.zeros(n, np.int64))


def make_trace(n: int, capacity: int = 0) -> Trace:
    """Make an empty trace for n games that keeps the first `capacity` events of a step; `seen` and `count` always."""
    return Trace(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros((n, 2)),
        np.zeros((n, 2)),
        np.zeros((n, capacity), np.int64),
        np.zeros((n, capacity), np.int64),
        np.zeros((n, capacity)),
        np.zeros((n, capacity, 2)),
        np.zeros((n, capacity, 2)),
    )


def copy_games(games: Games) -> Games:
    """Return a copy that shares nothing with the games given."""
    return Games(*(column.copy() for column in games))


def digest(games: Games, row: int) -> str:
    """Return 16 hexadecimal digits that stand for every bit of one game's state."""
    state = hashlib.blake2b(digest_size=8)
    for column in games:
        state.update(np.ascontiguousarray(column[row]).tobytes())
    return state.hexdigest()


def path(trace: Trace, row: int) -> Floats:
    """Return the way of the ball in the last step: start, each kept hit that turned or met it, end; (k, 2)."""
    kept = min(int(trace.count[row]), trace.kind.shape[1])
    hits = np.isin(trace.kind[row, :kept], (BRICK_HIT, SOLID_HIT, WALL_HIT, PADDLE_HIT))
    return np.vstack((trace.start[row], trace.point[row, :kept][hits], trace.end[row]))
