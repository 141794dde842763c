"""Bodies that overlap at the start of a step get out of each other, a bounded way in each step, without a jump.

In: pairs of bodies put into each other, with the way out. Out: courses for the step that lead out, besides velocities
which are as if the pair just touched. What parts them is no velocity: it changes neither momentum nor energy, nothing
is thrown, and it ends where the body meets something. Those pairs push at once, and so do those who touch them, so
that a heap sorts itself out; what is wedged stays.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.tolerances import OVERLAP_SIZE, PARTING_SHARE, PARTING_SWEEPS, SETTLED
from carom.world.contacts import add_to_moment
from carom.world.impacts import resolve
from carom.world.overlaps import WorldOverlaps, measured, pairs_near, rows_of, sizes_of
from carom.world.simultaneous import touch
from carom.world.step import HITS_FOR_CONTACT, begin
from carom.world.store import Store
from carom.world.tables import DYNAMIC, KINEMATIC, OVERLAPPED, WITHIN, Tables, larger

PUSHED = -1  # in place of the number of an instant


@kernel
def begin_parting(
    w: Tables, rows: Integers, normals: Floats, points: Floats, shares: Floats, ways: Floats, limits: Floats
) -> None:
    """Begin a step in which pairs of bodies touch at once, and part by so much until its end.

    Out of a narrow gap the way is longer than what they part by: none goes farther than its pair's limit.
    """
    state, bodies, parts, buffer, queue, contacts = w.state[0], w.bodies, w.parts, w.buffer, w.queue, w.contacts
    for k in range(rows.shape[0]):
        for side in range(2):
            body = bodies[rows[k, side]]
            body.asleep, body.held, body.huddle = 0, 0, 0
    begin(state, bodies, queue, w.movers, True)
    state.phase = WITHIN
    state.instant += 1
    for k in range(rows.shape[0]):
        contact = contacts[k]
        contact.a, contact.b, contact.state, contact.impulse = rows[k, 0], rows[k, 1], 0, 0.0
        contact.nx, contact.ny, contact.x, contact.y = normals[k, 0], normals[k, 1], points[k, 0], points[k, 1]
        touch(state, bodies, parts, buffer, queue, contact.a, False)
        touch(state, bodies, parts, buffer, queue, contact.b, False)
        add_to_moment(state, bodies, contacts)
        if bodies[contact.a].kind == KINEMATIC or bodies[contact.b].kind == KINEMATIC:
            state.driven = 1
    resolve(state, bodies, parts, buffer, queue, contacts, w.hits, w.rules, w.near, 0)
    state.contacts, state.dead, state.driven = 0, 0, 0
    push(w, rows, normals, shares, ways)
    for k in range(rows.shape[0]):
        for side in range(2):
            body = bodies[rows[k, side]]
            way = max(abs(body.push_x), abs(body.push_y)) * state.length
            if way > limits[k]:
                body.push_x, body.push_y = body.push_x * (limits[k] / way), body.push_y * (limits[k] / way)
    for k in range(rows.shape[0]):
        for side in range(2):
            body = bodies[rows[k, side]]
            if body.touched != PUSHED:  # once for each body
                body.touched = PUSHED
                body.way_x += body.push_x
                body.way_y += body.push_y
    for k in range(rows.shape[0]):
        bodies[rows[k, 0]].touched = 0
        bodies[rows[k, 1]].touched = 0


@kernel
def push(w: Tables, rows: Integers, normals: Floats, shares: Floats, ways: Floats) -> None:
    """Find how fast each body has to be pushed for its pairs to part by so much (projected Gauss-Seidel)."""
    bodies, rest = w.bodies, w.state[0].length
    for k in range(rows.shape[0]):
        w.contacts[k].impulse = 0.0
    for _ in range(PARTING_SWEEPS):
        largest, speed = 0.0, 0.0
        for k in range(rows.shape[0]):
            a, b, contact = bodies[rows[k, 0]], bodies[rows[k, 1]], w.contacts[k]
            share_a, share_b = shares[k, 0], shares[k, 1]
            if share_a + share_b == 0.0:
                continue
            nx, ny = normals[k, 0], normals[k, 1]
            parting = (b.push_x - a.push_x) * nx + (b.push_y - a.push_y) * ny
            before = contact.impulse
            contact.impulse = max(before + (ways[k] / rest - parting) / (share_a + share_b), 0.0)
            change = contact.impulse - before
            a.push_x -= change * share_a * nx
            a.push_y -= change * share_a * ny
            b.push_x += change * share_b * nx
            b.push_y += change * share_b * ny
            largest = max(largest, abs(change) * (share_a + share_b))
            speed = max(speed, ways[k] / rest)
        if largest <= SETTLED * speed:
            return


def begin_step(store: Store) -> None:
    """Look for bodies that were put into others since the last step; begin the step here if some are to part."""
    arrived, overlapping = store.arrived, store.overlapping
    if not arrived and not overlapping:
        return
    store.arrived = set()
    known = {row for pair in overlapping for row in pair}
    pairs = overlapping | pairs_near(store, arrived, False)
    if known:
        pairs |= pairs_near(store, known, True)
    if not pairs:
        store.overlapping = set()
        return
    found, deep = measured(store, pairs, OVERLAP_SIZE if store.reports_overlaps else 0.0)
    if store.reports_overlaps:
        report(store, rows_of(found, deep))
        return
    if not deep.any():
        store.overlapping = set()
        return
    store.overlapping = set(zip(found.body.tolist(), found.other.tolist(), strict=True))
    part(store, found)


def part(store: Store, found: WorldOverlaps) -> None:
    """Begin a step in which these pairs part."""
    count = len(found.depth)
    w = store.tables
    contacts = larger(w.contacts, count + 1)
    hits = larger(w.hits, int(w.state["hits"][0]) + HITS_FOR_CONTACT * len(contacts))
    store.tables = w = w._replace(contacts=contacts, hits=hits)
    rows = np.column_stack((found.body, found.other))
    sizes = sizes_of(w, rows)
    ways = np.minimum(np.maximum(found.depth, 0.0), PARTING_SHARE * sizes)
    shares, order = shares_of(w, rows)
    w.state["still"] = 0
    limits = 4.0 * PARTING_SHARE * sizes
    normals, points = found.normal[order], found.point[order]
    begin_parting(w, rows[order], normals, points, shares[order], ways[order], limits[order])


def shares_of(w: Tables, rows: Integers) -> tuple[Floats, Integers]:
    """Return how easily both bodies of each pair are pushed, and the order in which the pairs are to be gone through.

    What is nearer to something immovable, counted in pairs, does not give way to what is farther: so a stack goes up.
    """
    dynamic = w.bodies["kind"] == DYNAMIC
    far = np.where(dynamic, len(dynamic), 0)
    while True:
        steps = far[rows].min(axis=1) + 1
        nearer = far.copy()
        np.minimum.at(nearer, rows.ravel(), np.repeat(steps, 2))
        if np.array_equal(nearer, far):
            break
        far = nearer
    # Free bodies share the way by their masses; between others the heavy would press the light in for ever.
    ease = np.where(far < len(dynamic), 1.0, w.bodies["inverse_mass"])
    shares = np.where(dynamic[rows] & (far[rows] >= far[rows].max(axis=1)[:, None]), ease[rows], 0.0)
    largest = shares.max(axis=1, keepdims=True)
    shares = np.divide(shares, largest, out=np.zeros_like(shares), where=largest > 0.0)  # only their ratios count
    return shares, np.argsort(far[rows].min(axis=1), kind="stable")


def report(store: Store, found: WorldOverlaps) -> None:
    """Write pairs among the hits of the step that is about to begin."""
    count = len(found.depth)
    w = store.tables
    first = int(w.state["hits"][0])
    store.tables = w = w._replace(hits=larger(w.hits, first + count))
    for k in range(count):
        body, other, (nx, ny) = int(found.body[k]), int(found.other[k]), found.normal[k].tolist()
        if w.bodies["kind"][body] == DYNAMIC:
            nx, ny = -nx, -ny
        else:
            body, other = other, body
        w.hits[first + k] = (0.0, *found.point[k].tolist(), nx + 0.0, ny + 0.0, 0.0, 0.0, OVERLAPPED, body, other)
    w.state["hits"] = first + count
