"""The state of a game of Breakout: the constants, and the columns that hold any number of games.

In: how many games, their levels and seeds. Out: the tables that the rules step. A row is one game; the field is 800 by
600 pixels, the origin is its upper left corner, y points down, times are seconds, speeds pixels per second. Random
numbers come from small streams kept in the games themselves, so a game is its columns and nothing else.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from carom import inner
from carom_breakout.levels import FIELD_WIDTH, MOST_BRICKS, Levels
from carom_breakout.power_up_table import POWER_UPS

WIDTH, HEIGHT = FIELD_WIDTH, 600.0
TICK = 1.0 / 60.0

# Physics: the exact one, or the tutorial's by the stage it has reached.
EXACT = 0
TUTORIAL_BOX, TUTORIAL_CIRCLE, TUTORIAL_RESOLUTION, TUTORIAL_PADDLE, TUTORIAL = 1, 2, 3, 4, 5

# mode
MENU, ACTIVE, WIN, PAUSED = 0, 1, 2, 3

PADDLE_WIDTH, PADDLE_HEIGHT, PADDLE_TOP = 100.0, 20.0, 580.0
PADDLE_SPEED = 500.0
PADDLE_WIDEST = 400.0  # exact physics only: the tutorial's paddle grows without limit
PADDLE_GROWTH = 50.0
MOUSE_SPEED = 2000.0  # the paddle follows the mouse no faster than this
BOUNCE_STRENGTH = 2.0
FLATTEST = 0.3  # exact physics: at least this share of the speed leaves the paddle upward, 17 degrees

BALL_RADIUS = 12.5
TURN_AFTER = 10.0  # exact physics: a ball that met neither the paddle nor a brick that breaks for so long is turned
TURN_COS, TURN_SIN = 24.0 / 25.0, 7.0 / 25.0  # by 16 degrees
LAUNCH_X, LAUNCH_Y = 100.0, -350.0
LAUNCH_SPEED = math.sqrt(LAUNCH_X * LAUNCH_X + LAUNCH_Y * LAUNCH_Y)
LIVES = 3

# stuck
FREE, SERVED, CAUGHT = 0, 1, 2

SHAKE_TIME = 0.05

# Power-ups: a kind is a row of the table; it is also the number of its timer, and of its bit in running and in effects.
KINDS = {power_up.name: kind for kind, power_up in enumerate(POWER_UPS)}
SPEED, STICKY, PASS_THROUGH = KINDS["speed"], KINDS["sticky"], KINDS["pass-through"]
PAD_SIZE, CONFUSE, CHAOS = KINDS["pad-size-increase"], KINDS["confuse"], KINDS["chaos"]
ONE_IN = tuple(power_up.one_in for power_up in POWER_UPS)
LASTS = tuple(power_up.lasts for power_up in POWER_UPS)
HELPS = tuple(power_up.helps for power_up in POWER_UPS)
SHUT_OUT_BY = tuple(sum(1 << KINDS[name] for name in power_up.shut_out_by) for power_up in POWER_UPS)  # bits of effects
SPEED_FACTOR = 1.2
ITEM_WIDTH, ITEM_HEIGHT, ITEM_SPEED = 60.0, 20.0, 150.0
NO_DROPS = 0  # in place of a stream of random numbers, none of which holds it
ITEMS = 32  # falling at once in one game; a drop beyond that is left out
EVENTS = 128  # kept of one step; all are counted

# Brick codes
EMPTY, SOLID, BLUE, GREEN, TAN, ORANGE, WHITE = 0, 1, 2, 3, 4, 5, 6
POINTS = (0, 0, 10, 20, 30, 40, 50)  # by brick code
POINTS_ITEM = 5
POINTS_CLEARED, POINTS_LIFE = 250, 100  # for a cleared level, and for each life left then

# inputs.buttons: a bit acts in every step in which it is set, so set it for one step at each key press.
RELEASE, ENTER, NEXT, PREVIOUS, PAUSE, LEAVE, NEW_BALL = 1, 2, 4, 8, 16, 32, 64

# Kinds of events
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
    BALL_TURNED,
) = range(14)
HITS = (BRICK_HIT, SOLID_HIT, WALL_HIT, PADDLE_HIT)  # events at which the ball met something


ITEM = np.dtype([("kind", "i8"), ("position", "f8", 2)], align=True)  # position: upper left corner

# One game is one record: `games.lives` is a column of all games, `games[0].lives` the value of one.
GAME = np.dtype(
    [
        # The columns that nearly every step reads come first, so that it lies together in memory.
        ("mode", "i8"),  # MENU, ACTIVE, WIN or PAUSED
        ("tick", "i8"),  # steps made
        ("stuck", "i8"),  # FREE, SERVED or CAUGHT (by the sticky paddle)
        ("ball", "f8", 2),  # centre
        ("velocity", "f8", 2),  # of the ball; kept while it is stuck, it leaves with it
        ("speed", "f8"),  # that the paddle's top gives back to the ball
        ("fruitless", "f8"),  # seconds since the ball met the paddle or broke a brick; exact physics only
        ("paddle", "f8"),  # left end
        ("paddle_width", "f8"),
        ("paddle_grown", "f8"),  # width that the paddle will have once there is room for it
        ("paddle_velocity", "f8"),  # during the last step, until it arrived; 0 if it was blocked
        ("falling", "i8"),  # power-ups falling: the first so many of the items
        ("running", "i8"),  # bits 1 << kind of the timers running
        ("effects", "i8"),  # bits 1 << kind of the power-ups at work
        ("shake", "f8"),  # seconds left
        ("remaining", "i8"),  # destructible bricks left
        ("columns", "i8"),  # of the level's bricks
        ("rows", "i8"),
        ("bricks", "i1", MOST_BRICKS),  # codes, row by row as in the level; EMPTY where one is broken or never was
        ("level", "i8"),  # row of the Levels table
        ("lives", "i8"),
        ("score", "i8"),  # of this run; kept on show in the menu, cleared at the next start
        ("stuck_offset", "f8"),  # ball centre minus left end of the paddle, while it is stuck
        ("timers", "f8", len(POWER_UPS)),  # seconds left
        ("drops", "i8"),  # stream of random numbers for the drops, or NO_DROPS: no brick drops a power-up
        ("stalls", "i8"),  # steps ended early because hits made no progress in time; 0 in every game played
        ("items", ITEM, ITEMS),
    ],
    align=True,
)

# Input of the player of one game in one step: direction -1, 0 or +1; mouse: where the middle of the paddle should go,
# or NaN, used where direction is 0; buttons: bits RELEASE, ENTER, NEXT, PREVIOUS,
# PAUSE, LEAVE (to the menu), NEW_BALL (for one that fell below the field and was not taken for lost).
INPUT = np.dtype([("direction", "i8"), ("mouse", "f8"), ("buttons", "i8")], align=True)

# One event of a step. subject is the cell of the brick, or the kind of the power-up, or the wall (0 left, 1 right,
# 2 top), or the level, or the lives left; time counts in seconds from the start of the step; point is the ball's centre
# at that instant (for items their upper left corner); the normal points out of the thing hit, towards the ball.
EVENT = np.dtype(
    [("kind", "i8"), ("subject", "i8"), ("time", "f8"), ("point", "f8", 2), ("normal", "f8", 2)], align=True
)

# Events of one game in the last step.
TRACE = np.dtype(
    [
        ("seen", "i8"),  # bits 1 << kind of the events
        ("count", "i8"),  # of the events, kept or not
        ("start", "f8", 2),  # ball at the start of the step
        ("end", "f8", 2),  # ball at the end of its way, before a lost ball is put back
        ("paddle_start", "f8"),  # left end of the paddle at the start of the step, after growing
        ("paddle_width", "f8"),
        ("paddle_pace", "f8"),  # its velocity while it moved
        ("paddle_moved", "f8"),  # seconds, until it arrived or was blocked, or all of the step
        ("events", EVENT, EVENTS),  # the first ones, in time order
    ],
    align=True,
)


class Rows(np.recarray[Any, Any]):
    """A table of records: a column is an attribute; a name that is no column is refused, not set on the side."""

    def __setattr__(self, name: str, value: Any) -> None:
        columns = self.dtype.names or ()
        if name not in columns and not hasattr(np.recarray, name):
            near = get_close_matches(name, columns, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise AttributeError(f"a table of records has no attribute {name!r}{hint}")
        super().__setattr__(name, value)


Table = NDArray[Any]  # the same, seen as a plain array of records
Game: TypeAlias = Any  # one record of GAME; likewise the next two
Player: TypeAlias = Any
Record: TypeAlias = Any  # one record of any table
Trace: TypeAlias = Any


def stream(seed: int, purpose: str) -> int:
    """Return the start of the stream of random numbers for one purpose of the game with this seed.

    Streams of different purposes never share numbers, so drawing particles cannot change which power-ups fall.
    """
    words = [seed, *purpose.encode()]
    return max(1, int(np.random.SeedSequence(words).generate_state(1)[0]))


@inner
def next_random(state: int) -> int:
    """Return the number after `state` in a stream of 32 bits without 0 (Marsaglia, Xorshift RNGs, 2003)."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    return state ^ ((state << 5) & 0xFFFFFFFF)


