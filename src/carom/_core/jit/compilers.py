"""Numba's compiler, made quicker: no work is done that is thrown away, and nothing is looked up twice.

In: nothing. Out: two compiler classes for `numba.njit(pipeline_class=...)`. docs/design/compiling.md says what each
part saves.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import importlib
from collections.abc import Iterator
from types import BuiltinFunctionType
from typing import Any

from .bare import has_bare
from .kernel_cache import keeps
from .lean_code import call_of, lowering_class
from .libraries import library_classes
from .notice import notice
from .numba_or_none import numba


@functools.cache
def compiler_classes() -> tuple[type, type]:
    """Return two Numba compilers: of kernels, and one that ends where a function is written out.

    Code that the second one made is neither optimised nor executable. Both remember what Numba found out about an
    operator and the types of its operands, which it would otherwise look up anew, slowly, wherever the operator stands.
    """
    whole, part = library_classes()

    class Compiler(numba.core.compiler.CompilerBase):  # type: ignore[misc]
        def __init__(self, typing_context: Any, target_context: Any, *rest: Any) -> None:
            super().__init__(*_remembering(typing_context, target_context), *rest)
            self.state.type_annotation = None

        def compile_extra(self, function: Any) -> Any:
            if self.state.library is None:
                self.state.library = whole(self.state.targetctx.codegen(), function.__qualname__)
                self.state.library.enable_object_caching()
            with _garbage_kept(), notice.compiling(function, keeps(function)):
                return super().compile_extra(function)

        def define_pipelines(self) -> list[Any]:
            return [_passes(self.state.flags.forceinline)]

    class PartCompiler(Compiler):
        def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing_context, target_context, library, *rest)
            self.state.library = part(target_context.codegen())

        def compile_extra(self, function: Any) -> Any:
            notice.note_read(function, has_bare(self.state.args))
            return super().compile_extra(function)

    return Compiler, PartCompiler


@functools.cache
def _passes(scalar: bool) -> Any:
    """Return the passes of Numba's compiler that our code needs, for scalar functions or for all.

    Left out are those for what no kernel has: closures, comprehensions, `with`, `raise` of what is made at run time,
    branches on None, functions inlined by Numba itself, literals, parallel loops. And Numba finds out anew, after
    each of nine passes, where each variable lives; here only those do that need it.
    """
    untyped, typed = (importlib.import_module(f"numba.core.{kind}_passes") for kind in ("untyped", "typed"))

    @numba.core.compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(typed.BaseNativeLowering):  # type: ignore[misc, name-defined]
        _name = "carom_lowering"
        lowering_class = lowering_class()

    class Passes(numba.core.compiler_machinery.PassManager):  # type: ignore[misc]
        def _runPass(self, index: int, one: Any, state: Any) -> None:  # Numba's name
            one.analysis = self._analysis
            if type(one) is not typed.NopythonRewrites or _computes_arrays(state):
                one.run_pass(state)

    passes = Passes("carom")
    for kind in (
        untyped.TranslateByteCode,
        untyped.FixupArgs,
        untyped.IRProcessing,
        untyped.GenericRewrites,
        untyped.ReconstructSSA,
        typed.NopythonTypeInference,
        typed.PreLowerStripPhis,
        *(() if scalar else (typed.NopythonRewrites,)),  # of expressions with arrays
        typed.IRLegalization,
        Lowering,
        typed.NoPythonBackend,
    ):
        passes.add_pass(kind, kind.__name__)
    passes.finalize()
    return passes


def _computes_arrays(state: Any) -> bool:
    """Tell whether any call or operator gives an array: nothing else that kernels have is rewritten by types."""
    made = (one.return_type for one in state.calltypes.values() if one is not None)
    return any(isinstance(kind, numba.types.Array) for kind in made)


@contextlib.contextmanager
def _garbage_kept() -> Iterator[None]:
    """Have nobody look for garbage meanwhile: a compile makes millions of objects, and keeps most of them."""
    wanted = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if wanted:
            gc.enable()


@functools.cache
def _remembering(typing_context: Any, target_context: Any) -> tuple[Any, Any]:
    """Return Numba's two contexts with a memory of their own: operators on numbers and arrays, constants, sizes.

    All else is shared with them, and what anyone else compiles goes on without this memory.
    """
    types = numba.types
    plain = (types.Number, types.Boolean, types.Literal, types.Array, types.Record, types.BaseTuple, types.SliceType)

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

    constants: dict[int, tuple[Any, Any]] = {}  # with the value itself, so that no other can have its number
    sizes: dict[Any, int] = {}

    class Typing(type(typing_context)):  # type: ignore[misc]
        def resolve_value_type(self, value: Any) -> Any:
            if id(value) not in constants:
                constants[id(value)] = value, super().resolve_value_type(value)
            return constants[id(value)][1]

    class Inference(Typing):
        def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
            known = self.resolve_value_type(function) if type(function) is BuiltinFunctionType else function
            if type(known) is types.Function:
                with contextlib.suppress(numba.errors.TypingError):
                    return remembers(known).get_call_type(self, args, kws)
            return super().resolve_function_type(function, args, kws)

    class Lowering(Typing):
        def resolve_value_type(self, value: Any) -> Any:
            found = super().resolve_value_type(value)
            return remembers(found) if type(found) is types.Function else found

    class Target(type(target_context)):  # type: ignore[misc]
        typing_context = property(lambda self: lowering)

        def get_abi_sizeof(self, kind: Any) -> int:
            if kind not in sizes:
                sizes[kind] = super().get_abi_sizeof(kind)
            return sizes[kind]

        def mangler(self, name: str, given: Any, *, abi_tags: Any = (), uid: Any = None) -> Any:
            # Numba spells the types of all arguments, 5 kB for a table of records, wherever the name stands.
            return super().mangler(name, [_short(given)], abi_tags=abi_tags, uid=uid)

        def insert_user_function(self, function: Any, fndesc: Any, libs: Any = ()) -> None:
            if all(fndesc.mangled_name in getattr(library, "safe", ()) for library in libs):
                self._defns[function].append(call_of(fndesc, tuple(libs)), fndesc.argtypes)
            else:
                super().insert_user_function(function, fndesc, libs)

        def _compile_subroutine_no_cache(self, *args: Any, **options: Any) -> Any:
            return target_context._compile_subroutine_no_cache(*args, **options)  # what NumPy's functions are made of

    lowering = _twin(Lowering, typing_context)
    return _twin(Inference, typing_context), _twin(Target, target_context)


def _short(kinds: Any) -> str:
    """Return letters that stand for the types of a function's arguments."""
    return hashlib.sha256(" ".join(map(str, kinds)).encode()).hexdigest()[:16]


def _twin(kind: type, original: Any) -> Any:
    """Return an object of another class that shares all attributes of the original."""
    twin: Any = object.__new__(kind)
    twin.__dict__ = original.__dict__
    return twin
