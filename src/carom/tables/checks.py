"""The values that a call of tables is given, checked.

In: the caller, the name of an argument and its value. Out: the value as it is used, or a TypeError or ValueError that
names all of these, and what was expected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, NoReturn

import numpy as np

from carom.tolerances import LARGEST

_short = Repr()
_short.maxstring = _short.maxlong = _short.maxother = 60


def refuse(error: type[Exception], where: str, name: str, value: Any, expected: str) -> NoReturn:
    """Raise an error of a value."""
    value = value.item() if isinstance(value, np.generic) else value
    shown = repr(value) if isinstance(value, (int, float)) and len(repr(value)) < 80 else _short.repr(value)
    raise error(f"{where}: {name} = {' '.join(shown.split())} {expected}") from None


def refuse_type(where: str, name: str, value: Any, expected: str) -> NoReturn:
    """Raise the TypeError of a value that is not of the kind that was expected."""
    refuse(TypeError, where, name, value, f"{expected}, not {type(value).__name__}")


def distance(where: str, name: str, value: Any, *, endless: bool = False) -> float:
    """Return a number that is not negative; it may be infinite where that is said."""
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, Real):
        refuse_type(where, name, value, "must be a number")
    try:
        found = float(value)
    except OverflowError:  # a whole number beyond all floats
        found = value = math.inf
    if found < 0.0:
        refuse(ValueError, where, name, value, "must not be negative")
    if endless and found == math.inf:
        return found
    if not math.isfinite(found):
        refuse(ValueError, where, name, value, "must be finite")
    if found > LARGEST:
        refuse(ValueError, where, name, value, f"must be at most {LARGEST:g} in magnitude")
    return found + 0.0


def count(where: str, name: str, value: Any) -> int:
    """Return a whole number of at least 1."""
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, Integral):
        refuse_type(where, name, value, "must be a whole number")
    if value < 1:
        refuse(ValueError, where, name, value, "must be at least 1")
    return int(value)


def one_of(where: str, name: str, value: Any, names: Sequence[str]) -> str:
    """Return a value that is one of some names."""
    if not isinstance(value, str):
        refuse_type(where, name, value, f"must be one of {', '.join(names)}")
    if value not in names:
        refuse(ValueError, where, name, value, f"must be one of {', '.join(names)}")
    return value


def truth(where: str, name: str, value: Any) -> bool:
    """Return True or False."""
    if not isinstance(value, (bool, np.bool_)):
        refuse_type(where, name, value, "must be True or False")
    return bool(value)
