"""The only gate from user input to numbers that kernels may read: dtype, layout, shape, range, and the error text.

The input is any object that a user passed; the output is plain finite floats within `tolerances.LARGEST`, or
C-contiguous float64 arrays of them. Everything else is refused here with a ValueError (wrong value) or TypeError
(wrong type) that names the caller, the argument, its row, the offending value, and what was expected. What only shapes
are made of (radii, outlines) passes by `shape_inputs`, which is built on this.
"""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain
from numbers import Integral, Real
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from carom._core.names import MISSING
from carom._core.quick import built, readers
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2, Vec


class PointLike(Protocol):
    """Two numbers, x and y: a Vec, a tuple, a list, an array of shape (2,), a pygame vector."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> float: ...


Column = NDArray[np.float64]
Check = Callable[[str, str, float], float]

PointsLike = Sequence[PointLike] | NDArray[Any]
"""Many points: a sequence of pairs of numbers or an array of shape (n, 2)."""

# The types that nearly always come are told apart by a quick look at the type; the rest takes the careful way.
PLAIN = frozenset((tuple, list, Vec))
NUMBERS = frozenset((int, float))
_TRUTHS = frozenset((bool, np.bool_))
LEAST = -LARGEST
_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = 60


def refuse(error: type[Exception], where: str, name: str, value: Any, expected: str) -> NoReturn:
    """Raise `error` in the one form all bad input is answered with: who, which argument, its value, what is wrong."""
    if value is MISSING:
        raise TypeError(f"{where}: {name} is missing; it {expected.removesuffix(', not type')}") from None
    if isinstance(value, np.ndarray) and value.size <= 4:
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    shown = repr(value) if isinstance(value, (int, float, tuple)) and len(repr(value)) < 80 else _short.repr(value)
    if "\n" in shown:  # a table or an array
        shown = " ".join(shown.split())
    raise error(f"{where}: {name} = {shown} {expected}") from None


def refuse_type(where: str, name: str, value: Any, expected: str) -> NoReturn:
    """Raise the TypeError of a value that is not of the kind that was expected."""
    kind = "type" if isinstance(value, type) else type(value).__name__
    refuse(TypeError, where, name, value, f"{expected}, not {kind}")


def short(value: Any) -> str:
    """Return how a message shows a value: short, whatever it is."""
    return _short.repr(value)


def number(where: str, name: str, value: Any) -> float:
    """Return `value` as a finite float of at most `LARGEST` in magnitude."""
    if type(value) is float:
        result = value
    elif not isinstance(value, bool) and isinstance(value, Real):
        try:
            result = float(value)
        except OverflowError:  # an int or a fraction beyond all floats, too long to print
            result = value = math.inf
        except TypeError:  # a span of time, which NumPy counts among its integers
            refuse_type(where, name, value, "must be a number")
    else:
        refuse_type(where, name, value, "must be a number")
    if LEAST <= result <= LARGEST:
        return result + 0.0  # turns -0.0 into 0.0, so that equal values are made of equal bits
    if not math.isfinite(result):
        refuse(ValueError, where, name, value, "must be finite")
    refuse(ValueError, where, name, value, f"must be at most {LARGEST:g} in magnitude")


def size(where: str, name: str, value: Any, remedy: str = "") -> float:
    """Return `value` as a float in [SMALLEST_SIZE, LARGEST]; `remedy` is added to the text where it is not positive."""
    if type(value) in NUMBERS and SMALLEST_SIZE <= value <= LARGEST:
        return float(value)
    result = number(where, name, value)
    if result <= 0.0:
        refuse(ValueError, where, name, value, "must be positive" + remedy)
    if result < SMALLEST_SIZE:
        refuse(ValueError, where, name, value, f"must be at least {SMALLEST_SIZE:g}")
    return result


def point_with_care(where: str, name: str, value: Any) -> Point2:
    """Return what `point` returns of any value, or refuse it."""
    x, y = items_of(where, name, value, 2, "a point (x, y)")
    return number(where, f"{name}[0]", x), number(where, f"{name}[1]", y)


@built
def point(where: str, name: str, value: Any) -> Point2:
    """Return `value`, a pair of numbers, as two finite floats of at most `LARGEST` in magnitude."""
    if type(value) in PLAIN and len(value) == 2:
        x, y = value
        # Asking whether both are floats takes half the time of asking whether each is a number.
        plain = type(x) is float is type(y) or (type(x) in NUMBERS and type(y) in NUMBERS)
        if plain and LEAST <= x <= LARGEST >= y >= LEAST:
            return x + 0.0, y + 0.0
    return point_with_care(where, name, value)


@built
def plain_pairs(one: Any, other: Any) -> tuple[float, float, float, float] | None:
    """Return the numbers of two plain pairs of plain numbers in range, where -0.0 may stay; None for all else.

    What nearly always comes is taken here at half of the time; who gets None asks `point`, which says what is wrong.
    """
    if type(one) in PLAIN and type(other) in PLAIN and len(one) == 2 == len(other):
        (x, y), (z, w) = one, other
        plain = type(x) is float is type(y) and type(z) is float is type(w)
        if not plain and type(x) in NUMBERS and type(y) in NUMBERS and type(z) in NUMBERS and type(w) in NUMBERS:
            try:
                x, y, z, w = float(x), float(y), float(z), float(w)
            except OverflowError:  # an int beyond all floats
                return None
            plain = True
        if plain and LEAST <= x <= LARGEST >= y >= LEAST and LEAST <= z <= LARGEST >= w >= LEAST:
            return x, y, z, w
    return None


readers(Vec, LARGEST, point_with_care)


def is_pair(value: Any) -> bool:
    """Tell whether a value is a plain pair that begins with a plain number, as points mostly are: a quick look."""
    return type(value) in PLAIN and len(value) == 2 and type(value[0]) in NUMBERS


def items_of(where: str, name: str, value: Any, count: int | None, expected: str) -> list[Any]:
    """Return the items of a sequence-like `value`, `count` of them unless None."""
    single = isinstance(value, np.ndarray) and value.ndim == 0
    unordered = isinstance(value, (str, bytes, bytearray, Mapping, Set))
    if single or unordered or not hasattr(value, "__len__") or not hasattr(value, "__iter__"):
        refuse_type(where, name, value, f"must be {expected}")
    items = value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" else list(value)
    if count is not None and len(items) != count:
        refuse(ValueError, where, name, value, f"must be {expected}: {count} numbers, not {len(items)}")
    return items


def sequence(where: str, name: str, value: Any, count: int, counted: str) -> list[Any]:
    """Return `value`, a sequence of `count` things of any kind, as a list."""
    items = items_of(where, name, value, None, "a sequence")
    if len(items) != count:
        raise ValueError(f"{where}: {name} has {len(items)} entries; there are {count} {counted}")
    return items


def listed(where: str, name: str, value: Any, expected: str) -> list[Any]:
    """Return the items of anything that can be gone through once, a generator too."""
    single = isinstance(value, np.ndarray) and value.ndim == 0
    if single or isinstance(value, (str, bytes, bytearray)) or not hasattr(value, "__iter__"):
        refuse_type(where, name, value, f"must be {expected}")
    try:
        return list(value)
    except TypeError:  # a class whose instances could be gone through
        refuse_type(where, name, value, f"must be {expected}")


def integer(where: str, name: str, value: Any) -> int:
    """Return `value`, a whole number, as an int."""
    if type(value) is int:
        return value
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, Integral):
        refuse_type(where, name, value, "must be a whole number")
    return int(value)


def has_gaps(value: Any) -> bool:
    """Tell whether a value is an array with masked items; NumPy imports such arrays, 15 ms, only where one is made."""
    return "numpy.ma" in sys.modules and np.ma.is_masked(value)


def _plain_array(value: Any) -> NDArray[Any] | None:
    """Return `value` as an array if it holds numbers alone, else None: text, objects, gaps, rows of many lengths."""
    if has_gaps(value) or _holds_truths(value):
        return None
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "fiu" or not array.size else None


def _holds_truths(value: Any) -> bool:
    """Tell whether True or False stands among numbers in lists, where NumPy would take them for 1 and 0."""
    while type(value) in PLAIN and value:
        kinds = set(map(type, value))
        if not kinds <= PLAIN:
            arrays = np.ndarray in kinds and any(isinstance(one, np.ndarray) and one.dtype.kind == "b" for one in value)
            rows = kinds & PLAIN and any(map(_holds_truths, value))
            return arrays or bool(rows) or not kinds.isdisjoint(_TRUTHS)
        value = [*chain.from_iterable(value)]
    return False


def as_float64(array: NDArray[Any], out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return a C-contiguous copy without -0.0, so that equal values are made of equal bits; fresh, or `out`."""
    with np.errstate(over="ignore"):  # long doubles beyond float64 become infinite, and are refused
        result: NDArray[np.float64] = np.add(array, 0.0, out, dtype=np.float64, order="C", casting="same_kind")
    return result


