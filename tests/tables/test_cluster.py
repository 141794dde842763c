"""A join on a real cluster: the same answer, and a worker that is killed in mid-run costs nothing but time."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import carom as cm
from carom import tables

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(sys.platform == "win32", reason="a process is killed otherwise there"),
    pytest.mark.filterwarnings("ignore"),  # of a cluster that loses a worker
]


def discs(count: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.uniform(0, count**0.5, (count, 2)), columns=["x", "y"]).assign(radius=0.6)


@pytest.fixture
def client() -> Any:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize("killed", [False, True])
def test_a_cluster_has_the_answer_of_one_process(killed: bool, client: Any, tmp_path: Path) -> None:
    frame = discs(400_000)
    frame.to_parquet(tmp_path / "in.parquet", row_group_size=50_000)
    workers = {one["pid"] for one in client.run(lambda: {"pid": os.getpid()}).values()}
    seen: list[int] = []

    def kill(stage: str, done: int, count: int) -> None:
        if killed and not seen and stage == "join tiles" and done >= 1:
            seen.append(workers.pop())
            os.kill(seen[0], signal.SIGKILL)

    done = tables.join(tmp_path / "in.parquet", out=tmp_path / "out", tile_rows=20_000, progress=kill)
    assert len(seen) == int(killed)
    wanted = cm.contacts(cm.Shapes.circles(frame[["x", "y"]].to_numpy(), 0.6))
    found = pd.read_parquet(tmp_path / "out").sort_values(["a", "b"])
    assert done.pairs == len(wanted.pairs)
    assert np.array_equal(found[["a", "b"]].to_numpy(), wanted.pairs)
    assert np.array_equal(found["depth"].to_numpy(), wanted.depth)


def test_memory_stays_bounded_however_many_rows_there_are(tmp_path: Path) -> None:
    """Beside the rows of the largest tile, memory does not grow with the table."""
    psutil = pytest.importorskip("psutil")
    most = {}
    for count in (2_500_000, 7_500_000):  # some pieces, and three times as many
        discs(count).to_parquet(tmp_path / f"{count}.parquet", row_group_size=100_000)
        code = (
            "import sys, carom as cm; from carom import tables;"
            "tables.join(sys.argv[1], out=sys.argv[1] + '.out', tile_rows=100_000, columns='depth')"
        )
        run = psutil.Popen([sys.executable, "-c", code, str(tmp_path / f"{count}.parquet")])
        peak, done = 0, threading.Event()
        while run.poll() is None and not done.is_set():
            try:
                peak = max(peak, sum(one.memory_info().rss for one in (run, *run.children(recursive=True))))
            except psutil.NoSuchProcess:
                break
            time.sleep(0.02)
        assert run.wait() == 0
        most[count] = peak
    assert most[7_500_000] < most[2_500_000] + 200e6, most
