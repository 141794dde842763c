"""Results as JSON: one file for an engine on a machine, with the engine's version, the machine and the commit.

In: rows by name of scene. Out: a file, and from a file the same rows.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from carom_conformance.engine import Engine
from carom_conformance.judge import Row

RESULTS = Path(__file__).parents[1] / "results"


class Results(NamedTuple):
    """What an engine did in each scene."""

    engine: str
    version: str
    settings: str
    machine: str
    python: str
    commit: str
    seconds: float
    rows: dict[str, Row]


def machine() -> str:
    """Return the machine in a line."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        described = ""
    names = re.findall(r"^model name\s*: (.*)$", described, re.MULTILINE)
    processor = names[0].strip() if names else platform.processor() or platform.machine()
    return f"{os.cpu_count()} x {processor}, {platform.system()} {platform.machine()}"


def folder(described: str) -> str:
    """Return the name of a machine's folder: 2-x-amd-epyc-linux-x86-64."""
    return re.sub(r"[^a-z0-9]+", "-", described.lower()).strip("-")


def of(engine: Engine, rows: dict[str, Row]) -> Results:
    """Return the results of an engine on this machine."""
    seconds = round(sum(row.seconds for row in rows.values()), 1)
    told = (engine.name, engine.version, engine.settings, machine(), platform.python_version(), commit())
    return Results(*told, seconds, rows)


def commit() -> str:
    """Return the commit of the suite, and whether files were changed since; "none" outside of a repository."""
    found = _git("log", "-1", "--format=%h of %as")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!conformance/results")
    return f"{found}, with changes" if found and changed else found or "none"


def _git(*words: str) -> str:
    if not shutil.which("git"):
        return ""
    done = subprocess.run(["git", *words], cwd=RESULTS.parents[1], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def write(found: Results, file: Path) -> None:
    """Write results; values that a row does not have are left out."""
    empty = Row("")._asdict()
    rows = {
        name: {key: value for key, value in row._asdict().items() if value != empty[key]}
        for name, row in found.rows.items()
    }
    head = found._asdict()
    del head["rows"]
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    text = json.dumps(head, indent=1)[:-2] + ',\n "rows": {\n  ' + ",\n  ".join(lines) + "\n }\n}\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def read(file: Path) -> Results:
    """Read results."""
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    kept["rows"] = {name: Row(**row) for name, row in kept["rows"].items()}
    return Results(**kept)
