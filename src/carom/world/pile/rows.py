"""The rows that the solver works on: one impulse each, along one direction at one contact point.

In: how many rows and bodies. Out: the arrays, larger where they have to be. The rows are scaled: a body's velocities by
the roots of its mass and inertia, and each row to length 1. So the matrix of the problem has a diagonal of ones, and
impulses of very different sizes settle together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Floats


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
    """What each row was divided by: an impulse in the user's units is `impulse / length`."""
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
