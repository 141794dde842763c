"""Many copies of one world, stepped in one call: the tables of all of them, stacked.

In: a world between two steps, and how many copies. Out: a `Worlds`: states as arrays with the copy as the first axis,
hits as columns that name the copy. Each copy continues as the world itself would, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.jit import is_compiled, kernel
from carom._core.threads import ONE, at_once, checked
from carom._core.types import Booleans, Floats, Integers
from carom.tolerances import LARGEST
from carom.world.events import DONE, MORE_CONTACTS, MORE_EVENTS, MORE_HITS, MORE_INSIDE
from carom.world.islands import Islands
from carom.world.overlaps import begin_overlaps
from carom.world.piles import Piles
from carom.world.rows import Rows
from carom.world.sides import begin_sides
from carom.world.step import open_step, play_step
from carom.world.store import ROOM_AHEAD, Store
from carom.world.tables import DYNAMIC, GONE, STATIC, Tables, larger, with_more_events
from carom.world.update import Columns, begin_change, place_bodies, read_all, refuse_too_far

WAITS = -1  # a copy whose step is not begun
FEWEST_HITS = 64
MOTION = ("vx", "vy", "spin", "acceleration_x", "acceleration_y", "acceleration_spin")


@dataclass(frozen=True)
class CopiesHits:
    """Hits of one step of all copies, those of the first copy first, each copy's in the order of time.

    The columns are those of `WorldHits`, and `world`, (m,), the number of the copy.
    """

    world: Integers
    time: Floats
    kind: Integers
    body: Integers
    other: Integers
    point: Floats
    normal: Floats
    speed: Floats
    impulse: Floats
    friction_impulse: Floats

    def __len__(self) -> int:
        return int(self.time.size)


class Worlds:
    """Copies of one world that are stepped together; `World.copies` makes them.

    All copies have the same bodies in the same rows. No body is added or removed; sleeping, contacts and hits are each
    copy's own.

    Examples
    --------
    >>> world = cm.World(gravity=(0, -10))
    >>> floor = world.add(cm.Box((0, 0), (100, 1)))
    >>> ball = world.add(cm.Circle((0, 5), 0.5), kind="dynamic", restitution=0.5)
    >>> worlds = world.copies(3)
    >>> worlds.velocities[:, 1, 0] = 0, 1, 2
    Traceback (most recent call last):
        ...
    ValueError: assignment destination is read-only
    >>> velocities = worlds.velocities.copy()
    >>> velocities[:, 1, 0] = 0, 1, 2
    >>> worlds.velocities = velocities
    >>> hits = worlds.step(1.0)
    >>> hits.world.tolist(), worlds.positions[:, 1, 0].round(2).tolist()
    ([0, 1, 2], [0.0, 1.0, 2.0])
    """

    def __init__(self, model: Any, count: int) -> None:
        self._model = model
        self._store: Store = model._store
        if self._store.exits:
            inputs.refuse(ValueError, "World.copies", "n", count, "of a world that has exits to tell: step it first")
        for begin in (begin_sides, begin_overlaps):
            begin(self._store)
        if self._store.overlapping:
            body, other = (model.body(row) for row in sorted(self._store.overlapping)[0])
            inputs.refuse(ValueError, "World.copies", "n", count, f"{body!r} and {other!r} overlap; part them first")
        self._prepare()
        self._start: tuple[Any, Any] = (self._store.tables, self._store.piles)
        self._tables: Tables = _stacked(self._store.tables, count)._replace(rules=self._store.tables.rules)
        self._piles: Piles = _stacked(self._store.piles, count)
        self._count, self._bodies = count, int(self._store.tables.state["bodies"][0])
        shape = count, self._bodies
        self._seen = Columns(np.zeros((*shape, 2)), np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
        self._wanted, self._changed = np.zeros((*shape, len(MOTION))), np.zeros(shape, np.bool_)
        self._play(0.0, 1, False)

    def _prepare(self) -> None:
        """Have room for the first steps in the tables that are copied."""
        store = self._store
        store.tables = with_more_events(store.tables, 4 * int(store.tables.state["parts"][0]))
        store.tables = store.tables._replace(hits=larger(store.tables.hits[:FEWEST_HITS].copy(), FEWEST_HITS))
        store.tables.state["pauses"] = 0
        store.make_ready()

    def __len__(self) -> int:
        return self._count

    @property
    def positions(self) -> Floats:
        """Where the bodies are, (n, rows, 2), read-only; NaN in rows without a body."""
        return _read_only(self._seen.positions)

    @property
    def angles(self) -> Floats:
        """How far the bodies have turned since they were added, radians, (n, rows), read-only."""
        return _read_only(self._seen.angles)

    @property
    def velocities(self) -> Floats:
        """How fast the bodies are, (n, rows, 2), read-only. Assign an array to set them all."""
        return _read_only(self._seen.velocities)

    @velocities.setter
    def velocities(self, velocities: ArrayLike) -> None:
        self._set("velocities", 0, velocities, self._seen.velocities)

    @property
    def spins(self) -> Floats:
        """How fast the bodies turn, radians a second, (n, rows), read-only. Assign an array to set them all."""
        return _read_only(self._seen.spins)

    @spins.setter
    def spins(self, spins: ArrayLike) -> None:
        self._set("spins", 2, spins, self._seen.spins)

    @property
    def accelerations(self) -> Floats:
        """Accelerations besides gravity, (n, rows, 2), an array of its own; one assigned holds until it is changed."""
        bodies = self._tables.bodies[:, : self._bodies]
        return np.stack((bodies["acceleration_x"], bodies["acceleration_y"]), axis=2)

    @accelerations.setter
    def accelerations(self, accelerations: ArrayLike) -> None:
        self._set("accelerations", 3, accelerations, self.accelerations)

    @property
    def angular_accelerations(self) -> Floats:
        """The same of the spins, radians per second squared, (n, rows)."""
        found: Floats = self._tables.bodies["acceleration_spin"][:, : self._bodies].copy()
        return found

    @angular_accelerations.setter
    def angular_accelerations(self, accelerations: ArrayLike) -> None:
        self._set("angular_accelerations", 5, accelerations, self.angular_accelerations)

    @property
    def asleep(self) -> Booleans:
        """Which bodies sleep, (n, rows), an array of its own."""
        asleep: Booleans = self._tables.bodies["asleep"][:, : self._bodies] == 1
        return asleep

    def _set(self, name: str, first: int, given: ArrayLike, before: Floats) -> None:
        """Change one kind of motion of the bodies for which another value is given than they have."""
        where = f"Worlds.{name}"
        values = np.asarray(given, np.float64)
        if values.shape != before.shape:
            inputs.refuse(ValueError, where, name, given, f"must be an array of shape {before.shape}")
        values = values.reshape(self._count, self._bodies, -1)
        changed = (values != before.reshape(values.shape)).any(axis=2)
        kinds = self._store.tables.bodies["kind"][: self._bodies]
        changed &= kinds != GONE
        moved = kinds == DYNAMIC if first >= 3 else kinds > STATIC
        wrong = changed & ~(moved & (abs(values) <= LARGEST).all(axis=2))
        if wrong.any():
            world, row = (int(k) for k in np.argwhere(wrong)[0])
            expected = f"must be finite numbers up to {LARGEST:g}, of a body that moves"
            inputs.refuse(ValueError, where, f"{name}[{world}, {row}]", values[world, row].tolist(), expected)
        bodies = self._tables.bodies[:, : self._bodies]
        for k, column in enumerate(MOTION):
            self._wanted[:, :, k] = bodies[column]
        self._wanted[:, :, 0], self._wanted[:, :, 1] = self._seen.velocities[..., 0], self._seen.velocities[..., 1]
        self._wanted[:, :, 2] = self._seen.spins
        self._wanted[:, :, first : first + values.shape[2]] = values
        self._changed[:] = changed
        self._play(0.0, 1, False)
        self._changed[:] = False

    def step(self, dt: float, *, threads: int = ONE) -> CopiesHits:
        """Let time pass in all copies, and return what happened.

        Parameters
        ----------
        dt : float, positive
            Seconds.
        threads : int
            How many threads step the copies, each its own part.

        Returns
        -------
        CopiesHits
        """
        length = inputs.size("Worlds.step", "dt", dt)
        workers = 1 if threads is ONE else checked("Worlds.step", threads)
        refuse_too_far("Worlds.step", self._tables.bodies[:, : self._bodies], self._tables.state, length, 1)
        self._play(length, workers, True)
        return self._hits()

    def _play(self, length: float, threads: int, steps: bool) -> None:
        """Make the changes, and one step if asked; tables that are too short are made longer for all copies."""
        statuses = np.full(self._count, WAITS)
        while True:

            def work(part: int, parts: int) -> None:
                rows = self._count * part // parts, self._count * (part + 1) // parts
                play_copies(
                    self._tables, self._piles, self._wanted, self._changed, length, steps, statuses, self._seen, *rows
                )

            at_once(min(threads, self._count), work)
            wanted = set(statuses.tolist()) - {DONE}
            if not wanted:
                break
            for status in wanted:
                self._lengthen(GROWTH[status])
        while ROOM_AHEAD * self._piles.counts[:, 1].max() > self._piles.contacts.shape[1]:
            self._lengthen(more_contacts)

    def _lengthen(self, grow: Callable[[Store], None]) -> None:
        """Make tables of all copies longer."""
        made = []
        for k in range(self._count):
            store = self._store_of(k)
            grow(store)
            made.append((store.tables, store.piles))
        rules = self._tables.rules
        tables, piles = zip(*made, strict=True)
        self._tables, self._piles = _joined(list(tables))._replace(rules=rules), _joined(list(piles))

    def _store_of(self, k: int) -> Store:
        """Return the tables of one copy as a world's own."""
        store = self._store.copy()
        rules = self._tables.rules
        store.tables = _row_of(self._tables._replace(rules=rules[None].repeat(k + 1, axis=0)), k)
        store.piles = _row_of(self._piles, k)
        return store

    def _hits(self) -> CopiesHits:
        counts = self._tables.state["hits"][:, 0]
        told = np.arange(self._tables.hits.shape[1]) < counts[:, None]
        rows = self._tables.hits[told]
        return CopiesHits(
            np.repeat(np.arange(self._count), counts),
            rows["time"].copy(),
            rows["kind"].copy(),
            rows["body"].copy(),
            rows["other"].copy(),
            np.column_stack((rows["x"], rows["y"])),
            np.column_stack((rows["nx"], rows["ny"])),
            rows["speed"].copy(),
            rows["impulse"].copy(),
            rows["friction_impulse"].copy(),
        )

    def reset(self, chosen: ArrayLike | None = None) -> None:
        """Put copies back to the state in which they were made: all of them, or those of a mask (n,) of bool."""
        mask = np.ones(self._count, np.bool_) if chosen is None else np.asarray(chosen)
        if mask.shape != (self._count,) or mask.dtype != np.bool_:
            inputs.refuse(ValueError, "Worlds.reset", "chosen", chosen, f"must be ({self._count},) of bool")
        store = self._store.copy()
        store.tables, store.piles = self._start
        while len(store.tables.heap) < self._tables.heap.shape[1]:
            more_events(store)
        while len(store.tables.hits) < self._tables.hits.shape[1]:
            more_hits(store)
        while len(store.tables.inside) < self._tables.inside.shape[1]:
            store.widen_inside()
        store.make_ready(self._piles.contacts.shape[1])
        for whole, one in zip(self._tables[:-1], store.tables[:-1], strict=True):
            whole[mask] = one
        _put(self._piles, mask, store.piles)
        self._play(0.0, 1, False)

    def world(self, k: int) -> Any:
        """Return one copy as a `World` of its own, which continues bit for bit."""
        number = inputs.integer("Worlds.world", "k", k)
        if not 0 <= number < self._count:
            inputs.refuse(ValueError, "Worlds.world", "k", k, f"must be from 0 to {self._count - 1}")
        other = self._model.copy()
        other._store = self._store_of(number).copy()
        return other

    def __repr__(self) -> str:
        return f"<Worlds: {self._count} copies of {self._model!r}>"


