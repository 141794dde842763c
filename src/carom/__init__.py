"""Ask whether, where and when 2D shapes collide: one pair or a million, no physics world."""

from carom.boxes import Box
from carom.mass import Mass
from carom.shapes import Capsule, Circle, Point, Polygon, Segment, Shape
from carom.vector import Vec

__all__ = ["Box", "Capsule", "Circle", "Mass", "Point", "Polygon", "Segment", "Shape", "Vec"]
