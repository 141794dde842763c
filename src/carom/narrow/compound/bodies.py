"""How a body of one or many convex parts lies in memory for the kernels that see it as one shape, also as it turns.

In: a shape, a set of shapes, or a Compound; of a turning motion also the motions, turns in radians and pivots of rows
of bodies, and the fraction of the motion that has passed. Out: `Bodies`: the records of all parts in one buffer, which
parts each body has, and, for a Compound, which of their edges and corners are on its outside. An edge between two flush
parts is on no outside, so no kernel ever makes a contact of it. A turned body keeps the outside that it had, so that
parts that lie flush stay one body. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, cast

import numpy as np

from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers, Marks
from carom.narrow.compound.inside_exact import Exact
from carom.narrow.compound.part_tree import NO_TREE, Parts, fit, with_tree
from carom.narrow.dispatch import record
from carom.narrow.kinds import kinds_when_turned, segment_record
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.outlines.exposed import CORNER, Side, by_end, exact_sum, same_way, turn_sign
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, HIGHEST, KIND, LOWEST, POINTS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.tolerances import UPRIGHT
from carom.vector import Point2

# Columns of one outer edge. The whole side is the straight line of outer edges, of this and other parts, that the edge
# is a piece of; all points are relative to the origin of the edge's own part.
EDGE, EDGE_X0, EDGE_Y0, EDGE_X1, EDGE_Y1 = 0, 1, 2, 3, 4
SIDE_X0, SIDE_Y0, SIDE_X1, SIDE_Y1, SIDE_FIRST, SIDE_LAST = 5, 6, 7, 8, 9, 10
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


def bodies(verb: str, name: str, value: Any) -> Bodies:
    """Return a shape, a set of shapes or a Compound as bodies."""
    if isinstance(value, Compound):
        return packed(value)[1]
    if isinstance(value, Shapes):
        buffer, starts = value._buffer, value._starts
    else:
        buffer, starts = record(verb, name, value), np.zeros(1, dtype=np.int64)
    return Bodies(buffer, starts, np.arange(starts.size + 1, dtype=np.int64))


def packed(compound: Compound) -> tuple[Compound, Bodies]:
    """Return a Compound as it stands, see below, and as a body."""
    if compound._packed is None:
        now = _as_it_stands(compound)
        moved = _pack_moved(now, compound._moved_from) if now is compound else None
        object.__setattr__(compound, "_packed", (now, _pack(now) if moved is None else moved))
        object.__setattr__(compound, "_moved_from", None)  # else each would keep all before it alive
    found: tuple[Compound, Bodies] = compound._packed
    return found


def _outer_ends(compound: Compound) -> Iterator[tuple[Shape, Point2, Point2]]:
    """Yield of each outer edge of a Compound its part, and its ends relative to the part's origin."""
    for side in compound._made.outside[0]:
        seen = _View(compound, side.part)
        yield compound.parts[side.part], seen(side.start), seen(side.end)


def outer_segments(compound: Compound) -> Parts | None:
    """Return the outer edges of a Compound as parts of one body; None where they are no floats."""
    records = []
    for part, *ends in _outer_ends(compound):
        if not all(type(x) is float for point in ends for x in point):
            return None
        records.append(segment_record(part._origin(), ends))
    buffer = np.concatenate(records)
    return with_tree(buffer, np.arange(len(records), dtype=np.int64) * records[0].size, buffer)


def outer_lines(compound: Compound) -> list[tuple[Exact, Exact]]:
    """Return the ends of the outer edges of a Compound in the world, exactly."""
    found = []
    for part, (px, py), (qx, qy) in _outer_ends(compound):
        x, y = (Fraction(u) for u in part._origin())
        found.append(((x + Fraction(px), y + Fraction(py)), (x + Fraction(qx), y + Fraction(qy))))
    return found


def _as_it_stands(compound: Compound) -> Compound:
    """Return the Compound, or, where its sharp parts were moved by rounding against one another, one made of them now.

    Then they cross elsewhere than they did, and other pieces of their edges are on the outside.
    """
    pairs = zip(compound._pieces, compound.parts, strict=True)
    shifts = {_shift(piece, part) for piece, part in pairs if part.radius == 0.0} if compound._given else ()
    return Compound.from_parts(compound.parts) if len(shifts) > 1 else compound


def _shift(piece: Shape, part: Shape) -> tuple[Fraction, Fraction]:
    """Return by how much a part was moved from where it is relative to the origin, exactly."""
    (px, py), (qx, qy) = piece._points()[0], part._points()[0]
    (x, y), (u, v) = piece._origin(), part._origin()
    across = Fraction(u) + Fraction(qx) - Fraction(x) - Fraction(px)
    return across, Fraction(v) + Fraction(qy) - Fraction(y) - Fraction(py)


class _View:
    """How a sharp part sees points that are given relative to the origin of its body: as when it was made."""

    __slots__ = ("x", "y")

    def __init__(self, compound: Compound, part: int) -> None:
        (x, y), (px, py) = compound._pieces[part]._origin(), compound._pieces[part]._points()[0]
        qx, qy = compound.parts[part]._points()[0]
        self.x, self.y = exact_sum(qx, -px, -x), exact_sum(qy, -py, -y)

    def __call__(self, point: Point2) -> Point2:
        return cast(Point2, (exact_sum(point[0], self.x), exact_sum(point[1], self.y)))


