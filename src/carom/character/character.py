"""Character: one shape that walks, jumps, climbs slopes and steps, and rides on moving platforms, as in a platformer.

In: a shape, which way is up, its limits in climbing; then, for each frame, the motion it wants and the obstacles. Out:
where it is, its floor, its hits. World frame, user's units. There is no time in it and no gravity: the
motion of a frame is the user's velocity times the length of the frame, gravity included.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple, Never

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.names import NamesNear, names_fixed, names_near, refuse_keywords, told_by_name
from carom._core.quick import new
from carom.broad.index import Index
from carom.character.ground import WALL, CharacterLimits, Ground, GroundMover
from carom.character.platforms import Carried, Seen, arrived, carried
from carom.character.push import Pushed, Strength, push_bodies
from carom.character.slide import STILL, size_of, width_along
from carom.character.surroundings import STANDS, WHERE, Asked, Terrain, checked, terrain_around
from carom.narrow.verbs import separation
from carom.shapes.basic import Shape
from carom.shapes.given import check_shape
from carom.tolerances import FLOOR_SLACK, LEGS_OF_WALK, SNAP_SHARE
from carom.vector import Vec
from carom.world.world import World


@names_near
class CharacterHit(NamedTuple):
    """One thing a character met."""

    kind: str
    """One of "floor", "wall", "ceiling"."""
    point: Vec
    """Where they met."""
    normal: Vec
    """Unit vector out of the obstacle, towards the character."""
    row: int
    """Which obstacle: its row in the set, in the index, or in the world."""


@names_near
class CharacterMove(NamedTuple):
    """How one frame's motion went."""

    position: Vec
    """Where the character is now."""
    heading: Vec
    """The motion less the parts that floors, walls and ceilings took of it. For the velocity to go on with,
    divide by the length of the frame. On a floor it has no part along up."""
    carried: Vec
    """How far its floor carried it. Divided by the length of the frame it is the velocity to jump off with."""
    hits: tuple[CharacterHit, ...]
    """The hits, in order; standing, and walking on along one floor, is no hit."""
    pushed: tuple[int, ...]
    """The rows of the bodies that it pushes."""


