"""Convex pieces of solid regions: cells of a grid as pieces, the boundary of flush pieces, and fewer, larger pieces.

In: columns and rows of cells, and the content of each: the whole cell, or rings of a table inside it; or convex pieces
that do not overlap, as rings of corners. Out: pieces, equal contents of one cell once; the edges that are left of their
boundaries, pairs of edges that meet, outlines, and pieces joined across whole edges wherever the union is convex. Edges
along the axes cancel wherever they overlap, T-junctions included; others where they have the same two ends, as `noded`
makes them have. An edge along an axis is divided where a slanted edge ends. Rows of cells become boxes and trapezoids,
and these are stacked, so that a straight slope over many tiles is one edge. Coordinates of pieces are compared, never
computed with, so that the answer is exact. A cell's corner is its column times the width and its row times the height.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Booleans, Floats, Integers
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.outlines.clean_convex import orientation
from carom.shapes.outlines.convex_parts import join
from carom.shapes.outlines.rings import Rings, components, cycles, trace
from carom.vector import Point2

WHOLE = -1  # the content of a whole cell; other contents are numbers of the table


class Pieces(NamedTuple):
    """Convex rings, one behind the other, each with positive area in the order of its corners."""

    points: Floats  # (v, 2)
    first: Integers  # (n + 1,): where each begins; the last entry is v


class Flush(NamedTuple):
    """The edges that are left of the boundaries of pieces, and pairs of edges that meet."""

    start: Floats  # (e, 2): the edges left; the piece lies where x turns to y
    end: Floats  # (e, 2)
    piece: Integers  # (e,): whose edge it is
    one: Integers  # (m,): edges, named by their first corner's row, that meet ...
    other: Integers  # (m,): ... these
    whole: Booleans  # (m,): whether the two have the same ends


def pieces_of(rings: list[Floats]) -> Pieces:
    """Return rings as one table."""
    counts = [len(ring) for ring in rings]
    return Pieces(np.concatenate([np.zeros((0, 2)), *rings]), np.append(0, np.cumsum(counts, dtype=np.int64)))


def join_pieces(parts: list[Pieces]) -> Pieces:
    """Return several tables as one."""
    counts = np.concatenate([np.zeros(0, dtype=np.int64), *[np.diff(part.first) for part in parts]])
    return Pieces(np.concatenate([np.zeros((0, 2)), *[part.points for part in parts]]), np.append(0, np.cumsum(counts)))


def after(pieces: Pieces) -> Integers:
    """Return for each corner the row of the next one round its piece."""
    following = np.arange(1, len(pieces.points) + 1)
    following[pieces.first[1:] - 1] = pieces.first[:-1]
    return following


def owner(pieces: Pieces) -> Integers:
    """Return for each corner the number of its piece."""
    return np.repeat(np.arange(pieces.first.size - 1), np.diff(pieces.first))


class Cells(NamedTuple):
    """The places of cells, and the content of each."""

    column: Integers
    row: Integers
    kind: Integers


def gather(cells: list[Cells]) -> Cells:
    """Return cells of several layers as one table, row by row, each content of a cell once.

    A whole cell covers everything else that lies in it.
    """
    none: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    column, row, kind = (np.concatenate(none + [part[k] for part in cells]) for k in range(3))
    order = np.lexsort((kind, column, row))
    column, row, kind = column[order], row[order], kind[order]
    again = doubled(Cells(column, row, kind))
    group = np.cumsum(~again) - 1
    covered = np.zeros(int(group[-1]) + 1 if group.size else 0, dtype=np.bool_)
    covered[group[kind == WHOLE]] = True
    kept = ~(covered[group] & (kind != WHOLE))
    kept[1:] &= ~(again[1:] & (kind[1:] == kind[:-1]))
    return Cells(column[kept], row[kept], kind[kept])


def doubled(cells: Cells) -> NDArray[np.bool_]:
    """Tell which rows of cells in order are another content of the cell in the row before."""
    result = np.zeros(cells.row.size, dtype=np.bool_)
    result[1:] = (cells.column[1:] == cells.column[:-1]) & (cells.row[1:] == cells.row[:-1])
    return result


def cell_pieces(cells: Cells, table: list[list[Floats]], size: tuple[float, float]) -> Pieces:
    """Return the pieces of cells as `gather` gives them: whole cells joined row by row, and the rings of the others."""
    w, h = size
    whole = cells.kind == WHOLE
    column, row = cells.column[whole], cells.row[whole]
    goes_on = (column[1:] == column[:-1] + 1) & (row[1:] == row[:-1])
    opens = np.append(True, ~goes_on)[: row.size]
    closes = np.append(~goes_on, True)[: row.size]
    x0, x1 = column[opens] * w, (column[closes] + 1) * w
    y0, y1 = row[opens] * h, (row[opens] + 1) * h
    corners = np.stack((x0, y0, x1, y0, x1, y1, x0, y1), axis=1).reshape(-1, 2)
    found = [Pieces(corners, 4 * np.arange(x0.size + 1))]
    for kind in np.unique(cells.kind[~whole]).tolist():
        at = cells.kind == kind
        places = np.stack((cells.column[at] * w, cells.row[at] * h), axis=1)
        for ring in table[kind]:
            points = (places[:, None, :] + ring[None, :, :]).reshape(-1, 2)
            found.append(Pieces(points, len(ring) * np.arange(len(places) + 1)))
    return join_pieces(found) if found else pieces_of([])


def noded(rings: list[Floats]) -> list[Floats]:
    """Return the convex rings of one cell, or of one region, with each corner on a slanted edge put into that edge.

    Slanted edges then share whole edges or ends only; those of different cells, too, since edges inside a cell meet
    nothing outside it. The list itself is returned if there is nothing to put in.
    """
    corners = np.unique(np.concatenate(rings), axis=0) if len(rings) > 1 else np.zeros((0, 2))
    result = [_divided(ring, corners) for ring in rings]
    return rings if all(one is ring for one, ring in zip(result, rings, strict=True)) else result


def _divided(ring: Floats, corners: Floats) -> Floats:
    """Return a ring with those corners, in order, in it that lie on its slanted edges."""
    found: list[tuple[float, float]] = []
    for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        near = corners[((np.minimum(a, b) < corners) & (corners < np.maximum(a, b))).all(axis=1)]
        (ax, ay), (bx, by) = a.tolist(), b.tolist()
        inside = [(x, y) for x, y in near.tolist() if orientation((ax, ay), (bx, by), (x, y)) == 0]
        found += [(ax, ay), *(inside if ax < bx else inside[::-1])]
    return np.array(found) if len(found) > len(ring) else ring


def flush(pieces: Pieces) -> Flush:
    """Cancel edges against one another, and return the rest."""
    start, end = pieces.points, pieces.points[after(pieces)]
    of = owner(pieces)
    slanted = np.flatnonzero((start[:, 0] != end[:, 0]) & (start[:, 1] != end[:, 1]))
    tips = np.concatenate((start[slanted], end[slanted]))
    found = []
    for axis in (0, 1):  # edges along x, then along y
        along = np.flatnonzero((start[:, 1 - axis] == end[:, 1 - axis]) & (start[:, axis] != end[:, axis]))
        found.append(_along(axis, along, start, end, of, tips))
    found.append(_slanted(slanted, start, end, of))
    columns: list[NDArray[np.generic]] = [np.concatenate(column) for column in zip(*found, strict=True)]
    return Flush(*columns)  # type: ignore[arg-type]


def _along(axis: int, rows: Integers, start: Floats, end: Floats, of: Integers, tips: Floats) -> Flush:
    """Return the rest of the edges along an axis, divided at tips: the ends of slanted edges.

    On each line the ends are gone through in order, with a running count of the edges there in each direction, and a
    running sum of their numbers, which names the edge where there is one. A tip divides and counts for nothing.
    """
    a, b, line = start[rows, axis], end[rows, axis], start[rows, 1 - axis]
    forward = b > a
    tips = tips[np.isin(tips[:, 1 - axis], line)]
    levels, line_rank = np.unique(np.concatenate((line, line, tips[:, 1 - axis])), return_inverse=True)
    ends = np.concatenate((np.minimum(a, b), np.maximum(a, b), tips[:, axis]))
    places, place_rank = np.unique(ends, return_inverse=True)
    key = line_rank * places.size + place_rank
    order = np.argsort(key, kind="stable")
    key = key[order]
    begins = np.where(order < rows.size, 1, np.where(order < 2 * rows.size, -1, 0))
    edge = order % max(rows.size, 1)
    ahead = forward[edge]
    last = np.append(key[1:] != key[:-1], True)[: key.size]  # of the ends at one place
    counted, named = begins, begins * rows[edge]
    there, ahead_edge, back, back_edge = (
        np.cumsum(np.where(ahead == way, weight, 0))[last] for way in (True, False) for weight in (counted, named)
    )
    key = key[last]
    line_of, low = levels[key // max(places.size, 1)], places[key % max(places.size, 1)]
    high = np.append(low[1:], 0.0)[: low.size]
    left = there != back
    only = np.where(there > 0, ahead_edge, back_edge)[left]
    one_way = (there > 0)[left]
    s, e = np.empty((only.size, 2)), np.empty((only.size, 2))
    s[:, 1 - axis] = e[:, 1 - axis] = line_of[left]
    s[:, axis] = np.where(one_way, low[left], high[left])
    e[:, axis] = np.where(one_way, high[left], low[left])
    both = (there > 0) & (back > 0)
    p, q = ahead_edge[both], back_edge[both]
    whole = (start[p] == end[q]).all(axis=1) & (start[q] == end[p]).all(axis=1)
    return Flush(s, e, of[only], p, q, whole)


def _slanted(rows: Integers, start: Floats, end: Floats, of: Integers) -> Flush:
    """Return the rest of the slanted edges."""
    a, b = start[rows], end[rows]
    forward = b[:, 0] > a[:, 0]
    low, high = np.where(forward[:, None], a, b), np.where(forward[:, None], b, a)
    order = np.lexsort((forward, high[:, 1], high[:, 0], low[:, 1], low[:, 0]))
    low, high = low[order], high[order]
    same = (low[1:] == low[:-1]).all(axis=1) & (high[1:] == high[:-1]).all(axis=1)
    first = np.flatnonzero(same & (forward[order][1:] != forward[order][:-1]))
    left = np.ones(rows.size, dtype=np.bool_)
    left[first] = left[first + 1] = False
    kept = rows[np.sort(order[left])]
    pairs = rows[order[first]], rows[order[first + 1]]
    return Flush(start[kept], end[kept], of[kept], *pairs, np.ones(first.size, dtype=np.bool_))


def convex_parts(pieces: Pieces, found: Flush) -> Pieces:
    """Return pieces, given with their result of `flush`, joined left and right, then up and down."""
    rows = _joined(pieces, found, 1)
    return _joined(rows, found if rows is pieces else flush(rows), 0)


def _joined(pieces: Pieces, found: Flush, axis: int) -> Pieces:
    """Join pieces across edges along an axis: 0 where those run along x. Corners of 180 degrees go."""
    across = pieces.points[:, 1 - axis]
    ahead = after(pieces)
    fit = found.whole & (across[found.one] == across[ahead[found.one]])
    if not fit.any():
        return pieces
    one, other = found.one[fit], found.other[fit]
    order = np.argsort(np.minimum(one, other), kind="stable")
    of = owner(pieces)
    touched = np.zeros(pieces.first.size - 1, dtype=np.bool_)
    touched[of[one]] = touched[of[other]] = True
    inside = touched[of]
    rows = np.flatnonzero(inside)
    number = np.cumsum(inside) - 1
    some = Pieces(pieces.points[rows], np.append(0, np.cumsum(np.diff(pieces.first)[touched])))
    following, gone = after(some).tolist(), bytearray(rows.size)
    points: list[Point2] = [(x, y) for x, y in some.points.tolist()]
    pairs = zip(number[one[order]].tolist(), number[other[order]].tolist(), strict=True)
    join(pairs, points, following, gone)
    rest = Pieces(pieces.points[~inside], np.append(0, np.cumsum(np.diff(pieces.first)[~touched])))
    return join_pieces([rest, _walked(some, following, gone)])


def _walked(pieces: Pieces, following: list[int], gone: bytearray) -> Pieces:
    """Return the joined pieces, each from its first corner, without straight corners."""
    order, first = cycles(following, gone)
    left = Pieces(pieces.points[order], np.append(first, order.size))
    edges = left.points[after(left)] - left.points
    into = np.empty_like(edges)
    into[after(left)] = edges
    kept = into[:, 0] * edges[:, 1] != into[:, 1] * edges[:, 0]
    sizes = np.add.reduceat(kept.astype(np.int64), left.first[:-1])
    return Pieces(left.points[kept], np.append(0, np.cumsum(sizes)))


def merged(cells: Cells, table: list[list[Floats]], size: tuple[float, float]) -> tuple[Rings, Pieces]:
    """Return the outlines and convex parts of cells, each of one content, as `cell_pieces` takes them."""
    pieces = cell_pieces(cells, table, size)
    divided = [noded(rings) for rings in table]
    if all(one is rings for one, rings in zip(divided, table, strict=True)):
        rings, found = outlined(pieces)
        return rings, convex_parts(pieces, found)
    return outlined(cell_pieces(cells, divided, size))[0], convex_parts(pieces, flush(pieces))


def outlined(pieces: Pieces) -> tuple[Rings, Flush]:
    """Return the outlines of pieces, and the result of `flush`."""
    found, of = flush(pieces), owner(pieces)
    label = components(pieces.first.size - 1, of[found.one], of[found.other])
    return trace(found.start, found.end, label[found.piece]), found


def _table(points: Iterable[Point2]) -> Floats:
    """Return points as an array; NumPy asks a Vec for six names before it takes it for a tuple."""
    return np.array([(x, y) for x, y in points])


def rings_of(shape: Shape) -> Rings:
    """Return the outlines and holes of one shape: of one that touches itself, as `trace` has them."""
    if isinstance(shape, Compound):
        return outlined(pieces_of(noded([_table(part.vertices) for part in shape.parts])))[0]
    return Rings(_table(shape.vertices), np.array([0, len(shape.vertices)]), np.zeros(1, dtype=np.int64))
