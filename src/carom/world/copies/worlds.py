"""Many copies of one world, stepped in one call: the tables of all of them, stacked.

In: a world between two steps, and how many copies; or worlds of one structure. Out: a `Worlds`: states as arrays with
the copy as the first axis, hits as columns that name the copy. Each copy continues as its world would, to the last
bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Never, Self

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.guard import Guard, Reading
from carom._core.names import NamesNear, made_by, names_fixed, refuse_keywords, told_by_name
from carom._core.sealed import opened, seal
from carom._core.threads import ONE, checked
from carom._core.types import Integers
from carom.shapes.set import Shapes
from carom.world.body import Body
from carom.world.changes.body_parts import Form
from carom.world.changes.body_shapes import RowOf, laid_out
from carom.world.changes.pending import change
from carom.world.copies.begun import prepared, start_of
from carom.world.copies.chosen import chosen
from carom.world.copies.given_shapes import shapes_with
from carom.world.copies.joints import CopiedJoints
from carom.world.copies.of_body import CopiesBody
from carom.world.copies.questions import CopiedQuestions
from carom.world.copies.reshaped import are_plain, reshape_copies
from carom.world.copies.snapshots import WorldsSnapshot, refuse_other
from carom.world.copies.steps import CopiedSteps
from carom.world.drive import drive
from carom.world.reports.hits import CopiesHits, hit_columns, joined_copies
from carom.world.reports.motion import MOST_STEPS, refuse_too_far
from carom.world.state.pickled import UNREADABLE, given_by_user, plain, refuse_pickle
from carom.world.step.play.events import DONE
from carom.world.store import Store

MOST_COPIES = 10**6


@made_by("World.copies(n), which copies one world n times, or Worlds.of(worlds)")
@names_fixed
class Worlds(CopiedQuestions, CopiedJoints, metaclass=NamesNear):
    """Copies of one world that are stepped together; `World.copies` makes them, and `Worlds.of` of several worlds.

    All copies have the same bodies in the same rows. No body is added or removed; sleeping, contacts and hits are each
    copy's own, and so are the numbers: places, shapes, masses, frictions, limits. Columns have the copy as their first
    axis, and items and slices of them can be assigned.

    Examples
    --------
    >>> world = cm.World(gravity=(0, -10))
    >>> floor = world.add(cm.Box((0, 0), (100, 1)))
    >>> ball = world.add(cm.Circle((0, 5), 0.5), kind="dynamic", restitution=0.5, friction=0)
    >>> worlds = world.copies(3)
    >>> worlds.velocities[:, ball.row, 0] = 0, 1, 2
    >>> hits = worlds.step(1.0)
    >>> hits.world.tolist(), worlds.positions[:, ball.row, 0].round(2).tolist()
    ([0, 1, 2], [0.0, 1.0, 2.0])
    """

    def __init__(self, model: Any, stores: list[Store]) -> None:
        self._model = model
        self._take(stores)

    @classmethod
    def _copied(cls, model: Any, count: int) -> Self:
        """Return so many copies of a world."""
        if model.unfinished:
            model.resume()  # each copy begins between two steps
        return cls.made(model, [start_of(model._store)] * count)

    @classmethod
    @told_by_name
    def of(cls, worlds: Iterable[Any]) -> Self:
        """Return the copies of several worlds, one of each: of the same bodies and joints, with other numbers.

        Parameters
        ----------
        worlds : sequence of World
            With the same bodies in the same rows: of the same kinds, of shapes with as many points, in the same
            layers, and with the same joints. Places, sizes, masses and all other settings may differ.

        Returns
        -------
        Worlds
            Copy k continues as world k would, bit for bit.

        Raises
        ------
        TypeError, ValueError
            With the body or joint in which a world differs from the first.

        Examples
        --------
        >>> def slope(degrees):
        ...     world = cm.World(gravity=(0, -10))
        ...     world.add(cm.Segment((-9, 0), (9, 0)).rotated(np.radians(degrees)), friction=1)
        ...     world.add(cm.Circle((0, 0.6), 0.5), kind="dynamic", friction=1)
        ...     return world
        >>> worlds = cm.Worlds.of([slope(0), slope(10)])
        >>> hits = worlds.step(1 / 60, steps=60)
        >>> (worlds.positions[:, 1, 0] < -0.1).tolist()
        [False, True]
        """
        where, stores = "Worlds.of", list[Store]()
        given = inputs.listed(where, "worlds", worlds, "worlds")
        if not 1 <= len(given) <= MOST_COPIES:
            inputs.refuse(ValueError, where, "worlds", worlds, f"must be from 1 to {MOST_COPIES} worlds")
        for k, one in enumerate(given):
            if not hasattr(one, "copies") or not hasattr(one, "snapshot"):
                inputs.refuse(TypeError, where, f"worlds[{k}]", one, f"must be a World, not {type(one).__name__}")
            other = one.copy()
            if other.unfinished:
                other.resume()
            refuse_other(where, f"worlds[{k}]", other._store, stores[0] if stores else other._store)
            stores.append(start_of(other._store))
        return cls.made(given[0].copy(), stores)

    def _take(self, stores: list[Store]) -> None:
        """Make a copy of each store."""
        self._steps = CopiedSteps(stores)
        self._count, self._bodies = self._steps.count, self._steps.bodies
        self._guard = Guard("Worlds")
        self._reading = Reading(self._guard)

    # Time passes.

    @told_by_name
    def step(self, dt: float, steps: int = 1, *, threads: int = ONE, **unknown: Never) -> CopiesHits:
        """Let time pass in all copies, and return what happened.

        Parameters
        ----------
        dt : float, positive
            Seconds.
        steps : int
            How many steps of that length are made.
        threads : int
            How many threads step the copies, each its own part.

        Returns
        -------
        CopiesHits
            Of all steps, the first step first, with times counted from its start.
        """
        if unknown:
            refuse_keywords("Worlds.step", Worlds.step, unknown)
        length = inputs.size("Worlds.step", "dt", dt)
        workers = 1 if threads is ONE else checked("Worlds.step", threads)
        times = inputs.integer("Worlds.step", "steps", steps)
        if not 1 <= times <= MOST_STEPS:
            inputs.refuse(ValueError, "Worlds.step", "steps", steps, f"must be from 1 to {MOST_STEPS}")
        with self._guard:
            refuse_too_far("Worlds.step", self._tables, length, times)
            if self.unfinished:
                self.resume()
            found = []
            for _ in range(times):
                self._steps.begin(length, workers)
                found.append(self._drive())
            return joined_copies(found, length)

    @property
    def unfinished(self) -> bool:
        """Whether an exception has left a step, some copies ahead of others: `resume` it; the next step does so first.

        Until then nothing can be set; what is read is of each copy where it is.
        """
        return self._steps.length > 0.0

    def resume(self) -> CopiesHits:
        """Play the rest of a step that an exception has left, and return what happened in that step."""
        with self._guard:
            if not self.unfinished:
                return self._hits(np.zeros(self._count, np.int64))
            self._steps.resume()
            return self._drive()

    def _drive(self) -> CopiesHits:
        """Play the step under way to the end of all copies."""
        try:
            drive(self._steps)
            self._steps.length = 0.0
        finally:
            if self.unfinished:
                self._steps.settle()
        return self._hits(self._tables.state["hits"][:, 0])

    def _hits(self, counts: Integers) -> CopiesHits:
        """Return the first so many hits of each copy."""
        told: Any = self._steps.stack.rows_of("hits", counts)
        return CopiesHits(np.repeat(np.arange(self._count), counts), *hit_columns(told))

    # Copies are put back, and taken out.

    @told_by_name
    def reset(self, copies: ArrayLike | None = None, to: WorldsSnapshot | None = None, **unknown: Never) -> None:
        """Put copies back to the state in which they were made, or into other ones.

        Parameters
        ----------
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given.
        to : WorldsSnapshot, optional
            A state for each of these copies, in their order, or one for all: `snapshots` of these copies or of others
            of the same structure.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; nothing is changed.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -1))
        >>> ball = world.add(cm.Circle((0, 5), 0.5), kind="dynamic")
        >>> worlds = world.copies(2)
        >>> hits = worlds.step(1.0)
        >>> worlds.reset([False, True])
        >>> worlds.positions[:, ball.row, 1].tolist()
        [4.5, 5.0]
        """
        if unknown:
            refuse_keywords("Worlds.reset", Worlds.reset, unknown)
        self._put_back("Worlds.reset", "copies", copies, "to", to)

    @told_by_name
    def snapshots(self, copies: ArrayLike | None = None) -> WorldsSnapshot:
        """Return the states of copies, to `restore` or to `reset` to.

        Parameters
        ----------
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given.

        Returns
        -------
        WorldsSnapshot
            In the order of the copies.
        """
        where = "Worlds.snapshots"
        with self._reading:
            self._refuse_within(where)
            numbers = chosen(where, "copies", copies, self._count)
            return WorldsSnapshot.made(self._steps.states(numbers), np.arange(len(numbers)))

    @told_by_name
    def restore(self, states: Any, copies: ArrayLike | None = None) -> None:
        """Put copies into states that `snapshots` or `World.snapshot` has kept; they continue from there bit for bit.

        Parameters
        ----------
        states : WorldsSnapshot or WorldSnapshot
            A state for each of the copies, in their order, or one for all.
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; nothing is changed.
        """
        if states is None:
            inputs.refuse(TypeError, "Worlds.restore", "states", states, "must come from Worlds.snapshots")
        self._put_back("Worlds.restore", "copies", copies, "states", states)

    def _put_back(self, where: str, name: str, copies: Any, told: str, to: Any) -> None:
        """Put copies into the states in which they began, or into others."""
        steps = self._steps
        with self._guard:
            numbers = chosen(where, name, copies, self._count)
            if to is None:
                steps.reset(numbers)
            else:
                if type(getattr(to, "_store", None)) is Store:  # a snapshot of a world
                    refuse_other(where, told, to._store, steps.first)
                    alone = CopiedSteps([start_of(to._store)])
                    to = WorldsSnapshot.made(alone.begun, np.zeros(1, np.int64))
                if not isinstance(to, WorldsSnapshot):
                    inputs.refuse(TypeError, where, told, to, "must come from Worlds.snapshots or World.snapshot")
                if len(to) not in (1, len(numbers)):
                    raise ValueError(f"{where}: {told} has {len(to)} states for {len(numbers)} copies")
                refuse_other(where, told, to._states.base, steps.first)
                steps.write(numbers, to._states, np.broadcast_to(to._which, len(numbers)))
            if self.unfinished and (steps.statuses == DONE).all():
                self._drive()

    @told_by_name
    def world(self, k: int) -> Any:
        """Return one copy as a `World` of its own, which continues bit for bit."""
        number = inputs.integer("Worlds.world", "k", k)
        if not 0 <= number < self._count:
            inputs.refuse(ValueError, "Worlds.world", "k", k, f"must be from 0 to {self._count - 1}")
        with self._reading:
            other = self._model.copy()
            other._store = self._steps.store_of(number, fresh=True).copy()
        return other

    # One body is changed.

    @told_by_name
    def of_body(self, body: Body | int, copies: ArrayLike | None = None) -> CopiesBody:
        """Return one body of all copies, or of some, with columns that can be set: the quick way to move a few bodies.

        Parameters
        ----------
        body : Body or int
            A body of the world that the copies were made of, or its row.
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given.

        Returns
        -------
        CopiesBody

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        where = "Worlds.of_body"
        row = self._row(where, "body", body)
        return CopiesBody.made(self, row, chosen(where, "copies", copies, self._count))

    @told_by_name
    def apply_impulses(
        self,
        body: Body | int,
        impulses: ArrayLike,
        at: ArrayLike | None = None,
        turns: ArrayLike = 0.0,
        *,
        copies: ArrayLike | None = None,
        **unknown: Never,
    ) -> None:
        """Change the momentum of one body of each copy at once.

        Parameters
        ----------
        body : Body or int
            A dynamic body of the world that the copies were made of, or its row.
        impulses : (x, y), or (n, 2)
            Mass x velocity, one for each of the copies.
        at : (x, y), or (n, 2), optional
            The points of the world where they act; the centre of mass if not given.
        turns : float, or (n,)
            Impulses that turn the body besides.
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; nothing is changed.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", mass=2)
        >>> worlds = world.copies(2)
        >>> worlds.apply_impulses(ball, [(2, 0), (0, 4)])
        >>> worlds.velocities[:, ball.row].tolist()
        [[1.0, 0.0], [0.0, 2.0]]
        """
        if unknown:
            refuse_keywords("Worlds.apply_impulses", Worlds.apply_impulses, unknown)
        where = "Worlds.apply_impulses"
        row = self._row(where, "body", body)
        one = CopiesBody.made(self, row, chosen(where, "copies", copies, self._count))
        one._apply(where, ("impulses", "at", "turns"), (impulses, at, turns))

    @told_by_name
    def set_shapes(
        self, bodies: Any, vertices: ArrayLike, *, copies: ArrayLike | None = None, **unknown: Never
    ) -> None:
        """Give bodies of copies other shapes of the same kind: ground that differs from copy to copy.

        The numbers of static bodies are written where those are that they have, which is far quicker than a new world;
        bodies that move, and those with joints, take the way of `Body.shape`.

        Parameters
        ----------
        bodies : Body or row, or several
            m bodies whose shape is a Point, Segment, Capsule or Polygon.
        vertices : (n, m, k, 2), or (m, k, 2) for all copies alike
            The k points of each shape, as it stands in the world: the ends of a Segment or Capsule, the vertices of a
            convex Polygon, as many as it has. A radius stays.
        copies : mask (n,) of bool, numbers, or a slice, optional
            All if not given; n is then how many of them there are.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault; nothing is changed.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> ground = world.add(cm.Segment((-9, 0), (9, 0)))
        >>> ball = world.add(cm.Circle((0, 2), 0.5), kind="dynamic")
        >>> worlds = world.copies(2)
        >>> worlds.set_shapes(ground, [[[(-9, 0), (9, 0)]], [[(-9, 1), (9, 1)]]])
        >>> hits = worlds.step(1.0)
        >>> worlds.positions[:, ball.row, 1].round(1).tolist()
        [0.5, 1.5]
        """
        where = "Worlds.set_shapes"
        if unknown:
            refuse_keywords(where, Worlds.set_shapes, unknown)
        with self._guard:
            self._refuse_within(where)
            rows = np.array(self._rows(where, "bodies", bodies), dtype=np.int64)
            numbers = chosen(where, "copies", copies, self._count)
            if not (rows.size and numbers.size):
                return
            shapes = shapes_with(
                where, [self._steps.base.shape_of(row) for row in rows.tolist()], vertices, len(numbers)
            )
            self._reshape(rows, numbers, shapes)

    def _reshape(self, rows: Integers, numbers: Integers, shapes: Shapes) -> None:
        """Give bodies in some rows other shapes: those of copy numbers[0] are the first ones, and so on."""
        steps, count = self._steps, len(rows)
        steps.stack.part_models()
        near = np.ones(len(numbers), np.bool_)
        at_once = are_plain(self._tables, np.sort(rows))
        if at_once:
            laid, bodies = laid_out(shapes), self._tables.bodies
            owned = np.column_stack([bodies[name][numbers[0]][rows] for name in ("first_part", "part_count")])
            places = np.column_stack((laid.positions, laid.positions))
            sizes = np.array(laid.sizes, dtype=np.int64)
            form = Form(laid.buffer, sizes, np.tile(owned, (len(numbers), 1)), places, laid.turned)
            reshape_copies(steps.stack.addresses(), numbers, rows, form, near)
        for i, k in enumerate(numbers.tolist()):
            if at_once:
                made = {row: RowOf(shapes, i * count + m) for m, row in enumerate(rows.tolist())}
                steps.note_shapes(k, made, bool(near[i]))
                continue
            store = steps.store_of(k)
            store.shapes = store.shapes.copy()
            for m in range(count):
                change(store, rows[m : m + 1], "shape", shapes[i * count + m])
            steps.keep(k, store)
        steps.settle(numbers)

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        with self._reading:
            steps = self._steps
            begun = WorldsSnapshot.made(steps.begun, np.arange(steps.begun.kept.many))
            starts = [plain(begun._store(n)) for n in range(len(begun))] if len(begun) > 1 else [plain(steps.first)]
            stores = [*starts, *(plain(steps.store_of(k, fresh=True)) for k in range(self._count))]
            content = {"stores": stores, "length": steps.length, "statuses": steps.statuses.tolist()}
        return {"model": self._model, "sealed": seal(content)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        try:
            self._model = state["model"]
            given, stores = given_by_user(self._model._store), list[Store]()
            content = opened(*state["sealed"])
            for one in content["stores"]:
                stores.append(object.__new__(Store))
                stores[-1].take(one, given)
            count = len(content["statuses"])
            starts, now = stores[:-count], stores[-count:]
            lists = [store.shapes for store in starts]
            begins = [prepared(store) for store in starts] * (count if len(starts) == 1 else 1)
            if len(begins) != count:
                raise ValueError(f"there are {len(starts)} starts of {count} copies")
            for shapes, store in zip(lists, begins, strict=False):
                for one in [one for one in now if one.shapes is shapes]:
                    one.shapes = store.shapes
            self._take(begins)
            self._steps.take(now, content["length"], content["statuses"])
        except UNREADABLE as error:
            refuse_pickle("Worlds", error)

    def __repr__(self) -> str:
        return f"<Worlds: {self._count} copies of {self._model!r}>"
