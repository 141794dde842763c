"""What a tile holds as it is drawn: its collision shapes, flipped, each with what it is for.

In: a tile, how its cell flips it, what its layer is for. Out: `Use` values relative to a corner; and of solid ones
those that can be merged with the neighbours'. Pixels, y pointing down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats
from carom.maps import fields
from carom.maps.fields import naming
from carom.maps.forms import Form, rectangle, scaled
from carom.maps.roles import IGNORE, SOLID, TRIGGER, Role, Roles
from carom.maps.tiled_file import properties_of
from carom.maps.tiled_forms import Flip, object_form
from carom.maps.tilesets import Tile, class_of
from carom.narrow.intersects import intersects
from carom.shapes.compound import Compound, decompose
from carom.vector import Point2


class Use(NamedTuple):
    """A shape of a tile or object, and what it is for."""

    form: Form
    role: Role
    name: str
    kind: str
    properties: dict[str, Any]


def tile_uses(tile: Tile, flip: Flip, above: Role | None, name: str, roles: Roles) -> list[Use]:
    """Return what a tile as drawn holds, relative to its upper left corner.

    `above` is what its layer is for; `name` is for what has no name or class of its own.
    """
    own = roles.of(tile.properties, tile.kind) or above
    factors = [drawn / size if size else 1.0 for drawn, size in zip(flip.size, tile.size, strict=True)]
    if not tile.objects:
        if own is None or own.name == IGNORE or not min(flip.size):
            return []
        called = tile.kind or name
        return [Use(rectangle(0.0, 0.0, *flip.drawn), _turned(own, flip), called, called, tile.properties)]
    found = []
    for node in tile.objects:
        with naming(f"collision object {node.get('id')}"):
            properties, kind = properties_of(node), class_of(node)
            form = scaled(object_form(node), *factors).moved(flip.point)
            usual = Role(TRIGGER) if form.kind == "point" else own or Role(SOLID)
            role = roles.of(properties, kind) or usual
            called = fields.text(node, "name") or kind or tile.kind or name
            found.append(Use(form, _turned(role, flip), called, kind or tile.kind, {**tile.properties, **properties}))
    return [use for use in found if use.role.name != IGNORE]


def _turned(role: Role, flip: Flip) -> Role:
    return role._replace(direction=flip.direction(role.direction))


def rings_inside(forms: list[Form], cell: Point2) -> tuple[list[Floats], list[Form]]:
    """Return the convex rings of those forms that are flat-sided, inside the cell and apart, and the other forms."""
    rings: list[Floats] = []
    kept: list[Compound] = []
    others = []
    for form in forms:
        inside = all(0.0 <= x <= cell[0] and 0.0 <= y <= cell[1] for x, y in form.points)
        region = decompose(form.points) if form.kind == "ring" and inside else None
        if region is None or any(intersects(region, other, touching=False) for other in kept):
            others.append(form)
            continue
        kept.append(region)
        rings += [np.array(part.vertices) for part in region.parts]
    return rings, others


def is_whole(rings: list[Floats], cell: Point2) -> bool:
    """Tell whether the rings are one, and that the whole cell."""
    corners = {(0.0, 0.0), (cell[0], 0.0), cell, (0.0, cell[1])}
    return len(rings) == 1 and {(x, y) for x, y in rings[0].tolist()} == corners