def make_games(levels: Levels, seeds: Sequence[int], level: int = 0, power_ups: bool = True) -> Rows:
    """Make one game in the menu for each seed.

    Parameters
    ----------
    levels : Levels
        The table of levels to play.
    seeds : sequence of int, >= 0
    level : int
        The level offered first.
    power_ups : bool
        Whether bricks drop power-ups.

    Returns
    -------
    (n,) GAME
    """
    if not 0 <= level < len(levels.columns):
        raise ValueError(f"level = {level} must be one of the {len(levels.columns)} levels, counted from 0")
    for row, seed in enumerate(seeds):
        if seed < 0:
            raise ValueError(f"seeds[{row}] = {seed} must not be negative")
    games = np.zeros(len(seeds), GAME).view(Rows)
    games.level = level
    games.columns, games.rows = levels.columns[level], levels.rows[level]
    games.remaining = levels.destructible[level]
    games.bricks = levels.codes[level]
    games.lives = LIVES
    games.stuck = SERVED
    games.paddle_width = games.paddle_grown = PADDLE_WIDTH
    games.paddle = (WIDTH - PADDLE_WIDTH) / 2
    games.stuck_offset = PADDLE_WIDTH / 2
    games.ball = WIDTH / 2, PADDLE_TOP - BALL_RADIUS
    games.velocity = LAUNCH_X, LAUNCH_Y
    games.speed = LAUNCH_SPEED
    games.drops = [stream(seed, "drops") if power_ups else NO_DROPS for seed in seeds]
    return games


