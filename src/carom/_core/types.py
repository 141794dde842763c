"""Names for the array types that the kernels take and give."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""A contiguous run of float64."""

Integers = NDArray[np.int64]
"""A contiguous run of int64: counts, places, row numbers."""

Rows32 = NDArray[np.int32]
"""A contiguous run of int32: row numbers, and places in sets of fewer than 2**31 rows."""

Booleans = NDArray[np.bool_]
"""A contiguous run of bool."""

Strings = NDArray[np.str_]
"""A run of strings: words out of a short list."""

Columns = NDArray[np.float64]
"""(k, n): each number of a set of one kind in a contiguous run."""

Sides = NDArray[np.int8]
"""(n,): -1 overlap, 0 touch, 1 apart, or a mark that the answer is undecided."""

Marks = NDArray[np.int8]
"""A contiguous run of small whole numbers, each the mark of something."""

Bytes = NDArray[np.uint8]
"""A contiguous run of bytes."""
