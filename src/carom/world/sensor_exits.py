"""Exits from sensors that no motion brings about: a body or sensor removed, put elsewhere, or no longer noticed.

In: a body that was changed between two steps, or at a pause within one. Out: pairs taken off the table of what is
inside what, and the exits to tell: at the pause they are what the loop yields next, between two steps they come first
in the next one, at its start. So every entry has its exit.
"""

from __future__ import annotations

import numpy as np

from carom._core.types import Booleans, Integers
from carom.narrow.slop import slops_within
from carom.narrow.verbs import separation
from carom.world.overlaps import parts_of
from carom.world.step import tables as at
from carom.world.step.sensors import refill
from carom.world.step.tables import larger
from carom.world.store import Exit, Store
from carom.world.update import advance_bodies, motion_of


def exits_of(store: Store, rows: list[int], gone: bool) -> None:
    """Take what changed bodies are no longer inside of, and what is no longer inside of them, off the table.

    The exits come in the order of the rows.
    """
    w = store.tables
    if not w.state["inside"][0] or not rows:
        return
    rank = np.full(len(w.bodies), len(rows))
    rank[rows] = np.arange(len(rows))
    keys = w.inside[w.inside >= 0]
    p, q = keys >> 31, keys & 0x7FFFFFFF
    a, b = w.parts["body"][p], w.parts["body"][q]
    first = np.minimum(rank[a], rank[b])
    concerned = first < len(rows)
    if not concerned.any():
        return
    ended = concerned.copy()
    if not gone:
        ended[concerned] = ~stays_inside(store, p[concerned], q[concerned])
    w.inside[:] = -1
    refill(keys[~ended], w.inside)
    w.state["inside"] = int((~ended).sum())
    kept = set(zip(a[~ended].tolist(), b[~ended].tolist(), strict=True))
    told = np.flatnonzero(ended)
    told = told[np.argsort(first[told], kind="stable")]
    for pair in dict.fromkeys(zip(a[told].tolist(), b[told].tolist(), strict=True)):
        if pair not in kept:
            visitor, sensor = pair[::-1] if w.bodies["sensor"][pair[0]] else pair
            store.exits.append(Exit(visitor, sensor, *motion_of(w, visitor)[0]))


def stays_inside(store: Store, p: Integers, q: Integers) -> Booleans:
    """Tell for each pair of parts, of bodies that notice each other or did, whether they still do and still meet."""
    w = store.tables
    a, b = w.parts["body"][p], w.parts["body"][q]
    advance_bodies(w, np.unique(np.concatenate((a, b))))
    masks, layers = w.bodies["mask"], w.bodies["layer"]
    meet = (masks[a] & layers[b] != 0) & (masks[b] & layers[a] != 0)
    first, second = parts_of(w, p), parts_of(w, q)
    largest = np.maximum(np.abs(first.bounds).max(axis=1), np.abs(second.bounds).max(axis=1))
    sizes = np.minimum(w.parts["width"][p], w.parts["width"][q])
    still: Booleans = meet & (separation(first, second) <= slops_within(sizes, largest))
    return still


def keep_exits(store: Store, first: int) -> None:
    """Keep the exits among the hits from a row on, at the end of a step that tells none, for the next step."""
    for hit in store.tables.hits[first : int(store.tables.state["hits"][0])]:
        if hit["kind"] == at.EXITED:
            store.exits.append(Exit(int(hit["body"]), int(hit["other"]), float(hit["x"]), float(hit["y"])))


def tell_exits(store: Store) -> None:
    """Write the exits that are not told yet among the hits of the step under way, or about to begin."""
    w = store.tables
    count = int(w.state["hits"][0])
    if not store.exits:
        return
    store.tables = w = w._replace(hits=larger(w.hits, count + len(store.exits)))
    now = float(w.state["before"][0] + w.state["now"][0])
    for k, told in enumerate(store.exits, start=count):
        w.hits[k] = (now, told.x, told.y, 0.0, 0.0, 0.0, 0.0, 0.0, at.EXITED, told.visitor, told.sensor)
    w.state["hits"] = count + len(store.exits)
    store.exits = []
