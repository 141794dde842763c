"""The pieces of a join under other engines: processes of the standard library, and Ray Data where it is installed."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import carom as cm
from carom import tables

COUNT = 3000


@pytest.fixture
def discs(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.uniform(0, 55, (COUNT, 2)), columns=["x", "y"]).assign(radius=0.5, id=np.arange(COUNT))
    frame.to_parquet(tmp_path / "discs.parquet", row_group_size=500)
    return tmp_path / "discs.parquet"


def wanted(path: Path) -> list[list[int]]:
    frame = pd.read_parquet(path)
    return cm.pairs(cm.Shapes.circles(frame[["x", "y"]].to_numpy(), 0.5)).tolist()


def assigned(plan: tables.JoinPlan, frame: pa.Table) -> pa.Table:
    return tables.assign_tiles(frame, plan)


def joined(plan: tables.JoinPlan, frame: pd.DataFrame) -> pd.DataFrame:
    return tables.join_tile(frame, plan)


@pytest.mark.full
def test_processes_of_the_standard_library(discs: Path) -> None:
    plan = tables.plan(discs, columns="depth", tile_rows=300)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        frames = list(tables.frames(discs, plan))
        rows = pa.concat_tables(pool.map(assigned, [plan] * len(frames), frames)).to_pandas()
        tiles = [tile for _, tile in rows.groupby("carom_tile")]
        pairs = pd.concat(pool.map(joined, [plan] * len(tiles), tiles))
    assert pairs.sort_values(["a", "b"])[["a", "b"]].to_numpy().tolist() == wanted(discs)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_ray_data(discs: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is no extra of Carom")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        plan = tables.plan(discs, columns="depth", tile_rows=300)
        rows = ray.data.read_parquet(str(discs)).map_batches(
            lambda frame: tables.assign_tiles(frame, plan), batch_format="pyarrow"
        )
        found = rows.groupby("carom_tile").map_groups(lambda tile: tables.join_tile(tile, plan), batch_format="pyarrow")
        pairs = found.to_pandas().sort_values(["a", "b"])
        assert pairs[["a", "b"]].to_numpy().tolist() == wanted(discs)
    finally:
        ray.shutdown()


def test_pieces_are_pure(discs: Path) -> None:
    plan = tables.plan(discs, columns="depth", tile_rows=300)
    frame = next(tables.frames(discs, plan))
    before = frame.to_pandas()
    first, second = tables.assign_tiles(frame, plan), tables.assign_tiles(frame, plan)
    assert first.equals(second) and frame.to_pandas().equals(before)
    assert tables.JoinPlan.from_json(plan.to_json()) == plan
