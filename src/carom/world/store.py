"""The user's side of a world's tables: rows for bodies, parts and records taken, given back, made more.

In: shapes and settings that are checked already. Out: rows of the tables, and beside them what no table can hold: the
shape each body was added as, the user's data, the names of layers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Floats, Integers
from carom.narrow.rotating_pose import workspace
from carom.shapes.base import Shape, restored
from carom.shapes.compound import Compound
from carom.shapes.proxy import AABB, COUNT, DISC, KIND, OBB, POINTS, POLYGON, RADIUS, REACH, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.world.sensors import refill
from carom.world.tables import BETWEEN, BODY, GONE, SLOTS, Tables, larger, make_tables, rows_of
from carom.world.toi.internal_edges import widths_of
from carom.world.update import place_all

_EMPTY = np.zeros((), BODY)
_FIRST = np.zeros(1, dtype=np.int64)


class Exit(NamedTuple):
    """An exit from a sensor that is not told yet: rows, and where the visitor was."""

    visitor: int
    sensor: int
    x: float
    y: float


class RowOf(NamedTuple):
    """The shape of a body that came in a set: it is made when someone asks for it."""

    shapes: Shapes
    row: int


class Store:
    """The tables of a world, and what belongs to each row and fits no table."""

    def __init__(self) -> None:
        self.tables: Tables = make_tables()
        self.shapes: list[Any] = []  # as added, by row
        self.data: list[Any] = []
        self.layers: list[str] = ["default"]
        self.free_rows: list[int] = []
        self.free_parts: dict[tuple[int, ...], list[int]] = {}  # first part of removed bodies, by their records' sizes
        self.free_models: dict[int, list[int]] = {}  # where records at angle 0 of removed bodies stood, by their size
        # None as long as all shapes are discs and boxes along the axes, without sensors: the step compiles sooner then.
        self.general: Floats | None = None
        self.exits: list[Exit] = []
        self.departed: dict[int, int] = {}  # rows of removed bodies that hits may still name, with their serial numbers
        self.arrived: set[int] = set()  # rows of bodies that may have been put into others since the last step
        self.overlapping: set[tuple[int, int]] = set()  # rows of bodies that are on their way out of each other
        self.reports_overlaps = False  # instead of parting them
        self.told = 0  # how many of the present step's hits a loop has yielded, or a call returned
        self.used = 0  # of the buffer
        self.most_points = 1  # of any part there was
        self.next_serial = 0

    def copy(self) -> Store:
        """Return a store of its own with the same content; shapes and data are shared."""
        other = object.__new__(Store)
        other.tables = Tables._make(array.copy() for array in self.tables)
        other.shapes, other.data, other.layers = self.shapes.copy(), self.data.copy(), self.layers.copy()
        other.free_rows = self.free_rows.copy()
        other.free_parts = {sizes: rows.copy() for sizes, rows in self.free_parts.items()}
        other.free_models = {size: places.copy() for size, places in self.free_models.items()}
        other.general = self.general
        other.exits, other.departed = self.exits.copy(), self.departed.copy()
        other.arrived, other.overlapping = self.arrived.copy(), self.overlapping.copy()
        other.reports_overlaps, other.told = self.reports_overlaps, self.told
        other.used, other.next_serial, other.most_points = self.used, self.next_serial, self.most_points
        return other

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.tables = held_here(self.tables)

    def take_row(self, shape: Any, data: Any) -> int:
        """Return a row for a new body with its shape's parts and records in place; the caller sets the rest."""
        parts = shape.parts if isinstance(shape, Compound) else (shape,)
        origin = shape._origin() if isinstance(shape, Shape) else shape._origin
        records = [part._record for part in parts]
        row = self._row()
        first = self._parts(tuple(record.size for record in records))
        body = self.tables.bodies[row]
        stamp = body["stamp"]
        self.tables.bodies[row] = _EMPTY
        body["x"], body["y"] = origin
        body["stamp"], body["supporter"], body["kind"] = stamp, -1, GONE
        body["first_part"], body["part_count"], body["serial"] = first, len(parts), self.next_serial
        self.next_serial += 1
        low, high = [np.inf, np.inf], [-np.inf, -np.inf]
        for part, record in enumerate(records, start=first):
            self._fill_part(part, row, record, origin, low, high)
        body["extent"] = max(high[0] - low[0], high[1] - low[1])
        position = shape.position
        body["center_x"], body["center_y"] = position.x - origin[0], position.y - origin[1]
        body["middle_x"], body["middle_y"] = body["center_x"], body["center_y"]
        self.shapes[row], self.data[row] = shape, data
        return row

    def set_spinning(self, row: int, pivot: tuple[float, float]) -> None:
        """Have a body turn about a pivot from now on: keep its parts as they are at angle 0."""
        self.generalise()
        body = self.tables.bodies[row]
        first, count = int(body["first_part"]), int(body["part_count"])
        body["pivot_x"], body["pivot_y"] = pivot
        body["lever_x"], body["lever_y"] = float(body["x"]) - pivot[0], float(body["y"]) - pivot[1]
        sweep, most = 0.0, 0
        for number in range(first, first + count):
            start = int(self.tables.parts["record"][number])
            points = int(self.tables.buffer[start + COUNT])
            size = POINTS + STRIDE * points
            if self.tables.buffer[start + KIND] in (AABB, OBB):
                self.tables.buffer[start + KIND] = POLYGON
            place = self._room_for_model(size)
            record = self.tables.buffer[start : start + size].copy()
            part = self.tables.parts[number]
            part["model"] = place
            self.tables.buffer[place : place + size] = record
            self.tables.buffer[place + X], self.tables.buffer[place + Y] = (
                part["offset_x"],
                part["offset_y"],
            )
            xs, ys = (
                record[X] + record[POINTS::4] - pivot[0],
                record[Y] + record[POINTS + 1 :: 4] - pivot[1],
            )
            sweep = max(sweep, float(np.sqrt(xs * xs + ys * ys).max()) + float(record[RADIUS]))
            most = max(most, points)
        body = self.tables.bodies[row]
        body["sweep"] = sweep * (1.0 + 1e-12)

    def _room_for_model(self, size: int) -> int:
        freed = self.free_models.get(size)
        if freed:
            return freed.pop()
        place = self.used
        self.used += size
        self.tables = self.tables._replace(buffer=larger(self.tables.buffer, self.used))
        return place

    def make_workspace(self) -> None:
        """Have room for the turning pair with the most points."""
        room = workspace(self.most_points, self.most_points)
        if len(self.tables.workspace) < room:
            self.tables = self.tables._replace(workspace=np.zeros(room))

    def _fill_part(
        self, number: int, row: int, record: Any, origin: tuple[float, float], low: list[float], high: list[float]
    ) -> None:
        part = self.tables.parts[number]
        start = part["record"].item()
        self.tables.buffer[start : start + record.size] = record
        values = record.tolist()
        self.most_points = max(self.most_points, int(values[COUNT]))
        plain = values[KIND] == DISC or (values[KIND] == AABB and values[RADIUS] == 0.0)
        if not plain:
            self.generalise()
        radius, xs, ys = (
            values[RADIUS],
            values[POINTS::STRIDE],
            values[POINTS + 1 :: STRIDE],
        )
        sides = min(xs) - radius, min(ys) - radius, max(xs) + radius, max(ys) + radius
        part["left"], part["bottom"], part["right"], part["top"] = sides
        offset = values[X] - origin[0], values[Y] - origin[1]
        part["offset_x"], part["offset_y"] = offset
        part["width"] = 2.0 * (values[REACH] + radius)
        part["least_width"] = widths_of(record, _FIRST)[0]
        part["body"], part["cell"] = row, -1
        for k in range(2):
            low[k], high[k] = min(low[k], offset[k] + sides[k]), max(high[k], offset[k] + sides[k + 2])

    def generalise(self) -> None:
        """Have the step know all shapes and sensors from now on."""
        self.general = np.zeros(1)

    def _row(self) -> int:
        if self.free_rows:
            return self.free_rows.pop()
        w = self.tables
        row = int(w.state["bodies"][0])
        w.state["bodies"] = row + 1
        self.shapes.append(None)
        self.data.append(None)
        if row >= min(len(w.bodies), len(w.queue), len(w.movers)):
            self.tables = w._replace(
                bodies=larger(w.bodies, row + 1), queue=larger(w.queue, row + 1), movers=larger(w.movers, row + 1)
            )
        return row

    def take_rows(self, count: int) -> Integers:
        """Return rows for so many new bodies, first those that were given back."""
        given = min(count, len(self.free_rows))
        rows = self.free_rows[len(self.free_rows) - given :][::-1]
        del self.free_rows[len(self.free_rows) - given :]
        w = self.tables
        first, last = int(w.state["bodies"][0]), int(w.state["bodies"][0]) + count - given
        w.state["bodies"] = last
        self.shapes += [None] * (count - given)
        self.data += [None] * (count - given)
        self.tables = w._replace(
            bodies=larger(w.bodies, last), queue=larger(w.queue, last), movers=larger(w.movers, last)
        )
        return np.append(np.array(rows, dtype=np.int64), np.arange(first, last))

    def take_parts(self, buffer: Floats, starts: Integers) -> Integers:
        """Return a part for each record, which is in its place."""
        sizes = np.diff(starts, append=buffer.size)
        if any((size,) in self.free_parts for size in np.unique(sizes).tolist()):
            found = [self._parts((size,)) for size in sizes.tolist()]
            for part, start, size in zip(found, starts.tolist(), sizes.tolist(), strict=True):
                to = int(self.tables.parts["record"][part])
                self.tables.buffer[to : to + size] = buffer[start : start + size]
            return np.array(found, dtype=np.int64)
        w = self.tables
        first, used = int(w.state["parts"][0]), self.used
        count = first + len(starts)
        self.used += buffer.size
        self.tables = w = w._replace(
            buffer=larger(w.buffer, self.used),
            parts=larger(w.parts, count),
            near=larger(w.near, count),
            lists=larger(w.lists, SLOTS * count),
        )
        w.buffer[used : self.used] = buffer
        rows = w.parts[first:count]
        rows["record"], rows["body"], rows["cell"] = used + starts, -1, -1
        w.state["parts"] = count
        if 2 * count > len(w.cells):
            self._widen_grid(4 * count)
        return np.arange(first, count)

    def _parts(self, sizes: tuple[int, ...]) -> int:
        """Return the first of new or freed parts with records of these sizes."""
        freed = self.free_parts.get(sizes)
        if freed:
            return freed.pop()
        w = self.tables
        first = int(w.state["parts"][0])
        count = first + len(sizes)
        used = self.used + sum(sizes)
        if used > len(w.buffer) or count > min(len(w.parts), len(w.near), len(w.lists) // SLOTS):
            self.tables = w._replace(
                buffer=larger(w.buffer, used),
                parts=larger(w.parts, count),
                near=larger(w.near, count),
                lists=larger(w.lists, SLOTS * count),
            )
        for part, size in enumerate(sizes, start=first):
            row = self.tables.parts[part]
            row["record"], row["body"], row["cell"] = self.used, -1, -1
            self.used += size
        self.tables.state["parts"] = count
        if 2 * count > len(self.tables.cells):
            self._widen_grid(4 * count)
        return first

    def _widen_grid(self, buckets: int) -> None:
        size = len(self.tables.cells)
        while size < buckets:
            size *= 2
        self.tables = self.tables._replace(cells=np.full(size, -1, dtype=np.int64))
        self.tables.parts["cell"] = -1
        self.tables.levels[:] = 0
        self.tables.state["levels"] = 0
        place_all(self.tables)

    def give_back(self, rows: list[int]) -> None:
        """Free removed bodies' parts, which are out of the grid, and their rows once no hit can name them any more."""
        named = self._told_later()
        for row in rows:
            self._give_back(row, self.tables.state["phase"][0] != BETWEEN or row in named)
        self.arrived.difference_update(rows)
        gone = set(rows)
        self.overlapping = {pair for pair in self.overlapping if gone.isdisjoint(pair)}

    def _told_later(self) -> set[int]:
        """Return the rows that exits name which are not told yet."""
        return {row for told in self.exits for row in (told.visitor, told.sensor)}

    def _give_back(self, row: int, named: bool) -> None:
        w = self.tables
        body = w.bodies[row]
        first, count = int(body["first_part"]), int(body["part_count"])
        counts = w.buffer[w.parts["record"][first : first + count] + COUNT]
        sizes = tuple((POINTS + STRIDE * counts.astype(np.int64)).tolist())
        self.free_parts.setdefault(sizes, []).append(first)
        for part, size in enumerate(sizes, start=first):
            if w.parts["model"][part]:
                self.free_models.setdefault(size, []).append(int(w.parts["model"][part]))
                w.parts["model"][part] = 0
        w.parts["body"][first : first + count] = -1
        if named:
            self.departed[row] = int(body["serial"])
        else:
            self.free_rows.append(row)
        body["kind"], body["serial"] = GONE, -1
        body["asleep"] = 0
        self.shapes[row] = self.data[row] = None

    def free_departed(self) -> None:
        """Free the rows of removed bodies whose exits are told; a step is about to begin."""
        named = self._told_later()
        self.free_rows += [row for row in self.departed if row not in named]
        self.departed = {row: serial for row, serial in self.departed.items() if row in named}

    def widen_inside(self) -> None:
        """Make the table of what is inside what twice as large."""
        keys = self.tables.inside[self.tables.inside >= 0]
        inside = np.full(2 * len(self.tables.inside), -1, dtype=np.int64)
        refill(keys, inside)
        self.tables = self.tables._replace(inside=inside)

    def shape_of(self, row: int) -> Any:
        """Return the shape of a row as it was added."""
        shape = self.shapes[row]
        if isinstance(shape, RowOf):
            shape = self.shapes[row] = shape.shapes[shape.row]
        return shape

    def shape_now(self, row: int, x: float, y: float) -> Any:
        """Return the shape of a row with its origin at (x, y)."""
        shape = self.shape_of(row)
        body = self.tables.bodies[row]
        if body["angle"] != 0.0:
            turned = shape.rotated(float(body["angle"]))
            center = turned.position
            return turned.translated((x + float(body["center_x"]) - center.x, y + float(body["center_y"]) - center.y))
        if isinstance(shape, Compound):
            return shape._placed("Body.shape", "origin", (x, y), (x, y))
        record = shape._record.copy()
        record[X], record[Y] = x, y
        return restored(type(shape), record, shape._detail)


def held_here(tables: Tables) -> Tables:
    """Return tables that another process made in the form this one has: that of compiled and plain Python differ."""
    found: list[Any] = []
    given: Any
    own: Any
    for given, own in zip(tables, make_tables(), strict=True):
        if own.dtype.names is None:
            found.append(given)
            continue
        rows = rows_of(own.dtype, len(given))
        rows[:] = given
        found.append(rows)
    return Tables._make(found)
