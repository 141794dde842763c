"""How numbers are written for reading: enough digits to tell them apart, and none that is only rounding.

In: numbers, and the scale of the pair they belong to. Out: text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from carom.vector import Point2

DIGITS = 6
MOST_DIGITS = 17  # tell any two floats apart
VANISHING = 1e-300  # a separation whose sign is known and whose size is lost in rounding is smaller
LEAST_PLAIN = 1e-7
ROUNDING = 2.0**-46  # of the largest number of a pair: a difference below it may be rounding alone


def show(number: float, digits: int = DIGITS) -> str:
    """Return a number with so many digits, whole ones with all, small ones without an exponent as far as one reads."""
    if 0.0 < abs(number) < VANISHING:
        return "> 0" if number > 0.0 else "< 0"
    if 10.0 ** (digits - 1) <= abs(number) < 1e15:
        return f"{number:.0f}"
    if LEAST_PLAIN <= abs(number) < 1e-4:
        decimals = digits - 1 - math.floor(math.log10(abs(number)))
        return f"{number:.{decimals}f}".rstrip("0")
    return f"{number + 0.0:.{digits}g}"


def show_vector(vector: Point2, digits: int = DIGITS) -> str:
    """Return a vector as text, each coordinate with so many digits."""
    return f"({show(vector[0], digits)}, {show(vector[1], digits)})"


def show_point(point: Point2, size: float, digits: int = DIGITS) -> str:
    """Return a point as text, each coordinate with as many digits as a size in it needs."""
    x, y = (show(value, digits_for(abs(value), size, digits)) for value in point)
    return f"({x}, {y})"


def show_direction(vector: Point2, digits: int = DIGITS) -> str:
    """Return a unit vector as text; a coordinate that is only rounding is 0."""
    x, y = (round(value, digits) + 0.0 for value in vector)
    return f"({x:.{digits}g}, {y:.{digits}g})"


def show_gap(gap: float, digits: int = DIGITS) -> str:
    """Return a signed gap in words."""
    return f"gap {show(gap, digits)}" if gap >= 0.0 else f"overlap {show(-gap, digits)}"


def without_rounding(number: float, largest: float) -> float:
    """Return a number, or 0 where it may be the rounding of numbers so large."""
    return 0.0 if abs(number) <= ROUNDING * abs(largest) else number


def digits_for(largest: float, size: float, digits: int = DIGITS) -> int:
    """Return how many digits numbers up to the largest need to show a size within two digits fewer."""
    if not (largest > size > 0.0):
        return digits
    return max(digits, min(MOST_DIGITS, digits - 2 + math.ceil(math.log10(largest) - math.log10(size))))


def show_alike(numbers: Sequence[float], digits: int = 4) -> list[str]:
    """Return numbers that are added up, all with the decimals that the smallest needs; as they are if too many."""
    sizes = [abs(number) for number in numbers if number != 0.0]
    if not sizes:
        return ["0"] * len(numbers)
    largest, least = (math.floor(math.log10(size)) for size in (max(sizes), min(sizes)))
    decimals = max(digits - 1 - largest, min(digits - 2 - least, 12 - largest), 0)
    if largest > 9 or decimals > 15:
        return [show(number, digits_for(max(sizes), min(sizes), digits)) for number in numbers]
    written = (f"{round(number, decimals) + 0.0:.{decimals}f}" for number in numbers)
    return [text.rstrip("0").rstrip(".") if "." in text else text for text in written]
