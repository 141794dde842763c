"""The kernels of a step that receive all tables of a world by address.

In: the addresses of the tables and those of the piles, which `addresses_of` keeps for a store. Out: what the kernel
of the same name does. Numba takes 13 microseconds to receive the arrays one by one, and a step with joints
calls five kernels: for small mechanisms that was most of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from carom._core.jit import kernel, prebuilt
from carom._core.jit.addressed_tables import Layout, count_of, tables_reader
from carom._core.jit.addresses import Table
from carom._core.types import Integers
from carom.world.joints.due import find_due
from carom.world.joints.pile import solve_jointed
from carom.world.step.declared import Array, arrays_of
from carom.world.step.piles import Piles
from carom.world.step.rounds import solve_share
from carom.world.step.solve.unequal import solve_unequal
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import Tables


def layout_of(kind: type) -> Layout:
    """Return how the tables of a named tuple follow each other."""
    return Layout(
        kind,
        {
            name: (one.form, 1 + len(one.length.wide)) if isinstance(one, Array) else layout_of(one)
            for name, one in arrays_of(kind).items()
        },
    )


_WORLD, _PILES = layout_of(Tables), layout_of(Piles)

tables_at: Callable[[Integers], Tables] = tables_reader(_WORLD, 0)
"""In a kernel: the tables of a world."""
piles_at: Callable[[Integers], Piles] = tables_reader(_PILES, count_of(_WORLD))
"""In a kernel: the tables of its piles."""
bare_tables_at: Callable[[Integers], Tables] = tables_reader(_WORLD, 0, bare=True)
bare_piles_at: Callable[[Integers], Piles] = tables_reader(_PILES, count_of(_WORLD), bare=True)
"""In a kernel: those of a world that never had a joint or a sensor."""


def table_of(w: Tables, piles: Piles) -> Table:
    """Return the addresses of all tables; they serve as long as these are the same."""
    return Table((w, piles), [*arrays_in(w), *arrays_in(piles)])


def addresses_of(store: Any) -> Integers:
    """Return the addresses of a store's tables, made anew where these are others."""
    if store.known is None or store.known.of[0] is not store.tables or store.known.of[1] is not store.piles:
        store.known = table_of(store.tables, store.piles)
    found: Integers = store.known.addresses
    return found


def arrays_in(given: Any) -> Iterator[Any]:
    """Yield the arrays of named tuples, in order."""
    for one in given:
        if isinstance(one, tuple):
            yield from arrays_in(one)
        else:
            yield one


class StepKernels(NamedTuple):
    """The kernels of a step that have two forms, with the same bits: bare and whole."""

    open_step: Callable[[Integers, float], None]
    play_step: Callable[[Integers, bool], int]
    solve_share: Callable[[Integers, int, int], None]
    solve_unequal: Callable[[Integers], None]


@kernel
def open_step_at(table: Integers, length: float) -> None:
    """Begin a step, as `open_step` does."""
    open_step(tables_at(table), length)


@kernel
def play_step_at(table: Integers, shared: bool) -> int:
    """Play a step on, as `play_step` does."""
    return play_step(tables_at(table), piles_at(table), shared)


@kernel
def find_due_at(table: Integers) -> None:
    """Give mechanisms their ways, as `find_due` does."""
    find_due(tables_at(table), piles_at(table))


@kernel
def solve_jointed_at(table: Integers) -> None:
    """Solve islands with joints, as `solve_jointed` does."""
    solve_jointed(tables_at(table), piles_at(table))


@kernel
def solve_share_at(table: Integers, part: int, parts: int) -> None:
    """Solve a share of the islands, as `solve_share` does."""
    solve_share(tables_at(table), piles_at(table), part, parts)


@kernel
def solve_unequal_at(table: Integers) -> None:
    """Solve islands of unequal masses, as `solve_unequal` does."""
    solve_unequal(tables_at(table), piles_at(table))


@kernel
def open_bare_step_at(table: Integers, length: float) -> None:
    """Begin a step of a world that never had a joint or a sensor."""
    open_step(bare_tables_at(table), length)


@kernel
def play_bare_step_at(table: Integers, shared: bool) -> int:
    """Play a step on of a world that never had a joint or a sensor."""
    return play_step(bare_tables_at(table), bare_piles_at(table), shared)


@kernel
def solve_bare_share_at(table: Integers, part: int, parts: int) -> None:
    """Solve a share of the islands of a world that never had a joint or a sensor."""
    solve_share(bare_tables_at(table), bare_piles_at(table), part, parts)


@kernel
def solve_bare_unequal_at(table: Integers) -> None:
    """Solve islands of unequal masses of a world that never had a joint or a sensor."""
    solve_unequal(bare_tables_at(table), bare_piles_at(table))


# A store's `whole` tells which of the two serves: the bare form until its world has its first joint or sensor.
WHOLE = StepKernels(open_step_at, play_step_at, solve_share_at, solve_unequal_at)
# Where all kernels are prebuilt there is the whole form alone: the bare one only takes less time to compile.
_LEAST = StepKernels(open_bare_step_at, play_bare_step_at, solve_bare_share_at, solve_bare_unequal_at)
BARE = _LEAST if prebuilt.extension is None else WHOLE
