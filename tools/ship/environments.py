"""What is built, and the environments in which it is tried.

In: the clone, a folder for what is thrown away, and one for what is built. Out: methods that do one step each, return a
line about it, and raise where anything is wrong. No environment of a wheel has Numba.
"""

from __future__ import annotations

import os
import sys
import tarfile
import threading
from pathlib import Path

from tools.ship.steps import Failed, run

HERE = Path(__file__).parent
FRAMES = "10"  # of each window
HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "MPLBACKEND": "Agg"}
WITHOUT_NUMBA = {"CAROM_KERNELS": "prebuilt"}
EXTRAS = "play,gym,plot,tables,maps"  # all that a user may have, but `jit`


class Made:
    """The wheels and the sdist, and what was tried with them."""

    def __init__(self, root: Path, scratch: Path, dist: Path) -> None:
        self.root, self.scratch, self.dist = root, scratch, dist
        self._digests: dict[str, list[str]] = {}
        self._unpacking = threading.Lock()

    def build(self) -> str:
        """Build the sdist, the wheel of this machine and the pure one; return what weighs what."""
        said = run(sys.executable, "-m", "tools.emit.wheel", str(self.dist), "--both", where=self.root, most=3000)
        table = said[said.rindex(".whl: ") :].partition("\n")[2]
        return f"{', '.join(f'{one.name} {size(one)}' for one in sorted(self.dist.iterdir()))}\n{table.rstrip()}"

    def try_clone(self, program: str) -> str:
        """Use the clone with Numba, installed as the README says."""
        python = environment(program, self.scratch / "clone")
        install(python, "--editable", f"{self.root}[jit,tables]")
        return run(python, HERE / "clone.py", where=self.scratch).strip().splitlines()[-1]

    def try_wheel(self, program: str, version: str, numpy: str) -> str:
        """Use a wheel with NumPy alone: check, a mechanism, what is in C and in Python, a pickle of every class."""
        pure = version.endswith("t")
        python = environment(program, self.scratch / f"{version}-{numpy}".replace("*", "x"))
        install(python, numpy, self._wheel(pure=pure))
        sdist, settings = self.sdist(), {} if pure else WITHOUT_NUMBA
        checked = run(python, "-m", "carom", "check", where=self.scratch, **settings)
        digest = run(python, HERE / "tried.py", where=self.scratch, **settings).strip().splitlines()[-1]
        if not pure:
            calls = [run(python, "-m", "tests.support.small_calls", where=sdist, CAROM_KERNELS=kind) for kind in KINDS]
            if calls[0] != calls[1]:
                other = [f"{a} | {b}" for a, b in zip(*(one.splitlines() for one in calls), strict=True) if a != b]
                raise Failed("\n".join(["      C and Python answer otherwise:", *other]))
        pickled = run(python, sdist / "tests" / "support" / "pickled.py", where=self.scratch, **settings)
        self._digests.setdefault(digest, []).append(f"Python {version}, {numpy}")
        return f"{checked.splitlines()[0]}; digest {digest}; {pickled.count('ok')} classes pickled"

    def differences(self) -> list[str]:
        """Return a line if the installs gave different bits."""
        if len(self._digests) < 2:
            return []
        return [f"different bits: {self._digests}"]

    def whole(self, program: str) -> str:
        """Make the environment with all that users may install beside the wheel, and what tests need."""
        python = environment(program, self.scratch / "whole")
        groups = [f"--group={self.root / 'pyproject.toml'}:{group}" for group in ("test", "page")]
        install(python, "--upgrade", "pip>=25.1")
        install(python, *groups)
        return ""

    def complete(self) -> str:
        """Put the wheel into it, with the extras that users may have."""
        install(self._python, f"{self._wheel()}[{EXTRAS}]")
        listed = run(self._python, "-m", "pip", "list", "--format=freeze")
        if "\nnumba==" in listed:
            raise Failed("      Numba is installed")
        return next(line for line in listed.splitlines() if line.startswith("numpy=="))

    def drive_page(self) -> str:
        """Drive the live page that the wheel writes, all scenes and layers, and compare its bits with Python's."""
        return self._tests("tests/playground/test_live_page.py", CAROM_NEEDS_CHROMIUM="1")

    def run_examples(self, *, windows: bool) -> str:
        """Run each example as it is, or each that has a window for some frames in one that nobody sees."""
        examples = sorted((self.sdist() / "examples").glob("*.py"))
        words = ["--window", "--frames", FRAMES] if windows else []
        chosen = [one for one in examples if not windows or "--window" in one.read_text(encoding="utf-8")]
        wrong = []
        for example in chosen:
            folder = self.scratch / f"run-{example.stem}{'-window' * windows}"
            folder.mkdir()
            try:
                said = run(self._python, example, *words, where=folder, most=120, **HEADLESS, **WITHOUT_NUMBA)
                if not windows and "wrote " in said and not any(folder.iterdir()):
                    raise Failed(f"      {example.name} says that it wrote a file, and did not")
            except Failed as failed:
                wrong.append(str(failed))
        if wrong:
            raise Failed("\n".join(wrong))
        return f"{len(chosen)} run"

    def run_tests(self, *, full: bool) -> str:
        """Run a selection of the tests with a file of every folder, or all of them."""
        if full:
            return self._tests("tests", most=3600)
        chosen = [line for line in (HERE / "selection.txt").read_text(encoding="utf-8").splitlines() if line]
        return self._tests(*chosen)

    def sdist(self) -> Path:
        """Return the folder of the unpacked sdist: whatever is tried beside a wheel comes from there."""
        with self._unpacking:
            (packed,) = self.dist.glob("*.tar.gz")
            folder = self.scratch / packed.name.removesuffix(".tar.gz")
            if not folder.exists():
                with tarfile.open(packed) as content:
                    content.extractall(self.scratch, filter="data")
            return folder

    def _wheel(self, *, pure: bool = False) -> Path:
        (wheel,) = (one for one in self.dist.glob("*.whl") if one.name.endswith("-none-any.whl") == pure)
        return wheel

    @property
    def _python(self) -> Path:
        return program_of(self.scratch / "whole")

    def _tests(self, *words: str, most: float = 900, **settings: str) -> str:
        said = run(
            *(self._python, "-m", "pytest", "-q", *words),
            where=self.sdist(),
            most=most,
            **(HEADLESS | WITHOUT_NUMBA | settings),
        )
        return said.strip().splitlines()[-1]


KINDS = ("prebuilt", "plain")


def environment(program: str, folder: Path) -> Path:
    """Make an empty environment; return its Python."""
    run(program, "-m", "venv", folder)
    return program_of(folder)


def install(python: Path, *words: str | Path) -> None:
    """Install packages."""
    run(python, "-m", "pip", "install", "--quiet", *words)


def program_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def size(file: Path) -> str:
    return f"{file.stat().st_size / 1e6:.2f} MB"
