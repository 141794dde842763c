"""Where rays run inside a body of several parts: the stretches of the parts, joined where they meet.

In: rays and a Compound. Out: for each stretch its ray, and columns. Stretches of sharp parts are joined exactly where
one ends at or beyond the place at which the next begins: where floats are near, fractions decide. Between rounded parts
a gap that is no longer than the rounding of its ends is none. World frame, user's units.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from carom._core.types import Floats, Integers
from carom.narrow.cast import HitColumns, hit_rows, lengths_of
from carom.narrow.compound.answers import ray_hits
from carom.narrow.compound.inside_exact import Exact, exact_core
from carom.narrow.compound.packing import bodies
from carom.narrow.dispatch import Rows
from carom.narrow.intersects import sides_of_rows
from carom.narrow.stretches import Stretches, hits_coming_back, joined_hits, some_hits
from carom.shapes.compound import Compound
from carom.shapes.proxy import RADIUS
from carom.shapes.proxy_writers import proxy_bounds
from carom.shapes.set import Shapes
from carom.tolerances import SIGN_BAND

PAIRS_AT_ONCE = 1 << 18
NEAR = 1e-9
"""Of a ray's length: ends nearer than this are compared exactly."""


def body_crossings(origins: Floats, motions: Floats, whole: Compound, threads: int) -> tuple[Integers, Stretches]:
    """Return the ray of each stretch inside a body, ascending, and the stretches in order."""
    body = bodies("crossings", "shape", whole)
    buffer, starts = body.buffer, body.starts
    boxes = np.empty((starts.size, 4))
    proxy_bounds(buffer, starts, boxes)
    step = max(1, PAIRS_AT_ONCE // starts.size)
    rays, kept = [np.zeros(0, dtype=np.int64)], []
    for begin in range(0, len(origins), step):
        some = slice(begin, begin + step)
        ray, found = _joined(origins[some], motions[some], whole, buffer, starts, boxes, threads)
        rays.append(ray + begin)
        kept.append(found)
    if not kept:
        none = np.zeros((0, 2))
        return rays[0], Stretches(none[:, 0], none[:, 0], none, none, none, none, *np.zeros((2, 0), dtype=np.bool_))
    return np.concatenate(rays), Stretches(*(np.concatenate(columns) for columns in zip(*kept, strict=True)))


def _joined(
    origins: Floats, motions: Floats, whole: Compound, buffer: Floats, starts: Integers, boxes: Floats, threads: int
) -> tuple[Integers, Stretches]:
    """Return the stretches of some rays."""
    ends = origins + motions
    room = 1e-9 * (np.abs(origins).max(initial=0.0) + np.abs(motions).max(initial=0.0))  # for the rounding of ends
    low, high = np.minimum(origins, ends)[:, None] - room, np.maximum(origins, ends)[:, None] + room
    ray, part = np.nonzero(((low <= boxes[:, 2:]) & (boxes[:, :2] <= high)).all(axis=2))
    points = Shapes.points(origins[ray])
    pairs = Rows(points._buffer, points._starts, buffer, starts[part])
    ahead, back = (
        hit_rows(pairs, motions[ray], True, threads),
        hits_coming_back(origins[ray], motions[ray], pairs, threads),
    )
    # A ray that starts on a part and slides along it is no hit of the part, but may lie within the whole.
    inside = ahead.hit | back.hit
    unsure = np.flatnonzero(~inside)
    if unsure.size:
        on_start = sides_of_rows(Rows(pairs.a, pairs.starts_a[unsure], buffer, pairs.starts_b[unsure]), threads) <= 0
        tips = Shapes.points(ends[ray[unsure]])
        on_end = sides_of_rows(Rows(tips._buffer, tips._starts, buffer, pairs.starts_b[unsure]), threads) <= 0
        inside[unsure] = on_start & on_end
    ray, part = ray[inside], part[inside]
    ahead, back = some_hits(ahead, inside), some_hits(back, inside)
    found = joined_hits(origins[ray], motions[ray], ahead, back)
    order = np.lexsort((found.entry, ray))
    ray, part, columns = ray[order], part[order], dict[str, Any](found._asdict())
    found = Stretches(*[column[order] for column in columns.values()])
    heads = ray_hits(Shapes.points(origins), whole, motions, threads)
    lengths = lengths_of(motions)
    firsts, lasts = [], []
    bounds = [*np.flatnonzero(np.diff(ray, prepend=-1)).tolist(), ray.size]
    for begin, end in pairwise(bounds):
        k = int(ray[begin])
        if heads.hit[k]:
            line = _Line(origins[k], motions[k], lengths.item(k), buffer, starts, part)
            groups = _groups(line, found.entry, found.exit, begin, end)
            kept = [group for group in groups if found.exit[group[1]] >= heads.fraction[k]]
            firsts += [group[0] for group in kept]
            lasts += [group[1] for group in kept]
    first, last = np.array(firsts, dtype=np.int64), np.array(lasts, dtype=np.int64)
    result = Stretches(
        *(
            column[last if name.startswith(("exit", "leaves")) else first].copy()
            for name, column in found._asdict().items()
        )
    )
    ray = ray[first]
    _begin_as_hit(result, ray, origins, heads)
    return ray, result


def _begin_as_hit(result: Stretches, ray: Integers, origins: Floats, heads: HitColumns) -> None:
    """Let the first stretch of each ray begin where the ray hits the whole."""
    first = np.flatnonzero(np.diff(ray, prepend=-1))
    k = ray[first]
    result.entry[first] = heads.fraction[k]
    result.enters[first] = ~heads.overlapping[k]
    at_start = (heads.fraction[k] == 0.0)[:, None]
    result.entry_point[first] = np.where(at_start, origins[k], heads.point[k])
    result.entry_normal[first] = np.where(heads.overlapping[k][:, None], 0.0, heads.normal[k])
    np.maximum(result.exit, result.entry, out=result.exit)


class _Line:
    """One ray among parts, for exact comparisons of where it leaves one and enters another."""

    def __init__(
        self, origin: Floats, motion: Floats, length: float, buffer: Floats, starts: Integers, part: Integers
    ) -> None:
        self.origin, self.motion = origin, motion
        self.buffer, self.starts, self.part = buffer, starts, part
        largest = max(np.abs(origin).max(), np.abs(motion).max(), 0.0)
        self.rounding = SIGN_BAND * 4.0 * float(largest) / length if length > 0.0 else 0.0
        self.known: dict[int, tuple[Fraction, Fraction]] = {}

    def is_sharp(self, place: int) -> bool:
        """Tell whether a stretch is one of a sharp part."""
        return bool(self.buffer[self.starts[self.part[place]] + RADIUS] == 0.0)

    def span(self, place: int) -> tuple[Fraction, Fraction]:
        """Return from where to where the ray is in a sharp part, exactly."""
        if place not in self.known:
            core = exact_core(self.buffer, int(self.starts[self.part[place]]))
            (x, y), (mx, my) = (map(Fraction, vector.tolist()) for vector in (self.origin, self.motion))
            self.known[place] = exact_span(core, (x, y), (mx, my))
        return self.known[place]


def _groups(line: _Line, entry: Floats, leave: Floats, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the stretches from `begin` to `end`, joined: of each the one that begins it, and the one that ends it."""
    groups, first, last = [], begin, begin
    for place in range(begin + 1, end):
        gap = entry.item(place) - leave.item(last)
        apart = gap > 0.0
        if abs(gap) <= max(NEAR, line.rounding):
            others = [k for k in range(first, place) if leave.item(k) >= entry.item(place) - max(NEAR, line.rounding)]
            if line.is_sharp(place) and all(map(line.is_sharp, others)):
                apart = all(line.span(k)[1] < line.span(place)[0] for k in others)
            else:
                apart = gap > line.rounding
        if apart:
            groups.append((first, last))
            first = last = place
        elif leave.item(place) > leave.item(last):
            last = place
    return [*groups, (first, last)]


def exact_span(core: list[Exact], origin: Exact, motion: Exact) -> tuple[Fraction, Fraction]:
    """Return the least and greatest share of a ray, 0 to 1, that lies in a convex polygon, counter-clockwise."""
    low, high = Fraction(0), Fraction(1)
    for (px, py), (qx, qy) in pairwise([*core, core[0]]):
        ex, ey = qx - px, qy - py
        height = ex * (origin[1] - py) - ey * (origin[0] - px)
        rise = ex * motion[1] - ey * motion[0]
        if rise > 0:
            low = max(low, -height / rise)
        elif rise < 0:
            high = min(high, -height / rise)
    return low, high
