"""Settings for all tests: how many cases Hypothesis tries, and the summary of a run, which a release keeps.

`sample` is fixed and quick, so that a run of `make test` can be repeated; `full` searches, elsewhere each time.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.harness import machine, versions
from carom._core import jit

slow = [HealthCheck.too_slow]
settings.register_profile("sample", max_examples=60, deadline=None, derandomize=True, suppress_health_check=slow)
settings.register_profile("full", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=slow)
settings.load_profile("sample")

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # or examples would have to print it

ROOT = Path(__file__).parents[1]
PACKAGES = ("carom", "numpy", "numba", "hypothesis", "shapely")
OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed")


@pytest.fixture(scope="session", autouse=True)
def _every_kernel_that_python_calls_is_listed() -> Iterator[None]:
    """Fail at the end of a run in which Python called a kernel with types that the prebuilt ones do not have."""
    yield
    if jit.KERNELS == "jit":
        from carom._core.jit import signatures

        fresh = sorted(signatures.called() - set(signatures.listed()))
        assert fresh == [], "add these lines to src/carom/_core/jit/signatures.txt, sorted:\n" + "\n".join(fresh)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--summary", metavar="FILE", help="write outcomes and times by test file, and the machine, to FILE"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    target = config.getoption("--summary")
    if target:
        Path(target).write_text("\n".join(summary(terminalreporter, config.option.markexpr)) + "\n", encoding="utf-8")


def commit() -> str:
    """Return the commit that is tested, in words."""
    if not (ROOT / ".git").exists():
        return "sources that are in no repository"
    hash_and_day, changed = (
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        for words in (["log", "-1", "--format=%H of %cs"], ["status", "--porcelain"])
    )
    return f"commit {hash_and_day}" + (", with changes that are not committed" if changed else "")


def summary(reporter: pytest.TerminalReporter, marks: str) -> list[str]:
    outcomes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for outcome in OUTCOMES:
        for report in reporter.stats.get(outcome, []):
            outcomes[report.nodeid.partition("::")[0]][outcome] += 1
    seconds: Counter[str] = Counter()
    for report in (report for reports in reporter.stats.values() for report in reports):
        seconds[getattr(report, "nodeid", "")] += getattr(report, "duration", 0.0)

    lines = [
        "Every test, long ones too." if not marks else f"Tests marked {marks}.",
        f"Of {commit()}.",
        "",
        f"{versions(PACKAGES)}; {machine()}.",
        "",
        f"{'file':40}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES) + f"{'seconds':>10}",
    ]
    for file, counts in sorted(outcomes.items()):
        time = sum(duration for test, duration in seconds.items() if test.partition("::")[0] == file)
        lines.append(f"{file:40}" + "".join(f"{counts[outcome]:9}" for outcome in OUTCOMES) + f"{time:10.1f}")
    total = sum(outcomes.values(), Counter())
    lines.append(f"{'all':40}" + "".join(f"{total[o]:9}" for o in OUTCOMES) + f"{sum(seconds.values()):10.1f}")
    lines += ["", "The longest, in seconds"]
    lines += [f"{time:8.1f}  {test}" for test, time in seconds.most_common(10)]
    return lines
