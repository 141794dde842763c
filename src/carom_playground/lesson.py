"""A lesson: the steps from cheap volumes to separating axes, each with a task that a pupil solves by dragging.

In: the explanation of a pair. Out: for each condition of a task whether it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from carom import ConvexShape, Explanation, bounding_circle, bounds, separation, smallest_box


class Check(NamedTuple):
    """A condition of a task."""

    says: str
    holds: Callable[[Explanation], bool]


class Part(NamedTuple):
    """A part of the lesson."""

    heading: str
    text: str
    task: str
    scene: str
    """The name of the scene that it begins with."""
    layers: tuple[str, ...]
    checks: tuple[Check, ...]


def _circles_meet(why: Explanation) -> bool:
    return _meet(bounding_circle(why.a), bounding_circle(why.b))


def _turned_boxes_meet(why: Explanation) -> bool:
    return _meet(smallest_box(why.a), smallest_box(why.b))


def _meet(u: ConvexShape, v: ConvexShape) -> bool:
    return separation(u, v) <= 0.0


def _boxes_meet(why: Explanation) -> bool:
    u, v = bounds(why.a), bounds(why.b)
    return u.min_x <= v.max_x and v.min_x <= u.max_x and u.min_y <= v.max_y and v.min_y <= u.max_y


def _shapes_meet(why: Explanation) -> bool:
    return why.separation <= 0.0


def _gaps(why: Explanation) -> int:
    return sum(axis.parallel_to is None and axis.gap > 0.0 for axis in why.axes)


def _meeting(what: str, holds: Callable[[Explanation], bool]) -> Check:
    return Check(f"the {what} meet", holds)


def _apart(what: str, holds: Callable[[Explanation], bool]) -> Check:
    return Check(f"the {what} are apart", lambda why: not holds(why))


LESSON = (
    Part(
        "Bounding circles",
        "A circle around each shape is the cheapest test: one distance against the sum of two radii. Circles that are "
        "apart keep their shapes apart. Circles that meet tell nothing.",
        "Drag the shapes: the circles shall meet, but not the shapes.",
        "bounding-circles",
        ("circle",),
        (_meeting("circles", _circles_meet), _apart("shapes", _shapes_meet)),
    ),
    Part(
        "Boxes along the axes",
        "The AABB is the least box along x and y. Two comparisons for each direction, and a gap in x or in y is "
        "enough.",
        "Find a place where the circles meet and the AABBs are apart: there the second test saves the third.",
        "bounding-circles",
        ("circle", "aabb"),
        (_meeting("circles", _circles_meet), _apart("AABBs", _boxes_meet)),
    ),
    Part(
        "Boxes that turn",
        "Long shapes that lie aslant fill little of their AABB. The smallest box, turned as the shape is, fits better.",
        "Drag or turn: the AABBs shall meet, and the OBBs be apart.",
        "aabb",
        ("aabb", "obb"),
        (_meeting("AABBs", _boxes_meet), _apart("OBBs", _turned_boxes_meet)),
    ),
    Part(
        "The polygons themselves",
        "Where even the OBBs meet, only the shapes can tell.",
        "Bring the two so near that the OBBs meet, but not the polygons.",
        "obb",
        ("obb", "closest"),
        (_meeting("OBBs", _turned_boxes_meet), _apart("polygons", _shapes_meet)),
    ),
    Part(
        "Separating axes",
        "Two convex polygons are apart just when their shadows on some edge normal are. Every edge is asked; one "
        "gap is enough.",
        "Find a place with a gap on exactly one axis.",
        "half-extents",
        ("axes",),
        (Check("one axis has a gap", lambda why: _gaps(why) == 1), _apart("boxes", _shapes_meet)),
    ),
    Part(
        "The least overlap",
        "No axis has a gap: they overlap. The axis with the least overlap says how to part them soonest, the MTV.",
        "Let them overlap so that an edge of B decides.",
        "sat-polygons",
        ("axes", "mtv"),
        (
            _meeting("polygons", lambda why: why.separation < 0.0),
            Check("an edge of B decides", lambda why: why.axis.source.endswith("of B")),
        ),
    ),
    Part(
        "Round shapes",
        "A circle has no edges. Beside a corner, the axis runs from the corner to the centre.",
        "Bring the circle to a corner of the box, so that no edge decides, and let them overlap.",
        "clamp",
        ("axes", "closest"),
        (
            Check("the nearest points decide", lambda why: why.axis.source == "nearest points"),
            _meeting("shapes", _shapes_meet),
        ),
    ),
)


def judged(part: Part, why: Explanation | None) -> tuple[bool, str]:
    """Return whether a part's task is done, and the words for that."""
    if why is None:
        return False, "Not yet: two shapes are needed."
    still = [check.says for check in part.checks if not check.holds(why)]
    if still:
        return False, f"Not yet. Still to do: {'; '.join(still)}."
    return True, f"Right: {', and '.join(check.says for check in part.checks)}."
