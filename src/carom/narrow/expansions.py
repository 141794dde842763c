"""Numbers without rounding: expansions kept in one scratch buffer.

An expansion is a sum of float64 whose bits do not overlap, smallest first and zeros left out, so its sign is that of
its last term. It lies in the buffer at a place: there the number of terms, then the terms. Nothing is allocated.
Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997).
"""

from __future__ import annotations

from carom._jit import inner, kernel
from carom._typing import Floats
from carom.arithmetic import two_product, two_sum


@kernel
def add_term(h: Floats, place: int, value: float) -> None:
    """Add one float64 to the expansion at `place`."""
    kept = place
    for k in range(place + 1, place + 1 + int(h[place])):
        value, error = two_sum(value, h[k])
        if error != 0.0:
            kept += 1
            h[kept] = error
    if value != 0.0:
        kept += 1
        h[kept] = value
    h[place] = float(kept - place)


@kernel
def add_product(h: Floats, place: int, f: int, g: int, factor: float) -> None:
    """Add factor * (expansion at f) * (expansion at g) to the expansion at `place`; the factor is a power of two."""
    for m in range(f + 1, f + 1 + int(h[f])):
        for k in range(g + 1, g + 1 + int(h[g])):
            product, error = two_product(factor * h[m], h[k])
            add_term(h, place, error)
            add_term(h, place, product)


@kernel
def add_multiple(h: Floats, place: int, f: int, factor: float) -> None:
    """Add factor * (expansion at f) to the expansion at `place`; the factor is a power of two."""
    for m in range(f + 1, f + 1 + int(h[f])):
        add_term(h, place, factor * h[m])


@kernel
def set_sum(h: Floats, place: int, a: float, b: float, c: float, d: float) -> None:
    """Set the expansion at `place` to a + b + c + d."""
    h[place] = 0.0
    add_term(h, place, a)
    add_term(h, place, b)
    add_term(h, place, c)
    add_term(h, place, d)


@inner
def sign_of(h: Floats, place: int) -> int:
    """Return the sign of the expansion at `place`: that of its largest term."""
    terms = int(h[place])
    if terms == 0:
        return 0
    return 1 if h[place + terms] > 0.0 else -1
