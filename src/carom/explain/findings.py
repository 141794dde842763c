"""Everything that was found out about a pair of shapes, as one value, and the answer in words.

In: the levels, the axes and the answers of the verbs. Out: the value that the table and the pictures of an explanation
are made of, and that draws and saves these. World frame, user's units.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from carom.draw.picture import Picture
from carom.draw.save import matplotlib, save
from carom.draw.svg import to_svg
from carom.explain.axes import Axis, Difference
from carom.explain.levels import Level, Verdict, show, verdict
from carom.narrow.contact import Contact
from carom.narrow.separation import Closest
from carom.shapes.base import Shape


@dataclass(frozen=True, repr=False)
class Answer:
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
        """What they do: "apart", "touch" or "overlap"."""
        return verdict(self.separation)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return sentence_of(self, 6)

    def _pictures(self) -> list[Picture]:
        raise NotImplementedError

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
        return matplotlib().onto_axes(self._pictures()[0], axes)

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
        save(file, self._pictures(), self.sentence)

    def _repr_svg_(self) -> str:
        return to_svg(self._pictures(), self.sentence)

    def __repr__(self) -> str:
        return f"explain({self.a!r}, {self.b!r})"


@dataclass(frozen=True, repr=False)
class Findings(Answer):
    """The answer for two convex shapes, with all axes and the Minkowski difference."""

    a: Shape
    b: Shape
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
