"""Triangles that fill a region and use no point but its corners.

In: positions in the order of (x, y), the rings and the boundary of a region. Out: triangles of positions,
counter-clockwise, that fit together along whole edges, exactly. A library is asked first: it is fast, and right on
most input, but works in floats and leaves out points on straight lines. Its answer is taken if it is proved to be
right; if not, slower steps that decide exactly find one for any input: needles, steps one ulp high, holes that touch.
Any frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom._core.types import Floats, Integers
from carom.shapes.outlines.boundary import Boundary
from carom.shapes.outlines.clean_convex import doubled_areas, orientation, turn_sign
from carom.vector import Point2

try:
    from mapbox_earcut import triangulate_float64 as triangulate_float64
except ImportError:  # no build of it for browsers; the exact steps need no help
    triangulate_float64 = None  # type: ignore[assignment]

Triangle = tuple[int, int, int]


def triangulate(where: str, boundary: Boundary) -> list[Triangle]:
    """Return the triangles of a region.

    Raises
    ------
    ValueError
        The boundary goes round some part of the region twice.
    """
    return triangles_from(boundary, 0) or _by_exact_steps(where, boundary)


def triangles_from(boundary: Boundary, start: int) -> list[Triangle]:
    """Return the triangles that the library finds where its first ring starts there; none where they do not fit."""
    if triangulate_float64 is None or not boundary.rings:
        return []
    found = _by_library(boundary, start)
    return found if _fill(boundary, found) else []


def _by_library(boundary: Boundary, start: int) -> list[Triangle]:
    """Return triangles that nearly always fill a region whose rings lie apart, each counter-clockwise."""
    places, (first, *others) = boundary.places, boundary.rings
    track = [place for ring in ([*first[start:], *first[:start]], *others) for place in ring]
    table = np.array([places[place] for place in (first[0], *track)])
    table = without_rounding(table, np.array([0, len(table)]))[1:]
    ends = np.cumsum([len(ring) for ring in boundary.rings], dtype=np.uint32)
    found = []
    for i, j, k in triangulate_float64(table, ends).reshape(-1, 3).tolist():
        a, b, c = track[i], track[j], track[k]
        found.append((a, b, c) if orientation(places[a], places[b], places[c]) > 0 else (a, c, b))
    return found


def without_rounding(points: Floats, first: Integers) -> Floats:
    """Return the points of outlines near zero and at most 1 in size, as far as that needs no rounding.

    The library decides turns by floats: where rounding has bent a nearly straight outline its triangles overlap.
    """
    if not len(points):
        return points
    begins, sizes = first[:-1], np.diff(first)
    origins = np.repeat(points[begins], sizes, axis=0)
    local = points - origins
    back = points - local
    exact = (points - (local + back)) + (back - origins) == 0.0  # the differences are, as in `difference_is_exact`
    local = np.where(np.repeat(np.logical_and.reduceat(exact, begins), sizes, axis=0), local, points)
    largest = np.maximum.reduceat(np.abs(local).max(axis=1), begins)
    scaled: Floats = np.ldexp(local, -np.repeat(np.frexp(largest)[1], sizes)[:, None])
    return scaled


def _fill(boundary: Boundary, triangles: Sequence[Triangle]) -> bool:
    """Prove that triangles fill the region exactly.

    Each must be counter-clockwise, and their edges, where one there and one back cancel, must be the boundary: then
    each point lies in as many triangles as the boundary goes round it, and that is one where the rings lie apart.
    """
    places = boundary.places
    edges: set[tuple[int, int]] = set()
    for a, b, c in triangles:
        if orientation(places[a], places[b], places[c]) <= 0:
            return False
        edges.update(((a, b), (b, c), (c, a)))
    outside = {(a, b) for a, b in edges if (b, a) not in edges}
    return len(edges) == 3 * len(triangles) and outside == boundary.edges()


def _by_exact_steps(where: str, boundary: Boundary) -> list[Triangle]:
    """Return the triangles of any region.

    The corner farthest left is convex. Where no other position lies in the triangle it makes with its neighbours, that
    triangle is cut off; otherwise the corner is joined to the position in it that lies farthest from the side opposite,
    which divides the region or opens a hole. (M. de Berg et al., Computational Geometry, 3rd edition 2008, theorem
    3.1.) Positions to the left are all used up, so each step looks only at those between the triangle's ends.
    """
    places, here, before, after = boundary.places, list(boundary.here), list(boundary.before), list(boundary.after)
    at: list[list[int]] = [[] for _ in places]
    for corner, place in enumerate(here):
        at[place].append(corner)
    table = np.array(places)
    found: list[Triangle] = []
    for b, corners in enumerate(at):
        while corners:
            corner = corners[-1]
            last, following = before[corner], after[corner]
            a, c = here[last], here[following]
            if orientation(places[a], places[b], places[c]) <= 0:
                raise ValueError(f"{where}: the outline goes round {places[b]} twice")
            far = _farthest_inside(places, table, (a, b, c))
            if far is not None:
                other = next((k for k in at[far] if _opens_to(places, here[before[k]], far, here[after[k]], b)), None)
                if other is None:
                    raise ValueError(f"{where}: the outline goes round {places[far]} twice")
                # Both corners are divided by the new edge: `corner` keeps the corner before it, `other` likewise.
                for old, new, joined in ((corner, len(here), other), (other, len(here) + 1, corner)):
                    here.append(here[old])
                    after.append(after[old])
                    before.append(joined)
                    before[after[old]] = new
                    at[here[old]].append(new)
                after[corner], after[other] = len(here) - 1, len(here) - 2
                continue
            found.append((a, b, c))
            corners.pop()
            if after[following] == last:
                at[a].remove(last)
                at[c].remove(following)
            else:
                after[last], before[following] = following, last
    return found


def _farthest_inside(places: Sequence[Point2], table: Floats, triangle: Triangle) -> int | None:
    """Return the position in a closed triangle that is farthest from the side opposite its second corner.

    That corner is the least; the corners themselves do not count. Floats leave out positions surely outside or nearer.
    """
    a, b, c = triangle
    p, q, r = places[a], places[b], places[c]
    x, y = table[b + 1 : max(a, c)].T
    (one, spare_one), (two, spare_two), (height, spare) = (
        doubled_areas(*side, x, y) for side in ((p, q), (q, r), (r, p))
    )
    maybe = np.flatnonzero((one >= -spare_one) & (two >= -spare_two) & (height >= -spare))
    highest = height + spare
    far, least = None, -np.inf
    for i in maybe[np.argsort(-highest[maybe], kind="stable")].tolist():
        if highest[i] < least:
            break
        k = i + b + 1
        if k in triangle or (far is not None and turn_sign(r, p, places[far], places[k]) <= 0):
            continue
        if all(orientation(*side, places[k]) >= 0 for side in ((p, q), (q, r), (r, p))):
            far, least = k, height[i] - spare[i]
    return far


def _opens_to(places: Sequence[Point2], before: int, here: int, after: int, to: int) -> bool:
    """Tell whether the direction from a corner to another position goes into the region."""
    p, v, n, t = places[before], places[here], places[after], places[to]
    if orientation(p, v, n) > 0:
        return orientation(v, n, t) > 0 and orientation(v, t, p) > 0
    return orientation(v, p, t) < 0 or orientation(v, t, n) < 0
