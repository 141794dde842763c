"""The benchmarks: the checked-in results, each on a page with its machine, its command and its commit.

In: benchmarks/results. Out: pages on a stage. No number is written by hand: a page is the file that the command wrote.
Files from before commands wrote down the commit that they measured name the one with which they were checked in.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.stage import Stage

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
TITLE = re.compile(r"\A# (.+)\n")
MACHINE = re.compile(r"^(\d+ x [^;]+); ", re.MULTILINE)
COMMIT = re.compile(r"^(?:Measured at|Checked in with) (commit \w+ of [\d-]+(?:, with changes)?)\.$", re.MULTILINE)
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
            stage.add(f"benchmarks/{folder.name}/{file.name}", f"# {name}\n\n{TITLE.sub('', text).strip()}\n")
            made_of = COMMIT.search(text)
            command, commit = f"`{made_by[1]}`" if made_by else "–", made_of[1] if made_of else "–"
            rows.append(f"| [{name}]({file.name}) | {command} | {commit.removeprefix('commit ')} |")
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
        "# Benchmarks\n\nThe tables that `make bench` wrote, by machine. Each names its machine, its command and its "
        "commit. [Figures](../figures.md) has those that matter most, beside other libraries."
        f"\n\n{listed}\n",
    )


def machine(folder: Path) -> str:
    """Return the name of a machine, as its tables have it."""
    found = (MACHINE.search(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.md")))
    return next((one[1] for one in found if one), folder.name)
