"""Questions to the copies of a world: the same answers with the copy as the first axis.

In: what the user passed, arrays whose first axis is the copy (of length 1 for what all copies share). Out: columns, or
an error that names the wrong value. World frame, user's units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.threads import checked
from carom._core.types import Floats, Integers
from carom.broad.answers import CastColumns, Neighbors, RowLists
from carom.broad.queries import distances, filters_of, point_queries, shape_queries, spread
from carom.narrow.cast import RayHitColumns
from carom.narrow.dispatch import in_shape, points_or_shapes, run
from carom.narrow.rows.rotating_cast import turns_and_pivots
from carom.shapes.compound import Compound
from carom.shapes.given import shapes_of
from carom.shapes.proxy import POINTS, STRIDE
from carom.shapes.set import Shapes
from carom.world.body import Body
from carom.world.questions.again import Motions
from carom.world.questions.asked import hits_of_rays, hits_of_shapes, near_rows, nearest_rows_of, touched
from carom.world.questions.door import checked_nearest
from carom.world.questions.scene import Scene
from carom.world.questions.walk import view_of

Lead = tuple[int, ...]


def raycast(
    copies: Any, origin: Any, translation: Any, mask: Any, ignore: Any, sensors: Any, threads: Any
) -> RayHitColumns:
    """Return what each ray meets first."""
    where, count = "Worlds.raycast", len(copies)
    lead, (starts, motions) = _points(where, count, origin=origin, translation=translation)
    asked = point_queries(starts, *_filters(copies, where, lead, mask, ignore))
    return in_shape(
        lead, hits_of_rays(where, _scene(copies, where, lead, sensors), asked, motions, checked(where, threads))
    )


def cast(
    copies: Any,
    shape: Any,
    translation: Any,
    rotation: Any,
    pivot: Any,
    mask: Any,
    ignore: Any,
    sensors: Any,
    threads: Any,
) -> CastColumns:
    """Return what each moving shape meets first."""
    where, count = "Worlds.cast", len(copies)
    lead, (motions,) = _points(where, count, translation=translation)
    if isinstance(shape, Body):
        own, ignore = _of_body(copies, where, shape, ignore)
        values = own[np.repeat(np.arange(count), len(motions) // count)]
    else:
        own = _shapes(where, shape)
        if isinstance(shape, Shapes | list | tuple):
            lead, motions = _for_each(where, lead, motions, len(own))
        values = own[np.resize(np.arange(len(own)), len(motions))]
    turns, about = turns_and_pivots(values, rotation, pivot, len(motions), where)
    moves = Motions(motions, turns, about) if turns.any() else Motions(motions)
    asked = shape_queries(values._buffer, values._starts, *_filters(copies, where, lead, mask, ignore))
    scene = _scene(copies, where, lead, sensors)
    rows, found = hits_of_shapes(where, scene, asked, values, moves, checked(where, threads))
    columns = CastColumns(found.hit, found.fraction, found.point, found.normal, rows, found.overlapping)
    return in_shape(lead, columns)


def query(
    copies: Any, shape: Any, touching: Any, within: Any, mask: Any, ignore: Any, sensors: Any, threads: Any
) -> RowLists:
    """Return the rows of the bodies that intersect each shape, or lie within a distance of it, in each copy."""
    where, count = "Worlds.query", len(copies)
    inclusive = inputs.truth(where, "touching", touching)
    if isinstance(shape, Body):
        values, ignore = _of_body(copies, where, shape, ignore)
    else:
        own = _shapes(where, shape)
        values = own[np.tile(np.arange(len(own)), count)]
    lead = (count, len(values) // count)
    limits = np.tile(distances(where, within, lead[1]), count)
    asked = shape_queries(values._buffer, values._starts, *_filters(copies, where, lead, mask, ignore))
    scene, shared = _scene(copies, where, lead, sensors), checked(where, threads)
    if (limits > 0.0).any():
        return RowLists(*near_rows(where, scene, asked, limits, inclusive, shared))
    return RowLists(*touched(where, scene, asked, values, inclusive, shared))


def contains(copies: Any, point: Any, mask: Any, ignore: Any, sensors: Any, threads: Any) -> RowLists:
    """Return the rows of the bodies that contain each point."""
    where = "Worlds.contains"
    lead, (at,) = _points(where, len(copies), point=point)
    asked, scene = point_queries(at, *_filters(copies, where, lead, mask, ignore)), _scene(copies, where, lead, sensors)
    return RowLists(*touched(where, scene, asked, Shapes.points(at), True, checked(where, threads)))


def nearest(
    copies: Any, shape: Any, k: Any, within: Any, mask: Any, ignore: Any, sensors: Any, threads: Any
) -> Neighbors:
    """Return the rows of the k bodies nearest to each point or shape, with their distances."""
    where, count = "Worlds.nearest", len(copies)
    most, limit = checked_nearest(where, k, within, copies._bodies)
    body, values = shape, None
    if isinstance(body, Body):
        values, ignore = _of_body(copies, where, body, ignore)
        shape = (0, 0)
    given = points_or_shapes(where, "shape", (0, 0) if isinstance(shape, np.ndarray) else shape)
    if values is not None:
        lead: Lead = (count,)
    elif isinstance(shape, np.ndarray) or (not isinstance(shape, Shapes) and _is_position(shape)):
        lead, (at,) = _points(where, count, shape=shape)
        values = Shapes.points(at)
    else:
        own = _shapes(where, given)
        lead = (count, len(own)) if isinstance(given, Shapes) else (count,)
        values = own[np.tile(np.arange(len(own)), count)]
    asked = shape_queries(*run(where, "shape", values), *_filters(copies, where, lead, mask, ignore))
    scene = _scene(copies, where, lead, sensors)
    rows, apart = nearest_rows_of(where, scene, asked, most, limit, checked(where, threads))
    return in_shape(lead, Neighbors(rows, apart))


def _is_position(value: Any) -> bool:
    """Tell whether a value is a point, or points in a list."""
    return isinstance(value, list | tuple) and not any(hasattr(one, "position") for one in value)


def _of_body(copies: Any, where: str, body: Body, ignore: Any) -> tuple[Shapes, Any]:
    """Return the shape of a body in each copy, and the bodies that are passed by: itself, too."""
    row, shapes = copies._shapes_of(where, "shape", body)
    others = [] if ignore is None else list(ignore) if isinstance(ignore, list | tuple | set | frozenset) else [ignore]
    if any(isinstance(one, np.ndarray) and one.ndim for one in others):
        inputs.refuse(TypeError, where, "ignore", ignore, "must be bodies or rows beside a body of the copies")
    return shapes, [*others, row]


def _shapes(where: str, shape: Any) -> Shapes:
    """Return a shape, or shapes, as a set."""
    value = shapes_of(where, "shape", shape)
    if isinstance(value, Compound):
        inputs.refuse(TypeError, where, "shape", shape, "must be of one part; ask `Worlds.world(k)`")
    return value if isinstance(value, Shapes) else Shapes([value])


def _points(where: str, count: int, **given: Any) -> tuple[Lead, list[Floats]]:
    """Return the leading shape of arrays of points or vectors, the copy first, and each as (n, 2)."""
    arrays = []
    for name, value in given.items():
        try:
            array = np.asarray(inputs.point(where, name, value) if inputs.is_pair(value) else value)
        except ValueError as error:
            if str(error).startswith(where):
                raise
            inputs.refuse(ValueError, where, name, value, "must be (x, y), or an array (copies, ..., 2)")
        if array.shape[-1:] != (2,) or array.dtype.kind not in "fiu":
            inputs.refuse(ValueError, where, name, value, "must be (x, y), or an array (copies, ..., 2)")
        arrays.append(array)
    try:
        found = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        shapes = " and ".join(f"{name} {np.shape(value)}" for name, value in given.items())
        remedy = "one for each copy beside (copies, k, 2) is array[:, None]"
        raise ValueError(f"{where}: {shapes} do not go together; {remedy}") from None
    if found and found[0] not in (1, count):
        expected = f"have the copy as its first axis: {count}, or 1 for what all copies share"
        name, array = max(zip(given, arrays, strict=True), key=lambda one: one[1].ndim)
        raise ValueError(f"{where}: {name} has shape {array.shape}; it must be (2,), or {expected}")
    lead = (count, *found[1:])
    flat = [np.broadcast_to(array, (*lead, 2)).reshape(-1, 2) for array in arrays]
    return lead, [inputs.table(where, name, array, 2) for name, array in zip(given, flat, strict=True)]


def _for_each(where: str, lead: Lead, motions: Floats, shapes: int) -> tuple[Lead, Floats]:
    """Return the leading shape (copies, shapes) and a motion for each."""
    by_copy = motions.reshape(*lead, 2)
    if len(lead) == 1:
        by_copy = by_copy[:, None]
    if by_copy.ndim != 3 or by_copy.shape[1] not in (1, shapes):
        wrong = f"{where}: translation has leading shape {lead}; of {shapes} shapes"
        raise ValueError(f"{wrong} it must be one for all, (copies, 2), or (copies, {shapes}, 2)")
    made = np.broadcast_to(by_copy, (lead[0], shapes, 2))
    return (lead[0], shapes), made.reshape(-1, 2).copy()


def _scene(copies: Any, where: str, lead: Lead, sensors: Any) -> Scene:
    """Return the copies as they are asked."""
    each, steps = 1, copies._steps
    for length in lead[1:]:
        each *= length

    def whole(k: int, row: int) -> Any:
        (x, y), angle = copies.positions[k, row].tolist(), float(copies.angles[k, row])
        return steps.own.get(k, steps.base).shape_at(row, x, y, angle)

    room, view = POINTS + STRIDE * steps.base.most_points, view_of(copies._tables)
    if view.models.ndim == 1:
        view = view._replace(models=view.models[None])  # all copies share them
    return Scene(view, max(each, 1), room, inputs.truth(where, "sensors", sensors), whole)


def _filters(copies: Any, where: str, lead: Lead, mask: Any, ignore: Any) -> tuple[Integers, Integers]:
    """Return the mask of each query, (n,), and the rows it passes by, (n, k)."""
    count = int(np.prod(lead))
    if isinstance(ignore, Body):
        ignore = ignore.row
    elif isinstance(ignore, list | tuple | set | frozenset):
        rows = inputs.whole_numbers(where, "ignore", [one.row if isinstance(one, Body) else one for one in ignore])
        ignore = np.broadcast_to(rows, (*lead, rows.size)) if rows.ndim == 1 else rows
    mask, ignore = spread(where, "mask", mask, lead), spread(where, "ignore", ignore, lead)
    return filters_of(where, copies._steps.base.layers.asked(), copies._bodies, count, mask, ignore, False)
