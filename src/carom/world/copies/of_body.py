"""One body of many copies: its columns, each with a number for each chosen copy.

In: the columns of all copies, and which copies are chosen. Out: (m,) and (m, 2) arrays of one body; what is assigned
or written into one is set in these copies alone, in a time that does not depend on how many bodies a copy has.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.names import NamesNear, made_by, names_fixed, told_by_name
from carom._core.types import Booleans, Floats, Integers
from carom.shapes.set import Shapes
from carom.tolerances import LARGEST
from carom.world.copies.written import Column
from carom.world.step.tables import DYNAMIC, STATIC


@made_by("Worlds.of_body(body)")
@names_fixed
class CopiesBody(metaclass=NamesNear):
    """One body in each of some copies of a world; `Worlds.of_body` makes it.

    Examples
    --------
    >>> world = cm.World()
    >>> ball = world.add(cm.Circle((0, 0), 1), kind="dynamic")
    >>> worlds = world.copies(3)
    >>> balls = worlds.of_body(ball)
    >>> balls.velocity = [(1, 0), (2, 0), (3, 0)]
    >>> worlds.of_body(ball, [False, True, False]).velocity = (0, 5)
    >>> balls.velocity[:, 1] += 1
    >>> balls.velocity.tolist()
    [[1.0, 1.0], [0.0, 6.0], [3.0, 1.0]]
    """

    __slots__ = ("_copies", "_row", "_worlds")

    def __init__(self, worlds: Any, row: int, copies: Integers) -> None:
        self._worlds, self._row, self._copies = worlds, row, copies

    @property
    def row(self) -> int:
        """Its row, the same in all copies."""
        return self._row

    @property
    def copies(self) -> Integers:
        """The numbers of the copies, (m,)."""
        return self._copies.copy()

    @property
    def shapes(self) -> Shapes:
        """Its shape in each copy, where it is now; of a body of one part."""
        found: Shapes = self._worlds.shapes_of(self._row)[self._copies]
        return found

    # How it moves.

    @property
    def position(self) -> Floats:
        """Where it is, (m, 2). Assign an array, or one (x, y), to put it there without a sweep."""
        return self._column("position", self._seen("positions"))

    @position.setter
    def position(self, position: ArrayLike) -> None:
        self._place("position", self._pairs("position", position))

    @property
    def angle(self) -> Floats:
        """Its angle, radians, (m,). Assign an array, or one number, to turn it without a sweep."""
        return self._column("angle", self._seen("angles"))

    @angle.setter
    def angle(self, angle: ArrayLike) -> None:
        self._place("angle", self._numbers("angle", angle))

    @property
    def velocity(self) -> Floats:
        """How fast it is, (m, 2). Assign an array, or one (x, y)."""
        return self._column("velocity", self._seen("velocities"))

    @velocity.setter
    def velocity(self, velocity: ArrayLike) -> None:
        self._move("velocity", 0, self._pairs("velocity", velocity))

    @property
    def spin(self) -> Floats:
        """How fast it turns, radians a second, (m,). Assign an array, or one number."""
        return self._column("spin", self._seen("spins"))

    @spin.setter
    def spin(self, spin: ArrayLike) -> None:
        self._move("spin", 2, self._numbers("spin", spin)[:, None])

    @property
    def force(self) -> Floats:
        """Mass x acceleration besides gravity, (m, 2); one that is assigned holds until it is changed."""
        inverse = self._held("inverse_mass")
        pull = np.stack((self._held("acceleration_x"), self._held("acceleration_y")), axis=1)
        return self._column("force", _over(pull, inverse[:, None]))

    @force.setter
    def force(self, force: ArrayLike) -> None:
        given = self._pairs("force", force)
        mass = _over(np.ones(len(given)), self._held("inverse_mass"))
        self._move("force", 3, _over(given, mass[:, None]))

    @property
    def torque(self) -> Floats:
        """Moment of inertia x angular acceleration, (m,); one that is assigned holds until it is changed."""
        return self._column("torque", _over(self._held("acceleration_spin"), self._held("inverse_inertia")))

    @torque.setter
    def torque(self, torque: ArrayLike) -> None:
        given, inverse = self._numbers("torque", torque), self._held("inverse_inertia")
        wrong = (given != 0.0) & (inverse == 0.0)
        self._refuse("torque", wrong, given, "is for dynamic bodies that turn")
        self._move("torque", 5, (given * inverse)[:, None])

    @told_by_name
    def apply_impulse(self, impulse: ArrayLike, at: ArrayLike | None = None, turn: ArrayLike = 0.0) -> None:
        """Change the momentum of the body in each copy at once.

        Parameters
        ----------
        impulse : (x, y), or (m, 2)
            Mass x velocity.
        at : (x, y), or (m, 2), optional
            The point of the world where it acts; the centre of mass if not given.
        turn : float, or (m,)
            An impulse that turns the body besides: moment of inertia x spin.

        Raises
        ------
        TypeError, ValueError
            With the argument at fault.
        """
        self._apply("CopiesBody.apply_impulse", ("impulse", "at", "turn"), (impulse, at, turn))

    def _apply(self, where: str, names: tuple[str, str, str], given: tuple[Any, Any, Any]) -> None:
        """Change the momentum of the body, for a call whose arguments have some names."""
        (impulse, at, turn), (first, second, third) = given, names
        push, twist = self._pairs(first, impulse, where), self._numbers(third, turn, where)
        self._refuse(first, np.full(len(push), not self._is(DYNAMIC)), push, "is for dynamic bodies", where)
        if at is not None:
            arm = self._pairs(second, at, where) - self._seen("positions")
            twist = arm[:, 0] * push[:, 1] - arm[:, 1] * push[:, 0] + twist
        inverse = self._held("inverse_inertia")
        spin = self._seen("spins")
        motion = np.empty((len(push), 3))
        motion[:, :2] = self._seen("velocities") + self._held("inverse_mass")[:, None] * push
        motion[:, 2] = np.where(inverse > 0.0, spin + inverse * twist, spin)
        fast: Any = ~(abs(motion) <= LARGEST).all(axis=1)
        self._refuse(first, fast, push, "gives too great a speed", where)
        self._move(first, 0, motion)

    # How it is read and set.

    def _seen(self, column: str) -> NDArray[np.float64]:
        """Return what is seen of it, an array of its own."""
        if not self._worlds._guard.free:
            self._worlds._guard.check()
        found: NDArray[np.float64] = getattr(self._worlds._steps.seen, column)[self._copies, self._row]
        return found

    def _held(self, column: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self._worlds._tables.bodies[column][self._copies, self._row]
        return found

    def _column(self, name: str, array: NDArray[Any]) -> Floats:
        return cast(Floats, Column.over(array, partial(setattr, self, name)))

    def _pairs(self, name: str, given: ArrayLike, where: str = "CopiesBody") -> NDArray[np.float64]:
        return inputs.vectors(where, name, np.asarray(given) if isinstance(given, Column) else given, len(self._copies))

    def _numbers(self, name: str, given: ArrayLike, where: str = "CopiesBody") -> NDArray[np.float64]:
        return inputs.column(where, name, np.asarray(given) if isinstance(given, Column) else given, len(self._copies))

    def _is(self, least: int) -> bool:
        """Tell whether the body is of a kind, or a freer one."""
        return bool(self._worlds._kinds()[self._row] >= least)

    def _refuse(
        self, name: str, wrong: Booleans, values: NDArray[np.float64], expected: str, where: str = "CopiesBody"
    ) -> None:
        for m in np.flatnonzero(wrong)[:1].tolist():
            inputs.refuse(ValueError, where, f"{name}[{m}]", values[m].tolist(), expected)

    def _move(self, name: str, first: int, values: NDArray[np.float64]) -> None:
        moves = self._is(DYNAMIC if first >= 3 else STATIC + 1)
        wrong: Booleans = ~((abs(values) <= LARGEST).all(axis=1) & (moves | (values == 0.0).all(axis=1)))
        self._refuse(name, wrong, values, f"must be finite, up to {LARGEST:g}, and of a body that moves")
        with self._worlds._guard:
            self._worlds._refuse_within(f"CopiesBody.{name}")
            if moves:
                self._worlds._steps.set_motion(self._copies, np.full(len(self._copies), self._row), first, values)

    def _place(self, name: str, values: NDArray[np.float64]) -> None:
        with self._worlds._guard:
            self._worlds._refuse_within(f"CopiesBody.{name}")
            self._worlds._put(name, self._copies, self._row, values)

    def __repr__(self) -> str:
        return f"<CopiesBody: row {self._row} in {len(self._copies)} of {len(self._worlds)} copies>"


def _over(value: NDArray[np.float64], divisor: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a quotient, 0 where the divisor is 0."""
    return np.divide(value, divisor, out=np.zeros_like(value), where=divisor != 0.0)
