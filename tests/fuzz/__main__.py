"""Look for scenes that any verb gets wrong, guided by coverage: ``python tests/fuzz -max_total_time=600``.

Needs Atheris (``pip install atheris``, not on Windows), which no other test needs. Kernels run as plain Python, so that
their branches are seen. All arguments go to libFuzzer; new inputs are kept in a temporary folder, whose name is
printed. A scene that fails is printed with its bytes as a line of hex, which belongs into ``corpus.txt``: an ordinary
test replays it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1]), str(HERE.parents[1] / "src")]

try:
    import atheris
except ModuleNotFoundError:
    sys.exit("This needs Atheris, which nothing else does: pip install atheris")

with atheris.instrument_imports(include=["carom"]):
    import carom  # noqa: F401

from tests.fuzz.judge import complaint  # noqa: E402
from tests.fuzz.scene_bytes import scene  # noqa: E402


def try_bytes(data: bytes) -> None:
    found = scene(data)
    if found is not None and (text := complaint(*found)) is not None:
        raise AssertionError(f"{text}\n    {data.hex()}")


def main() -> None:
    kept = Path(tempfile.mkdtemp(prefix="carom-fuzz-"))
    print(f"new inputs go to {kept}")
    for row, line in enumerate((HERE / "corpus.txt").read_text(encoding="ascii").split()):
        (kept / f"seed-{row}").write_bytes(bytes.fromhex(line))
    options = ["-max_len=160", "-timeout=60", f"-artifact_prefix={kept}/"]
    atheris.Setup([sys.argv[0], *options, *sys.argv[1:], str(kept)], try_bytes)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
