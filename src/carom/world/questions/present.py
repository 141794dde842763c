"""Where the parts of bodies are at the present instant, as records, without moving a body.

In: the tables of a world between two steps or at a pause. Out: records in the world's frame. Between two steps they
stand in the world's own buffer; at a pause a body is on its way, and what it will do depends on how its place is
rounded, so that its parts are worked out beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.arithmetic import cos_sin_of
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.conservative_advancement import turn_record
from carom.shapes.proxy import COUNT, POINTS, STRIDE, X, Y
from carom.shapes.proxy_writers import starts_of
from carom.world.questions.walk import View
from carom.world.step.tables import BETWEEN, STATIC, Body, State
from carom.world.step.ways.motion import place_now


@inner
def is_on_its_way(state: State, body: Body) -> bool:
    """Tell whether the records of a body's parts stand where it was, and not where it is now."""
    if state.phase == BETWEEN or body.kind == STATIC:
        return False
    goes = body.way_x != 0.0 or body.way_y != 0.0 or body.way_spin != 0.0
    return bool(goes and state.now > body.own_time)


@inner
def write_now(view: View, number: int, out: Floats, at: int) -> None:
    """Write the record of a part where it is now, by the same operations in the same order as `motion.advance`."""
    part = view.parts[number]
    body, a, i = view.bodies[part.body], view.buffer, part.record
    x, y, angle = place_now(view.state[0], body)
    offset_x, offset_y = part.offset_x, part.offset_y
    if body.way_spin != 0.0:
        c, s, _ = cos_sin_of(angle)
        mx, my = view.models[i + X], view.models[i + Y]
        offset_x, offset_y = c * mx - s * my, s * mx + c * my
        turn_record(view.models, i, c, s, out, at)
    else:
        for k in range(POINTS + STRIDE * int(a[i + COUNT])):
            out[at + k] = a[i + k]
    out[at + X], out[at + Y] = x + offset_x, y + offset_y


@kernel
def write_parts_now(view: View, parts: Integers, starts: Integers, out: Floats) -> None:
    """Write the records of some parts where they are now, each to its place."""
    for k in range(parts.shape[0]):
        part = view.parts[parts[k]]
        if is_on_its_way(view.state[0], view.bodies[part.body]):
            write_now(view, parts[k], out, starts[k])
        else:
            for n in range(POINTS + STRIDE * int(view.buffer[part.record + COUNT])):
                out[starts[k] + n] = view.buffer[part.record + n]


def records_now(view: View, parts: Integers) -> tuple[Floats, Integers]:
    """Return the records of some parts where they are now, one behind the other, and where each begins."""
    counts: Any = view.buffer[view.parts["record"][parts] + COUNT]
    sizes = POINTS + STRIDE * counts.astype(np.int64)
    starts, out = starts_of(sizes), np.empty(int(sizes.sum()))
    write_parts_now(view, parts, starts, out)
    return out, starts
