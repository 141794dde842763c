"""Numba, where it is installed and wanted, else None; and which kind of kernels is at work.

Prebuilt kernels come first, then Numba, then plain Python. Numba is not even imported where the kernels are prebuilt.
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from . import prebuilt
from .subpackages import NAME

REMEDY = prebuilt.to_install("jit")

numba: Any = None  # some versions of Numba have types and some have none: here it is always untyped
if prebuilt.extension is None and prebuilt.wish != "plain":
    try:
        numba = importlib.import_module("numba")
    except ModuleNotFoundError as missing:
        if missing.name != "numba":
            raise
        if prebuilt.wish == "jit":
            prebuilt.refuse(ModuleNotFoundError(f"CAROM_KERNELS=jit needs Numba: {REMEDY}", name="numba"))
        warnings.warn(
            f"{NAME} runs as plain Python here, about a hundred times slower: there are no prebuilt kernels for this "
            f"platform, and Numba is not installed. Install it with: {REMEDY}",
            RuntimeWarning,
            stacklevel=2,
        )

KERNELS = "prebuilt" if prebuilt.extension is not None else "plain" if numba is None else "jit"
"""The kind of kernels at work."""


def is_compiled() -> bool:
    """Tell whether kernels are compiled, or run as plain Python."""
    return KERNELS != "plain"
