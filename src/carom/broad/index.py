"""Index: many shapes kept ready for questions about all of them: what is here, what does a ray meet, what is nearest.

In: shapes, later others in place of some, more, fewer. Out: row numbers, hits and distances, the same to the last bit
as if each query had asked each shape with the verbs for pairs, in an order that is promised. User's frame and units.
`index_rows` keeps the rows, `index_regions` and `index_hits` ask them; here stand the pairs among them, and the plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, overload

import numpy as np

from carom._core.types import Rows32
from carom.broad.all_pairs import Method
from carom.broad.contact_pairs import PairContacts, contacts_of
from carom.broad.find_pairs import Side, plan_of, side_of
from carom.broad.index_hits import Hits
from carom.broad.index_regions import Regions
from carom.broad.pairs import pairs_of


class Index(Regions, Hits):
    """Many shapes kept ready for questions about all of them.

    Parameters
    ----------
    shapes : Shapes, or an iterable of shapes
        Row k of the set is row k of the index.
    layer : int or (n,) integers, default 1
        The layers each row is on, one bit each, 64 in all. A question with ``mask=`` asks only rows with
        ``layer & mask != 0``; without it, all rows.
    mask : int or (n,) integers, optional
        The layers each row wants to meet, all if not given: what `pairs` and `contacts` look at.
    method : "auto", "tree" or "grid", default "auto"
        How the first hits of rays are found. "auto" lays out a grid when rays come in numbers and sizes and places are
        even enough; `plan` says what was done.

    Notes
    -----
    Every answer is that of asking each shape in turn with `intersects`, `raycast`, `cast` or `distance`, to the last
    bit. Row numbers stay valid for ever: that of a removed row is not given again, and refused.

    The index keeps a tree of boxes in which neighbours lie together; `plan` describes it. Changing shapes refits the
    boxes; when that has spread them out too far, the tree is put in order again.

    Examples
    --------
    >>> index = cm.Index([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 2)), cm.Circle((9, 0), 1)])
    >>> index.query(cm.Circle((3, 0), 2.5))
    array([0, 1])
    >>> hit = index.raycast((2, 0), (10, 0))
    >>> hit.row, hit.distance
    (1, 2.0)
    >>> index.nearest((7, 0), k=2).rows
    array([1, 2])
    """

    def __repr__(self) -> str:
        return f"<Index: {len(self)} rows>"

    @property
    def plan(self) -> str:
        """How the shapes are kept, how rays are cast, and how `pairs` are found, in words.

        How pairs are found is told by trying, so this takes as long as the search of their bounds.
        """
        plan = plan_of("Index.plan", self._for_pairs("Index.plan")[1], None, 0.0, "auto", 1)
        return f"{self._slots.plan}; pairs by {plan.method}: {plan.why}"

    @overload
    def pairs(
        self,
        *,
        within: float = 0.0,
        touching: bool = True,
        method: Method = "auto",
        block: None = None,
        threads: int = 1,
    ) -> Rows32: ...

    @overload
    def pairs(
        self, *, within: float = 0.0, touching: bool = True, method: Method = "auto", block: int, threads: int = 1
    ) -> Iterator[Rows32]: ...

    def pairs(
        self,
        *,
        within: float = 0.0,
        touching: bool = True,
        method: Method = "auto",
        block: int | None = None,
        threads: int = 1,
    ) -> Any:
        """Return all pairs of rows that touch or overlap, or lie within a distance of each other.

        Parameters
        ----------
        within, touching, method, block, threads
            As for `pairs`, the function, and `pairs_plan` tells how; the rows' layers and masks are those of the index.

        Returns
        -------
        (m, 2) int32, or an iterator of such blocks
            Row numbers i < j, sorted by the first, then by the second, each pair once.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `pairs`.

        Examples
        --------
        >>> cm.Index(cm.Shapes.circles([(0, 0), (9, 0), (1, 0)], 1)).pairs()
        array([[0, 2]], dtype=int32)
        """
        rows, side = self._for_pairs("Index.pairs")
        found = pairs_of("Index.pairs", side, None, within, touching, method, block, threads)
        return rows[found] if block is None else (rows[some] for some in found)

    @overload
    def contacts(self, *, method: Method = "auto", block: None = None, threads: int = 1) -> PairContacts: ...

    @overload
    def contacts(self, *, method: Method = "auto", block: int, threads: int = 1) -> Iterator[PairContacts]: ...

    def contacts(self, *, method: Method = "auto", block: int | None = None, threads: int = 1) -> Any:
        """Return all pairs of rows that touch or overlap, with normal, depth and contact points.

        Parameters
        ----------
        method, block, threads
            As for `pairs`.

        Returns
        -------
        PairContacts, or an iterator of such blocks
            As `contacts`, the function, gives them, the pairs as row numbers of the index.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `pairs`.

        Examples
        --------
        >>> cm.Index(cm.Shapes.circles([(0, 0), (9, 0), (1, 0)], 1)).contacts().depth
        array([1.])
        """
        rows, side = self._for_pairs("Index.contacts")
        found = contacts_of("Index.contacts", side, None, method, block, threads)
        if block is None:
            return found._replace(pairs=rows[found.pairs])
        return (some._replace(pairs=rows[some.pairs]) for some in found)

    def _for_pairs(self, where: str) -> tuple[Rows32, Side]:
        """Return the numbers of the rows in use, and these rows with their layers."""
        rows = self.rows
        layers = self._slots.tree.layers[self._slots.slot_of[rows]]
        masks = self._masks[rows]
        side = side_of(where, "", self.shapes, layers.view(np.uint64), masks.view(np.uint64), True)
        return rows.astype(np.int32), side
