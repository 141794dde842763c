"""How near two discs come that move in straight lines, as from one sample of a track to the next.

In: pieces, (n, 7): t0, x0, y0, t1, x1, y1, radius, a disc that moves evenly from (x0, y0) at t0 to (x1, y1) at t1; the
rows of pairs of them; and a distance. Out: for each pair the first instant of the time that both have in common when
they are no farther apart than the distance, the least separation (negative where discs overlap) and the earliest
instant of that. The relative motion is linear, so the squared distance of the centres is a parabola, solved in closed
form in double-double numbers. Pairs that hardly move relative to each other are told exactly first
(`at_rest`), and those that rounding could still decide or blur go to rational arithmetic (`exact`):
whether a pair meets is exact, and the numbers are off by at most one unit in the last place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.arithmetic import Long, over, plus, root, scale_for, times, two_sum
from carom._core.flat import flat
from carom._core.jit import inner, kernel
from carom._core.names import names_near, told_by_name
from carom._core.types import Booleans, Floats, Integers, Marks
from carom.narrow.approach.at_rest import CLOSE_CALL, GRAZING, MEETS, NEVER, SCRATCH, nearly_at_rest, standing
from carom.narrow.approach.columns import RADIUS, T0, T1, X0, X1, Y0, Y1
from carom.narrow.approach.exact import exact_approach

FIRST, SEPARATION, CLOSEST = 0, 1, 2

UNIT = 2.0**150
"""The size to which `scale_for` brings the largest number of a pair."""

SMALL_MOTION = UNIT * 2.0**-40
"""A relative motion below this share of the numbers at hand has lost digits."""

SMALL_SEPARATION = UNIT * 2.0**-40
"""And so has such a separation."""

BAND = UNIT * UNIT * 2.0**-80
"""Squared distances nearer to each other than this may be equal."""

UNSURE = 2.0**-42
"""Share of a place times a motion below which the least of a parabola has no instant with all of its digits."""


@names_near
class Approaches(NamedTuple):
    """Of each pair of moving discs: whether it meets, when first, and how near it comes."""

    meets: Booleans
    """(m,) whether the two are ever no farther apart than the distance, at a time that both have."""
    first: Floats
    """(m,) the first instant at which they are; 0 of pairs that do not meet."""
    separation: Floats
    """(m,) the least separation, negative where the discs overlap; 0 of pairs that do not meet."""
    closest: Floats
    """(m,) the earliest instant of that; 0 of pairs that do not meet."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame: meets, first, separation, closest."""
        return flat(self._asdict())


@inner
def _fraction(t: float, start: float, end: float) -> Long:
    """Return how far along a piece an instant lies."""
    if t == start:
        return 0.0, 0.0
    return over(two_sum(t, -start), two_sum(end, -start))


@inner
def _between(p0: float, p1: float, f: Long, q0: float, q1: float, g: Long, scale: float) -> Long:
    """Return a coordinate of the first less that of the second, so far along each; at an end the sample itself."""
    near = two_sum(p1 if f[0] == 1.0 else p0, -(q1 if g[0] == 1.0 else q0))
    found = near[0] * scale, near[1] * scale
    if 0.0 < f[0] < 1.0 or 0.0 < g[0] < 1.0:
        found = plus(found, plus(_along(p0, p1, f, scale), _along(q1, q0, g, scale)))
    return found


@inner
def _along(start: float, end: float, f: Long, scale: float) -> Long:
    """Return how far a coordinate has come, 0 at either end."""
    if f[0] == 0.0 or f[0] == 1.0:
        return 0.0, 0.0
    step = two_sum(end, -start)
    return times(f, (step[0] * scale, step[1] * scale))


@inner
def _moves(pieces: Floats, i: int, f: Long) -> bool:
    """Tell whether a place along a piece had to be rounded."""
    moving = pieces[i, X0] != pieces[i, X1] or pieces[i, Y0] != pieces[i, Y1]
    return bool(0.0 < f[0] < 1.0 and moving)


@inner
def _size(pieces: Floats, i: int, j: int, within: float) -> float:
    """Return the largest of the numbers that the relative motion of a pair is made of."""
    x, y = pieces[i, X0] - pieces[j, X0], pieces[i, Y0] - pieces[j, Y0]
    size: float = max(max(abs(x), abs(y)), pieces[i, RADIUS] + pieces[j, RADIUS] + within)
    for row in (i, j):
        x, y = pieces[row, X1] - pieces[row, X0], pieces[row, Y1] - pieces[row, Y0]
        size = max(size, max(abs(x), abs(y)))
    return size


