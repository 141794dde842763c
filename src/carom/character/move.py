"""Move one shape among obstacles: as far as it can go, sliding, bouncing or stopping at each of them.

In: a shape, the translation it wants to make, obstacles that stand. Out: where it ends, the hits in order, and the rest
of the motion. World frame, user's units. `legs.play_legs` plays the motion leg by leg. Every leg is a cast, so the
mover passes through nothing at any speed, and flush obstacles are one surface.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.flat import flat
from carom._core.inputs import PointLike, PointsLike
from carom._core.layers import AnyLayer
from carom._core.names import names_near, refuse_keywords, told_by_name
from carom._core.overloads import typed_by_overloads
from carom._core.types import Booleans, Floats, Integers
from carom.broad.index import Index
from carom.character.near import NO_ROWS, box_around, obstacles_near
from carom.character.rules import SLIDES, STOPS, rule_of
from carom.character.slide import STILL, Legs, Move, MovedShape, MoveHit, parts_of
from carom.character.swept import any_on_way
from carom.shapes.basic import Box, ConvexShape, Shape
from carom.shapes.given import AnyShape, ManyShapes, set_of, shapes_of
from carom.shapes.set import Shapes
from carom.tolerances import EPSILON, LARGEST
from carom.vector import Vec, new
from carom.world.body import Body
from carom.world.questions.around import solids_around
from carom.world.world import World

MoveResponse = Literal["slide", "bounce", "stop"]
MANY_MOVERS = 64  # so many are looked at together before those that meet something are played
STOP, SLIDE = rule_of(STOPS), rule_of(SLIDES)
RESPONSES: tuple[MoveResponse, ...] = ("slide", "bounce", "stop")


class MoveOptions(TypedDict, total=False):
    """Options of `move`."""

    response: MoveResponse
    restitution: float
    ignore: Body | ArrayLike | Iterable[Body] | None
    mask: AnyLayer | None


class BodyMoveHit(MoveHit):
    """One body that was met on the way: a `MoveHit` that knows the body."""

    body: Body
    """The body; `row` is its row."""


@overload
def move(
    shape: MovedShape, translation: PointLike, obstacles: AnyShape | Index | World, **options: Unpack[MoveOptions]
) -> Move[MovedShape]: ...


@overload
def move(
    shape: ManyShapes,
    translation: PointLike | PointsLike,
    obstacles: AnyShape | Index | World,
    **options: Unpack[MoveOptions],
) -> MoveColumns: ...


@typed_by_overloads
@told_by_name
def move(
    shape: Any,
    translation: Any,
    obstacles: Any,
    *,
    response: MoveResponse = "slide",
    restitution: float = 1.0,
    ignore: Any = None,
    mask: Any = None,
    **unknown: Any,
) -> Any:
    """Move a shape, or many, among obstacles that stand, as far as each can go.

    Parameters
    ----------
    shape : a shape or Compound; Shapes, or shapes in a list
        The mover. It does not turn. Of many, each moves among all obstacles; movers ignore one another.
    translation : (x, y); (n, 2) for many, or one for all
        The motion it wants to make, in length units; any length.
    obstacles : a shape, Compound, Shapes, shapes in a list, Index, Level or World
        Shapes that stand in the way. For many moves among many obstacles an Index is quickest. A Level blocks with its
        solids and, against their directions, with its one-way edges; its triggers never block. The bodies of a World
        block where they are now, one-way ones against their directions; its sensors and bodies that let pass do not.
    response : "slide", "bounce" or "stop"
        Response to a hit: go on along the surface, be thrown back, or stay.
    restitution : float from 0 to 1, default 1
        For "bounce": speed after a hit over speed before.
    ignore : int or (k,) integers, optional; for many int, (n,) or (n, k)
        Rows that are passed through; -1 for none. In a World also a Body, or several for one mover.
    mask : a name, a tuple of names, or an int of bits, optional
        With an Index or a World, the layers that are seen; all if not given.

    Returns
    -------
    Move(position, hits, rest, heading, shape); MoveColumns(position, rest, heading, shapes, hits) for many
        The overlap left is at most the motion slop: 1e-12 of the size or 16 units in the last place of the largest
        coordinate. Rows are those of obstacles; the hits of one mover in a World have their ``body``, too.

    Raises
    ------
    TypeError
        If `shape` or `obstacles` holds no shapes.
    ValueError
        If `translation` is not finite, `response` unknown or `restitution` beyond 0 to 1.

    Notes
    -----
    Where the mover starts in touch with something, leaving it and sliding along it are never blocked. Where it starts
    in overlap, that is a hit at fraction 0 which takes away the motion farther in; all other ways are open. A Point or
    Segment that starts exactly on a line comes from where its motion does: it meets the line at fraction 0, and stays
    on that side from then on.

    Examples
    --------
    >>> floor = cm.Shapes.boxes([(0, -0.5), (1, -0.5), (2, -0.5), (3.5, 0.5)], [(1, 1), (1, 1), (1, 1), (1, 1)])
    >>> went = cm.move(cm.Circle((0, 1), 0.5), (1.5, -2), floor)
    >>> went.position, [hit.normal for hit in went.hits]
    (Vec(1.5, 0.5), [Vec(0.0, 1.0)])
    >>> cm.move(cm.Circle((0, 1), 0.5), (0, -2), floor, response="bounce").position
    Vec(0.0, 2.0)
    """
    if unknown:
        refuse_keywords("move", move, unknown)
    rule = _response("move", response, restitution)
    among = obstacles_of("move", obstacles)
    if not isinstance(shape, Shape):
        shape = shapes_of("move", "shape", shape)
    if isinstance(shape, Shapes):
        return _move_many(shape, translation, among, rule, ignore, mask)
    return _play(shape, Vec(*inputs.point("move", "translation", translation)), among, rule, ignore, mask)


@names_near
class MoveHitLists(NamedTuple):
    """All hits of each mover in the order of time: those of mover k are offsets[k] to offsets[k + 1]."""

    offsets: Integers
    """(n + 1,)"""
    fraction: Floats
    """(m,)"""
    point: Floats
    """(m, 2)"""
    normal: Floats
    """(m, 2)"""
    row: Integers
    """(m,) the row of the obstacle."""
    overlapping: Booleans
    """(m,)"""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are query, which is the mover, fraction, x, y, nx, ny, row, overlapping.
        """
        return flat(self._asdict())


