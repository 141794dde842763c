"""Where an answer goes that is made in one run: a folder that appears when it is whole, or a Dask frame.

In: the folder that the user names, or none, and what makes the answer. Out: what was done, or the frame. Meanwhile all
files stand in a folder of their own, beside the answer's or where `spill` says, and it is gone afterwards.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from carom.tables.plans import BadRow
from carom.tables.runs import Joined, Paths


class Answer(NamedTuple):
    """The files of an answer, and the rows that were left out of it."""

    paths: list[Path]
    bad: tuple[BadRow, ...]
    bad_count: int


def answered(where: str, out: Any, spill: Any, make: Callable[[Path, Path], Answer]) -> Any:
    """Return what `make` makes, which is given a folder for what is set aside and one for the answer."""
    folder = Path(out) if out is not None else None
    if folder is not None and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(f"{where}: out = {str(folder)!r} is there already; remove it, or name another folder")
    beside = Path(spill) if spill is not None else (folder.parent if folder is not None else None)
    if beside is not None:
        beside.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f"carom-{where}-", dir=beside))
    kept = False
    try:
        aside, answer = work / "aside", work / "answer"
        aside.mkdir()
        answer.mkdir()
        found = make(aside, answer)
        if folder is None:
            shutil.rmtree(aside)
            kept = True
            return _as_frame(found.paths, work)
        if folder.exists():
            folder.rmdir()
        shutil.move(os.fspath(answer), os.fspath(folder))
        pairs = sum(pq.read_metadata(folder / path.name).num_rows for path in found.paths)
        return Joined(folder, pairs, found.bad, found.bad_count)
    finally:
        if not kept:
            shutil.rmtree(work, ignore_errors=True)


def _as_frame(files: Sequence[Path], work: Path) -> Any:
    """Return the answer as a Dask frame; its files are gone with the last frame that needs them."""
    import dask.dataframe

    frames: Any = dask.dataframe
    paths = Paths([list(files)])
    weakref.finalize(paths, shutil.rmtree, work, True)
    empty = pq.read_schema(files[0]).empty_table().to_pandas()
    return frames.from_map(_frame_of_part, range(len(files)), paths=paths, meta=empty)


def _frame_of_part(number: int, paths: Paths) -> Any:
    return pq.read_table(paths[0][number]).to_pandas()
