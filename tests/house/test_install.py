"""`carom check` names the kernels and finds a wrong answer; `carom compile` compiles each listed kernel once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from carom._core import jit
from carom.cli import compiling, install
from carom.cli import programs as cli
from carom_breakout import self_test


def test_check_names_the_kernels_and_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check"]) == 0
    shown = capsys.readouterr().out
    assert f"kernels: {jit.KERNELS}, " in shown
    assert install.place_of_kernels() in shown
    assert f"self-test: {len(install.KNOWN)} answers and 2 digests as stored" in shown


@pytest.mark.parametrize(
    ("module", "name", "value", "line"),
    [
        (install, "KNOWN", ((lambda: 1.0, 1.0), (lambda: 2.0, 2.5)), "question 1: 2.0 in place of 2.5"),
        (install, "WORLD_DIGEST", "17", f"world: digest {install.WORLD_DIGEST} in place of 17"),
        (self_test, "DIGEST", "17", f"game: digest {self_test.DIGEST} in place of 17"),
    ],
)
def test_check_reports_a_wrong_answer_and_fails(
    module: ModuleType,
    name: str,
    value: Any,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(module, name, value)
    assert cli.main(["check"]) == 2
    assert line in capsys.readouterr().err


def test_the_plain_kernels_pass_the_same_self_test() -> None:
    environment = os.environ | {"CAROM_KERNELS": "plain"}
    done = subprocess.run(
        [sys.executable, "-m", "carom", "check"], capture_output=True, text=True, timeout=200, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "kernels: plain, " in done.stdout


def test_compile_says_where_nothing_is_to_compile(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "KERNELS", "plain")
    assert cli.main(["compile"]) == 0
    assert "nothing to compile: the kernels are plain" in capsys.readouterr().out


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the kernels that `carom compile` asks to be compiled, in threads and without doing so."""
    if jit.KERNELS != "jit":
        pytest.skip("nothing is compiled")
    from carom._core.jit import signatures

    names: list[str] = []
    signatures.import_all()  # other tests may not have imported all modules yet
    for name, kernel in signatures.kernels():
        monkeypatch.setattr(kernel, "compile", lambda given, name=name: names.append(name), raising=False)
    monkeypatch.setattr(compiling, "ProcessPoolExecutor", lambda count, context, begin: ThreadPoolExecutor(count))
    return names


def test_compile_takes_every_listed_kernel_once(taken: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from carom._core.jit import signatures

    assert cli.main(["compile"]) == 0
    assert sorted(taken) == sorted(line.split(" ", 1)[0] for line in signatures.listed())
    assert f"{len(taken)} kernels are compiled, in " in capsys.readouterr().out


def test_compile_leaves_out_what_is_not_installed_and_names_the_extras(
    taken: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from carom._core.jit import signatures

    lacking = {"carom.tables": "dask", "carom_gym.features": "gymnasium"}
    monkeypatch.setattr(signatures, "import_all", lambda: lacking)
    assert cli.main(["compile"]) == 0
    left = [name for line in signatures.listed() if (name := line.split(" ", 1)[0]) not in taken]
    assert left and all(name.startswith(("carom.tables.", "carom_gym.features.")) for name in left)
    said = capsys.readouterr().out
    assert f"{len(taken)} kernels are compiled, in " in said
    gym = any(name.startswith("carom_gym") for name in left)
    extras, packages = ("gym,tables", "dask, gymnasium") if gym else ("tables", "dask")
    assert f"{len(left)} are left out, which need {packages}: pip install " in said and f"[{extras}]" in said


def test_a_kernel_lacks_what_its_named_tuples_and_records_need() -> None:
    if jit.KERNELS != "jit":
        pytest.skip("Numba is not at work")
    from carom._core.jit.signatures import lacked_by

    line = "carom.world.batch.play (N('carom_gym.parts:Parts', [A(R('carom.world.tables:BODY'), 1, 'C', True)]),)"
    assert lacked_by(line, {"carom_gym.parts": "gymnasium"}) == "gymnasium"
    assert lacked_by(line, {"carom.world.tables": "shapely"}) == "shapely"
    assert lacked_by(line, {"carom.world.bat": "dask", "carom_gym.part": "dask"}) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal elsewhere")
def test_an_interrupted_compile_ends_with_one_line(tmp_path: Path) -> None:
    if jit.KERNELS != "jit":
        pytest.skip("nothing is compiled")
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "carom", "compile"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    assert process.stderr is not None
    while "compiling" not in (told := process.stderr.readline()):
        assert told or process.poll() is None
    time.sleep(1.0)  # in which its processes start
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in told
    assert re.fullmatch(r"carom compile: stopped; \d+ of \d+ kernels are done", told.splitlines()[-1])
