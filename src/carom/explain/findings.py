"""Everything that was found out about a pair of shapes: as one value, as a sentence and as a table.

In: the levels, the axes and the answers of the verbs. Out: a value that has its pictures drawn by `picture`; and text,
the table in lines of at most 100 columns, with numbers rounded for reading, to six digits or to as many as fit. World
frame, user's units.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from carom._core.names import NamesNear, names_near, told_by_name
from carom.explain.axes import Axis, Difference, Interval
from carom.explain.levels import Level, Verdict, show, show_vector, verdict
from carom.narrow.manifold import Contact
from carom.narrow.separation import Closest
from carom.shapes.base import ConvexShape

if TYPE_CHECKING:
    from carom.draw.pictures import Picture

WIDTH = 100
ROWS = 24  # a polygon may have thousands of axes
HEAD = ("axis", "comes from", "direction", "A covers", "B covers", "gap", "")


@names_near
@dataclass(frozen=True, repr=False)
class Answer(metaclass=NamesNear):
    """Two shapes, the levels of the test, and the answers of the verbs."""

    a: Any
    """The first shape."""
    b: Any
    """The second shape."""
    levels: tuple[Level, ...]
    """The levels that were tried, in order; the last one decided."""
    closest: Closest
    """The separation, its normal and the witness points, as `closest` gives them."""
    contact: Contact | None
    """How they touch or overlap, as `collide` gives it; None where they are apart."""

    @property
    def separation(self) -> float:
        """Positive apart, exactly 0 in touch, negative in overlap."""
        return self.closest.separation

    @property
    def verdict(self) -> Verdict:
        """The verdict: "apart", "touch" or "overlap"."""
        return verdict(self.separation)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return sentence_of(self, 6)

    def _picture(self) -> Picture:
        from carom.draw.pictures import picture  # it draws explanations among all else, so it stands above them

        return picture(self)

    @told_by_name
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
        ModuleNotFoundError
            If matplotlib is not installed.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> axes = cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5))).draw(Figure().subplots())
        """
        return self._picture().draw(axes)

    @told_by_name
    def save(self, file: str | PathLike[str]) -> None:
        """Write the picture, shapes and all axes, to a file.

        Parameters
        ----------
        file : path
            With the ending .svg, or, with matplotlib installed, any other that it can write: .png, .pdf.

        Raises
        ------
        ModuleNotFoundError
            If matplotlib is needed and not installed.
        ValueError
            If matplotlib does not know the ending.
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> cm.explain(cm.Circle((0, 0), 1), cm.Box((1.5, 0), (1, 0.5))).save("sat.svg")
        """
        self._picture().save(file)

    def _repr_svg_(self) -> str:
        return self._picture()._repr_svg_()

    def __repr__(self) -> str:
        return f"explain({self.a!r}, {self.b!r})"


@dataclass(frozen=True, repr=False)
class Findings(Answer):
    """The answer for two convex shapes, with all axes and the Minkowski difference."""

    a: ConvexShape
    b: ConvexShape
    axes: tuple[Axis, ...]
    """Every axis of the separating axis test, parallel ones marked."""
    deciding: int
    """The number of the axis with the largest gap."""
    difference: Difference
    """The Minkowski difference A - B: the shapes overlap just when it holds the origin."""

    @property
    def axis(self) -> Axis:
        """The deciding axis; its gap is the separation."""
        return self.axes[self.deciding]


def sentence_of(why: Answer, digits: int) -> str:
    """Return the answer in one sentence, its numbers with so many digits."""
    x, y = why.closest.normal
    along = f"along ({show(x, digits)}, {show(y, digits)})"
    size = show(abs(why.separation), digits)
    if why.verdict == "apart":
        return f"A and B are {size} apart; from A, the nearest of B lies {along}."
    if why.verdict == "touch":
        return f"A and B touch, without overlap; from A, B lies {along}."
    return f"A and B overlap; moving B by {size} {along} just parts them."


def largest_gaps(why: Findings, rows: int, *, parallel: bool) -> list[int]:
    """Return the numbers, in order, of at most so many axes, those with the largest gaps; `parallel` ones if asked."""
    numbers = [k for k, axis in enumerate(why.axes) if parallel or axis.parallel_to is None]
    return sorted(sorted(numbers, key=lambda k: (k != why.deciding, -why.axes[k].gap))[:rows])


def table(why: Answer, axes: list[str]) -> str:
    """Return the answer as a table of fixed width, with the lines that tell of the axes."""
    shapes = (("A", why.a), ("B", why.b))
    lines = [f"{name}  {textwrap.shorten(repr(shape), WIDTH - 3, placeholder=' ...')}" for name, shape in shapes]
    lines += ["", *textwrap.wrap(why.sentence, WIDTH), "", "level               decision     why"]
    for number, level in enumerate(why.levels, 1):
        head = f"{number} {level.name:<18}{level.verdict:<13}"
        lines += textwrap.wrap(head + level.text, WIDTH, subsequent_indent=" " * len(head))
    lines += ["", *axes, ""]
    near, contact = why.closest, why.contact
    lines.append(f"witness points   of A {show_vector(near.point_a)}   of B {show_vector(near.point_b)}")
    if contact is not None:
        lines.append(f"contact          normal {show_vector(contact.normal)}   depth {show(contact.depth)}")
        for point, depth in zip(contact.points, contact.depths, strict=True):
            lines.append(f"contact point    {show_vector(point)}   depth {show(depth)}")
    return "\n".join(lines)


def axis_lines(why: Findings) -> list[str]:
    """Return a line for each axis, with as many digits as the width leaves room for."""
    shown = largest_gaps(why, ROWS, parallel=True)
    for digits in range(6, 0, -1):
        cells = [HEAD, *(_cells(k, why.axes[k], k == why.deciding, digits) for k in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        if sum(widths) + 2 * (len(widths) - 1) <= WIDTH:
            break
    lines = [
        "  ".join(cell.rjust(width) if k in (0, 5) else cell.ljust(width) for k, (cell, width) in enumerate(pairs))
        for pairs in (zip(row, widths, strict=True) for row in cells)
    ]
    if len(shown) < len(why.axes):
        lines.append(f"and {len(why.axes) - len(shown)} more axes, with no larger gap")
    return [line.rstrip() for line in lines]


def _cells(k: int, axis: Axis, decides: bool, digits: int) -> tuple[str, ...]:
    def number(value: float) -> str:
        return f"{value + 0.0:.{digits}g}"

    def span(covered: Interval) -> str:
        return f"{number(covered.low)} to {number(covered.high)}"

    x, y = axis.direction
    note = "decides" if decides else "" if axis.parallel_to is None else f"as {axis.parallel_to}"
    direction = f"({round(x, digits) + 0.0:g}, {round(y, digits) + 0.0:g})"
    return str(k), axis.source, direction, span(axis.a), span(axis.b), number(axis.gap), note
