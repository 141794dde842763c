"""The WebAssembly module of the live page: where it lies, which kernels it has, and whether it fits the sources.

In: the file that `make page` writes, or that a wheel brings. Out: its bytes, or the reason that there is none to use.
"""

from __future__ import annotations

import json
from pathlib import Path

from carom import source_key

MODULE = Path(__file__).with_name("kernels.wasm")
KERNELS = Path(__file__).with_name("kernels.txt").read_text(encoding="utf-8").split()
"""Full names of the kernels that the page asks."""
MARK = b"\x05carom{"


class NotLive(Exception):
    """A page cannot be live; the text is a clause that says why."""


def module() -> bytes:
    """Return the module; raise `NotLive` where there is none, or where a checkout's sources have changed since."""
    in_clone = source_key("carom_playground") != ""
    remedy = "`make page` makes them" if in_clone else "a release has a page with them beside its wheels"
    try:
        found = MODULE.read_bytes()
    except OSError:
        raise NotLive(f"the kernels for the browser are not here; {remedy}") from None
    made_from = json.loads(found[found.rindex(MARK) + len(MARK) - 1 :])["sources"]
    if any(source_key(name) not in ("", key) for name, key in made_from.items()):
        raise NotLive(f"the kernels for the browser are older than the sources; {remedy}")
    return found
