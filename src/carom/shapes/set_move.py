"""Sets of shapes moved, turned and placed: each row as the single value would be, bit for bit.

In: `Proxies` and checked columns of vectors, angles, pivots or positions. Out: new `Proxies`. What a kernel cannot
settle for sure (a turned outline in need of cleaning, a centroid of a needle) the single value settles. World frame,
user's units; angles in radians.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.jit import kernel
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.base import BEYOND
from carom.shapes.centroids import grown_centroid
from carom.shapes.mass import grown_mass
from carom.shapes.proxy import AABB, COUNT, DISC, KIND, OBB, POINTS, POLYGON, RADIUS, STADIUM, STRIDE, X, Y
from carom.shapes.proxy_writers import make_proxies, quarter_turns, write_span
from carom.shapes.set_make import cleaned, placed_boxes
from carom.shapes.set_rows import Proxies, Work, by_groups, first_points, numbers_of, take
from carom.tolerances import LARGEST
from carom.vector import COS_SIN_OF_QUARTERS

Refusal = Callable[[int, str], ValueError]
"""Makes the error of a row, from the row and what is wrong with it."""

Landing = Callable[[Integers, Floats, Floats], Floats]
"""Returns where positions go, from the rows, their origins and their positions relative to these."""

NOTHING = np.zeros(2)


def translated(where: str, proxies: Proxies, vectors: Floats) -> Proxies:
    """Return the rows moved by `vectors` (n, 2)."""
    buffer, refused = proxies.buffer.copy(), np.zeros(proxies.starts.size, dtype=np.bool_)
    _translate(proxies.starts, vectors, buffer, refused)
    if refused.any():
        row = int(refused.argmax())
        straight = buffer[proxies.starts[row]] == AABB
        expected = "moves the box so far that its size is lost to rounding, or beyond the largest coordinate"
        vector = tuple(vectors[row].tolist())
        inputs.refuse(ValueError, where, f"vector[{row}]", vector, expected if straight else BEYOND)
    return proxies._replace(buffer=buffer)


@kernel
def _translate(starts: Integers, vectors: Floats, out: Floats, out_refused: Booleans) -> None:
    for row in range(starts.shape[0]):
        at = starts[row]
        x, y = out[at + X], out[at + Y]
        dx, dy = vectors[row, 0], vectors[row, 1]
        if out[at + KIND] == AABB:
            lower, upper = at + POINTS, at + POINTS + 2 * STRIDE
            lx, ly, ux, uy = x + out[lower], y + out[lower + 1], x + out[upper], y + out[upper + 1]
            radius = out[at + RADIUS]
            out_refused[row] = not write_span(lx + dx, ly + dy, ux + dx, uy + dy, radius, out, at)
        else:
            x, y = x + dx, y + dy
            out[at + X], out[at + Y] = x, y
            out_refused[row] = not (abs(x) <= LARGEST and abs(y) <= LARGEST)


def local_positions(proxies: Proxies) -> Floats:
    """Return each row's position (centre, midpoint, centroid) relative to its origin: (n, 2)."""
    n = proxies.starts.size
    local, doubtful = np.empty((n, 2)), np.zeros(n, dtype=np.bool_)
    _find_positions(proxies.buffer, proxies.starts, local, doubtful)
    for row in np.flatnonzero(doubtful).tolist():
        start = int(proxies.starts[row])
        count = int(proxies.buffer[start + COUNT])
        points = proxies.buffer[start + POINTS : start + POINTS + STRIDE * count].reshape(count, STRIDE)
        pairs = [(x, y) for x, y in points[:, :2].tolist()]
        local[row] = grown_mass(pairs, proxies.buffer.item(start + RADIUS))[1]
    return local


@kernel
def _find_positions(buffer: Floats, starts: Integers, out: Floats, out_doubtful: Booleans) -> None:
    for row in range(starts.shape[0]):
        at = starts[row]
        kind, place = buffer[at + KIND], at + POINTS
        out[row, 0], out[row, 1] = 0.0, 0.0
        if kind == STADIUM or kind == AABB:
            other = place + (STRIDE if kind == STADIUM else 2 * STRIDE)
            for axis in range(2):
                near, far = buffer[place + axis], buffer[other + axis]
                out[row, axis] = near + (far - near) / 2.0
        elif kind == POLYGON:
            _, x, y, certain = grown_centroid(buffer, place, int(buffer[at + COUNT]), buffer[at + RADIUS])
            out[row, 0], out[row, 1], out_doubtful[row] = x, y, not certain


def positions(proxies: Proxies) -> Floats:
    """Return each row's position in the world: (n, 2)."""
    return _origins(proxies) + local_positions(proxies)


def placed(where: str, proxies: Proxies, at: Floats, angles: Floats) -> Proxies:
    """Return the rows with their positions at `at` (n, 2), turned by `angles` (n,)."""

    def refused(row: int, wrong: str) -> ValueError:
        position = tuple(at[row].tolist())
        return ValueError(f"{where}: row {row} at position[{row}] = {position}, angle {angles.item(row)!r}: {wrong}")

    groups = _groups(proxies)
    groups[(groups != BOX) & (quarters_of(angles) == 0)] = STILL
    return _turned_about(proxies, groups, lambda rows, origins, local: at[rows], angles, refused)


