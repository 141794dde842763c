"""Worlds, sets, levels and characters drawn: on a pygame surface with `paint` and a `Camera`, as a `picture`."""

from carom.draw.camera import Camera as Camera
from carom.draw.pictures import Picture as Picture
from carom.draw.pictures import picture as picture
from carom.draw.window import paint as paint
