"""One motion of a shape among obstacles, played leg by leg: each leg goes as far as the next obstacle.

In: a shape, its way, the obstacles near it, and the response that changes a motion at a surface. Out: a `Move` with the
end, the hits in order and the rest of the motion. World frame, user's units. Where several obstacles are met at one
instant, the response to one of them that leaves the way free of all others is the right one; only where there is none
are they met together, as in an inner corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom._core.names import names_near
from carom._core.types import Booleans, Floats, Integers
from carom.character.swept import deepest_touched, meet_obstacles
from carom.narrow.slop import slop_at
from carom.narrow.verbs import closest
from carom.shapes.basic import Shape
from carom.shapes.bounds import bounds
from carom.shapes.compound import Compound
from carom.shapes.proxy_writers import starts_of
from carom.shapes.set import Shapes
from carom.tolerances import (
    BESIDE_SLOPS,
    MOST_LEGS,
    ONE_WAY_SIDE,
    SAME_NORMAL,
    SEAM_SLOPS,
    STAND_OFF_SLOPS,
)
from carom.vector import Vec
from carom.world.toi.toi import CORNER, ON_LINE, OVERLAP, PASSES_ON

BESIDE = 64  # numbers: four of each part at a corner
STILL = Vec(0.0, 0.0)
Respond = Callable[[Vec, Vec], Vec]


class Meetings(NamedTuple):
    """The effect of each obstacle on one leg of a motion."""

    fraction: Floats
    """(n,) infinite where it is not met."""
    normal: Floats
    """(n, 2) out of the obstacle."""
    point: Floats
    """(n, 2)"""
    overlapping: Booleans
    """(n,)"""
    corner: Booleans
    """(n,) whether it is a corner that meets a corner: where surfaces are flush, that is no hit at all."""
    on_line: Booleans
    """(n,) whether the two, both without width, lie on each other: then they are put off each other first."""
    passes_on: Booleans
    """(n,) whether it is a line onto which the mover passes from a flush surface: it is put off that, and goes on."""


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
class Move(NamedTuple):
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
    shape: Any
    """The shape where it is now."""


class Slide:
    """One motion being played, leg by leg."""

    def __init__(
        self, shape: Shape | Compound, way: Vec, near: Shapes, rows: Integers, one_way: Floats | None = None
    ) -> None:
        self.start, self.way, self.near, self.rows = shape, way, near, rows
        # (n, 2) the direction that each obstacle blocks from; 0, 0 where it blocks from everywhere.
        self.one_way = one_way if one_way is not None and one_way.any() else None
        self.shape: Any = shape
        self.gone = STILL
        own = [part._record for part in parts_of(shape)]
        self.parts = starts_of(np.array([record.size for record in own], dtype=np.int64))
        before = sum(record.size for record in own)
        self.records, self.starts = np.concatenate([*own, near._buffer]), near._starts + before
        self.left = 1.0  # of the time
        self.hits: list[MoveHit] = []
        self.slop = slop_around(bounds(shape), near.bounds)
        self.beside = np.empty(BESIDE)

    def play(self, respond: Respond | None) -> Move:
        """Go on until the motion is played out or nothing more can be done."""
        heading, rest = self.way, STILL  # the heading is the motion that a whole step would make from here on
        for _ in range(MOST_LEGS):
            motion = rest = heading * self.left
            if motion == STILL:
                break
            found = self._meet(motion)
            first = float(found.fraction.min(initial=math.inf))
            if first == math.inf:
                self._advance(motion)
                rest = STILL
                break
            together = self._arrive(found, first, motion)
            rest = motion * (1.0 - first)
            if not together.size:
                continue
            heading, met = self._answer(respond, heading, found, together)
            self._note(found, together, met)
            if heading == STILL:
                break
        self._rise()
        return Move(self.shape.position, tuple(self.hits), rest, heading, self.shape)

    def _advance(self, by: Vec) -> None:
        """Move by one more leg: always from the start, so that coordinates round once."""
        self.gone = self.gone + by
        self.shape = self.start.translated(self.gone)
        self._write(self.shape)

    def _write(self, shape: Any) -> None:
        """Let the mover be there for the meetings to come."""
        for at, part in zip(self.parts.tolist(), parts_of(shape), strict=True):
            self.records[at : at + part._record.size] = part._record

    def _meet(self, motion: Vec) -> Meetings:
        """Return when the mover, going on by `motion`, meets each obstacle."""
        n = len(self.near)
        fractions, normals, points = np.empty(n), np.zeros((n, 2)), np.zeros((n, 2))
        marks = np.zeros(n, dtype=np.int64)
        sets = self.records, self.parts, self.starts
        meet_obstacles(*sets, *motion, self.beside, fractions, normals, points, marks)
        found = Meetings(
            fractions, normals, points, *((marks & mark) != 0 for mark in (OVERLAP, CORNER, ON_LINE, PASSES_ON))
        )
        if self.one_way is not None:
            for k in np.flatnonzero(self.one_way.any(axis=1) & np.isfinite(fractions)).tolist():
                direction, normal = Vec(*self.one_way[k].tolist()), Vec(*normals[k].tolist())
                if found.overlapping[k] or not self._blocks(k, direction, normal, motion):
                    fractions[k] = math.inf
        return found

    def _blocks(self, k: int, direction: Vec, normal: Vec, motion: Vec) -> bool:
        """Tell whether a one-way obstacle blocks a motion that meets it where its normal is so."""
        return normal.dot(direction) > ONE_WAY_SIDE * direction.length and motion.dot(direction) < 0.0

    def _arrive(self, found: Meetings, first: float, motion: Vec) -> Integers:
        """Go to the first hit, and return which obstacles are met at that instant; none if the mover only passes on."""
        together = np.flatnonzero(found.fraction <= first + self.slop / motion.length)
        if first > 0.0:
            self._advance(motion * first)
            self._back_off(together)
        self._stand_off(found, together[(found.on_line | found.passes_on)[together]])
        self.left *= 1.0 - first
        return together[~found.passes_on[together]]

    def _note(self, found: Meetings, together: Integers, met: list[Vec]) -> None:
        """Write down the hits of an instant, but for corners whose direction did not count."""
        for k in together.tolist():
            normal = Vec(*found.normal[k].tolist())
            if not found.corner[k] or any(_is_same(normal, other) for other in met):
                point = Vec(*found.point[k].tolist())
                row, overlapping = int(self.rows[k]), bool(found.overlapping[k])
                self.hits.append(MoveHit(1.0 - self.left, point, normal, row, overlapping))

    def _back_off(self, together: Integers) -> None:
        """Undo the depth that a long leg's rounding adds in obstacles that it met, or touched on the way."""
        touched = self._deepest_touched()
        near = closest(self.shape, self.near[together if touched < 0 else np.append(together, touched)])
        deepest = int(near.separation.argmin())
        depth = near.separation.item(deepest)
        if depth < -0.5 * self.slop:
            self._advance(Vec(*near.normal[deepest].tolist()) * depth)

    def _stand_off(self, found: Meetings, lines: Integers) -> None:
        """Go as far off the lines that the mover lies on as a mover without width stops before a line."""
        for k in lines.tolist():
            self._advance(Vec(*found.normal[k].tolist()) * (STAND_OFF_SLOPS * self.slop))

    def _rise(self) -> None:
        """Come half way out of an obstacle that is still nearly as deep as the slop.

        Moves along a floor, one after the other, are all rounded the same way: the mover would sink in until it met
        the hidden corners of the floor's tiles.
        """
        touched = self._deepest_touched()
        if touched >= 0:
            near = closest(self.shape, self.near[[touched]])
            self._advance(Vec(*near.normal[0].tolist()) * (0.5 * near.separation.item(0)))

    def _deepest_touched(self) -> int:
        """Return the obstacle that the mover is deepest in of those that it touches, if about as deep as the slop."""
        least, most = 0.5 * self.slop, SEAM_SLOPS * self.slop
        touched: int = deepest_touched(self.records, self.parts, self.starts, least, most)
        return touched

    def _answer(
        self, respond: Respond | None, motion: Vec, found: Meetings, together: Integers
    ) -> tuple[Vec, list[Vec]]:
        """Return the motion after meeting some obstacles at once, and the normals that counted."""
        normals: list[Vec] = []
        for normal in found.normal[together].tolist():
            _add(normals, Vec(*normal))
        if respond is None:
            return STILL, normals
        free: list[tuple[Vec, list[Vec]]] = []
        k = 0
        while k < len(normals):  # it grows by the normals met at once on the new way
            after = respond(motion, normals[k])
            blocking = self._blocking(after)
            if not blocking:
                free.append((after, [normals[k]]))
            # A normal that differs by rounding from one that is there may be the one that leaves the way free.
            normals += [normal for normal in blocking if normal not in normals]
            k += 1
        if all(after == STILL for after, _ in free):
            free += self._free_beside(respond, motion, found, together[found.corner[together]])
        if free:
            return max(free, key=lambda way: way[0].dot(motion))
        for _ in range(len(normals)):
            for normal in normals:
                if motion.dot(normal) < 0.0:
                    motion = respond(motion, normal)
        return (motion if not self._blocking(motion) else STILL), normals

    def _free_beside(
        self, respond: Respond, motion: Vec, found: Meetings, corners: Integers
    ) -> list[tuple[Vec, list[Vec]]]:
        """Return the free motions after meeting the other side of a corner that is met with a corner.

        A box on a floor meets the foot of a ramp so: in a corner of its own, whose side stands in the way, and in the
        ramp that it can slide up. A hair beside its path it meets the other one alone. The normal found so is put in
        place of the first.
        """
        free: list[tuple[Vec, list[Vec]]] = []
        for side in (1.0, -1.0) if corners.size else ():
            aside = motion.perpendicular * (side * BESIDE_SLOPS * self.slop / motion.length)
            self._write(self.shape.translated(aside))
            beside = self._meet(motion)
            self._write(self.shape)
            for k in corners[np.isfinite(beside.fraction[corners])].tolist():
                normal = Vec(*beside.normal[k].tolist())
                after = respond(motion, normal) if motion.dot(normal) < 0.0 else STILL
                if after != STILL and not self._blocking(after):
                    free.append((after, [normal]))
                    found.normal[k] = normal
        return free

    def _blocking(self, motion: Vec) -> list[Vec]:
        """Return the normals of the obstacles met at once on a way."""
        if motion == STILL:
            return []
        found = self._meet(motion)
        at_once = (found.fraction <= self.slop / motion.length) & ~found.passes_on
        return [Vec(*normal) for normal in found.normal[at_once].tolist()]