@inner
def _less(a: Long, b: Long) -> Long:
    """Return a - b."""
    return plus(a, (-b[0], -b[1]))


@inner
def _instant(start: float, end: float, share: Long) -> float:
    """Return the instant at a share of a time."""
    instant: float = plus((start, 0.0), times(share, two_sum(end, -start)))[0]
    return instant


@kernel
def _approach(pieces: Floats, i: int, j: int, within: float, h: Floats) -> tuple[int, float, float, float]:
    """Return whether a pair meets, NEVER, MEETS or CLOSE_CALL, its first instant, separation and closest instant."""
    start, end = max(pieces[i, T0], pieces[j, T0]), min(pieces[i, T1], pieces[j, T1])
    if start > end:
        return NEVER, 0.0, 0.0, 0.0
    size = _size(pieces, i, j, within)
    if size == 0.0:
        return MEETS, start, 0.0, start
    scale = scale_for(size)
    f, g = _fraction(start, pieces[i, T0], pieces[i, T1]), _fraction(start, pieces[j, T0], pieces[j, T1])
    x = _between(pieces[i, X0], pieces[i, X1], f, pieces[j, X0], pieces[j, X1], g, scale)
    y = _between(pieces[i, Y0], pieces[i, Y1], f, pieces[j, Y0], pieces[j, Y1], g, scale)
    rounded = _moves(pieces, i, f) or _moves(pieces, j, g)
    mx, my, last_x, last_y = (0.0, 0.0), (0.0, 0.0), x, y
    if start < end:
        f, g = _fraction(end, pieces[i, T0], pieces[i, T1]), _fraction(end, pieces[j, T0], pieces[j, T1])
        last_x = _between(pieces[i, X0], pieces[i, X1], f, pieces[j, X0], pieces[j, X1], g, scale)
        last_y = _between(pieces[i, Y0], pieces[i, Y1], f, pieces[j, Y0], pieces[j, Y1], g, scale)
        rounded = rounded or _moves(pieces, i, f) or _moves(pieces, j, g)
        mx, my = _less(last_x, x), _less(last_y, y)
        motion = max(abs(mx[0]), abs(my[0]))
        if motion <= SMALL_MOTION and (rounded or motion > 0.0):
            return nearly_at_rest(pieces, i, j, within, start, end, scale, h)
    at_rest = not rounded and mx[0] == 0.0 and my[0] == 0.0
    radii = two_sum(pieces[i, RADIUS] * scale, pieces[j, RADIUS] * scale)
    reach = plus(radii, (within * scale, 0.0))
    square = times(reach, reach)
    outside = _less(plus(times(x, x), times(y, y)), square)
    closing = plus(times(x, mx), times(y, my))
    travel = plus(times(mx, mx), times(my, my))
    cross = _less(times(x, my), times(y, mx))
    share = (0.0, 0.0)
    if closing[0] >= 0.0:
        least = plus(outside, square)
    elif closing[0] + travel[0] <= 0.0:
        share, least = (1.0, 0.0), plus(times(last_x, last_x), times(last_y, last_y))
    else:
        far = abs(x[0]) + abs(y[0])
        motion = abs(mx[0]) + abs(my[0])
        if far * ((UNIT if rounded else 0.0) + motion) * UNSURE > travel[0]:
            return nearly_at_rest(pieces, i, j, within, start, end, scale, h)
        share, least = over((-closing[0], -closing[1]), travel), over(times(cross, cross), travel)
    depth = _less(least, square)
    separation = _less(root(least), radii)
    if abs(depth[0]) <= BAND or (depth[0] < 0.0 and abs(separation[0]) <= SMALL_SEPARATION):
        if at_rest:
            a, b = pieces[i, RADIUS] * scale, pieces[j, RADIUS] * scale
            return standing(x, y, a, b, within * scale, scale, start, h)
        return nearly_at_rest(pieces, i, j, within, start, end, scale, h)
    if depth[0] > 0.0:
        return NEVER, 0.0, 0.0, 0.0
    closest = _instant(start, end, share)
    if outside[0] <= 0.0:
        return MEETS, start, separation[0] / scale, closest
    room = times(travel, square)
    inside = _less(room, times(cross, cross))
    if inside[0] <= GRAZING * room[0] or reach[0] <= SMALL_SEPARATION:
        return CLOSE_CALL, 0.0, 0.0, 0.0
    entry = over(outside, _less(root(inside), closing))
    return MEETS, min(_instant(start, end, entry), closest), separation[0] / scale, closest


