"""Shapes: many shapes as columns, one row each; the ways to make such a set, and to keep it.

In: arrays of centres, sizes, vertices, a list of values, or a file; then row numbers, vectors and angles. Out: an
immutable set that every verb takes in place of one shape, row by row; its columns, single values, or other sets. World
frame, user's units; angles in radians.

Inside, a set is one buffer of proxies (see `proxy`) and where each proxy starts, whatever the kinds: a row has the
same numbers, bit for bit, as the single value of the same shape. What a proxy cannot hold (the size and angle of a
turned box, the vertex numbers of a polygon, which input a row came from) stands in columns beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Never, NoReturn, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom._core import inputs
from carom._core.names import NamesNear, names_near, refuse_keywords, told_by_name
from carom._core.sealed import sealed_columns
from carom._core.types import Columns, Floats, Integers
from carom.shapes import from_grid, proxy_writers, ring_tables, set_columns, set_file, set_make, set_move, set_rows
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.features import BadFeature, OnBad
from carom.shapes.from_shapely import from_geometries
from carom.shapes.proxy import OBB, RADIUS
from carom.shapes.regions import Regions
from carom.shapes.set_file import kernel_ready
from carom.shapes.set_rows import Proxies
from carom.shapes.to_shapely import to_geometries

MANY = 4096
"""Points from which on their rows are made when they are asked for."""
_UNASKED = object()
_NOT_YET = (("_closed_form", _UNASKED), ("_turned_boxes", _UNASKED))


def _rows_of(proxies: Proxies) -> tuple[tuple[str, Any], ...]:
    """Return the slots that hold the rows of a set."""
    return ("_buffer", proxies.buffer), ("_starts", proxies.starts), ("_proxies", proxies)


def _fill(made: Shapes, *slots: tuple[str, Any]) -> None:
    for name, value in slots:
        object.__setattr__(made, name, value)


@names_near
class Shapes(metaclass=NamesNear):
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

    __slots__ = ("_bad", "_buffer", "_closed_form", "_make", "_proxies", "_starts", "_things", "_turned_boxes")
    _bad: tuple[BadFeature, ...]
    _buffer: Floats
    _starts: Integers
    _proxies: Proxies
    _closed_form: Any  # kind and columns, None, or _UNASKED: looked for at the first question that could use it
    _turned_boxes: Any  # the columns of contacts, or _UNASKED
    _things: Regions | Floats | None  # polygons by their edges, points by their places: a yes or no needs no more
    _make: Callable[[], Proxies]  # makes the rows of such a set, at the first question that needs them

    @told_by_name
    def __init__(self, values: Iterable[Shape] = ()) -> None:
        self._set(set_make.from_values(values))

    @classmethod
    @told_by_name
    def points(cls, position: ArrayLike, **unknown: Never) -> Self:
        """Return points.

        Parameters
        ----------
        position : (n, 2) array of numbers

        Examples
        --------
        >>> cm.Shapes.points([(0, 0), (1, 2)])[1]
        Point((1.0, 2.0))
        """
        if unknown:
            refuse_keywords("Shapes.points", Shapes.points, unknown)
        at = inputs.table("Shapes.points", "position", position, 2)
        return cls._read(at if len(at) >= MANY else None, lambda: set_make.discs(at, np.zeros(len(at))))

    @classmethod
    @told_by_name
    def circles(cls, center: ArrayLike, radius: ArrayLike, **unknown: Never) -> Self:
        """Return circles.

        Parameters
        ----------
        center : (n, 2) array of numbers, or one (x, y) for all
        radius : (n,) array of positive numbers, or one for all

        Examples
        --------
        >>> cm.Shapes.circles([(0, 0), (1, 2)], radius=0.5)[1]
        Circle((1.0, 2.0), 0.5)
        """
        where = "Shapes.circles"
        if unknown:
            refuse_keywords(where, Shapes.circles, unknown)
        (at,) = inputs.tables(where, {"center": center}, (radius,))
        return cls._of(set_make.discs(at, inputs.size_column(where, "radius", radius, len(at))))

    @classmethod
    @told_by_name
    def segments(cls, start: ArrayLike, end: ArrayLike, **unknown: Never) -> Self:
        """Return segments; for those between the points of a line see `polyline`.

        Parameters
        ----------
        start, end : (n, 2) arrays of numbers, or one (x, y) for all

        Examples
        --------
        >>> cm.Shapes.segments([(0, 0), (0, 1)], [(2, 0), (2, 1)])[1]
        Segment((0.0, 1.0), (2.0, 1.0))
        """
        if unknown:
            refuse_keywords("Shapes.segments", Shapes.segments, unknown)
        return cls._of(set_make.spans("Shapes.segments", start, end))

    @classmethod
    @told_by_name
    def capsules(cls, start: ArrayLike, end: ArrayLike, radius: ArrayLike, **unknown: Never) -> Self:
        """Return capsules.

        Parameters
        ----------
        start, end : (n, 2) arrays of numbers, or one (x, y) for all
        radius : (n,) array of positive numbers, or one for all

        Examples
        --------
        >>> cm.Shapes.capsules([(0, 0), (0, 1)], [(2, 0), (2, 1)], radius=[0.25, 0.5])[1]
        Capsule((0.0, 1.0), (2.0, 1.0), 0.5)
        """
        if unknown:
            refuse_keywords("Shapes.capsules", Shapes.capsules, unknown)
        return cls._of(set_make.spans("Shapes.capsules", start, end, radius))

    @overload
    @classmethod
    def boxes(cls, center: ArrayLike, size: ArrayLike, angle: ArrayLike = 0.0, *, radius: ArrayLike = 0.0) -> Self: ...

    @overload
    @classmethod
    def boxes(cls, *, bounds: ArrayLike, radius: ArrayLike = 0.0) -> Self: ...

    @classmethod
    @told_by_name
    def boxes(
        cls,
        center: Any = None,
        size: Any = None,
        angle: Any = None,
        *,
        bounds: Any = None,
        radius: Any = 0.0,
        **unknown: Never,
    ) -> Self:
        """Return boxes, along the axes where the angle is a multiple of pi / 2 (see `Box`).

        Parameters
        ----------
        center : (n, 2) array of numbers, or one (x, y) for all
        size : (n, 2) array of positive numbers, or one (width, height) for all
            Full width and height, without radius.
        angle : (n,) array of radians, or one for all
        bounds : (n, 4) array of numbers
            In place of centres and sizes: min x, min y, max x, max y of each box, as `Shapes.bounds` gives them.
        radius : (n,) array of numbers, 0 or positive, or one for all

        Examples
        --------
        >>> cm.Shapes.boxes([(0, 0), (5, 0)], [(2, 1), (4, 1)], angle=[0, 0.5])[1]
        Box((5.0, 0.0), (4.0, 1.0), 0.5)
        >>> cm.Shapes.boxes(bounds=[(0, 0, 2, 1)])[0]
        Box((1.0, 0.5), (2.0, 1.0))
        """
        if unknown:
            refuse_keywords("Shapes.boxes", Shapes.boxes, unknown)
        if bounds is not None:
            if center is not None or size is not None or angle is not None:
                raise ValueError("Shapes.boxes: bounds= stands in place of center, size and angle; give the one")
            return cls._of(set_make.spanned_boxes("Shapes.boxes", bounds, radius))
        if center is None or size is None:
            raise TypeError("Shapes.boxes: give center and size, or bounds=")
        return cls._of(set_make.boxes("Shapes.boxes", center, size, 0.0 if angle is None else angle, radius))

    @classmethod
    @told_by_name
    def polygons(
        cls, vertices: NDArray[Any] | Iterable[ArrayLike], *, radius: ArrayLike = 0.0, **unknown: Never
    ) -> Self:
        """Return convex polygons; outlines are cleaned as those of `Polygon`.

        Parameters
        ----------
        vertices : (n, k, 2) array of numbers, or a sequence of n outlines (k, 2) of any length
        radius : (n,) array of numbers, 0 or positive, or one for all

        Examples
        --------
        >>> cm.Shapes.polygons([[(0, 0), (1, 0), (0, 1)], [(0, 0), (0, 2), (2, 2), (2, 0)]])[1]
        Polygon([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)], vertex_ids=(0, 3, 2, 1))
        """
        if unknown:
            refuse_keywords("Shapes.polygons", Shapes.polygons, unknown)
        return cls._of(set_make.polygons("Shapes.polygons", vertices, radius))

    @classmethod
    @told_by_name
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
    @told_by_name
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
    @told_by_name
    def from_shapely(cls, geometry: Any, *, on_bad: OnBad = "raise", **unknown: Never) -> Self:
        """Return the shapes of many Shapely geometries; `owner` tells of which geometry each row is.

        Parameters
        ----------
        geometry : sequence or array (n,) of geometries, or one; a column or table of GeoPandas; or a GeoJSON mapping
            A Point becomes a Point, a LineString or LinearRing its segments, a Polygon itself if it is convex and has
            no hole, else its convex parts, a collection all that is in it. None and empty geometries get no row; a
            third coordinate is left out. Of a FeatureCollection each feature is one geometry.
        on_bad : "raise", "skip" or "repair"
            Geometries that cannot be read are named by an error (the first one), get no row, or are repaired by
            Shapely's `make_valid`, and get no row where this fails. `bad` lists them.

        Raises
        ------
        TypeError
            Something else is among them.
        ValueError
            A line without length, or a polygon that crosses itself or has no area; with the place of the geometry, and
            its id and name if it has them.

        Notes
        -----
        Polygons of which one is not convex are known by their edges at first, which `pairs` asks with ``owners=True``.
        Their convex parts, the rows, are made when something else is asked for. Unreadable ones are refused at once.

        Examples
        --------
        >>> import shapely
        >>> frame = shapely.box(0, 0, 3, 3).difference(shapely.box(1, 1, 2, 2))
        >>> many = cm.Shapes.from_shapely([shapely.Point(5, 5), None, frame])
        >>> many.owner
        array([0, 2, 2, 2, 2])
        >>> bow_tie = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
        >>> cm.Shapes.from_shapely([frame, bow_tie], on_bad="skip").bad[0].index
        1
        """
        if unknown:
            refuse_keywords("Shapes.from_shapely", Shapes.from_shapely, unknown)
        read, bad = from_geometries("Shapes.from_shapely", geometry, on_bad)
        return cls._read(read.regions, read.rows, bad)

    @classmethod
    @told_by_name
    def from_rings(
        cls,
        points: ArrayLike,
        rings: ArrayLike,
        polygons: ArrayLike | None = None,
        owner: ArrayLike | None = None,
        *,
        touching: bool = True,
        simple: bool = False,
        threads: int = 1,
        copy: bool = True,
    ) -> Self:
        """Return the shapes of many polygons by the points of their rings, as files of GeoArrow hold them.

        Parameters
        ----------
        points : (v, 2) numbers
            The points of all rings, one ring after the other, each closed by its first point. They turn either way.
        rings : (r + 1,) whole numbers
            Where each ring begins, and where the last one ends: 0 to v.
        polygons : (n + 1,) whole numbers, optional
            The first ring of each polygon, the one around it; the others are holes. And the number of rings. Left out,
            each ring is a polygon.
        owner : (n,) whole numbers, ascending, optional
            The input of each polygon, for inputs that have several. Left out, each polygon is one.
        touching : bool, default True
            Whether a ring may touch itself or another at points, as a hole in a corner does. If not, a polygon is
            refused that is not surely free of that, which takes no Shapely.
        simple : bool, default False
            Whether the caller knows that no ring crosses or touches itself or another: then nobody asks again.
        threads : int, default 1
            How many threads share the work; the answer is the same with any number.
        copy : bool, default True
            If not, an array of float64 given as `points` becomes the set's own: nobody may write to it any more.

        Returns
        -------
        Shapes
            The same as `from_shapely` makes of the same polygons; `owner` tells of which input each row is.

        Raises
        ------
        TypeError
            If `points` holds no numbers, or `rings`, `polygons` or `owner` no whole numbers.
        ValueError
            If they do not fit together, or a polygon crosses itself or has no area.

        Examples
        --------
        >>> points = [(0, 0), (3, 0), (3, 3), (0, 3), (0, 0), (1, 1), (1, 2), (2, 2), (2, 1), (1, 1)]
        >>> frame = cm.Shapes.from_rings(points, [0, 5, 10], [0, 2])
        >>> cm.pairs(frame, cm.Shapes.points([(0.5, 0.5), (1.5, 1.5)]), owners=True)
        array([[0, 0]], dtype=int32)
        """
        told = points, rings, polygons, owner, touching, simple, threads, copy
        return cls._read(*ring_tables.read_given("Shapes.from_rings", *told))

    @classmethod
    @told_by_name
    def from_grid(
        cls,
        array: ArrayLike,
        cell_size: float = 1.0,
        origin: ArrayLike = (0.0, 0.0),
        *,
        above: float | None = None,
        below: float | None = None,
        y_up: bool = False,
        outlines: bool = False,
        **unknown: Never,
    ) -> Self:
        """Return the solid cells of a grid, such as a floor plan or a mask, merged to boxes as by `read_grid`.

        Parameters
        ----------
        array : (rows, columns) array of bool or numbers
            Of truths, True is solid; of numbers, those beyond the thresholds.
        cell_size : float, positive
            Width and height of a cell.
        origin : (x, y)
            The corner of the grid with the least x and y.
        above, below : float, optional
            Thresholds of numbers, at least one: solid is what is greater than `above` and less than `below`.
        y_up : bool
            Let the first row be the uppermost, as in a picture whose y axis points up; else y grows from row to row.
        outlines : bool
            Return the edges round the solid cells in place of boxes: segments, holes included. `owner` numbers the
            regions that they go round; cells that touch at a corner only are of two.

        Raises
        ------
        TypeError, ValueError
            No table of truths or numbers, numbers without a threshold, NaN, or a cell too small for its coordinates.

        Examples
        --------
        >>> import numpy as np
        >>> plan = np.array([[0, 0, 255], [255, 0, 255]], dtype=np.uint8)  # dark is solid
        >>> cm.Shapes.from_grid(plan, 0.5, below=128).bounds
        array([[0. , 0. , 1. , 0.5],
               [0.5, 0.5, 1. , 1. ]])
        >>> edges = cm.Shapes.from_grid(plan, 0.5, below=128, outlines=True)
        >>> len(edges), edges[0], edges.owner.tolist()
        (6, Segment((0.0, 0.0), (1.0, 0.0)), [0, 0, 0, 0, 0, 0])
        """
        where = "Shapes.from_grid"
        if unknown:
            refuse_keywords(where, Shapes.from_grid, unknown)
        return cls._of(from_grid.rows_of(where, array, cell_size, origin, above, below, y_up, outlines))

    @told_by_name
    def to_shapely(self, *, quarter: int = 16) -> NDArray[Any]:
        """Return an array of Shapely geometries, one a row.

        Vertices are kept to the last bit. Shapely has no round shapes: they become polygons that lie inside the shape.

        Parameters
        ----------
        quarter : int, positive
            Straight pieces for each quarter of a circle.

        Returns
        -------
        (n,) array of shapely.Point, shapely.LineString and shapely.Polygon

        Raises
        ------
        TypeError, ValueError : if `quarter` is no positive whole number, or all of a round shape is lost to rounding.

        Examples
        --------
        >>> import shapely
        >>> shapely.area(cm.Shapes.boxes([(0, 0), (5, 0)], [(2, 1), (4, 1)]).to_shapely())
        array([2., 4.])
        """
        return to_geometries("Shapes.to_shapely", self._proxies, quarter)

    @classmethod
    @told_by_name
    def repeat(cls, shape: Shape, count: int) -> Self:
        """Return `count` times one shape, each its own input; see `placed`.

        Examples
        --------
        >>> cm.Shapes.repeat(cm.Circle((0, 0), 1), 3).owner
        array([0, 1, 2])
        """
        return cls._of(set_make.repeated(shape, count))

    @classmethod
    @told_by_name
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
                inputs.refuse_type(where, f"sets[{k}]", part, "must be Shapes")
        return cls._of(set_rows.join([part._proxies for part in parts]))

    @classmethod
    @told_by_name
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
        OSError
            The file cannot be opened.
        ValueError
            It holds no set, is cut off, or has a row that is no shape.
        """
        return cls._of(set_file.load(path, mmap))

    @told_by_name
    def save(self, path: Any, *, append: bool = False) -> None:
        """Write the set to a file, whole or not at all; `Shapes.load` reads it.

        Parameters
        ----------
        path : str or path
            A file that is there is replaced, in the moment when the new one is whole.
        append : bool, default False
            Put the rows behind those of the set that is there, if one is, as `concatenate` does. The file is checked
            and copied, column by column, without being read into memory.

        Raises
        ------
        OSError
            The file cannot be written. What was there stays.
        ValueError
            With `append`, the file that is there holds no set, or a damaged one. It stays as it is.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "many.shapes"
        ...     cm.Shapes.points([(0, 0), (1, 2)]).save(path)
        ...     cm.Shapes.load(path, mmap=False)
        ...     cm.Shapes.points([(5, 5)]).save(path, append=True)
        ...     cm.Shapes.load(path, mmap=False)
        <Shapes: 2 rows: Point((0.0, 0.0)), Point((1.0, 2.0))>
        <Shapes: 3 rows: Point((0.0, 0.0)), Point((1.0, 2.0)), Point((5.0, 5.0))>
        """
        set_file.save(path, self._proxies, append)

    def _set(self, proxies: Proxies, bad: tuple[BadFeature, ...] = ()) -> Self:
        _fill(self, *_rows_of(proxies), ("_bad", bad), *_NOT_YET, ("_things", None))
        return self

    @classmethod
    def _of(cls, proxies: Proxies) -> Self:
        return object.__new__(cls)._set(proxies)

    @classmethod
    def _read(
        cls, things: Regions | Floats | None, make: Callable[[], Proxies], bad: tuple[BadFeature, ...] = ()
    ) -> Self:
        """Return a set whose rows are made when they are asked for; of polygons by their edges, or points, if given."""
        made = object.__new__(cls)
        _fill(made, ("_bad", bad), *_NOT_YET, ("_things", things), ("_make", make))
        return made

    def _row_slot(self, name: str) -> Any:
        """Return the rows, or a column of them, of a set that has none yet."""
        _fill(self, *_rows_of(self._make()))
        return object.__getattribute__(self, name)

    _filled_late = dict.fromkeys(("_buffer", "_proxies", "_starts"), _row_slot)

    @property
    def owner(self) -> Integers:
        """For each row the number of the input it came from, (n,): parts of one Compound or geometry share it.

        Rows taken, moved or turned keep it; a row taken again is a copy, counted on as `concatenate` does, so that the
        copies are not one thing. Equality does not look at it.
        """
        owner = set_rows.owner_of(self._proxies)
        return owner if self._proxies.owner is None else owner.copy()

    @property
    def bad(self) -> tuple[BadFeature, ...]:
        """The geometries that `from_shapely` skipped or repaired when it made this set; sets made from it have none."""
        return self._bad

    @property
    def bounds(self) -> Floats:
        """The least AABB of each row that contains it: (n, 4), min x, min y, max x, max y."""
        table = np.empty((len(self), 4))
        proxy_writers.proxy_bounds(self._buffer, self._starts, table)
        return table

    @property
    def positions(self) -> Floats:
        """The centre, midpoint or centroid of each row: (n, 2)."""
        return set_move.positions(self._proxies)

    @property
    def radii(self) -> Floats:
        """How far each row reaches beyond its core: (n,)."""
        return self._buffer[self._starts + RADIUS]

    @property
    def kinds(self) -> NDArray[np.str_]:
        """The name of each row's class, "Circle", "Box" and so on: (n,) strings.

        Examples
        --------
        >>> many = cm.Shapes([cm.Circle((0, 0), 1), cm.Box((5, 0), (2, 1)), cm.Circle((9, 0), 2)])
        >>> many.radii[many.kinds == "Circle"]
        array([1., 2.])
        """
        return set_columns.kinds(self._proxies)

    @property
    def centers(self) -> Floats:
        """The centre of each Point, Circle and Box: (n, 2); NaN in other rows, of which `positions` tells."""
        return set_columns.centers(self._proxies)

    @property
    def sizes(self) -> Floats:
        """Width and height of each Box, without its radius: (n, 2); NaN in other rows."""
        return set_columns.sizes(self._proxies)

    @property
    def angles(self) -> Floats:
        """The angle of each Box, 0 along the axes: (n,) radians; NaN in other rows."""
        return set_columns.angles(self._proxies)

    @property
    def areas(self) -> Floats:
        """The area of each row, radius included: (n,); 0 of a Point or Segment."""
        return set_columns.areas(self._proxies)

    def _columns_of_one_kind(self) -> tuple[float, Columns] | None:
        """Return kind and columns of a set of discs, or of boxes of one kind without radius; None for any other.

        Discs: x, y, radius. AABBs: lower x, y, upper x, y. OBBs: centre x, y, half extents, cosine, sine.
        """
        if self._closed_form is _UNASKED:
            object.__setattr__(self, "_closed_form", set_rows.closed_form(self._proxies))
        found: tuple[float, Columns] | None = self._closed_form
        return found

    def _columns_of_contacts(self) -> tuple[float, Columns] | None:
        """Return the same but for turned boxes: of them all that their proxies tell (`set_rows.turned_boxes`)."""
        found = self._columns_of_one_kind()
        if found is None or found[0] != OBB:
            return found
        if self._turned_boxes is _UNASKED:
            object.__setattr__(self, "_turned_boxes", set_rows.turned_boxes(self._proxies))
        return OBB, self._turned_boxes

    @told_by_name
    def translated(self, vector: ArrayLike, **unknown: Never) -> Self:
        """Return the set moved by one vector (x, y) or one for each row, (n, 2), each row as the single value moves."""
        where = "Shapes.translated"
        if unknown:
            refuse_keywords(where, Shapes.translated, unknown)
        return self._of(set_move.translated(where, self._proxies, self._vectors(where, "vector", vector)))

    @told_by_name
    def rotated(self, angle: ArrayLike, pivot: ArrayLike | None = None, **unknown: Never) -> Self:
        """Return the set turned, each row as the single value turns.

        Parameters
        ----------
        angle : (n,) array of radians, or one for all
        pivot : (n, 2) array of numbers, or one (x, y) for all, optional
            The points that stay in place; the rows' positions if not given.

        Examples
        --------
        >>> import math
        >>> cm.Shapes([cm.Circle((1, 0), 1), cm.Box((2, 0), (2, 1))]).rotated(math.pi / 2, (0, 0))
        <Shapes: 2 rows: Circle((0.0, 1.0), 1.0), Box((0.0, 2.0), (1.0, 2.0))>
        """
        where = "Shapes.rotated"
        if unknown:
            refuse_keywords(where, Shapes.rotated, unknown)
        turns = inputs.column(where, "angle", angle, len(self))
        about = None if pivot is None else self._vectors(where, "pivot", pivot)
        return self._of(set_move.rotated(where, self._proxies, turns, about))

    @told_by_name
    def placed(self, position: ArrayLike, angle: ArrayLike = 0.0, **unknown: Never) -> Self:
        """Return the set with the rows' positions there, each row turned about it as the single value's `placed` does.

        Parameters
        ----------
        position : (n, 2) array of numbers, or one (x, y) for all
            Where the centres, midpoints and centroids go.
        angle : (n,) array of radians, or one for all
            Beyond the orientation that each row has.

        Notes
        -----
        Parts of a Compound are rows of their own and would each go to their position. To move whole inputs, take
        their rows by `owner`: ``many.translated(vectors[many.owner])``.

        Examples
        --------
        >>> cm.Shapes.repeat(cm.Box((0, 0), (2, 1)), 2).placed([(1, 0), (5, 0)], [0, 0.5])
        <Shapes: 2 rows: Box((1.0, 0.0), (2.0, 1.0)), Box((5.0, 0.0), (2.0, 1.0), 0.5)>
        """
        where = "Shapes.placed"
        if unknown:
            refuse_keywords(where, Shapes.placed, unknown)
        at = self._vectors(where, "position", position)
        turns = inputs.column(where, "angle", angle, len(self))
        return self._of(set_move.placed(where, self._proxies, at, turns))

    def _vectors(self, where: str, name: str, value: ArrayLike) -> Floats:
        return np.array(inputs.vectors(where, name, value, len(self)), order="C")

    def _value(self, row: int) -> ConvexShape:
        return set_columns.value(self._proxies, row)

    @overload
    def __getitem__(self, key: int) -> ConvexShape: ...

    @overload
    def __getitem__(self, key: slice | ArrayLike) -> Self: ...

    def __getitem__(self, key: Any) -> Any:
        """Return one row as a value, or the rows of a slice, a mask or an array of row numbers as a set."""
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            count = self._starts.size
            if not -count <= key < count:
                raise IndexError(f"Shapes: row {key} of {count}")
            return self._value(int(key) % count)
        if isinstance(key, slice) and key.step in (None, 1):
            begin, end, _ = key.indices(len(self))
            return self._of(set_rows.part(self._proxies, begin, end))
        rows = np.arange(len(self))[key]
        if rows.ndim != 1:
            raise IndexError("Shapes: rows are taken by a number, a slice, a mask or an array of numbers")
        return self._of(set_rows.take(self._proxies, rows))

    def __len__(self) -> int:
        return int(self._starts.size)

    def __iter__(self) -> Iterator[ConvexShape]:
        return map(self._value, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shapes):
            return NotImplemented
        return set_rows.are_equal(self._proxies, other._proxies)

    __hash__ = None  # type: ignore[assignment]  # a set is as large as its rows

    def __repr__(self) -> str:
        shown = ", ".join(map(inputs.short, self[:3])) + (", ..." if len(self) > 3 else "")
        return f"<Shapes: {len(self)} rows: {shown}>" if len(self) else "<Shapes: no rows>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Shapes.{name} cannot be set: sets of shapes do not change; make a new one")

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return sealed_columns(_set_restored, self._proxies, int(protocol))


def _set_restored(*columns: Any) -> Shapes:
    return Shapes._of(Proxies(*(kernel_ready(one) if isinstance(one, np.ndarray) else one for one in columns)))
