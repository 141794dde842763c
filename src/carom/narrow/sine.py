"""Cosine and sine from sums and products alone, so that compiled kernels and plain Python agree to the bit.

In: an angle in radians, at most `tolerances.MOST_TURN` in magnitude. Out: cosine, sine, and cosine less 1, which keeps
its digits for small angles: a shape turned by nothing stays exactly where it is.

The angle less the nearest multiple of pi / 2 is found with pi / 2 cut into three parts, of which the first two have at
most 33 bits: their products with the multiple are exact. What is left is at most pi / 4 and off by at most 2^-53. There
the Taylor series are cut off where the next term is below 1e-19 (Lagrange), so cosine and sine are off by at most
2^-52.
"""

from __future__ import annotations

from carom._jit import inner

QUARTERS = 0.6366197723675814  # 2 / pi
FIRST = float.fromhex("0x1.921fb54400000p+0")  # pi / 2, cut into three
SECOND = float.fromhex("0x1.0b4611a600000p-34")
THIRD = float.fromhex("0x1.3198a2e037073p-69")

# 1 / n!
OVER_3, OVER_5, OVER_7, OVER_9 = 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0, 1.0 / 362880.0
OVER_11, OVER_13, OVER_15 = 1.0 / 39916800.0, 1.0 / 6227020800.0, 1.0 / 1307674368000.0
OVER_17 = 1.0 / 355687428096000.0
OVER_4, OVER_6, OVER_8, OVER_10 = 1.0 / 24.0, 1.0 / 720.0, 1.0 / 40320.0, 1.0 / 3628800.0
OVER_12, OVER_14, OVER_16 = 1.0 / 479001600.0, 1.0 / 87178291200.0, 1.0 / 20922789888000.0
OVER_18 = 1.0 / 6402373705728000.0


@inner
def cos_sin_of(angle: float) -> tuple[float, float, float]:
    """Return (cosine, sine, cosine - 1) of an angle."""
    size = abs(angle)
    quarters = int(size * QUARTERS + 0.5)
    x = ((size - quarters * FIRST) - quarters * SECOND) - quarters * THIRD
    z = x * x
    tail = OVER_9 - z * (OVER_11 - z * (OVER_13 - z * (OVER_15 - z * OVER_17)))
    s = x - x * z * (OVER_3 - z * (OVER_5 - z * (OVER_7 - z * tail)))
    tail = OVER_10 - z * (OVER_12 - z * (OVER_14 - z * (OVER_16 - z * OVER_18)))
    fall = -z * (0.5 - z * (OVER_4 - z * (OVER_6 - z * (OVER_8 - z * tail))))
    c = 1.0 + fall
    quarter = quarters % 4
    if quarter == 1:
        c, s = -s, c
        fall = c - 1.0
    elif quarter == 2:
        c, s = -c, -s
        fall = c - 1.0
    elif quarter == 3:
        c, s = s, -c
        fall = c - 1.0
    elif quarters > 0:
        fall = c - 1.0
    return c, (-s if angle < 0.0 else s), fall
