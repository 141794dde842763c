"""The neighbourhood of a mover: the box around it, and the obstacles within a distance of that.

In: a shape or Compound, a set of obstacles. Out: boxes, a little larger than the shapes, and rows. World frame, user's
units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats, Integers
from carom.narrow.slab import Box4, box_of
from carom.narrow.slop import spacing
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.shapes.proxy_writers import starts_of
from carom.shapes.set import Shapes
from carom.shapes.set_rows import Proxies, copy_records
from carom.tolerances import SLOP_SIZE, SLOP_ULPS
from carom.vector import LEAST

ONE_PART = np.zeros(1, dtype=np.int64)
NO_ROWS = np.zeros(0, dtype=np.int64)


def records_of(shape: Any) -> tuple[Floats, Integers]:
    """Return the records of the convex parts of a shape or Compound, one after the other, and where each begins."""
    if isinstance(shape, Compound):
        records = [part._record for part in shape.parts]
        return np.concatenate(records), starts_of(np.array([record.size for record in records], dtype=np.int64))
    return shape._record, ONE_PART


@kernel
def box_of_all(records: Floats, starts: Integers) -> Box4:
    """Return a box that holds some shapes."""
    left, low, right, high = box_of(records, starts[0])
    for k in range(1, starts.shape[0]):
        box = box_of(records, starts[k])
        left, low, right, high = min(left, box[0]), min(low, box[1]), max(right, box[2]), max(high, box[3])
    return left, low, right, high


@kernel
def slop_among(own: Floats, parts: Integers, records: Floats, starts: Integers) -> float:
    """Return how far apart two hits of a mover among obstacles may lie and still be of one instant."""
    left, low, right, high = box_of_all(own, parts)
    largest = max(max(-left, right), max(-low, high))
    for k in range(starts.shape[0]):
        box = box_of(records, starts[k])
        largest = max(largest, max(max(-box[0], box[2]), max(-box[1], box[3])))
    return max(SLOP_SIZE * max(right - left, high - low), max(SLOP_ULPS * spacing(largest), LEAST))


@kernel
def rows_near(
    own: Floats,
    parts: Integers,
    reach: float,
    records: Floats,
    starts: Integers,
    passed: Integers,
    rows: Integers,
) -> tuple[int, int]:
    """Write the rows, but those passed, whose boxes are so near a mover's; return their number, and that of numbers."""
    left, low, right, high = box_of_all(own, parts)
    left, low, right, high = left - reach, low - reach, right + reach, high + reach
    count, size = 0, 0
    for row in range(starts.shape[0]):
        box = box_of(records, starts[row])
        seen = box[0] <= right and box[2] >= left and box[1] <= high and box[3] >= low
        for k in range(passed.shape[0] if seen else 0):
            seen = seen and row != passed[k]
        if seen:
            rows[count] = row
            count += 1
            size += POINTS + STRIDE * int(records[starts[row] + COUNT])
    return count, size


def box_around(shape: Any) -> Box4:
    """Return a box that holds a shape or Compound."""
    box: Box4 = box_of_all(*records_of(shape))
    return box


def obstacles_near(shape: Any, reach: float, obstacles: Shapes, passed: Integers) -> tuple[Shapes, Integers]:
    """Return the obstacles of a set so near a shape, less some rows, and their rows.

    The set of them serves for questions: it knows neither owners nor the numbers of corners.
    """
    found = np.empty(len(obstacles), dtype=np.int64)
    count, size = rows_near(*records_of(shape), reach, obstacles._buffer, obstacles._starts, passed, found)
    rows = found[:count]
    if count == len(obstacles):
        return obstacles, rows
    records, starts = np.empty(size), np.empty(count, dtype=np.int64)
    copy_records(obstacles._buffer, obstacles._starts, rows, records, starts)
    return Shapes._of(Proxies(records, starts)), rows
