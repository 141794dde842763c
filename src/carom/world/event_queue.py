"""The predicted events in the order of time: a heap of rows of the table `events`.

The earliest is on top; of two at the same time the one of the lower parts comes first, so that the order does not
depend on how they were found. Behind the heap, in the same column, stand the rows that are free.
"""

from __future__ import annotations

from carom._core.jit import inner
from carom._core.types import Integers
from carom.world.tables import Record, Table


@inner
def comes_before(first: Record, second: Record) -> bool:
    """Tell whether one event comes before another."""
    if first.when != second.when:
        return bool(first.when < second.when)
    if first.part_a != second.part_a:
        return bool(first.part_a < second.part_a)
    if first.part_b != second.part_b:
        return bool(first.part_b < second.part_b)
    return bool(first.what < second.what)


@inner
def push(state: Record, events: Table, heap: Integers) -> None:
    """Put the event in the first free row into the queue."""
    at = state.events
    state.events += 1
    row = heap[at]
    event = events[row]
    while at > 0:
        above = (at - 1) // 2
        if not comes_before(event, events[heap[above]]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = row


@inner
def pop(state: Record, events: Table, heap: Integers) -> None:
    """Take the earliest event out of the queue; its row is free, and stands until the next is pushed."""
    state.events -= 1
    last = state.events
    row = heap[last]
    heap[last] = heap[0]
    event = events[row]
    at = 0
    while 2 * at + 1 < last:
        below = 2 * at + 1
        if below + 1 < last and comes_before(events[heap[below + 1]], events[heap[below]]):
            below += 1
        if not comes_before(events[heap[below]], event):
            break
        heap[at] = heap[below]
        at = below
    if last > 0:
        heap[at] = row
