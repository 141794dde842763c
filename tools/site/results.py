"""The benchmarks: the checked-in results, each on a page with its machine, its command and its commit.

In: benchmarks/results, and the history of the repository. Out: pages on a stage. No number is written by hand: a page
is the file that the command wrote.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from pathlib import Path

from tools.site.stage import Stage

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
TITLE = re.compile(r"\A# (.+)\n")
MACHINE = re.compile(r"^(\d+ x [^;]+); ", re.MULTILINE)
COMMAND = re.compile(r"^Written by `([^`]+)`\.$", re.MULTILINE)


def places() -> dict[str, str]:
    """Return where each file of the results stands."""
    found = {"benchmarks/results": "benchmarks/index.md"}
    for file in sorted(RESULTS.rglob("*")):
        place = file.relative_to(RESULTS).as_posix()
        found[file.relative_to(ROOT).as_posix()] = f"benchmarks/{place}" + ("/index.md" if file.is_dir() else "")
    return found


def add_to(stage: Stage) -> None:
    """Add a page for each table, one for each machine and one of all machines."""
    machines = []
    for folder in sorted(one for one in RESULTS.iterdir() if one.is_dir()):
        rows = []
        for file in sorted(folder.glob("*.md")):
            text = file.read_text(encoding="utf-8")
            heading = TITLE.match(text)
            name = heading[1] if heading else file.stem
            made_by = COMMAND.search(text)
            origin = f"Machine and versions stand below the table; checked in with commit {commit(file)}."
            stage.add(
                f"benchmarks/{folder.name}/{file.name}", f"# {name}\n\n{origin}\n\n{TITLE.sub('', text).strip()}\n"
            )
            rows.append(f"| [{name}]({file.name}) | {f'`{made_by[1]}`' if made_by else '–'} | {commit(file)} |")
        listed = "\n".join(rows)
        stage.add(
            f"benchmarks/{folder.name}/index.md",
            f"# {machine(folder)}\n\n| table | command | commit |\n|---|---|---|\n{listed}\n",
        )
        listed = listed.replace("](", f"]({folder.name}/")
        machines.append(f"## {machine(folder)}\n\n| table | command | commit |\n|---|---|---|\n{listed}\n")
    listed = "\n".join(machines)
    stage.add(
        "benchmarks/index.md",
        "# Benchmarks\n\nThe tables that `make bench` wrote, by machine. Each names its command and the commit with "
        "which it was checked in. [Figures](../figures.md) has those that matter most, beside other libraries."
        f"\n\n{listed}\n",
    )


def machine(folder: Path) -> str:
    """Return the name of a machine, as its tables have it."""
    found = (MACHINE.search(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.md")))
    return next((one[1] for one in found if one), folder.name)


def commit(file: Path) -> str:
    """Return the commit that wrote a file last, or a dash where there is no history."""
    return (git("log", "-1", "--format=%h of %as", "--", str(file)) if has_history() else "") or "–"


@functools.cache
def has_history() -> bool:
    """Return whether the repository is here with all of its commits."""
    return shutil.which("git") is not None and git("rev-parse", "--is-shallow-repository") == "false"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
