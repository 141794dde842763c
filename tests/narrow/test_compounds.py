"""A Compound in all verbs: one shape, however many parts it has, without contacts at the edges between them.

Held against Shapely (distances; the Minkowski difference as a union of hulls, for depths and casts), against the same
polygon in one piece, and against what any right answer must do: moved by normal times depth, two shapes just touch.
"""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely

import carom as cm
from tests.support import oracle

FRAME = cm.decompose([(0, 0), (6, 0), (6, 4), (0, 4)], [[(1, 1), (5, 1), (5, 3), (1, 3)]])
SLOT = cm.decompose([(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (3, 2), (3, 3), (0, 3)])
FLOOR = cm.Compound.from_parts([cm.Box.from_corners((x, -1), (x + 1, 0)) for x in range(-4, 4)])
WALLED = cm.Compound.from_parts([FLOOR, cm.Box.from_corners((3, 0), (4, 2))])
CASES = 120


def star(rng: random.Random, count: int, size: float) -> list[tuple[float, float]]:
    turns = [(2 * math.pi * k / count, size * rng.uniform(0.3, 1)) for k in range(count)]
    return [(r * math.cos(t), r * math.sin(t)) for t, r in turns]


def some_compound(rng: random.Random) -> cm.Compound:
    kind = rng.randrange(5)
    if kind == 0:
        return cm.decompose(star(rng, rng.randrange(4, 12), 2.0))
    if kind == 1:
        return cm.decompose(star(rng, 9, 2.0), [star(rng, 5, 0.25)])
    if kind == 2:
        return cm.Compound.from_parts([some_shape(rng, solid=True, sharp=True) for _ in range(4)])
    return (FRAME, SLOT)[kind - 3]


def some_shape(rng: random.Random, solid: bool = False, sharp: bool = False) -> cm.Shape:
    x, y = rng.uniform(-1, 6), rng.uniform(-1, 4)
    if rng.random() < 0.3:
        x, y = float(rng.randrange(7)), float(rng.randrange(5))
    far = (x + rng.uniform(-1, 1), y + rng.uniform(-1, 1))
    size = rng.choice([0.1, 0.5, 1.0])
    kind = rng.choice([0, 1, 2] if sharp else [0, 1, 2, 3, 4] if solid else range(7))
    if kind == 0:
        return cm.Box((x, y), (size, 2 * size))
    if kind == 1:
        return cm.Box((x, y), (size, 1), rng.uniform(0, 3))
    if kind == 2:
        return cm.hull([(x + rng.uniform(-size, size), y + rng.uniform(-size, size)) for _ in range(6)])
    if kind == 3:
        return cm.Circle((x, y), size)
    if kind == 4:
        return cm.Capsule((x, y), far, size / 2)
    return cm.Point((x, y)) if kind == 5 else cm.Segment((x, y), far)


def parts(shape: Any) -> Any:
    return shape.parts if isinstance(shape, cm.Compound) else (shape,)


def region(shape: Any) -> Any:
    """Return the Shapely geometry of a shape, radius left out."""
    cores = []
    for part in parts(shape):
        points = part.vertices
        kind = (shapely.Point, shapely.LineString, shapely.Polygon)[min(len(points), 3) - 1]
        cores.append(kind(points[0] if len(points) == 1 else points))
    return shapely.unary_union(cores)


def radius(shape: Any) -> float:
    return max(part.radius for part in parts(shape))


def difference(a: Any, b: Any) -> Any:
    """Return A - B to Shapely, arcs as many short lines."""
    found = []
    for p in parts(a):
        for q in parts(b):
            corners = [(u.x - v.x, u.y - v.y) for u in p.vertices for v in q.vertices]
            hull, grown = shapely.MultiPoint(corners).convex_hull, p.radius + q.radius
            found.append(hull.buffer(grown, quad_segs=300) if grown else hull)
    return shapely.unary_union(found)


def fits(a: Any, b: Any) -> bool:
    """Tell whether no two parts overlap by more than rounding."""
    return all(cm.separation(p, q) > -1e-12 for p in parts(a) for q in parts(b))


def some_pair(rng: random.Random) -> tuple[Any, Any]:
    a: Any = some_compound(rng)
    b: Any = some_shape(rng)
    if rng.random() < 0.2:
        b = some_compound(rng).translated((rng.uniform(-3, 6), rng.uniform(-3, 4)))
    return a, b


@pytest.mark.parametrize("seed", range(CASES))
def test_separation_is_that_of_the_regions(seed: int) -> None:
    rng = random.Random(seed)
    a, b = some_pair(rng)
    found = cm.separation(a, b)
    assert found == cm.separation(b, a)
    assert cm.intersects(a, b) == (found <= 0) == cm.intersects(b, a)
    assert cm.intersects(a, b, touching=False) == (found < 0)
    assert cm.distance(a, b) == max(found, 0.0)
    if found > 0:
        assert found == pytest.approx(region(a).distance(region(b)) - radius(b), abs=1e-12)
        assert cm.collide(a, b) is None
        return
    contact = cm.collide(a, b)
    assert contact is not None
    assert contact.depth == -found
    moved = b.translated(contact.move_b)
    assert abs(cm.separation(a, moved)) <= 1e-12
    assert fits(a, moved)
    if found < 0:
        # No shorter way out: Shapely's way is as long, but where B just fits in, which its union does not see.
        tolerance = 2e-4 if radius(b) else 1e-12
        assert contact.depth <= difference(a, b).boundary.distance(shapely.Point(0, 0)) + tolerance
        for turn in range(0, 360, 3):
            way = cm.Vec(math.cos(math.radians(turn)), math.sin(math.radians(turn))) * (contact.depth * (1 - 1e-9))
            assert cm.intersects(a, b.translated(way))
    near = cm.closest(a, b)
    assert near.separation == found
    assert near.normal == contact.normal
    assert (near.point_b - near.point_a - near.normal * found).length <= 1e-12
    other = cm.collide(b, a)
    assert other is not None
    assert other.normal == -contact.normal
    assert other.points == contact.points
    assert other.features == tuple((v, u) for u, v in contact.features)


@pytest.mark.parametrize("seed", range(CASES))
def test_contains_is_that_of_the_regions(seed: int) -> None:
    rng = random.Random(seed)
    a, b = some_pair(rng)
    outer, inner, grown = region(a), region(b), radius(b)
    margin = outer.boundary.distance(inner) - grown
    assert cm.contains(a, b.vertices[0]) == cm.contains(a, cm.Point(b.vertices[0]))
    if abs(margin) > 1e-9:
        assert cm.contains(a, b) == (outer.covers(inner) and margin > 0)


@pytest.mark.parametrize("seed", range(CASES))
def test_casts_are_those_of_the_regions(seed: int) -> None:
    rng = random.Random(seed)
    a, b = some_pair(rng)
    if rng.random() < 0.5:
        a, b = b, a
    motion = cm.Vec(rng.uniform(-8, 8), rng.uniform(-8, 8))
    apart = cm.separation(a, b)
    hit = cm.cast(a, b, motion)
    if isinstance(a, cm.Point):
        ray = cm.raycast(a.position, motion, b)
        if apart > 0:
            assert (ray and (ray.fraction, ray.normal)) == (hit and (hit.fraction, hit.normal))
        if apart < 0:
            assert ray is not None
            assert ray.overlapping
    if apart < 0:
        contact = cm.collide(a, b)
        assert contact is not None
        if contact.normal.dot(motion) > 0:
            assert hit is not None
            assert (hit.fraction, hit.normal, hit.overlapping) == (0.0, -contact.normal, True)
        elif hit is not None:
            assert not hit.overlapping
    elif apart > 1e-9:
        path = shapely.LineString([(0, 0), -motion]).intersection(difference(a, b))
        assert (hit is None) == path.is_empty
        if hit is not None:
            tolerance = 1e-3 if radius(a) + radius(b) else 1e-9
            assert hit.fraction == pytest.approx(path.distance(shapely.Point(0, 0)) / motion.length, abs=tolerance)
            assert abs(cm.separation(a.translated(motion * hit.fraction), b)) <= 1e-12
            assert hit.normal.dot(motion) <= 0


def split(polygon: cm.Polygon, rng: random.Random) -> cm.Compound:
    """Return a convex polygon cut into the triangles at one of its corners."""
    corners = polygon.vertices
    k = rng.randrange(len(corners))
    corners = corners[k:] + corners[:k]
    fan = [cm.Polygon([corners[0], p, q]) for p, q in itertools.pairwise(corners[1:])]
    return cm.Compound.from_parts(fan)


@pytest.mark.parametrize("seed", range(CASES))
def test_a_polygon_in_pieces_answers_as_in_one(seed: int) -> None:
    rng = random.Random(seed)
    turns = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randrange(4, 9)))
    if rng.random() < 0.5:
        whole = cm.hull([(4 * math.cos(t), 3 * math.sin(t)) for t in turns])
    else:
        whole = cm.hull([(0, 0), (4, 0), (4, 4), (0, 4), (6, 2)])
    pieces = split(whole, rng)
    other = some_shape(rng)
    assert cm.separation(pieces, other) == pytest.approx(cm.separation(whole, other), abs=1e-12)
    assert cm.intersects(pieces, other) == cm.intersects(whole, other)
    assert cm.intersects(pieces, other, touching=False) == cm.intersects(whole, other, touching=False)
    assert cm.contains(pieces, other) == cm.contains(whole, other)
    assert cm.contains(other, pieces) == cm.contains(other, whole)
    motion = rng.uniform(-8, 8), rng.uniform(-8, 8)
    one, many = cm.cast(other, whole, motion), cm.cast(other, pieces, motion)
    assert (one is None) == (many is None)
    if one and many:
        assert many.fraction == pytest.approx(one.fraction, abs=1e-12)
        assert many.overlapping == one.overlapping
        if not one.overlapping:
            assert (many.normal - one.normal).length <= 1e-9


