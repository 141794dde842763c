"""The settings of a body: for each its name, its check, and the columns of the table of bodies that hold it.

In: the arguments of `World.add` and `World.add_many`, or a value set to an attribute of a `Body`. Out: plain numbers
that fit the tables, or a refusal that names the argument and, of many bodies, the row. Nothing is changed before all is
checked. Layers are given by name: a world gives each name a number when it is first used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from carom._core import inputs
from carom._core.layers import Layers
from carom._core.shape_inputs import refuse_no_shape
from carom._core.types import Floats
from carom.shapes.base import Shape
from carom.shapes.given import solid
from carom.shapes.set import Shapes
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2
from carom.world.changes.body_parts import FROM_SHAPE
from carom.world.step.pairs.filters import NAMES

BodyKind = Literal["static", "kinematic", "dynamic"]
KIND_NAMES: tuple[BodyKind, ...] = ("static", "kinematic", "dynamic")
OF_DYNAMIC = "is for dynamic bodies, kind='dynamic'; a {} one cannot be moved"
NO_PIVOT = {"static": "does not turn", "dynamic": "turns about its centre of mass"}

Settings: TypeAlias = dict[str, Any]
"""Checked settings by name, in the form of the tables: one value for all bodies, or an array with a row for each."""


class Call(NamedTuple):
    """A call that tells bodies something."""

    where: str
    """Its name in messages."""
    kind: str
    """The kind of the bodies."""
    layers: Layers
    """Those that the world has; new ones are added."""
    other: Any = None
    """The value of the setting that excludes the one to be changed; see `EXCLUDES`."""


def check_added(where: str, name: str, value: Any) -> None:
    """Refuse anything but one shape or Compound, with what to do with what was passed."""
    if isinstance(value, Shape):
        return
    way = ""
    if hasattr(type(value), "add_to"):
        way = "; it is level.add_to(world)"
    elif isinstance(value, Shapes) or (isinstance(value, list | tuple) and value and isinstance(value[0], Shape)):
        way = "; World.add_many takes several"
    elif hasattr(type(value), "step_height"):
        way = "; a Character is in no world, and meets the bodies of one: hero.move(translation, world)"
    elif isinstance(solid(value), Shape):
        way = "; add its shape"
    if way:
        inputs.refuse_type(where, name, value, f"must be one shape{way}")
    refuse_no_shape(where, name, value)


def bits_of_layer(call: Call, name: str, value: Any) -> int:
    """Return the bits of the layers that a body is on."""
    bits = call.layers.bits(call.where, name, value)
    if not 0 < bits < 2**63:
        inputs.refuse(ValueError, call.where, name, value, "must name at least one layer, and no more than 63")
    call.layers.used |= bits
    return bits


def bits_of_mask(call: Call, name: str, value: Any) -> int:
    """Return the bits of the layers that a body meets; all if None."""
    if value is None:
        return -1
    known = len(call.layers.names)
    bits = call.layers.bits(call.where, name, value)
    call.layers.fresh += call.layers.names[known:]
    return bits


def checked_velocity(call: Call, name: str, value: Any) -> Point2:
    """Return a velocity, which a static body cannot have."""
    speed = inputs.point(call.where, name, value)
    if call.kind == "static" and speed != (0.0, 0.0):
        inputs.refuse(ValueError, call.where, name, value, 'is for moving bodies; use kind="kinematic"')
    return speed


def checked_acceleration(call: Call, name: str, value: Any) -> Point2:
    """Return an acceleration, which only dynamic bodies have."""
    pull = inputs.point(call.where, name, value)
    if call.kind != "dynamic":
        inputs.refuse(ValueError, call.where, name, value, "is for dynamic bodies")
    return pull


def inverse_of_mass(call: Call, name: str, value: Any) -> float:
    """Return 1 / mass."""
    refuse_mass(call, value)
    return 1.0 / inputs.size(call.where, name, value)


def refuse_mass(call: Call, mass: Any, name: str = "mass") -> None:
    """Refuse a mass, or what gives one, for bodies that nothing can move."""
    if call.kind != "dynamic":
        inputs.refuse(ValueError, call.where, name, mass, OF_DYNAMIC.format(call.kind))


def checked_restitution(call: Call, name: str, value: Any) -> float:
    """Return a restitution, from 0 to 1."""
    bounce = inputs.number(call.where, name, value)
    if not 0.0 <= bounce <= 1.0:
        inputs.refuse(ValueError, call.where, name, value, "must be between 0 and 1")
    return bounce


def inverse_of_inertia(call: Call, name: str, value: Any) -> float:
    """Return 1 / moment of inertia; FROM_SHAPE for None."""
    if value is None:
        return FROM_SHAPE
    if call.kind != "dynamic":
        inputs.refuse(ValueError, call.where, name, value, OF_DYNAMIC.format(call.kind))
    return 1.0 / inputs.size(call.where, name, value)


def checked_spin(call: Call, name: str, value: Any) -> float:
    """Return how fast a body turns, which a static one cannot."""
    rate = inputs.number(call.where, name, value)
    if rate and call.kind == "static":
        inputs.refuse(ValueError, call.where, name, value, 'is for moving bodies; use kind="kinematic"')
    return rate


def checked_not_negative(call: Call, name: str, value: Any) -> float:
    """Return a number that is 0 or positive."""
    number = inputs.number(call.where, name, value)
    if number < 0.0:
        inputs.refuse(ValueError, call.where, name, value, "must not be negative")
    return number


def checked_number(call: Call, name: str, value: Any) -> float:
    """Return a finite number."""
    return inputs.number(call.where, name, value)


def number_of_response(call: Call, name: str, value: Any) -> int:
    """Return the number of a response."""
    return NAMES.index(inputs.one_of(call.where, name, value, NAMES))


def checked_belt(call: Call, name: str, value: Any) -> Point2:
    """Return the velocity of a surface, which a sensor has not."""
    speed = inputs.point(call.where, name, value)
    if call.other and speed != (0.0, 0.0):
        expected = "is for bodies that others touch; nothing touches a sensor: set the velocity of World.inside(sensor)"
        inputs.refuse(ValueError, call.where, name, value, expected)
    return speed


def checked_sensor(call: Call, name: str, value: Any) -> bool:
    """Return whether a body is a sensor, which a dynamic one cannot be."""
    if inputs.truth(call.where, name, value) and call.kind == "dynamic":
        inputs.refuse(ValueError, call.where, name, value, "stops nothing, so it must be static or kinematic")
    if value and call.other not in (None, (0.0, 0.0)):
        inputs.refuse(
            ValueError, call.where, name, value, "is not for bodies with a surface_velocity: nothing touches it"
        )
    return bool(value)


def checked_group(call: Call, name: str, value: Any) -> int:
    """Return the number of a group."""
    number = inputs.integer(call.where, name, value)
    if not -(2**63) <= number < 2**63:
        inputs.refuse(ValueError, call.where, name, value, "must fit 64 bits")
    return number


def is_sleepless(call: Call, name: str, value: Any) -> bool:
    """Return whether a body never falls asleep, which is the opposite of what is given."""
    return not inputs.truth(call.where, name, value)


def checked_direction(call: Call, name: str, value: Any) -> Point2:
    """Return a vector of any length but 0 as one of length 1; 0, 0 for None."""
    if value is None:
        return 0.0, 0.0
    x, y = inputs.point(call.where, name, value)
    largest = max(abs(x), abs(y))
    if largest == 0.0:
        inputs.refuse(ValueError, call.where, name, value, "must be a direction")
    x, y = x / largest, y / largest  # so that no square is too large or too small
    length = math.sqrt(x * x + y * y)
    return x / length, y / length


class Setting(NamedTuple):
    """One setting of a body."""

    check: Callable[[Call, str, Any], Any]
    """Takes the call, the name for messages and the value; returns what the columns hold."""
    columns: tuple[str, ...]
    """Of the table of bodies."""


SETTINGS = {
    "velocity": Setting(checked_velocity, ("vx", "vy")),
    "spin": Setting(checked_spin, ("spin",)),
    "acceleration": Setting(checked_acceleration, ("acceleration_x", "acceleration_y")),
    "mass": Setting(inverse_of_mass, ("inverse_mass",)),
    "inertia": Setting(inverse_of_inertia, ("inverse_inertia",)),
    "restitution": Setting(checked_restitution, ("restitution",)),
    "friction": Setting(checked_not_negative, ("friction",)),
    "damping": Setting(checked_not_negative, ("damping",)),
    "gravity_scale": Setting(checked_number, ("gravity_scale",)),
    "response": Setting(number_of_response, ("response",)),
    "sensor": Setting(checked_sensor, ("sensor",)),
    "one_way": Setting(checked_direction, ("one_way_x", "one_way_y")),
    "layer": Setting(bits_of_layer, ("layer",)),
    "mask": Setting(bits_of_mask, ("mask",)),
    "group": Setting(checked_group, ("group",)),
    "surface_velocity": Setting(checked_belt, ("surface_x", "surface_y")),
    "rolling_resistance": Setting(checked_not_negative, ("rolling",)),
    "can_sleep": Setting(is_sleepless, ("sleepless",)),
}
EXCLUDES = {"sensor": "surface_velocity", "surface_velocity": "sensor"}
"""Settings of which a body has one or the other."""
COLUMNS = {"kind": ("kind",), "turns": ("upright",), "angular_acceleration": ("acceleration_spin",)} | {
    name: setting.columns for name, setting in SETTINGS.items()
}
"""The settings by name, in the order in which they are checked."""


def checked_settings(where: str, layers: Layers, given: Mapping[str, Any]) -> Settings:
    """Return the settings of one body, or those that many share; new layers are added to `layers`."""
    kind = inputs.one_of(where, "kind", given["kind"], KIND_NAMES)
    call = Call(where, kind, layers)
    turns = inputs.truth(where, "turns", given.get("turns", True))
    told: Settings = {"kind": KIND_NAMES.index(kind), "turns": int(not turns)}
    for name, setting in SETTINGS.items():
        if name == "inertia" and kind == "dynamic" and not turns:
            if given[name] is not None:
                inputs.refuse(ValueError, where, name, given[name], "is for bodies that turn")
            told[name] = 0.0
        elif name == "mass" and given.get(name) is None:
            told[name] = 1.0 if kind == "dynamic" else 0.0
        elif name == "acceleration" and (pull := inputs.point(where, name, given[name])) == (0.0, 0.0):
            told[name] = pull  # bodies of any kind have none
        elif name in given:
            of = call._replace(other=given.get("sensor")) if name == "surface_velocity" else call
            told[name] = setting.check(of, name, given[name])
    return told


def columns_of_many(where: str, settings: Settings, rows: int, given: Mapping[str, Any]) -> Settings:
    """Return the settings of `rows` bodies that may differ in those of `given`, and share the rest."""
    call = Call(where, KIND_NAMES[settings["kind"]], Layers())
    told: Settings = {}
    speeds = told["velocity"] = inputs.vectors(where, "velocity", given["velocity"], rows)
    if call.kind == "static":
        for row in np.flatnonzero((speeds != 0.0).any(axis=1))[:1].tolist():
            checked_velocity(call, f"velocity[{row}]", tuple(speeds[row].tolist()))
    if given["mass"] is not None:
        refuse_mass(call, given["mass"])
        told["mass"] = 1.0 / inputs.size_column(where, "mass", given["mass"], rows)
    for name in ("spin", "restitution", "friction"):
        column = told[name] = inputs.column(where, name, given[name], rows)
        refused = {"spin": column != 0.0, "restitution": ~((column >= 0.0) & (column <= 1.0)), "friction": column < 0.0}
        if name == "spin" and call.kind != "static":
            continue
        for row in np.flatnonzero(refused[name])[:1].tolist():
            SETTINGS[name].check(call, f"{name}[{row}]", column.item(row))
    return settings | told


def checked_pivots(where: str, kind: int, rows: int, pivot: Any) -> Floats | None:
    """Return what each of `rows` kinematic bodies turns about, (n, 2); None for their positions."""
    if pivot is None:
        return None
    refuse_pivot(where, KIND_NAMES[kind], pivot)
    return inputs.vectors(where, "pivot", pivot, rows)


def refuse_pivot(where: str, kind: str, pivot: Any) -> None:
    """Refuse a pivot for bodies of a kind that have none."""
    if kind != "kinematic":
        expected = f"is for kinematic bodies; a {kind} one {NO_PIVOT[kind]}"
        inputs.refuse(ValueError, where, "pivot", pivot, expected)


def masses_of(where: str, kind: str, mass: Any, density: Any, areas: Floats, one: bool = False) -> Any:
    """Return what is given as mass, or the masses of bodies of some areas, (n,), and of a density, or several."""
    if density is None:
        return mass
    if mass is not None:
        inputs.refuse(ValueError, where, "density", density, f"and mass = {inputs.short(mass)} say the same; give one")
    refuse_mass(Call(where, kind, Layers()), density, "density")
    if one:
        inputs.size(where, "density", density)
    found: Floats = inputs.size_column(where, "density", density, len(areas)) * areas
    for row in np.flatnonzero(~((found >= SMALLEST_SIZE) & (found <= LARGEST)))[:1].tolist():
        expected = f"gives a mass of {found[row]:g}" if areas[row] else "is for shapes with an area; give mass"
        given = density if one or np.ndim(density) == 0 else np.asarray(density).item(row)
        inputs.refuse(ValueError, where, "density" if one else f"density[{row}]", given, expected)
    return found.item(0) if one else found


def columns_of(settings: Settings) -> dict[str, Any]:
    """Return what checked settings write into the table of bodies, by column."""
    written = {}
    for name, value in settings.items():
        columns = COLUMNS[name]
        if len(columns) == 1:
            written[columns[0]] = value
        else:
            written[columns[0]], written[columns[1]] = value.T if isinstance(value, np.ndarray) else value
    return written
