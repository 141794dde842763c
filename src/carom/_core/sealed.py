"""Pickles with a check sum, so that a damaged one raises and never becomes a value that ends Python.

In: the function that makes a value anew and its arguments, as `__reduce__` would return them. Out: the same as bytes
with their check sum; on loading the value, or a ValueError. The check finds damage, not malice: a pickle from a
stranger may run any program.

Pickles name this module and no other of Carom: a public class by the name that users have, the rest by the names of
`PLACES`. So every other file can be renamed.
"""

from __future__ import annotations

import copyreg
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable
from functools import reduce
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

FORMS = frozenset(("<f8", "<i8", "<i4", "|i1", "|b1", ">f8", ">i8", ">i4"))
"""Of arrays that are pickled."""
Tuple = TypeVar("Tuple", bound=tuple[Any, ...])

PLACES = {
    "Compound._of": "carom.shapes.compound",
    "Cut": "carom.shapes.compound_made",
    "Layers": "carom._core.layers",
    "Made": "carom.shapes.compound_made",
    "Outside": "carom.shapes.outlines.outer_edges",
    "RowOf": "carom.world.changes.body_shapes",
    "Standing": "carom.world.changes.body_shapes",
    "Store": "carom.world.store",
    "_restored": "carom.broad.index",
    "_set_restored": "carom.shapes.set",
    "restored": "carom.shapes.base",
}
"""Where that stands which pickles name and users do not."""
DAMAGED = "this pickle of a value of Carom is damaged: its check sum is not that of its content"


def named(name: str) -> Any:
    """Return what a pickle names: of `PLACES`, else a public class."""
    return reduce(getattr, name.split("."), import_module(PLACES.get(name, "carom")))


def made(name: str, *arguments: Any) -> Any:
    """Return what something of a name makes."""
    return named(name)(*arguments)


def name_tuples(kind: type[Tuple]) -> type[Tuple]:
    """Have pickles name a class of named tuples as users or `PLACES` do; not what is derived of it."""
    copyreg.pickle(kind, lambda one: (made, (kind.__qualname__, *one)))
    return kind


def begun(name: str) -> Any:
    """Return an object of a class, to which its state comes next."""
    kind = named(name)
    return kind.__new__(kind)


def _name_class(kind: type) -> Any:
    """Return how a class is pickled: by its public name, if it has one."""
    name = kind.__qualname__
    public = getattr(sys.modules.get("carom"), "__all__", ())
    return (named, (name,)) if name in public and named(name) is kind else name


def name_in_pickles(metaclass: type) -> None:
    """Have pickles name the classes of a metaclass as users do."""
    copyreg.pickle(metaclass, _name_class)


def sealed(make: Callable[..., Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[bytes, int]]:
    """Return what `__reduce__` returns of a value that `make`, one of `PLACES`, makes of these arguments."""
    return unsealed, seal((make.__qualname__, arguments))


def unsealed(content: Any, check_sum: Any) -> Any:
    """Return the value of a sealed pickle."""
    make, arguments = opened(content, check_sum)
    return _called(make)(*arguments)


def _called(make: Any) -> Any:
    return named(make) if isinstance(make, str) else make  # up to 0.3.0 the function itself


def seal(value: Any) -> tuple[bytes, int]:
    """Return the pickle of a value, with its check sum."""
    content = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return content, zlib.crc32(content)


def opened(content: Any, check_sum: Any) -> Any:
    """Return what `seal` has packed."""
    if type(content) is not bytes or zlib.crc32(content) != check_sum:
        raise ValueError(DAMAGED)
    return pickle.loads(content)


def sealed_columns(
    make: Callable[..., Any], columns: Iterable[Any], protocol: int
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the same of columns, for `__reduce_ex__`: a pickle of protocol 5 may keep their arrays beside it.

    NumPy would be led astray by what a damaged pickle tells it of an array, so that is told here.
    """
    name, given = make.__qualname__, tuple(columns)
    told = [_told(one, protocol) if isinstance(one, np.ndarray) else one for one in given]
    return unsealed_columns, (name, check_sum_of((name, *given)), *told)


def _told(array: NDArray[Any], protocol: int) -> tuple[str, tuple[int, ...], Any]:
    """Return the form of an array, its shape and its content."""
    dense: Any = np.ascontiguousarray(array)
    return dense.dtype.str, dense.shape, pickle.PickleBuffer(dense) if protocol >= 5 else dense.tobytes()


def unsealed_columns(make: Any, check_sum: Any, *columns: Any) -> Any:
    """Return the value of a sealed pickle of columns."""
    known = isinstance(make, str)  # up to 0.3.0 the function itself, and NumPy's arrays
    given = [_array(*one) if known and isinstance(one, tuple) else one for one in columns]
    if check_sum_of((make, *given) if known else given) != check_sum:
        raise ValueError(DAMAGED)
    return _called(make)(*given)


def _array(form: Any, shape: Any, content: Any) -> NDArray[Any]:
    if form not in FORMS:
        raise ValueError(DAMAGED)
    return np.frombuffer(content, dtype=form).reshape(shape)


def check_sum_of(columns: Iterable[Any]) -> int:
    """Return the check sum of arrays of numbers and of plain values."""
    total = 0
    for one in columns:
        if isinstance(one, np.ndarray) and not one.dtype.hasobject:
            total = zlib.crc32(repr((one.dtype.str, one.shape)).encode(), total)
            total = zlib.crc32(np.ascontiguousarray(one).tobytes(), total)
        else:
            total = zlib.crc32(repr(one).encode(), total)
    return total
