"""The kernels of a step that receive all tables of a world by address.

In: the addresses of the tables and those of the piles, which `addresses_of` keeps for a store. Out: what the kernel
of the same name does. Numba takes 13 microseconds to receive the arrays one by one, and a step with joints
calls five kernels: for small mechanisms that was most of its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from carom._core.jit import inner, kernel
from carom._core.jit.addresses import (
    Table,
    float_table_at,
    floats_at,
    integer_table_at,
    integers_at,
    records_reader,
    rows32_at,
)
from carom._core.types import Integers
from carom.world.joints import tables as joint_tables
from carom.world.joints.due import find_due
from carom.world.joints.pile import solve_jointed
from carom.world.joints.tables import Graph, Joints
from carom.world.step import contacts, notes, rows, tables
from carom.world.step.islands import Islands
from carom.world.step.piles import Piles
from carom.world.step.rows import Rows
from carom.world.step.step import open_step, play_step
from carom.world.step.tables import Tables

state_at, bodies_at, parts_at = (records_reader(form) for form in (tables.STATE, tables.BODY, tables.PART))
courses_at, rests_at, events_at = (records_reader(form) for form in (tables.COURSE, tables.REST, tables.EVENT))
hits_at, joints_at = records_reader(tables.HIT_ROW), records_reader(joint_tables.JOINT)
contacts_at, rows_at, solving_at = (records_reader(form) for form in (contacts.CONTACT, rows.ROW, notes.NOTE))


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


@inner
def tables_at(table: Integers) -> Tables:
    """Return the tables of a world."""
    return Tables(
        state=state_at(table, 0),
        bodies=bodies_at(table, 1),
        courses=courses_at(table, 2),
        rests=rests_at(table, 3),
        parts=parts_at(table, 4),
        buffer=floats_at(table, 5),
        cells=integers_at(table, 6),
        levels=integers_at(table, 7),
        events=events_at(table, 8),
        heap=integers_at(table, 9),
        queue=integers_at(table, 10),
        movers=integers_at(table, 11),
        around=integers_at(table, 12),
        beside=integers_at(table, 13),
        lists=rows32_at(table, 14),
        hits=hits_at(table, 15),
        inside=integers_at(table, 16),
        rules=integer_table_at(table, 17),
        overlaps=integers_at(table, 18),
        joints=Joints(joints_at(table, 19)),
    )


@inner
def piles_at(table: Integers) -> Piles:
    """Return the tables of its piles."""
    return Piles(
        solving=solving_at(table, 20),
        contacts=contacts_at(table, 21),
        old=contacts_at(table, 22),
        instant=contacts_at(table, 23),
        names=integers_at(table, 24),
        old_names=integers_at(table, 25),
        counts=integers_at(table, 26),
        solved=integers_at(table, 27),
        islands=Islands(
            members=integers_at(table, 28),
            starts=integers_at(table, 29),
            order=integers_at(table, 30),
            begins=integers_at(table, 31),
            fresh=integers_at(table, 32),
            kind=integers_at(table, 33),
            missed=floats_at(table, 34),
        ),
        rows=Rows(
            table=rows_at(table, 35),
            speed=float_table_at(table, 36),
            push=float_table_at(table, 37),
            ahead=float_table_at(table, 38),
            node=integers_at(table, 39),
            graph=graph_at(table),
        ),
        work=floats_at(table, 61),
    )


@inner
def graph_at(table: Integers) -> Graph:
    """Return the graph of its joints."""
    return Graph(
        node=integers_at(table, 40),
        mechanism=integers_at(table, 41),
        starts=integers_at(table, 42),
        middle=integers_at(table, 43),
        first=integers_at(table, 44),
        later=integers_at(table, 45),
        update_first=integers_at(table, 46),
        updates=integer_table_at(table, 47),
        diagonal=float_table_at(table, 48),
        inverse=float_table_at(table, 49),
        off=float_table_at(table, 50),
        x=float_table_at(table, 51),
        pose=float_table_at(table, 52),
        way=float_table_at(table, 53),
        free=float_table_at(table, 54),
        speed=float_table_at(table, 55),
        mass=float_table_at(table, 56),
        root=float_table_at(table, 57),
        row=floats_at(table, 58),
        lead=integers_at(table, 59),
        stiff=float_table_at(table, 60),
    )


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
