"""The surroundings of a character: the parts of obstacles it can meet, which of them are one-way, which may move.

In: a shape, how far it can get, and obstacles of any kind: a shape, `Shapes`, an `Index`, a `World`. Out: a `Terrain`,
the parts near the shape as a set, with the row and the identity of the obstacle each belongs to. World frame, user's
units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.types import Booleans, Floats, Integers
from carom.broad.index import Index
from carom.broad.queries import check_rows
from carom.character.move import obstacles_around, obstacles_of
from carom.character.slide import parts_of
from carom.shapes.basic import ConvexShape
from carom.shapes.bounds import bounds
from carom.shapes.set import Shapes
from carom.vector import Vec
from carom.world.body import Body
from carom.world.changes.settings import Call, bits_of_mask
from carom.world.step import tables as at
from carom.world.step.pairs.filters import PASS
from carom.world.world import World

WHERE = "Character.move"
STANDS = -1


class Terrain(NamedTuple):
    """The parts of obstacles near a character, one row each."""

    near: Shapes
    rows: Integers
    """(n,) the obstacle each part belongs to: its row in the set, the index or the world."""
    keys: Integers
    """(n,) its identity as long as it exists; -1 for parts that cannot move, as the shapes of a plain set."""
    one_way: Floats
    """(n, 2) the direction it blocks from; 0, 0 where it blocks from everywhere."""

    def without(self, gone: Booleans) -> Terrain:
        """Return the terrain less some parts."""
        if not gone.any():
            return self
        kept = ~gone
        return Terrain(self.near[kept], self.rows[kept], self.keys[kept], self.one_way[kept])


class Asked(NamedTuple):
    """Which obstacles a call of `Character.move` is about, checked."""

    obstacles: Any
    rows: Any
    """Rows that are passed through."""
    one_way: Integers
    mask: Any
    directions: Floats | None = None
    """(n, 2) the direction that each row of a level blocks from; 0, 0 for its solids."""


def checked(obstacles: Any, one_way: Any, ignore: Any, mask: Any) -> Asked:
    """Return the user's request, or refuse it."""
    if isinstance(obstacles, World):
        return _checked_world(obstacles, one_way, ignore, mask)
    obstacles, directions = obstacles_of(WHERE, obstacles)
    if mask is not None and not isinstance(obstacles, Index):
        inputs.refuse(ValueError, WHERE, "mask", mask, "is for an Index or a World; Shapes have no layers")
    passed, platforms = _numbers("ignore", ignore, obstacles, -1), _numbers("one_way", one_way, obstacles, 0)
    return Asked(obstacles, passed, platforms, mask, directions)


def _numbers(name: str, value: Any, obstacles: Shapes | Index, least: int) -> Integers:
    """Return rows of the obstacles as an array (k,)."""
    if value is None:
        return np.zeros(0, dtype=np.int64)
    numbers = np.atleast_1d(inputs.whole_numbers(WHERE, name, value)).ravel()
    if isinstance(obstacles, Index):
        check_rows(WHERE, name, numbers, least, obstacles._slots.slot_of.size)
    elif ((numbers < least) | (numbers >= len(obstacles))).any():
        expected = f"must be rows from 0 to {len(obstacles) - 1}" + (", or -1" if least < 0 else "")
        inputs.refuse(
            ValueError, WHERE, name, value, expected if len(obstacles) else "must be empty: there are no rows"
        )
    return numbers


def _checked_world(world: World, one_way: Any, ignore: Any, mask: Any) -> Asked:
    if one_way is not None:
        inputs.refuse(ValueError, WHERE, "one_way", one_way, "is not for a World: say it in World.add(one_way=...)")
    layers = bits_of_mask(Call(WHERE, "", world._store.layers.asked()), "mask", mask)
    passed: Any = []
    if isinstance(ignore, Body):
        passed = [world._own(WHERE, "ignore", ignore)]
    elif ignore is not None:
        passed = world._own_all(WHERE, "ignore", ignore)
    return Asked(world, np.array(passed, dtype=np.int64), np.zeros(0, dtype=np.int64), layers)


