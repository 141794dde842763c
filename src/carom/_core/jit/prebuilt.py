"""The kernels that were compiled before the user had them, where this install brings them and they are wanted.

In: the extension `_kernels` beside the package's `__init__`, and the environment variable CAROM_KERNELS. Out: the
extension, or None. A checkout compares the keys of the subpackages first, so that an edit of the sources counts; an
installed wheel does not, since nobody edits that and reading all sources would take longer than the rest of the import.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, NoReturn

from . import subpackages
from .subpackages import NAME, PACKAGE

WISHES = ("prebuilt", "jit", "plain")


def refuse(error: Exception) -> NoReturn:
    """Raise the error of a wish that cannot be met; where the package is the command that runs, end with its line.

    No code of the command itself has run yet, so that it could not do so.
    """
    name, _ = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))
    if name == NAME or (name == "-m" and NAME in sys.orig_argv):
        print(f"{NAME}: {error}", file=sys.stderr)
        raise SystemExit(2)
    raise error


def _wish() -> str:
    """Return the kernels that the environment forces; "" if it leaves the choice."""
    wish = os.environ.get("CAROM_KERNELS", "")
    if wish and wish not in WISHES:
        refuse(ValueError(f"CAROM_KERNELS = {wish!r} must be one of {', '.join(WISHES)}, or not be set"))
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
            refuse(ImportError(f"CAROM_KERNELS=prebuilt: {missing}"))
        return None
    stale = _stale(found.SUBPACKAGES) if is_checkout() else []
    if stale and wish == "prebuilt":
        refuse(
            ImportError(f"CAROM_KERNELS=prebuilt: the sources of {', '.join(stale)} have changed; run `make prebuilt`")
        )
    return None if stale else found


def is_checkout() -> bool:
    """Tell whether the package lies in a checkout, whose sources may be edited, or is installed."""
    return os.path.exists(os.path.join(PACKAGE, "..", "..", "pyproject.toml"))


def to_install(extra: str) -> str:
    """Return the command that brings the packages of an extra to a checkout, or to an installed package."""
    return f'pip install -e ".[{extra}]"' if is_checkout() else f'pip install "{NAME}[{extra}]"'


def _stale(keys: dict[str, str]) -> list[str]:
    return [name for name, key in keys.items() if not subpackages.is_known(name) or subpackages.key(name) != key]


wish = _wish()
extension: Any = _load()
