"""The options of the environments, checked at the door, in the form that the kernels read.

In: the keyword arguments of an environment. Out: a `Settings`: the levels, the record of options, the spaces of
actions and observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from carom_breakout import state
from carom_breakout.levels import Levels, make_levels, shipped_levels
from carom_breakout.state import Rows, Table
from carom_gym.episode import NO_LIMIT, OPTIONS, RANDOM_LEVEL
from carom_gym.features import FEATURES, FIRST_BRICK
from carom_gym.gymnasium_parts import spaces
from carom_gym.pixels import SIDE, STACK
from carom_gym.refusals import read_number, read_one_of, read_truth, read_whole, refuse

PIXELS, FEATURES_SEEN = "pixels", "features"
CONTINUOUS, DISCRETE = "continuous", "discrete"

Physics: TypeAlias = Literal["exact", "tutorial"]
Observation: TypeAlias = Literal["features", "pixels"]
Action: TypeAlias = Literal["discrete", "continuous"]


@dataclass(frozen=True)
class Settings:
    """The options of an environment as its kernels and spaces need them."""

    levels: Levels
    options: Table  # (1,) OPTIONS
    pixels: bool
    continuous: bool
    seconds: float  # of play in one step
    observation_space: spaces.Box
    action_space: spaces.Space[Any]


def read_settings(
    level: int | Literal["random"],
    physics: Physics,
    observation: Observation,
    action: Action,
    frame_skip: int,
    sticky_actions: float,
    power_ups: bool,
    lives: int,
    life_penalty: float,
    paddle_reward: float,
) -> Settings:
    """Check the options of an environment, which `BreakoutEnv` describes, and lay them out."""
    shipped = shipped_levels()
    ticks = read_count("frame_skip", frame_skip)
    sticky = read_number("sticky_actions", sticky_actions)
    if not 0.0 <= sticky < 1.0:
        refuse(ValueError, "sticky_actions", sticky_actions, "must be a share, 0 <= sticky_actions < 1")
    exact = read_one_of("physics", physics, ("exact", "tutorial")) == "exact"
    options = np.zeros(1, OPTIONS).view(Rows)
    # The exact physics plays any length as one step; the tutorial's is what it is tick by tick.
    options.dt = state.TICK * ticks if exact else state.TICK
    options.ticks = 1 if exact else ticks
    options.stage = state.EXACT if exact else state.TUTORIAL
    options.level = _level(level, len(shipped))
    options.lives = read_count("lives", lives)
    options.power_ups = read_truth("power_ups", power_ups)
    options.sticking = int(sticky * 2**32)
    options.life_penalty = read_number("life_penalty", life_penalty)
    options.paddle_reward = read_number("paddle_reward", paddle_reward)
    options.longest = NO_LIMIT
    options.quick = exact
    levels = make_levels(shipped)
    sizes = (levels.columns * levels.rows).tolist()
    places = max(sizes) if options[0].level == RANDOM_LEVEL else sizes[options[0].level]
    places = -(-places // 8) * 8  # so that a row is written in whole steps
    options.per_life, options.per_place = 1.0 / options[0].lives, 1.0 / places
    pixels = read_one_of("observation", observation, (FEATURES_SEEN, PIXELS)) == PIXELS
    continuous = read_one_of("action", action, (DISCRETE, CONTINUOUS)) == CONTINUOUS
    return Settings(
        levels,
        options.view(np.ndarray),
        pixels,
        continuous,
        state.TICK * ticks,
        _picture_space() if pixels else _feature_space(places),
        spaces.Box(-1.0, 1.0, (1,), np.float32) if continuous else spaces.Discrete(3),
    )


def read_count(name: str, value: Any) -> int:
    """Return a number of at least 1, or raise."""
    number = read_whole(name, value)
    if number < 1:
        refuse(ValueError, name, value, "must be at least 1")
    return number


def _level(level: Any, count: int) -> int:
    if isinstance(level, str) and level == "random":
        return RANDOM_LEVEL
    if isinstance(level, str) or not 1 <= read_whole("level", level) <= count:
        refuse(ValueError, "level", level, f'must be the number of a level, 1 to {count}, or "random"')
    return cast(int, level) - 1


def _picture_space() -> spaces.Box:
    return spaces.Box(0, 255, (STACK, SIDE, SIDE), np.uint8)


def _feature_space(places: int) -> spaces.Box:
    low, high = np.full(FIRST_BRICK + places, -1.0, np.float32), np.full(FIRST_BRICK + places, 1.0, np.float32)
    low[:FIRST_BRICK] = [feature.low for feature in FEATURES]
    high[:FIRST_BRICK] = [feature.high for feature in FEATURES]
    return spaces.Box(low, high, dtype=np.float32)
