"""Two runs and one folder, and finished folders that lost a file: the right answer, or an error that says why not."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from carom import tables
from carom.tables import folder_lock


def boxes(count: int) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    low = rng.uniform(0, count**0.5, (count, 2))
    return pd.DataFrame(
        np.hstack([low, low + rng.uniform(0.2, 1.2, (count, 2))]), columns=["xmin", "ymin", "xmax", "ymax"]
    )


def rows_of(folder: Path) -> list[Any]:
    return sorted(pd.read_parquet(folder).itertuples(index=False, name=None))


WAYS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"tile_rows": 100}, {"tile_rows": 300}),
    ({"memory": 2**20}, {"memory": 2**34}),
    ({"within": 0.0}, {"within": 0.3}),
    ({"columns": ()}, {"columns": "depth"}),
    ({"sort": True}, {"sort": False}),
]


@pytest.mark.parametrize("ways", WAYS)
def test_a_second_run_is_refused_while_the_first_writes(ways: Any, tmp_path: Path) -> None:
    """A second run may ask anything, at any time: it does not disturb the first, and may come again."""
    frame, (one, other) = boxes(900), ways
    refused: list[str] = []

    def meanwhile(stage: str, done: int, count: int) -> None:
        with pytest.raises(FileExistsError, match=rf"another run \(process {os.getpid()} on ") as told:
            tables.join(frame, out=tmp_path / "out", **other)
        refused.append(str(told.value))

    done = tables.join(frame, out=tmp_path / "out", progress=meanwhile, **one)
    assert len(refused) >= 3
    assert rows_of(tmp_path / "out") == rows_of(tables.join(frame, out=tmp_path / "alone", **one).path)
    assert done.pairs == len(rows_of(tmp_path / "out"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "out"]


def test_runs_in_threads_at_once_leave_one_answer(tmp_path: Path) -> None:
    frame, gate, ends, refused = boxes(900), threading.Barrier(4), [], []
    wanted = {d: rows_of(tables.join(frame, out=tmp_path / f"{d}", within=d, columns=()).path) for d in (0.0, 0.3)}

    def call(within: float) -> None:
        gate.wait()
        try:
            ends.append((within, tables.join(frame, out=tmp_path / "out", within=within, columns=()).pairs))
        except FileExistsError as error:
            refused.append(str(error))

    runs = [threading.Thread(target=call, args=(within,)) for within in (0.0, 0.3, 0.0, 0.3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len({within for within, _ in ends}) == 1
    assert all(text.startswith("join: out = ") for text in refused)
    assert all(rows_of(tmp_path / "out") == wanted[within] and pairs == len(wanted[within]) for within, pairs in ends)


@pytest.mark.skipif(sys.platform == "win32", reason="no process is killed there by a signal")
def test_the_lock_of_a_killed_run_is_taken_over(tmp_path: Path) -> None:
    boxes(900).to_parquet(tmp_path / "in.parquet")
    code = (
        "import sys, time\nfrom carom import tables\n"
        "def wait(stage, done, count):\n"
        "    if stage == 'join tiles' and done: print('there', flush=True); time.sleep(60)\n"
        "tables.join(sys.argv[1], out=sys.argv[2], tile_rows=100, progress=wait)\n"
    )
    words = [sys.executable, "-c", code, tmp_path / "in.parquet", tmp_path / "out"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None and run.stdout.readline() == "there\n"
        with pytest.raises(FileExistsError, match=rf"another run \(process {run.pid} on "):
            tables.join(tmp_path / "in.parquet", out=tmp_path / "out")
        run.send_signal(signal.SIGKILL)
    done = tables.join(tmp_path / "in.parquet", out=tmp_path / "out", memory=2**34)
    assert (
        done.pairs == len(rows_of(tmp_path / "out")) == tables.join(tmp_path / "in.parquet", out=tmp_path / "b").pairs
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "in.parquet", "out"]


@pytest.mark.skipif(sys.platform == "win32", reason="locks are those of the system there")
def test_without_locks_of_the_system_the_owner_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def unknown(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", unknown)
    path, gone = tmp_path / "lock", subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for process, host, free in (
        (gone.pid, socket.gethostname(), True),
        (os.getpid(), socket.gethostname(), False),
        (gone.pid, "another", False),
    ):
        path.write_text(json.dumps({"process": process, "host": host}))
        if free:
            with folder_lock.held("join", tmp_path, path):
                assert json.loads(path.read_text())["process"] == os.getpid()
            continue
        with (
            pytest.raises(FileExistsError, match=f"process {process} on {host}"),
            folder_lock.held("join", tmp_path, path),
        ):
            pass


def lose(folder: Path, file: Path) -> str:
    file.unlink()
    return f"has lost {file.name}"


def spoil(folder: Path, file: Path) -> str:
    file.write_bytes(b"x" * file.stat().st_size)
    return f"has another {file.name} than was written"


def shorten(folder: Path, file: Path) -> str:
    pq.write_table(pq.read_table(file).slice(1), file)
    return f"has another {file.name} than was written"


def add(folder: Path, file: Path) -> str:
    pq.write_table(pq.read_table(file), folder / "more.parquet")
    return "has a file of something else, more.parquet"


@pytest.mark.parametrize("change", [lose, spoil, shorten, add])
@pytest.mark.parametrize("call", ["join", "nearest", "encounters"])
def test_a_finished_folder_that_was_changed_is_not_whole(
    change: Callable[[Path, Path], str], call: str, tmp_path: Path
) -> None:
    frame = boxes(300)
    points = pd.DataFrame(
        {"id": np.arange(60) % 20, "t": np.arange(60) // 20, "x": 1.0 * (np.arange(60) % 9), "y": 0.0}
    )

    def ask() -> Any:
        if call == "join":
            return tables.join(frame, out=tmp_path / "out", tile_rows=100)
        if call == "nearest":
            return tables.nearest(points[["x", "y"]], frame, out=tmp_path / "out")
        return tables.encounters(points, within=1.0, out=tmp_path / "out", tile_rows=20)

    done = ask()
    assert ask() == done
    fault = change(tmp_path / "out", min((tmp_path / "out").glob("*.parquet")))
    with pytest.raises(FileExistsError, match=f"^{call}: out = .* is the answer to this call, but {fault}"):
        ask()


def test_a_late_task_of_another_plan_adds_nothing(tmp_path: Path) -> None:
    """A file of another plan that appears in the folder of a run, as a task writes it whose run was killed."""
    frame = boxes(300)

    def late(stage: str, done: int, count: int) -> None:
        if stage == "join tiles":
            pq.write_table(
                pa.table({"a": [1], "b": [2]}), tmp_path / "out.unfinished" / "pairs-0123abcd-000000.parquet"
            )

    done = tables.join(frame, out=tmp_path / "out", columns=(), tile_rows=100, progress=late)
    assert len(rows_of(tmp_path / "out")) == done.pairs == len(tables.join(frame, columns=()))


@pytest.mark.parametrize("out", [True, False])
@pytest.mark.parametrize(("begin", "tile_rows"), [("sort", 100), ("look", None)])
def test_a_source_that_changes_meanwhile_is_refused(
    out: bool, begin: str, tile_rows: int | None, tmp_path: Path
) -> None:
    boxes(300).to_parquet(tmp_path / "in.parquet")

    def change(stage: str, done: int, count: int) -> None:
        if stage.startswith(begin) and done == (count if begin == "look" else 0):
            time.sleep(0.02)
            boxes(300).assign(xmin=-1.0).to_parquet(tmp_path / "in.parquet")

    with pytest.raises(ValueError, match=r"^join: .*in\.parquet has changed while it was read"):
        tables.join(
            tmp_path / "in.parquet",
            out=tmp_path / "out" if out else None,
            progress=change,
            tile_rows=tile_rows,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
