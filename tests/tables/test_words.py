"""Words of calls: one naming in all of them, and an answer to each word of another."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from carom import tables

BOX = pd.DataFrame({"min_x": [0.0, 1], "min_y": [0.0, 1], "max_x": [2.0, 3], "max_y": [2.0, 3], "name": ["p", "q"]})
POINTS = pd.DataFrame({"x": [0.0, 9.0], "y": [0.0, 9.0], "spot": ["s", "t"]})
TRACKS = pd.DataFrame({"id": [1, 1, 2, 2], "t": [0, 9, 0, 9], "x": [0.0, 9, 3, 3], "y": [0.0, 0, 1, 1]})

WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: tables.join(BOX, how="inner"), "join: .*'how'; pairs are those of an inner join"),
    (lambda: tables.join(BOX, BOX, predicate="dwithin"), "join: .*'predicate'; pairs touch or overlap; within= asks"),
    (lambda: tables.join(BOX, distance=3), "'distance'; did you mean within\\?"),
    (lambda: tables.join(BOX, on="name"), "'on'; id= names the rows of the first table, other_id="),
    (lambda: tables.join(BOX, other_ids="name"), "'other_ids'; did you mean other_id\\?"),
    (lambda: tables.join(BOX, zzz=1), "'zzz'; it takes source, other, out, columns, within, shape"),
    (lambda: tables.join(BOX, BOX, "out"), "join: takes source, other by place, and was given 3 values; .* out="),
    (lambda: tables.join(), "join: source is missing"),
    (lambda: tables.join(BOX, BOX, id=("p", "q")), "id = .* must be the name of one column; .*other_id="),
    (lambda: tables.join(BOX, BOX, other_id="spot"), "join: other_id = 'spot' is no column"),
    (lambda: tables.join(BOX, BOX, other_shape="spot"), "join: other_shape = 'spot': 'spot' is no column"),
    (lambda: tables.join(BOX, shape=3), "join: shape = 3 must be a name of a column, or a list"),
    (lambda: tables.nearest(POINTS, BOX, point_id="spot"), "nearest: .*'point_id'; did you mean id\\?"),
    (lambda: tables.nearest(POINTS, BOX, point=("x", "y")), "nearest: .*'point'; did you mean shape\\?"),
    (lambda: tables.nearest(POINTS, source=BOX), "nearest: .*'source'; did you mean other\\?"),
    (lambda: tables.nearest(POINTS, BOX, id="name"), "id = 'name' is no column; .*other_id= the shapes"),
    (lambda: tables.nearest(POINTS, BOX, columns="depth"), "columns = 'depth' must be some of distance"),
    (lambda: tables.nearest(POINTS), "nearest: other is missing"),
    (lambda: tables.encounters(TRACKS, 1), "encounters: takes tracks by place, and was given 2 values; .*within="),
    (lambda: tables.encounters(TRACKS), "encounters: within is missing"),
    (lambda: tables.encounters(TRACKS, within=1, time="t"), "'time'; shape= names the columns of time, x and y"),
    (
        lambda: tables.encounters(TRACKS, within=1, columns=["t", "x", "y"]),
        "some of first, separation, closest; shape=",
    ),
    (lambda: tables.plan(BOX, npartitions=3), "plan: .*'npartitions'; did you mean tile_rows\\?"),
]


@pytest.mark.parametrize(("call", "error"), WRONG, ids=[error for _, error in WRONG])
def test_a_word_that_is_none_is_answered_by_the_one_that_is_meant(call: Callable[[], Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        call()


def test_all_calls_name_the_same_things_alike() -> None:
    """The first table has id= and shape=, the second other_id= and other_shape=; columns= chooses answers."""
    words = {
        call: set(inspect.signature(getattr(tables, call)).parameters) for call in ("join", "nearest", "encounters")
    }
    common = {"out", "columns", "within", "shape", "id", "on_bad", "spill", "memory", "tile_rows", "progress"}
    assert all(common <= found for found in words.values())
    assert {"other", "other_shape", "other_id"} <= words["join"] & words["nearest"]
    found = tables.nearest(POINTS, BOX, id="spot", other_id="name").compute()
    assert found[["a", "b"]].to_numpy().tolist() == [["s", "p"], ["t", "q"]]


def test_columns_choose_answers_everywhere() -> None:
    assert list(tables.join(BOX, columns="normal").compute()) == ["a", "b", "normal_x", "normal_y"]
    for columns, wanted in (("distance", ["distance"]), ((), [])):
        assert list(tables.nearest(POINTS, BOX, columns=columns).compute()) == ["a", "b", *wanted]
        assert list(tables.nearest(POINTS[:0], BOX, columns=columns).compute()) == ["a", "b", *wanted]
    for columns, wanted in ((("closest", "first"), ["first", "closest"]), ((), []), ("separation", ["separation"])):
        assert list(tables.encounters(TRACKS, within=1, columns=columns).compute()) == ["a", "b", *wanted]
        assert list(tables.encounters(TRACKS[:0], within=1, columns=columns).compute()) == ["a", "b", *wanted]


def test_a_gap_is_a_timedelta_of_anybody() -> None:
    import datetime

    frame = TRACKS.assign(t=pd.to_datetime(TRACKS["t"], unit="s"))
    for kind in (
        lambda s: datetime.timedelta(seconds=s),
        lambda s: pd.Timedelta(s, "s"),
        lambda s: np.timedelta64(s, "s"),
    ):
        assert len(tables.encounters(frame, within=1, longest_gap=kind(9)).compute()) == 1
        assert len(tables.encounters(frame, within=1, longest_gap=kind(8)).compute()) == 0
        with pytest.raises(TypeError, match=r"longest_gap = .* must be a number, as times are"):
            tables.encounters(TRACKS, within=1, longest_gap=kind(9))
    with pytest.raises(ValueError, match="longest_gap"):
        tables.encounters(frame, within=1, longest_gap=np.timedelta64("NaT"))
