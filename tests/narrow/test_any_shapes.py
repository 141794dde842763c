"""Shapes in lists, of levels and of Compounds, taken wherever a set is; and what wrong types are told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import shapely

import carom as cm

BALLS = [cm.Circle((0, 0), 1), cm.Circle((5, 0), 1), cm.Circle((1, 1), 1)]
BOX = cm.Box((0.5, 0.5), (2, 2), 0.3)
ROOM = cm.decompose([(0, 0), (4, 0), (1, 1), (0, 4)])
LEVEL = cm.read_grid("##.\n#.#")


@pytest.mark.parametrize("verb", [cm.intersects, cm.separation, cm.distance, cm.contains])
def test_a_list_is_answered_as_its_set(verb: Any) -> None:
    rows = cm.Shapes(BALLS)
    assert verb(BALLS, BOX).tolist() == verb(rows, BOX).tolist()
    assert verb(BOX, BALLS).tolist() == verb(BOX, rows).tolist()
    assert verb(tuple(BALLS), rows).tolist() == verb(rows, rows).tolist()


@pytest.mark.parametrize(
    "ask",
    [
        lambda given: cm.collide(given, BOX),
        lambda given: cm.closest(BOX, given),
        lambda given: cm.cast(given, BOX, (3, 1)),
        lambda given: cm.cast(given, BOX, (3, 1), rotation=0.5),
        lambda given: cm.raycast((-9, 0.25), (20, 0), given),
        lambda given: cm.contacts(given),
        lambda given: cm.Index(given).nearest((3, 3), k=2),
    ],
)
def test_columns_of_a_list_are_those_of_its_set(ask: Any) -> None:
    for one, other in zip(ask(iter(BALLS)), ask(cm.Shapes(BALLS)), strict=True):
        assert np.array_equal(one, other)


def test_a_level_counts_as_its_solids() -> None:
    ball = cm.Circle((0.5, 0.5), 0.25)
    assert (
        cm.intersects(LEVEL, ball).tolist()
        == cm.intersects(LEVEL.solids, ball).tolist()
        == [True, False, False][: len(LEVEL.solids)]
    )
    assert np.array_equal(cm.pairs(LEVEL, ball), cm.pairs(LEVEL.solids, ball))
    assert np.array_equal(cm.Index(LEVEL).query(ball), cm.Index(LEVEL.solids).query(ball))


def test_a_compound_in_a_list_becomes_its_parts_where_rows_need_not_match() -> None:
    assert len(cm.Index([ROOM, BALLS[1]])) == len(ROOM.parts) + 1
    with pytest.raises(TypeError, match=r"intersects: a\[0\] = .* must be a shape of one part"):
        cm.intersects([ROOM, BALLS[1]], BOX)


RECTANGLE = SimpleNamespace(x=0, y=0, w=2, h=1)


class GameRect(list[int]):
    """A rectangle of a game library: a sequence of four numbers, with their names."""

    x, y, w, h = 0, 0, 2, 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (RECTANGLE, r"Box\.from_rect"),
        ([RECTANGLE], r"Box\.from_rect"),
        (GameRect([0, 0, 2, 1]), r"Box\.from_rect"),
        (shapely.Point(0, 0), r"Shapes\.from_shapely"),
        ([shapely.Point(0, 0)], r"Shapes\.from_shapely"),
        ((1, 2), r"Point\(position\)"),
        ([(1, 2), (3, 4)], r"Point\(position\)"),
        (np.zeros((2, 2)), r"Point\(position\)"),
        ([BOX, 3], r"\[1\] = 3"),
        (None, "not NoneType"),
        ("box", "not str"),
        (cm.Circle, "not type"),
    ],
)
@pytest.mark.parametrize(
    ("ask", "called"),
    [
        (lambda value: cm.intersects(value, BOX), "intersects: a"),
        (lambda value: cm.collide(BOX, value), "collide: b"),
        (lambda value: cm.pairs(value), "pairs: shapes"),
        (lambda value: cm.Index(value), "Index: shapes"),
        (lambda value: cm.move(BOX, (1, 0), value), "move: obstacles"),
        (lambda value: cm.move(value, (1, 0), BOX), "move: shape"),
    ],
)
def test_a_wrong_type_is_told_the_way(ask: Any, called: str, value: Any, text: str) -> None:
    with pytest.raises(TypeError, match=f"(?s)^{called}.*{text}"):
        ask(value)
