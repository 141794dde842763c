"""The power-ups as one table: how often each falls, how long it lasts, by which it is shut out, its use, its looks.

In: nothing. Out: `POWER_UPS`. A new row is a new power-up: bricks drop it, its timer runs, it is shut out, drawn and
named on the rails; only its effect on the game is code. A power-up's kind is its row. Rows may stand in any order, but
a broken brick draws one random number for each row in turn, so another order is another game from the same seed.
"""

from __future__ import annotations

from typing import NamedTuple


class PowerUp(NamedTuple):
    """One power-up.

    The sign is made of strokes (see `art/strokes.py`) in a square from -1 to 1, y downwards; colours are (red, green,
    blue) from 0 to 255.
    """

    name: str
    one_in: int  # each destroyed brick drops it with this chance
    lasts: float  # seconds; 0: until the life is lost
    helps: bool  # whether a player wants it
    title: str  # its name on the screen
    says: str  # its effect in a few words
    color: tuple[int, int, int]
    sign: str
    shut_out_by: tuple[str, ...] = ()  # names of power-ups during which this one cannot begin


POWER_UPS = (
    PowerUp(
        "speed", 75, 0.0, True, "Speed", "a fifth faster", (138, 150, 255),
        "-0.75 -0.8 0 0 -0.75 0.8, 0.05 -0.8 0.8 0 0.05 0.8",
    ),
    PowerUp(
        "sticky", 75, 20.0, True, "Sticky", "the paddle holds the ball", (243, 143, 238),
        "-0.7 -0.85 -0.7 0.05 arc 0 0 0.7 0.7 180 0 0.7 -0.85, -0.95 -0.45 -0.45 -0.45, 0.45 -0.45 0.95 -0.45",
    ),
    PowerUp(
        "pass-through", 75, 10.0, True, "Pass through", "bricks do not stop the ball", (126, 224, 134),
        "0 0.95 0 -0.95, -0.6 -0.35 0 -0.95 0.6 -0.35, -0.9 0.3 -0.4 0.3, 0.4 0.3 0.9 0.3",
    ),
    PowerUp(
        "pad-size-increase", 75, 0.0, True, "Wide paddle", "fifty more to play with", (250, 166, 108),
        "-0.95 0 0.95 0, -0.5 -0.55 -0.95 0 -0.5 0.55, 0.5 -0.55 0.95 0 0.5 0.55",
    ),
    PowerUp(
        "confuse", 15, 15.0, False, "Confuse", "the table upside down", (244, 104, 112),
        "-0.45 0.9 -0.45 -0.8, -0.9 -0.35 -0.45 -0.8 0 -0.35, 0.45 -0.9 0.45 0.8, 0 0.35 0.45 0.8 0.9 0.35",
        shut_out_by=("chaos",),
    ),
    PowerUp(
        "chaos", 15, 15.0, False, "Chaos", "the table goes round", (226, 84, 148), "spiral 4.2 0.4",
        shut_out_by=("confuse",),
    ),
)  # fmt: skip
