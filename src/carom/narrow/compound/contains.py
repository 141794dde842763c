"""Whether a body of several parts contains another, boundary included, decided exactly.

In: a Compound or shapes on either side. Out: a bool a row. One part that contains it is enough. Else a shape with an
inside lies in the whole just when it overlaps it and no outer edge passes through its inside; a segment, when the parts
cover it from end to end; a body of parts, when each of its parts lies in the whole. World frame, user's units.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.narrow.compound.bodies import Bodies, parts_of, with_room
from carom.narrow.compound.inside_exact import Rounded, exact_core, is_covered, passes_inside, span_inside
from carom.narrow.compound.packing import bodies, outer_lines, outer_segments, packed
from carom.narrow.compound.part_pairs import exact_sides, least_distance
from carom.narrow.compound.part_tree import FEW, NO_TREE, Parts, pairs_on_way
from carom.narrow.dispatch import Rows, run
from carom.narrow.intersects import insides
from carom.shapes.compound import Compound
from carom.shapes.outlines.exposed import gaps
from carom.shapes.proxy import COUNT, RADIUS


@kernel
def _near_parts(a: Parts, b: Parts, out_rows: Integers, out_starts: Integers) -> int:
    """Write, for each body of B, which parts of A it may touch, as long as there is room; return how many there are."""
    count, pairs = 0, np.empty(FEW, dtype=np.int64)
    for row in range(b.starts.shape[0]):
        total = pairs_on_way(a, 0, b, row, (0.0, 0.0), (0.0, 0.0), 0.0, pairs)
        if total > pairs.shape[0]:
            pairs = np.empty(total, dtype=np.int64)
            pairs_on_way(a, 0, b, row, (0.0, 0.0), (0.0, 0.0), 0.0, pairs)
        for k in range(total):
            start = a.starts[pairs[k] // b.starts.shape[0]]
            if least_distance(a.buffer, start, b.buffer, b.starts[row], 0.0, 0.0) <= 0.0:
                if count < out_rows.shape[0]:
                    out_rows[count], out_starts[count] = row, start
                count += 1
    return count


def near_parts(a: Parts, b: Bodies) -> tuple[Integers, Integers]:
    """Return pairs of a part of B and the start of a part of A that it may touch, in the order of B's parts."""
    alone = Parts(b.buffer, b.starts, np.arange(b.starts.size + 1), *NO_TREE)
    rows, starts = with_room(
        4 * b.starts.size + 16,
        lambda room: (np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)),
        partial(_near_parts, a, alone),
    )
    return rows, starts


def contains_rows(whole: Compound, b: Bodies, threads: int) -> Booleans:
    """Tell for each part in B whether a Compound contains it."""
    whole, a = packed(whole)
    inside = np.zeros(b.starts.size, dtype=np.bool_)
    rows, starts = near_parts(parts_of(a), b)
    within = insides(Rows(a.buffer, starts, b.buffer, b.starts[rows]), threads)
    inside[rows[within]] = True
    counts = b.buffer[b.starts + COUNT]
    sharp = b.buffer[b.starts + RADIUS] == 0.0
    asked = ~inside & ~((counts == 1.0) & sharp)
    if asked.any() and (a.buffer[a.starts + RADIUS] > 0.0).any():
        _answer_rounded(a, b, asked, rows, starts, inside)
        return inside
    for row in np.flatnonzero(asked & sharp & (counts == 2.0)).tolist():
        start, end = exact_core(b.buffer, int(b.starts[row]))
        cores = [exact_core(a.buffer, k) for k in starts[rows == row].tolist()]
        spans = [span for core in cores if (span := span_inside(start, end, core)) is not None]
        inside[row] = not gaps(sorted(spans))
    solid = asked & ~(sharp & (counts == 2.0))
    if solid.any():
        overlapping = _overlap(a.buffer, b, rows, starts, solid, threads)
        inside |= overlapping & ~_crosses(whole, b, overlapping, threads)
    return inside


def _overlap(a: Floats, b: Bodies, rows: Integers, starts: Integers, asked: Booleans, threads: int) -> Booleans:
    """Tell exactly for each of the asked parts of B whether it overlaps any of the parts near it, of these records."""
    near = asked[rows]
    owners = rows[near]
    overlapping = np.zeros(asked.size, dtype=np.bool_)
    sides = exact_sides(Rows(a, starts[near], b.buffer, b.starts[owners]), threads)
    overlapping[owners[sides < 0.0]] = True
    return overlapping


def _crosses(whole: Compound, b: Bodies, asked: Booleans, threads: int) -> Booleans:
    """Tell for each of the asked parts of B whether any outer edge of a Compound passes through its inside."""
    outline = outer_segments(whole)
    if outline is not None:
        return _overlap(outline.buffer, b, *near_parts(outline, b), asked, threads)
    crossed, lines = np.zeros(asked.size, dtype=np.bool_), outer_lines(whole)
    for row in np.flatnonzero(asked).tolist():
        shape = _rounded(b, int(b.starts[row]))
        crossed[row] = any(passes_inside(p, q, *shape) for p, q in lines)
    return crossed


def _answer_rounded(a: Bodies, b: Bodies, asked: Booleans, rows: Integers, starts: Integers, inside: Booleans) -> None:
    """Write whether several rounded parts together contain shapes; refuse a shape where neither answer is found."""
    for row in np.flatnonzero(asked).tolist():
        parts = [_rounded(a, start) for start in starts[rows == row].tolist()]
        answer = is_covered(_rounded(b, int(b.starts[row])), parts)
        if answer is None:
            which = f"row {row} of other" if b.starts.size > 1 else "other"
            reason = "lies in no single part, and whether rounded parts together contain it cannot be told exactly"
            raise ValueError(f"contains: {which} {reason}; ask the parts, or make the body of sharp ones")
        inside[row] = answer


def _rounded(body: Bodies, start: int) -> Rounded:
    return exact_core(body.buffer, start), Fraction(float(body.buffer[start + RADIUS]))


def contains_body(shapes: Any, other: Compound, threads: int) -> Booleans:
    """Tell for each of many shapes, or for a Compound, whether it contains a Compound."""
    b = bodies("contains", "other", other)
    if isinstance(shapes, Compound):
        return np.array([contains_rows(shapes, b, threads).all()])
    buffer, starts = run("contains", "shape", shapes)
    pairs = Rows(buffer, np.repeat(starts, b.starts.size), b.buffer, np.tile(b.starts, starts.size))
    each: Booleans = insides(pairs, threads).reshape(starts.size, b.starts.size)
    answer: Booleans = np.asarray(each.all(axis=1))
    return answer
