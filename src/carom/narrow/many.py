"""The verbs where a set or a Compound takes part: one table tells what answers rows, bodies, and a single row.

In: what the user gave a verb. Out: columns, one row for each pair; one answer where neither side is a set. World frame,
user's units.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.narrow.both_turning import both_turned, hits_of_both
from carom.narrow.cast import Hit, HitColumns, RayHit, RayHitColumns, hit_rows, hits_of_turning_rows, ray_columns
from carom.narrow.compound import answers as bodies
from carom.narrow.dispatch import are_points, flattened, has_compound, in_shape, rows, vectors
from carom.narrow.intersects import intersecting_rows
from carom.narrow.manifold import Contact
from carom.narrow.rows.contact import ContactColumns, contact_rows
from carom.narrow.rows.rotating_cast import STILL, turns_and_pivots
from carom.narrow.rows.vertex_ids import own_columns
from carom.narrow.separation import Closest, ClosestColumns, closest_rows, separation_form, separation_of_rows
from carom.shapes.compound import Compound
from carom.shapes.given import shapes_of
from carom.shapes.set import Shapes
from carom.vector import Vec


class Verb(NamedTuple):
    """The functions that answer a verb where not both are shapes of one part."""

    of_rows: Callable[..., Any]
    """Two sets, or a set and a shape: columns."""
    of_bodies: Callable[..., Any]
    """The same where a Compound takes part: columns, of one row where neither is a set."""
    only_row: Callable[..., Any]
    """The answer for two shapes from columns of one row."""


def answer_many(verb: str, a: Any, b: Any, *rest: Any) -> Any:
    """Answer a verb where a set or a Compound takes part; `rest` are its other arguments, the threads last."""
    a, b = shapes_of(verb, "a", a), shapes_of(verb, "b", b)
    of_rows, of_bodies, only_row = VERBS[verb]
    if not has_compound(a, b):
        return of_rows(a, b, *rest)
    found = of_bodies(a, b, *rest)
    return found if isinstance(a, Shapes) or isinstance(b, Shapes) else only_row(found)


def _separations(a: Any, b: Any, threads: int, verb: str = "separation") -> Floats:
    return separation_of_rows(rows(verb, ("a", "b"), a, b), threads, separation_form(a, b))


def _distances(a: Any, b: Any, threads: int) -> Floats:
    separations = _separations(a, b, threads, "distance")
    found: Floats = np.maximum(separations, 0.0, out=separations)
    return found


def _closest(a: Any, b: Any, threads: int) -> ClosestColumns:
    return closest_rows(rows("closest", ("a", "b"), a, b), threads, separation_form(a, b))


def _contacts(a: Any, b: Any, threads: int) -> ContactColumns:
    columns = contact_rows(a, b, rows("collide", ("a", "b"), a, b), threads)
    return columns._replace(features=own_columns(a, b, columns.count, columns.features))


def _hits(a: Any, b: Any, translation: Any, rotation: Any, pivot: Any, threads: int) -> HitColumns:
    pairs = rows("cast", ("a", "b"), a, b)
    motions = vectors("cast", "translation", translation, pairs.starts_a.size)
    if rotation is STILL and pivot is None:
        return hit_rows(pairs, motions, False, threads)
    turns, pivots = turns_and_pivots(a, rotation, pivot, pairs.starts_a.size)
    return hits_of_turning_rows(pairs, motions, turns, pivots, threads)


def both_turn(
    a: Any, b: Any, translation: Any, rotation: Any, pivot: Any, other_rotation: Any, other_pivot: Any, threads: int
) -> Any:
    """Return the hit of two shapes that both turn, or of the rows of sets."""
    a, b = shapes_of("cast", "a", a), shapes_of("cast", "b", b)
    asked = a, b, translation, rotation, pivot, other_rotation, other_pivot
    if has_compound(a, b):
        whole = bodies.body_rows("cast", ("a", "b"), a, b)
        both = both_turned(*asked, whole.rows_a.size)
        found = bodies.hits_of_turning(whole, both, bodies.comes_second(a, b), threads)
    else:
        pairs = rows("cast", ("a", "b"), a, b)
        found = hits_of_both(pairs, both_turned(*asked, pairs.starts_a.size), threads)
    return found if isinstance(a, Shapes) or isinstance(b, Shapes) else _only_hit(found)


def ray_rows(origin: Any, translation: Any, shape: Any, threads: int) -> RayHitColumns:
    """Return where many rays first meet their shapes; `shape` may be a Compound."""
    lead, (origin, translation) = flattened("raycast", ("origin", "translation"), origin, translation)
    if lead is not None:
        return in_shape(lead, ray_rows(origin, translation, shape, threads))
    many = isinstance(shape, Shapes)
    lengths = [len(shape)] if many else []
    lengths += [len(value) for value in (origin, translation) if are_points(value)]
    count = next((length for length in lengths if length != 1), 1)
    starts = vectors("raycast", "origin", origin, count)
    motions = vectors("raycast", "translation", translation, count)
    points = Shapes.points(starts)
    if has_compound(shape):
        found = bodies.ray_hits(points, shape, motions, threads)
    else:
        found = hit_rows(rows("raycast", ("origin", "shape"), points, shape), motions, True, threads)
    row = np.arange(count) if many and len(shape) == count else np.zeros(count, dtype=np.int64)
    return ray_columns(starts, motions, found, row)


def _only_number(found: Any) -> Any:
    return found.item(0)


def _only_closest(found: ClosestColumns) -> Closest:
    normal, point_a, point_b = (Vec(*column[0].tolist()) for column in found[1:])
    return Closest(found.separation.item(0), normal, point_a, point_b)


def _only_contact(found: ContactColumns) -> Contact | None:
    if not found.hit[0]:
        return None
    k = found.count.item(0)
    points = tuple(Vec(x, y) for x, y in found.points[0, :k].tolist())
    features = tuple((of_a, of_b) for of_a, of_b in found.features[0, :k].tolist())
    depths = tuple(found.depths[0, :k].tolist())
    return Contact(Vec(*found.normal[0].tolist()), found.depth.item(0), points, depths, features)


def _only_hit(found: HitColumns) -> Hit | None:
    if not found.hit[0]:
        return None
    point, normal = Vec(*found.point[0].tolist()), Vec(*found.normal[0].tolist())
    return Hit(found.fraction.item(0), point, normal, found.overlapping.item(0))


def only_ray_hit(found: RayHitColumns, shape: Compound) -> RayHit | None:
    """Return the hit of one ray from columns of one row."""
    if not found.hit[0]:
        return None
    point, normal = Vec(*found.point[0].tolist()), Vec(*found.normal[0].tolist())
    return RayHit(found.fraction.item(0), found.distance.item(0), point, normal, shape, found.overlapping.item(0))


VERBS = {
    "intersects": Verb(intersecting_rows, bodies.intersects, _only_number),
    "separation": Verb(_separations, bodies.separations, _only_number),
    "distance": Verb(_distances, bodies.distances, _only_number),
    "closest": Verb(_closest, bodies.closest, _only_closest),
    "collide": Verb(_contacts, bodies.contacts, _only_contact),
    "cast": Verb(_hits, bodies.hits, _only_hit),
}
