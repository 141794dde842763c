"""Pairs of boxes by dividing and sweeping: for any boxes at all, time grows as rows times the logarithm, plus pairs.

In: boxes (n, 4), alone or of two sets. Out: pairs of row numbers whose boxes touch or overlap, each once; or, where
they are more than there is room for, only their exact number, in a time that does not depend on it.

Boxes are numbered by their lower x. The partners of a box along x that come behind it are then one run of numbers, up
to the last that begins before it ends. The numbers are halved again and again, as in a segment tree. Where a run
reaches over all of a part, its box is taken out of the lists and swept against the boxes of that part along y: for
each, the partners that begin within it are again one run. The boxes left in a part of a few numbers are compared one
by one. Everything is told by ranks, whole numbers, so that equal and tiny and huge coordinates are all the same.
Source: A. Zomorodian, H. Edelsbrunner, "Fast Software for Box Intersections" (2000), in two dimensions.
"""

from __future__ import annotations

import numpy as np

from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers, Rows32

LEAF = 16  # numbers that are compared one by one

# Columns of an entry: number by lower x, number of the last box that begins before this one ends; the same along y.
X, LAST_X, Y, LAST_Y = range(4)


@inner
def exponential_search(values: Integers | Rows32, begin: int, end: int, least: int) -> int:
    """Return the first place from `begin` on whose value is at least so large; values ascend.

    Steps that double, then halves: soonest where that place is near (J. L. Bentley, A. C. Yao, "An Almost Optimal
    Algorithm for Unbounded Searching", 1976).
    """
    step, low = 1, begin
    while low < end and values[low] < least:
        begin = low + 1
        low += step
        step *= 2
    high = min(low, end)
    while begin < high:
        middle = (begin + high) // 2
        if values[middle] < least:
            begin = middle + 1
        else:
            high = middle
    return begin


@inner
def beyond(values: Rows32, begin: int, end: int, limit: int) -> int:
    """Return the first place from `begin` on whose value is above `limit`, soonest if it is near; values ascend."""
    if begin < end and values[end - 1] <= limit:
        return end
    return exponential_search(values, begin, end, limit + 1)


# The loops below have no branches: which boxes go where cannot be foretold, and a wrong guess costs more than a copy.


@inner
def copy_entry(entries: Rows32, k: int, place: int) -> None:
    """Copy one entry to a place in the same table."""
    entries[place, 0], entries[place, 1] = entries[k, 0], entries[k, 1]
    entries[place, 2], entries[place, 3] = entries[k, 2], entries[k, 3]


@inner
def keep_reaching(entries: Rows32, begin: int, stop: int, middle: int) -> int:
    """Keep the boxes that are numbered from `middle` on or reach it; return where the list then ends."""
    place = begin
    for k in range(begin, stop):
        # A box that begins behind the middle reaches it, too.
        kept = entries[k, LAST_X] >= middle
        copy_entry(entries, k, place)
        place += 1 if kept else 0
    return place


@inner
def copy_left(entries: Rows32, begin: int, stop: int, middle: int) -> int:
    """Copy the boxes numbered below `middle` behind the list; return where the copy ends."""
    place = stop
    for k in range(begin, stop):
        kept = entries[k, X] < middle
        copy_entry(entries, k, place)
        place += 1 if kept else 0
    return place


@inner
def take_spans(entries: Rows32, begin: int, stop: int, first: int, last: int, out: Rows32) -> tuple[int, int]:
    """Move boxes that begin before `first` and reach over `last` out of the list; return its end, and how many left."""
    place, count = begin, 0
    for k in range(begin, stop):
        spans = (entries[k, X] < first) & (entries[k, LAST_X] >= last)
        out[0, count], out[1, count], out[2, count] = entries[k, Y], entries[k, LAST_Y], entries[k, X]
        copy_entry(entries, k, place)
        count += 1 if spans else 0
        place += 0 if spans else 1
    return place, count


@inner
def copy_own(entries: Rows32, begin: int, stop: int, first: int, out: Rows32) -> int:
    """Copy the boxes numbered from `first` on; return how many."""
    count = 0
    for k in range(begin, stop):
        out[0, count], out[1, count], out[2, count] = entries[k, Y], entries[k, LAST_Y], entries[k, X]
        count += 1 if entries[k, X] >= first else 0
    return count


@inner
def of_side(boxes: Rows32, count: int, rows: Rows32, split: int, low: bool, out: Rows32) -> int:
    """Copy those whose row is below `split`, or the others; return how many."""
    kept = 0
    for k in range(count):
        out[0, kept], out[1, kept], out[2, kept] = boxes[0, k], boxes[1, k], boxes[2, k]
        kept += 1 if (rows[boxes[2, k]] < split) == low else 0
    return kept


@kernel
def _sweep_lists(
    spans: Rows32,
    span_count: int,
    own: Rows32,
    own_count: int,
    rows: Rows32,
    found: int,
    out_first: Rows32,
    out_second: Rows32,
) -> int:
    """Write the pairs of two lists (y, last y, number), one of each, that overlap along y; both ascend in y."""
    room = out_first.shape[0]
    a, b = 0, 0
    while a < span_count and b < own_count:
        if spans[0, a] < own[0, b]:
            stop, row = beyond(own[0], b, own_count, spans[1, a]), rows[spans[2, a]]
            if found + (stop - b) <= room:
                for k in range(b, stop):
                    out_first[found + k - b], out_second[found + k - b] = row, rows[own[2, k]]
            found += stop - b
            a += 1
        else:
            stop, row = beyond(spans[0], a, span_count, own[1, b]), rows[own[2, b]]
            if found + (stop - a) <= room:
                for k in range(a, stop):
                    out_first[found + k - a], out_second[found + k - a] = rows[spans[2, k]], row
            found += stop - a
            b += 1
    return found


