"""Sets of shapes from arrays: points, circles, segments, capsules, boxes, polygons, polylines, one shape many times.

In: the user's arrays, validated here. Out: `Proxies`, each row with the numbers of the single value, bit for bit.
What a kernel cannot settle for sure, row by row (an outline in need of cleaning, a size lost to rounding), the single
value's own constructor settles. World frame, user's units; angles in radians.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs, shape_inputs
from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.basic import ConvexShape, Polygon, Shape
from carom.shapes.box import Box
from carom.shapes.compound import Compound
from carom.shapes.proxy import COUNT, DISC, KIND, OBB, POINTS, POLYGON, RADIUS, STADIUM, STRIDE, X, Y
from carom.shapes.proxy_writers import (
    BOX_LENGTH,
    make_proxies,
    order_outlines,
    quarter_turns,
    starts_of,
    write_box,
    write_span,
)
from carom.shapes.set_rows import Proxies
from carom.tolerances import SMALLEST_SIZE


def from_values(values: Any) -> Proxies:
    """Return one row for each shape, and for each Compound one row for each of its parts."""
    given = inputs.listed("Shapes", "values", values, "shapes")
    owner = input_count = None
    if not all(isinstance(value, ConvexShape) for value in given):
        for row, value in enumerate(given):
            if not isinstance(value, Shape):
                inputs.refuse_type("Shapes", f"values[{row}]", value, "must be a shape")
        input_count = len(given)
        counts = [len(value.parts) if isinstance(value, Compound) else 1 for value in given]
        owner = np.repeat(np.arange(input_count), counts)
        given = [part for value in given for part in (value.parts if isinstance(value, Compound) else (value,))]
    proxies = [value._record for value in given]
    starts = starts_of(np.array([proxy.size for proxy in proxies], dtype=np.int64))
    buffer = np.concatenate(proxies) if proxies else np.zeros(0)
    details = [value._detail for value in given]
    sizes = ids = None
    if any(detail is not None for detail in details):
        kinds = buffer[starts + KIND]
        counts = buffer[starts + COUNT].astype(np.int64).tolist()
        turned = np.flatnonzero(kinds == OBB)
        if turned.size:
            sizes = np.zeros((starts.size, 3))
            sizes[turned] = [details[row] for row in turned.tolist()]
        for row in np.flatnonzero(kinds != POLYGON).tolist():
            details[row] = tuple(range(counts[row]))
        if any(detail != tuple(range(count)) for detail, count in zip(details, counts, strict=True)):
            ids = numbers([number for detail in details for number in detail])
    return Proxies(buffer, starts, sizes, ids, owner, input_count)


def numbers(values: Sequence[int]) -> NDArray[Any]:
    """Return the user's vertex numbers as an array, of objects if one is beyond int64."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def repeated(shape: Any, count: Any) -> Proxies:
    """Return one shape or Compound `count` times."""
    where = "Shapes.repeat"
    if not isinstance(shape, Shape):
        inputs.refuse_type(where, "shape", shape, "must be a shape")
    times = inputs.integer(where, "count", count)
    if times < 0:
        inputs.refuse(ValueError, where, "count", times, "must not be negative")
    one = from_values([shape])
    if times > sys.maxsize // (8 * one.buffer.size):
        inputs.refuse(ValueError, where, "count", count, "is more than any memory holds")
    parts = one.starts.size
    return Proxies(
        np.tile(one.buffer, times),
        (one.buffer.size * np.arange(times)[:, None] + one.starts).reshape(-1),
        None if one.sizes is None else np.tile(one.sizes, (times, 1)),
        None if one.ids is None else np.tile(one.ids, times),
        None if one.owner is None else np.repeat(np.arange(times), parts),
        None if one.owner is None else times,
    )


def discs(at: Floats, radii: Floats) -> Proxies:
    """Return points, and circles where the radius is not 0."""
    n = len(at)
    buffer = np.zeros((n, POINTS + STRIDE))
    buffer[:, KIND], buffer[:, COUNT], buffer[:, RADIUS] = DISC, 1.0, radii
    buffer[:, X : Y + 1] = at
    return Proxies(buffer.reshape(-1), (POINTS + STRIDE) * np.arange(n))


def spans(where: str, start: ArrayLike, end: ArrayLike, *radius: ArrayLike) -> Proxies:
    """Return capsules by the ends of the segment inside and one argument of radii; segments without it."""
    a, b = inputs.tables(where, {"start": start, "end": end}, radius)
    r = inputs.size_column(where, "radius", radius[0], len(a)) if radius else np.zeros(len(a))
    return _spans(where, a, b, r, lambda row: (f"end[{row}]", f"start[{row}]"))