def _pack_moved(compound: Compound, moved_from: tuple[Compound, Bodies] | None) -> Bodies | None:
    """Return a Compound as a body, from the one it was moved from; None where rounding does not let it be so.

    Each part's points, relative to its origin, must have moved by one vector, exactly, and its edges with them.
    """
    if moved_from is None or moved_from[0]._made is not compound._made:
        return None
    before, buffer = moved_from[1], np.concatenate([part._record for part in compound.parts])
    if buffer.size != before.buffer.size:
        return None
    edges, boxes = before.edges.copy(), np.empty_like(before.boxes)
    if not move_outside(before.buffer, before.starts, before.edge_first, buffer, edges):
        return None
    fit(buffer, before.starts, before.first, before.nodes, boxes)
    return before._replace(buffer=buffer, boxes=boxes, edges=edges)


@kernel
def move_outside(before: Floats, starts: Integers, edge_first: Integers, buffer: Floats, edges: Floats) -> bool:
    """Move the outer edges as the local points of their parts have moved; tell whether all that is exact."""
    for part in range(starts.shape[0]):
        at = starts[part]
        count = int(before[at + COUNT])
        if buffer[at + COUNT] != before[at + COUNT]:
            return False
        for axis in range(2):
            first = at + POINTS + axis
            shift = buffer[first] - before[first]
            for k in range(count):
                place = first + STRIDE * k
                moved, error = two_sum(before[place], shift)
                if error != 0.0 or moved != buffer[place] or before[place + 2] != buffer[place + 2]:
                    return False
            for edge in range(edge_first[part], edge_first[part + 1]):
                for column in (EDGE_X0, EDGE_X1, SIDE_X0, SIDE_X1):
                    moved, error = two_sum(edges[edge, column + axis], shift)
                    if error != 0.0:
                        return False
                    edges[edge, column + axis] = moved
    return True


def _pack(compound: Compound) -> Bodies:
    sides, ends_of = compound._made.outside
    records = [part._record for part in compound.parts]
    sizes = np.array([record.size for record in records], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
    buffer = np.concatenate(records)
    exposed, ids = np.zeros(buffer.size, dtype=np.int8), np.zeros(buffer.size, dtype=np.int64)
    cones = np.zeros((buffer.size, 4))
    count = 0
    for number, (part, start) in enumerate(zip(compound.parts, starts.tolist(), strict=True)):
        for k in range(int(part._record[COUNT])):
            place = start + POINTS + STRIDE * k
            ids[place] = count if compound._given else part.vertex_ids[k]
            tip = ends_of[number][k]
            before = place - STRIDE if k else start + POINTS + STRIDE * (int(part._record[COUNT]) - 1)
            exposed[place] = tip.mark if tip else CORNER
            cones[place, :2] = tip.arriving if tip else buffer[before + 2 : before + 4]
            cones[place, 2:] = tip.leaving if tip else buffer[place + 2 : place + 4]
            count += 1
    ordered = sorted(range(len(sides)), key=lambda k: sides[k].part)
    edges = np.zeros((len(ordered), EDGE_COLUMNS))
    sharp = tuple([side for side in sides if compound.parts[side.part].radius == 0.0])
    following, preceding = by_end(sharp, start=True), by_end(sharp, start=False)
    views = [_View(compound, number) for number in range(len(records))]
    for row, k in enumerate(ordered):
        side, seen = sides[k], views[sides[k].part]
        first = last = side
        if compound.parts[side.part].radius == 0.0:
            first, last = _grown(side, preceding, True), _grown(side, following, False)
            ends = seen(side.start), seen(side.end), seen(first.start), seen(last.end)
        else:
            points = compound.parts[side.part]._points()
            ends = 2 * (points[side.edge], points[(side.edge + 1) % len(points)])
        edges[row, EDGE] = side.edge
        edges[row, EDGE_X0 : SIDE_Y1 + 1] = [x for point in ends for x in point]
        edges[row, SIDE_FIRST], edges[row, SIDE_LAST] = first.first, last.last
    owners = [sides[k].part for k in ordered]
    edge_first = np.searchsorted(owners, np.arange(len(records) + 1)).astype(np.int64)
    # The tree over the pieces as they were made: a moved body has the same, whatever its place rounds away.
    made = np.concatenate([piece._record for piece in compound._pieces])
    return Bodies(*with_tree(buffer, starts, made), edges, edge_first, exposed, cones, ids)


def _grown(side: Side, neighbours: dict[Point2, list[Side]], backward: bool) -> Side:
    """Return the last side that continues this one straight on, or backward."""
    for _ in range(len(neighbours)):
        near = neighbours.get(side.start if backward else side.end, [])
        if len(near) != 1 or turn_sign(side.start, side.end, near[0].start, near[0].end) != 0:
            break
        if not same_way(side.start, side.end, near[0].start, near[0].end):
            break
        side = near[0]
    return side


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
