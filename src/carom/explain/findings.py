"""Everything that was found out about a pair of shapes, as one value.

In: the levels, the axes and the answers of the verbs. Out: a frozen value that has its pictures drawn by
`picture`. World frame, user's units.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from carom._core.names import NamesNear, names_near, told_by_name
from carom.explain.axes import Axis
from carom.explain.levels import Level, Verdict, parts_of, verdict
from carom.explain.words import corner_of, sentence_of, shadows_of
from carom.narrow.manifold import Contact
from carom.narrow.separation import Closest
from carom.shapes.base import ConvexShape
from carom.vector import Vec

if TYPE_CHECKING:
    from carom.draw.pictures import Picture


@names_near
@dataclass(frozen=True, repr=False)
class Answer(metaclass=NamesNear):
    """Two shapes, the levels of the test, the axes, and the answers of the verbs."""

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
    axes: tuple[Axis, ...]
    """Every axis of the separating axis test, parallel ones marked; of bodies of several parts those of `pair`."""
    deciding: int
    """The number of the axis that decides."""
    origin: Vec
    """The point from which intervals on axes are measured: the world's origin or, far from it, A's position."""
    pairs: tuple[tuple[int, int], ...]
    """The part of A and the part of B that decide: nearest to each other, or last to come free when B moves out.

    Two such pairs where B moves out through a corner between two parts. A shape of one part is part 0."""

    @property
    def separation(self) -> float:
        """Positive apart, exactly 0 in touch, negative in overlap."""
        return self.closest.separation

    @property
    def verdict(self) -> Verdict:
        """The verdict: "apart", "touch" or "overlap"."""
        return verdict(self.separation)

    @property
    def axis(self) -> Axis:
        """The deciding axis; its direction is the normal and its gap, unless two `pairs` decide, the separation."""
        return self.axes[self.deciding]

    @property
    def pair(self) -> tuple[int, int]:
        """The first of `pairs`, whose intervals the axes show."""
        return self.pairs[0]

    @property
    def shadows(self) -> tuple[ConvexShape, ConvexShape]:
        """The shapes, or the parts of `pair`, whose intervals the axes show."""
        return parts_of(self.a)[self.pair[0]], parts_of(self.b)[self.pair[1]]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return sentence_of(self.closest)

    @property
    def shadow_sentence(self) -> str:
        """How the gap or the overlap on the deciding axis comes about, in one sentence."""
        told = shadows_of(self.axis, self.deciding)
        return told if len(self.pairs) == 1 else f"{told} {corner_of(self.closest, self.axis)}"

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
