"""All pairs of shapes of a set, or of two sets, that touch or overlap, exactly and in order.

In: shapes, or bare boxes (n, 4). Out: pairs of row numbers, (m, 2) int32, sorted by the first, then by the second, each
once. World frame, user's units. `all_pairs` finds the pairs whose bounds overlap; then the verbs for pairs decide
each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, Never, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.layers import AnyLayers, Layers
from carom._core.names import refuse_keywords, told_by_name
from carom._core.threads import checked
from carom._core.types import Rows32
from carom.broad.all_pairs import METHODS, Boxes, Method, Plan, all_pairs
from carom.broad.blocks import ordered
from carom.broad.find_pairs import Search, Side, find_pairs, plan_of, side_of, with_mask
from carom.broad.grid_levels import measure
from carom.broad.owner_pairs import owner_pairs
from carom.broad.region_pairs import region_pairs
from carom.shapes.given import AnyParts, set_of


class SearchOptions(TypedDict, total=False):
    """Options of every search for pairs."""

    method: Method
    threads: int


class LayerOptions(SearchOptions, total=False):
    """Options of a search among shapes: the layers that each row is on and wants to meet."""

    layer: AnyLayers | None
    mask: AnyLayers | None
    others_layer: AnyLayers | None
    others_mask: AnyLayers | None


@overload
def pairs(
    shapes: AnyParts,
    others: AnyParts | None = None,
    *,
    within: float = 0.0,
    touching: bool = True,
    owners: bool = False,
    block: None = None,
    **options: Unpack[LayerOptions],
) -> Rows32: ...


@overload
def pairs(
    shapes: AnyParts,
    others: AnyParts | None = None,
    *,
    within: float = 0.0,
    touching: bool = True,
    owners: bool = False,
    block: int,
    **options: Unpack[LayerOptions],
) -> Iterator[Rows32]: ...


@told_by_name
def pairs(
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
    """Return all pairs of shapes that touch or overlap, or lie within a distance of each other.

    Parameters
    ----------
    shapes : Shapes, a shape, a Compound, or an iterable of shapes, whose Compounds become a row for each part
        Without `others`, pairs are of two rows i < j of this set.
    others : the same, optional
        With it, pairs are of a row of `shapes` and a row of `others`.
    within : float, default 0
        The largest distance, in length units: pairs with ``separation <= within``.
    touching : bool, default True
        Whether pairs that are just so far away count: with ``within=0``, those that merely touch.
    owners : bool, default False
        Return pairs of owners, numbers of `Shapes.owner`, in place of rows: each once, if a row of one makes a pair
        with a row of the other. Of two regions whose parts touch in many places, the first place found is enough.
        Polygons of `Shapes.from_shapely` are asked by their edges then, without being made into parts, unless there
        are layers or `touching` is False.
    layer, mask : a name, a tuple of names, or an int of bits; or a list or array with one a row; optional
        The layers that each row is on ("default" or bit 0 if not given), and those it wants to meet (all). A pair
        counts if each wants to meet a layer of the other. One call takes names or bits, not both.
    others_layer, others_mask : the same, optional
        The same for `others`.
    method : "auto", "grid", "hierarchy", "strips" or "sweep"
        How the bounds are searched; the answer is the same. Left alone, it is chosen from the data.
    block : int, optional
        Return an iterator over blocks of so many pairs, the last one shorter, in place of one array. Memory then stays
        bounded by the rows and the block, however many pairs there are.
    threads : int, default 1
        How many threads share the work; the answer is the same with any number.

    Returns
    -------
    (m, 2) int32, or an iterator of such blocks
        Sorted by the first row or owner, then by the second, each pair once.

    Raises
    ------
    TypeError
        If `shapes` or `others` holds no shapes, `layer` or `mask` no layers, or `block` or `threads` no whole number.
    ValueError
        If `within` is negative or not finite, a column has the wrong length, or `method` is unknown.
    MemoryError
        If the pairs would not fit into memory: found out, with their number, before memory is taken for them. Pairs
        that layers or owners exclude do not count.

    Notes
    -----
    Exactly the pairs for which `intersects`, or `separation` with ``within=``, says so; but rows of one `Shapes.owner`,
    parts of one Compound or line, are one thing and make no pair with each other. Bounds are searched by grids
    whose number and cells a cost model chooses; where they would crowd in few of the cells, by strips that exist only
    where there is something; and where that goes wrong, by dividing and sweeping (Zomorodian, Edelsbrunner, "Fast
    Software for Box Intersections").

    Examples
    --------
    >>> row = cm.Shapes.circles([(0, 0), (1.5, 0), (4, 0), (5, 0)], 1.0)
    >>> cm.pairs(row)
    array([[0, 1],
           [2, 3]], dtype=int32)
    >>> cm.pairs(row, cm.Box((2, 0), (2, 2)), within=0.5)
    array([[0, 0],
           [1, 0],
           [2, 0]], dtype=int32)
    >>> corner = cm.decompose([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    >>> cm.pairs([corner, corner.translated((0.5, 0.5)), cm.Circle((9, 9), 1)], owners=True)
    array([[0, 1]], dtype=int32)
    """
    if unknown:
        refuse_keywords("pairs", pairs, unknown)
    if inputs.truth("pairs", "owners", owners):
        if all(column is None for column in (layer, mask, others_layer, others_mask)):
            one, other = (
                set_of("pairs", "shapes", shapes),
                None if others is None else set_of("pairs", "others", others),
            )
            found = region_pairs(
                _search("pairs", within, touching, method, threads), one, other, _block("pairs", block)
            )
            if found is not None:
                return found
            shapes, others = one, other
        sides = sides_of("pairs", shapes, others, layer, mask, others_layer, others_mask)
        return owner_pairs(_search("pairs", within, touching, method, threads), *sides, _block("pairs", block))
    first, second = sides_of("pairs", shapes, others, layer, mask, others_layer, others_mask)
    return pairs_of("pairs", first, second, within, touching, method, block, threads)


def pairs_of(
    where: str, first: Side, second: Side | None, within: Any, touching: Any, method: Any, block: Any, threads: Any
) -> Any:
    """Return the pairs of one side or two; `where` is the caller that errors name."""
    search, first, second, size = asked_of(where, first, second, within, touching, method, block, threads)
    return ordered(partial(find_pairs, search), first, second, size)


def asked_of(
    where: str, first: Side, second: Side | None, within: Any, touching: Any, method: Any, block: Any, threads: Any
) -> tuple[Search, Side, Side | None, int | None]:
    """Return the search that options ask for, with its sides and the size of blocks."""
    return _search(where, within, touching, method, threads), first, second, _block(where, block)


def _search(where: str, within: Any, touching: Any, method: Any, threads: Any) -> Search:
    """Return the search that options ask for."""
    distance, closed = _distance(where, within), inputs.truth(where, "touching", touching)
    return Search(where, distance, closed, method, _options(where, method, threads))


@overload
def bounds_pairs(
    bounds: ArrayLike, others: ArrayLike | None = None, *, method: Method = "auto", block: None = None, threads: int = 1
) -> Rows32: ...


@overload
def bounds_pairs(
    bounds: ArrayLike, others: ArrayLike | None = None, *, method: Method = "auto", block: int, threads: int = 1
) -> Iterator[Rows32]: ...


@told_by_name
def bounds_pairs(
    bounds: ArrayLike,
    others: ArrayLike | None = None,
    *,
    method: Method = "auto",
    block: int | None = None,
    threads: int = 1,
) -> Any:
    """Return all pairs of AABBs that touch or overlap.

    Parameters
    ----------
    bounds, others : (n, 4) numbers
        Each row min x, min y, max x, max y, as `Shapes.bounds` gives them. Boxes without width or height are allowed,
        and so are infinite coordinates: nothing is computed with them but comparisons.
        With `others`, pairs are of a row of `bounds` and a row of `others`; else of two rows i < j of `bounds`.
    method, block, threads
        As in `pairs`.

    Returns
    -------
    (m, 2) int32, or an iterator of such blocks
        Sorted by the first row, then by the second, each pair once.

    Raises
    ------
    TypeError
        If `bounds` or `others` holds no numbers.
    ValueError
        If a coordinate is NaN, or an upper corner is below its lower one.
    MemoryError
        If the pairs would not fit into memory: found out, with their number, before memory is taken for them.

    Examples
    --------
    >>> cm.bounds_pairs([(0, 0, 2, 2), (5, 5, 6, 6), (1, 1, 3, 3), (3, 0, 4, 4)])
    array([[0, 2],
           [2, 3]], dtype=int32)
    """
    where = "bounds_pairs"
    first = _boxes(where, "bounds", bounds)
    second = None if others is None else _boxes(where, "others", others)
    workers = _options(where, method, threads)

    find = partial(all_pairs, where, method=method, threads=workers)
    return ordered(find, first, second, _block(where, block))


@told_by_name
def pairs_plan(
    shapes: Any, others: Any = None, *, within: float = 0.0, method: Method = "auto", threads: int = 1
) -> Plan:
    """Tell how `pairs` finds the pairs of bounds that overlap, and why so.

    Parameters
    ----------
    shapes, others, within, method, threads
        As in `pairs`.

    Returns
    -------
    Plan
        Named tuple (method, why, levels): "grid", "hierarchy", "strips", "sweep", or "none" where there is nothing to
        search; the reason, in a sentence; how many grids, or levels of strips.

    Raises
    ------
    TypeError, ValueError
        As `pairs`.

    Notes
    -----
    Whether grids do is found out by trying, so this takes as long as the search of the bounds.

    Examples
    --------
    >>> plan = cm.pairs_plan(cm.Shapes.circles([(0, 0), (1.5, 0), (4, 0)], 1.0))
    >>> plan.method, plan.levels
    ('grid', 1)
    """
    where = "pairs_plan"
    distance = _distance(where, within)
    first, second = sides_of(where, shapes, others, None, None, None, None)
    return plan_of(Search(where, distance, True, method, _options(where, method, threads)), first, second)


def sides_of(
    where: str, shapes: Any, others: Any, layer: Any, mask: Any, others_layer: Any, others_mask: Any
) -> tuple[Side, Side | None]:
    """Return one set or two from the user, with their layers."""
    layers = Layers()
    first = side_of(where, "", layers, shapes, layer, others is None)
    if others is None:
        if others_layer is not None or others_mask is not None:
            raise ValueError(f"{where}: others_layer and others_mask are for two sets; give others, or layer and mask")
        return with_mask(where, "", layers.asked(), first, mask), None
    second = side_of(where, "others", layers, others, others_layer, False)
    asked = layers.asked()
    return with_mask(where, "", asked, first, mask), with_mask(where, "others", asked, second, others_mask)


def _distance(where: str, within: Any) -> float:
    distance = inputs.number(where, "within", within)
    if distance < 0.0:
        inputs.refuse(ValueError, where, "within", within, "must not be negative")
    return distance


def _options(where: str, method: Any, threads: Any) -> int:
    if not isinstance(method, str) or method not in METHODS:
        inputs.refuse(ValueError, where, "method", method, f"must be one of {', '.join(METHODS)}")
    return checked(where, threads)


def _block(where: str, block: Any) -> int | None:
    if block is None:
        return None
    size = inputs.integer(where, "block", block)
    if size < 1:
        inputs.refuse(ValueError, where, "block", block, "must be at least 1")
    return size


def _boxes(where: str, name: str, value: Any) -> Boxes:
    """Return boxes that kernels may read: the user's own array where it serves, since it is only read.

    One that may not be written to, or is not aligned, is copied: to the compiler it is of another type, and to compile
    all kernels for that takes seconds.
    """
    array = value
    if not (type(array) is np.ndarray and array.dtype == np.float64 and array.ndim == 2 and array.flags.carray) or (
        array.shape[1] != 4
    ):
        array = inputs.table(where, name, value, 4, endless=True)
    if not len(array):
        return Boxes(array, measure(np.zeros((1, 4)), math.inf)[1])
    bad, extent = measure(array, math.inf)
    if bad >= 0:
        row = array[bad].tolist()
        for k, item in enumerate(row):
            if math.isnan(item):
                inputs.refuse(ValueError, where, f"{name}[{bad}][{k}]", item, "must be a number")
        expected = "must be min x, min y, max x, max y, with no min above its max; did you pass centre and size?"
        inputs.refuse(ValueError, where, f"{name}[{bad}]", tuple(row), expected)
    return Boxes(array, extent)
