"""Matplotlib and pygame, imported where something is drawn with them, or an error that says how to install them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carom._core.missing import need

if TYPE_CHECKING:
    import pygame as pygame
    from matplotlib.figure import Figure as Figure


def matplotlib() -> Any:
    """Return the module that draws with matplotlib."""
    need("this picture", "matplotlib", instead=", or save it as .svg")
    from carom.canvas import plot

    return plot


def package_part(name: str) -> Any:
    """Return matplotlib's Figure, or the module pygame."""
    if name == "Figure":
        need("draw.Figure", "matplotlib")
        from matplotlib.figure import Figure

        return Figure
    need("draw.pygame", "pygame")
    import pygame

    return pygame
