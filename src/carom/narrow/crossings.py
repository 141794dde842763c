"""Where a ray runs inside a shape: its way in, its way out, and all stretches between, of bodies of several parts too.

In: rays and shapes, row by row. Out: stretches, each from where the ray enters to where it leaves. The way out is the
way in of the ray that comes back from its exact end, so both are decided as `raycast` decides. World frame, user's
units.
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.flat import flat
from carom._core.inputs import PointLike, PointsLike
from carom._core.names import names_near, refuse_keywords, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.threads import checked
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.cast import hit_rows, lengths_of
from carom.narrow.compound.crossings import body_crossings
from carom.narrow.dispatch import Rows, are_points, flattened, rows, vectors
from carom.narrow.stretches import Stretches, some_hits, stretches_of_rows
from carom.shapes.compound import Compound
from carom.shapes.given import AnyShape, ManyShapes, OneShape, shapes_of
from carom.shapes.set import Shapes
from carom.vector import Vec


@names_near
class Crossing(NamedTuple):
    """A stretch of a ray inside a shape."""

    entry: float
    """Share of the translation where the ray comes in, 0 to 1; 0 where it starts inside."""
    exit: float
    """Share of the translation where it goes out; 1 where it ends inside or on the surface."""
    entry_point: Vec
    """The point where it comes in."""
    exit_point: Vec
    """The point where it goes out."""
    entry_normal: Vec
    """Unit vector out of the shape where the ray comes in; (0, 0) where it starts inside."""
    exit_normal: Vec
    """Unit vector out of the shape where the ray goes out; (0, 0) where it ends inside or on the surface."""
    enters: bool
    """Whether the ray comes in from outside; False where it starts inside."""
    leaves: bool
    """Whether the ray goes out before its end."""

    @property
    def length(self) -> float:
        """How long the stretch is."""
        return self.entry_point.distance(self.exit_point)


@names_near
class CrossingLists(NamedTuple):
    """All stretches of each ray inside shapes: those of ray k are offsets[k] to offsets[k + 1], in order of entry."""

    offsets: Integers
    """(n + 1,)"""
    row: Integers
    """(m,) the row of the shape."""
    entry: Floats
    """(m,)"""
    exit: Floats
    """(m,)"""
    entry_point: Floats
    """(m, 2)"""
    exit_point: Floats
    """(m, 2)"""
    entry_normal: Floats
    """(m, 2)"""
    exit_normal: Floats
    """(m, 2)"""
    enters: Booleans
    """(m,)"""
    leaves: Booleans
    """(m,)"""

    @property
    def length(self) -> Floats:
        """(m,) how long each stretch is."""
        return lengths_of(self.exit_point - self.entry_point)

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are query, row, entry, exit, entry_x, entry_y, exit_x, exit_y, entry_nx to exit_ny, enters, leaves.
        """
        return flat(self._asdict())


@overload
def crossings(
    origin: PointsLike, translation: PointLike | PointsLike, shape: AnyShape, *, threads: int = 1
) -> CrossingLists: ...


@overload
def crossings(origin: PointLike, translation: PointsLike, shape: AnyShape, *, threads: int = 1) -> CrossingLists: ...


@overload
def crossings(origin: PointLike, translation: PointLike, shape: ManyShapes, *, threads: int = 1) -> CrossingLists: ...


@overload
def crossings(
    origin: PointLike, translation: PointLike, shape: OneShape, *, threads: int = 1
) -> tuple[Crossing, ...]: ...


@typed_by_overloads
@told_by_name
def crossings(origin: Any, translation: Any, shape: Any, *, threads: int = 1, **unknown: Any) -> Any:
    """Return where a ray runs inside a shape: each stretch from its way in to its way out.

    Parameters
    ----------
    origin : (x, y), (n, 2), or an array (..., 2)
        Where the ray starts.
    translation : (x, y), (n, 2), or an array (..., 2)
        From the origin to the ray's end, in length units. Arrays of more dimensions are broadcast together, and their
        rays counted in order.
    shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Many go row by row: ray k against shape k, n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    tuple of Crossing, or CrossingLists where anything is many
        In order along the ray; empty where it misses. Of a convex shape there is one at most. The first begins where
        `raycast` hits, and there is none where `raycast` has no hit: grazing is a stretch without length, and a start
        on the surface counts only if the ray goes inward. A stretch of a Compound runs across all edges between flush
        parts.

    Raises
    ------
    TypeError
        If `shape` is no shape, or `origin` or `translation` is no pair of numbers.
    ValueError
        If `origin` or `translation` is not finite, or the numbers of rows differ.

    Examples
    --------
    >>> wall = cm.crossings((0, 0), (10, 0), cm.Box((5, 0), (2, 2)))[0]
    >>> wall.entry, wall.exit, wall.exit_point, wall.exit_normal, wall.length
    (0.4, 0.6, Vec(6.0, 0.0), Vec(1.0, 0.0), 2.0)
    >>> frame = cm.decompose([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (3, 1), (3, 3), (1, 3)]])
    >>> [(found.entry, found.exit) for found in cm.crossings((-1, 2), (10, 0), frame)]
    [(0.1, 0.2), (0.4, 0.5)]
    """
    if unknown:
        refuse_keywords("crossings", crossings, unknown)
    shared = checked("crossings", threads)
    shape = shapes_of("crossings", "shape", shape)
    one = not (isinstance(shape, Shapes) or are_points(origin) or are_points(translation))
    if one:
        origin = [inputs.point("crossings", "origin", origin)]
        translation = [inputs.point("crossings", "translation", translation)]
    found = crossing_rows(origin, translation, shape, shared)
    return values_of(found) if one else found


def crossing_rows(origin: Any, translation: Any, shape: Any, threads: int) -> CrossingLists:
    """Return where many rays run inside their shapes."""
    lead, (origin, translation) = flattened("crossings", ("origin", "translation"), origin, translation)
    del lead
    many = isinstance(shape, Shapes)
    lengths = [len(shape)] if many else []
    lengths += [len(value) for value in (origin, translation) if are_points(value)]
    count = next((length for length in lengths if length != 1), 1)
    starts = vectors("crossings", "origin", origin, count) + 0.0  # no -0.0
    motions = vectors("crossings", "translation", translation, count) + 0.0
    if isinstance(shape, Compound):
        ray, found = body_crossings(starts, motions, shape, threads)
        row = np.zeros(ray.size, dtype=np.int64)
    else:
        pairs = rows("crossings", ("origin", "shape"), Shapes.points(starts), shape)
        ahead = hit_rows(pairs, motions, True, threads)
        ray = np.flatnonzero(ahead.hit)
        ahead = some_hits(ahead, ray)
        some = Rows(pairs.a, pairs.starts_a[ray], pairs.b, pairs.starts_b[ray])
        found = stretches_of_rows(starts[ray], motions[ray], ahead, some, threads)
        row = ray if many and len(shape) == count else np.zeros(ray.size, dtype=np.int64)
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(ray, minlength=count), out=offsets[1:])
    return CrossingLists(offsets, row, *found)


def values_of(found: CrossingLists) -> tuple[Crossing, ...]:
    """Return the stretches of one ray as values."""
    columns = [column.tolist() for column in Stretches(*found[2:])]
    return tuple(
        Crossing(entry, leave, Vec(*here), Vec(*there), Vec(*into), Vec(*out), enters, leaves)
        for entry, leave, here, there, into, out, enters, leaves in zip(*columns, strict=True)
    )
