"""Grids of cells, such as floor plans and masks, as rows of a set.

In: a table of truths, or of values with thresholds; the size of a cell and the place of the first. Out: `Proxies` of
the boxes that fill the solid cells, or of the edges round them. Each line between cells gets its coordinate once, so
that boxes that are flush in the grid are flush in the world.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.types import Booleans, Floats
from carom.shapes.outlines.of_cells import BOTTOM, LEFT, RIGHT, TOP, boxes_of, rings_of_cells
from carom.shapes.set_make import spanned_boxes, spans
from carom.shapes.set_rows import Proxies
from carom.tolerances import LARGEST, SMALLEST_SIZE
from carom.vector import Point2


class Lines(NamedTuple):
    """Where the lines between the columns and between the rows of a grid are."""

    x: Floats
    y: Floats


def solid_cells(where: str, array: Any, above: Any, below: Any) -> Booleans:
    """Return which cells of an array are solid: those that are true, or whose value lies beyond the thresholds."""
    given = _table(where, array)
    ends = {
        name: None if value is None else inputs.number(where, name, value)
        for name, value in (("above", above), ("below", below))
    }
    named = {name: value for name, value in ends.items() if value is not None}
    if given.dtype.kind == "b":
        if named:
            name, value = named.popitem()
            inputs.refuse(ValueError, where, name, value, "is for numbers; the array has truths, and True is solid")
        return given
    if not named:
        raise ValueError(f"{where}: array has numbers; say which are solid, as in above=0 or below=128")
    if given.dtype.kind == "f" and np.isnan(given).any():
        row, column = (int(k[0]) for k in np.nonzero(np.isnan(given)))
        raise ValueError(f"{where}: array[{row}][{column}] = nan must be a number")
    solid = np.ones(given.shape, dtype=np.bool_)
    if ends["above"] is not None:
        solid &= given > ends["above"]
    if ends["below"] is not None:
        solid &= given < ends["below"]
    return solid


def _table(where: str, value: Any) -> NDArray[Any]:
    """Return an array of two axes; of a sequence that makes none, the row at fault is named."""
    expected = "must be an array of shape (rows, columns) of truths or numbers"
    if inputs.has_gaps(value):
        inputs.refuse(ValueError, where, "array", value, "must not be masked; fill it with what its gaps are")
    given = _plain(value)
    if given is None or given.ndim != 2:
        width = None
        for row, cells in enumerate(value if isinstance(value, (list, tuple)) else ()):
            found = _plain(cells)
            if found is None or found.ndim != 1:
                inputs.refuse_type(where, f"array[{row}]", cells, "must be a row of truths or numbers")
            width = found.size if width is None else width
            if found.size != width:
                raise ValueError(f"{where}: array[{row}] has {found.size} cells; the first row has {width}")
    if given is None:
        inputs.refuse_type(where, "array", value, expected)
    if given.ndim != 2:
        remedy = "; of colours give one channel, or their mean" if given.ndim == 3 else ""
        raise ValueError(f"{where}: array has shape {given.shape}; it must be (rows, columns){remedy}")
    return given


def _plain(value: Any) -> NDArray[Any] | None:
    """Return an array of truths or numbers, None if the value is none."""
    try:
        given = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return given if given.dtype.kind in "biuf" else None


def lines_of(where: str, solid: Booleans, cell: float, origin: Point2) -> Lines:
    """Return the lines of a grid whose first cell has its corner at the origin.

    Raises
    ------
    ValueError
        Cells that are too small for the digits of their coordinates, or that lie too far away.
    """
    rows, columns = solid.shape
    found = Lines(origin[0] + np.arange(columns + 1) * cell, origin[1] + np.arange(rows + 1) * cell)
    for at in found:
        if not (np.abs(at) <= LARGEST).all():
            expected = f"takes cells beyond coordinates of {LARGEST:g}"
            inputs.refuse(ValueError, where, "cell_size", cell, expected)
        if not (np.diff(at) >= SMALLEST_SIZE).all():
            expected = f"leaves cells smaller than {SMALLEST_SIZE:g}, or than the digits of their coordinates tell"
            inputs.refuse(ValueError, where, "cell_size", cell, expected)
    return found


def rows_of(
    where: str, array: Any, cell_size: Any, origin: Any, above: Any, below: Any, y_up: Any, outlines: Any
) -> Proxies:
    """Return the boxes that fill the solid cells of a grid, or the edges round them; all that is given is checked."""
    cell, corner = inputs.size(where, "cell_size", cell_size), inputs.point(where, "origin", origin)
    up, edges = inputs.truth(where, "y_up", y_up), inputs.truth(where, "outlines", outlines)
    solid = solid_cells(where, array, above, below)
    lines = lines_of(where, solid, cell, corner)
    make = grid_outlines if edges else grid_boxes
    return make(where, np.array(solid[::-1] if up else solid, order="C"), lines)


def grid_boxes(where: str, solid: Booleans, lines: Lines) -> Proxies:
    """Return boxes along the axes that fill the solid cells."""
    boxes = boxes_of(solid)
    ends = lines.x[boxes[:, LEFT]], lines.y[boxes[:, TOP]], lines.x[boxes[:, RIGHT]], lines.y[boxes[:, BOTTOM]]
    return spanned_boxes(where, np.stack(ends, axis=1), 0.0)


def grid_outlines(where: str, solid: Booleans, lines: Lines) -> Proxies:
    """Return the edges round the solid cells, ring by ring, with the region as owner."""
    rings = rings_of_cells(solid, boxes_of(solid))
    corners = rings.points.astype(np.int64)
    start = np.stack((lines.x[corners[:, 0]], lines.y[corners[:, 1]]), axis=1)
    following = np.arange(1, len(start) + 1)
    following[rings.first[1:] - 1] = rings.first[:-1]
    names, numbers = np.unique(rings.region, return_inverse=True)
    owner = np.repeat(numbers, np.diff(rings.first))
    return spans(where, start, start[following])._replace(owner=owner, inputs=names.size)