def rotated(where: str, proxies: Proxies, angles: Floats, pivots: Floats | None) -> Proxies:
    """Return the rows turned by `angles` (n,) about `pivots` (n, 2), or about their positions."""

    def refused(row: int, wrong: str) -> ValueError:
        pivot = "" if pivots is None else f" about pivots[{row}] = {tuple(pivots[row].tolist())}"
        return ValueError(f"{where}: row {row} by angle[{row}] = {angles.item(row)!r}{pivot}: {wrong}")

    quarters, (c, s) = quarters_of(angles), cosines(angles)

    def landing(rows: Integers, origins: Floats, local: Floats) -> Floats:
        if pivots is None:
            return origins + local
        # As `base.turned`: a far origin or pivot costs the shape no digits.
        away = (origins - pivots[rows]) + local
        dx, dy, cosine, sine = away[:, 0], away[:, 1], c[rows], s[rows]
        return pivots[rows] + np.column_stack((cosine * dx - sine * dy, sine * dx + cosine * dy))

    def straight(rows: Integers, part: Proxies) -> Proxies:
        buffer, lost = part.buffer.copy(), np.zeros(rows.size, dtype=np.bool_)
        about = positions(part) if pivots is None else pivots[rows]
        _turn_straight(part.starts, quarters[rows], about, buffer, lost)
        if lost.any():
            raise refused(int(rows[lost.argmax()]), "the box would lose its size to rounding, or go too far")
        return part._replace(buffer=buffer)

    groups = _groups(proxies)
    groups[(proxies.buffer[proxies.starts] == AABB) & (quarters >= 0)] = STRAIGHT
    return _turned_about(proxies, groups, landing, angles, refused, straight)


# How rows are moved: shifted alone, as boxes by centre and angle, point by point, or as boxes that stay along the axes.
STILL, BOX, OTHER, OUTLINE, STRAIGHT = range(5)


def _groups(proxies: Proxies) -> Integers:
    kinds = proxies.buffer[proxies.starts]
    groups = np.where(kinds == POLYGON, OUTLINE, OTHER)
    groups[kinds == DISC] = STILL
    groups[(kinds == AABB) | (kinds == OBB)] = BOX
    return groups


def _turned_about(
    proxies: Proxies, groups: Integers, landing: Landing, angles: Floats, refused: Refusal, straight: Any = None
) -> Proxies:
    """Return the rows turned by `angles`, with their positions where `landing` says, group by group."""

    def still(rows: Integers, part: Proxies) -> Proxies:
        local = local_positions(part)
        return _moved_to(part, landing(rows, _origins(part), local) - local, rows, refused)

    def boxes(rows: Integers, part: Proxies) -> Proxies:
        return _boxes_at(part, landing(rows, positions(part), NOTHING), angles[rows], rows, refused)

    def others(rows: Integers, part: Proxies) -> Proxies:
        local = local_positions(part)
        return _turned(part, local, landing(rows, _origins(part), local), angles[rows], rows, refused)

    return _in_groups(proxies, groups, (still, boxes, others, others, straight))


def quarters_of(angles: Floats) -> Integers:
    """Return for each angle what `vector.quarter_turns` does."""
    quarters = np.empty(angles.size, dtype=np.int64)
    _find_quarters(angles, quarters)
    return quarters


@kernel
def _find_quarters(angles: Floats, out: Integers) -> None:
    for row in range(angles.shape[0]):
        out[row] = quarter_turns(angles[row])


def cosines(angles: Floats) -> tuple[Floats, Floats]:
    """Return cosine and sine of each angle, as `vector.cos_sin` does."""
    c, s = np.empty(angles.size), np.empty(angles.size)
    _find_cosines(angles, c, s)
    return c, s


@kernel
def _find_cosines(angles: Floats, out_c: Floats, out_s: Floats) -> None:
    for row in range(angles.shape[0]):
        quarters = quarter_turns(angles[row])
        if quarters < 0:  # by the C library that Python's own comes from
            out_c[row], out_s[row] = math.cos(angles[row]), math.sin(angles[row])
        else:
            out_c[row], out_s[row] = COS_SIN_OF_QUARTERS[quarters]


def _origins(proxies: Proxies) -> Floats:
    return np.column_stack((proxies.buffer[proxies.starts + X], proxies.buffer[proxies.starts + Y]))


def _in_groups(proxies: Proxies, groups: Integers, works: Sequence[Callable[[Integers, Proxies], Proxies]]) -> Proxies:
    """Answer the rows of each group by its own work, and put them back in order."""

    def answering(work: Callable[[Integers, Proxies], Proxies]) -> Work:
        return lambda rows: (work(rows, take(proxies, rows)), np.arange(rows.size))

    if groups.size and (groups == groups[0]).all():  # as most sets are: then nothing has to be taken apart
        found = works[int(groups[0])](np.arange(groups.size), proxies)
    else:
        found, _ = by_groups(groups, [*map(answering, works)])
    return found._replace(owner=proxies.owner, inputs=proxies.inputs)


