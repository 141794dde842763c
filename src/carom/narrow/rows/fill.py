"""Writes the answers of many rows: from the columns of two sets where a closed form serves, else from their records.

In: the records of two sets, their closed form if they have one, and a loop for each case. Out: the columns that the
caller gives, filled. Rows that a closed form leaves, since rounding hides what is nearest, are answered from records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from carom._core.threads import in_parts
from carom._core.types import Booleans
from carom.narrow.dispatch import Rows
from carom.narrow.kinds import Asked, SetForm


def fill(
    pairs: Rows,
    threads: int,
    form: SetForm | None,
    of_columns: Callable[[Asked, int, Booleans, Any], None] | None,
    of_records: Callable[..., None],
    out: Sequence[Any],
) -> None:
    """Write the columns `out`.

    `of_columns` takes the form, the row to begin with, which rows it leaves (to be written), and what to write;
    `of_records` the records, row by row, and what to write.
    """
    n = pairs.starts_a.size
    if form is None or of_columns is None:
        in_parts(threads, n, lambda begin, end: of_records(*pairs.part(begin, end), _part(out, begin, end)))
        return
    left = np.empty(n, dtype=np.bool_)
    asked: Any = tuple(form)
    in_parts(threads, n, lambda begin, end: of_columns(asked, begin, left[begin:end], _part(out, begin, end)))
    rest = np.flatnonzero(left)
    if rest.size:
        found = tuple(np.empty((rest.size, *column.shape[1:]), dtype=column.dtype) for column in out)
        of_records(pairs.a, pairs.starts_a[rest], pairs.b, pairs.starts_b[rest], found)
        for column, values in zip(out, found, strict=True):
            column[rest] = values


def _part(columns: Sequence[Any], begin: int, end: int) -> tuple[Any, ...]:
    return tuple(column[begin:end] for column in columns)
