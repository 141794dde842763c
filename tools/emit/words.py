"""How a kernel is called with words: the table that its arguments are read by, and the function that passes them on.

In: the types of a kernel's arguments and of its answer. Out: strings by which `call.c` reads arguments and makes
answers, and for each kernel a function in LLVM's language, of one C type for all. It loads the arguments from an array
of 64-bit words, calls the kernel, and stores the answer as words. So C needs no line of its own for any argument, and
LLVM drops what a kernel never reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from numba.core import types
from numba.np.numpy_support import as_dtype

LAYOUTS = {"A": 0, "C": 16, "F": 32}
WRITABLE = 64


class Entry(NamedTuple):
    """One compiled form of one kernel."""

    name: str
    """Full name of the kernel."""
    symbol: str
    """Name of its function in the object file."""
    arguments: tuple[Any, ...]
    """Numba's types."""
    returned: Any
    """Numba's type."""
    declared: list[str]
    """LLVM's types of the arguments, after the two pointers for the answer and for a fault."""


def body(symbol: str) -> str:
    """Return the name of the kernel's own function, with Numba's many arguments."""
    return f"{symbol}_body"


def table(given: Any, dtypes: list[str]) -> bytes:
    """Return how `call.c` reads an argument; structured dtypes by their place in `dtypes`, put there if they are new.

    d, q and ? are numbers as Python's `struct` spells them; ( and a count come before the members of a tuple; R and a
    dtype are a row; A, dimensions and flags, a kind of number and its bytes, or R and a dtype, are an array.
    """
    if isinstance(given, types.Array):
        flags = given.ndim | LAYOUTS[given.layout] | (WRITABLE if given.mutable else 0)
        if isinstance(given.dtype, types.Record):
            return bytes([ord("A"), flags, *table(given.dtype, dtypes)])
        dtype = as_dtype(given.dtype)
        return bytes([ord("A"), flags, ord(dtype.kind), dtype.itemsize])
    if isinstance(given, types.BaseTuple):
        return bytes([ord("("), len(given)]) + b"".join(table(one, dtypes) for one in given)
    if isinstance(given, types.Record):
        spelled = repr(as_dtype(given))
        if spelled not in dtypes:
            dtypes.append(spelled)
        return bytes([ord("R"), dtypes.index(spelled)])
    return letter(given)


def answer_table(given: Any) -> bytes:
    """Return how `call.c` makes an answer; N is None, and the rest as for arguments."""
    given = types.unliteral(given)
    if isinstance(given, types.BaseTuple) and not isinstance(given, types.NamedTuple | types.NamedUniTuple):
        return bytes([ord("("), len(given)]) + b"".join(answer_table(one) for one in given)
    return b"N" if isinstance(given, types.NoneType) else letter(given)


def letter(given: Any) -> bytes:
    for kind, spelled in ((types.Boolean, b"?"), (types.Float, b"d"), (types.Integer, b"q")):
        if isinstance(given, kind):
            return spelled
    raise NotImplementedError(f"a kernel that Python calls takes or returns {given!r}")


class Face:
    """The function of one kernel that takes words, in LLVM's language."""

    def __init__(self, entry: Entry) -> None:
        self.lines: list[str] = []
        self.words = self.answers = 0
        passed = [one for given in entry.arguments for one in self._passed(given)]
        assert [kind for kind, _ in passed] == entry.declared, entry.name
        made = made_type(entry.returned)
        call = "".join(f", {kind} {value}" for kind, value in passed)
        called = f"i32 @{body(entry.symbol)}(ptr %made, ptr %fault{call})"
        self.lines += [f"%made = alloca {made}", f"%status = call {called}", f"%all = load {made}, ptr %made"]
        self._store(types.unliteral(entry.returned), "%all")
        kinds = "".join(f", {kind}" for kind, _ in passed)
        self.text = "\n".join(
            [
                f"declare i32 @{body(entry.symbol)}(ptr, ptr{kinds})",
                f"define hidden i32 @{entry.symbol}(ptr noalias %words, ptr noalias %answer, ptr %fault) {{",
                *self.lines,
                "ret i32 %status",
                "}",
            ]
        )

    def _line(self, made: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {made}")
        return name

    def _word(self, kind: str) -> tuple[str, str]:
        """Return the type and the value of the next word."""
        at = self._line(f"getelementptr i64, ptr %words, i64 {self.words}")
        self.words += 1
        wide = {"ptr": "ptr", "double": "double", "float": "double"}.get(kind, "i64")
        value = self._line(f"load {wide}, ptr {at}, align 8, !invariant.load !0")
        if kind != wide:
            value = self._line(f"{'fptrunc' if kind == 'float' else 'trunc'} {wide} {value} to {kind}")
        return kind, value

    def _passed(self, given: Any) -> Iterator[tuple[str, str]]:
        """Yield the types and values that Numba's function wants for an argument."""
        if isinstance(given, types.BaseTuple):
            for one in given:
                yield from self._passed(one)
        elif isinstance(given, types.Array):
            size = as_dtype(given.dtype).itemsize
            data, *shape = (self._word(kind) for kind in ("ptr", *["i64"] * given.ndim))
            strides = [self._word("i64") for _ in shape]
            count = "1"
            for _, dimension in shape:
                count = self._line(f"mul i64 {count}, {dimension}")
            # Before the data: its owner and Python's object, which kernels never ask; elements, and their size.
            yield from [("ptr", "null"), ("ptr", "null"), ("i64", count), ("i64", str(size)), data, *shape, *strides]
        else:
            yield self._word("ptr" if isinstance(given, types.Record) else number(given))

    def _store(self, given: Any, value: str) -> None:
        """Store a value of the answer as words."""
        if isinstance(given, types.BaseTuple):
            for k, one in enumerate(given):
                part = self._line(f"extractvalue {made_type(given)} {value}, {k}")
                self._store(types.unliteral(one), part)
        elif not isinstance(given, types.NoneType):
            kind, wide = number(given), "double" if isinstance(given, types.Float) else "i64"
            if kind != wide:
                signed = isinstance(given, types.Integer) and given.signed
                widened = "fpext" if wide == "double" else "sext" if signed else "zext"
                value = self._line(f"{widened} {kind} {value} to {wide}")
            at = self._line(f"getelementptr i64, ptr %answer, i64 {self.answers}")
            self.answers += 1
            self.lines.append(f"store {wide} {value}, ptr {at}, align 8")


def number(given: Any) -> str:
    """Return LLVM's type of a number."""
    if isinstance(given, types.Boolean):
        return "i8"
    return (
        f"i{given.bitwidth}"
        if isinstance(given, types.Integer)
        else {"float64": "double", "float32": "float"}[str(given)]
    )


def made_type(given: Any) -> str:
    """Return LLVM's type of an answer."""
    given = types.unliteral(given)
    if isinstance(given, types.BaseTuple):
        return f"{{{', '.join(made_type(one) for one in given)}}}"
    return "ptr" if isinstance(given, types.NoneType) else number(given)
