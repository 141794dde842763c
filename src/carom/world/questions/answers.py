"""The answers of a world, which name bodies.

In: rows of bodies and numbers, as kernels found them. Out: what the user gets of one question. Columns of many
questions are those of an `Index`, whose rows are rows of bodies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.names import names_near
from carom._core.types import Integers
from carom.broad.answers import Neighbors
from carom.vector import Vec, new
from carom.world.body import Body
from carom.world.questions.single import HitOfOne


@names_near
class BodyRayHit(NamedTuple):
    """Where a ray meets the first body of a world."""

    fraction: float
    """Share of the translation at the hit, 0 to 1."""
    distance: float
    """Distance from the origin to the hit."""
    point: Vec
    """The point of the hit."""
    normal: Vec
    """Unit vector out of the body that was hit, towards the ray's origin."""
    body: Body
    """The body that was hit."""
    row: int
    """Its row."""
    overlapping: bool
    """Whether the ray starts inside; the fraction is then 0, the normal the least way out."""


@names_near
class BodyHit(NamedTuple):
    """Where and when a moving shape hits the first body of a world."""

    fraction: float
    """Share of the motion at the hit, 0 to 1."""
    point: Vec
    """The point on the surface that was hit."""
    normal: Vec
    """Unit vector out of the body that was hit, towards the mover."""
    body: Body
    """The body that was hit."""
    row: int
    """Its row."""
    overlapping: bool
    """Whether the two already overlapped at the start; see `Hit`."""


class BodyList(list[Body]):
    """Bodies in the order of their rows, a list."""

    rows: Integers
    """(n,) their rows, ascending."""

    def __init__(self, world: Any, rows: Integers) -> None:
        super().__init__(map(world._body, rows.tolist()))
        self.rows = rows


class BodyNeighbors(Neighbors):
    """The bodies nearest to one point or shape, nearest first, of equally near ones the lower row first."""

    bodies: list[Body]
    """Those that there are, k at most."""


def ray_hit(world: Any, found: HitOfOne) -> BodyRayHit:
    """Return the hit of a ray as a value."""
    row, fraction, distance, x, y, nx, ny, overlapping, serial = found
    point, normal, body = new(Vec, (x, y)), new(Vec, (nx, ny)), world._handle(row, serial)
    return new(BodyRayHit, (fraction, distance, point, normal, body, row, overlapping))


def shape_hit(world: Any, found: HitOfOne) -> BodyHit:
    """Return the hit of a moving shape as a value."""
    row, fraction, _, x, y, nx, ny, overlapping, serial = found
    point, normal, body = new(Vec, (x, y)), new(Vec, (nx, ny)), world._handle(row, serial)
    return new(BodyHit, (fraction, point, normal, body, row, overlapping))


def neighbors(world: Any, rows: Integers, distances: Any) -> BodyNeighbors:
    """Return the neighbours of one point or shape."""
    found = new(BodyNeighbors, (rows, distances))
    found.bodies = [world._body(row) for row in rows[: np.count_nonzero(rows >= 0)].tolist()]
    return found
