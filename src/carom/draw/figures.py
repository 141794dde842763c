"""All things that can be drawn, as columns: their convex parts, and the kind of each figure; all back ends read these.

In: a World, bodies, shapes, a Compound, Shapes, an Index, a Level, a Character, or several of these. Out: `Figures`. A
figure is what is seen as one: a body, a shape, a Compound, the solid ground of a level. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from carom._core import inputs
from carom._core.layers import Layers
from carom._core.types import Floats, Integers
from carom.broad.index import Index
from carom.character.character import Character
from carom.maps.level import Level
from carom.shapes.base import Shape
from carom.shapes.bounds import Bounds
from carom.shapes.compound import Compound
from carom.shapes.proxy import CENTER_X, COUNT, POINTS, RADIUS, REACH, STRIDE, X
from carom.shapes.set import Shapes
from carom.world.body import Body
from carom.world.reports.appearance import looks_of
from carom.world.store import Store
from carom.world.world import World

ROLES = ("shape", "static", "kinematic", "dynamic", "asleep", "sensor", "character")
"""The kinds of figures; the numbers in `Figures.roles` are places in here."""
SHAPE, STATIC, KINEMATIC, DYNAMIC, ASLEEP, SENSOR, CHARACTER = range(len(ROLES))
WHAT = "must be a World, Shapes, a Compound, an Index, a Level, a Character, a shape, a Body, or several in a list"


class Figures(NamedTuple):
    """All that is drawn, in columns; p parts of n figures."""

    buffer: Floats
    """The records of the parts, see `shapes.proxy`."""
    records: Integers
    """(p,) where the record of each part begins."""
    owner: Integers
    """(p,) the figure that a part belongs to; ascending."""
    roles: Integers
    """(n,) places in `ROLES`."""
    layers: Integers
    """(n,) bits."""
    angles: Floats
    """(n,) how far a figure has turned; NaN for one that does not turn."""
    velocities: Floats
    """(n, 2)"""
    one_way: Floats
    """(n, 2) the direction that lets through; 0, 0 for figures that block from all sides."""
    rows: Integers
    """(n,) the row of each figure in what it came from."""
    names: dict[int, str]
    """Of triggers of a level, their names."""
    layer_names: dict[int, str]
    """The bits of layers that have names."""
    worlds: tuple[World, ...]
    """The worlds among what is drawn, whose contacts may be asked for."""


def figures_of(where: str, thing: Any, name: str = "thing") -> Figures:
    """Return the figures of a thing, or refuse what cannot be drawn."""
    if isinstance(thing, World):
        return _of_bodies(thing, thing.rows())
    if isinstance(thing, Body):
        return _of_several(where, name, [thing])
    if isinstance(thing, Shapes):
        return _of_set(thing)
    if isinstance(thing, Shape):
        return _of_shape(thing, SHAPE, "")
    if isinstance(thing, Index):
        return _of_index(thing)
    if isinstance(thing, Level):
        return _of_level(thing)
    if isinstance(thing, Character):
        return _of_shape(thing.shape, CHARACTER, "")
    if isinstance(thing, str | bytes | dict | np.ndarray) or not isinstance(thing, Iterable):
        inputs.refuse_type(where, name, thing, WHAT)
    return _of_several(where, name, list(thing))


def _of_several(where: str, name: str, things: list[Any]) -> Figures:
    """Return the figures of several things, one after the other; bodies of one world at once."""
    found = []
    for world, group in groupby(enumerate(things), lambda each: _world_of(each[1])):
        if world is not None:
            rows = [world._own(where, f"{name}[{k}]", body) for k, body in group]
            found.append(_of_bodies(world, np.array(rows, dtype=np.int64)))
            continue
        for k, one in group:
            if isinstance(one, list | tuple) or not isinstance(one, World | Shapes | Shape | Index | Level | Character):
                inputs.refuse_type(where, f"{name}[{k}]", one, WHAT.removesuffix(", or several in a list"))
            found.append(figures_of(where, one))
    return _joined(found)


def _world_of(thing: Any) -> Any:
    return thing._world if isinstance(thing, Body) else None


def _of_bodies(world: World, rows: Integers) -> Figures:
    store: Store = world._store
    looks = looks_of(store, rows)
    roles = np.array((STATIC, KINEMATIC, DYNAMIC))[looks.kinds]
    roles[looks.asleep] = ASLEEP
    roles[looks.sensor] = SENSOR
    turned = np.where(looks.kinds == 0, np.nan, looks.angles)
    known = _layer_names(store.layers)
    columns = roles, looks.layers, turned, looks.velocities, looks.one_way
    return Figures(looks.buffer, looks.records, looks.owner, *columns, rows, {}, known, (world,))


def _of_set(shapes: Shapes, role: int = SHAPE) -> Figures:
    owner = np.unique(shapes.owner, return_inverse=True)[1]
    order = np.argsort(owner, kind="stable")
    count = int(owner.max(initial=-1)) + 1
    return _plain(shapes._buffer, shapes._starts[order], owner[order], np.full(count, role))


def _of_shape(shape: Any, role: int, name: str) -> Figures:
    records = [part._record for part in (shape.parts if isinstance(shape, Compound) else (shape,))]
    starts = np.cumsum([0, *map(len, records[:-1])])
    made = _plain(np.concatenate(records), starts, np.zeros(len(records), dtype=np.int64), np.array([role]))
    return made._replace(names={0: name}) if name else made


def _of_index(index: Index) -> Figures:
    rows, shapes = index.rows, index.shapes
    _, firsts, owner = np.unique(index.owner[rows], return_index=True, return_inverse=True)
    order = np.argsort(owner, kind="stable")
    made = _plain(shapes._buffer, shapes._starts[order], owner[order], np.full(len(firsts), SHAPE))
    firsts = rows[firsts]
    layers = index._slots.tree.layers[index._slots.slot_of[firsts]]
    return made._replace(layers=layers, rows=firsts, layer_names=_layer_names(index._layers))


def _of_level(level: Level) -> Figures:
    """Return the solid ground as one figure, the one-way edges, and the triggers as sensors with their names."""
    solids, edges = level.solids, level.one_way
    ground = _plain(solids._buffer, solids._starts, np.zeros(len(solids), dtype=np.int64), np.array([STATIC]))
    ways = _of_set(edges.shapes, STATIC)._replace(one_way=edges.directions.reshape(-1, 2))
    triggers = [_of_shape(trigger.shape, SENSOR, trigger.name) for trigger in level.triggers]
    nameless = [*([ground] if len(solids) else []), ways]
    nameless = [one._replace(names=dict.fromkeys(range(len(one.roles)), "")) for one in nameless]
    return _joined([*nameless, *triggers])


def _plain(buffer: Floats, records: Integers, owner: Integers, roles: Integers) -> Figures:
    """Return figures that neither move nor turn."""
    n = len(roles)
    none = np.zeros((n, 2))
    return Figures(
        buffer,
        records,
        owner,
        roles,
        np.ones(n, dtype=np.int64),
        np.full(n, np.nan),
        none,
        none,
        np.arange(n),
        {},
        {},
        (),
    )


def _joined(given: list[Figures]) -> Figures:
    """Return the figures of several, one after the other."""
    if len(given) == 1:
        return given[0]
    buffers, records, owners, names, known, worlds = [np.zeros(0)], [], [], {}, {}, []
    used = count = 0
    for one in given:
        buffers.append(one.buffer)
        records.append(one.records + used)
        owners.append(one.owner + count)
        known.update(one.layer_names)
        names.update({count + k: name for k, name in one.names.items()})
        worlds += [world for world in one.worlds if world not in worlds]
        used, count = used + one.buffer.size, count + len(one.roles)
    whole = [np.zeros(0, dtype=np.int64)]
    flat = np.zeros((0, 2))
    return Figures(
        np.concatenate(buffers),
        np.concatenate([*whole, *records]),
        np.concatenate([*whole, *owners]),
        np.concatenate([*whole, *(one.roles for one in given)]),
        np.concatenate([*whole, *(one.layers for one in given)]),
        np.concatenate([np.zeros(0), *(one.angles for one in given)]),
        np.concatenate([flat, *(one.velocities for one in given)]),
        np.concatenate([flat, *(one.one_way for one in given)]),
        np.concatenate([*whole, *(one.rows for one in given)]),
        names,
        known,
        tuple(worlds),
    )


def _layer_names(layers: Layers) -> dict[int, str]:
    return dict(enumerate(layers.names)) if layers.given != "bits" else {}


def circles_around(figures: Figures) -> tuple[Floats, Floats]:
    """Return a circle around each part: centres (p, 2) and radii (p,)."""
    at, buffer = figures.records, figures.buffer
    centers = np.column_stack([buffer[at + X + k] + buffer[at + CENTER_X + k] for k in (0, 1)])
    return centers, buffer[at + REACH] + buffer[at + RADIUS]


def seen_in(figures: Figures, window: Bounds) -> Figures:
    """Return the figures without the parts that lie outside a window; figures keep their numbers."""
    centers, radii = circles_around(figures)
    (x, y), (low_x, low_y, high_x, high_y) = centers.T, window
    seen = (x + radii >= low_x) & (x - radii <= high_x) & (y + radii >= low_y) & (y - radii <= high_y)
    return figures._replace(records=figures.records[seen], owner=figures.owner[seen])


def places_of(figures: Figures) -> Floats:
    """Return the middle of each figure, (n, 2): that of its parts, by their areas roughly; NaN where none is seen."""
    centers, radii = circles_around(figures)
    weights = radii * radii + 1e-300
    n = len(figures.roles)
    total = np.bincount(figures.owner, weights, n)
    sums = [np.bincount(figures.owner, weights * column, n) for column in centers.T]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack(sums) / total[:, None]


def bounds_of(figures: Figures) -> Bounds | None:
    """Return the AABB of all figures; None where there are none."""
    if not figures.records.size:
        return None
    boxes = bounds_of_parts(figures)
    return Bounds(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())


def bounds_of_parts(figures: Figures) -> Floats:
    """Return the AABB of each part, (p, 4)."""
    at, buffer = figures.records, figures.buffer
    counts = buffer[at + COUNT].astype(np.int64)
    firsts = np.cumsum(counts) - counts
    slots = np.repeat(at + POINTS, counts) + STRIDE * (np.arange(counts.sum()) - np.repeat(firsts, counts))
    columns = []
    for reduce, sign in ((np.minimum, -1.0), (np.maximum, 1.0)):
        for k in (0, 1):
            found = reduce.reduceat(buffer[slots + k], firsts) if at.size else np.zeros(0)
            columns.append(buffer[at + X + k] + found + sign * buffer[at + RADIUS])
    return np.column_stack(columns)
