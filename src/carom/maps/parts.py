"""Convex parts from convex pieces: neighbours are joined across a whole edge wherever what they make is convex.

In: convex pieces that do not overlap. Out: fewer, that fill the same region exactly. Rows of cells become boxes and
trapezoids, and these are stacked: a straight slope over many tiles is one edge. Any frame and unit.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from carom.maps.flush import Flush, Pieces, after, flush, join_pieces, owner
from carom.maps.rings import cycles
from carom.shapes.outlines.clean_convex import orientation
from carom.vector import Point2


def convex_parts(pieces: Pieces, found: Flush) -> Pieces:
    """Return pieces, given with what `flush` says of them, joined to their left and right, then up and down."""
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
    _join(pairs, points, following, gone)
    rest = Pieces(pieces.points[~inside], np.append(0, np.cumsum(np.diff(pieces.first)[~touched])))
    return join_pieces([rest, _walked(some, following, gone)])


def _join(pairs: Iterable[tuple[int, int]], points: list[Point2], following: list[int], gone: bytearray) -> None:
    """Take away each pair of edges whose ends stay convex; edges are named by their first corner."""
    before = [0] * len(following)
    for k, after_it in enumerate(following):
        before[after_it] = k
    for e, f in pairs:
        e_next, f_next, e_last, f_last = following[e], following[f], before[e], before[f]
        # At e's first corner the other piece goes on to the end of the edge after f; at f's likewise.
        if (
            orientation(points[e_last], points[e], points[following[f_next]]) >= 0
            and orientation(points[f_last], points[f], points[following[e_next]]) >= 0
        ):
            following[e_last], before[f_next] = f_next, e_last
            following[f_last], before[e_next] = e_next, f_last
            gone[e] = gone[f] = 1


def _walked(pieces: Pieces, following: list[int], gone: bytearray) -> Pieces:
    """Return what is left, each piece from its first corner, without straight corners."""
    order, first = cycles(following, gone)
    left = Pieces(pieces.points[order], np.append(first, order.size))
    edges = left.points[after(left)] - left.points
    into = np.empty_like(edges)
    into[after(left)] = edges
    kept = into[:, 0] * edges[:, 1] != into[:, 1] * edges[:, 0]
    sizes = np.add.reduceat(kept.astype(np.int64), left.first[:-1])
    return Pieces(left.points[kept], np.append(0, np.cumsum(sizes)))
