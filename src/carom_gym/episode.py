"""Episodes of Breakout: many games begun, stepped and rewarded in one compiled call, by the game's own rules.

In: the tables of games and episodes, the levels, one action a game, the options. Out: the games changed in place, the
rewards, and whether each episode ended by itself (`terminated`) or by its length (`truncated`). An episode ends where
the game would go back to its menu or to the next level: the last life is lost, or the level is cleared. The game then
stays as it is, so that the last observation shows it. All chance comes from a stream in the episode's own record.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from carom import inner, uncounted_kernel
from carom_breakout import state
from carom_breakout.levels import Levels
from carom_breakout.lives import load_level, reset_player
from carom_breakout.paddle import carry_ball
from carom_breakout.physics import glide
from carom_breakout.rules import begin, finish, play_eventfully
from carom_breakout.state import Game, Player, Record, Table, Trace, next_random
from carom_breakout.tutorial import play_step
from carom_gym.arrays import Booleans, Floats, Integers
from carom_gym.features import Rows32, write_row

EPISODE = np.dtype(
    [
        ("stream", "i8"),  # random numbers of this game's episodes
        ("elapsed", "i8"),  # steps made
        ("over", "i8"),  # whether it has ended
        ("quiet", "i8"),  # whether nothing happened in the last step
        ("direction", "i8"),  # the last action, repeated where actions stick
        ("goal", "f8"),  # the same, of a continuous paddle
    ],
    align=True,
)

OPTIONS = np.dtype(
    [
        ("dt", "f8"),  # seconds of one step of the rules
        ("ticks", "i8"),  # steps of the rules in one step
        ("stage", "i8"),  # EXACT, or the stage of the tutorial
        ("level", "i8"),  # row of the levels, or RANDOM_LEVEL
        ("lives", "i8"),
        ("power_ups", "i8"),  # whether they fall
        ("sticking", "i8"),  # of 2**32 actions so many are the one before in place of the one given
        ("life_penalty", "f8"),
        ("paddle_reward", "f8"),
        ("longest", "i8"),  # steps of an episode, after which it is truncated
        ("quick", "i8"),  # whether a step is one step of the exact rules, all of which may be glided
        ("renews", "i8"),  # whether the step after the end begins the next episode
        ("per_life", "f8"),  # 1 / lives
        ("per_place", "f8"),  # 1 / places of the map of bricks
    ],
    align=True,
)
Codes = NDArray[np.int8]

RANDOM_LEVEL = -1
NO_LIMIT = 2**62


@inner
def mixed(number: int) -> int:
    """Return 32 bits, not all 0, that differ all over from those of the next number (Appleby, MurmurHash3)."""
    number ^= number >> 16
    number = (number * 0x85EBCA6B) & 0xFFFFFFFF
    number ^= number >> 13
    number = (number * 0xC2B2AE35) & 0xFFFFFFFF
    return max(number ^ (number >> 16), 1)


@inner
def start(game: Game, episode: Record, trace: Trace, levels: Levels, options: Record) -> None:
    """Begin an episode: a full level, the ball on a paddle at a place drawn by lot."""
    episode.elapsed, episode.over, episode.direction, episode.goal = 0, 0, 0, np.nan
    level, number = options.level, episode.stream
    if level == RANDOM_LEVEL:
        number = next_random(number)
        level = mixed(number) % len(levels.columns)
    load_level(game, trace, levels, level)
    reset_player(game, False)
    game.mode, game.tick, game.score, game.stalls, game.lives = state.ACTIVE, 0, 0, 0, options.lives
    number = next_random(number)
    game.paddle = mixed(number) * ((state.WIDTH - state.PADDLE_WIDTH) / 4294967296.0)
    carry_ball(game)
    number = next_random(number)
    game.drops = mixed(number) if options.power_ups != 0 else state.NO_DROPS
    episode.stream = number


@inner
def stick(episode: Record, direction: int, goal: float, sticking: int) -> tuple[int, float]:
    """Return the action of the step before in place of this one, where the lot says so; keep what is done."""
    episode.stream = next_random(episode.stream)
    if mixed(episode.stream) < sticking:
        return episode.direction, episode.goal
    episode.direction, episode.goal = direction, goal
    return direction, goal


@inner
def play(game: Game, episode: Record, trace: Trace, levels: Levels, player: Player, options: Record) -> float:
    """Play one step of an episode and return its reward."""
    score, lives, met = game.score, game.lives, 0
    for _ in range(options.ticks):
        begin(game, trace, levels, player, options.stage != state.EXACT)
        if options.stage == state.EXACT:
            lost, time = play_eventfully(game, trace, player, options.dt)
        else:
            lost, time = play_step(game, trace, player, options.dt, options.stage, False), 0.0
        met += trace.seen >> state.PADDLE_HIT & 1
        if lost and game.lives == 1:
            game.lives, episode.over = 0, 1
            break
        left = game.remaining
        finish(game, trace, levels, lost, time, options.stage != state.EXACT)
        if left == 0:
            episode.over = 1
            break
    episode.elapsed += 1
    reward = float(game.score - score)
    if options.life_penalty != 0.0:
        reward -= options.life_penalty * (lives - min(game.lives, lives))
    if options.paddle_reward != 0.0:
        reward += options.paddle_reward * met
    return reward


@uncounted_kernel
def step_games(
    games: Table,
    episodes: Table,
    codes: Codes,
    columns: Integers,
    rows: Integers,
    destructible: Integers,
    traces: Table,
    players: Table,
    options: Table,
    actions: Integers,
    goals: Floats,
    later: Integers,
    rewards: Floats,
    terminated: Booleans,
    truncated: Booleans,
    out: Rows32,
) -> None:
    """Play one step of each game, or begin its next episode where the last has ended and `renews` is set.

    Parameters
    ----------
    games, episodes : (n,) GAME, (n,) EPISODE
        Changed in place.
    codes, columns, rows, destructible
        Those of the `Levels`: as a tuple they would take a microsecond to pass.
    traces, players : (1,) TRACE, (1,) INPUT
        Room to work in.
    options : (1,) OPTIONS
    actions : (n,) or (0,)
        0 stays, 1 goes left, 2 right.
    goals : (n,) or (0,)
        Where the middle of each paddle shall go, pixels.
    later : (n,)
        Room for the rows of games in which something happens: these are played after all others, so that the loop over
        the many is short.
    rewards, terminated, truncated : (n,)
        Overwritten.
    out
        See `write_features`; nothing is written where it has no rows.
    """
    levels = Levels(codes, columns, rows, destructible)
    trace, player, wanted, eventful = traces[0], players[0], options[0], 0
    dt, sticking, quick, longest = wanted.dt, wanted.sticking, wanted.quick != 0, wanted.longest
    for g in range(len(games)):
        game, episode = games[g], episodes[g]
        direction = (actions[g] >> 1) - (actions[g] & 1) if len(actions) > 0 else 0
        goal = goals[g] if len(goals) > 0 else np.nan
        if sticking > 0 and episode.over == 0:
            direction, goal = stick(episode, direction, goal, sticking)
        elapsed = episode.elapsed + 1
        if not quick or episode.over != 0 or glide(game, direction, goal, dt) < 0.0:
            later[eventful] = g
            eventful += 1
            episode.quiet = 0
            episode.direction, episode.goal = direction, goal
            continue
        game.tick += 1
        episode.quiet = 1
        episode.elapsed, episode.over = elapsed, 1 if elapsed >= longest else 0
        rewards[g], terminated[g], truncated[g] = 0.0, False, elapsed >= longest
        if len(out) > 0:
            write_row(game, wanted, out, g)
    for k in range(eventful):
        g = later[k]
        game, episode = games[g], episodes[g]
        rewards[g], terminated[g], truncated[g] = 0.0, False, False
        if episode.over != 0 and wanted.renews != 0:
            start(game, episode, trace, levels, wanted)
        else:
            player.direction, player.mouse, player.buttons = episode.direction, episode.goal, state.RELEASE
            rewards[g] = play(game, episode, trace, levels, player, wanted)
            terminated[g] = episode.over != 0
            if episode.elapsed >= longest:
                truncated[g], episode.over = True, 1
        if len(out) > 0:
            write_row(game, wanted, out, g)


@uncounted_kernel
def start_games(
    games: Table,
    episodes: Table,
    codes: Codes,
    columns: Integers,
    rows: Integers,
    destructible: Integers,
    traces: Table,
    options: Table,
    chosen: Booleans,
) -> None:
    """Begin an episode of each game chosen; parameters as those of `step_games`."""
    levels = Levels(codes, columns, rows, destructible)
    for g in range(len(games)):
        if chosen[g]:
            start(games[g], episodes[g], traces[0], levels, options[0])
