"""The pairs of shapes that touch or overlap, with how they do: normal, depth and contact points.

In: shapes of one set or two. Out: the pairs of `pairs` and the contact of each, as `collide` finds it, as columns;
a bounded number is worked on at a time. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Never, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.flat import flat
from carom._core.layers import AnyLayers
from carom._core.names import names_near, refuse_keywords, told_by_name
from carom._core.types import Floats, Integers, Rows32
from carom.broad import memory
from carom.broad.all_pairs import IN_BLOCKS, Method
from carom.broad.find_pairs import Search, Side
from carom.broad.owner_pairs import owner_places
from carom.broad.pairs import LayerOptions, asked_of, pairs_of, sides_of
from carom.narrow.compound.owners import OwnerContacts, Things
from carom.narrow.rows.contact import ContactColumns, Counts, Features
from carom.narrow.rows.near_contact import near_contacts
from carom.narrow.rows.vertex_ids import features_type
from carom.narrow.verbs import collide
from carom.shapes.given import AnyParts
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.shapes.set import Shapes

CONTACT_BYTES = 104
"""Of memory for each pair that touches: 97 of the columns, and the rest for the small parts that are worked on."""

OWNERS_ROWS = 2**16
"""Rows of the owners of pairs whose contacts are found at once: each takes about 1.5 kB, measured."""
AT_ONCE = 2**16  # pairs whose shapes are copied together, and fewer
PART_BYTES = 2**25  # where their copies would take more than that


@names_near
class PairContacts(NamedTuple):
    """The pairs that touch, overlap or are near, and how; one row a pair."""

    pairs: Rows32
    """(m, 2) int32: row of A, row of B."""
    normal: Floats
    """(m, 2) unit vector from A towards B: moving B by ``normal * depth`` makes them just touch."""
    depth: Floats
    """(m,) below 0 where the two are apart: minus their separation."""
    count: Counts  # type: ignore[assignment]  # the field's word, and nobody counts equal columns
    """(m,) int8: how many points, 1 or 2."""
    points: Floats
    """(m, 2, 2) halfway between the two surfaces; what a row does not have is 0."""
    depths: Floats
    """(m, 2) the depth at each point."""
    features: Features
    """(m, 2, 2) int32: what meets there, of A and of B: k for vertex k, -1 - k for the edge that leaves vertex k."""

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are a, b, nx, ny, depth, count, x0, y0, x1, y1, depth0, depth1, feature_a0 to feature_b1.
        """
        return flat(self._asdict())


@overload
def contacts(
    shapes: AnyParts,
    others: AnyParts | None = None,
    *,
    within: float = 0.0,
    touching: bool = True,
    owners: bool = False,
    block: None = None,
    **options: Unpack[LayerOptions],
) -> PairContacts: ...


@overload
def contacts(
    shapes: AnyParts,
    others: AnyParts | None = None,
    *,
    within: float = 0.0,
    touching: bool = True,
    owners: bool = False,
    block: int,
    **options: Unpack[LayerOptions],
) -> Iterator[PairContacts]: ...


@told_by_name
def contacts(
    shapes: AnyParts,
    others: AnyParts | None = None,
    *,
    within: float = 0.0,
    touching: bool = True,
    owners: bool = False,
    layer: AnyLayers | None = None,
    mask: AnyLayers | None = None,
    others_layer: AnyLayers | None = None,
    others_mask: AnyLayers | None = None,
    method: Method = "auto",
    block: int | None = None,
    threads: int = 1,
    **unknown: Never,
) -> Any:
    """Return all pairs of shapes that touch, overlap or are near, with normal, depth and contact points.

    Parameters
    ----------
    shapes, others, within, touching, layer, mask, others_layer, others_mask, method, block, threads
        As in `pairs`.
    owners : bool, default False
        One row a pair of owners in place of a row a pair of parts: how the two touch as wholes, as `collide` tells it
        of a `Compound` of the rows of each. Of two C shapes that interlock that is far deeper than any two parts are.

    Returns
    -------
    PairContacts, or an iterator of such blocks
        Named tuple (pairs, normal, depth, count, points, depths, features) of columns, one row a pair, in the order of
        `pairs`.

    Raises
    ------
    TypeError, ValueError, MemoryError
        As `pairs`.

    Notes
    -----
    The pairs of `pairs` and, for each, what `collide` says. Pairs that are apart, which ``within=`` lets in, have a
    depth below 0, minus their `separation`, and one point, halfway between the nearest points of the two.

    Examples
    --------
    >>> found = cm.contacts(cm.Shapes.boxes([(0, 0), (1.5, 0), (9, 9)], [(2, 2)] * 3))
    >>> found.pairs, found.normal, found.depth
    (array([[0, 1]], dtype=int32), array([[1., 0.]]), array([0.5]))
    >>> cm.contacts(cm.Shapes.circles([(0, 0), (2.5, 0), (9, 9)], 1), within=1).depth
    array([-0.5])
    """
    if unknown:
        refuse_keywords("contacts", contacts, unknown)
    first, second = sides_of("contacts", shapes, others, layer, mask, others_layer, others_mask)
    if inputs.truth("contacts", "owners", owners):
        return _of_owners(*asked_of("contacts", first, second, within, touching, method, block, threads))
    return contacts_of("contacts", first, second, within, touching, method, block, threads)


