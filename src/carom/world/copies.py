"""Many copies of one world, stepped in one call: the tables of all of them, stacked.

In: a world between two steps, and how many copies. Out: a `Worlds`: states as arrays with the copy as the first axis,
hits as columns that name the copy. Each copy continues as the world itself would, to the last bit.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Never, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.guard import Guard, Reading
from carom._core.names import NamesNear, made_by, names_fixed, refuse_keywords, told_by_name
from carom._core.sealed import opened, seal
from carom._core.threads import ONE, at_once, checked
from carom._core.types import Booleans, Floats, Integers
from carom.broad.answers import CastColumns, Neighbors, RowLists
from carom.narrow.cast import RayHitColumns
from carom.tolerances import LARGEST
from carom.world.addressed import BARE, WHOLE
from carom.world.arrivals import change, open_for
from carom.world.batch import WAITS, addresses_of_copies, play_bare_copies, play_copies, serve_copies
from carom.world.hits import CopiesHits, hit_columns
from carom.world.joints.entries import take_away_broken
from carom.world.joints.motors import motors_of, set_motors
from carom.world.joints.order import GROWN_BY_LINKS, link
from carom.world.joints.tables import REMOVED
from carom.world.kept import UNREADABLE, given_by_user, plain, refuse_pickle
from carom.world.overlaps import begin_overlaps
from carom.world.questions import of_copies
from carom.world.readings import Columns, refuse_too_far, waited_in
from carom.world.sides import begin_sides
from carom.world.stacked import copy_of, joined, put, stacked
from carom.world.step.declared import longer, room_for
from carom.world.step.piles import Piles
from carom.world.step.play.events import DONE, LINK, LOOK_UP, MORE_CONTACTS
from carom.world.step.tables import DYNAMIC, GONE, STATIC, Tables
from carom.world.store import FEWEST, ROOM_AHEAD, Store

MOST_COPIES = 10**6
AT_ONCE = 256  # copies are played in so many, whose tables stay in the processor's cache meanwhile
MOTION = ("vx", "vy", "spin", "acceleration_x", "acceleration_y", "acceleration_spin")


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
        self._model = model
        # The copies' stores have what is left to their next step: exits, and bodies that may be in others.
        self._first = _looked_for(model._store)
        self._prepare()
        self._store = _without_waiting(self._first)
        self._waiting = dict.fromkeys(range(count), self._first) if self._first.waits else {}
        self._tables: Tables = stacked(self._store.tables, count)
        self._piles: Piles = stacked(self._store.piles, count)
        self._make_room()

    def _make_room(self) -> None:
        """Make what is no part of the copies' state: turns of threads, addresses, and what is seen of the state."""
        self._guard = Guard("Worlds")
        self._reading = Reading(self._guard)
        self._start: tuple[Any, Any] = (self._store.tables, self._store.piles)
        self._count, self._bodies = len(self._tables.state), int(self._store.tables.state["bodies"][0])
        shape = self._count, self._bodies
        self._seen = Columns(np.zeros((*shape, 2)), np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
        self._wanted, self._changed = np.zeros((*shape, len(MOTION))), np.zeros(shape, np.bool_)
        self._known: tuple[Any, Any, Any] = (None, None, None)
        self._play(0.0, 1, False)

    def _prepare(self) -> None:
        """Have room for the first steps in the tables that are copied."""
        store = self._first
        store.make_room("events", 4 * int(store.tables.state["parts"][0]))
        hits: Any = store.tables.hits[: max(FEWEST, int(store.tables.state["hits"][0]))].copy()
        store.tables = store.tables._replace(hits=hits)
        store.tables.state["pauses"] = 0
        store.make_ready()
        if store.tables.state["joints"][0] != 0:
            store.piles = link(store.tables, store.piles)  # once for all

    def __len__(self) -> int:
        return self._count

    @property
    def positions(self) -> Floats:
        """Where the bodies are, (n, rows, 2), read-only; NaN in rows without a body.

        Assign an array of this shape to put bodies elsewhere, without a sweep; what differs in no number stays
        untouched.
        """
        return self._view(self._seen.positions)

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
        return self._view(self._seen.angles)

    @angles.setter
    def angles(self, angles: ArrayLike) -> None:
        self._set_places("angles", "angle", angles)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, (n, rows, 2), read-only. Assign an array, or one (x, y) for all."""
        return self._view(self._seen.velocities)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        self._set("velocities", 0, velocities)

    @property
    def spins(self) -> Floats:
        """How fast the bodies turn, radians a second, (n, rows), read-only. Assign an array, or one number."""
        return self._view(self._seen.spins)

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
        count = int(self._store.tables.state["joints"][0])
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
            before = motors_of(self._tables, column)
            if not hasattr(given, "__len__"):
                number = inputs.number(f"Worlds.{name}", name, given)
                values = np.where(np.isnan(before), np.nan, number)
            else:
                values = _array(f"Worlds.{name}", name, given, before.shape)
            set_motors(f"Worlds.{name}", name, self._tables, column, values)

    def _set_places(self, column: str, name: str, given: ArrayLike) -> None:
        """Put or turn the bodies for which other values are given than they have."""
        where = f"Worlds.{column}"
        with self._guard:
            before: Floats = getattr(self, column)
            values = _array(where, column, given, before.shape).reshape(self._count, self._bodies, -1)
            changed = (values != before.reshape(values.shape)).any(axis=2)
            changed &= self._store.tables.bodies["kind"][: self._bodies] != GONE
            wrong = changed & ~(abs(values) <= LARGEST).all(axis=2)
            if wrong.any():
                k, row = (int(one) for one in np.argwhere(wrong)[0])
                expected = f"must be finite, and at most {LARGEST:g} in magnitude"
                inputs.refuse(ValueError, where, f"{column}[{k}][{row}]", values[k, row].tolist(), expected)
            for k in np.flatnonzero(changed.any(axis=1)).tolist():
                rows, store = np.flatnonzero(changed[k]), self._store_of(k)
                change(store, rows, name, values[k, rows] if name == "position" else values[k, rows, 0])
                self._keep(k, store)
            self._play(0.0, 1, False)

    def _set(self, name: str, first: int, given: ArrayLike) -> None:
        """Change one kind of motion of the bodies for which another value is given than they have."""
        with self._guard:
            self._set_motion(name, first, given, getattr(self, name))

    def _set_motion(self, name: str, first: int, given: ArrayLike, before: Floats) -> None:
        where = f"Worlds.{name}"
        values = _array(where, name, given, before.shape).reshape(self._count, self._bodies, -1)
        changed = (values != before.reshape(values.shape)).any(axis=2)
        kinds = self._store.tables.bodies["kind"][: self._bodies]
        changed &= kinds != GONE
        moved = kinds == DYNAMIC if first >= 3 else kinds > STATIC
        wrong = changed & ~(moved & (abs(values) <= LARGEST).all(axis=2))
        if wrong.any():
            world, row = (int(k) for k in np.argwhere(wrong)[0])
            expected = f"must be finite numbers up to {LARGEST:g}, of a body that moves"
            inputs.refuse(ValueError, where, f"{name}[{world}][{row}]", values[world, row].tolist(), expected)
        bodies = self._tables.bodies[:, : self._bodies]
        for k, column in enumerate(MOTION):
            self._wanted[:, :, k] = bodies[column]
        self._wanted[:, :, 0], self._wanted[:, :, 1] = self._seen.velocities[..., 0], self._seen.velocities[..., 1]
        self._wanted[:, :, 2] = self._seen.spins
        self._wanted[:, :, first : first + values.shape[2]] = values
        self._changed[:] = changed
        self._play(0.0, 1, False)
        self._changed[:] = False

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
            self._play(length, workers, True)
            return self._hits()

    def _play(self, length: float, threads: int, steps: bool) -> None:
        """Make the changes, and one step if asked; tables that are too short are made longer for all copies."""
        statuses = np.full(self._count, WAITS)
        for k in list(self._waiting) if steps else ():
            store = self._store_of(k)
            open_for(store, length)
            self._keep(k, store)
            statuses[k] = LOOK_UP
        while True:
            at = self._addresses()

            def work(part: int, parts: int, at: Integers = at) -> None:
                begin, end = self._count * part // parts, self._count * (part + 1) // parts
                for first in range(begin, end, AT_ONCE):
                    self._play_some(length, statuses, at, first, min(first + AT_ONCE, end))

            at_once(min(threads, self._count), work)
            wanted = set(statuses.tolist())
            if wanted == {DONE}:
                break
            for status in wanted - {DONE, LOOK_UP, LINK}:
                self._lengthen(status)
            if LINK in wanted:
                self._link(np.flatnonzero(statuses == LINK).tolist())
        for k in np.flatnonzero((self._tables.joints.table["broken"] != 0).any(axis=1)).tolist() if steps else ():
            take_away_broken(self._store_of(k))
        while ROOM_AHEAD * self._piles.counts[:, 1].max() > self._piles.contacts.shape[1]:
            self._lengthen(MORE_CONTACTS)

    def _addresses(self) -> Integers:
        """Return the addresses of the tables, made anew where these are others."""
        w, piles, found = self._known
        if w is not self._tables or piles is not self._piles:
            found = addresses_of_copies(self._tables, self._piles)
            self._known = self._tables, self._piles, found
        return cast(Integers, found)

    def _play_some(self, length: float, statuses: Integers, at: Integers, first: int, last: int) -> None:
        """Play some copies on until each is done or needs longer tables."""
        w, piles, asks = self._tables, self._piles, True
        play, kernels = (play_copies, WHOLE) if self._store.whole else (play_bare_copies, BARE)
        while asks:
            play(at, self._wanted, self._changed, length, statuses, self._seen, first, last)
            asks = serve_copies(w, piles, kernels, at, statuses, first, last)

    def _lengthen(self, status: int) -> None:
        """Make the table longer, in all copies, for want of which one has stopped."""
        made = []
        for k in range(self._count):
            store = self._store_of(k)
            store.lengthen(status)
            made.append((store.tables, store.piles))
        tables, piles = zip(*made, strict=True)
        self._tables, self._piles = joined(tables), joined(piles)

    def _link(self, copies: list[int]) -> None:
        """Build the graphs of joints of some copies anew, in which a joint has broken."""
        piles = [copy_of(self._piles, k) for k in range(self._count)]
        for k in copies:
            piles[k] = link(copy_of(self._tables, k), piles[k])
        most = {of: max(room_for(piles[k], of) for k in copies) for of in GROWN_BY_LINKS}
        if any(room_for(copy_of(self._piles, 0), of) < count for of, count in most.items()):
            for of, count in most.items():
                piles = [longer(one, of, count) for one in piles]
            self._piles = joined(piles)

    def _store_of(self, k: int) -> Store:
        """Return the tables of one copy as a world's own."""
        store = self._waiting.get(k, self._store).around(copy_of(self._tables, k), copy_of(self._piles, k))
        store.told = min(store.told, int(store.tables.state["hits"][0]))
        return store

    def _keep(self, k: int, store: Store) -> None:
        """Take over one copy's tables, if any has become longer, and what is left to its next step."""
        if not store.is_as_long(copy_of(self._tables, k)):
            stores = [self._store_of(j) for j in range(self._count)]
            stores[k] = store
            for one in stores:
                one.make_as_long(store)
            self._tables = joined([one.tables for one in stores])
        if store.waits:
            self._waiting[k] = store.around(self._store.tables, self._store.piles)
        else:
            self._waiting.pop(k, None)

    def _hits(self) -> CopiesHits:
        counts = self._tables.state["hits"][:, 0]
        told = np.arange(self._tables.hits.shape[1]) < counts[:, None]
        return CopiesHits(np.repeat(np.arange(self._count), counts), *hit_columns(self._tables.hits[told]))

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
            store = self._first.around(*self._start)
            store.make_as_long(self._store_of(0))
            store.make_ready(self._piles.contacts.shape[1])
            put(self._tables, mask, store.tables)
            put(self._piles, mask, store.piles)
            for k in np.flatnonzero(mask).tolist():
                self._waiting.pop(k, None)
                if self._first.waits:
                    self._waiting[k] = self._first
            self._play(0.0, 1, False)

    @told_by_name
    def world(self, k: int) -> Any:
        """Return one copy as a `World` of its own, which continues bit for bit."""
        number = inputs.integer("Worlds.world", "k", k)
        if not 0 <= number < self._count:
            inputs.refuse(ValueError, "Worlds.world", "k", k, f"must be from 0 to {self._count - 1}")
        with self._reading:
            other = self._model.copy()
            other._store = self._store_of(number).copy()
        return other

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        with self._reading:
            start = self._first.around(*self._start)
            stores = [plain(store) for store in (start, *map(self._store_of, range(self._count)))]
        return {"model": self._model, "sealed": seal(stores)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        try:
            self._model = state["model"]
            given, stores = given_by_user(self._model._store), []
            for content in opened(*state["sealed"]):
                stores.append(object.__new__(Store))
                stores[-1].take(content, given)
            self._first, *copies = stores
            self._store = _without_waiting(self._first)
            self._prepare()
            for one in copies:
                _make_piles_as_long(one, self._first)
            self._tables, self._piles = joined([one.tables for one in copies]), joined([one.piles for one in copies])
        except UNREADABLE as error:
            refuse_pickle("Worlds", error)
        base = self._store
        self._waiting = {k: one.around(base.tables, base.piles) for k, one in enumerate(copies) if one.waits}
        self._make_room()

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


def _without_waiting(store: Store) -> Store:
    """Return a store around the same tables with nothing left to the next step; itself where nothing is."""
    if not store.waits:
        return store
    other = store.around(store.tables, store.piles)
    other.exits, other.arrived, other.overlapping = [], set(), set()
    return other


def _make_piles_as_long(store: Store, other: Store) -> None:
    """Have as much room for contacts and links as another store of the same bodies has."""
    store.make_ready(len(other.piles.contacts))
    for of in GROWN_BY_LINKS:
        store.piles = longer(store.piles, of, room_for(other.piles, of))


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
