"""How the tables of a world are declared: once, each column and each table with what it is for and how it grows.

In: a class for each table of records, whose annotations are its columns, and a named tuple of tables. Out: the layout
of a record, new tables, and longer ones. Digests, snapshots, copies and pickles read the same declarations, so that a
new table or column is declared in one place and left out nowhere. Annotations are read while the module is imported:
modules that declare do without `from __future__ import annotations`.
"""

import math
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from carom._core.jit import is_compiled

LINE = 64  # bytes of a cache line

T = TypeVar("T")
Row = TypeVar("Row")


class Record(np.ndarray[Any, np.dtype[Any]]):
    """A record of a table, as type checks know it: its columns are attributes.

    It is an array to them, too, since in a table a row number stands for a record, and a name for a whole column.
    """


class Table(np.ndarray[Any, np.dtype[Any]], Generic[Row]):
    """A table of records of one class, as type checks know it.

    Neither records nor tables of these classes are ever made: when the program runs, they are NumPy's.
    """

    if TYPE_CHECKING:

        def __getitem__(self, at: Any, /) -> Row: ...  # type: ignore[override]


class Use(Enum):
    """For how long a column or a table matters, and whether a digest is made of it."""

    LASTING = "from step to step: it decides what the world does next, and a digest is made of it"
    PASSING = "until the step ends: a digest is made of it while a step is under way"
    KEPT = "kept, but made of what lasts, or only told: no digest is made of it"
    WITHIN = (
        "until the step ends, made of what lasts: no digest holds it, copies and pickles only while one is under way"
    )
    SCRATCH = "until the stage ends that writes it: no digest and no pickle holds it"


Lasting = Annotated[T, Use.LASTING]
Passing = Annotated[T, Use.PASSING]
Within = Annotated[T, Use.WITHIN]
Scratch = Annotated[T, Use.SCRATCH]


class Column(NamedTuple):
    """The numbers of a column: their type in NumPy's letters, and how many in a row."""

    form: str
    wide: tuple[int, ...] = ()


F8 = Annotated[float, Column("f8")]
I8 = Annotated[int, Column("i8")]
I4 = Annotated[int, Column("i4")]
I1 = Annotated[int, Column("i1")]
Two = Annotated[NDArray[np.float64], Column("f8", (2,))]
TwoWhole = Annotated[NDArray[np.int64], Column("i8", (2,))]
Six = Annotated[NDArray[np.float64], Column("f8", (6,))]


class Length(NamedTuple):
    """How long an array is, how it grows, and what new rows hold."""

    of: str
    """There are rows for each of these: bodies, parts, contacts, ...; `one`: the length never changes."""
    times: int = 1
    more: int = 0
    wide: tuple[int, ...] = ()
    """The axes behind that of the rows."""
    fill: float = 0
    """The value in new rows of numbers; see `numbered`."""
    numbered: bool = False
    """Whether each new row holds its own number instead."""
    hashed: bool = False
    """Whether it is a hash table: its length is a power of two, and its owner fills it anew when it has grown."""
    shared: bool = False
    """Whether all copies of a world have it in common."""
    in_turn: bool = False
    """Whether copies of a world use one in turn, each for its whole step: nothing in it matters from step to step."""

    def rows(self, count: int) -> int:
        """Return how many rows there are for so many of what it is about."""
        found = self.times * count + self.more
        return 1 << (found - 1).bit_length() if self.hashed else found


class Array(NamedTuple):
    """The declaration of one array."""

    record: type | None
    """The class of its records; None for numbers."""
    form: np.dtype[Any]
    length: Length
    use: Use


def form_of(record: type) -> np.dtype[Any]:
    """Return the layout of a record."""
    columns = [(name, next(one for one in about if isinstance(one, Column))) for name, about in _about(record)]
    return np.dtype([(name, column.form, column.wide) for name, column in columns])


@cache
def columns_of(record: type, *uses: Use) -> tuple[str, ...]:
    """Return the names of a record's columns that are of some uses, in order."""
    return tuple(name for name, about in _about(record) if _use(about) in uses)


_KNOWN: dict[type, dict[str, Any]] = {}


def arrays_of(kind: type) -> dict[str, Any]:
    """Return what is declared of each array of a named tuple of tables; of a tuple within it, its class."""
    known = _KNOWN.get(kind)
    if known is not None:
        return known
    found = _KNOWN[kind] = {}
    for name, hint in kind.__annotations__.items():
        array, *about = get_args(hint) or (hint,)
        if not about:
            found[name] = array
            continue
        record = get_args(array)[0] if get_origin(array) is Table else None
        form = form_of(record) if record else np.dtype(_innermost(array))
        found[name] = Array(record, form, next(one for one in about if isinstance(one, Length)), _use(tuple(about)))
    return found


