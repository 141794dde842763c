"""`carom join`, `carom nearest` and `carom encounters`: answers from files, with a progress bar on a terminal.

In: the words after the command. Out: a folder of Parquet files, and the number of rows on the standard output.
Progress goes to stderr, and only to a terminal; what a user can mend is refused in one line.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from carom._core.missing import need
from carom.explain.typed import Refusal

JOIN = "find every colliding pair of shapes in Parquet files, more than memory holds"
NEAREST = "find the nearest shapes of each point in Parquet files"
ENCOUNTERS = "find which tracks in Parquet files came near each other, and when"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
REFUSED = (ValueError, TypeError, OSError)


def add_join(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `carom join`."""
    _add_source(parser, "shapes")
    add = parser.add_argument
    add("--other", metavar="FILE", help="pairs of a row of IN and a row of this")
    _add_columns(parser, "depth,normal,points", "depth,normal")
    add("--within", type=float, default=0.0, metavar="X", help="the largest distance of a pair; 0 if left out")
    _add_names(parser, "the shapes, as x,y,radius", two=True)
    add("--most", type=_count_of, metavar="N", help="how many pairs the answer may have; four billion if left out")
    add("--sort", action="store_true", help="sort the pairs over all files")
    _add_ways(parser)


def add_nearest(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `carom nearest`."""
    _add_source(parser, "points")
    add = parser.add_argument
    add("--other", metavar="FILE", help="the shapes of which the nearest are told; or name them between IN and OUT")
    add("-k", type=int, default=1, metavar="K", help="how many for each point; 1 if left out")
    _add_columns(parser, "distance", "distance")
    add("--within", type=float, default=float("inf"), metavar="X", help="how far to look; anywhere if left out")
    _add_names(parser, "the points, as x,y", two=True)
    _add_ways(parser)


def add_encounters(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `carom encounters`."""
    _add_source(parser, "samples of tracks")
    add = parser.add_argument
    _add_columns(parser, "first,separation,closest", "first,separation,closest")
    add("--within", type=float, required=True, metavar="X", help="the largest distance of a pair")
    _add_names(parser, "time, place and radius, as t,x,y,radius", two=False)
    add("--longest-gap", type=_gap, metavar="TIME", help="samples farther apart are not joined: a number, or as 30m")
    _add_ways(parser, ("raise", "skip"))


def _add_source(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("source", metavar="IN", help=f"a Parquet file or folder, or a CSV file, of {what}")
    parser.add_argument("out", metavar="OUT", help="the folder for the answer; it is there when that is whole")
    parser.add_argument("more", nargs="*", help=argparse.SUPPRESS)


def _add_columns(parser: argparse.ArgumentParser, known: str, usual: str) -> None:
    told = "all" if known == usual else usual
    parser.add_argument("--columns", default=usual, metavar="NAMES", help=f"some of {known}; {told} if left out")


def _add_names(parser: argparse.ArgumentParser, what: str, two: bool) -> None:
    add = parser.add_argument
    add("--shape", metavar="NAMES", help=f"columns of {what}; usual names if left out")
    add("--id", metavar="NAME", help="the column that names a row; id, or the row's number, if left out")
    if two:
        add("--other-shape", metavar="NAMES", help="columns of the shapes of --other")
        add("--other-id", metavar="NAME", help="the column that names a row of --other")


def _add_ways(parser: argparse.ArgumentParser, on_bad: tuple[str, ...] = ("raise", "skip", "repair")) -> None:
    add = parser.add_argument
    add("--on-bad", choices=on_bad, default="raise", help="refuse a bad row (default), leave it out, or repair it")
    add("--spill", metavar="DIR", help="where rows are set aside; beside OUT if left out")
    add("--memory", type=_bytes, metavar="SIZE", help="memory that may be taken, as 4G; what is free if left out")
    add("--scheduler", metavar="ADDRESS", help="a scheduler of distributed, as tcp://host:8786; threads if left out")


def _count_of(word: str) -> int:
    try:
        return int(float(word.replace("_", "")))
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{word!r} is no number; write it as 1e10") from None


def _gap(word: str) -> Any:
    """Return a time between samples: a number, or a timedelta with a unit."""
    import datetime

    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h|d)?", word)
    if not found:
        raise argparse.ArgumentTypeError(f"{word!r} is no time; write it as 90, or with s, m, h or d as 30m")
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86400}
    return datetime.timedelta(seconds=float(found[1]) * seconds[found[2]]) if found[2] else float(found[1])


def _bytes(word: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)i?B?", word, re.IGNORECASE)
    if not found or not float(found[1]):
        raise argparse.ArgumentTypeError(f"{word!r} is no size; write it as 4G or 500M")
    return int(float(found[1]) * UNITS[found[2].upper()])


def join(options: argparse.Namespace) -> None:
    """Join, and say how many pairs there are."""
    _answer("join", options, "pair", ("other", "within", "shape", "other_shape", "id", "other_id", "most", "sort"))


def nearest(options: argparse.Namespace) -> None:
    """Find the nearest, and say how many rows the answer has."""
    if options.other is None and len(options.more) == 1:
        options.other, options.out, options.more = options.out, options.more[0], []
    if options.other is None:
        raise Refusal("--other FILE is missing: the shapes of which the nearest are told")
    _answer("nearest", options, "row", ("other", "k", "within", "shape", "other_shape", "id", "other_id"))


def encounters(options: argparse.Namespace) -> None:
    """Find encounters, and say how many there are."""
    _answer("encounters", options, "encounter", ("within", "shape", "id", "longest_gap"))


def _answer(name: str, options: argparse.Namespace, row: str, own: tuple[str, ...]) -> None:
    """Ask a question of tables by the words that were typed, and say how many rows its answer has."""
    if options.more:
        taken = "; --other FILE names the second table" if name != "encounters" else ""
        raise Refusal(f"it takes IN and OUT, and {options.more[-1]!r} is a third{taken}")
    need(f"carom {name}", "dask", "pandas", "pyarrow", extra="tables")
    from carom import tables

    client = _client(options.scheduler)
    bar = Bar()
    words = {word: getattr(options, word) for word in (*own, "out", "on_bad", "spill", "memory")}
    for word in ("shape", "other_shape"):
        if word in words:
            words[word] = _names(words[word])
    sources = [options.source, words.pop("other")] if name == "nearest" else [options.source]
    try:
        done = getattr(tables, name)(*sources, columns=_names(options.columns) or (), progress=bar, **words)
    except KeyboardInterrupt:
        bar.close()
        print(f"carom {name}: stopped; the same command goes on from here", file=sys.stderr)
        raise
    except REFUSED as refusal:
        bar.close()
        raise Refusal(str(refusal)) from None
    finally:
        if client is not None:
            client.close()
    bar.close()
    left_out = f", {_count(done.bad_count, 'bad row')} left out" if done.bad_count else ""
    repaired = f", {_count(done.repaired, 'row')} repaired" if done.repaired else ""
    shapeless = f", {_count(done.missing, 'row')} without a shape" if done.missing else ""
    print(f"{_count(done.pairs, row)} in {done.path}{left_out}{repaired}{shapeless}")
    for bad in done.bad[:10]:
        print(f"   {bad}")
    if done.bad_file is not None:
        print(f"   all of them in {done.bad_file}")


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
