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
from carom._core.types import Booleans, Integers
from carom.narrow.compound.bodies import Bodies, bodies, integer_columns, outer_lines, outer_segments, packed, with_room
from carom.narrow.compound.boundary import least_distance
from carom.narrow.compound.inside_exact import Exact, Rounded, exact_core, is_covered, passes_inside
from carom.narrow.dispatch import Rows, run
from carom.narrow.intersects import insides
from carom.narrow.signed_distance import settle_rows
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, RADIUS


@kernel
def _near_parts(a: Bodies, b: Bodies, out_rows: Integers, out_starts: Integers) -> int:
    """Write, for each body of B, which parts of A it may touch, as long as there is room; return how many there are."""
    count = 0
    for row in range(b.starts.shape[0]):
        for part in range(a.starts.shape[0]):
            if least_distance(a.buffer, a.starts[part], b.buffer, b.starts[row], 0.0, 0.0) <= 0.0:
                if count < out_rows.shape[0]:
                    out_rows[count], out_starts[count] = row, a.starts[part]
                count += 1
    return count


def near_parts(a: Bodies, b: Bodies) -> tuple[Integers, Integers]:
    """Return pairs of a row of B and the start of a part of A that it may touch, in the order of rows."""
    rows, starts = with_room(4 * b.starts.size + 16, integer_columns(2), partial(_near_parts, a, b))
    return rows, starts


def contains_rows(whole: Compound, b: Bodies, threads: int) -> Booleans:
    """Tell for each part in B whether a Compound contains it."""
    whole, a = packed(whole)
    inside = np.zeros(b.starts.size, dtype=np.bool_)
    rows, starts = near_parts(a, b)
    within = insides(Rows(a.buffer, starts, b.buffer, b.starts[rows]), threads)
    inside[rows[within]] = True
    counts = b.buffer[b.starts + COUNT]
    sharp = b.buffer[b.starts + RADIUS] == 0.0
    asked = ~inside & ~((counts == 1.0) & sharp)
    if asked.any() and any(part.radius > 0.0 for part in whole.parts):
        _answer_rounded(a, b, asked, rows, starts, inside)
        return inside
    for row in np.flatnonzero(asked & sharp & (counts == 2.0)).tolist():
        start, end = exact_core(b.buffer, int(b.starts[row]))
        inside[row] = _is_covered(start, end, [exact_core(a.buffer, k) for k in starts[rows == row].tolist()])
    solid = asked & ~(sharp & (counts == 2.0))
    if solid.any():
        _answer_solid(whole, a, b, solid, rows, starts, inside, threads)
    return inside


def _overlap(pairs: Rows, threads: int) -> Booleans:
    """Tell exactly for each row whether two shapes overlap."""
    separations = np.zeros(pairs.starts_a.size)
    settle_rows(pairs, np.ones(separations.size, dtype=np.bool_), separations, threads)
    overlapping: Booleans = separations < 0.0
    return overlapping


def _answer_solid(
    whole: Compound,
    a: Bodies,
    b: Bodies,
    solid: Booleans,
    rows: Integers,
    starts: Integers,
    inside: Booleans,
    threads: int,
) -> None:
    """Write whether shapes that have an inside, and that no single part contains, lie in the whole."""
    chosen = solid[rows]
    owners = rows[chosen]
    overlapping = np.zeros(solid.size, dtype=np.bool_)
    overlapping[owners[_overlap(Rows(a.buffer, starts[chosen], b.buffer, b.starts[owners]), threads)]] = True
    outline = outer_segments(whole)
    if outline is None:
        lines = outer_lines(whole)
        for row in np.flatnonzero(overlapping).tolist():
            inside[row] = not _crosses(lines, b, int(b.starts[row]))
        return
    buffer, starts = outline
    edges = a._replace(buffer=buffer, starts=starts)
    owners, segments = near_parts(edges, b)
    chosen = overlapping[owners]
    owners, segments = owners[chosen], segments[chosen]
    overlapping[owners[_overlap(Rows(buffer, segments, b.buffer, b.starts[owners]), threads)]] = False
    inside[overlapping] = True


def _crosses(lines: list[tuple[Exact, Exact]], b: Bodies, start: int) -> bool:
    """Tell whether any outer edge of a body passes through the inside of a shape."""
    core, radius = exact_core(b.buffer, start), Fraction(float(b.buffer[start + RADIUS]))
    return any(passes_inside(p, q, core, radius) for p, q in lines)


def _answer_rounded(a: Bodies, b: Bodies, asked: Booleans, rows: Integers, starts: Integers, inside: Booleans) -> None:
    """Write whether several rounded parts together contain shapes; refuse what cannot be told."""
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


def _is_covered(start: Exact, end: Exact, cores: list[list[Exact]]) -> bool:
    """Tell whether convex polygons together cover a segment."""
    spans = sorted(span for core in cores if (span := _span(start, end, core)) is not None)
    reached = Fraction(0)
    for low, high in spans:
        if low > reached:
            return False
        reached = max(reached, high)
    return bool(spans) and spans[0][0] <= 0 and reached >= 1


def _span(start: Exact, end: Exact, core: list[Exact]) -> tuple[Fraction, Fraction] | None:
    """Return from where to where, as shares, a segment lies in a convex polygon."""
    low, high = Fraction(0), Fraction(1)
    for p, q in zip(core, [*core[1:], core[0]], strict=True):
        ex, ey = q[0] - p[0], q[1] - p[1]
        first = ex * (start[1] - p[1]) - ey * (start[0] - p[0])
        last = ex * (end[1] - p[1]) - ey * (end[0] - p[0])
        if first < 0 and last < 0:
            return None
        if first < 0 or last < 0:
            share = first / (first - last)
            low, high = (max(low, share), high) if first < 0 else (low, min(high, share))
    return (low, high) if low <= high else None