@pytest.mark.parametrize("shift", [(0.0, 0.0), (1e7, -1e7), (0.1, 0.3)])
def test_points_on_a_shared_edge_of_parts_are_inside(shift: tuple[float, float]) -> None:
    square = cm.Compound.from_parts([cm.Polygon([(0, 0), (2, 0), (2, 2)]), cm.Polygon([(0, 0), (2, 2), (0, 2)])])
    square = square.translated(shift)
    inside, corner = cm.Point((1, 1)).translated(shift), cm.Point((0, 0)).translated(shift)
    assert cm.separation(square, inside) == -1.0
    assert cm.intersects(square, inside, touching=False)
    assert cm.separation(square, corner) == 0.0
    along = cm.Segment((0.5, 0.5), (1.5, 1.5)).translated(shift)
    assert cm.intersects(square, along, touching=False)
    assert cm.contains(square, along)
    assert cm.contains(square, cm.Segment((0, 0), (2, 2)).translated(shift))
    side = cm.Segment((0, 0), (2, 0)).translated(shift)
    assert cm.contains(square, side)
    assert not cm.intersects(square, side, touching=False)
    ray = cm.raycast(corner.position, (1, 1), square)
    assert ray is not None
    assert ray.fraction == 0.0
    assert not ray.overlapping
    assert cm.raycast(corner.position, (-1, -1), square) is None
    deep = cm.raycast(inside.position, (1, 0), square)
    assert deep is not None
    assert deep.overlapping


