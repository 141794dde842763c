from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carom._core.threads import LEAST_ROWS, checked, in_parts


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("rows", [0, 1, LEAST_ROWS, 3 * LEAST_ROWS + 5, 10 * LEAST_ROWS])
def test_every_row_is_worked_on_once(threads: int, rows: int) -> None:
    times = np.zeros(rows, dtype=np.int64)
    parts = []

    def work(begin: int, end: int) -> None:
        parts.append((begin, end))
        times[begin:end] += 1

    in_parts(threads, rows, work)
    assert (times == 1).all()
    assert 1 <= len(parts) <= threads


def test_an_error_in_a_part_reaches_the_caller() -> None:
    def work(begin: int, end: int) -> None:
        if begin:
            raise RuntimeError("the second half")

    with pytest.raises(RuntimeError, match="the second half"):
        in_parts(2, 4 * LEAST_ROWS, work)


@pytest.mark.parametrize(
    ("threads", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError), ("2", TypeError)]
)
def test_threads_must_be_a_positive_whole_number(threads: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="intersects: threads"):
        checked("intersects", threads)
