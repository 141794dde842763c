"""The attributes of a joint that is there: what its columns say, and the columns that change where one is set.

In: the record of a joint, or a value set to an attribute of a `Joint`. Out: the value as users know it; or the columns
that change, or a refusal that names the argument. Nothing is changed here. The columns of a recording are checked, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from carom._core import inputs
from carom._core.types import Integers
from carom.vector import Vec
from carom.world.changes.settings import checked_direction, checked_not_negative
from carom.world.joints.kinds import ALWAYS_SPRUNG, KINDS, LENGTHS, NUMBERS, OF_SPRING, PULLEY, JointKind
from carom.world.joints.measures import Pose, anchored, pose_of
from carom.world.joints.settings import (
    Columns,
    breaking,
    call_of,
    geared,
    length_of,
    limited,
    moving,
    over_points,
    pulling,
    refuse_overlap,
    sprung,
)
from carom.world.store import Store


def told_of(joint: Any, name: str) -> Any:
    """Return a setting of a joint as its columns hold it."""
    if name == "limits":
        low, high = float(joint["low"]), float(joint["high"])
        return None if low == -math.inf else (low, high)
    if name in ("max_torque", "max_force"):
        most = float(joint[column_of_most(KINDS[int(joint["kind"]) - 1], name)])
        return None if most == math.inf else most
    if name == "velocity":
        return Vec(float(joint["velocity_x"]), float(joint["velocity_y"]))
    if name == "over":
        ends = ((float(joint[f"over_{end}x"]), float(joint[f"over_{end}y"])) for end in "ab")
        return tuple(Vec(*end) for end in ends)
    if name == "enabled":
        return not joint["off"]
    if name == "breaks_at":
        bounds = tuple(float(joint[column]) for column in ("breaks_force", "breaks_torque"))
        return None if bounds == (math.inf, math.inf) else tuple(None if one == math.inf else one for one in bounds)
    if name == "collide":
        return bool(joint["collides"])
    if name == "length":
        return float(joint[LENGTHS[KINDS[int(joint["kind"]) - 1]]])
    if name in ("hertz", "damping", "stiffness", "resistance"):
        return _of_spring(joint, name) if joint["sprung"] else None
    return float(joint[name])


def _of_spring(joint: Any, name: str) -> float | None:
    stiffness, resistance, mass = (float(joint[column]) for column in ("stiffness", "resistance", "mass"))
    if name in ("stiffness", "resistance"):
        return stiffness if name == "stiffness" else resistance
    if stiffness == 0.0 or mass == 0.0:
        return None  # a damper alone has no frequency
    turns = math.sqrt(stiffness / mass)
    return turns / (2.0 * math.pi) if name == "hertz" else resistance / (2.0 * mass * turns)


def column_of_most(kind: str, name: str) -> str:
    """Return the column of the largest force or torque of a motor: one of a body has both."""
    return "most_torque" if kind == "motor" and name == "max_torque" else "most"


class Change(NamedTuple):
    """A setting of a joint that is to change."""

    where: str
    """How messages call the joint."""
    store: Store
    row: int
    kind: JointKind
    name: str
    value: Any

    @property
    def joint(self) -> Any:
        """Its record."""
        return self.store.tables.joints.table[self.row]

    @property
    def pose(self) -> Pose:
        """Where it is now."""
        return pose_of(self.store.tables, self.row)


def changed(change: Change) -> Columns:
    """Return the columns that change where a setting of a joint is set."""
    return SETTERS[change.name](change)


def _number(change: Change) -> Columns:
    return {change.name: inputs.number(change.where, change.name, change.value)}


def _most(change: Change) -> Columns:
    if change.kind == "drag":
        return pulling(change.where, change.value)
    most = checked_not_negative(call_of(change.where), change.name, change.value)
    return {column_of_most(change.kind, change.name): most}


def _anchor(change: Change) -> Columns:
    at, end = Vec(*inputs.point(change.where, change.name, change.value)), change.name[-1]
    own = anchored(change.pose.a if end == "a" else change.pose.b, at)
    return {f"{end}x": own.x, f"{end}y": own.y}


def _target(change: Change) -> Columns:
    x, y = inputs.point(change.where, change.name, change.value)
    return {"bx": x, "by": y}


def _axis(change: Change) -> Columns:
    direction = Vec(*checked_direction(call_of(change.where), "axis", change.value))
    own = direction.rotated(-change.pose.b.angle)
    return {"axis_x": own.x, "axis_y": own.y}


def _length(change: Change) -> Columns:
    return {LENGTHS[change.kind]: length_of(change.where, change.kind, change.value)}


def _ratio(change: Change) -> Columns:
    if change.kind == "pulley":
        return {"ratio": inputs.size(change.where, "ratio", change.value)}
    return geared(change.where, change.pose, change.value)


def _collide(change: Change) -> Columns:
    if inputs.truth(change.where, "collide", change.value):
        a, b = (int(change.joint[end]) for end in "ab")
        refuse_overlap(change.where, change.store, a, b, change.row)
    return {"collides": int(change.value)}


def _spring(change: Change) -> Columns:
    """Change one number of a spring; None takes it away, if it may go."""
    where, name, value = change.where, change.name, change.value
    given = dict.fromkeys(("hertz", "damping", "stiffness", "resistance"))
    pair = ("hertz", "damping") if name in ("hertz", "damping") else ("stiffness", "resistance")
    if value is None and (change.kind in ALWAYS_SPRUNG or name in ("damping", "resistance")):
        inputs.refuse(TypeError, where, name, value, "must be a number")
    if value is not None:
        given |= {one: told_of(change.joint, one) for one in pair} | {name: value}
    return sprung(where, change.joint, change.pose, given)


SETTERS: dict[str, Callable[[Change], Columns]] = {
    "limits": lambda change: limited(change.where, change.kind, change.value),
    "velocity": lambda change: moving(change.where, change.value),
    "over": lambda change: over_points(change.where, change.value),
    "breaks_at": lambda change: breaking(change.where, change.value),
    "enabled": lambda change: {"off": int(not inputs.truth(change.where, "enabled", change.value))},
    **dict.fromkeys(("speed", "rest"), _number),
    **dict.fromkeys(("max_torque", "max_force"), _most),
    **dict.fromkeys(("anchor_a", "anchor_b"), _anchor),
    **dict.fromkeys(OF_SPRING, _spring),
    "target": _target,
    "axis": _axis,
    "length": _length,
    "ratio": _ratio,
    "collide": _collide,
}
"""What checks each setting."""


WRITTEN = frozenset(
    (
        *("kind", "a", "b", "ax", "ay", "bx", "by", "axis_x", "axis_y", "ratio", "zero", "length", "low", "high"),
        *("stiffness", "resistance", "rest", "mass", "sprung", "speed", "most", "collides"),
        *("breaks_force", "breaks_torque", "velocity_x", "velocity_y", "most_torque", "off"),
        *("over_ax", "over_ay", "over_bx", "over_by"),
    )
)
"""The columns that settings write."""


def are_columns(given: Any) -> bool:
    """Tell whether what a recording holds are columns that settings write."""
    return type(given) is dict and WRITTEN.issuperset(given) and not any(map(math.isnan, given.values()))


def fits_bodies(columns: Columns, rows: Integers) -> bool:
    """Tell whether columns of a recording are those of a new joint between two bodies there are."""
    a, b, kind = (columns.get(name, -2) for name in ("a", "b", "kind"))
    fits = kind in NUMBERS.values() and a in rows and (b == -1 or b in rows) and a != b
    return fits and not columns.get("off") and not (b == -1 and kind == PULLEY)
