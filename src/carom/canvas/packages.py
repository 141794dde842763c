"""The packages that draw, imported where a picture asks for them, or an error that says how to install them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from carom._core.missing import missing


def matplotlib() -> Any:
    """Return the module that draws with matplotlib."""
    try:
        from carom.canvas import plot
    except ModuleNotFoundError as absent:
        if (absent.name or "").partition(".")[0] != "matplotlib":
            raise
        raise missing("this picture", "matplotlib", "plot", ", or save it as .svg") from None
    return plot


def pygame_module(purpose: str) -> ModuleType:
    """Return pygame."""
    try:
        import pygame
    except ModuleNotFoundError:
        raise missing(purpose, "pygame-ce", "play") from None
    return pygame
