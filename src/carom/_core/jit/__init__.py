"""The only folder that knows Numba: the decorators that compile Carom's functions, and the cache that keeps them.

`inner` marks a pure scalar function that kernels call: numbers, or an array and row numbers, in; a number or a tuple
out. `kernel` marks one loop over rows that writes into arrays given by the caller, or the compiled face of one pair.
Without Numba, or with NUMBA_DISABLE_JIT=1, both leave the function plain Python, and its answers stay the same.

A kernel compiles at its first call and is kept on disk (`kernel_cache`). docs/design/compiling.md says why each
rule is as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from . import prebuilt
from .numba_or_none import KERNELS, is_compiled, numba
from .subpackages import PACKAGE

__all__ = [
    "ALLOCATORS",
    "KERNELS",
    "PACKAGE",
    "inner",
    "is_compiled",
    "kernel",
    "numba",
    "uncounted_kernel",
    "unsigned",
    "will_compile",
]

ALLOCATORS = frozenset(("empty", "zeros"))
"""NumPy functions by which kernels may allocate. A function that is given such an array must call one, too."""

READERS = frozenset(
    (
        *("floats_at", "float_table_at", "integers_at", "integer_table_at", "marks_at", "rows32_at"),
        *("state_at", "bodies_at", "parts_at"),
    )
)
"""Functions of `addresses` that read arrays; a function that returns what they read calls one of them itself."""

Function = TypeVar("Function", bound=Callable[..., Any])


def inner(function: Function) -> Function:
    """Compile a scalar function into the kernels that call it.

    It neither allocates nor raises nor holds array expressions, and returns no arrays, since nobody counts these.
    """
    if numba is None:
        return function
    from .compilers import compiler_classes  # it stands on Numba

    compiled: Function = numba.njit(error_model="numpy", pipeline_class=compiler_classes()[0])(function)
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
    built: Function | None = getattr(prebuilt.extension, f"{function.__module__}.{function.__qualname__}", None)
    if built is not None:
        return built
    if numba is None:  # or, where all are prebuilt, only other kernels call this one
        # As compiled: what overflows is infinite, without a word.
        quiet: Function = np.errstate(all="ignore")(function)
        return quiet
    from .compilers import compiler_classes  # these two stand on Numba
    from .kernel_cache import KernelCache, keeps

    options = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, **more}
    compiled: Function = numba.njit(**options, pipeline_class=compiler_classes()[0])(function)
    # Said, since else it inherits the wish of an inner function that calls it: its code would stand at every call.
    _lend(compiled, function, forceinline=False)
    if keeps(function):
        compiled._cache = KernelCache(function)  # type: ignore[attr-defined]
    return compiled


def will_compile(function: Callable[..., Any]) -> bool:
    """Tell whether the next call of a kernel has to compile it, which takes seconds, rather than load or run it."""
    signatures = getattr(function, "signatures", None)
    if signatures is None:
        return False
    from .kernel_cache import KernelCache

    cache = function._cache  # type: ignore[attr-defined]
    return not signatures and not (isinstance(cache, KernelCache) and cache.is_kept())


def _lend(compiled: Any, function: Callable[..., Any], **options: bool) -> None:
    """Have the kernels that call a function take its code in unfinished, in one form for all numbers.

    Numba would finish it first (optimise it, wrap it for Python, turn it into machine code), all of which is thrown
    away: it is done again, with the calling kernel around it. And it would make another form for each constant that
    stands in a call.
    """
    from .bare import ANSWER, is_left_out
    from .compilers import compiler_classes

    plain = numba.types.unliteral
    # Where nothing is allocated, arrays need no count of who holds them: counting took longer than the work itself.
    counts = not (ALLOCATORS | READERS).isdisjoint(function.__code__.co_names)

    @functools.cache
    def part() -> Any:
        wanted = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": counts}
        return numba.njit(**wanted, **options, pipeline_class=compiler_classes()[1])(function)

    @functools.cache
    def stand_in() -> Any:
        answer = function.__dict__[ANSWER]
        return numba.njit(
            no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, pipeline_class=compiler_classes()[1]
        )(lambda *given: answer)

    def taken(args: Any) -> Any:
        return stand_in() if is_left_out(function, args) else part()

    compiled.get_call_template = lambda args, kws: taken(args).get_call_template(
        [plain(arg) for arg in args], {name: plain(arg) for name, arg in kws.items()}
    )
    compiled.get_overload = lambda args: taken(args).get_overload(args)
    compiled.lent = part


def _unsigned(place: int) -> Any:
    return np.uint64(place)


def _as_it_is(place: int) -> int:
    return place


unsigned: Callable[[int], int] = inner(_unsigned) if numba is not None else _as_it_is
"""A place in an array, told to be no negative number: else each look asks whether to count from the end."""
