"""The error of a package that is not installed: which one, for what, and the extra that brings it.

In: a purpose, a package and, if one brings it, an extra of Carom. Out: an error.
"""

from __future__ import annotations

from importlib import import_module


def missing(purpose: str, package: str, extra: str, instead: str = "") -> ModuleNotFoundError:
    """Return the error of a package that is needed for a purpose, with another way out, if there is one."""
    remedy = f'in a clone of Carom: pip install -e ".[{extra}]"{instead}; docs/installing.md has the other ways'
    return ModuleNotFoundError(f"{purpose} needs {package}, of the extra `{extra}`; install it {remedy}", name=package)


def need(purpose: str, package: str) -> None:
    """Raise the error of a package that no extra brings, unless it is installed."""
    try:
        import_module(package)
    except ModuleNotFoundError as absent:
        if absent.name != package:
            raise
        raise ModuleNotFoundError(f"{purpose} needs {package}: pip install {package}", name=package) from None
