"""The door of the rules: what tables of games and inputs must hold before a step.

In: tables of records, as the caller has written into them. Out: nothing, or an error that names the column, the row and
the value. The codes of the bricks are not looked at: 480 of them a game would cost more than the step.
"""

from __future__ import annotations

import math

from carom import inner, kernel
from carom_breakout import state
from carom_breakout.levels import MOST_BRICKS
from carom_breakout.state import Game, Player, Table

# Each fault: the column that has it, and what was expected. The kernels answer with the place of a fault in its table.
INPUT_FAULTS = (
    ("", ""),
    ("direction", "-1, 0 or 1"),
    ("buttons", "bits RELEASE, ENTER, NEXT, PREVIOUS, PAUSE, LEAVE, NEW_BALL, 0 to 127"),
)
GAME_FAULTS = (
    ("", ""),
    ("mode", "MENU, ACTIVE, WIN or PAUSED, 0 to 3"),
    ("stuck", "FREE, SERVED or CAUGHT, 0 to 2"),
    ("ball", "finite numbers"),
    ("velocity", "finite numbers"),
    ("speed", "a finite number, not negative"),
    ("paddle", "a finite number"),
    ("paddle_width", "a finite number above 0"),
    ("falling", f"the number of falling items, 0 to {state.ITEMS}"),
    ("level", "a row of a table of levels, counted from 0"),
    ("columns", f"at least 1, and columns * rows at most {MOST_BRICKS}"),
    ("lives", "at least 0"),
)


@inner
def _fault_of_input(player: Player) -> int:
    if not -1 <= player.direction <= 1:
        return 1
    if not 0 <= player.buttons < 2 * state.NEW_BALL:
        return 2
    return 0


@inner
def _fault_of_game(game: Game) -> int:
    if not state.MENU <= game.mode <= state.PAUSED:
        return 1
    if not state.FREE <= game.stuck <= state.CAUGHT:
        return 2
    if not (math.isfinite(game.ball[0]) and math.isfinite(game.ball[1])):
        return 3
    if not (math.isfinite(game.velocity[0]) and math.isfinite(game.velocity[1])):
        return 4
    if not 0.0 <= game.speed < math.inf:
        return 5
    if not math.isfinite(game.paddle):
        return 6
    if not 0.0 < game.paddle_width < math.inf:
        return 7
    if not 0 <= game.falling <= state.ITEMS:
        return 8
    if game.level < 0:
        return 9
    if game.columns < 1 or game.rows < 1 or game.columns > MOST_BRICKS or game.columns * game.rows > MOST_BRICKS:
        return 10
    if game.lives < 0:
        return 11
    return 0


@kernel
def _first_fault(games: Table, inputs: Table) -> tuple[int, int, int]:
    """Return the row of the first fault, that of the input or 0, that of the game or 0."""
    for row in range(len(games)):
        of_input = _fault_of_input(inputs[row])
        of_game = _fault_of_game(games[row])
        if of_input + of_game > 0:
            return row, of_input, of_game
    return -1, 0, 0


def check_records(games: Table, inputs: Table) -> None:
    """Raise ValueError if a game or an input holds a value out of range; nothing is changed.

    Parameters
    ----------
    games : (n,) GAME
    inputs : (n,) INPUT
    """
    row, of_input, of_game = _first_fault(games, inputs)
    if row < 0:
        return
    name, table, (column, expected) = (
        ("inputs", inputs, INPUT_FAULTS[of_input]) if of_input else ("games", games, GAME_FAULTS[of_game])
    )
    raise ValueError(f"{name}.{column}[{row}] = {table[column][row]} must be {expected}")