def _spans(where: str, a: Floats, b: Floats, radii: Floats, names: Callable[[int], tuple[str, str]]) -> Proxies:
    short = np.maximum(np.abs(b[:, 0] - a[:, 0]), np.abs(b[:, 1] - a[:, 1])) < SMALLEST_SIZE
    if short.any():
        row = int(short.argmax())
        end, start = names(row)
        expected = f"must differ from {start}; did you mean Shapes.points or Shapes.circles?"
        if (a[row] != b[row]).any():
            expected = f"must be at least {SMALLEST_SIZE:g} from {start} = {tuple(a[row].tolist())}"
        inputs.refuse(ValueError, where, end, tuple(b[row].tolist()), expected)
    points = np.stack((a, b), axis=1).reshape(-1, 2)
    return Proxies(*make_proxies(np.full(len(a), STADIUM), points, 2 * np.arange(len(a) + 1), radii))


def polylines(where: str, lines: Sequence[Any] | NDArray[Any], closed: Any, name: Callable[[int], str]) -> Proxies:
    """Return the segments between the points of lines; rows of one line have one owner."""
    closed = inputs.truth(where, "closed", closed)
    starts, ends, counts, places = [], [], [], []
    for k, line in enumerate(lines):
        kept, places_of_line = shape_inputs.line(where, name(k), line, closed)
        starts.append(kept[:-1])
        ends.append(kept[1:])
        counts.append(len(kept) - 1)
        places += places_of_line
    owner = np.repeat(np.arange(len(counts)), counts)
    none = np.zeros((0, 2))
    a, b = np.concatenate((none, *starts)), np.concatenate((none, *ends))

    def names(row: int) -> tuple[str, str]:
        line, place = name(int(owner[row])), places[row]
        return f"{line}[{place}]", f"{line}[{place - 1}]"

    return _spans(where, a, b, np.zeros(len(a)), names)._replace(owner=owner, inputs=len(counts))


def boxes(where: str, center: ArrayLike, size: ArrayLike, angle: ArrayLike, radius: ArrayLike) -> Proxies:
    """Return boxes by centre and size."""
    at, full = inputs.tables(where, {"center": center, "size": size}, (angle, radius))
    bad = (full < SMALLEST_SIZE).any(axis=1)
    if bad.any():
        row = int(bad.argmax())
        remedy = "; did you pass corners? Use Box.from_corners"
        shape_inputs.sizes(where, f"size[{row}]", tuple(full[row].tolist()), remedy)
    turns = inputs.column(where, "angle", angle, len(at))
    r = shape_inputs.growth_column(where, "radius", radius, len(at))

    def refused(row: int, error: ValueError) -> ValueError:
        wide, middle = tuple(full[row].tolist()), tuple(at[row].tolist())
        return ValueError(f"{where}: size[{row}] = {wide} at center[{row}] = {middle}: {error}")

    return placed_boxes(at, full, turns, r, refused)


def spanned_boxes(where: str, bounds: ArrayLike, radius: ArrayLike) -> Proxies:
    """Return boxes along the axes by their corners: min x, min y, max x, max y."""
    spans = inputs.table(where, "bounds", bounds, 4)
    r = shape_inputs.growth_column(where, "radius", radius, len(spans))
    buffer, doubtful = np.empty(BOX_LENGTH * len(spans)), np.zeros(len(spans), dtype=np.bool_)
    _write_spans(spans, r, buffer, doubtful)
    for row in np.flatnonzero(doubtful)[:1].tolist():
        x0, y0, x1, y1 = spans[row].tolist()
        expected = "must be min x, min y, max x, max y, with room in between; for a line use Segment"
        inputs.refuse(ValueError, where, f"bounds[{row}]", (x0, y0, x1, y1), expected)
    return Proxies(buffer, BOX_LENGTH * np.arange(len(spans)))


@kernel
def _write_spans(spans: Floats, radii: Floats, out: Floats, out_refused: Booleans) -> None:
    for row in range(spans.shape[0]):
        x0, y0, x1, y1 = spans[row, 0], spans[row, 1], spans[row, 2], spans[row, 3]
        out_refused[row] = not write_span(x0, y0, x1, y1, radii[row], out, BOX_LENGTH * row)


def placed_boxes(
    at: Floats, full: Floats, turns: Floats, radii: Floats, refused: Callable[[int, ValueError], ValueError]
) -> Proxies:
    """Return boxes whose numbers are checked; `refused` makes the error of a row that `Box` refuses."""
    half = full * 0.5
    n = len(at)
    buffer, quarters, doubtful = np.empty(BOX_LENGTH * n), np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    _write_boxes(at, half, turns, radii, buffer, quarters, doubtful)
    for row in np.flatnonzero(doubtful).tolist():
        try:
            Box(at[row], full[row], turns.item(row), radius=radii.item(row))
        except ValueError as error:
            raise refused(row, error) from None
    details = None
    if (quarters < 0).any():
        details = np.column_stack((2.0 * half, turns))
        details[quarters >= 0] = 0.0
    return Proxies(buffer, BOX_LENGTH * np.arange(n), details)


