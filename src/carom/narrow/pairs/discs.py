"""Two discs: which side of touching they are on, and their contact, from centres and radii.

In: centres and radii. Out: a side, or separation, normal, point and depth. World frame, user's units. Single pairs
take the numbers from records, rows from columns, and both ask the same functions.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom.narrow.signed_distance import is_undecided
from carom.narrow.walk import unit
from carom.tolerances import SIGN_BAND, SMALLEST_SQUARE, SQUARE_BAND

UNDECIDED = 2  # the side of two shapes where rounding may hide it


@inner
def side_of_discs(dx: float, dy: float, reach: float) -> int:
    """Return the side of two discs, from the difference of their centres and the sum of their radii."""
    squared, limit = dx * dx + dy * dy, reach * reach
    decided = abs(squared - limit) > SQUARE_BAND * limit and max(squared, limit) > SMALLEST_SQUARE
    return (1 if squared > limit else -1) if decided else UNDECIDED


@inner
def contact_of_discs(
    ax: float, ay: float, ra: float, bx: float, by: float, rb: float, second: bool
) -> tuple[float, float, float, bool, float, float, float]:
    """Return separation, normal, whether its sign is undecided, point and depth of two discs.

    `second` tells which way to part those at one centre: the walk's order of A and B.
    """
    dx, dy = bx - ax, by - ay
    distance, nx, ny = unit(dx, dy)
    if distance == 0.0 and second:
        nx = -nx
    reach = ra + rb
    separation = distance - reach
    undecided = is_undecided(distance, reach, SIGN_BAND * (abs(dx) + abs(dy) + reach))
    x, y = ((ax + nx * ra) + (bx - nx * rb)) / 2.0, ((ay + ny * ra) + (by - ny * rb)) / 2.0
    return separation, nx, ny, undecided, x, y, max(0.0 - separation, 0.0)
