"""The rows that the solver works on: one impulse each, along one direction at one contact point.

In: how many rows and bodies. Out: the arrays, larger where they have to be. The rows are scaled: a body's velocities by
the roots of its mass and inertia, and each row to length 1. So the matrix of the problem has a diagonal of ones, and
impulses of very different sizes settle together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import inner
from carom._core.types import Floats
from carom.world.tables import Record


class Rows(NamedTuple):
    """The solver's tables. A row is one direction at one point; the last body of an island cannot be moved."""

    jacobian: Floats
    """(rows, 6): how an impulse of the row changes the velocities x, y, spin of its first body and of its second."""
    pair: NDArray[np.int32]
    """(rows, 2): the places of both bodies in `speed`."""
    impulse: Floats
    lack: Floats
    """Speed along the row that is wanted, less the speed there is."""
    low: Floats
    """The least impulse allowed."""
    high: Floats
    """The largest impulse allowed."""
    length: Floats
    """The length by which each row was divided: an impulse in the user's units is `impulse / length`."""
    wanted: Floats
    """Speed along the row that is wanted."""
    share: Floats
    """Of frictions: how large they may be, times the normal impulse of their point."""
    step: Floats
    """Scratch: the change of the impulses in one turn."""
    change: Floats
    """Scratch: the change of the speeds along the rows."""
    speed: Floats
    """(bodies, 3): velocities, scaled."""
    push: Floats
    """(bodies, 3), scratch: the change of the velocities."""


def make_rows(rows: int, bodies: int) -> Rows:
    """Return zeroed tables for so many rows and bodies, one more that cannot be moved included."""
    return Rows(
        jacobian=np.zeros((rows, 6)),
        pair=np.zeros((rows, 2), dtype=np.int32),
        impulse=np.zeros(rows),
        lack=np.zeros(rows),
        low=np.zeros(rows),
        high=np.zeros(rows),
        length=np.ones(rows),
        wanted=np.zeros(rows),
        share=np.zeros(rows),
        step=np.zeros(rows),
        change=np.zeros(rows),
        speed=np.zeros((bodies, 3)),
        push=np.zeros((bodies, 3)),
    )


@inner
def write_row(
    rows: Rows,
    r: int,
    i: int,
    j: int,
    a: Record,
    b: Record,
    a_moves: bool,
    b_moves: bool,
    contact: Record,
    k: int,
    x: float,
    y: float,
) -> float:
    """Write the row of point k of a contact along (x, y), without impulse, speed and bounds; return its length.

    i and j are the places of the bodies a and b; what does not move has no share.
    """
    ax, ay, bx, by = contact.ax[k], contact.ay[k], contact.bx[k], contact.by[k]
    mass_a, inertia_a = (math.sqrt(a.inverse_mass), math.sqrt(a.inverse_inertia)) if a_moves else (0.0, 0.0)
    mass_b, inertia_b = (math.sqrt(b.inverse_mass), math.sqrt(b.inverse_inertia)) if b_moves else (0.0, 0.0)
    v0, v1, v2 = -mass_a * x, -mass_a * y, -inertia_a * (ax * y - ay * x)
    v3, v4, v5 = mass_b * x, mass_b * y, inertia_b * (bx * y - by * x)
    length = math.sqrt((v0 * v0 + v1 * v1 + v2 * v2) + (v3 * v3 + v4 * v4 + v5 * v5))
    jacobian = rows.jacobian
    jacobian[r, 0], jacobian[r, 1], jacobian[r, 2] = v0 / length, v1 / length, v2 / length
    jacobian[r, 3], jacobian[r, 4], jacobian[r, 5] = v3 / length, v4 / length, v5 / length
    rows.pair[r, 0], rows.pair[r, 1], rows.length[r] = i, j, length
    return length
