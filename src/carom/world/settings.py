"""What a body is told when it is added: its kind, motion, mass, layers and responses, checked and written down.

In: what the user gave to `World.add` or `World.add_many`. Out: `Settings`, plain numbers that fit the tables, one for
each body; or a refusal that names the argument and, of many bodies, the row. Nothing is changed before all is checked.

Layers of bodies by name: a world gives each a number when it first hears of it.

In: names, as users write them. Out: the number of a layer, or one bit for each layer that a body meets.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.types import Floats
from carom.vector import Point2
from carom.world.filters import NAMES
from carom.world.store import Store
from carom.world.tables import KINEMATIC

MOST_LAYERS = 63  # one bit each


def number_of_layer(layers: list[str], where: str, name: str, value: Any) -> int:
    """Return the number of a layer, which is added to `layers` if it is new."""
    if not isinstance(value, str):
        inputs.refuse(TypeError, where, name, value, f"must be the name of a layer, not {type(value).__name__}")
    if value not in layers:
        if len(layers) == MOST_LAYERS:
            inputs.refuse(ValueError, where, name, value, f"is one layer more than the {MOST_LAYERS} a world holds")
        layers.append(str(value))
    return layers.index(value)


def bits_of_layers(layers: list[str], where: str, name: str, value: Any) -> int:
    """Return the bits of the layers that a body meets; all if None."""
    if value is None:
        return -1
    if isinstance(value, str):
        return 1 << number_of_layer(layers, where, name, value)
    bits = 0
    for k, each in enumerate(inputs.listed(where, name, value, "the name of a layer, or several in a list")):
        bits |= 1 << number_of_layer(layers, where, f"{name}[{k}]", each)
    return bits


KIND_NAMES = ("static", "kinematic", "dynamic")


class Settings(NamedTuple):
    """All a body is told, as the tables hold it."""

    kind: int
    velocity: Point2
    inverse_mass: float
    restitution: float
    acceleration: Point2
    layer: int
    mask: int
    response: int
    sensor: bool
    one_way: Point2


def checked_settings(
    where: str,
    layers: list[str],
    *,
    kind: Any,
    velocity: Any = (0.0, 0.0),
    mass: Any = None,
    restitution: Any = 0.0,
    acceleration: Any,
    layer: Any,
    mask: Any,
    response: Any,
    sensor: Any,
    one_way: Any,
) -> Settings:
    """Return the settings of one body; new layers are added to `layers`."""
    number = KIND_NAMES.index(inputs.one_of(where, "kind", kind, KIND_NAMES))
    speed = checked_velocity(where, "velocity", kind, velocity)
    pull = inputs.point(where, "acceleration", acceleration)
    if kind != "dynamic" and pull != (0.0, 0.0):
        inputs.refuse(ValueError, where, "acceleration", acceleration, "is for dynamic bodies")
    weight = 1.0
    if mass is not None:
        refuse_mass(where, kind, mass)
        weight = inputs.size(where, "mass", mass)
    bounce = checked_restitution(where, "restitution", restitution)
    inputs.one_of(where, "response", response, NAMES)
    if inputs.truth(where, "sensor", sensor) and kind == "dynamic":
        inputs.refuse(ValueError, where, "sensor", sensor, "stops nothing, so it must be static or kinematic")
    side = (0.0, 0.0) if one_way is None else _direction(where, "one_way", one_way)
    inverse = 1.0 / weight if kind == "dynamic" else 0.0
    place = number_of_layer(layers, where, "layer", layer)
    meets = bits_of_layers(layers, where, "mask", mask)
    return Settings(number, speed, inverse, bounce, pull, place, meets, NAMES.index(response), bool(sensor), side)


class Columns(NamedTuple):
    """What may differ among bodies that are put in at once."""

    velocity: Floats
    """(n, 2)"""
    inverse_mass: Floats
    """(n,)"""
    restitution: Floats
    """(n,)"""


def columns_of_many(
    where: str, settings: Settings, rows: int, velocity: ArrayLike, mass: ArrayLike | None, restitution: ArrayLike
) -> Columns:
    """Return how fast, how heavy and how bouncy `rows` bodies are that differ in this alone."""
    kind = KIND_NAMES[settings.kind]
    speeds = inputs.vectors(where, "velocity", velocity, rows)
    if kind == "static":
        for row in np.flatnonzero((speeds != 0.0).any(axis=1))[:1].tolist():
            checked_velocity(where, f"velocity[{row}]", kind, tuple(speeds[row].tolist()))
    inverses = np.full(rows, settings.inverse_mass)
    if mass is not None:
        refuse_mass(where, kind, mass)
        inverses = 1.0 / inputs.size_column(where, "mass", mass, rows)
    bounces = inputs.column(where, "restitution", restitution, rows)
    for row in np.flatnonzero(~((bounces >= 0.0) & (bounces <= 1.0)))[:1].tolist():
        checked_restitution(where, f"restitution[{row}]", bounces.item(row))
    return Columns(speeds, inverses, bounces)


def settings_of_each(settings: Settings, columns: Columns) -> list[Settings]:
    """Return the settings of bodies one by one."""
    return [
        settings._replace(velocity=(x, y), inverse_mass=inverse, restitution=bounce)
        for (x, y), inverse, bounce in zip(*(column.tolist() for column in columns), strict=True)
    ]


def checked_velocity(where: str, name: str, kind: str, value: Any) -> Point2:
    """Return a velocity, which a static body cannot have."""
    speed = inputs.point(where, name, value)
    if kind == "static" and speed != (0.0, 0.0):
        inputs.refuse(ValueError, where, name, value, 'is for moving bodies; use kind="kinematic"')
    return speed


def refuse_mass(where: str, kind: str, mass: Any) -> None:
    """Refuse a mass given to what cannot be moved by anything."""
    if kind != "dynamic":
        inputs.refuse(ValueError, where, "mass", mass, f"is for dynamic bodies; a {kind} one cannot be moved")


def checked_restitution(where: str, name: str, value: Any) -> float:
    """Return a restitution, from 0 to 1."""
    bounce = inputs.number(where, name, value)
    if not 0.0 <= bounce <= 1.0:
        inputs.refuse(ValueError, where, name, value, "must be between 0 and 1")
    return bounce


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
    kind = KIND_NAMES[settings.kind]
    rates = inputs.column(where, "spin", spin, rows).tolist()
    if pivot is None and not any(rates):
        return []
    pivots = [None] * rows if pivot is None else inputs.vectors(where, "pivot", pivot, rows).tolist()
    if pivot is not None and not any(rates):
        inputs.refuse(ValueError, where, "pivot", pivot, "is for bodies with a spin")
    found = []
    for row, (rate, about) in enumerate(zip(rates, pivots, strict=True)):
        found.append(checked_spin(where, kind, settings.sensor, rate, about if rate else None, f"[{row}]"))
    return found


def _direction(where: str, name: str, value: Any) -> Point2:
    """Return a vector of any length but 0 as one of length 1."""
    x, y = inputs.point(where, name, value)
    largest = max(abs(x), abs(y))
    if largest == 0.0:
        inputs.refuse(ValueError, where, name, value, "must be a direction")
    x, y = x / largest, y / largest  # so that no square is too large or too small
    length = math.sqrt(x * x + y * y)
    return x / length, y / length


def write_settings(store: Store, row: int, settings: Settings) -> None:
    """Write the settings of a body into its row of the tables."""
    body = store.tables.bodies[row]
    body["vx"], body["vy"] = settings.velocity
    if settings.kind == KINEMATIC:
        body["drive_x"], body["drive_y"] = settings.velocity
    body["inverse_mass"], body["restitution"] = settings.inverse_mass, settings.restitution
    body["acceleration_x"], body["acceleration_y"] = settings.acceleration
    body["one_way_x"], body["one_way_y"] = settings.one_way
    body["kind"], body["layer"], body["mask"] = settings.kind, settings.layer, settings.mask
    body["response"], body["sensor"] = settings.response, settings.sensor
    if settings.sensor:
        store.generalise()
