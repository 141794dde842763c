"""All that is known about a scene: its pair explained, its motion cast, who meets whom, and how space is divided.

In: a scene. Out: frozen facts, which every layer, line of words and page reads: the answers of the verbs; the cells or
boxes that divide space, which of them hold something, and the pairs that are left to test; and counts of the layered
test. Nothing is computed twice and nothing chosen here: the numbers are those of `explain`, `cast`, `intersects` and
`pairs`, the cells of several grids those of `all_pairs`, the nodes those of `Index`. World frame, user's units.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from carom.broad import grid_levels as grids
from carom.broad.tree import CHILDREN
from carom.draw.pair.scene import Scene
from carom.draw.pair.spaces import Filed, filed, nodes_of
from carom.explain.explain import explain
from carom.explain.explanation import Explanation
from carom.narrow.cast import Hit
from carom.narrow.verbs import cast, intersects
from carom.shapes.base import ConvexShape
from carom.shapes.bounds import Bounds, bounds

MOST_CELLS = 24  # of a grid on one axis; more could not be read


class Strike(NamedTuple):
    """The first shape that the moving one meets."""

    row: int
    hit: Hit


class Tally(NamedTuple):
    """Counts of one level of the layered test over all pairs of a scene."""

    name: str
    asked: int
    """Pairs that came to this level."""
    apart: int
    """Pairs that it told apart: their later tests were saved."""
    met: int
    """Pairs that it found to touch or overlap."""
    false: int
    """Pairs whose volumes met although the shapes are apart: false positives."""


class Facts(NamedTuple):
    """The answers of the verbs about a scene."""

    why: Explanation | None
    """The explanation of the chosen pair."""
    meets: tuple[bool, ...]
    """Whether each shape touches or overlaps another."""
    strike: Strike | None
    """The first shape that A meets on its way; None if there is none, or if A does not move."""


@lru_cache(maxsize=8)
def facts_of(scene: Scene) -> Facts:
    """Return the answers of the verbs about a scene."""
    pairs = combinations(enumerate(scene.shapes), 2)
    met = {row for (i, a), (j, b) in pairs if intersects(a, b) for row in (i, j)}
    why = None if scene.pair is None else explain(scene.a, scene.b)
    return Facts(why, tuple(row in met for row in range(len(scene.shapes))), _first_strike(scene))


def _first_strike(scene: Scene) -> Strike | None:
    if scene.pair is None or scene.motion == (0.0, 0.0):
        return None
    hits = [(row, cast(scene.a, shape, scene.motion)) for row, shape in enumerate(scene.shapes) if row != scene.pair[0]]
    strikes = [Strike(row, hit) for row, hit in hits if hit is not None]
    return min(strikes, key=lambda strike: strike.hit.fraction, default=None)


class Partition(NamedTuple):
    """Space divided among shapes."""

    what: str
    """A sentence that says which boxes these are, and why."""
    boxes: tuple[Bounds, ...]
    """Cells of the grids, fine to coarse, or the tree's nodes, the largest first."""
    busy: tuple[bool, ...]
    """Whether something is filed in each."""
    candidates: tuple[tuple[int, int], ...]
    """Pairs of rows whose AABBs meet: only these are left for the exact test."""


@lru_cache(maxsize=4)
def partition(shapes: tuple[ConvexShape, ...], which: str) -> Partition:
    """Return how space is divided among shapes, by the cells of "partition" or the nodes of "tree"."""
    if len(shapes) < 2:
        return _of_few(shapes, which)
    found = filed(shapes)
    if which == "tree":
        nodes = tuple(nodes_of(shapes))
        return Partition(_tree_words(len(nodes)), nodes, (False,) * len(nodes), found.candidates)
    if found.method not in ("grid", "hierarchy"):
        how = "strips as high as the shapes find" if found.method == "strips" else "a sweep along x finds"
        return Partition(f"No cells: the shapes are crowded, and {how} the pairs", (), (), found.candidates)
    boxes = [bounds(shape) for shape in shapes]
    if found.levels:
        cells, busy = _levels(boxes, found)
        what = f"A grid of {len(cells)} cells, {len(found.levels)} grids, for the sizes differ"
    else:
        cells, busy = _squares(boxes)
        what = f"A grid of {len(cells)} cells as wide as the widest AABB"
    what += "; tinted where a shape's lower left corner is filed"
    return Partition(what, tuple(cells), tuple(busy), found.candidates)


