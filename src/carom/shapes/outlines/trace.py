"""From the edges of a boundary to its rings, each connected piece of the region by itself.

In: edges as `arrange` writes them. Out: the places along each ring, and the piece it is of. Any frame.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.selection import order_by, order_by_two
from carom._core.types import Integers
from carom.shapes.outlines.arrange import FOLLOWS, HIGH, LOW, UNDER, WAY


@kernel
def trace_rings(
    edges: Integers, places: int, out_start: Integers, out_first: Integers, out_face: Integers
) -> tuple[int, int]:
    """Write the rings of a boundary, those of each connected piece together, the one around it first.

    Parameters
    ----------
    edges : (e, EDGE) int64
    places : int
        How many there are.
    out_start : (e,) int64
        Gets the places along each ring.
    out_first : (e + 1,) int64
        Gets where each ring begins.
    out_face : (e,) int64
        Gets the piece of each ring.

    Returns
    -------
    int
        How many rings there are.
    int
        How many places are written.
    """
    count, rings, total = edges.shape[0], 0, 0
    ring_of, along, begins, least, under = (
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(count + 1, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    for edge in range(count):
        ring_of[edge] = -1
    for edge in range(count):
        if edges[edge, WAY] == 0 or ring_of[edge] >= 0:
            continue
        begins[rings], least[rings], under[rings] = total, places, -1
        at = edge
        while ring_of[at] < 0:
            ring_of[at], along[total] = rings, at
            start = edges[at, LOW] if edges[at, WAY] > 0 else edges[at, HIGH]
            if start < least[rings]:
                least[rings], under[rings] = start, -1
            if start == least[rings] and edges[at, UNDER] >= 0:
                under[rings] = edges[at, UNDER]
            total += 1
            at = edges[at, FOLLOWS]
        rings += 1
    begins[rings] = total
    # Each ring that goes round a gap belongs to the piece below it, whose ring begins before.
    order, face, faces = np.empty(rings, dtype=np.int64), np.empty(rings, dtype=np.int64), 0
    order_by_two(least[:rings], under[:rings], order)
    for m in range(rings):
        ring = order[m]
        if under[ring] < 0:
            face[ring] = faces
            faces += 1
        else:
            face[ring] = face[ring_of[under[ring]]]
    by_face = np.empty(rings, dtype=np.int64)
    keys = np.empty(rings, dtype=np.int64)
    for ring in range(rings):
        keys[ring] = 2 * face[ring] + (0 if under[ring] < 0 else 1)
    order_by(keys, by_face)
    written = 0
    for m in range(rings):
        ring = by_face[m]
        out_first[m], out_face[m] = written, face[ring]
        for k in range(begins[ring], begins[ring + 1]):
            edge = along[k]
            out_start[written] = edges[edge, LOW] if edges[edge, WAY] > 0 else edges[edge, HIGH]
            written += 1
    out_first[rings] = written
    return rings, written