def test_a_vertex_with_parts_all_round_is_inside() -> None:
    quarters = [cm.Box.from_corners((x, y), (x + 1, y + 1)) for x in (-1, 0) for y in (-1, 0)]
    assert cm.separation(cm.Compound.from_parts(quarters), cm.Point((0, 0))) == -1.0
    assert cm.separation(cm.Compound.from_parts(quarters[:3]), cm.Point((0, 0))) == 0.0


def test_a_hole_has_its_own_outline() -> None:
    ball = cm.Circle((3, 1.2), 0.5)
    contact = cm.collide(FRAME, ball)
    assert contact is not None
    assert contact.normal == cm.Vec(0, 1)
    assert contact.depth == pytest.approx(0.3, abs=1e-15)
    assert cm.collide(FRAME, cm.Circle((3, 2), 0.5)) is None
    assert cm.contains(FRAME, cm.Box((0.5, 2), (1, 4)))
    assert not cm.contains(FRAME, cm.Box((3, 2), (6, 4)))
    assert not cm.contains(FRAME, cm.Box((3, 2), (5, 3)))
    assert not cm.contains(cm.Box((3, 2), (5, 5)), FRAME)
    assert cm.contains(cm.Box((3, 2), (6, 4)), FRAME)
    assert cm.contains(FRAME, FRAME)
    assert cm.contains(FRAME, cm.decompose([(0, 0), (6, 0), (6, 1), (1, 1), (1, 4), (0, 4)]))


def test_an_inward_corner_is_left_by_both_faces() -> None:
    corner = cm.decompose([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])
    contact = cm.collide(corner, cm.Circle((1.1, 1.1), 0.5))
    assert contact is not None
    assert contact.depth == pytest.approx(0.4 * math.sqrt(2), abs=1e-15)
    assert contact.normal.x == pytest.approx(math.sqrt(0.5))
    assert len(contact.points) == 2
    assert sorted(a for a, _ in contact.features) == [-4, -3]
    assert contact.depths == (contact.depth, contact.depth)


def test_a_shape_that_fills_a_slot_exactly_touches_it() -> None:
    assert cm.separation(SLOT, cm.Box((2, 1.5), (1, 1))) == 0.0
    assert cm.separation(SLOT, cm.Circle((2, 1.5), 0.5)) == 0.0
    contact = cm.collide(SLOT, cm.Box((2, 2), (1, 1)))
    assert contact is not None
    assert (contact.normal, contact.depth) == (cm.Vec(0, -1), 0.5)


def test_the_manifold_is_that_of_the_whole_side() -> None:
    contact = cm.collide(FLOOR, cm.Box((0.1, 0.4), (3, 1)))
    assert contact is not None
    assert contact.normal == cm.Vec(0, 1)
    assert sorted(point.x for point in contact.points) == pytest.approx([-1.4, 1.6])
    feet = cm.Compound.from_parts([cm.Box((x + 0.5, 0.4), (1, 1)) for x in (-2, -1, 0)])
    contact = cm.collide(FLOOR, feet)
    assert contact is not None
    assert contact.normal == cm.Vec(0, 1)
    assert contact.depth == pytest.approx(0.1, abs=1e-15)
    assert sorted(point.x for point in contact.points) == pytest.approx([-2.0, 1.0])


@pytest.mark.parametrize("base", [0.0, 1e7])
@pytest.mark.parametrize("mover", [cm.Circle((0, 0), 0.3), cm.Box((0, 0), (0.6, 0.6)), cm.Box((0, 0), (1, 1))])
def test_a_path_over_flush_parts_is_not_blocked(base: float, mover: Any) -> None:
    floor = WALLED.translated((base, base))
    half = mover.radius or 0.5 * mover.size[1]
    right = (mover.radius or 0.5 * mover.size[0]) + 1e-9
    start = mover.translated((base - 2.0, base + half))
    assert cm.cast(start, floor, (3.0, 0.0)) is None
    assert cm.cast(start, floor, (-1.0, 0.0)) is None
    assert cm.cast(start, floor, (1.0, 1.0)) is None
    wall = cm.cast(start, floor, (10.0, 0.0))
    assert wall is not None
    assert wall.normal == cm.Vec(-1, 0)
    assert wall.fraction == pytest.approx((5.0 - right) / 10.0, abs=1e-8)
    down = cm.cast(start, floor, (1.0, -1.0))
    assert down is not None
    assert (down.fraction, down.normal) == (0.0, cm.Vec(0, 1))
    for x in np.linspace(-2.5, 2.0, 37).tolist():
        for sink in (0.0, 1e-3, 0.2):
            placed = mover.translated((base + x, base + half - sink))
            contact = cm.collide(floor, placed)
            if sink or contact:
                assert contact is not None
                assert contact.normal == cm.Vec(0, 1)
            landed = cm.cast(mover.translated((base + x - 1, base + half + 1)), floor, (2.0, -2.0))
            assert landed is not None
            if x + half < 2.9:
                assert landed.normal.y == 1
                assert abs(landed.normal.x) <= 1e-14
        # Sunk in, a ball that moves along meets the wall, and no seam.
        sunk = mover.translated((base + x, base + half - 0.1))
        assert cm.cast(sunk, floor, (-0.5, 0.0)) is None
        blocked = cm.cast(sunk, floor, (9.0, 0.0))
        assert blocked is not None
        assert blocked.normal == cm.Vec(-1, 0)
        assert not blocked.overlapping


