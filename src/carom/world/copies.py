"""Many copies of one world, stepped in one call: the tables of all of them, stacked.

In: a world between two steps, and how many copies. Out: a `Worlds`: states as arrays with the copy as the first axis,
hits as columns that name the copy. Each copy continues as the world itself would, to the last bit.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Never, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.guard import Guard, Reading
from carom._core.names import NamesNear, made_by, names_fixed, refuse_keywords, told_by_name
from carom._core.sealed import opened, seal
from carom._core.threads import ONE, checked
from carom._core.types import Booleans, Floats, Integers
from carom.broad.answers import CastColumns, Neighbors, RowLists
from carom.narrow.cast import RayHitColumns
from carom.tolerances import LARGEST
from carom.world.alike import trimmed
from carom.world.arrivals import change
from carom.world.copied_steps import CopiedSteps
from carom.world.drive import drive, make_room
from carom.world.hits import CopiesHits, hit_columns
from carom.world.joints.motors import motors_of, set_motors
from carom.world.joints.order import link
from carom.world.joints.tables import REMOVED
from carom.world.kept import UNREADABLE, given_by_user, plain, refuse_pickle
from carom.world.overlaps import begin_overlaps
from carom.world.questions import of_copies
from carom.world.readings import refuse_too_far, waited_in
from carom.world.sides import begin_sides
from carom.world.step.play.events import DONE
from carom.world.step.tables import DYNAMIC, GONE, STATIC, Tables
from carom.world.store import Store

MOST_COPIES = 10**6


@made_by("World.copies(n), which copies one world n times")
@names_fixed
class Worlds(metaclass=NamesNear):
    """Copies of one world that are stepped together; `World.copies` makes them.

    All copies have the same bodies in the same rows. No body is added or removed; sleeping, contacts and hits are each
    copy's own.

    Examples
    --------
    >>> world = cm.World(gravity=(0, -10))
    >>> floor = world.add(cm.Box((0, 0), (100, 1)))
    >>> ball = world.add(cm.Circle((0, 5), 0.5), kind="dynamic", restitution=0.5, friction=0)
    >>> worlds = world.copies(3)
    >>> worlds.velocities[:, 1, 0] = 0, 1, 2
    Traceback (most recent call last):
        ...
    ValueError: assignment destination is read-only
    >>> velocities = worlds.velocities.copy()
    >>> velocities[:, 1, 0] = 0, 1, 2
    >>> worlds.velocities = velocities
    >>> hits = worlds.step(1.0)
    >>> hits.world.tolist(), worlds.positions[:, 1, 0].round(2).tolist()
    ([0, 1, 2], [0.0, 1.0, 2.0])
    """

    def __init__(self, model: Any, count: int) -> None:
        if model.unfinished:
            model.resume()  # each copy begins between two steps
        self._model = model
        # The copies' stores have what is left to their next step: exits, and bodies that may be in others.
        self._take(_prepared(_looked_for(model._store)), count)

    def _take(self, first: Store, count: int) -> None:
        """Make so many copies of a store."""
        self._steps = CopiedSteps(first, count)
        self._count, self._bodies = self._steps.count, self._steps.bodies
        self._guard = Guard("Worlds")
        self._reading = Reading(self._guard)

    @property
    def _tables(self) -> Tables:
        return self._steps.tables

    def __len__(self) -> int:
        return self._count

    @property
    def positions(self) -> Floats:
        """Where the bodies are, (n, rows, 2), read-only; NaN in rows without a body.

        Assign an array of this shape to put bodies elsewhere, without a sweep; what differs in no number stays
        untouched.
        """
        return self._view(self._steps.seen.positions)

    @positions.setter
    def positions(self, positions: ArrayLike) -> None:
        if inputs.is_one_vector(positions):  # all bodies at one place is what nobody means
            inputs.refuse(ValueError, "Worlds.positions", "positions", positions, "must be (n, rows, 2)")
        self._set_places("positions", "position", positions)

    @property
    def angles(self) -> Floats:
        """The angles of the bodies, radians, (n, rows), read-only; see `Body.angle`.

        Assign an array, or one number, to turn bodies without a sweep.
        """
        return self._view(self._steps.seen.angles)

    @angles.setter
    def angles(self, angles: ArrayLike) -> None:
        self._set_places("angles", "angle", angles)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, (n, rows, 2), read-only. Assign an array, or one (x, y) for all."""
        return self._view(self._steps.seen.velocities)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        self._set("velocities", 0, velocities)

    @property
    def spins(self) -> Floats:
        """How fast the bodies turn, radians a second, (n, rows), read-only. Assign an array, or one number."""
        return self._view(self._steps.seen.spins)

    @spins.setter
    def spins(self, spins: ArrayLike) -> None:
        self._set("spins", 2, spins)

    @property
    def accelerations(self) -> Floats:
        """Accelerations besides gravity, (n, rows, 2), an array of its own; one assigned holds until it is changed."""
        bodies = self._tables.bodies[:, : self._bodies]
        return np.stack((bodies["acceleration_x"], bodies["acceleration_y"]), axis=2)

    @accelerations.setter
    def accelerations(self, accelerations: ArrayLike) -> None:
        self._set("accelerations", 3, accelerations)

    @property
    def angular_accelerations(self) -> Floats:
        """The same of the spins, radians per second squared, (n, rows)."""
        found: Floats = self._tables.bodies["acceleration_spin"][:, : self._bodies].copy()
        return found

    @angular_accelerations.setter
    def angular_accelerations(self, accelerations: ArrayLike) -> None:
        self._set("angular_accelerations", 5, accelerations)

    @property
    def joint_forces(self) -> Floats:
        """The force of each joint on its body `a` in the last step, (n, rows of joints, 2), an array of its own."""
        count = int(self._steps.base.tables.state["joints"][0])
        table = self._tables.joints.table[:, :count]
        forces = np.stack((table["force_x"], table["force_y"]), axis=2)
        forces[table["kind"] == REMOVED] = np.nan
        return forces

    @property
    def motor_speeds(self) -> Floats:
        """The speed of the motor of each joint, (n, rows of joints), an array of its own: `Joint.speed`.

        NaN where a joint has no motor. Assign an array, or one number for all; one that is set wakes what it drives.
        """
        return motors_of(self._tables, "speed")

    @motor_speeds.setter
    def motor_speeds(self, speeds: ArrayLike) -> None:
        self._set_motors("motor_speeds", "speed", speeds)

    @property
    def motor_bounds(self) -> Floats:
        """The most that each motor does, (n, rows of joints): `Joint.max_torque`, or `Joint.max_force`; 0 for none.

        NaN where a joint has no motor. Assign an array, or one number for all.
        """
        return motors_of(self._tables, "most")

    @motor_bounds.setter
    def motor_bounds(self, bounds: ArrayLike) -> None:
        self._set_motors("motor_bounds", "most", bounds)

    @property
    def asleep(self) -> Booleans:
        """Which bodies sleep, (n, rows), an array of its own."""
        asleep: Booleans = self._tables.bodies["asleep"][:, : self._bodies] == 1
        return asleep

    @property
    def waited(self) -> Floats:
        """For how many seconds of the last step each body waited, (n, rows), an array of its own: `World.waited`."""
        found: Floats = waited_in(self._tables, slice(self._bodies))
        return found

    def _view(self, column: Floats) -> NDArray[np.float64]:
        if not self._guard.free:
            self._guard.check()
        view = column.view()
        view.flags.writeable = False
        return view

    def _set_motors(self, name: str, column: str, given: ArrayLike) -> None:
        """Set the motors for which another value is given than they have."""
        with self._guard:
            self._refuse_within(f"Worlds.{name}")
            before = motors_of(self._tables, column)
            if not hasattr(given, "__len__"):
                number = inputs.number(f"Worlds.{name}", name, given)
                values = np.where(np.isnan(before), np.nan, number)
            else:
                values = _array(f"Worlds.{name}", name, given, before.shape)
            set_motors(f"Worlds.{name}", name, self._steps.stack, column, values)

    def _set_places(self, column: str, name: str, given: ArrayLike) -> None:
        """Put or turn the bodies for which other values are given than they have."""
        where = f"Worlds.{column}"
        with self._guard:
            self._refuse_within(where)
            before: Floats = getattr(self, column)
            values = _array(where, column, given, before.shape).reshape(self._count, self._bodies, -1)
            changed = (values != before.reshape(values.shape)).any(axis=2)
            changed &= self._steps.base.tables.bodies["kind"][: self._bodies] != GONE
            wrong = changed & ~(abs(values) <= LARGEST).all(axis=2)
            if wrong.any():
                k, row = (int(one) for one in np.argwhere(wrong)[0])
                expected = f"must be finite, and at most {LARGEST:g} in magnitude"
                inputs.refuse(ValueError, where, f"{column}[{k}][{row}]", values[k, row].tolist(), expected)
            for k in np.flatnonzero(changed.any(axis=1)).tolist():
                rows, store = np.flatnonzero(changed[k]), self._steps.store_of(k)
                change(store, rows, name, values[k, rows] if name == "position" else values[k, rows, 0])
                self._steps.keep(k, store)
            self._steps.settle()

    def _set(self, name: str, first: int, given: ArrayLike) -> None:
        """Change one kind of motion of the bodies for which another value is given than they have."""
        with self._guard:
            self._refuse_within(f"Worlds.{name}")
            self._set_motion(name, first, given, getattr(self, name))

    def _set_motion(self, name: str, first: int, given: ArrayLike, before: Floats) -> None:
        where = f"Worlds.{name}"
        values = _array(where, name, given, before.shape).reshape(self._count, self._bodies, -1)
        changed = (values != before.reshape(values.shape)).any(axis=2)
        kinds = self._steps.base.tables.bodies["kind"][: self._bodies]
        changed &= kinds != GONE
        moved = kinds == DYNAMIC if first >= 3 else kinds > STATIC
        wrong = changed & ~(moved & (abs(values) <= LARGEST).all(axis=2))
        if wrong.any():
            world, row = (int(k) for k in np.argwhere(wrong)[0])
            expected = f"must be finite numbers up to {LARGEST:g}, of a body that moves"
            inputs.refuse(ValueError, where, f"{name}[{world}][{row}]", values[world, row].tolist(), expected)
        self._steps.set_motion(changed, first, values)

    @told_by_name
    def step(self, dt: float, *, threads: int = ONE, **unknown: Never) -> CopiesHits:
        """Let time pass in all copies, and return what happened.

        Parameters
        ----------
        dt : float, positive
            Seconds.
        threads : int
            How many threads step the copies, each its own part.

        Returns
        -------
        CopiesHits
        """
        if unknown:
            refuse_keywords("Worlds.step", Worlds.step, unknown)
        length = inputs.size("Worlds.step", "dt", dt)
        workers = 1 if threads is ONE else checked("Worlds.step", threads)
        with self._guard:
            refuse_too_far("Worlds.step", self._tables, length, 1)
            if self.unfinished:
                self.resume()
            self._steps.begin(length, workers)
            return self._drive()

    @property
    def unfinished(self) -> bool:
        """Whether an exception has left a step, some copies ahead of others: `resume` it; the next step does so first.

        Until then nothing can be set; what is read is of each copy where it is.
        """
        return self._steps.length > 0.0

    def resume(self) -> CopiesHits:
        """Play the rest of a step that an exception has left, and return what happened in that step."""
        with self._guard:
            if not self.unfinished:
                return self._hits(np.zeros(self._count, np.int64))
            self._steps.resume()
            return self._drive()

    def _drive(self) -> CopiesHits:
        """Play the step under way to the end of all copies."""
        try:
            drive(self._steps)
            self._steps.length = 0.0
        finally:
            if self.unfinished:
                self._steps.settle()
        return self._hits(self._tables.state["hits"][:, 0])

    def _refuse_within(self, where: str) -> None:
        if self.unfinished:
            raise RuntimeError(f"{where}: a step is under way that was left; call Worlds.resume first, or Worlds.reset")

    def _hits(self, counts: Integers) -> CopiesHits:
        """Return the first so many hits of each copy."""
        told: Any = self._steps.stack.rows_of("hits", counts)
        return CopiesHits(np.repeat(np.arange(self._count), counts), *hit_columns(told))

    @told_by_name
    def raycast(
        self,
        origin: ArrayLike,
        translation: ArrayLike,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RayHitColumns:
        """Return what each ray meets first in each copy, where its bodies are now.

        Parameters
        ----------
        origin, translation : (x, y), or arrays (n, ..., 2)
            The first axis is the copy, or of length 1 for what all copies share; both are broadcast together.
        ignore : Body, row, or several; or an array that broadcasts to the rays
            Rows that are passed through, -1 for none.
        mask : a name, a tuple of names, or an int of bits, optional
            The layers that are seen, all if not given.
        sensors : bool, default False
            Whether sensors are seen, too.
        threads : int, default 1
            How many threads share the rays; the answers are the same with any number.

        Returns
        -------
        RayHitColumns
            As `World.raycast` of each copy; the columns have the copy as their first axis.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((5, 0), 1), kind="dynamic")
        >>> worlds = world.copies(2)
        >>> worlds.raycast((0, 0), [[[10, 0], [0, 10], [5, 0]]]).distance
        array([[ 4., inf,  4.],
               [ 4., inf,  4.]])
        """
        if unknown:
            refuse_keywords("Worlds.raycast", Worlds.raycast, unknown)
        with self._reading:
            return of_copies.raycast(self, origin, translation, mask, ignore, sensors, threads)

    @told_by_name
    def cast(
        self,
        shape: Any,
        translation: ArrayLike,
        rotation: ArrayLike = 0.0,
        pivot: ArrayLike | None = None,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> CastColumns:
        """Return what each moving shape meets first in each copy, where its bodies are now.

        Parameters
        ----------
        shape : a shape; Shapes, or shapes in a list
            One, which goes each of the ways (n, ...); or m, of which each goes its way in each copy.
        translation : (x, y), or an array (n, ..., 2); of m shapes (n, m, 2)
            As in `raycast`.
        rotation : float, or one for each motion in order
        pivot : (x, y), or one for each motion in order, optional
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        CastColumns
            As `World.cast` of each copy; the columns have the copy as their first axis.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        if unknown:
            refuse_keywords("Worlds.cast", Worlds.cast, unknown)
        with self._reading:
            return of_copies.cast(self, shape, translation, rotation, pivot, mask, ignore, sensors, threads)

    @told_by_name
    def query(
        self,
        shape: Any,
        *,
        touching: bool = True,
        within: ArrayLike = 0.0,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RowLists:
        """Return the bodies that intersect each of m shapes, or lie within a distance of it, in each copy.

        Parameters
        ----------
        shape : a shape; Shapes, or shapes in a list
        touching, within
            As in `World.query`.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        RowLists(offsets, rows)
            The lists of the first copy's m shapes come first.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `World.query`.
        """
        if unknown:
            refuse_keywords("Worlds.query", Worlds.query, unknown)
        with self._reading:
            return of_copies.query(self, shape, touching, within, mask, ignore, sensors, threads)

    @told_by_name
    def contains(
        self,
        point: ArrayLike,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RowLists:
        """Return the bodies that contain each point, boundary included, in each copy.

        Parameters
        ----------
        point : (x, y), or an array (n, ..., 2)
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        RowLists(offsets, rows)
            The lists of the first copy's points come first.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `World.contains`.
        """
        if unknown:
            refuse_keywords("Worlds.contains", Worlds.contains, unknown)
        with self._reading:
            return of_copies.contains(self, point, mask, ignore, sensors, threads)

    @told_by_name
    def nearest(
        self,
        shape: Any,
        k: int = 1,
        within: float = math.inf,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> Neighbors:
        """Return the k bodies nearest to each point or shape in each copy, with their distances.

        Parameters
        ----------
        shape : (x, y), an array (n, ..., 2), a shape; Shapes, or shapes in a list
        k, within
            As in `World.nearest`.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        Neighbors(rows, distances)
            Both (n, ..., k), or (n, m, k) for m shapes.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        if unknown:
            refuse_keywords("Worlds.nearest", Worlds.nearest, unknown)
        with self._reading:
            return of_copies.nearest(self, shape, k, within, mask, ignore, sensors, threads)

    @told_by_name
    def reset(self, chosen: ArrayLike | None = None) -> None:
        """Put copies back to the state in which they were made: all of them, or those of a mask, (n,) of bool."""
        mask = np.ones(self._count, np.bool_)
        if chosen is not None:
            given = inputs.sequence("Worlds.reset", "chosen", chosen, self._count, "copies")
            mask[:] = [inputs.truth("Worlds.reset", f"chosen[{k}]", item) for k, item in enumerate(given)]
        with self._guard:
            self._steps.reset(mask)
            if self.unfinished and (self._steps.statuses == DONE).all():
                self._drive()

    @told_by_name
    def world(self, k: int) -> Any:
        """Return one copy as a `World` of its own, which continues bit for bit."""
        number = inputs.integer("Worlds.world", "k", k)
        if not 0 <= number < self._count:
            inputs.refuse(ValueError, "Worlds.world", "k", k, f"must be from 0 to {self._count - 1}")
        with self._reading:
            other = self._model.copy()
            other._store = self._steps.store_of(number, fresh=True).copy()
        return other

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        with self._reading:
            steps = self._steps
            stores = [plain(steps.first), *(plain(steps.store_of(k, fresh=True)) for k in range(self._count))]
            content = {"stores": stores, "length": steps.length, "statuses": steps.statuses.tolist()}
        return {"model": self._model, "sealed": seal(content)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        try:
            self._model = state["model"]
            given, stores = given_by_user(self._model._store), list[Store]()
            content = opened(*state["sealed"])
            for one in content["stores"]:
                stores.append(object.__new__(Store))
                stores[-1].take(one, given)
            self._take(_prepared(stores[0]), len(stores) - 1)
            self._steps.take(stores[1:], content["length"], content["statuses"])
        except UNREADABLE as error:
            refuse_pickle("Worlds", error)

    def __repr__(self) -> str:
        return f"<Worlds: {self._count} copies of {self._model!r}>"


def _looked_for(store: Store) -> Store:
    """Return a world's store in which it was looked for bodies put into others, if there are none: once for all copies.

    Else each copy looks for itself, and parts them, as its first step begins.
    """
    looked = store.copy()
    begin_sides(looked)
    begin_overlaps(looked)
    return store if looked.overlapping or store.overlapping else looked


def _prepared(store: Store) -> Store:
    """Return a store for copies, with room for their first steps."""
    made = trimmed(store)
    make_room(made)
    made.tables.state["pauses"] = 0
    if made.tables.state["joints"][0] != 0:
        made.piles = link(made.tables, made.piles)  # once for all
    return made


def _array(where: str, name: str, given: Any, shape: tuple[int, ...]) -> Floats:
    """Return what is given for all copies as an array of a shape; a number that is not finite may be among them."""
    if len(shape) == 2 and not hasattr(given, "__len__"):
        return np.full(shape, inputs.number(where, name, given))
    if len(shape) == 3 and inputs.is_one_vector(given):
        return np.full(shape, inputs.point(where, name, given))
    if type(given) is np.ndarray and given.dtype == np.float64:
        if given.shape != shape:
            raise ValueError(f"{where}: {name} has shape {given.shape}; it must be {shape}")
        return given
    copies = inputs.sequence(where, name, given, shape[0], "copies")
    read = inputs.column if len(shape) == 2 else partial(inputs.table, width=2)
    rows = [read(where, f"{name}[{k}]", one, rows=shape[1], endless=True) for k, one in enumerate(copies)]
    return np.stack(rows)
