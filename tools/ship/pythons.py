"""The Pythons of this machine, by the version that each itself names.

In: the path, and pyenv's folder of versions: its `python3.12` on the path may be a shim that only answers "command not
found". Out: for each version, such as "3.12" or "3.14t" of a free-threaded build, the program of the newest of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

NEEDED = ("3.11", "3.12", "3.13")
WELCOME = ("3.14", "3.13t", "3.14t")  # tried where they are, named where they are not
ASK = (
    "import sys, sysconfig, ensurepip, venv; "
    "print('%d.%d' % sys.version_info[:2] + 't' * bool(sysconfig.get_config_var('Py_GIL_DISABLED')), sys.base_prefix)"
)


def found() -> dict[str, str]:
    """Return the program of each Python that a wheel of Carom is for."""
    programs: dict[str, str] = {}
    for program in _candidates():
        try:
            asked = subprocess.run([program, "-c", ASK], capture_output=True, text=True, timeout=60, check=False)
        except OSError:
            continue
        version, _, prefix = asked.stdout.strip().partition(" ")
        if asked.returncode == 0 and version in (*NEEDED, *WELCOME) and version not in programs:
            beneath = Path(prefix, "bin", f"python{version}")  # not that of an environment, which may go
            programs[version] = str(beneath) if beneath.exists() else program
    return programs


def _candidates() -> list[str]:
    """Return programs to ask, the newest of pyenv first."""
    roots = [os.environ.get("PYENV_ROOT"), _answer("pyenv", "root"), str(Path.home() / ".pyenv")]
    folders = {folder for root in roots if root for folder in Path(root, "versions").glob("3.*")}
    pyenv = [str(folder / "bin" / "python") for folder in sorted(folders, key=_numbers, reverse=True)]
    on_path = [shutil.which(f"python{version}") for version in (*NEEDED, *WELCOME)]
    return pyenv + [program for program in on_path if program]


def _numbers(folder: Path) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", folder.name)]


def _answer(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""
