"""Tables of games and inputs: unknown columns and values out of range are refused before any game is stepped."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from carom_breakout.checks import GAME_FAULTS, INPUT_FAULTS
from carom_breakout.levels import make_levels, parse_level
from carom_breakout.rules import step
from carom_breakout.state import EXACT, ITEMS, TUTORIAL, make_games, make_inputs, make_trace

LEVELS = make_levels([parse_level("2 3 1\n4 5 6", "first"), parse_level("2", "second")])

BAD = {
    "mode": (-1, 4),
    "stuck": (-1, 3),
    "ball": (np.nan, np.inf),
    "velocity": (np.nan, -np.inf),
    "speed": (-1.0, np.nan),
    "paddle": (np.nan, np.inf),
    "paddle_width": (0.0, np.nan),
    "falling": (-1, ITEMS + 1),
    "level": (-1,),
    "columns": (0, 481),
    "lives": (-1,),
}
CASES = [(name, value) for name, values in BAD.items() for value in values]


def test_every_fault_that_is_named_has_a_case() -> None:
    assert {column for column, _ in GAME_FAULTS} - {""} == set(BAD)
    assert {column for column, _ in INPUT_FAULTS} - {""} == {"direction", "buttons"}


@pytest.mark.parametrize("physics", [EXACT, TUTORIAL])
@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_game_with_a_value_out_of_range_is_named_and_no_game_is_stepped(
    name: str, value: float, physics: int
) -> None:
    games, inputs = make_games(LEVELS, range(3)), make_inputs(3)
    games[name][1] = value
    before = games.tobytes()
    with pytest.raises(ValueError, match=rf"^games\.{name}\[1\] = .* must be "):
        step(games, LEVELS, inputs, physics=physics)
    assert games.tobytes() == before


@pytest.mark.parametrize(("name", "value"), [("direction", 2), ("direction", -5), ("buttons", 128), ("buttons", -1)])
def test_an_input_out_of_range_is_named(name: str, value: int) -> None:
    games, inputs = make_games(LEVELS, range(3)), make_inputs(3)
    inputs[name][2] = value
    before = games.tobytes()
    with pytest.raises(ValueError, match=rf"^inputs\.{name}\[2\] = {value} must be "):
        step(games, LEVELS, inputs)
    assert games.tobytes() == before


@pytest.mark.parametrize("rows", [make_games(LEVELS, [0]), make_inputs(1), make_trace(1)], ids=["games", "in", "trace"])
def test_a_name_that_is_no_column_is_refused(rows: np.ndarray) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'colour'"):
        rows.colour = 1  # type: ignore[attr-defined]


def test_the_near_column_is_named() -> None:
    inputs = make_inputs(2)
    with pytest.raises(AttributeError, match="did you mean buttons"):
        inputs.button = 1
    with pytest.raises(AttributeError, match="did you mean direction"):
        inputs[:1].directions = 1


def test_copies_and_pickles_refuse_too() -> None:
    for inputs in (copy.deepcopy(make_inputs(2)), pickle.loads(pickle.dumps(make_inputs(2)))):
        inputs.direction = 1
        assert inputs.direction.tolist() == [1, 1]
        with pytest.raises(AttributeError):
            inputs.key = 1
