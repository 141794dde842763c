"""Joins that set nothing aside: the answer is that of tiles, whatever stays in memory, stops or is asked elsewhere."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("dask.dataframe")
import pandas as pd
import pyarrow as pa
import shapely

from carom import tables
from carom.tables import given, held, joins, piece_join, sources
from carom.tables.reading import Reading
from carom.tables.shape_columns import layout_of


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LEAST_ROWS", 40)


def zones(count: int, seed: int) -> pd.DataFrame:
    """Return discs and stars, some of which overlap, by WKB."""
    rng = np.random.default_rng(seed)
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    reach = rng.uniform(0.2, 1.0, (count, 12, 1)) * np.where(rng.uniform(size=(count, 1, 1)) < 0.5, 1.0, 0.9)
    rings = rng.uniform(0, 15, (count, 1, 2)) + reach * np.stack((np.cos(turns), np.sin(turns)), axis=1)
    return pd.DataFrame({"id": np.arange(count) + 1000, "geometry": shapely.to_wkb(shapely.polygons(rings))})


def points(count: int, seed: int) -> pd.DataFrame:
    at = np.random.default_rng(seed).uniform(0, 15, (count, 2))
    return pd.DataFrame({"id": np.arange(count), "x": at[:, 0], "y": at[:, 1]})


def pairs_of(answer: Any) -> list[tuple[Any, ...]]:
    if isinstance(answer, tables.Joined):
        answer = pd.read_parquet(answer.path)
    found = answer if isinstance(answer, pd.DataFrame) else answer.compute()
    return sorted(found.itertuples(index=False, name=None))


CASES = {
    "points in zones": (points(500, 1), zones(60, 2)),
    "zones of points": (zones(60, 2), points(500, 1)),
    "zones and zones": (zones(90, 3), zones(400, 4)),
    "zones alone": (zones(300, 5), None),
    "points alone": (points(400, 6), None),
}


@pytest.mark.parametrize("share", [8, 2**60])  # of the memory, so that all stays there, or nothing
@pytest.mark.parametrize("columns", [(), ("depth", "normal")])
@pytest.mark.parametrize("case", CASES)
def test_the_pairs_are_those_of_tiles(
    case: str, columns: Any, share: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joins, "KEPT_SHARE", share)
    one, other = CASES[case]
    how = {"columns": columns, "within": 0.1}
    wanted = pairs_of(tables.join(one, other, tile_rows=90, **how))
    asked: list[int] = []
    begin = piece_join.Pieces.__init__

    def noted(self: Any, *given: Any) -> None:
        begin(self, *given)
        asked.append(self.count)

    monkeypatch.setattr(piece_join.Pieces, "__init__", noted)
    assert pairs_of(tables.join(one, other, out=tmp_path / "out", **how)) == wanted
    assert pairs_of(tables.join(one, other, **how)) == wanted
    assert len(wanted) > 10 and asked
    assert max(asked) > 1 or other is None
    assert held._held == {}


def test_bad_rows_are_left_out_of_each_piece(tmp_path: Path) -> None:
    one, other = zones(300, 7), points(80, 8)
    bow_tie = shapely.to_wkb(shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]))
    one.loc[[3, 150], "geometry"] = [bow_tie, b"nothing"]
    one.loc[[5, 200], "geometry"] = None
    found = tables.join(one, other, columns=(), on_bad="skip", out=tmp_path / "out")
    assert (found.bad_count, found.missing) == (2, 2)
    good = one.drop(index=[3, 150, 5, 200])
    assert pairs_of(found) == pairs_of(tables.join(good, other, columns=(), tile_rows=50))


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = zones(60, 2), points(500, 1)
    one.to_parquet(tmp_path / "zones.parquet")
    other.to_parquet(tmp_path / "points.parquet", row_group_size=60)
    how: dict[str, Any] = {"columns": (), "out": tmp_path / "out"}

    def stop(stage: str, done: int, count: int) -> None:
        if stage == "join pieces" and done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.join(tmp_path / "zones.parquet", tmp_path / "points.parquet", progress=stop, **how)
    there = {file.name for file in (tmp_path / "out.unfinished").glob("pairs-*.parquet")}
    assert there
    written: list[Path] = []
    write = piece_join.whole
    monkeypatch.setattr(piece_join, "whole", lambda path: written.append(path) or write(path))
    found = tables.join(tmp_path / "zones.parquet", tmp_path / "points.parquet", **how)
    assert not there & {path.name for path in written}
    assert pairs_of(found) == pairs_of(tables.join(one, other, columns=(), tile_rows=100))


ELSEWHERE = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    print(len(pickle.load(file).compute(scheduler="synchronous")))
"""


def test_a_frame_is_computed_in_another_process_unless_a_file_has_changed(tmp_path: Path) -> None:
    one, other = zones(60, 2), points(500, 1)
    one.to_parquet(tmp_path / "zones.parquet")
    frame = tables.join(tmp_path / "zones.parquet", other, columns=())
    cloudpickle = pytest.importorskip("cloudpickle")
    (tmp_path / "frame").write_bytes(cloudpickle.dumps(frame))
    ask = [sys.executable, "-c", ELSEWHERE, str(tmp_path / "frame")]
    done = subprocess.run(ask, capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(frame.compute()) > 100
    zones(60, 9).to_parquet(tmp_path / "zones.parquet")
    refused = subprocess.run(ask, capture_output=True, text=True)
    assert refused.returncode and "has changed while it was read" in refused.stderr
    assert len(frame.compute()) == int(done.stdout)


def test_what_stays_in_memory_is_bounded_and_goes() -> None:
    source = zones(60, 2)
    keeping = held.Keeping.begun(2 * Reading(pa.table(source), None).size)  # type: ignore[arg-type]
    for k in range(5):
        keeping.keep(f"{k}", Reading(pa.table(source), None))  # type: ignore[arg-type]
    assert [keeping.kept(f"{k}") is not None for k in range(5)] == [True, True, False, False, False]
    elsewhere = pickle.loads(pickle.dumps(keeping))._replace(token="1-elsewhere")
    elsewhere.keep("0", Reading(pa.table(source), None))  # type: ignore[arg-type]
    assert elsewhere.kept("0") is None
    keeping.forget()
    keeping.keep("0", Reading(pa.table(source), None))  # type: ignore[arg-type]
    assert keeping.kept("0") is None


def test_a_piece_of_a_table_is_pickled_without_the_rest() -> None:
    known = given.source_of(
        "join", "source", points(10_000, 3), partial(layout_of, "join", shape=None, name=None), Path()
    )
    assert len(known.pieces) == 8
    whole = len(pickle.dumps(known.pieces))
    assert whole < 1.2 * known.rows * 24
    assert pickle.loads(pickle.dumps(known.pieces[3])).read(["x"]) == known.pieces[3].read(["x"])


def test_a_join_of_nothing_or_of_bad_rows_keeps_nothing() -> None:
    assert len(tables.join(points(500, 1), zones(60, 2)[:0], columns=()).compute()) == 0
    with pytest.raises(ValueError, match="is missing"):
        tables.join(points(500, 1).assign(x=np.inf), zones(60, 2), columns=())
    assert held._held == {}
