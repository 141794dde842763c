"""The handles of a world's bodies: one for each body, as long as anyone holds it.

In: the serial number of a body, which is never given twice, and a handle of it. Out: the handle there is. Several
threads may ask at once. The references of handles that nobody holds are cleared away when they outnumber the others:
a `WeakValueDictionary`, which clears away each at once, takes longer than a ray among ten thousand bodies.
"""

from __future__ import annotations

from threading import RLock
from typing import Any
from weakref import ref

FEWEST = 64
"""References that are kept without a look at whether anyone holds their handles."""


class Handles:
    """Handles by serial number."""

    __slots__ = ("lock", "most", "references")

    def __init__(self) -> None:
        self.references: dict[int, ref[Any]] = {}
        self.most = FEWEST  # with more references, those of handles that are gone are cleared away
        self.lock = RLock()  # a collector may run while it is held, and what it ends may ask for a handle

    def get(self, serial: int) -> Any:
        """Return the handle of a body, None if nobody holds one."""
        found = self.references.get(serial)
        return None if found is None else found()

    def keep(self, serial: int, handle: Any) -> Any:
        """Keep the handle of a body, unless there is one by now; return the one there is."""
        with self.lock:
            reference = self.references.get(serial)
            if reference is not None:
                known = reference()
                if known is not None and known._row == handle._row:
                    return known
            if len(self.references) >= self.most:
                held = {number: one for number, one in list(self.references.items()) if one() is not None}
                self.references, self.most = held, 2 * len(held) + FEWEST
            self.references[serial] = ref(handle)
            return handle