def contacts_of(
    where: str, first: Side, second: Side | None, within: Any, touching: Any, method: Any, block: Any, threads: Any
) -> Any:
    """Return the contacts of one side or two; `where` is the caller that errors name."""
    found = pairs_of(where, first, second, within, touching, method, block, threads)
    others = (first if second is None else second).shapes
    if block is None:
        return _contacts(where, first.shapes, others, found, threads, IN_BLOCKS)
    smaller = "ask for smaller ones with block="
    return (_contacts(where, first.shapes, others, some, threads, smaller) for some in found)


def _of_owners(search: Search, first: Side, second: Side | None, size: int | None) -> Any:
    """Return the contacts of the owners of one side or two: all of them, or blocks of a size."""
    found = owner_places(search, first, second, size)
    a, b = (Things(side.side.shapes, side.first) for side in (found.a, found.b))
    b = a if second is None else b

    def rows(i: Integers, j: Integers) -> ContactColumns:
        some = np.column_stack([i, j]).astype(np.int32)
        told = _contacts(search.where, a.shapes, b.shapes, some, search.threads, IN_BLOCKS)
        return ContactColumns(told.depth >= 0.0, *told[1:])

    answer = OwnerContacts(a, b, rows, search.threads)
    of_a, of_b = np.diff(found.a.first), np.diff(found.b.first)

    def contact(places: Rows32) -> PairContacts:
        """Return the contacts of pairs, as many at once as have a bounded number of rows."""
        i, j = places.T.astype(np.int64)
        load = np.cumsum(of_a[i] + of_b[j]) // OWNERS_ROWS
        cuts = np.flatnonzero(load[1:] != load[:-1]) + 1
        some = [answer(*both)[1:] for both in zip(np.split(i, cuts), np.split(j, cuts), strict=True)]
        columns = some[0] if len(some) == 1 else [np.concatenate(column) for column in zip(*some, strict=True)]
        return PairContacts(found.named(places), *columns)

    return contact(found.places) if isinstance(found.places, np.ndarray) else map(contact, found.places)


def _contacts(where: str, a: Shapes, b: Shapes, found: Rows32, threads: int, remedy: str) -> PairContacts:
    """Return the contacts of pairs, some after the others, so that copies of their shapes take little memory."""
    n = len(found)
    if not memory.fits(CONTACT_BYTES * n):
        raise MemoryError(memory.refusal(where, n, "pairs touch or overlap", CONTACT_BYTES, remedy))
    columns = PairContacts(
        found,
        np.empty((n, 2)),
        np.empty(n),
        np.empty(n, np.int8),
        np.empty((n, 2, 2)),
        np.empty((n, 2)),
        np.empty((n, 2, 2), features_type(a, b)),
    )
    longest = 8 * max(_longest(a), _longest(b))
    step = max(1, min(AT_ONCE, PART_BYTES // (2 * longest)))
    for begin in range(0, n, step):
        rows = found[begin : begin + step]
        side_a, side_b = a[rows[:, 0]], b[rows[:, 1]]
        part = collide(side_a, side_b, threads=threads)
        if not part.hit.all():
            apart = np.flatnonzero(~part.hit)
            filled: list[Any] = list(part)
            for whole, near in zip(filled, near_contacts(side_a[apart], side_b[apart], threads), strict=True):
                whole[apart] = near
        out: list[Any] = list(columns[1:])
        for column, given in zip(out, part[1:], strict=True):
            column[begin : begin + step] = given
    return columns


def _longest(shapes: Shapes) -> int:
    """Return how many numbers the longest record has."""
    return POINTS + STRIDE * int(shapes._buffer[shapes._starts + COUNT].max(initial=0.0))
