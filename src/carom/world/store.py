"""A world's tables and what no table can hold: rows for bodies, parts and records taken, given back, made more.

In: shapes and settings that are checked already. Out: rows of the tables, and beside them the shape that each body was
added as, the user's data and the names of layers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._core.layers import Layers
from carom._core.sealed import begun, seal
from carom._core.types import Floats, Integers
from carom.shapes.box import Box
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.shapes.set import Shapes
from carom.world.addressed import ROOM_AHEAD, addresses_of
from carom.world.changes.bodies import place_all, set_target, take_out_bodies
from carom.world.changes.body_parts import Form, change_kind, enter_bodies, hang_body, reshape_body, set_upright
from carom.world.changes.body_shapes import Laid, RowOf, Standing, laid_out, placed
from carom.world.changes.removed import Key, Place, note_body
from carom.world.changes.settings import Settings, columns_of
from carom.world.joints.lists import relink
from carom.world.joints.order import link
from carom.world.joints.rigid import find_rigid
from carom.world.reports.motion import motion_of
from carom.world.single_calls import put_bodies_at, turn_bodies_at
from carom.world.state import pickled
from carom.world.state.checked import forget_islands, grid_is_whole
from carom.world.step.declared import copied, longer, room_for, rows_of
from carom.world.step.pairs.names import name_contacts
from carom.world.step.pairs.sensors import refill
from carom.world.step.piles import Piles, make_piles
from carom.world.step.play.events import HITS_OF_EVENT, MORE_CONTACTS, MORE_EVENTS, MORE_HITS, MORE_INSIDE
from carom.world.step.tables import BETWEEN, BODY, CHANGED, GONE, WITHIN, Tables, make_tables

_BLANK: Any = rows_of(BODY, 1)
FEWEST = 64  # rows that a table of contacts or hits begins with


class Exit(NamedTuple):
    """An exit from a sensor that is not told yet: rows, and where the visitor was."""

    visitor: int
    sensor: int
    x: float
    y: float


class Store:
    """The tables of a world, and what belongs to each row and fits no table."""

    def __init__(self) -> None:
        self.tables: Tables = make_tables()
        self.piles: Piles = make_piles(len(self.tables.bodies), FEWEST, 1)
        self.shapes: list[Any] = []  # as given, by row
        self.data: list[Any] = []
        self.layers = Layers()
        self.free_rows: list[int] = []
        self.free_parts: dict[tuple[int, ...], list[int]] = {}  # first part of removed bodies, by their records' sizes
        self.exits: list[Exit] = []
        self.departed: dict[int, int] = {}  # rows of removed bodies that hits may still name, with their serial numbers
        self.arrived: set[int] = set()  # rows of bodies that may have been put into others since the last step
        self.overlapping: set[tuple[int, int]] = set()  # rows of bodies that are on their way out of each other
        self.reports_overlaps = False  # instead of parting them
        self.told = 0  # how many of the present step's hits a loop has yielded, or a call returned
        self.most_points = 1  # of any part there was
        self.joint_data: list[Any] = []  # of the user's, by row of the table of joints
        self.gone: dict[Key, Place] = {}  # bodies and joints that were removed lately
        self.gone_data: dict[Key, Any] = {}  # and the user's data of them
        self.next_serial = self.next_joint = self.used = 0  # the last: of the buffer
        self.whole = False  # it has, or had, a joint or a sensor: its steps take the whole form of their kernels
        self.known: Any = None  # the addresses of its tables
        self.roomy: Any = None  # and those with which there was room for a step

    def copy(self) -> Store:
        """Return a store of its own with the same content; shapes and data are shared."""
        other = object.__new__(Store)
        for name, value in vars(self).items():
            setattr(other, name, value.copy() if isinstance(value, (list, dict, set)) else value)
        other.layers = self.layers.copy()
        other.tables = copied(self.tables, self.unfinished)
        if not self.unfinished:
            other.tables.state["linked"] = 0  # the graph of joints is left out
        other.free_parts = {sizes: rows.copy() for sizes, rows in self.free_parts.items()}
        other.piles = copied(self.piles, self.unfinished)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return begun, ("Store",), self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the user's data under one seal; data may lead back to the world, so it stays outside."""
        return {"sealed": seal(pickled.plain(self)), **pickled.given_by_user(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.take(pickled.content_of(state), state)

    def take(self, content: dict[str, Any], given: dict[str, Any]) -> None:
        """Take over what `plain` and `given_by_user` returned of another store."""
        state, earlier = pickled.read_plain(content, given, vars(Store()))
        self.__dict__.update(state)
        self.exits = [Exit(*one) for one in self.exits]
        # A world may have been kept before there was this mark.
        self.whole = bool(self.whole or self.next_joint or self.tables.bodies["sensor"].any())
        forget_islands(self.tables)
        pickled.note_bounds(self.tables)
        if not grid_is_whole(self.tables):  # damaged, or laid out by another version
            self._widen_grid(0)
        pickled.note_reaches(self.tables)
        self._link_anew()
        find_rigid(self.tables)
        if earlier:
            for row in pickled.note_upright(self.tables):
                self.shapes[row] = Standing(self._given(row), 0.0)

    def _link_anew(self) -> None:
        """Make the lists of joints, and within a step their graph: those of a pickle may be damaged."""
        w = self.tables
        linked = int(w.state["linked"][0]) == 1 and self.unfinished
        relink(w)
        if linked:
            self.piles = link(w, self.piles)
        elif self.unfinished:
            # It was changed at this instant; or a version has kept it that left out the ways of mechanisms.
            w.bodies["node"], w.state["aimed"] = 0, 0
            if w.state["phase"][0] == WITHIN:
                w.state["phase"] = CHANGED

    @property
    def unfinished(self) -> bool:
        """Whether a step is under way."""
        return bool(self.tables.state["phase"][0] != BETWEEN)

    def enter(self, shapes: Shapes | list[Any], data: list[Any], settings: Settings, pivots: Floats | None) -> Integers:
        """Put in new bodies, as if they came one after the other, and return their rows."""
        laid = laid_out(shapes)
        rows, fresh = self._take_rows(len(shapes)), int(self.tables.state["parts"][0])
        form = self._form(laid, laid.positions if pivots is None else pivots)
        told = _BLANK.repeat(len(shapes))
        # `add_many` gives an array of velocities; for the one body of `add`, a row number is far quicker.
        at = slice(None) if isinstance(settings["velocity"], np.ndarray) else 0
        for column, value in columns_of(settings).items():
            told[column][at] = value
        self.whole = self.whole or bool(told["sensor"].any())
        self.used = enter_bodies(self.tables, rows, told, self.next_serial, form, fresh, self.used)
        self.next_serial += len(shapes)
        for k, row in enumerate(rows.tolist()):
            self.shapes[row] = RowOf(shapes, k) if isinstance(shapes, Shapes) else shapes[k]
            self.data[row] = data[k]
        return rows

    def write(self, rows: Integers, name: str, value: Any) -> None:
        """Change one setting, or of each body its place; they stand where they are at present."""
        bodies = self.tables.bodies
        if name in ("velocity", "spin", "kind", "pivot", "shape"):
            for column in ("told", "target_x", "target_y", "target_angle"):  # what was told last holds
                self.tables.courses[column][rows] = 0
        if name == "position":
            put_bodies_at(
                addresses_of(self), rows, np.broadcast_to(np.array(value, dtype=np.float64), (len(rows), 2)).copy()
            )
        elif name == "angle":
            turn_bodies_at(
                addresses_of(self), rows, np.broadcast_to(np.array(value, dtype=np.float64), len(rows)).copy()
            )
        elif name == "target":
            set_target(self.tables, rows[0], *value)
        elif name == "kind":
            change_kind(self.tables, rows[0], value)
        elif name == "pivot":
            hang_body(self.tables, rows[0], *value)
        elif name == "turns":
            set_upright(self.tables, rows[0], value)
        elif name == "shape":
            self._reshape(int(rows[0]), value)
        elif name == "mass":
            # The moment of inertia goes with the mass, as that of the same shape does.
            bodies["inverse_inertia"][rows] *= value / bodies["inverse_mass"][rows]
            bodies["inverse_mass"][rows] = value
        else:
            at = rows if len(rows) != 1 or isinstance(value, np.ndarray) else rows[0]  # a number is far quicker
            self.whole = self.whole or name == "sensor"
            for column, each in columns_of({name: value}).items():
                bodies[column][at] = each

    def _reshape(self, row: int, shape: Any) -> None:
        """Give a body another shape, as it stands; what it has touched is forgotten."""
        numbers = np.array([row])
        for contacts, count in ((self.piles.contacts, self.piles.counts[0]), (self.piles.old, self.piles.counts[1])):
            take_out_bodies(self.tables, numbers, contacts, count)
        self._free_parts_of(row)
        if isinstance(shape, Box):
            self.tables.bodies["angle"][row] = shape.angle
        laid = laid_out([shape])
        fresh, body = int(self.tables.state["parts"][0]), self.tables.bodies[row]
        hangs = bool(body["middle_x"] or body["middle_y"])
        pivots = np.array([[float(body["x"]), float(body["y"])]]) if hangs else laid.positions
        form = self._form(laid, pivots)  # may make the tables longer
        _, _, self.used = reshape_body(self.tables, row, form, 0, 0, 0, fresh, self.used)
        angle = float(self.tables.bodies["angle"][row])
        self.shapes[row] = shape if isinstance(shape, Box) else Standing(shape, angle)

    def _form(self, laid: Laid, pivots: Floats) -> Form:
        """Take parts for shapes, and return what kernels read of them."""
        sizes, self.roomy = np.array(laid.sizes, dtype=np.int64), None
        self.most_points = max(self.most_points, (int(sizes.max(initial=POINTS)) - POINTS) // STRIDE)
        owned = self._take_parts(laid.sizes, laid.counts)
        return Form(laid.buffer, sizes, owned, np.column_stack((laid.positions, pivots)), laid.turned)

    def make_ready(self, contacts: int = 0) -> None:
        """Have tables of piles for the bodies and parts there are, and for so many contacts."""
        piles, w = self.piles, self.tables
        room = len(piles.contacts)
        least = max(room, contacts)
        if (
            len(piles.solving) < len(w.bodies)
            or room < least
            or len(piles.work) < 2 * (POINTS + STRIDE * self.most_points)
        ):
            for of, count in (("bodies", len(w.bodies)), ("contacts", least), ("points", self.most_points)):
                self.piles = made = longer(self.piles, of, count)
            name_contacts(made.names, made.contacts, 0, int(made.counts[0]))
            name_contacts(made.old_names, made.old, 0, int(made.counts[1]))

    def lengthen(self, status: int) -> None:
        """Make the table longer for want of which a step has stopped."""
        w = self.tables
        if status == MORE_EVENTS:
            self.make_room("events", 2 * len(w.heap))
        elif status == MORE_CONTACTS:
            self.make_ready(2 * len(self.piles.contacts))
        elif status == MORE_HITS:
            self.make_room("hits", 2 * len(w.hits) + HITS_OF_EVENT)
        elif status == MORE_INSIDE:
            self.widen("inside")

    def make_room_ahead(self) -> None:
        """Have room for all contacts that the next step might want.

        A step that runs out of room is begun again, and its bodies have then looked around once more: it may round
        otherwise than with more room. Room made between two steps changes nothing.
        """
        while ROOM_AHEAD * self.piles.counts[1] > len(self.piles.contacts):
            self.lengthen(MORE_CONTACTS)

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
        self.make_room("bodies", last)
        return np.array([*rows, *range(first, last)], dtype=np.int64)

    def _take_parts(self, sizes: list[int], counts: list[int]) -> Integers:
        """Return the first part, and how many, of bodies with so many parts each, whose records have these sizes."""
        found = []
        begin, last, used = 0, int(self.tables.state["parts"][0]), self.used
        for count in counts:
            own = tuple(sizes[begin : begin + count])
            begin += count
            if freed := self.free_parts.get(own):
                found.append((freed.pop(), count))
            else:
                found.append((last, count))
                last, used = last + count, used + sum(own)
        self.make_room("numbers", used)
        self.make_room("parts", last)
        self._note_parts(last)
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def make_room(self, of: str, count: int) -> None:
        """Have room for so many bodies, parts, events, ..., at least twice as many as there was room for, if more."""
        have = room_for(self.tables, of)
        if count > have:
            self.tables = longer(self.tables, of, max(count, 2 * have))

    def _note_parts(self, parts: int) -> None:
        """Have so many parts in use, those that are new of nobody until they are entered."""
        w = self.tables
        w.parts["body"][int(w.state["parts"][0]) : parts] = -1
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
        body = self.tables.bodies[row]
        note_body(self, row)
        self._free_parts_of(row)
        if named:
            self.departed[row] = int(body["serial"])
        else:
            self.free_rows.append(row)
        body["kind"], body["serial"] = GONE, -1
        body["asleep"] = 0
        self.shapes[row] = self.data[row] = None

    def _free_parts_of(self, row: int) -> None:
        w = self.tables
        first, count = int(w.bodies["first_part"][row]), int(w.bodies["part_count"][row])
        counts = w.buffer[w.parts["record"][first : first + count] + COUNT]
        sizes = tuple((POINTS + STRIDE * counts.astype(np.int64)).tolist())
        self.free_parts.setdefault(sizes, []).append(first)
        w.parts["body"][first : first + count] = -1

    def free_departed(self) -> None:
        """Free the rows of removed bodies whose exits are told; a step is about to begin."""
        if not self.departed:
            return
        named = self._told_later()
        self.free_rows += [row for row in self.departed if row not in named]
        self.departed = {row: serial for row, serial in self.departed.items() if row in named}

    def widen(self, name: str) -> None:
        """Make the table of what is `inside` what, or of pairs that are in each other (`overlaps`), twice as large."""
        pairs = getattr(self.tables, name)
        wider = np.full(2 * len(pairs), -1, dtype=np.int64)
        refill(pairs[pairs >= 0], wider)
        made: dict[str, Any] = {name: wider}
        self.tables = self.tables._replace(**made)

    @property
    def waits(self) -> bool:
        """Whether something is left to the next step: exits to tell, rows to free, bodies that may be in others."""
        return bool(self.exits or self.arrived or self.overlapping or self.departed or self.gone)

    def shape_of(self, row: int) -> Any:
        """Return the shape of a row as it was given."""
        shape = self._given(row)
        return shape.shape if isinstance(shape, Standing) else shape

    def _given(self, row: int) -> Any:
        shape = self.shapes[row]
        if isinstance(shape, RowOf):
            shape = self.shapes[row] = shape.shapes[shape.row]
        return shape

    def shape_now(self, row: int) -> Any:
        """Return the shape of a row at the present instant; the body stays as it is, so that nothing is rounded."""
        position, angle, _, _ = motion_of(self.tables, row)
        return self.shape_at(row, position.x, position.y, angle)

    def shape_at(self, row: int, x: float, y: float, angle: float) -> Any:
        """Return the shape of a row with its position at (x, y) and the body at an angle."""
        return placed(self._given(row), x, y, angle)
