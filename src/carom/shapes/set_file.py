"""Sets of shapes on disk: one file, written whole or not at all, that can be asked without being read into memory.

In: `Proxies` and a path. Out: the file, or `Proxies` that are windows on it. The file is six arrays in NumPy's own
format, one behind the other: a mark with the version and the numbers of rows and inputs, then the five columns of
`Proxies`, empty where there is none. Nothing in it is ever run as code (no pickle), and nothing is believed before it
is checked.
"""

from __future__ import annotations

import errno
import math
import mmap as memory_map
import os
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.files import whole
from carom._core.jit import inner, kernel
from carom._core.types import Floats, Integers
from carom.shapes.proxy import (
    AABB,
    CENTER_X,
    CENTER_Y,
    COUNT,
    DISC,
    HIGHEST,
    KIND,
    LOWEST,
    OBB,
    POINTS,
    POLYGON,
    RADIUS,
    REACH,
    STADIUM,
    STRIDE,
)
from carom.shapes.proxy_writers import turned_corners
from carom.shapes.set_rows import Proxies, inputs_of, numbers_of, owner_of
from carom.tolerances import LARGEST, PROXY_BAND, SMALLEST_SIZE
from carom.vector import LEAST

if TYPE_CHECKING:
    from pathlib import Path

LEAST = LEAST
MARK = np.frombuffer(b"carom\x00\x00\x01", dtype="<i8").item()  # the name, and the version of the format
PREFIX = npy.magic(1, 0)
# The headers that NumPy writes for the arrays here, and nothing else: no text of a file is ever parsed as Python.
_HEADER = re.compile(rb"\{'descr': '(<[fi]8)', 'fortran_order': False, 'shape': \((\d+,|\d+, \d+)\), \} *\n")
AT_ONCE = 1 << 20  # rows or numbers that are put into the form of the file together
NAMES = ("mark", "buffer", "starts", "sizes", "ids", "owner")
KINDS = ("<i8", "<f8", "<i8", "<f8", "<i8", "<i8")


def save(path: Any, proxies: Proxies, append: Any = False) -> None:
    """Write proxies to a file: beside it first, and then in its place, so that no half-written file is ever there.

    With `append` behind those that the file holds.
    """
    where = "Shapes.save"
    if proxies.ids is not None and proxies.ids.dtype == object:
        raise ValueError(f"{where}: a vertex number is beyond int64, which the file cannot hold")
    target = _path(where, path)
    there = inputs.truth(where, "append", append) and target.exists()
    try:
        sets = [load(target, True), proxies] if there else [proxies]
    except ValueError as error:
        raise ValueError(f"{where}: nothing can be appended: {error}") from None
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"{where}: there is no such folder", str(target.parent))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, f"{where}: path must be a file, not a folder", str(target))
    with whole(target) as aside:
        with open(aside, "xb") as file:
            for pieces, kind in zip(_columns(sets), KINDS, strict=True):
                _write(file, pieces, kind)
            file.flush()
            os.fsync(file.fileno())
        sets.clear()  # some systems do not replace a file that is mapped


def _columns(sets: list[Proxies]) -> Iterator[list[NDArray[Any]]]:
    """Yield the columns of the file in pieces, one for each set, each column when the one before is written."""
    rows, input_counts = [one.starts.size for one in sets], [inputs_of(one) for one in sets]
    yield [np.array([MARK, sum(rows), sum(input_counts)])]
    yield [one.buffer for one in sets]
    shifts = accumulate((one.buffer.size for one in sets[:-1]), initial=0)
    yield [one.starts + shift if shift else one.starts for one, shift in zip(sets, shifts, strict=True)]
    turned = any(one.sizes is not None for one in sets)
    yield [np.zeros((one.starts.size, 3)) if one.sizes is None else one.sizes for one in sets] if turned else []
    yield [numbers_of(one) for one in sets] if any(one.ids is not None for one in sets) else []
    earlier = accumulate(input_counts[:-1], initial=0)
    owned = any(one.owner is not None for one in sets)
    yield [owner_of(one) + shift for one, shift in zip(sets, earlier, strict=True)] if owned else []


