"""Move one shape among obstacles: as far as it can go, sliding, bouncing or stopping at each of them.

In: a shape, the translation it wants to make, obstacles that stand. Out: where it ends, the hits in order, and the rest
of the motion. World frame, user's units. `slide.Slide` plays the motion leg by leg. Every leg is a cast, so the mover
passes through nothing at any speed, and flush obstacles are one surface.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.types import Integers
from carom.broad.index import Index
from carom.character.slide import Move, Respond, Slide
from carom.shapes.basic import Box, Shape
from carom.shapes.bounds import bounds
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes
from carom.tolerances import EPSILON, LARGEST
from carom.vector import Vec

RESPONSES = ("slide", "bounce", "stop")


def move(
    shape: Shape | Compound,
    translation: PointLike,
    obstacles: Shape | Compound | Shapes | Index,
    *,
    response: str = "slide",
    restitution: float = 1.0,
    ignore: Any = None,
    mask: int = -1,
) -> Move:
    """Move a shape among obstacles that stand, as far as it can go.

    Parameters
    ----------
    shape : a shape or Compound
        The mover. It does not turn.
    translation : (x, y)
        The motion it wants to make, in length units; any length.
    obstacles : a shape, Compound, Shapes or Index
        Shapes that stand in the way. For many moves among many obstacles an Index is quickest.
    response : "slide", "bounce" or "stop"
        Response to a hit: go on along the surface, be thrown back, or stay.
    restitution : float from 0 to 1, default 1
        For "bounce": speed after a hit over speed before.
    ignore : int or (k,) integers, optional
        Rows that are passed through.
    mask : int, optional
        With an Index, the layers that are seen.

    Returns
    -------
    Move(position, hits, rest, heading, shape)
        The overlap left is at most the motion slop: 1e-12 of the size or 16 units in the last place of the largest
        coordinate.

    Raises
    ------
    TypeError
        If `shape` or `obstacles` is none.
    ValueError
        If `translation` is not finite, `response` unknown or `restitution` beyond 0 to 1.

    Notes
    -----
    Where the mover starts in touch with something, leaving it and sliding along it are never blocked. Where it starts
    in overlap, that is a hit at fraction 0 which takes away the motion farther in; all other ways are open. A Point or
    Segment that starts exactly on a line comes from where its motion does: it meets the line at fraction 0, and stays
    on that side from then on.

    Examples
    --------
    >>> floor = cm.Shapes.boxes([(0, -0.5), (1, -0.5), (2, -0.5), (3.5, 0.5)], [(1, 1), (1, 1), (1, 1), (1, 1)])
    >>> went = cm.move(cm.Circle((0, 1), 0.5), (1.5, -2), floor)
    >>> went.position, [hit.normal for hit in went.hits]
    (Vec(1.5, 0.5), [Vec(0.0, 1.0)])
    >>> cm.move(cm.Circle((0, 1), 0.5), (0, -2), floor, response="bounce").position
    Vec(0.0, 2.0)
    """
    refuse_no_shape("move", shape)
    way = Vec(*inputs.point("move", "translation", translation))
    respond = _response("move", response, restitution)
    reach = way.length * (1.0 + 4.0 * EPSILON)
    near, rows = obstacles_around("move", shape, reach, obstacles, ignore, mask)
    return Slide(shape, way, near, rows).play(respond)


def refuse_no_shape(where: str, shape: Any) -> None:
    """Refuse a mover that is neither a shape nor a Compound."""
    if not isinstance(shape, Shape | Compound):
        inputs.refuse(TypeError, where, "shape", shape, f"must be a shape or Compound, not {type(shape).__name__}")


def _response(where: str, name: Any, restitution: Any) -> Respond | None:
    """Return the rule for a motion at a surface with some normal; None for "stop"."""
    if not isinstance(name, str) or name not in RESPONSES:
        inputs.refuse(ValueError, where, "response", name, f"must be one of {', '.join(map(repr, RESPONSES))}")
    back = inputs.number(where, "restitution", restitution)
    if not 0.0 <= back <= 1.0:
        inputs.refuse(ValueError, where, "restitution", back, "must lie between 0 and 1")
    if name == "stop":
        return None
    share = 1.0 if name == "slide" else 1.0 + back

    def respond(motion: Vec, normal: Vec) -> Vec:
        after = motion - normal * (share * motion.dot(normal))
        # The rest of the way in that rounding has left; a bounce that throws back has none.
        return after - normal * min(after.dot(normal), 0.0)

    return respond


def obstacles_around(
    where: str, shape: Shape | Compound, reach: float, obstacles: Any, ignore: Any, mask: Any
) -> tuple[Shapes, Integers]:
    """Return the obstacles that can be met at all on a way so long, wherever it turns to, and their rows."""
    low_x, low_y, high_x, high_y = bounds(shape)
    if isinstance(obstacles, Index):
        lower = max(low_x - reach, -LARGEST), max(low_y - reach, -LARGEST)
        upper = min(high_x + reach, LARGEST), min(high_y + reach, LARGEST)
        if lower[0] < upper[0] and lower[1] < upper[1]:
            around: Shape = Box.from_corners(lower, upper)
        else:  # a Point or a straight Segment that stands still
            around = shape if isinstance(shape, Shape) else shape.parts[0]
        rows = obstacles.query(around, ignore=ignore, mask=mask)
        return obstacles.shapes[np.searchsorted(obstacles.rows, rows)], rows
    obstacles = as_set(where, obstacles, "a shape, a Compound, Shapes or an Index")
    table = obstacles.bounds
    meets = (table[:, 0] <= high_x + reach) & (table[:, 2] >= low_x - reach)
    meets &= (table[:, 1] <= high_y + reach) & (table[:, 3] >= low_y - reach)
    if ignore is not None:
        passed = np.atleast_1d(inputs.whole_numbers(where, "ignore", ignore)).ravel()
        if ((passed < -1) | (passed >= len(obstacles))).any():
            inputs.refuse(ValueError, where, "ignore", ignore, f"must be rows from 0 to {len(obstacles) - 1}, or -1")
        meets[passed[passed >= 0]] = False
    rows = np.flatnonzero(meets)
    return obstacles[rows], rows


def as_set(where: str, obstacles: Any, expected: str) -> Shapes:
    """Return obstacles as a set; one shape is a set of one."""
    if isinstance(obstacles, Shape | Compound):
        return Shapes([obstacles])
    if not isinstance(obstacles, Shapes):
        inputs.refuse(TypeError, where, "obstacles", obstacles, f"must be {expected}, not {type(obstacles).__name__}")
    return obstacles
