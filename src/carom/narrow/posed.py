"""Bodies of one or many parts as they stand at a moment of a turning motion.

In: rows of bodies, their motions, turns in radians and pivots, and the fraction of the motion that has passed. Out: the
same bodies turned and moved, each coordinate rounded. What is on the outside is taken over, not found anew, so that
parts that lie flush stay one body. World frame, user's units.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.types import Floats, Integers
from carom.narrow.bodies import EDGE_X0, EDGE_X1, SIDE_X0, SIDE_X1, Bodies
from carom.shapes.proxy import AABB, CENTER_X, COUNT, HIGHEST, KIND, LOWEST, POINTS, POLYGON, STRIDE, X, Y
from carom.tolerances import UPRIGHT


def ranges(first: Integers, last: Integers) -> Integers:
    """Return first[0], first[0] + 1, ... last[0] - 1, first[1], ... last[1] - 1, and so on."""
    counts = last - first
    total = np.cumsum(counts)
    found: Integers = np.repeat(first - (total - counts), counts) + np.arange(total[-1] if total.size else 0)
    return found


def posed(body: Bodies, rows: Integers, motions: Floats, turns: Floats, pivots: Floats, fractions: Floats) -> Bodies:
    """Return bodies, one for each row, turned by a fraction of their turn about the pivot and moved by as much."""
    taken = _taken(body, rows)
    owner = np.repeat(np.arange(rows.size), np.diff(taken.first))
    _turn(taken, motions[owner], turns[owner], pivots[owner], fractions[owner])
    return taken


def _taken(body: Bodies, rows: Integers) -> Bodies:
    """Return some bodies, copied."""
    counts = body.first[rows + 1] - body.first[rows]
    parts = ranges(body.first[rows], body.first[rows + 1])
    starts = body.starts[parts]
    sizes = POINTS + STRIDE * body.buffer[starts + COUNT].astype(np.int64)
    cells = ranges(starts, starts + sizes)
    taken = body._replace(
        buffer=body.buffer[cells],
        starts=np.cumsum(sizes) - sizes,
        first=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts))),
    )
    if body.exposed.size == 0:
        return taken
    edges = ranges(body.edge_first[parts], body.edge_first[parts + 1])
    edge_counts = body.edge_first[parts + 1] - body.edge_first[parts]
    return taken._replace(
        edges=body.edges[edges],
        edge_first=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(edge_counts))),
        exposed=body.exposed[cells],
        cones=body.cones[cells],
        ids=body.ids[cells],
    )


def _turn(body: Bodies, motions: Floats, turns: Floats, pivots: Floats, fractions: Floats) -> None:
    """Turn and move each part in place."""
    angles = (turns * fractions).tolist()
    cosine, sine = np.array([math.cos(x) for x in angles]), np.array([math.sin(x) for x in angles])
    fall = np.array([-2.0 * math.sin(0.5 * x) ** 2 for x in angles])  # the cosine less 1
    buffer, starts = body.buffer, body.starts
    lever_x, lever_y = buffer[starts + X] - pivots[:, 0], buffer[starts + Y] - pivots[:, 1]
    buffer[starts + X] += fractions * motions[:, 0] + (fall * lever_x - sine * lever_y)
    buffer[starts + Y] += fractions * motions[:, 1] + (sine * lever_x + fall * lever_y)
    buffer[starts + KIND] = np.where(buffer[starts + KIND] == AABB, POLYGON, buffer[starts + KIND])
    _turn_columns(buffer, starts + CENTER_X, cosine, sine)
    counts = buffer[starts + COUNT].astype(np.int64)
    owner = np.repeat(np.arange(starts.size), counts)
    number = ranges(np.zeros_like(counts), counts)
    places = starts[owner] + POINTS + STRIDE * number
    for column in (places, places + 2):
        _turn_columns(buffer, column, cosine[owner], sine[owner])
    buffer[places + 2] = np.where(np.abs(buffer[places + 2]) > UPRIGHT, buffer[places + 2], 0.0)
    rising = (buffer[places + 2] > 0.0) | ((buffer[places + 2] == 0.0) & (buffer[places + 3] < 0.0))
    before = np.where(number > 0, np.arange(places.size) - 1, np.arange(places.size) + counts[owner] - 1)
    for place, begins in ((LOWEST, rising & ~rising[before]), (HIGHEST, ~rising & rising[before])):
        buffer[starts[owner[begins]] + place] = number[begins]
    if body.exposed.size:
        for side in (body.cones[:, :2], body.cones[:, 2:]):
            own = np.zeros(body.cones.shape[0], dtype=np.int64)
            own[places] = owner
            side[:] = _turned(side, cosine[own], sine[own])
        own = np.repeat(np.arange(starts.size), np.diff(body.edge_first))
        for at in (EDGE_X0, EDGE_X1, SIDE_X0, SIDE_X1):
            body.edges[:, at : at + 2] = _turned(body.edges[:, at : at + 2], cosine[own], sine[own])


def _turn_columns(buffer: Floats, places: Integers, cosine: Floats, sine: Floats) -> None:
    """Turn the vectors that stand at some places of a buffer."""
    x, y = buffer[places], buffer[places + 1]
    buffer[places], buffer[places + 1] = cosine * x - sine * y, sine * x + cosine * y


def _turned(vectors: Floats, cosine: Floats, sine: Floats) -> Floats:
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=1)
