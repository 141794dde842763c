"""`carom join`: the pairs of files of shapes, with a progress bar on a terminal.

In: the words after `carom join`. Out: a folder of Parquet files, and the number of pairs on the standard output.
Progress goes to stderr, and only to a terminal; what a user can mend is refused in one line.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from carom._core.missing import need
from carom.explain.typed import Refusal

PURPOSE = "find every colliding pair of shapes in Parquet files, more than memory holds"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
REFUSED = (ValueError, TypeError, OSError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("source", metavar="IN", help="a Parquet file or folder, or a saved set of shapes")
    add("out", metavar="OUT", help="the folder for the pairs; it is there when they are all found")
    add("--other", metavar="FILE", help="pairs of a row of IN and a row of this")
    add(
        "--columns",
        default="depth,normal",
        metavar="NAMES",
        help="some of depth,normal,points; the first two if left out",
    )
    add("--within", type=float, default=0.0, metavar="X", help="the largest distance of a pair; 0 if left out")
    add("--shape", metavar="NAMES", help="columns of the shapes, as x,y,radius; usual names if left out")
    add("--other-shape", metavar="NAMES", help="the same of --other")
    add("--id", metavar="NAME", help="the column that names a row; id, or the row's number, if left out")
    add("--other-id", metavar="NAME", help="the same of --other")
    add("--on-bad", choices=("raise", "skip"), default="raise", help="refuse a bad row (default), or leave it out")
    add("--sort", action="store_true", help="sort the pairs over all files")
    add("--spill", metavar="DIR", help="where rows are set aside; beside OUT if left out")
    add("--memory", type=_bytes, metavar="SIZE", help="memory that may be taken, as 4G; what is free if left out")
    add("--scheduler", metavar="ADDRESS", help="a scheduler of distributed, as tcp://host:8786; threads if left out")


def _bytes(word: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)i?B?", word, re.IGNORECASE)
    if not found or not float(found[1]):
        raise argparse.ArgumentTypeError(f"{word!r} is no size; write it as 4G or 500M")
    return int(float(found[1]) * UNITS[found[2].upper()])


def main(options: argparse.Namespace) -> None:
    """Join, and say how many pairs there are."""
    need("a join of tables", "dask", "pandas", "pyarrow", extra="tables")
    from carom import tables

    client = _client(options.scheduler)
    bar = Bar()
    try:
        done = tables.join(
            options.source,
            options.other,
            out=options.out,
            columns=_names(options.columns) or (),
            within=options.within,
            shape=_names(options.shape),
            other_shape=_names(options.other_shape),
            id=options.id,
            other_id=options.other_id,
            on_bad=options.on_bad,
            sort=options.sort,
            spill=options.spill,
            memory=options.memory,
            progress=bar,
        )
    except KeyboardInterrupt:
        bar.close()
        print("carom join: stopped; the same command goes on from here", file=sys.stderr)
        raise
    except REFUSED as refusal:
        bar.close()
        raise Refusal(str(refusal)) from None
    finally:
        if client is not None:
            client.close()
    bar.close()
    left_out = f", {_count(done.bad_count, 'bad row')} left out" if done.bad_count else ""
    shapeless = f", {_count(done.missing, 'row')} without a shape" if done.missing else ""
    print(f"{_count(done.pairs, 'pair')} in {done.path}{left_out}{shapeless}")
    for row in done.bad[:10]:
        print(f"   {row.place}: {row.reason}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _names(words: str | None) -> Any:
    """Return one name, or several that commas part; None without any."""
    names = [word.strip() for word in words.split(",") if word.strip()] if words else []
    return None if not names else names[0] if len(names) == 1 else names


def _client(address: str | None) -> Any:
    """Return a client of a scheduler, or None."""
    if address is None:
        return None
    need("--scheduler", "distributed", extra="tables")
    from distributed import Client

    try:
        return Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except OSError as error:
        raise Refusal(f"--scheduler {address}: {error}") from None


class Bar:
    """A progress bar for each stage, with the time left, on a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage = ""
        self._shown = sys.stderr.isatty()
        if self._shown:
            need("the progress bar", "tqdm", extra="tables")

    def __call__(self, stage: str, done: int, count: int) -> None:
        """Show how far a stage has come."""
        if not self._shown:
            return
        if stage != self._stage:
            from tqdm import tqdm

            self.close()
            self._stage, self._bar = stage, tqdm(total=count, desc=stage, unit="task", leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