def _moved_to(proxies: Proxies, origins: Floats, rows: Integers, refused: Refusal) -> Proxies:
    """Return proxies with other origins."""
    _check_reach(origins, rows, refused)
    buffer = proxies.buffer.copy()
    buffer[proxies.starts + X], buffer[proxies.starts + Y] = origins[:, 0], origins[:, 1]
    return proxies._replace(buffer=buffer)


def _check_reach(origins: Floats, rows: Integers, refused: Refusal) -> None:
    far = inputs.first_false(np.abs(origins) <= LARGEST)
    if far >= 0:
        raise refused(int(rows[far]), BEYOND)


def _boxes_at(proxies: Proxies, centers: Floats, angles: Floats, rows: Integers, refused: Refusal) -> Proxies:
    """Return boxes with other centres, turned by `angles` beyond their own."""
    _check_reach(centers, rows, refused)
    n, start = rows.size, proxies.starts
    full = np.empty((n, 2))
    for axis in range(2):
        full[:, axis] = proxies.buffer[start + POINTS + 2 * STRIDE + axis] - proxies.buffer[start + POINTS + axis]
    if proxies.sizes is not None:
        turned = proxies.buffer[start] == OBB
        full[turned] = proxies.sizes[turned, :2]
        angles = np.where(turned, proxies.sizes[:, 2] + angles, 0.0 + angles)
    _check_reach(np.column_stack((full, angles)), rows, refused)
    radii = proxies.buffer[start + RADIUS]
    return placed_boxes(centers, full, angles, radii, lambda row, error: refused(int(rows[row]), str(error)))


@kernel
def _turn_straight(starts: Integers, quarters: Integers, about: Floats, out: Floats, out_lost: Booleans) -> None:
    """Turn boxes along the axes by quarters, corner by corner, so that tiles that share an edge still do."""
    for row in range(starts.shape[0]):
        quarter, at = quarters[row], starts[row]
        if quarter == 0:
            continue
        c, s = COS_SIN_OF_QUARTERS[quarter]
        x, y, px, py = out[at + X], out[at + Y], about[row, 0], about[row, 1]
        lower, upper = at + POINTS, at + POINTS + 2 * STRIDE
        lx, ly, ux, uy = x + out[lower], y + out[lower + 1], x + out[upper], y + out[upper + 1]
        ax, bx = px + (c * (lx - px) - s * (ly - py)), px + (c * (ux - px) - s * (uy - py))
        ay, by = py + (s * (lx - px) + c * (ly - py)), py + (s * (ux - px) + c * (uy - py))
        radius = out[at + RADIUS]
        out_lost[row] = not write_span(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), radius, out, at)


def _turned(
    proxies: Proxies, local: Floats, landing: Floats, angles: Floats, rows: Integers, refused: Refusal
) -> Proxies:
    """Return rows, all of them polygons or none, turned about `local`, which then lies at `landing`."""
    _check_reach(landing, rows, refused)
    first = first_points(proxies)
    points = np.empty((int(first[-1]), 2))
    far = _turn_points(proxies.buffer, proxies.starts, first, local, *cosines(angles), points)
    kinds, radii = proxies.buffer[proxies.starts], proxies.buffer[proxies.starts + RADIUS]
    ids = proxies.ids

    def thin(row: int, error: ValueError) -> ValueError:
        return refused(int(rows[row]), "the polygon is too thin to be turned")

    if (kinds == POLYGON).all():
        if far >= 0:
            raise refused(int(rows[far]), BEYOND)
        points, first, kept = cleaned(points, first, thin)
        if kept is not None:
            counts = np.diff(first)
            ids = numbers_of(proxies)[np.repeat(first_points(proxies)[:-1], counts) + kept]
    buffer, starts = make_proxies(kinds, points, first, radii, landing)
    origins = np.column_stack((buffer[starts + X], buffer[starts + Y]))
    _check_reach(origins, rows, refused)
    return Proxies(buffer, starts, proxies.sizes, ids, proxies.owner, proxies.inputs)


@kernel
def _turn_points(
    buffer: Floats, starts: Integers, first: Integers, local: Floats, c: Floats, s: Floats, out: Floats
) -> int:
    """Write the turned points relative to their positions; return a row that goes beyond LARGEST, or -1."""
    far = -1
    for row in range(starts.shape[0]):
        for k in range(first[row + 1] - first[row]):
            place = starts[row] + POINTS + STRIDE * k
            x, y = buffer[place] - local[row, 0], buffer[place + 1] - local[row, 1]
            turned_x, turned_y = c[row] * x - s[row] * y, s[row] * x + c[row] * y
            out[first[row] + k, 0], out[first[row] + k, 1] = turned_x, turned_y
            if max(abs(turned_x), abs(turned_y)) > LARGEST:
                far = row
    return far
