"""The rows of a set as things that are known by their edges, to be asked together with regions.

In: `Proxies`. Out: the places of points; or `Regions`, each row one thing, whose numbers are those of the row, exactly;
or None where a row is rounded, or a corner is at no float64. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom._core.arithmetic import two_sum
from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.shapes.regions import MOST_POINTS, Regions, Rings, filed
from carom.shapes.set_rows import Proxies, first_points, inputs_of, owner_of


def places_of_points(proxies: Proxies) -> Floats | None:
    """Return the places of a set of points, (n, 2), or None of others."""
    starts, width = proxies.starts, POINTS + STRIDE
    if proxies.buffer.size != starts.size * width or not starts.size:
        return None
    table = proxies.buffer.reshape(-1, width)
    if table[:, RADIUS].any() or table[:, POINTS : POINTS + 2].any():
        return None
    return np.ascontiguousarray(table[:, X : Y + 1])


def regions_of_rows(proxies: Proxies) -> Regions | None:
    """Return the rows of a set by their edges, or None where these are not known exactly."""
    counts = np.diff(first_points(proxies))
    lengths = np.where(counts == 2, 2, counts + 1)
    begins = np.append(0, np.cumsum(lengths))
    if begins[-1] > MOST_POINTS:
        return None
    points = np.empty((int(begins[-1]), 2))
    if not _write_points(proxies.buffer, proxies.starts, begins, points):
        return None
    rings = Rings(points, begins, np.arange(counts.size + 1), counts > 2, owner_of(proxies), inputs_of(proxies))
    return filed(rings)


def regions_of_places(places: Floats) -> Regions:
    """Return points by their places, each an edge from itself to itself."""
    count = len(places)
    begins = np.arange(0, 2 * count + 1, 2)
    rows = np.arange(count)
    return filed(
        Rings(np.repeat(places, 2, axis=0), begins, np.arange(count + 1), np.zeros(count, np.bool_), rows, count)
    )


@kernel
def _write_points(buffer: Floats, starts: Integers, begins: Integers, out: Floats) -> bool:
    """Write the corners of each row, closed by the first, and tell whether all are sharp and exact."""
    for row in range(starts.shape[0]):
        at = starts[row]
        if buffer[at + RADIUS] != 0.0:
            return False
        count = int(buffer[at + COUNT])
        for k in range(begins[row + 1] - begins[row]):
            place = at + POINTS + STRIDE * (k if k < count else 0)
            x, more = two_sum(buffer[at + X], buffer[place])
            y, rest = two_sum(buffer[at + Y], buffer[place + 1])
            if more != 0.0 or rest != 0.0:
                return False
            out[begins[row] + k, 0], out[begins[row] + k, 1] = x, y
    return True
