"""Questions to many copies: rays, shapes and points, and which bodies of them touch.

In: what the user asks, with the copy as the first axis of arrays. Out: columns that have it, too.
`questions/of_copies.py` reads what is asked; every copy is asked where its bodies are now.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Never

import numpy as np
from numpy.typing import ArrayLike

from carom._core import inputs
from carom._core.guard import Reading
from carom._core.names import refuse_keywords, told_by_name
from carom._core.threads import ONE
from carom._core.types import Booleans
from carom.broad.answers import CastColumns, Neighbors, RowLists
from carom.broad.queries import distances
from carom.narrow.cast import RayHitColumns
from carom.shapes.proxy import COUNT, POINTS, STRIDE
from carom.shapes.set import Shapes
from carom.shapes.set_rows import Proxies
from carom.world.body import Body
from carom.world.copies.columns import CopiedColumns
from carom.world.copies.told import CopiesContacts, CopiesOverlaps, contacts_in, overlaps_in
from carom.world.copies.touches import find_inside, find_near, find_touches
from carom.world.questions import of_copies
from carom.world.step.tables import GONE


class CopiedQuestions(CopiedColumns):
    """The questions to copies."""

    _reading: Reading
    _model: Any

    def __len__(self) -> int:
        """Return how many copies there are."""
        return self._count

    def _row(self, where: str, name: str, body: Body | int) -> int:
        """Return the row of a body of the copies: one of the world that they were made of, or its row."""
        if not isinstance(body, Body | int | np.integer) or isinstance(body, bool):
            inputs.refuse_type(where, name, body, "must be a Body or a row")
        row = body.row if isinstance(body, Body) else inputs.integer(where, name, body)
        if not 0 <= row < self._bodies or self._kinds()[row] == GONE:
            inputs.refuse(ValueError, where, name, body, "is no body of the copies, and no row of one")
        return row

    def _rows(self, where: str, name: str, bodies: Any) -> list[int]:
        """Return the rows of one body, or of several."""
        if isinstance(bodies, Body | int | np.integer):
            one: Any = bodies
            return [self._row(where, name, one)]
        listed = inputs.listed(where, name, bodies, "a Body, a row, or several")
        return [self._row(where, f"{name}[{k}]", one) for k, one in enumerate(listed)]

    @told_by_name
    def shapes_of(self, body: Body | int) -> Shapes:
        """Return the shape of a body of one part in each copy, where it is now.

        Parameters
        ----------
        body : Body or int
            A body of the world that the copies were made of, or its row.

        Returns
        -------
        Shapes
            One for each copy.

        Raises
        ------
        TypeError
            If the body has several parts.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic", velocity=(1, 0))
        >>> worlds = world.copies(2)
        >>> hits = worlds.step(3.0)
        >>> worlds.shapes_of(ball).positions.tolist()
        [[3.0, 0.0], [3.0, 0.0]]
        """
        with self._reading:
            return self._shapes_of("Worlds.shapes_of", "body", body)[1]

    def _shapes_of(self, where: str, name: str, body: Body | int) -> tuple[int, Shapes]:
        """Return the row of a body of one part, and its shape in each copy."""
        w, row = self._tables, self._row(where, name, body)
        if w.bodies["part_count"][0, row] != 1:
            inputs.refuse(TypeError, where, name, body, "must be of one part; ask `Worlds.world(k)`")
        begin = int(w.parts["record"][0, int(w.bodies["first_part"][0, row])])
        size = POINTS + STRIDE * int(w.buffer[0, begin + COUNT])
        return row, Shapes._of(Proxies(w.buffer[:, begin : begin + size].ravel(), size * np.arange(self._count)))

    # Rays, shapes, points.

    @told_by_name
    def raycast(
        self,
        origin: ArrayLike,
        translation: ArrayLike,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RayHitColumns:
        """Return what each ray meets first in each copy, where its bodies are now.

        Parameters
        ----------
        origin, translation : (x, y), or arrays (n, ..., 2)
            The first axis is the copy, or of length 1 for what all copies share; both are broadcast together.
        ignore : Body, row, or several; or an array that broadcasts to the rays
            Rows that are passed through, -1 for none.
        mask : a name, a tuple of names, or an int of bits, optional
            The layers that are seen, all if not given.
        sensors : bool, default False
            Whether sensors are seen, too.
        threads : int, default 1
            How many threads share the rays; the answers are the same with any number.

        Returns
        -------
        RayHitColumns
            As `World.raycast` of each copy; the columns have the copy as their first axis.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World()
        >>> ball = world.add(cm.Circle((5, 0), 1), kind="dynamic")
        >>> worlds = world.copies(2)
        >>> worlds.raycast((0, 0), [[[10, 0], [0, 10], [5, 0]]]).distance
        array([[ 4., inf,  4.],
               [ 4., inf,  4.]])
        """
        if unknown:
            refuse_keywords("Worlds.raycast", CopiedQuestions.raycast, unknown)
        with self._reading:
            return of_copies.raycast(self, origin, translation, mask, ignore, sensors, threads)

    @told_by_name
    def cast(
        self,
        shape: Any,
        translation: ArrayLike,
        rotation: ArrayLike = 0.0,
        pivot: ArrayLike | None = None,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> CastColumns:
        """Return what each moving shape meets first in each copy, where its bodies are now.

        Parameters
        ----------
        shape : a shape; Shapes, or shapes in a list
            One, which goes each of the ways (n, ...); or m, of which each goes its way in each copy.
        translation : (x, y), or an array (n, ..., 2); of m shapes (n, m, 2)
            As in `raycast`.
        rotation : float, or one for each motion in order
        pivot : (x, y), or one for each motion in order, optional
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        CastColumns
            As `World.cast` of each copy; the columns have the copy as their first axis.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        if unknown:
            refuse_keywords("Worlds.cast", CopiedQuestions.cast, unknown)
        with self._reading:
            return of_copies.cast(self, shape, translation, rotation, pivot, mask, ignore, sensors, threads)

    @told_by_name
    def query(
        self,
        shape: Any,
        *,
        touching: bool = True,
        within: ArrayLike = 0.0,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RowLists:
        """Return the bodies that intersect each of m shapes, or lie within a distance of it, in each copy.

        Parameters
        ----------
        shape : a shape; Shapes, or shapes in a list
        touching, within
            As in `World.query`.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        RowLists(offsets, rows)
            The lists of the first copy's m shapes come first.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `World.query`.
        """
        if unknown:
            refuse_keywords("Worlds.query", CopiedQuestions.query, unknown)
        with self._reading:
            return of_copies.query(self, shape, touching, within, mask, ignore, sensors, threads)

    @told_by_name
    def contains(
        self,
        point: ArrayLike,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> RowLists:
        """Return the bodies that contain each point, boundary included, in each copy.

        Parameters
        ----------
        point : (x, y), or an array (n, ..., 2)
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        RowLists(offsets, rows)
            The lists of the first copy's points come first.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As `World.contains`.
        """
        if unknown:
            refuse_keywords("Worlds.contains", CopiedQuestions.contains, unknown)
        with self._reading:
            return of_copies.contains(self, point, mask, ignore, sensors, threads)

    @told_by_name
    def nearest(
        self,
        shape: Any,
        k: int = 1,
        within: float = math.inf,
        *,
        ignore: Any = None,
        mask: Any = None,
        sensors: bool = False,
        threads: int = ONE,
        **unknown: Never,
    ) -> Neighbors:
        """Return the k bodies nearest to each point or shape in each copy, with their distances.

        Parameters
        ----------
        shape : (x, y), an array (n, ..., 2), a shape; Shapes, or shapes in a list
        k, within
            As in `World.nearest`.
        ignore, mask, sensors, threads
            As in `raycast`.

        Returns
        -------
        Neighbors(rows, distances)
            Both (n, ..., k), or (n, m, k) for m shapes.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        if unknown:
            refuse_keywords("Worlds.nearest", CopiedQuestions.nearest, unknown)
        with self._reading:
            return of_copies.nearest(self, shape, k, within, mask, ignore, sensors, threads)

    # What touches what.

    @told_by_name
    def touching(
        self, bodies: Body | int | Iterable[Body | int], *, layer: Any = None, within: float = 0.0, **unknown: Never
    ) -> Booleans:
        """Return which bodies touch something in each copy.

        A body touches what it gave an impulse in the last step, as `contacts` has it: what it hit, rests on or leans
        on. Bodies come to rest a little apart, so that no distance of 0 tells.

        Parameters
        ----------
        bodies : Body or row, or several
        layer : a name, a tuple of names, or an int of bits, optional
            The layers of the others; all if not given.
        within : float
            Bodies touch others that are no farther than this, too.

        Returns
        -------
        bool array (n, m)

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.

        Examples
        --------
        >>> world = cm.World(gravity=(0, -10))
        >>> floor = world.add(cm.Box((0, -1), (10, 2)), layer="ground")
        >>> ball = world.add(cm.Circle((0, 1), 0.5), kind="dynamic")
        >>> worlds = world.copies(2)
        >>> worlds.positions[1, ball.row] = 0, 9
        >>> hits = worlds.step(1 / 60, steps=30)
        >>> worlds.touching(ball, layer="ground").tolist()
        [[True], [False]]
        """
        where = "Worlds.touching"
        if unknown:
            refuse_keywords(where, CopiedQuestions.touching, unknown)
        with self._reading:
            rows = np.array(self._rows(where, "bodies", bodies), dtype=np.int64)
            layers = -1 if layer is None else self._steps.base.layers.asked().bits(where, "layer", layer)
            (limit,) = distances(where, within, 1).tolist()
            found = np.zeros((self._count, len(rows)), np.bool_)
            find_touches(self._steps.stack.addresses(), rows, layers, found)
            if limit > 0.0:
                find_near(self._steps.stack.addresses(), rows, layers, limit, found)
        return found

    @told_by_name
    def inside(self, sensor: Body | int, **unknown: Never) -> Booleans:
        """Return which bodies are in a sensor in each copy: they have entered it and not left it.

        Parameters
        ----------
        sensor : Body or int
            The sensor, or its row.

        Returns
        -------
        bool array (n, rows)

        Raises
        ------
        TypeError, ValueError
            If it is no sensor of the copies.
        """
        where = "Worlds.inside"
        if unknown:
            refuse_keywords(where, CopiedQuestions.inside, unknown)
        with self._reading:
            row = self._row(where, "sensor", sensor)
            if not self._steps.base.tables.bodies["sensor"][row]:
                inputs.refuse(ValueError, where, "sensor", sensor, "is no sensor")
            found = np.zeros((self._count, self._bodies), np.bool_)
            find_inside(self._steps.stack.addresses(), row, found)
        return found

    def contacts(self) -> CopiesContacts:
        """Return which bodies of each copy gave each other an impulse in the last step: `World.contacts`.

        Returns
        -------
        CopiesContacts
            The columns of `WorldContacts`, and `world`, (m,), the number of the copy; those of the first copy first.
        """
        with self._reading:
            return contacts_in(self._steps)

    def overlaps(self) -> CopiesOverlaps:
        """Return the pairs of bodies of each copy that would meet but are in each other: `World.overlaps`.

        Returns
        -------
        CopiesOverlaps
            The columns of `WorldOverlaps`, and `world`, (m,), the number of the copy; those of the first copy first.
        """
        with self._reading:
            return overlaps_in(self._steps)
