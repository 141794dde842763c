"""The playground's picture without the playground: for notebooks, docs and the user's own windows.

In: shapes, layers and a motion. Out: one picture that draws itself as SVG, on matplotlib axes or on a pygame surface.
World frame, y up, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from carom._core import inputs
from carom._core.inputs import PointLike
from carom.draw.geometry import fit
from carom.draw.picture import SAFE_STYLES, STYLES, Picture
from carom.draw.save import matplotlib, save
from carom.draw.svg import to_svg
from carom.explain.picture import strips
from carom.playground_app.facts import facts_of
from carom.playground_app.layers import items_of, minkowski, window_of
from carom.playground_app.scene import LAYERS, Scene
from carom.shapes.base import ConvexShape
from carom.vector import Vec


class Snapshot:
    """A picture of shapes, red where they meet and green where not, with layers over it; made by `picture`."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def draw(self, axes: Any = None) -> Any:
        """Draw the shapes and layers on matplotlib axes, or on the current ones, and return these.

        Raises
        ------
        ModuleNotFoundError
            If matplotlib is not installed.
        """
        return matplotlib().onto_axes(scene_picture(self._scene), axes)

    def paint(self, surface: Any, *, safe: bool = False) -> None:
        """Draw the shapes and layers onto a whole pygame surface; `safe` takes blue and orange for green and red."""
        import pygame

        from carom.draw.surface import FINE, paint, smooth

        fine = pygame.Surface((surface.get_width() * FINE, surface.get_height() * FINE))
        fine.fill("white")
        picture = scene_picture(self._scene)
        area = fine.get_rect()
        view = fit(picture.window, area.size, area.center, FINE * surface.get_height() / 600.0)
        paint(fine, picture.items, view, SAFE_STYLES if safe else STYLES)
        smooth(fine, surface)

    def save(self, file: str | PathLike[str]) -> None:
        """Write the picture into a file, .svg, or, with matplotlib installed, any other that it can write.

        Raises
        ------
        ModuleNotFoundError
            If matplotlib is needed and not installed.
        ValueError
            If matplotlib does not know the ending.
        OSError
            If the file cannot be written.
        """
        save(file, pictures(self._scene), self._title())

    def _title(self) -> str:
        why = facts_of(self._scene).why
        return self._scene.title or ("Shapes" if why is None else why.sentence)

    def _repr_svg_(self) -> str:
        return to_svg(pictures(self._scene), self._title())

    def __repr__(self) -> str:
        layers = ",".join(name for name in LAYERS if name in self._scene.layers)
        return f"picture({', '.join(map(repr, self._scene.shapes))}, layers={layers!r})"


def scene_picture(scene: Scene) -> Picture:
    """Return the shapes of a scene with its layers below and above them."""
    facts = facts_of(scene)
    return Picture(tuple(items_of(scene, facts)), window_of(scene, facts))


def pictures(scene: Scene) -> list[Picture]:
    """Return the scene's picture and, if their layers are on, the strips of all axes and the Minkowski difference."""
    why = facts_of(scene).why
    found = [scene_picture(scene)]
    if why is not None and "axes" in scene.layers:
        found.append(strips(why))
    if why is not None and "minkowski" in scene.layers:
        found.append(minkowski(why))
    return found


def picture(*shapes: ConvexShape, layers: str | Iterable[str] = (), motion: PointLike = (0.0, 0.0)) -> Snapshot:
    """Return a picture of shapes: red where they meet another, green where not, with layers that explain.

    Parameters
    ----------
    *shapes : Point, Segment, Circle, Capsule, Box or Polygon
        The first two are A and B, which the layers are about.
    layers : str or iterable of str
        Names, in a string with commas between: "circle", "aabb", "obb" for the volumes of all shapes; "axes",
        "minkowski", "mtv", "closest", "contact" for the pair; "motion"; "partition" and "tree" for all.
    motion : (x, y)
        The translation that A is about to make, for the layer "motion".

    Returns
    -------
    Snapshot
        With ``.save("file.svg")``, ``.draw(axes)`` for matplotlib, ``.paint(surface)`` for pygame; a notebook shows it.

    Raises
    ------
    TypeError
        If something is no shape.
    ValueError
        If there is no such layer.

    Examples
    --------
    >>> shown = cm.picture(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5)), layers="contact,aabb")
    >>> shown.save("touch.svg")
    """
    for row, shape in enumerate(shapes):
        refuse_others("picture", row, shape)
    names = layers.split(",") if isinstance(layers, str) else _names(layers)
    chosen = [name.strip() for name in names if name.strip()]
    for name in chosen:
        if name not in LAYERS:
            inputs.refuse(ValueError, "picture", "layers", name, f"must be one of {', '.join(LAYERS)}")
    way = Vec(*inputs.point("picture", "motion", motion))
    pair = (0, 1) if len(shapes) > 1 else None
    return Snapshot(Scene(shapes, pair, way, frozenset(chosen)))


def refuse_others(where: str, row: int, shape: Any) -> None:
    """Refuse an argument that is no shape, by its row."""
    if not isinstance(shape, ConvexShape):
        inputs.refuse(TypeError, where, f"shapes[{row}]", shape, f"must be a shape, not {type(shape).__name__}")


def _names(layers: Any) -> list[str]:
    try:
        given = list(layers)
    except TypeError:
        inputs.refuse(TypeError, "picture", "layers", layers, "must be names with commas between")
    names: list[str] = []
    for name in given:
        if not isinstance(name, str):
            inputs.refuse(TypeError, "picture", "layers", name, "must be a name of a layer")
        names.append(name)
    return names
