"""Names for the array types that the kernels take and give."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""A contiguous run of float64."""

Integers = NDArray[np.int64]
"""A contiguous run of int64: counts, places, row numbers."""

Booleans = NDArray[np.bool_]
"""A contiguous run of bool."""
