"""Fields of a map file, taken out with their type checked.

In: dictionaries as JSON gives them. Out: numbers, text, lists. A field that is missing or of another type is a
ValueError that names the key and the value; `naming` puts the place in the file in front of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from carom._core import inputs
from carom.tolerances import LARGEST

MOST_CELLS = 2**31  # in one direction: beyond, columns times pixels are no whole numbers any more

FARTHEST, LEAST_CELL = 2.0**40, 2.0**-20  # in pixels; a number of cells is then below 2**61


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Put a place in the file before the text of errors."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def number(node: Mapping[str, Any], key: str, default: float | None = None) -> float:
    """Return a finite number."""
    value = node.get(key)
    value = default if value is None else value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -LARGEST <= value <= LARGEST:
        raise ValueError(f"{key} = {_short(value)} must be a number")
    return float(value) + 0.0


def place(node: Mapping[str, Any], key: str, default: float | None = None) -> float:
    """Return where something lies in a world, in pixels: so near that cells from the origin on can be counted."""
    return _between(node, key, default, (-FARTHEST, FARTHEST), f"must be at most {FARTHEST:g} in magnitude")


def cell(node: Mapping[str, Any], key: str) -> float:
    """Return the size of a cell in pixels."""
    largest = 1.0 / LEAST_CELL
    return _between(node, key, None, (LEAST_CELL, largest), f"must be positive, from {LEAST_CELL:g} to {largest:g}")


def size(node: Mapping[str, Any], key: str, default: float | None = None) -> float:
    """Return a number of 0 or more."""
    return _between(node, key, default, (0.0, LARGEST), "must not be negative")


def _between(
    node: Mapping[str, Any], key: str, default: float | None, ends: tuple[float, float], expected: str
) -> float:
    value = number(node, key, default)
    if not ends[0] <= value <= ends[1]:
        raise ValueError(f"{key} = {value!r} {expected}")
    return value


def whole(node: Mapping[str, Any], key: str, least: int, default: int | None = None, most: int = MOST_CELLS) -> int:
    """Return a whole number of at least `least`."""
    value = node.get(key)
    value = default if value is None else value
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{key} = {_short(value)} must be a whole number of at least {least}")
    return value


def text(node: Mapping[str, Any], key: str, default: str = "") -> str:
    """Return text."""
    value = node.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise ValueError(f"{key} = {_short(value)} must be text")
    return value


def nodes(node: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return a list of objects, empty if the key is missing."""
    value = node.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{key} = {_short(value)} must be a list of objects")
    for place, item in enumerate(value):
        if not isinstance(item, dict):
            raise ValueError(f"{key}[{place}] = {_short(item)} must be an object")
    return value


def _short(value: Any) -> str:
    return inputs.short(value)[:80]
