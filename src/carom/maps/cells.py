"""Cells of a grid that hold something solid, as convex pieces.

In: columns and rows of cells, and the content of each: the whole cell, or rings of a table inside it. Out:
pieces that do not overlap. Equal contents of one cell count once. In pixels: a cell is its column times the width and
its row times the height.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Floats, Integers
from carom.maps.merge import Pieces, join_pieces, pieces_of
from carom.shapes.outlines.clean_convex import orientation

WHOLE = -1  # the content of a whole cell; other contents are numbers of the table


class Cells(NamedTuple):
    """The places of cells, and the content of each."""

    column: Integers
    row: Integers
    kind: Integers


def gather(cells: list[Cells]) -> Cells:
    """Return cells of several layers as one table, row by row, each content of a cell once.

    A whole cell covers whatever else lies in it.
    """
    none: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    column, row, kind = (np.concatenate(none + [part[k] for part in cells]) for k in range(3))
    order = np.lexsort((kind, column, row))
    column, row, kind = column[order], row[order], kind[order]
    again = (column[1:] == column[:-1]) & (row[1:] == row[:-1])
    group = np.cumsum(np.append(True, ~again)[: row.size]) - 1
    covered = np.zeros(int(group[-1]) + 1 if group.size else 0, dtype=np.bool_)
    covered[group[kind == WHOLE]] = True
    kept = ~(covered[group] & (kind != WHOLE))
    kept[1:] &= ~(again & (kind[1:] == kind[:-1]))
    return Cells(column[kept], row[kept], kind[kept])


def doubled(cells: Cells) -> NDArray[np.bool_]:
    """Tell which rows, as `gather` gives them, are another content of the cell in the row before."""
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