def terrain_around(asked: Asked, shape: Any, reach: float, up: Vec, paths: Paths | None) -> Terrain:
    """Return the parts that a shape can meet within `reach`; of a world also those that have come by since."""
    if isinstance(asked.obstacles, World):
        return _around_in_world(asked, shape, reach, paths)
    passed = asked.rows if asked.rows.size else None
    near, rows = obstacles_around(WHERE, shape, reach, asked.obstacles, passed, asked.mask)
    own = np.zeros((len(rows), 2)) if asked.directions is None else asked.directions[rows]
    one_way = own
    if asked.one_way.size:
        one_way = np.where(np.isin(rows, asked.one_way)[:, None], up, own).reshape(-1, 2)
    keys = rows if isinstance(asked.obstacles, Index) else np.full(len(rows), STANDS)
    return Terrain(near, rows, keys, one_way)


class Paths(NamedTuple):
    """Where the moving bodies of a world were, by row."""

    serials: Integers
    origins: Floats
    """(n, 2) the point of the body that goes straight, and that it turns about."""
    angles: Floats

    @classmethod
    def of(cls, world: World) -> Paths:
        """Return where they are now."""
        bodies = world._tables.bodies[: int(world._tables.state["bodies"][0])]
        return cls(bodies["serial"].copy(), np.column_stack((bodies["x"], bodies["y"])), bodies["angle"].copy())

    @classmethod
    def before(cls, world: World) -> Paths:
        """Return where they were when the last step began, or were put since."""
        count = int(world._tables.state["bodies"][0])
        courses, serials = world._tables.courses[:count], world._tables.bodies["serial"][:count]
        origins = np.column_stack((courses["start_x"], courses["start_y"]))
        return cls(serials.copy(), origins, courses["start_angle"].copy())


def _around_in_world(asked: Asked, shape: Any, reach: float, paths: Paths | None) -> Terrain:
    world: World = asked.obstacles
    bodies = world._tables.bodies[: int(world._tables.state["bodies"][0])]
    solid = (bodies["kind"] != at.GONE) & (bodies["sensor"] == 0) & (bodies["response"] != PASS)
    solid &= (asked.mask & bodies["layer"]) != 0
    solid[asked.rows] = False
    low_x, low_y, high_x, high_y = bounds(shape)
    # As far again as a body reaches: what comes from there is to be known when it arrives.
    grown = reach + 3.0 * bodies["sweep"]
    x, y = bodies["x"], bodies["y"]
    from_x, from_y = x, y
    if paths is not None:
        known = np.flatnonzero(paths.serials == bodies["serial"][: len(paths.serials)])
        now = Paths.of(world).origins[known]
        from_x, from_y = x.copy(), y.copy()
        from_x[known] += paths.origins[known, 0] - now[:, 0]
        from_y[known] += paths.origins[known, 1] - now[:, 1]
    solid &= (np.minimum(x, from_x) <= high_x + grown) & (np.maximum(x, from_x) >= low_x - grown)
    solid &= (np.minimum(y, from_y) <= high_y + grown) & (np.maximum(y, from_y) >= low_y - grown)
    parts: list[ConvexShape] = []
    owners: list[int] = []
    for row in np.flatnonzero(solid).tolist():
        pieces = parts_of(world._store.shape_now(row))
        parts += pieces
        owners += [row] * len(pieces)
    rows = np.array(owners, dtype=np.int64)
    keys = np.where(bodies["kind"][rows] == at.STATIC, STANDS, bodies["serial"][rows])
    one_way = np.column_stack((bodies["one_way_x"][rows], bodies["one_way_y"][rows]))
    return Terrain(Shapes(parts), rows, keys, one_way)
