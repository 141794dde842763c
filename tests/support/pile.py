"""A pile by itself: bodies that only the solver moves, step after step, without events. For tests of the solver."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import carom as cm
from carom import kernels
from carom.world.step.declared import make, rows_of
from carom.world.step.notes import NOTE
from carom.world.step.pairs.contacts import CONTACT, keep_impulses, write_contact
from carom.world.step.piles import make_piles
from carom.world.step.solve.island_kinds import kind_of
from carom.world.step.solve.islands import Islands
from carom.world.step.solve.rows import Rows
from carom.world.step.solve.solver import solve_island
from carom.world.step.tables import BODY, DYNAMIC, STATIC

SKIN = 0.008


class Pile:
    """Boxes, discs and other shapes under gravity; everything in one island."""

    def __init__(self, gravity: tuple[float, float] = (0.0, -10.0)) -> None:
        self.gravity = gravity
        self.shapes: list[Any] = []
        self.rows: list[dict[str, float]] = []
        self.bodies: Any = None
        self.solving: Any = None
        self.old: Any = []

    def add(self, shape: Any, kind: int = DYNAMIC, mass: float | None = None, **settings: Any) -> int:
        """Put in a body; `mass` scales its inertia, too."""
        given = {"kind": kind, "friction": 0.6, "half_width": least_width(shape) / 2} | settings
        given["x"], given["y"] = center = shape.centroid
        if kind == DYNAMIC:
            found = shape.mass(1.0)
            share = 1.0 if mass is None else mass / found.mass
            given["inverse_mass"], given["inverse_inertia"] = 1 / (found.mass * share), 1 / (found.inertia * share)
            given["pull_x"], given["pull_y"] = self.gravity
            given["swift"] = math.hypot(*self.gravity)
        low_x, low_y, high_x, high_y = cm.bounds(shape)
        given["sweep"] = math.hypot(max(high_x - center.x, center.x - low_x), max(high_y - center.y, center.y - low_y))
        self.shapes.append(shape.translated(-center))
        self.rows.append(given)
        return len(self.rows) - 1

    def shape(self, k: int) -> Any:
        body = self.bodies[k]
        turned = self.shapes[k].rotated(float(body["angle"]), (0, 0)) if body["angle"] else self.shapes[k]
        return turned.translated((float(body["x"]), float(body["y"])))

    def step(self, h: float = 1 / 60) -> None:
        if self.bodies is None:
            self.bodies, self.solving = rows_of(BODY, len(self.rows)), rows_of(NOTE, len(self.rows))
            for k, row in enumerate(self.rows):
                for name, value in row.items():
                    self.bodies[name][k] = value
        shapes = [self.shape(k) for k in range(len(self.rows))]
        buffer, starts = kernels.records(shapes)
        members = np.flatnonzero(self.bodies["kind"] == DYNAMIC)
        margin = np.hypot(self.bodies["vx"], self.bodies["vy"]) + np.abs(self.bodies["spin"]) * self.bodies["sweep"]
        margin = h * margin + 20 * h * h
        bounds = np.array([cm.bounds(one) for one in shapes])
        near = cm.bounds_pairs(bounds + margin[:, None] * np.array([-1, -1, 1, 1]))
        contacts = rows_of(CONTACT, len(near) + 1)
        count = 0
        known = {int(row["name"]): k for k, row in enumerate(self.old)}
        for a, b in near.tolist():
            if self.bodies["kind"][a] != DYNAMIC and self.bodies["kind"][b] != DYNAMIC:
                continue
            slack = SKIN * min(self.bodies["half_width"][a], self.bodies["half_width"][b])
            contact = contacts[count]
            write_contact(self.bodies, a, b, buffer, int(starts[a]), int(starts[b]), slack, contact)
            contact["name"] = a * len(self.rows) + b
            if int(contact["name"]) in known:
                keep_impulses(contact, self.old[known[int(contact["name"])]])
            count += 1
        rows = make(Rows, contacts=count + 1, bodies=len(members), nodes=0, blocks=0, changes=0)
        islands = make(Islands, bodies=len(members), contacts=count)
        islands.members[:], islands.order[:] = members, np.arange(count)
        islands.starts[1], islands.begins[1] = len(members), count
        islands.kind[0] = kind_of(self.bodies, contacts, islands, 0, h)
        piles = make_piles(1, 1, 1)._replace(solving=self.solving, contacts=contacts, rows=rows, islands=islands)
        solve_island(self.bodies, piles, 0, h, False)
        for name, rate, push in (
            ("x", "next_x", "push_x"),
            ("y", "next_y", "push_y"),
            ("angle", "next_spin", "push_spin"),
        ):
            self.bodies[name][members] += h * (self.solving[rate][members] + self.solving[push][members])
        for name, rate in (("vx", "next_x"), ("vy", "next_y"), ("spin", "next_spin")):
            self.bodies[name][members] = self.solving[rate][members]
        self.old = contacts[:count]

    def energy(self) -> float:
        """Return kinetic energy and that of height."""
        moving = self.bodies[self.bodies["kind"] == DYNAMIC]
        mass, inertia = 1 / moving["inverse_mass"], 1 / moving["inverse_inertia"]
        kinetic = 0.5 * (mass * (moving["vx"] ** 2 + moving["vy"] ** 2) + inertia * moving["spin"] ** 2)
        return float((kinetic - mass * (self.gravity[0] * moving["x"] + self.gravity[1] * moving["y"])).sum())

    def overlap(self) -> float:
        """Return the deepest overlap of any two."""
        shapes = cm.Shapes([self.shape(k) for k in range(len(self.rows))])
        found = cm.contacts(shapes)
        return float(found.depth.max(initial=0.0))


def least_width(shape: Any) -> float:
    low_x, low_y, high_x, high_y = cm.bounds(shape)
    return min(high_x - low_x, high_y - low_y)


FLOOR = (cm.Box((0, -1), (60, 2)), STATIC)
