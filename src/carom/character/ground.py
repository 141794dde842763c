"""How a character goes: it walks along floors, steps up, falls, and flies, each a number of casts among its terrain.

In: a shape, the terrain around it, the direction up and the limits of its climbing. Out: where it is then, its
hits, and the ground it stands on. It moves only along paths that are cast, so that it passes through nothing, however
fast. Floors, walls and ceilings are told apart by their normals alone. World frame, user's units.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

from carom._core.quick import new
from carom._core.types import Floats
from carom.character.rules import FLIES, LANDS, STOPS, WALKS, rule_of
from carom.character.slide import STILL, Legs, Move, MoveHit, width_along
from carom.character.surroundings import Terrain
from carom.tolerances import FLOOR_SLACK, LEGS_OF_WALK, TOUCH_SLOPS
from carom.vector import Vec, cos_sin

FLOOR, WALL, CEILING = "floor", "wall", "ceiling"
PROBES = (1.0, 0.5, 0.25, 0.125)  # half widths ahead at which it is tried whether it could stand there


class CharacterLimits(NamedTuple):
    """How steep, how deep and how high a character can go, and which way is up."""

    up: Vec
    max_slope: float
    snap: float
    step_height: float


class Ground(NamedTuple):
    """The ground that a character stands on."""

    normal: Vec
    point: Vec
    row: int


@functools.lru_cache(maxsize=64)
def rules_for(up: Vec, least: float) -> tuple[Floats, ...]:
    """Return the rules of a character that stops, flies, lands, walks to the right and to the left."""
    ways = *((act, up) for act in (STOPS, FLIES, LANDS)), (WALKS, Vec(up.y, 0.0 - up.x)), (WALKS, Vec(0.0 - up.y, up.x))
    return tuple([rule_of(act, 1.0, up, along, least) for act, along in ways])


class GroundMover:
    """One character's ways to go in one terrain; the hits are written down in `hits`."""

    def __init__(self, terrain: Terrain, shape: Any, limits: CharacterLimits) -> None:
        self.terrain, self.limits, self.up = terrain, limits, limits.up
        self.right = new(Vec, (self.up.y, 0.0 - self.up.x))
        cosine, sine = cos_sin(limits.max_slope)
        self.least = max(cosine - FLOOR_SLACK, FLOOR_SLACK)  # of a floor's normal along up
        self.legs = Legs(shape, terrain.near, terrain.rows, terrain.one_way)
        self.slop = self.legs.slop
        # Sinking by this makes sure to meet any floor in touch, however steep.
        self.touch = TOUCH_SLOPS * self.slop / max(cosine, FLOOR_SLACK)
        self.half_width = 0.5 * width_along(self.right, shape)
        self.snap = max(limits.snap, self.touch)
        # In one leg no floor falls away by more than it may be snapped to.
        self.stride = min(0.5 * limits.snap / max(sine, FLOOR_SLACK), 2.0 * self.half_width)
        self.hits: list[MoveHit] = []
        self.stops, self.flies, self.lands, *self.walks = rules_for(self.up, self.least)

    def kind(self, normal: Vec) -> str:
        """Tell a floor, a wall and a ceiling apart."""
        upward = normal.dot(self.up)
        return FLOOR if upward >= self.least else CEILING if upward <= -self.least else WALL

    def ground(self, hits: tuple[MoveHit, ...], shape: Any) -> Ground | None:
        """Return the ground among the things met at the end of a way down: the flattest floor, or two walls."""
        last = [hit for hit in hits if hit.fraction == hits[-1].fraction]
        floors = [hit for hit in last if self.kind(hit.normal) == FLOOR]
        if floors:
            best = floors[0]
            if len(floors) > 1:
                middle, up, right = shape.position, self.up, self.right
                best = min(floors, key=lambda hit: (-hit.normal.dot(up), abs((hit.point - middle).dot(right)), hit.row))
            return new(Ground, (best.normal, best.point, best.row))
        walls = [hit for hit in last if hit.normal.dot(self.up) > FLOOR_SLACK]
        sides = [hit.normal.dot(self.right) for hit in walls]
        if walls and min(sides) < 0.0 < max(sides):
            return Ground(self.up, walls[0].point, walls[0].row)
        return None

    def lowered(self, shape: Any, depth: float) -> Move:
        """Let it down until it meets anything."""
        return self.legs.play(shape, self.up * -depth, self.stops)

    def landed(self, shape: Any, depth: float) -> tuple[Any, Ground] | None:
        """Let it down onto a floor that is no deeper than that; None if there is none."""
        down = self.lowered(shape, depth)
        found = self.ground(down.hits, down.shape)
        return None if found is None else (down.shape, found)

    def walk(self, shape: Any, ground: Ground, side: float) -> tuple[Any, Ground | None, float, bool]:
        """Walk a signed distance along the floor; return the shape, the floor, the rest, whether it is blocked.

        The floor is None where it falls away by more than the snap; then it falls, straight down if it is blocked.
        """
        along = self.right if side > 0.0 else -self.right
        left = abs(side)
        stride = max(self.stride, left / LEGS_OF_WALK) if self.stride > self.touch else left

        rule = self.walks[0 if side > 0.0 else 1]
        for _ in range(4 * LEGS_OF_WALK):
            if left <= self.slop:
                return shape, ground, 0.0, False
            way = self._tangent(ground.normal, along) * min(left, stride)
            went = self.legs.play(shape, way, rule)
            gone = max(way.length - went.rest.length, 0.0)
            shape, left = went.shape, max(left - gone, 0.0)
            blocked = went.heading == STILL
            landed = None if blocked else self.landed(shape, self.snap)
            if landed is not None:
                shape, ground = landed
                continue
            stepped = None
            if blocked or self.is_at_edge(shape, along):
                stepped = self.stepped_up(shape, along, min(left, stride))
            elif (lower := self.stepped_down(shape, along)) is not None:
                shape, ground = lower
                continue
            if stepped is not None:
                shape, ground, gone = stepped
                left = max(left - gone, 0.0)
            elif blocked:
                self.hits += went.hits
                landed = self.landed(shape, self.snap)
                return (shape, None, left, True) if landed is None else (*landed, left, True)
            else:
                return shape, None, left, False
        return shape, ground, left, True

    def is_at_edge(self, shape: Any, along: Vec) -> bool:
        """Tell whether it lies on something ahead that is too steep to stand on: perhaps the edge of a step."""
        # A way down alone hardly comes closer to a surface next to upright.
        ways = (self.up * -self.touch, (along - self.up) * self.touch)
        hits = [hit for way in ways for hit in self.legs.play(shape, way, self.stops).hits]
        return self._lies_on_edge(hits, along)

    def stepped_down(self, shape: Any, along: Vec) -> tuple[Any, Ground] | None:
        """Return it let down onto the edge of a step behind it, if farther on it could stand; None if there is none."""
        down = self.lowered(shape, self.snap)
        if self._lies_on_edge(down.hits, -along) and self._could_stand_ahead(shape, along, self.snap):
            return self._on_edge(down)
        return None

    def _lies_on_edge(self, hits: Iterable[MoveHit], along: Vec) -> bool:
        """Tell whether something that was met carries, if only a little, and faces against a direction."""
        return any(hit.normal.dot(self.up) > FLOOR_SLACK and hit.normal.dot(along) < 0.0 for hit in hits)

    def _could_stand_ahead(self, shape: Any, along: Vec, depth: float) -> bool:
        """Tell whether it could stand within half its width ahead, no deeper than that."""
        ahead = (self.legs.play(shape, along * (share * self.half_width), self.stops).shape for share in PROBES)
        return any(self.landed(probe, depth) is not None for probe in ahead)

    def _on_edge(self, down: Move) -> tuple[Any, Ground]:
        """Return it where it was let down onto an edge, which carries it as a level floor does."""
        return down.shape, Ground(self.up, down.hits[-1].point, down.hits[-1].row)

    def _tangent(self, normal: Vec, along: Vec) -> Vec:
        tangent = new(Vec, (normal.y, -normal.x))
        return tangent if tangent.dot(along) > 0.0 else -tangent

    def stepped_up(self, shape: Any, along: Vec, way: float) -> tuple[Any, Ground, float] | None:
        """Return it on top of a low step ahead, or on its edge, and how far along; None if there is none.

        A round foot meets the edge of a step long before it stands on top: it is let onto the edge if farther on it
        could stand, so that it need not be fast to climb.
        """
        height = self.limits.step_height
        if height <= self.touch:
            return None
        raised = self.legs.play(shape, self.up * height, self.stops).shape
        rise = (raised.position - shape.position).dot(self.up)
        if rise <= self.touch:
            return None
        ahead = self.legs.play(raised, along * min(way, max(self.half_width, self.touch)), self.stops).shape
        gone = (ahead.position - raised.position).dot(along)
        if gone <= self.slop:
            return None
        landed = self.landed(ahead, rise + self.touch)
        if landed is not None:
            return *landed, gone
        if self._could_stand_ahead(raised, along, rise):
            down = self.lowered(ahead, rise + self.touch)
            if down.hits:
                return *self._on_edge(down), gone
        return None

    def fly(self, shape: Any, way: Vec, whole: Vec) -> tuple[Any, Vec, Ground | None, Vec]:
        """Fly and slide until it lands; return the shape, the heading until then, the floor, the rest of the way.

        The heading is `whole` after all slides, of which `way` is left. A rising shape does not land: it slides up a
        floor.
        """
        falls = not self.rises(way)
        went = self.legs.play(shape, way, self.lands if falls else self.flies)
        heading = self.legs.asked if went.hits else way
        self.hits += went.hits
        ground = self.ground(went.hits, went.shape) if falls and went.heading == STILL else None
        if ground is None:
            heading = went.heading
        whole = whole if heading == way else heading * (whole.length / way.length)
        return went.shape, whole, ground, went.rest

    def rises(self, way: Vec) -> bool:
        """Tell whether a motion goes up; one that goes along a level floor, up to rounding, does not."""
        return way.dot(self.up) > FLOOR_SLACK * way.length
