"""The rows of a set as Shapely geometries, all of a kind in one call.

In: `Proxies`. Out: an array of geometries, one a row. Vertices are kept to the last bit; Shapely has no round shapes:
these become polygons that lie inside the shape. World frame, user's units.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.missing import need
from carom.shapes.proxy import POINTS, RADIUS, STRIDE, X
from carom.shapes.set_rows import Proxies, first_points

MOST_PIECES = 10_000


def to_geometries(where: str, proxies: Proxies, quarter: Any, called: str = "") -> NDArray[Any]:
    """Return the geometry of each row; a rounded shape has `quarter` straight pieces for each quarter of a circle.

    `called` is the name of a single row in messages.
    """
    need(where, "shapely")
    import shapely

    pieces = inputs.integer(where, "quarter", quarter)
    if not 1 <= pieces <= MOST_PIECES:
        inputs.refuse(ValueError, where, "quarter", pieces, f"must be positive, and at most {MOST_PIECES}")
    buffer, starts = proxies.buffer, proxies.starts
    first = first_points(proxies)
    counts = np.diff(first)
    owner = np.repeat(np.arange(starts.size), counts)
    at = starts[owner] + POINTS + STRIDE * (np.arange(first[-1]) - first[owner])
    points = np.column_stack([buffer[at + axis] + buffer[starts[owner] + X + axis] for axis in range(2)])
    found = np.empty(starts.size, dtype=object)
    for kind in (1, 2, 3):
        rows = np.minimum(counts, 3) == kind
        own = points[rows[owner]]
        if kind == 1:
            found[rows] = shapely.points(own)
        elif kind == 2:
            found[rows] = shapely.linestrings(own.reshape(-1, 2, 2))
        elif rows.any():
            places = np.repeat(np.arange(int(rows.sum())), counts[rows])
            found[rows] = shapely.polygons(shapely.linearrings(own, indices=places))
    radii = buffer[starts + RADIUS]
    round_rows = np.flatnonzero(radii > 0.0)
    grown = shapely.buffer(found[round_rows], radii[round_rows], quad_segs=pieces)
    lost = shapely.is_empty(grown)
    # So near its outline Shapely's rounding leaves nothing of it: the core is inside the shape, too, if it has area.
    thin = lost & (shapely.area(found[round_rows]) == 0.0)
    if thin.any():
        row = int(round_rows[thin.argmax()])
        wrong = "is too thin so far from the origin: its radius is lost to rounding"
        raise ValueError(f"{where}: {called or f'row {row}'} {wrong}")
    found[round_rows[~lost]] = grown[~lost]
    return found
