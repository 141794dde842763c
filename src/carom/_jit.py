"""The only file that knows Numba: two decorators that compile Carom's functions, and the cache that keeps them.

`inner` marks a pure scalar function that kernels call: numbers, or an array and row numbers, in; a number or a tuple
out. `kernel` marks one loop over rows that writes into arrays given by the caller, or the compiled face of one pair.
Without Numba, or with NUMBA_DISABLE_JIT=1, both leave the function plain Python, and its answers stay the same.

A kernel compiles at its first call and is kept on disk, in a folder named after a hash of every source file of the
package: a kernel contains code of other files, and Numba's own cache looks only at the file where the kernel stands.
docs/design/compile-cache.md says why each rule below is as it is.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import pickle
import shutil
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any, NamedTuple, TypeVar

import numpy as np

numba: Any = None  # some versions of Numba have types and some have none: here it is always untyped
try:
    numba = importlib.import_module("numba")
except ModuleNotFoundError as missing:
    if missing.name != "numba":
        raise

ALLOCATORS = frozenset(("empty", "zeros"))
"""What kernels may take memory with: names of NumPy functions. Who is given an array so made must use one, too."""

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
KEPT = 8
"""Folders of compiled kernels kept side by side (sources x Python x NumPy x Numba); the least lately used go."""


def is_compiled() -> bool:
    """Tell whether kernels are compiled, or run as plain Python."""
    return numba is not None and not numba.config.DISABLE_JIT


def inner(function: Function) -> Function:
    """Compile a scalar function into the kernels that call it: no allocation, no exception, no array expression."""
    if not is_compiled():
        return function
    compiled: Function = numba.njit(error_model="numpy")(function)
    _lend(compiled, function, forceinline=True)
    return compiled


def kernel(function: Function) -> Function:
    """Compile a loop over rows, or the face of one pair, at its first call, and keep it for the next process."""
    return _kernel(function)


def uncounted_kernel(function: Function) -> Function:
    """Compile as `kernel` does a loop that neither makes arrays nor calls what does: it counts no references to them.

    A row of discs and turned boxes takes 30 in place of 40 ns.
    """
    return _kernel(function, _nrt=False)


def _kernel(function: Function, **more: bool) -> Function:
    if not is_compiled():
        # As compiled: what overflows is infinite, without a word.
        quiet: Function = np.errstate(all="ignore")(function)
        return quiet
    options = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, **more}
    compiled: Function = numba.njit(**options, pipeline_class=_compilers()[0])(function)
    _lend(compiled, function)
    if _SOURCES is not None and function.__module__.startswith(f"{__package__}."):
        compiled._cache = _KernelCache(function)  # type: ignore[attr-defined]
    return compiled


def will_compile(function: Callable[..., Any]) -> bool:
    """Tell whether the next call of a kernel has to compile it, which takes seconds, rather than load or run it."""
    signatures = getattr(function, "signatures", None)
    if signatures is None:
        return False
    cache = function._cache  # type: ignore[attr-defined]
    return not signatures and not (isinstance(cache, _KernelCache) and cache.is_kept())


def _lend(compiled: Any, function: Callable[..., Any], **options: bool) -> None:
    """Have the kernels that call a function take its code in unfinished, in one form for all numbers.

    Numba would finish it first (optimise it, wrap it for Python, turn it into machine code), all of which is thrown
    away: it is done again, with the calling kernel around it. And it would make another form for each constant that
    stands in a call.
    """
    plain = numba.types.unliteral
    # Where nothing is allocated, arrays need no count of who holds them: counting took longer than the work itself.
    allocates = not ALLOCATORS.isdisjoint(function.__code__.co_names)

    @functools.cache
    def part() -> Any:
        wanted = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": allocates}
        return numba.njit(**wanted, **options, pipeline_class=_compilers()[1])(function)

    compiled.get_call_template = lambda args, kws: part().get_call_template(
        [plain(arg) for arg in args], {name: plain(arg) for name, arg in kws.items()}
    )
    compiled.get_overload = lambda signature: part().get_overload(signature)
    compiled.lent = part


@functools.cache
def _compilers() -> tuple[type, type]:
    """Return two Numba compilers: of kernels, and one that ends where a function is written out.

    Code that the second one made is neither optimised nor executable. Both remember what Numba found out about an
    operator and the types of its operands, which it would otherwise look up anew, slowly, wherever the operator stands.
    """

    class Compiler(numba.core.compiler.Compiler):  # type: ignore[misc]
        def __init__(self, typing_context: Any, target_context: Any, *rest: Any) -> None:
            super().__init__(*_remembering(typing_context, target_context), *rest)

    class Library(numba.core.codegen.JITCodeLibrary):  # type: ignore[misc]
        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, name: str, env: Any) -> None:
            pass  # what only Python objects need

    class PartCompiler(Compiler):
        def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing_context, target_context, library, *rest)
            self.state.library = Library(target_context.codegen(), "part")

    return Compiler, PartCompiler


@functools.cache
def _remembering(typing_context: Any, target_context: Any) -> tuple[Any, Any]:
    """Return Numba's two contexts with a memory of their own for operators on numbers and arrays.

    All else is shared with them, and what anyone else compiles goes on without this memory.
    """
    types = numba.types
    plain = (types.Number, types.Boolean, types.Literal, types.Array)

    @functools.cache
    def remembers(operator: Any) -> Any:
        known: dict[Any, Any] = {}

        class Operator(types.Function):  # type: ignore[misc, name-defined]
            def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
                args = tuple(args)
                if kws or not all(isinstance(arg, plain) for arg in args):
                    return operator.get_call_type(context, args, kws)
                if args not in known:
                    known[args] = operator.get_call_type(context, args, kws)
                return known[args]

        return _twin(Operator, operator)

    class Inference(type(typing_context)):  # type: ignore[misc]
        def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
            known = self.resolve_value_type(function) if type(function) is BuiltinFunctionType else function
            if type(known) is types.Function:
                with contextlib.suppress(numba.errors.TypingError):
                    return remembers(known).get_call_type(self, args, kws)
            return super().resolve_function_type(function, args, kws)

    class Lowering(type(typing_context)):  # type: ignore[misc]
        def resolve_value_type(self, value: Any) -> Any:
            found = super().resolve_value_type(value)
            return remembers(found) if type(found) is types.Function else found

    class Target(type(target_context)):  # type: ignore[misc]
        typing_context = property(lambda self: lowering)

        def _compile_subroutine_no_cache(self, *args: Any, **options: Any) -> Any:
            return target_context._compile_subroutine_no_cache(*args, **options)  # what NumPy's functions are made of

    lowering = _twin(Lowering, typing_context)
    return _twin(Inference, typing_context), _twin(Target, target_context)


def _twin(kind: type, original: Any) -> Any:
    """Return an object of another class that shares all attributes of the original."""
    twin: Any = object.__new__(kind)
    twin.__dict__ = original.__dict__
    return twin


def _unsigned(place: int) -> Any:
    return np.uint64(place)


def _as_it_is(place: int) -> int:
    return place


unsigned: Callable[[int], int] = inner(_unsigned) if is_compiled() else _as_it_is
"""A place in an array, told to be no negative number: else each look asks whether to count from the end."""


class _KernelCache:
    """The compiled forms of one kernel on disk, one file for each signature and processor; Numba's cache interface.

    Each file is written aside and renamed into place, so that processes may read and write at once, and holds all it
    needs, so that none can mix up another's. A file that cannot be read counts as absent: a cache may cost time, never
    an answer.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(_folders()[0])

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        if not _sources_unchanged():
            return None
        for folder in _folders():
            try:
                content = self._file(folder, signature, target.codegen()).read_bytes()
                kept_signature, compiled = pickle.loads(content)
                if kept_signature == signature:
                    _mark_used(folder)
                    return numba.core.compiler.CompileResult._rebuild(target, *compiled)
            except Exception:  # absent, torn, or of another make: compile again
                continue
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if compiled.lifted or compiled.library.has_dynamic_globals or not _sources_unchanged():
            return
        folder = _folder_to_write()
        if folder is None:
            return
        content = numba.core.serialize.dumps((signature, compiled._reduce()))
        aside = folder / f".{uuid.uuid4().hex}"
        try:
            aside.write_bytes(content)
            aside.replace(self._file(folder, signature, compiled.library.codegen))
        except OSError:  # the disk is full, or the folder was cleared away: the next process compiles again
            with contextlib.suppress(OSError):
                aside.unlink()

    def is_kept(self) -> bool:
        return _sources_unchanged() and any(any(folder.glob(f"{self._name}-*")) for folder in _folders())

    def flush(self) -> None:
        for folder in _folders():
            for file in folder.glob(f"{self._name}-*"):
                file.unlink(missing_ok=True)

    def _file(self, folder: Path, signature: Any, codegen: Any) -> Path:
        parts = repr((signature, codegen.magic_tuple()))
        return folder / f"{self._name}-{hashlib.sha256(parts.encode()).hexdigest()[:16]}"


