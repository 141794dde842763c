"""How near two things come that are nearly or wholly at rest relative to each other: at a berth, in convoy.

In: two pieces, as `approach` has them, whose relative motion is so small that rounding could make up all of it. Out:
the same as there. Relative place and motion at the beginning are told exactly, as expansions over the durations, and
then rounded once: so both have all of their digits, however small they are beside the places, and nothing is nothing.
Two that stand still are compared exactly, touching ones too.
"""

from __future__ import annotations

from carom._core.arithmetic import (
    Long,
    add_product,
    over,
    plus,
    root,
    scale_for,
    set_sum,
    sign_of,
    times,
    two_sum,
)
from carom._core.jit import inner, kernel
from carom._core.types import Floats
from carom.narrow.approach.columns import RADIUS, T0, T1, X0, X1, Y0

NEVER, MEETS, CLOSE_CALL = 0, 1, 2

LASTING, OTHER_LASTING, WAITED, STEP, OTHER_STEP, APART = (64 * k for k in range(6))
"""Places in the buffer for expansions: durations of both pieces, how long one is under way, ways, how far apart."""
PLACE_X, PLACE_Y, MOTION_X, MOTION_Y, REACH, OUT = (64 * k for k in range(6, 12))
"""Where they are relative to each other, times the duration of one; a reach, times that, too; how fast they move, times
both durations; and what is found."""
SCRATCH = OUT + 2048
"""Numbers of the buffer."""

LOST = 2.0**-40
"""Share of two numbers below which their difference has lost digits."""
GRAZING = 2.0**-30
"""Share of the squared reach: a path that enters it by less has an instant of entry that has lost digits."""
BAND = 2.0**-80
"""Share of two squares of distances below which they may be equal."""

Told = tuple[int, float, float, float]


@inner
def _top(h: Floats, place: int) -> Long:
    """Return the expansion at a place, rounded to two numbers."""
    found = (0.0, 0.0)
    for k in range(place + 1, place + 1 + int(h[place])):
        found = plus(found, (h[k], 0.0))
    return found


@kernel
def _set_difference(h: Floats, place: int, a: float, b: float, scale: float) -> None:
    """Set the expansion at a place to (a - b) * scale; the scale is a power of two."""
    far = two_sum(a, -b)
    set_sum(h, place, far[0] * scale, far[1] * scale, 0.0, 0.0)


@kernel
def _compare(h: Floats, lasting: int, a: float, b: float, within: float) -> Long:
    """Set `OUT` to the squared distance of two places less that of a reach, over a squared duration; return the first.

    The reach is a + b + within. It and the places are scaled.
    """
    set_sum(h, APART, a, b, within, 0.0)
    h[REACH] = 0.0
    add_product(h, REACH, APART, lasting, 1.0)
    h[OUT] = 0.0
    add_product(h, OUT, PLACE_X, PLACE_X, 1.0)
    add_product(h, OUT, PLACE_Y, PLACE_Y, 1.0)
    square = _top(h, OUT)
    add_product(h, OUT, REACH, REACH, -1.0)
    return square


@kernel
def _still(h: Floats, lasting: int, a: float, b: float, within: float, scale: float, start: float) -> Told:
    """Return what `approach` does of two discs that do not move relative to each other, by their exact places."""
    _compare(h, lasting, a, b, within)
    if sign_of(h, OUT) > 0:
        return NEVER, 0.0, 0.0, 0.0
    square = _compare(h, lasting, a, b, 0.0)
    separation = 0.0
    if sign_of(h, OUT) != 0:
        far = over(over(_top(h, OUT), plus(root(square), _top(h, REACH))), _top(h, lasting))
        separation = far[0] / scale
    return MEETS, start, separation, start


@kernel
def standing(x: Long, y: Long, a: float, b: float, within: float, scale: float, start: float, h: Floats) -> Told:
    """Return what `approach` does of two discs at rest, whose relative place is exact; all lengths are scaled."""
    set_sum(h, PLACE_X, x[0], x[1], 0.0, 0.0)
    set_sum(h, PLACE_Y, y[0], y[1], 0.0, 0.0)
    set_sum(h, LASTING, 1.0, 0.0, 0.0, 0.0)
    return _still(h, LASTING, a, b, within, scale, start)


@kernel
def _place_and_motion(
    pieces: Floats, i: int, j: int, axis: int, start: float, end: float, scales: tuple[float, float], h: Floats
) -> tuple[Long, Long]:
    """Return a coordinate of the first less that of the second at `start`, and how it changes until `end`, scaled.

    Both go to the buffer, too, times the durations that they are fractions of.
    """
    scale, beat = scales
    last = axis + X1 - X0
    place, speed = (PLACE_X, MOTION_X) if axis == X0 else (PLACE_Y, MOTION_Y)
    _set_difference(h, STEP, pieces[i, last], pieces[i, axis], scale)
    _set_difference(h, OTHER_STEP, pieces[j, last], pieces[j, axis], scale)
    _set_difference(h, APART, pieces[i, axis], pieces[j, axis], scale)
    h[speed] = 0.0
    add_product(h, speed, STEP, OTHER_LASTING, 1.0)
    add_product(h, speed, OTHER_STEP, LASTING, -1.0)
    far = two_sum(end, -start)
    lasting, other_lasting = _top(h, LASTING), _top(h, OTHER_LASTING)
    motion = over(over(times(_top(h, speed), (far[0] * beat, far[1] * beat)), lasting), other_lasting)
    h[place] = 0.0
    if pieces[i, T0] == start:
        add_product(h, place, APART, OTHER_LASTING, 1.0)
        _set_difference(h, WAITED, start, pieces[j, T0], beat)
        add_product(h, place, OTHER_STEP, WAITED, -1.0)
        return over(_top(h, place), other_lasting), motion
    add_product(h, place, APART, LASTING, 1.0)
    _set_difference(h, WAITED, start, pieces[i, T0], beat)
    add_product(h, place, STEP, WAITED, 1.0)
    return over(_top(h, place), lasting), motion


