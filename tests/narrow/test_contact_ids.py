"""Contacts while something slides: the same ids as long as the same features meet, and each point's own depth.

B slides along a face of A in small steps. Which vertex stands over which edge is worked out here from the positions
alone; the depth of a point is how far it lies under the faces, from rational arithmetic.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
import pytest

import carom as cm
from tests.support import oracle

EPSILON = 2.0**-52
FLOOR = cm.Box((0, -1), (10, 2))
HEXAGON = cm.Polygon([(2 * math.cos(k * math.pi / 3), 2 * math.sin(k * math.pi / 3)) for k in range(6)])
LOW = -float(HEXAGON.vertices[4].y)  # how far its lower face lies below its centre

# Shapes that slide over the floor's upper face, standing at x = 0, some way into it.
SLIDERS: dict[str, Any] = {
    "box": cm.Box((0, 0.45), (2, 1)),
    "turned box": cm.Box((0, 0.45), (1, 2), math.pi / 2),
    "slanted box": cm.Box((0, 1.2), (2, 2), 0.35),
    "hexagon": HEXAGON.translated((0, LOW - 0.05)),
    "rounded box": cm.Box((0, 0.7), (2, 1), radius=0.25),
    "rounded hexagon": cm.Polygon(HEXAGON.vertices, radius=0.5).translated((0, LOW + 0.45)),
    "capsule": cm.Capsule((-1, 0.45), (1, 0.45), 0.5),
    "segment": cm.Segment((-1, -0.05), (1, -0.05)),
    "disc": cm.Circle((0, 0.45), 0.5),
    "triangle on its tip": cm.Polygon([(0, -0.05), (1, 1), (-1, 1)]),
}
FLOORS: dict[str, Any] = {
    "box": FLOOR,
    "polygon": cm.Polygon(FLOOR.vertices),
    "rounded box": cm.Box((0, -1.5), (9, 2), radius=0.5),
    "capsule": cm.Capsule((-5, -1), (5, -1), 1.0),
}
STEPS = np.linspace(-3.0, 3.0, 241).tolist()


def surface_depth(point: Any, floor: Any, slider: Any, normal: Any) -> Fraction:
    """Return the depth at a contact point: from one surface to the other along the normal, through the point."""
    ahead = depth_along(point, floor, normal)
    behind = depth_along(point, slider, -normal)
    return ahead + behind


def depth_along(point: Any, shape: Any, direction: Any) -> Fraction:
    """Return how far it is from a point to where a shape ends, seen along a unit direction."""
    points, radius = oracle.exact(shape)
    dx, dy = Fraction(direction[0]), Fraction(direction[1])
    return max((x - Fraction(point[0])) * dx + (y - Fraction(point[1])) * dy for x, y in points) + radius


@pytest.mark.parametrize("slider", SLIDERS)
@pytest.mark.parametrize("floor", FLOORS)
def test_ids_stay_while_the_same_features_meet(floor: str, slider: str) -> None:
    below, start = FLOORS[floor], SLIDERS[slider]
    seen = []
    for x in STEPS:
        contact = cm.collide(below, start.translated((x, 0.0)))
        assert contact is not None
        assert contact.normal.y > 0.999999, (x, contact)
        seen.append(frozenset(contact.features))
    # Nothing but x changes and the slider stays over the middle of the face: one set of ids all the way.
    assert len([ids for ids, _ in groupby(seen)]) == 1, [ids for ids, _ in groupby(seen)]
    flat = slider not in ("slanted box", "disc", "triangle on its tip")
    assert len(seen[0]) == (2 if flat else 1)


@pytest.mark.parametrize("slider", ["box", "turned box", "hexagon", "rounded box", "capsule", "rounded hexagon"])
def test_ids_change_only_where_a_vertex_passes_an_end(slider: str) -> None:
    """Off the end of the floor: each point's id changes once, when the slider's vertex passes the floor's corner."""
    start = SLIDERS[slider]
    xs = sorted(
        float(x) for x, y in oracle.exact(start).points if abs(y - min(y for _, y in oracle.exact(start).points)) < 1e-9
    )
    left, right = xs[0], xs[-1]
    ids_by_place: dict[bool, set[Any]] = {False: set(), True: set()}
    for x in np.linspace(3.0, 5.0 - left - 0.2, 400).tolist():
        if abs(x + right - 5.0) < 1e-6:
            continue
        contact = cm.collide(FLOOR, start.translated((x, 0.0)))
        assert contact is not None
        if contact.normal.y < 0.99:
            continue  # so little is left that the way off the end is shorter
        ids_by_place[x + right > 5.0].add(frozenset(contact.features))
    before, after = ids_by_place[False], ids_by_place[True]
    assert len(before) == len(after) == 1, (before, after)
    (on,), (off,) = before, after
    assert len(on & off) == 1 and len(on) == len(off) == 2  # the trailing vertex keeps its id


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-3, 0.02, -0.02])
@pytest.mark.parametrize("floor", FLOORS)
def test_each_point_has_its_own_depth(floor: str, tilt: float) -> None:
    """A box nearly flat on a face: both depths are those of its two corners, to rounding, and swapping keeps them."""
    below = FLOORS[floor]
    for x in STEPS[::8]:
        above = cm.Box((x, 0.44), (2, 1), tilt)
        contact = cm.collide(below, above)
        assert contact is not None
        limit = 16 * EPSILON * oracle.size(below, above)
        for point, depth in zip(contact.points, contact.depths, strict=True):
            # The one face is straight: a corner's depth is how far it lies under that face.
            corner = min(above.vertices, key=lambda v: v.distance(point))
            expected = Fraction(0) - Fraction(corner.y)
            assert abs(Fraction(depth) - expected) <= limit + 4e-16, (x, contact)
        assert abs(max(contact.depths) - contact.depth) <= limit
        back = cm.collide(above, below)
        assert back is not None
        assert sorted((b, a) for a, b in back.features) == sorted(contact.features)
        assert sorted(back.depths) == sorted(contact.depths)


@pytest.mark.parametrize("slider", SLIDERS)
def test_deepest_point_spans_both_surfaces(slider: str) -> None:
    for x in STEPS[::16]:
        above = SLIDERS[slider].translated((x, 0.0))
        contact = cm.collide(FLOOR, above)
        assert contact is not None
        limit = Fraction(16 * EPSILON * oracle.size(FLOOR, above))
        deepest = max(range(len(contact.points)), key=contact.depths.__getitem__)
        point = contact.points[deepest]
        assert abs(surface_depth(point, FLOOR, above, contact.normal) - Fraction(contact.depth)) <= limit
        middle = depth_along(point, FLOOR, contact.normal) - depth_along(point, above, -contact.normal)
        assert abs(middle) <= 2 * limit  # halfway between the two surfaces


def test_rows_have_the_ids_of_pairs() -> None:
    for floor in FLOORS.values():
        for slider in SLIDERS.values():
            moved = [slider.translated((x, 0.0)) for x in STEPS[::20]]
            rows = cm.collide(floor, cm.Shapes(moved))
            for k, above in enumerate(moved):
                contact = cm.collide(floor, above)
                assert contact is not None
                count = rows.count[k]
                assert [tuple(ids) for ids in rows.features[k, :count].tolist()] == list(contact.features)
