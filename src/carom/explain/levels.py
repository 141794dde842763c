"""The layered test, one level after another, with the findings and the verdict of each.

In: two shapes and the axes between them. Out: the levels that were tried, cheap volumes first, up to the one that
decided. World frame, user's units; numbers within texts are rounded to six digits.

Two volumes that are apart keep their shapes apart; volumes that meet tell nothing, unless they are the shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from carom.explain.axes import Axes
from carom.explain.numbers import show, show_direction, show_gap, without_rounding
from carom.narrow.kinds import AABBS, DISCS, form_of_shapes, is_obb, is_round, is_sharp_box, is_thin
from carom.narrow.separation import Closest
from carom.narrow.verbs import distance, separation
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.basic import Point
from carom.shapes.bounds import Bounds, bounding_circle, bounds, smallest_box
from carom.shapes.compound import Compound
from carom.tolerances import LARGEST

Verdict = Literal["apart", "touch", "overlap", "cannot tell"]
Volume = ConvexShape | Bounds
Whole = Shape


class Level(NamedTuple):
    """One level of the layered test."""

    name: str
    """"bounding circle", "AABB", "OBB", "separating axes" or "exact arithmetic"; of a Compound "parts"."""
    volumes: tuple[Volume, Volume]
    """The shapes or volumes that stood for A and for B."""
    gap: float
    """How far the two volumes are apart, negative where they overlap; of AABBs the larger of the gaps in x and y.

    Volumes are rounded outwards: of two whose gap may be no more than that it is 0."""
    verdict: Verdict
    """The verdict: "apart", "touch", "overlap", or "cannot tell"."""
    text: str
    """The numbers and the conclusion, in words."""


def verdict(gap: float) -> Verdict:
    """Return the verdict of the sign of a separation."""
    if gap == 0.0:
        return "touch"
    return "apart" if gap > 0.0 else "overlap"


def tried(untried: Iterable[Level]) -> tuple[Level, ...]:
    """Return levels in order, up to the one that decided."""
    levels: list[Level] = []
    for level in untried:
        levels.append(level)
        if level.verdict != "cannot tell":
            break
    return tuple(levels)


def parts_of(shape: Whole) -> tuple[ConvexShape, ...]:
    """Return the convex parts of a shape."""
    return shape.parts if isinstance(shape, Compound) else (cast(ConvexShape, shape),)


def parts_levels(
    a: Whole, b: Whole, near: Closest, deciding: Sequence[tuple[int, int]], gaps: NDArray[np.float64]
) -> Iterator[Level]:
    """Give the levels for bodies of several parts, from the pairs of parts that decide, and the gaps of all pairs."""
    if _have_volumes(a, b):
        yield circles_level(a, b, exact=False)
    yield aabbs_level(a, b, exact=False, why="around all parts")
    told, (first, second) = verdict(near.separation), deciding[0]
    count = f"{gaps.size} pair{'' if gaps.size == 1 else 's'} of parts, {int((gaps <= 0.0).sum())} of them meeting"
    names = " and ".join(f"part {i} of A with part {j} of B" for i, j in deciding)
    text = {
        "apart": f"nearest is {names}, {show_gap(near.separation)}",
        "touch": f"{names} touches",
        "overlap": f"last to come free is {names}, when B moves by {show(-near.separation)} "
        f"along {show_direction(near.normal)}",
    }[told]
    yield Level("parts", (parts_of(a)[first], parts_of(b)[second]), near.separation, told, f"{count}; {text}")


def convex_levels(a: ConvexShape, b: ConvexShape, found: Axes) -> Iterator[Level]:
    """Give the levels for two convex shapes, from the axes of their separating axis test."""
    form = form_of_shapes(a, b)
    if form == DISCS or _have_volumes(a, b):
        yield circles_level(a, b, exact=form == DISCS)
    if not is_obb(a) and not is_obb(b):
        boxes = form == AABBS and a.radius + b.radius == 0.0
        yield aabbs_level(a, b, exact=boxes, why="neither shape is a turned box")
    elif not (is_sharp_box(a) and is_sharp_box(b)) and not is_thin(a) and not is_thin(b) and _have_volumes(a, b):
        yield _obbs(a, b)
    yield _sat(a, b, found)
    yield _exact(a, b, found)


def _have_volumes(*shapes: Whole) -> bool:
    """Tell whether circles and turned boxes around shapes are surely within the largest coordinate."""
    return all(4.0 * abs(number) <= LARGEST for shape in shapes for number in bounds(shape))


def _judge(gap: float, exact: bool, volumes: str) -> tuple[Verdict, str]:
    """Return the verdict of a gap between volumes on the shapes; `exact` if the volumes are the shapes."""
    if exact:
        return verdict(gap), f"the {volumes} are the shapes: this is the answer"
    if gap > 0.0:
        return "apart", f"what lies in {volumes} that are apart is apart"
    return "cannot tell", f"the {volumes} meet, the shapes need not"


def _gap_of_volumes(u: ConvexShape, v: ConvexShape) -> float:
    """Return the gap between two volumes; 0 where it may be no more than what they are rounded outwards by."""
    return without_rounding(separation(u, v), max(map(abs, (*bounds(u), *bounds(v)))))


def circles_level(a: Whole, b: Whole, exact: bool) -> Level:
    """Return the level of the bounding circles; `exact` if they are the shapes."""
    u, v = (shape if is_round(shape) else bounding_circle(shape) for shape in (a, b))
    gap = separation(u, v) if exact else _gap_of_volumes(u, v)
    told, why = _judge(gap, exact, "circles")
    between = show(distance(Point(u.position), Point(v.position)))
    text = f"centres {between} apart, radii {show(u.radius)} and {show(v.radius)}: {show_gap(gap)}; {why}"
    return Level("bounding circle", (u, v), gap, told, text)


def aabbs_level(a: Whole, b: Whole, exact: bool, why: str) -> Level:
    """Return the level of the AABBs, and why they are asked; `exact` if they are the shapes."""
    u, v = bounds(a), bounds(b)
    gap_x = max(v.min_x - u.max_x, u.min_x - v.max_x)
    gap_y = max(v.min_y - u.max_y, u.min_y - v.max_y)
    gap = max(gap_x, gap_y)
    told, then = _judge(gap, exact, "boxes")
    text = f"{why}; in x {show_gap(gap_x)}, in y {show_gap(gap_y)}; {then}"
    return Level("AABB", (u, v), gap, told, text)


def _obbs(a: ConvexShape, b: ConvexShape) -> Level:
    u, v = smallest_box(a), smallest_box(b)
    gap = _gap_of_volumes(u, v)
    told, why = _judge(gap, False, "boxes")
    return Level("OBB", (u, v), gap, told, f"the smallest boxes, turned as need be: {show_gap(gap)}; {why}")


def _sat(a: ConvexShape, b: ConvexShape, found: Axes) -> Level:
    tested = [k for k, axis in enumerate(found.axes) if axis.parallel_to is None]
    count = f"{len(tested)} ax{'is' if len(tested) == 1 else 'es'}, parallel ones once"
    least = f"axis {found.deciding}"
    told: Verdict = "cannot tell" if found.undecided else verdict(found.rounded)
    reach = a.radius + b.radius
    if told == "cannot tell" and reach > 0.0 and found.rounded + reach <= 0.0:
        text = (
            f"{count}: none has a gap; {least} has the least overlap, {show(-found.rounded)}; but without their radii "
        )
        text += "the shapes only just touch, where rounding could hide a gap beyond a sharp corner"
    elif told == "cannot tell":
        text = f"{count}: the largest gap, on {least}, is 0 but for rounding, which leaves its sign open"
    elif told == "overlap":
        text = f"{count}: none has a gap; {least} has the least overlap, {show(-found.rounded)}"
    else:
        first = next(k for k in tested if found.axes[k].gap > 0.0)
        text = f"{count}: axis {first} separates them, gap {show(found.axes[first].gap)}"
        if first != found.deciding:
            text += f"; the largest gap, {show(found.rounded)}, is on {least}"
    return Level("separating axes", (a, b), found.rounded, told, text)


def _exact(a: ConvexShape, b: ConvexShape, found: Axes) -> Level:
    gap = found.axes[found.deciding].gap
    told = verdict(gap)
    does = {"apart": "are apart", "touch": "touch", "overlap": "overlap"}[told]
    return Level("exact arithmetic", (a, b), gap, told, f"the same question without any rounding: the shapes {does}")
