"""Shapes: many shapes as columns, one row each; the ways to make such a set, and to keep it.

In: arrays of centres, sizes, vertices, a list of values, or a file. Out: an immutable set that every verb takes in
place of one shape, row by row; what sets then have and do stands in `column_set`. World frame, user's units; angles in
radians.

Inside, a set is one buffer of records (see `_records`) and where each record starts, whatever the kinds: a row has the
same numbers, bit for bit, as the single value of the same shape. What a record cannot hold (the size and angle of a
turned box, the vertex numbers of a polygon, which input a row came from) stands in columns beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom.shapes import set_file, set_make, set_rows
from carom.shapes.base import Shape
from carom.shapes.column_set import ShapeSet
from carom.shapes.compound import Compound
from carom.shapes.from_shapely import from_geometries
from carom.shapes.set_file import kernel_ready
from carom.shapes.set_rows import Records


class Shapes(ShapeSet):
    """Many shapes, one a row, that every verb takes in place of one.

    Parameters
    ----------
    values : iterable of shapes
        Any kinds, in any order; of a Compound each part becomes a row. From arrays, `Shapes.points`, `segments`,
        `circles`, `capsules`, `boxes` and `polygons` make a set without a Python loop.

    Examples
    --------
    >>> many = cm.Shapes([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 2))])
    >>> len(many), many[1]
    (2, Box((5.0, 0.0), (2.0, 2.0)))
    >>> cm.intersects(many, cm.Circle((1.5, 0), 1))
    array([ True, False])
    """

    __slots__ = ()

    def __init__(self, values: Iterable[Shape | Compound] = ()) -> None:
        self._set(set_make.from_values(values))

    @classmethod
    def points(cls, positions: ArrayLike) -> Self:
        """Return points.

        Parameters
        ----------
        positions : (n, 2) array of numbers

        Examples
        --------
        >>> cm.Shapes.points([(0, 0), (1, 2)])[1]
        Point((1.0, 2.0))
        """
        return cls._of(set_make.points("Shapes.points", positions))

    @classmethod
    def circles(cls, centers: ArrayLike, radii: ArrayLike) -> Self:
        """Return circles.

        Parameters
        ----------
        centers : (n, 2) array of numbers
        radii : (n,) array of positive numbers, or one for all

        Examples
        --------
        >>> cm.Shapes.circles([(0, 0), (1, 2)], radii=0.5)[1]
        Circle((1.0, 2.0), 0.5)
        """
        return cls._of(set_make.circles("Shapes.circles", centers, radii))

    @classmethod
    def segments(cls, starts: ArrayLike, ends: ArrayLike) -> Self:
        """Return segments; for those between the points of a line see `polyline`.

        Parameters
        ----------
        starts, ends : (n, 2) arrays of numbers

        Examples
        --------
        >>> cm.Shapes.segments([(0, 0), (0, 1)], [(2, 0), (2, 1)])[1]
        Segment((0.0, 1.0), (2.0, 1.0))
        """
        return cls._of(set_make.segments("Shapes.segments", starts, ends))

    @classmethod
    def capsules(cls, starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> Self:
        """Return capsules.

        Parameters
        ----------
        starts, ends : (n, 2) arrays of numbers
        radii : (n,) array of positive numbers, or one for all

        Examples
        --------
        >>> cm.Shapes.capsules([(0, 0), (0, 1)], [(2, 0), (2, 1)], radii=[0.25, 0.5])[1]
        Capsule((0.0, 1.0), (2.0, 1.0), 0.5)
        """
        return cls._of(set_make.capsules("Shapes.capsules", starts, ends, radii))

    @classmethod
    def boxes(cls, centers: ArrayLike, sizes: ArrayLike, angles: ArrayLike = 0.0, *, radii: ArrayLike = 0.0) -> Self:
        """Return boxes, along the axes where the angle is a multiple of pi / 2 (see `Box`).

        Parameters
        ----------
        centers : (n, 2) array of numbers
        sizes : (n, 2) array of positive numbers
            Full width and height, without radius.
        angles : (n,) array of radians, or one for all
        radii : (n,) array of numbers, 0 or positive, or one for all

        Examples
        --------
        >>> cm.Shapes.boxes([(0, 0), (5, 0)], [(2, 1), (4, 1)], angles=[0, 0.5])[1]
        Box((5.0, 0.0), (4.0, 1.0), 0.5)
        """
        return cls._of(set_make.boxes("Shapes.boxes", centers, sizes, angles, radii))

    @classmethod
    def polygons(cls, vertices: NDArray[Any] | Iterable[ArrayLike], *, radii: ArrayLike = 0.0) -> Self:
        """Return convex polygons; outlines are cleaned as those of `Polygon`.

        Parameters
        ----------
        vertices : (n, k, 2) array of numbers, or a sequence of n outlines (k, 2) of any length
        radii : (n,) array of numbers, 0 or positive, or one for all

        Examples
        --------
        >>> cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], [(0, 0), (0, 2), (2, 2), (2, 0)]])[1]
        Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)], vertex_ids=(0, 3, 2, 1))
        """
        return cls._of(set_make.polygons("Shapes.polygons", vertices, radii))

    @classmethod
    def polyline(cls, points: ArrayLike, *, closed: bool = False) -> Self:
        """Return the segments from each point of a line to the next; points given twice in a row count once.

        Parameters
        ----------
        points : (n, 2) array of numbers
            At least two different points.
        closed : bool
            Whether a segment leads from the last point back to the first, if they differ.

        Examples
        --------
        >>> path = cm.Shapes.polyline([(0, 0), (4, 0), (4, 0), (4, 3)])
        >>> list(path), path.owner
        ([Segment((0.0, 0.0), (4.0, 0.0)), Segment((4.0, 0.0), (4.0, 3.0))], array([0, 0]))
        """
        return cls._of(set_make.polylines("Shapes.polyline", [points], closed, lambda _: "points"))

    @classmethod
    def polylines(cls, lines: Iterable[ArrayLike], *, closed: bool = False) -> Self:
        """Return the segments of many lines, as `polyline` does of one; `owner` tells whose each is.

        Examples
        --------
        >>> cm.Shapes.polylines([[(0, 0), (1, 0)], [(0, 1), (1, 1), (1, 2)]]).owner
        array([0, 1, 1])
        """
        where = "Shapes.polylines"
        given = inputs.listed(where, "lines", lines, "lines")
        return cls._of(set_make.polylines(where, given, closed, lambda k: f"lines[{k}]"))

    @classmethod
    def from_shapely(cls, geometries: Any) -> Self:
        """Return the shapes of many Shapely geometries; `owner` tells of which geometry each row is.

        Parameters
        ----------
        geometries : sequence or array (n,) of geometries, or one
            A Point becomes a Point, a LineString or LinearRing its segments, a Polygon itself if it is convex and has
            no hole, else its convex parts, a collection all that is in it. None and empty geometries get no row; a
            third coordinate is left out.

        Raises
        ------
        TypeError : something else is among them.
        ValueError : a line without length, or a polygon that crosses itself or has no area; with the row.

        Examples
        --------
        >>> import shapely
        >>> frame = shapely.box(0, 0, 3, 3).difference(shapely.box(1, 1, 2, 2))
        >>> many = cm.Shapes.from_shapely([shapely.Point(5, 5), None, frame])
        >>> many.owner
        array([0, 2, 2, 2, 2])
        """
        return cls._of(from_geometries("Shapes.from_shapely", geometries))

    @classmethod
    def repeat(cls, shape: Shape | Compound, count: int) -> Self:
        """Return `count` times one shape, each its own input; see `placed`.

        Examples
        --------
        >>> cm.Shapes.repeat(cm.Circle((0, 0), 1), 3).owner
        array([0, 1, 2])
        """
        return cls._of(set_make.repeated(shape, count))

    @classmethod
    def concatenate(cls, sets: Iterable[Shapes]) -> Self:
        """Return the rows of several sets, one set behind the other, as if all their inputs stood in one list.

        Examples
        --------
        >>> two = cm.Shapes.points([(0, 0), (1, 1)])
        >>> cm.Shapes.concatenate([two[1:], two]).owner
        array([1, 2, 3])
        """
        where = "Shapes.concatenate"
        parts = inputs.listed(where, "sets", sets, "sets of shapes")
        for k, part in enumerate(parts):
            if not isinstance(part, Shapes):
                inputs.refuse(TypeError, where, f"sets[{k}]", part, f"must be Shapes, not {type(part).__name__}")
        return cls._of(set_rows.join([part._records for part in parts]))

    @classmethod
    def load(cls, path: Any, *, mmap: bool = True) -> Self:
        """Return the set that `save` wrote to a file.

        Parameters
        ----------
        path : str or path
        mmap : bool
            Leave the columns on disk, to be read by the system where they are asked for: a set may then be larger than
            memory. The file is read through once, to be checked, and must not change while the set is in use.

        Raises
        ------
        OSError : the file cannot be opened.
        ValueError : it holds no set, is cut off, or has a row that is no shape.
        """
        return cls._of(set_file.load(path, mmap))

    def save(self, path: Any) -> None:
        """Write the set to a file, whole or not at all; `Shapes.load` reads it.

        Parameters
        ----------
        path : str or path
            What is there is replaced.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "many.shapes"
        ...     cm.Shapes.points([(0, 0), (1, 2)]).save(path)
        ...     cm.Shapes.load(path, mmap=False)
        <Shapes: 2 rows: Point((0.0, 0.0)), Point((1.0, 2.0))>
        """
        set_file.save(path, self._records)

    def __reduce__(self) -> tuple[Any, ...]:
        return _set_restored, tuple(self._records)


def _set_restored(*columns: Any) -> Shapes:
    return Shapes._of(Records(*(kernel_ready(one) if isinstance(one, np.ndarray) else one for one in columns)))
