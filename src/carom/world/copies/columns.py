"""The columns of many copies: how their bodies move, and settings that differ from copy to copy.

In: the stacked tables of copies. Out: arrays with the copy as the first axis; what is written into one is checked and
set in the copies, and a value that differs from none that is there changes nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.guard import Guard
from carom._core.types import Booleans, Floats, Integers
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.world.changes.pending import change, pull
from carom.world.copies.steps import CopiedSteps
from carom.world.copies.written import Column
from carom.world.reports.motion import waited_in
from carom.world.step.tables import DYNAMIC, GONE, STATIC, Tables


class CopiedColumns:
    """The columns of copies."""

    _steps: CopiedSteps
    _guard: Guard
    _count: int
    _bodies: int

    @property
    def _tables(self) -> Tables:
        return self._steps.tables

    # How they move.

    @property
    def positions(self) -> Floats:
        """Where the bodies are, (n, rows, 2); NaN in rows without a body.

        Items and slices can be assigned: bodies are put elsewhere, without a sweep. What differs in no number stays
        untouched.
        """
        return self._column("positions", self._steps.seen.positions, live=True)

    @positions.setter
    def positions(self, positions: ArrayLike) -> None:
        if inputs.is_one_vector(positions):  # all bodies at one place is what nobody means
            inputs.refuse(ValueError, "Worlds.positions", "positions", positions, "must be (n, rows, 2)")
        self._set_places("positions", "position", positions)

    @property
    def angles(self) -> Floats:
        """The angles of the bodies, radians, (n, rows); see `Body.angle`. Assign to turn bodies without a sweep."""
        return self._column("angles", self._steps.seen.angles, live=True)

    @angles.setter
    def angles(self, angles: ArrayLike) -> None:
        self._set_places("angles", "angle", angles)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, (n, rows, 2). Assign items, an array, or one (x, y) for all."""
        return self._column("velocities", self._steps.seen.velocities, live=True)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        self._set_motion("velocities", 0, velocities)

    @property
    def spins(self) -> Floats:
        """How fast the bodies turn, radians a second, (n, rows). Assign items, an array, or one number for all."""
        return self._column("spins", self._steps.seen.spins, live=True)

    @spins.setter
    def spins(self, spins: ArrayLike) -> None:
        self._set_motion("spins", 2, spins)

    @property
    def accelerations(self) -> Floats:
        """Accelerations besides gravity, (n, rows, 2); one that is assigned holds until it is changed."""
        bodies = self._tables.bodies[:, : self._bodies]
        return self._column("accelerations", np.stack((bodies["acceleration_x"], bodies["acceleration_y"]), axis=2))

    @accelerations.setter
    def accelerations(self, accelerations: ArrayLike) -> None:
        self._set_motion("accelerations", 3, accelerations)

    @property
    def angular_accelerations(self) -> Floats:
        """The same of the spins, radians per second squared, (n, rows)."""
        found = self._tables.bodies["acceleration_spin"][:, : self._bodies].copy()
        return self._column("angular_accelerations", found)

    @angular_accelerations.setter
    def angular_accelerations(self, accelerations: ArrayLike) -> None:
        self._set_motion("angular_accelerations", 5, accelerations)

    # What they are like.

    @property
    def masses(self) -> Floats:
        """The masses, (n, rows), infinite for bodies that are not dynamic; assign items, an array, or one for all.

        The moment of inertia goes with the mass.
        """
        inverse = self._tables.bodies["inverse_mass"][:, : self._bodies]
        return self._column("masses", np.divide(1.0, inverse, out=np.full_like(inverse, np.inf), where=inverse > 0.0))

    @masses.setter
    def masses(self, masses: ArrayLike) -> None:
        self._set_setting("masses", "mass", masses, (SMALLEST_SIZE, LARGEST), dynamic=True)

    @property
    def frictions(self) -> Floats:
        """The frictions, (n, rows): `Body.friction`. Assign items, an array, or one number for all."""
        return self._column("frictions", self._tables.bodies["friction"][:, : self._bodies].copy())

    @frictions.setter
    def frictions(self, frictions: ArrayLike) -> None:
        self._set_setting("frictions", "friction", frictions, (0.0, LARGEST))

    @property
    def restitutions(self) -> Floats:
        """The restitutions, (n, rows), from 0 to 1. Assign items, an array, or one number for all."""
        return self._column("restitutions", self._tables.bodies["restitution"][:, : self._bodies].copy())

    @restitutions.setter
    def restitutions(self, restitutions: ArrayLike) -> None:
        self._set_setting("restitutions", "restitution", restitutions, (0.0, 1.0))

    @property
    def gravities(self) -> Floats:
        """The gravity of each copy, (n, 2). Assign items, an array, or one (x, y) for all."""
        state = self._tables.state[:, 0]
        return self._column("gravities", np.stack((state["gravity_x"], state["gravity_y"]), axis=1))

    @gravities.setter
    def gravities(self, gravities: ArrayLike) -> None:
        where = "Worlds.gravities"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(self.gravities)
            given = inputs.vectors(where, "gravities", gravities, self._count)
            for k in np.flatnonzero((given != before).any(axis=1)).tolist():
                store = self._steps.store_of(k)
                pull(store, *given[k].tolist())
                self._steps.keep(k, store)

    # What the step tells of them.

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

    # How they are read and set.

    def _column(self, name: str, array: NDArray[Any], live: bool = False) -> Floats:
        """Return a column that sets the attribute of a name where it is written."""
        if not self._guard.free:
            self._guard.check()
        return cast(Floats, Column.over(array, partial(setattr, self, name), live))

    def _refuse_within(self, where: str) -> None:
        if self._steps.length > 0.0:
            raise RuntimeError(f"{where}: a step is under way that was left; call Worlds.resume first, or Worlds.reset")

    def _kinds(self) -> NDArray[Any]:
        kinds: NDArray[Any] = self._steps.base.tables.bodies["kind"][: self._bodies]
        return kinds

    def _set_places(self, column: str, name: str, given: ArrayLike) -> None:
        """Put or turn the bodies for which other values are given than they have."""
        where = f"Worlds.{column}"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(getattr(self, column))
            values = array_of(where, column, given, before.shape).reshape(self._count, self._bodies, -1)
            changed = (values != before.reshape(values.shape)).any(axis=2) & (self._kinds() != GONE)
            self._refuse(where, column, changed & ~(abs(values) <= LARGEST).all(axis=2), values)
            if name == "angle":
                values = values[..., 0]
            self._change(name, changed, values)
            self._steps.settle(np.flatnonzero(changed.any(axis=1)))

    def _put(self, name: str, copies: Integers, row: int, values: Floats) -> None:
        """Put or turn one body of some copies."""
        seen = self._steps.seen
        before = (seen.positions if name == "position" else seen.angles)[copies, row]
        changed = (values != before).reshape(len(copies), -1).any(axis=1)
        for m in np.flatnonzero(changed).tolist():
            store = self._steps.store_of(int(copies[m]))
            change(store, np.array([row]), name, values[m : m + 1])
            self._steps.keep(int(copies[m]), store)
        self._steps.settle(copies[changed])

    def _set_setting(
        self, column: str, name: str, given: ArrayLike, bounds: tuple[float, float], dynamic: bool = False
    ) -> None:
        """Set a setting of the bodies for which other values are given than they have."""
        where = f"Worlds.{column}"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(getattr(self, column))
            values = array_of(where, column, given, before.shape)
            kinds = self._kinds()
            may = kinds == DYNAMIC if dynamic else kinds != GONE
            if not hasattr(given, "__len__"):
                values = np.where(may, values, before)
            changed = (values != before) & (kinds != GONE)
            fits = may & (values >= bounds[0]) & (values <= bounds[1])
            expected = f"must be from {bounds[0]:g} to {bounds[1]:g}{', of a dynamic body' if dynamic else ''}"
            self._refuse(where, column, changed & ~fits, values[..., None], expected)
            self._change(name, changed, 1.0 / values if name == "mass" else values)

    def _change(self, name: str, changed: Booleans, values: Floats) -> None:
        """Change a setting of bodies of copies, which is checked."""
        for k in np.flatnonzero(changed.any(axis=1)).tolist():
            rows, store = np.flatnonzero(changed[k]), self._steps.store_of(k)
            change(store, rows, name, values[k, rows])
            self._steps.keep(k, store)

    def _set_motion(self, name: str, first: int, given: ArrayLike) -> None:
        """Change one kind of motion of the bodies for which another value is given than they have."""
        where = f"Worlds.{name}"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(getattr(self, name))
            values = array_of(where, name, given, before.shape).reshape(self._count, self._bodies, -1)
            kinds = self._kinds()
            changed = (values != before.reshape(values.shape)).any(axis=2) & (kinds != GONE)
            moved = kinds == DYNAMIC if first >= 3 else kinds > STATIC
            fits = moved & (abs(values) <= LARGEST).all(axis=2)
            self._refuse(
                where, name, changed & ~fits, values, f"must be finite numbers up to {LARGEST:g}, of a body that moves"
            )
            copies, rows = np.nonzero(changed)
            self._steps.set_motion(copies, rows, first, values[copies, rows])

    def _refuse(self, where: str, name: str, wrong: Booleans, values: Floats, expected: str = "") -> None:
        """Refuse the first value that is wrong, by copy and row."""
        if wrong.any():
            k, row = (int(one) for one in np.argwhere(wrong)[0])
            value = values[k, row].tolist()
            expected = expected or f"must be finite, and at most {LARGEST:g} in magnitude"
            inputs.refuse(ValueError, where, f"{name}[{k}][{row}]", value if len(value) > 1 else value[0], expected)


def array_of(where: str, name: str, given: Any, shape: tuple[int, ...]) -> Floats:
    """Return what is given for all copies as an array of a shape; a number that is not finite may be among them."""
    if len(shape) == 2 and not hasattr(given, "__len__"):
        return np.full(shape, inputs.number(where, name, given))
    if len(shape) == 3 and inputs.is_one_vector(given):
        return np.full(shape, inputs.point(where, name, given))
    if isinstance(given, np.ndarray) and given.dtype == np.float64:
        if given.shape != shape:
            raise ValueError(f"{where}: {name} has shape {given.shape}; it must be {shape}")
        return np.asarray(given)
    copies = inputs.sequence(where, name, given, shape[0], "copies")
    read = inputs.column if len(shape) == 2 else partial(inputs.table, width=2)
    rows = [read(where, f"{name}[{k}]", one, rows=shape[1], endless=True) for k, one in enumerate(copies)]
    return np.stack(rows)