def _row_by_row(where: str, name: str, value: Any, width: int) -> NDArray[np.float64]:
    """Return an array (n, width) of what holds other things than numbers, or refuse the first row that does."""
    pair = "a point (x, y)" if width == 2 else "a row of numbers"
    rows = []
    for k, item in enumerate(items_of(where, name, value, None, f"an array of shape (n, {width})")):
        numbers = items_of(where, f"{name}[{k}]", item, width, pair)
        rows.append([number(where, f"{name}[{k}][{i}]", part) for i, part in enumerate(numbers)])
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def _item_by_item(where: str, name: str, value: Any) -> NDArray[np.float64]:
    """Return an array (n,), or () of a single number, of what holds other things, or refuse the first that is none."""
    if not hasattr(value, "__len__") or (isinstance(value, np.ndarray) and value.ndim == 0):
        return np.array(number(where, name, value))
    items = items_of(where, name, value, None, "a number, or one for each row")
    return np.array([number(where, f"{name}[{k}]", item) for k, item in enumerate(items)], dtype=np.float64)


def one_of(where: str, name: str, value: Any, names: tuple[str, ...]) -> str:
    """Return `value` if it is one of some names."""
    if not isinstance(value, str):
        refuse_type(where, name, value, f"must be one of {', '.join(names)}")
    if value not in names:
        refuse(ValueError, where, name, value, f"must be one of {', '.join(names)}")
    return value


