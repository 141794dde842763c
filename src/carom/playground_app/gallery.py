"""Scenes to open by name: what the tutorials draw, what goes wrong in them, and pairs that are hard for arithmetic.

In: a name. Out: a scene with words about it. y points up here, as in a classroom; units are free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from difflib import get_close_matches

from carom.narrow.cast import cast
from carom.narrow.separation import separation
from carom.playground_app.scene import Scene, SceneError
from carom.shapes.base import Shape
from carom.shapes.basic import Capsule, Circle, Point, Polygon, Segment
from carom.shapes.box import Box
from carom.vector import Vec


def named(name: str) -> Scene:
    """Return the scene of a name, or raise a `SceneError` that suggests one."""
    if name not in GALLERY:
        near = get_close_matches(name, GALLERY, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GALLERY)}"
        raise SceneError(f"there is no scene {name!r}; {hint}")
    return GALLERY[name]()


def _demo() -> Scene:
    shapes: list[Shape] = [
        Box((-1.2, 0.6), (2.4, 1.4), math.radians(20.0)),
        Polygon([(-0.1, -0.4), (1.5, -0.9), (2.1, 0.5), (1.0, 1.5), (-0.2, 0.9)]),
        Circle((-2.6, -1.6), 0.8),
        Capsule((2.6, 1.6), (3.9, 2.2), 0.4),
        Box((3.4, -1.3), (1.5, 1.0)),
        Segment((-4.0, 1.8), (-2.6, 2.4)),
        Point((-0.4, -1.8)),
    ]
    words = "Drag a shape. Red shapes meet another, green ones do not. Click two shapes to compare them."
    return Scene.of(shapes, "axes", title="Shapes of every kind", words=words)


def _proxy() -> Scene:
    shapes: list[Shape] = [
        Polygon([(-2.6, -1.1), (-1.9, -1.3), (2.2, 1.0), (1.6, 1.3)]),
        Polygon([(-1.5, 1.5), (-0.3, 0.9), (-0.6, 2.2)]),
    ]
    words = "A circle, an AABB and the smallest OBB around each shape. They meet long before the shapes do."
    return Scene.of(shapes, "circle aabb obb", title="Proxy shapes, and how they do not fit", words=words)


def _clamp() -> Scene:
    words = (
        "The circle's centre, each coordinate clamped to the box, is the point of the box that is closest to it. "
        "They meet if it is no farther away than the radius."
    )
    shapes: list[Shape] = [Box((0, 0), (4, 3)), Circle((2.9, 2.4), 1.0)]
    return Scene.of(shapes, "closest", title="Clamp: a circle and an AABB", words=words)


def _penetration() -> Scene:
    words = (
        "How deep the ball is in the brick, and which side of it was met: the compass direction nearest to the normal. "
        "Moving the ball by the MTV parts them."
    )
    shapes: list[Shape] = [Box((0, 0), (4, 2)), Circle((2.6, 0.3), 1.0)]
    return Scene.of(shapes, "mtv contact", title="Penetration and direction", words=words)


def _sides() -> Scene:
    shapes: list[Shape] = [
        Box((0, 0), (3, 2)),
        Box((2.3, 0.2), (2, 1)),
        Box((-2.3, -0.1), (2, 1)),
        Box((0.2, 1.5), (1, 1.4)),
        Box((-0.3, -1.5), (1, 1.4)),
    ]
    words = "Four AABBs, one at each side of A. Click each: the normal of the contact names the side."
    return Scene.of(shapes, "mtv contact", title="Four boxes for four sides", words=words)


def _sat_boxes() -> Scene:
    shapes: list[Shape] = [
        Box((-1.3, -0.2), (2.4, 1.4), math.radians(-15.0)),
        Box((1.05, 0.71), (2.0, 1.3), math.radians(35.0)),
    ]
    words = "Two turned boxes have four directions to try. One axis with a gap is enough: they are apart."
    return Scene.of(shapes, "axes", title="Separating axes of two boxes", words=words)


def _sat_polygons() -> Scene:
    shapes: list[Shape] = [
        Polygon([(-2.4, -0.8), (-0.6, -1.2), (0.5, -0.1), (-0.7, 1.2), (-2.1, 0.9)]),
        Polygon([(-0.3, 0.1), (1.5, -0.7), (2.1, 0.8), (0.6, 1.6)]),
    ]
    words = (
        "Every edge of both polygons gives an axis. No axis has a gap, so they overlap; the least overlap is the MTV."
    )
    return Scene.of(shapes, "axes mtv", title="Separating axes of two polygons", words=words)


def _half_extents() -> Scene:
    shapes: list[Shape] = [Box((-1.1, 0), (2.0, 1.4)), Box((1.2, 0.5), (2.0, 1.2), math.radians(30.0))]
    words = "Along an axis, the distance of the centres against the sum of the half extents projected on it."
    return Scene.of(shapes, "axes", title="Centres and half extents", words=words)


def _difference() -> Scene:
    shapes: list[Shape] = [Polygon([(-2.0, -0.8), (-0.4, -0.6), (-1.1, 1.0)]), Box((-0.2, 0.2), (1.5, 1.0))]
    words = "All differences of a point of A and a point of B. A and B meet just when the origin is one of them."
    return Scene.of(shapes, "minkowski mtv", title="The Minkowski difference", words=words)


def _tunnelling() -> Scene:
    ball, wall, way = Circle((-4, 0.2), 0.3), Box((0, 0), (0.15, 4)), (8.0, 0.3)
    before, after = separation(ball, wall), separation(ball.translated(way), wall)
    words = (
        f"Tested only before and after the step, ball and wall are {before:.4g} and {after:.4g} apart: the ball is "
        "through the wall and nobody saw it. The swept test did."
    )
    return Scene.of([ball, wall], "motion", way, title="Tunnelling", words=words)


def _bottom() -> Scene:
    shapes: list[Shape] = [Box((0, 0), (6, 4)), Circle((0.8, -1.9), 0.4)]
    words = (
        "The field is open below. The ball is lost when it no longer meets the field, not when it begins to leave it."
    )
    return Scene.of(shapes, "", title="The bottom edge", words=words)


def _vectors() -> Scene:
    shapes: list[Shape] = [Segment((0, 0), (4, 0)), Segment((0, 0), (3, 2)), Segment((3, 0), (3, 2))]
    words = "B and its shadow on A: the dot product with A, divided by A's length."
    return Scene.of(shapes, "", title="Vectors and shadows", words=words)


def _circles() -> Scene:
    shapes: list[Shape] = [
        Polygon([(-3, -1), (-1, -0.6), (-1.6, 1.2)]),
        Box((1.6, 0.2), (2, 1), 0.5),
    ]
    words = "What lies in circles that are apart is apart: one comparison, and nothing else need be asked."
    return Scene.of(shapes, "circle", title="Bounding circles", words=words)


def _boxes_along_axes() -> Scene:
    shapes: list[Shape] = [
        Polygon([(-2.2, -0.9), (-0.6, -1.2), (-0.9, 0.8)]),
        Polygon([(-0.4, 0.2), (1.4, -0.1), (0.9, 1.5)]),
    ]
    words = "The box along the axes around each shape: a gap in x or in y is enough to tell them apart."
    return Scene.of(shapes, "aabb", title="Boxes along the axes", words=words)


def _turned_boxes() -> Scene:
    shapes: list[Shape] = [
        Polygon([(-2, -0.8), (-1.6, -1.1), (2, 0.7), (1.7, 1.1)]),
        Polygon([(-1.4, 0.5), (-0.5, 0.9), (-0.9, 1.6), (-1.6, 1.3)]),
    ]
    words = "The boxes along the axes overlap; the smallest boxes, turned as the shapes are, do not."
    return Scene.of(shapes, "aabb obb", title="Oriented boxes", words=words)


def _convex_parts() -> Scene:
    lower, upper = Polygon([(0, 0), (4, -2), (3, 0)]), Polygon([(0, 0), (3, 0), (4, 2)])
    shapes: list[Shape] = [lower, upper, Circle((4.0, 0.0), 0.5)]
    words = "An arrow head with a dent, cut into two convex parts. They touch each other; the ball lies in the dent."
    return Scene.of(shapes, "", title="Convex parts", words=words)


def _double_hit() -> Scene:
    bricks: list[Shape] = [Box.from_corners((k, 0), (k + 2, 1)) for k in (-4, -2, 0, 2)]
    words = (
        "A ball meets the seam of two flush bricks, both at one instant. Turned round for each of them, its motion "
        "(0, 4.5) becomes (0, -4.5) and then (0, 4.5) again: it goes on into the bricks. The hit has one normal, and "
        "turns it once."
    )
    shapes = [Circle((0.0, -3.0), 0.4), *bricks]
    return Scene(tuple(shapes), (0, 2), Vec(0.0, 4.5), frozenset({"motion"}), "Double hit", words)


def _corner() -> Scene:
    ball, brick, way = Circle((-2.4, -1.9), 0.7), Box.from_corners((0, 0), (3, 2)), Vec(3.0, 2.6)
    hit = cast(ball, brick, way)
    assert hit is not None
    true = way - 2.0 * way.dot(hit.normal) * hit.normal
    words = (
        "The normal at a corner points from the corner to the ball's centre. With the nearest compass point, left, in "
        f"its place the ball would leave along ({-way.x:.3g}, {way.y:.3g}); it leaves along ({true.x:.3g}, "
        f"{true.y:.3g})."
    )
    return Scene.of([ball, brick], "motion", way, title="Corner", words=words)


def _sticky_paddle() -> Scene:
    paddle, ball = Box((0, 0), (4, 0.8)), Circle((1.75, 0.35), 0.5)
    depth = -separation(paddle, ball)
    words = (
        f"The paddle has run into the ball, {depth:.3g} deep. At 0.1 a frame the ball needs {math.ceil(depth / 0.1)} "
        "frames to get out; turned round in each frame in which they overlap, it goes 0.1 up, 0.1 down, for ever. The "
        "MTV takes it out at once, and only a ball that approaches is turned."
    )
    return Scene.of([paddle, ball], "mtv contact closest", title="Sticky paddle", words=words)


def _aabb_formula() -> Scene:
    a, b = Box.from_corners((-2, -1), (0.5, 1)), Box.from_corners((-0.4, -0.4), (2, 1.6))
    words = (
        "The AABB formula with its signs reversed asks whether each box begins behind the end of the other: never true "
        f"of two valid boxes. In x: {a.lower.x:g} >= {b.upper.x:g} and {b.lower.x:g} >= {a.upper.x:g}: no. It must "
        f"ask whether each begins before the other ends: {a.lower.x:g} <= {b.upper.x:g} and "
        f"{b.lower.x:g} <= {a.upper.x:g}: yes."
    )
    return Scene.of([a, b], "aabb", title="The AABB formula", words=words)


def _touching_circles() -> Scene:
    shapes: list[Shape] = [Circle((-1.5, 0), 1.0), Circle((1.5, 0), 2.0)]
    words = (
        "Distance 3, radii 1 and 2: r_a + r_b = r. Shapes are closed, so touching is meeting. Separation is exactly 0."
    )
    return Scene.of(shapes, "closest", title="When r_a + r_b = r", words=words)


def _repeated_vertex() -> Scene:
    shapes: list[Shape] = [Polygon([(-2, -1), (0, -1), (0, -1), (-0.8, 1)]), Box((0.9, 0.3), (1.6, 1.0))]
    words = (
        "The triangle was given with one corner twice. An edge of no length has no normal: divided by its length, all "
        "that follows is NaN. Carom drops the second one and keeps the numbers of the others."
    )
    return Scene.of(shapes, "axes", title="A repeated vertex", words=words)


def _needle() -> Scene:
    shapes: list[Shape] = [Polygon([(-3, 0), (3, 0.0004), (-3, 0.001)]), Circle((1.0, 1.0), 0.99935)]
    words = "A needle 6,000 times as long as it is wide, and a circle that misses it by a hair."
    return Scene.of(shapes, "axes closest", title="Needle", words=words)


def _one_ulp() -> Scene:
    shapes: list[Shape] = [
        Box.from_corners((-1, 0), (1, 1.5)),
        Box.from_corners((math.nextafter(1.0, 2.0), 0.2), (3, 1.2)),
    ]
    words = "The gap is 2.2e-16, the smallest there can be beside 1. They are apart, and every verb says so."
    return Scene.of(shapes, "closest", title="One ulp apart", words=words)


def _far_away() -> Scene:
    far = 1e7
    shapes: list[Shape] = [
        Box.from_corners((far, far), (far + 2, far + 1)),
        Box.from_corners((far + 2, far), (far + 3, far + 1)),
    ]
    words = "Two flush tiles, ten million units from the origin. They touch: separation exactly 0."
    return Scene.of(shapes, "closest contact", title="Far from the origin", words=words)


def _nearly_parallel() -> Scene:
    shapes: list[Shape] = [Box((0, 0), (4, 1)), Box((0.5, 0.98), (3, 1), 1e-6)]
    words = "The edges are a millionth of a radian from parallel. The normal stays that of a face, and does not jump."
    return Scene.of(shapes, "contact mtv", title="Nearly parallel", words=words)


def _crowd() -> Scene:
    shapes: list[Shape] = []
    for k in range(30):
        # A low-discrepancy sequence (R. Kronecker): spread evenly, and the same on every machine.
        x, y = 12.0 * ((0.5 + k * 0.7548776662466927) % 1.0), 8.0 * ((0.5 + k * 0.5698402909980532) % 1.0)
        size, turn = 0.45 + 0.4 * ((k * 0.618) % 1.0), k * 0.7
        kind = k % 5
        if kind == 0:
            shapes.append(Circle((x, y), size))
        elif kind == 1:
            shapes.append(Box((x, y), (2.0 * size, 1.2 * size)))
        elif kind == 2:
            shapes.append(Box((x, y), (2.2 * size, size), turn))
        elif kind == 3:
            turns = [turn + math.tau * j / 3 for j in range(3)]
            shapes.append(Polygon([(x + size * math.cos(t), y + size * math.sin(t)) for t in turns]))
        else:
            dx, dy = size * math.cos(turn), size * math.sin(turn)
            shapes.append(Capsule((x - dx, y - dy), (x + dx, y + dy), 0.3 * size))
    words = "Thirty shapes make 435 pairs. The partition leaves a few candidates, and cheap volumes most of the rest."
    return Scene.of(shapes, "partition", title="A crowd", words=words)


GALLERY: dict[str, Callable[[], Scene]] = {
    "demo": _demo,
    "proxy": _proxy,
    "clamp": _clamp,
    "penetration": _penetration,
    "four-sides": _sides,
    "bottom": _bottom,
    "vectors": _vectors,
    "bounding-circles": _circles,
    "aabb": _boxes_along_axes,
    "obb": _turned_boxes,
    "convex-parts": _convex_parts,
    "half-extents": _half_extents,
    "sat-boxes": _sat_boxes,
    "sat-polygons": _sat_polygons,
    "minkowski": _difference,
    "tunnelling": _tunnelling,
    "double-hit": _double_hit,
    "corner": _corner,
    "sticky-paddle": _sticky_paddle,
    "aabb-formula": _aabb_formula,
    "touching-circles": _touching_circles,
    "repeated-vertex": _repeated_vertex,
    "needle": _needle,
    "one-ulp": _one_ulp,
    "far-away": _far_away,
    "nearly-parallel": _nearly_parallel,
    "crowd": _crowd,
}
