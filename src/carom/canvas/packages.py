"""Matplotlib, imported where a picture asks for it, or an error that says how to install it."""

from __future__ import annotations

from typing import Any

from carom._core.missing import need


def matplotlib() -> Any:
    """Return the module that draws with matplotlib."""
    need("this picture", "matplotlib", instead=", or save it as .svg")
    from carom.canvas import plot

    return plot
