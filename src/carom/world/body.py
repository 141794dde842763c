"""A body of a world, as the user holds it: a handle that stays valid until the body is removed, and says so after.

All it knows stands in the world's tables; reading it gives values, setting it checks them and changes the world.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from carom._core.inputs import PointLike
from carom.vector import Vec


class Body:
    """One body of a `World`, made by `World.add`.

    Handles are equal if they mean the same body of the same world. After the body is removed, `removed` is True and
    everything else is refused.
    """

    __slots__ = ("_row", "_serial", "_world")

    def __init__(self, world: Any, row: int, serial: int) -> None:
        self._world = world  # the World; its file imports this one
        self._row = row
        self._serial = serial

    @property
    def removed(self) -> bool:
        """Whether the body is no longer in its world."""
        bodies = self._world._tables.bodies
        return not (self._row < len(bodies) and bodies["serial"][self._row] == self._serial >= 0)

    @property
    def row(self) -> int:
        """The body's row in the world's columns; it stays the same as long as the body is there."""
        return self._at("row")

    @property
    def kind(self) -> str:
        """One of "static", "kinematic" and "dynamic"."""
        found: str = self._world._kind(self._at("kind"))
        return found

    @property
    def shape(self) -> Any:
        """The body's shape where it is now: of the kind it was added as."""
        found: Any = self._world._shape(self._at("shape"))
        return found

    @property
    def position(self) -> Vec:
        """Where the body is now: the position of its shape. Set it to put the body elsewhere, without a sweep."""
        found: Vec = self._world._read(self._at("position"))[0]
        return found

    @position.setter
    def position(self, position: PointLike) -> None:
        self._world._set_position(self._at("position"), position)

    @property
    def velocity(self) -> Vec:
        """Length units a second."""
        found: Vec = self._world._read(self._at("velocity"))[1]
        return found

    @velocity.setter
    def velocity(self, velocity: PointLike) -> None:
        self._world._set_velocity(self._at("velocity"), velocity)

    @property
    def spin(self) -> float:
        """Radians a second; for kinematic bodies."""
        found: float = self._world._spin(self._at("spin"))
        return found

    @spin.setter
    def spin(self, spin: float) -> None:
        self._world._set_spin(self._at("spin"), spin)

    @property
    def angle(self) -> float:
        """How far a spinning body has turned since it was added, radians."""
        found: float = self._world._angle(self._at("angle"))
        return found

    @property
    def mass(self) -> float:
        """Mass; infinite for static and kinematic bodies."""
        found: float = self._world._mass(self._at("mass"))
        return found

    @mass.setter
    def mass(self, mass: float) -> None:
        self._world._set_mass(self._at("mass"), mass)

    @property
    def restitution(self) -> float:
        """Speed after an impact over speed before; of two bodies the larger counts."""
        found: float = self._world._restitution(self._at("restitution"))
        return found

    @restitution.setter
    def restitution(self, restitution: float) -> None:
        self._world._set_restitution(self._at("restitution"), restitution)

    @property
    def acceleration(self) -> Vec:
        """Acceleration in addition to the world's gravity."""
        found: Vec = self._world._acceleration(self._at("acceleration"))
        return found

    @acceleration.setter
    def acceleration(self, acceleration: PointLike) -> None:
        self._world._set_acceleration(self._at("acceleration"), acceleration)

    @property
    def layer(self) -> str:
        """The name of the body's layer."""
        found: str = self._world._layer(self._at("layer"))
        return found

    @layer.setter
    def layer(self, layer: str) -> None:
        self._world._set_layer(self._at("layer"), layer)

    @property
    def mask(self) -> tuple[str, ...] | None:
        """The names of the layers that the body meets; None: all."""
        found: tuple[str, ...] | None = self._world._mask(self._at("mask"))
        return found

    @mask.setter
    def mask(self, mask: str | Iterable[str] | None) -> None:
        self._world._set_mask(self._at("mask"), mask)

    @property
    def data(self) -> Any:
        """Whatever the user keeps with the body."""
        found: Any = self._world._data[self._at("data")]
        return found

    @data.setter
    def data(self, data: Any) -> None:
        self._world._set_data(self._at("data"), data)

    @property
    def resting_on(self) -> tuple[tuple[Body, Vec], ...]:
        """What holds the body against its acceleration since the last step, with the normals towards this body."""
        found: tuple[tuple[Body, Vec], ...] = self._world._supports(self._at("resting_on"))
        return found

    def _at(self, name: str) -> int:
        if self.removed:
            raise ValueError(f"Body.{name}: {self!r} is no longer in its world")
        return self._row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        return self._world is other._world and self._serial == other._serial

    def __hash__(self) -> int:
        return hash((id(self._world), self._serial))

    def __repr__(self) -> str:
        if self.removed:
            return f"<Body {self._serial}: removed>"
        return f"<Body {self._serial}: {self._world._kind(self._row)}, row {self._row}>"
