"""Compile all kernels ahead of time: from `signatures.txt` to an object file and the C of its wrappers.

    python -m tools.emit.emit OUT [--target NAME ...]

In: the package's sources and the list of signatures. Out: OUT/wrappers.c, and OUT/NAME/kernels.o for each target, by
default that of this machine. Each kernel is taken in unfinished, as other kernels take it (`kernel.lent()`); all are
linked into one LLVM module, in which common parts stand once; each gets a function that takes words (`words.py`), and
everything but these becomes internal; the module
is optimised once, by Numba's own passes, for the wanted processor. No machine code is made on the way, so any target
can be emitted on any machine. Numba must be told the processor beforehand, by NUMBA_CPU_NAME=generic and
NUMBA_CPU_FEATURES=, or its front end looks at this one.

Some loops over rows of closed forms take half the time in wide registers. Of these there are further copies for newer
processors, in OUT/NAME/wide_1.o and wide_2.o; the extension chooses when it is imported. The bits are the same.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import codegen, types

from tools.emit.build import THIS_MACHINE
from tools.emit.listed import unfit
from tools.emit.words import Entry, Face, body
from tools.emit.wrappers import c_file

# LLVM's name of each target, and the oldest processor that is served there.
TARGETS = {
    "linux-x86_64": ("x86_64-unknown-linux-gnu", "x86-64-v2"),
    "linux-aarch64": ("aarch64-unknown-linux-gnu", "generic"),
    "darwin-x86_64": ("x86_64-apple-macosx11.0.0", "x86-64-v2"),
    "darwin-arm64": ("arm64-apple-macosx11.0.0", "apple-m1"),
    "win32-amd64": ("x86_64-pc-windows-msvc", "x86-64-v2"),
    "win32-arm64": ("aarch64-pc-windows-msvc", "generic"),
}
# Newer processors of a target, as `start.c` tells them apart, and the kernels that gain by them; others gain 0 to 10 %.
NEWER = {"linux-x86_64": ("x86-64-v3", "x86-64-v4")}
WIDE = (
    *(
        f"carom.narrow.intersects._{kinds}"
        for kinds in ("discs", "discs_aabbs", "discs_obbs", "aabbs", "aabbs_obbs", "obbs")
    ),
    *(f"carom.narrow.rows.contact._contacts_of_{kinds}" for kinds in ("discs", "aabbs", "discs_and_obbs", "obbs")),
    "carom.narrow.separation.separations_of_columns",
    "carom.narrow.separation.closest_of_columns",
    "carom_gym.episode.step_games",
)
# Kernels in a form that only takes less time to compile; the whole form, which is here, does the same.
LEFT_OUT = (
    "carom.world.addressed.open_bare_step_at",
    "carom.world.addressed.play_bare_step_at",
    "carom.world.addressed.solve_bare_share_at",
    "carom.world.addressed.solve_bare_unequal_at",
    "carom.world.copies.kernels.play_bare_copies",
)
# What kernels take that `jit/offered.py` may hand to compiled code of users: two records, and perhaps a motion.
RECORDS = (types.Array(types.float64, 1, "C"), types.int64) * 2
OFFERED = (RECORDS, (*RECORDS, types.float64, types.float64))


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--package", default="carom")
    parser.add_argument("--target", nargs="+", default=[THIS_MACHINE], choices=TARGETS, help="this machine if left out")
    parser.add_argument("--wide", nargs="*", default=WIDE, help="kernels with copies for newer processors")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    sys.setrecursionlimit(10_000)
    subpackages = importlib.import_module(f"{given.package}._core.jit.subpackages")
    signatures = importlib.import_module(f"{given.package}._core.jit.signatures")
    link = importlib.import_module(f"{given.package}._core.jit.libraries").link
    lines = [line for line in signatures.listed() if line.partition(" ")[0] not in LEFT_OUT]
    if faults := unfit(lines, given.package):
        raise SystemExit("\n".join(["signatures.txt has lines that cannot be emitted:", *faults]))
    module, entries = take_in(signatures.read(lines), dict(signatures.kernels()), link)
    offered = {entry.symbol for entry in entries if entry.arguments in OFFERED}
    put_faces(module, entries, offered)
    names = sorted({subpackages.subpackage_of(entry.name) for entry in entries})
    keys = {name: subpackages.key(name) for name in names}
    wide = [entry.symbol for entry in entries if entry.name in given.wide]
    (given.out / "wrappers.c").write_text(c_file(entries, offered, keys, wide), encoding="utf-8")
    for target in given.target:
        triple, cpu = TARGETS[target]
        (given.out / target).mkdir(exist_ok=True)
        (given.out / target / "kernels.o").write_bytes(emit(str(module), triple, cpu))
        print(f"{len(entries)} kernels for {triple}, {cpu}")
        for level, newer in enumerate(NEWER.get(target, ()), 1):
            made = emit(str(module), triple, newer, {symbol: f"{symbol}_wide_{level}" for symbol in wide})
            (given.out / target / f"wide_{level}.o").write_bytes(made)
            print(f"{len(wide)} of them for {newer}")


def take_in(
    wanted: dict[str, list[tuple[Any, ...]]], known: dict[str, Any], link: Callable[[Any, list[Any]], Any]
) -> tuple[Any, list[Entry]]:
    """Return one LLVM module with all wanted kernels, and where each of them stands in it; `link` links libraries."""
    compiled = []
    for name in sorted(wanted):
        for given in wanted[name]:
            part = known[name].lent()
            part.compile(given)
            compiled.append((name, given, part.overloads[given]))
    merged = llvm.parse_assembly("")
    merged.triple, merged.name = llvm.get_process_triple(), "carom_kernels"
    link(merged, [result.library for _, _, result in compiled])
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


def put_faces(module: Any, entries: list[Entry], offered: set[str]) -> None:
    """Put functions that take words in place of the kernels; only the bodies of `offered` stay visible beside them."""
    symbols = {entry.symbol: entry for entry in entries}
    for symbol in symbols:
        module.get_function(symbol).name = body(symbol)
    faces = llvm.parse_assembly("\n".join([*(Face(entry).text for entry in symbols.values()), "!0 = !{}"]))
    faces.triple, faces.data_layout = module.triple, module.data_layout
    module.link_in(faces)
    for symbol in symbols:
        if symbol not in offered:
            function = module.get_function(body(symbol))
            function.visibility = "default"  # internal functions have no other
            function.linkage = "internal"
    module.verify()


def emit(text: str, triple: str, cpu: str, renamed: dict[str, str] | None = None) -> bytes:
    """Return the object file of a module for a target; with `renamed` of these functions only, under other names."""
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features="", opt=3, reloc="pic", codemodel="default"
    )
    lines = without_counting(text).splitlines()
    here = llvm.parse_assembly("\n".join(one for one in lines if not one.startswith(("target triple", "target data"))))
    here.triple, here.data_layout = triple, str(machine.target_data)
    for function in here.functions if renamed is not None else ():
        if function.name in renamed:
            function.name = renamed[function.name]
        elif not function.is_declaration:
            function.visibility = "default"  # internal functions have no other
            function.linkage = "internal"
    for function in here.functions:
        if not function.is_declaration:
            function.add_function_attribute("nounwind")  # kernels raise nothing, so nobody needs tables to unwind them
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
    passes.add_global_dead_code_eliminate_pass()
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
