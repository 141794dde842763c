"""Every verb refuses arguments that have no answer, before any work, naming the argument and showing the value."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import carom as cm
from tests.support.verbs import PAIR_VERBS

BALL, BOX = cm.Circle((0, 0), 1.0), cm.Box((3, 0), (1, 1))
NOT_SHAPES: tuple[Any, ...] = (
    None,
    3,
    2.5,
    "circle",
    (1, 1),
    [(0, 0), (1, 0), (0, 1)],
    np.zeros(2),
    Ellipsis,
    cm.Circle,
)
NOT_NUMBERS: tuple[Any, ...] = (None, 3, "ab", "xy", Ellipsis, ("a", "b"), (None, 1), (1j, 0), ({}, {}))
NOT_PLANAR: tuple[Any, ...] = ((1,), (1, 2, 3), np.zeros(3))
NOT_FINITE: tuple[Any, ...] = ((math.nan, 0), (0, math.inf), (-math.inf, math.nan), (2e150, 0), (0, -1e300))


def refused(call: Any, name: str, error: type[Exception] | tuple[type[Exception], ...]) -> str:
    with pytest.raises(error) as caught:
        call()
    text = str(caught.value)
    assert re.search(rf"\b{name}\b", text), f"{text!r} does not name {name!r}"
    assert len(text) > 20
    return text


@pytest.mark.parametrize("verb", PAIR_VERBS, ids=lambda verb: verb.__name__)
@pytest.mark.parametrize("value", NOT_SHAPES, ids=repr)
def test_pairs_want_shapes(verb: Any, value: Any) -> None:
    assert verb.__name__ in refused(lambda: verb(value, BOX), "a", TypeError)
    assert verb.__name__ in refused(lambda: verb(BALL, value), "b", TypeError)


@pytest.mark.parametrize("value", NOT_SHAPES, ids=repr)
def test_casts_want_shapes(value: Any) -> None:
    refused(lambda: cm.cast(value, BOX, (1, 0)), "a", TypeError)
    refused(lambda: cm.cast(BALL, value, (1, 0)), "b", TypeError)
    refused(lambda: cm.raycast((0, 0), (1, 0), value), "shape", TypeError)
    refused(lambda: cm.contains(value, (0, 0)), "shape", TypeError)


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_positions_and_paths_want_numbers(value: Any) -> None:
    either = (TypeError, ValueError)
    refused(lambda: cm.cast(BALL, BOX, value), "translation", either)
    refused(lambda: cm.raycast(value, (1, 0), BOX), "origin", either)
    refused(lambda: cm.raycast((0, 0), value, BOX), "translation", either)


@pytest.mark.parametrize("value", NOT_PLANAR, ids=repr)
def test_positions_and_paths_want_two_numbers(value: Any) -> None:
    for call, name in (
        (lambda: cm.cast(BALL, BOX, value), "translation"),
        (lambda: cm.raycast(value, (1, 0), BOX), "origin"),
        (lambda: cm.raycast((0, 0), value, BOX), "translation"),
    ):
        refused(call, name, ValueError)


@pytest.mark.parametrize("value", NOT_FINITE, ids=repr)
def test_positions_and_paths_are_finite_and_in_range(value: Any) -> None:
    offending = [part for part in value if not abs(part) <= 1e150]
    for call, name in (
        (lambda: cm.cast(BALL, BOX, value), "translation"),
        (lambda: cm.raycast(value, (1, 0), BOX), "origin"),
        (lambda: cm.raycast((0, 0), value, BOX), "translation"),
        (lambda: cm.contains(BALL, value), "other"),
    ):
        text = refused(call, name, ValueError)
        assert any(repr(part) in text for part in offending), text


@pytest.mark.parametrize(
    "value", [None, 3, "ab", Ellipsis, (1, 2, 3), np.zeros((2, 3)), np.zeros((2, 2, 2)), [(1, 2), (3,)]]
)
def test_contains_wants_a_shape_or_points(value: Any) -> None:
    refused(lambda: cm.contains(BALL, value), "other", (TypeError, ValueError))


def test_contains_names_the_row() -> None:
    text = refused(lambda: cm.contains(BALL, [(0, 0), (1, 1), (math.nan, 2)]), "other", ValueError)
    assert "[2]" in text
    assert "nan" in text


@pytest.mark.parametrize("verb", PAIR_VERBS, ids=lambda verb: verb.__name__)
def test_missing_and_unknown_arguments_are_refused(verb: Any) -> None:
    with pytest.raises(TypeError):
        verb(BALL)
    with pytest.raises(TypeError):
        verb(BALL, BOX, colour="red")


def test_touching_is_by_keyword() -> None:
    with pytest.raises(TypeError):
        cm.intersects(BALL, BOX, False)  # type: ignore[misc]


@pytest.mark.parametrize(
    "value", [(1, 2), [1, 2], np.array([1, 2]), np.array([1.0, 2.0]), cm.Vec(1, 2), (np.int64(1), 2.0)], ids=repr
)
def test_all_that_reads_as_two_numbers_is_taken(value: Any) -> None:
    assert cm.raycast(value, (9, 0), BALL) is None
    assert cm.cast(BALL, cm.Point((1, 2.5)), value) is not None
    assert cm.contains(BALL, value) is False
