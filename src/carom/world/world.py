"""World: bodies that move and meet, stepped as ordered events, in which nothing passes through anything.

In: shapes with what they are told, and what holds for all of them. Out: handles of bodies. World frame, user's units;
seconds. Here bodies come and go; `stepping` has how time passes, `by_row` the bodies as columns, `handling` how one is
read and changed, `state` the world as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.inputs import PointLike
from carom.shapes.base import Shape
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes
from carom.vector import Vec
from carom.world import tables as at
from carom.world.body import Body
from carom.world.filters import NAMES
from carom.world.sensor_exits import exits_of
from carom.world.settings import (
    KIND_NAMES,
    Settings,
    checked_settings,
    checked_spin,
    columns_of_many,
    number_of_layer,
    settings_of_each,
    spins_of_many,
    write_settings,
)
from carom.world.stepping import WorldStepping
from carom.world.taking import take_rows
from carom.world.update import bring_bodies, put_bodies, put_body, take_out_body


class World(WorldStepping):
    """Bodies that move and meet; nothing passes through anything, at any speed.

    Parameters
    ----------
    gravity : (x, y)
        Acceleration of every dynamic body, length units per second squared.
    overlaps : "part" or "report"
        What becomes of bodies that are put into each other: they part, in each step by at most a sixteenth of the
        smaller one's size, and no velocity comes of it; or they stay as they are, free to leave, and a hit of kind
        "overlap" at the start of the next step tells of each pair.

    Examples
    --------
    >>> world = cm.World()
    >>> ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(1000, 0), restitution=1)
    >>> wall = world.add(cm.Box((10, 0), (0.1, 20)))
    >>> hits = world.step(0.01)
    >>> hits.time.tolist(), ball.velocity
    ([0.00945], Vec(-1000.0, 0.0))
    """

    def __init__(self, gravity: PointLike = (0.0, 0.0), *, overlaps: str = "part") -> None:
        super().__init__()
        state = self._tables.state
        state["gravity_x"], state["gravity_y"] = inputs.point("World", "gravity", gravity)
        self._store.reports_overlaps = inputs.one_of("World", "overlaps", overlaps, ("part", "report")) == "report"

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

    def add_many(
        self,
        shapes: Shapes | Sequence[Shape | Compound],
        *,
        kind: str = "static",
        velocity: ArrayLike = (0.0, 0.0),
        mass: ArrayLike | None = None,
        restitution: ArrayLike = 0.0,
        acceleration: PointLike = (0.0, 0.0),
        spin: ArrayLike = 0.0,
        pivot: ArrayLike | None = None,
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
        mass, restitution, spin : float, or (n,)
        pivot : (x, y), or (n, 2), optional
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
        values: list[Any] | None = None
        if not isinstance(shapes, Shapes):
            values = list(inputs.listed(where, "shapes", shapes, "Shapes, or shapes in a list"))
            for row, shape in enumerate(values):
                refuse_no_shape(where, f"shapes[{row}]", shape)
        n = len(shapes if values is None else values)
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
        columns = columns_of_many(where, shared, n, velocity, mass, restitution)
        turning = spins_of_many(where, shared, n, spin, pivot)
        things = [None] * n if data is None else list(inputs.sequence(where, "data", data, n, "shapes"))
        compounds = values is not None and any(isinstance(value, Compound) for value in values)
        if n == 0 or compounds or self._log is not None:
            each = settings_of_each(shared, columns)
            rows = self._put(list(zip(shapes if values is None else values, things, each, strict=True)), layers)
        else:
            self._store.layers = layers
            many = shapes if isinstance(shapes, Shapes) else Shapes(values or ())
            taken = take_rows(self._store, many, values, things, shared, columns)
            put_bodies(self._tables, taken)
            rows = taken.tolist()
            self._store.arrived.update(rows)
            self._changed()
        for row, (rate, about) in zip(rows, turning, strict=bool(turning)):
            if rate:
                self._set_spin(row, rate, about)
        serials = self._tables.bodies["serial"][rows].tolist()
        return [Body(self, row, serial) for row, serial in zip(rows, serials, strict=True)]

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
        self._store.arrived.update(rows)
        self._changed()
        self._record("_put", bodies, layers)
        return rows

    def remove(self, *bodies: Body | Iterable[Body]) -> None:
        """Take bodies out of the world; their handles say so from then on.

        What was inside a sensor leaves it if either is removed: the exit is what a pausing loop yields next, or comes
        first in the next step; the handle in it is one of a removed body. A row is not given to another body before.
        """
        where, rows = "World.remove", []
        given = bodies[0] if len(bodies) == 1 and not isinstance(bodies[0], Body) else bodies
        for k, one in enumerate(inputs.listed(where, "bodies", given, "a Body, or several")):
            if isinstance(one, Body) or given is not bodies:
                rows.append(self._own(where, f"bodies[{k}]", one))
            else:
                rows += self._own_all(where, f"bodies[{k}]", one)
        self._remove_rows(list(dict.fromkeys(rows)))

    def _remove_rows(self, rows: list[int]) -> None:
        w = self._tables
        self._wake_on(rows)
        exits_of(self._store, rows, gone=True)
        for row in rows:
            take_out_body(w, row)
            w.bodies["stamp"][row] += 1
        self._store.give_back(rows)
        self._changed()
        self._record("_remove_rows", rows)

    @property
    def gravity(self) -> Vec:
        """Acceleration of every dynamic body."""
        return Vec(self._tables.state["gravity_x"].item(), self._tables.state["gravity_y"].item())

    @gravity.setter
    def gravity(self, gravity: PointLike) -> None:
        self._set_gravity(gravity)

    def _set_gravity(self, gravity: PointLike) -> None:
        state = self._tables.state
        x, y = inputs.point("World.gravity", "gravity", gravity)
        state["gravity_x"], state["gravity_y"] = x, y
        live = self._live()
        pulled = live[self._tables.bodies["kind"][live] == at.DYNAMIC]
        bring_bodies(self._tables, pulled)
        put_bodies(self._tables, pulled)
        self._changed()
        self._record("_set_gravity", (x, y))

    def rule(self, layer: str, other: str, response: str | None) -> None:
        """Say what happens where bodies of two layers meet, whatever the bodies' own responses; None: theirs again."""
        where, layers = "World.rule", self._store.layers.copy()
        i, j = number_of_layer(layers, where, "layer", layer), number_of_layer(layers, where, "other", other)
        number = -1 if response is None else NAMES.index(inputs.one_of(where, "response", response, NAMES))
        self._store.layers = layers
        self._tables.rules[i, j] = self._tables.rules[j, i] = number
        self._store.arrived.update(self._live().tolist())
        self._wake_on(self._live())
        self._changed()
        self._record("rule", layer, other, response)

    def __repr__(self) -> str:
        kinds = self._tables.bodies["kind"][self._live()]
        counts = [f"{int((kinds == k).sum())} {name}" for k, name in enumerate(KIND_NAMES)]
        return f"<World: {', '.join(counts)}>"


def refuse_no_shape(where: str, name: str, value: Any) -> None:
    """Refuse what is no shape."""
    if not isinstance(value, (Shape, Compound)):
        inputs.refuse(TypeError, where, name, value, f"must be a shape, not {type(value).__name__}")
