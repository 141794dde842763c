"""Functions of Carom that a user's own compiled code may call.

In: a Python function, the kernel that it calls, and the types of the kernel's answer. Out: nothing; from then on Numba
takes a call of the function for a call of the kernel's machine code.

The user's code calls that machine code by name, and holds none of it but a test of the starts. So it compiles in
little time, and what Numba caches of it does not grow old when Carom is installed anew. The arguments and answers
behind a name never change.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from . import prebuilt
from .numba_or_none import KERNELS

TYPES = {"a": "array", "b": "array", "i": "int64", "j": "int64", "mx": "float64", "my": "float64"}


def offer(
    function: Callable[..., Any],
    kernel: Any,
    answer: str | tuple[str, ...],
    answer_class: Any = None,
    *,
    least: int,
) -> None:
    """Let compiled code call `function`, where Numba is installed.

    Parameters
    ----------
    function : callable
        It takes records a and b, their starts i and j, and perhaps a motion mx, my, and calls the kernel with them.
    kernel : callable
        What answers, compiled.
    answer : str or tuple of str
        Numba's name of the type of the kernel's answer, or of each of several numbers.
    answer_class : type, optional
        The named tuple that the function makes of several numbers.
    least : int
        The least size of a record. A call with a start that leaves less room than that in its array raises IndexError.
    """
    if KERNELS == "plain":
        return
    try:
        llvm, numba = importlib.import_module("llvmlite.binding"), importlib.import_module("numba")
    except ModuleNotFoundError:
        return
    extending: Any = importlib.import_module("numba.extending")
    get_function: Any = importlib.import_module("numba.core.cgutils").get_or_insert_function
    types: Any = numba.types
    int64, float64 = types.int64, types.float64
    known: dict[str, Any] = {name: getattr(types, name) for name in ("int64", "float64")}
    known |= {"bool": types.boolean, "array": types.Array(types.float64, 1, "C")}
    names = list(inspect.signature(function).parameters)
    given = tuple(known[TYPES[name]] for name in names)
    returned = known[answer] if isinstance(answer, str) else types.Tuple([known[one] for one in answer])
    symbol = f"{function.__module__}.{function.__name__}"
    llvm.add_symbol(symbol, _address(kernel, given))

    def refuse_beyond(context: Any, builder: Any, name: str, array: Any, start: Any) -> None:
        # In LLVM's words: in Python that Numba compiles, counts of references to the array take 15 ns a call.
        made = context.make_array(known["array"])(context, builder, array)
        last = builder.sub(made.nitems, start.type(least))
        beyond = builder.or_(builder.icmp_signed("<", start, start.type(0)), builder.icmp_signed(">", start, last))
        with builder.if_then(beyond, likely=False):
            text = f"{symbol}: {name} is out of range: it must be a start of `carom.kernels.records`"
            context.call_conv.return_user_exc(builder, IndexError, (text,))

    def typed(context: Any, *arguments: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            conventions = context.call_conv
            for k in (0, 2):
                refuse_beyond(context, builder, names[k + 1], *values[k : k + 2])
            made = conventions.get_function_type(returned, given)
            machine_code = get_function(builder.module, made, symbol)
            return conventions.call_function(builder, machine_code, returned, given, values)[1]

        return returned(*arguments), lower

    wrong = numba.core.errors.TypingError

    def check(*arguments: Any) -> None:
        for name, one, wanted in zip(names, arguments, given, strict=True):
            if isinstance(wanted, types.Array):
                if not (isinstance(one, types.Array) and (one.dtype, one.ndim, one.layout) == (types.float64, 1, "C")):
                    raise wrong(f"{symbol}: {name} must be an array of `carom.kernels.records`, not {one}")
            elif not isinstance(one, types.Integer if wanted is int64 else types.Number):
                raise wrong(f"{symbol}: {name} must be a number of type {wanted}, not {one}")

    # Numba reads the names and the number of parameters, so both forms stand here in full.
    if len(names) == 4:

        def call_pair(context: Any, a: Any, i: Any, b: Any, j: Any) -> Any:
            return typed(context, a, i, b, j)

        def pair_of_records(a: Any, i: Any, b: Any, j: Any) -> Any:
            check(a, i, b, j)
            if answer_class is None:
                return lambda a, i, b, j: call(a, int64(i), b, int64(j))
            return lambda a, i, b, j: answer_class(*call(a, int64(i), b, int64(j)))

        call, answered = extending.intrinsic(call_pair), pair_of_records
    else:

        def call_moved(context: Any, a: Any, i: Any, b: Any, j: Any, mx: Any, my: Any) -> Any:
            return typed(context, a, i, b, j, mx, my)

        def moved_records(a: Any, i: Any, b: Any, j: Any, mx: Any, my: Any) -> Any:
            check(a, i, b, j, mx, my)
            return lambda a, i, b, j, mx, my: answer_class(*call(a, int64(i), b, int64(j), float64(mx), float64(my)))

        call, answered = extending.intrinsic(call_moved), moved_records  # type: ignore[assignment]
    # Inlined, as a call of Numba's own, with a branch that raises, takes 5 ns.
    extending.overload(function, strict=False, inline="always")(answered)


def _address(kernel: Any, given: tuple[Any, ...]) -> int:
    """Return where the machine code of a kernel lies; it takes and gives numbers as Numba's functions do."""
    if KERNELS == "prebuilt":
        found: int = prebuilt.extension.address(kernel.__name__)
        return found
    kernel.compile(given)
    result = kernel.overloads[given]
    made: int = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    return made
