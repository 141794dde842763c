"""Cleaning of outlines, convex or not: points that go without changing the region, and a report of them.

In: the user's points in order round an outline, in either winding, closed or not. Out: the rows to keep, as they were
given, and the rows that went with the reason. A point goes only if the region stays exactly the same: nothing is moved
and nothing is rounded. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Never

import numpy as np

from carom._core import shape_inputs
from carom._core.inputs import PointsLike
from carom._core.names import names_near, refuse_keywords, told_by_name
from carom.shapes.outlines.boundary import Ring, node
from carom.shapes.outlines.clean_convex import orientation, thinned, winding_sign
from carom.shapes.outlines.region_cells import refuse_crossing, rings_of
from carom.vector import Point2, Vec


@names_near
class Cleaned(NamedTuple):
    """An outline without needless points, and a list of the changes.

    Parameters
    ----------
    vertices : tuple of Vec
        The points kept, counter-clockwise, the first kept one first.
    vertex_ids : tuple of int
        The row of each in the outline as it was given.
    repeated : tuple of int
        Rows dropped because they repeat the point before; a last point that closes the outline is one.
    straight : tuple of int
        Rows dropped because they lie on the straight line between their neighbours.
    spikes : tuple of int
        Rows dropped because the outline goes out to them and straight back.
    turned : bool
        Whether the outline was clockwise.
    """

    vertices: tuple[Vec, ...]
    vertex_ids: tuple[int, ...]
    repeated: tuple[int, ...]
    straight: tuple[int, ...]
    spikes: tuple[int, ...]
    turned: bool


@told_by_name
def clean(outline: PointsLike, **unknown: Never) -> Cleaned:
    """Return an outline as `decompose` reads it, with a report of the changes.

    Parameters
    ----------
    outline : sequence of (x, y), or array of shape (n, 2)
        In order, in either winding, closed or not.

    Returns
    -------
    Cleaned(vertices, vertex_ids, repeated, straight, spikes, turned)
        The region inside is exactly the one that was given.

    Raises
    ------
    ValueError
        Fewer than three distinct points, no area, or an outline that crosses itself; the text names the two.
        edges. Touching itself is allowed.

    Examples
    --------
    >>> import carom as cm
    >>> report = cm.clean([(0, 0), (0, 2), (1, 2), (2, 2), (2, 0), (0, 0)])
    >>> report.vertices
    (Vec(0.0, 0.0), Vec(2.0, 0.0), Vec(2.0, 2.0), Vec(0.0, 2.0))
    >>> report.repeated, report.straight, report.turned
    ((5,), (2,), True)
    """
    if unknown:
        refuse_keywords("clean", clean, unknown)
    points = shape_inputs.points("clean", "outline", outline)
    ring = Ring("outline", list(range(len(points))), 0)
    kept, repeated, straight, spikes = tidy("clean", points, ring)
    rings = rings_of(np.array([points[i] for i in kept]), np.array([0, len(kept)]), np.array(kept), [0])
    if not refuse_crossing("clean", rings):
        node("clean", points, [ring._replace(rows=kept)])
    kept, turned = counter_clockwise(points, kept)
    vertices = tuple([Vec(*points[i]) for i in kept])
    return Cleaned(vertices, tuple(kept), tuple(repeated), tuple(straight), tuple(spikes), turned)


def tidy(where: str, points: Sequence[Point2], ring: Ring) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the rows of a ring to keep, and the rows that are repeated, straight and tips of spikes, in order."""
    rows = ring.rows
    distinct = len({points[i] for i in rows})
    if distinct < 3:
        hint = ("", "; for one use Point", "; for two use Segment")[distinct]
        raise ValueError(f"{where}: {ring.name} must hold at least three distinct points, not {distinct}{hint}")
    repeated: list[int] = []
    straight: list[int] = []
    spikes: list[int] = []

    def going(before: int, here: int, after: int) -> int | None:
        p, v, n = points[rows[before]], points[rows[here]], points[rows[after]]
        if v == p:
            here, dropped = max(here, before), repeated  # the later row goes, a closing one too
        elif v == n or orientation(p, v, n) != 0:
            return None
        else:
            dropped = straight if min(p, n) <= v <= max(p, n) else spikes  # on a line, (x, y) orders along it
        dropped.append(rows[here])
        return here

    kept = thinned(rows, going)
    if len(kept) < 3:
        raise ValueError(f"{where}: {ring.name} has no area: it goes out and back on the same line")
    return kept, sorted(repeated), sorted(straight), sorted(spikes)


def counter_clockwise(points: Sequence[Point2], rows: list[int]) -> tuple[list[int], bool]:
    """Return the rows of a ring counter-clockwise, the first still first, and whether they had to be turned."""
    turned = winding_sign(points, rows) < 0
    return (rows[:1] + rows[:0:-1] if turned else rows), turned
