"""How two shapes touch: the normal, the depth, and one or two contact points with ids that last while they slide.

In: two shapes that touch or overlap, or sets. Out: a manifold: the unit normal from A towards B, the depth of the
minimum translation vector, and points halfway between the two surfaces with a depth and a feature pair each. World
frame, user's units. `manifold` finds them for one pair, `contact_rows` for sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

from carom._core.jit import kernel
from carom._core.threads import ONE, checked
from carom._core.types import Floats
from carom.narrow.dispatch import WHOLES, has_compound, pair, rows
from carom.narrow.manifold import manifold
from carom.narrow.rows.contact import ContactColumns, contact_rows
from carom.narrow.rows.vertex_ids import own, own_columns
from carom.narrow.signed_distance import settle
from carom.shapes.basic import Shape
from carom.shapes.compound import Compound
from carom.shapes.set import Shapes
from carom.vector import Vec, new

# A manifold, its two points written out.
Flat = tuple[float, float, float, bool, int, float, float, float, int, int, float, float, float, int, int]


@kernel
def _manifold_of_pair(a: Floats, b: Floats) -> Flat:
    separation, nx, ny, undecided, count, first, second = manifold(a, 0, b, 0)
    return separation, nx, ny, undecided, count, *first, *second


class Contact(NamedTuple):
    """How two shapes touch or overlap."""

    normal: Vec
    """Unit vector from A towards B: moving B by ``normal * depth`` makes them just touch."""
    depth: float
    """How deep they overlap; 0 where they merely touch."""
    points: tuple[Vec, ...]
    """One or two points, halfway between the two surfaces."""
    depths: tuple[float, ...]
    """The depth at each point; the largest is `depth` up to rounding."""
    features: tuple[tuple[int, int], ...]
    """For each point what meets there, of A and of B: k for vertex k, -1 - k for the edge that leaves vertex k."""

    @property
    def move_a(self) -> Vec:
        """The least translation of A that parts the two."""
        return -self.normal * self.depth

    @property
    def move_b(self) -> Vec:
        """The least translation of B that parts the two."""
        return self.normal * self.depth

    @property
    def side(self) -> str:
        """The side of A that was met, as the axis nearest to the normal: "+x", "-x", "+y" or "-y"."""
        x, y = self.normal
        if abs(x) >= abs(y):
            return "+x" if x > 0.0 else "-x"
        return "+y" if y > 0.0 else "-y"


@overload
def collide(a: Shape | Compound, b: Shape | Compound, *, threads: int = 1) -> Contact | None: ...


@overload
def collide(a: Shapes, b: Shape | Compound | Shapes, *, threads: int = 1) -> ContactColumns: ...


@overload
def collide(a: Shape | Compound, b: Shapes, *, threads: int = 1) -> ContactColumns: ...


def collide(a: Any, b: Any, *, threads: int = ONE) -> Any:
    """Return how two shapes touch or overlap: normal, depth and contact points.

    Parameters
    ----------
    a, b : Point, Segment, Circle, Capsule, Box, Polygon or Compound, or Shapes
        Sets go row by row: n with n, or n with one.
    threads : int, default 1
        How many threads share the rows of large sets; the answers are the same with any number.

    Returns
    -------
    Contact or None, or ContactColumns for sets
        Named tuple (normal, depth, points, depths, features), with `move_a`, `move_b` and `side`; None where the
        shapes are apart, just as `intersects` tells. For sets `hit` tells which rows do.
        Faces that meet give two points, everything else one.

    Raises
    ------
    TypeError
        If `a` or `b` is no shape.
    ValueError
        If two sets have different numbers of rows.

    Notes
    -----
    The minimum translation vector is the nearest boundary point of the Minkowski difference. Circles at one centre
    are parted along x, since no direction is better than another.

    Examples
    --------
    >>> contact = cm.collide(cm.Box((0, 0), (2, 2)), cm.Box((1.5, 0), (2, 2)))
    >>> contact.normal, contact.depth, contact.move_b
    (Vec(1.0, 0.0), 0.5, Vec(0.5, 0.0))
    >>> contact.points
    (Vec(0.75, 1.0), Vec(0.75, -1.0))
    >>> cm.collide(cm.Circle((0, 0), 1), cm.Circle((5, 0), 1)) is None
    True
    """
    if threads is not ONE:
        checked("collide", threads)
    found = pair("collide", a, b)
    if found is None:
        if has_compound(a, b):
            return WHOLES["collide"](a, b, threads)
        columns = contact_rows(a, b, rows("collide", ("a", "b"), a, b), threads)
        return columns._replace(features=own_columns(a, b, columns.count, columns.features))
    first, second = found
    separation, nx, ny, undecided, count, x0, y0, depth0, a0, b0, x1, y1, depth1, a1, b1 = _manifold_of_pair(
        first, second
    )
    if undecided:
        separation = settle(first, second, separation)
    if separation > 0.0:
        return None
    normal = new(Vec, (nx + 0.0, ny + 0.0))
    point = new(Vec, (x0, y0))
    ids = (own(a, a0), own(b, b0))
    if count == 1:
        return new(Contact, (normal, 0.0 - separation, (point,), (depth0,), (ids,)))
    points, depths = (point, new(Vec, (x1, y1))), (depth0, depth1)
    return new(Contact, (normal, 0.0 - separation, points, depths, (ids, (own(a, a1), own(b, b1)))))
