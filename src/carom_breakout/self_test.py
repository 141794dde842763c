"""The game's part of `carom check`: one digest stands for every bit of a game after some hundred steps.

In: nothing. Out: the digest of a game that plays itself, to be compared with the one stored here.
"""

from __future__ import annotations

from carom_breakout import autoplay, levels, rules, state

DIGEST = "cad250a3a4e63dd0"


def digest() -> str:
    """Return the digest of a game of Breakout that plays itself for five hundred steps."""
    table = levels.make_levels(levels.shipped_levels())
    games, plans, inputs = state.make_games(table, [7]), autoplay.make_plans([7]), state.make_inputs(1)
    for _ in range(500):
        autoplay.choose(games, plans, inputs)
        rules.step(games, table, inputs)
    return str(state.digest(games, 0))
