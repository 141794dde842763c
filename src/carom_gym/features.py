"""Observations as numbers: a game as a row of float32, the ball and the paddle first, then a map of the bricks.

In: the table of games. Out: one row a game; `FEATURES` names the columns before the map, with their ranges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom import inner, uncounted_kernel
from carom_breakout import state
from carom_breakout.state import Game, Record, Table

Rows32 = NDArray[np.float32]


class Feature(NamedTuple):
    """One column of an observation: its name, its least and greatest value."""

    name: str
    low: float
    high: float
    says: str


FASTEST = 16.0  # speeds beyond are told as this; a ball would need 15 speed power-ups in one life
DEEPEST = 1.05  # a ball that is lost has left the field by its own size

FEATURES = (
    Feature("paddle_x", 0, 1, "middle of the paddle / 800"),
    Feature("paddle_width", 0, 1, "width of the paddle / 800"),
    Feature("ball_x", 0, 1, "centre of the ball / 800"),
    Feature("ball_y", 0, DEEPEST, "the same downwards / 600; above 1.02 once it is lost"),
    Feature("ball_vx", -FASTEST, FASTEST, "velocity in units of the speed at launch, 364 pixels a second"),
    Feature("ball_vy", -FASTEST, FASTEST, "the same downwards"),
    Feature("waiting", 0, 1, "1 while the ball lies on the paddle"),
    Feature("lives", 0, 1, "lives left / lives at the start"),
    Feature("bricks_left", 0, 1, "breakable bricks left / places of the map"),
    Feature("sticky", 0, 1, "time left of the sticky paddle / 20 s"),
    Feature("pass_through", 0, 1, "time left of the pass-through ball / 10 s"),
    Feature("item", 0, 1, "1 while a power-up that helps can still be caught"),
    Feature("item_x", 0, 1, "middle of the lowest of these / 800; 0 without one"),
    Feature("item_y", 0, 1, "upper edge of the same / 600"),
    Feature("speed", 0, FASTEST, "speed that the paddle gives back to the ball, in the same unit"),
    Feature("fruitless", 0, 1, "time since the ball met the paddle or broke a brick / 10 s"),
)
FIRST_BRICK = len(FEATURES)
PER_X, PER_Y, PER_SPEED = 1.0 / state.WIDTH, 1.0 / state.HEIGHT, 1.0 / state.LAUNCH_SPEED
PER_TURN = 1.0 / state.TURN_AFTER
PER_STICKY, PER_PASS_THROUGH = 1.0 / state.LASTS[state.STICKY], 1.0 / state.LASTS[state.PASS_THROUGH]


@inner
def within(value: float, low: float, high: float) -> float:
    """Return the value, or the bound that it is beyond."""
    return min(max(value, low), high)


@inner
def write_item(game: Game, out: Rows32, g: int) -> None:
    """Write where the lowest power-up is that helps and can still be caught."""
    lowest, x = 0.0, 0.0
    for k in range(game.falling):
        item = game.items[k]
        if state.HELPS[item.kind] and lowest < item.position[1] < state.PADDLE_TOP:
            lowest = item.position[1]
            x = item.position[0] + state.ITEM_WIDTH / 2
    out[g, 11] = 1.0 if lowest > 0.0 else 0.0
    out[g, 12] = within(x * PER_X, 0.0, 1.0)
    out[g, 13] = lowest * PER_Y


@inner
def write_row(game: Game, options: Record, out: Rows32, g: int) -> None:
    """Write the observation of one game into row g."""
    out[g, 0] = within((game.paddle + 0.5 * game.paddle_width) * PER_X, 0.0, 1.0)
    out[g, 1] = within(game.paddle_width * PER_X, 0.0, 1.0)
    out[g, 2] = within(game.ball[0] * PER_X, 0.0, 1.0)
    out[g, 3] = within(game.ball[1] * PER_Y, 0.0, DEEPEST)
    out[g, 4] = within(game.velocity[0] * PER_SPEED, -FASTEST, FASTEST)
    out[g, 5] = within(game.velocity[1] * PER_SPEED, -FASTEST, FASTEST)
    out[g, 6] = 0.0 if game.stuck == state.FREE else 1.0
    out[g, 7] = game.lives * options.per_life
    out[g, 8] = game.remaining * options.per_place
    out[g, 9] = game.timers[state.STICKY] * PER_STICKY
    out[g, 10] = game.timers[state.PASS_THROUGH] * PER_PASS_THROUGH
    if game.falling > 0:
        write_item(game, out, g)
    else:
        out[g, 11], out[g, 12], out[g, 13] = 0.0, 0.0, 0.0
    out[g, 14] = within(game.speed * PER_SPEED, 0.0, FASTEST)
    out[g, 15] = within(game.fruitless * PER_TURN, 0.0, 1.0)
    # From 0.2 to 1 as its points go, from 10 to 50; -1 for a solid brick, 0 for none.
    bricks = game.bricks
    for cell in range(out.shape[1] - FIRST_BRICK):
        code = np.float32(bricks[cell])
        worth = (code - np.float32(1.0)) * np.float32(0.2)
        out[g, FIRST_BRICK + cell] = worth if code > np.float32(1.0) else np.float32(0.0) - code


@uncounted_kernel
def write_features(games: Table, options: Table, out: Rows32) -> None:
    """Write the observation of each game into its row.

    Parameters
    ----------
    games : (n,) GAME
    options : (1,) OPTIONS
    out : (n, FIRST_BRICK + places of the map) float32
        Overwritten.
    """
    for g in range(len(games)):
        write_row(games[g], options[0], out, g)
