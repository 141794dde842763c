"""The settings of a new joint: their checks, and the columns of the table of joints that hold them.

In: the arguments of `World.pin` and its like. Out: the columns of a new joint, or a refusal that names the argument.
Nothing is changed here.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from carom._core import inputs
from carom._core.layers import Layers
from carom.tolerances import LARGEST
from carom.vector import Vec
from carom.world.changes.settings import Call, checked_direction, checked_not_negative
from carom.world.joints.kinds import ALWAYS_SPRUNG, KINDS, NUMBERS, JointKind
from carom.world.joints.measures import Named, Pose, anchored, reach_of, sprung_mass, stand_of
from carom.world.reports.motion import motion_of
from carom.world.reports.overlaps import DEEP_SIZE, measured, pairs_near
from carom.world.step.tables import DYNAMIC, Tables
from carom.world.store import Store

Columns: TypeAlias = dict[str, float]
"""Values for a row of the table of joints, by column."""


class Ends(NamedTuple):
    """The two bodies of a joint that is to be made."""

    where: str
    """The name of the call in messages."""
    w: Tables
    a: int
    """Row; the world is -1."""
    b: int

    def pose(self, from_: Vec, to: Vec) -> Pose:
        """Return where the joint would be with its anchors at some points of the world."""
        return Pose(stand_of(self.w, self.a), stand_of(self.w, self.b), from_, to)


def checked_ends(where: str, w: Tables, a: tuple[int, Any], b: tuple[int, Any], name: str) -> Ends:
    """Return the ends of a joint between two bodies, each a row and what the user gave; one of them must move."""
    if a[0] == b[0]:
        inputs.refuse(ValueError, where, "b", b[1], "is the same body as a; b=None is the world")
    kinds = [int(w.bodies["kind"][row]) if row >= 0 else 0 for row in (a[0], b[0])]
    if DYNAMIC not in kinds:
        who = "it is not dynamic" if b[0] < 0 else "neither it nor b is dynamic"
        inputs.refuse(ValueError, where, name, a[1], f"cannot be moved by a joint: {who}")
    return Ends(where, w, a[0], b[0])


def new_joint(
    ends: Ends, kind: JointKind, from_: Vec, to: Vec, given: Mapping[str, Any], **more: float
) -> tuple[Columns, Pose]:
    """Return the columns of a joint with anchors at two points of the world, and where it would be."""
    pose = ends.pose(from_, to)
    one, other = anchored(pose.a, from_), anchored(pose.b, to)
    columns: Columns = {"kind": NUMBERS[kind], "a": ends.a, "b": ends.b}
    columns |= {"ax": one.x, "ay": one.y, "bx": other.x, "by": other.y}
    columns |= {"ratio": -1.0, "zero": pose.a.angle - pose.b.angle, "low": -math.inf, "high": math.inf} | more
    columns |= breaking(ends.where, given.get("breaks_at"))
    columns["collides"] = int(inputs.truth(ends.where, "collide", given.get("collide", False)))
    return columns, pose


def at_point(ends: Ends, point: Any, name: str = "point") -> Vec:
    """Return a point of the world as it is given."""
    return Vec(*inputs.point(ends.where, name, point))


def pin(ends: Ends, point: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a pin."""
    at = at_point(ends, point)
    columns, pose = new_joint(ends, "pin", at, at, given)
    return columns | turning(ends.where, columns, pose, given, "max_torque")