@names_fixed
class Character(metaclass=NamesNear):
    """One shape that walks, jumps, climbs and rides; nothing passes through anything, however fast.

    Parameters
    ----------
    shape : a shape or Compound
        Where it stands at first. It does not turn.
    up : (x, y)
        Which way is up, of any length: (0, 1) where y points up, (0, -1) where it points down.
    max_slope : float, radians, from 0 to less than pi / 2; default pi / 4
        The steepest floor it walks up and stands on without sliding.
    snap : float, optional
        How far the floor may fall away under a walking character before it leaves it, in length units: down slopes and
        stairs. A fifth of its height, or `step_height` if that is more, if not given; 0 leaves the floor at once.
    step_height : float, default 0
        How high a step it walks up without a jump, in length units.

    Attributes
    ----------
    on_floor, on_wall, on_ceiling : bool
        Whether it stands, and whether it met a wall or a ceiling in the last move.
    floor_normal : Vec or None
        The floor's normal, where it stands.
    floor : int or None
        The row of the obstacle it stands on.
    crushed : bool
        Whether something that moves overlaps it, or in this move went over it, because it had nowhere to go. It then
        stays where it is until that has gone.

    Raises
    ------
    TypeError, ValueError
        With the argument at fault.

    Examples
    --------
    >>> level = cm.Shapes([cm.Box.from_corners((0, -1), (9, 0)), cm.Polygon([(4, 0), (9, 0), (9, 3)])])
    >>> hero = cm.Character(cm.Box((1, 0.5), (1, 1)), up=(0, 1))
    >>> _ = hero.move((0, -0.1), level)
    >>> hero.on_floor, hero.floor_normal
    (True, Vec(0.0, 1.0))
    >>> went = hero.move((5, -0.1), level)
    >>> hero.floor, round(went.position.x, 3), round(went.position.y, 3), went.heading
    (1, 5.644, 1.786, Vec(5.0, 0.0))
    """

    on_floor = on_wall = on_ceiling = crushed = False
    floor_normal: Vec | None = None
    floor: int | None = None
    _results = frozenset(("on_floor", "on_wall", "on_ceiling", "crushed", "floor_normal", "floor"))
    """Attributes that only a move changes."""

    @told_by_name
    def __init__(
        self,
        shape: Shape,
        *more: Never,
        up: PointLike,
        max_slope: float = math.pi / 4,
        snap: float | None = None,
        step_height: float = 0.0,
        **unknown: Never,
    ) -> None:
        where = "Character"
        if unknown:
            refuse_keywords(where, Character, unknown)
        if more:
            raise TypeError(f"{where}: takes one shape; give obstacles to each move, as move(translation, obstacles)")
        check_shape(where, "shape", shape)
        x, y = inputs.point(where, "up", up)
        if x == y == 0.0:
            inputs.refuse(ValueError, where, "up", up, "has no direction; it is (0, 1) where y points up")
        slope = inputs.number(where, "max_slope", max_slope)
        if not 0.0 <= slope < math.pi / 2:
            inputs.refuse(ValueError, where, "max_slope", max_slope, "must be from 0 to less than pi / 2, in radians")
        height = _length(where, "step_height", step_height)
        upward = Vec(x, y).normalized()
        if snap is None:
            depth = max(SNAP_SHARE * width_along(upward, shape), height)
        else:
            depth = _length(where, "snap", snap)
        self._limits = CharacterLimits(upward, slope, depth, height)
        self._shape: Shape = shape
        self._leave()

    def _leave(self) -> None:
        """Forget its floor and its surroundings."""
        self._found(on_floor=False, on_wall=False, on_ceiling=False, crushed=False, floor_normal=None, floor=None)
        self._standing_on: tuple[int, Vec] | None = None  # the key of its floor, and where it is, from its position
        self._dropped: frozenset[int] = frozenset()  # rows of one-way platforms it is dropping through
        self._crushing: frozenset[int] = frozenset()  # keys of all that overlapped it
        self._seen: Seen | None = None
        self._pushed: tuple[Pushed, ...] = ()

    def _found(self, **results: Any) -> None:
        """Keep results, which users cannot set."""
        vars(self).update(results)

    @property
    def shape(self) -> Shape:
        """The shape where it is now. Set it to crouch or grow: it is not checked to be free."""
        return self._shape

    @shape.setter
    def shape(self, shape: Shape) -> None:
        check_shape("Character.shape", "shape", shape)
        self._shape = shape

    @property
    def position(self) -> Vec:
        """Where it is now. Set it to put it elsewhere, without a sweep: it leaves its floor and its platform."""
        found: Vec = self._shape.position
        return found

    @position.setter
    def position(self, position: PointLike) -> None:
        x, y = inputs.point("Character.position", "position", position)
        self._shape = self._shape.translated(Vec(x, y) - self._shape.position)
        self._leave()

    @property
    def up(self) -> Vec:
        """Which way is up: a unit vector."""
        return self._limits.up

    @property
    def max_slope(self) -> float:
        """The steepest floor it stands on, radians."""
        return self._limits.max_slope

    @property
    def snap(self) -> float:
        """How far the floor may fall away before a walking character leaves it."""
        return self._limits.snap

    @property
    def step_height(self) -> float:
        """How high a step it walks up."""
        return self._limits.step_height

    @told_by_name
    def move(
        self,
        translation: PointLike,
        obstacles: Any,
        *,
        one_way: Any = None,
        drop: bool = False,
        push: float | None = None,
        dt: float | None = None,
        ignore: Any = None,
        mask: Any = None,
        **unknown: Never,
    ) -> CharacterMove:
        """Go one frame's way, as far as it can, after moving platforms have taken the character along.

        Parameters
        ----------
        translation : (x, y)
            The motion it wants to make, in length units: velocity times the length of the frame, gravity included.
        obstacles : a shape, Compound, Shapes, shapes in a list, Index, Level or World
            Obstacles around it. Bodies of a World and rows of an Index that moved since the last call carry and push.
        one_way : int or (k,) integers, optional
            Rows that block only shapes that come onto them from above. Bodies of a World say it themselves.
        drop : bool, default False
            Whether to drop through the one-way platforms it stands on.
        push : float, optional
            With a World, the largest force with which it pushes the dynamic bodies that it walks against, in mass x
            length / second^2. It pushes none if not given.
        dt : float, seconds, optional
            The length of the frame. A push needs it: it makes the bodies as fast as the character wants to be.
        ignore : int or (k,) integers, optional; for a World a Body or several
            Obstacles that are passed through.
        mask : a name, several names, or an int of bits, optional
            With an Index or a World, the layers that are met; all if not given.

        Returns
        -------
        CharacterMove(position, heading, carried, hits, pushed)

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the character is as before.
        """
        if unknown:
            refuse_keywords(WHERE, Character.move, unknown)
        way = new(Vec, inputs.point(WHERE, "translation", translation))
        dropping = inputs.truth(WHERE, "drop", drop)
        asked = checked(obstacles, one_way, ignore, mask)
        strength = _strength(asked.obstacles, push, dt)
        seen = self._seen if self._seen is not None and self._seen.obstacles is asked.obstacles else None
        with asked.obstacles._reading if isinstance(asked.obstacles, World | Index) else nullcontext():
            taken = self._carried(asked, seen, self._reach(way))
            terrain = taken.terrain
            played = _Play(self, taken.shape, terrain, dropping)
            crushing = self._squeezing(taken, played.mover.touch)
            crushed = taken.run_over or bool(crushing)
            heading = STILL if crushed else played.go(way)
            stands = seen is None and not np.count_nonzero(terrain.keys != STANDS)
            self._seen = None if stands else Seen(asked.obstacles, terrain)
        self._land(played, taken)
        self._crushing = crushing
        self._found(crushed=crushed)
        heading = self._push(asked.obstacles, played, way, heading, strength)
        kinds = played.mover.kind
        hits = tuple(CharacterHit(kinds(hit.normal), hit.point, hit.normal, hit.row) for hit in played.mover.hits)
        met = {hit.kind for hit in hits}
        self._found(on_wall="wall" in met, on_ceiling="ceiling" in met)
        pushed = tuple([one.row for one in self._pushed])
        return new(CharacterMove, (self.position, heading + STILL, taken.by, hits, pushed))  # turns -0.0 into 0.0

    def _push(self, world: Any, played: _Play, way: Vec, heading: Vec, strength: Strength | None) -> Vec:
        """Push the bodies that it walks against, and return the heading: it goes on as fast as they do."""
        before, self._pushed = self._pushed, ()
        along, mover = played.along(way), played.mover
        if strength is None or along == STILL or self.crushed:
            return heading
        self._pushed = push_bodies(world, self._shape, along, mover, self.floor, strength, before)
        blocking = {hit.row for hit in mover.hits if mover.kind(hit.normal) == WALL}
        if not blocking or not blocking <= {one.row for one in self._pushed}:
            return heading
        ahead, side = along.normalized(), way.dot(mover.right)
        speed = min((one.speed - one.lost) * one.direction.dot(ahead) for one in self._pushed)
        goes = min(max(speed * strength.dt, abs(heading.dot(mover.right))), abs(side))
        return heading + mover.right * (math.copysign(goes, side) - heading.dot(mover.right))

    def _reach(self, way: Vec) -> float:
        """Return how far it may get in all, from where it is."""
        return 2.0 * way.length + 2.0 * (self._limits.snap + self._limits.step_height) + size_of(self._shape)

    def _carried(self, asked: Asked, seen: Seen | None, reach: float) -> Carried:
        """Be taken along by platforms that moved, and look around there."""
        paths = seen.paths if seen else None
        terrain = terrain_around(asked, self._shape, reach, self.up, paths)
        if seen is not None:
            look = seen.moved
        elif isinstance(asked.obstacles, World):
            look = partial(arrived, asked.obstacles, self._shape)
        else:
            return Carried(self._shape, STILL, (), False, terrain)
        moved, rows = look(terrain)
        if not moved:
            return Carried(self._shape, STILL, (), False, terrain)
        far = max(one.travel(self._shape) for one in moved)
        terrain = terrain_around(asked, self._shape, reach + 2.0 * far, self.up, paths)
        moved, rows = look(terrain)
        return carried(self._shape, self._limits, terrain, moved, rows, self._standing_on)

    def _land(self, played: _Play, taken: Carried) -> None:
        """Keep the outcome of a move."""
        shape, ground, terrain = played.shape, played.ground, taken.terrain
        self._shape, self._dropped = shape, played.dropped
        self._found(on_floor=ground is not None, floor_normal=None, floor=None)
        self._standing_on = None
        if ground is not None:
            self._found(floor_normal=ground.normal, floor=ground.row)
            away = ground.point - shape.position
            self._standing_on = int(terrain.keys[terrain.rows == ground.row][0]), self.up * away.dot(self.up)

    def _squeezing(self, taken: Carried, deep: float) -> frozenset[int]:
        """Return the keys of the obstacles that overlap it since they came."""
        known = self._crushing.union(taken.overlapping)
        if not known:
            return frozenset()
        suspects = np.isin(taken.terrain.keys, list(known))
        if not suspects.any():
            return frozenset()
        gaps = separation(taken.terrain.near[suspects], taken.shape)
        return frozenset(taken.terrain.keys[suspects][gaps < -deep].tolist())

    def __repr__(self) -> str:
        state = [name for name in ("on_floor", "on_wall", "on_ceiling", "crushed") if getattr(self, name)]
        return f"<Character at {self.position}{''.join(', ' + name for name in state)}>"