@kernel
def play_copies(
    w: Tables,
    piles: Piles,
    wanted: Floats,
    changed: Booleans,
    length: float,
    steps: bool,
    statuses: Integers,
    seen: Columns,
    begin: int,
    end: int,
) -> None:
    """Change and step copies `begin` up to `end`, and write down where their bodies are.

    Parameters
    ----------
    w, piles : Tables, Piles
        The tables of all copies, the copy as the first axis; the rules are shared.
    wanted : (n, bodies, 6)
        The velocities and accelerations of the bodies that are `changed`, (n, bodies), before the step.
    length : float, seconds
    steps : bool
        Whether to make a step of this length.
    statuses : (n,)
        WAITS before; then why a copy has stopped. One that is not DONE goes on at the next call.
    seen : Columns
        Overwritten.
    """
    row = np.zeros(1, np.int64)
    for k in range(begin, end):
        if statuses[k] == DONE:
            continue
        one = Tables(
            w.state[k],
            w.bodies[k],
            w.parts[k],
            w.buffer[k],
            w.cells[k],
            w.levels[k],
            w.events[k],
            w.heap[k],
            w.queue[k],
            w.movers[k],
            w.near[k],
            w.beside[k],
            w.lists[k],
            w.hits[k],
            w.inside[k],
            w.rules,
        )
        count = one.state[0].bodies
        if statuses[k] == WAITS:
            for number in range(count):
                if changed[k, number]:
                    row[0] = number
                    begin_change(one, row)
                    body, value = one.bodies[number], wanted[k, number]
                    body.vx, body.vy, body.spin = value[0], value[1], value[2]
                    body.acceleration_x, body.acceleration_y, body.acceleration_spin = value[3], value[4], value[5]
                    place_bodies(one, row)
            if steps:
                open_step(one, length)
        statuses[k] = DONE
        if steps:
            islands, rows = piles.islands, piles.rows
            own = Piles(
                piles.solving[k],
                piles.contacts[k],
                piles.old[k],
                piles.instant[k],
                piles.names[k],
                piles.old_names[k],
                piles.counts[k],
                piles.solved[k],
                Islands(
                    islands.members[k],
                    islands.starts[k],
                    islands.order[k],
                    islands.begins[k],
                    islands.fresh[k],
                    islands.missed[k],
                ),
                Rows(rows.table[k], rows.speed[k], rows.push[k], rows.ahead[k]),
                piles.work[k],
            )
            statuses[k] = play_step(one, own, False)
        if statuses[k] == DONE:
            into = Columns(seen.positions[k], seen.angles[k], seen.velocities[k], seen.spins[k])
            read_all(one, 0, count, into)


