"""The start of the command `carom`.

In: nothing. Out: the exit code of `carom.cli`. It stands outside the library, so that Ctrl-C ends the command without a
traceback while the library is still being imported, too.
"""

from __future__ import annotations


def main() -> int:
    """Run the command."""
    try:
        from carom.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130
