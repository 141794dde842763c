"""The columns of a set of shapes: how rows are taken, cut out, joined and compared, and read by closed forms.

In: `Proxies`, row numbers. Out: other `Proxies`, whose numbers are copied or shared, never computed; or, of a set of
discs or of boxes of one kind, each number of all rows in one contiguous run, which is quicker to read in a loop than
the proxies. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import kernel
from carom._core.types import Columns, Floats, Integers
from carom.shapes.proxy import AABB, COUNT, DISC, KIND, OBB, POINTS, RADIUS, REACH, STRIDE, X, Y
from carom.shapes.proxy_writers import starts_of

FEW = 16
"""Times as many rows as are taken: then those alone are looked at."""


class Proxies(NamedTuple):
    """The columns of a set: one proxy a row, one behind the other, and what a proxy cannot hold.

    Parameters
    ----------
    buffer : float64
        The proxies.
    starts : (n,) int64
        Where each begins; the first at 0, without gaps.
    sizes : (n, 3) float64, or None
        Width, height and angle of turned boxes, 0 in other rows; None without turned boxes.
    ids : (v,) int64 (object if one is beyond), or None
        For each core point in turn the number the user knows it by; None if every shape counts 0, 1, 2, ...
    owner : (n,) int64, or None
        From which of the user's inputs each row came; None if row k came from input k.
    inputs : int, or None
        How many inputs there were; None if as many as rows.
    """

    buffer: Floats
    starts: Integers
    sizes: Floats | None = None
    ids: NDArray[Any] | None = None
    owner: Integers | None = None
    inputs: int | None = None


Work = Callable[[Integers], tuple[Proxies, Integers]]
"""Makes rows of some things, named by their numbers; and tells for each row the place of its thing among those."""


def first_points(proxies: Proxies) -> Integers:
    """Return where each row's core points begin among those of all rows, and how many there are: (n + 1,)."""
    rows = np.arange(proxies.starts.size + 1)
    return (np.append(proxies.starts, proxies.buffer.size) - POINTS * rows) // STRIDE


def numbers_of(proxies: Proxies) -> NDArray[Any]:
    """Return for each core point the number the user knows it by."""
    if proxies.ids is not None:
        return proxies.ids
    first = first_points(proxies)
    return np.arange(first[-1]) - np.repeat(first[:-1], np.diff(first))


def take(proxies: Proxies, rows: Integers) -> Proxies:
    """Return some rows, in that order; what is taken again is a copy, with an owner of its own as in `join`."""
    buffer, starts, sizes, ids, owner, _ = proxies
    n = starts.size
    width = buffer.size // n if n else 0
    many = FEW * rows.size >= n  # else nothing is asked of all rows
    if many and n and (np.diff(starts, append=buffer.size) == width).all():
        taken, at = buffer.reshape(n, width)[rows].reshape(-1), width * np.arange(rows.size)
    else:
        lengths = POINTS + STRIDE * buffer[starts[rows] + COUNT].astype(np.int64)
        at, taken = np.empty_like(lengths), np.empty(int(lengths.sum()))
        copy_records(buffer, starts, np.ascontiguousarray(rows), taken, at)
    if ids is not None:
        first = first_points(proxies)
        counts = np.diff(first)[rows]
        ids = ids[np.repeat(first[rows] - starts_of(counts), counts) + np.arange(counts.sum())]
    owner, inputs = rows.copy() if owner is None else owner[rows], inputs_of(proxies)
    copies = _copies_before(rows, n)
    if copies is not None:
        owner += inputs * copies
        inputs *= int(copies.max()) + 1
    return Proxies(taken, at, None if sizes is None else sizes[rows], ids, owner, inputs)


def _copies_before(rows: Integers, count: int) -> Integers | None:
    """Return for each place how often its row, of `count` rows, stands before it; None if no row stands twice."""
    few = FEW * rows.size < count  # then counting all rows costs more than sorting those
    if few and (rows[1:] > rows[:-1]).all():
        return None
    if _all_differ(rows) if few else (np.bincount(rows, minlength=1).max() < 2):
        return None
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    copies = np.empty(rows.size, dtype=np.int64)
    copies[order] = np.arange(rows.size) - np.repeat(first, np.diff(first, append=rows.size))
    return copies


