"""A level that is turned and moved as a whole, into the frame of a world.

In: a `Level`, an angle about (0, 0) and then a vector. Out: a `Level`. Without an angle each coordinate is moved by one
addition, so that boxes that are flush stay flush.
"""

from __future__ import annotations

import math

import numpy as np

from carom._core.types import Floats
from carom.maps.level import Level, OneWay
from carom.shapes.bounds import Bounds
from carom.shapes.outlines.rings import counter_clockwise
from carom.shapes.set import Shapes
from carom.vector import Point2

CENTER = (0.0, 0.0)


def turned(level: Level, angle: float, vector: Point2) -> Level:
    """Return a level turned counter-clockwise in (x, y) about (0, 0), and then moved."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, s], [-s, c]])

    def points(given: Floats) -> Floats:
        result: Floats = (given @ turn if angle else given) + vector
        return result

    def shapes(given: Shapes) -> Shapes:
        return (given.rotated(angle, CENTER) if angle else given).translated(vector)

    x0, y0, x1, y1 = level.bounds
    ends = points(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
    bounds = Bounds(*ends.min(axis=0).tolist(), *ends.max(axis=0).tolist())
    directions = level.one_way.directions @ turn if angle else level.one_way.directions
    triggers = [
        trigger._replace(shape=(trigger.shape.rotated(angle, CENTER) if angle else trigger.shape).translated(vector))
        for trigger in level.triggers
    ]
    rings = counter_clockwise(level._rings._replace(points=points(level._rings.points)))
    return Level(bounds, shapes(level.solids), OneWay(shapes(level.one_way.shapes), directions), tuple(triggers), rings)
