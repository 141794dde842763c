"""`carom check` names the kernels and finds a wrong answer; `carom compile` compiles each listed kernel once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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


def test_compile_takes_every_listed_kernel_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if jit.KERNELS != "jit":
        pytest.skip("nothing is compiled")
    from carom._core.jit import signatures

    taken: list[str] = []
    signatures.import_all()  # other tests may not have imported all modules yet
    for name, kernel in signatures.kernels():
        monkeypatch.setattr(kernel, "compile", lambda given, name=name: taken.append(name), raising=False)
    monkeypatch.setattr(compiling, "ProcessPoolExecutor", lambda count, context, begin: ThreadPoolExecutor(count))
    assert cli.main(["compile"]) == 0
    assert sorted(taken) == sorted(line.split(" ", 1)[0] for line in signatures.listed())
    assert f"{len(taken)} kernels are compiled, in " in capsys.readouterr().out
