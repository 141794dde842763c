"""Scenes to open by name: the tutorials' drawings, the flaws of their games, and pairs that are hard for arithmetic.

In: a name. Out: a scene with words about it. y points up here, as in a classroom; units are free. A scene is data: a
heading, words, and a line for each shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from carom.explain.command import read_shape
from carom.narrow.verbs import cast, separation
from carom.playground_app.notation import from_text
from carom.playground_app.scene import Scene, SceneError
from carom.shapes.base import Shape
from carom.shapes.basic import Capsule, Circle, Polygon
from carom.shapes.box import Box

# Of each scene a heading, name | title | layers | motion of A | pair, the last two only where they are not zero and the
# first two shapes; words, with numbers of `_NUMBERS` in braces; and, indented, shapes as `carom explain` takes them,
# or, where corners count to the last bit, as a scene's file has them.
_SCENES = """
* demo | Shapes of every kind | axes
Drag a shape. Red shapes meet another, green ones do not. Click two shapes to compare them.
    box -1.2 0.6  2.4 1.4  20deg
    polygon -0.1 -0.4  1.5 -0.9  2.1 0.5  1.0 1.5  -0.2 0.9
    circle -2.6 -1.6  0.8
    capsule 2.6 1.6  3.9 2.2  0.4
    box 3.4 -1.3  1.5 1.0
    segment -4.0 1.8  -2.6 2.4
    point -0.4 -1.8
* proxy | Proxy shapes, and how they do not fit | circle aabb obb
A circle, an AABB and the smallest OBB around each shape. They meet long before the shapes do.
    polygon -2.6 -1.1  -1.9 -1.3  2.2 1.0  1.6 1.3
    polygon -1.5 1.5  -0.3 0.9  -0.6 2.2
* clamp | Clamp: a circle and an AABB | closest
The circle's centre, each coordinate clamped to the box, is the point of the box that is closest to it. They meet if it
is no farther away than the radius.
    box 0 0  4 3
    circle 2.9 2.4  1.0
* penetration | Penetration and direction | mtv contact
How deep the ball is in the brick, and which side of it was met: the compass direction nearest to the normal. Moving the
ball by the MTV parts them.
    box 0 0  4 2
    circle 2.6 0.3  1.0
* four-sides | Four boxes for four sides | mtv contact
Four AABBs, one at each side of A. Click each: the normal of the contact names the side.
    box 0 0  3 2
    box 2.3 0.2  2 1
    box -2.3 -0.1  2 1
    box 0.2 1.5  1 1.4
    box -0.3 -1.5  1 1.4
* bottom | The bottom edge |
The field is open below. The ball is lost when it no longer meets the field, not when it begins to leave it.
    box 0 0  6 4
    circle 0.8 -1.9  0.4
* vectors | Vectors and shadows |
B and its shadow on A: the dot product with A, divided by A's length.
    segment 0 0  4 0
    segment 0 0  3 2
    segment 3 0  3 2
* bounding-circles | Bounding circles | circle
What lies in circles that are apart is apart: one comparison, and nothing else need be asked.
    polygon -3 -1  -1 -0.6  -1.6 1.2
    box 1.6 0.2  2 1  0.5
* aabb | Boxes along the axes | aabb
The box along the axes around each shape: a gap in x or in y is enough to tell them apart.
    polygon -2.2 -0.9  -0.6 -1.2  -0.9 0.8
    polygon -0.4 0.2  1.4 -0.1  0.9 1.5
* obb | Oriented boxes | aabb obb
The boxes along the axes overlap; the smallest boxes, turned as the shapes are, do not.
    polygon -2 -0.8  -1.6 -1.1  2 0.7  1.7 1.1
    polygon -1.4 0.5  -0.5 0.9  -0.9 1.6  -1.6 1.3
* convex-parts | Convex parts |
An arrow head with a dent, cut into two convex parts. They touch each other; the ball lies in the dent.
    polygon 0 0  4 -2  3 0
    polygon 0 0  3 0  4 2
    circle 4 0  0.5
* half-extents | Centres and half extents | axes
Along an axis, the distance of the centres against the sum of the half extents projected on it.
    box -1.1 0  2.0 1.4
    box 1.2 0.5  2.0 1.2  30deg
* sat-boxes | Separating axes of two boxes | axes
Two turned boxes have four directions to try. One axis with a gap is enough: they are apart.
    box -1.3 -0.2  2.4 1.4  -15deg
    box 1.05 0.71  2.0 1.3  35deg
* sat-polygons | Separating axes of two polygons | axes mtv
Every edge of both polygons gives an axis. No axis has a gap, so they overlap; the least overlap is the MTV.
    polygon -2.4 -0.8  -0.6 -1.2  0.5 -0.1  -0.7 1.2  -2.1 0.9
    polygon -0.3 0.1  1.5 -0.7  2.1 0.8  0.6 1.6
* minkowski | The Minkowski difference | minkowski mtv
All differences of a point of A and a point of B. A and B meet just when the origin is one of them.
    polygon -2.0 -0.8  -0.4 -0.6  -1.1 1.0
    box -0.2 0.2  1.5 1.0
* tunnelling | Tunnelling | motion | 8 0.3
Tested only before and after the step, ball and wall are {before:.4g} and {after:.4g} apart: the ball is through the
wall and nobody saw it. The swept test did.
    circle -4 0.2  0.3
    box 0 0  0.15 4
* double-hit | Double hit | motion | 0 4.5 | 0 2
A ball meets the seam of two flush bricks, both at one instant. Turned round for each of them, its motion (0, 4.5)
becomes (0, -4.5) and then (0, 4.5) again: it goes on into the bricks. The hit has one normal, and turns it once.
    circle 0 -3  0.4
    box -3 0.5  2 1
    box -1 0.5  2 1
    box 1 0.5  2 1
    box 3 0.5  2 1