def stands(shape: Any, motion: cm.Vec, rotation: float, pivot: Any, share: float) -> Any:
    return shape.rotated(rotation * share, pivot).translated(motion * share)


@pytest.mark.parametrize("seed", range(60))
def test_turning_casts_are_those_of_the_parts(seed: int) -> None:
    rng = random.Random(seed)
    a, b = some_pair(rng)
    if rng.random() < 0.5:
        a, b = b, a
    motion, rotation = cm.Vec(rng.uniform(-6, 6), rng.uniform(-6, 6)), rng.uniform(-4, 4)
    pivot = None if rng.random() < 0.5 else (rng.uniform(-3, 6), rng.uniform(-3, 6))
    about = a.position if pivot is None else pivot
    hit = cm.cast(a, b, motion, rotation=rotation, pivot=pivot)
    apart = cm.separation(a, b)
    if apart > 1e-9:
        each = [cm.cast(p, q, motion, rotation=rotation, pivot=about) for p in parts(a) for q in parts(b)]
        first = min((found.fraction for found in each if found), default=None)
        assert (hit and hit.fraction) == first
        if hit is not None:
            moved = stands(a, motion, rotation, about, hit.fraction)
            assert 0 <= cm.separation(moved, b) <= 1e-11
            assert not hit.overlapping
            assert hit.normal.length == pytest.approx(1.0)
            # Until then nothing is met, and the normal is that of the outlines.
            for share in np.linspace(0, hit.fraction, 9).tolist()[:-1]:
                assert not cm.intersects(stands(a, motion, rotation, about, share), b)
            near = cm.closest(moved.translated(-1e-9 * hit.normal), b)
            spot = hit.point - about - motion * hit.fraction
            speed = motion + cm.Vec(-spot.y, spot.x) * rotation
            if near.normal.dot(hit.normal) > -0.999:  # a corner of the outline has more than one
                assert speed.dot(hit.normal) <= 1e-9
    elif hit is not None and apart < -1e-9:
        moved = stands(a, motion, rotation, about, min(hit.fraction + 1e-5, 1.0))
        if hit.overlapping:
            assert cm.separation(moved, b) < apart + 1e-4


def test_a_cast_without_rotation_is_the_straight_one() -> None:
    ball = cm.Circle((-3, 0.5), 0.5)
    for motion in ((5, -1), (5, 0), (12, 0), (3, 3)):
        assert cm.cast(ball, WALLED, motion, rotation=0.0) == cm.cast(ball, WALLED, motion)
        assert cm.cast(ball, WALLED, motion, rotation=3.0) == cm.cast(ball, WALLED, motion)  # about its own centre
        assert cm.cast(FRAME, WALLED, motion, rotation=0, pivot=(9, 9)) == cm.cast(FRAME, WALLED, motion)


def test_a_wheel_of_parts_rolls_over_seams() -> None:
    wheel = cm.Compound.from_parts([cm.Circle((-3, 1), 1), cm.Box((-3, 1), (1, 1)), cm.Circle((-3, 1), 0.5)])
    for turn in (-5.0, 5.0, 0.3):
        assert cm.cast(wheel, FLOOR, (5, 0), rotation=turn) is None
        assert cm.cast(wheel, FLOOR, (0, 1), rotation=turn) is None
        wall = cm.cast(wheel, WALLED, (10, 0), rotation=turn)
        assert wall is not None
        assert wall.normal == cm.Vec(-1, 0)
        assert wall.fraction == pytest.approx(0.5, abs=1e-9)
        landed = cm.cast(wheel.translated((0, 1)), FLOOR, (5, -2), rotation=turn)
        assert landed is not None
        assert landed.normal == cm.Vec(0, 1)
        assert landed.fraction == pytest.approx(0.5, abs=1e-9)
        # Sunk in, it moves on over the seams, and out.
        assert cm.cast(wheel.translated((0, -0.25)), FLOOR, (5, 0), rotation=turn) is None
        assert cm.cast(wheel.translated((0, -0.25)), FLOOR, (1, 1), rotation=turn) is None
        down = cm.cast(wheel.translated((0, -0.25)), FLOOR, (1, -1), rotation=turn)
        assert down is not None
        assert (down.fraction, down.normal, down.overlapping) == (0.0, cm.Vec(0, 1), True)


