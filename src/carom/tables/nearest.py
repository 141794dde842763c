"""The nearest shapes of each point of a table.

In: what the user names: a source of points, one of shapes, how many. Out: the answer as files or as a Dask frame. The
work is done by `nearest_runs`; here stand the call, its words and its checks.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from carom.tables import checks
from carom.tables.answer_folder import Call, answered
from carom.tables.given import refuse_inside, source_of
from carom.tables.layout import GEOMETRY, POINT
from carom.tables.nearest_runs import Asked, planned_of, run
from carom.tables.plans import ON_BAD, OnBad, check_sizes, checked_columns
from carom.tables.progress import Told
from carom.tables.shape_columns import layout_of, refuse_two_systems
from carom.tables.words import answers_words


@answers_words
def nearest(
    points: Any,
    other: Any,
    k: int = 1,
    *,
    out: str | os.PathLike[str] | None = None,
    columns: Literal["distance"] | Sequence[Literal["distance"]] = ("distance",),
    within: float = math.inf,
    shape: str | Sequence[str] | None = None,
    other_shape: str | Sequence[str] | None = None,
    id: str | None = None,
    other_id: str | None = None,
    on_bad: OnBad = "raise",
    spill: str | os.PathLike[str] | None = None,
    memory: int | None = None,
    tile_rows: int | None = None,
    progress: Told | None = None,
) -> Any:
    """Return the k nearest shapes of each point of a table, with their distances.

    Parameters
    ----------
    points : as the source of `join`
        One row a point.
    other : the same
        One row a shape.
    k : int, default 1
        How many shapes for each point; all where there are fewer.
    out : path, optional
        The folder for the answer, in Parquet files; it is there when the answer is whole. A call that was stopped goes
        on when it is repeated. Without it, the answer is a Dask frame.
    columns : "distance" or ()
        The value that is told of each pair besides its names.
    within : float, default infinite
        How far to look, in length units; a shape just so far away counts.
    shape : name of a column of geometries, or names of two, x and y, optional
        Where the points are; usual names are looked for if left out.
    id : str, optional
        The column of whole numbers or text that names a point; ``id`` if there is one, else rows are numbered.
    other_shape, other_id, on_bad, spill, memory, tile_rows, progress
        As in `join`.

    Returns
    -------
    Joined, or a Dask frame without `out`
        Columns ``a``, the name of a point, ``b``, that of a shape, and ``distance``, as `distance` computes it: 0 in a
        shape; to polygons it is measured by their edges, so that last digits may differ. In the order of the points,
        nearest first; of equally near shapes that which comes first in its source.

    Raises
    ------
    ValueError, TypeError
        If a column is missing or of the wrong type, a number is out of range, or a row is bad.
    FileExistsError
        If `out` holds something.

    Examples
    --------
    >>> import pandas as pd
    >>> discs = pd.DataFrame({"id": [7, 8, 9], "x": [0, 4, 9], "y": [0, 0, 0], "radius": [1, 1, 1]})
    >>> cm.tables.nearest(pd.DataFrame({"x": [3.5, 6], "y": [0, 0]}), discs, k=2).compute()
       a  b  distance
    0  0  8       0.0
    1  0  7       2.5
    2  1  8       1.0
    3  1  9       2.0
    """
    where = "nearest"
    names = checked_columns(where, columns, ("distance",))
    count = checks.count(where, "k", k)
    limit = checks.distance(where, "within", within, endless=True)
    checks.one_of(where, "on_bad", on_bad, ON_BAD)
    refuse_inside(where, out, points, other)
    check_sizes(where, memory=memory, tile_rows=tile_rows)
    workers = os.cpu_count() or 1

    def ask(aside: Path) -> Call:
        read = partial(layout_of, where, repair=on_bad == "repair")
        asking = source_of(where, "points", points, partial(read, shape=shape, name=id), aside)
        if asking.layout.kind not in (POINT, GEOMETRY):
            checks.refuse(ValueError, where, "shape", asking.layout.columns, "must be a geometry, or x and y")
        read = partial(read, which="other_")
        shapes = source_of(where, "other", other, partial(read, shape=other_shape, name=other_id), aside)
        refuse_two_systems(where, asking.layout, shapes.layout)
        asked = Asked(where, asking, shapes, count, limit, names, on_bad, memory, tile_rows, workers, progress)
        told = {
            "k": count,
            "within": limit,
            "on_bad": on_bad,
            "columns": names,
            **asking.question(),
            **shapes.question("other_"),
        }
        return Call(
            (asking, shapes), told, lambda folder: planned_of(asked, folder), lambda kept, room: run(asked, kept, room)
        )

    return answered(where, out, spill, ask)
