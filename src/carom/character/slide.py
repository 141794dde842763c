"""The motions of one mover among the same obstacles, each played by one kernel.

In: a shape, the obstacles near it, a way, and the rule for a motion at a surface. Out: a `Move` with the end, the hits
in order and the rest of the motion. World frame, user's units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from carom._core.names import names_near
from carom._core.quick import new
from carom._core.types import Floats, Integers
from carom.character.legs import END, HIT, play_legs
from carom.character.near import box_around, records_of, slop_among
from carom.shapes.basic import ConvexShape, Shape
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes
from carom.vector import Vec

if TYPE_CHECKING:
    import typing_extensions

    MovedShape = typing_extensions.TypeVar("MovedShape", bound=Shape, default=Shape)
else:
    MovedShape = TypeVar("MovedShape")  # of typing it has a default from Python 3.13 on

STILL = Vec(0.0, 0.0)
FEW_HITS = 16
FROM_EVERYWHERE = np.zeros((0, 2))


@names_near
class MoveHit(NamedTuple):
    """One thing that was met on the way."""

    fraction: float
    """How much of the whole motion's time had passed."""
    point: Vec
    """Where they met."""
    normal: Vec
    """Unit vector out of the obstacle, towards the mover."""
    row: int
    """The row of the obstacle in the set, or in the index; of a level solids first, then its one-way edges."""
    overlapping: bool
    """Whether the two overlapped from the start."""


@names_near
class Move(NamedTuple, Generic[MovedShape]):
    """How far a shape came."""

    position: Vec
    """Where its `position` is now."""
    hits: tuple[MoveHit, ...]
    """The hits, in the order of time."""
    rest: Vec
    """The motion that was left where it stopped; zero where the whole motion was played."""
    heading: Vec
    """The whole translation as it would be from here on, after all slides and bounces: for a velocity, divide by the
    time of the step."""
    shape: MovedShape
    """The shape where it is now."""


class Legs:
    """A mover's motions among the same obstacles."""

    def __init__(self, shape: Shape, near: Shapes, rows: Integers, one_way: Floats | None = None) -> None:
        own, self.parts = records_of(shape)
        self.rows = rows
        self.records, self.starts = np.concatenate((own, near._buffer)), near._starts + own.size
        # (n, 2) the direction that each obstacle blocks from; 0, 0 where it blocks from everywhere.
        self.one_way = one_way if one_way is not None and np.count_nonzero(one_way) else FROM_EVERYWHERE
        self.slop: float = slop_among(own, self.parts, self.records, self.starts)
        self.asked = STILL  # the motion for which the rule was last asked
        self._hits, self._end = np.empty((FEW_HITS, HIT)), np.empty(END)

    def play(self, shape: Any, way: Vec, rule: Floats) -> Move:
        """Go on until the motion is played out or nothing more can be done; the shape is the mover, wherever it is."""
        own, _ = records_of(shape)
        while True:
            count = play_legs(
                self.records,
                own,
                self.parts,
                self.starts,
                self.one_way,
                rule,
                way[0],
                way[1],
                self.slop,
                self._hits,
                self._end,
            )
            if count <= len(self._hits):
                break
            self._hits = np.empty((2 * count, HIT))
        gone_x, gone_y, rest_x, rest_y, heading_x, heading_y, asked_x, asked_y = self._end.tolist()
        self.asked = new(Vec, (asked_x, asked_y))
        hits = tuple([self._hit(*row) for row in self._hits[:count].tolist()]) if count else ()
        if gone_x != 0.0 or gone_y != 0.0:
            shape = shape.translated((gone_x, gone_y))
        rest, heading = new(Vec, (rest_x, rest_y)), new(Vec, (heading_x, heading_y))
        return new(Move, (shape.position, hits, rest, heading, shape))

    def _hit(self, fraction: float, x: float, y: float, nx: float, ny: float, k: float, overlapping: float) -> MoveHit:
        row: int = self.rows.item(int(k))
        return new(MoveHit, (fraction, new(Vec, (x, y)), new(Vec, (nx, ny)), row, overlapping != 0.0))


def parts_of(shape: Any) -> tuple[ConvexShape, ...]:
    """Return the convex parts of a shape or Compound."""
    return shape.parts if isinstance(shape, Compound) else (shape,)


def width_along(direction: Vec, shape: Any) -> float:
    """Return how far the bounds of a shape reach along a direction."""
    low_x, low_y, high_x, high_y = box_around(shape)
    return abs(direction.x) * (high_x - low_x) + abs(direction.y) * (high_y - low_y)


def size_of(shape: Any) -> float:
    """Return the longer side of the bounds of a shape."""
    low_x, low_y, high_x, high_y = box_around(shape)
    return max(high_x - low_x, high_y - low_y)
