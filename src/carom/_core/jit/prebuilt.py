"""The kernels that were compiled before the user had them, where this install brings them and they are wanted.

In: the extension `_kernels` beside the package's `__init__`, and the environment variable CAROM_KERNELS. Out: the
extension, or None. A checkout compares the keys of the subpackages first, so that an edit of the sources counts; an
installed wheel does not, since nobody edits that and reading all sources would take longer than the rest of the import.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from . import subpackages
from .subpackages import NAME, PACKAGE

WISHES = ("prebuilt", "jit", "plain")


def _wish() -> str:
    """Return the kernels that the environment forces; "" if it leaves the choice."""
    wish = os.environ.get("CAROM_KERNELS", "")
    if wish and wish not in WISHES:
        raise ValueError(f"CAROM_KERNELS = {wish!r} must be one of {', '.join(WISHES)}, or not be set")
    if not wish and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "plain"
    return wish


def _load() -> Any:
    if wish not in ("", "prebuilt"):
        return None
    try:
        found = importlib.import_module(f"{NAME}._kernels")
    except ImportError as missing:  # not there, or for another processor, system or NumPy
        if wish == "prebuilt":
            raise ImportError(f"CAROM_KERNELS=prebuilt: {missing}") from missing
        return None
    stale = _stale(found.SUBPACKAGES) if is_checkout() else []
    if stale and wish == "prebuilt":
        raise ImportError(
            f"CAROM_KERNELS=prebuilt: the sources of {', '.join(stale)} have changed; run `make prebuilt`"
        )
    return None if stale else found


def is_checkout() -> bool:
    """Tell whether the package lies in a checkout, whose sources may be edited, or is installed."""
    return os.path.exists(os.path.join(PACKAGE, "..", "..", "pyproject.toml"))


def _stale(keys: dict[str, str]) -> list[str]:
    return [name for name, key in keys.items() if not subpackages.is_known(name) or subpackages.key(name) != key]


wish = _wish()
extension: Any = _load()
