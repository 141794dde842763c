"""Compile the kernels that the live page of the playground asks to WebAssembly: `make page`.

    python -m tools.emit.page [FILE]

In: the package's sources, and the names in the page's `kernels.txt`. Out: FILE, by default the one beside the page's
scripts. Kernels are taken in as for the wheel, emitted for a processor of 32-bit addresses, and linked by LLVM's own
linker, which the PyPI package `ziglang` brings. A section "carom" of the file says in JSON how each kernel is called,
and from which sources it was made.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, types

from tools.emit.build import emit
from tools.emit.emit import emit as emit_object
from tools.emit.emit import take_in
from tools.emit.words import Entry

TRIPLE, PROCESSOR = "wasm32-unknown-unknown", "generic"
STACK, PAGES = 256 * 1024, 64  # bytes; pages of 64 KiB that the module begins with
LETTERS = {"float64": "d", "int64": "q", "int32": "i", "bool": "?"}
"""Numbers as Python's `struct` spells them; an array is a number's letter and its dimensions."""


def main() -> None:
    """Emit and link."""
    leave_layouts_open()  # before Carom is imported, with which Numba begins to compile
    from carom_playground.browser.module import MODULE

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", default=MODULE)
    parser.add_argument("--here", action="store_true", help="in this process, where Numba was told the processor")
    given = parser.parse_args()
    if not given.here:
        # Numba reads its settings when it is imported.
        emit(given.file.resolve(), "--here", module="tools.emit.page")
        return
    given.file.write_bytes(module())
    print(f"{given.file}: {given.file.stat().st_size / 1e3:.0f} kB")


def module() -> bytes:
    """Return the WebAssembly module, with its section."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    sys.setrecursionlimit(10_000)
    from carom_playground.browser.module import KERNELS

    subpackages = importlib.import_module("carom._core.jit.subpackages")
    signatures = importlib.import_module("carom._core.jit.signatures")
    link = importlib.import_module("carom._core.jit.libraries").link
    listed = signatures.read(signatures.listed())
    merged, entries = take_in({name: listed[name] for name in KERNELS}, dict(signatures.kernels()), link)
    named = {entry.name.rpartition(".")[2]: called(entry) for entry in entries}
    if len(named) < len(entries):
        raise SystemExit("kernels.txt: each kernel must have one signature and a name of its own")
    keys = {name: subpackages.key(name) for name in sorted({entry.name.split(".")[1] for entry in entries})}
    told = json.dumps({"sources": keys, "kernels": named}, separators=(",", ":")).encode()
    body = sized(b"carom") + told
    text = str(merged)
    if fixed := re.search(r"getelementptr (?:inbounds |nuw )*i8, ptr [^ ]+, i64 \d.*", text):
        raise SystemExit(f"Numba has laid out a structure for this machine: {fixed[0]}")
    return linked(emit_object(text, TRIPLE, PROCESSOR), [entry.symbol for entry in entries]) + b"\0" + sized(body)


def leave_layouts_open() -> None:
    """Have Numba optimise none of its own functions: that would write down where members lie behind 64-bit pointers."""
    codegen.CPUCodeLibrary._optimize_functions = lambda library, module: None
    codegen.CPUCodeLibrary._optimize_final_module = lambda library: None


def called(entry: Entry) -> dict[str, Any]:
    """Return how a kernel is called: its symbol, the letters of what it takes and of what it gives."""
    takes = [letter for given in entry.arguments for letter in letters(given)]
    return {"symbol": entry.symbol, "takes": takes, "gives": "".join(letters(entry.returned))}


def letters(given: Any) -> Iterator[str]:
    """Yield the letter of a number or an array, or those of a tuple's members."""
    if isinstance(given, types.BaseTuple):
        for member in given:
            yield from letters(member)
    elif isinstance(given, types.Array):
        yield f"{LETTERS[str(given.dtype)]}{given.ndim}"
    elif given is not types.none:
        yield LETTERS[str(given)]


def linked(made: bytes, symbols: list[str]) -> bytes:
    """Return a linked module that exports these functions; those of libm and of Numba are the page's to give."""
    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "kernels.o"), Path(scratch, "kernels.wasm")
        source.write_bytes(made)
        exports = [f"--export={symbol}" for symbol in (*symbols, "__heap_base")]
        sizes = ["-z", f"stack-size={STACK}", f"--initial-memory={PAGES << 16}"]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--allow-undefined", "--strip-all"]
        subprocess.run([*command, "--gc-sections", *exports, *sizes, "-o", str(target), str(source)], check=True)
        return target.read_bytes()


def sized(content: bytes) -> bytes:
    """Return bytes behind their length, seven bits to a byte, as the format wants it."""
    length, left = bytearray(), len(content)
    while left > 127:
        length.append(left & 127 | 128)
        left >>= 7
    return bytes([*length, left]) + content


if __name__ == "__main__":
    main()
