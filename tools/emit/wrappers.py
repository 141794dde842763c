"""The C that Python calls: one function for each kernel, which unpacks its arguments, calls it and packs the answer.

In: for each kernel its signatures, the types Numba returns and the names of its LLVM functions. Out: the text of one C
file, to be compiled with `start.h`. A wrapper tries its signatures in turn; arguments that fit none raise TypeError.
All that belongs to Python is read before the GIL is let go, and it is let go only where arrays hold enough work.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from numba.core import types
from numba.np.numpy_support import as_dtype

C_NUMBERS = {f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
C_NUMBERS |= {"float64": "double", "float32": "float", "bool": "uint8_t", "boolean": "uint8_t"}
LLVM_TYPES = {
    "double": "double",
    "float": "float",
    "ptr": "void *",
    "i64": "int64_t",
    "i32": "int32_t",
    "i8": "uint8_t",
}


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


def c_file(entries: list[Entry], subpackages: dict[str, str], wide: list[str]) -> str:
    """Return the C file: wrappers, the tables of methods and of machine code, dtypes, and the keys of the subpackages.

    `wide`: functions of which an extension linked with WIDE has further copies for newer processors.
    """
    dtypes: list[str] = []
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        by_name.setdefault(entry.name, []).append(entry)
    lines = ['#include "start.h"', ""]
    for number, forms in enumerate(by_name.values()):
        lines += wrapper(number, forms, dtypes, wide)
    lines += ["void choose(int level) {", "#ifdef WIDE"]
    for symbol in wide:
        lines.append(f"    chosen_{symbol} = level == 2 ? {symbol}_wide_2 : level == 1 ? {symbol}_wide_1 : {symbol};")
    lines += ["#endif", "}"]
    lines.append("PyMethodDef METHODS[] = {")
    lines += [
        f'    {{"{name}", (PyCFunction)(void (*)(void))call_{number}, METH_FASTCALL, 0}},'
        for number, name in enumerate(by_name)
    ]
    lines += ["    {0}", "};"]
    lines.append("const Place PLACES[] = {")
    lines += [f'    {{"{name}", (void *)(uintptr_t){forms[0].symbol}}},' for name, forms in by_name.items()]
    lines.append("    {0, 0}};")
    spelled = [f"    {quoted(text)}," for text in dtypes]
    lines += ["const char *DTYPES[] = {", *spelled, "    0", "};"]
    lines.append(f"PyArray_Descr *KNOWN[{len(dtypes) + 1}];")
    lines += [
        "const char *SUBPACKAGES[] = {",
        *(f"    {quoted(f'{name}={key}')}," for name, key in subpackages.items()),
        "    0",
        "};",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def wrapper(number: int, forms: list[Entry], dtypes: list[str], wide: list[str]) -> Iterator[str]:
    """Yield the lines of the wrapper of one kernel."""
    bodies = []
    for form, entry in enumerate(forms):
        unpacked = Unpacked(f"other_{form}", dtypes)
        for place, given in enumerate(entry.arguments):
            unpacked.take(given, f"args[{place}]")
        assert [LLVM_TYPES[one] for one in entry.declared] == [kind for kind, _ in unpacked.values], entry.name
        passed = "".join(f", {kind}" for kind, _ in unpacked.values)
        yield f"extern int {entry.symbol}(void *, void **{passed});"
        if entry.symbol in wide:
            yield "#ifdef WIDE"
            yield from (f"extern int {entry.symbol}_wide_{level}(void *, void **{passed});" for level in (1, 2))
            yield "#endif"
            yield f"static int (*chosen_{entry.symbol})(void *, void **{passed}) = {entry.symbol};"
        bodies.append(unpacked)
    yield f"static PyObject *call_{number}(PyObject *module, PyObject *const *args, Py_ssize_t n) {{"
    for form, (entry, unpacked) in enumerate(zip(forms, bodies, strict=True)):
        yield f"    if (n == {len(entry.arguments)}) {{"
        yield from (f"        {line}" for line in unpacked.lines)
        names = []
        for place, (kind, value) in enumerate(unpacked.values):
            yield f"        {kind} a{place} = {value};"
            names.append(f", a{place}")
        yield f"        {c_type(entry.returned)} out; void *fault = 0; int status;"
        sizes = " + ".join(f"bytes_{name}" for name in unpacked.arrays) or "0"
        yield f"        PyThreadState *held = {sizes} > MUCH_WORK ? PyEval_SaveThread() : 0;"
        called = f"chosen_{entry.symbol}" if entry.symbol in wide else entry.symbol
        yield f"        status = {called}(&out, &fault{''.join(names)});"
        yield "        if (held) PyEval_RestoreThread(held);"
        yield "        if (status != 0 && status != -2) return failed(status, fault);"
        yield f"        return {packed(entry.returned, 'out')};"
        yield "    }"
        yield f"    other_{form}: ;" if unpacked.may_fail else ""
    yield f'    return refused("{forms[0].name}", args, n);'
    yield "}"


def c_type(given: Any) -> str:
    """Return the C type of an answer."""
    given = types.unliteral(given)
    if isinstance(given, types.Integer | types.Float | types.Boolean):
        return C_NUMBERS[str(given)]
    if isinstance(given, types.NoneType):
        return "void *"
    if isinstance(given, types.BaseTuple):
        return f"struct {{ {''.join(f'{c_type(one)} f{k}; ' for k, one in enumerate(given))}}}"
    raise NotImplementedError(f"a kernel that Python calls returns {given!r}")


def packed(given: Any, value: str) -> str:
    """Return the C expression that makes a Python object of an answer."""
    given = types.unliteral(given)
    if isinstance(given, types.NoneType):
        return "Py_NewRef(Py_None)"
    if isinstance(given, types.Boolean):
        return f"PyBool_FromLong({value})"
    if isinstance(given, types.Float):
        return f"PyFloat_FromDouble({value})"
    if isinstance(given, types.Integer):
        return f"PyLong_FromLongLong({value})"
    if isinstance(given, types.BaseTuple) and not isinstance(given, types.NamedTuple | types.NamedUniTuple):
        parts = [packed(one, f"{value}.f{k}") for k, one in enumerate(given)]
        return f"pack_tuple({len(parts)}{''.join(f', {part}' for part in parts)})"
    raise NotImplementedError(f"a kernel that Python calls returns {given!r}")


class Unpacked:
    """The lines that read the arguments of one form, and the values to pass on; `goto other` where they do not fit."""

    def __init__(self, other: str, dtypes: list[str]) -> None:
        self.other = other
        self.dtypes = dtypes
        self.lines: list[str] = []
        self.values: list[tuple[str, str]] = []  # C type and expression
        self.arrays: list[str] = []
        self.may_fail = False
        self._names = 0

    def _name(self) -> str:
        self._names += 1
        return f"v{self._names}"

    def _require(self, condition: str) -> None:
        self.may_fail = True
        self.lines.append(f"if (!({condition})) goto {self.other};")

    def take(self, given: Any, source: str) -> None:
        """Read one argument from a C expression of type PyObject *."""
        name = self._name()
        if isinstance(given, types.Array):
            self._take_array(given, source, name)
        elif isinstance(given, types.Boolean):
            self.lines.append(f"int {name} = 0;")
            self._require(f"read_bool({source}, &{name})")
            self.values.append(("uint8_t", f"(uint8_t){name}"))
        elif isinstance(given, types.Float):
            self.lines.append(f"double {name} = 0.0;")
            self._require(f"read_float({source}, &{name})")
            self.values.append((C_NUMBERS[str(given)], name))
        elif isinstance(given, types.Integer):
            self.lines.append(f"int64_t {name} = 0;")
            self._require(f"read_int({source}, &{name})")
            self.values.append((C_NUMBERS[str(given)], f"({C_NUMBERS[str(given)]}){name}"))
        elif isinstance(given, types.BaseTuple):
            self._require(f"PyTuple_Check({source}) && PyTuple_Size({source}) == {len(given)}")
            for place, part in enumerate(given):
                inside = self._name()
                self.lines.append(f"PyObject *{inside} = PyTuple_GetItem({source}, {place});")
                self.take(part, inside)
        elif isinstance(given, types.Record):
            self._require(f"PyArray_IsScalar({source}, Void) && is_row({source}, {self._dtype(given)})")
            self.values.append(("void *", f"row_data({source})"))
        else:
            raise NotImplementedError(f"a kernel that Python calls takes {given!r}")

    def _take_array(self, given: Any, source: str, name: str) -> None:
        flags = ["NPY_ARRAY_ALIGNED"]
        flags += {"C": ["NPY_ARRAY_C_CONTIGUOUS"], "F": ["NPY_ARRAY_F_CONTIGUOUS"], "A": []}[given.layout]
        flags += ["NPY_ARRAY_WRITEABLE"] if given.mutable else []
        self._require(f"PyArray_Check({source})")
        self.lines.append(f"PyArrayObject *{name} = (PyArrayObject *){source};")
        self._require(f"PyArray_NDIM({name}) == {given.ndim} && PyArray_CHKFLAGS({name}, {' | '.join(flags)})")
        self._require(self._dtype_is(given.dtype, name))
        self.lines.append(f"int64_t size_{name} = PyArray_SIZE({name}), item_{name} = PyArray_ITEMSIZE({name});")
        self.lines.append(f"int64_t bytes_{name} = size_{name} * item_{name};")
        self.arrays.append(name)
        self.values += [("void *", "0"), ("void *", source), ("int64_t", f"size_{name}"), ("int64_t", f"item_{name}")]
        self.values.append(("void *", f"PyArray_DATA({name})"))
        self.values += [("int64_t", f"PyArray_DIM({name}, {axis})") for axis in range(given.ndim)]
        self.values += [("int64_t", f"PyArray_STRIDE({name}, {axis})") for axis in range(given.ndim)]

    def _dtype(self, given: Any) -> int:
        spelled = repr(as_dtype(given))
        if spelled not in self.dtypes:
            self.dtypes.append(spelled)
        return self.dtypes.index(spelled)

    def _dtype_is(self, given: Any, name: str) -> str:
        if isinstance(given, types.Record):
            return f"is_record({name}, {self._dtype(given)})"
        if isinstance(given, types.Boolean):
            return f"PyArray_TYPE({name}) == NPY_BOOL"
        kind = "f" if isinstance(given, types.Float) else "i" if given.signed else "u"
        return f"is_number({name}, '{kind}', {given.bitwidth // 8})"