class _Play:
    """One frame's motion of a character being played."""

    def __init__(self, character: Character, shape: Any, terrain: Terrain, drop: bool) -> None:
        limits = character._limits
        self.shape, self.stood = shape, character.on_floor
        self.row = -1 if character.floor is None else character.floor
        self.ground: Ground | None = None
        self.mover = GroundMover(terrain, shape, limits)
        self.dropped = self._dropping(character, terrain, self.mover.touch, drop)
        if self.dropped:
            self.mover = GroundMover(terrain.without(np.isin(terrain.rows, list(self.dropped))), shape, limits)

    def _dropping(self, character: Character, terrain: Terrain, touch: float, drop: bool) -> frozenset[int]:
        """Return the one-way platforms it goes through: until it is clear of them."""
        if not drop and not character._dropped:
            return frozenset()
        platforms = terrain.one_way.any(axis=1)
        if not platforms.any():
            return frozenset()
        if not drop:
            platforms &= np.isin(terrain.rows, list(character._dropped))
        elif not character.on_floor:
            return frozenset()
        rows = np.flatnonzero(platforms)
        if not rows.size:
            return frozenset()
        near = separation(terrain.near[rows], self.shape) <= touch
        return frozenset(terrain.rows[rows[near]].tolist())

    def along(self, way: Vec) -> Vec:
        """Return the part of a motion that is not along up, along its floor if it stands on one."""
        side = way.dot(self.mover.right)
        normal = self.mover.up if self.ground is None else self.ground.normal
        return new(Vec, (normal.y, -normal.x)) * side

    def go(self, way: Vec) -> Vec:
        """Play the motion, and return the heading left of it."""
        mover = self.mover
        lift, side = way.dot(mover.up), way.dot(mover.right)
        if mover.rises(way):
            self.shape, heading, _, _ = mover.fly(self.shape, way, way)
            return heading
        self.ground = self._found(side)
        heading, left = way, way
        for _ in range(LEGS_OF_WALK):
            if self.ground is None:
                self.shape, heading, self.ground, left = mover.fly(self.shape, left, heading)
                if self.ground is None:
                    break
            heading = mover.right * heading.dot(mover.right)
            ahead = left.dot(mover.right)
            if abs(ahead) <= mover.slop:
                break
            share = left.dot(mover.up) / abs(ahead)
            self.shape, self.ground, rest, blocked = mover.walk(self.shape, self.ground, ahead)
            fall = mover.up * (share * abs(heading.dot(mover.right)))
            if blocked:
                heading = STILL
            if self.ground is not None:
                break
            heading = heading + fall
            left = (STILL if blocked else mover.right * math.copysign(rest, ahead)) + mover.up * (share * rest)
        if self.ground is None:
            landed = mover.landed(self.shape, mover.touch)
            if landed is not None and lift <= FLOOR_SLACK * way.length:
                self.shape, self.ground = landed
                heading = mover.right * heading.dot(mover.right)
        return heading

    def _found(self, side: float) -> Ground | None:
        """Return the floor it stands on: no deeper than the snap if it stood on one before."""
        mover = self.mover
        landed = mover.landed(self.shape, mover.snap if self.stood else mover.touch)
        if landed is None and self.stood and side != 0.0:
            # On the edge of a step, on the way up or down: it stands as long as it goes on.
            along = mover.right if side > 0.0 else -mover.right
            if mover.is_at_edge(self.shape, along) and mover.stepped_up(self.shape, along, abs(side)) is not None:
                return Ground(mover.up, self.shape.position, self.row)
            landed = mover.stepped_down(self.shape, along)
        if landed is None:
            return None
        self.shape, ground = landed
        return ground


def _strength(obstacles: Any, push: Any, dt: Any) -> Strength | None:
    """Return the largest force and the length of the frame; None for a character that pushes nothing."""
    if push is None:
        return None
    force = _length(WHERE, "push", push)
    if not isinstance(obstacles, World):
        inputs.refuse(ValueError, WHERE, "push", push, "is for a World; other obstacles have no mass")
    if dt is None:
        raise TypeError(f"{WHERE}: push needs dt, the length of the frame in seconds")
    return Strength(force, inputs.size(WHERE, "dt", dt)) if force else None


def _length(where: str, name: str, value: Any) -> float:
    result = inputs.number(where, name, value)
    if result < 0.0:
        inputs.refuse(ValueError, where, name, value, "must not be negative")
    return result
