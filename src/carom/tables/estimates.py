"""How many pairs a join will have, about, before it is begun.

In: some of the boxes of one source or two, and how many rows these have. Out: an estimate, from the pairs of boxes
among those, or the refusal of an answer that would take hours or fill the disk. A few thousand boxes tell that of a
crowd; of shapes that crowd less, more of them are counted.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from carom import bounds_pairs
from carom.tables.arrays import Floats

FEW = 2**12
"""Boxes of each source that are counted first."""
COUNTED = 2**22
"""Pairs of boxes that are counted at most."""
SURE = 100
"""Pairs below which an estimate is none."""
MOST = 2**32
"""Pairs of an answer that nobody has to allow: they take about an hour."""
WORTH = 2**30
"""Bytes below which an answer is begun in any case: a run that a full disk stops goes on."""
NAME_BYTES, NUMBER_BYTES = 8, 8
"""Bytes of an answer that a name and a number take, about."""


def most_pairs(rows: Sequence[int]) -> int:
    """Return how many pairs there are of the rows of one source, or of two."""
    return rows[0] * (rows[0] - 1) // 2 if len(rows) == 1 else rows[0] * rows[1]


def estimate_of(samples: Sequence[Floats], rows: Sequence[int], within: float) -> int:
    """Return how many pairs of boxes there are, about; 0 where they are too few to tell."""
    rng = np.random.default_rng(0)
    found, least = _scaled(samples, rows, within, FEW, rng)
    if least >= SURE:
        return found
    most = max(len(sample) for sample in samples)
    if found * (most / max(1, *rows)) ** 2 <= COUNTED:
        found, least = _scaled(samples, rows, within, most, rng)
    return found if least >= SURE else 0


def _scaled(
    samples: Sequence[Floats], rows: Sequence[int], within: float, most: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Return the estimate from so many boxes of each source, and how many pairs these have."""
    some = [
        sample if len(sample) <= most else sample[rng.choice(len(sample), most, replace=False)] for sample in samples
    ]
    if not all(map(len, some)):
        return 0, 0
    around = 0.5 * within * np.array([-1.0, -1.0, 1.0, 1.0])
    grown = [one + around for one in some]
    count = len(bounds_pairs(*grown))
    m, n = len(some[0]), rows[0]
    if len(some) == 1:
        return int(count * (n * (n - 1)) / max(1, m * (m - 1))), count
    return int(count * (n / m) * (rows[1] / len(some[1]))), count


def refuse_large(where: str, pairs: int, columns: Sequence[str], most: int | None, folder: Path | None) -> None:
    """Refuse an answer of so many pairs, about, which nobody has allowed, or for which the disk has no room."""
    allowed = f"most={10 ** len(str(pairs)):_}"
    if pairs > (MOST if most is None else most):
        raise ValueError(
            f"{where}: the answer has about {pairs:,} pairs, as the boxes of some rows tell; {allowed} allows it; else "
            "ask for smaller shapes, a smaller distance within=, or fewer rows"
        )
    if folder is None or most is not None:
        return
    width = {"depth": 1, "normal": 2, "points": 5}
    refuse_full(where, pairs, sum(width[name] for name in columns), folder, f", or allow it: {allowed}")


def refuse_full(where: str, rows: int, numbers: int, folder: Path, remedy: str = "") -> None:
    """Refuse an answer of so many rows, about, with so many numbers in each, for which the disk has no room."""
    size = rows * (2 * NAME_BYTES + NUMBER_BYTES * numbers)
    folder = next(one for one in (folder, *folder.parents) if one.exists())
    free = shutil.disk_usage(folder).free
    if size > max(free, WORTH):
        raise OSError(
            f"{where}: the answer has about {rows:,} rows and takes {size / 2**30:,.1f} GiB, where "
            f"{free / 2**30:,.1f} GiB are free; name an out= elsewhere, or ask for fewer columns={remedy}"
        )
