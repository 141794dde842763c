"""Build the extension module of a machine: emit the kernels, compile the C beside them, link both.

    python -m tools.emit.build FOLDER [--target NAME] [--objects OUT]

In: the package's sources, or what `emit` left in OUT. Out: FOLDER/_kernels.abi3.so (or .pyd), for the limited API of
Python 3.11 and up. It needs a C compiler and NumPy, and Numba unless it has OUT; what it makes needs NumPy only. For a
target that is not this machine, the environment's CC and LDSHARED name its compiler.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
THIS_MACHINE = f"{sys.platform}-{platform.machine().lower()}"


def main() -> None:
    """Build into the folder named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default=THIS_MACHINE, help="as `emit` names it; this machine if left out")
    parser.add_argument("--objects", type=Path, help="the folder that `emit` filled; emitted anew if left out")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        objects = given.objects or Path(scratch)
        if not given.objects:
            emit(objects, "--target", given.target)
        made = link(objects, given.target, Path(scratch, "made"))
        target = given.folder / made.name
        shutil.copy2(made, target)
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def emit(out: Path, *words: str, where: Path = HERE.parents[1], module: str = "tools.emit.emit") -> None:
    """Emit the kernels in a process of its own: Numba reads its settings when it is imported."""
    settings = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "CAROM_KERNELS": "jit"}
    settings["PYTHONPATH"] = os.pathsep.join([str(where), str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", module, str(out), *words]
    subprocess.run(command, env=os.environ | settings, check=True)


def link(objects: Path, target: str, out: Path) -> Path:
    """Compile start.c, call.c and OBJECTS/wrappers.c and link them with what OBJECTS/TARGET holds."""
    unix = os.name != "nt"
    compiled = sorted(str(file) for file in (objects / target).glob("*.o"))
    extension = Extension(
        "_kernels",
        [str(HERE / "start.c"), str(HERE / "call.c"), str(objects / "wrappers.c")],
        include_dirs=[str(HERE), np.get_include()],
        define_macros=[("Py_LIMITED_API", "0x030B0000"), *([("WIDE", None)] if len(compiled) > 1 else [])],
        extra_objects=compiled,
        extra_compile_args=["-O2", "-g0", "-fvisibility=hidden"] if unix else ["/O2"],
        extra_link_args=["-Wl,-s", "-Wl,--gc-sections"] if target.startswith("linux") else [],
        libraries=["m"] if unix else [],
        py_limited_api=True,
    )
    command = build_ext(Distribution({"ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(out), str(out / "objects")
    command.ensure_finalized()
    command.run()
    return next(out.glob("_kernels.*.so" if unix else "_kernels*.pyd"))


if __name__ == "__main__":
    main()
