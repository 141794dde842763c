"""Camera: which part of the world a surface shows, and the way from points of the world to pixels and back.

In: the size of a surface, a place, a zoom, whether y points up. Out: pixels for points, points for pixels. World frame,
user's units; pixels from the surface's upper left corner, y down, as pygame counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Never, Self, overload

import numpy as np
from numpy.typing import NDArray

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.names import NamesNear, no_attribute, refuse_keywords, told_by_name
from carom._core.types import Floats
from carom.draw.figures import figures_of
from carom.draw.joints import bounds_with_joints
from carom.shapes.bounds import Bounds
from carom.vector import Vec

EMPTY = Bounds(-4.0, -3.0, 4.0, 3.0)  # shown where there is nothing to show
WHERE = "Camera"


class Camera(metaclass=NamesNear):
    """Which part of the world a surface shows.

    Parameters
    ----------
    size : (width, height)
        Of the surface, in pixels: ``screen.get_size()``.
    position : (x, y)
        The point of the world that is shown in the middle.
    zoom : float, positive
        Pixels for a length unit.
    y_up : bool
        Whether y of the world points up on the surface; False where it points down, as in pygame and Tiled.

    Attributes
    ----------
    size, position, zoom, y_up
        As given; set them to look elsewhere.

    Examples
    --------
    >>> camera = cm.draw.Camera((800, 600), position=(10, 0), zoom=50)
    >>> camera.to_pixel((11, 2))
    Vec(450.0, 200.0)
    >>> camera.to_world((450, 200))
    Vec(11.0, 2.0)
    """

    @told_by_name
    def __init__(
        self,
        size: PointLike,
        position: PointLike = (0.0, 0.0),
        zoom: float = 50.0,
        *,
        y_up: bool = True,
        **unknown: Never,
    ) -> None:
        if unknown:
            refuse_keywords(WHERE, Camera, unknown)
        self.size = size
        self.position = position
        self.zoom = zoom
        self.y_up = y_up

    if not TYPE_CHECKING:  # else every name would be known to type checkers

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(type(self), name, dir(type(self)))

        def __setattr__(self, name: str, value: Any) -> None:
            if not name.startswith("_") and name not in ("size", "position", "zoom", "y_up"):
                raise no_attribute(type(self), name, dir(type(self)))
            object.__setattr__(self, name, value)

    @classmethod
    @told_by_name
    def fitting(cls, size: PointLike, thing: Any, *, y_up: bool = True, margin: float = 0.05) -> Self:
        """Return the camera that shows all of a thing, as large as it can be.

        Parameters
        ----------
        size : (width, height)
            Of the surface, in pixels.
        thing : Bounds, or whatever `paint` draws
        y_up : bool
        margin : float, 0 to less than 0.5
            Left free on each side, a share of the surface.

        Examples
        --------
        >>> camera = cm.draw.Camera.fitting((400, 400), cm.Box((5, 5), (4, 4)), margin=0)
        >>> camera.position, camera.zoom
        (Vec(5.0, 5.0), 100.0)
        """
        where = "Camera.fitting"
        free = inputs.number(where, "margin", margin)
        if not 0.0 <= free < 0.5:
            inputs.refuse(ValueError, where, "margin", margin, "must be from 0 to less than 0.5")
        camera = cls(size, y_up=y_up)
        found = thing if isinstance(thing, Bounds) else bounds_with_joints(figures_of(where, thing))
        low_x, low_y, high_x, high_y = EMPTY if found is None else found
        wide, high = high_x - low_x, high_y - low_y
        room = 1.0 - 2.0 * free
        zooms = [room * pixels / span for pixels, span in zip(camera.size, (wide, high), strict=True) if span > 0.0]
        camera.position = (low_x + wide / 2.0, low_y + high / 2.0)
        camera.zoom = min(zooms, default=camera.zoom)
        return camera

    @property
    def size(self) -> Vec:
        """Width and height of the surface in pixels."""
        return self._size

    @size.setter
    def size(self, size: PointLike) -> None:
        width, height = inputs.point(WHERE, "size", size)
        if width < 1.0 or height < 1.0:
            inputs.refuse(ValueError, WHERE, "size", size, "must be at least 1 pixel wide and high")
        self._size = Vec(width, height)

    @property
    def position(self) -> Vec:
        """The point of the world in the middle of the surface."""
        return self._position

    @position.setter
    def position(self, position: PointLike) -> None:
        self._position = Vec(*inputs.point(WHERE, "position", position))

    @property
    def zoom(self) -> float:
        """Pixels for a length unit."""
        return self._zoom

    @zoom.setter
    def zoom(self, zoom: float) -> None:
        self._zoom = inputs.size(WHERE, "zoom", zoom)

    @property
    def y_up(self) -> bool:
        """Whether y of the world points up on the surface."""
        return self._y_up

    @y_up.setter
    def y_up(self, y_up: bool) -> None:
        self._y_up = inputs.truth(WHERE, "y_up", y_up)

    @property
    def bounds(self) -> Bounds:
        """The part of the world that is shown."""
        half = self._size / (2.0 * self._zoom)
        return Bounds(*(self._position - half), *(self._position + half))

    @overload
    def to_pixel(self, points: NDArray[Any] | Sequence[PointLike]) -> Floats: ...

    @overload
    def to_pixel(self, points: PointLike) -> Vec: ...

    @told_by_name
    def to_pixel(self, points: Any) -> Vec | Floats:
        """Return where a point of the world is on the surface, in pixels and parts of them; or many, (..., 2)."""
        many = _points("Camera.to_pixel", "points", points)
        found = (many - self._position) * self._scale() + np.divide(self._size, 2.0)
        return found if found.ndim > 1 or isinstance(points, np.ndarray) else Vec(*found.tolist())

    @overload
    def to_world(self, pixels: NDArray[Any] | Sequence[PointLike]) -> Floats: ...

    @overload
    def to_world(self, pixels: PointLike) -> Vec: ...

    @told_by_name
    def to_world(self, pixels: Any) -> Vec | Floats:
        """Return the point of the world that a pixel shows, as ``event.pos`` of the mouse; or of many, (..., 2)."""
        many = _points("Camera.to_world", "pixels", pixels)
        found = (many - np.divide(self._size, 2.0)) / self._scale() + self._position
        return found if found.ndim > 1 or isinstance(pixels, np.ndarray) else Vec(*found.tolist())

    @told_by_name
    def zoom_at(self, pixel: PointLike, factor: float) -> None:
        """Zoom by a factor, 2 for twice as large, so that the point under a pixel stays where it is.

        Examples
        --------
        >>> camera = cm.draw.Camera((800, 600))
        >>> camera.zoom_at((600, 300), 2)
        >>> camera.zoom, camera.position
        (100.0, Vec(2.0, 0.0))
        """
        at = Vec(*inputs.point("Camera.zoom_at", "pixel", pixel))
        by = inputs.size("Camera.zoom_at", "factor", factor)
        before = self.to_world(at)
        self.zoom = self._zoom * by
        self.position = self._position + (before - self.to_world(at))

    def _scale(self) -> Floats:
        return np.array((self._zoom, -self._zoom if self._y_up else self._zoom))

    def __repr__(self) -> str:
        size, position = tuple(self._size), tuple(self._position)
        return f"Camera({size}, position={position}, zoom={self._zoom}, y_up={self._y_up})"


def _points(where: str, name: str, points: Any) -> Floats:
    """Return one point, (2,), or many, (..., 2)."""
    try:
        found = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        inputs.refuse_type(where, name, points, "must be a point (x, y), or an array (..., 2)")
    if not found.ndim or found.shape[-1] != 2:
        inputs.refuse(ValueError, where, name, points, "must be a point (x, y), or an array (..., 2)")
    return found
