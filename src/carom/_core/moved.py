"""Modules of earlier versions that are elsewhere now: an import of one is answered with the new name.

In: the name of a module that no one else finds. Out: an error; nothing is imported in its place.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

MOVED = {
    "carom.breakout": "carom_breakout (and carom_gym for its learning environments)",
    "carom.playground_app": "carom_playground",
}
"""Packages with their new names."""


class OldPaths(MetaPathFinder):
    """Asked by Python last, for modules that nothing else has found."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Refuse a module that has moved."""
        new = MOVED.get(fullname)
        if new is not None:
            raise ModuleNotFoundError(f"{fullname} is a package of its own now: import {new}", name=fullname)


def answer_old_paths() -> None:
    """Have Python ask for old paths, once."""
    if not any(isinstance(finder, OldPaths) for finder in sys.meta_path):
        sys.meta_path.append(OldPaths())
