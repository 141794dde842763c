"""Turned boxes beside each other and beside discs: closed forms against rational arithmetic, rows against pairs.

The scenes are those that formulas on few numbers get wrong: needles, boxes at one angle, alike, corner to corner, an
ulp from touch, far from the origin, tiny and huge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import carom as cm
from carom.narrow.separation import separation_form, separations_of_columns
from tests.support import oracle, scenes
from tests.support.judges import assert_same_contacts, wrong_closest, wrong_contact, wrong_separation

ROWS = [300, pytest.param(30_000, marks=pytest.mark.full)]


def thin(rng: Random, angle: float | None = None) -> Any:
    """Return a turned box, mostly far longer than wide, or wider than long."""
    width, length = 10.0 ** rng.uniform(-13, 0.3), 2.0
    size = (width, length) if rng.random() < 0.6 else (length, width)
    return cm.Box((rng.uniform(-1, 1), 0.0), size, rng.uniform(0.1, 3.0) if angle is None else angle)


def tips(count: int) -> Iterator[tuple[Any, Any]]:
    """Yield discs, boxes along the axes and turned boxes near the corner of a turned box, by 1e-16 to 1e-6."""
    rng = Random("tips of needles")
    for _ in range(count):
        box = thin(rng)
        x, y = rng.choice(box.vertices)
        near = rng.choice((-1, 1)) * 10.0 ** rng.uniform(-16, -6)
        radius, turn = rng.uniform(0.1, 1.0), rng.uniform(0.0, 6.28)
        away = radius + near
        yield cm.Circle((x + away * math.cos(turn), y + away * math.sin(turn)), radius), box
        size = rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)
        yield cm.Box((x + size[0] / 2 + near, y), size), box
        other = thin(rng, box.angle if rng.random() < 0.3 else None)
        u, v = rng.choice(other.vertices)
        yield other.translated((x - u + near, y - v)), box


@pytest.mark.parametrize("count", ROWS)
def test_tips_of_needles_have_the_exact_sign(count: int) -> None:
    pairs = list(tips(count))
    for which in range(3):
        rows = pairs[which::3]
        a, b = cm.Shapes([a for a, _ in rows]), cm.Shapes([b for _, b in rows])
        assert a._columns_of_one_kind() is not None and b._columns_of_one_kind() is not None
        signs = np.array([oracle.sign(*row) for row in rows])
        for first, second in ((a, b), (b, a)):
            assert (cm.intersects(first, second) == (signs <= 0)).all()
            assert (cm.intersects(first, second, touching=False) == (signs < 0)).all()
            assert (np.sign(cm.separation(first, second)) == signs).all()
            assert (cm.collide(first, second).hit == (signs <= 0)).all()


def scale(rng: Random) -> float:
    return float(10.0 ** rng.choice((0, 0, 0, -9, 9, -140, 140)))


def beside(count: int) -> Iterator[tuple[Any, Any]]:
    """Yield turned boxes with turned boxes or discs: side by side, corner to corner, nested, alike, near touch."""
    rng = Random("beside turned boxes")
    for _ in range(count):
        unit = scale(rng)
        far = rng.choice((0.0, 0.0, 1e7, 1e15)) if unit < 1e100 else 0.0
        size = (rng.uniform(0.2, 3) * unit, rng.uniform(0.2, 3) * unit * rng.choice((1.0, 1.0, 1e-7)))
        angle = rng.choice((rng.uniform(0.1, 3.0), math.pi / 4, 0.3, 1e-9))
        at = (rng.choice((0.0, far * unit)), rng.choice((0.0, far * unit)))
        box = cm.Box(at, size, angle)
        c, s = math.cos(angle), math.sin(angle)
        x, y = rng.choice(((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (rng.uniform(-1, 1), rng.uniform(-1, 1))))
        if rng.random() < 0.3:
            radius = rng.uniform(0.1, 2) * unit
            x, y = x * (size[0] / 2 + radius), y * (size[1] / 2 + radius)
            other: Any = cm.Circle((at[0] + c * x - s * y, at[1] + s * x + c * y), radius)
        else:
            turn = angle + rng.choice((0.0, 0.0, math.pi / 2, math.pi, 1e-9, rng.uniform(0, 3)))
            other_size = rng.choice((size, size[::-1], (rng.uniform(0.2, 3) * unit, rng.uniform(0.2, 3) * unit)))
            slide = rng.choice((0.0, 0.0, rng.uniform(-1, 1))) * size[0]
            x, y = x * (size[0] + other_size[0]) / 2 + slide, y * (size[1] + other_size[1]) / 2
            if not turn % (math.pi / 2):
                turn = 0.3
            other = cm.Box((at[0] + c * x - s * y, at[1] + s * x + c * y), other_size, turn)
            if rng.random() < 0.1:
                other = cm.Box(at, size, angle)
        if rng.random() < 0.4:
            near = rng.choice((1e-16, 1e-15, 1e-12, 1e-8)) * unit * rng.choice((-1, 1))
            other = other.translated((near, rng.choice((0.0, near))))
        yield (box, other) if rng.random() < 0.5 else (other, box)


@pytest.mark.parametrize("count", ROWS)
def test_single_pairs_agree_with_rational_arithmetic(count: int) -> None:
    for a, b in beside(count):
        for question in (wrong_separation, wrong_closest, wrong_contact):
            complaint = question(a, b)
            assert complaint is None, (a, b, complaint)


@pytest.mark.parametrize("count", [1500, pytest.param(100_000, marks=pytest.mark.full)])
def test_rows_have_the_bits_of_single_pairs(count: int) -> None:
    kinds: dict[tuple[str, str], list[tuple[Any, Any]]] = {}
    for a, b in (*beside(count), *tips(count // 3)):
        kinds.setdefault((scenes.closed_form_of(a) or "", scenes.closed_form_of(b) or ""), []).append((a, b))
    assert {("turned", "turned"), ("disc", "turned"), ("turned", "disc")} <= set(kinds)
    for names, pairs in kinds.items():
        a, b = cm.Shapes([a for a, _ in pairs]), cm.Shapes([b for _, b in pairs])
        assert all(names) and a._columns_of_contacts() is not None and b._columns_of_contacts() is not None
        assert_same_contacts(cm.collide(a, b), pairs)
        one = pairs[0][0]
        for verb in (cm.separation, cm.distance):
            assert verb(a, b).tolist() == [verb(*pair) for pair in pairs]
            assert verb(one, b).tolist() == [verb(one, pair[1]) for pair in pairs]
        found = cm.closest(a, b)
        for row, pair in enumerate(pairs):
            single = cm.closest(*pair)
            numbers = found.separation[row], *found.normal[row], *found.point_a[row], *found.point_b[row]
            assert numbers == (single.separation, *single.normal, *single.point_a, *single.point_b), pair
        assert_same_contacts(cm.collide(one, b), [(one, pair[1]) for pair in pairs])


def test_grids_of_boxes_at_one_angle_leave_few_rows_to_the_walk() -> None:
    """Parallel edges are the tie that the closed form settles itself, side by side and overlapping."""
    rng = np.random.default_rng(3)
    turn, n = 0.3, 2000
    across = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    at = np.round(rng.uniform(-20, 20, (n, 2)))
    a = cm.Shapes.boxes(at @ across, np.ones((n, 2)), turn)
    b = cm.Shapes.boxes((at + rng.uniform(-0.95, 0.95, (n, 2))) @ across, np.ones((n, 2)), turn)
    form = separation_form(a, b)
    assert form is not None
    left, found = np.empty(n, dtype=np.bool_), np.empty(n)
    separations_of_columns(tuple(form), 0, left, (found, np.empty(n, dtype=np.bool_)))
    assert left.mean() < 0.01
    assert (found < 0).all()
