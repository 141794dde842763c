"""The joints of many copies as columns: copy by copy, and in each by the row of the joint.

In: the stacked tables of copies, and values for settings of their joints. Out: columns, NaN where a joint does not
have the property; or joints that are set, whose bodies are awake. A value that differs from none that is there
changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.types import Booleans, Floats
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.world.changes.bodies import rouse_bodies
from carom.world.copies.columns import CopiedColumns, array_of
from carom.world.joints.entries import change_joint
from carom.world.joints.kinds import HAVE, LENGTHS, NUMBERS, PIN, REMOVED, SLIDE, SPRING, WHEEL
from carom.world.joints.standing import ANGLE, ERROR, OFFSET, SPEED, write_standing
from carom.world.step.tables import DYNAMIC


class CopiedJoints(CopiedColumns):
    """The columns of the joints of copies."""

    # How they stand.

    @property
    def joint_angles(self) -> Floats:
        """The angles of pins, welds and wheels, radians, (n, rows of joints), an array of its own; else NaN."""
        return self._standing(ANGLE)

    @property
    def joint_offsets(self) -> Floats:
        """The offsets of slides and wheels, (n, rows of joints), an array of its own; NaN of other joints."""
        return self._standing(OFFSET)

    @property
    def joint_speeds(self) -> Floats:
        """How fast each joint moves, (n, rows of joints), an array of its own.

        Of pins, welds and wheels how fast the angle changes, of slides how fast the offset does; NaN of other joints.
        """
        return self._standing(SPEED)

    @property
    def joint_errors(self) -> Floats:
        """How far each joint gapes, (n, rows of joints), an array of its own: `Joint.error`; NaN where none is."""
        return self._standing(ERROR)

    @property
    def joint_forces(self) -> Floats:
        """The force of each joint on its body `a` in the last step, (n, rows of joints, 2), an array of its own."""
        table = self._joints()
        forces = np.stack((table["force_x"], table["force_y"]), axis=2)
        forces[table["kind"] == REMOVED] = np.nan
        return forces

    @property
    def joint_torques(self) -> Floats:
        """The torque of each joint on its body `a` in the last step, (n, rows of joints): `Joint.torque`."""
        table = self._joints()
        return np.where(table["kind"] == REMOVED, np.nan, table["torque"])

    # What they are like.

    @property
    def motor_speeds(self) -> Floats:
        """The speed of the motor of each joint, (n, rows of joints): `Joint.speed`; NaN where a joint has no motor.

        Assign items, an array, or one number for all. A motor that is set wakes the bodies that it drives.
        """
        return self._column("motor_speeds", self._of_kinds("speed", WITH_SPEED))

    @motor_speeds.setter
    def motor_speeds(self, speeds: ArrayLike) -> None:
        self._set_joints("motor_speeds", "speed", WITH_SPEED, speeds, (-LARGEST, LARGEST), "motor")

    @property
    def motor_bounds(self) -> Floats:
        """The most that each motor does, (n, rows of joints): `Joint.max_torque`, or `Joint.max_force`; 0 for none.

        NaN where a joint has no motor, and of those of `World.motor`, which have two bounds. Assign items, an array,
        or one number for all.
        """
        return self._column("motor_bounds", self._of_kinds("most", WITH_REST))

    @motor_bounds.setter
    def motor_bounds(self, bounds: ArrayLike) -> None:
        self._set_joints("motor_bounds", "most", WITH_REST, bounds, (0.0, LARGEST), "motor")

    @property
    def joint_rests(self) -> Floats:
        """The angle or offset at which the spring of a pin, slide or wheel rests, (n, rows of joints): `Joint.rest`.

        NaN of other joints. Assign items, an array, or one number for all.
        """
        return self._column("joint_rests", self._of_kinds("rest", WITH_REST))

    @joint_rests.setter
    def joint_rests(self, rests: ArrayLike) -> None:
        self._set_joints("joint_rests", "rest", WITH_REST, rests, (-LARGEST, LARGEST), "rest")

    @property
    def joint_lengths(self) -> Floats:
        """The lengths of rods, ropes, springs and pulleys, (n, rows of joints): `Joint.length`; NaN of other joints.

        Assign items, an array, or one number for all.
        """
        table, found = self._joints(), np.full(self._joints().shape, np.nan)
        for kind, column in LENGTHS.items():
            is_one = (table["kind"] == OF_KIND[kind]) & (table["broken"] == 0)
            found[is_one] = table[column][is_one]
        return self._column("joint_lengths", found)

    @joint_lengths.setter
    def joint_lengths(self, lengths: ArrayLike) -> None:
        self._set_joints("joint_lengths", "", (), lengths, (0.0, LARGEST), "length")

    @property
    def joint_limits(self) -> Floats:
        """Least and greatest angle, offset or length of each joint, (n, rows of joints, 2): `Joint.limits`.

        Infinite where a joint has none, NaN of joints that cannot have limits. Assign items or an array; of a joint
        both are infinite or neither is.
        """
        ends = [self._of_kinds(column, (PIN, SLIDE, WHEEL, SPRING)) for column in ("low", "high")]
        return self._column("joint_limits", np.stack(ends, axis=2))

    @joint_limits.setter
    def joint_limits(self, limits: ArrayLike) -> None:
        where = "Worlds.joint_limits"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(self.joint_limits)
            values = array_of(where, "joint_limits", limits, before.shape)
            changed: Any = self._differ(before, values).any(axis=2)
            low, high = values[..., 0], values[..., 1]
            has, none = ~np.isnan(before[..., 0]), (low == -np.inf) & (high == np.inf)
            springs = self._joints()["kind"] == SPRING
            fits = has & (none | ((low <= high) & (abs(values) <= LARGEST).all(axis=2) & ~(springs & (low < 0.0))))
            expected = "must be (low, high), low at most high, of a joint that can have limits"
            self._refuse(where, "joint_limits", changed & ~fits, values, expected)
            self._change_joints(changed, {"low": low, "high": high})

    # How they are read and set.

    def _joints(self) -> NDArray[Any]:
        """Return the rows of joints that are in use, of all copies."""
        if not self._guard.free:
            self._guard.check()
        count = int(self._steps.base.tables.state["joints"][0])
        found: NDArray[Any] = self._tables.joints.table[:, :count]
        return found

    def _standing(self, column: int) -> Floats:
        with self._guard:
            out = np.empty((*self._joints().shape, 4))
            write_standing(self._steps.stack.addresses(), out)
            return np.ascontiguousarray(out[..., column])

    def _of_kinds(self, column: str, kinds: tuple[int, ...]) -> Floats:
        """Return a column of joints of some kinds; NaN of others, and of those that broke."""
        table = self._joints()
        return np.where(np.isin(table["kind"], kinds) & (table["broken"] == 0), table[column], np.nan)

    def _differ(self, before: Floats, values: Floats) -> Booleans:
        differ: Booleans = (values != before) & ~(np.isnan(before) & np.isnan(values))
        return differ

    def _set_joints(
        self,
        name: str,
        column: str,
        kinds: tuple[int, ...],
        given: ArrayLike,
        bounds: tuple[float, float],
        what: str,
    ) -> None:
        """Set a column of joints, where values are others than there are; of lengths that of each kind."""
        where = f"Worlds.{name}"
        with self._guard:
            self._refuse_within(where)
            before = np.asarray(getattr(self, name))
            has = ~np.isnan(before)
            if not hasattr(given, "__len__"):
                values = np.where(has, inputs.number(where, name, given), np.nan)
            else:
                values = array_of(where, name, given, before.shape)
            changed = self._differ(before, values)
            table = self._joints()
            least = np.where((table["kind"] != SPRING) & (what == "length"), SMALLEST_SIZE, bounds[0])
            wrong = changed & ~(has & (values >= least) & (values <= bounds[1]))
            if wrong.any():
                k, row = (int(one) for one in np.argwhere(wrong)[0])
                expected = f"must be from {least[k, row]:g} to {bounds[1]:g}"
                expected = expected if has[k, row] else f"must be NaN: the joint has no {what}"
                inputs.refuse(ValueError, where, f"{name}[{k}][{row}]", float(values[k, row]), expected)
            if column in ("speed", "most"):
                table[column][changed] = values[changed]
                self._wake(changed)
                return
            for one, of in ({column: kinds} if column else OF_LENGTH).items():
                self._change_joints(changed & np.isin(table["kind"], of), {one: values})

    def _change_joints(self, changed: Booleans, columns: dict[str, Floats]) -> None:
        """Write columns of joints of copies, as `Joint` does, and wake the bodies that they move."""
        for k in np.flatnonzero(changed.any(axis=1)).tolist():
            store = self._steps.store_of(k)
            for row in np.flatnonzero(changed[k]).tolist():
                change_joint(store, row, {name: values.item(k, row) for name, values in columns.items()})
            self._steps.keep(k, store)
        self._wake(changed)

    def _wake(self, changed: Booleans) -> None:
        """Have the dynamic bodies awake that some joints hold."""
        w, stack = self._tables, self._steps.stack
        kinds, table = self._kinds(), self._steps.base.tables.joints.table
        for row in np.flatnonzero(changed.any(axis=0)).tolist():
            ends = [int(table[end][row]) for end in "ab"]
            bodies = np.array([one for one in ends if one >= 0 and kinds[one] == DYNAMIC], dtype=np.int64)
            copies = np.flatnonzero(changed[:, row])
            asleep = (w.bodies["asleep"][copies[:, None], bodies] != 0).any(axis=1)
            for waits in ("timer", "stayed", "settled"):
                w.rests[waits][copies[:, None], bodies] = 0
            for k in copies[asleep].tolist():
                rouse_bodies(stack.of(k)[0], bodies)


OF_KIND: dict[str, int] = {str(kind): number for kind, number in NUMBERS.items()}
OF_LENGTH = {column: tuple(OF_KIND[kind] for kind in LENGTHS if LENGTHS[kind] == column) for column in LENGTHS.values()}
"""The kinds of joints whose length a column holds."""
WITH_SPEED = tuple(OF_KIND[kind] for kind in HAVE["speed"])
"""The kinds of joints with a motor that has a speed."""
WITH_REST = tuple(OF_KIND[kind] for kind in HAVE["rest"])
"""Those of them with one bound, and with a spring that has a place of rest."""