@kernel
def _search(
    entries: Rows32,
    count: int,
    rows: Rows32,
    split: int,
    spans: Rows32,
    own: Rows32,
    spans_of_side: Rows32,
    own_of_side: Rows32,
    stack: Integers,
    out_first: Rows32,
    out_second: Rows32,
) -> int:
    """Write the pairs of `count` entries in the order of y; return how many there are, or -1 if `entries` is too short.

    `rows` tells the row of each number. With `split` > 0 only pairs of a row below it and another are asked for. The
    pairs written are all where they leave room for another `count`; otherwise they mean nothing.
    """
    found, room = 0, out_first.shape[0]
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, count, 0, count, 0
    top = 1
    while top > 0:
        # A part: numbers from `first` to `end`, and its list, from `begin` to `stop`, of the boxes in it and of those
        # before it that reach into it.
        first, end, begin, stop, halved = stack[top - 1]
        middle = (first + end) // 2
        if halved == 1:
            # The left half is done. The part becomes its right half.
            stop = keep_reaching(entries, begin, stop, middle)
            first = middle
            middle = (first + end) // 2
        # Boxes that reach over the whole part leave its list and are swept against those in it.
        stop, span_count = take_spans(entries, begin, stop, first, end - 1, spans)
        if span_count > 0:
            own_count = copy_own(entries, begin, stop, first, own)
            if split == 0:
                found = _sweep_lists(spans, span_count, own, own_count, rows, found, out_first, out_second)
            else:
                for low in range(2):
                    some_spans = of_side(spans, span_count, rows, split, low == 1, spans_of_side)
                    some_own = of_side(own, own_count, rows, split, low == 0, own_of_side)
                    found = _sweep_lists(
                        spans_of_side, some_spans, own_of_side, some_own, rows, found, out_first, out_second
                    )
        if end - first <= LEAF:
            for k in range(begin, stop):
                number, y, last_y = entries[k, X], entries[k, Y], entries[k, LAST_Y]
                if number < first:
                    continue
                row = rows[number]
                # Without room, pairs are only counted, and the ones written mean nothing.
                start = found if found + (stop - begin) <= room else 0
                place = start
                for other in range(begin, stop):
                    hit = (entries[other, X] < number) & (entries[other, LAST_X] >= number)
                    hit = hit & (entries[other, Y] <= last_y) & (entries[other, LAST_Y] >= y)
                    partner = rows[entries[other, X]]
                    if split > 0:
                        hit = hit & ((partner < split) != (row < split))
                    out_first[place], out_second[place] = partner, row
                    place += 1 if hit else 0
                found += place - start
            top -= 1
            continue
        stack[top - 1, 0], stack[top - 1, 2], stack[top - 1, 3], stack[top - 1, 4] = first, begin, stop, 1
        if stop + (stop - begin) > entries.shape[0]:
            return -1
        place = copy_left(entries, begin, stop, middle)
        stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4] = first, middle, stop, place, 0
        top += 1
    return found


def ranked(bounds: Floats) -> tuple[Rows32, Rows32]:
    """Return the entries of boxes in the order of y, and the row of each number along x."""
    n = len(bounds)
    entries = np.empty((n, 4), np.int32)
    by_x, by_y = np.argsort(bounds[:, 0]), np.argsort(bounds[:, 1])
    numbers, last_x = np.empty(n, np.int32), np.empty(n, np.int32)
    numbers[by_x] = np.arange(n, dtype=np.int32)
    last_x[by_x] = np.searchsorted(bounds[by_x, 0], bounds[by_x, 2], side="right") - 1
    entries[:, X], entries[:, LAST_X] = numbers[by_y], last_x[by_y]
    entries[:, Y] = np.arange(n, dtype=np.int32)
    entries[:, LAST_Y] = np.searchsorted(bounds[by_y, 1], bounds[by_y, 3], side="right") - 1
    return entries, by_x.astype(np.int32)


def sweep(bounds: Floats, split: int, room: int) -> tuple[int, Rows32, Rows32]:
    """Return how many pairs there are, and the pairs, either way round, if they are no more than `room`.

    With `split` > 0 the rows below it and the others are two sets, and pairs are of one of each.
    """
    n = len(bounds)
    entries, rows = ranked(bounds)
    spans, own, spans_of_side, own_of_side = np.empty((4, 3, n + 1), np.int32)
    # A list is compared without asking whether each of its pairs still fits.
    out_first, out_second = np.empty(room + n, np.int32), np.empty(room + n, np.int32)
    stack = np.empty((64, 5), np.int64)
    most = n * (2 + int(n).bit_length())
    length = min(4 * n + 64, most)
    while True:
        lists = np.empty((length, 4), np.int32)
        lists[:n] = entries
        found = _search(lists, n, rows, split, spans, own, spans_of_side, own_of_side, stack, out_first, out_second)
        if found >= 0:
            break
        length = min(2 * length, most)
    kept = min(found, room)
    return found, out_first[:kept], out_second[:kept]