@kernel
def _approaches(pieces: Floats, a: Integers, b: Integers, within: float, state: Marks, out: Floats) -> None:
    h = np.empty(SCRATCH)
    for k in range(a.size):
        state[k], out[FIRST, k], out[SEPARATION, k], out[CLOSEST, k] = _approach(pieces, a[k], b[k], within, h)


@told_by_name
def approaches(pieces: ArrayLike, pairs: ArrayLike, *, within: float = 0.0) -> Approaches:
    """Return when discs that move evenly first come within a distance of each other, and how near they come.

    Parameters
    ----------
    pieces : (n, 7) numbers
        A disc a row: t0, x0, y0, t1, x1, y1, radius. It moves evenly from (x0, y0) at the time t0 to (x1, y1) at t1;
        the radius may be 0.
    pairs : (m, 2) whole numbers
        Two rows of `pieces` each, as `bounds_pairs` gives them of the boxes around the motions.
    within : float, default 0
        The largest distance, in length units: 0 asks when the two first touch.

    Returns
    -------
    Approaches
        Columns with a row for each pair. Only the time that both pieces have counts; without one, a pair never meets.

    Raises
    ------
    TypeError
        If `pieces` holds no numbers, or `pairs` no whole numbers.
    ValueError
        If a piece ends before it begins, a radius or `within` is negative, a number is not finite, or `pairs` names a
        row that is not there.

    Notes
    -----
    Whether a pair meets is exact, and each number is off by at most one unit in the last place: what rounding could
    decide is decided by rational arithmetic. `carom.tables.encounters` asks this of whole tracks.

    Examples
    --------
    >>> ships = [(0, 0, 0, 10, 10, 0, 0.5), (0, 5, -5, 10, 5, 5, 0.5)]
    >>> found = cm.approaches(ships, [(0, 1)])
    >>> found.meets, found.first, found.separation, found.closest
    (array([ True]), array([4.29289322]), array([-1.]), array([5.]))
    """
    where = "approaches"
    moving = inputs.table(where, "pieces", pieces, 7)
    distance = inputs.number(where, "within", within)
    if distance < 0.0:
        inputs.refuse(ValueError, where, "within", within, "must not be negative")
    for wrong, column, expected in (
        (moving[:, T1] < moving[:, T0], T1, "must not be below t0, its first number"),
        (moving[:, RADIUS] < 0.0, RADIUS, "must not be negative"),
    ):
        if wrong.any():
            row = int(wrong.argmax())
            inputs.refuse(ValueError, where, f"pieces[{row}][{column}]", moving[row, column], expected)
    a, b = _rows(where, pairs, len(moving))
    state, out = np.empty(len(a), np.int8), np.empty((3, len(a)))
    _approaches(moving, a, b, distance, state, out)
    for k in np.flatnonzero(state == CLOSE_CALL):
        found = exact_approach(moving[a[k]].tolist(), moving[b[k]].tolist(), distance)
        state[k] = NEVER if found is None else MEETS
        out[:, k] = 0.0 if found is None else found
    return Approaches(state == MEETS, out[FIRST], out[SEPARATION], out[CLOSEST])


def _rows(where: str, pairs: ArrayLike, count: int) -> tuple[Integers, Integers]:
    """Return both rows of each pair."""
    rows = inputs.whole_numbers(where, "pairs", pairs)
    rows = rows.reshape(-1, 2) if rows.size == 0 else rows
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise ValueError(f"{where}: pairs has shape {rows.shape}; it must be (m, 2), two rows of pieces each")
    wrong = ((rows < 0) | (rows >= count)).any(axis=1)
    if wrong.any():
        pair = int(wrong.argmax())
        inputs.refuse(
            ValueError, where, f"pairs[{pair}]", tuple(rows[pair].tolist()), f"must name rows 0 to {count - 1}"
        )
    return np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1])
