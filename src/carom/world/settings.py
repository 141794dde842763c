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
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.layers import Layers
from carom.vector import Point2
from carom.world.filters import NAMES
from carom.world.tables import KINEMATIC

BodyKind = Literal["static", "kinematic", "dynamic"]
KIND_NAMES: tuple[BodyKind, ...] = ("static", "kinematic", "dynamic")

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


def bits_of_layer(call: Call, name: str, value: Any) -> int:
    """Return the bits of the layers that a body is on."""
    bits = call.layers.bits(call.where, name, value)
    if not 0 < bits < 2**63:
        inputs.refuse(ValueError, call.where, name, value, "must name at least one layer, and no more than 63")
    return bits


def bits_of_mask(call: Call, name: str, value: Any) -> int:
    """Return the bits of the layers that a body meets; all if None."""
    return -1 if value is None else call.layers.bits(call.where, name, value)


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


def refuse_mass(call: Call, mass: Any) -> None:
    """Refuse a mass for bodies that nothing can move."""
    if call.kind != "dynamic":
        inputs.refuse(ValueError, call.where, "mass", mass, f"is for dynamic bodies; a {call.kind} one cannot be moved")


def checked_restitution(call: Call, name: str, value: Any) -> float:
    """Return a restitution, from 0 to 1."""
    bounce = inputs.number(call.where, name, value)
    if not 0.0 <= bounce <= 1.0:
        inputs.refuse(ValueError, call.where, name, value, "must be between 0 and 1")
    return bounce


def number_of_response(call: Call, name: str, value: Any) -> int:
    """Return the number of a response."""
    return NAMES.index(inputs.one_of(call.where, name, value, NAMES))


def checked_sensor(call: Call, name: str, value: Any) -> bool:
    """Return whether a body is a sensor, which a dynamic one cannot be."""
    if inputs.truth(call.where, name, value) and call.kind == "dynamic":
        inputs.refuse(ValueError, call.where, name, value, "stops nothing, so it must be static or kinematic")
    return bool(value)


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
    "acceleration": Setting(checked_acceleration, ("acceleration_x", "acceleration_y")),
    "mass": Setting(inverse_of_mass, ("inverse_mass",)),
    "restitution": Setting(checked_restitution, ("restitution",)),
    "response": Setting(number_of_response, ("response",)),
    "sensor": Setting(checked_sensor, ("sensor",)),
    "one_way": Setting(checked_direction, ("one_way_x", "one_way_y")),
    "layer": Setting(bits_of_layer, ("layer",)),
    "mask": Setting(bits_of_mask, ("mask",)),
}
COLUMNS = {"kind": ("kind",)} | {name: setting.columns for name, setting in SETTINGS.items()}
"""The settings by name, in the order in which they are checked."""


def checked_settings(where: str, layers: Layers, given: Mapping[str, Any]) -> Settings:
    """Return the settings of one body, or those that many share; new layers are added to `layers`."""
    kind = inputs.one_of(where, "kind", given["kind"], KIND_NAMES)
    call = Call(where, kind, layers)
    told: Settings = {"kind": KIND_NAMES.index(kind)}
    for name, setting in SETTINGS.items():
        if name == "mass" and given.get(name) is None:
            told[name] = 1.0 if kind == "dynamic" else 0.0
        elif name == "acceleration" and (pull := inputs.point(where, name, given[name])) == (0.0, 0.0):
            told[name] = pull  # bodies of any kind have none
        elif name in given:
            told[name] = setting.check(call, name, given[name])
    return told


def columns_of_many(
    where: str, settings: Settings, rows: int, velocity: ArrayLike, mass: ArrayLike | None, restitution: ArrayLike
) -> Settings:
    """Return the settings of `rows` bodies that may differ in velocity, mass and restitution, and share the rest."""
    call = Call(where, KIND_NAMES[settings["kind"]], Layers())
    speeds = inputs.vectors(where, "velocity", velocity, rows)
    if call.kind == "static":
        for row in np.flatnonzero((speeds != 0.0).any(axis=1))[:1].tolist():
            checked_velocity(call, f"velocity[{row}]", tuple(speeds[row].tolist()))
    inverses = settings["mass"]
    if mass is not None:
        refuse_mass(call, mass)
        inverses = 1.0 / inputs.size_column(where, "mass", mass, rows)
    bounces = inputs.column(where, "restitution", restitution, rows)
    for row in np.flatnonzero(~((bounces >= 0.0) & (bounces <= 1.0)))[:1].tolist():
        checked_restitution(call, f"restitution[{row}]", bounces.item(row))
    return settings | {"velocity": speeds, "mass": inverses, "restitution": bounces}


def checked_spin(
    where: str, kind: str, sensor: bool, spin: Any, pivot: Any, at: str = ""
) -> tuple[float, Point2 | None]:
    """Return how fast a body turns and about what; None for its position. `at` is the row in messages, [3]."""
    rate = inputs.number(where, f"spin{at}", spin)
    if rate and (kind != "kinematic" or sensor):
        inputs.refuse(ValueError, where, f"spin{at}", spin, "is for kinematic bodies that are no sensors")
    if pivot is None:
        return rate, None
    if not rate:
        inputs.refuse(ValueError, where, f"pivot{at}", pivot, "is for bodies with a spin")
    return rate, inputs.point(where, f"pivot{at}", pivot)


def spins_of_many(
    where: str, settings: Settings, rows: int, spin: ArrayLike, pivot: ArrayLike | None
) -> list[tuple[float, Point2 | None]]:
    """Return how fast each of `rows` bodies turns, and about what; a pivot counts for those that turn."""
    kind = KIND_NAMES[settings["kind"]]
    rates = inputs.column(where, "spin", spin, rows).tolist()
    if pivot is None and not any(rates):
        return []
    pivots = [None] * rows if pivot is None else inputs.vectors(where, "pivot", pivot, rows).tolist()
    if pivot is not None and not any(rates):
        inputs.refuse(ValueError, where, "pivot", pivot, "is for bodies with a spin")
    found = []
    for row, (rate, about) in enumerate(zip(rates, pivots, strict=True)):
        found.append(checked_spin(where, kind, settings["sensor"], rate, about if rate else None, f"[{row}]"))
    return found


def columns_of(settings: Settings, kinds: Any) -> dict[str, Any]:
    """Return what checked settings write into the table of bodies, by column; `kinds` are those of the bodies."""
    written = {}
    for name, value in settings.items():
        columns = COLUMNS[name]
        if len(columns) == 1:
            written[columns[0]] = value
        else:
            written[columns[0]], written[columns[1]] = value.T if isinstance(value, np.ndarray) else value
    if "velocity" in settings:
        # A kinematic body returns to the velocity it was given after everything that stops it.
        driven = kinds == KINEMATIC
        if driven is True or (driven is not False and driven.any()):
            written["drive_x"], written["drive_y"] = written["vx"] * driven, written["vy"] * driven
    return written
