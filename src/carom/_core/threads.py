"""A long loop over rows, shared among threads: kernels release Python's lock, so that parts of it run at once.

In: how many threads, how many rows, and the work to do for the rows from `begin` up to `end`. Every row is answered by
the same kernel, alone, so the answers do not depend on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
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
    if parts == 1:
        work(0, rows)
        return
    edges = [rows * k // parts for k in range(parts + 1)]
    from concurrent.futures import ThreadPoolExecutor  # most programs never ask for a second thread

    with ThreadPoolExecutor(parts) as pool:
        running = [pool.submit(partial(work, begin, end)) for begin, end in pairwise(edges)]
    for part in running:
        part.result()