def parts_of(shape: Any) -> tuple[Shape, ...]:
    """Return the convex parts of a shape or Compound."""
    return shape.parts if isinstance(shape, Compound) else (shape,)


def _add(normals: list[Vec], normal: Vec) -> None:
    """Add a normal that is not there yet."""
    if not any(_is_same(normal, old) for old in normals):
        normals.append(normal)


def _is_same(one: Vec, other: Vec) -> bool:
    return abs(one.x - other.x) + abs(one.y - other.y) <= SAME_NORMAL


def width_along(direction: Vec, shape: Any) -> float:
    """Return how far the bounds of a shape reach along a direction."""
    low_x, low_y, high_x, high_y = bounds(shape)
    return abs(direction.x) * (high_x - low_x) + abs(direction.y) * (high_y - low_y)


def size_of(shape: Any) -> float:
    """Return the longer side of the bounds of a shape."""
    low_x, low_y, high_x, high_y = bounds(shape)
    return max(high_x - low_x, high_y - low_y)


def slop_around(own: tuple[float, float, float, float], others: Floats) -> float:
    """Return how far apart two hits may lie and still be of one instant."""
    size = max(own[2] - own[0], own[3] - own[1])
    largest = max(map(abs, own))
    if len(others):
        largest = max(largest, float(np.abs(others).max()))
    return slop_at(size, largest)