def test_boxes_tip_and_turn_on_flush_parts() -> None:
    feet = cm.Compound.from_parts([cm.Box((-0.5, 0.5), (1, 1)), cm.Box((0.5, 0.5), (1, 1))])
    for mover in (cm.Box((0, 0.5), (2, 1)), feet):
        corner, other = (1, 0), (-1, 0)
        assert cm.cast(mover, FLOOR, (0, 0), rotation=-1.5, pivot=corner) is None
        assert cm.cast(mover, FLOOR, (0, 0), rotation=1.5, pivot=other) is None
        for turn, pivot in ((1.5, corner), (-1.5, other), (0.1, None), (-0.1, None)):
            hit = cm.cast(mover, FLOOR, (0, 0), rotation=turn, pivot=pivot)
            assert hit is not None
            assert (hit.fraction, hit.normal, hit.overlapping) == (0.0, cm.Vec(0, 1), False)
        # Over its corner it falls on its side.
        fallen = cm.cast(mover, FLOOR, (0, 0), rotation=-3.0, pivot=corner)
        assert fallen is not None
        assert fallen.fraction == pytest.approx(math.pi / 6, abs=1e-9)
        assert fallen.normal == cm.Vec(0, 1)


def test_the_pivot_is_that_of_the_whole() -> None:
    bar = cm.Compound.from_parts([cm.Box((1, 0), (2, 0.2)), cm.Box((3, 0), (2, 0.2))])
    one, ball = cm.Box((2, 0), (4, 0.2)), cm.Circle((2, 1.5), 0.1)
    for pivot in (None, (0, 0), (-7, 3)):
        for motion in ((0, 0), (-1, 0.5)):
            whole = cm.cast(one, ball, motion, rotation=2.0, pivot=pivot)
            hit = cm.cast(bar, ball, motion, rotation=2.0, pivot=pivot)
            assert (hit is None) == (whole is None)
            if hit and whole:
                assert hit.fraction == pytest.approx(whole.fraction, abs=1e-10)
                assert (hit.normal - whole.normal).length <= 1e-9


def test_turning_rows_are_single_casts() -> None:
    rng = random.Random(8)
    shapes = [some_shape(rng) for _ in range(40)]
    many = cm.Shapes(shapes)
    motions = np.array([(rng.uniform(-8, 8), rng.uniform(-8, 8)) for _ in shapes])
    turns = np.array([rng.choice([0.0, rng.uniform(-4, 4)]) for _ in shapes])
    for whole in (SLOT, WALLED):
        ways = (
            (cm.cast(many, whole, motions, rotation=turns), [(shape, whole) for shape in shapes]),
            (cm.cast(whole, many, motions, rotation=turns), [(whole, shape) for shape in shapes]),
        )
        for found, pairs in ways:
            for row, (a, b) in enumerate(pairs):
                hit = cm.cast(a, b, motions[row], rotation=turns[row])
                assert found.hit[row] == (hit is not None)
                if hit:
                    assert (found.fraction[row], *found.normal[row], *found.point[row], found.overlapping[row]) == (
                        hit.fraction,
                        *hit.normal,
                        *hit.point,
                        hit.overlapping,
                    )


def test_rows_are_single_pairs() -> None:
    rng = random.Random(5)
    shapes = [some_shape(rng) for _ in range(150)]
    many = cm.Shapes(shapes)
    motions = np.array([(rng.uniform(-8, 8), rng.uniform(-8, 8)) for _ in shapes])
    for whole in (FRAME, SLOT, WALLED):
        assert cm.separation(whole, many).tolist() == [cm.separation(whole, shape) for shape in shapes]
        assert cm.separation(many, whole).tolist() == cm.separation(whole, many).tolist()
        assert cm.distance(whole, many).tolist() == [cm.distance(whole, shape) for shape in shapes]
        assert cm.intersects(many, whole).tolist() == [cm.intersects(shape, whole) for shape in shapes]
        assert cm.contains(whole, many).tolist() == [cm.contains(whole, shape) for shape in shapes]
        assert cm.contains(many, whole).tolist() == [cm.contains(shape, whole) for shape in shapes]
        near, contacts = cm.closest(many, whole), cm.collide(many, whole)
        hits = cm.cast(many, whole, motions)
        rays = cm.raycast(motions, (1.0, 2.0), whole)
        for row, shape in enumerate(shapes):
            one = cm.closest(shape, whole)
            assert (near.separation[row], *near.normal[row]) == (one.separation, *one.normal)
            assert (*near.point_a[row], *near.point_b[row]) == (*one.point_a, *one.point_b)
            contact = cm.collide(shape, whole)
            assert contacts.hit[row] == (contact is not None)
            assert contacts.count[row] == (len(contact.points) if contact else 0)
            if contact:
                assert (*contacts.normal[row], contacts.depth[row]) == (*contact.normal, contact.depth)
                assert [tuple(p) for p in contacts.points[row, : len(contact.points)]] == list(contact.points)
            hit = cm.cast(shape, whole, motions[row])
            assert hits.hit[row] == (hit is not None)
            if hit:
                assert (hits.fraction[row], *hits.normal[row], *hits.point[row]) == (
                    hit.fraction,
                    *hit.normal,
                    *hit.point,
                )
            ray = cm.raycast(motions[row], (1.0, 2.0), whole)
            assert (rays.fraction[row], *rays.point[row]) == ((ray.fraction, *ray.point) if ray else (math.inf, 0, 0))
    assert cm.separation(FRAME, cm.Shapes([])).tolist() == []
    assert cm.collide(cm.Shapes([]), FRAME).hit.tolist() == []
    assert cm.cast(cm.Shapes([]), FRAME, (1, 0)).hit.tolist() == []
    assert cm.separation(many, FRAME, threads=2).tolist() == cm.separation(many, FRAME).tolist()


