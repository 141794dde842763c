"""The closed-form columns of a set of discs, or of boxes of one kind: what loops over rows read in place of records.

In: `Records`. Out: the kind, and its numbers in one contiguous run each. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom import _records as rec
from carom._core.jit import kernel
from carom._core.types import Columns, Floats, Integers
from carom.column_records import POINTS, STRIDE
from carom.column_rows import Records

_WIDTHS = {rec.DISC: 3, rec.AABB: 4, rec.OBB: 6}


def closed_form(records: Records) -> tuple[float, Columns] | None:
    """Return kind and columns of a set of discs, or of boxes of one kind without radius; None of any other.

    Discs: x, y, radius. AABBs: lower x, y, upper x, y. OBBs: centre x, y, half extents, cosine, sine.
    """
    if not records.starts.size:
        return None
    kind = records.buffer.item(0)
    if kind not in _WIDTHS:
        return None
    columns = np.empty((_WIDTHS[kind], records.starts.size))
    return (kind, columns) if _write_columns(records.buffer, records.starts, kind, columns) else None


@kernel
def _write_columns(buffer: Floats, starts: Integers, kind: float, out: Columns) -> bool:
    """Write the columns, and tell whether every row is of that kind and, if a box, sharp."""
    for row in range(starts.shape[0]):
        at = starts[row]
        radius = buffer[at + rec.RADIUS]
        if buffer[at + rec.KIND] != kind or (kind != rec.DISC and radius != 0.0):
            return False
        ox, oy = buffer[at + rec.X], buffer[at + rec.Y]
        first = at + POINTS
        x, y = buffer[first], buffer[first + 1]
        if kind == rec.DISC:
            out[0, row], out[1, row], out[2, row] = ox, oy, radius
        elif kind == rec.AABB:
            third = first + 2 * STRIDE
            out[0, row], out[1, row] = ox + x, oy + y
            out[2, row], out[3, row] = ox + buffer[third], oy + buffer[third + 1]
        else:
            second, last = first + STRIDE, first + 3 * STRIDE
            wx, wy = buffer[second] - x, buffer[second + 1] - y
            hx, hy = buffer[last] - x, buffer[last + 1] - y
            # The longer edge tells the direction: rounding of the corners turns a needle's short one by any angle.
            if max(abs(wx), abs(wy)) >= max(abs(hx), abs(hy)):
                c, s = -buffer[first + 3], buffer[first + 2]
            else:
                c, s = buffer[second + 2], buffer[second + 3]
            out[0, row], out[1, row] = ox, oy
            out[2, row] = (c * wx + s * wy) * 0.5
            out[3, row] = (c * hy - s * hx) * 0.5
            out[4, row], out[5, row] = c, s
    return True


def turned_boxes(records: Records) -> Columns:
    """Return the columns of a set of turned boxes without radius: all that their records tell.

    Centre x, y; corner 0 and corner 1, relative to it; outward normal of edge 0 and of edge 1; radius of the circle
    around. The other two corners and normals are these with their signs changed.
    """
    columns = np.empty((11, records.starts.size))
    _write_turned_boxes(records.buffer, records.starts, columns)
    return columns


@kernel
def _write_turned_boxes(buffer: Floats, starts: Integers, out: Columns) -> None:
    for row in range(starts.shape[0]):
        at = starts[row]
        first = at + POINTS
        second = first + STRIDE
        out[0, row], out[1, row] = buffer[at + rec.X], buffer[at + rec.Y]
        out[2, row], out[3, row] = buffer[first], buffer[first + 1]
        out[4, row], out[5, row] = buffer[second], buffer[second + 1]
        out[6, row], out[7, row] = buffer[first + 2], buffer[first + 3]
        out[8, row], out[9, row] = buffer[second + 2], buffer[second + 3]
        out[10, row] = buffer[at + rec.REACH]
