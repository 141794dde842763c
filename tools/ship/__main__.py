"""Build what a user installs or opens, and try all of it: `make ship`, or python -m tools.ship.

In: the sources of a clone. Out: in dist the sdist, the wheel of this machine with the page, and the pure wheel; a line
for each step; an exit status of 1 if any failed. The wheel is tried without Numba in empty environments, one for each
Python at hand, with the newest NumPy and once with the oldest. In one of them the examples, the pages and a selection
of the tests are run from the unpacked sdist, and the live page is driven in Chromium. The clone is tried with Numba on
the newest Python that is needed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import tomllib
from concurrent.futures import Future
from pathlib import Path

from tools.ship import environments, pythons
from tools.ship.steps import Steps

ROOT = Path(__file__).parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
THOROUGH = "3.12"  # the Python on which examples, pages and tests are run: neither the clone's nor the newest


def main() -> None:
    """Run all steps."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--strict", action="store_true", help="fail if a Python that is needed or Chromium is missing")
    parser.add_argument("--full", action="store_true", help="run every test with the wheel, not only a selection")
    parser.add_argument("--built", type=Path, help="a folder with what was built before, in place of building")
    given = parser.parse_args()
    programs = pythons.found()
    lacking = [version for version in pythons.NEEDED if version not in programs]
    browser = any(map(shutil.which, CHROMIUM))
    for version in (*lacking, *(one for one in pythons.WELCOME if one not in programs)):
        print(f"SKIPPED: there is no Python {version} here")
    if not browser:
        print("SKIPPED: there is no Chromium here, so the live page is not driven")
    if given.strict and (lacking or not browser):
        raise SystemExit("with --strict, each Python that is needed and Chromium must be here")
    with tempfile.TemporaryDirectory() as scratch:
        failed = run_steps(Path(scratch), programs, given.built, browser=browser, full=given.full)
    if failed:
        raise SystemExit(f"failed: {'; '.join(failed)}")


def run_steps(scratch: Path, programs: dict[str, str], built: Path | None, *, browser: bool, full: bool) -> list[str]:
    """Run all steps; return the names of those that failed."""
    steps = Steps(max(2, min(4, os.cpu_count() or 2)))
    dist = built or ROOT / "dist"
    made = environments.Made(ROOT, scratch, dist)
    ready: tuple[Future[None], ...] = ()
    if not built:
        shutil.rmtree(dist, ignore_errors=True)
        ready = (steps.add("sdist, wheel and page", made.build),)
    newest = max(programs.keys() & set(pythons.NEEDED), key=pythons.NEEDED.index)
    steps.add(f"the clone with Numba, Python {newest}", lambda: made.try_clone(programs[newest]))
    thorough = THOROUGH if THOROUGH in programs else newest
    tools = steps.add(f"an environment for the tests, Python {thorough}", lambda: made.whole(programs[thorough]))
    whole = steps.add("the wheel in it, with all extras but Numba", made.complete, tools, *ready)
    oldest = oldest_numpy()
    for version, program in programs.items():
        for numpy in ("numpy", *([oldest] if version == pythons.NEEDED[0] else [])):
            steps.add(
                f"the wheel, Python {version}, {numpy}",
                lambda version=version, program=program, numpy=numpy: made.try_wheel(program, version, numpy),
                *ready,
            )
    if browser:
        steps.add("the live page in Chromium", made.drive_page, whole)
    steps.add("examples", lambda: made.run_examples(windows=False), whole)
    steps.add("windows of examples", lambda: made.run_examples(windows=True), whole)
    steps.add("tests of the wheel" if full else "a selection of the tests", lambda: made.run_tests(full=full), whole)
    failed = steps.outcome()
    return failed + made.differences()


def oldest_numpy() -> str:
    """Return the oldest NumPy that is allowed, as pip is asked for it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (bound,) = (one for one in settings["project"]["dependencies"] if one.startswith("numpy>="))
    return f"numpy=={bound.removeprefix('numpy>=')}.*"


if __name__ == "__main__":
    sys.exit(main())
