"""Changes of bodies, and what they leave to the next step: exits to tell, sides to choose, overlaps to look for.

In: a store, and settings that are checked; at a pause or between steps. Out: the bodies changed, and what they were
inside of taken up again or ended (`change`); later a step begun that has told and looked for all that (`open_for`).
A `World` and each of its copies do so alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.layers import Layers
from carom._core.types import Integers
from carom.world.addressed import addresses_of, kernels_of
from carom.world.changes.bodies import advance_bodies, place_bodies
from carom.world.changes.removed import forget_gone
from carom.world.changes.sensor_exits import put_visits, take_visits, tell_exits
from carom.world.changes.thin_sides import begin_sides
from carom.world.joints.lists import anchors_on, note_change, put_anchors
from carom.world.reports.overlaps import begin_overlaps
from carom.world.single_calls import begin_change_at, place_bodies_at
from carom.world.step.tables import DYNAMIC
from carom.world.store import Store

# Whose change may end or begin an overlap, or a stay in a sensor.
MEETS_OTHERS = ("position", "angle", "shape", "kind", "layer", "mask", "group", "response", "sensor", "one_way")

HANGS_OTHERWISE = ("kind", "pivot", "shape")  # whose change may have a body turn about another point


def change(store: Store, rows: Integers, name: str, value: Any, layers: Layers | None = None) -> None:
    """Change a setting of bodies: one value for all, or one for each."""
    begin_change_at(addresses_of(store), rows)
    visits = take_visits(store, rows.tolist()) if name in MEETS_OTHERS else []
    store.layers = layers or store.layers
    anchors = anchors_on(store.tables, rows[0]) if name in HANGS_OTHERWISE else []
    store.write(rows, name, value)
    note_change(store.tables, rows, name)
    put_anchors(store.tables, anchors)
    place_bodies_at(addresses_of(store), rows)
    if name in MEETS_OTHERS:
        put_visits(store, visits)
        store.arrived.update(rows.tolist())


def open_for(store: Store, length: float) -> None:
    """Begin a step of some length: nothing has happened in it but the exits that were left to tell."""
    kernels_of(store).open_step(addresses_of(store), length)
    store.told = 0
    store.free_departed()
    forget_gone(store)
    tell_exits(store)
    begin_sides(store)
    begin_overlaps(store)


def pull(store: Store, x: float, y: float) -> None:
    """Change the gravity of a world, and wake what it pulls."""
    w = store.tables
    w.state["gravity_x"], w.state["gravity_y"] = x, y
    pulled = np.flatnonzero(w.bodies["kind"][: int(w.state["bodies"][0])] == DYNAMIC)
    advance_bodies(w, pulled)
    place_bodies(w, pulled)
