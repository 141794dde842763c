"""Worlds, sets, levels and characters drawn: on a pygame surface with `paint` and a `Camera`, as a `picture`.

`Figure` is matplotlib's, and `pygame` the module: where it is not installed, the error names the extra that brings it.
"""

from typing import TYPE_CHECKING, Any

from carom._core.names import no_attribute
from carom.canvas.packages import package_part
from carom.draw.camera import Camera as Camera
from carom.draw.pictures import Picture as Picture
from carom.draw.pictures import picture as picture
from carom.draw.window import paint as paint

if TYPE_CHECKING:
    from carom.canvas.packages import Figure as Figure
    from carom.canvas.packages import pygame as pygame

__all__ = ["Camera", "Picture", "paint", "picture"]

if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> Any:
        if name in ("Figure", "pygame"):
            return package_part(name)
        raise no_attribute("module 'carom.draw'", name, [*__all__, "Figure", "pygame"])
