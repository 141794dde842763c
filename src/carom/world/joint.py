"""A joint of a world, as the user holds it: a handle that stays valid until the joint is removed, and says so after.

In: a world and the row of the joint in its tables. Out: how it stands at the present instant, what it did in the last
step, and its settings, which `joints.settings` checks and the world changes. A kind of joint that does not have a
property answers with an AttributeError that names the kinds which have it.
"""

from __future__ import annotations

import math
from typing import Any

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.names import made_by, names_fixed
from carom.vector import Vec
from carom.world.addressed import addresses_of
from carom.world.body import Body
from carom.world.changes.removed import JOINT
from carom.world.handles import Handle, plain_number
from carom.world.joints.attributes import Change, changed, told_of
from carom.world.joints.kinds import HAVE, KINDS, JointKind
from carom.world.joints.measures import Pose, axis_of, distance_of, pose_of, reach_of
from carom.world.joints.standing import ANGLE, ERROR, OFFSET, find_standing_at
from carom.world.single_calls import joint_angle_at, set_motor_at
from carom.world.step.tables import Tables


def bits_of(name: str) -> int:
    """Return the kinds of joints that have a property, by bits."""
    bits = 0
    for number, kind in enumerate(KINDS, 1):
        bits |= (kind in HAVE[name]) << number
    return bits


TURN, MOTORED = bits_of("angle"), bits_of("speed")
"""The kinds of joints that have an angle, and those that have a motor, by bits."""