def make_inputs(n: int) -> Rows:
    """Make inputs (n,) INPUT for n games in which nobody does anything; write into its columns."""
    inputs = np.zeros(n, INPUT).view(Rows)
    inputs.mouse = np.nan
    return inputs


def make_trace(n: int) -> Rows:
    """Make room (n,) TRACE for the events of a step of n games."""
    return np.zeros(n, TRACE).view(Rows)


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


def events(trace: Rows, row: int) -> Rows:
    """Return the kept events of one game's last step, (k,) EVENT in time order; there may have been more."""
    return cast(Rows, trace.events[row, : min(int(trace[row].count), EVENTS)])


def digest(games: Rows, row: int) -> str:
    """Return 16 hexadecimal digits that stand for every bit of one game's record; no field of it is left out.

    The level table, the trace of the last step and the plans of an automatic player are no part of a game.
    """
    return hashlib.blake2b(games[row : row + 1].tobytes(), digest_size=8).hexdigest()


def path(trace: Rows, row: int) -> NDArray[np.float64]:
    """Return the way of the ball in the last step: start, each kept hit, end; (k, 2)."""
    happened = events(trace, row)
    hits = cast(Rows, happened[np.isin(happened.kind, HITS)])
    return np.vstack((trace[row].start, hits.point, trace[row].end))