def test_parts_of_any_kind_make_a_body() -> None:
    dumbbell = cm.Compound.from_parts(
        [
            cm.Circle((-2, 0), 1),
            cm.Circle((2, 0), 1),
            cm.Capsule((-2, 0), (2, 0), 0.25),
            cm.Box((0, 0), (1, 1), radius=0.1),
        ]
    )
    assert cm.bounds(dumbbell) == (-3.0, -1.0, 3.0, 1.0)
    around = cm.bounding_circle(dumbbell)
    assert around.radius == pytest.approx(3.0)
    for part in dumbbell.parts:
        assert cm.contains(around, part)
        assert cm.contains(cm.smallest_box(dumbbell), part)
        assert cm.contains(dumbbell, part)
    assert cm.separation(dumbbell, cm.Point((0, 0))) == pytest.approx(-0.6)
    assert cm.separation(dumbbell, cm.Circle((0, 2), 1)) == pytest.approx(0.4)
    rolled = cm.cast(cm.Circle((-5, 0), 1), dumbbell, (4, 0))
    assert rolled is not None
    assert rolled.fraction == 0.25
    assert cm.contains(dumbbell, [(0, 0), (1.2, 0), (0.8, 0.3)]).tolist() == [True, True, False]
    assert cm.contains(dumbbell, cm.Segment((-2, 0.1), (2.9, 0)))
    assert not cm.contains(dumbbell, cm.Segment((-2, 0.1), (4, 0)))
    turned = dumbbell.rotated(math.pi / 2)
    assert cm.bounds(turned) == pytest.approx((-1.0, -3.0, 1.0, 3.0))
    assert copy.copy(dumbbell) == dumbbell == pickle.loads(pickle.dumps(dumbbell))
    assert eval(repr(dumbbell), vars(cm) | {"Compound": cm.Compound}) == dumbbell
    assert hash(dumbbell) == hash(copy.deepcopy(dumbbell))
    moved = dumbbell.translated((3, 1))
    assert moved != dumbbell
    assert eval(repr(moved), vars(cm) | {"Compound": cm.Compound}) == moved
    assert cm.separation(moved, cm.Point((3, 1))) == pytest.approx(-0.6)


def test_rounded_parts_together_contain() -> None:
    bars = [cm.Capsule((-1, 0), (0, 0), 1), cm.Capsule((0, 0), (1, 0), 1)]
    body = cm.Compound.from_parts(bars)
    inside = [cm.Circle((0.25, 0.25), 0.5), cm.Segment((-1.5, 0), (1.5, 0.25)), cm.Box((0, 0), (3, 1))]
    inside += [cm.Capsule((-1, 0), (1, 0), 0.9), cm.Box((0, 0), (2, 1), 0.1, radius=0.1), bars[0]]
    outside = [cm.Circle((0.25, 0.25), 0.8), cm.Segment((-1.5, 0), (2.5, 0)), cm.Box((0, 0), (4, 1))]
    outside += [cm.Capsule((-1, 0), (1, 0), 1.01), cm.Point((0, 1.5)), cm.Circle((9, 9), 1)]
    assert cm.contains(body, cm.Shapes(inside + outside)).tolist() == [True] * len(inside) + [False] * len(outside)
    assert cm.contains(body, body)
    with pytest.raises(ValueError, match=r"row 1 of other .* rounded parts"):
        cm.contains(body, cm.Shapes([cm.Point((0, 0)), cm.Capsule((-1, 0), (1, 0), 1)]))
    ring = cm.Compound.from_parts([cm.Capsule(p, q, 0.25) for p, q in itertools.pairwise(star_of_four())])
    assert not cm.contains(ring, cm.Box((0, 0), (2, 2)))
    assert not cm.contains(ring, cm.Segment((-1, 0), (1, 0)))
    assert cm.contains(ring, cm.Segment((-0.5, -1), (0.75, -1.125)))


