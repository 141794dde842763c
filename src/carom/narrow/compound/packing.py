"""Packing: from a shape, a set of shapes, or a Compound to the arrays that kernels read.

In: the user's value. Out: `Bodies`, and of a Compound its outer edges as segments. A Compound that was moved takes over
the arrays of the one it was moved from, where all its points moved by one vector exactly. Its outline is seen from each
part as when it was made, so that no rounding of a far place comes between an edge and its part. Kernels add up without
rounding where a float64 holds the sum, and leave the rest to fractions. World frame, user's units.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from carom._core.arithmetic import two_sum
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers, Marks
from carom.narrow.compound.bodies import (
    EDGE,
    EDGE_COLUMNS,
    EDGE_X0,
    EDGE_X1,
    SIDE_FIRST,
    SIDE_LAST,
    SIDE_X0,
    SIDE_X1,
    Bodies,
)
from carom.narrow.compound.inside_exact import Exact
from carom.narrow.compound.part_tree import Parts, fit, with_tree
from carom.narrow.dispatch import record
from carom.shapes.basic import ConvexShape
from carom.shapes.compound import Compound
from carom.shapes.outlines.exposed import CORNER, INNER, STRAIGHT
from carom.shapes.outlines.outer_edges import (
    ARRIVES,
    END,
    FIRST,
    LAST,
    LEAVES,
    NONE,
    PART,
    ROUNDED,
    START,
    TURN,
    Outside,
    end_of_line,
)
from carom.shapes.outlines.outer_edges import EDGE as EDGE_OF_PART
from carom.shapes.proxy import COUNT, POINTS, STADIUM, STRIDE, X, Y
from carom.shapes.proxy_writers import finish_proxy
from carom.shapes.set import Shapes

SEGMENT = POINTS + 2 * STRIDE
"""Numbers in the record of a segment."""


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
        placed = now._records()
        moved = _pack_moved(now, placed, compound._moved_from) if now is compound else None
        object.__setattr__(compound, "_packed", (now, _pack(now, placed) if moved is None else moved))
        object.__setattr__(compound, "_moved_from", None)  # else each would keep all before it alive
    found: tuple[Compound, Bodies] = compound._packed
    return found


def _as_it_stands(compound: Compound) -> Compound:
    """Return the Compound, or, where its sharp parts were moved by rounding against one another, one made of them now.

    Then they cross elsewhere than they did, and other pieces of their edges are on the outside.
    """
    if not compound._given:
        return compound
    pairs = zip(compound._pieces, compound.parts, strict=True)
    shifts = {_shift(piece, part) for piece, part in pairs if part.radius == 0.0}
    return Compound.from_parts(compound.parts) if len(shifts) > 1 else compound


def _shift(piece: ConvexShape, part: ConvexShape) -> tuple[Fraction, Fraction]:
    """Return by how much a part was moved from where it is relative to the origin, exactly."""
    (px, py), (qx, qy) = piece._points()[0], part._points()[0]
    (x, y), (u, v) = piece._origin(), part._origin()
    across = Fraction(u) + Fraction(qx) - Fraction(x) - Fraction(px)
    return across, Fraction(v) + Fraction(qy) - Fraction(y) - Fraction(py)


def _pack_moved(compound: Compound, buffer: Floats, moved_from: tuple[Compound, Bodies] | None) -> Bodies | None:
    """Return a Compound of these records as a body, from the one it was moved from; None where rounding forbids it.

    Each part's points, relative to its origin, must have moved by one vector, exactly, and its edges with them.
    """
    if moved_from is None or moved_from[0]._made is not compound._made:
        return None
    before = moved_from[1]
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


def _pack(compound: Compound, placed: Floats) -> Bodies:
    made = compound._made
    exposed, cones = np.zeros(placed.size, dtype=np.int8), np.zeros((placed.size, 4))
    ids = np.zeros(placed.size, dtype=np.int64)
    write_corners(placed, made.starts, made.outside, exposed, cones, ids)
    edges, edge_first, _ = _edges(compound, placed)
    # The tree over the pieces as they were made: a moved body has the same, whatever its place rounds away.
    return Bodies(*with_tree(placed, made.starts, made.records), edges, edge_first, exposed, cones, ids)


@kernel
def write_corners(
    placed: Floats, starts: Integers, outside: Outside, exposed: Marks, cones: Floats, ids: Integers
) -> None:
    """Write of each core point its role in the outline, the normals between which it is outermost, and its number."""
    meetings, normals, corner = outside.meetings, outside.normals, 0
    for part in range(starts.shape[0]):
        first, count = starts[part] + POINTS, int(placed[starts[part] + COUNT])
        for k in range(count):
            place, before = first + STRIDE * k, first + STRIDE * (k - 1 if k > 0 else count - 1)
            where = outside.corners[corner, 0]
            ids[place] = outside.corners[corner, 1]
            corner += 1
            if where >= 0 and meetings[where, LEAVES] == NONE:
                continue  # no outer edge: INNER
            if where < 0 or meetings[where, LEAVES] < 0 or meetings[where, ARRIVES] < 0:  # where outlines meet
                exposed[place] = CORNER
                for axis in range(2):
                    cones[place, axis], cones[place, 2 + axis] = placed[before + 2 + axis], placed[place + 2 + axis]
                continue
            sign = meetings[where, TURN]
            exposed[place] = CORNER if sign > 0 else STRAIGHT if sign == 0 else INNER
            for axis in range(2):
                cones[place, axis] = normals[meetings[where, ARRIVES], axis]
                cones[place, 2 + axis] = normals[meetings[where, LEAVES], axis]


def _edges(compound: Compound, placed: Floats) -> tuple[Floats, Integers, bool]:
    """Return the outer edges, of each part its first, and whether float64 holds all ends of them."""
    made = compound._made
    sides = made.outside.sides
    edges, edge_first = np.zeros((len(sides), EDGE_COLUMNS)), np.empty(made.starts.size + 1, dtype=np.int64)
    lines = np.empty((len(sides), 3), dtype=np.int64)
    if not write_edges(placed, made.records, made.starts, made.outside, edges, edge_first, lines):
        return edges, edge_first, True
    held = True
    for row in np.flatnonzero(lines[:, 2]).tolist():
        part, start, end = sides[row, [PART, START, END]].tolist()
        seen = _View(compound, placed, part)
        ends = *seen(start), *seen(end)
        line = *seen(sides[lines[row, 0], START].item()), *seen(sides[lines[row, 1], END].item())
        edges[row, EDGE_X0:SIDE_FIRST] = [float(value) for value in (*ends, *line)]
        held = held and all(float(value) == value for value in ends)
    return edges, edge_first, held


@kernel
def write_edges(
    placed: Floats,
    made: Floats,
    starts: Integers,
    outside: Outside,
    edges: Floats,
    edge_first: Integers,
    lines: Integers,
) -> bool:
    """Write the outer edges of parts; tell whether any may be rounded.

    Of each edge `lines` gets the first and the last edge of its line, and 1 where it may be rounded.
    """
    sides, places, row, doubt = outside.sides, outside.places, 0, False
    for part in range(starts.shape[0]):
        at = starts[part]
        count = int(placed[at + COUNT])
        edge_first[part] = row
        while row < sides.shape[0] and sides[row, PART] == part:
            edge = sides[row, EDGE_OF_PART]
            edges[row, EDGE] = edge
            first = last = row
            if sides[row, START] >= 0:
                first, last = end_of_line(outside, row, True), end_of_line(outside, row, False)
            edges[row, SIDE_FIRST], edges[row, SIDE_LAST] = sides[first, FIRST], sides[last, LAST]
            lines[row, 0], lines[row, 1], lines[row, 2] = first, last, 0
            for n in range(4):
                place = sides[row, START]
                column = EDGE_X0
                if n == 1:
                    place, column = sides[row, END], EDGE_X1
                elif n == 2:
                    place, column = sides[first, START], SIDE_X0
                elif n == 3:
                    place, column = sides[last, END], SIDE_X1
                for axis in range(2):
                    if place < 0:
                        edges[row, column + axis] = placed[at + POINTS + STRIDE * ((edge + n % 2) % count) + axis]
                        continue
                    own, common = placed[at + POINTS + axis], made[at + POINTS + axis]
                    value, exact = seen_from(places[place, axis], own, common, made[at + X + axis])
                    edges[row, column + axis] = value
                    if outside.meetings[place, ROUNDED] != 0 or not exact:
                        lines[row, 2], doubt = 1, True
            row += 1
    edge_first[starts.shape[0]] = row
    return doubt


@inner
def seen_from(place: float, own: float, common: float, origin: float) -> tuple[float, bool]:
    """Return a coordinate as a part sees it that was made with its first point at `common`, and has it at `own` now.

    `origin` is that of the part as it was made. And whether nothing was rounded.
    """
    shift, error = two_sum(own, -common)
    shift, less = two_sum(shift, -origin)
    value, rest = two_sum(place, shift)
    return value + 0.0, error == 0.0 and less == 0.0 and rest == 0.0  # no -0.0: equal values, equal bits


class _View:
    """How a sharp part sees places that are given relative to the origin of its body: as when it was made."""

    __slots__ = ("compound", "shift")

    def __init__(self, compound: Compound, placed: Floats, part: int) -> None:
        at, made = int(compound._made.starts[part]), compound._made.records
        self.compound = compound
        self.shift = [
            Fraction(placed.item(at + POINTS + axis))
            - Fraction(made.item(at + POINTS + axis))
            - Fraction(made.item(at + X + axis))
            for axis in range(2)
        ]

    def __call__(self, place: int) -> Exact:
        made = self.compound._made
        x, y = made.exact.get(place) or made.outside.places[place].tolist()
        return Fraction(x) + self.shift[0], Fraction(y) + self.shift[1]


def outer_segments(compound: Compound) -> Parts | None:
    """Return the outer edges of a Compound of sharp parts as parts of one body; None where float64 does not hold them.

    The Compound is one as it stands, see `packed`.
    """
    placed, starts = compound._records(), compound._made.starts
    edges, edge_first, held = _edges(compound, placed)
    if not held:
        return None
    buffer, firsts = np.empty(SEGMENT * len(edges)), SEGMENT * np.arange(len(edges), dtype=np.int64)
    write_segments(placed, starts, edges, edge_first, buffer)
    return with_tree(buffer, firsts, buffer)


@kernel
def write_segments(placed: Floats, starts: Integers, edges: Floats, edge_first: Integers, out: Floats) -> None:
    """Write the records of outer edges as segments, from the origins of their parts."""
    for part in range(starts.shape[0]):
        at = starts[part]
        for row in range(edge_first[part], edge_first[part + 1]):
            first = SEGMENT * row + POINTS
            for axis in range(2):
                out[first + axis] = edges[row, EDGE_X0 + axis]
                out[first + STRIDE + axis] = edges[row, EDGE_X1 + axis]
            finish_proxy(STADIUM, 2, 0.0, placed[at + X], placed[at + Y], out, SEGMENT * row)


def outer_lines(compound: Compound) -> list[tuple[Exact, Exact]]:
    """Return the ends of the outer edges of a Compound of sharp parts in the world, exactly."""
    placed, found = compound._records(), []
    for part, start, end in compound._made.outside.sides[:, [PART, START, END]].tolist():
        at, seen = int(compound._made.starts[part]), _View(compound, placed, part)
        x, y = Fraction(placed.item(at + X)), Fraction(placed.item(at + Y))
        (px, py), (qx, qy) = seen(start), seen(end)
        found.append(((x + px, y + py), (x + qx, y + qy)))
    return found