def more_events(store: Store) -> None:
    """Make room for more predicted events."""
    store.tables = with_more_events(store.tables, 2 * len(store.tables.heap))


def more_contacts(store: Store) -> None:
    """Make room for more contacts."""
    store.make_ready(2 * len(store.piles.contacts))


def more_hits(store: Store) -> None:
    """Make room for more hits."""
    store.tables = store.tables._replace(hits=larger(store.tables.hits, 2 * len(store.tables.hits)))


GROWTH: dict[int, Callable[[Store], None]] = {
    MORE_EVENTS: more_events,
    MORE_CONTACTS: more_contacts,
    MORE_HITS: more_hits,
    MORE_INSIDE: Store.widen_inside,
}


def _as_rows(array: Any) -> Any:
    """Return an array of records as plain Python reads it."""
    return array if is_compiled() or array.dtype.names is None else array.view(np.recarray)


def _stacked(tables: Any, count: int) -> Any:
    """Return tables with so many copies of each array, the copy as the first axis."""
    if isinstance(tables, tuple):
        return type(tables)(*(_stacked(one, count) for one in tables))
    return _as_rows(np.repeat(np.asarray(tables)[None], count, axis=0))


def _joined(copies: list[Any]) -> Any:
    """Return the tables of copies as one, the copy as the first axis."""
    if isinstance(copies[0], tuple):
        return type(copies[0])(*(_joined(list(arrays)) for arrays in zip(*copies, strict=True)))
    return _as_rows(np.stack([np.asarray(array) for array in copies]))


def _row_of(tables: Any, k: int) -> Any:
    """Return the tables of one copy."""
    return type(tables)(*(_row_of(one, k) for one in tables)) if isinstance(tables, tuple) else tables[k].copy()


def _put(tables: Any, mask: Booleans, one: Any) -> None:
    """Write the tables of one copy into those of all copies of a mask."""
    for whole, part in zip(tables, one, strict=True):
        if isinstance(part, tuple):
            _put(whole, mask, part)
        else:
            whole[mask] = part


def _read_only(array: Floats) -> NDArray[np.float64]:
    view = array.view()
    view.flags.writeable = False
    return view
