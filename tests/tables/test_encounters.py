"""Encounters of tracks: numbers against exact polynomials in time, and the same answer however the work is cut."""

from __future__ import annotations

import datetime
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dask.dataframe")
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

import carom as cm
from carom import tables
from carom.tables.space_time import boxes, cuts_of, near_pairs, tiles_of
from tests.support.motions import Told, drawn, near, of_polynomials


def fleet(rng: np.random.Generator, count: int, most: int, area: int, *, whole: bool = True) -> pd.DataFrame:
    """Return tracks of various lengths, with gaps, in shuffled order."""
    rows = []
    for name in range(count):
        samples = int(rng.integers(1, most + 1))
        t = np.cumsum(rng.integers(1, 5, samples)) + int(rng.integers(0, 3 * most))
        places = rng.integers(0, area, (1, 2)) + np.cumsum(rng.integers(-4, 5, (samples, 2)), axis=0)
        if not whole:
            t, places = t + rng.uniform(0.0, 0.9, samples), places + rng.normal(size=places.shape)
        rows += [(name, *row) for row in zip(t.tolist(), *places.T.tolist(), strict=True)]
    frame = pd.DataFrame(rows, columns=["id", "t", "x", "y"])
    return frame.sample(frac=1.0, random_state=int(rng.integers(1000))).reset_index(drop=True)


def brute(frame: pd.DataFrame, within: float, longest_gap: float = math.inf) -> dict[tuple[Any, Any], Told]:
    """Return the encounters by going through all pairs of pieces."""
    pieces: list[tuple[Any, list[float]]] = []
    for name, track in frame.sort_values("t").groupby("id"):
        radius = track["radius"].tolist()[0] if "radius" in track else 0.0
        samples = list(zip(track["t"].tolist(), track["x"].tolist(), track["y"].tolist(), strict=True))
        joined = [(p, q) for p, q in pairwise(samples) if q[0] - p[0] <= longest_gap]
        alone = [p for p in samples if not any(p in pair for pair in joined)]
        pieces += [(name, [*p, *q, radius]) for p, q in [*joined, *((p, p) for p in alone)]]
    found: dict[tuple[Any, Any], Told] = {}
    for a, p in pieces:
        for b, q in pieces:
            if a < b and (told := of_polynomials(p, q, within)) is not None:
                old = found.get((a, b), (math.inf, math.inf, math.inf))
                found[a, b] = (min(told[0], old[0]), *min((told[1], told[2]), (old[1], old[2])))
    return dict(sorted(found.items()))


def as_dict(answer: Any) -> dict[tuple[Any, Any], Told]:
    return {(row[0], row[1]): row[2:] for row in answer.compute().itertuples(index=False, name=None)}


def check(found: dict[tuple[Any, Any], Told], wanted: dict[tuple[Any, Any], Told]) -> None:
    assert list(found) == list(wanted)
    for told, right in zip(found.values(), wanted.values(), strict=True):
        assert all(map(near, told, right)), (told, right)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("longest_gap", [None, 2.5])
def test_encounters_are_those_of_all_pairs_of_pieces(whole: bool, longest_gap: float | None) -> None:
    rng = np.random.default_rng(11)
    for within in (0.0, 1.0, 5.0):
        frame = fleet(rng, 14, 9, 12, whole=whole)
        wanted = brute(frame, within, longest_gap if longest_gap is not None else math.inf)
        assert wanted or within < 5.0
        for rows in (None, 7):
            found = tables.encounters(frame, within=within, longest_gap=longest_gap, tile_rows=rows)
            check(as_dict(found), wanted)


@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.integers(1, 4))
@settings(max_examples=12, deadline=None)
def test_the_answer_does_not_depend_on_tiles_partitions_or_order(seed: int, rows: int, partitions: int) -> None:
    rng = np.random.default_rng(seed)
    frame = fleet(rng, 12, 8, 10, whole=False)
    wanted = tables.encounters(frame, within=2.5).compute().reset_index(drop=True)
    again = frame.sample(frac=1.0, random_state=seed % 1000)
    found = tables.encounters(dd.from_pandas(again, npartitions=partitions, sort=False), within=2.5, tile_rows=rows)
    pd.testing.assert_frame_equal(found.compute().reset_index(drop=True), wanted, check_exact=True)


