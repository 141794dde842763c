"""The rotating part of `cast`: its two arguments, and the answers for one pair and for rows.

In: `rotation` in radians and `pivot` as the user passed them, records and motions. Out: plain columns in the order of
`HitColumns`, or one tuple. World frame, user's units. The answers come from `rotating_toi`.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from carom._core import inputs
from carom._core.jit import kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats
from carom.narrow.dispatch import COMPILED, Rows, vectors
from carom.narrow.rotating_pose import workspace
from carom.narrow.rotating_toi import time_of_impact
from carom.shapes.basic import ConvexShape
from carom.shapes.proxy import COUNT, X, Y
from carom.shapes.set import Shapes
from carom.tolerances import MOST_TURN

STILL = 0.0
"""The default of `rotation`; told by identity, which costs a single pair nothing."""


@kernel
def turn_rows(
    pairs: Rows, w: Floats, begin: float, motions: tuple[Floats, Floats, Floats], out: tuple[Any, ...]
) -> None:
    """Write for each row when A, moved and turned about a pivot, first meets B from a fraction on."""
    a, starts_a, b, starts_b = pairs
    translations, turns, pivots = motions
    out_hits, out_fractions, out_points, out_normals, out_overlapping = out
    for row in range(out_hits.shape[0]):
        i, j, turn = starts_a[row], starts_b[row], turns[row]
        mx, my, px, py = translations[row, 0], translations[row, 1], pivots[row, 0], pivots[row, 1]
        hit, overlapping, fraction, nx, ny, x, y, _ = time_of_impact(a, i, b, j, mx, my, turn, px, py, begin, w)
        out_hits[row], out_overlapping[row], out_fractions[row] = hit, overlapping, fraction
        out_normals[row, 0], out_normals[row, 1] = nx, ny
        out_points[row, 0], out_points[row, 1] = x, y


def turn_and_pivot(a: ConvexShape, rotation: Any, pivot: Any) -> tuple[float, float, float]:
    """Return the turn of one shape and its pivot, x and y."""
    turn = inputs.number("cast", "rotation", rotation)
    if abs(turn) > MOST_TURN:
        _refuse_turn("rotation", rotation)
    x, y = a.position if pivot is None else inputs.point("cast", "pivot", pivot)
    return turn, x, y


def turns_and_pivots(
    a: ConvexShape | Shapes,
    rotation: Any,
    pivot: Any,
    count: int,
    where: str = "cast",
    prefix: str = "",
) -> tuple[Floats, Floats]:
    """Return the turn and the pivot of each row, (count,) and (count, 2); `prefix` begins the names of both."""
    turns = inputs.column(where, f"{prefix}rotation", rotation, count)
    beyond = np.abs(turns) > MOST_TURN
    if beyond.any():
        row = int(np.argmax(beyond))
        _refuse_turn(f"{prefix}rotation[{row}]", turns.item(row), where)
    if pivot is not None:
        return turns, vectors(where, f"{prefix}pivot", pivot, count)
    own = a.positions if isinstance(a, Shapes) else np.array([a.position])
    return turns, np.broadcast_to(own, (count, 2)).copy()


def _refuse_turn(name: str, value: Any, where: str = "cast") -> NoReturn:
    expected = f"must be at most {MOST_TURN:.0f} radians in magnitude; did you pass degrees, or a speed?"
    inputs.refuse(ValueError, where, name, value, expected)


def goes_straight(a: Any, i: Any, turn: Any, pivot: Any) -> Any:
    """Tell whether turning changes nothing: there is no turn, or a disc turns about its own centre. Numbers or rows."""
    x, y = np.transpose(pivot)
    return (turn == 0.0) | ((a[i + COUNT] == 1.0) & (a[i + X] == x) & (a[i + Y] == y))


def taken(pairs: Rows, mask: Booleans) -> Rows:
    """Return the rows of a mask."""
    return Rows(pairs.a, pairs.starts_a[mask], pairs.b, pairs.starts_b[mask])


def turning_hit(a: Floats, b: Floats, mx: float, my: float, turn: float, px: float, py: float) -> Any:
    """Return hit, overlapping, fraction, normal x and y, point x and y of one pair."""
    size = workspace(int(a[COUNT]), int(b[COUNT]))
    w: Any = np.empty(size) if COMPILED else [0.0] * size
    return time_of_impact(a, 0, b, 0, mx, my, turn, px, py, 0.0, w)[:-1]


def turning_hits(
    pairs: Rows, motions: Floats, turns: Floats, pivots: Floats, threads: int, begin: float = 0.0
) -> tuple[Booleans, Floats, Floats, Floats, Booleans]:
    """Return hit, fraction, point, normal, overlapping of each row, from the fraction `begin` on."""
    n = turns.size
    hit, overlapping = np.empty(n, dtype=np.bool_), np.empty(n, dtype=np.bool_)
    fraction, normal, point = np.empty(n), np.empty((n, 2)), np.empty((n, 2))
    most_a, most_b = (int(s[at + COUNT].max()) for s, at in ((pairs.a, pairs.starts_a), (pairs.b, pairs.starts_b)))
    out = hit, fraction, point, normal, overlapping

    def work(first: int, last: int) -> None:
        w = np.empty(workspace(most_a, most_b))
        parts: Any = [tuple(column[first:last] for column in one) for one in ((motions, turns, pivots), out)]
        turn_rows(pairs.part(first, last), w, begin, *parts)

    in_parts(threads, n, work)
    return out
