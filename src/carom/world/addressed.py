"""The kernels of a step that receive all tables of a world by address.

In: the addresses of the tables and those of the piles, which `addresses_of` keeps for a store. Out: what the kernel
of the same name does. Numba takes 13 microseconds to receive the arrays one by one, and each
call of a kernel takes one: so a step is one call, from its beginning to its end, unless it wants longer tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from carom._core.jit import inner, kernel, prebuilt
from carom._core.jit.addressed_tables import Layout, count_of, tables_reader
from carom._core.jit.addresses import Table
from carom._core.types import Integers
from carom.world.joints.due import find_due
from carom.world.joints.pile import solve_jointed
from carom.world.step.declared import Array, arrays_of
from carom.world.step.piles import Piles
from carom.world.step.play.events import FLY, UNEQUAL_WAIT
from carom.world.step.rounds import solve_share
from carom.world.step.solve.island_kinds import JOINTED, UNEQUAL
from carom.world.step.solve.unequal import solve_unequal
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import BETWEEN, Tables

ROOM_AHEAD = 4  # times the contacts of the last step: as many are kept beside, and a step may double them


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


UNDER_WAY = -1
"""The status of a step that was to begin within another: nothing is done."""


Played: TypeAlias = tuple[int, int, bool]
"""What a step has come to: DONE, why it has stopped, or UNDER_WAY; how many hits it has told; and whether a joint may
have broken, or the next step may want more room. It has no names: to make it a named tuple Numba would run Python,
where an interrupt may come between, and ends the process."""


class StepKernels(NamedTuple):
    """The kernels of a step that have two forms, with the same bits: bare and whole."""

    open_step: Callable[[Integers, float], None]
    play_step: Callable[[Integers, float, bool], Played]
    solve_share: Callable[[Integers, int, int], None]
    solve_unequal: Callable[[Integers], None]


@kernel
def open_step_at(table: Integers, length: float) -> None:
    """Begin a step, as `open_step` does."""
    open_step(tables_at(table), length)


@inner
def come_to(w: Tables, piles: Piles, status: int) -> Played:
    """Return what a step has come to that has stopped."""
    hits = w.state[0].hits
    short = ROOM_AHEAD * piles.counts[1] > piles.contacts.shape[0]
    return status, hits, short or (hits > 0 and w.state[0].joints > 0)


@inner
def opens(w: Tables, length: float) -> bool:
    """Begin a step of a length, that does not pause, or none if that is negative; False if one is under way."""
    if length >= 0.0:
        if w.state[0].phase != BETWEEN:
            return False
        open_step(w, length)
        w.state[0].pauses = 0
    return True


@kernel
def play_whole(w: Tables, piles: Piles, shared: bool) -> int:
    """Play a step on, its mechanisms and its islands of unequal masses included."""
    status = play_step(w, piles, shared)
    while status == FLY or status == UNEQUAL_WAIT:
        if status == FLY:
            find_due(w, piles)
        else:
            solve_waiting(w, piles)
        status = play_step(w, piles, shared)
    return status


@kernel
def solve_waiting(w: Tables, piles: Piles) -> None:
    """Solve the islands that the step itself does not: of unequal masses, and with joints."""
    unequal, jointed = False, False
    for k in range(w.state[0].islands):
        unequal = unequal or piles.islands.kind[k] == UNEQUAL
        jointed = jointed or piles.islands.kind[k] == JOINTED
    if unequal:
        solve_unequal(w, piles)
    if jointed:
        solve_jointed(w, piles)


@kernel
def play_step_at(table: Integers, length: float, shared: bool) -> Played:
    """Begin a step, or play it on, as `play_whole` does."""
    w, piles = tables_at(table), piles_at(table)
    if not opens(w, length):
        return UNDER_WAY, 0, False
    return come_to(w, piles, play_whole(w, piles, shared))


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
def play_bare_step_at(table: Integers, length: float, shared: bool) -> Played:
    """Begin or play on a step of a world that never had a joint or a sensor."""
    w, piles = bare_tables_at(table), bare_piles_at(table)
    if not opens(w, length):
        return UNDER_WAY, 0, False
    return come_to(w, piles, play_step(w, piles, shared))


@kernel
def solve_bare_share_at(table: Integers, part: int, parts: int) -> None:
    """Solve a share of the islands of a world that never had a joint or a sensor."""
    solve_share(bare_tables_at(table), bare_piles_at(table), part, parts)


@kernel
def solve_bare_unequal_at(table: Integers) -> None:
    """Solve islands of unequal masses of a world that never had a joint or a sensor."""
    solve_unequal(bare_tables_at(table), bare_piles_at(table))


WHOLE = StepKernels(open_step_at, play_step_at, solve_share_at, solve_unequal_at)
"""Of a world that has, or had, a joint or a sensor."""
_LEAST = StepKernels(open_bare_step_at, play_bare_step_at, solve_bare_share_at, solve_bare_unequal_at)
# Where all kernels are prebuilt there is no bare form: it only takes less time to compile.
BARE = _LEAST if prebuilt.extension is None else WHOLE


def kernels_of(store: Any) -> StepKernels:
    """Return the kernels that make the steps of a store."""
    return WHOLE if store.whole else BARE
