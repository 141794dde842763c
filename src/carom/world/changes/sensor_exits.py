"""Exits from sensors that no motion brings about: a body or sensor removed, put elsewhere, or no longer noticed.

In: a body that was changed between two steps, or at a pause within one. Out: pairs taken off the table of what is
inside what, and the exits to tell: at the pause they are what the loop yields next, between two steps they come first
in the next one, at its start. So every entry has its exit.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Integers
from carom.narrow.slop import slops_within
from carom.narrow.verbs import separation
from carom.world.changes.bodies import advance_bodies
from carom.world.reports.motion import motion_of
from carom.world.reports.overlaps import parts_of
from carom.world.step import tables as at
from carom.world.step.pairs.filters import NOTICE, concern
from carom.world.step.pairs.sensors import refill
from carom.world.store import Exit, Store


def take_visits(store: Store, rows: list[int]) -> list[tuple[int, int]]:
    """Take what is inside some bodies, and what these are inside of, off the table of what is inside what.

    Returns visitor and sensor of each, in the order of the rows.
    """
    w = store.tables
    if not w.state["inside"][0] or not rows:
        return []
    rank = np.full(len(w.bodies), len(rows))
    rank[rows] = np.arange(len(rows))
    keys = w.inside[w.inside >= 0]
    a, b = w.parts["body"][keys >> 31], w.parts["body"][keys & 0x7FFFFFFF]
    first = np.minimum(rank[a], rank[b])
    concerned = first < len(rows)
    if not concerned.any():
        return []
    w.inside[:] = -1
    refill(keys[~concerned], w.inside)
    w.state["inside"] = int((~concerned).sum())
    order = np.argsort(first[concerned], kind="stable")
    pairs = dict.fromkeys(zip(a[concerned][order].tolist(), b[concerned][order].tolist(), strict=True))
    return [pair[::-1] if w.bodies["sensor"][pair[0]] else pair for pair in pairs]


def put_visits(store: Store, visits: list[tuple[int, int]]) -> None:
    """Put those that go on, of bodies that were changed since, on the table again; the others end, and are told."""
    if not visits:
        return
    ended = np.ones(len(visits), dtype=np.bool_)
    keys = meeting_parts(store, np.array(visits, dtype=np.int64), ended)
    keys = np.concatenate((store.tables.inside[store.tables.inside >= 0], keys))
    while 2 * len(keys) > len(store.tables.inside):
        store.widen("inside")
    store.tables.inside[:] = -1
    refill(keys, store.tables.inside)
    store.tables.state["inside"] = len(keys)
    end_visits(store, [visit for visit, over in zip(visits, ended.tolist(), strict=True) if over])


def end_visits(store: Store, visits: list[tuple[int, int]]) -> None:
    """Have the exits of visitors from sensors told."""
    store.exits += [Exit(visitor, sensor, *motion_of(store.tables, visitor)[0]) for visitor, sensor in visits]


def meeting_parts(store: Store, visits: Integers, ended: Booleans) -> Integers:
    """Return as keys of the table the pairs of parts that meet, of visitors and sensors that still notice each other.

    Where there is one, `ended` is set to False.
    """
    w = store.tables
    advance_bodies(w, np.unique(visits))
    going = np.flatnonzero(notices(w, visits)).tolist()
    found = []
    for k in going:
        a, b = (np.arange(first, first + count) for first, count in w.bodies[["first_part", "part_count"]][visits[k]])
        found += [(k, p, q) for p in a.tolist() for q in b.tolist()]
    pairs = np.array(found, dtype=np.int64).reshape(-1, 3)
    if not pairs.size:
        return pairs[:, 0]
    p, q = pairs[:, 1:].min(axis=1), pairs[:, 1:].max(axis=1)
    first, second = parts_of(w, p), parts_of(w, q)
    largest = np.maximum(np.abs(first.bounds).max(axis=1), np.abs(second.bounds).max(axis=1))
    sizes = np.minimum(w.parts["width"][p], w.parts["width"][q])
    meet = separation(first, second) <= slops_within(sizes, largest)
    ended[pairs[meet, 0]] = False
    keys: Integers = (p[meet] << 31) + q[meet]
    return keys


def notices(w: at.Tables, visits: Integers) -> Booleans:
    """Tell of pairs of bodies which notice each other."""
    out = np.zeros(len(visits), dtype=np.bool_)
    note_concerns(w, visits, out)
    return out


@kernel
def note_concerns(w: at.Tables, pairs: Integers, out: Booleans) -> None:
    """Write of pairs of bodies whether one is a sensor that notices the other."""
    for k in range(pairs.shape[0]):
        out[k] = concern(w, w.bodies[pairs[k, 0]], w.bodies[pairs[k, 1]]) == NOTICE


def keep_exits(store: Store, first: int) -> None:
    """Keep the exits among the hits from a row on, at the end of a step that tells none, for the next step."""
    for hit in store.tables.hits[first : int(store.tables.state["hits"][0])]:
        if hit["kind"] == at.EXITED:
            store.exits.append(Exit(int(hit["body"]), int(hit["other"]), float(hit["x"]), float(hit["y"])))


def tell_exits(store: Store) -> None:
    """Write the exits that are not told yet among the hits of the step under way, or about to begin."""
    if not store.exits:
        return
    count = int(store.tables.state["hits"][0])
    store.make_room("hits", count + len(store.exits))
    w = store.tables
    now = float(w.state["before"][0] + w.state["now"][0])
    w.hits[count : count + len(store.exits)] = [
        (now, one.x, one.y, 0.0, 0.0, 0.0, 0.0, 0.0, at.EXITED, one.visitor, one.sensor, -1, -1) for one in store.exits
    ]
    w.state["hits"] = count + len(store.exits)
    store.exits = []