def _of_few(shapes: tuple[ConvexShape, ...], which: str) -> Partition:
    """Return what there is of less than two shapes: one node, or nothing."""
    if which == "partition":
        return Partition("No pair, no partition", (), (), ())
    if not shapes:
        return Partition("No shape, no tree", (), (), ())
    return Partition(_tree_words(1), (bounds(shapes[0]),), (False,), ())


def _tree_words(count: int) -> str:
    return f"A tree of {count} boxes, up to {CHILDREN} in each, halved again and again at the median"


def _squares(boxes: list[Bounds]) -> tuple[list[Bounds], list[bool]]:
    """Return squares as large as the largest box, those at the far sides cut off, and whether each has a lower corner.

    `pairs` itself cuts as few rows of cells as cost least, for thirty shapes one; no grid could be seen in that.
    """
    low_x, low_y = min(box.min_x for box in boxes), min(box.min_y for box in boxes)
    high_x, high_y = max(box.max_x for box in boxes), max(box.max_y for box in boxes)
    widest = max(max(box.max_x - box.min_x, box.max_y - box.min_y) for box in boxes)
    side = max(widest, max(high_x - low_x, high_y - low_y) / MOST_CELLS)
    edges_x, edges_y = _edges_between(low_x, high_x, side), _edges_between(low_y, high_y, side)
    across, up = len(edges_x) - 1, len(edges_y) - 1
    busy = [False] * (across * up)
    for box in boxes:
        column = min(bisect_right(edges_x[1:-1], box.min_x), across - 1)
        busy[across * min(bisect_right(edges_y[1:-1], box.min_y), up - 1) + column] = True
    cells = [(column, line) for line in range(up) for column in range(across)]
    return [Bounds(edges_x[c], edges_y[r], edges_x[c + 1], edges_y[r + 1]) for c, r in cells], busy


def _edges_between(low: float, high: float, side: float) -> list[float]:
    """Return where cells of a width begin, and where the last one ends."""
    count = max(1, math.ceil((high - low) / side)) if side > 0.0 else 1
    return [*(low + side * k for k in range(count)), high]


def _levels(boxes: list[Bounds], found: Filed) -> tuple[list[Bounds], list[bool]]:
    """Return the cells of several grids, fine to coarse, and whether a lower corner is filed in each."""
    low_x, low_y = min(box.min_x for box in boxes), min(box.min_y for box in boxes)
    high_x, high_y = max(box.max_x for box in boxes), max(box.max_y for box in boxes)
    cells = []
    for level in found.levels:
        across, up = int(level[grids.CELLS_X]), int(level[grids.CELLS_Y])
        for number in range(across * up):
            column, line = number % across, number // across
            x0, x1 = _edges(column, across, level[grids.ORIGIN_X], level[grids.PER_X], low_x, high_x)
            y0, y1 = _edges(line, up, level[grids.ORIGIN_Y], level[grids.PER_Y], low_y, high_y)
            cells.append(Bounds(x0, y0, x1, y1))
    return cells, found.busy


def _edges(number: int, count: int, origin: float, per: float, low: float, high: float) -> tuple[float, float]:
    """Return where a cell begins and ends on one axis; the outermost take in all that lies beyond."""
    if count == 1 or per == 0.0:
        return low, high
    start = low if number == 0 else origin + number / per
    return start, high if number == count - 1 else origin + (number + 1) / per


@lru_cache(maxsize=8192)
def _explained(a: ConvexShape, b: ConvexShape) -> Explanation:
    """Explain a pair once, however often other shapes of the scene change."""
    return explain(a, b)


@lru_cache(maxsize=4)
def tallies(scene: Scene) -> tuple[Tally, ...]:
    """Return, level by level, the counts of the layered test over all pairs of a scene."""
    order = ("bounding circle", "AABB", "OBB", "separating axes", "exact arithmetic")
    counts = {name: [0, 0, 0, 0] for name in order}
    for a, b in combinations(scene.shapes, 2):
        why = _explained(a, b)
        for level in why.levels:
            count = counts[level.name]
            count[0] += 1
            count[1] += level.verdict == "apart"
            count[2] += level.verdict in ("touch", "overlap")
            count[3] += level.verdict == "cannot tell" and why.verdict == "apart"
    return tuple(Tally(name, *counts[name]) for name in order if counts[name][0])
