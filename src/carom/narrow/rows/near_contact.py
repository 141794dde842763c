"""Near pairs as contacts: how shapes that are a little apart would meet, row by row.

In: two sets whose rows are apart. Out: normals, the point halfway between the nearest points of each row, and what
meets there. World frame, user's units.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.manifold import number
from carom.narrow.rows.contact import ContactColumns, Features
from carom.narrow.rows.vertex_ids import own_columns
from carom.narrow.separation import separation_form, separation_of_rows
from carom.narrow.signed_distance import core_points, separate
from carom.narrow.walk import EDGE_A, VERTICES
from carom.shapes.proxy import RADIUS
from carom.shapes.set import Shapes


def near_contacts(a: Shapes, b: Shapes, threads: int) -> ContactColumns:
    """Return near rows as contacts of one point, whose depth is minus the separation."""
    n = len(a)
    pairs = Rows(a._buffer, a._starts, b._buffer, b._starts)
    depth = 0.0 - separation_of_rows(pairs, threads, separation_form(a, b))
    normal, points, features = np.empty((n, 2)), np.zeros((n, 2, 2)), np.zeros((n, 2, 2), dtype=np.int32)
    write_near(*pairs, normal, points, features)
    depths, count = np.zeros((n, 2)), np.ones(n, dtype=np.int8)
    depths[:, 0] = depth
    hit = np.zeros(n, dtype=np.bool_)
    return ContactColumns(hit, normal, depth, count, points, depths, own_columns(a, b, count, features))


@kernel
def write_near(
    a: Floats,
    starts_a: Integers,
    b: Floats,
    starts_b: Integers,
    out_normals: Floats,
    out_points: Floats,
    out_features: Features,
) -> None:
    """Write of each row the normal, the point halfway between the two surfaces, and the features that are nearest."""
    for row in range(starts_a.shape[0]):
        i, j = starts_a[row], starts_b[row]
        found = separate(a, i, b, j)
        _, nx, ny, feature, at, bt, _ = found
        ax, ay, bx, by = core_points(a, i, b, j, found)
        ra, rb = a[i + RADIUS], b[j + RADIUS]
        out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
        out_points[row, 0, 0] = ((ax + nx * ra) + (bx - nx * rb)) / 2.0
        out_points[row, 0, 1] = ((ay + ny * ra) + (by - ny * rb)) / 2.0
        out_features[row, 0, 0] = -1 - number(i, at) if feature == EDGE_A else number(i, at)
        out_features[row, 0, 1] = number(j, bt) if feature in (EDGE_A, VERTICES) else -1 - number(j, bt)
