"""Picture: worlds, sets, levels, characters and shapes for notebooks, docs and files.

In: what to draw, and what to show over it. Out: a `Picture`, which draws itself as SVG, on matplotlib axes or on a
pygame surface. World frame, user's units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Never, NoReturn

from carom._core import inputs
from carom._core.inputs import PointLike
from carom._core.missing import need
from carom._core.names import NamesNear, made_by, no_attribute, refuse_keywords, told_by_name
from carom.canvas.drawing import SAFE_STYLES, STYLES, Drawing
from carom.canvas.geometry import fit
from carom.canvas.packages import matplotlib
from carom.canvas.save import save
from carom.canvas.svg import to_svg
from carom.draw.colors import colors_of
from carom.draw.copies import of_copies
from carom.draw.figures import figures_of, seen_in
from carom.draw.items import drawing_of, mirrored
from carom.draw.overlays import OVERLAYS, labels_of, names_of
from carom.draw.pair.explained import pictures_of
from carom.draw.pair.pictures import pictures, title_of
from carom.draw.pair.scene import LAYERS, STILL, Scene
from carom.explain.explanation import CompoundExplanation, Explanation
from carom.shapes.base import ConvexShape
from carom.shapes.bounds import Bounds
from carom.vector import Vec
from carom.world.copies.worlds import Worlds

if TYPE_CHECKING:
    import pygame

WHERE = "picture"


@made_by("cm.picture(thing, ...)")
class Picture(metaclass=NamesNear):
    """A picture of a world, of shapes or of anything made of them; made by `picture`."""

    def __init__(self, drawings: Sequence[Drawing], title: str, text: str, y_up: bool) -> None:
        self._drawings = [drawing if y_up else mirrored(drawing) for drawing in drawings]
        self._title = title
        self._text = text
        self._y_up = y_up

    if not TYPE_CHECKING:  # else every name would be known to type checkers

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(type(self), name, dir(type(self)))

    @told_by_name
    def draw(self, axes: Any = None) -> Any:
        """Draw onto matplotlib axes, or onto the current ones, and return these.

        Raises
        ------
        ModuleNotFoundError
            If matplotlib is not installed.
        """
        plot, drawing = matplotlib(), self._drawings[0]
        drawn = plot.onto_axes(drawing if self._y_up else mirrored(drawing), axes)
        if not self._y_up:
            drawn.set_ylim(*drawn.get_ylim()[::-1])
        return drawn

    @told_by_name
    def paint(self, surface: pygame.Surface, *, safe: bool = False) -> None:
        """Draw onto a whole pygame surface, finely; `safe` takes blue and orange for the green and red of a pair.

        For the frames of a game take `draw.paint`, which is some hundred times quicker.

        Raises
        ------
        ModuleNotFoundError
            If pygame is not installed.
        """
        need("Picture.paint", "pygame")
        import pygame

        from carom.canvas.surface import FINE, paint_items, smooth

        fine = pygame.Surface((surface.get_width() * FINE, surface.get_height() * FINE))
        fine.fill("white")
        drawing = self._drawings[0]
        area = fine.get_rect()
        view = fit(drawing.window, area.size, area.center, FINE * surface.get_height() / 600.0)
        paint_items(fine, drawing.items, view, SAFE_STYLES if safe and drawing.styles is STYLES else drawing.styles)
        smooth(fine, surface)

    @told_by_name
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
        save(file, self._drawings, self._title)

    def _repr_svg_(self) -> str:
        return to_svg(self._drawings, self._title)

    def __repr__(self) -> str:
        return self._text


def picture(
    *things: Any,
    layers: str | Iterable[str] = (),
    motion: PointLike = (0.0, 0.0),
    color: Any = "kind",
    labels: Sequence[str] | None = None,
    window: Sequence[float] | None = None,
    y_up: bool = True,
    joints: bool = True,
    **unknown: Never,
) -> Picture:
    """Return a picture of a world, of shapes, or of anything made of them.

    Plain shapes, given one by one, are red where they meet another and green where not, and layers explain why. All
    else is drawn as `draw.paint` draws it.

    Parameters
    ----------
    *things : shapes; or World, Shapes, Compound, Index, Level, Character, Body, or lists of them; or Worlds
        Of shapes the first two are A and B, which the layers are about. Or one Explanation, with its axes. Of Worlds
        the first hundred copies are drawn, each in a field of a grid, row by row from the top.
    layers : str or iterable of str
        Names, in a string with commas between. For shapes: "circle", "aabb", "obb" for the volumes of all; "axes",
        "minkowski", "mtv", "closest", "contact" for the pair; "motion"; "partition" and "tree" for all. For all else:
        "contacts", "normals", "velocities", "aabb", "rows", "names", "legend".
    motion : (x, y)
        The translation that A is about to make, for the layer "motion" of shapes.
    color : "kind", "layer", a colour, or a list with a colour or None for each figure
        As in `draw.paint`; plain shapes given one by one take it, too, and are no longer red and green.
    labels : sequence of str, optional
        A few words for each figure.
    window : (min_x, min_y, max_x, max_y), optional
        The part to show; all if not given.
    y_up : bool
        False where y of the world points down.
    joints : bool, default True
        Whether to draw joints, with their limits.

    Returns
    -------
    Picture
        With ``.save("file.svg")``, ``.draw(axes)`` for matplotlib, ``.paint(surface)`` for pygame; a notebook shows it.

    Raises
    ------
    TypeError
        If something cannot be drawn.
    ValueError
        If there is no such layer, or colours or labels are not one for each figure.

    Examples
    --------
    >>> shown = cm.picture(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5)), layers="contact,aabb")
    >>> shown.save("touch.svg")
    >>> world = cm.World(gravity=(0, -10))
    >>> bodies = world.add_many(cm.Shapes.circles([(0, 1), (1, 2)], 0.5), kind="dynamic")
    >>> cm.picture(world, layers="velocities").save("world.svg")
    """
    if unknown:
        refuse_keywords(WHERE, picture, unknown)
    up = inputs.truth(WHERE, "y_up", y_up)
    seen = None if window is None else _window(window)
    way = Vec(*inputs.point(WHERE, "motion", motion))
    if len(things) == 1 and isinstance(things[0], Explanation | CompoundExplanation):
        return _of_explanation(things[0], seen, up)
    if len(things) == 1 and isinstance(things[0], Worlds):
        chosen = names_of(WHERE, layers, OVERLAYS, LAYERS, "it is for shapes given one by one: picture(a, b)")
        for name, given, there in (("labels", labels, labels is not None), ("motion", motion, way != STILL)):
            if there:
                inputs.refuse(ValueError, WHERE, name, given, "is not for copies")
        drawing, text = of_copies(WHERE, things[0], color, chosen, seen, up, inputs.truth(WHERE, "joints", joints))
        return Picture.made([drawing], text[1:-1], text, up)
    plain = all(isinstance(thing, ConvexShape) for thing in things)
    if plain and labels is None and isinstance(color, str) and color == "kind":
        chosen = names_of(WHERE, layers, LAYERS, OVERLAYS, f"for {layers!r} give the shapes in a list")
        if way != STILL and "motion" not in chosen:
            inputs.refuse(
                ValueError, WHERE, "motion", motion, "is drawn by the layer of that name; add layers='motion'"
            )
        return _of_shapes(things, chosen, way, seen, up)
    if way != STILL:
        inputs.refuse(ValueError, WHERE, "motion", motion, "is for shapes that are given one by one")
    lists = (thing if isinstance(thing, list) else [thing] for thing in things)
    figures = figures_of(WHERE, things[0] if len(things) == 1 else list(chain.from_iterable(lists)), "things")
    chosen = names_of(WHERE, layers, OVERLAYS, LAYERS, "it is for shapes given one by one: picture(a, b)")
    words = labels_of(WHERE, figures, labels, chosen)
    shown = figures if seen is None else seen_in(figures, seen)
    drawing = drawing_of(
        shown, colors_of(WHERE, figures, color), chosen, words, seen, inputs.truth(WHERE, "joints", joints)
    )
    count = len(figures.roles)
    text = f"<Picture: {count} figure{'s' * (count != 1)}>"
    return Picture.made([drawing], text[1:-1], text, up)


def _of_explanation(why: Explanation | CompoundExplanation, seen: Bounds | None, up: bool) -> Picture:
    """Return the pictures of an explanation: the shapes with the deciding axis, and a strip for each axis."""
    drawings = pictures_of(why)
    if seen is not None:
        drawings[0] = drawings[0]._replace(window=seen)
    return Picture.made(drawings, why.sentence, f"picture({why!r})", up)


def _of_shapes(
    shapes: tuple[ConvexShape, ...], chosen: frozenset[str], way: Vec, seen: Bounds | None, up: bool
) -> Picture:
    """Return the picture of plain shapes, with what explains their pair."""
    scene = Scene(shapes, (0, 1) if len(shapes) > 1 else None, way, chosen)
    drawings = pictures(scene)
    if seen is not None:
        drawings[0] = drawings[0]._replace(window=seen)
    layers = ",".join(name for name in LAYERS if name in chosen)
    text = f"picture({', '.join(map(repr, shapes))}, layers={layers!r})"
    return Picture.made(drawings, title_of(scene), text, up)


def _window(window: Any) -> Bounds:
    """Return the window that was asked for."""
    values = inputs.sequence(WHERE, "window", window, 4, "numbers: min_x, min_y, max_x, max_y")
    low_x, low_y, high_x, high_y = (inputs.number(WHERE, f"window[{k}]", value) for k, value in enumerate(values))
    if not (low_x < high_x and low_y < high_y):
        inputs.refuse(ValueError, WHERE, "window", window, "must be min_x, min_y, max_x, max_y, with some extent")
    return Bounds(low_x, low_y, high_x, high_y)
