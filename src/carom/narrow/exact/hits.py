"""Settles hits that floats leave undecided: whether the path touches at all, where first, and from which side.

In: records, motions, and hits as `cast.strike` found them. Out: the hits as they truly are; some are none. World frame,
user's units. Yes or no comes from `sign.path_touches`, or from `integers` where numbers lie too far apart for it; the
place of a hit from a start apart comes from `first_touch`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.threads import in_parts
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.dispatch import Rows
from carom.narrow.exact.first_touch import first_touch
from carom.narrow.exact.integers import decide_path, path_by_integers
from carom.narrow.exact.sign import BEYOND, path_touches, side_of_touching
from carom.narrow.linear_toi import Impact, held_normal, impact_point, measure_through
from carom.narrow.signed_distance import magnitude, separate
from carom.narrow.slab import entry
from carom.narrow.slop import slop_of_pair
from carom.shapes.proxy import RADIUS
from carom.tolerances import SIGN_BAND

# hit, undecided (ask `sign.path_touches`), overlapping, fraction, normal x and y (from B to A), point x and y
Strike = tuple[bool, bool, bool, float, float, float, float, float]


@inner
def strike_at(
    a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Impact, earliest: float, undecided: bool
) -> Strike:
    """Return the hit that an impact is, no earlier than the boxes allow."""
    nx, ny = held_normal(a, i, b, j, mx, my, found)
    found = max(found[0], earliest), nx, ny, found[3], found[4], found[5]
    x, y = impact_point(a, i, b, j, mx, my, found)
    return True, undecided, False, found[0], -found[1], -found[2], x, y


@kernel
def settled(a: Floats, i: int, b: Floats, j: int, mx: float, my: float, found: Strike) -> Strike:
    """Return a doubtful hit whose path touches as it truly is; from a start apart with its true fraction and place."""
    separation, nx, ny, _, _, _, _ = separate(a, i, b, j)
    slop = slop_of_pair(a, i, b, j)
    if separation > slop:
        first = first_touch(a, i, b, j, mx, my)
        if first[0] == math.inf:
            return found
        return strike_at(a, i, b, j, mx, my, first, entry(a, i, b, j, mx, my), False)
    radius_a, radius_b = a[i + RADIUS], b[j + RADIUS]
    hit, undecided, overlapping, fraction, out_x, out_y, x, y = found
    if side_of_touching(a, i, b, j, 0.0, 0.0, radius_a, radius_b) <= 0:
        # In touch but for rounding: that the path touches says nothing, and a shape without an inside lets it go.
        chord = measure_through(a, i, b, j, mx, my, radius_a + radius_b)[1]
        hit = bool(nx * mx + ny * my > slop and chord > SIGN_BAND * magnitude(a, i, b, j))
    return hit, undecided, overlapping, fraction, out_x, out_y, x, y


def settle(a: Any, b: Any, mx: float, my: float, found: Strike) -> Strike:
    """Return a doubtful hit of one pair as it truly is; it may be none."""
    return settled(a, 0, b, 0, mx, my, found) if decide_path(a, 0, b, 0, mx, my) else (False, *found[1:])


# Of rows of hits, whether they are in doubt and whether they hit; fraction, normal and point.
Hits = tuple[Booleans, Booleans, Floats, Floats, Floats]


@kernel
def _settle_hits(a: Floats, starts_a: Integers, b: Floats, starts_b: Integers, motions: Floats, out: Hits) -> None:
    undecided, out_hits, out_fractions, out_normals, out_points = out
    for row in range(undecided.shape[0]):
        if undecided[row]:
            i, j, mx, my = starts_a[row], starts_b[row], motions[row, 0], motions[row, 1]
            answer = path_touches(a, i, b, j, mx, my)
            out_hits[row], undecided[row] = answer == 1, answer == BEYOND
            if answer == 0:
                continue
            (nx, ny), (x, y) = (out_normals[row, 0], out_normals[row, 1]), (out_points[row, 0], out_points[row, 1])
            found = True, False, False, out_fractions[row], nx, ny, x, y
            hit, _, _, out_fractions[row], nx, ny, x, y = settled(a, i, b, j, mx, my, found)
            if not hit:
                out_hits[row], undecided[row] = False, False
            out_normals[row, 0], out_normals[row, 1] = nx + 0.0, ny + 0.0
            out_points[row, 0], out_points[row, 1] = x, y


def settle_rows(pairs: Rows, motions: Floats, hits: Hits, threads: int) -> None:
    """Settle the undecided rows of many hits, in place."""
    undecided, hit, fraction, normal, point = hits
    asked = undecided.copy()

    def work(begin: int, end: int) -> None:
        out: Any = tuple(column[begin:end] for column in hits)
        _settle_hits(*pairs.part(begin, end), motions[begin:end], out)

    in_parts(threads, undecided.size, work)
    for row in np.flatnonzero(undecided).tolist():
        i, j = pairs.starts_a[row], pairs.starts_b[row]
        hit[row] = path_by_integers(pairs.a, i, pairs.b, j, *motions[row].tolist())
    missed = asked & ~hit
    fraction[missed], normal[missed], point[missed] = math.inf, 0.0, 0.0