* corner | Corner | motion | 3 2.6
The normal at a corner points from the corner to the ball's centre. With the nearest compass point, left, in its place
the ball would leave along ({back:.3g}, {way.y:.3g}); it leaves along ({true.x:.3g}, {true.y:.3g}).
    circle -2.4 -1.9  0.7
    box 1.5 1  3 2
* sticky-paddle | Sticky paddle | mtv contact closest
The paddle has run into the ball, {depth:.3g} deep. At 0.1 a frame the ball needs {frames} frames to get out; turned
round in each frame in which they overlap, it goes 0.1 up, 0.1 down, for ever. The MTV takes it out at once, and only a
ball that approaches is turned.
    box 0 0  4 0.8
    circle 1.75 0.35  0.5
* aabb-formula | The AABB formula | aabb
The AABB formula with its signs reversed asks whether each box begins behind the end of the other: never true of two
valid boxes. In x: {a.lower.x:g} >= {b.upper.x:g} and {b.lower.x:g} >= {a.upper.x:g}: no. It must ask whether each
begins before the other ends: {a.lower.x:g} <= {b.upper.x:g} and {b.lower.x:g} <= {a.upper.x:g}: yes.
    Box.from_corners((-2, -1), (0.5, 1))
    Box.from_corners((-0.4, -0.4), (2, 1.6))
* touching-circles | When r_a + r_b = r | closest
Distance 3, radii 1 and 2: r_a + r_b = r. Shapes are closed, so touching is meeting. Separation is exactly 0.
    circle -1.5 0  1
    circle 1.5 0  2
* repeated-vertex | A repeated vertex | axes
The triangle was given with one corner twice. An edge of no length has no normal: divided by its length, all that
follows is NaN. Carom drops the second one and keeps the numbers of the others.
    polygon -2 -1  0 -1  0 -1  -0.8 1
    box 0.9 0.3  1.6 1.0
* needle | Needle | axes closest
A needle 6,000 times as long as it is wide, and a circle that misses it by a hair.
    polygon -3 0  3 0.0004  -3 0.001
    circle 1.0 1.0  0.99935
* one-ulp | One ulp apart | closest
The gap is 2.2e-16, the smallest there can be beside 1. They are apart, and every verb says so.
    Box.from_corners((-1, 0), (1, 1.5))
    Box.from_corners((1.0000000000000002, 0.2), (3, 1.2))
* far-away | Far from the origin | closest contact
Two flush tiles, ten million units from the origin. They touch: separation exactly 0.
    Box.from_corners((10000000, 10000000), (10000002, 10000001))
    Box.from_corners((10000002, 10000000), (10000003, 10000001))
* nearly-parallel | Nearly parallel | contact mtv
The edges are a millionth of a radian from parallel. The normal stays that of a face, and does not jump.
    box 0 0  4 1
    box 0.5 0.98  3 1  1e-6
"""


def _corner(scene: Scene) -> dict[str, Any]:
    """Return the way of the ball, and the way on which it leaves the corner."""
    way, hit = scene.motion, cast(scene.a, scene.b, scene.motion)
    assert hit is not None
    return {"back": -way.x, "way": way, "true": way - 2.0 * way.dot(hit.normal) * hit.normal}


def _sticky(scene: Scene) -> dict[str, Any]:
    """Return how deep the ball is in the paddle, and how many frames it needs to get out."""
    depth = -separation(scene.a, scene.b)
    return {"depth": depth, "frames": math.ceil(depth / 0.1)}


_NUMBERS: dict[str, Callable[[Scene], dict[str, Any]]] = {
    "tunnelling": lambda scene: {
        "before": separation(scene.a, scene.b),
        "after": separation(scene.a.translated(scene.motion), scene.b),
    },
    "corner": _corner,
    "sticky-paddle": _sticky,
    "aabb-formula": lambda scene: {"a": scene.a, "b": scene.b},
}


_ENTRIES = {entry.partition(" |")[0]: entry for entry in _SCENES.split("\n* ")[1:]}


def _made(name: str) -> Scene:
    """Return the scene of an entry."""
    heading, *lines = _ENTRIES[name].splitlines()
    _, title, layers, motion, pair = (part.strip() for part in f"{heading}||".split("|")[:5])
    listed = [line.strip() for line in lines if line.startswith(" ")]
    shapes = [from_text(line) if "(" in line else read_shape(line) for line in listed]
    x, y = map(float, motion.split() or (0.0, 0.0))
    scene = Scene.of(shapes, layers, (x, y), title=title)
    if pair:
        first, second = map(int, pair.split())
        scene = replace(scene, pair=(first, second))
    words = " ".join(line for line in lines if not line.startswith(" "))
    return replace(scene, words=words.format(**_NUMBERS[name](scene)) if name in _NUMBERS else words)


CROWD = "A crowd"


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
    return Scene.of(shapes, "partition", title=CROWD, words=words)


GALLERY: dict[str, Callable[[], Scene]] = {name: partial(_made, name) for name in _ENTRIES} | {"crowd": _crowd}
"""The maker of each scene: none is made before it is asked for."""
TITLES = [*(entry.split("|")[1].strip() for entry in _ENTRIES.values()), CROWD]
"""The titles of the scenes, in the same order."""


def named(name: str) -> Scene:
    """Return the scene of a name, or raise a `SceneError` that suggests one."""
    if name not in GALLERY:
        near = get_close_matches(name, GALLERY, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GALLERY)}"
        raise SceneError(f"there is no scene {name!r}; {hint}")
    return GALLERY[name]()
