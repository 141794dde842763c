"""Options and actions of the environments, read or refused in one form: who, which argument, its value, what is wrong.

In: what a user passed. Out: the value in the type that the environments want, or a ValueError or TypeError.
"""

from __future__ import annotations

import math
import reprlib
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np

WHERE = "Breakout-v0"


def refuse(error: type[Exception], name: str, value: Any, expected: str) -> NoReturn:
    """Raise the error of an argument."""
    shown = " ".join(reprlib.repr(value.item() if isinstance(value, np.generic) else value).split())
    raise error(f"{WHERE}: {name} = {shown} {expected}") from None


def read_number(name: str, value: Any) -> float:
    """Return a finite number as a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        refuse(TypeError, name, value, f"must be a number, not {type(value).__name__}")
    if not math.isfinite(value):
        refuse(ValueError, name, value, "must be finite")
    return float(value)


def read_whole(name: str, value: Any) -> int:
    """Return a whole number as an int."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        refuse(TypeError, name, value, f"must be a whole number, not {type(value).__name__}")
    return int(value)


def read_truth(name: str, value: Any) -> bool:
    """Return True or False, NumPy's own included."""
    if not isinstance(value, (bool, np.bool_)):
        refuse(TypeError, name, value, f"must be True or False, not {type(value).__name__}")
    return bool(value)


def read_one_of(name: str, value: Any, names: tuple[str, ...]) -> str:
    """Return one of some words."""
    if not isinstance(value, str):
        refuse(TypeError, name, value, f"must be one of {', '.join(names)}, not {type(value).__name__}")
    if value not in names:
        refuse(ValueError, name, value, f"must be one of {', '.join(names)}")
    return value
