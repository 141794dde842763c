"""Tasks on Dask's scheduler, with word of how many are done.

In: delayed tasks. Out: their results, in order. With an open `distributed` Client they run there, else by Dask's own
threads, or the scheduler that Dask is set to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dask.base import compute
from dask.callbacks import Callback
from dask.delayed import delayed

Told = Callable[[str, int, int], None]
"""Called with the stage, how many of its tasks are done, and how many there are."""


def run_left(
    function: Callable[..., Any], given: Sequence[Sequence[Any]], paths: Sequence[Path], told: Told | None, stage: str
) -> None:
    """Make the files that are not there by a function, which is given the path after what is given for it."""
    make = delayed(function, pure=False)
    tasks = [make(*some, path) for some, path in zip(given, paths, strict=True) if not path.exists()]
    run_all(tasks, told, stage)


def run_all(tasks: Sequence[Any], told: Told | None, stage: str) -> list[Any]:
    """Run tasks that do not depend on each other."""
    if not tasks:
        return []
    client, done = open_client(), 0
    if told is not None:
        told(stage, 0, len(tasks))
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
