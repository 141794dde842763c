"""Run the benchmarks: `python -m benchmarks`, or some of them by name: `python -m benchmarks pair_calls starts`."""

from __future__ import annotations

import argparse
import importlib
import sys
import time

from benchmarks import harness

BENCHMARKS = (
    "pair_calls",
    "rows",
    "all_pairs",
    "pairs_growth",
    "growth",
    "touching_rows",
    "mixed_rows",
    "turning_rows",
    "searches",
    "searches_growth",
    "making",
    "concave",
    "outlines",
    "maps",
    "zones",
    "tables",
    "spatialbench",
    "starts",
    "breakout_steps",
    "environments",
    "tasks",
    "closeness",
    "pilots",
    "copies",
    "world_steps",
    "world_questions",
    "piles",
    "joints",
    "calls",
    "tunnelling",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"some of {', '.join(BENCHMARKS)}; all if none is named"
    )
    parser.add_argument("--rounds", type=int, default=9, help="turns for each contender, of which the median counts")
    parser.add_argument("--machine", default=harness.machine_folder(), help="folder of the results")
    parser.add_argument("--anyway", action="store_true", help="write on a busy machine, too, and say so in the file")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    others = harness.Others()
    time.sleep(2.0)
    if others.cores() > harness.BUSY and not options.anyway:
        sys.exit(f"{busy(others.cores())}: nothing is measured; --anyway does, and says so in the files")
    refused = []
    for name in options.names or BENCHMARKS:
        others = harness.Others()
        table = importlib.import_module(f"benchmarks.{name}").run(options.rounds)
        cores = others.cores()
        print("\n".join(harness.lines(table)))
        if cores > harness.BUSY and not options.anyway:
            refused.append(name)
            print(f"\nnot written: {busy(cores)}\n", flush=True)
        else:
            print(f"\nwritten to {harness.write(name, table, options.machine, cores)}\n", flush=True)
    if refused:
        sys.exit(f"not written: {', '.join(refused)}")


def busy(cores: float) -> str:
    """Return why figures would not be worth keeping."""
    return f"other processes use {cores:.1f} cores, more than {harness.BUSY}"


if __name__ == "__main__":
    main()
