"""The collision queries of Apache SpatialBench at scale factor 1, beside SedonaDB: answers compared, times in one run.

Six million trips and 20,000 buildings are made by SpatialBench's own generator, in a folder for scratch files or that
which `SPATIALBENCH` names. Its 156,095 zones are a download that no registry has: in their place stand zones made here,
fewer, but with as many corners each, that cover the earth without gaps. Needs the extra `tables`, sedonadb and
spatialbench-cli. About four minutes.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import shapely

from benchmarks.harness import Table, duration
from carom import tables

FOLDER = Path(os.environ.get("SPATIALBENCH", tempfile.gettempdir() + "/carom-spatialbench"))
TRIPS, SOME, BUILDINGS, ZONES = (str(FOLDER / f"{name}.parquet") for name in ("trip", "some", "building", "zone"))
ACROSS, DOWN, BENDS = 100, 60, 138
"""Zones in a row, rows of zones, and the bends of each of their four sides: 6,000 zones of 556 corners."""
FIRST = 1_000_000
"""Trips that Q10 to Q12 ask about."""
WITHIN = 0.0045
NEAREST = 5
HEADINGS = ("query", "rows of the answer", "Carom", "SedonaDB", "processor: Carom", "SedonaDB", "answers")

PICKUP, DROPOFF = (
    f"SELECT t_tripkey, t_distance, ST_GeomFromWKB({name}) AS g FROM some" for name in ("t_pickuploc", "t_dropoffloc")
)
BUILDING = "SELECT b_buildingkey AS b, ST_GeomFromWKB(b_boundary) AS g FROM building"
ZONE = "SELECT z_zonekey AS z, ST_GeomFromWKB(z_boundary) AS g FROM zone"
SQL = {
    "Q8": f"WITH t AS (SELECT ST_GeomFromWKB(t_pickuploc) AS g FROM trip), s AS ({BUILDING}) "
    f"SELECT s.b, COUNT(*) AS n FROM t JOIN s ON ST_DWithin(t.g, s.g, {WITHIN}) GROUP BY s.b ORDER BY s.b",
    "Q9": f"WITH p AS ({BUILDING}), q AS ({BUILDING}) SELECT p.b AS a, q.b AS b, "
    "ST_Area(p.g) AS one, ST_Area(q.g) AS two, ST_Area(ST_Intersection(p.g, q.g)) AS both "
    "FROM p JOIN q ON p.b < q.b AND ST_Intersects(p.g, q.g) ORDER BY a, b",
    "Q10": f"WITH t AS ({PICKUP}), s AS ({ZONE}) SELECT s.z, COUNT(*) AS n, AVG(CAST(t.t_distance AS DOUBLE)) AS d "
    "FROM s JOIN t ON ST_Within(t.g, s.g) GROUP BY s.z ORDER BY s.z",
    "Q11": f"WITH t AS ({PICKUP}), e AS ({DROPOFF}), s AS ({ZONE}), "
    "p AS (SELECT t.t_tripkey, s.z FROM t JOIN s ON ST_Within(t.g, s.g)), "
    "q AS (SELECT e.t_tripkey, s.z FROM e JOIN s ON ST_Within(e.g, s.g)) "
    "SELECT COUNT(*) AS n FROM p JOIN q ON p.t_tripkey = q.t_tripkey WHERE p.z != q.z",
    "Q12": f"WITH t AS ({PICKUP}), s AS ({BUILDING}) "
    "SELECT t.t_tripkey AS a, s.b, ST_Distance(t.g, s.g) AS d "
    f"FROM t JOIN s ON ST_KNN(t.g, s.g, {NEAREST}, FALSE)",
}


def make_zones(across: int, down: int) -> None:
    """Write zones between the lines of a lattice whose corners are moved and whose lines are bent."""
    rng = np.random.default_rng(8)
    steps = BENDS + 1
    x, y = np.linspace(-180.0, 180.0, across * steps + 1), np.linspace(-58.0, 79.0, down * steps + 1)
    wide, high = x[steps] - x[0], y[steps] - y[0]
    nodes = np.stack(np.meshgrid(x, y), axis=2)
    nodes += rng.uniform(-0.2, 0.2, nodes.shape) * (wide, high) / steps
    along_x, along_y = nodes[::steps], nodes[:, ::steps]
    rings = np.empty((down, across, 4 * steps + 1, 2))
    for k in range(steps):
        rings[:, :, k] = along_x[:-1, k : k + across * steps : steps]
        rings[:, :, steps + k] = along_y[k : k + down * steps : steps, 1:]
        rings[:, :, 2 * steps + k] = along_x[1:, steps - k :: steps][:, :across]
        rings[:, :, 3 * steps + k] = along_y[steps - k :: steps, :-1][:down]
    rings[:, :, -1] = rings[:, :, 0]
    zones = shapely.to_wkb(shapely.polygons(rings.reshape(across * down, -1, 2)))
    table = pa.table({"z_zonekey": np.arange(1, across * down + 1), "z_boundary": pa.array(zones, pa.binary())})
    pq.write_table(table, ZONES, row_group_size=2**15)


def pairs(source: str, other: str | None = None, **options: Any) -> pd.DataFrame:
    """Return the pairs of a join, without contacts."""
    found: pd.DataFrame = tables.join(source, other, columns=(), **options).compute()
    return found


BUILDINGS_BY: dict[str, Any] = {"shape": "b_boundary", "id": "b_buildingkey"}
OTHER_BUILDINGS_BY = {f"other_{word}": name for word, name in BUILDINGS_BY.items()}
ZONES_BY: dict[str, Any] = {"shape": "z_boundary", "id": "z_zonekey"}
PICKUP_BY: dict[str, Any] = {"other_shape": "t_pickuploc", "other_id": "t_tripkey"}
DROPOFF_BY: dict[str, Any] = {"other_shape": "t_dropoffloc", "other_id": "t_tripkey"}


def q8() -> pd.DataFrame:
    found = pairs(BUILDINGS, TRIPS, within=WITHIN, **BUILDINGS_BY, **PICKUP_BY)
    return found.groupby("a").size().reset_index()


def q9() -> pd.DataFrame:
    found = pairs(BUILDINGS, shape="b_boundary").to_numpy()  # by the numbers of rows
    table = pq.read_table(BUILDINGS, columns=["b_buildingkey", "b_boundary"])
    keys = table.column(0).to_numpy()
    found = np.take_along_axis(found, np.argsort(keys[found], axis=1), axis=1)
    found = found[np.lexsort(keys[found].T[::-1])]
    one, two = (shapely.from_wkb(table.column(1).take(pa.array(side)).to_numpy()) for side in found.T)
    areas = (shapely.area(one), shapely.area(two), shapely.area(shapely.intersection(one, two)))
    return pd.DataFrame(dict(zip("abcde", (*keys[found].T, *areas), strict=True)))


def q10() -> pd.DataFrame:
    found = pairs(ZONES, SOME, **ZONES_BY, other_shape="t_pickuploc")  # trips by the numbers of their rows
    far = pq.read_table(SOME, columns=["t_distance"]).column(0).cast(pa.float64()).to_numpy()
    found["d"] = far[found["b"]]
    return found.groupby("a")["d"].agg(["size", "mean"]).reset_index()


def q11() -> pd.DataFrame:
    trips = pq.read_table(SOME, columns=["t_pickuploc", "t_dropoffloc"])
    ends = pa.table({"g": pa.chunked_array([*trips.column(0).chunks, *trips.column(1).chunks])})
    found = pairs(ZONES, ends, **ZONES_BY, other_shape="g")  # both ends of all trips, by the numbers of rows
    last = found["b"] >= len(trips)
    found["b"] %= len(trips)
    both = found[~last].merge(found[last], on="b")
    return pd.DataFrame({"n": [int((both["a_x"] != both["a_y"]).sum())]})


def q12() -> pd.DataFrame:
    by = {"shape": "t_pickuploc", "id": "t_tripkey", **OTHER_BUILDINGS_BY}
    found: pd.DataFrame = tables.nearest(SOME, BUILDINGS, NEAREST, **by).compute()
    return found


CAROM: dict[str, Callable[[], pd.DataFrame]] = {"Q8": q8, "Q9": q9, "Q10": q10, "Q11": q11, "Q12": q12}


def timed(ask: Callable[[], pd.DataFrame]) -> tuple[pd.DataFrame, float, float]:
    """Return an answer, and the seconds of the clock and of all processors."""
    wall, used = time.perf_counter(), time.process_time()
    answer = ask()
    return answer, time.perf_counter() - wall, time.process_time() - used


def compared(name: str, ours: pd.DataFrame, theirs: pd.DataFrame) -> str:
    """Return in words whether two answers are the same."""
    if len(ours) != len(theirs):
        return f"{len(ours):,} and {len(theirs):,} rows"
    if name == "Q12":  # equally near buildings are in any order: the distances of each trip count
        ours, theirs = (side.iloc[:, [0, 2]].sort_values([side.columns[0], side.columns[2]]) for side in (ours, theirs))
    one, two = ours.to_numpy(dtype=float), theirs.to_numpy(dtype=float)
    if (one == two).all():
        return "equal"
    off = float(np.abs(one - two).max())
    whole = [k for k in range(one.shape[1]) if (one[:, k] == np.rint(one[:, k])).all()]
    return (
        f"equal, numbers to {off:.0e}" if off < 1e-9 and (one[:, whole] == two[:, whole]).all() else f"off by {off:g}"
    )


def run(rounds: int) -> Table:
    sedonadb = importlib.import_module("sedonadb")

    if not Path(TRIPS).exists():
        generator = os.fspath(Path(sys.executable).with_name("spatialbench-cli"))  # .venv need not be activated
        made = (generator, "-s", "1", "-T", "trip,building", "-o", os.fspath(FOLDER))
        subprocess.run(made, check=True)
    if not Path(ZONES).exists():
        make_zones(ACROSS, DOWN)
    if not Path(SOME).exists():
        columns = ["t_tripkey", "t_distance", "t_pickuploc", "t_dropoffloc"]
        first = pq.read_table(TRIPS, columns=columns).slice(0, FIRST)
        pq.write_table(first, SOME, row_group_size=2**17)
    sedona = sedonadb.connect()
    for name, path in (("trip", TRIPS), ("some", SOME), ("building", BUILDINGS), ("zone", ZONES)):
        sedona.read_parquet(path).to_view(name)
    few, zones = (pq.read_table(path).slice(0, 2000) for path in (SOME, ZONES))
    for name, by, within in ((zones, ZONES_BY, 0.0), (pq.read_table(BUILDINGS), BUILDINGS_BY, WITHIN)):
        tables.join(name, few, columns=(), within=within, **by, **PICKUP_BY).compute()  # compiles or loads
    tables.nearest(few, BUILDINGS, NEAREST, shape="t_pickuploc", **OTHER_BUILDINGS_BY).compute()
    q9()
    rows: list[tuple[str, ...]] = [HEADINGS]
    for name, ask in CAROM.items():
        clock = np.full((2, 2), np.inf)
        for _ in range(min(rounds, 7)):  # the least of some, one after the other
            theirs, *their_own = timed(lambda name=name: pa.table(sedona.sql(SQL[name])).to_pandas())  # type: ignore[misc]
            ours, *own = timed(ask)
            clock = np.minimum(clock, [own, their_own])
        clocks = [duration(seconds) for seconds in clock.T.reshape(-1)]
        rows.append((name, f"{len(ours):,}", *clocks, compared(name, ours, theirs)))
        print(rows[-1], flush=True)
    notes = (
        "Trips and buildings of SpatialBench's generator at scale factor 1, and "
        f"{ACROSS * DOWN:,} zones of {4 * (BENDS + 1)} corners made by this script, all read from Parquet; two "
        f"processors that each may use, the least of seven times each. Q10 to Q12 ask about the first {FIRST:,} trips. "
        "Q9 computes areas of "
        "intersections by Shapely."
    )
    return Table("Apache SpatialBench: Q8 to Q12", notes, rows)
