"""How a loop over a world's events was left: quietly, by `break` or `return`, or by an exception.

Python tells a generator that is left the same in both cases. But at that moment the loop's own frame stands at the
instruction that dropped the generator: one that only drops it, which cannot fail, or the one that raised.
"""

from __future__ import annotations

import dis
from types import FrameType

_DROPS = frozenset(("POP_TOP", "POP_ITER", "END_FOR"))


def left_quietly(frame: FrameType | None) -> bool:
    """Tell whether the code of `frame`, which just let go of a generator, did so without an exception."""
    if frame is None or frame.f_lasti < 0:
        return False
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] in _DROPS
