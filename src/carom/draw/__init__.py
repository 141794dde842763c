"""Worlds, sets, levels and characters drawn: on a pygame surface with `paint` and a `Camera`, as `picture` or `film`.

Pictures are made of a few kinds of items, which programs of your own may make and paint, too. `Figure` is matplotlib's,
and `pygame` the module: where it is not installed, the error names the extra that brings it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from carom._core.names import no_attribute
from carom.canvas.drawing import SAFE_STYLES as SAFE_STYLES
from carom.canvas.drawing import STYLES as STYLES
from carom.canvas.drawing import Arrow as Arrow
from carom.canvas.drawing import Dot as Dot
from carom.canvas.drawing import Drawing as Drawing
from carom.canvas.drawing import Item as Item
from carom.canvas.drawing import Line as Line
from carom.canvas.drawing import Outline as Outline
from carom.canvas.drawing import Style as Style
from carom.canvas.drawing import Text as Text
from carom.canvas.geometry import View as View
from carom.canvas.geometry import fit as fit
from carom.canvas.packages import package_part
from carom.draw.camera import Camera as Camera
from carom.draw.films import Film as Film
from carom.draw.films import film as film
from carom.draw.loop import frames as frames
from carom.draw.pictures import Picture as Picture
from carom.draw.pictures import picture as picture
from carom.draw.window import paint as paint

if TYPE_CHECKING:
    from carom.canvas.display import has_display as has_display
    from carom.canvas.display import open_display as open_display
    from carom.canvas.display import quiet_stderr as quiet_stderr
    from carom.canvas.packages import Figure as Figure
    from carom.canvas.packages import pygame as pygame
    from carom.canvas.surface import FINE as FINE
    from carom.canvas.surface import font as font
    from carom.canvas.surface import paint_items as paint_items
    from carom.canvas.surface import smooth as smooth
    from carom.canvas.surface import wrapped as wrapped
    from carom.canvas.surface import written as written

_LATER = {
    **dict.fromkeys(("has_display", "open_display", "quiet_stderr"), "carom.canvas.display"),
    **dict.fromkeys(("FINE", "font", "paint_items", "smooth", "wrapped", "written"), "carom.canvas.surface"),
}
"""Modules that import pygame, with what they bring."""

__all__ = [
    "SAFE_STYLES",
    "STYLES",
    "Arrow",
    "Camera",
    "Dot",
    "Drawing",
    "Film",
    "Item",
    "Line",
    "Outline",
    "Picture",
    "Style",
    "Text",
    "View",
    "film",
    "fit",
    "frames",
    "paint",
    "picture",
]


def __dir__() -> list[str]:
    return sorted([*__all__, *_LATER, "Figure", "pygame"])


if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> Any:
        if name in ("Figure", "pygame"):
            return package_part(name)
        if name in _LATER:
            package_part("pygame")
            return getattr(import_module(_LATER[name]), name)
        raise no_attribute("carom.draw", name, __dir__())
