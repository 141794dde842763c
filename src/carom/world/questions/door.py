"""Questions to a world, as the user asks them: one call or many at once.

In: what the user passed. Out: answers that name bodies; or an error that names the wrong value. One question about one
shape, point or ray goes straight to one kernel. User's frame and units.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.threads import ONE, checked
from carom._core.types import Floats, Integers
from carom.broad.answers import CastColumns, Neighbors, RowLists, cast_numbers, first_of
from carom.broad.index import MANY
from carom.broad.queries import (
    ALL,
    common_length,
    distances,
    filters_of,
    lengths_of_motions,
    point_queries,
    rays_of,
    shape_queries,
    spread,
    vectors_of,
)
from carom.broad.single import NO_SHAPE, ROOM
from carom.narrow.dispatch import are_many, flattened, in_shape, points_or_shapes, run
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.shapes.base import ConvexShape
from carom.shapes.compound import Compound
from carom.shapes.given import shapes_of
from carom.shapes.proxy import POINTS, STRIDE
from carom.shapes.set import Shapes
from carom.world.body import Body
from carom.world.questions import of_compound
from carom.world.questions.again import Motions
from carom.world.questions.answers import BodyList, neighbors, ray_hit, shape_hit
from carom.world.questions.asked import hits_of_rays, hits_of_shapes, near_rows, nearest_rows_of, touched
from carom.world.questions.scene import Scene, scene_of
from carom.world.questions.single import (
    ASK,
    NONE,
    first_hit_of_ray,
    first_hit_of_shape,
    nearest_of_one,
    rows_of_one,
    table_of,
)
from carom.world.questions.walk import view_of
from carom.world.store import Store

One = Any
"""A tuple: the bits of the layers that are seen, the row passed by, whether sensors are seen, the size of records."""


def raycast(world: Any, origin: Any, translation: Any, mask: Any, ignore: Any, sensors: Any, threads: Any) -> Any:
    """Return what each ray meets first."""
    where = "World.raycast"
    one = _one(world, where, mask, ignore, sensors, threads)
    if one is not None and (pairs := inputs.plain_pairs(origin, translation)) is not None:
        found = first_hit_of_ray(_addresses(world), *pairs, *one)
        if found[0] != ASK:
            return ray_hit(world, found) if found[0] != NONE else None
    lead, starts, motions, single = rays_of(where, origin, translation)
    passed = passed_rows(world, where, ignore)
    if lead is not None:
        mask, passed = spread(where, "mask", mask, lead), spread(where, "ignore", passed, lead)
    asked = point_queries(starts, *filters_in(world, where, len(motions), mask, passed, single))
    columns = hits_of_rays(where, world_as_asked(world, where, sensors), asked, motions, checked(where, threads))
    if single:
        first = first_of(columns)
        return ray_hit(world, (*first, world._serial(first[0]))) if columns.hit[0] else None
    return columns if lead is None else in_shape(lead, columns)


def raycast_all(world: Any, origin: Any, translation: Any, mask: Any, ignore: Any, sensors: Any, threads: Any) -> Any:
    """Return all that one ray meets, each body once, the nearest first: each ray passes by what those before met."""
    where = "World.raycast"
    if are_many(origin) or are_many(translation):
        inputs.refuse(ValueError, where, "all", True, "is for one ray; call it for each")
    met: list[Any] = []
    passed = _listed(world, where, ignore)
    while (hit := raycast(world, origin, translation, mask, passed, sensors, threads)) is not None:
        met.append(hit)
        passed.append(hit.body)
    return met


def _listed(world: Any, where: str, ignore: Any) -> list[Any]:
    """Return bodies that are passed by as a list of its own; rows become bodies, of which -1 is none."""
    given = [] if ignore is None else [ignore] if isinstance(ignore, Body | int | np.integer) else [*ignore]
    plain = [one if isinstance(one, Body) else inputs.integer(where, "ignore", one) for one in given]
    return [world.body(one) if isinstance(one, int) else one for one in plain if isinstance(one, Body) or one >= 0]


def of_body(world: Any, where: str, body: Body, ignore: Any) -> tuple[Any, Any]:
    """Return the shape of a body that is asked about, and the bodies that are passed by: a body of the world, too."""
    if body not in world:
        return body.shape, ignore
    return body.shape, body if ignore is None else [*_listed(world, where, ignore), body]


def cast(
    world: Any,
    shape: Any,
    translation: Any,
    rotation: Any,
    pivot: Any,
    mask: Any,
    ignore: Any,
    sensors: Any,
    threads: Any,
) -> Any:
    """Return what each moving shape meets first."""
    where = "World.cast"
    if type(shape) is Body:
        shape, ignore = of_body(world, where, shape, ignore)
    if pivot is None and type(rotation) is float and rotation == 0.0 and isinstance(shape, ConvexShape):
        one = _one(world, where, mask, ignore, sensors, threads)
        if one is not None and inputs.is_pair(translation):
            way = inputs.point(where, "translation", translation)
            found = first_hit_of_shape(_addresses(world), shape._record, *way, *one)
            if found[0] != ASK:
                return shape_hit(world, found) if found[0] != NONE else None
    value: Any = shapes_of(where, "shape", shape)
    passed, scene, shared = (
        passed_rows(world, where, ignore),
        world_as_asked(world, where, sensors),
        checked(where, threads),
    )
    lengths = lengths_of_motions(value, translation, rotation, pivot)
    count = common_length(lengths)
    motions = vectors_of(where, "translation", translation, count)
    turns, about = turns_and_pivots(value, rotation, pivot, count, where)
    masks, ignored = filters_in(world, where, count, mask, passed, not lengths)
    moves = Motions(motions, turns, about) if turns.any() else Motions(motions)
    if isinstance(value, Compound):
        rows, hits = of_compound.hits(where, scene, value, moves, masks, ignored)
    else:
        records, starts = run(where, "shape", value)
        starts = np.repeat(starts, count) if starts.size == 1 else starts
        asked = shape_queries(records, starts, masks, ignored)
        rows, hits = hits_of_shapes(where, scene, asked, value, moves, shared)
    if lengths:
        return CastColumns(hits.hit, hits.fraction, hits.point, hits.normal, rows, hits.overlapping)
    first = (*cast_numbers(hits, rows.item(0)), world._serial(rows.item(0)))
    return shape_hit(world, first) if hits.hit[0] else None


def query(
    world: Any, shape: Any, touching: Any, within: Any, mask: Any, ignore: Any, sensors: Any, threads: Any
) -> Any:
    """Return the bodies that intersect each shape, or lie within a distance of it."""
    where = "World.query"
    if type(shape) is Body:
        shape, ignore = of_body(world, where, shape, ignore)
    inclusive = inputs.truth(where, "touching", touching)
    if type(within) is float and within == 0.0 and isinstance(shape, ConvexShape):
        one = _one(world, where, mask, ignore, sensors, threads)
        rows = None if one is None else _touched_by_one(world, shape._record, 0.0, 0.0, 0 if inclusive else -1, one)
        if rows is not None:
            return BodyList(world, rows)
    value: Any = shapes_of(where, "shape", shape)
    passed, scene, shared = (
        passed_rows(world, where, ignore),
        world_as_asked(world, where, sensors),
        checked(where, threads),
    )
    count = len(value) if isinstance(value, Shapes) else 1
    limits = distances(where, within, count)
    masks, ignored = filters_in(world, where, count, mask, passed, not isinstance(value, Shapes))
    if isinstance(value, Compound):
        return BodyList(world, of_compound.near(where, scene, value, limits, inclusive, masks, ignored))
    asked = shape_queries(*run(where, "shape", value), masks, ignored)
    if (limits > 0.0).any():
        offsets, rows = near_rows(where, scene, asked, limits, inclusive, shared)
    else:
        offsets, rows = touched(where, scene, asked, value, inclusive, shared)
    return RowLists(offsets, rows) if isinstance(value, Shapes) else BodyList(world, rows)


def contains(world: Any, point: Any, mask: Any, ignore: Any, sensors: Any, threads: Any) -> Any:
    """Return the bodies that contain each point."""
    where = "World.contains"
    if inputs.is_pair(point):
        one = _one(world, where, mask, ignore, sensors, threads)
        x, y = inputs.point(where, "point", point)
        rows = None if one is None else _touched_by_one(world, NO_SHAPE, x, y, 0, one)
        if rows is not None:
            return BodyList(world, rows)
    lead, (point,) = flattened(where, ("point",), point)
    single = not are_many(point)
    at: Floats = np.array([inputs.point(where, "point", point)]) if single else inputs.table(where, "point", point, 2)
    passed, scene = passed_rows(world, where, ignore), world_as_asked(world, where, sensors)
    if lead is not None:
        mask, passed = spread(where, "mask", mask, lead), spread(where, "ignore", passed, lead)
    asked = point_queries(at, *filters_in(world, where, len(at), mask, passed, single))
    offsets, rows = touched(where, scene, asked, Shapes.points(at), True, checked(where, threads))
    return BodyList(world, rows) if single else RowLists(offsets, rows)


def nearest(world: Any, shape: Any, k: Any, within: Any, mask: Any, ignore: Any, sensors: Any, threads: Any) -> Any:
    """Return the k bodies nearest to each point or shape, with their distances."""
    where = "World.nearest"
    if type(shape) is Body:
        shape, ignore = of_body(world, where, shape, ignore)
    count, limit = checked_nearest(where, k, within, int(world._store.tables.state["bodies"][0]))
    one = _one(world, where, mask, ignore, sensors, threads)
    alone = isinstance(shape, ConvexShape)
    if one is not None and (alone or inputs.is_pair(shape)):
        record, (x, y) = (shape._record, (0.0, 0.0)) if alone else (NO_SHAPE, inputs.point(where, "shape", shape))
        rows, apart = np.empty(count, dtype=np.int64), np.empty(count)
        if nearest_of_one(_addresses(world), record, x, y, limit, rows, apart, *one):
            return neighbors(world, rows, apart)
    lead, (shape,) = flattened(where, ("shape",), shape)
    value: Any = points_or_shapes(where, "shape", shape)
    passed, scene, shared = (
        passed_rows(world, where, ignore),
        world_as_asked(world, where, sensors),
        checked(where, threads),
    )
    single = not isinstance(value, Shapes)
    if lead is not None:
        mask, passed = spread(where, "mask", mask, lead), spread(where, "ignore", passed, lead)
    masks, ignored = filters_in(world, where, 1 if single else len(value), mask, passed, single)
    if isinstance(value, Compound):
        return neighbors(world, *of_compound.nearest(where, scene, value, count, limit, masks, ignored))
    asked = shape_queries(*run(where, "shape", value), masks, ignored)
    rows, apart = nearest_rows_of(where, scene, asked, count, limit, shared)
    if single:
        return neighbors(world, rows[0], apart[0])
    return Neighbors(rows, apart) if lead is None else in_shape(lead, Neighbors(rows, apart))


def checked_nearest(where: str, k: Any, within: Any, bodies: int) -> tuple[int, float]:
    """Return how many neighbours to find, and how far to look."""
    count = inputs.integer(where, "k", k)
    if count < 1:
        inputs.refuse(ValueError, where, "k", k, "must be at least 1")
    if count > max(bodies, MANY):
        inputs.refuse(ValueError, where, "k", k, f"is more than the {bodies} bodies there are")
    endless = isinstance(within, float) and within == math.inf
    return count, math.inf if endless else distances(where, within, 1).item(0)


def _one(world: Any, where: str, mask: Any, ignore: Any, sensors: Any, threads: Any) -> One | None:
    """Return how one question is asked; None if the general way has to see what is asked."""
    store: Store = world._store
    if threads is not ONE or type(sensors) is not bool:
        return None
    if mask is None and ignore is None:
        return ALL, -1, sensors, POINTS + STRIDE * store.most_points
    if ignore is None:
        passed = -1
    elif type(ignore) is Body:
        passed = world._own(where, "ignore", ignore)
    else:
        return None
    if mask is None:
        bits = ALL
    elif type(mask) is str or type(mask) is tuple:
        bits = store.layers.asked().bits(where, "mask", mask)
    else:
        return None
    return bits, passed, sensors, POINTS + STRIDE * store.most_points


def _addresses(world: Any) -> Integers:
    """Return the addresses of what questions read of a world."""
    table, tables = world._asked, world._store.tables
    if table is None or table.of is not tables:
        table = world._asked = table_of(tables)
    found: Integers = table.addresses
    return found


def _touched_by_one(world: Any, record: Floats, x: float, y: float, most: int, one: One) -> Integers | None:
    """Return the rows that one shape or point touches; None if the general way has to tell."""
    rows = np.empty(ROOM, dtype=np.int64)
    found = rows_of_one(_addresses(world), record, x, y, most, rows, *one)
    return rows[:found].copy() if found >= 0 else None


def world_as_asked(world: Any, where: str, sensors: Any) -> Scene:
    """Return a world as it is asked."""
    store: Store = world._store
    room = POINTS + STRIDE * store.most_points
    return scene_of(view_of(store.tables), room, inputs.truth(where, "sensors", sensors), world._whole)


def passed_rows(world: Any, where: str, ignore: Any) -> Any:
    """Return bodies that are passed by as their rows, and all else as it is."""
    if isinstance(ignore, Body):
        return world._own(where, "ignore", ignore)
    if isinstance(ignore, (list, tuple, set, frozenset)) and any(isinstance(one, Body) for one in ignore):
        return np.array(world._own_all(where, "ignore", ignore), dtype=np.int64)
    return ignore


def filters_in(world: Any, where: str, count: int, mask: Any, ignore: Any, single: bool) -> tuple[Integers, Integers]:
    """Return the mask of each query, (n,), and the rows it passes by, (n, k)."""
    store: Store = world._store
    rows = int(store.tables.state["bodies"][0])
    return filters_of(where, store.layers.asked(), rows, count, mask, ignore, single)
