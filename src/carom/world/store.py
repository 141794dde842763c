"""A world's tables and what no table can hold: rows for bodies, parts and records taken, given back, made more.

In: shapes and settings that are checked already. Out: rows of the tables, and beside them the shape that each body was
added as, the user's data and the names of layers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.layers import Layers
from carom._core.types import Floats, Integers
from carom.narrow.rotating_pose import workspace
from carom.shapes.base import restored
from carom.shapes.compound import Compound
from carom.shapes.proxy import AABB, COUNT, KIND, OBB, POINTS, POLYGON, RADIUS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.vector import Point2
from carom.world.sensors import refill
from carom.world.settings import Settings, columns_of
from carom.world.tables import BETWEEN, BODY, GONE, SLOTS, STATIC, Tables, larger, make_tables, rows_of
from carom.world.update import enter_bodies, motion_of, move_body, place_all

_BLANK = rows_of(BODY, 1)


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
        self.layers = Layers()
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
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, (list, dict, set)) else value)
        other.layers = self.layers.copy()
        other.tables = Tables._make(array.copy() for array in self.tables)
        other.free_parts = {sizes: rows.copy() for sizes, rows in self.free_parts.items()}
        other.free_models = {size: places.copy() for size, places in self.free_models.items()}
        return other

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.tables = held_here(self.tables)

    @property
    def unfinished(self) -> bool:
        """Whether a step is under way."""
        return bool(self.tables.state["phase"][0] != BETWEEN)

    def enter(self, shapes: Shapes | list[Any], data: list[Any], settings: Settings) -> Integers:
        """Put in new bodies, as if they came one after the other, and return their rows."""
        buffer, sizes, counts, places = _laid_out(shapes)
        rows, fresh = self._take_rows(len(shapes)), int(self.tables.state["parts"][0])
        parts = self._take_parts(sizes, counts)
        told = _BLANK.repeat(len(shapes))
        # `add_many` gives an array of velocities; for the one body of `add`, a row number is far quicker.
        at = slice(None) if isinstance(settings["velocity"], np.ndarray) else 0
        for column, value in columns_of(settings, settings["kind"]).items():
            told[column][at] = value
        form = buffer, np.array(sizes, dtype=np.int64), places
        plain, points, self.used = enter_bodies(
            self.tables, rows, told, self.next_serial, parts, *form, fresh, self.used
        )
        self.next_serial += len(shapes)
        self.most_points = max(self.most_points, points)
        if not plain or settings["sensor"]:
            self.generalise()
        for k, row in enumerate(rows.tolist()):
            self.shapes[row] = RowOf(shapes, k) if isinstance(shapes, Shapes) else shapes[k]
            self.data[row] = data[k]
        return rows

    def write(self, rows: Integers, name: str, value: Any) -> None:
        """Change one setting, or of a single body the position or spin; they stand where they are at present."""
        if name == "position":
            body = self.tables.bodies[rows[0]]
            move_body(self.tables, rows[0], value[0] - float(body["center_x"]), value[1] - float(body["center_y"]))
        elif name == "spin":
            self._set_spin(int(rows[0]), *value)
        else:
            bodies = self.tables.bodies
            at = rows if len(rows) != 1 or isinstance(value, np.ndarray) else rows[0]  # a number is far quicker
            for column, each in columns_of({name: value}, bodies["kind"][at]).items():
                bodies[column][at] = each

    def _set_spin(self, row: int, rate: float, pivot: Point2 | None) -> None:
        """Have a body turn, from its first spin on about this pivot; None for its position."""
        body = self.tables.bodies[row]
        body["spin"] = rate
        if not rate or body["sweep"] != 0.0:
            return
        self.generalise()
        x, y = float(body["x"]), float(body["y"])
        px, py = (x + float(body["center_x"]), y + float(body["center_y"])) if pivot is None else pivot
        body["pivot_x"], body["pivot_y"] = px, py
        body["lever_x"], body["lever_y"] = x - px, y - py
        first, count = int(body["first_part"]), int(body["part_count"])
        sweep = 0.0
        for number in range(first, first + count):
            part = self.tables.parts[number]
            start = int(part["record"])
            if self.tables.buffer[start + KIND] in (AABB, OBB):
                self.tables.buffer[start + KIND] = POLYGON
            # The parts as they are at angle 0 are kept: each angle is turned to from there.
            record = self.tables.buffer[start : start + _size_of(self.tables.buffer, start)].copy()
            xs, ys = record[X] + record[POINTS::STRIDE] - px, record[Y] + record[POINTS + 1 :: STRIDE] - py
            sweep = max(sweep, float(np.sqrt(xs * xs + ys * ys).max()) + float(record[RADIUS]))
            record[X], record[Y] = part["offset_x"], part["offset_y"]
            part["model"] = place = self._room_for_model(record.size)
            self.tables.buffer[place : place + record.size] = record
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

    def generalise(self) -> None:
        """Have the step know all shapes and sensors from now on."""
        self.general = np.zeros(1)

    def _take_rows(self, count: int) -> Integers:
        """Return rows for so many new bodies, first those that were given back."""
        given = min(count, len(self.free_rows))
        rows = self.free_rows[len(self.free_rows) - given :][::-1]
        del self.free_rows[len(self.free_rows) - given :]
        w = self.tables
        first, last = int(w.state["bodies"][0]), int(w.state["bodies"][0]) + count - given
        w.state["bodies"] = last
        self.shapes += [None] * (count - given)
        self.data += [None] * (count - given)
        if last > min(len(w.bodies), len(w.queue), len(w.movers)):
            self.tables = w._replace(
                bodies=larger(w.bodies, last), queue=larger(w.queue, last), movers=larger(w.movers, last)
            )
        return np.array([*rows, *range(first, last)], dtype=np.int64)

    def _take_parts(self, sizes: list[int], counts: list[int]) -> Integers:
        """Return the first part, and how many, of bodies with so many parts each, whose records have these sizes."""
        found = []
        begin, last, used = 0, int(self.tables.state["parts"][0]), self.used
        for count in counts:
            own = tuple(sizes[begin : begin + count])
            begin += count
            freed = self.free_parts.get(own)
            if freed:
                found.append((freed.pop(), count))
            else:
                found.append((last, count))
                last, used = last + count, used + sum(own)
        self._make_room(last, used)
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def _make_room(self, parts: int, used: int) -> None:
        """Have so many parts, and room for their records."""
        w = self.tables
        if used > len(w.buffer) or parts > min(len(w.parts), len(w.near), len(w.lists) // SLOTS):
            self.tables = w = w._replace(
                buffer=larger(w.buffer, used),
                parts=larger(w.parts, parts),
                near=larger(w.near, parts),
                lists=larger(w.lists, SLOTS * parts),
            )
        w.parts["body"][int(w.state["parts"][0]) : parts] = -1  # of nobody, until they are entered
        w.state["parts"] = parts
        if 2 * parts > len(w.cells):
            self._widen_grid(4 * parts)

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

    def shape_now(self, row: int) -> Any:
        """Return the shape of a row at the present instant; the body stays as it is, so that nothing is rounded."""
        body = self.tables.bodies[row]
        x, y = float(body["x"]), float(body["y"])
        if not self.unfinished or body["kind"] == STATIC:
            return self.shape_at(row, x, y)
        if body["turn"]:
            turned = self.shape_of(row).rotated(self.angle_now(row))
            return turned.translated(motion_of(self.tables, row)[0] - turned.position)
        past = self._time_since(row)
        x, y = (float(body[at] + (body[f"way_{at}"] * past + body[f"spare_{at}"])) for at in ("x", "y"))
        return self.shape_at(row, x, y)

    def angle_now(self, row: int) -> float:
        """Return how far a body has turned at the present instant."""
        body = self.tables.bodies[row]
        return float(body["angle"]) + float(body["turn"]) * self._time_since(row)

    def pivot_now(self, row: int) -> Point2:
        """Return the point that a spinning body turns about at the present instant."""
        body, since = self.tables.bodies[row], self._time_since(row)
        x, y, vx, vy = (float(body[name]) for name in ("pivot_x", "pivot_y", "vx", "vy"))
        return x + vx * since, y + vy * since

    def _time_since(self, row: int) -> float:
        """Return the time from a body's own time to the present instant."""
        return float(self.tables.state["now"][0] - self.tables.bodies["own_time"][row]) if self.unfinished else 0.0

    def shape_at(self, row: int, x: float, y: float) -> Any:
        """Return the shape of a row with its origin at (x, y), turned as far as it is at its own time."""
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


