"""Worlds, sets, levels and characters drawn: on a pygame surface with `paint` and a `Camera`, as a `picture`."""

from typing import TYPE_CHECKING, Any

from carom._core.names import no_attribute
from carom.draw.camera import Camera as Camera
from carom.draw.pictures import Picture as Picture
from carom.draw.pictures import picture as picture
from carom.draw.window import paint as paint

__all__ = ["Camera", "Picture", "paint", "picture"]

if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> Any:
        raise no_attribute("module 'carom.draw'", name, __all__)
