"""Run the command line as `python -m carom`."""

from __future__ import annotations

import sys

from carom.cli import main

if __name__ == "__main__":  # else one of its processes has imported it
    sys.exit(main())
