"""Numba's compiler, made quicker: no work is done that is thrown away, and nothing is looked up twice.

In: nothing. Out: two compiler classes for `numba.njit(pipeline_class=...)`. docs/design/compiling.md says what each
part saves.
"""

from __future__ import annotations

import contextlib
import functools
from types import BuiltinFunctionType
from typing import Any

from .numba_or_none import numba


@functools.cache
def compiler_classes() -> tuple[type, type]:
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
