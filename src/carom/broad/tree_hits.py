"""The first shape that a ray, or a moving shape, meets among all shapes of a tree.

In: a tree, rays or moving shapes, which layers they see and which rows they pass through. Out: for each the slot that
is hit first, of equal ones the one with the lower row number, and the hit as `strike` tells it; and, aside, the few
pairs whose hit lies inside the error bound: the caller has them decided exactly and then compares.

Children are looked at in the order in which the path comes to them, and not at all once a hit is nearer.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Booleans, Floats, Integers
from carom.broad.tree import STACK, WIDTH, Tree
from carom.broad.tree_circles import is_met_later, is_repeated
from carom.broad.tree_paths import meet_boxes, path_of, strike_or_pass
from carom.narrow.slab import Box4, box_of, margin_of
from carom.shapes.proxy import CENTER_X, CENTER_Y, COUNT, RADIUS, REACH, X, Y
from carom.tolerances import SMALLEST_MOTION

PATIENCE = 16
"""Nodes that are looked at by their boxes alone; longer searches are in a crowd, where circles and copies help."""

# slot (-1: none, -2: no room left for doubts), fraction, normal x and y, point x and y, overlapping, doubts so far
First = tuple[int, float, float, float, float, float, bool, int]


@inner
def is_ignored(ignore: Integers, query: int, row: int) -> bool:
    """Tell whether a query passes through a row."""
    for k in range(ignore.shape[1]):
        if ignore[query, k] == row:
            return True
    return False


@kernel
def first_hit(
    tree: Tree,
    a: Floats,
    i: int,
    box: Box4,
    mx: float,
    my: float,
    ray: bool,
    query: int,
    mask: int,
    ignore: Integers,
    nodes: Integers,
    times: Floats,
    near: Floats,
    far: Floats,
    doubt_slots: Integers,
    doubts: int,
) -> First:
    """Return what one mover meets first; undecided hits go to `doubt_slots`."""
    path = path_of(box[0], box[1], box[2], box[3], mx, my)
    length = math.sqrt(mx * mx + my * my)
    center_x, center_y = a[i + X] + a[i + CENTER_X], a[i + Y] + a[i + CENTER_Y]
    inner_radius = a[i + RADIUS]
    outer = inner_radius + a[i + REACH]
    outer += margin_of(2.0 * outer, max(abs(center_x), abs(center_y)) + outer)
    disc, rounded = a[i + COUNT] == 1.0, length > SMALLEST_MOTION
    best, best_row, best_slot = math.inf, np.iinfo(np.int64).max, -1
    bx, by, px, py, overlapping = 0.0, 0.0, 0.0, 0.0, False
    asked, asked_row, asked_slot = math.inf, np.iinfo(np.int64).max, -1
    steps = 0
    limit = 1.0  # no hit is earlier than the entry of its box, nor than that of a box around it
    nodes[0], times[0] = 0, 0.0
    count = 1
    while count > 0:
        count -= 1
        node = nodes[count]
        if times[count] > limit or (best == 0.0 and tree.least[node] > best_row):
            continue
        steps += 1
        if steps > PATIENCE:
            if rounded and is_met_later(tree, node, center_x, center_y, outer, mx, my, length, disc, limit):
                continue
            # What was asked last missed, or came too late, or is the same hit of a lower row: so is each copy of it.
            no_sooner = asked > best or asked == math.inf or tree.least[node] > asked_row
            if no_sooner and is_repeated(tree, node, asked_slot):
                continue
        meet_boxes(tree.boxes, node, path, near, far)
        base = count
        for c in range(WIDTH):
            when = near[c]
            if not when <= min(far[c], limit):
                continue
            if node < tree.leaf:
                # Those met first go on top; of equal ones that with the lowest row number.
                k, child = count, WIDTH * node + 1 + c
                while k > base and (
                    times[k - 1] < when or (times[k - 1] == when and tree.least[nodes[k - 1]] < tree.least[child])
                ):
                    nodes[k], times[k] = nodes[k - 1], times[k - 1]
                    k -= 1
                nodes[k], times[k] = child, when
                count += 1
                continue
            slot = WIDTH * (node - tree.leaf) + c
            row = tree.rows[slot]
            if (tree.layers[slot] & mask) == 0 or is_ignored(ignore, query, row):
                continue
            hit, undecided, inside, fraction, nx, ny, x, y = strike_or_pass(
                a,
                i,
                center_x,
                center_y,
                outer,
                inner_radius,
                tree.records,
                tree.starts[slot],
                tree.circles,
                slot,
                mx,
                my,
                length,
                ray,
                when,
            )
            # A doubtful hit may be sooner than it was found to be, and so may its copies.
            asked, asked_row, asked_slot = (0.0 if undecided else fraction) if hit else math.inf, row, slot
            if hit and undecided:
                if doubts == doubt_slots.shape[0]:
                    return -2, best, bx, by, px, py, overlapping, doubts
                doubt_slots[doubts] = slot
                doubts += 1
                continue
            if not hit or fraction > best or (fraction == best and row > best_row):
                continue
            best, best_row, best_slot, overlapping = fraction, row, slot, inside
            bx, by, px, py = nx + 0.0, ny + 0.0, x, y
            limit = best
    return best_slot, best, bx, by, px, py, overlapping, doubts


@kernel
def first_hits_of_movers(
    tree: Tree,
    movers: Floats,
    starts: Integers,
    motions: Floats,
    masks: Integers,
    ignore: Integers,
    begin: int,
    end: int,
    out_slots: Integers,
    out_fractions: Floats,
    out_normals: Floats,
    out_points: Floats,
    out_overlapping: Booleans,
    doubt_queries: Integers,
    doubt_slots: Integers,
) -> tuple[int, int]:
    """Write what each mover from `begin` to `end` meets first; return the one it came to, and how many are doubted."""
    nodes, times, near, far = np.empty(STACK, dtype=np.int64), np.empty(STACK), np.empty(WIDTH), np.empty(WIDTH)
    doubts = 0
    for query in range(begin, end):
        at = starts[query]
        slot, fraction, nx, ny, px, py, overlapping, after = first_hit(
            tree,
            movers,
            at,
            box_of(movers, at),
            motions[query, 0],
            motions[query, 1],
            False,
            query,
            masks[query],
            ignore,
            nodes,
            times,
            near,
            far,
            doubt_slots,
            doubts,
        )
        if slot == -2:
            return query, doubts
        for k in range(doubts, after):
            doubt_queries[k] = query
        doubts = after
        out_slots[query], out_fractions[query], out_overlapping[query] = slot, fraction, overlapping
        out_normals[query, 0], out_normals[query, 1] = nx, ny
        out_points[query, 0], out_points[query, 1] = px, py
    return end, doubts


@kernel
def finish_rays(
    tree: Tree,
    origins: Floats,
    motions: Floats,
    fractions: Floats,
    out_points: Floats,
    out_distances: Floats,
    out_rows: Integers,
) -> None:
    """Write the distance of each hit, the row in place of its slot, and for a start inside the start as the point."""
    for query in range(out_rows.shape[0]):
        slot = out_rows[query]
        if slot < 0:
            out_distances[query] = math.inf
            continue
        out_rows[query] = tree.rows[slot]
        mx, my = motions[query, 0], motions[query, 1]
        largest = max(abs(mx), abs(my))
        unit = largest if 0.0 < largest < SMALLEST_MOTION else 1.0
        mx, my = mx / unit, my / unit
        out_distances[query] = fractions[query] * (math.sqrt(mx * mx + my * my) * unit)
        if fractions[query] == 0.0:
            out_points[query, 0], out_points[query, 1] = origins[query, 0], origins[query, 1]
