"""A long loop over rows, shared among threads: kernels release Python's lock, so that parts of it run at once.

In: how many threads, how many rows, and the work to do for the rows from `begin` up to `end`. Every row is answered by
the same kernel, alone, so the answers do not depend on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carom._core import inputs

ONE = 1
"""The default of `threads`; told by identity, which costs a single pair nothing."""

LEAST_ROWS = 4096
"""A part with fewer rows than this costs less than handing it to a thread."""


def checked(where: str, threads: Any) -> int:
    """Return `threads` as an int of at least 1."""
    count = inputs.integer(where, "threads", threads)
    if count < 1:
        inputs.refuse(ValueError, where, "threads", threads, "must be at least 1")
    return count


def in_parts(threads: int, rows: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(begin, end)`` so that all rows are worked on once, in at most `threads` parts at the same time."""
    parts = max(1, min(threads, rows // LEAST_ROWS))
    at_once(parts, lambda part, parts: work(rows * part // parts, rows * (part + 1) // parts))


def at_once(parts: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(part, parts)`` for each part, all at the same time."""
    if parts == 1:
        work(0, 1)
        return
    from concurrent.futures import ThreadPoolExecutor  # most programs never ask for a second thread

    with ThreadPoolExecutor(parts - 1) as pool:
        running = [pool.submit(work, part, parts) for part in range(1, parts)]
        work(0, parts)
    for part in running:
        part.result()