def truth(where: str, name: str, value: Any) -> bool:
    """Return `value` if it is True or False, NumPy's own included."""
    if not isinstance(value, (bool, np.bool_)):
        refuse_type(where, name, value, "must be True or False")
    return bool(value)


def _in_range(array: NDArray[np.float64]) -> bool:
    """Tell whether all numbers are finite and at most `LARGEST` in magnitude, without an array as large."""
    return not array.size or bool(array.min() >= LEAST and array.max() <= LARGEST)


def table(
    where: str,
    name: str,
    value: Any,
    width: int,
    rows: int | None = None,
    *,
    endless: bool = False,
    copy: bool = True,
) -> NDArray[np.float64]:
    """Return `value` as a fresh array (n, width) of finite float64 of at most `LARGEST` in magnitude.

    With `endless`, numbers may be of any magnitude, infinite and NaN too. Without `copy`, an array that may be written
    is the one that is returned, where its numbers lie as they should.
    """
    array = _plain_array(value)
    if array is None:
        array = _row_by_row(where, name, value, width)
    if array.size == 0 and array.ndim <= 2:
        array = np.zeros((0, width))
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{where}: {name} has shape {array.shape}; it must be (n, {width}), one row a shape")
    if rows is not None and len(array) != rows:
        raise ValueError(f"{where}: {name} has {len(array)} rows; {rows} were expected, as in the first argument")
    own = not copy and array.dtype == np.float64 and array.flags.carray
    result = as_float64(array, array if own else None)
    row = -1 if endless or _in_range(result) else first_false(np.abs(result) <= LARGEST)
    if row >= 0:
        for k, item in enumerate(result[row].tolist()):
            number(where, f"{name}[{row}][{k}]", item)
    return result


def vectors(where: str, name: str, value: Any, rows: int) -> NDArray[np.float64]:
    """Return `value`, one vector for each row or one (x, y) for all, as an array (rows, 2)."""
    array = _plain_array(value)
    one = array is not None and array.shape == (2,)
    if array is None and isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.shape == (2,):
        one = all(np.ndim(item) == 0 for item in value)
    if one:
        return np.broadcast_to(point(where, name, value), (rows, 2))
    return table(where, name, value, 2, rows)


def is_one_vector(value: Any) -> bool:
    """Tell whether a value is one (x, y), not a table of them: a look at its form, not at its numbers."""
    if isinstance(value, np.ndarray):
        return bool(value.shape == (2,))
    sized = hasattr(value, "__len__") and hasattr(value, "__iter__") and not isinstance(value, type)
    return sized and len(value) == 2 and not any(hasattr(item, "__len__") for item in value)


