"""A pair of shapes to be looked at: shapes, which two are A and B, a motion of A, and the layers that are on.

In: values. Out: a frozen scene. World frame, y up, user's units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from carom.shapes.base import ConvexShape
from carom.vector import Point2, Vec

STILL = Vec(0.0, 0.0)

LAYERS = {
    "circle": "bounding circles",
    "aabb": "AABBs",
    "obb": "smallest OBBs",
    "axes": "separating axes",
    "minkowski": "Minkowski difference",
    "mtv": "MTV",
    "closest": "closest points",
    "contact": "contact and normal",
    "motion": "motion of A",
    "partition": "grid of cells",
    "tree": "tree of boxes",
}
"""Layers that can be switched on, each with the name that a reader sees."""


class SceneError(ValueError):
    """A scene that cannot be: one line that names the fault."""


@dataclass(frozen=True)
class Scene:
    """Shapes, the pair that is looked at, a motion, the layers that are on, and words about it."""

    shapes: tuple[ConvexShape, ...] = ()
    pair: tuple[int, int] | None = None
    """Rows of A and B, the two that are looked at."""
    motion: Vec = STILL
    """The translation that A is about to make; zero for none."""
    layers: frozenset[str] = frozenset()
    title: str = ""
    words: str = ""
    """A sentence or two about the scene."""

    def __post_init__(self) -> None:
        if self.pair is not None:
            a, b = self.pair
            if not (0 <= a < len(self.shapes) and 0 <= b < len(self.shapes) and a != b):
                raise SceneError(f"pair = {self.pair} must be two rows of the {len(self.shapes)} shapes")
        if unknown := self.layers - LAYERS.keys():
            raise SceneError(f"there is no layer {sorted(unknown)[0]!r}; there are {', '.join(LAYERS)}")

    @property
    def a(self) -> ConvexShape:
        """The first shape of the pair."""
        return self.shapes[self._chosen()[0]]

    @property
    def b(self) -> ConvexShape:
        """The second shape of the pair."""
        return self.shapes[self._chosen()[1]]

    def _chosen(self) -> tuple[int, int]:
        if self.pair is None:
            raise SceneError("no pair is chosen")
        return self.pair

    @classmethod
    def of(cls, shapes: list[ConvexShape], layers: str = "", motion: Point2 = (0.0, 0.0), **words: str) -> Self:
        """Return a scene whose pair is the first two shapes; `layers` are names with blanks between."""
        pair = (0, 1) if len(shapes) > 1 else None
        return cls(tuple(shapes), pair, Vec(*motion), frozenset(layers.split()), **words)
