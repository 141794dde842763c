"""Names for the types of arrays.

In: nothing. Out: the names that annotations use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Rows32 = NDArray[np.int32]
Booleans = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
