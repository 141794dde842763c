from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carom import _threads


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("rows", [0, 1, _threads.LEAST_ROWS, 3 * _threads.LEAST_ROWS + 5, 10 * _threads.LEAST_ROWS])
def test_every_row_is_worked_on_once(threads: int, rows: int) -> None:
    times = np.zeros(rows, dtype=np.int64)
    parts = []

    def work(begin: int, end: int) -> None:
        parts.append((begin, end))
        times[begin:end] += 1

    _threads.in_parts(threads, rows, work)
    assert (times == 1).all()
    assert 1 <= len(parts) <= threads


def test_an_error_in_a_part_reaches_the_caller() -> None:
    def work(begin: int, end: int) -> None:
        if begin:
            raise RuntimeError("the second half")

    with pytest.raises(RuntimeError, match="the second half"):
        _threads.in_parts(2, 4 * _threads.LEAST_ROWS, work)


@pytest.mark.parametrize(
    ("threads", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError), ("2", TypeError)]
)
def test_threads_must_be_a_positive_whole_number(threads: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="intersects: threads"):
        _threads.checked("intersects", threads)
