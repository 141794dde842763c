"""The colours of the table and the things on it; those of the power-ups stand in `power_up_table.py`.

In: the code of a brick. Out: its colour, as (red, green, blue) from 0 to 255, and the colours of all else.
"""

from __future__ import annotations

from carom_breakout.art.ink import Color

INK = (9, 16, 20)
RAIL_DARK = (13, 22, 27)
RAIL_LIGHT = (27, 41, 47)
FELT_LIGHT = (30, 68, 74)
FELT_DARK = (13, 35, 42)
BRASS = (217, 170, 96)
IVORY = (241, 235, 220)
SAGE = (146, 171, 168)
DIM = (86, 110, 112)
ROSE = (236, 110, 118)
FINE = (126, 200, 160)
WRONG, RIGHT = (196, 66, 48), (17, 122, 110)  # on paper
BALL_THROUGH = (255, 138, 128)
PADDLE_STICKY = (240, 142, 232)

BRICKS: dict[int, Color] = {
    1: (140, 143, 133),
    2: (74, 150, 226),
    3: (63, 160, 104),
    4: (214, 196, 118),
    5: (233, 136, 62),
    6: (232, 230, 221),
}


def brick_color(code: int) -> Color:
    """Colour of a brick with this code in the level file; all codes above 5 are white."""
    return BRICKS[min(code, 6)]
