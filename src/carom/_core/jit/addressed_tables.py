"""Named tuples of arrays by address: kernels hand on one pointer, and read an array where they name it.

In: how the arrays of a named tuple follow each other in a table of addresses. Out: the function that gives a kernel the
tuple. As a tuple each array would be seven numbers, handed on one by one: for the 80 arrays of a world that was more
than half of what was compiled for the 400 functions of its step.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from carom._core.types import Integers

from .addresses import PLACES, emit_array, reader_of
from .numba_or_none import numba


class Layout(NamedTuple):
    """How the arrays of a named tuple follow each other in a table."""

    kind: type
    """The named tuple."""
    members: dict[str, Any]
    """Of an array its dtype and how many dimensions it has, of a named tuple within its `Layout`."""

    def places(self, first: int) -> dict[str, tuple[int, Any]]:
        """Return of each member where it begins, and what it is, if the first array is number `first`."""
        found = {}
        for name, one in self.members.items():
            found[name] = first, one
            first += count_of(one)
        return found


def count_of(member: Any) -> int:
    """Return how many arrays a member of a layout has."""
    return sum(count_of(one) for one in member.members.values()) if isinstance(member, Layout) else 1


def tables_reader(layout: Layout, first: int, bare: bool = False) -> Callable[[Integers], Any]:
    """Return the function that gives the named tuple whose first array is number `first` of a table.

    In a kernel it has the tuple's attributes, but is none. A table does not change as long as kernels read it. If
    `bare`, functions that it is given to and that are marked by `left_out` are left out.
    """
    if numba is None:
        places = layout.places(first).values()

        def read(table: Integers) -> Any:
            return layout.kind(
                *(
                    tables_reader(one, place)(table) if isinstance(one, Layout) else reader_of(*one)(table, place)
                    for place, one in places
                )
            )

        return read

    made = _addressed_type()(layout, first, bare)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    @numba.extending.intrinsic  # type: ignore[untyped-decorator]
    def read_tables(typing_context: Any, table: Any) -> Any:
        return made(table), emit

    read_tables.bare = bare
    reader: Callable[[Integers], Any] = read_tables
    return reader


@functools.cache
def _addressed_type() -> Any:
    """Return Numba's type of such tuples, a pointer to the words of the table."""
    types, extending, models = numba.core.types, numba.extending, numba.core.datamodel.models

    class Addressed(types.Type):  # type: ignore[misc, name-defined]
        def __init__(self, layout: Layout, first: int, bare: bool) -> None:
            self.bare = bare
            self.places = {
                name: (place, Addressed(one, place, bare) if isinstance(one, Layout) else _array_type(*one))
                for name, (place, one) in layout.places(first).items()
            }
            super().__init__(name=f"{'Bare' if bare else ''}{layout.kind.__name__}At{first}")

    @extending.register_model(Addressed)
    class Pointer(models.PrimitiveModel):  # type: ignore[misc, name-defined]
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, manager[types.CPointer(types.intp)].get_value_type())

    @extending.infer_getattr
    class Attributes(numba.core.typing.templates.AttributeTemplate):  # type: ignore[misc]
        key = Addressed

        def generic_resolve(self, kind: Any, name: str) -> Any:
            return kind.places[name][1] if name in kind.places else None

    @extending.lower_getattr_generic(Addressed)  # type: ignore[untyped-decorator]
    def emit(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        first, made = kind.places[name]
        if isinstance(made, Addressed):
            return value

        def word(place: int) -> Any:
            at = context.get_constant(types.intp, PLACES * first + place)
            read = builder.load(builder.gep(value, [at]))
            read.set_metadata("invariant.load", builder.module.add_metadata([]))
            return read

        return emit_array(context, builder, made, word)

    return Addressed


def _array_type(dtype: Any, dimensions: int) -> Any:
    return numba.core.types.Array(numba.from_dtype(dtype), dimensions, "C")