@given(st.integers(0, 2**32 - 1), st.integers(-1000, 1000), st.integers(-1000, 1000))
@settings(max_examples=12, deadline=None)
def test_swapped_names_moved_places_and_other_times_change_nothing_else(seed: int, by: int, later: int) -> None:
    frame = fleet(np.random.default_rng(seed), 10, 8, 10)
    wanted = as_dict(tables.encounters(frame, within=2.0))
    turned = as_dict(tables.encounters(frame.assign(id=-frame["id"]), within=2.0))
    assert turned == dict(sorted({(-b, -a): told for (a, b), told in wanted.items()}.items()))
    moved = as_dict(
        tables.encounters(frame.assign(t=frame["t"] + later, x=frame["x"] + by, y=frame["y"] - by), within=2.0)
    )
    assert list(moved) == list(wanted)
    for told, right in zip(moved.values(), wanted.values(), strict=True):
        assert told[1] == right[1]
        assert (told[0] - later, told[2] - later) == pytest.approx((right[0], right[2]), abs=1e-9)


def test_a_crowd_in_one_place_at_different_times_is_no_crowd() -> None:
    rng = np.random.default_rng(5)
    t = np.arange(4000.0)
    pieces = np.column_stack([t, rng.uniform(0, 10, (4000, 2)), t + 1.0, rng.uniform(0, 10, (4000, 2)), np.zeros(4000)])
    found = [len(i) for i, _ in near_pairs(pieces, np.arange(4000) % 2, 1.0)]
    assert sum(found) < 20 * 4000  # of 4 million pairs that overlap in the plane


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
@settings(max_examples=20, deadline=None)
def test_no_pair_that_meets_is_lost_in_slabs_or_tiles(seed: int, tiles: int) -> None:
    rng = np.random.default_rng(seed)
    pieces, tracks = drawn("whole" if seed % 2 else "any", rng, 80), rng.integers(0, 9, 80)
    i, j = np.nonzero(tracks[:, None] < tracks[None, :])
    meets = cm.approaches(pieces, np.stack((i, j), axis=1), within=2.0).meets
    wanted = set(zip(i[meets].tolist(), j[meets].tolist(), strict=True))
    found: set[tuple[int, int]] = set()
    rows, begins = tiles_of(boxes(pieces, 2.0), cuts_of(boxes(pieces, 2.0), tiles))
    for begin, end in pairwise(begins):
        some = rows[begin:end]
        for a, b in near_pairs(pieces[some], tracks[some], 2.0):
            found |= set(zip(some[a].tolist(), some[b].tolist(), strict=True))
    assert wanted <= found
    assert all(tracks[a] < tracks[b] for a, b in found)


def test_names_of_text_timestamps_and_radii(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "ship": ["Çelik", "Bea", "Çelik", "Bea", "Ada"],
            "time": pd.to_datetime(
                ["2026-01-01 00:00", "2026-01-01 02:00", "2026-01-01 10:00", "2026-01-01 12:00"] * 2
            )[:5],
            "x": [0.0, 5.0, 10.0, 5.0, 0.0],
            "y": [0.0, -5.0, 0.0, 5.0, 1.0],
            "radius": [0.5, 0.25, 0.5, 0.25, 1.0],
        }
    )
    told = tables.encounters(frame, within=1.0, id="ship").compute()
    assert told[["a", "b"]].values.tolist() == [["Ada", "Çelik"], ["Bea", "Çelik"]]
    assert told["closest"].tolist() == [pd.Timestamp("2026-01-01"), pd.Timestamp("2026-01-01 06:00")]
    assert told["separation"].tolist() == pytest.approx([-0.5, math.sqrt(2.0) - 0.75], rel=1e-15)
    apart = tables.encounters(frame, within=1.0, id="ship", longest_gap=datetime.timedelta(hours=9)).compute()
    assert apart[["a", "b"]].values.tolist() == [["Ada", "Çelik"]]
    stated = tables.encounters(frame, within=1.0, id="ship", shape=["time", "x", "y"]).compute()
    assert stated["separation"].tolist() == [1.0]
    done = tables.encounters(pa.Table.from_pandas(frame), within=1.0, id="ship", out=tmp_path / "out")
    assert (done.pairs, done.bad, done.bad_count) == (2, (), 0)
    assert pd.read_parquet(tmp_path / "out").values.tolist() == told.values.tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert tables.encounters(frame, within=1.0, id="ship", out=tmp_path / "out") == done
    with pytest.raises(FileExistsError, match=r"out = .* another plan, since within differ"):
        tables.encounters(frame, within=2.0, id="ship", out=tmp_path / "out")