@names_near
class MoveColumns(NamedTuple):
    """`Move` for each mover."""

    position: Floats
    """(n, 2)"""
    rest: Floats
    """(n, 2)"""
    heading: Floats
    """(n, 2)"""
    shapes: Shapes
    """The shapes where they are now."""
    hits: MoveHitLists

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the ends of the motions as a dict of arrays (n,) for a data frame; `hits` has a table of its own.

        These are x, y, rest_x, rest_y, heading_x, heading_y, hits (their number).
        """
        ends = flat({name: getattr(self, name) for name in ("position", "rest", "heading")})
        return {**ends, "hits": np.diff(self.hits.offsets)}


Obstacles = tuple[Shapes | Index | World, Floats | None]
"""The obstacles, and the direction that each row of a level blocks from; a World knows those of its bodies."""


def _play(shape: Any, way: Vec, among: Obstacles, rule: Floats, ignore: Any, mask: Any) -> Move:
    """Move one shape."""
    if ignore is mask is among[1] is None and isinstance(shape, ConvexShape) and is_free(shape, way, among[0]):
        went = shape if way == STILL else shape.translated(way)
        return Move(went.position, (), STILL, way, went)
    reach = way.length * (1.0 + 4.0 * EPSILON)
    if isinstance(among[0], World):
        return _play_in_world(shape, way, reach, among[0], rule, ignore, mask)
    near, rows = obstacles_around("move", shape, reach, among[0], ignore, mask)
    return Legs(shape, near, rows, None if among[1] is None else among[1][rows]).play(shape, way, rule)


def _play_in_world(shape: Any, way: Vec, reach: float, world: World, rule: Floats, ignore: Any, mask: Any) -> Move:
    """Move one shape among the bodies of a world."""
    low_x, low_y, high_x, high_y = box_around(shape)
    box = low_x - reach, low_y - reach, high_x + reach, high_y + reach
    went = Legs(shape, *solids_around(world, "move", box, mask, ignore)).play(shape, way, rule)
    hits = tuple([new(BodyMoveHit, tuple(hit)) for hit in went.hits])
    for hit in hits:
        hit.body = world.body(hit.row)
    return went._replace(hits=hits)


def is_free(shape: ConvexShape, way: Vec, obstacles: Shapes | Index | World) -> bool:
    """Tell whether a shape surely meets nothing on a straight way: no box of an obstacle meets the box of its way."""
    if isinstance(obstacles, Shapes):
        return not any_on_way(shape._record, way.x, way.y, obstacles._buffer, obstacles._starts)
    low_x, low_y, high_x, high_y = box_around(shape)
    room = 4.0 * EPSILON * (max(map(abs, (low_x, low_y, high_x, high_y))) + way.length)
    lower = low_x + min(way.x, 0.0) - room, low_y + min(way.y, 0.0) - room
    upper = high_x + max(way.x, 0.0) + room, high_y + max(way.y, 0.0) + room
    if not (-LARGEST <= lower[0] < upper[0] <= LARGEST and -LARGEST <= lower[1] < upper[1] <= LARGEST):
        return False
    found = obstacles.query(Box.from_corners(lower, upper))
    return not len(found)


def obstacles_of(where: str, obstacles: Any) -> Obstacles:
    """Return obstacles as a set or an Index; a level blocks with its solids and one-way edges."""
    if isinstance(obstacles, Index | World):
        return obstacles, None
    blocking: Obstacles | None = getattr(obstacles, "_blocking", None)
    return blocking or (set_of(where, "obstacles", obstacles), None)


def _move_many(shapes: Shapes, translations: Any, obstacles: Any, rule: Floats, ignore: Any, mask: Any) -> MoveColumns:
    """Move each row of a set among the same obstacles; movers ignore one another."""
    ways = inputs.vectors("move", "translation", translations, len(shapes))
    passed = None if ignore is None else inputs.whole_numbers("move", "ignore", ignore)
    if passed is not None and passed.ndim and len(passed) != len(shapes):
        wrong = f"move: ignore has shape {passed.shape}; it must be one row number"
        raise ValueError(f"{wrong}, ({len(shapes)},) or ({len(shapes)}, k): one row, or as many for each mover")
    free = _free_rows(shapes, ways, obstacles) if passed is mask is None else np.zeros(len(shapes), dtype=np.bool_)
    played = np.flatnonzero(~free)
    went = []
    for row in played.tolist():
        own = passed[row] if passed is not None and passed.ndim else passed
        went.append(_play(shapes[row], Vec(*ways[row].tolist()), obstacles, rule, own, mask))
    hits = [hit for one in went for hit in one.hits]
    fractions, rows = np.array([hit.fraction for hit in hits]), np.array([hit.row for hit in hits], dtype=np.int64)
    overlapping = np.array([hit.overlapping for hit in hits], dtype=np.bool_)
    counts = np.zeros(len(shapes), dtype=np.int64)
    counts[played] = [len(one.hits) for one in went]
    lists = MoveHitLists(
        np.append(0, np.cumsum(counts)),
        fractions,
        _vectors(hit.point for hit in hits),
        _vectors(hit.normal for hit in hits),
        rows,
        overlapping,
    )
    moved = shapes[free].translated(ways[free])
    if played.size:
        order = np.argsort(np.concatenate((np.flatnonzero(free), played)))
        moved = Shapes.concatenate([moved, Shapes([one.shape for one in went])])[order]
    rest, heading = np.zeros_like(ways), ways.copy()
    rest[played], heading[played] = _vectors(one.rest for one in went), _vectors(one.heading for one in went)
    return MoveColumns(moved.positions, rest, heading, moved, lists)


def _free_rows(shapes: Shapes, ways: Floats, obstacles: Obstacles) -> Booleans:
    """Tell which of many shapes surely meet nothing on straight ways, as `is_free`."""
    among, one_way = obstacles
    free = np.zeros(len(shapes), dtype=np.bool_)
    if one_way is not None or len(shapes) < MANY_MOVERS:
        return free
    index = among if isinstance(among, Index | World) else Index(among)
    bounds_of = shapes.bounds
    room = 4.0 * EPSILON * (np.abs(bounds_of).max(axis=1) + np.abs(ways).sum(axis=1))[:, None]
    lower = bounds_of[:, :2] + np.minimum(ways, 0.0) - room
    upper = bounds_of[:, 2:] + np.maximum(ways, 0.0) + room
    known = ((lower < upper) & (lower >= -LARGEST) & (upper <= LARGEST)).all(axis=1)
    found = index.query(Shapes.boxes(bounds=np.hstack((lower, upper))[known]))
    free[known] = np.diff(found.offsets) == 0
    return free


def _vectors(values: Iterable[Vec]) -> Floats:
    """Return vectors as an array (n, 2)."""
    return np.array([*values]).reshape(-1, 2)


def _response(where: str, name: Any, restitution: Any) -> Floats:
    """Return the rule for a motion at a surface."""
    if not isinstance(name, str) or name not in RESPONSES:
        inputs.refuse(ValueError, where, "response", name, f"must be one of {', '.join(map(repr, RESPONSES))}")
    back = inputs.number(where, "restitution", restitution)
    if not 0.0 <= back <= 1.0:
        inputs.refuse(ValueError, where, "restitution", back, "must lie between 0 and 1")
    if name == "stop":
        return STOP
    return SLIDE if name == "slide" else rule_of(SLIDES, 1.0 + back)


def obstacles_around(
    where: str, shape: Shape, reach: float, obstacles: Any, ignore: Any, mask: Any
) -> tuple[Shapes, Integers]:
    """Return the obstacles that can be met at all on a way so long, wherever it turns to, and their rows."""
    if isinstance(obstacles, Index):
        low_x, low_y, high_x, high_y = box_around(shape)
        obstacles._filters(where, 1, mask, ignore, True)  # so that errors name the caller
        lower = max(low_x - reach, -LARGEST), max(low_y - reach, -LARGEST)
        upper = min(high_x + reach, LARGEST), min(high_y + reach, LARGEST)
        if lower[0] < upper[0] and lower[1] < upper[1]:
            around: ConvexShape = Box.from_corners(lower, upper)
        else:  # a Point or a straight Segment that stands still
            around = parts_of(shape)[0]
        with obstacles._reading:  # the shapes are those that were found
            rows = obstacles.query(around, ignore=ignore, mask=mask)
            return obstacles._row_shapes.of(rows), rows
    if mask is not None:
        inputs.refuse(ValueError, where, "mask", mask, "is for an Index; Shapes have no layers")
    passed = NO_ROWS
    if ignore is not None:
        passed = np.atleast_1d(inputs.whole_numbers(where, "ignore", ignore)).ravel()
        if ((passed < -1) | (passed >= len(obstacles))).any():
            inputs.refuse(ValueError, where, "ignore", ignore, f"must be rows from 0 to {len(obstacles) - 1}, or -1")
    return obstacles_near(shape, reach, obstacles, passed)
