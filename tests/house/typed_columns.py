"""What a type check says of the tables of a world; mypy reads this file with the package, and nobody runs it.

A mark on a line is an error that mypy is to find there: where it finds none, it says that the mark is unused.
"""

from __future__ import annotations

from carom._core.types import Integers
from carom.world.step.declared import Table
from carom.world.step.piles import Piles
from carom.world.step.tables import Body, Tables
from carom.world.step.ways.motion import has_way


def columns(w: Tables, piles: Piles, rows: Integers) -> None:
    body, contact = w.bodies[rows[0]], piles.contacts[1]
    x: float = body.x
    body.vx = x + body.speed  # type: ignore[attr-defined]
    body.velocity_x = 1.0  # type: ignore[attr-defined]
    w.courses[body.first_part].stamps += 1  # type: ignore[attr-defined]
    w.joints.table[0].stifness = 0.0  # type: ignore[attr-defined]
    piles.rows.table[contact.a].speed = 0.0  # type: ignore[attr-defined]
    contact.gap[0], contact.depth[0] = 0.0, 0.0  # type: ignore[attr-defined]
    body.kind = 1.5  # type: ignore[assignment]


def records(w: Tables, piles: Piles) -> None:
    bodies: Table[Body] = w.bodies
    has_way(bodies[0])
    has_way(piles.contacts[0])  # type: ignore[arg-type]
    bodies = w.parts  # type: ignore[assignment]
