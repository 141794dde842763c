"""Files that are whole or not there: they are written under another name, and then renamed.

In: the name of a file. Out: another name beside it to write to, within a `with` block.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

PART = ".part"
"""The end of the name of a file that is not whole."""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield another name for a file, which gets its own when the block ends; of a block that fails nothing is left."""
    aside = path.with_name(f"{path.name}.{uuid4().hex}{PART}")
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
