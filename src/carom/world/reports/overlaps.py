"""Which bodies overlap: asked for by the user, and looked for where something may have been put into something else.

In: a world's store. Out: pairs of bodies that would meet, deeper in each other than rounding lets them get, with the
way out. A first kernel goes through the grid and keeps what may overlap; the verbs for pairs decide and measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.flat import flat
from carom._core.jit import kernel
from carom._core.names import names_near
from carom._core.types import Floats, Integers
from carom.narrow.kinds import is_aabb, is_disc
from carom.narrow.signed_distance import separate
from carom.narrow.slop import slop_of_size, slops_within
from carom.narrow.verbs import closest
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE, X, Y
from carom.shapes.set import Shapes
from carom.shapes.set_rows import Proxies
from carom.tolerances import NO_SIZE
from carom.world.addressed import addresses_of, tables_at
from carom.world.changes.bodies import advance_bodies, wake_beside
from carom.world.step.constants import DEEP, SKIN
from carom.world.step.end.projection import REPORTED
from carom.world.step.pairs.filters import MEET, concern, is_one_way
from carom.world.step.pairs.sensors import FREE, MOST_PARTS, refill
from carom.world.step.tables import BETWEEN, DYNAMIC, OVERLAPPED, Part, Tables
from carom.world.step.ways.neighbours import find_near
from carom.world.store import Store

DEEP_SIZE = -DEEP * SKIN
"""Share of half the smaller least width: bodies of piles may be so deep in each other."""
FEW = 16
"""Pairs for which there is room at first."""


@names_near
class WorldOverlaps(NamedTuple):
    """Pairs of bodies that overlap, one row each, by row."""

    body: Integers
    """(m,) row of the first body."""
    other: Integers
    """(m,) row of the second, which is greater."""
    depth: Floats
    """(m,) how far one has to be moved along the normal until they just touch."""
    normal: Floats
    """(m, 2) unit vector from the first towards the second."""
    point: Floats
    """(m, 2) a point in both."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are body, other, depth, nx, ny, x, y.
        """
        return flat(self._asdict())


NONE = WorldOverlaps(
    *(np.zeros((0, *two), kind) for two, kind in (((), int), ((), int), ((), float), ((2,), float), ((2,), float)))
)


@kernel
def find_pairs_of(w: Tables, number: int, around: Integers, found: int, out: Integers) -> int:
    """Write pairs of a body and others that it meets and may overlap behind those found; return how many there are.

    Left out is what clearly does no more than touch, and what has no room.
    """
    bodies, parts, buffer = w.bodies, w.parts, w.buffer
    body = bodies[number]
    for p in range(body.first_part, body.first_part + body.part_count):
        count = find_near(w, p, around)
        for n in range(count):
            q = around[n]
            second = parts[q].body
            if second == number or concern(w, body, bodies[second]) != MEET:
                continue
            if is_one_way(body) or is_one_way(bodies[second]) or apart(buffer, parts[p], parts[q]):
                continue
            if found < out.shape[0]:
                out[found, 0], out[found, 1] = min(number, second), max(number, second)
            found += 1
    return found


@kernel
def find_pairs_at(table: Integers, rows: Integers, around: Integers, out: Integers) -> int:
    """Write the pairs of some bodies, as `find_pairs_of` does, and return how many there are."""
    w, found = tables_at(table), 0
    for k in range(rows.shape[0]):
        found = find_pairs_of(w, rows[k], around, found, out)
    return found


@kernel
def find_all_pairs_at(table: Integers, advanced: bool, around: Integers, out: Integers) -> int:
    """Write the pairs of all bodies; nothing, and -1, where these are not `advanced` to the instant of a step."""
    w, found = tables_at(table), 0
    if w.state[0].phase != BETWEEN and not advanced:
        return -1
    for number in range(w.state[0].bodies):
        if w.bodies[number].kind == DYNAMIC:
            found = find_pairs_of(w, number, around, found, out)
    return found


@kernel
def apart(buffer: Floats, p: Part, q: Part) -> bool:
    """Tell whether two parts surely do no more than touch, by their bounds, and of discs by their centres."""
    i, j = p.record, q.record
    dx, dy = buffer[j + X] - buffer[i + X], buffer[j + Y] - buffer[i + Y]
    least = -slop_of_size(min(p.width, q.width))
    gap_x = max(dx + q.left - p.right, p.left - (dx + q.right))
    gap_y = max(dy + q.bottom - p.top, p.bottom - (dy + q.top))
    if max(gap_x, gap_y) >= least:
        return True
    disc_p, disc_q = is_disc(buffer, i), is_disc(buffer, j)
    if disc_p and disc_q:
        radius = buffer[i + RADIUS] + buffer[j + RADIUS] + least
        return bool(dx * dx + dy * dy >= radius * radius)
    if (disc_p and is_aabb(buffer, j)) or (disc_q and is_aabb(buffer, i)):
        # The corners of a disc's bounds are not the disc's.
        radius = buffer[i + RADIUS] + buffer[j + RADIUS]
        beyond_x, beyond_y = max(gap_x + radius, 0.0), max(gap_y + radius, 0.0)
        return bool(beyond_x * beyond_x + beyond_y * beyond_y >= (radius + least) * (radius + least))
    return False


def pairs_near(store: Store, rows: Iterable[int]) -> set[tuple[int, int]]:
    """Return the pairs of bodies, one of them in `rows`, that may overlap."""
    asked = np.array(sorted(rows), dtype=np.int64)
    out = np.zeros((max(64, 2 * asked.size), 2), dtype=np.int64)
    around = np.empty_like(store.tables.around)  # several threads may ask at once
    found = find_pairs_at(addresses_of(store), asked, around, out)
    if found > len(out):
        out = np.zeros((found, 2), dtype=np.int64)
        find_pairs_at(addresses_of(store), asked, around, out)
    return set(map(tuple, out[:found].tolist()))


def overlaps_of(store: Store, live: Callable[[], Integers]) -> WorldOverlaps:
    """Return all pairs of bodies that overlap now, with the way out of each other."""
    advanced, room, around = False, FEW, np.empty_like(store.tables.around)
    while True:
        out = np.empty((room, 2), dtype=np.int64)
        found = find_all_pairs_at(addresses_of(store), advanced, around, out)
        if found == 0:
            return NONE
        if found < 0:
            store, advanced = store.copy(), True  # reading must not change how ways are rounded
            advance_bodies(store.tables, live())
        elif found > room:
            room = found
        else:
            return measured(store, set(map(tuple, out[:found].tolist())), DEEP_SIZE)


@kernel
def measure_depths(w: Tables, rows: Integers, depths: Floats) -> None:
    """Write for each pair of bodies how deep the deepest two of their parts are in each other."""
    bodies, parts = w.bodies, w.parts
    for k in range(rows.shape[0]):
        a, b = bodies[rows[k, 0]], bodies[rows[k, 1]]
        depths[k] = 0.0
        for p in range(a.first_part, a.first_part + a.part_count):
            for q in range(b.first_part, b.first_part + b.part_count):
                if not apart(w.buffer, parts[p], parts[q]):
                    separation = separate(w.buffer, parts[p].record, w.buffer, parts[q].record)[0]
                    depths[k] = max(depths[k], -separation)


def deep_pairs(store: Store, pairs: Iterable[tuple[int, int]], least_size: float) -> Integers:
    """Return those pairs, (m, 2), in order, of which two parts overlap by more than a share of their size."""
    w, rows = store.tables, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    if not rows.size:
        return rows
    advance_bodies(w, np.unique(rows))
    depths = np.zeros(len(rows))
    measure_depths(w, rows, depths)
    return rows[depths > np.maximum(slops(w, rows), least_size * sizes_of(w, rows))]


def measured(store: Store, pairs: Iterable[tuple[int, int]], least_size: float) -> WorldOverlaps:
    """Return those pairs that overlap by more than a share of their size, with the way out of each other."""
    w, rows = store.tables, np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    advance_bodies(w, np.unique(rows))
    depth, normal, point = np.zeros(len(rows)), np.zeros((len(rows), 2)), np.zeros((len(rows), 2))
    plain = (w.bodies["part_count"][rows] == 1).all(axis=1)
    if plain.any():
        first, second = (parts_of(w, w.bodies["first_part"][rows[plain, k]]) for k in (0, 1))
        many = closest(first, second)
        depth[plain], normal[plain], point[plain] = -many.separation, many.normal, many.point_b
    for k in np.flatnonzero(~plain).tolist():
        one = closest(shape_of(store, rows[k, 0]), shape_of(store, rows[k, 1]))
        depth[k], normal[k], point[k] = -one.separation, one.normal, one.point_b
    slop = slops(w, rows)
    found = WorldOverlaps(rows[:, 0], rows[:, 1], depth, normal, point)
    return rows_of(found, depth > np.maximum(slop, least_size * sizes_of(w, rows)))


def slops(w: Tables, rows: Integers) -> Floats:
    """Return for pairs of bodies how deep counts as touching when they move."""
    sweeps = w.bodies["sweep"][rows]
    places = np.maximum(np.abs(w.bodies["x"][rows]), np.abs(w.bodies["y"][rows])) + sweeps
    return slops_within(2.0 * sizes_of(w, rows), places.max(axis=1))


def sizes_of(w: Tables, rows: Integers) -> Floats:
    """Return the sizes of pairs of bodies: half the smaller least width; a point has none."""
    sizes = np.where(w.bodies["sweep"][rows] > 0.0, w.bodies["half_width"][rows], np.inf)
    found: Floats = sizes.min(axis=1)
    return np.where(np.isfinite(found), found, 0.0)


def parts_of(w: Tables, numbers: Integers) -> Shapes:
    """Return parts as shapes, where their records say they are."""
    starts = w.parts["record"][numbers]
    sizes = POINTS + STRIDE * w.buffer[starts + COUNT].astype(np.int64)
    records = [w.buffer[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    return Shapes._of(Proxies(np.concatenate(records), np.cumsum(sizes) - sizes))


def shape_of(store: Store, row: int) -> Any:
    """Return the shape of a body where it is, its parts joined where it has several."""
    body = store.tables.bodies[row]
    if body["part_count"] > 1 or isinstance(store.shape_of(row), Compound):
        return store.shape_now(int(row))
    return parts_of(store.tables, np.array([int(body["first_part"])]))[0]


def rows_of(found: WorldOverlaps, kept: Any) -> WorldOverlaps:
    """Return some rows."""
    return WorldOverlaps(*(column[kept] for column in found))


def begin_overlaps(store: Store) -> None:
    """Look for bodies that were put into others since the last step, and note those that still are.

    They are marked as parting, or, in a world that reports overlaps, told of once.
    """
    arrived, known = store.arrived, store.overlapping
    if not arrived and not known:
        return
    # What a changed body still has to do with others is found with the rest.
    kept = {pair for pair in known if arrived.isdisjoint(pair)}
    # A pair no deeper than piles may be is one like any other; what is told of is in until it is out.
    least_size = NO_SIZE if store.reports_overlaps else DEEP_SIZE
    found = sorted(map(tuple, deep_pairs(store, pairs_near(store, arrived) | kept, least_size).tolist()))
    if not found and not known:
        store.arrived = set()
        return
    rows = np.array(found, dtype=np.int64).reshape(-1, 2)
    store.arrived, store.overlapping = set(), set(found)
    if store.reports_overlaps:
        told = [pair for pair in found if pair not in known or not arrived.isdisjoint(pair)]
        report(store, measured(store, told, NO_SIZE))
    overlaps = blank_pairs(store, len(found))
    refill(rows[:, 0] * MOST_PARTS + rows[:, 1], overlaps)
    parting = store.tables.bodies["parting"]
    parting[np.array(sorted(known), dtype=np.int64)] = 0
    parting[rows] = REPORTED if store.reports_overlaps else 1
    new = rows[np.isin(rows, list(arrived)).any(axis=1)]
    if new.size and not store.reports_overlaps:
        wake_beside(store.tables, np.unique(new))


def blank_pairs(store: Store, count: int) -> Integers:
    """Return the table of pairs that overlap, empty, with room for so many."""
    store.make_room("overlaps", 2 * (count + 1))
    overlaps = store.tables.overlaps
    overlaps[:] = FREE
    return overlaps


def report(store: Store, found: WorldOverlaps) -> None:
    """Write pairs among the hits of the step that is about to begin."""
    count = len(found.depth)
    w = store.tables
    first = int(w.state["hits"][0])
    store.make_room("hits", first + count)
    w = store.tables
    for k in range(count):
        body, other, (nx, ny) = int(found.body[k]), int(found.other[k]), found.normal[k].tolist()
        if w.bodies["kind"][body] == DYNAMIC:
            nx, ny = -nx, -ny
        else:
            body, other = other, body
        w.hits[first + k] = (
            0.0,
            *found.point[k].tolist(),
            nx + 0.0,
            ny + 0.0,
            0.0,
            0.0,
            0.0,
            OVERLAPPED,
            body,
            other,
            -1,
            -1,
        )
    w.state["hits"] = first + count
