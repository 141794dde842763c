"""Snapshots of many copies, and what it takes to go back to one: bodies and joints of the same structure.

In: the states of copies, or the stores of worlds. Out: a `WorldsSnapshot`, which chooses among states; or a refusal
that names the body or joint in which two worlds differ.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from carom._core import inputs
from carom._core.names import NamesNear, made_by, names_fixed
from carom._core.sealed import opened, seal
from carom._core.types import Integers
from carom.shapes.proxy import COUNT
from carom.world.copies.alike import around
from carom.world.copies.begun import prepared
from carom.world.copies.stack import Kept, tables_in
from carom.world.copies.steps import CopiedSteps, States
from carom.world.state.pickled import UNREADABLE, given_by_user, plain, refuse_pickle
from carom.world.store import Store

NOTHING = Kept(0, {}, {}, {}, {})
SAME_OF_BODIES = ("kind", "part_count", "sensor")
SAME_OF_JOINTS = ("kind", "a", "b", "off")


@made_by("Worlds.snapshots()")
@names_fixed
class WorldsSnapshot(metaclass=NamesNear):
    """The states of some copies, made by `Worlds.snapshots`: a pool of starts, or branches to come back to.

    ``states[numbers]``, or a mask or a slice, gives some of them, in any order and as often as wanted.

    Examples
    --------
    >>> world = cm.World()
    >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic")
    >>> worlds = world.copies(3)
    >>> worlds.positions[:, ball.row, 0] = 1, 2, 3
    >>> starts = worlds.snapshots()
    >>> worlds.restore(starts[[2, 2, 0]])
    >>> worlds.positions[:, ball.row, 0].tolist()
    [3.0, 3.0, 1.0]
    """

    __slots__ = ("_states", "_which")

    def __init__(self, states: States, which: Integers) -> None:
        self._states, self._which = states, which

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, key: Any) -> WorldsSnapshot:
        if isinstance(key, int | np.integer) and not isinstance(key, bool | np.bool_):
            if not -len(self) <= key < len(self):
                raise IndexError(f"WorldsSnapshot: index {key} is out of range; there are {len(self)} states")
            key = [key]
        elif not isinstance(key, slice):
            key = np.asarray(key)
            if key.dtype != np.bool_:
                key = inputs.whole_numbers("WorldsSnapshot", "index", key)
            if key.ndim != 1 or (key.dtype == np.bool_ and len(key) != len(self)):
                raise IndexError(f"WorldsSnapshot: index of shape {key.shape} for {len(self)} states")
            if key.dtype != np.bool_ and key.size and not (-len(self) <= key.min() and key.max() < len(self)):
                expected = f"places from {key.min()} to {key.max()} are out of range; there are {len(self)} states"
                raise IndexError(f"WorldsSnapshot: {expected}")
        return WorldsSnapshot.made(self._states, self._which[key])

    def __getstate__(self) -> dict[str, Any]:
        stores = [self._store(k) for k in range(len(self))]
        given = given_by_user(self._states.base)
        return {"sealed": seal([plain(store) for store in stores]), **given}

    def __setstate__(self, state: dict[str, Any]) -> None:
        try:
            stores = list[Store]()
            for one in opened(*state["sealed"]):
                stores.append(object.__new__(Store))
                stores[-1].take(one, state)
            steps = CopiedSteps([prepared(store) for store in stores]) if stores else None
        except UNREADABLE as error:
            refuse_pickle("WorldsSnapshot", error)
        self._which = np.arange(len(stores))
        self._states = steps.states(self._which) if steps else States(Store(), NOTHING, {})

    def __repr__(self) -> str:
        return f"<WorldsSnapshot: {len(self)} states>"

    def _store(self, place: int) -> Store:
        """Return one state as a store of its own."""
        states, n = self._states, int(self._which[place])
        return around(states.own.get(n, states.base), *tables_in(states.kept, n)).copy()


def refuse_other(where: str, name: str, store: Store, other: Store) -> None:
    """Refuse a store that has not the same bodies and joints as another: of the same kinds, with as many points."""
    w, v = store.tables, other.tables
    for what in ("bodies", "parts", "joints"):
        have, wanted = int(w.state[what][0]), int(v.state[what][0])
        if have != wanted:
            _refuse(where, f"{name} has {have} rows of {what}, and the first world {wanted}")
    count = int(w.state["bodies"][0])
    for column in SAME_OF_BODIES:
        for row in np.flatnonzero(w.bodies[column][:count] != v.bodies[column][:count])[:1].tolist():
            _refuse(where, f"the body in row {row} of {name} has another {column} than that of the first world")
    parts = int(w.state["parts"][0])
    for column in ("body", "record"):
        for part in np.flatnonzero(w.parts[column][:parts] != v.parts[column][:parts])[:1].tolist():
            row = int(v.parts["body"][part])
            _refuse(where, f"the body in row {row} of {name} has parts of other sizes than that of the first world")
    used = w.parts["body"][:parts] >= 0
    points = [one.buffer[one.parts["record"][:parts][used] + COUNT] for one in (w, v)]
    for place in np.flatnonzero(points[0] != points[1])[:1].tolist():
        row = int(w.parts["body"][:parts][used][place])
        _refuse(where, f"the body in row {row} of {name} has another number of points than that of the first world")
    joints = int(w.state["joints"][0])
    for column in SAME_OF_JOINTS:
        for row in np.flatnonzero(w.joints.table[column][:joints] != v.joints.table[column][:joints])[:1].tolist():
            _refuse(where, f"the joint in row {row} of {name} has another {column} than that of the first world")
    if store.layers.names != other.layers.names:
        _refuse(where, f"the layers of {name} are {store.layers.names}, and of the first world {other.layers.names}")


def _refuse(where: str, why: str) -> NoReturn:
    raise ValueError(f"{where}: {why}; all copies have the same bodies and joints")
