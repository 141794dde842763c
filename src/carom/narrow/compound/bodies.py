"""How a body of one or many convex parts lies in memory for the kernels that see it as one shape, also as it turns.

In: bodies that `packing` made; of a turning motion the motions, turns in radians and pivots of rows of bodies, and the
fraction of the motion that has passed. Out: `Bodies`: the records of all parts in one buffer, which parts each body
has, and, for a Compound, which of their edges and corners are on its outside. An edge between two flush parts is on no
outside, so no kernel ever makes a contact of it. A turned body keeps the outside that it had, so that parts that lie
flush stay one body. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom._core.jit import inner
from carom._core.types import Floats, Integers, Marks
from carom.narrow.compound.part_tree import NO_TREE, Parts, fit
from carom.narrow.kinds import kinds_when_turned
from carom.shapes.outlines.exposed import CORNER
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, HIGHEST, KIND, LOWEST, POINTS, STRIDE, X, Y
from carom.tolerances import UPRIGHT

# Columns of one outer edge. The whole side is the straight line of outer edges, of this and other parts, that the edge
# is a piece of; all points are relative to the origin of the edge's own part.
EDGE, EDGE_X0, EDGE_X1, SIDE_X0, SIDE_X1, SIDE_FIRST, SIDE_LAST = 0, 1, 3, 5, 7, 9, 10  # y stands behind each x
EDGE_COLUMNS = 11


Columns = tuple[Any, ...]


_NO_INTEGERS = np.zeros(0, dtype=np.int64)


class Bodies(NamedTuple):
    """Bodies made of convex parts; what follows `first` is empty where every body is one whole shape."""

    buffer: Floats
    starts: Integers  # of each part's record
    first: Integers  # of each body its first part, and at the end the number of parts
    nodes: Integers = NO_TREE[0]  # the trees over the parts, see `part_tree`
    boxes: Floats = NO_TREE[1]
    edges: Floats = np.zeros((0, EDGE_COLUMNS))  # (m, EDGE_COLUMNS) the outer edges
    edge_first: Integers = _NO_INTEGERS  # of each part its first outer edge, and at the end m
    exposed: Marks = np.zeros(0, dtype=np.int8)  # at the place of each vertex: INNER, STRAIGHT or CORNER of the outline
    cones: Floats = np.zeros((0, 4))  # at the place of each vertex the normals between which it is outermost
    ids: Integers = _NO_INTEGERS  # at the place of each vertex the user's number


def parts_of(body: Bodies) -> Parts:
    """Return the columns that tell where the parts are: a call with fewer columns is quicker."""
    return Parts(body.buffer, body.starts, body.first, body.nodes, body.boxes)


class Corners(NamedTuple):
    """The columns of `Bodies` that tell where corners look; a loop that gets all eight columns pays for each call."""

    buffer: Floats
    starts: Integers
    exposed: Marks
    cones: Floats


@inner
def exposure(exposed: Marks, place: int) -> int:
    """Return the mark of the vertex at a place: its role in the outline of its body."""
    return int(exposed[place]) if exposed.shape[0] > 0 else CORNER


@inner
def vertex_id(body: Bodies, start: int, place: int) -> int:
    """Return the number of the vertex at a place: the user's in a Compound, else that in the record."""
    if body.ids.shape[0] == 0:
        return int((place - start - POINTS) // STRIDE)
    return int(body.ids[place])


def with_room(room: int, make: Callable[[int], Columns], write: Callable[..., int]) -> Columns:
    """Return columns that `write` has filled, cut to the rows it wrote; it returns how many rows it needs.

    `make` gives columns with room for so many rows, at first `room`, then as many as are needed.
    """
    while True:
        columns = make(room)
        needed = write(*columns)
        if needed <= room:
            return tuple(column[:needed] for column in columns)
        room = needed


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
    fit(taken.buffer, taken.starts, taken.first, taken.nodes, taken.boxes)
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
    roots, last = 2 * body.first[rows] - rows, 2 * body.first[rows + 1] - rows - 1
    nodes = body.nodes[ranges(roots, last)]
    edges = ranges(body.edge_first[parts], body.edge_first[parts + 1])
    edge_counts = body.edge_first[parts + 1] - body.edge_first[parts]
    return taken._replace(
        nodes=nodes,
        boxes=np.empty((len(nodes), 4)),
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
    buffer[starts + KIND] = kinds_when_turned(buffer[starts + KIND])
    x, y = starts + CENTER_X, starts + CENTER_Y
    buffer[x], buffer[y] = _turned(buffer[x], buffer[y], cosine, sine)
    counts = buffer[starts + COUNT].astype(np.int64)
    owner = np.repeat(np.arange(starts.size), counts)
    number = ranges(np.zeros_like(counts), counts)
    places = starts[owner] + POINTS + STRIDE * number
    for x in (places, places + 2):
        buffer[x], buffer[x + 1] = _turned(buffer[x], buffer[x + 1], cosine[owner], sine[owner])
    buffer[places + 2] = np.where(np.abs(buffer[places + 2]) > UPRIGHT, buffer[places + 2], 0.0)
    rising = (buffer[places + 2] > 0.0) | ((buffer[places + 2] == 0.0) & (buffer[places + 3] < 0.0))
    before = np.where(number > 0, np.arange(places.size) - 1, np.arange(places.size) + counts[owner] - 1)
    for place, begins in ((LOWEST, rising & ~rising[before]), (HIGHEST, ~rising & rising[before])):
        buffer[starts[owner[begins]] + place] = number[begins]
    if body.exposed.size:
        of_place = np.zeros(body.cones.shape[0], dtype=np.int64)
        of_place[places] = owner
        of_edge = np.repeat(np.arange(starts.size), np.diff(body.edge_first))
        edges = [(body.edges.T, at, of_edge) for at in (EDGE_X0, EDGE_X1, SIDE_X0, SIDE_X1)]
        for table, at, own in ((body.cones.T, 0, of_place), (body.cones.T, 2, of_place), *edges):
            table[at], table[at + 1] = _turned(table[at], table[at + 1], cosine[own], sine[own])


def _turned(x: Floats, y: Floats, cosine: Floats, sine: Floats) -> tuple[Floats, Floats]:
    """Return the two columns of vectors once they are turned."""
    return cosine * x - sine * y, sine * x + cosine * y
