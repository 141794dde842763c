"""The predicted events in the order of time: a heap of rows of the table `events`.

The earliest is on top; of two at the same time the one of the lower parts comes first, so that the order does not
depend on how they were found. Behind the heap, in the same column, stand the rows that are free.
"""

from __future__ import annotations

from carom._core.jit import inner, kernel
from carom._core.types import Integers
from carom.world.step.declared import Table
from carom.world.step.tables import TOUCH, Event, State, Tables


@inner
def comes_before(first: Event, second: Event) -> bool:
    """Tell whether one event comes before another."""
    if first.when != second.when:
        return bool(first.when < second.when)
    if first.part_a != second.part_a:
        return bool(first.part_a < second.part_a)
    if first.part_b != second.part_b:
        return bool(first.part_b < second.part_b)
    return bool(first.what < second.what)


@inner
def push(state: State, events: Table[Event], heap: Integers) -> None:
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


@kernel
def foresee(w: Tables, what: int, part_a: int, part_b: int, when: float, contact: int) -> bool:
    """Put an event into the queue; False if there is no room. `contact`: the row that a TOUCH tells of."""
    state, parts = w.state[0], w.parts
    if state.events == w.heap.shape[0]:
        drop_void(w)
        if state.events > 3 * w.heap.shape[0] // 4:
            return False
    event = w.events[w.heap[state.events]]
    event.what, event.when, event.contact = what, when, contact
    event.part_a, event.part_b = part_a, part_b
    event.stamp_a, event.stamp_b = w.courses[parts[part_a].body].stamp, w.courses[parts[part_b].body].stamp
    push(state, w.events, w.heap)
    return True


@inner
def is_void(w: Tables, event: Event) -> bool:
    """Tell whether an event was predicted for a way that one of its bodies has left."""
    a, b = w.courses[w.parts[event.part_a].body], w.courses[w.parts[event.part_b].body]
    return bool(event.what != TOUCH and (event.stamp_a != a.stamp or event.stamp_b != b.stamp))


@kernel
def drop_void(w: Tables) -> None:
    """Take the events out of the queue that hold no more."""
    state, events, heap = w.state[0], w.events, w.heap
    count, kept = state.events, 0
    for k in range(count):
        if not is_void(w, events[heap[k]]):
            heap[k], heap[kept] = heap[kept], heap[k]
            kept += 1
    state.events = 0
    for _ in range(kept):
        push(state, events, heap)


@inner
def pop(state: State, events: Table[Event], heap: Integers) -> None:
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