def _write(file: BinaryIO, pieces: list[NDArray[Any]], kind: str) -> None:
    """Write one array in NumPy's own format, from pieces that follow one another."""
    length = sum(len(piece) for piece in pieces)
    tail = pieces[0].shape[1:] if pieces else ()
    npy.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": (length, *tail)})
    for piece in pieces:
        for begin in range(0, len(piece), AT_ONCE):
            file.write(np.ascontiguousarray(piece[begin : begin + AT_ONCE], dtype=kind).data)


def load(path: Any, mmap: Any) -> Proxies:
    """Return the proxies of a file: windows on it, of which the system reads what is asked, or copies in memory."""
    target = _path("Shapes.load", path)
    mmap = inputs.truth("Shapes.load", "mmap", mmap)
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
    _, rows, input_count = mark.tolist()
    expected = (buffer.ndim, starts.shape, sizes.size, owner.size in (0, rows), ids.ndim)
    if expected != (1, (rows,), sizes.size and 3 * rows, True, 1) or (sizes.size and sizes.shape != (rows, 3)):
        _refuse(target, "its columns do not belong together")
    proxies = Proxies(
        kernel_ready(buffer),
        kernel_ready(starts),
        kernel_ready(sizes) if sizes.size else None,
        kernel_ready(ids) if ids.size else None,
        kernel_ready(owner) if owner.size else None,
        input_count,
    )
    points = (buffer.size - POINTS * rows) // STRIDE
    row = _first_wrong(proxies.buffer, proxies.starts)
    if row < 0 and proxies.sizes is not None:
        with np.errstate(invalid="ignore"):
            turns = np.cos(proxies.sizes[:, 2]), np.sin(proxies.sizes[:, 2])
        row = _first_size_wrong(proxies.buffer, proxies.starts, proxies.sizes, *turns)
    if row >= 0 or ids.size not in (0, points) or (owner.size and not 0 <= owner.min() <= owner.max() < input_count):
        _refuse(target, f"row {row} is no shape" if row >= 0 else "its columns do not belong together")
    return proxies


