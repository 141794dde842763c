"""The hits of a step, as columns in the order of time, and one hit as a value with the bodies themselves.

In: the table of hits of a world, and the serial numbers of the bodies they name. Out: `WorldHits`, which keeps both, so
that a hit names its bodies even after they were removed and their rows given to others. It keeps the rows as they are,
and makes columns of them when the first one is asked for: ten columns take longer than a small step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import EnumType, StrEnum
from typing import Any, NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.flat import flat
from carom._core.names import NamesNear, names_near, told_by_name
from carom._core.sealed import name_in_pickles
from carom._core.types import Floats, Integers, Strings
from carom.vector import Vec
from carom.world.body import Body
from carom.world.joint import Joint
from carom.world.step import tables
from carom.world.step.declared import rows_of
from carom.world.store import Store

Places = NDArray[np.bool_] | NDArray[np.int64] | list[bool] | list[int]
"""A mask, one bool a hit, or the places of some hits."""
HitColumns = tuple[Floats, Strings, Integers, Integers, Floats, Floats, Floats, Floats, Floats, Integers]


class KindsNear(NamesNear, EnumType):
    """The type of `HitKind`, whose missing names are answered with the near one."""


name_in_pickles(KindsNear)


@names_near
class HitKind(StrEnum, metaclass=KindsNear):
    """The kind of a hit: a string, in rows and columns of hits alike; ``"enter"`` and ``HitKind.ENTER`` are equal."""

    HIT = "hit"
    ENTER = "enter"
    EXIT = "exit"
    CRUSHED = "crushed"
    STALLED = "stalled"
    CUT = "cut"
    OVERLAP = "overlap"
    BROKEN = "broken"

    def __repr__(self) -> str:
        return repr(self.value)


KINDS = tuple(HitKind)
"""The kinds in the order of their numbers, `KINDS_TOLD`."""
COLUMN_OF_KINDS = np.array([kind.value for kind in KINDS])


@names_near
class WorldHit(NamedTuple):
    """One thing that happened, at whose instant the world pauses."""

    kind: HitKind
    """"hit"; "enter" or "exit" for sensors; "crushed", "stalled", "cut", "overlap"; "broken" for joints."""
    time: float
    """Seconds since the step began."""
    body: Body
    """The body that was moving into the other; of a sensor the visitor."""
    other: Body
    """The body that was met; of a broken joint with the world, `body` again."""
    point: Vec
    """Where they met."""
    normal: Vec
    """Unit vector out of `other`, towards `body`; 0 for sensors."""
    speed: float
    """Speed of approach along the normal, before."""
    impulse: float
    """Impulse of this blow along the normal, mass x speed; `World.contacts` tells all that a pair gave in the step."""
    friction_impulse: float
    """Impulse of friction, across the normal."""
    joint: Joint | None = None
    """The joint that broke, which is removed by then; None for all other kinds."""


class Late(NamedTuple):
    """Hits whose columns nobody has asked for."""

    rows: Any
    """(m,) records of the table of hits."""
    before: float
    """Seconds before the step whose hits they are."""
    serials: Integers
    """(m,) serial numbers of the bodies."""
    other_serials: Integers
    """(m,) and of those that were met."""


@names_near
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorldHits(metaclass=NamesNear):
    """Hits of one or more steps, in the order of time: columns, and each hit as a `WorldHit`.

    `len` and truth are about the number of hits; ``hits[k]`` and iteration give them one by one. A slice, a mask or an
    array of places gives some of them, again as `WorldHits`: ``hits[hits.impulse > 5]``.
    """

    _world: Any
    time: Floats
    """(m,) seconds since the call began."""
    kind: Strings
    """(m,) strings, each a `HitKind`: ``hits.kind == "enter"`` is an array of bool."""
    body: Integers
    """(m,) row of the dynamic body, of two the lower row; of a sensor the visitor."""
    other: Integers
    """(m,) row of the body that was met: a wall, a sensor, a body that crushes."""
    point: Floats
    """(m, 2) where they met."""
    normal: Floats
    """(m, 2) unit vector out of `other`, towards `body`; 0 for sensors."""
    speed: Floats
    """(m,) speed of approach along the normal, before."""
    impulse: Floats
    """(m,) impulse along the normal, mass x speed."""
    friction_impulse: Floats
    """(m,) impulse of friction, across the normal."""
    joint: Integers
    """(m,) row that the joint had that broke; -1 for all other kinds."""
    _serials: Integers
    """(m, 3) the serial numbers of `body`, `other` and `joint`."""
    _late: Late | None = field(default=None, init=False)
    """What the columns are made of; None once they are."""

    def __len__(self) -> int:
        late = self._late
        return int(self.time.size) if late is None else len(late.rows)

    @overload
    def __getitem__(self, key: int) -> WorldHit: ...

    @overload
    def __getitem__(self, key: slice | Places) -> Self: ...

    def __getitem__(self, key: Any) -> Any:
        chosen = _places("WorldHits", key, len(self))
        if chosen is not None:
            return type(self)(self._world, *(column[chosen] for column in self._columns()))
        row = inputs.integer("WorldHits", "index", key)
        if not -len(self) <= row < len(self):
            raise IndexError(f"WorldHits: index {row} is out of range; there are {len(self)} hits")
        serial, other_serial, *broke = self._serials[row].tolist()  # pickles of earlier versions have but two
        joint_serial = broke[0] if broke else -1
        first = self._world._handle(self.body.item(row), serial)
        second = self._world._handle(self.other.item(row), other_serial)
        joint = None if joint_serial < 0 else self._world._joint_handle(self.joint.item(row), joint_serial)
        at, normal = Vec(*self.point[row].tolist()), Vec(*self.normal[row].tolist())
        kind, speed = HitKind(self.kind.item(row)), self.speed.item(row)
        impulses = self.impulse.item(row), self.friction_impulse.item(row)
        return WorldHit(kind, self.time.item(row), first, second, at, normal, speed, *impulses, joint)

    def __iter__(self) -> Iterator[WorldHit]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"<WorldHits: {_counted(self.kind)}>"

    @told_by_name
    def of_kind(self, kind: str) -> Self:
        """Return the hits of one kind.

        Parameters
        ----------
        kind : str
            One of `HitKind`: "hit", "enter", "exit", "crushed", "stalled", "cut", "overlap" or "broken".

        Returns
        -------
        WorldHits
            In the order of time.

        Raises
        ------
        ValueError
            If there is no such kind.

        Examples
        --------
        >>> world = cm.World()
        >>> coin = world.add(cm.Circle((1, 0), 0.5), sensor=True)
        >>> hero = world.add(cm.Circle((0, 0), 0.2), kind="dynamic", velocity=(3, 0))
        >>> hits = world.step(1.0)
        >>> [hit.body == hero for hit in hits.of_kind("enter")], hits.of_kind("hit")
        ([True], <WorldHits: none>)
        """
        chosen: Self = self[self.kind == _known_kind("WorldHits.of_kind", kind)]
        return chosen

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are time, kind, body, other, x, y, nx, ny, speed, impulse, friction_impulse, joint.
        """
        names = ("time", "kind", "body", "other", "point", "normal", "speed", "impulse", "friction_impulse", "joint")
        return flat({name: getattr(self, name) for name in names})

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return (
            *(self.time, self.kind, self.body, self.other),
            *(self.point, self.normal, self.speed, self.impulse, self.friction_impulse, self.joint, self._serials),
        )