@kernel
def _write_boxes(
    at: Floats, half: Floats, turns: Floats, radii: Floats, out: Floats, out_quarters: Integers, out_doubtful: Booleans
) -> None:
    for row in range(at.shape[0]):
        place = BOX_LENGTH * row
        x, y, w, h = at[row, 0], at[row, 1], half[row, 0], half[row, 1]
        out_quarters[row] = quarter_turns(turns[row])
        if out_quarters[row] >= 0:
            if out_quarters[row] % 2 == 1:
                w, h = h, w
            out_doubtful[row] = not write_span(x - w, y - h, x + w, y + h, radii[row], out, place)
            continue
        # A cosine taken once, by the C library that Python's own comes from.
        c, s = math.cos(turns[row]), math.sin(turns[row])
        out_doubtful[row] = not write_box(x, y, w, h, c, s, radii[row], out, place)


def polygons(where: str, vertices: Any, radius: ArrayLike) -> Proxies:
    """Return convex polygons from (n, k, 2), or from a sequence of (k, 2)."""
    if isinstance(vertices, np.ndarray) and vertices.dtype.kind in "fiu" and vertices.shape not in ((0,), (0, 2)):
        if vertices.ndim != 3 or vertices.shape[2] != 2:
            hint = "; for one polygon give [vertices]" if vertices.ndim == 2 else ""
            raise ValueError(f"{where}: vertices has shape {vertices.shape}; it must be (n, k, 2){hint}")
        try:
            flat = inputs.table(where, "vertices", vertices.reshape(-1, 2), 2)
        except ValueError:  # again, for the row
            for k, outline in enumerate(vertices):
                inputs.table(where, f"vertices[{k}]", outline, 2)
            raise
        count = np.full(len(vertices), vertices.shape[1], dtype=np.int64)
    else:
        given = inputs.listed(where, "vertices", vertices, "outlines, or an array of shape (n, k, 2)")
        outlines = [inputs.table(where, f"vertices[{k}]", outline, 2) for k, outline in enumerate(given)]
        flat = np.concatenate((np.zeros((0, 2)), *outlines))
        count = np.array([len(outline) for outline in outlines], dtype=np.int64)
    r = shape_inputs.growth_column(where, "radius", radius, count.size)

    def refused(row: int, error: ValueError) -> ValueError:
        return ValueError(f"{where}: vertices[{row}]: {error}")

    points, first, kept = cleaned(flat, np.append(0, np.cumsum(count)), refused)
    return Proxies(*make_proxies(np.full(count.size, POLYGON), points, first, r), ids=kept)


def cleaned(
    points: Floats, first: Integers, refused: Callable[[int, ValueError], ValueError]
) -> tuple[Floats, Integers, Integers | None]:
    """Return outlines as `Polygon` cleans them: points, where each begins, and the numbers kept (None for all).

    `refused` makes the error of a row that `Polygon` refuses. `points` is overwritten.
    """
    n = first.size - 1
    count = np.diff(first)
    base = np.zeros(n, dtype=np.int64)  # the number of the first point kept
    ends = np.maximum(first[1:] - 1, first[:-1])
    closing = np.zeros(n, dtype=np.bool_)
    if len(points):
        one, other = points[np.minimum(first[:-1], len(points) - 1)], points[np.minimum(ends, len(points) - 1)]
        closing = (count > 3) & (one[:, 0] == other[:, 0]) & (one[:, 1] == other[:, 1])
    if closing.any():  # of a first point that comes again at the end, `Polygon` keeps the last
        staying = np.ones(len(points), dtype=np.bool_)
        staying[first[:-1][closing]] = False
        points = points[staying]
        count, base = count - closing, base + closing
        first = np.append(0, np.cumsum(count))
    clean, turned = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    order_outlines(points, first, clean, turned)
    if clean.all() and not turned.any() and not base.any():
        return points, first, None
    kept = np.arange(first[-1]) - np.repeat(first[:-1], count)
    back = np.repeat(turned, count) & (kept > 0)
    kept = np.where(back, np.repeat(count, count) - kept, kept) + np.repeat(base, count)
    if clean.all():
        return points, first, kept
    outlines, ids = np.split(points, first[1:-1]), np.split(kept, first[1:-1])
    for row in np.flatnonzero(~clean).tolist():
        outline = outlines[row]
        if base[row]:
            outline = np.concatenate((outline[-1:], outline))
        try:
            ids[row] = np.array(Polygon(outline).vertex_ids)
        except ValueError as error:
            raise refused(row, error) from None
        outlines[row] = outline[ids[row]]
    count = np.array([len(outline) for outline in outlines], dtype=np.int64)
    return np.concatenate(outlines), np.append(0, np.cumsum(count)), np.concatenate(ids)