def _column(path: Path, file: BinaryIO, whole: Any, size: int, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the array that begins where the file stands, and go to its end."""
    magic = file.read(len(PREFIX) + 2)
    found = _HEADER.fullmatch(file.read(int.from_bytes(magic[len(PREFIX) :], "little")))
    if magic[: len(PREFIX)] != PREFIX or found is None or found[1] != kind.str.encode():
        why = f"it has no column {name!r} where one is due"
        _refuse(path, "it is no file that Shapes.save wrote" if name == NAMES[0] else why)
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


@inner
def _normal_fits(ex: float, ey: float, nx: float, ny: float) -> bool:
    """Tell whether (nx, ny) is the unit normal to the right of an edge, up to rounding."""
    # A component too small for a float is kept as the least one, for its sign.
    along, slack = nx * ex + ny * ey, PROXY_BAND * (abs(nx * ex) + abs(ny * ey)) + LEAST * (abs(ex) + abs(ey))
    return abs(nx * nx + ny * ny - 1.0) <= PROXY_BAND and abs(along) <= slack + LEAST and nx * ey >= ny * ex


@inner
def _box_fits(buffer: Floats, at: int, straight: bool) -> bool:
    """Tell whether four core points are those of a box of its kind, from the lower corner or about the origin."""
    first = at + POINTS
    ax, ay, bx, by = buffer[first], buffer[first + 1], buffer[first + 4], buffer[first + 5]
    cx, cy, dx, dy = buffer[first + 8], buffer[first + 9], buffer[first + 12], buffer[first + 13]
    if straight:
        return bool(ax == dx and ay == by and bx == cx and cy == dy and ax < cx and ay < cy)
    ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
    slack = PROXY_BAND * (abs(ax) + abs(ay) + abs(bx) + abs(by)) * (abs(ux) + abs(uy) + abs(vx) + abs(vy))
    mirrored = cx == -ax and cy == -ay and dx == -bx and dy == -by
    return bool(mirrored and abs(ux * vx + uy * vy) <= slack + LEAST)


@inner
def _core_fits(buffer: Floats, at: int, count: int) -> bool:
    """Tell whether a core is convex and goes round once, up to rounding, and what is stored with it follows from it."""
    first = at + POINTS
    center_x, center_y, reach = buffer[at + CENTER_X], buffer[at + CENTER_Y], buffer[at + REACH]
    low, high = first + STRIDE * int(buffer[at + LOWEST]), first + STRIDE * int(buffer[at + HIGHEST])
    upturns, farthest = 0, 0.0
    low_x, high_x, low_y, high_y = buffer[first], buffer[first], buffer[low + 1], buffer[high + 1]
    before = first + STRIDE * (count - 1)
    px, py = buffer[first] - buffer[before], buffer[first + 1] - buffer[before + 1]
    for k in range(count):
        place = first + STRIDE * k
        after = place + STRIDE if k + 1 < count else first
        x, y = buffer[place], buffer[place + 1]
        ex, ey = buffer[after] - x, buffer[after + 1] - y
        if count > 1 and not _normal_fits(ex, ey, buffer[place + 2], buffer[place + 3]):
            return False
        left, right = px * ey, py * ex
        if left - right < -PROXY_BAND * (abs(left) + abs(right)) - LEAST:
            return False
        rises, rose = ey > 0.0 or (ey == 0.0 and ex > 0.0), py > 0.0 or (py == 0.0 and px > 0.0)
        upturns += 1 if rises and not rose else 0
        px, py = ex, ey
        if y < low_y or (y == low_y and x < buffer[low]) or y > high_y or (y == high_y and x > buffer[high]):
            return False
        low_x, high_x = min(low_x, x), max(high_x, x)
        dx, dy = x - center_x, y - center_y
        farthest = max(farthest, dx * dx + dy * dy)
    inside = low_x <= center_x <= high_x and low_y <= center_y <= high_y
    span = reach * reach
    around = reach >= 0.0 and farthest <= span <= farthest * (1.0 + PROXY_BAND) + LEAST
    return inside and around and upturns == min(count - 1, 1)


@kernel
def _first_wrong(buffer: Floats, starts: Integers) -> int:
    """Return the first row whose proxy is none of a shape, or -1; at the end they must fill the buffer."""
    at = 0
    for row in range(starts.shape[0]):
        if starts[row] != at or at + POINTS > buffer.shape[0]:
            return row
        kind, count, radius = buffer[at + KIND], buffer[at + COUNT], buffer[at + RADIUS]
        fits = (
            (kind == DISC and count == 1.0)
            or (kind == STADIUM and count == 2.0)
            or ((kind == AABB or kind == OBB) and count == 4.0)
            or (kind == POLYGON and count >= 3.0)
        )
        if not fits or not (count <= buffer.shape[0]) or count != float(int(count)):
            return row
        size = POINTS + STRIDE * int(count)
        if at + size > buffer.shape[0] or not (radius == 0.0 or radius >= SMALLEST_SIZE):
            return row
        for k in range(RADIUS, size):
            if not abs(buffer[at + k]) <= 2.0 * LARGEST:
                return row
        for k in (LOWEST, HIGHEST):
            index = buffer[at + k]
            if not (0.0 <= index < count) or index != float(int(index)):
                return row
        for k in range(POINTS, POINTS + STRIDE):
            if kind == DISC and buffer[at + k] != 0.0:
                return row
        if (kind == AABB or kind == OBB) and not _box_fits(buffer, at, kind == AABB):
            return row
        if not _core_fits(buffer, at, int(count)):
            return row
        at += size
    return -1 if at == buffer.shape[0] else starts.shape[0]


@kernel
def _first_size_wrong(buffer: Floats, starts: Integers, sizes: Floats, cosines: Floats, sines: Floats) -> int:
    """Return the first row with a turned box whose size and angle are not those of its corners, or -1."""
    for row in range(starts.shape[0]):
        first = starts[row] + POINTS
        if buffer[starts[row]] == OBB:
            w, h = 0.5 * sizes[row, 0], 0.5 * sizes[row, 1]
            ax, ay, bx, by = turned_corners(cosines[row], sines[row], w, h)
            slack = PROXY_BAND * (w + h)
            across = max(abs(buffer[first] - ax), abs(buffer[first + STRIDE] - bx))
            upward = max(abs(buffer[first + 1] - ay), abs(buffer[first + STRIDE + 1] - by))
            if not (min(w, h) >= 0.5 * SMALLEST_SIZE and across <= slack and upward <= slack):
                return row
    return -1


def _path(where: str, path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        inputs.refuse_type(where, "path", path, "must be a path")
    from pathlib import Path  # half of what its import takes goes to reading addresses of the web

    return Path(path)


def _refuse(path: Path, wrong: str) -> NoReturn:
    raise ValueError(f"Shapes.load: path = {str(path)!r} cannot be used: {wrong}") from None
