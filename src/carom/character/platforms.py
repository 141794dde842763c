"""How moving platforms take a character with them: it is carried, pushed, and crushed.

In: a character where it was, the terrain around it now, and the parts of it that were elsewhere when the character last
moved. Out: where it is taken to, and which of these parts overlap it then. Everything is cast: a moving part is swept
against the character from where it was, and the character is moved along paths that are cast among all that stands.
Turns are made in small steps. World frame, user's units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Booleans
from carom.character.ground import CharacterLimits, GroundMover
from carom.character.slide import size_of
from carom.character.surroundings import Paths, Terrain
from carom.narrow.verbs import cast, collide, separation
from carom.shapes.bounds import bounds
from carom.shapes.proxy import POINTS, RADIUS, STRIDE, X, Y
from carom.tolerances import CARRY_STEPS, DEEP_SHARE, MOST_PUSHES, ONE_WAY_SIDE, SIDEWAYS_SHARE
from carom.vector import Vec
from carom.world.world import World


class RigidMotion(NamedTuple):
    """A motion: a point of the body goes straight from `start` to `end`, and the body turns about it."""

    start: Vec
    end: Vec
    angle: float

    def at(self, shape: Any, share: float) -> Any:
        """Return where a shape was at a share of the motion; given is where it is at the end."""
        if self.angle != 0.0 and share != 1.0:
            shape = shape.rotated(self.angle * (share - 1.0), pivot=self.end)
        return shape if share == 1.0 else shape.translated((self.end - self.start) * (share - 1.0))

    def of_point(self, point: Vec, first: float, last: float) -> Vec:
        """Return by how much a point that is at `first` is moved until `last`."""
        way = self.end - self.start
        center = self.start + way * first
        arm = point - center
        return way * (last - first) + (arm.rotated(self.angle * (last - first)) - arm)


class Moved(NamedTuple):
    """One part of something that moved."""

    shape: Any
    """Where it is now."""
    motion: RigidMotion
    key: int
    one_way: Vec

    def travel(self, rider: Any) -> float:
        """Return how far it may take a rider or a shape that it pushes."""
        motion = self.motion
        arm: float = (motion.start - rider.position).length + size_of(rider)
        return (motion.end - motion.start).length + abs(motion.angle) * arm


class Seen:
    """The poses of things that may move, as a character saw them last."""

    def __init__(self, obstacles: Any, terrain: Terrain) -> None:
        self.obstacles = obstacles
        self.paths = Paths.of(obstacles) if isinstance(obstacles, World) else None
        self.keys, self.near = terrain.keys, terrain.near

    def moved(self, terrain: Terrain) -> tuple[list[Moved], Booleans]:
        """Return the parts of the terrain that have moved since, and which of its rows they are."""
        motions = self._in_world(terrain) if isinstance(self.obstacles, World) else self._in_index(terrain)
        rows = np.zeros(len(terrain.keys), dtype=np.bool_)
        found = []
        for k, motion in motions:
            rows[k] = True
            found.append(Moved(terrain.near[k], motion, int(terrain.keys[k]), Vec(*terrain.one_way[k].tolist())))
        return found, rows

    def _in_world(self, terrain: Terrain) -> Iterator[tuple[int, RigidMotion]]:
        now, before = Paths.of(self.obstacles), self.paths
        for k in np.flatnonzero(terrain.keys >= 0).tolist():
            row = int(terrain.rows[k])
            if before is None or row >= len(before.serials) or before.serials[row] != terrain.keys[k]:
                continue
            angle = float(now.angles[row] - before.angles[row])
            motion = RigidMotion(Vec(*before.origins[row].tolist()), Vec(*now.origins[row].tolist()), angle)
            if motion.start != motion.end or angle != 0.0:
                yield k, motion

    def _in_index(self, terrain: Terrain) -> Iterator[tuple[int, RigidMotion]]:
        if terrain.near == self.near and np.array_equal(terrain.keys, self.keys):
            return  # as nearly always: the rest takes ten times as long
        _, here, there = np.intersect1d(terrain.keys, self.keys, return_indices=True)
        changed = (terrain.near.bounds[here] != self.near.bounds[there]).any(axis=1)
        for k, j in zip(here[changed].tolist(), there[changed].tolist(), strict=True):
            motion = _rigid(self.near[j], terrain.near[k])
            if motion is not None:
                yield k, motion


def arrived(world: World, shape: Any, terrain: Terrain) -> tuple[list[Moved], Booleans]:
    """Return the parts of moving bodies that overlap a character which has not looked around yet, as if they came now.

    It has stood where it is, so they have come to it, along the way of the last step: from so far away that they were
    free of it.
    """
    rows, found = np.zeros(len(terrain.keys), dtype=np.bool_), []
    now, before = Paths.of(world), Paths.before(world)
    suspects = np.flatnonzero(terrain.keys >= 0)
    if not suspects.size:
        return [], rows
    overlapping = suspects[separation(terrain.near[suspects], shape) < 0.0]
    for k in overlapping.tolist():
        row = int(terrain.rows[k])
        end = Vec(*now.origins[row].tolist())
        way = end - Vec(*before.origins[row].tolist())
        if way == (0.0, 0.0):
            continue
        part = terrain.near[k]
        far = way.normalized() * (2.0 * (size_of(shape) + size_of(part)))
        rows[k] = True
        motion = RigidMotion(end - far, end, 0.0)
        found.append(Moved(part, motion, int(terrain.keys[k]), Vec(*terrain.one_way[k].tolist())))
    return found, rows


def _rigid(before: Any, now: Any) -> RigidMotion | None:
    """Return the motion that takes one shape to the other; None if they are two shapes."""
    old, new = _outline(before), _outline(now)
    if type(before) is not type(now) or len(old) != len(new) or before._record[RADIUS] != now._record[RADIUS]:
        return None
    start, end, angle = before.position, now.position, 0.0
    if len(old) > 1:
        one, other = old[1] - old[0], new[1] - new[0]
        angle = math.atan2(one.cross(other), one.dot(other))
        if one == other:
            angle = 0.0
    size = max((point - start).length for point in old)
    for p, q in zip(old, new, strict=True):
        if ((p - start).rotated(angle) - (q - end)).length > 1e-6 * size:
            return None
    return RigidMotion(start, end, angle)


def _outline(shape: Any) -> list[Vec]:
    x, y = shape._record[X], shape._record[Y]
    points = shape._record[POINTS:].reshape(-1, STRIDE)[:, :2]
    return [Vec(float(x + px), float(y + py)) for px, py in points]


class Carried(NamedTuple):
    """Where a character was taken to."""

    shape: Any
    by: Vec
    """How far its floor took it, or would have."""
    overlapping: tuple[int, ...]
    """The keys of all that moved and overlaps it now."""
    run_over: bool
    """Whether something went over it, or through it, on its way and has gone on since."""
    terrain: Terrain
    """The obstacles around it there."""


def carried(
    shape: Any,
    limits: CharacterLimits,
    terrain: Terrain,
    moved: list[Moved],
    rows: Booleans,
    floor: tuple[int, Vec] | None,
) -> Carried:
    """Take a character along with its floor and out of the way of all that moved, which is `rows` of the terrain.

    `floor` is the key of its floor, and the point where it stands, relative to its position.
    """
    among = GroundMover(terrain.without(rows), shape, limits)
    key, foot = floor or (None, Vec(0.0, 0.0))
    steps = _steps(shape, moved)
    total = Vec(0.0, 0.0)
    run_over = False
    for k in range(steps):
        first, last = k / steps, (k + 1) / steps
        start = shape
        for one in moved:
            if one.key == key:
                by = one.motion.of_point(shape.position + foot, first, last)
                total = total + by
                shape = among.legs.play(shape, by, among.flies).shape
                break
        for _ in range(MOST_PUSHES):
            before = shape
            for one in moved:
                shape = _pushed(start, shape, among, one, first, last)
            if shape.position == before.position:
                break
        run_over = run_over or any(_runs_over(start, shape, among, one, first, last) for one in moved)
    overlapping = {one.key for one in moved if _overlap(shape, one.shape, among) and not _is_one_way(one)}
    return Carried(shape, total, tuple(sorted(overlapping)), run_over, terrain)


def _overlap(shape: Any, other: Any, mover: GroundMover) -> bool:
    return bool(separation(shape, other) < -mover.touch)


def _is_one_way(one: Moved) -> bool:
    return one.one_way != (0.0, 0.0)


def _steps(shape: Any, moved: list[Moved]) -> int:
    """Return in how many steps a turn is to be taken, so that none passes a quarter of the character."""
    box = bounds(shape)
    size = DEEP_SHARE * min(box[2] - box[0], box[3] - box[1])
    most = max((one.travel(shape) for one in moved if one.motion.angle != 0.0), default=0.0)
    return int(CARRY_STEPS) if most >= CARRY_STEPS * size else max(math.ceil(most / size), 1)


class _Meeting(NamedTuple):
    """How something that moves meets a character in a step."""

    normal: Vec
    """Out of the platform, towards the character."""
    fraction: float
    overlapping: bool
    way: Vec
    """Of the platform, in the whole step."""


def _met(start: Any, shape: Any, one: Moved, first: float, last: float) -> _Meeting | None:
    """Return how it meets a character that goes from `start` to `shape` in that time; None if it does not stop it."""
    motion = one.motion
    way = (motion.end - motion.start) * (last - first)
    turn = motion.angle * (last - first)
    before = motion.at(one.shape, first)
    toward = way - (shape.position - start.position)
    if turn:
        hit = cast(before, start, toward, rotation=turn, pivot=motion.start + (motion.end - motion.start) * first)
    else:
        hit = cast(before, start, toward)
    if hit is None:
        return None
    normal = -hit.normal
    if _is_one_way(one) and (hit.overlapping or normal.dot(one.one_way) <= ONE_WAY_SIDE * one.one_way.length):
        return None
    return _Meeting(normal, hit.fraction, hit.overlapping, way)


def _pushed(start: Any, shape: Any, mover: GroundMover, one: Moved, first: float, last: float) -> Any:
    """Return where the character gets to as it is pushed; `start` is where it was before this step."""
    met = _met(start, shape, one, first, last)
    if met is None:
        return shape
    there = one.motion.at(one.shape, last)
    if not met.overlapping:
        if one.motion.angle == 0.0:
            push = (met.way - (shape.position - start.position)).dot(met.normal) * (1.0 - met.fraction)
        else:
            push = _way_out(shape, there, met.normal, 2.0 * one.travel(shape) * (last - first))
        shape = _driven(shape, mover, met.normal, push)
    return _parted(shape, mover, there)


def _way_out(shape: Any, other: Any, normal: Vec, most: float) -> float:
    """Return how far along the normal a shape must go to be out of another; 0 if that is farther than `most`."""
    away = normal * most
    back = cast(shape.translated(away), other, -away)
    return 0.0 if back is None or back.overlapping else most * (1.0 - back.fraction)


def _driven(shape: Any, mover: GroundMover, normal: Vec, push: float) -> Any:
    """Move a character by so much along the normal: sideways, and so much farther, where only that way is free."""
    start, toward = shape.position, normal
    for _ in range(MOST_PUSHES):
        left = push - (shape.position - start).dot(normal)
        if left <= mover.slop:
            break
        before = shape.position
        shape = mover.legs.play(shape, toward * (left / toward.dot(normal)), mover.flies).shape
        gone = shape.position - before
        if gone.dot(normal) <= max(SIDEWAYS_SHARE * gone.length, mover.slop):
            break
        toward = gone.normalized()
    return shape


def _runs_over(start: Any, shape: Any, mover: GroundMover, one: Moved, first: float, last: float) -> bool:
    """Tell whether something that met the character went on through where it could not but stay."""
    met = _met(start, shape, one, first, last)
    if met is None or met.overlapping or _is_one_way(one):
        return False
    if one.motion.angle != 0.0:
        return _overlap(shape, one.motion.at(one.shape, last), mover)
    rest = met.way * (1.0 - met.fraction)
    there = one.motion.at(one.shape, first).translated(met.way * met.fraction)
    hit = cast(there, shape, rest)
    return hit is not None and -rest.dot(hit.normal) * (1.0 - hit.fraction) > mover.touch


def _parted(shape: Any, mover: GroundMover, other: Any) -> Any:
    """Take a character out of an overlap, unless so deep that the way out might be through the other side."""
    contact = collide(shape, other)
    if contact is None or contact.depth <= mover.slop:
        return shape
    sizes = [side for box in (bounds(shape), bounds(other)) for side in (box[2] - box[0], box[3] - box[1])]
    if contact.depth > DEEP_SHARE * min(size for size in sizes if size > 0.0):
        return shape
    return _driven(shape, mover, -contact.normal, contact.depth)
