"""Run the command line as `python -m carom`."""

from __future__ import annotations

import sys

from carom.cli import main

sys.exit(main())