@kernel
def _set_lasting(h: Floats, place: int, start: float, end: float, beat: float) -> None:
    """Set the duration of a piece; of one that lasts no time, and goes nowhere, any will do."""
    if start == end:
        set_sum(h, place, 1.0, 0.0, 0.0, 0.0)
    else:
        _set_difference(h, place, end, start, beat)


@kernel
def _last(h: Floats, place: int, speed: int, under_way: int) -> Long:
    """Return a coordinate after the time at `WAITED`."""
    h[OUT] = 0.0
    add_product(h, OUT, place, LASTING if under_way == OTHER_LASTING else OTHER_LASTING, 1.0)
    add_product(h, OUT, speed, WAITED, 1.0)
    return over(over(_top(h, OUT), _top(h, LASTING)), _top(h, OTHER_LASTING))


@kernel
def nearly_at_rest(
    pieces: Floats, i: int, j: int, within: float, start: float, end: float, scale: float, h: Floats
) -> Told:
    """Return what `approach` does of two pieces over the time from `start` to `end`; one of them lasts at least."""
    beat = scale_for(max(pieces[i, T1] - pieces[i, T0], pieces[j, T1] - pieces[j, T0]))
    _set_lasting(h, LASTING, pieces[i, T0], pieces[i, T1], beat)
    _set_lasting(h, OTHER_LASTING, pieces[j, T0], pieces[j, T1], beat)
    x, mx = _place_and_motion(pieces, i, j, X0, start, end, (scale, beat), h)
    y, my = _place_and_motion(pieces, i, j, Y0, start, end, (scale, beat), h)
    a, b, more = pieces[i, RADIUS] * scale, pieces[j, RADIUS] * scale, within * scale
    radii = two_sum(a, b)
    reach = plus(radii, (more, 0.0))
    square, apart = times(reach, reach), plus(times(x, x), times(y, y))
    under_way = OTHER_LASTING if pieces[i, T0] == start else LASTING
    span = two_sum(end, -start)
    over_all = over(
        over(over((span[0] * beat, span[1] * beat), _top(h, LASTING)), _top(h, OTHER_LASTING)), _top(h, under_way)
    )
    h[OUT] = 0.0
    add_product(h, OUT, PLACE_X, MOTION_X, 1.0)
    add_product(h, OUT, PLACE_Y, MOTION_Y, 1.0)
    closing, travel = times(_top(h, OUT), over_all), plus(times(mx, mx), times(my, my))
    share, least = (0.0, 0.0), apart
    if travel[0] == 0.0 or closing[0] >= 0.0:
        pass
    elif closing[0] + travel[0] <= 0.0:
        _set_difference(h, WAITED, end, start, beat)
        last_x, last_y = _last(h, PLACE_X, MOTION_X, under_way), _last(h, PLACE_Y, MOTION_Y, under_way)
        share, least = (1.0, 0.0), plus(times(last_x, last_x), times(last_y, last_y))
    else:
        h[OUT] = 0.0
        add_product(h, OUT, PLACE_X, MOTION_Y, 1.0)
        add_product(h, OUT, PLACE_Y, MOTION_X, -1.0)
        cross = times(_top(h, OUT), over_all)
        share, least = over((-closing[0], -closing[1]), travel), over(times(cross, cross), travel)
    depth = plus(least, (-square[0], -square[1]))
    near = root(least)
    separation = plus(near, (-radii[0], -radii[1]))
    sure = radii[0] == 0.0 or abs(separation[0]) > LOST * max(near[0], radii[0])
    largest = max(apart[0], square[0])
    doubt = largest > 0.0 and abs(depth[0]) <= BAND * largest
    if travel[0] == 0.0 and (doubt or not sure):
        return _still(h, under_way, a, b, more, scale, start)
    if doubt:
        return CLOSE_CALL, 0.0, 0.0, 0.0
    if depth[0] > 0.0:
        return NEVER, 0.0, 0.0, 0.0
    if not sure:
        return CLOSE_CALL, 0.0, 0.0, 0.0
    closest: float = plus((start, 0.0), times(share, span))[0]
    outside = plus(apart, (-square[0], -square[1]))
    if travel[0] == 0.0 or outside[0] <= -BAND * square[0]:
        return MEETS, start, separation[0] / scale, closest
    if outside[0] <= LOST * square[0]:
        return CLOSE_CALL, 0.0, 0.0, 0.0
    h[OUT] = 0.0
    add_product(h, OUT, PLACE_X, MOTION_Y, 1.0)
    add_product(h, OUT, PLACE_Y, MOTION_X, -1.0)
    cross = times(_top(h, OUT), over_all)
    room, beside = times(travel, square), times(cross, cross)
    inside = plus(room, (-beside[0], -beside[1]))
    if inside[0] <= GRAZING * room[0]:
        return CLOSE_CALL, 0.0, 0.0, 0.0
    entry = over(outside, plus(root(inside), (-closing[0], -closing[1])))
    first: float = plus((start, 0.0), times(entry, span))[0]
    return MEETS, min(first, closest), separation[0] / scale, closest
