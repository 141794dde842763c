"""Contacts of things that are rows of a set each: a shape, or a body of several parts.

In: two sets of shapes, the rows of each thing, and pairs of things of which a row of one is no farther than a distance
from a row of the other. Out: the contact of each pair as `collide` has it of the two as wholes; where they are apart,
that of their nearest parts, with minus the separation as its depth. A thing of rows that make no body, of points or of
lines and areas together, touches by the deepest of its rows. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from carom._core.types import Booleans, Integers
from carom.narrow.compound.answers import contacts_of, stand
from carom.narrow.compound.bodies import Bodies
from carom.narrow.compound.packing import packed
from carom.narrow.compound.part_pairs import BodyRows
from carom.narrow.rows.contact import ContactColumns
from carom.narrow.rows.near_contact import write_near
from carom.shapes.compound import Compound, region
from carom.shapes.proxy import COUNT, POINTS, RADIUS, STRIDE
from carom.shapes.set import Shapes
from carom.vector import Vec

KEPT = 2**12
"""Bodies that are kept for the pairs that come."""


class Things(NamedTuple):
    """A set of shapes, sorted by its things, and the first row of each."""

    shapes: Shapes
    first: Integers
    """(n + 1,)"""

    def counts(self, which: Integers) -> Integers:
        """Return how many rows some things have."""
        counts: Integers = self.first[which + 1] - self.first[which]
        return counts


Collide = Callable[[Integers, Integers], ContactColumns]
"""Returns the contacts of rows of both sets, also of those that are apart."""


class OwnerContacts:
    """Answers for pairs of things of two sets, which keeps the bodies that it has made."""

    def __init__(self, a: Things, b: Things, rows: Collide, threads: int) -> None:
        self.a, self.b, self.rows, self.threads = a, b, rows, threads
        self.body_a = lru_cache(KEPT)(lambda k: _body(a, k))
        self.body_b = self.body_a if a is b else lru_cache(KEPT)(lambda k: _body(b, k))

    def __call__(self, i: Integers, j: Integers) -> ContactColumns:
        """Return the contacts of the things at places `i` and `j`."""
        several_a, several_b = self.a.counts(i) > 1, self.b.counts(j) > 1
        found = self.rows(self.a.first[i], self.b.first[j])
        for wholes_a in (False, True):
            for wholes_b in (False, True):
                which = np.flatnonzero((several_a == wholes_a) & (several_b == wholes_b))
                if len(which) and (wholes_a or wholes_b):
                    self._wholes(found, which, i[which], j[which], wholes_a, wholes_b)
        return found

    def _wholes(
        self, out: ContactColumns, which: Integers, i: Integers, j: Integers, wholes_a: bool, wholes_b: bool
    ) -> None:
        """Write the contacts of pairs of which a side, or both, are of several rows."""
        bodies_a = [self.body_a(k) if wholes_a else None for k in i.tolist()]
        bodies_b = [self.body_b(k) if wholes_b else None for k in j.tolist()]
        loose = np.zeros(len(which), dtype=np.bool_)
        swapped = np.full(len(which), wholes_b and not wholes_a)
        for k, (one, other) in enumerate(zip(bodies_a, bodies_b, strict=True)):
            loose[k] = (wholes_a and one is None) or (wholes_b and other is None)
            if one is not None and other is not None:
                swapped[k] = _key(one) > _key(other)
        for turned in (False, True):
            some = np.flatnonzero(~loose & (swapped == turned))
            if len(some):
                side_a = _side(self.a, i[some], [bodies_a[k] for k in some], wholes_a)
                side_b = _side(self.b, j[some], [bodies_b[k] for k in some], wholes_b)
                rows = BodyRows(*side_b, *side_a) if turned else BodyRows(*side_a, *side_b)
                _put(out, which[some], _contacts(rows, turned, self.threads))
        for place in np.flatnonzero(loose).tolist():
            _put(out, which[place : place + 1], self._deepest(int(i[place]), int(j[place])))

    def _deepest(self, i: int, j: int) -> ContactColumns:
        """Return the contact of the two rows of a pair that lie deepest in each other."""
        rows_a = np.arange(self.a.first[i], self.a.first[i + 1])
        rows_b = np.arange(self.b.first[j], self.b.first[j + 1])
        found = self.rows(np.repeat(rows_a, len(rows_b)), np.tile(rows_b, len(rows_a)))
        best = int(np.argmax(found.depth))
        columns: list[Any] = [column[best : best + 1] for column in found]
        return ContactColumns(*columns)


def _body(things: Things, k: int) -> Compound | None:
    """Return a thing as a body; None where its rows make none."""
    rows = things.shapes[int(things.first[k]) : int(things.first[k + 1])]
    sharp, corners = rows._buffer[rows._starts + RADIUS] == 0.0, rows._buffer[rows._starts + COUNT]
    points, lines = sharp & (corners == 1), sharp & (corners == 2)
    if points.any() or (lines.any() and not lines.all()):
        return None
    parts = list(rows)
    outlined = _of_outline(parts) if sharp.all() and not lines.any() else None
    return packed(outlined or Compound.from_parts(parts))[0]


def _of_outline(parts: Sequence[Any]) -> Compound | None:
    """Return the region that sharp parts fill which fit along whole edges, if its outline is one; None otherwise.

    To divide an outline anew takes a hundredth of the time in which parts are compared that may lie anyhow.
    """
    after: dict[Vec, Vec] = {}
    edges = set[tuple[Vec, Vec]]()
    for part in parts:
        for edge in zip(part.vertices, part.vertices[1:] + part.vertices[:1], strict=True):
            if edge in edges:
                return None
            if edge[::-1] in edges:
                edges.remove(edge[::-1])
            else:
                edges.add(edge)
    for start, end in edges:
        if after.setdefault(start, end) != end:
            return None
    shells, holes = list[list[Vec]](), list[list[Vec]]()
    while after:
        ring = [next(iter(after))]
        while ring[-1] in after:
            ring.append(after.pop(ring[-1]))
        if ring[0] != ring[-1]:
            return None
        turn = sum(x * v - y * u for (x, y), (u, v) in pairwise(p - ring[0] for p in ring))
        (shells if turn > 0.0 else holes).append(ring[:-1])
    if len(shells) != 1:
        return None
    try:
        return region("contacts", shells[0], holes)
    except ValueError:
        return None


def _key(body: Compound) -> tuple[object, ...]:
    return body._origin, body._local, body._counts


def _side(things: Things, which: Integers, bodies: Sequence[Compound | None], wholes: bool) -> tuple[Bodies, Integers]:
    """Return the bodies of some things, and the number of each among them."""
    if not wholes:
        starts = things.shapes._starts
        every = Bodies(things.shapes._buffer, starts, np.arange(starts.size + 1, dtype=np.int64))
        return every, things.first[which]
    _, first, numbers = np.unique(which, return_index=True, return_inverse=True)
    made = [body for k in first if (body := bodies[k]) is not None]
    return _together([packed(body)[1] for body in made]), numbers.astype(np.int64)


def _together(bodies: Sequence[Bodies]) -> Bodies:
    """Return bodies of one body each as one column of bodies."""
    cells = np.cumsum([0, *(body.buffer.size for body in bodies)])
    parts = np.cumsum([0, *(body.starts.size for body in bodies)])
    edges = np.cumsum([0, *(len(body.edges) for body in bodies)])
    joined = np.concatenate
    return Bodies(
        joined([body.buffer for body in bodies]),
        joined([body.starts + at for body, at in zip(bodies, cells, strict=False)]),
        parts.astype(np.int64),
        joined([body.nodes for body in bodies]),
        joined([body.boxes for body in bodies]),
        joined([body.edges for body in bodies]),
        np.append(joined([body.edge_first[:-1] + at for body, at in zip(bodies, edges, strict=False)]), edges[-1]),
        joined([body.exposed for body in bodies]),
        joined([body.cones for body in bodies]),
        joined([body.ids for body in bodies]),
    )


def _contacts(rows: BodyRows, swapped: bool, threads: int) -> ContactColumns:
    """Return the contacts of rows of bodies; those of rows that are apart as of near ones."""
    found = stand(rows, threads)
    told = contacts_of(rows, found, swapped)
    apart: Booleans = ~told.hit
    if not apart.any():
        return told
    starts_a, starts_b = found.starts_a[apart], found.starts_b[apart]
    n = len(starts_a)
    normal, points, features = np.empty((n, 2)), np.zeros((n, 2, 2)), np.zeros((n, 2, 2), dtype=np.int32)
    write_near(rows.a.buffer, starts_a, rows.b.buffer, starts_b, normal, points, features)
    for side, (body, starts) in enumerate(((rows.a, starts_a), (rows.b, starts_b))):
        if body.ids.size:
            feature = features[:, 0, side]
            vertex = body.ids[starts + POINTS + STRIDE * np.where(feature < 0, -1 - feature, feature)]
            features[:, 0, side] = np.where(feature < 0, -1 - vertex, vertex)
    told.normal[apart] = 0.0 - normal if swapped else normal
    told.depth[apart] = told.depths[apart, 0] = 0.0 - found.separation[apart]
    told.count[apart], told.points[apart] = 1, points
    told.features[apart] = features[:, :, ::-1] if swapped else features
    return told


def _put(out: ContactColumns, which: Integers, found: ContactColumns) -> None:
    wholes: list[Any] = [*out]
    for whole, column in zip(wholes, found, strict=True):
        whole[which] = column
