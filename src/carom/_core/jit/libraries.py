"""What Numba's compiler writes its code into: one library that is finished, and one that others take in.

In: nothing. Out: two classes of Numba's code libraries, and the function that links what libraries need, each once.
Numba's own libraries link all that they need, directly or through others, at each of 250 functions of a world's step.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable
from typing import Any

from .lean_code import never_fails
from .numba_or_none import numba


@functools.cache
def library_classes() -> tuple[type, type]:
    """Return two kinds of libraries: of a kernel, and of a function that kernels take in, neither optimised nor run."""
    codegen: Any = numba.core.codegen
    parse = importlib.import_module("llvmlite.binding").parse_assembly

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc]
        def __init__(self, made_by: Any) -> None:
            codegen.CodeLibrary.__init__(self, made_by, "part")
            self._linking_libraries: list[Any] = []
            self._final_module: Any = None
            self.safe: set[str] = set()  # names of functions in it that never fail

        def add_ir_module(self, ir_module: Any) -> None:
            self.safe |= {one.name for one in ir_module.functions if one.blocks and never_fails(one)}
            module = parse(numba.core.cgutils.normalize_ir_text(str(ir_module)))
            if self._final_module is None:
                self._final_module = module
            else:
                self._final_module.link_in(module)

        def finalize(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, name: str, env: Any) -> None:
            pass  # what only Python objects need

    class Whole(codegen.JITCodeLibrary):  # type: ignore[misc]
        def finalize(self) -> None:
            module = self._final_module
            own = {function.name for function in module.functions if not function.is_declaration}
            link(module, self._linking_libraries)
            for function in module.functions:
                # Nobody else calls them: what they are given and do not read need not be handed over.
                if not function.is_declaration and function.name not in own:
                    function.linkage = "internal"
            self._optimize_final_module()
            module.verify()
            self._finalize_final_module()

    return Whole, Part


def link(module: Any, libraries: Iterable[Any]) -> None:
    """Link into a module what libraries hold and need, directly or through others, each once."""
    part: Any = library_classes()[1]
    found = list(dict.fromkeys(libraries))
    known = set(found)
    for library in found:  # which grows meanwhile
        if isinstance(library, part):
            fresh = [one for one in dict.fromkeys(library._linking_libraries) if one not in known]
            known.update(fresh)
            found += fresh
    # Of Numba's own ones a module takes only what it already asks for.
    for library in sorted(found, key=lambda one: not isinstance(one, part)):
        ready = library._final_module if isinstance(library, part) else library._get_module_for_linking()
        module.link_in(ready, preserve=True)