def _all_differ(rows: Integers) -> bool:
    """Tell whether no row stands twice."""
    ordered = np.sort(rows)  # NumPy's `unique` takes a table of hashes, and ten times as long
    return bool((ordered[1:] != ordered[:-1]).all())


@kernel
def copy_records(buffer: Floats, starts: Integers, rows: Integers, out: Floats, out_starts: Integers) -> None:
    """Write the proxies of some rows one after the other, and where each begins."""
    at = 0
    for k in range(rows.shape[0]):
        begin = starts[rows[k]]
        out_starts[k] = at
        for place in range(POINTS + STRIDE * int(buffer[begin + COUNT])):
            out[at] = buffer[begin + place]
            at += 1


def part(proxies: Proxies, begin: int, end: int) -> Proxies:
    """Return the rows from `begin` up to `end`: windows on the same memory, whatever their number."""
    buffer, starts, sizes, ids, owner, _ = proxies
    end = max(begin, end)
    places = [int(starts[row]) if row < starts.size else buffer.size for row in (begin, end)]
    if ids is not None:
        ids = ids[(places[0] - POINTS * begin) // STRIDE : (places[1] - POINTS * end) // STRIDE]
    return Proxies(
        buffer[places[0] : places[1]],
        starts[begin:end] - places[0],
        None if sizes is None else sizes[begin:end],
        ids,
        np.arange(begin, end) if owner is None else owner[begin:end],
        inputs_of(proxies),
    )


def join(sets: Sequence[Proxies]) -> Proxies:
    """Return the rows of several sets, one set behind the other; inputs are counted on from set to set."""
    if not sets:
        return Proxies(np.zeros(0), np.zeros(0, dtype=np.int64))
    if len(sets) == 1:
        return sets[0]
    before = starts_of(np.array([one.buffer.size for one in sets], dtype=np.int64)).tolist()
    sizes = ids = owner = None
    if any(one.sizes is not None for one in sets):
        sizes = np.concatenate([np.zeros((one.starts.size, 3)) if one.sizes is None else one.sizes for one in sets])
    if any(one.ids is not None for one in sets):
        ids = np.concatenate([numbers_of(one) for one in sets])
    inputs = [inputs_of(one) for one in sets]
    if any(one.owner is not None for one in sets):
        earlier = starts_of(np.array(inputs, dtype=np.int64)).tolist()
        owner = np.concatenate([owner_of(one) + shift for one, shift in zip(sets, earlier, strict=True)])
    return Proxies(
        np.concatenate([one.buffer for one in sets]),
        np.concatenate([one.starts + at for one, at in zip(sets, before, strict=True)]),
        sizes,
        ids,
        owner,
        sum(inputs),
    )


def by_groups(groups: Integers, works: Sequence[Work]) -> tuple[Proxies, Integers]:
    """Return the rows that things make, group by group in ways of their own, and for each row its thing, in order."""
    found, order = [], []
    for group, work in enumerate(works):
        things = np.flatnonzero(groups == group)
        if things.size:
            part, place = work(things)
            found.append(part)
            order.append(things[place])
    rows = join(found)
    thing = np.concatenate((*order, np.zeros(0, dtype=np.int64)))
    if (thing[1:] < thing[:-1]).any():
        back = np.argsort(thing, kind="stable")
        rows, thing = take(rows, back), thing[back]
    return rows, thing


def owner_of(proxies: Proxies) -> Integers:
    """Return for each row the input it came from."""
    return np.arange(proxies.starts.size) if proxies.owner is None else proxies.owner


def inputs_of(proxies: Proxies) -> int:
    """Return how many inputs there were."""
    return proxies.starts.size if proxies.inputs is None else proxies.inputs


def are_equal(one: Proxies, other: Proxies) -> bool:
    """Tell whether two sets hold the same shapes in the same order, wherever they came from."""
    if not (np.array_equal(one.starts, other.starts) and np.array_equal(one.buffer, other.buffer)):
        return False
    if (one.ids is not None or other.ids is not None) and (numbers_of(one) != numbers_of(other)).any():
        return False
    if one.sizes is None or other.sizes is None:  # the buffers agree, so there are turned boxes in both or in neither
        return True
    return bool((one.sizes == other.sizes).all())


_WIDTHS = {DISC: 3, AABB: 4, OBB: 6}


def closed_form(proxies: Proxies) -> tuple[float, Columns] | None:
    """Return kind and columns of a set of discs, or of boxes of one kind without radius; None of any other.

    Discs: x, y, radius. AABBs: lower x, y, upper x, y. OBBs: centre x, y, half extents, cosine, sine.
    """
    if not proxies.starts.size:
        return None
    kind = proxies.buffer.item(0)
    if kind not in _WIDTHS:
        return None
    columns = np.empty((_WIDTHS[kind], proxies.starts.size))
    return (kind, columns) if _write_columns(proxies.buffer, proxies.starts, kind, columns) else None


@kernel
def _write_columns(buffer: Floats, starts: Integers, kind: float, out: Columns) -> bool:
    """Write the columns, and tell whether every row is of that kind and, if a box, sharp."""
    for row in range(starts.shape[0]):
        at = starts[row]
        radius = buffer[at + RADIUS]
        if buffer[at + KIND] != kind or (kind != DISC and radius != 0.0):
            return False
        ox, oy = buffer[at + X], buffer[at + Y]
        first = at + POINTS
        x, y = buffer[first], buffer[first + 1]
        if kind == DISC:
            out[0, row], out[1, row], out[2, row] = ox, oy, radius
        elif kind == AABB:
            third = first + 2 * STRIDE
            out[0, row], out[1, row] = ox + x, oy + y
            out[2, row], out[3, row] = ox + buffer[third], oy + buffer[third + 1]
        else:
            second, last = first + STRIDE, first + 3 * STRIDE
            wx, wy = buffer[second] - x, buffer[second + 1] - y
            hx, hy = buffer[last] - x, buffer[last + 1] - y
            # The longer edge tells the direction: rounding of the corners turns a needle's short one by any angle.
            if max(abs(wx), abs(wy)) >= max(abs(hx), abs(hy)):
                c, s = -buffer[first + 3], buffer[first + 2]
            else:
                c, s = buffer[second + 2], buffer[second + 3]
            out[0, row], out[1, row] = ox, oy
            out[2, row] = (c * wx + s * wy) * 0.5
            out[3, row] = (c * hy - s * hx) * 0.5
            out[4, row], out[5, row] = c, s
    return True


def turned_boxes(proxies: Proxies) -> Columns:
    """Return the columns of a set of turned boxes without radius: all that their proxies tell.

    Centre x, y; corner 0 and corner 1, relative to it; outward normal of edge 0 and of edge 1; radius of the circle
    around. The other two corners and normals are these with their signs changed.
    """
    columns = np.empty((11, proxies.starts.size))
    _write_turned_boxes(proxies.buffer, proxies.starts, columns)
    return columns


@kernel
def _write_turned_boxes(buffer: Floats, starts: Integers, out: Columns) -> None:
    for row in range(starts.shape[0]):
        at = starts[row]
        first = at + POINTS
        second = first + STRIDE
        out[0, row], out[1, row] = buffer[at + X], buffer[at + Y]
        out[2, row], out[3, row] = buffer[first], buffer[first + 1]
        out[4, row], out[5, row] = buffer[second], buffer[second + 1]
        out[6, row], out[7, row] = buffer[first + 2], buffer[first + 3]
        out[8, row], out[9, row] = buffer[second + 2], buffer[second + 3]
        out[10, row] = buffer[at + REACH]
