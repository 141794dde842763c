"""`carom join`, `nearest` and `encounters`: their answers, their exit codes, and what they say."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import carom as cm
from carom import cli


@pytest.fixture
def discs(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.uniform(0, 40, (2000, 2)), columns=["x", "y"]).assign(radius=0.5)
    frame.to_parquet(tmp_path / "discs.parquet")
    return tmp_path / "discs.parquet"


def test_it_writes_pairs_and_tells_how_many(discs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_parquet(discs)
    wanted = cm.contacts(cm.Shapes.circles(frame[["x", "y"]].to_numpy(), 0.5), within=0.1)
    assert cli.main(["join", str(discs), str(tmp_path / "out"), "--columns", "depth", "--within", "0.1"]) == 0
    told = capsys.readouterr()
    assert told.out == f"{len(wanted.pairs):,} pairs in {tmp_path / 'out'}\n" and "join" not in told.err
    found = pd.read_parquet(tmp_path / "out").sort_values(["a", "b"])
    assert list(found.columns) == ["a", "b", "depth"] and found["depth"].tolist() == wanted.depth.tolist()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nowhere.parquet", "out"], "there is no such file"),
        (["discs.parquet", "out", "--shape", "x,y,size"], "'size' is no column"),
        (["discs.parquet", "out", "--memory", "much"], "'much' is no size"),
        (["discs.parquet", "out", "--columns", "deep"], "must be some of depth, normal, points"),
        (["discs.parquet", "discs.parquet"], "holds something else"),
        (["discs.parquet", "discs.parquet", "out"], "it takes IN and OUT, and 'out' is a third; --other FILE names"),
        (["discs.parquet", "out", "--most", "10"], "most=10_000 allows it"),
    ],
)
def test_what_is_wrong_is_one_line(
    words: list[str], error: str, discs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(discs.parent)
    assert cli.main(["join", *words]) == 2
    told = capsys.readouterr().err
    assert error in told and told.count("\n") == 1


def test_nearest_and_encounters_have_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    points, stops, ships, out = (str(tmp_path / name) for name in ("homes.csv", "stops.parquet", "ships.csv", "out"))
    pd.DataFrame({"name": ["p", "q"], "x": [0.0, 9.0], "y": [0.0, 0.0]}).to_csv(points, index=False)
    pd.DataFrame({"x": [1.0, 8.0, 30.0], "y": [0.0] * 3, "stop": [7, 8, 9]}).to_parquet(stops)
    words = ["--id", "name", "--other-id", "stop", "-k", "2", "--within", "5", "--columns", ""]
    assert cli.main(["nearest", points, f"{out}0", "--other", stops, *words]) == 0
    assert cli.main(["nearest", points, stops, f"{out}1", *words]) == 0
    assert capsys.readouterr().out == f"2 rows in {out}0\n2 rows in {out}1\n"
    assert pd.read_parquet(f"{out}0").to_dict("list") == {"a": ["p", "q"], "b": [7, 8]}
    assert cli.main(["nearest", points, f"{out}2"]) == 2
    assert "--other FILE is missing" in capsys.readouterr().err

    times = pd.to_datetime([0, 60, 0, 60], unit="s")
    pd.DataFrame({"id": [1, 1, 2, 2], "when": times, "x": [0.0, 8, 4, 4], "y": [0.0, 0, -4, 4]}).to_csv(
        ships, index=False
    )
    words = ["--within", "1", "--shape", "when,x,y", "--columns", "separation"]
    assert cli.main(["encounters", ships, f"{out}3", *words, "--longest-gap", "2m"]) == 0
    assert cli.main(["encounters", ships, f"{out}4", *words, "--longest-gap", "30s"]) == 0
    assert capsys.readouterr().out == f"1 encounter in {out}3\n0 encounters in {out}4\n"
    assert list(pd.read_parquet(f"{out}3").columns) == ["a", "b", "separation"]
    for wrong, error in ((["--longest-gap", "soon"], "'soon' is no time"), (["more"], "'more' is a third")):
        assert cli.main(["encounters", ships, f"{out}5", *wrong, "--within", "1"]) == 2
        assert error in capsys.readouterr().err


def test_bad_rows_are_counted_and_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.DataFrame({"x": [0.0, 1.0, 1.5], "y": [0.0, np.nan, 0.0], "radius": 1.0}).to_parquet(tmp_path / "in.parquet")
    assert cli.main(["join", str(tmp_path / "in.parquet"), str(tmp_path / "out")]) == 2
    assert "row 1" in capsys.readouterr().err
    assert cli.main(["join", str(tmp_path / "in.parquet"), str(tmp_path / "out"), "--on-bad", "skip"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("1 pair in") and "1 bad row left out" in told and "in.parquet, row 1" in told
    assert f"all of them in {tmp_path / 'out' / '_bad.csv'}" in told
    pd.DataFrame({"x": [None, 1.0], "y": [None, 0.0], "radius": [None, 1.0]}).to_parquet(tmp_path / "in.parquet")
    assert cli.main(["join", str(tmp_path / "in.parquet"), str(tmp_path / "none"), "--sort"]) == 0
    assert capsys.readouterr().out == f"0 pairs in {tmp_path / 'none'}, 1 row without a shape\n"


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_leaves_what_is_finished_and_a_second_run_goes_on(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.uniform(0, 1500, (2_000_000, 2)), columns=["x", "y"]).assign(radius=0.8)
    frame.to_parquet(tmp_path / "in.parquet", row_group_size=200_000)
    words = [
        sys.executable,
        "-m",
        "carom",
        "join",
        str(tmp_path / "in.parquet"),
        str(tmp_path / "out"),
        "--memory",
        "60M",
    ]
    run = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=os.environ)
    unfinished = tmp_path / "out.unfinished"
    while run.poll() is None and not list(unfinished.glob("pairs-*.parquet")):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130 and "the same command goes on" in told
    assert list(unfinished.glob("pairs-*.parquet")) and not (tmp_path / "out").exists()
    subprocess.run(words, check=True, env=os.environ)
    found = pd.read_parquet(tmp_path / "out", columns=["a", "b"])
    wanted = cm.pairs(cm.Shapes.circles(frame[["x", "y"]].to_numpy(), 0.8))
    assert np.array_equal(found.sort_values(["a", "b"]).to_numpy(), wanted)
