"""A kernel that returns an array, which a prebuilt one cannot; it is never compiled."""

from __future__ import annotations

import numpy as np

from carom._core.jit import kernel
from carom._core.types import Floats


@kernel
def doubled(values: Floats) -> Floats:
    """Return new numbers."""
    out = np.empty(len(values))
    for k in range(len(values)):
        out[k] = 2.0 * values[k]
    return out
