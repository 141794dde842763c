"""The folder of an answer: it is there when it is whole, and a run that was stopped goes on when it is repeated.

In: the folder that the user names, or none; a call, which tells its question, cuts its work, and makes the files. Out:
what was done, or a Dask frame. The files of ``out`` grow in ``out.unfinished``, beside a file that tells the question
and how the work was cut; the rows that are set aside lie there, too, or where `spill` says. One run at a time works
there; a run of another question is refused. The names of the files tell the plan that they are of, so that a task of an
earlier run that ends late adds none to the answer; and the finished folder lists its files, so that one that is lost is
missed. Without a folder the files lie in one of the system's, until the last frame of them is gone.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.bad_rows import BAD, BAD_FILE, BadRow, gather_bad
from carom.tables.folder_lock import held
from carom.tables.sources import Source
from carom.tables.spill import PART, whole

UNFINISHED = ".unfinished"
"""The end of the name of a folder whose answer is not whole."""
PLAN = "_plan.json"
"""The file beside an answer that tells which question it answers."""
SOURCES = "sources"
"""The folder for sources that can be read only once."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
SHOWN = 10
"""Bad rows that a warning lists."""


class Left(NamedTuple):
    """The rows that are in no pair: bad ones, the first of them, how many, and how many have no shape.

    And how many have been repaired.
    """

    bad: tuple[BadRow, ...] = ()
    bad_count: int = 0
    missing: int = 0
    repaired: int = 0

    @classmethod
    def of(cls, kept: Sequence[Any]) -> Left:
        """Return it from JSON."""
        bad, *counts = kept
        return cls(tuple(BadRow(*row) for row in bad), *counts)


class Joined(NamedTuple):
    """The result of a call that wrote files.

    Attributes
    ----------
    path : Path
        The folder of Parquet files.
    pairs : int
        How many rows the answer has.
    bad : tuple of BadRow
        The bad rows that were left out, the first thousand of them.
    bad_count : int
        How many were left out.
    missing : int
        How many rows had no shape.
    repaired : int
        How many had a geometry that was made valid.
    bad_file : Path or None
        The CSV file of all bad and repaired rows, if there are any: the place of a row in the source and in its file,
        its name, and what is wrong.
    columns, other_columns : tuple of str
        The columns that were read as shapes, or as points or tracks: of the first source, and of the second.
    """

    path: Path
    pairs: int
    bad: tuple[BadRow, ...]
    bad_count: int
    missing: int
    repaired: int = 0
    bad_file: Path | None = None
    columns: tuple[str, ...] = ()
    other_columns: tuple[str, ...] = ()


class Answer(NamedTuple):
    """The files of an answer, and the rows that were left out of it."""

    paths: list[Path]
    left: Left


class Room(NamedTuple):
    """Where a run works: a folder for what is set aside, one for the answer, and the mark of the plan in its files."""

    aside: Path
    out: Path
    mark: str

    def files(self, kind: str, count: int) -> list[Path]:
        """Return the paths of so many files of the answer."""
        return [self.out / f"{kind}-{self.mark}-{k:06d}.parquet" for k in range(count)]


class Call(NamedTuple):
    """A call whose sources are known: question and plan in JSON, so that they can be kept."""

    sources: Sequence[Source]
    question: dict[str, Any]
    plan: Callable[[Path], dict[str, Any]]
    """Cuts the work; bad rows go to a folder."""
    make: Callable[[dict[str, Any], Room], Answer]
    """Makes the files of the answer that are not there, from a plan."""


def answered(where: str, out: Any, spill: Any, ask: Callable[[Path], Call]) -> Any:
    """Return what was done, or a frame; `ask` is given a folder for sources that can be read only once."""
    if out is None:
        return _frame(where, spill, ask)
    folder = Path(out)
    work = folder.with_name(folder.name + UNFINISHED)
    try:
        with held(where, folder, work.with_name(f"{work.name}.lock")):
            return _answered(where, folder, work, spill, ask)
    except OSError as error:
        if error.errno not in FULL:
            raise
        told = f"{where}: the disk is full ({error.strerror}); the same call goes on from what is finished in {work}"
        raise OSError(error.errno, told) from error


def _answered(where: str, folder: Path, work: Path, spill: Any, ask: Callable[[Path], Call]) -> Joined:
    """Return what was done, by the one run that holds the folder."""
    there = folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))
    if there:
        _kept(where, folder)
    _begin(where, work)
    try:
        call = ask(work / SOURCES)
        if there:
            kept = _same(where, folder, call)
            _refuse_partial(where, folder, kept)
            return _finished(folder, kept, call)
        if _kept(where, work):
            kept = _same(where, work, call)
        else:
            shutil.rmtree(work / BAD, ignore_errors=True)
            kept = {"question": call.question, "plan": call.plan(work / BAD)}
        _keep(work, kept)
    finally:
        if not _kept(where, work):
            shutil.rmtree(work, ignore_errors=True)
    known = json.dumps([str(work.resolve()), kept["question"], kept["plan"]])
    mark = hashlib.blake2b(known.encode(), digest_size=8).hexdigest()
    aside = (Path(spill) if spill is not None else work) / f"aside-{mark}"
    try:
        aside.mkdir(parents=True, exist_ok=True)
        answer = call.make(kept["plan"], Room(aside, work, mark[:8]))
        for source in call.sources:
            source.refuse_changed(where)
    except (ValueError, TypeError):
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(work, ignore_errors=True)
        raise
    files = {path.name: [pq.read_metadata(path).num_rows, path.stat().st_size] for path in answer.paths}
    gather_bad(work)
    _keep(work, kept := {**kept, "left": answer.left, "files": files})
    for some in (aside, work / BAD):
        shutil.rmtree(some, ignore_errors=True)
    _clear(work)
    for path in work.glob("*.parquet"):
        if path.name not in files:
            path.unlink()
    if folder.exists():
        folder.rmdir()
    os.replace(work, folder)
    return _finished(folder, kept, call)