def weld(ends: Ends, point: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a weld."""
    at = at_point(ends, point)
    columns, pose = new_joint(ends, "weld", at, at, given)
    return columns | sprung(ends.where, columns, pose, given)


def slide(ends: Ends, point: Any, axis: Any, turns: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a slide, or of a wheel where the body turns."""
    at, where = at_point(ends, point), ends.where
    if axis is None:
        inputs.refuse(TypeError, where, "axis", axis, "must be a direction (x, y)")
    kind: JointKind = "wheel" if inputs.truth(where, "turns", turns) else "slide"
    wrong, right, why = (
        ("max_force", "max_torque", "turns") if kind == "wheel" else ("max_torque", "max_force", "pushes")
    )
    if given.get(wrong) is not None:
        inputs.refuse(ValueError, where, wrong, given[wrong], f"is not for this motor, which {why}; give {right}")
    direction = Vec(*checked_direction(call_of(where), "axis", axis))
    columns, pose = new_joint(ends, kind, at, at, given)
    own = direction.rotated(-pose.b.angle)
    columns |= {"axis_x": own.x, "axis_y": own.y}
    return columns | turning(where, columns, pose, given, right)


def rod(ends: Ends, from_: Any, to: Any, length: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a rod."""
    columns, distance = between(ends, "rod", from_, to, given)
    if distance == 0.0:
        inputs.refuse(ValueError, ends.where, "to", to, "is where from_ is: a rod has a direction; a pin has none")
    return columns | {"length": distance if length is None else inputs.size(ends.where, "length", length)}


def rope(ends: Ends, from_: Any, to: Any, length: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a rope."""
    columns, distance = between(ends, "rope", from_, to, given)
    if length is None and distance == 0.0:
        inputs.refuse(ValueError, ends.where, "to", to, "is where from_ is: give length")
    return columns | {"high": distance if length is None else inputs.size(ends.where, "length", length)}


def length_of(where: str, kind: str, length: Any) -> float:
    """Return a length, which of a spring may be 0: it pulls as hard as its ends are apart."""
    if kind == "spring" and inputs.number(where, "length", length) == 0.0:
        return 0.0
    return inputs.size(where, "length", length)


def spring(ends: Ends, from_: Any, to: Any, length: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a spring."""
    columns, distance = between(ends, "spring", from_, to, given)
    if length is None and distance == 0.0:
        inputs.refuse(ValueError, ends.where, "to", to, "is where from_ is: give length")
    columns["rest"] = distance if length is None else length_of(ends.where, "spring", length)
    pose = ends.pose(at_point(ends, from_, "from_"), at_point(ends, to, "to"))
    columns |= sprung(ends.where, columns, pose, given)
    return columns | limited(ends.where, "spring", given["limits"])


def between(ends: Ends, kind: JointKind, from_: Any, to: Any, given: Mapping[str, Any]) -> tuple[Columns, float]:
    """Return the columns of a joint between two points of the world, and how far they are from each other."""
    one, other = at_point(ends, from_, "from_"), at_point(ends, to, "to")
    return new_joint(ends, kind, one, other, given)[0], (one - other).length


def gear(ends: Ends, ratio: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a gear."""
    here, there = (stand_of(ends.w, row) for row in (ends.a, ends.b))
    columns, pose = new_joint(ends, "gear", Vec(here.x, here.y), Vec(there.x, there.y), given)
    if not here.inverse_inertia and not there.inverse_inertia:
        inputs.refuse(ValueError, ends.where, "ratio", ratio, "is for bodies that turn; neither does")
    return columns | geared(ends.where, pose, ratio)


def drag(ends: Ends, point: Any, target: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a drag."""
    at = at_point(ends, point)
    columns, pose = new_joint(ends, "drag", at, at if target is None else at_point(ends, target, "target"), given)
    usual: dict[str, Any] = {}
    if given["stiffness"] is None and given["resistance"] is None:
        usual = {name: value for name, value in (("hertz", 5.0), ("damping", 1.0)) if given[name] is None}
    return columns | sprung(ends.where, columns, pose, {**given, **usual}) | pulling(ends.where, given["max_force"])


def motor_of(ends: Ends, given: Mapping[str, Any]) -> Columns:
    """Return the columns of the motor of a body."""
    where, at = ends.where, Vec(*motion_of(ends.w, ends.a)[0])
    columns, pose = new_joint(ends, "motor", at, at, given)
    force, torque = given["max_force"], given["max_torque"]
    if force is None and torque is None:
        raise TypeError(f"{where}: max_force is missing, or max_torque: the most that the motor may do")
    if torque is not None and not pose.a.inverse_inertia and not pose.b.inverse_inertia:
        inputs.refuse(ValueError, where, "max_torque", torque, "is for bodies that turn; neither does")
    columns |= moving(where, given["velocity"]) | {"speed": inputs.number(where, "speed", given["speed"])}
    for name, most in (("most", force), ("most_torque", torque)):
        argument = "max_force" if name == "most" else "max_torque"
        columns[name] = 0.0 if most is None else checked_not_negative(call_of(where), argument, most)
    return columns


def moving(where: str, velocity: Any) -> Columns:
    """Return the columns of the velocity to which a motor brings a body."""
    x, y = inputs.point(where, "velocity", velocity)
    return {"velocity_x": x, "velocity_y": y}


def pulley(ends: Ends, from_: Any, to: Any, over: Any, length: Any, ratio: Any, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a pulley."""
    if ends.b < 0:
        inputs.refuse(ValueError, ends.where, "b", None, "is the world; a rope holds a body to the world")
    columns, _ = between(ends, "pulley", from_, to, given)
    columns |= over_points(ends.where, over)
    times = inputs.size(ends.where, "ratio", ratio)
    one, other = at_point(ends, from_, "from_"), at_point(ends, to, "to")
    reach = reach_of(columns, one, other, times)
    if length is None and reach == 0.0:
        inputs.refuse(ValueError, ends.where, "over", over, "are where the ends are: give length")
    return columns | {"ratio": times, "high": reach if length is None else inputs.size(ends.where, "length", length)}


def over_points(where: str, over: Any) -> Columns:
    """Return the columns of the points of the world over which a pulley runs: two, or one for both sides."""
    one, other = inputs.items_of(where, "over", over, 2, "a point, or a pair of points")
    if not hasattr(one, "__len__"):
        one, other = over, over
    (ax, ay), (bx, by) = inputs.point(where, "over[0]", one), inputs.point(where, "over[1]", other)
    return {"over_ax": ax, "over_ay": ay, "over_bx": bx, "over_by": by}


# Settings of several kinds.


def turning(where: str, columns: Columns, pose: Pose, given: Mapping[str, Any], most: str) -> Columns:
    """Return the columns of limits, motor and spring of a pin, a slide or a wheel."""
    kind = KINDS[int(columns["kind"]) - 1]
    found = limited(where, kind, given["limits"]) | motor(where, given["speed"], most, given[most])
    found |= {"rest": inputs.number(where, "rest", given["rest"])} | sprung(where, columns, pose, given)
    for name in TURNING[kind]:
        if given[name] is not None and not pose.a.inverse_inertia and not pose.b.inverse_inertia:
            inputs.refuse(ValueError, where, name, given[name], "is for bodies that turn; neither does")
    return found


LIKE_DEGREES = 15.0
"""The least angle that is taken for one in degrees, if it is a multiple of 5: over two turns in radians."""
TURNING = {"pin": ("limits", "speed", "max_torque"), "wheel": ("speed", "max_torque"), "slide": ()}
"""The settings of each kind that are about how it turns."""


def limited(where: str, kind: str, limits: Any) -> Columns:
    """Return the columns of limits, of which None are none."""
    if limits is None:
        return {"low": -math.inf, "high": math.inf}
    low, high = inputs.items_of(where, "limits", limits, 2, "a pair (low, high)")
    low, high = inputs.number(where, "limits[0]", low), inputs.number(where, "limits[1]", high)
    if not low <= high:
        inputs.refuse(ValueError, where, "limits", limits, "must be (low, high), low at most high")
    if kind == "pin" and LIKE_DEGREES <= max(-low, high) <= 360.0 and low % 5.0 == high % 5.0 == 0.0:
        warnings.warn(f"{where}: limits = {limits} are radians; if degrees were meant, give math.radians", stacklevel=6)
    if kind == "spring" and low < 0.0:
        inputs.refuse(ValueError, where, "limits", limits, "are lengths, and must not be negative")
    return {"low": low, "high": high}


def motor(where: str, speed: Any, most: str, largest: Any) -> Columns:
    """Return the columns of a motor; `most` is the name of what it may do at most."""
    rate = 0.0 if speed is None else inputs.number(where, "speed", speed)
    if speed is not None and largest is None:
        inputs.refuse(ValueError, where, "speed", speed, f"is of a motor; give {most}, the most that it may do")
    return {"speed": rate, "most": 0.0 if largest is None else checked_not_negative(call_of(where), most, largest)}


def pulling(where: str, most: Any) -> Columns:
    """Return the column of the largest force of a drag, of which None is none."""
    return {"most": math.inf if most is None else inputs.size(where, "max_force", most)}


def geared(where: str, pose: Pose, ratio: Any) -> Columns:
    """Return the columns of the ratio of a gear that holds as the bodies stand."""
    times = inputs.number(where, "ratio", ratio)
    if times == 0.0:
        inputs.refuse(ValueError, where, "ratio", ratio, "must not be 0")
    return {"ratio": times, "zero": pose.a.angle + times * pose.b.angle}


def breaking(where: str, breaks_at: Any) -> Columns:
    """Return the columns of what a joint breaks at, of which None is never."""
    force, torque = (None, None) if breaks_at is None else _pair_of(where, breaks_at)
    return {
        "breaks_force": math.inf if force is None else inputs.size(where, "breaks_at[0]", force),
        "breaks_torque": math.inf if torque is None else inputs.size(where, "breaks_at[1]", torque),
    }


def _pair_of(where: str, breaks_at: Any) -> list[Any]:
    return inputs.items_of(where, "breaks_at", breaks_at, 2, "a pair (force, torque), None for never")


def sprung(where: str, columns: Named, pose: Pose, given: Mapping[str, Any]) -> Columns:
    """Return the columns of a spring: by `hertz` and `damping`, or by `stiffness` and `resistance`, or none at all."""
    told = {name: given[name] for name in ("hertz", "damping", "stiffness", "resistance") if given[name] is not None}
    mass = sprung_mass(columns, pose)
    if not told:
        if KINDS[int(columns["kind"]) - 1] in ALWAYS_SPRUNG:
            raise TypeError(f"{where}: hertz is missing, or stiffness: a spring has one of them")
        return {"sprung": 0, "stiffness": 0.0, "resistance": 0.0, "mass": mass}
    name, value = next(iter(told.items()))
    if name in ("hertz", "damping") and (others := told.keys() & {"stiffness", "resistance"}):
        other = max(others)
        inputs.refuse(ValueError, where, other, told[other], f"and {name} = {inputs.short(value)} say the same")
    if mass == 0.0:
        inputs.refuse(ValueError, where, name, value, "is for bodies that turn; neither does")
    if name == "damping":
        inputs.refuse(ValueError, where, name, value, "is of a spring with a frequency; give hertz, or resistance")
    if name == "hertz":
        return stiff(where, mass, value, told.get("damping", 0.0))
    call = call_of(where)
    stiffness, resistance = (checked_not_negative(call, one, told.get(one, 0.0)) for one in ("stiffness", "resistance"))
    if stiffness == 0.0 == resistance:
        inputs.refuse(ValueError, where, name, value, "makes no spring: one of stiffness and resistance is positive")
    return {"sprung": 1, "stiffness": stiffness, "resistance": resistance, "mass": mass}


def stiff(where: str, mass: float, hertz: Any, damping: Any) -> Columns:
    """Return the columns of a spring of some frequency and share of critical damping, which moves so much mass."""
    turns = 2.0 * math.pi * inputs.size(where, "hertz", hertz)
    share = checked_not_negative(call_of(where), "damping", damping)
    stiffness, resistance = mass * turns * turns, 2.0 * mass * share * turns
    for name, value, found in (("hertz", hertz, stiffness), ("damping", damping, resistance)):
        if not found <= LARGEST:
            inputs.refuse(ValueError, where, name, value, f"gives a spring of {found:g}, more than {LARGEST:g}")
    return {"sprung": 1, "stiffness": stiffness, "resistance": resistance, "mass": mass}


def call_of(where: str) -> Call:
    """Return the name of a call, as checks of settings take it."""
    return Call(where, "", Layers())


def refuse_overlap(where: str, store: Store, a: int, b: int, row: int = -1) -> None:
    """Refuse that two bodies meet which overlap now, as by a joint that lets them do so and is to do so no longer."""
    other = store.copy()  # measuring moves bodies to the present instant
    if row >= 0:
        other.tables.joints.table["collides"][row] = 1
    pairs = pairs_near(other, [a]) & {(min(a, b), max(a, b))}
    found = measured(other, pairs, DEEP_SIZE)
    if len(found.depth):
        by = f"they overlap by {found.depth[0]:g} (World.overlaps)"
        inputs.refuse(ValueError, where, "collide", True, f"is for bodies that do not overlap; {by}")
