"""The handles of a world's bodies, and of its joints: one for each, as long as anyone holds it.

In: the serial number of a body, which is never given twice, and a handle of it. Out: the handle there is. Several
threads may ask at once. The references of handles that nobody holds are cleared away when they outnumber the others:
a `WeakValueDictionary`, which clears away each at once, takes longer than a ray among ten thousand bodies.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, ClassVar, Self, TypeVar
from weakref import ref

import numpy as np

from carom._core import inputs
from carom._core.names import NamesNear
from carom.vector import Point2
from carom.world.addressed import addresses_of
from carom.world.changes.removed import Gone, gone_of

FEWEST = 64
"""References that are kept without a look at whether anyone holds their handles."""


def plain_pair(value: Any) -> Point2 | None:
    """Return two numbers that are allowed, whatever they are for; None for what is to be looked at with care."""
    try:
        return inputs.point("", "", value)
    except (TypeError, ValueError):
        return None


def plain_number(value: Any) -> float | None:
    """Return a number that is allowed, whatever it is for; None for what is to be looked at with care."""
    try:
        return inputs.number("", "", value)
    except (TypeError, ValueError):
        return None


class Handle(metaclass=NamesNear):
    """The handle of a body or a joint: its world, its row in there, and the number that is never given twice."""

    __slots__ = ("__weakref__", "_left", "_row", "_serial", "_world")
    _world: Any
    _row: int
    _serial: int
    _left: Gone
    """The thing as it was when it was removed, once its world forgets it; not there before."""
    _kept: ClassVar[str]
    """Where a world keeps such handles."""
    _what: ClassVar[int]
    """BODY or JOINT."""

    @property
    def removed(self) -> bool:
        """Whether it is no longer in its world."""
        raise NotImplementedError

    def _at(self, name: str) -> int:
        """Return the row; what is removed has none, and refuses to be asked for `name`."""
        guard = self._world._guard
        if not guard.free:
            guard.check()
        if self.removed:
            raise ValueError(f"{type(self).__name__}.{name}: {self!r} is no longer in its world")
        return self._row

    def _last(self, name: str) -> Gone | None:
        """Return what it was when it was removed; None while it is in its world.

        One that was removed long before anyone held this handle refuses to be asked for `name`.
        """
        if not self.removed:
            return None
        found = gone_of(self._world._store, (self._what, self._serial)) or getattr(self, "_left", None)
        if found is None:
            self._at(name)
        return found

    def _told_at_once(self, kernel: Callable[..., bool], *given: float) -> bool:
        """Tell it something by one compiled call; False, and nothing is done, where that takes more care."""
        world = self._world
        if world._log is not None:
            return False
        with world._guard:
            if kernel(addresses_of(world._store), self._row, self._serial, *given):
                world._fresh = world._complete = False
                return True
        return False

    def __eq__(self, other: object) -> bool:
        if isinstance(other, type(self)):
            return self._world is other._world and self._serial == other._serial
        if isinstance(other, int | np.integer):
            name = type(self).__name__
            raise TypeError(
                f"{name}: {self!r} is compared with {int(other)}, which is never equal: compare rows, as in "
                f"{EXAMPLES[name]}"
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash((id(self._world), self._serial))

    def __copy__(self) -> Self:
        return self

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        for name, value in state[1].items():
            setattr(self, name, value)
        handles_of(self._world, type(self)).keep(self._serial, self)


EXAMPLES = {
    "Body": "hits.body[0] == hero.row, or bodies, as in hits[0].body == hero",
    "Joint": "joint.row == 3, or joints, as in world.joints[0] == hinge",
}
H = TypeVar("H", bound=Handle)

# The slots' own setters: at half the time of setting a name, which is looked at first.
_set_world, _set_row, _set_serial = (Handle.__dict__[name].__set__ for name in ("_world", "_row", "_serial"))


def new_handle(kind: type[H], world: Any, row: int, serial: int) -> H:
    """Return a new handle of a body or a joint of a World, whose file imports this one."""
    handle = object.__new__(kind)
    _set_world(handle, world)
    _set_row(handle, row)
    _set_serial(handle, serial)
    return handle


def handles_of(world: Any, kind: type[Handle]) -> Handles:
    """Return the handles of a world's bodies or joints, also of one that is being unpickled."""
    handles: Handles = vars(world).setdefault(kind._kept, Handles())
    return handles


class Handles:
    """Handles by serial number."""

    __slots__ = ("lock", "most", "references")

    def __init__(self) -> None:
        self.references: dict[int, ref[Any]] = {}
        self.most = FEWEST  # with more references, those of handles that are gone are cleared away
        self.lock = RLock()  # a collector may run while it is held, and what it ends may ask for a handle

    def get(self, serial: int) -> Any:
        """Return the handle of a number, None if nobody holds one."""
        found = self.references.get(serial)
        return None if found is None else found()

    def keep(self, serial: int, handle: Any) -> Any:
        """Keep the handle of a number, unless there is one by now; return the one there is."""
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