class _Sources(NamedTuple):
    """The package's source files as they were at import: their joint hash, and (path, time, size) of each."""

    hash: str
    stamp: list[tuple[str, int, int]]


def _source_files(folder: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _source_files(entry.path)


def _stamp() -> list[tuple[str, int, int]]:
    files = [(entry.path, entry.stat()) for entry in _source_files(str(PACKAGE))]
    return [(path, status.st_mtime_ns, status.st_size) for path, status in files]


def _read_sources() -> _Sources | None:
    """Return the hash of all that compiled code depends on; None where nothing compiles or no source can be read."""
    if numba is None or numba.config.DISABLE_JIT:
        return None
    digest = hashlib.sha256()
    try:
        stamp = _stamp()
        for path, _, size in stamp:
            digest.update(f"{os.path.relpath(path, PACKAGE)} {size}\n".encode())
            digest.update(Path(path).read_bytes())
    except OSError:
        return None
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    digest.update("\n".join([sys.version, np.__version__, numba.__version__, *settings]).encode())
    return _Sources(digest.hexdigest()[:16], stamp) if stamp else None


_SOURCES = _read_sources()


def _sources_unchanged() -> bool:
    """Tell whether the files are still those that were hashed: a later import may bring in code edited since."""
    try:
        return _SOURCES is not None and _stamp() == _SOURCES.stamp
    except OSError:
        return False


@functools.cache
def _folders() -> list[Path]:
    """Return the folders to look in, best first: the user's choice, beside the source, the user's cache folder."""
    if _SOURCES is None:
        return []
    places = [PACKAGE / "__pycache__", Path(numba.misc.appdirs.user_cache_dir(__package__, appauthor=False))]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR, str(__package__)))
    return [place / "kernels" / _SOURCES.hash for place in places]


@functools.cache
def _mark_used(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _folder_to_write() -> Path | None:
    """Return the first folder that can be written to, made if need be; None, with one warning, if there is none."""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _mark_used(folder)
        _clear_old(folder)
        return folder
    tried = ", ".join(str(folder) for folder in _folders())
    warnings.warn(
        f"{__package__} has to compile again at each start: it can write to none of {tried}. "
        "Set NUMBA_CACHE_DIR to a folder that can be written to.",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def _clear_old(current: Path) -> None:
    """Remove the folders used least lately; a process that still runs on one of them merely compiles again."""
    with contextlib.suppress(OSError):
        others = [folder for folder in current.parent.iterdir() if folder != current]
        for folder in sorted(others, key=lambda folder: folder.stat().st_mtime, reverse=True)[KEPT - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)
