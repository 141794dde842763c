"""A body of a world, as the user holds it: a handle that stays valid until the body is removed, and says so after.

In: a world and the row of the body in its tables. Out: the values that the tables hold of it at the present instant. A
value that is set is checked by `settings`, whose table says which columns hold it, and changed by the world.
"""

from __future__ import annotations

import math
from typing import Any, Never

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.layers import AnyLayer
from carom._core.names import made_by, names_fixed, refuse_keywords, told_by_name
from carom.shapes.base import Shape
from carom.shapes.given import check_shape
from carom.tolerances import LARGEST
from carom.vector import Vec, new
from carom.world.addressed import addresses_of
from carom.world.changes.removed import BODY
from carom.world.changes.settings import EXCLUDES, KIND_NAMES, SETTINGS, BodyKind, Call, masses_of, refuse_pivot
from carom.world.handles import Handle, plain_number, plain_pair
from carom.world.reports.contacts import supports_of
from carom.world.reports.motion import Motion, motion_of, waited_in
from carom.world.single_calls import ANGLE, FORCE, IMPULSE, POSITION, SPIN, VELOCITY, motion_at, tell_at
from carom.world.step.pairs.filters import NAMES, Response
from carom.world.store import Store

UNKNOWN = math.nan, math.nan
"""Stands for the point of an impulse that is not given: the centre of mass."""