def star_of_four() -> list[tuple[float, float]]:
    return [(-1, -1), (0, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]


@pytest.mark.parametrize("size", [1.0, 1e-9, 1e9, 1e-140, 1e130])
@pytest.mark.parametrize("offset", [0.0, 1e7, 1e15])
def test_yes_or_no_is_exact_at_any_size(size: float, offset: float) -> None:
    rng = random.Random(int(offset) + 7)
    for body in (SLOT, FRAME, WALLED):
        placed = [
            cm.Polygon([((x + offset) * size, (y + offset) * size) for x, y in part.vertices]) for part in body.parts
        ]
        whole = cm.Compound.from_parts(placed)
        for _ in range(6):
            x, y = offset + rng.randrange(-2, 7), offset + rng.randrange(-2, 5)
            way = (rng.choice([-8, 0, 3, 8]) * size, rng.choice([-8, 0, 2, 8]) * size)
            corners = [(x, y), (x + 1, y), (x, y + 2)]
            for other in (
                cm.Circle((x * size, y * size), size),
                cm.Polygon([(u * size, v * size) for u, v in corners]),
            ):
                sign = min(oracle.sign(part, other) for part in placed)
                separation = cm.separation(whole, other)
                assert np.sign(separation) == sign
                assert cm.intersects(whole, other) == (sign <= 0)
                assert cm.intersects(whole, other, touching=False) == (sign < 0)
                if separation > 1e-11 * size * (1 + offset * 1e-3):
                    met = any(oracle.path_hits(other, part, way) for part in placed)
                    assert (cm.cast(other, whole, way) is not None) == met


def test_a_turned_body_of_parts_is_made_of_exact_corners() -> None:
    # The corners of these turned boxes are no float64 in the common frame.
    walled = WALLED.rotated(0.3)
    assert walled.area == pytest.approx(WALLED.area)
    assert cm.separation(walled, cm.Point(walled.position)) < 0


def test_overlapping_parts_hide_their_edges() -> None:
    cross = cm.Compound.from_parts([cm.Box((0, 0), (6, 2)), cm.Box((0, 0), (2, 6))])
    for other in (cm.Point((0.9, 0)), cm.Circle((0.9, 0.0), 1e-13)):
        # An edge is 0.1 away, but inside the other part; nearest on the outline are two inward corners.
        assert cm.separation(cross, other) == pytest.approx(-math.hypot(1, 0.1), abs=1e-9)
    contact = cm.collide(cross, cm.Circle((1.2, 1.2), 0.5))
    assert contact is not None
    assert contact.depth == pytest.approx(0.3 * math.sqrt(2), abs=1e-14)
    assert cm.contains(cross, cm.Box((0, 0), (5, 2)))
    assert cm.contains(cross, cm.Polygon([(0, 3), (-1, 1), (0, -1), (1, 1)]))
    assert not cm.contains(cross, cm.Polygon([(0, 3), (-2, 0), (0, -3), (2, 0)]))
    slanted = cm.Compound.from_parts([cm.Box((0, 0), (6, 2), 0.3), cm.Box((0, 0), (2, 6), 0.3)])
    assert cm.contains(slanted, cm.Circle((0, 0), 1.2))
    assert not cm.contains(slanted, cm.Circle((0, 0), 1.5))


@pytest.mark.parametrize("seed", range(60))
def test_a_body_moved_far_is_its_parts_there(seed: int) -> None:
    rng = random.Random(seed)
    far = (rng.choice([1e4, 1e6, 1e7, -1e9]) + rng.random(), rng.random())
    kept = []
    for _ in range(2):
        at = rng.uniform(-1, 1), rng.uniform(-1, 1)
        turned, straight = cm.Box(at, (1, 2), 0.5), cm.Box((0.3, at[1]), (2.3, 0.7))
        some = [turned, straight, cm.Box((0, 0), (0.3, 3), rng.uniform(0, 3)), cm.Circle(at, 0.5)]
        some.append(cm.Polygon([at, (at[0] + 1, at[1]), (at[0] + 0.3, at[1] + 1)]))
        kept.append(rng.sample(some, rng.choice([1, 1, 2, 3])))
    a, b = (cm.Compound.from_parts(chosen).translated(far) for chosen in kept)
    built_a, built_b = cm.Compound.from_parts(a.parts), cm.Compound.from_parts(b.parts)
    found, built = cm.collide(a, b), cm.collide(built_a, built_b)
    assert (found is None) == (built is None)
    if found is not None and built is not None:
        assert found.depth == pytest.approx(built.depth, abs=1e-12)
        if len(a.parts) == 1 == len(b.parts):
            assert found.depth == pytest.approx(cm.collide(a.parts[0], b.parts[0]).depth, abs=1e-12)
    for part in b.parts:
        x, y = part.position
        small = cm.Box.from_corners((x - 0.1, y - 0.1), (x + 0.1, y + 0.1))
        if all(other.radius == 0.0 for other in a.parts):
            assert cm.contains(a, small) == cm.contains(built_a, small)


def test_a_compound_moved_from_far_away_keeps_its_digits() -> None:
    move = (-9999997.104479492, 8.675802045770793)
    box = cm.Box.from_corners((10000000.4875, -0.4125), (10000001.0875, -0.15))
    body = cm.Compound.from_parts([box, cm.Box((10000003.0, 0.0), (0.5, 0.25), 0.3)]).translated(move)
    other = cm.Polygon([(2.7686, 5.5148), (3.2686, 6.5148), (3.7686, 9.5148), (2.7686, 10.5148)])
    found = cm.collide(other, body)
    assert found is not None
    left = min(cm.separation(other, part.translated(found.normal * found.depth)) for part in body.parts)
    assert abs(left) <= 1e-15
    assert abs(body.parts[0]._record[[3, 4, 10, 11]]).max() < 10.0


def test_all_parts_move_by_the_same() -> None:
    # Neither the corners of the boxes nor those of the triangle are floats after the move.
    parts = [cm.Box((0.5, 0.5), (1, 1)), cm.Box((1.5, 0.5), (1, 1)), cm.Polygon([(2, 0), (3, 0), (2, 1)])]
    body = cm.Compound.from_parts(parts).translated((1e6 + 0.1, 0.1))
    dx, dy = Fraction(1e6 + 0.1), Fraction(0.1)
    for part, moved in zip(parts, body.parts, strict=True):
        assert oracle.exact(moved).points == tuple((x + dx, y + dy) for x, y in oracle.exact(part).points)
    assert cm.contains(body, cm.Segment((1e6 + 1.1, 0.2), (1e6 + 1.1, 1.0)))
    back = body.translated((-1e6 - 0.1, -0.1))
    assert back == cm.Compound.from_parts(parts) and back.parts[0] == parts[0]


@pytest.mark.parametrize("seed", range(40))
def test_a_line_of_segments_is_one_shape(seed: int) -> None:
    """Open, closed and crossing lines, with corners on integers: as Shapely has them."""
    rng = random.Random(seed)
    corners = [(float(rng.randrange(7)), float(rng.randrange(5))) for _ in range(rng.randrange(3, 9))]
    corners = [b for a, b in itertools.pairwise([(9.0, 9.0), *corners]) if a != b]
    corners += [(0.0, 5.0), (6.0, 5.0)]
    segments = [cm.Segment(a, b) for a, b in itertools.pairwise(corners)]
    line, expected = cm.Compound.from_parts(segments), shapely.LineString(corners)
    assert line.parts == tuple(segments) and line.area == 0.0
    assert tuple(line.centroid) == pytest.approx(expected.centroid.coords[0], abs=1e-12)
    assert cm.convert.to_shapely(line).equals(expected)
    assert tuple(cm.bounds(line)) == expected.bounds
    assert pickle.loads(pickle.dumps(line)) == line
    for _ in range(10):
        other = some_shape(rng, solid=True, sharp=True)
        apart = cm.convert.to_shapely(other).distance(expected)
        found = cm.separation(line, other)
        assert found == pytest.approx(apart, abs=1e-12) if apart else found <= 0.0
        assert cm.intersects(line, other) == (apart == 0.0)
        x, y = rng.uniform(0, 6), rng.uniform(0, 5)
        ray = shapely.LineString([(x, y), (x + 9, y + 3)])
        first = shapely.intersection(ray, expected)
        hit = cm.raycast((x, y), (9, 3), line)
        assert (hit is None) == first.is_empty
        if hit:
            assert hit.fraction == pytest.approx(shapely.Point(x, y).distance(first) / math.hypot(9, 3), abs=1e-9)
    turned = line.rotated(math.pi / 2, (0, 0))
    mapped = shapely.affinity.rotate(expected, 90, (0, 0))
    assert cm.convert.to_shapely(turned).hausdorff_distance(mapped) < 1e-12


def test_a_line_of_segments_is_one_body() -> None:
    """A sensor is entered and left once, and a disc rolls over its corners and rests in its valley."""
    corners = [(-3.0, 3.0), (-1.0, 1.0), (0.0, 0.5), (1.0, 1.0), (3.0, 3.0)]
    line = cm.Compound.from_parts([cm.Segment(a, b) for a, b in itertools.pairwise(corners)])
    world = cm.World()
    world.add(line, sensor=True)
    world.add(cm.Circle((0.0, 3.0), 0.6), kind="dynamic", velocity=(0, -5))
    assert [hit.kind for hit in world.step(1.0)] == ["enter", "exit"]
    world = cm.World(gravity=(0, -10))
    world.add(line)
    ball = world.add(cm.Circle((-2.0, 2.5), 0.25), kind="dynamic", damping=1.0)
    world.step(1 / 60, steps=1200)
    assert ball.asleep and abs(ball.position.x) < 0.3
    assert cm.distance(ball.shape, line) < 0.01


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="parts is empty"):
        cm.Compound.from_parts([])
    segment, disc = cm.Segment((0, 0), (1, 0)), cm.Circle((0, 0), 1)
    for k, parts in ((1, [disc, segment]), (0, [segment, disc]), (0, [segment, segment, disc])):
        with pytest.raises(ValueError, match=rf"parts\[{k}\] = Segment.* a line has Segments alone"):
            cm.Compound.from_parts(parts)
    with pytest.raises(ValueError, match=r"parts\[0\] = Point.* has no area"):
        cm.Compound.from_parts([cm.Point((0, 0))])
    with pytest.raises(TypeError, match=r"parts\[0\] = \(0, 0\)"):
        cm.Compound.from_parts([(0, 0)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="parts = 3"):
        cm.Compound.from_parts(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="separation: b = None"):
        cm.separation(FRAME, None)
    with pytest.raises(TypeError, match="intersects: a = 7"):
        cm.intersects(7, FRAME)
    with pytest.raises(ValueError, match="translation"):
        cm.cast(FRAME, cm.Circle((0, 0), 1), (math.nan, 0))
    with pytest.raises(ValueError, match=r"rotation.*degrees"):
        cm.cast(FRAME, cm.Circle((0, 0), 1), (1, 0), rotation=1e9)
    with pytest.raises(ValueError, match="pivot"):
        cm.cast(FRAME, cm.Circle((0, 0), 1), (1, 0), rotation=1.0, pivot=(math.nan, 0))
    with pytest.raises(ValueError, match="origin"):
        cm.raycast((0, math.inf), (1, 0), FRAME)
    with pytest.raises(TypeError, match="contains: other"):
        cm.contains(FRAME, "here")
    with pytest.raises(TypeError, match=r"make a Compound with decompose\(outline, holes\) or Compound.from_parts"):
        cm.Compound([cm.Box((0, 0), (1, 1))])  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match="explain: b = 7 must be a shape"):
        cm.explain(FRAME, 7)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="made from parts"):
        _ = FLOOR.outline
