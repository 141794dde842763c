"""The minimum translation vector of bodies of many parts: the plane of translations is divided where it is not clear.

In: two bodies that overlap. Out: the vector, as `mtv` tells it, and the pieces of the boundary that it was found with.
A square of translations is left out where one pair of parts overlaps all over it; where few pairs are left, the nearest
free place in it is found from their pieces; else it is divided into four. The nearest square comes first, and what is
farther than a place that was found is never looked at. World frame, user's units.

Each square has a list of pairs of nodes of the two trees. A pair goes where its boxes part all over the square, and is
replaced by pairs of children as long as it is larger than the square.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.narrow.compound.bodies import Corners
from carom.narrow.compound.boundary import ARC, FEATURE, PIECE, X0, X1, Y0, Y1, write_pieces
from carom.narrow.compound.cover import cover_of
from carom.narrow.compound.mtv_pieces import Mtv, mtv_within
from carom.narrow.compound.part_pairs import BodyRows, offset
from carom.narrow.compound.part_tree import DEPTH, Parts, children_of, node_box, part_of, root_of, splits_first
from carom.narrow.slab import Box4
from carom.narrow.walk import advance, nearest_feature, start
from carom.shapes.proxy import RADIUS
from carom.tolerances import SURELY_LESS

FEW_PAIRS = 6
"""With so many pairs of parts or fewer in a square, the places in it are worked out."""

SAME_SHARE, ALIKE = 0.75, 3
"""Where so many squares in turn keep more than this share of the pairs of the one before, none is divided again."""

LARGER = 8.0
"""A pair of nodes is replaced by pairs of children where it is so many times larger than half a square."""

SMALLEST_SHARE = 2.0**-24
"""Share of the first square below which no square is divided."""

MANY = 2**40
"""In place of the number of pairs of the square before, where these were not all parts."""

MOST_SQUARES = 100_000
"""After so many squares the search is given up, and all pieces are looked at: a bound for what no test has met."""

Square = tuple[float, float, float]
"""Its centre, and half a side."""

# Columns of a square: its distance from the origin, its centre, half a side.
KEY, CX, CY, HALF = 0, 1, 2, 3


@inner
def depth_at(a: Floats, i: int, b: Floats, j: int, tx: float, ty: float, reach: float) -> float:
    """Return how deep two parts overlap, B moved by t; where they do not, minus what they are apart at least.

    If they are apart by more than `reach`, any number is told that says so.
    """
    offset_x, offset_y = offset(a, i, b, j, tx, ty)
    radius = a[i + RADIUS] + b[j + RADIUS]
    at, bt, left_a, left_b = start(a, i, b, j)
    worst = -math.inf
    while left_a + left_b > 0:
        px, py = (a[at] - b[bt]) - offset_x, (a[at + 1] - b[bt + 1]) - offset_y
        nx, ny, at, bt, left_a, left_b = advance(a, i, at, left_a, b, j, bt, left_b)
        worst = max(worst, -(nx * px + ny * py))
        if radius - worst < -reach:
            return float(radius - worst)
    if -math.inf < worst < 0.0 or worst >= radius > 0.0 or (worst >= 0.0 and radius == 0.0):
        return float(radius - worst)
    return float(radius - nearest_feature(a, i, b, j, -tx, -ty)[0])


@inner
def square_key(cx: float, cy: float, half: float) -> float:
    """Return how far a square is from the origin."""
    dx, dy = max(abs(cx) - half, 0.0), max(abs(cy) - half, 0.0)
    return math.sqrt(dx * dx + dy * dy)


@kernel
def push_square(
    heap: Floats, lists: Integers, count: int, square: Square, begin: int, end: int, before: int, alike: int
) -> None:
    """Put a square on the heap of `count` others, the nearest first."""
    cx, cy, half = square
    key = square_key(cx, cy, half)
    k = count
    while k > 0:
        above = (k - 1) // 2
        if heap[above, KEY] <= key:
            break
        for column in range(4):
            heap[k, column] = heap[above, column]
        for column in range(4):
            lists[k, column] = lists[above, column]
        k = above
    heap[k, KEY], heap[k, CX], heap[k, CY], heap[k, HALF] = key, cx, cy, half
    lists[k, 0], lists[k, 1], lists[k, 2], lists[k, 3] = begin, end, before, alike


@kernel
def pop_square(heap: Floats, lists: Integers, count: int) -> None:
    """Take the nearest of `count` squares off the heap; it is left at the place behind the others."""
    last = count - 1
    for column in range(4):
        heap[0, column], heap[last, column] = heap[last, column], heap[0, column]
    for column in range(4):
        lists[0, column], lists[last, column] = lists[last, column], lists[0, column]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= last:
            return
        if child + 1 < last and heap[child + 1, KEY] < heap[child, KEY]:
            child += 1
        if heap[k, KEY] <= heap[child, KEY]:
            return
        for column in range(4):
            heap[k, column], heap[child, column] = heap[child, column], heap[k, column]
        for column in range(4):
            lists[k, column], lists[child, column] = lists[child, column], lists[k, column]
        k = child


@inner
def pairs_in_square(
    a: Parts,
    body_a: int,
    b: Parts,
    body_b: int,
    square: Square,
    band: float,
    divided: bool,
    pool: Integers,
    begin: int,
    end: int,
    waiting: Integers,
    out: Integers,
) -> tuple[int, bool]:
    """Write the pairs of nodes that matter in a square, of a list; return how many, and whether all are parts.

    -1 stands for a square in which one pair overlaps everywhere. With `divided` all pairs are divided down to parts.
    """
    cx, cy, half = square
    reach, found, whole = half * math.sqrt(2.0) + band, 0, True
    deepest, first_one = -math.inf, 0
    for k in range(begin, end):
        waiting[0, 0], waiting[0, 1] = pool[k, 0], pool[k, 1]
        left = 1
        while left > 0:
            left -= 1
            node_a, node_b = waiting[left, 0], waiting[left, 1]
            one, other = node_box(a, node_a), node_box(b, node_b)
            low_x, high_x, low_y, high_y = one[0] - other[2], one[2] - other[0], one[1] - other[3], one[3] - other[1]
            # One question of four in place of four: which of them is yes is a toss.
            aside = (low_x > cx + half + band) | (high_x < cx - half - band)
            if aside | (low_y > cy + half + band) | (high_y < cy - half - band):
                continue
            part_a, part_b = part_of(a, body_a, node_a), part_of(b, body_b, node_b)
            if part_a >= 0 and part_b >= 0:
                depth = depth_at(a.buffer, a.starts[part_a], b.buffer, b.starts[part_b], cx, cy, reach)
                if depth > reach:
                    return -1, True
                if depth < -reach:
                    continue
                if depth > deepest:
                    deepest, first_one = depth, found
            elif divided or max(high_x - low_x, high_y - low_y) > LARGER * half:
                for_a = splits_first(a, part_a, node_a, b, part_b, node_b)
                first, second = children_of(a, body_a, node_a) if for_a else children_of(b, body_b, node_b)
                for m in range(2):
                    child = second if m == 0 else first
                    waiting[left, 0], waiting[left, 1] = (child, node_b) if for_a else (node_a, child)
                    left += 1
                continue
            else:
                whole = False
            if found < out.shape[0]:
                out[found, 0], out[found, 1] = node_a, node_b
            found += 1
    # The pair that overlaps most comes first: it is the likeliest to overlap all over a quarter of the square.
    if first_one < min(found, out.shape[0]):
        for side in range(2):
            out[0, side], out[first_one, side] = out[first_one, side], out[0, side]
    return found, whole


@kernel
def keep_in_square(piece: Floats, count: int, square: Box4) -> int:
    """Keep the pieces whose boxes meet a square, in their order; return how many there are."""
    kept = 0
    for k in range(count):
        if piece[k, FEATURE] == ARC:
            radius = piece[k, X1]
            low_x, high_x = piece[k, X0] - radius, piece[k, X0] + radius
            low_y, high_y = piece[k, Y0] - radius, piece[k, Y0] + radius
        else:
            low_x, high_x = min(piece[k, X0], piece[k, X1]), max(piece[k, X0], piece[k, X1])
            low_y, high_y = min(piece[k, Y0], piece[k, Y1]), max(piece[k, Y0], piece[k, Y1])
        if low_x <= square[2] and high_x >= square[0] and low_y <= square[3] and high_y >= square[1]:
            for column in range(PIECE):
                piece[kept, column] = piece[k, column]
            kept += 1
    return kept


@kernel
def mtv_by_squares(rows: BodyRows, row: int, band: float) -> tuple[Mtv, Floats]:
    """Return the minimum translation vector of a row's bodies, and the pieces that it was found with."""
    body_a, body_b = rows.rows_a[row], rows.rows_b[row]
    whole_a, whole_b = rows.a, rows.b
    a = Parts(whole_a.buffer, whole_a.starts, whole_a.first, whole_a.nodes, whole_a.boxes)
    b = Parts(whole_b.buffer, whole_b.starts, whole_b.first, whole_b.nodes, whole_b.boxes)
    corners_a = Corners(whole_a.buffer, whole_a.starts, whole_a.exposed, whole_a.cones)
    corners_b = Corners(whole_b.buffer, whole_b.starts, whole_b.exposed, whole_b.cones)
    one, other = node_box(a, root_of(a, body_a)), node_box(b, root_of(b, body_b))
    # Out of the box around A along an axis, B is free.
    most = min(min(one[2] - other[0], other[2] - one[0]), min(one[3] - other[1], other[3] - one[1])) + 2.0 * band
    best: Mtv = most, 0.0, 0.0, 1.0, 0.0, -1, -1
    best_pieces = np.empty((0, PIECE))
    heap, lists = np.empty((256, 4)), np.empty((256, 4), dtype=np.int64)
    pool, waiting = np.empty((1024, 2), dtype=np.int64), np.empty((DEPTH, 2), dtype=np.int64)
    near, piece = np.empty((256, 2), dtype=np.int64), np.empty((64, PIECE))
    pool[0, 0], pool[0, 1] = root_of(a, body_a), root_of(b, body_b)
    used, count = 1, 1
    push_square(heap, lists, 0, (0.0, 0.0, most), 0, 1, MANY, 0)
    seen = 0
    while count > 0:
        seen += 1
        if seen > MOST_SQUARES:
            return (math.inf, 0.0, 0.0, 1.0, 0.0, -1, -1), best_pieces
        pop_square(heap, lists, count)
        count -= 1
        cx, cy, half = heap[count, CX], heap[count, CY], heap[count, HALF]
        begin, end = lists[count, 0], lists[count, 1]
        if heap[count, KEY] > best[0]:
            break
        smallest = half <= SMALLEST_SHARE * most
        while True:
            found, parts_only = pairs_in_square(
                a, body_a, b, body_b, (cx, cy, half), band, smallest, pool, begin, end, waiting, near
            )
            if found <= near.shape[0]:
                break
            near = np.empty((2 * found, 2), dtype=np.int64)
        if found <= 0:
            continue
        # Where sides lie on one line, smaller squares would have the same pairs.
        alike = lists[count, 3] + 1 if found > SAME_SHARE * lists[count, 2] else 0
        if parts_only and (found <= FEW_PAIRS or alike >= ALIKE or smallest):
            pairs = np.empty((found, 4), dtype=np.int64)
            for k in range(found):
                part_a, part_b = part_of(a, body_a, near[k, 0]), part_of(b, body_b, near[k, 1])
                pairs[k, 0], pairs[k, 1], pairs[k, 2], pairs[k, 3] = a.starts[part_a], b.starts[part_b], part_a, part_b
            reach = math.sqrt(cx * cx + cy * cy) + 2.0 * half + band
            cover = cover_of(whole_a, whole_b, pairs, 2.0 * reach)
            while True:
                total = write_pieces(whole_a, whole_b, cover, 0.0, 0.0, reach, piece)
                if total <= piece.shape[0]:
                    break
                piece = np.empty((2 * total, PIECE))
            limit = best[0] if best[5] < 0 else best[0] * SURELY_LESS
            square = cx - half - band, cy - half - band, cx + half + band, cy + half + band
            total = keep_in_square(piece, total, square)
            way = mtv_within(corners_a, corners_b, cover, piece, total, limit, band, square)
            if way[0] < math.inf:
                best, best_pieces = way, piece
                piece = np.empty((64, PIECE))
            continue
        if used + found > pool.shape[0]:
            longer = np.empty((2 * (used + found), 2), dtype=np.int64)
            for k in range(used):
                longer[k, 0], longer[k, 1] = pool[k, 0], pool[k, 1]
            pool = longer
        for k in range(found):
            pool[used + k, 0], pool[used + k, 1] = near[k, 0], near[k, 1]
        if count + 4 > heap.shape[0]:
            higher, longer_lists = np.empty((2 * heap.shape[0], 4)), np.empty((2 * heap.shape[0], 4), dtype=np.int64)
            for k in range(count):
                for column in range(4):
                    higher[k, column], longer_lists[k, column] = heap[k, column], lists[k, column]
            heap, lists = higher, longer_lists
        for quarter in range(4):
            x = cx + (0.5 * half if quarter % 2 else -0.5 * half)
            y = cy + (0.5 * half if quarter >= 2 else -0.5 * half)
            if square_key(x, y, 0.5 * half) <= best[0]:
                before = found if parts_only else MANY
                push_square(heap, lists, count, (x, y, 0.5 * half), used, used + found, before, alike)
                count += 1
        used += found
    return best, best_pieces
