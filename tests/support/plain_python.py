"""Runs a script in a process of the other mode: plain Python where this one is compiled, else compiled.

In: a script, which may import the test modules. Out: the text that it prints there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

IS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def printed_by_other_mode(code: str) -> str:
    """Return the text that a script prints in the other mode."""
    path = os.pathsep.join(os.path.abspath(part) for part in sys.path if part)
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0" if IS_PLAIN else "1", "PYTHONPATH": path},
    )
    return run.stdout
