"""Why two shapes meet or do not: every level of the test, every axis, the answer in words and as a table.

In: two shapes. Out: a frozen value that holds all numbers and prints as a table. World frame, user's
units. Nothing is decided here: the numbers are those that `separation`, `closest` and `collide` give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carom._core.names import made_by
from carom._core.types import Floats
from carom.explain.axes import (
    Difference,
    axis_along,
    difference,
    gap_along,
    number_along,
    origin_for,
    separating_axes,
)
from carom.explain.findings import Answer
from carom.explain.levels import convex_levels, parts_levels, parts_of, tried
from carom.explain.report import report
from carom.narrow.separation import Closest
from carom.narrow.verbs import closest, collide, separation
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.set import Shapes
from carom.vector import Vec

FREE = 1e-9  # of the depth: two parts no farther apart have come free at the same moment


class _Told(Answer):
    """An answer that prints as text."""

    def __str__(self) -> str:
        return report(self)


@made_by("cm.explain(a, b)")
@dataclass(frozen=True, repr=False)
class Explanation(_Told):
    """Why two shapes meet or do not; `print` shows it as a table, a notebook as a picture."""

    a: ConvexShape
    b: ConvexShape
    difference: Difference
    """The Minkowski difference A - B: the shapes overlap just when it holds the origin."""


@made_by("cm.explain(a, b)")
@dataclass(frozen=True, repr=False)
class CompoundExplanation(_Told):
    """Why two bodies of several parts meet or do not; `print` shows it as a table, a notebook as a picture."""

    part: Explanation
    """Why the parts of `pair` meet or do not, by themselves."""


def explanation_of_pair(a: ConvexShape, b: ConvexShape) -> Explanation:
    """Explain two shapes of one part."""
    found = separating_axes(a, b)
    levels = tried(convex_levels(a, b, found))
    near, contact = closest(a, b), collide(a, b)
    return Explanation.made(
        a, b, levels, near, contact, found.axes, found.deciding, found.origin, ((0, 0),), difference(a, b)
    )


def explanation_of_parts(a: Shape, b: Shape) -> CompoundExplanation:
    """Explain two bodies, of which one at least has several parts."""
    of_a, of_b = parts_of(a), parts_of(b)
    near = closest(a, b)
    gaps = _gaps(of_a, of_b)
    pairs, normal = _deciding(of_a, of_b, near, gaps)
    levels = tried(parts_levels(a, b, near, pairs, gaps))
    first, second = of_a[pairs[0][0]], of_b[pairs[0][1]]
    part, origin = explanation_of_pair(first, second), origin_for(a, b)
    axes = list(separating_axes(first, second, origin).axes)
    gap = near.separation if len(pairs) == 1 else gap_along(first, second, normal)
    shown, deciding = axis_along(first, second, normal, gap, origin), number_along(axes, normal)
    if deciding is None:
        deciding = len(axes)
        axes.append(shown)
    else:
        edge = axes[deciding]
        axes[deciding] = shown._replace(source=edge.source, features=edge.features)
    return CompoundExplanation.made(a, b, levels, near, collide(a, b), tuple(axes), deciding, origin, pairs, part)


def _gaps(of_a: Sequence[ConvexShape], of_b: Sequence[ConvexShape]) -> Floats:
    """Return the separation of each part of A from each part of B."""
    rows, columns = np.indices((len(of_a), len(of_b)))
    gaps = separation(Shapes(of_a)[rows.ravel()], Shapes(of_b)[columns.ravel()])
    return np.asarray(gaps).reshape(len(of_a), len(of_b))


def _deciding(
    of_a: Sequence[ConvexShape], of_b: Sequence[ConvexShape], near: Closest, gaps: Floats
) -> tuple[tuple[tuple[int, int], ...], Vec]:
    """Return the pairs of parts that decide, and the normal between the first; of several those along that of all."""
    if near.separation >= 0.0:
        nearest = np.argwhere(gaps == gaps.min()).tolist()
        turns = [closest(of_a[i], of_b[j]).normal.dot(near.normal) for i, j in nearest]
        i, j = nearest[int(np.argmax(turns))]
        return ((i, j),), near.normal
    depth = -near.separation
    moved = [part.translated(near.normal * depth) for part in of_b]
    free = _gaps(of_a, moved)
    last = np.argwhere(free <= free.min() + FREE * depth).tolist()
    last.sort(key=lambda pair: gaps[pair[0], pair[1]])  # those that are deepest in each other now come first
    # A pair that decides alone overlaps along the normal by just the depth.
    alone = [(i, j) for i, j in last if abs(gap_along(of_a[i], of_b[j], near.normal) + depth) <= FREE * depth]
    if alone or len(last) == 1:
        i, j = alone[0] if alone else last[0]
        return ((i, j),), near.normal
    (i, j), (k, m) = last[:2]
    return ((i, j), (k, m)), closest(of_a[i], moved[j]).normal
