"""The C that is written for one package: what each kernel takes and gives, in tables that `call.c` goes by.

In: for each kernel its signatures, the types Numba returns and the names of its LLVM functions. Out: the text of one C
file, to be compiled with `start.h`. Each kernel has a row in a table of its forms, with the words of `words.py`, and
one line of C, with which Python calls it by name.
"""

from __future__ import annotations

from tools.emit.words import Entry, Face, answer_table, body, table

MOST_WORDS, MOST_ANSWERS = 1024, 32  # as in `call.c`


def c_file(entries: list[Entry], offered: set[str], subpackages: dict[str, str], wide: list[str]) -> str:
    """Return the C file: the tables of kernels, methods and machine code, dtypes, and the keys of the subpackages.

    `offered`: kernels whose own functions compiled code of users calls. `wide`: functions of which an extension linked
    with WIDE has further copies for newer processors.
    """
    dtypes: list[str] = []
    rows, kernels, stubs, methods, places = [], [], [], [], []
    first: dict[str, int] = {}
    for place, entry in enumerate(entries):
        face = Face(entry)
        if face.words > MOST_WORDS or face.answers > MOST_ANSWERS:
            raise SystemExit(f"{entry.name} takes {face.words} words and gives {face.answers}: more than call.c has")
        takes = quoted(b"".join(table(given, dtypes) for given in entry.arguments))
        rows.append(f"    {{{takes}, {quoted(answer_table(entry.returned))}, {len(entry.arguments)}, {entry.symbol}}},")
        first.setdefault(entry.name, place)
        if first[entry.name] == place and entry.symbol in offered:
            places.append(f'    {{"{entry.name}", (void *)(uintptr_t){body(entry.symbol)}}},')
    for number, (name, place) in enumerate(first.items()):
        forms = sum(entry.name == name for entry in entries)
        kernels.append(f'    {{"{name}", FORMS + {place}, {forms}}},')
        stubs.append(f"CALLED({number})")
        methods.append(f'    {{"{name}", (PyCFunction)(void (*)(void))call_{number}, METH_FASTCALL, 0}},')
    symbols = sorted({entry.symbol for entry in entries})
    lines = ['#include "start.h"', *(f"extern Code {symbol};" for symbol in symbols)]
    lines += [f"extern void {body(symbol)}(void);" for symbol in sorted(offered)]
    lines += ["static Form FORMS[] = {", *rows, "};", "static const Kernel KERNELS[] = {", *kernels, "};", *stubs]
    lines += ["PyMethodDef METHODS[] = {", *methods, "    {0}};", "const Place PLACES[] = {", *places, "    {0, 0}};"]
    lines += ["#ifdef WIDE", *(f"extern Code {one}_wide_1, {one}_wide_2;" for one in wide), "#endif"]
    lines += ["void choose(int level) {", "#ifdef WIDE"]
    for place, entry in enumerate(entries):
        if entry.symbol in wide:
            copies = f"level == 2 ? {entry.symbol}_wide_2 : level == 1 ? {entry.symbol}_wide_1 : {entry.symbol}"
            lines.append(f"    FORMS[{place}].code = {copies};")
    lines += ["#endif", "}"]
    lines += ["const char *DTYPES[] = {", *(f"    {quoted(text.encode())}," for text in dtypes), "    0};"]
    lines.append(f"PyArray_Descr *KNOWN[{len(dtypes) + 1}];")
    keys = (f"    {quoted(f'{name}={key}'.encode())}," for name, key in subpackages.items())
    lines += ["const char *SUBPACKAGES[] = {", *keys, "    0};"]
    return "\n".join(lines) + "\n"


def quoted(text: bytes) -> str:
    """Return a C string; what is not plain stands as three octal digits, which no digit behind them can lengthen."""
    plain = (chr(one) if 32 <= one < 127 and one not in b'"\\?' else f"\\{one:03o}" for one in text)
    return f'"{"".join(plain)}"'
