"""How a loop over a world's events is left: without an error, by `break` or `return`, or by an exception.

In: the generator that plays a step and stands at a pause. Out: an iterator for one loop, which lets go of the generator
when the loop is left, even if the iterator has another name; and for the generator, whether it was left without an
error. Python closes a generator alike in both cases. But at that moment the loop's own frame stands at the instruction
that dropped it: one that only drops it, which cannot fail, or the one that raised.
"""

from __future__ import annotations

import dis
import sys
import weakref
from collections.abc import Generator, Iterator

from carom.world.reports.hits import WorldHit

_DROPS = frozenset(("POP_TOP", "POP_ITER", "END_FOR"))


class EventLoop(Iterator[WorldHit]):
    """The events of a step that is about to be played, for one loop or for `next`.

    The loop that it is given to is the only one to hold the generator.
    """

    def __init__(self, generator: Generator[WorldHit, None, None]) -> None:
        self._own: Generator[WorldHit, None, None] | None = generator
        self._seen = weakref.ref(generator)

    def __iter__(self) -> Iterator[WorldHit]:
        generator = self._seen()
        self._own = None
        return iter(()) if generator is None else generator

    def __next__(self) -> WorldHit:
        generator = self._seen()
        if generator is None:
            raise StopIteration
        return next(generator)

    def close(self) -> None:
        """Leave the step at the instant of the present pause."""
        generator = self._seen()
        if generator is not None:
            generator.close()


def left_without_error() -> bool:
    """Tell, asked by a generator that was let go of, whether the code that did so went on without an exception."""
    try:
        frame = sys._getframe(2)
    except ValueError:  # the interpreter ends, and no code runs that could go on
        return False
    return frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] in _DROPS
