"""The verb that says why two shapes meet or do not.

In: two shapes. Out: the explanation that `explanation` makes of them. World frame, user's units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from carom._core.names import refuse_keywords, told_by_name
from carom.narrow.dispatch import has_compound
from carom.shapes.base import ConvexShape, Shape
from carom.shapes.compound import Compound
from carom.shapes.given import shape_of

if TYPE_CHECKING:
    from carom.explain.explanation import CompoundExplanation, Explanation


@overload
def explain(a: ConvexShape, b: ConvexShape) -> Explanation: ...


@overload
def explain(a: Compound, b: Shape) -> CompoundExplanation: ...


@overload
def explain(a: ConvexShape, b: Compound) -> CompoundExplanation: ...


@overload
def explain(a: Shape, b: Shape) -> Explanation | CompoundExplanation: ...


@told_by_name
def explain(a: Any, b: Any, **unknown: Any) -> Explanation | CompoundExplanation:
    """Explain why two shapes meet or do not.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound

    Returns
    -------
    Explanation, or CompoundExplanation where one is a Compound
        With `levels`, the tests that were tried, cheap volumes first; `axes`, each axis of the separating axis test
        with both projections and the gap; `axis`, the deciding one; `closest`, `contact`, `verdict`, `sentence` and
        `shadow_sentence`. ``print`` shows a table, ``.draw(axes)`` draws with matplotlib, ``.save("sat.svg")`` writes
        a picture. A Compound need not be convex: its `axes` are those of `pair`, the two parts that are nearest to each
        other or, in overlap, the last to come free.

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
    if unknown:
        refuse_keywords("explain", explain, unknown)
    a, b = shape_of("explain", "a", a), shape_of("explain", "b", b)
    # Most programs explain nothing, and all pay for an import: pictures and tables come with the first call.
    from carom.explain.explanation import explanation_of_pair, explanation_of_parts

    return explanation_of_parts(a, b) if has_compound(a, b) else explanation_of_pair(a, b)
