"""Arrays that reach a kernel by address: one array of whole numbers stands for a table of many arrays.

In: arrays, which the caller keeps alive until the kernel returns. Out: their addresses and shapes as whole numbers, and
inside a kernel the arrays again. Numba takes 100 to 150 ns to receive each array of a call; a question to an index has
25, and its search takes a tenth of that time. Prebuilt kernels receive arrays faster, but by the same face.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom._core.types import Floats, Integers, Marks, Rows32

from .numba_or_none import numba

COUNT, DATA, SHAPE, STRIDES = 2, 4, 5, 6
"""Members of Numba's array."""

PLACES = 3
"""Numbers that stand for one array: its address and two lengths, the second 1 where it has one dimension."""


def addresses_of(arrays: Iterable[NDArray[Any]]) -> Integers:
    """Return the numbers that stand for arrays, `PLACES` each, in their order."""
    words: list[int] = []
    for array in arrays:
        if not array.flags.c_contiguous:
            raise ValueError("a table holds contiguous arrays only")
        rows, columns = array.shape if array.ndim == 2 else (array.size, 1)
        words += (array.__array_interface__["data"][0], rows, columns)  # half the time of `array.ctypes.data`
    return np.array(words, dtype=np.int64)


class Table:
    """Arrays by address, and the arrays themselves, which stay alive with it.

    A copy of it, or one from a file, would point to arrays that are gone: it is copied and kept as None, and its owner
    makes another.
    """

    __slots__ = ("addresses", "arrays", "of")

    def __init__(self, of: Any, arrays: Iterable[NDArray[Any]]) -> None:
        self.of = of
        self.arrays = tuple(arrays)
        self.addresses = addresses_of(self.arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()


def emit_array(context: Any, builder: Any, made: Any, word: Callable[[int], Any]) -> Any:
    """Write out an array of a Numba type whose address and lengths `word` gives."""
    llvm: Any = importlib.import_module("llvmlite.ir")
    form = context.get_value_type(made)
    size = llvm.Constant(form.elements[SHAPE].element, made.dtype.bitwidth // 8)
    address, rows = builder.inttoptr(word(0), form.elements[DATA]), word(1)
    # Nobody counts references to it: the caller keeps it.
    array = llvm.Constant(form, [None, None, None, size, None, None, [size] * made.ndim])
    array = builder.insert_value(builder.insert_value(array, address, DATA), rows, (SHAPE, 0))
    if made.ndim == 2:
        columns = word(2)
        array = builder.insert_value(array, columns, (SHAPE, 1))
        array = builder.insert_value(array, builder.mul(columns, size), (STRIDES, 0))
        rows = builder.mul(rows, columns)
    return builder.insert_value(array, rows, COUNT)


def reader_of(dtype: Any, dimensions: int) -> Callable[[Integers, int], Any]:
    """Return the function that gives array `k` of a table as it is inside a kernel; records are read by field."""
    dtype = np.dtype(dtype)
    if numba is None:

        def read(table: Integers, k: int) -> NDArray[Any]:
            address, rows, columns = (int(table[PLACES * k + place]) for place in range(PLACES))
            held = (ctypes.c_char * (rows * columns * dtype.itemsize)).from_address(address)
            array = np.frombuffer(held, dtype)
            if dtype.names:
                return array.view(np.recarray)
            return array.reshape(rows, columns) if dimensions == 2 else array

        return read

    types = numba.core.types
    made = types.Array(numba.from_dtype(dtype), dimensions, "C")

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        table = context.make_array(signature.args[0])(context, builder, args[0])
        first = builder.mul(args[1], context.get_constant(types.intp, PLACES))

        def word(place: int) -> Any:
            at = builder.add(first, context.get_constant(types.intp, place))
            return builder.load(builder.gep(table.data, [at]))

        return emit_array(context, builder, made, word)

    @numba.extending.intrinsic  # type: ignore[untyped-decorator]
    def read_array(typing_context: Any, table: Any, k: Any) -> Any:
        return made(table, types.intp), emit

    reader: Callable[[Integers, int], Any] = read_array
    return reader


floats_at: Callable[[Integers, int], Floats] = reader_of(np.float64, 1)
float_table_at: Callable[[Integers, int], Floats] = reader_of(np.float64, 2)
integers_at: Callable[[Integers, int], Integers] = reader_of(np.int64, 1)
integer_table_at: Callable[[Integers, int], Integers] = reader_of(np.int64, 2)
marks_at: Callable[[Integers, int], Marks] = reader_of(np.int8, 1)
rows32_at: Callable[[Integers, int], Rows32] = reader_of(np.int32, 1)


def records_reader(form: np.dtype[Any]) -> Callable[[Integers, int], Any]:
    """Return the reader of tables of one form; where it is called its name is to be one of `READERS`."""
    return reader_of(form, 1)
