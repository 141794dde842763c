"""All that is known about a scene: the explanation of its pair, the cast of its motion, who meets whom, and counts.

In: a scene. Out: frozen facts, which every layer, line of words and page reads. Nothing is computed twice: the numbers
are those of `explain`, `cast`, `intersects` and `pairs`. World frame, user's units.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from carom.explain.explain import Explanation, explain
from carom.narrow.cast import Hit
from carom.narrow.verbs import cast, intersects
from carom.playground_app.partition import Partition, cells_of, nodes_of
from carom.playground_app.scene import Scene
from carom.shapes.base import Shape
from carom.shapes.set import Shapes


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
    shapes = scene.shapes
    meets = [False] * len(shapes)
    for i, j in combinations(range(len(shapes)), 2):
        if intersects(shapes[i], shapes[j]):
            meets[i] = meets[j] = True
    if scene.pair is None:
        return Facts(None, tuple(meets), None)
    return Facts(explain(scene.a, scene.b), tuple(meets), _first_strike(scene))


def _first_strike(scene: Scene) -> Strike | None:
    if scene.pair is None or scene.motion == (0.0, 0.0):
        return None
    mover, first = scene.pair[0], None
    for row, shape in enumerate(scene.shapes):
        if row != mover:
            hit = cast(scene.a, shape, scene.motion)
            if hit is not None and (first is None or hit.fraction < first.hit.fraction):
                first = Strike(row, hit)
    return first


@lru_cache(maxsize=4)
def partition(shapes: tuple[Shape, ...], which: str) -> Partition:
    """Return how space is divided among shapes, by the cells of "partition" or the nodes of "tree"."""
    return cells_of(Shapes(shapes)) if which == "partition" else nodes_of(Shapes(shapes))


@lru_cache(maxsize=8192)
def _explained(a: Shape, b: Shape) -> Explanation:
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
