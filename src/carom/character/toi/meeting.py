"""A meeting of two parts that move along straight lines: its numbers, and the marks that say more of it.

In: nothing. Out: the form of the answer that `toi`, `thin` and `swept` share. World frame, user's units.
"""

from __future__ import annotations

import math

from carom._core.jit import inner

CORNER, OVERLAP = 1, 2
ON_LINE = 16  # neither is on a side of the other; see `thin`
PASSES_ON = 32  # no impact: it passes from a flush surface onto a line, and is put off that on the same side

# fraction (infinite for none), normal x and y, point x and y relative to A's origin at the impact, marks
Meeting = tuple[float, float, float, float, float, int]


@inner
def never() -> Meeting:
    """Return that there is no impact."""
    return math.inf, 0.0, 0.0, 0.0, 0.0, 0
