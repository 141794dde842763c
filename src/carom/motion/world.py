"""World: bodies that move and meet, stepped as ordered events, in which nothing passes through anything.

In: shapes with velocities and masses, and lengths of time. Out: where everything is then, and what happened on the way.
World frame, user's units; seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom import _arrays
from carom._arrays import PointLike
from carom._shape import Shape
from carom._typing import Floats, Integers
from carom.columns import Shapes
from carom.compound import Compound
from carom.motion import tables as at
from carom.motion.body import Body
from carom.motion.digest import digest_of
from carom.motion.events import (
    DONE,
    HITS_FOR_CONTACT,
    MORE_CONTACTS,
    MORE_EVENTS,
    MORE_HITS,
    MORE_INSIDE,
    PAUSED,
    play,
)
from carom.motion.hits import KINDS, WorldHit, WorldHits, columns
from carom.motion.leaving import left_quietly
from carom.motion.reading import abandon, bring_body, move_body, put_body, read_all, take_out_body
from carom.motion.responses import NAMES
from carom.motion.settings import (
    KIND_NAMES,
    Settings,
    checked_restitution,
    checked_settings,
    checked_spin,
    checked_velocity,
    refuse_mass,
    settings_of_many,
    write_settings,
)
from carom.motion.store import Store, number_of_layer
from carom.motion.tables import larger, with_more_events
from carom.tolerances import LARGEST
from carom.vector import Vec

MOST_STEPS = 10**9  # of one call: more would never end
SHORT_TIME = 1.0  # seconds in which nothing gets out of all bounds
EVENTS_FOR_PART = 4  # room made at once for predicted events


class World:
    """Bodies that move and meet; nothing passes through anything, at any speed.

    Parameters
    ----------
    gravity : (x, y)
        Acceleration of every dynamic body, length units per second squared.

    Examples
    --------
    >>> world = cm.World()
    >>> ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(1000, 0), restitution=1)
    >>> wall = world.add(cm.Box((10, 0), (0.1, 20)))
    >>> hits = world.step(0.01)
    >>> hits.time.tolist(), ball.velocity
    ([0.00945], Vec(-1000.0, 0.0))
    """

    def __init__(self, gravity: PointLike = (0.0, 0.0)) -> None:
        self._store = Store()
        state = self._tables.state
        state["gravity_x"], state["gravity_y"] = _arrays.point("World", "gravity", gravity)
        self._begin()

    def _begin(self) -> None:
        self._positions: Floats = np.zeros((0, 2))
        self._velocities: Floats = np.zeros((0, 2))
        self._playing = False
        self._log: list[tuple[Any, ...]] | None = None  # of a Recording
        self._fresh = False  # whether they are up to date
        self._shown = False  # whether anyone may hold a view of them

    @property
    def _tables(self) -> at.Tables:
        return self._store.tables

    @property
    def _data(self) -> list[Any]:
        return self._store.data

    # Bodies

    def add(
        self,
        shape: Shape | Compound,
        *,
        kind: str = "static",
        velocity: PointLike = (0.0, 0.0),
        mass: float | None = None,
        restitution: float = 0.0,
        acceleration: PointLike = (0.0, 0.0),
        spin: float = 0.0,
        pivot: PointLike | None = None,
        layer: str = "default",
        mask: str | Iterable[str] | None = None,
        response: str = "bounce",
        sensor: bool = False,
        one_way: PointLike | None = None,
        data: Any = None,
    ) -> Body:
        """Put a body into the world and return a handle of it.

        Parameters
        ----------
        shape : Point, Segment, Circle, Capsule, Box, Polygon or Compound
            Where it stands at first.
        kind : "static", "kinematic" or "dynamic"
            Static bodies stand; kinematic ones move with their velocity whatever they meet; dynamic ones are moved by
            what they meet. Dynamic bodies do not turn.
        velocity : (x, y)
            Length units a second; not for static bodies.
        mass : float, positive
            For dynamic bodies; 1 if not given.
        restitution : float, 0 to 1
            Speed after an impact over speed before; of two bodies the larger counts.
        acceleration : (x, y)
            In addition to the world's gravity; for dynamic bodies.
        spin, pivot : float, (x, y)
            Radians a second about a point that moves with the body, its position if not given; for kinematic bodies.
        layer, mask : str, and str or several
            The layer it is in, and the layers it meets, all if not given. Two bodies meet if each one's mask has the
            other's layer.
        response : "bounce", "slide", "stop" or "pass"
            What a meeting does; of two bodies' responses the later in this list counts.
        sensor : bool
            Notices what enters and leaves it, and stops nothing.
        one_way : (x, y), optional
            Blocks only what moves against this direction and meets a side that looks that way.
        data : anything
            Kept for the user.

        Returns
        -------
        Body

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; the world is as before.
        """
        where = "World.add"
        refuse_no_shape(where, "shape", shape)
        layers = self._store.layers.copy()
        checked = checked_settings(
            where,
            layers,
            kind=kind,
            velocity=velocity,
            mass=mass,
            restitution=restitution,
            acceleration=acceleration,
            layer=layer,
            mask=mask,
            response=response,
            sensor=sensor,
            one_way=one_way,
        )
        turning, about = checked_spin(where, kind, sensor, spin, pivot)
        (row,) = self._put([(shape, data, checked)], layers)
        if turning:
            self._set_spin(row, turning, about)
        return self._body(row)

    def _set_spin(self, row: int, spin: float, pivot: Any = None) -> None:
        where = self._called(row)
        kind = KIND_NAMES[int(self._tables.bodies["kind"][row])]
        rate, _ = checked_spin(where, kind, bool(self._tables.bodies["sensor"][row]), spin, None)
        body = self._changing(row)
        if rate and body["sweep"] == 0.0:
            center = float(body["x"] + body["center_x"]), float(body["y"] + body["center_y"])
            self._store.set_spinning(row, center if pivot is None else pivot)
        self._tables.bodies["spin"][row] = rate
        self._change(row, "_set_spin", rate, pivot)

    def add_many(
        self,
        shapes: Shapes | Sequence[Shape | Compound],
        *,
        kind: str = "static",
        velocity: ArrayLike = (0.0, 0.0),
        mass: ArrayLike | None = None,
        restitution: ArrayLike = 0.0,
        acceleration: PointLike = (0.0, 0.0),
        layer: str = "default",
        mask: str | Iterable[str] | None = None,
        response: str = "bounce",
        sensor: bool = False,
        one_way: PointLike | None = None,
        data: Sequence[Any] | None = None,
    ) -> list[Body]:
        """Put many bodies into the world at once and return their handles.

        Parameters
        ----------
        shapes : Shapes, or a sequence of shapes
        velocity : (x, y), or (n, 2)
        mass, restitution : float, or (n,)
        data : sequence of n things
        kind and the rest : as in `add`, one for all

        Returns
        -------
        list of Body

        Raises
        ------
        TypeError, ValueError
            With the argument at fault, and its row; the world is as before.
        """
        where = "World.add_many"
        values = _arrays.listed(where, "shapes", shapes, "Shapes, or shapes in a list")
        for row, shape in enumerate(values):
            refuse_no_shape(where, f"shapes[{row}]", shape)
        n = len(values)
        layers = self._store.layers.copy()
        shared = checked_settings(
            where,
            layers,
            kind=kind,
            acceleration=acceleration,
            layer=layer,
            mask=mask,
            response=response,
            sensor=sensor,
            one_way=one_way,
        )
        checked = settings_of_many(where, shared, n, velocity, mass, restitution)
        things = [None] * n if data is None else _arrays.sequence(where, "data", data, n, "shapes")
        rows = self._put(list(zip(values, things, checked, strict=True)), layers)
        return [self._body(row) for row in rows]

    def _put(self, bodies: list[tuple[Any, Any, Settings]], layers: list[str]) -> list[int]:
        """Put in bodies whose settings are checked, with all layers there are then, and return their rows."""
        self._store.layers = layers.copy()
        rows = []
        for shape, data, settings in bodies:
            row = self._store.take_row(shape, data)
            write_settings(self._store, row, settings)
            rows.append(row)
        for row in rows:
            put_body(self._tables, row)
        self._changed()
        self._record("_put", bodies, layers)
        return rows

    def _record(self, name: str, *given: Any) -> None:
        """Keep what was done, if a Recording asked for it."""
        if self._log is not None:
            self._log.append((name, *given))

    def remove(self, *bodies: Body | Iterable[Body]) -> None:
        """Take bodies out of the world; their handles say so from then on.

        What was inside a sensor, and the sensor or it is removed, is no longer: no exit is told.
        """
        where, rows = "World.remove", []
        given = bodies[0] if len(bodies) == 1 and not isinstance(bodies[0], Body) else bodies
        for k, one in enumerate(_arrays.listed(where, "bodies", given, "a Body, or several")):
            if isinstance(one, Body) or given is not bodies:
                rows.append(self._own(where, f"bodies[{k}]", one))
            else:
                rows += self._own_all(where, f"bodies[{k}]", one)
        self._remove_rows(list(dict.fromkeys(rows)))

    def _remove_rows(self, rows: list[int]) -> None:
        w = self._tables
        for row in rows:
            take_out_body(w, row)
            first = int(w.bodies["first_part"][row])
            self._forget_inside(first, first + int(w.bodies["part_count"][row]))
            w.bodies["stamp"][row] += 1
            sleeping = (w.bodies["supporter"] == row).any(axis=1) & (w.bodies["held"] > 0)
            self._wake(np.flatnonzero(sleeping))
            self._store.give_back(row)
        self._changed()
        self._record("_remove_rows", rows)

    def _wake(self, rows: Integers) -> None:
        """Give sleeping or held bodies their acceleration back."""
        w = self._tables
        for row in rows.tolist():
            if w.bodies["kind"][row] == at.DYNAMIC and w.bodies["held"][row] > 0:
                bring_body(w, row)
                put_body(w, row)

    def _forget_inside(self, first: int, last: int) -> None:
        w = self._tables
        if not w.state["inside"][0]:
            return
        keys = w.inside[w.inside >= 0]
        low, high = keys & 0x7FFFFFFF, keys >> 31
        kept = keys[~(((low >= first) & (low < last)) | ((high >= first) & (high < last)))]
        if kept.size < keys.size:
            from carom.motion.sensors import refill

            w.inside[:] = -1
            refill(kept, w.inside)
            w.state["inside"] = kept.size

    @property
    def bodies(self) -> list[Body]:
        """All bodies, by row."""
        return [self._body(row) for row in self._live().tolist()]

    def __len__(self) -> int:
        return int(self._live().size)

    def __contains__(self, body: object) -> bool:
        return isinstance(body, Body) and body._world is self and not body.removed

    def _live(self) -> Integers:
        count = int(self._tables.state["bodies"][0])
        return np.flatnonzero(self._tables.bodies["kind"][:count] != at.GONE)

    def body(self, row: int) -> Body:
        """Return the body of a row."""
        count = int(self._tables.state["bodies"][0])
        (number,) = _arrays.integers("World.body", "row", [row], 1)
        if not 0 <= number < count or self._tables.bodies["kind"][number] == at.GONE:
            _arrays.refuse(ValueError, "World.body", "row", row, "has no body")
        return self._body(number)

    def rows(self, bodies: Iterable[Body] | None = None) -> Integers:
        """Return the rows of bodies in `positions`, `velocities` and hits; of all bodies if none are given.

        A body keeps its row as long as it is in the world; rows of removed bodies are given to later ones.
        """
        if bodies is None:
            return self._live()
        return np.array(self._own_all("World.rows", "bodies", bodies), dtype=np.int64)

    @property
    def positions(self) -> Floats:
        """Where the bodies are, by row: a live view, (n, 2), read-only; NaN in rows without a body.

        It follows the world with each step; within a step ask anew at each pause. Copy it to keep it.
        """
        self._refresh()
        self._shown = True
        return _read_only(self._positions)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, by row: a live view, (n, 2), read-only. Assign an array (n, 2) to set them all."""
        self._refresh()
        self._shown = True
        return _read_only(self._velocities)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        count = int(self._tables.state["bodies"][0])
        table = _arrays.table("World.velocities", "velocities", velocities, 2, count)
        self._refresh()
        changed = (table != self._velocities).any(axis=1) & (self._tables.bodies["kind"][:count] != at.GONE)
        static = changed & (self._tables.bodies["kind"][:count] == at.STATIC)
        if static.any():
            row = int(static.argmax())
            _arrays.refuse(ValueError, "World.velocities", f"velocities[{row}]", table[row], "is of a static body")
        for row in np.flatnonzero(changed).tolist():
            self._set_velocity(row, tuple(table[row].tolist()))

    @property
    def gravity(self) -> Vec:
        """Acceleration of every dynamic body."""
        return Vec(self._tables.state["gravity_x"].item(), self._tables.state["gravity_y"].item())

    @gravity.setter
    def gravity(self, gravity: PointLike) -> None:
        self._set_gravity(gravity)

    def _set_gravity(self, gravity: PointLike) -> None:
        state = self._tables.state
        x, y = _arrays.point("World.gravity", "gravity", gravity)
        state["gravity_x"], state["gravity_y"] = x, y
        for row in self._live().tolist():
            if self._tables.bodies["kind"][row] == at.DYNAMIC:
                bring_body(self._tables, row)
                put_body(self._tables, row)
        self._changed()
        self._record("_set_gravity", (x, y))

    def rule(self, layer: str, other: str, response: str | None) -> None:
        """Say what happens where bodies of two layers meet, whatever the bodies' own responses; None: theirs again."""
        where, layers = "World.rule", self._store.layers.copy()
        i, j = number_of_layer(layers, where, "layer", layer), number_of_layer(layers, where, "other", other)
        number = -1 if response is None else NAMES.index(_arrays.one_of(where, "response", response, NAMES))
        self._store.layers = layers
        self._tables.rules[i, j] = self._tables.rules[j, i] = number
        self._changed()
        self._record("rule", layer, other, response)

    def inside(self, sensor: Body) -> list[Body]:
        """Return the bodies that have entered a sensor and not left it, by row."""
        row = self._own("World.inside", "sensor", sensor)
        w = self._tables
        if not w.bodies["sensor"][row]:
            _arrays.refuse(ValueError, "World.inside", "sensor", sensor, "is no sensor")
        keys = w.inside[w.inside >= 0]
        a, b = w.parts["body"][keys >> 31], w.parts["body"][keys & 0x7FFFFFFF]
        others = np.unique(np.concatenate((b[a == row], a[b == row])))
        return [self._body(other) for other in others.tolist()]

    # Time

    def step(self, dt: float, steps: int = 1) -> WorldHits:
        """Let time pass, and return what happened.

        Parameters
        ----------
        dt : float, positive
            Seconds of one step.
        steps : int
            How many steps of that length to make.

        Returns
        -------
        WorldHits
            Columns in the order of time.
        """
        length = _arrays.size("World.step", "dt", dt)
        (count,) = _arrays.integers("World.step", "steps", [steps], 1)
        if not 1 <= count <= MOST_STEPS:
            _arrays.refuse(ValueError, "World.step", "steps", steps, f"must be from 1 to {MOST_STEPS}")
        self._refuse_too_far("World.step", length, count)
        self._start("World.step", length)
        parts: list[WorldHits] = []
        for k in range(count):
            self._one_step(length)
            self._record("_one_step", length)
            self._record("digest", self.digest() if self._log is not None else 0)
            if self._tables.state["hits"][0] or (k == count - 1 and not parts):
                parts.append(columns(self._tables, 0, int(self._tables.state["hits"][0]), k * length))
        if len(parts) == 1:
            return parts[0]
        return WorldHits(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _one_step(self, length: float) -> None:
        self._tables.state["length"] = length
        self._tables.state["hits"] = 0
        self._run(pauses=False)

    def events(self, dt: float) -> Iterator[WorldHit]:
        """Make one step that pauses at the instant of each event; a loop over it plays the step.

        At a pause everything read is the state of that instant, after the impact, and bodies may be added, removed and
        changed. Leaving the loop early plays the rest of the step. An exception leaves the world at that instant:
        `resume` plays the rest, `abandon` ends the step there. A step within the loop is refused.

        Parameters
        ----------
        dt : float, positive
            Seconds.

        Yields
        ------
        WorldHit
        """
        length = _arrays.size("World.events", "dt", dt)
        self._refuse_too_far("World.events", length, 1)
        self._start("World.events", length)
        self._tables.state["length"] = length
        self._tables.state["hits"] = 0
        self._record("events", length)
        return self._pausing()

    def _pausing(self) -> Iterator[WorldHit]:
        shown = 0
        self._playing = True
        try:
            while True:
                status = self._run(pauses=True)
                while shown < self._tables.state["hits"][0]:
                    hit = self._hit(shown)
                    shown += 1
                    if hit is not None:
                        self._record("pause")
                        yield hit
                if status == DONE:
                    self._record("end")
                    self._record("digest", self.digest() if self._log is not None else 0)
                    break
        except GeneratorExit:
            self._playing = False
            self._record("left")
            if left_quietly(sys._getframe(1)):
                self.resume()
            raise
        finally:
            self._playing = False

    def _refuse_too_far(self, where: str, dt: float, steps: int) -> None:
        """Refuse a time in which something could get farther from the origin than coordinates go."""
        time = dt * steps
        if time <= SHORT_TIME:
            return
        w = self._tables
        moving = w.bodies[: int(w.state["bodies"][0])]
        moving = moving[moving["kind"] > at.STATIC]
        start, speed, pull = (
            max(float(np.abs(moving[name]).max(initial=0.0)) for name in names)
            for names in (("x", "y"), ("vx", "vy"), ("acceleration_x", "acceleration_y"))
        )
        if (moving["kind"] == at.DYNAMIC).any():
            pull += max(map(abs, self.gravity))
        if not start + (speed + pull * time) * time <= LARGEST:
            many = "" if steps == 1 else f", {steps} times,"
            expected = f"is too long: in that time{many} a body could get farther than {LARGEST:g} from the origin"
            _arrays.refuse(ValueError, where, "dt", dt, expected)

    def _start(self, where: str, length: float) -> None:
        if self._playing:
            raise RuntimeError(f"{where}: a step is under way; finish the loop over World.events first")
        if self.unfinished:
            self.resume()

    @property
    def unfinished(self) -> bool:
        """Whether a step was left at an instant within it: `resume` or `abandon` it; the next step resumes it first."""
        return bool(self._tables.state["phase"][0] != at.BETWEEN)

    def resume(self) -> WorldHits:
        """Play the rest of a step that an exception has left, and return what happened in it."""
        if self._playing:
            raise RuntimeError("World.resume: a step is under way; finish the loop over World.events first")
        before = int(self._tables.state["hits"][0])
        if self.unfinished:
            self._run(pauses=False)
            self._record("resume")
            self._record("digest", self.digest() if self._log is not None else 0)
        return columns(self._tables, before, int(self._tables.state["hits"][0]), 0.0)

    def abandon(self) -> None:
        """End a step that an exception has left at the instant where it was left."""
        if self._playing:
            raise RuntimeError("World.abandon: a step is under way; finish the loop over World.events first")
        if self.unfinished:
            abandon(self._tables)
            self._changed()
            self._record("abandon")

    def _run(self, pauses: bool) -> int:
        """Play on to the end, or, if asked, to the next pause."""
        self._store.make_workspace()
        w = self._tables
        w.state["pauses"] = int(pauses)
        if len(w.heap) < EVENTS_FOR_PART * w.state["parts"][0]:
            self._store.tables = w = with_more_events(w, EVENTS_FOR_PART * int(w.state["parts"][0]))
        while True:
            status = play(w, self._store.general)
            if status in (DONE, PAUSED):
                if status == DONE:
                    self._fresh = False
                    if self._shown:
                        self._refresh()
                return status
            if status == MORE_EVENTS:
                w = with_more_events(w, 2 * len(w.heap))
            elif status == MORE_CONTACTS:
                rows = 2 * len(w.contacts)
                w = w._replace(contacts=larger(w.contacts, rows))
            elif status == MORE_HITS:
                rows = int(w.state["hits"][0]) + 2 * HITS_FOR_CONTACT * len(w.contacts)
                w = w._replace(hits=larger(w.hits, rows))
            elif status == MORE_INSIDE:
                self._store.widen_inside()
                w = self._store.tables
            self._store.tables = w

    def _hit(self, k: int) -> WorldHit | None:
        """Return a row of hits with its bodies; None if one of them was removed since."""
        time, x, y, nx, ny, speed, impulse, kind, body, other = self._tables.hits[k].tolist()
        kinds = self._tables.bodies["kind"]
        if body >= 0 and at.GONE in (kinds[body], kinds[other]):
            return None
        first, second = self._body(body), self._body(other)
        return WorldHit(KINDS[kind], time, first, second, Vec(x, y), Vec(nx, ny), speed, impulse)

    def _changed(self) -> None:
        """Have everything predicted anew, if a step is under way, and nothing taken as at rest."""
        self._fresh = False
        state = self._tables.state
        state["still"] = 0
        if state["phase"][0] != at.BETWEEN:
            state["phase"] = at.CHANGED

    def _refresh(self) -> None:
        count = int(self._tables.state["bodies"][0])
        if self._fresh and len(self._positions) == count:
            return
        if len(self._positions) != count:
            self._positions, self._velocities = np.empty((count, 2)), np.empty((count, 2))
        read_all(self._tables, 0, count, self._positions, self._velocities)
        self._fresh = not self.unfinished

    # What handles ask for

    def _body(self, row: int) -> Body:
        return Body(self, row, int(self._tables.bodies["serial"][row]) if row >= 0 else -1)

    def _own(self, where: str, name: str, body: Any) -> int:
        if not isinstance(body, Body):
            _arrays.refuse(TypeError, where, name, body, f"must be a Body, not {type(body).__name__}")
        if body._world is not self:
            _arrays.refuse(ValueError, where, name, body, "is of another world")
        if body.removed:
            _arrays.refuse(ValueError, where, name, body, "is no longer in its world")
        return body._row

    def _own_all(self, where: str, name: str, bodies: Any) -> list[int]:
        given = _arrays.listed(where, name, bodies, "bodies in a list")
        return [self._own(where, f"{name}[{k}]", body) for k, body in enumerate(given)]

    def _kind(self, row: int) -> str:
        return KIND_NAMES[int(self._tables.bodies["kind"][row])]

    def _layer(self, row: int) -> str:
        return self._store.layers[int(self._tables.bodies["layer"][row])]

    def _read(self, row: int) -> tuple[Vec, Vec]:
        position, velocity = np.empty((1, 2)), np.empty((1, 2))
        read_all(self._tables, row, row + 1, position, velocity)
        return Vec(*position[0].tolist()), Vec(*velocity[0].tolist())

    def _shape(self, row: int) -> Any:
        body = self._tables.bodies[row]
        if self.unfinished and self._tables.bodies["kind"][row] != at.STATIC:
            if body["turn"]:
                bring_body(self._tables, row)
            past = self._tables.state["now"][0] - body["own_time"]
            x, y = body["x"] + body["chord_x"] * past, body["y"] + body["chord_y"] * past
        else:
            x, y = body["x"], body["y"]
        return self._store.shape_now(row, float(x), float(y))

    def _changing(self, row: int) -> Any:
        """Bring a body to the present instant and return its row, to be changed; `_change` comes next."""
        bring_body(self._tables, row)
        return self._tables.bodies[row]

    def _change(self, row: int, name: str, *value: Any) -> None:
        self._record(name, row, *value)
        put_body(self._tables, row)
        w = self._tables
        self._wake(np.flatnonzero((w.bodies["supporter"] == row).any(axis=1) & (w.bodies["held"] > 0)))
        self._changed()

    def _set_position(self, row: int, position: PointLike) -> None:
        x, y = _arrays.point(self._called(row), "position", position)
        body = self._changing(row)
        move_body(self._tables, row, x - float(body["center_x"]), y - float(body["center_y"]))
        self._change(row, "_set_position", (x, y))

    def _set_velocity(self, row: int, velocity: PointLike) -> None:
        speed = checked_velocity(self._called(row), "velocity", self._kind(row), velocity)
        body = self._changing(row)
        body["vx"], body["vy"] = speed
        if body["kind"] == at.KINEMATIC:
            body["drive_x"], body["drive_y"] = speed
        self._change(row, "_set_velocity", speed)

    def _spin(self, row: int) -> float:
        return float(self._tables.bodies["spin"][row])

    def _angle(self, row: int) -> float:
        body = self._tables.bodies[row]
        past = float(self._tables.state["now"][0] - body["own_time"]) if self.unfinished else 0.0
        return float(body["angle"]) + float(body["turn"]) * past

    def _mass(self, row: int) -> float:
        inverse = float(self._tables.bodies["inverse_mass"][row])
        return 1.0 / inverse if inverse else float("inf")

    def _set_mass(self, row: int, mass: float) -> None:
        refuse_mass(self._called(row), self._kind(row), mass)
        value = _arrays.size(self._called(row), "mass", mass)
        self._changing(row)["inverse_mass"] = 1.0 / value
        self._change(row, "_set_mass", value)

    def _restitution(self, row: int) -> float:
        return float(self._tables.bodies["restitution"][row])

    def _set_restitution(self, row: int, restitution: float) -> None:
        value = checked_restitution(self._called(row), "restitution", restitution)
        self._changing(row)["restitution"] = value
        self._change(row, "_set_restitution", value)

    def _acceleration(self, row: int) -> Vec:
        body = self._tables.bodies[row]
        return Vec(float(body["acceleration_x"]), float(body["acceleration_y"]))

    def _set_acceleration(self, row: int, acceleration: PointLike) -> None:
        x, y = _arrays.point(self._called(row), "acceleration", acceleration)
        if self._tables.bodies["kind"][row] != at.DYNAMIC:
            _arrays.refuse(ValueError, self._called(row), "acceleration", acceleration, "is for dynamic bodies")
        body = self._changing(row)
        body["acceleration_x"], body["acceleration_y"] = x, y
        self._change(row, "_set_acceleration", (x, y))

    def _supports(self, row: int) -> tuple[tuple[Body, Vec], ...]:
        w = self._tables
        found = []
        for k in range(int(w.bodies["held"][row])):
            x, y = w.bodies["support"][row, 2 * k : 2 * k + 2].tolist()
            found.append((self._body(int(w.bodies["supporter"][row, k])), Vec(x, y)))
        return tuple(found)

    def _called(self, row: int) -> str:
        """Return how messages call a body: by what it is and the user's data, if that is short."""
        data = self._store.data[row]
        named = f", data {_arrays.short(data)}" if isinstance(data, str) or _is_short_int(data) else ""
        return f"Body (row {row}{named})"

    # The whole state

    def digest(self) -> int:
        """Return 64 bits that stand for the whole state: equal worlds have equal digests, on any machine alike."""
        return digest_of(self._tables, self._live(), self.unfinished)

    def snapshot(self) -> WorldSnapshot:
        """Return the whole state, to go back to with `restore`. Shapes and data are shared, not copied."""
        self._refuse_within("World.snapshot")
        return WorldSnapshot(self._store.copy())

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot of this or another world; from there the world continues bit for bit.

        Handles of bodies that were in the world then are valid again.
        """
        self._refuse_within("World.restore")
        if not isinstance(snapshot, WorldSnapshot):
            _arrays.refuse(TypeError, "World.restore", "snapshot", snapshot, "must come from World.snapshot")
        self._store = snapshot._store.copy()
        self._fresh = False
        self._refresh()

    def copy(self) -> Self:
        """Return a world of its own with the same state, which continues bit for bit."""
        self._refuse_within("World.copy")
        other = type(self).__new__(type(self))
        other._store = self._store.copy()
        other._begin()
        return other

    def _refuse_within(self, where: str) -> None:
        if self._playing:
            raise RuntimeError(f"{where}: a step is under way; finish the loop over World.events first")

    def __copy__(self) -> Self:
        return self.copy()

    def __getstate__(self) -> Store:
        self._refuse_within("World")
        return self._store

    def __setstate__(self, store: Store) -> None:
        self._store = store
        self._begin()

    def __repr__(self) -> str:
        kinds = self._tables.bodies["kind"][self._live()]
        counts = [f"{int((kinds == k).sum())} {name}" for k, name in enumerate(KIND_NAMES)]
        return f"<World: {', '.join(counts)}>"


class WorldSnapshot:
    """The state of a world at one time, made by `World.snapshot`."""

    __slots__ = ("_store",)

    def __init__(self, store: Store) -> None:
        self._store = store


def refuse_no_shape(where: str, name: str, value: Any) -> None:
    """Refuse what is no shape."""
    if not isinstance(value, (Shape, Compound)):
        _arrays.refuse(TypeError, where, name, value, f"must be a shape, not {type(value).__name__}")


def _is_short_int(value: Any) -> bool:
    return isinstance(value, int) and abs(value) < 10**18


def _read_only(array: Floats) -> NDArray[np.float64]:
    view = array.view()
    view.flags.writeable = False
    return view
