"""Sets of shapes on disk: one file, written whole or not at all, that can be asked without being read into memory.

In: `Records` and a path. Out: the file, or `Records` that are windows on it. The file is six arrays in NumPy's own
format, one behind the other: a mark with the version and the numbers of rows and inputs, then the five columns of
`Records`, empty where there is none. Nothing in it is ever run as code (no pickle), and nothing is believed before it
is checked.
"""

from __future__ import annotations

import contextlib
import math
import mmap as memory_map
import os
import re
import uuid
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from carom import _arrays
from carom import _records as rec
from carom._jit import kernel
from carom._typing import Floats, Integers
from carom.column_records import POINTS, STRIDE
from carom.column_rows import Records, inputs_of
from carom.tolerances import LARGEST, SMALLEST_SIZE

MARK = np.frombuffer(b"carom\x00\x00\x01", dtype="<i8").item()  # the name, and the version of the format
PREFIX = npy.magic(1, 0)
# What NumPy writes for the arrays here, and nothing else: no text of a file is ever parsed as Python.
_HEADER = re.compile(rb"\{'descr': '(<[fi]8)', 'fortran_order': False, 'shape': \((\d+,|\d+, \d+)\), \} *\n")
NAMES = ("mark", "buffer", "starts", "sizes", "ids", "owner")
KINDS = ("<i8", "<f8", "<i8", "<f8", "<i8", "<i8")


def save(path: Any, records: Records) -> None:
    """Write records to a file: beside it first, and then in its place, so that no half-written file is ever there."""
    if records.ids is not None and records.ids.dtype == object:
        raise ValueError("Shapes.save: a vertex number is beyond int64, which the file cannot hold")
    target = _path("Shapes.save", path)
    mark = np.array([MARK, records.starts.size, inputs_of(records)])
    columns = [mark, *(np.zeros(0) if column is None else column for column in records[:5])]
    aside = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        with open(aside, "xb") as file:
            for column, kind in zip(columns, KINDS, strict=True):
                npy.write_array(file, np.ascontiguousarray(column, dtype=kind), version=(1, 0), allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise


def load(path: Any, mmap: Any) -> Records:
    """Return the records of a file: windows on it, of which the system reads what is asked, or copies in memory."""
    target = _path("Shapes.load", path)
    mmap = _arrays.truth("Shapes.load", "mmap", mmap)
    with open(target, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        whole: Any = memory_map.mmap(file.fileno(), 0, access=memory_map.ACCESS_READ) if mmap and size else file.read()
        columns = []
        file.seek(0)
        for name, kind in zip(NAMES, KINDS, strict=True):
            columns.append(_column(target, file, whole, size, name, np.dtype(kind)))
        if file.tell() != size:
            _refuse(target, f"it has {size - file.tell()} bytes behind its end")
    mark, buffer, starts, sizes, ids, owner = columns
    if mark.shape != (3,) or mark[0] != MARK:
        _refuse(target, "it holds no set of shapes, or one of another version of Carom")
    _, rows, inputs = mark.tolist()
    expected = (buffer.ndim, starts.shape, sizes.size, owner.size in (0, rows), ids.ndim)
    if expected != (1, (rows,), sizes.size and 3 * rows, True, 1) or (sizes.size and sizes.shape != (rows, 3)):
        _refuse(target, "its columns do not belong together")
    records = Records(
        kernel_ready(buffer),
        kernel_ready(starts),
        kernel_ready(sizes) if sizes.size else None,
        kernel_ready(ids) if ids.size else None,
        kernel_ready(owner) if owner.size else None,
        inputs,
    )
    points = (buffer.size - POINTS * rows) // STRIDE
    row = _first_wrong(records.buffer, records.starts)
    if row >= 0 or ids.size not in (0, points) or (owner.size and not 0 <= owner.min() <= owner.max() < inputs):
        _refuse(target, f"row {row} is no shape" if row >= 0 else "its columns do not belong together")
    return records


def _column(path: Path, file: BinaryIO, whole: Any, size: int, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the array that begins where the file stands, and go to its end."""
    magic = file.read(len(PREFIX) + 2)
    found = _HEADER.fullmatch(file.read(int.from_bytes(magic[len(PREFIX) :], "little")))
    if magic[: len(PREFIX)] != PREFIX or found is None or found[1] != kind.str.encode():
        _refuse(path, f"it has no column {name!r} where one is due")
    shape = tuple([int(length) for length in found[2].replace(b",", b" ").split()])
    begin, count = file.tell(), math.prod(shape)
    if begin + count * kind.itemsize > size:
        _refuse(path, f"its column {name!r} is cut off")
    file.seek(begin + count * kind.itemsize)
    if not count:
        return np.zeros(0, dtype=kind)
    column = np.frombuffer(whole, dtype=kind, count=count, offset=begin)
    if not column.flags.aligned:
        _refuse(path, f"its column {name!r} lies at no multiple of eight bytes")
    return column.reshape(shape)


def kernel_ready(array: NDArray[Any]) -> Any:
    """Return the same memory as a plain array of the one type that kernels are compiled for.

    They would compile once more for arrays marked read-only (of a mapped file, of an unpickled buffer). Sets never
    change, and no kernel writes into one.
    """
    array = np.asarray(array)
    return array if array.flags.writeable or not array.size else np.asarray(_Unmarked(array))


class _Unmarked:
    """Memory as NumPy reads it, kept alive, without the mark that it is read-only."""

    __slots__ = ("__array_interface__", "_kept")

    def __init__(self, array: NDArray[Any]) -> None:
        interface = dict(array.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface
        self._kept = array


@kernel
def _first_wrong(buffer: Floats, starts: Integers) -> int:
    """Return the first row whose record could lead a kernel astray, or -1; at the end they must fill the buffer."""
    at = 0
    for row in range(starts.shape[0]):
        if starts[row] != at or at + POINTS > buffer.shape[0]:
            return row
        kind, count, radius = buffer[at + rec.KIND], buffer[at + rec.COUNT], buffer[at + rec.RADIUS]
        fits = (
            (kind == rec.DISC and count == 1.0)
            or (kind == rec.STADIUM and count == 2.0)
            or ((kind == rec.AABB or kind == rec.OBB) and count == 4.0)
            or (kind == rec.POLYGON and count >= 3.0)
        )
        if not fits or not (count <= buffer.shape[0]) or count != float(int(count)):
            return row
        size = POINTS + STRIDE * int(count)
        if at + size > buffer.shape[0] or not (radius == 0.0 or radius >= SMALLEST_SIZE):
            return row
        for k in range(rec.RADIUS, size):
            if not abs(buffer[at + k]) <= 2.0 * LARGEST:
                return row
        for k in (rec.LOWEST, rec.HIGHEST):
            index = buffer[at + k]
            if not (0.0 <= index < count) or index != float(int(index)):
                return row
        at += size
    return -1 if at == buffer.shape[0] else starts.shape[0]


def _path(where: str, path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        _arrays.refuse(TypeError, where, "path", path, f"must be a path, not {type(path).__name__}")
    return Path(path)


def _refuse(path: Path, wrong: str) -> NoReturn:
    raise ValueError(f"Shapes.load: path = {str(path)!r} cannot be used: {wrong}") from None
