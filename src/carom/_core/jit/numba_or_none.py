"""Numba where it is installed, else None; whether kernels are compiled; the package that they belong to."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

numba: Any = None  # some versions of Numba have types and some have none: here it is always untyped
try:
    numba = importlib.import_module("numba")
except ModuleNotFoundError as missing:
    if missing.name != "numba":
        raise

PACKAGE = Path(__file__).parents[2]
NAME = str(__package__).partition(".")[0]


def is_compiled() -> bool:
    """Tell whether kernels are compiled, or run as plain Python."""
    return numba is not None and not numba.config.DISABLE_JIT