def _size_of(buffer: Floats, start: int) -> int:
    """Return how many numbers the record has that begins there."""
    return POINTS + STRIDE * int(buffer[start + COUNT])


def _laid_out(shapes: Shapes | list[Any]) -> tuple[Floats, list[int], list[int], Floats]:
    """Return the parts of shapes for the tables.

    These are the records one behind the other and the size of each; and for each shape how many parts it has, and its
    origin and position, (n, 4).
    """
    if not isinstance(shapes, Shapes) and len(shapes) != 1 and not any(isinstance(one, Compound) for one in shapes):
        shapes = Shapes(shapes)  # quicker for many
    if isinstance(shapes, Shapes):
        buffer, starts = shapes._proxies.buffer, shapes._proxies.starts
        places = np.column_stack((buffer[starts + X], buffer[starts + Y], shapes.positions))
        return buffer, np.diff(starts, append=buffer.size).tolist(), [1] * len(shapes), places
    records, counts, around = [], [], []
    for shape in shapes:
        parts = shape.parts if isinstance(shape, Compound) else (shape,)
        origin = shape._origin if isinstance(shape, Compound) else shape._origin()
        records += [part._record for part in parts]
        counts.append(len(parts))
        around.append((*origin, *shape.position))
    return np.concatenate(records), [one.size for one in records], counts, np.array(around)


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
