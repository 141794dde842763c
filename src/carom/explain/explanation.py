"""Why two shapes meet or do not: every level of the test, every axis, the answer in words and as a table.

In: two shapes. Out: a frozen value that holds all numbers and prints as a table. World frame, user's
units. Nothing is decided here: the numbers are those that `separation`, `closest` and `collide` give.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom._core.names import made_by
from carom.explain.axes import difference, separating_axes
from carom.explain.findings import Answer, Findings, axis_lines, table
from carom.explain.levels import convex_levels, parts_levels, parts_of, tried
from carom.narrow.verbs import closest, collide, separation
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.set import Shapes


@made_by("cm.explain(a, b)")
@dataclass(frozen=True, repr=False)
class Explanation(Findings):
    """Why two shapes meet or do not; `print` shows it as a table, a notebook as a picture."""

    def __str__(self) -> str:
        return table(self, axis_lines(self))


@made_by("cm.explain(a, b)")
@dataclass(frozen=True, repr=False)
class CompoundExplanation(Answer):
    """Why two bodies of several parts meet or do not; `print` shows it as a table, a notebook as a picture."""

    pair: tuple[int, int]
    """The part of A and the part of B that are nearest to each other, or overlap most; 0 for a shape of one part."""
    part: Explanation
    """Why these two parts meet or do not."""

    def __str__(self) -> str:
        of_a, of_b = self.pair
        return table(self, [f"the axes between part {of_a} of A and part {of_b} of B", *axis_lines(self.part)])


def explanation_of_pair(a: ConvexShape, b: ConvexShape) -> Explanation:
    """Explain two shapes of one part."""
    found = separating_axes(a, b)
    levels = tried(convex_levels(a, b, found))
    return Explanation.made(a, b, levels, closest(a, b), collide(a, b), found.axes, found.deciding, difference(a, b))


def explanation_of_parts(a: Shape, b: Shape) -> CompoundExplanation:
    """Explain two bodies, of which one at least has several parts."""
    of_a, of_b = parts_of(a), parts_of(b)
    rows, columns = np.indices((len(of_a), len(of_b)))
    gaps = separation(Shapes(of_a)[rows.ravel()], Shapes(of_b)[columns.ravel()])
    first, second = divmod(int(np.argmin(gaps)), len(of_b))
    answer = closest(a, b)
    levels = tried(parts_levels(a, b, answer.separation, (first, second), gaps))
    part = explanation_of_pair(of_a[first], of_b[second])
    return CompoundExplanation.made(a, b, levels, answer, collide(a, b), (first, second), part)
