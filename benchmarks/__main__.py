"""Run the benchmarks: `python -m benchmarks`, or some of them by name: `python -m benchmarks pair_calls starts`."""

from __future__ import annotations

import argparse
import importlib

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
    "tables",
    "spatialbench",
    "starts",
    "breakout_steps",
    "environments",
    "copies",
    "world_steps",
    "world_questions",
    "piles",
    "joints",
    "tunnelling",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"some of {', '.join(BENCHMARKS)}; all if none is named"
    )
    parser.add_argument("--rounds", type=int, default=9, help="turns for each contender, of which the median counts")
    parser.add_argument("--machine", default=harness.machine_folder(), help="folder of the results")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(BENCHMARKS))
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    for name in options.names or BENCHMARKS:
        table = importlib.import_module(f"benchmarks.{name}").run(options.rounds)
        print("\n".join(harness.lines(table)))
        print(f"\nwritten to {harness.write(name, table, options.machine)}\n", flush=True)


if __name__ == "__main__":
    main()
