"""The shapes that a set was made of, read back: single values, or columns of kinds, centres, sizes, angles, areas.

In: `Proxies`. Out: a value; or arrays with one row a shape, each the number that the single value has, to the last bit,
NaN where a kind has none. World frame, user's units; angles in radians.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.base import ConvexShape, restored
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.shapes.centroids import grown_centroid
from carom.shapes.mass import grown_mass
from carom.shapes.proxy import AABB, COUNT, DISC, KIND, OBB, POINTS, POLYGON, RADIUS, STADIUM, STRIDE
from carom.shapes.set_move import positions
from carom.shapes.set_rows import Proxies

NAMES = {DISC: ("Point", "Circle"), STADIUM: ("Segment", "Capsule"), AABB: ("Box",) * 2, OBB: ("Box",) * 2}
NAMES[POLYGON] = ("Polygon", "Polygon")


_CLASSES: dict[float, tuple[type[ConvexShape], type[ConvexShape]]] = {
    DISC: (Point, Circle),
    STADIUM: (Segment, Capsule),
    AABB: (Box, Box),
    OBB: (Box, Box),
    POLYGON: (Polygon, Polygon),
}


def value(proxies: Proxies, row: int) -> ConvexShape:
    """Return one row as a value."""
    buffer, begin = proxies.buffer, proxies.starts.item(row)
    kind, count = buffer.item(begin), int(buffer.item(begin + COUNT))
    proxy = buffer[begin : begin + POINTS + STRIDE * count].copy()
    detail = None
    if kind == OBB:
        detail = tuple(proxies.sizes[row].tolist()) if proxies.sizes is not None else None
    elif kind == POLYGON:
        first = (begin - POINTS * row) // STRIDE
        detail = tuple(range(count) if proxies.ids is None else proxies.ids[first : first + count].tolist())
    sharp, rounded = _CLASSES[kind]
    return restored(rounded if proxy.item(RADIUS) > 0.0 else sharp, proxy, detail)


def kinds(proxies: Proxies) -> NDArray[np.str_]:
    """Return the name of each row's class."""
    kind, rounded = proxies.buffer[proxies.starts + KIND], proxies.buffer[proxies.starts + RADIUS] > 0.0
    table = np.array([NAMES[code] for code in sorted(NAMES)])
    found: NDArray[np.str_] = table[np.searchsorted(sorted(NAMES), kind), rounded.astype(np.int64)]
    return found


def _boxes(proxies: Proxies) -> tuple[Booleans, Booleans]:
    """Return which rows are boxes along the axes, and which are turned ones."""
    kind = proxies.buffer[proxies.starts + KIND]
    return kind == AABB, kind == OBB


def centers(proxies: Proxies) -> Floats:
    """Return the centre of each Point, Circle and Box."""
    straight, turned = _boxes(proxies)
    found = positions(proxies)
    found[~(straight | turned | (proxies.buffer[proxies.starts + KIND] == DISC))] = np.nan
    return found


def sizes(proxies: Proxies) -> Floats:
    """Return width and height of each Box, without its radius."""
    straight, turned = _boxes(proxies)
    found = np.full((proxies.starts.size, 2), np.nan)
    first = proxies.starts[straight] + POINTS
    for axis in range(2):
        found[straight, axis] = proxies.buffer[first + 2 * STRIDE + axis] - proxies.buffer[first + axis]
    if proxies.sizes is not None:
        found[turned] = proxies.sizes[turned, :2]
    return found


def angles(proxies: Proxies) -> Floats:
    """Return the angle of each Box."""
    straight, turned = _boxes(proxies)
    found = np.full(proxies.starts.size, np.nan)
    found[straight] = 0.0
    if proxies.sizes is not None:
        found[turned] = proxies.sizes[turned, 2]
    return found


def areas(proxies: Proxies) -> Floats:
    """Return the area of each row, radius included."""
    found, doubtful = np.empty(proxies.starts.size), np.zeros(proxies.starts.size, dtype=np.bool_)
    _find_areas(proxies.buffer, proxies.starts, found, doubtful)
    for row in np.flatnonzero(doubtful).tolist():
        start = int(proxies.starts[row])
        count = int(proxies.buffer[start + COUNT])
        points = proxies.buffer[start + POINTS : start + POINTS + STRIDE * count].reshape(count, STRIDE)
        found[row] = grown_mass([(x, y) for x, y in points[:, :2].tolist()], proxies.buffer.item(start + RADIUS))[0]
    return found


@kernel
def _find_areas(buffer: Floats, starts: Integers, out: Floats, out_doubtful: Booleans) -> None:
    for row in range(starts.shape[0]):
        at = starts[row]
        count, radius = int(buffer[at + COUNT]), buffer[at + RADIUS]
        if count == 1:
            out[row] = 2.0 * np.pi * radius * radius / 2.0  # as `mass.sector` has it
        elif count == 2 and radius == 0.0:
            out[row] = 0.0
        else:
            area, _, _, certain = grown_centroid(buffer, at + POINTS, count, radius)
            out[row], out_doubtful[row] = area, not certain
