"""`cm.playground`: a short way from Python into the program `carom playground`.

In: shapes. Out: a window, or where there is no display a picture.
"""

from __future__ import annotations

import importlib

from carom._core import inputs
from carom._core.missing import need
from carom._core.names import told_by_name
from carom.shapes.base import ConvexShape


@told_by_name
def playground(*shapes: ConvexShape) -> None:
    """Open a window to play with shapes and see why they collide.

    Parameters
    ----------
    *shapes : Point, Segment, Circle, Capsule, Box or Polygon
        Shapes shown first; the first two are compared. Without any, shapes of every kind.

    Raises
    ------
    TypeError
        If something is no shape.
    ModuleNotFoundError
        If pygame-ce is not installed; the extra `play` brings it.

    Notes
    -----
    Without a display a picture, playground.png, is left instead.

    Examples
    --------
    >>> cm.playground(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5)))  # doctest: +SKIP
    """
    for row, shape in enumerate(shapes):
        if not isinstance(shape, ConvexShape):
            inputs.refuse_type("playground", f"shapes[{row}]", shape, "must be a shape")
    need("the playground", "pygame")
    importlib.import_module("carom_playground.launch").open_with(list(shapes))