def _begin(where: str, work: Path) -> None:
    """Make the folder of a run, or clear that of an earlier one of what it left undone."""
    work.mkdir(parents=True, exist_ok=True)
    if not any(work.iterdir()):
        _keep(work, {})
    _kept(where, work)
    _clear(work)


def _clear(work: Path) -> None:
    shutil.rmtree(work / SOURCES, ignore_errors=True)
    for part in work.glob(f"*{PART}"):
        part.unlink(missing_ok=True)


def _finished(folder: Path, kept: dict[str, Any], call: Call) -> Joined:
    pairs = sum(rows for rows, _ in kept["files"].values())
    columns = [source.layout.columns if source.columns else () for source in call.sources]
    listed = folder / BAD_FILE
    return Joined(folder, pairs, *Left.of(kept["left"]), listed if listed.exists() else None, *columns)


def _refuse_partial(where: str, folder: Path, kept: dict[str, Any]) -> None:
    """Refuse a finished answer whose files are not those that were written."""
    files, fault = kept["files"], ""
    there = {path.name for path in folder.glob("*.parquet")}
    for name, (rows, size) in files.items():
        if name not in there:
            fault = f"has lost {name}"
        elif (folder / name).stat().st_size != size or _rows_of(folder / name) != rows:
            fault = f"has another {name} than was written"
        if fault:
            break
    if more := sorted(there - set(files)):
        fault = fault or f"has a file of something else, {more[0]}"
    if fault:
        raise FileExistsError(
            f"{where}: out = {str(folder)!r} is the answer to this call, but {fault}; remove the folder, and ask again"
        )


def _rows_of(path: Path) -> int:
    """Return how many rows a Parquet file has; -1 if it is none."""
    try:
        rows: int = pq.read_metadata(path).num_rows
    except (OSError, pa.ArrowException):
        return -1
    return rows


def _keep(folder: Path, kept: dict[str, Any]) -> None:
    with whole(folder / PLAN) as aside:
        aside.write_text(json.dumps(kept), encoding="utf-8")


def _kept(where: str, folder: Path) -> dict[str, Any]:
    """Return the plan of a folder, empty if none was made yet; a folder of something else is refused."""
    try:
        found: dict[str, Any] = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        if found and not {"question", "plan"} <= set(found):
            raise ValueError
        if found and not ("files" in found or folder.name.endswith(UNFINISHED)):
            raise ValueError  # of an earlier version, which listed no files
    except (OSError, ValueError, TypeError):
        raise FileExistsError(
            f"{where}: out = {str(folder)!r} holds something else; name a folder that is not there"
        ) from None
    return found


def _same(where: str, folder: Path, call: Call) -> dict[str, Any]:
    """Return the plan of a folder; one of another question is refused."""
    kept, question = _kept(where, folder), json.loads(json.dumps(call.question))
    names = dict.fromkeys([*question, *kept["question"]])
    differ = [name for name in names if question.get(name) != kept["question"].get(name)]
    if differ:
        raise FileExistsError(
            f"{where}: out = {str(folder)!r} holds the answer to another plan, since {' and '.join(differ)} differ; "
            "remove it, or name another folder"
        )
    return kept


class Paths(list[list[Path]]):
    """The files that a frame is computed from, which are gone with the last frame that needs them."""

    def __init__(self, paths: Sequence[Sequence[Path]], folder: Path) -> None:
        super().__init__(list(some) for some in paths)
        weakref.finalize(self, shutil.rmtree, folder, True)


def tell_of_bad(where: str, left: Left) -> None:
    """Warn of the rows that a frame lacks, which has no place to list them."""
    if left.bad_count:
        some = "; ".join(map(str, left.bad[:SHOWN]))
        more = f"; and {left.bad_count - SHOWN:,} more" if left.bad_count > SHOWN else ""
        rows = "1 bad row is" if left.bad_count == 1 else f"{left.bad_count:,} bad rows are"
        warnings.warn(f"{where}: {rows} left out: {some}{more}", UserWarning, stacklevel=4)


def _frame(where: str, spill: Any, ask: Callable[[Path], Call]) -> Any:
    """Return the answer as a Dask frame."""
    import dask.dataframe

    frames: Any = dask.dataframe
    work = folder_for_frame(where, spill)
    try:
        call = ask(work / SOURCES)
        aside, answer = work / "aside", work / "answer"
        aside.mkdir()
        answer.mkdir()
        found = call.make(call.plan(work / BAD), Room(aside, answer, "all"))
        for source in call.sources:
            source.refuse_changed(where)
        tell_of_bad(where, found.left)
        shutil.rmtree(aside)
        empty = pq.read_schema(found.paths[0]).empty_table().to_pandas()
        paths = Paths([found.paths], work)
        return frames.from_map(_frame_of_part, range(len(found.paths)), paths=paths, meta=empty)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def folder_for_frame(where: str, spill: Any) -> Path:
    """Return a folder of its own for the files of a frame."""
    if spill is not None:
        Path(spill).mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"carom-{where}-", dir=spill))


def _frame_of_part(number: int, paths: Paths) -> Any:
    return pq.read_table(paths[0][number]).to_pandas()