@made_by("World.add(shape, ...), which returns it")
@names_fixed
class Body(Handle):
    """One body of a `World`, made by `World.add`.

    A body has one handle: wherever its world names it, the same object does. After the body is removed, `removed` is
    True; `kind`, `data`, `position` and `angle` are what they were last, and everything else is refused. A handle that
    nobody held then, such as that in a hit, has these for the step in which the body went and the next one.
    """

    __slots__ = ()
    _kept, _what = "_handles", BODY

    @property
    def removed(self) -> bool:
        """Whether the body is no longer in its world."""
        bodies = self._store.tables.bodies
        return not (self._row < len(bodies) and bodies["serial"][self._row] == self._serial >= 0)

    @property
    def row(self) -> int:
        """The body's row in the world's columns; it stays the same as long as the body is there."""
        return self._at("row")

    @property
    def kind(self) -> BodyKind:
        """One of "static", "kinematic" and "dynamic".

        Set it to make the body another kind: it keeps the velocity that this may have, and where it is dynamic again
        the mass it had, 1 if none, with the moment of inertia of its shape.
        """
        last = self._last("kind")
        return KIND_NAMES[int(self._told("kind", "kind")) if last is None else last[0]]

    @kind.setter
    def kind(self, kind: BodyKind) -> None:
        row, where = self._at("kind"), self._called()
        name = inputs.one_of(where, "kind", kind, KIND_NAMES)
        if name == "dynamic" and self.sensor:
            inputs.refuse(
                ValueError, where, "kind", kind, "is not for a sensor, which stops nothing; unset sensor first"
            )
        self._world._change(np.array([row]), "kind", KIND_NAMES.index(name))

    @property
    def shape(self) -> Shape:
        """The body's shape where it is now, of the class that was given.

        Set it to give the body another shape, which stands where it says, as in `World.add`. The body keeps its
        velocity, its mass, its pivot if it has one, and its angle unless the shape is a Box, which has one; its moment
        of inertia becomes that of the shape.
        """
        shape: Shape = self._store.shape_now(self._at("shape"))
        return shape

    @shape.setter
    def shape(self, shape: Shape) -> None:
        row = self._at("shape")
        check_shape(self._called(), "shape", shape)
        self._world._change(np.array([row]), "shape", shape)

    @property
    def position(self) -> Vec:
        """Where the body is now: the position of its shape. Set it to put the body elsewhere, without a sweep."""
        found = self._now()
        return new(Vec, found[:2] if found else self._then("position")[:2])

    @position.setter
    def position(self, position: PointLike) -> None:
        pair = plain_pair(position)
        if pair is not None and self._told_at_once(tell_at, POSITION, *pair, *UNKNOWN):
            self._store.arrived.add(self._row)
            return
        row = self._at("position")
        self._world._change(np.array([row]), "position", inputs.point(self._called(), "position", position))

    @property
    def velocity(self) -> Vec:
        """Length units a second."""
        return new(Vec, self._motion("velocity")[3:5])

    @velocity.setter
    def velocity(self, velocity: PointLike) -> None:
        pair = plain_pair(velocity)
        if pair is None or not self._told_at_once(tell_at, VELOCITY, *pair, *UNKNOWN):
            self._tell("velocity", velocity)

    @property
    def spin(self) -> float:
        """Radians a second, counter-clockwise."""
        return self._motion("spin")[5]

    @spin.setter
    def spin(self, spin: float) -> None:
        given = plain_number(spin)
        if given is None or not self._told_at_once(tell_at, SPIN, given, 0.0, *UNKNOWN):
            self._tell("spin", spin)

    @property
    def angle(self) -> float:
        """The angle of the body, radians: at first that of its shape if this is a Box, else 0; turns add up.

        Set it to turn the body about what it turns about, without a sweep.
        """
        found = self._now()
        return found[2] if found else self._then("angle")[2]

    @angle.setter
    def angle(self, angle: float) -> None:
        given = plain_number(angle)
        if given is not None and self._told_at_once(tell_at, ANGLE, given, 0.0, *UNKNOWN):
            self._store.arrived.add(self._row)
            return
        row = self._at("angle")
        self._world._change(np.array([row]), "angle", inputs.number(self._called(), "angle", angle))

    @property
    def mass(self) -> float:
        """Mass; infinite for static and kinematic bodies."""
        inverse = float(self._told("mass", "inverse_mass"))
        return 1.0 / inverse if inverse else float("inf")

    @mass.setter
    def mass(self, mass: float) -> None:
        self._tell("mass", mass)

    @property
    def density(self) -> float:
        """Mass over the area of the shape; infinite for static and kinematic bodies. Set it to set the mass."""
        area, mass = self._area(), self.mass
        return mass / area if area else float("inf")

    @density.setter
    def density(self, density: float) -> None:
        where, areas = self._called(), np.array([self._area()])
        mass = masses_of(where, self.kind, None, inputs.size(where, "density", density), areas, True)
        self._tell("mass", mass)

    def _area(self) -> float:
        return float(self._store.shape_of(self._at("density")).area)

    @property
    def turns(self) -> bool:
        """Whether impacts turn it where it is dynamic. Where it turns again it has the inertia of its shape."""
        return not self._told("turns", "upright")

    @turns.setter
    def turns(self, turns: bool) -> None:
        row = self._at("turns")
        upright = int(not inputs.truth(self._called(), "turns", turns))
        self._world._change(np.array([row]), "turns", upright)

    @property
    def inertia(self) -> float:
        """Moment of inertia about the centre of mass; infinite for what does not turn by impacts.

        It goes with the mass: twice the mass is twice the moment of inertia.
        """
        inverse = float(self._told("inertia", "inverse_inertia"))
        return 1.0 / inverse if inverse else float("inf")

    @inertia.setter
    def inertia(self, inertia: float) -> None:
        if inertia is None:
            inputs.refuse(
                TypeError, self._called(), "inertia", inertia, "must be a number; that of its shape is for add"
            )
        if not self.turns and self.kind == "dynamic":
            inputs.refuse(ValueError, self._called(), "inertia", inertia, "is for bodies that turn; set turns first")
        self._tell("inertia", inertia)

    @property
    def restitution(self) -> float:
        """Speed after an impact over speed before; of two bodies the larger counts."""
        return float(self._told("restitution", "restitution"))

    @restitution.setter
    def restitution(self, restitution: float) -> None:
        self._tell("restitution", restitution)

    @property
    def friction(self) -> float:
        """Largest force of friction over the force that presses; of two bodies the geometric mean counts."""
        return float(self._told("friction", "friction"))

    @friction.setter
    def friction(self, friction: float) -> None:
        self._tell("friction", friction)

    @property
    def damping(self) -> float:
        """Velocity and spin are multiplied by exp(-damping x seconds)."""
        return float(self._told("damping", "damping"))

    @damping.setter
    def damping(self, damping: float) -> None:
        self._tell("damping", damping)

    @property
    def gravity_scale(self) -> float:
        """Times the world's gravity."""
        return float(self._told("gravity_scale", "gravity_scale"))

    @gravity_scale.setter
    def gravity_scale(self, gravity_scale: float) -> None:
        self._tell("gravity_scale", gravity_scale)

    @told_by_name
    def move_to(self, position: PointLike, angle: float | None = None, **unknown: Never) -> None:
        """Have a kinematic body be at a pose when the next step ends, or this one at a pause of `World.events`.

        It goes there on a straight way with an even turn, whatever the length of the step, and pushes and carries what
        it meets as any kinematic body. Then it stands. If it has to wait, so as not to crush something, it stands
        where that was, and a hit of kind "crushed" says so. What is told last holds: a velocity or a spin set later
        takes the place of the pose.

        Parameters
        ----------
        position : (x, y)
            Of its shape; exact to the last bit, but for rounding where a pivot is elsewhere.
        angle : float, optional
            Radians. It turns there by the shorter way, and as turns add up, its angle then is this one or whole turns
            more or less. The angle that it has if not given.
        """
        where, row = f"{self._called()}.move_to", self._at("move_to")
        if unknown:
            refuse_keywords(where, Body.move_to, unknown)
        x, y = inputs.point(where, "position", position)
        turned = self.angle if angle is None else inputs.number(where, "angle", angle)
        if self.kind != "kinematic":
            expected = f"is for kinematic bodies; this one is {self.kind}: set Body.position to put it elsewhere"
            inputs.refuse(ValueError, where, "position", position, expected)
        self._world._move_to(row, x, y, turned)

    @told_by_name
    def apply_impulse(self, impulse: PointLike, at: PointLike | None = None, **unknown: Never) -> None:
        """Change the body's momentum at once.

        Parameters
        ----------
        impulse : (x, y)
            Mass x velocity.
        at : (x, y), optional
            The point of the world where it acts: off the centre of mass it turns the body, too. The centre if not
            given.
        """
        pair, point = plain_pair(impulse), UNKNOWN if at is None else plain_pair(at)
        if not (unknown or pair is None or point is None) and self._told_at_once(tell_at, IMPULSE, *pair, *point):
            return
        where, row = f"{self._called()}.apply_impulse", self._at("apply_impulse")
        if unknown:
            refuse_keywords(where, Body.apply_impulse, unknown)
        jx, jy = inputs.point(where, "impulse", impulse)
        position, _, velocity, spin = motion_of(self._store.tables, row)
        x, y = position if at is None else inputs.point(where, "at", at)
        if self.kind != "dynamic":
            inputs.refuse(ValueError, where, "impulse", impulse, f"is for dynamic bodies; this one is {self.kind}")
        mass, inertia = (float(self._told("mass", name)) for name in ("inverse_mass", "inverse_inertia"))
        turn = (x - position.x) * jy - (y - position.y) * jx
        speeds = velocity.x + mass * jx, velocity.y + mass * jy, spin + inertia * turn if inertia else spin
        if not max(map(abs, speeds)) <= LARGEST:
            inputs.refuse(ValueError, where, "impulse", impulse, f"gives a speed greater than {LARGEST:g}")
        self._tell("velocity", speeds[:2])
        if inertia and turn:
            self._tell("spin", speeds[2])

    @property
    def force(self) -> Vec:
        """Mass x acceleration, besides gravity. It holds until it is changed, and sets the acceleration."""
        return self.acceleration * self.mass if self.kind == "dynamic" else Vec(0.0, 0.0)

    @force.setter
    def force(self, force: PointLike) -> None:
        pair = plain_pair(force)
        if pair is not None and self._told_at_once(tell_at, FORCE, *pair, *UNKNOWN):
            return
        x, y = inputs.point(self._called(), "force", force)
        if self.kind != "dynamic":
            inputs.refuse(ValueError, self._called(), "force", force, f"is for dynamic bodies; this one is {self.kind}")
        self._tell("acceleration", (x / self.mass, y / self.mass))

    @property
    def torque(self) -> float:
        """Moment of inertia x angular acceleration. It holds until it is changed."""
        pull, inverse = (float(self._told("torque", name)) for name in ("acceleration_spin", "inverse_inertia"))
        return pull / inverse if inverse else 0.0

    @torque.setter
    def torque(self, torque: float) -> None:
        row, given = self._at("torque"), inputs.number(self._called(), "torque", torque)
        inverse = float(self._told("torque", "inverse_inertia"))
        if given and not inverse:
            inputs.refuse(ValueError, self._called(), "torque", torque, "is for dynamic bodies that turn")
        self._world._change(np.array([row]), "angular_acceleration", given * inverse)

    @property
    def acceleration(self) -> Vec:
        """Acceleration in addition to the world's gravity."""
        x, y = (float(self._told("acceleration", column)) for column in SETTINGS["acceleration"].columns)
        return Vec(x, y)

    @acceleration.setter
    def acceleration(self, acceleration: PointLike) -> None:
        self._tell("acceleration", acceleration)

    @property
    def layer(self) -> Any:
        """The layers that the body is on, as they were given: a name, several names, or an int of bits."""
        return self._store.layers.told(int(self._told("layer", "layer")))

    @layer.setter
    def layer(self, layer: AnyLayer) -> None:
        self._tell("layer", layer)

    @property
    def mask(self) -> Any:
        """The layers that the body meets, as they were given; None: all."""
        return self._store.layers.told(int(self._told("mask", "mask")))

    @mask.setter
    def mask(self, mask: AnyLayer | None) -> None:
        self._tell("mask", mask)

    @property
    def group(self) -> int:
        """It passes through all others of the same group, whatever their layers; 0 for none."""
        return int(self._told("group", "group"))

    @group.setter
    def group(self, group: int) -> None:
        self._tell("group", group)

    @property
    def response(self) -> Response:
        """Effect of a meeting, where no rule of two layers overrides it."""
        return NAMES[int(self._told("response", "response"))]

    @response.setter
    def response(self, response: Response) -> None:
        self._tell("response", response)

    @property
    def sensor(self) -> bool:
        """Whether it notices what enters and leaves it, and stops nothing."""
        return bool(self._told("sensor", "sensor"))

    @sensor.setter
    def sensor(self, sensor: bool) -> None:
        self._tell("sensor", sensor)

    @property
    def one_way(self) -> Vec | None:
        """The direction of length 1 against which it blocks; None where it blocks every motion."""
        x, y = (float(self._told("one_way", column)) for column in SETTINGS["one_way"].columns)
        return Vec(x, y) if x or y else None

    @one_way.setter
    def one_way(self, direction: PointLike | None) -> None:
        self._tell("one_way", direction)

    @property
    def pivot(self) -> Vec:
        """The point of the world that it turns about now: its centre of mass, or the pivot of a kinematic body.

        Set that of a kinematic body, at rest or not; None for its position. Its velocity is that of the pivot.
        """
        position, angle, _, _ = motion_of(self._store.tables, self._at("pivot"))
        body = self._store.tables.bodies[self._row]
        return position - Vec(float(body["middle_x"]), float(body["middle_y"])).rotated(angle)

    @pivot.setter
    def pivot(self, pivot: PointLike | None) -> None:
        row, where = self._at("pivot"), self._called()
        refuse_pivot(where, self.kind, pivot)
        point = self.position if pivot is None else inputs.point(where, "pivot", pivot)
        self._world._change(np.array([row]), "pivot", point)

    @property
    def data(self) -> Any:
        """A thing of the user's, kept with the body."""
        last = self._last("data")
        return self._store.data[self._at("data")] if last is None else last[2]

    @data.setter
    def data(self, data: Any) -> None:
        self._world._set_data(self._at("data"), data)

    @property
    def asleep(self) -> bool:
        """Whether it sleeps, at rest with all that it lies on or carries, until something wakes it."""
        return bool(self._told("asleep", "asleep"))

    @property
    def waited(self) -> float:
        """For how many seconds of the last step it waited, rather than crush or pass another body: `World.waited`."""
        row = self._at("waited")
        with self._world._reading:
            return float(waited_in(self._world._tables, row)[0])

    @property
    def surface_velocity(self) -> Vec:
        """Velocity of the body's surface beside its own, in its own frame, as of a belt: only friction sees it."""
        x, y = (float(self._told("surface_velocity", column)) for column in SETTINGS["surface_velocity"].columns)
        return Vec(x, y)

    @surface_velocity.setter
    def surface_velocity(self, surface_velocity: PointLike) -> None:
        self._tell("surface_velocity", surface_velocity)

    @property
    def rolling_resistance(self) -> float:
        """Largest torque that resists rolling, over radius times the force that presses; of two the larger counts."""
        return float(self._told("rolling_resistance", "rolling"))

    @rolling_resistance.setter
    def rolling_resistance(self, rolling_resistance: float) -> None:
        self._tell("rolling_resistance", rolling_resistance)

    @property
    def can_sleep(self) -> bool:
        """Whether it may fall asleep; one that may not keeps what it touches awake, too."""
        return not self._told("can_sleep", "sleepless")

    @can_sleep.setter
    def can_sleep(self, can_sleep: bool) -> None:
        self._tell("can_sleep", can_sleep)

    def wake(self) -> None:
        """Wake the body and what sleeps with it; one that is awake stays so for another half second at least."""
        self._world._wake(np.array([self._at("wake")]))

    def sleep(self) -> None:
        """Put the body to sleep where it is, even in mid-air, with all dynamic bodies that it touches, and they touch.

        They lose their velocities, and sleep until something wakes them: a body that comes near or hits them, a change
        of one of them or beside them, `wake`. Those that touch are those of the last step (`World.contacts`).

        Raises
        ------
        ValueError
            For static and kinematic bodies, and where one of them cannot sleep.
        RuntimeError
            Within a step.
        """
        where, row = f"{self._called()}.sleep", self._at("sleep")
        if self.kind != "dynamic":
            raise ValueError(f"{where}: only dynamic bodies sleep; this one is {self.kind}")
        if not self._world.sleep:
            raise ValueError(f"{where}: in this world nothing sleeps; set World.sleep to True first")
        if self._world.unfinished:
            raise RuntimeError(f"{where}: a step is under way; put bodies to sleep between steps")
        keeper = self._world._put_to_sleep(row)
        if keeper >= 0:
            raise ValueError(f"{where}: it touches {self._world._body(keeper)!r}, whose can_sleep is False")

    @property
    def resting_on(self) -> tuple[tuple[Body, Vec], ...]:
        """Bodies that held it against its acceleration in the last step, with the normals towards this body."""
        world = self._world
        if not world._guard.free:
            world._guard.check()
        found = supports_of(world._store, self._row, self._serial)
        if found is None:
            self._at("resting_on")
        return tuple((world._handle(row, serial), Vec(nx, ny)) for row, serial, nx, ny in found or ())

    @property
    def _store(self) -> Store:
        store: Store = self._world._store
        return store

    def _told(self, name: str, column: str) -> Any:
        """Return what a column of the table of bodies holds of this one."""
        row = self._at(name)
        return self._store.tables.bodies[column][row]

    def _now(self) -> Motion | None:
        """Return the motion of the body at the present instant; None if it is gone."""
        guard, store = self._world._guard, self._world._store
        if not guard.free:
            guard.check()
        found = motion_at(addresses_of(store), self._row, self._serial)
        return None if math.isnan(found[0]) else found

    def _motion(self, name: str) -> Motion:
        """Return the same; a body that is gone refuses to be asked for `name`."""
        found = self._now()
        if found is None:
            self._at(name)
        return found or self._motion(name)

    def _then(self, name: str) -> tuple[float, ...]:
        """Return the last place and angle of a body that is gone; a forgotten one refuses to be asked for `name`."""
        last = self._last(name)
        return self._motion(name) if last is None else last[1]

    def _tell(self, name: str, value: Any) -> None:
        """Change a setting."""
        row, other = self._at(name), EXCLUDES.get(name)
        has = getattr(self, other) if other else None
        call = Call(self._called(), self.kind, self._store.layers.copy(), has)
        self._world._change(np.array([row]), name, SETTINGS[name].check(call, name, value), call.layers)

    def _called(self) -> str:
        """Return how messages call the body: by what it is and the user's data, if that is short."""
        data = self._store.data[self._row]
        plain = isinstance(data, str) or (isinstance(data, int) and abs(data) < 10**18)
        return f"Body (row {self._row}{f', data {inputs.short(data)}' if plain else ''})"

    def __repr__(self) -> str:
        if self.removed:
            return f"<Body {self._serial}: removed>"
        (x, y), data = self.position, self._store.data[self._row]
        shown = f", data {inputs.short(data)}" if data is not None else ""
        what = f"{self.kind} {type(self.shape).__name__} at ({x:.6g}, {y:.6g})"
        return f"<Body {self._serial}: {what}, row {self._row}{shown}>"
