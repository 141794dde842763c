"""A player for any number of games: it sees no more than a person, and moves the paddle as a mouse would.

In: the games, and for each a plan with a random stream of its own. Out: the inputs of the next step. It foresees where
the falling ball comes down, mirrored at the walls, and puts the paddle there so that the bounce leads towards a brick
chosen by lot, now and then anywhere at all: so it never plays the same round for ever among solid bricks.
While the ball is on its way up it fetches the power-ups that help.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from carom import inner, kernel
from carom_breakout import state
from carom_breakout.levels import BRICKS_END, SOLID, edge
from carom_breakout.state import Game, Rows, next_random, stream

PLAN = np.dtype(
    [
        ("stream", "i8"),  # random numbers of this player
        ("aim", "f8"),  # where on the paddle the ball shall land: -1 left end, +1 right end
        ("decided", "i8"),  # whether the aim stands for the present fall
        ("goal", "f8"),  # where the middle of the paddle shall go
        ("wait", "i8"),  # steps to wait before pressing a button
    ],
    align=True,
)
FARTHEST = 0.85  # never lands the ball nearer to the end of the paddle
PATIENCE = 45  # steps before it presses a button
ANYWHERE = 4  # one aim in so many is anywhere
BANKED = 0.4  # the share of shots by way of a side wall

Plan: TypeAlias = Any


def make_plans(seeds: Sequence[int]) -> Rows:
    """Make a plan (n,) PLAN for the player of each game; the same seed plays the same way."""
    plans = np.zeros(len(seeds), PLAN).view(Rows)
    plans.stream = [stream(seed, "autoplay") for seed in seeds]
    plans.goal = state.WIDTH / 2
    return plans


@inner
def share(plan: Plan) -> float:
    """Return the next random number of the plan, between 0 and 1."""
    plan.stream = next_random(plan.stream)
    return float(plan.stream / 4294967296.0)


@inner
def landing(game: Game) -> float:
    """Return where a falling ball will reach the paddle's top if it meets nothing but walls."""
    low, high = state.BALL_RADIUS, state.WIDTH - state.BALL_RADIUS
    seconds = (state.PADDLE_TOP - state.BALL_RADIUS - game.ball[1]) / game.velocity[1]
    x = (game.ball[0] + game.velocity[0] * seconds - low) / (high - low)
    x -= 2.0 * math.floor(x / 2.0)
    return float(low + (high - low) * (x if x <= 1.0 else 2.0 - x))


@inner
def aim(game: Game, plan: Plan, x: float) -> float:
    """Return where on the paddle a ball that lands at x must land to fly towards a brick chosen by lot."""
    anywhere = FARTHEST * (2.0 * share(plan) - 1.0)
    lot = int(share(plan) * game.remaining)
    if int(share(plan) * ANYWHERE) == 0:
        return anywhere
    for cell in range(game.columns * game.rows):
        if game.bricks[cell] > SOLID:
            if lot == 0:
                column, row = cell % game.columns, cell // game.columns
                brick_x = (edge(column, game.columns, state.WIDTH) + edge(column + 1, game.columns, state.WIDTH)) / 2
                brick_y = (edge(row, game.rows, BRICKS_END) + edge(row + 1, game.rows, BRICKS_END)) / 2
                bank = share(plan)
                if bank < BANKED:
                    brick_x = (
                        2.0 * state.BALL_RADIUS - brick_x
                        if bank < BANKED / 2
                        else 2.0 * (state.WIDTH - state.BALL_RADIUS) - brick_x
                    )
                slope = (brick_x - x) / (state.PADDLE_TOP - state.BALL_RADIUS - brick_y)
                place = slope * abs(game.velocity[1]) / (state.LAUNCH_X * state.BOUNCE_STRENGTH)
                return float(place) if abs(place) <= FARTHEST else anywhere
            lot -= 1
    return anywhere


@inner
def fetch(game: Game, goal: float) -> float:
    """Return where to catch the lowest helpful power-up that can still be caught, or the goal given."""
    lowest = 0.0
    for k in range(game.falling):
        item = game.items[k]
        if state.HELPS[item.kind] and lowest < item.position[1] < state.PADDLE_TOP:
            lowest = item.position[1]
            goal = item.position[0] + state.ITEM_WIDTH / 2
    return goal


@inner
def pause_over(plan: Plan) -> bool:
    """Count the steps before a button is pressed, and tell when they are over."""
    plan.wait += 1
    if plan.wait < PATIENCE:
        return False
    plan.wait = 0
    return True


@kernel
def choose(games: Rows, plans: Rows, inputs: Rows) -> None:
    """Write the players' moves in the next step into the inputs.

    Parameters
    ----------
    games : (n,) GAME
    plans : (n,) PLAN
        Changed in place.
    inputs : (n,) INPUT
        Overwritten.
    """
    for g in range(len(games)):
        game, plan, player = games[g], plans[g], inputs[g]
        player.direction = 0
        player.buttons = 0
        if game.mode != state.ACTIVE:
            if (game.mode == state.MENU or game.mode == state.WIN) and pause_over(plan):
                player.buttons = state.ENTER
        elif game.stuck != state.FREE:
            if plan.wait == 0:
                plan.goal = state.WIDTH * share(plan)
            if pause_over(plan):
                player.buttons = state.RELEASE
        elif game.velocity[1] > 0.0 and game.ball[1] < state.PADDLE_TOP:
            x = landing(game)
            if plan.decided == 0:
                plan.decided = 1
                plan.aim = aim(game, plan, x)
            plan.goal = x - plan.aim * game.paddle_width / 2
        else:
            plan.decided = 0
            plan.goal = fetch(game, plan.goal)
        player.mouse = plan.goal