def _innermost(hint: Any) -> Any:
    """Return the number type in an array's annotation; NumPy spells `NDArray` in full or as an alias, by version."""
    while get_args(hint):
        hint = get_args(hint)[-1]
    return hint


def _about(record: type) -> Iterator[tuple[str, tuple[Any, ...]]]:
    return ((name, get_args(hint)[1:]) for name, hint in record.__annotations__.items())


def _use(about: tuple[Any, ...]) -> Use:
    return next((one for one in about if isinstance(one, Use)), Use.KEPT)


def zeros(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of zeros that begins with a cache line, so that rows do not lie across two."""
    size = math.prod(shape) * dtype.itemsize
    room = np.zeros(size + LINE, dtype=np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(dtype).reshape(shape)


def rows_of(form: np.dtype[Any], count: int) -> Table[Any]:
    """Return zeroed records; plain Python reads their columns by name only from a record array."""
    rows = zeros((count,), form)
    return cast(Table[Any], rows if is_compiled() else rows.view(np.recarray))


def blank(array: Array, count: int) -> NDArray[Any]:
    """Return an array as it begins, for so many of what it is about."""
    return blank_rows(array, array.length.rows(count))


def blank_rows(array: Array, rows: int) -> NDArray[Any]:
    """Return so many rows of an array as they begin."""
    if array.record is not None:
        return rows_of(array.form, rows)
    if array.length.numbered:
        return np.arange(rows, dtype=array.form)
    made = zeros((rows, *array.length.wide), array.form)
    if array.length.fill != 0:
        made[...] = array.length.fill
    return made


def make(kind: type[T], **counts: int) -> T:
    """Return tables as they begin, for so many of what there is: bodies, parts, ..."""
    return kind(
        *(
            blank(one, counts.get(one.length.of, 1)) if isinstance(one, Array) else make(one, **counts)
            for one in arrays_of(kind).values()
        )
    )


def longer(tables: T, of: str, count: int) -> T:
    """Return tables with room for so many of one kind of thing; the rows there are stay in front."""
    made: list[Any] = []
    for old, one in zip(cast(Any, tables), arrays_of(type(tables)).values(), strict=True):
        if not isinstance(one, Array):
            made.append(longer(old, of, count))
        elif one.length.of != of or len(old) >= one.length.rows(count):
            made.append(old)
        else:
            made.append(blank(one, count))
            if not one.length.hashed:
                made[-1][: len(old)] = old
    return type(tables)(*made)


def shorter(tables: T, of: str, count: int) -> T:
    """Return tables with room for no more than so many of one kind of thing; the rows in front stay."""
    made: list[Any] = []
    for old, one in zip(cast(Any, tables), arrays_of(type(tables)).values(), strict=True):
        if not isinstance(one, Array):
            made.append(shorter(old, of, count))
        elif one.length.of != of or one.length.hashed or len(old) <= one.length.rows(count):
            made.append(old)
        else:
            rows = one.length.rows(count)
            made.append(blank_rows(one, rows))
            made[-1][:] = old[:rows]
    return type(tables)(*made)


def arrays_in(tables: Any) -> Iterator[tuple[NDArray[Any], Array]]:
    """Return each array of a named tuple of tables, and of tuples within it, with what is declared of it."""
    for array, one in zip(tables, arrays_of(type(tables)).values(), strict=True):
        if isinstance(one, Array):
            yield array, one
        else:
            yield from arrays_in(array)


def room_for(tables: Any, of: str) -> int:
    """Return for how many of one kind of thing there is room."""
    lengths = ((len(array), one.length) for array, one in arrays_in(tables) if one.length.of == of)
    rows, length = next(lengths)
    return (rows - length.more) // length.times


def copied(tables: T, unfinished: bool = False) -> T:
    """Return tables of their own with the same content; only within a step with all that lasts no longer."""
    made: list[Any] = []
    for old, one in zip(cast(Any, tables), arrays_of(type(tables)).values(), strict=True):
        if not isinstance(one, Array):
            made.append(copied(old, unfinished))
        else:
            lasts = unfinished or one.use not in (Use.WITHIN, Use.SCRATCH)
            made.append(old.copy() if lasts else np.zeros_like(old))
    return type(tables)(*made)


def by_name(given: Any, form: np.dtype[Any]) -> Table[Any]:
    """Return records of some form with the columns that they share with the given ones, zeros in the others."""
    rows = rows_of(form, len(given))
    for name in form.names or ():
        if name in (given.dtype.names or ()):
            rows[name] = given[name]
    return rows