@made_by("World.pin, rod, rope, spring, weld, slide, gear, drag, motor and pulley, which return it")
@names_fixed
class Joint(Handle):
    """One joint of a `World`, made by its method of the same name: `pin`, `rod`, `rope`, `spring`, `weld` and so on.

    A joint has one handle: wherever its world names it, the same object does. After it is removed, with one of its
    bodies or because it broke, too, `removed` is True; `kind`, `data`, `anchor_a` and `anchor_b` are what they were
    last, and everything else is refused. Settings have the names that they have in these methods; they may be set
    between steps and at pauses.
    """

    __slots__ = ()
    _kept, _what = "_joint_handles", JOINT

    @property
    def removed(self) -> bool:
        """Whether the joint is no longer in its world."""
        table = self._tables.joints.table
        here = self._row < len(table) and table["serial"][self._row] == self._serial >= 0
        return not here or bool(table["broken"][self._row])

    @property
    def row(self) -> int:
        """The joint's row in `World.joint_forces`; it stays the same as long as the joint is there."""
        return self._at("row")

    @property
    def kind(self) -> JointKind:
        """One of "pin", "rod", "rope", "spring", "weld", "slide", "wheel", "gear", "drag", "motor" and "pulley"."""
        last = self._last("kind")
        return KINDS[(int(self._read("kind", "kind")) if last is None else last[0]) - 1]

    @property
    def a(self) -> Body:
        """The first body."""
        body: Body = self._world._body(int(self._read("a", "a")))
        return body

    @property
    def b(self) -> Body | None:
        """The second body; None for the world."""
        row = int(self._read("b", "b"))
        return None if row < 0 else self._world._body(row)

    # As it stands.

    @property
    def anchor_a(self) -> Vec:
        """The point of the world where its anchor in `a` is now; of a gear what the body turns about.

        Set it to the point of the world where the anchor is to be: the joint closes as after bodies were set.
        """
        last = self._last("anchor_a")
        return self._pose("anchor_a").anchor_a if last is None else Vec(*last[1][:2])

    @anchor_a.setter
    def anchor_a(self, anchor_a: PointLike) -> None:
        self._tell("anchor_a", anchor_a)

    @property
    def anchor_b(self) -> Vec:
        """The same in `b`, or in the world; of a drag the target."""
        last = self._last("anchor_b")
        return self._pose("anchor_b").anchor_b if last is None else Vec(*last[1][2:])

    @anchor_b.setter
    def anchor_b(self, anchor_b: PointLike) -> None:
        self._tell("anchor_b", anchor_b)

    @property
    def angle(self) -> float:
        """The angle of `a`, seen from `b`, radians: of a pin, a weld or a wheel. It was 0 when the joint was made."""
        guard, store = self._world._guard, self._world._store
        if guard.free:
            found = joint_angle_at(addresses_of(store), self._row, self._serial, TURN)
            if not math.isnan(found):
                return found
        return self._standing("angle", ANGLE)

    @property
    def offset(self) -> float:
        """How far `a` is along the axis of a slide or a wheel, length units. It was 0 when the joint was made."""
        return self._standing("offset", OFFSET)

    @property
    def distance(self) -> float:
        """How far the anchors of a rod, a rope or a spring are from each other now; of a drag how far its target is.

        Of a pulley how far the anchor of `a` is from the point over which its side runs, plus `ratio` times the same
        of `b`.
        """
        joint, pose = self._of_kind("distance"), self._pose("distance")
        if self.kind == "pulley":
            return reach_of(joint, pose.anchor_a, pose.anchor_b, float(joint["ratio"]))
        return distance_of(pose)

    @property
    def axis(self) -> Vec:
        """The direction of a slide or a wheel, of length 1, which turns with `b`; set it to another direction."""
        return axis_of(self._of_kind("axis"), self._pose("axis"))

    @axis.setter
    def axis(self, axis: PointLike) -> None:
        self._tell("axis", axis)

    @property
    def error(self) -> float:
        """How far the joint gapes: a length, to which angles are added as radians.

        The rows that hold fast are off by so much: the anchors of pins and welds, the way across the axis of slides and
        wheels, the length of rods, the angle of welds without a spring, of slides and of gears; and limits are passed
        by so much, the length of a rope among them.
        """
        return self._standing("error", ERROR)

    # Forces of the last step.

    @property
    def force(self) -> Vec:
        """The mean force on `a` in the last step, with blows; that on `b` is the opposite. 0 before the first step."""
        return Vec(float(self._read("force", "force_x")), float(self._read("force", "force_y")))

    @property
    def torque(self) -> float:
        """The torque on `a` in the last step, besides that of `force` at the anchor; that on `b` is the opposite."""
        return float(self._read("torque", "torque"))

    # Settings.

    @property
    def limits(self) -> tuple[float, float] | None:
        """Least and greatest angle of a pin, offset of a slide or wheel, length of a spring; None for no limits."""
        limits: tuple[float, float] | None = self._told("limits")
        return limits

    @limits.setter
    def limits(self, limits: tuple[float, float] | None) -> None:
        self._tell("limits", limits)

    @property
    def speed(self) -> float:
        """The speed of its motor: radians a second of a pin, wheel or motor, length units a second of a slide."""
        return float(self._told("speed"))

    @speed.setter
    def speed(self, speed: float) -> None:
        given = plain_number(speed)
        if given is None or not self._told_at_once(set_motor_at, MOTORED, given):
            self._tell("speed", speed)

    @property
    def max_torque(self) -> float:
        """The largest torque of a motor, of a pin or wheel too; 0 for no motor. With speed 0 the motor is a brake."""
        return float(self._told("max_torque"))

    @max_torque.setter
    def max_torque(self, max_torque: float) -> None:
        self._tell("max_torque", max_torque)

    @property
    def max_force(self) -> float | None:
        """The largest force of a motor, of a slide too, 0 for no motor; or that of a drag, None for any."""
        most: float | None = self._told("max_force")
        return most

    @max_force.setter
    def max_force(self, max_force: float | None) -> None:
        self._tell("max_force", max_force)

    @property
    def hertz(self) -> float | None:
        """Frequency of its spring with the two bodies alone, where it was made or set; None where it has no spring.

        It stands for the stiffness: each is set with the other. Set it to None to take the spring away.
        """
        hertz: float | None = self._told("hertz")
        return hertz

    @hertz.setter
    def hertz(self, hertz: float | None) -> None:
        self._tell("hertz", hertz)

    @property
    def damping(self) -> float | None:
        """Share of critical damping of its spring, 1 for a spring that does not swing; it stands for `resistance`."""
        damping: float | None = self._told("damping")
        return damping

    @damping.setter
    def damping(self, damping: float) -> None:
        self._tell("damping", damping)

    @property
    def stiffness(self) -> float | None:
        """Force of its spring over the way from rest, or torque over radians; None where it has no spring."""
        stiffness: float | None = self._told("stiffness")
        return stiffness

    @stiffness.setter
    def stiffness(self, stiffness: float | None) -> None:
        self._tell("stiffness", stiffness)

    @property
    def resistance(self) -> float | None:
        """Force of its spring over speed, or torque over radians a second."""
        resistance: float | None = self._told("resistance")
        return resistance

    @resistance.setter
    def resistance(self, resistance: float) -> None:
        self._tell("resistance", resistance)

    @property
    def rest(self) -> float:
        """The angle of a pin, or the offset of a slide or wheel, at which its spring is at rest."""
        return float(self._told("rest"))

    @rest.setter
    def rest(self, rest: float) -> None:
        self._tell("rest", rest)

    @property
    def length(self) -> float:
        """The length of a rod, the greatest of a rope or pulley, that of a spring at rest; see `distance`."""
        return float(self._told("length"))

    @length.setter
    def length(self, length: float) -> None:
        self._tell("length", length)

    @property
    def ratio(self) -> float:
        """Of a gear: `a` turns so many times as far as `b`, the other way; the same way where it is negative.

        Of a pulley: the side of `b` counts so many times in its length.
        """
        return float(self._told("ratio"))

    @ratio.setter
    def ratio(self, ratio: float) -> None:
        self._tell("ratio", ratio)

    @property
    def target(self) -> Vec:
        """The point of the world to which a drag draws its anchor."""
        self._of_kind("target")
        return self._pose("target").anchor_b

    @target.setter
    def target(self, target: PointLike) -> None:
        self._tell("target", target)

    @property
    def velocity(self) -> Vec:
        """The velocity to which a motor brings `a`, seen from `b`."""
        velocity: Vec = self._told("velocity")
        return velocity

    @velocity.setter
    def velocity(self, velocity: PointLike) -> None:
        self._tell("velocity", velocity)

    @property
    def over(self) -> tuple[Vec, Vec]:
        """The two points of the world over which a pulley runs."""
        over: tuple[Vec, Vec] = self._told("over")
        return over

    @over.setter
    def over(self, over: PointLike | tuple[PointLike, PointLike]) -> None:
        self._tell("over", over)

    @property
    def enabled(self) -> bool:
        """Whether the joint does anything; if not, it holds nothing, as if it were removed, until it is enabled.

        Its bodies then meet each other. Enabled again, it closes as after bodies were set elsewhere.
        """
        return bool(self._told("enabled"))

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._tell("enabled", enabled)

    @property
    def breaks_at(self) -> tuple[float | None, float | None] | None:
        """The force and the torque beyond which it breaks, None for neither; a hit of kind "broken" tells of it."""
        bounds: tuple[float | None, float | None] | None = self._told("breaks_at")
        return bounds

    @breaks_at.setter
    def breaks_at(self, breaks_at: tuple[float | None, float | None] | None) -> None:
        self._tell("breaks_at", breaks_at)

    @property
    def collide(self) -> bool:
        """Whether the two bodies meet each other; if not, they pass through each other."""
        return bool(self._told("collide"))

    @collide.setter
    def collide(self, collide: bool) -> None:
        self._tell("collide", collide)

    @property
    def data(self) -> Any:
        """A thing of the user's, kept with the joint."""
        last = self._last("data")
        return self._world._store.joint_data[self._at("data")] if last is None else last[2]

    @data.setter
    def data(self, data: Any) -> None:
        self._world._set_joint_data(self._at("data"), data)

    def remove(self) -> None:
        """Take the joint out of the world; what it held awakes."""
        self._world._remove_joints([self._at("remove")])

    @property
    def _tables(self) -> Tables:
        tables: Tables = self._world._store.tables
        return tables

    def _read(self, name: str, column: str) -> Any:
        """Return what a column of the table of joints holds of this one."""
        row = self._at(name)
        return self._tables.joints.table[column][row]

    def _standing(self, name: str, column: int) -> float:
        """Return a number that a kernel finds of how it stands."""
        self._of_kind(name)
        return float(find_standing_at(addresses_of(self._world._store), self._row)[column])

    def _pose(self, name: str) -> Pose:
        return pose_of(self._tables, self._at(name))

    def _of_kind(self, name: str) -> Any:
        """Return the record of a joint whose kind has a property."""
        row, kinds = self._at(name), HAVE.get(name, KINDS)
        if self.kind not in kinds:
            raise AttributeError(f"Joint.{name}: a {self.kind} has none; those of kind {', '.join(kinds)} do")
        return self._tables.joints.table[row]

    def _told(self, name: str) -> Any:
        return told_of(self._of_kind(name), name)

    def _tell(self, name: str, value: Any) -> None:
        """Change a setting."""
        self._of_kind(name)
        columns = changed(Change(self._called(), self._world._store, self._row, self.kind, name, value))
        self._world._change_joint(self._row, columns)

    def _called(self) -> str:
        """Return how messages call the joint: by what it is and the user's data, if that is short."""
        data = self._world._store.joint_data[self._row]
        plain = isinstance(data, str) or (isinstance(data, int) and abs(data) < 10**18)
        return f"Joint ({self.kind}, row {self._row}{f', data {inputs.short(data)}' if plain else ''})"

    def __repr__(self) -> str:
        if self.removed:
            return f"<Joint {self._serial}: removed>"
        ends = f"{self.a!r} and {self.b!r}" if self.b is not None else f"{self.a!r} and the world"
        return f"<Joint {self._serial}: {self.kind}, row {self._row}, of {ends}>"
