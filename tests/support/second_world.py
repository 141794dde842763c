"""Bodies that turn and rub, stepped by the kernels of `world.pile`: what a World will do once it stands on them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from carom.world.pile.play import DONE
from carom.world.pile.step import make_piles, play_step
from carom.world.pile.tables import BODY

import carom as cm
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.world.tables import DYNAMIC, KINEMATIC, NEW, STATIC, rows_of

KINDS = {"static": STATIC, "kinematic": KINEMATIC, "dynamic": DYNAMIC}


class Second:
    """A world of bodies that are put in first and then stepped."""

    def __init__(self, gravity: tuple[float, float] = (0.0, 0.0)) -> None:
        self.gravity = gravity
        self.world = cm.World()
        self.given: list[dict[str, Any]] = []
        self.tables: Any = None
        self.piles: Any = None

    def add(
        self, shape: Any, kind: str = "dynamic", mass: float | None = None, turns: bool = True, **settings: Any
    ) -> int:
        self.world.add(shape, kind=kind)
        row = {"kind": KINDS[kind], "friction": 0.6, **settings}
        center = shape.position
        if kind == "dynamic":
            found = shape.mass(1.0)
            center, inertia = found.center, found.inertia
            if found.mass == 0.0:  # a Segment is a thin rod, a Point does not turn
                center, mass = shape.position, mass or 1.0
                low_x, low_y, high_x, high_y = cm.bounds(shape)
                inertia = mass * math.hypot(high_x - low_x, high_y - low_y) ** 2 / 12
            elif mass is not None:
                inertia *= mass / found.mass
            row["inverse_mass"] = 1 / (mass or found.mass)
            row["inverse_inertia"] = 1 / inertia if turns and inertia else 0.0
        row["x"], row["y"] = center
        self.given.append(row)
        return len(self.given) - 1

    def make(self) -> None:
        w = self.world._store.tables
        count = len(self.given)
        bodies = rows_of(BODY, count)
        for name in BODY.names:
            if name in w.bodies.dtype.names:
                bodies[name][:count] = w.bodies[name][:count]
        for k, row in enumerate(self.given):
            for name, value in row.items():
                bodies[name][k] = value
        bodies["ring"] = np.arange(count)
        bodies["moved"], bodies["asleep"] = NEW, 0
        buffer, parts = w.buffer, w.parts
        used, models = self.world._store.used, []
        for p in range(int(w.state["parts"][0])):
            body, start = int(parts["body"][p]), int(parts["record"][p])
            size = POINTS + STRIDE * int(buffer[start + COUNT])
            record = buffer[start : start + size].copy()
            record[X] -= bodies["x"][body]
            record[Y] -= bodies["y"][body]
            parts["offset_x"][p], parts["offset_y"][p] = record[X], record[Y]
            parts["model"][p] = used
            used += size
            models.append(record)
            points = np.column_stack((record[POINTS::STRIDE], record[POINTS + 1 :: STRIDE])) + record[[X, Y]]
            radius = record[RADIUS]
            bodies["sweep"][body] = max(bodies["sweep"][body], float(np.hypot(*points.T).max()) + radius)
            normals = np.column_stack((record[POINTS + 2 :: STRIDE], record[POINTS + 3 :: STRIDE]))
            reach = points @ normals.T
            width = float(np.ptp(reach, axis=0).min()) / 2 + radius
            if width == 0.0:
                width = math.inf if bodies["kind"][body] == STATIC else float(bodies["sweep"][body])
            bodies["size"][body] = min(bodies["size"][body] or math.inf, width)
        w = w._replace(buffer=np.concatenate([buffer[: self.world._store.used], *models]), bodies=bodies)
        movers = np.flatnonzero(bodies["kind"] != STATIC)
        w.movers[: len(movers)] = movers
        w.state["movers"], w.state["listed"], w.state["bodies"] = len(movers), 1, count
        w.state["gravity_x"], w.state["gravity_y"] = self.gravity
        events = rows_of(w.events.dtype, 60 * count + 1000)
        hits = rows_of(w.hits.dtype, 100_000)
        w = w._replace(
            events=events, hits=hits, heap=np.arange(len(events)), near=np.zeros(len(parts) + 16, dtype=np.int64)
        )
        self.tables = w
        self.piles = make_piles(count, 40 * count + 50, self.world._store.most_points)

    def step(self, h: float = 1 / 60) -> None:
        if self.tables is None:
            self.make()
        self.tables.state["length"] = h
        found = play_step(self.tables, self.piles)
        assert found == DONE, found

    @property
    def moving(self) -> Any:
        return self.tables.bodies[self.tables.bodies["kind"] == DYNAMIC]

    def energy(self) -> float:
        if self.tables is None:
            self.make()
        b = self.moving
        kinetic = (b["vx"] ** 2 + b["vy"] ** 2) / b["inverse_mass"]
        turns = b["inverse_inertia"] > 0
        kinetic[turns] += b["spin"][turns] ** 2 / b["inverse_inertia"][turns]
        return float((kinetic / 2 - (self.gravity[0] * b["x"] + self.gravity[1] * b["y"]) / b["inverse_mass"]).sum())

    def shapes(self) -> cm.Shapes:
        made = []
        for k, body in enumerate(self.tables.bodies):
            shape = self.world._store.shape_of(k)
            center = shape.mass(1.0).center if body["kind"] == DYNAMIC and shape.mass(1.0).mass else shape.position
            turned = shape.rotated(float(body["angle"]), center) if body["angle"] else shape
            made.append(turned.translated((float(body["x"]) - center[0], float(body["y"]) - center[1])))
        return cm.Shapes(made)

    def overlap(self) -> float:
        """Return the deepest overlap of any two of which one is dynamic."""
        shapes = self.shapes()
        owner = shapes.owner if shapes.owner is not None else np.arange(len(shapes))
        found = cm.contacts(shapes)
        bodies = owner[found.pairs]
        counts = (self.tables.bodies["kind"][bodies] == DYNAMIC).any(axis=1) & (bodies[:, 0] != bodies[:, 1])
        return float(found.depth[counts].max(initial=0.0))

    @property
    def asleep(self) -> int:
        return int(self.moving["asleep"].sum())
