"""A World whose bodies are told by the columns of its tables, of density 1, with its energy and its deepest overlap."""

from __future__ import annotations

from typing import Any

import carom as cm
from carom.world.step.tables import DYNAMIC


class Second:
    """A world of bodies that are put in first and then stepped."""

    def __init__(self, gravity: tuple[float, float] = (0.0, 0.0)) -> None:
        self.gravity = gravity
        self.world = cm.World(gravity=gravity)
        self.hits: Any = None

    def add(
        self, shape: Any, kind: Any = "dynamic", mass: float | None = None, turns: bool = True, **columns: Any
    ) -> int:
        """Put a body in; `columns` are those of the table of bodies."""
        settings: dict[str, Any] = {"kind": kind}
        if kind == "dynamic":
            settings |= {"mass": mass or shape.mass(1.0).mass or 1.0, "turns": turns}
        row = self.world.add(shape, **settings).row
        for name, value in columns.items():
            self.world._tables.bodies[name][row] = value
        return row

    @property
    def tables(self) -> Any:
        """The tables of the world."""
        return self.world._tables

    def step(self, h: float = 1 / 60) -> None:
        """Let time pass."""
        self.hits = self.world.step(h)

    @property
    def moving(self) -> Any:
        """The rows of dynamic bodies."""
        bodies = self.tables.bodies[: int(self.tables.state["bodies"][0])]
        return bodies[bodies["kind"] == DYNAMIC]

    def energy(self) -> float:
        """Return the energy of dynamic bodies."""
        b = self.moving
        kinetic = (b["vx"] ** 2 + b["vy"] ** 2) / b["inverse_mass"]
        turns = b["inverse_inertia"] > 0
        kinetic[turns] += b["spin"][turns] ** 2 / b["inverse_inertia"][turns]
        return float((kinetic / 2 - (self.gravity[0] * b["x"] + self.gravity[1] * b["y"]) / b["inverse_mass"]).sum())

    def overlap(self) -> float:
        """Return the deepest overlap of any two of which one is dynamic."""
        bodies = self.world.bodies
        shapes = cm.Shapes([body.shape for body in bodies])
        found = cm.contacts(shapes)
        dynamic = [body.kind == "dynamic" for body in bodies]
        counts = [dynamic[a] or dynamic[b] for a, b in found.pairs.tolist()]
        return float(found.depth[counts].max(initial=0.0))

    @property
    def asleep(self) -> int:
        """How many bodies sleep."""
        return int(self.moving["asleep"].sum())
