"""Runs that Ctrl-C or a full disk stops: the answer is complete or there is none, and a repeated call goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("dask.dataframe")
import dask.dataframe as dd

import carom as cm
from carom import tables
from carom.tables.spill import need_room, size_of


def discs(count: int, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.uniform(0, count**0.5, (count, 2)), columns=["x", "y"]).assign(radius=0.6)


def fleet(count: int) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.uniform(0, 40, (count, 2)), columns=["x", "y"])
    return frame.assign(id=np.arange(count) % 40, t=np.arange(count) // 40)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def join(out: Path | None, **words: Any) -> Any:
    return tables.join(discs(4000), out=out, tile_rows=300, **words)


def sorted_join(out: Path | None, **words: Any) -> Any:
    return tables.join(discs(4000), out=out, tile_rows=300, sort=True, **words)


def encounters(out: Path | None, **words: Any) -> Any:
    return tables.encounters(fleet(2000), within=2.0, out=out, tile_rows=300, **words)


def nearest(out: Path | None, **words: Any) -> Any:
    return tables.nearest(discs(2000)[["x", "y"]], discs(3000, 3), 3, out=out, tile_rows=300, **words)


CALLS = [join, sorted_join, encounters, nearest]


def rows_of(folder: Path) -> list[Any]:
    return sorted(pd.read_parquet(folder).itertuples(index=False, name=None))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("spill", [False, True])
def test_a_call_that_was_stopped_anywhere_goes_on(call: Callable[..., Any], spill: bool, tmp_path: Path) -> None:
    stages: list[str] = []
    aside = {"spill": tmp_path / "spill"} if spill else {}
    wanted = call(tmp_path / "whole", progress=lambda stage, *_: stages.append(stage))
    for stage in list(dict.fromkeys(stages)):

        def stop(now: str, done: int, count: int, stage: str = stage) -> None:
            if now.split()[:2] == stage.split()[:2] and (done >= 2 or done == count):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            call(tmp_path / "out", progress=stop, **aside)
        assert not (tmp_path / "out").exists()
    unfinished = tmp_path / "out.unfinished"
    (unfinished / "pairs-000001.parquet.0123.part").write_bytes(b"a worker died here")
    again: set[str] = set()
    done = call(tmp_path / "out", progress=lambda stage, *_: again.add(stage), **aside)
    assert again <= {stages[-1]}  # all others were done
    assert done._replace(path=None) == wanted._replace(path=None)
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".json", ".parquet"}
    assert not unfinished.exists()
    assert not spill or not any((tmp_path / "spill").iterdir())


@pytest.mark.parametrize("call", CALLS)
def test_on_a_full_disk_there_is_no_answer_and_with_room_the_same_call_goes_on(
    call: Callable[..., Any], tmp_path: Path
) -> None:
    wanted = call(tmp_path / "whole")
    for size in (8_000, 20_000):
        with full_disk(size), pytest.raises(OSError, match=r"the disk is full .* the same call goes on") as told:
            call(tmp_path / "out")
        assert "\n" not in str(told.value)
        assert not (tmp_path / "out").exists()
        assert not list(tmp_path.rglob("*.part"))
    assert call(tmp_path / "out").pairs == wanted.pairs
    assert rows_of(tmp_path / "out") == rows_of(tmp_path / "whole")


@pytest.mark.parametrize("call", CALLS)
def test_a_frame_leaves_nothing_behind_on_a_full_disk(call: Callable[..., Any], tmp_path: Path) -> None:
    call(None, spill=tmp_path / "spill")
    with full_disk(8_000), pytest.raises(OSError, match=r"too large|space"):
        call(None, spill=tmp_path / "spill").compute()
    assert not list((tmp_path / "spill").iterdir())


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("unshare"), reason="needs a small disk that a user may mount")
def test_the_command_says_in_one_line_that_a_real_disk_is_full(tmp_path: Path) -> None:
    frame = discs(20_000)
    frame.assign(radius=3.0).to_parquet(tmp_path / "in.parquet")
    join = f"'{sys.executable}' -m carom join '{tmp_path}/in.parquet' disk/out --columns depth"
    script = f"""
        mkdir disk; mount -t tmpfs -o size=4m tmpfs disk || exit 99
        {join}; echo "ended $?"; ls disk; find disk -name '*.part'
        mount -o remount,size=64m disk; {join}; echo "ended $?"; ls disk
    """
    run = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, env=os.environ
    )
    if run.returncode == 99 or not run.stdout:
        pytest.skip("this user may mount nothing")
    wanted = len(cm.pairs(cm.Shapes.circles(frame[["x", "y"]].to_numpy(), 3.0)))
    assert run.stdout == f"ended 2\nout.unfinished\n{wanted:,} pairs in disk/out\nended 0\nout\n"
    assert run.stderr.count("\n") == 1
    assert "the disk is full (" in run.stderr and "the same call goes on" in run.stderr


@pytest.mark.parametrize("call", CALLS)
def test_a_refused_call_leaves_nothing(call: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is no column"):
        call(tmp_path / "out", id="name")
    with pytest.raises(ValueError, match=r"on_bad = 'drop'"):
        call(tmp_path / "out", on_bad="drop")
    frame = discs(30).assign(id=0, t=np.arange(30))
    frame.loc[3, "x"] = np.inf
    for bad in (tables.join, tables.encounters):
        words = {"within": 1.0, "out": tmp_path / "out", "spill": tmp_path / "spill"}
        with pytest.raises(ValueError, match=r"row 3"):
            bad(dd.from_pandas(frame, npartitions=2), **words)
    assert [path.name for path in tmp_path.iterdir() if path.name != "spill" or any(path.iterdir())] == []


def test_a_source_that_is_read_once_has_no_rows_of_an_earlier_call(tmp_path: Path) -> None:
    first, second = discs(900), discs(300, 5)

    def stop(stage: str, done: int, count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.join(dd.from_pandas(first, npartitions=9), out=tmp_path / "out", progress=stop)
    done = tables.join(dd.from_pandas(second, npartitions=2), out=tmp_path / "out")
    assert done.pairs == len(cm.pairs(cm.Shapes.circles(second[["x", "y"]].to_numpy(), 0.6)))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    for name in ("out", "out.unfinished"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text("mine")
        with pytest.raises(FileExistsError, match=rf"{name}' holds something else"):
            join(tmp_path / "out")
        assert (tmp_path / name / "notes.txt").read_text() == "mine"
        assert [path.name for path in tmp_path.iterdir()] == [name]
        shutil.rmtree(tmp_path / name)


def test_room_is_asked_for_but_for_what_lies_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows.arrow").write_bytes(bytes(2**20))
    free = 3 * 2**30
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(free, 0, free))  # type: ignore[attr-defined]
    need_room("join", tmp_path, free + 2**20)
    with pytest.raises(OSError, match=r"^join: about 3.0 GiB are to be set aside in .*, where 3.0 GiB are free"):
        need_room("join", tmp_path, free + 2**20 + 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(0, 0, 0))  # type: ignore[attr-defined]
    for call in CALLS:
        with pytest.raises(OSError, match=r"GiB are free; spill= names another folder"):
            call(tmp_path / f"{call.__name__}")


def test_a_file_that_is_gone_takes_no_room(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"1234")
    assert [size_of(tmp_path / name) for name in ("there", "gone")] == [4, 0]
