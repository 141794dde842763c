"""Compile all kernels ahead of time: from `signatures.txt` to an object file and the C of its wrappers.

    python -m tools.emit.emit OUT [--target NAME ...]

In: the package's sources and the list of signatures. Out: OUT/wrappers.c, and OUT/NAME/kernels.o for each target, by
default that of this machine. Each kernel is taken in
unfinished, as other kernels take it (`kernel.lent()`); all are linked into one LLVM module, in which common parts stand
once; everything but the entries becomes internal; the module is optimised once, by Numba's own passes, for the wanted
processor. No machine code is made on the way, so any target can be emitted on any machine. Numba must be told the
processor beforehand, by NUMBA_CPU_NAME=generic and NUMBA_CPU_FEATURES=, or its front end looks at this one.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import codegen

from tools.emit.build import THIS_MACHINE
from tools.emit.wrappers import Entry, c_file

# LLVM's name of each target, and the oldest processor that is served there. x86-64-v3 gained 0 to 10 %.
TARGETS = {
    "linux-x86_64": ("x86_64-unknown-linux-gnu", "x86-64-v2"),
    "linux-aarch64": ("aarch64-unknown-linux-gnu", "generic"),
    "darwin-x86_64": ("x86_64-apple-macosx11.0.0", "x86-64-v2"),
    "darwin-arm64": ("arm64-apple-macosx11.0.0", "apple-m1"),
    "win32-amd64": ("x86_64-pc-windows-msvc", "x86-64-v2"),
    "win32-arm64": ("aarch64-pc-windows-msvc", "generic"),
}


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--package", default="carom")
    parser.add_argument("--target", nargs="+", default=[THIS_MACHINE], choices=TARGETS, help="this machine if left out")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    sys.setrecursionlimit(10_000)
    rooms = importlib.import_module(f"{given.package}._core.jit.rooms")
    signatures = importlib.import_module(f"{given.package}._core.jit.signatures")
    module, entries = take_in(signatures.read(signatures.listed()), dict(signatures.kernels()))
    keys = {name: rooms.key(name) for name in sorted({entry.name.split(".")[1] for entry in entries})}
    (given.out / "wrappers.c").write_text(c_file(entries, keys), encoding="utf-8")
    for target in given.target:
        triple, cpu = TARGETS[target]
        (given.out / target).mkdir(exist_ok=True)
        (given.out / target / "kernels.o").write_bytes(emit(str(module), triple, cpu))
        print(f"{len(entries)} kernels for {triple}, {cpu}")


def take_in(wanted: dict[str, list[tuple[Any, ...]]], known: dict[str, Any]) -> tuple[Any, list[Entry]]:
    """Return one LLVM module with all wanted kernels, and where each of them stands in it."""
    gone = sorted(set(wanted) - set(known))
    if gone:
        raise SystemExit(f"signatures.txt names kernels that are not there: {', '.join(gone)}")
    compiled = []
    for name in sorted(wanted):
        for given in wanted[name]:
            part = known[name].lent()
            part.compile(given)
            compiled.append((name, given, part.overloads[given]))
    merged = llvm.parse_assembly("")
    merged.triple, merged.name = llvm.get_process_triple(), "carom_kernels"
    # Forms of several kernels may be one function. Its own function is external in the module of each library.
    for library in {result.fndesc.llvm_func_name: result.library for _, _, result in compiled}.values():
        merged.link_in(library._final_module.clone())
    symbols: dict[str, str] = {}
    for _, _, result in compiled:
        symbols.setdefault(result.fndesc.llvm_func_name, f"carom_kernel_{len(symbols)}")
    for function in merged.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in symbols else "internal"
    for variable in merged.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    for old, new in symbols.items():
        function = merged.get_function(old)
        function.visibility = "hidden"
        function.name = new
    merged.verify()
    entries = []
    for name, given, result in compiled:
        symbol = symbols[result.fndesc.llvm_func_name]
        declared = [str(one.type) for one in merged.get_function(symbol).arguments][2:]
        entries.append(Entry(name, symbol, given, result.signature.return_type, declared))
    return merged, entries


def emit(text: str, triple: str, cpu: str) -> bytes:
    """Return the object file of a module for a target."""
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features="", opt=3, reloc="pic", codemodel="default"
    )
    lines = without_counting(text).splitlines()
    here = llvm.parse_assembly("\n".join(one for one in lines if not one.startswith(("target triple", "target data"))))
    here.triple, here.data_layout = triple, str(machine.target_data)
    here.verify()
    optimise(here, machine)
    return bytes(machine.emit_object(here))


def without_counting(text: str) -> str:
    """Leave out the bodies of Numba's counting of references.

    They have been through the code generator of this machine, which put operations of its processor in; `start.c` has
    others.
    """
    kept: list[str] = []
    skipping = False
    for line in text.splitlines():
        found = re.match(r"define.*@(NRT_incref|NRT_decref|nrt_\w+)\(", line)
        if found:
            skipping = True
            if found[1].startswith("NRT"):
                kept.append(f"declare void @{found[1]}(ptr)")
        if not skipping:
            kept.append(line)
        skipping = skipping and line != "}"
    return "\n".join(kept)


def optimise(module: Any, machine: Any) -> None:
    """Run Numba's two passes over a library, for any machine."""
    flags = codegen._parse_refprune_flags()

    def builder(level: int, vectors: bool) -> Any:
        options = llvm.create_pipeline_tuning_options(level)
        options.loop_vectorization = vectors
        options.slp_vectorization = vectors and bool(numba.config.SLP_VECTORIZE)
        return llvm.create_pass_builder(machine, options)

    cheap = builder(0, False)
    passes = cheap.getModulePassManager()
    passes.add_loop_rotate_pass()
    passes.add_instruction_combine_pass()
    passes.add_jump_threading_pass()
    passes.add_refprune_pass(flags)
    passes.run(module, cheap)
    full = builder(3, True)
    passes = full.getModulePassManager()
    passes.add_refprune_pass(flags)
    passes.run(module, full)


if __name__ == "__main__":
    main()