def tables(where: str, given: Mapping[str, Any], numbers: Iterable[Any] = ()) -> list[NDArray[np.float64]]:
    """Return vectors as fresh arrays (n, 2); one value among them and `numbers` serves all rows of the rest."""
    read = {name: table(where, name, value, 2) for name, value in given.items() if not is_one_vector(value)}
    lists = [one for one in numbers if isinstance(one, list | tuple) or (isinstance(one, np.ndarray) and one.ndim)]
    counts = [*map(len, read.values()), *map(len, lists)]
    if not counts:
        name, value = next(iter(given.items()))
        return [table(where, name, value, 2)]  # refuses one (x, y), since one row is [(x, y)]
    for name, rows in read.items():
        if len(rows) != counts[0]:
            first = next(iter(read))
            raise ValueError(f"{where}: {name} has {len(rows)} rows; {counts[0]} were expected, as in {first}")
    ones = {name: point(where, name, value) for name, value in given.items() if name not in read}
    return [read[name] if name in read else np.tile(ones[name], (counts[0], 1)) for name in given]


def _need_rows(where: str, name: str, array: NDArray[Any], rows: int) -> None:
    """Refuse what is neither one number for each row nor one for all."""
    if array.ndim > 1 or (array.ndim == 1 and array.shape[0] != rows):
        raise ValueError(f"{where}: {name} has shape {array.shape}; it must be ({rows},), or one number for all")


def column(where: str, name: str, value: Any, rows: int, *, endless: bool = False) -> NDArray[np.float64]:
    """Return `value`, one number for each row or one for all, as a fresh array (rows,) of finite float64.

    With `endless`, numbers may be of any magnitude, infinite and NaN too.
    """
    array = _plain_array(value)
    if array is None:
        array = _item_by_item(where, name, value)
    _need_rows(where, name, array, rows)
    result = as_float64(np.broadcast_to(array, (rows,)))
    return result if endless else checked_column(where, name, result, np.abs(result) <= LARGEST, number)


def checked_column(where: str, name: str, column: Column, good: NDArray[np.bool_], check: Check) -> Column:
    """Return a column if all of it is good; `check`, which refuses one number, says what is wrong with the first."""
    row = first_false(good)
    if row >= 0:
        check(where, f"{name}[{row}]", column.item(row))
    return column


def first_false(good: NDArray[np.bool_]) -> int:
    """Return the first row that is not good throughout, or -1."""
    return -1 if good.all() else int(np.argmin(good.reshape(len(good), -1).all(axis=1)))


def size_column(where: str, name: str, value: Any, rows: int) -> NDArray[np.float64]:
    """Return `value`, one positive size for each row or one for all, as a fresh array (rows,)."""
    result = column(where, name, value, rows)
    return checked_column(where, name, result, result >= SMALLEST_SIZE, size)


def whole_numbers(where: str, name: str, value: Any) -> NDArray[np.int64]:
    """Return `value`, whole numbers in any shape, as int64; those of 64 bits without a sign keep their bits."""
    array = _plain_array(value)
    if array is not None and (array.dtype.kind in "iu" or not array.size):
        return array.astype(np.int64)
    try:
        return np.array(_whole(where, name, value), dtype=np.int64)
    except ValueError as error:
        if where in str(error):
            raise
    refuse(ValueError, where, name, value, "must be whole numbers; its rows differ in length")


def _whole(where: str, name: str, value: Any) -> Any:
    """Return one whole number, or lists of them, or refuse the first that is none."""
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        items = items_of(where, name, value, None, "whole numbers")
        return [_whole(where, f"{name}[{k}]", item) for k, item in enumerate(items)]
    whole = integer(where, name, value)
    if not -(2**63) <= whole < 2**64:
        refuse(ValueError, where, name, math.inf if abs(whole) > LARGEST else whole, "must fit into 64 bits")
    return whole if whole < 2**63 else whole - 2**64


def bits(where: str, name: str, value: Any, rows: int) -> NDArray[np.int64]:
    """Return `value`, 64 bits for each row or the same for all, as a fresh array (rows,)."""
    array = whole_numbers(where, name, value)
    _need_rows(where, name, array, rows)
    return np.full(rows, array, dtype=np.int64)
