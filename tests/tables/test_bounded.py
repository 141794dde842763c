"""Answers that are large: estimated before they are begun, and bounded in memory however many share a place."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely

import carom as cm
from carom import tables
from carom.broad import search_rows


def boxes(count: int, seed: int, side: float) -> pd.DataFrame:
    low = np.random.default_rng(seed).uniform(0, side, (count, 2))
    return pd.DataFrame(np.hstack([low, low + 1.0]), columns=["min_x", "min_y", "max_x", "max_y"])


@pytest.mark.parametrize(("side", "within"), [(0.1, 0.0), (60.0, 0.0), (60.0, 3.0), (400.0, 0.0)])
@pytest.mark.parametrize("two", [False, True])
def test_an_estimate_is_near_the_number_of_pairs(side: float, within: float, two: bool) -> None:
    first, second = boxes(20_000, 1, side), boxes(9_000, 2, side) if two else None
    shapes = [cm.Shapes.boxes(bounds=frame.to_numpy()) for frame in (first, second) if frame is not None]
    around = within / 2 * np.array([-1.0, -1.0, 1.0, 1.0])
    wanted = sum(map(len, cm.bounds_pairs(*(one.bounds + around for one in shapes), block=2**20)))
    assert tables.plan(first, second, within=within).pairs == pytest.approx(wanted, rel=0.2)


def test_few_pairs_are_not_estimated() -> None:
    assert tables.plan(boxes(300, 1, 900.0)).pairs == 0


@pytest.mark.parametrize("out", [False, True])
def test_an_answer_that_is_too_large_is_refused_before_it_is_begun(out: bool, tmp_path: Path) -> None:
    crowd, stages = boxes(200_000, 1, 0.5), list[str]()
    words: dict[str, Any] = {
        "out": tmp_path / "out" if out else None,
        "progress": lambda stage, *_: stages.append(stage),
    }
    with pytest.raises(
        ValueError, match=r"^join: the answer has about 19,999,900,000 pairs.*; most=100_000_000_000 allows"
    ):
        tables.join(crowd, **words)
    assert set(stages) == {"look at all rows"}
    with pytest.raises(ValueError, match=r"^join: the answer has about 20,000,000,000 pairs"):
        tables.join(crowd[:100_000], crowd, **words)
    assert list(tmp_path.iterdir()) == []


def test_a_user_allows_or_forbids_so_many(tmp_path: Path) -> None:
    crowd = boxes(600, 1, 0.5)
    with pytest.raises(ValueError, match=r"about 179,700 pairs.*; most=1_000_000 allows it"):
        tables.join(crowd, most=100_000, out=tmp_path / "out")
    assert tables.join(crowd, most=1_000_000, out=tmp_path / "out").pairs == 179_700
    with pytest.raises(ValueError, match="most = 0 must be at least 1"):
        tables.join(crowd, most=0)


def stop(stage: str, done: int, count: int) -> None:
    if stage != "look at all rows":
        raise KeyboardInterrupt


def test_an_answer_for_which_the_disk_has_no_room_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = 2**24
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(free, 0, free))  # type: ignore[attr-defined]
    crowd = boxes(9000, 1, 0.5)
    with pytest.raises(
        OSError, match=r"^join: the answer has about 40,495,500 rows and takes 1\.5 GiB, where 0\.0 GiB"
    ):
        tables.join(crowd, out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        tables.join(crowd, out=tmp_path / "out", most=10**8, progress=stop)


def test_other_answers_for_which_the_disk_has_no_room_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 2**20
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(free, 0, free))  # type: ignore[attr-defined]
    monkeypatch.setattr("carom.tables.estimates.WORTH", 0)
    points = pd.DataFrame(np.random.default_rng(3).uniform(0, 9, (900, 2)), columns=["x", "y"])
    with pytest.raises(OSError, match=r"^nearest: the answer has about 810,000 rows and takes 0\.0 GiB"):
        tables.nearest(points, points, k=1000, out=tmp_path / "near")
    berth = pd.DataFrame({"id": np.arange(300), "t": 0.0, "x": 1.0, "y": 1.0})
    with pytest.raises(OSError, match=r"^encounters: the answer has about 44,850 rows and takes 0\.0 GiB"):
        tables.encounters(berth, within=1.0, out=tmp_path / "met")


def test_regions_are_joined_a_block_at_a_time(tmp_path: Path) -> None:
    """A crowd of L shapes at one place; the blocks follow from the memory."""
    letter = shapely.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    moved = [shapely.transform(letter, lambda place, k=k: place + 1e-3 * k) for k in range(260)]
    table = pa.table({"geometry": pa.array(shapely.to_wkb(moved), pa.binary())})
    assert tables.plan(table, memory=2**20).block == 2**14 < tables.plan(table, memory=2**40).block
    found = pd.read_parquet(tables.join(table, memory=2**20, columns="depth", out=tmp_path / "out").path)
    assert len(found) == 260 * 259 // 2
    some = found.sample(40, random_state=1)
    letters = [cm.decompose(shapely.get_coordinates(one)[:-1]) for one in moved]
    wanted = [cm.collide(letters[a], letters[b]).depth for a, b in zip(some["a"], some["b"], strict=True)]
    assert some["depth"].to_numpy() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("kind", ["points", "discs in touch", "boxes in touch"])
def test_the_nearest_of_a_crowd_at_one_place_are_the_first(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are equally near: the lowest rows, without a list of all that are."""
    monkeypatch.setattr(search_rows, "near", None)
    places = pd.DataFrame({"x": np.zeros(900), "y": 0.0})
    source = {
        "points": places,
        "discs in touch": places.assign(x=1.0, radius=1.0),
        "boxes in touch": places.assign(x=1.0, width=2.0, height=3.0),
    }[kind]
    found = tables.nearest(places, source, k=3).compute()
    assert found["b"].tolist() == [0, 1, 2] * 900
    assert found["a"].tolist() == np.repeat(np.arange(900), 3).tolist() and not found["distance"].any()
