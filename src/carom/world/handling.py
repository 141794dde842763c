"""What handles of bodies ask of their world: one body read or changed, at the present instant.

In: the row of a body, which is in the world, and what the user gave. Out: values; or a changed body, everything that
was predicted for it void, what sleeps on it awake, the change recorded. What is refused changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.types import Floats, Integers
from carom.vector import Vec
from carom.world import tables as at
from carom.world.body import Body
from carom.world.sensor_exits import exits_of
from carom.world.settings import (
    KIND_NAMES,
    bits_of_layers,
    checked_restitution,
    checked_spin,
    checked_velocity,
    number_of_layer,
    refuse_mass,
)
from carom.world.state import WorldState
from carom.world.update import bring_bodies, bring_body, move_body, put_bodies, put_body, read_all


class WorldHandling(WorldState):
    """A world whose bodies can be read and changed."""

    def _body(self, row: int) -> Body:
        return Body(self, row, self._serial(row))

    def _serial(self, row: int) -> int:
        return int(self._tables.bodies["serial"][row]) if row >= 0 else -1

    def _kind(self, row: int) -> str:
        return KIND_NAMES[int(self._tables.bodies["kind"][row])]

    def _layer(self, row: int) -> str:
        return self._store.layers[int(self._tables.bodies["layer"][row])]

    def _read(self, row: int) -> tuple[Vec, Vec]:
        position, velocity = np.empty((1, 2)), np.empty((1, 2))
        read_all(self._tables, row, row + 1, position, velocity)
        return Vec(*position[0].tolist()), Vec(*velocity[0].tolist())

    def _shape(self, row: int) -> Any:
        body = self._tables.bodies[row]
        if not self.unfinished or body["kind"] == at.STATIC:
            return self._store.shape_now(row, float(body["x"]), float(body["y"]))
        if body["turn"]:
            # Not brought to the present instant, since reading must not change how its way is rounded.
            turned = self._store.shape_of(row).rotated(self._angle(row))
            return turned.translated(self._read(row)[0] - turned.position)
        past = self._tables.state["now"][0] - body["own_time"]
        x = body["x"] + (body["chord_x"] * past + body["spare_x"])
        y = body["y"] + (body["chord_y"] * past + body["spare_y"])
        return self._store.shape_now(row, float(x), float(y))

    def _spin(self, row: int) -> float:
        return float(self._tables.bodies["spin"][row])

    def _angle(self, row: int) -> float:
        body = self._tables.bodies[row]
        past = float(self._tables.state["now"][0] - body["own_time"]) if self.unfinished else 0.0
        return float(body["angle"]) + float(body["turn"]) * past

    def _mass(self, row: int) -> float:
        inverse = float(self._tables.bodies["inverse_mass"][row])
        return 1.0 / inverse if inverse else float("inf")

    def _restitution(self, row: int) -> float:
        return float(self._tables.bodies["restitution"][row])

    def _acceleration(self, row: int) -> Vec:
        body = self._tables.bodies[row]
        return Vec(float(body["acceleration_x"]), float(body["acceleration_y"]))

    def _supports(self, row: int) -> tuple[tuple[Body, Vec], ...]:
        w = self._tables
        found = []
        for k in range(int(w.bodies["held"][row])):
            x, y = w.bodies["support"][row, 2 * k : 2 * k + 2].tolist()
            found.append((self._body(int(w.bodies["supporter"][row, k])), Vec(x, y)))
        return tuple(found)

    def _called(self, row: int) -> str:
        """Return how messages call a body: by what it is and the user's data, if that is short."""
        data = self._store.data[row]
        named = f", data {inputs.short(data)}" if isinstance(data, str) or _is_short_int(data) else ""
        return f"Body (row {row}{named})"

    def _changing(self, row: int) -> Any:
        """Bring a body to the present instant and return its row, to be changed; `_change` comes next."""
        self._wake_on(row)
        bring_body(self._tables, row)
        return self._tables.bodies[row]

    def _change(self, row: int, name: str, *value: Any) -> None:
        self._record(name, row, *value)
        put_body(self._tables, row)
        self._changed()

    def _set_position(self, row: int, position: PointLike) -> None:
        x, y = inputs.point(self._called(row), "position", position)
        body = self._changing(row)
        move_body(self._tables, row, x - float(body["center_x"]), y - float(body["center_y"]))
        self._change(row, "_set_position", (x, y))
        self._came(row)

    def _set_layer(self, row: int, layer: str) -> None:
        layers = self._store.layers.copy()
        number = number_of_layer(layers, self._called(row), "layer", layer)
        self._store.layers = layers
        self._changing(row)["layer"] = number
        self._change(row, "_set_layer", layer)
        self._came(row)

    def _mask(self, row: int) -> tuple[str, ...] | None:
        bits = int(self._tables.bodies["mask"][row])
        return None if bits == -1 else tuple(name for k, name in enumerate(self._store.layers) if bits >> k & 1)

    def _set_mask(self, row: int, mask: str | Iterable[str] | None) -> None:
        layers = self._store.layers.copy()
        bits = bits_of_layers(layers, self._called(row), "mask", mask)
        self._store.layers = layers
        self._changing(row)["mask"] = bits
        self._change(row, "_set_mask", None if bits == -1 else self._mask(row))
        self._came(row)

    def _set_data(self, row: int, data: Any) -> None:
        self._store.data[row] = data
        self._record("_set_data", row, data)

    def _came(self, row: int) -> None:
        """See to what a body is inside of, or in overlap with, now that it is elsewhere or meets others."""
        exits_of(self._store, [row], gone=False)
        self._store.arrived.add(row)

    def _set_velocity(self, row: int, velocity: PointLike) -> None:
        speed = checked_velocity(self._called(row), "velocity", self._kind(row), velocity)
        body = self._changing(row)
        body["vx"], body["vy"] = speed
        if body["kind"] == at.KINEMATIC:
            body["drive_x"], body["drive_y"] = speed
        self._change(row, "_set_velocity", speed)

    def _set_velocities(self, rows: Integers, velocities: Floats) -> None:
        """Set the velocities of bodies that are not static, checked already."""
        w = self._tables
        self._wake_on(rows)
        bring_bodies(w, rows)
        w.bodies["vx"][rows], w.bodies["vy"][rows] = velocities.T
        driven = w.bodies["kind"][rows] == at.KINEMATIC
        w.bodies["drive_x"][rows[driven]], w.bodies["drive_y"][rows[driven]] = velocities[driven].T
        put_bodies(w, rows)
        self._changed()
        self._record("_set_velocities", rows, velocities)

    def _set_spin(self, row: int, spin: float, pivot: Any = None) -> None:
        where = self._called(row)
        kind = KIND_NAMES[int(self._tables.bodies["kind"][row])]
        rate, _ = checked_spin(where, kind, bool(self._tables.bodies["sensor"][row]), spin, None)
        body = self._changing(row)
        if rate and body["sweep"] == 0.0:
            center = float(body["x"] + body["center_x"]), float(body["y"] + body["center_y"])
            self._store.set_spinning(row, center if pivot is None else pivot)
        self._tables.bodies["spin"][row] = rate
        self._change(row, "_set_spin", rate, pivot)

    def _set_mass(self, row: int, mass: float) -> None:
        refuse_mass(self._called(row), self._kind(row), mass)
        value = inputs.size(self._called(row), "mass", mass)
        self._changing(row)["inverse_mass"] = 1.0 / value
        self._change(row, "_set_mass", value)

    def _set_restitution(self, row: int, restitution: float) -> None:
        value = checked_restitution(self._called(row), "restitution", restitution)
        self._changing(row)["restitution"] = value
        self._change(row, "_set_restitution", value)

    def _set_acceleration(self, row: int, acceleration: PointLike) -> None:
        x, y = inputs.point(self._called(row), "acceleration", acceleration)
        if self._tables.bodies["kind"][row] != at.DYNAMIC:
            inputs.refuse(ValueError, self._called(row), "acceleration", acceleration, "is for dynamic bodies")
        body = self._changing(row)
        body["acceleration_x"], body["acceleration_y"] = x, y
        self._change(row, "_set_acceleration", (x, y))


def _is_short_int(value: Any) -> bool:
    return isinstance(value, int) and abs(value) < 10**18
