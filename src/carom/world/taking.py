"""Many bodies put in at once: rows of a set of shapes become rows of a world's tables, column by column.

In: a set in which each row is a body of one part, and settings that are checked already. Out: the rows that they stand
in, as if they had been put in one after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.types import Floats, Integers
from carom.shapes.proxy import AABB, DISC, KIND, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.shapes.set_rows import first_points
from carom.world.settings import Columns, Settings
from carom.world.store import RowOf, Store
from carom.world.tables import GONE, KINEMATIC
from carom.world.toi.internal_edges import widths_of


def take_rows(
    store: Store, shapes: Shapes, values: list[Any] | None, data: list[Any], settings: Settings, columns: Columns
) -> Integers:
    """Return rows for new bodies, with all that the tables hold of them in place.

    `values` are the shapes one by one, if they are there already.
    """
    n = len(shapes)
    buffer, starts = shapes._records.buffer, shapes._records.starts
    first = first_points(shapes._records)
    counts, radius = np.diff(first), buffer[starts + RADIUS]
    rows: Integers = store.take_rows(n)
    parts = store.take_parts(buffer, starts)
    w = store.tables
    points = np.repeat(starts + POINTS - STRIDE * first[:-1], counts) + STRIDE * np.arange(first[-1])
    sides: dict[str, Floats] = {}
    for low, high, at in (("left", "right", points), ("bottom", "top", points + 1)):
        sides[low] = np.minimum.reduceat(buffer[at], first[:-1]) - radius
        sides[high] = np.maximum.reduceat(buffer[at], first[:-1]) + radius
    for name, column in sides.items():
        w.parts[name][parts] = column
    w.parts["offset_x"][parts] = w.parts["offset_y"][parts] = 0.0
    w.parts["least_width"][parts] = widths_of(buffer, starts)
    w.parts["width"][parts] = 2.0 * (buffer[starts + REACH] + radius)
    w.parts["body"][parts], w.parts["cell"][parts] = rows, -1
    kinds = buffer[starts + KIND]
    if not ((kinds == DISC) | ((kinds == AABB) & (radius == 0.0))).all() or settings.sensor:
        store.generalise()
    store.most_points = max(store.most_points, int(counts.max()))
    stamps = w.bodies["stamp"][rows]
    w.bodies[rows] = np.zeros((), w.bodies.dtype)
    position = shapes.positions
    x, y = buffer[starts + X], buffer[starts + Y]
    taken: dict[str, Any] = {
        "x": x,
        "y": y,
        "stamp": stamps,
        "supporter": -1,
        "kind": GONE,
        "first_part": parts,
        "part_count": 1,
        "serial": store.next_serial + np.arange(n),
        "extent": np.maximum(sides["right"] - sides["left"], sides["top"] - sides["bottom"]),
        "center_x": position[:, 0] - x,
        "center_y": position[:, 1] - y,
        "middle_x": position[:, 0] - x,
        "middle_y": position[:, 1] - y,
    }
    for name in taken:
        w.bodies[name][rows] = taken[name]
    store.next_serial += n
    write_columns(store, rows, settings, columns)
    for k, row in enumerate(rows.tolist()):
        store.shapes[row] = RowOf(shapes, k) if values is None else values[k]
        store.data[row] = data[k]
    return rows


def write_columns(store: Store, rows: Integers, settings: Settings, columns: Columns) -> None:
    """Write the settings of bodies into their rows of the tables."""
    bodies = store.tables.bodies
    bodies["vx"][rows], bodies["vy"][rows] = columns.velocity.T
    if settings.kind == KINEMATIC:
        bodies["drive_x"][rows], bodies["drive_y"][rows] = columns.velocity.T
    bodies["inverse_mass"][rows], bodies["restitution"][rows] = columns.inverse_mass, columns.restitution
    bodies["acceleration_x"][rows], bodies["acceleration_y"][rows] = settings.acceleration
    bodies["one_way_x"][rows], bodies["one_way_y"][rows] = settings.one_way
    bodies["kind"][rows], bodies["layer"][rows], bodies["mask"][rows] = settings.kind, settings.layer, settings.mask
    bodies["response"][rows], bodies["sensor"][rows] = settings.response, settings.sensor
