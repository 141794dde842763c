"""Why two shapes meet or do not: every level of the test, every axis, the answer in words, as a table and a picture.

In: two shapes. Out: a frozen value that holds all numbers, prints as a table, and draws itself. World frame, user's
units. Nothing is decided here: the numbers are those that `separation`, `closest` and `collide` give.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from carom import _arrays
from carom._shape import Shape
from carom.compound import Compound
from carom.draw.svg import to_svg
from carom.narrow.axes import separating_axes
from carom.narrow.contact import collide
from carom.narrow.explain_picture import scene, strips
from carom.narrow.explain_table import table
from carom.narrow.findings import Findings
from carom.narrow.levels import tried_levels
from carom.narrow.minkowski import difference
from carom.narrow.separation import closest


@dataclass(frozen=True, repr=False)
class Explanation(Findings):
    """Why two shapes meet or do not; `print` shows it as a table, a notebook as a picture."""

    def draw(self, axes: Any = None) -> Any:
        """Draw the shapes, the deciding axis with both projections, witness and contact points with matplotlib.

        Parameters
        ----------
        axes : matplotlib Axes, optional
            Where to draw, in world coordinates; the current axes if not given.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ModuleNotFoundError : if matplotlib is not installed

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> axes = cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5))).draw(Figure().subplots())
        """
        return matplotlib().onto_axes(scene(self), axes)

    def save(self, file: str | PathLike[str]) -> None:
        """Write the picture, shapes and all axes, to a file.

        Parameters
        ----------
        file : path
            With the ending .svg, or, with matplotlib installed, any other that it can write: .png, .pdf.

        Raises
        ------
        ModuleNotFoundError : if matplotlib is needed and not installed
        ValueError : if matplotlib does not know the ending
        OSError : if the file cannot be written

        Examples
        --------
        >>> cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5))).save("sat.svg")
        """
        path = Path(file)
        if path.suffix.lower() == ".svg":
            path.write_text(self._repr_svg_(), encoding="utf-8")
        else:
            matplotlib().figure([scene(self), strips(self)]).savefig(path)

    def _repr_svg_(self) -> str:
        return to_svg([scene(self), strips(self)], self.sentence)

    def __str__(self) -> str:
        return table(self)

    def __repr__(self) -> str:
        return f"explain({self.a!r}, {self.b!r})"


def matplotlib() -> Any:
    """Return the module that draws with matplotlib, or say how to get what it needs."""
    try:
        from carom.draw import plot
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "matplotlib":
            raise
        remedy = 'needs matplotlib; install it with: pip install "carom[plot]", or save the explanation as .svg'
        raise ModuleNotFoundError(f"this picture {remedy}", name="matplotlib") from None
    return plot


def explain(a: Shape, b: Shape) -> Explanation:
    """Explain why two shapes meet or do not.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box or Polygon

    Returns
    -------
    Explanation
        With `levels`, the tests that were tried, cheap volumes first; `axes`, each axis of the separating axis test
        with both projections and the gap; `axis`, the deciding one; `closest`, `contact`, `verdict` and `sentence`.
        ``print`` shows a table, ``.draw(axes)`` draws with matplotlib, ``.save("sat.svg")`` writes a picture.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.

    Notes
    -----
    Two convex shapes are apart if and only if some axis has a gap between their projections, and for polygons an edge
    normal is enough (S. Gottschalk, "Separating axis theorem", 1996). The largest gap over all directions is the
    separation; where the nearest features are two corners, their own axis has it.

    Examples
    --------
    >>> why = cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5)))
    >>> why.verdict, why.axis.source, why.axis.gap
    ('touch', 'edge 1 of B', 0.0)
    >>> [level.name for level in why.levels]
    ['bounding circle', 'AABB', 'separating axes', 'exact arithmetic']
    """
    given: tuple[tuple[str, Any], ...] = (("a", a), ("b", b))
    for name, shape in given:
        if isinstance(shape, Compound):
            remedy = (
                "has no separating axes: it need not be convex; explain one of its parts, or see closest and collide"
            )
            _arrays.refuse(TypeError, "explain", name, shape, remedy)
        if not isinstance(shape, Shape):
            expected = "must be one shape (Point, Segment, Circle, Capsule, Box or Polygon)"
            _arrays.refuse(TypeError, "explain", name, shape, f"{expected}, not {type(shape).__name__}")
    found = separating_axes(a, b)
    levels = tried_levels(a, b, found)
    return Explanation(a, b, levels, found.axes, found.deciding, closest(a, b), collide(a, b), difference(a, b))
