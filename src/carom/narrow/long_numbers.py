"""Numbers of twice the digits: a float and what was lost when it was rounded, about 32 digits together.

Pairs of floats in, pairs of floats out, no units. Not exact, unlike `expansions`, but fast, with quotients and roots:
off by some 2**-104 of the terms at hand. Source: T. J. Dekker (1971), as in `arithmetic`. Inputs are to be brought near
2**150 by `scale_for`: fourth powers are then finite, and what vanishes is nothing beside the rest.
"""

from __future__ import annotations

import math

from carom._jit import inner
from carom.arithmetic import two_product, two_sum

Long = tuple[float, float]

UNIT_EXPONENT = 150


@inner
def plus(a: Long, b: Long) -> Long:
    """Return a + b."""
    total, error = two_sum(a[0], b[0])
    return two_sum(total, error + (a[1] + b[1]))


@inner
def times(a: Long, b: Long) -> Long:
    """Return a * b."""
    product, error = two_product(a[0], b[0])
    return two_sum(product, error + (a[0] * b[1] + a[1] * b[0]))


@inner
def over(a: Long, b: Long) -> Long:
    """Return a / b."""
    share = a[0] / b[0]
    back, error = two_product(share, b[0])
    return two_sum(share, (((a[0] - back) - error) + (a[1] - share * b[1])) / b[0])


@inner
def root(a: Long) -> Long:
    """Return the square root of a, 0 for what is negative."""
    if a[0] <= 0.0:
        return 0.0, 0.0
    first = math.sqrt(a[0])
    back, error = two_product(first, first)
    return two_sum(first, (((a[0] - back) - error) + a[1]) / (2.0 * first))


@inner
def crossed(x: float, y: float, u: Long, v: Long) -> Long:
    """Return the cross product of (x, y) and (u, v)."""
    left, right = times((x, 0.0), v), times((y, 0.0), u)
    return plus(left, (-right[0], -right[1]))


@inner
def dotted(x: float, y: float, u: Long, v: Long) -> Long:
    """Return the scalar product of (x, y) and (u, v)."""
    return plus(times((x, 0.0), u), times((y, 0.0), v))


@inner
def between_places(p: float, q: float, x: float, y: float, scale: float) -> Long:
    """Return ((p - q) + (x - y)) * scale: a coordinate of a corner of A - B."""
    near, far = two_sum(p, -q), two_sum(x, -y)
    return plus((near[0] * scale, near[1] * scale), (far[0] * scale, far[1] * scale))


@inner
def scale_for(size: float) -> float:
    """Return the power of two that brings a size near the exponent at which these numbers are safe."""
    return math.ldexp(1.0, min(UNIT_EXPONENT - math.frexp(size)[1], 1023))
