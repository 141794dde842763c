"""Tasks on Dask's scheduler, with word of how many are done.

In: a function, and what it is given in each task. Out: the results, in order. With an open `distributed` Client they
run there, else by Dask's own threads, or the scheduler that Dask is set to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from dask.base import compute
from dask.callbacks import Callback
from dask.delayed import delayed

Told = Callable[[str, int, int], None]
"""Called with the stage, how many of its tasks are done, and how many there are."""


def run_left(
    function: Callable[..., Any], given: Sequence[Sequence[Any]], paths: Sequence[Path], told: Told | None, stage: str
) -> None:
    """Make the files that are not there by a function, which is given the path after what is given for it."""
    left = [(*some, path) for some, path in zip(given, paths, strict=True) if not path.exists()]
    run_all(function, left, told, stage)


def run_all(function: Callable[..., Any], given: Sequence[Sequence[Any]], told: Told | None, stage: str) -> list[Any]:
    """Return what a function makes of each that is given; work begins in that order."""
    if not given:
        return []
    client, done = open_client(), 0
    if told is not None:
        told(stage, 0, len(given))
    if client is None and len(given) == 1:  # Dask's scheduler would take longer than a small task
        found = [function(*given[0])]
        if told is not None:
            told(stage, 1, 1)
        return found
    make, run = delayed(function, pure=False), uuid4().hex
    # Of tasks that do not depend on each other, Dask begins with the one whose name is the last.
    names = [f"{stage}-{len(given) - k:09d}-{run}" for k in range(len(given))]
    tasks = [make(*some, dask_key_name=name) for some, name in zip(given, names, strict=True)]
    if client is not None:
        import distributed

        futures = client.compute(list(tasks))
        for _ in distributed.as_completed(futures):
            done += 1
            if told is not None:
                told(stage, done, len(tasks))
        return list(client.gather(futures))

    def finished(*_: Any) -> None:
        nonlocal done
        done += 1
        if told is not None and done <= len(tasks):
            told(stage, done, len(tasks))

    with Callback(posttask=finished):
        return list(compute(*tasks, optimize_graph=False))


def open_client() -> Any:
    """Return the open client of `distributed`, if there is one."""
    import sys

    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None
