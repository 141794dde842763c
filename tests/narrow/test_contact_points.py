"""Points where bodies touch or would touch: gaps by Shapely, both ends of shared edges, names that last."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
import shapely

import carom as cm
from carom import kernels
from carom.narrow.contact_points import contact_points


def points_of(a: cm.Shape, b: cm.Shape):
    values, (i, j) = kernels.records([a, b])
    separation, nx, ny, count, first, second = contact_points(values, int(i), values, int(j))
    return separation, np.array([nx, ny]), [first, second][:count]


@pytest.mark.parametrize("gap", [0.5, 0.01, 0.0, -0.01])
def test_a_box_over_a_floor_has_both_corners(gap: float) -> None:
    separation, normal, points = points_of(cm.Box((0, -1), (40, 2)), cm.Box((3, 0.5 + gap), (1, 1)))
    assert separation == pytest.approx(gap, abs=1e-15) and tuple(normal) == (0.0, 1.0)
    assert sorted(point[0] for point in points) == pytest.approx([2.5, 3.5])
    assert [point[1] for point in points] == pytest.approx([gap / 2] * 2, abs=1e-15)
    assert [point[2] for point in points] == pytest.approx([gap] * 2, abs=1e-15)
    assert points[0][3] != points[1][3]


def test_each_corner_of_a_tilted_box_has_its_own_gap() -> None:
    tilt = 0.1
    _, _, points = points_of(cm.Box((0, -1), (40, 2)), cm.Box((0, 1.0), (1, 1), angle=tilt))
    corners = [
        (x * math.cos(tilt) - y * math.sin(tilt), 1.0 + x * math.sin(tilt) + y * math.cos(tilt))
        for x, y in ((-0.5, -0.5), (0.5, -0.5))
    ]
    assert sorted((x, gap) for x, _, gap, _ in points) == [pytest.approx(corner) for corner in sorted(corners)]


def test_what_one_edge_shares_with_another_is_clipped() -> None:
    _, _, points = points_of(cm.Box((0, 0), (2, 2)), cm.Box((1.5, 2.25), (2, 2)))
    assert sorted(point[0] for point in points) == pytest.approx([0.5, 1.0])


@pytest.mark.parametrize("seed", range(200))
def test_the_least_gap_is_the_separation_and_lies_at_its_point(seed: int) -> None:
    rng = Random(seed)

    def shape() -> cm.Shape:
        at = (rng.uniform(-2, 2), rng.uniform(-2, 2))
        kind = rng.randrange(4)
        if kind == 0:
            return cm.Circle(at, rng.uniform(0.1, 1))
        if kind == 1:
            return cm.Capsule(at, (at[0] + rng.uniform(0.1, 1), at[1] + rng.uniform(-1, 1)), rng.uniform(0.1, 0.5))
        if kind == 2:
            return cm.Box(at, (rng.uniform(0.2, 2), rng.uniform(0.2, 2)), angle=rng.uniform(0, 6))
        return cm.hull([(at[0] + rng.uniform(-1, 1), at[1] + rng.uniform(-1, 1)) for _ in range(7)])

    a, b = shape(), shape()
    separation, normal, points = points_of(a, b)
    assert separation == pytest.approx(cm.separation(a, b), abs=1e-12)
    assert min(gap for _, _, gap, _ in points) == pytest.approx(separation, abs=1e-9)
    for x, y, gap, _ in points:
        # Half a gap along the normal leads to both surfaces; beside the nearest point a round one bends away from it.
        for one, sign in ((a, -1.0), (b, 1.0)):
            if isinstance(one, cm.Capsule) and gap != separation:
                continue
            surface = np.array([x, y]) + sign * normal * gap / 2
            assert abs(cm.separation(one, cm.Point(surface))) <= 1e-9
    assert len({name for *_, name in points}) == len(points)
    if separation > 0:
        outline = [shapely.Point(one.center).buffer(one.radius, 256) for one in (a, b) if isinstance(one, cm.Circle)]
        if len(outline) == 2:
            assert separation == pytest.approx(outline[0].distance(outline[1]), abs=1e-3)


def test_points_keep_their_names_as_bodies_move_a_little() -> None:
    floor = cm.Box((0, -1), (40, 2))
    names = [
        {name for *_, name in points_of(floor, cm.Box((x, 0.5), (1, 1), angle=t))[2]}
        for x, t in ((0, 0.0), (0.1, 1e-4), (0.2, -1e-4))
    ]
    assert names[0] == names[1] == names[2]