def test_no_rows_and_one_row() -> None:
    frame = pd.DataFrame({"id": [1], "t": [0.0], "x": [0.0], "y": [0.0]})
    for rows in (0, 1):
        found = tables.encounters(frame.iloc[:rows], within=1.0).compute()
        assert list(found.columns) == ["a", "b", "first", "separation", "closest"]
        assert len(found) == 0


BAD = [
    ({"x": math.nan}, "t = 1, x = None, y = 0.0, radius = 1.0: a number is missing, not finite or too large"),
    ({"y": math.inf}, "y = inf.*not finite"),
    ({"t": 2**53 + 2}, "t = 9007199254740994.*too large"),
    ({"radius": -1.0}, "the radius must not be negative"),
    ({"t": 4}, "t = 4: the track 7 has an earlier row of the same time"),
    ({"radius": 2.0}, "radius = 2: that of the track 7 is 1 at its first time"),
]


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[str(change) for change, _ in BAD])
def test_a_bad_row_is_named_or_left_out(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    good = pd.DataFrame({"id": [7, 7, 8], "t": [0, 4, 3], "x": [0.0, 4.0, 3.0], "y": [0.0] * 3, "radius": [1.0] * 3})
    row = {"id": 7, "t": 1, "x": 0.0, "y": 0.0, "radius": 1.0, **change}
    (tmp_path / "in").mkdir()
    good.iloc[:2].to_parquet(tmp_path / "in" / "0.parquet")
    pd.concat([good.iloc[2:], pd.DataFrame([row])]).to_parquet(tmp_path / "in" / "1.parquet")
    with pytest.raises(ValueError, match=f"^encounters: .*1.parquet, row 1: .*{reason}.*; on_bad='skip'"):
        tables.encounters(tmp_path / "in", within=1.0, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    done = tables.encounters(tmp_path / "in", within=1.0, on_bad="skip", out=tmp_path / "out")
    assert (done.pairs, done.bad_count) == (1, 1)
    assert done.bad[0].place.endswith("1.parquet, row 1")
    assert pd.read_parquet(done.path).values.tolist() == [[7.0, 8.0, 3.0, -2.0, 3.0]]


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"within": -1.0}, ValueError, "within = -1.0 must not be negative"),
        ({"within": "1"}, TypeError, "within = '1' must be a number"),
        ({"id": "name"}, ValueError, "id = 'name' is no column"),
        ({"shape": ("t", "x")}, ValueError, "shape = .* must name t, x and y"),
        (
            {"columns": ("t", "x", "y")},
            ValueError,
            "columns = .* must be some of first, separation, closest; shape= names",
        ),
        ({"shape": ("t", "x", "z")}, ValueError, "shape = .* 'z' is no column; there are id, t, x, y"),
        ({"shape": ("t", "x", "id")}, TypeError, "'id' is a column of .*string"),
        ({"longest_gap": datetime.timedelta(1)}, TypeError, "longest_gap = .* must be a number, as times are"),
        ({"longest_gap": -1}, ValueError, "longest_gap = -1 must not be negative"),
        ({"on_bad": "no"}, ValueError, "on_bad = 'no' must be one of raise, skip"),
        ({"tile_rows": 0}, ValueError, "tile_rows = 0 must be at least 1"),
        ({"tracks": 3}, TypeError, "tracks = 3 must be a Parquet folder"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], error: type[Exception], text: str) -> None:
    frame = pd.DataFrame({"id": ["a"], "t": [0.0], "x": [0.0], "y": [0.0]})
    asked: dict[str, Any] = {"tracks": frame, "within": 1.0, **change}
    with pytest.raises(error, match=f"^encounters: {text}"):
        tables.encounters(**asked)