_absent = WorldHits.__getattr__  # type: ignore[attr-defined]
_give_world, _give_late = (vars(WorldHits)[name].__set__ for name in ("_world", "_late"))


def _when_asked(hits: WorldHits, name: str) -> Any:
    """Make the columns when one of them is asked for; other names that are not there are told of."""
    if name == "_late":
        return None  # pickles of earlier versions have none
    late = hits._late
    if late is not None and name in _COLUMNS:
        columns = hit_columns(late.rows)
        serials = np.column_stack((late.serials, late.other_serials, late.rows["joint_serial"]))
        for column, value in zip(_COLUMNS, (columns[0] + late.before, *columns[1:], serials), strict=True):
            object.__setattr__(hits, column, value)
        _give_late(hits, None)  # last: another thread may be about the same
    if name == "joint" and late is None:
        return np.full(len(hits), -1)  # nor do they have this column
    return object.__getattribute__(hits, name) if name in _COLUMNS else _absent(hits, name)


_COLUMNS = tuple(one.name for one in fields(WorldHits))[1:-1]
WorldHits.__getattr__ = _when_asked  # type: ignore[attr-defined]


@names_near
@dataclass(frozen=True, repr=False)
class CopiesHits(metaclass=NamesNear):
    """Hits of one step of all copies, those of the first copy first, each copy's in the order of time.

    The columns are those of `WorldHits`, and `world`, (m,), the number of the copy. A slice, a mask or an array of
    places gives some of the hits: ``hits[hits.world == 3]``.
    """

    world: Integers
    time: Floats
    kind: Strings
    body: Integers
    other: Integers
    point: Floats
    normal: Floats
    speed: Floats
    impulse: Floats
    friction_impulse: Floats
    joint: Integers

    def __len__(self) -> int:
        return int(self.time.size)

    def __getitem__(self, key: slice | Places) -> Self:
        chosen = _places("CopiesHits", key, len(self))
        if chosen is None:
            inputs.refuse(TypeError, "CopiesHits", "index", key, "must be a slice, a mask or an array of places")
        return type(self)(**{name: column[chosen] for name, column in vars(self).items()})

    def __repr__(self) -> str:
        return f"<CopiesHits: {_counted(self.kind)}>"

    @told_by_name
    def of_kind(self, kind: str) -> Self:
        """Return the hits of one kind of all copies.

        Parameters
        ----------
        kind : str
            One of `HitKind`: "hit", "enter", "exit", "crushed", "stalled", "cut", "overlap" or "broken".

        Returns
        -------
        CopiesHits
            In the same order.

        Raises
        ------
        ValueError
            If there is no such kind.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((0, 0), 0.5), kind="dynamic", velocity=(9, 0))
        >>> wall = world.add(cm.Box((2, 0), (1, 9)))
        >>> hits = world.copies(3).step(1.0)
        >>> hits.of_kind("hit").world.tolist(), len(hits.of_kind("enter"))
        ([0, 1, 2], 0)
        """
        return self[self.kind == _known_kind("CopiesHits.of_kind", kind)]

    def flat(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays (m,) for a data frame.

        These are copy, time, kind, body, other, x, y, nx, ny, speed, impulse, friction_impulse, joint.
        """
        return flat({"copy" if name == "world" else name: column for name, column in vars(self).items()})


def _places(call: str, key: object, count: int) -> slice | NDArray[Any] | None:
    """Return which of `count` hits a slice, a mask or places choose; None of anything else, as one number."""
    if isinstance(key, slice):
        return key
    if isinstance(key, str):
        inputs.refuse(
            TypeError,
            call,
            "index",
            key,
            f"must be a place or a mask; hits.of_kind({key!r}), or hits[hits.kind == {key!r}], are of a kind",
        )
    if not isinstance(key, np.ndarray | list) or (isinstance(key, np.ndarray) and key.ndim == 0):
        return None
    chosen = np.asarray(key)
    if chosen.size == 0 and chosen.dtype != np.bool_:
        chosen = chosen.astype(np.int64)
    if chosen.dtype == np.bool_:
        if chosen.shape != (count,):
            raise IndexError(f"{call}: a mask of shape {chosen.shape} for {count} hits; it must have one bool a hit")
    elif chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
        inputs.refuse(
            TypeError, call, "index", key, "must be a number, a slice, a mask or places: one bool or integer each"
        )
    elif chosen.size and not (-count <= chosen.min() and chosen.max() < count):
        raise IndexError(
            f"{call}: places from {chosen.min()} to {chosen.max()} are out of range; there are {count} hits"
        )
    return chosen


def _known_kind(call: str, kind: object) -> str:
    """Return the word of a kind of hit; ValueError if there is none."""
    return str(inputs.one_of(call, "kind", kind, tuple(one.value for one in KINDS)))


def _counted(kinds: Strings) -> str:
    """Return how many hits there are of each kind, in words."""
    counts = ((int((kinds == kind.value).sum()), kind) for kind in KINDS)
    return ", ".join(f"{count} {kind}" for count, kind in counts if count) or "none"


def hits_of(world: Any, store: Store, first: int, last: int, before: float) -> WorldHits:
    """Return hits `first` up to `last` of their own, with times counted from `before` seconds earlier."""
    late = NO_HITS
    if first != last:
        # As bytes, since NumPy copies records column by column.
        rows = np.frombuffer(store.tables.hits[first:last].tobytes(), tables.HIT_ROW)
        serial = store.tables.bodies["serial"]
        late = Late(rows, before, serial[rows["body"]], serial[rows["other"]])
        for row, number in store.departed.items():
            late.serials[rows["body"] == row] = number
            late.other_serials[rows["other"] == row] = number
    hits = object.__new__(WorldHits)
    _give_world(hits, world)
    _give_late(hits, late)
    return hits


def hit_columns(rows: NDArray[Any]) -> HitColumns:
    """Return rows of hits as columns of their own, from `time` to `joint`."""
    return (
        rows["time"].copy(),
        COLUMN_OF_KINDS[rows["kind"]],
        rows["body"].copy(),
        rows["other"].copy(),
        _side_by_side(rows["x"], rows["y"]),
        _side_by_side(rows["nx"], rows["ny"]),
        rows["speed"].copy(),
        rows["impulse"].copy(),
        rows["friction_impulse"].copy(),
        rows["joint"].copy(),
    )


def _side_by_side(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Return two columns as one of two; NumPy's own stacking takes twice as long where there are few rows."""
    both = np.empty((len(first), 2), first.dtype)
    both[:, 0], both[:, 1] = first, second
    return both


NO_HITS = Late(rows_of(tables.HIT_ROW, 0), 0.0, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def joined(parts: list[WorldHits]) -> WorldHits:
    """Return the hits of several steps as one."""
    if len(parts) == 1:
        return parts[0]
    columns = zip(*(part._columns() for part in parts), strict=True)
    return WorldHits(parts[0]._world, *(np.concatenate(column) for column in columns))


def joined_copies(parts: list[CopiesHits], length: float) -> CopiesHits:
    """Return the hits of several steps of copies, each of a length, as one, with times from the start of the first."""
    if len(parts) == 1:
        return parts[0]
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0])}
    before = np.repeat(np.arange(len(parts)) * length, [len(part) for part in parts])
    return CopiesHits(**{**columns, "time": columns["time"] + before})
