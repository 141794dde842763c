"""Layers of a scene: lists of items with roles, one list a layer, for any back end.

In: a scene and its facts. Out: items in world coordinates; the Minkowski difference, which has a plane of its own, is a
picture apart. Every number comes from the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from carom.canvas.drawing import Arrow, Dot, Drawing, Item, Line, Outline, Text, outline
from carom.draw.pair.explained import LETTER, around, boxes_of, contacts, extent, name, place_taken, ruler, witnesses
from carom.draw.pair.facts import Facts, partition
from carom.draw.pair.scene import STILL, Scene
from carom.explain.explanation import Explanation
from carom.explain.levels import Level
from carom.shapes.base import ConvexShape
from carom.shapes.basic import Point, Segment
from carom.shapes.bounds import Bounds, bounding_circle, bounds, smallest_box
from carom.shapes.hull import hull
from carom.vector import Point2, Vec


def shapes_of(scene: Scene, facts: Facts, *, plain: bool = False) -> list[Item]:
    """Return all shapes, red where they meet another and green where not, and the letters of the pair.

    `plain` leaves out red and green, which would give the answer away.
    """
    items: list[Item] = []
    names: list[Item] = []
    for row, shape in enumerate(scene.shapes):
        state = "plain" if plain else "meets" if facts.meets[row] else "apart"
        who = "" if scene.pair is None or row not in scene.pair else "ab"[scene.pair.index(row)]
        if isinstance(shape, Segment) and not plain:  # without an area it has no colour of its own
            items.append(Line(f"line {state}", shape.start, shape.end))
        items.append(outline(f"{who} {state}".strip(), shape))
    if facts.why is not None:
        along, reach = facts.why.axis.direction, extent(facts.why)[1]
        pair = ((scene.a, -along, "A"), (scene.b, along, "B"))
        names = [name(one, away, letter, reach, scene.shapes) for one, away, letter in pair]
    return items + names


def level_volumes(level: Level) -> list[Item]:
    """Return the two volumes that a level compares, red where they meet and green where not."""
    role = "volume apart" if level.gap > 0.0 else "volume meets"
    return [outline(role, volume) for volume in level.volumes]


def axis_of(why: Explanation, chosen: int | None) -> int:
    """Return the number of the axis to show: the chosen one, or the one that decides; for a parallel one its like."""
    number = why.deciding if chosen is None else chosen % len(why.axes)
    like = why.axes[number].parallel_to
    return number if like is None else like


def layer(scene: Scene, facts: Facts, which: str, axis: int | None = None) -> list[Item]:
    """Return the items of a layer in the world; `axis` is the separating axis to show, the deciding one if None."""
    if which in VOLUMES:
        return [outline(which, _volume(which, shape)) for shape in scene.shapes if _has(which, shape)]
    if which in ("partition", "tree"):
        return _divided(scene, which)
    why = facts.why
    if why is None:
        return []
    if which == "axes":
        return axis_items(why, axis_of(why, axis))
    if which == "motion":
        return _motion(scene, facts)
    return OF_PAIR[which](why) if which in OF_PAIR else []


BELOW = ("partition", "tree", "circle", "aabb", "obb")
"""Layers that are drawn before the shapes; those of all shapes."""
ABOVE = ("motion", "axes", "closest", "contact", "mtv")
"""Layers that are drawn over the shapes; those of the pair."""


def items_of(
    scene: Scene, facts: Facts, axis: int | None = None, step: Sequence[Item] | None = None, *, plain: bool = False
) -> list[Item]:
    """Return the shapes and all layers that are on, in drawing order; a `step` stands in place of those of the pair."""
    below = [layer(scene, facts, name) for name in BELOW if name in scene.layers]
    above = [layer(scene, facts, name, axis) for name in ABOVE if name in scene.layers] if step is None else [step]
    return [item for items in (*below, shapes_of(scene, facts, plain=plain), *above) for item in items]


def axis_items(why: Explanation, number: int) -> list[Item]:
    """Return a separating axis beside the shapes, with the middles of both projections."""
    return ruler(why, why.axes[number], middles=True)


VOLUMES: dict[str, Callable[[ConvexShape], ConvexShape | Bounds]] = {
    "circle": bounding_circle,
    "aabb": bounds,
    "obb": smallest_box,
}


@lru_cache(maxsize=1024)
def _volume(which: str, shape: ConvexShape) -> ConvexShape | Bounds:
    """Return the volume around a shape, found once while other shapes of the scene change."""
    return VOLUMES[which](shape)


def _has(which: str, shape: ConvexShape) -> bool:
    return which != "obb" or not isinstance(shape, Point | Segment)


def _divided(scene: Scene, which: str) -> list[Item]:
    """Return the cells of the grid, those that hold something tinted, or the tree's boxes; and lines of candidates."""
    found = partition(scene.shapes, which)
    role = "node" if which == "tree" else "cell"
    boxes = zip(found.boxes, found.busy, strict=True)
    items: list[Item] = [outline("busy cell" if busy else role, box) for box, busy in boxes]
    middles = [shape.position for shape in scene.shapes]
    return items + [Line("candidate", middles[i], middles[j]) for i, j in found.candidates]


def _mtv(why: Explanation) -> list[Item]:
    """Return the vector that parts the two, from the contact, and B where it would be then."""
    if why.contact is None or why.contact.depth == 0.0:
        return []
    start = why.b.position
    return [outline("ghost", why.b.translated(why.contact.move_b)), Arrow("mtv", start, start + why.contact.move_b)]


OF_PAIR = {"closest": witnesses, "contact": contacts, "mtv": _mtv}


def _motion(scene: Scene, facts: Facts) -> list[Item]:
    """Return the region that A sweeps, its place at the hit, the hit, and the arrow of the whole motion."""
    if scene.motion == STILL:
        return []
    mover, start = scene.a, scene.a.position
    passed, way = swept(mover, scene.motion), Arrow("motion", start, start + scene.motion)
    if facts.strike is None:
        return [passed, outline("ghost", mover.translated(scene.motion)), way]
    hit = facts.strike.hit
    reach = extent(facts.why)[1] if facts.why is not None else scene.motion.length
    normal = Arrow("normal", hit.point, hit.point + hit.normal * (0.35 * reach))
    there = outline("impact", mover.translated(scene.motion * hit.fraction))
    return [passed, there, way, normal, Dot("contact", hit.point)]


def swept(shape: ConvexShape, translation: Vec) -> Item:
    """Return the outline of all that a shape covers while it moves along a straight line."""
    points = [*shape.vertices, *(vertex + translation for vertex in shape.vertices)]
    try:
        around: Sequence[Point2] = hull(points).vertices
    except ValueError:  # no area: a point or segment that moves along its own line
        around = min(points), max(points)
    return Outline("swept", tuple(around), shape.radius)


def minkowski(why: Explanation) -> Drawing:
    """Return the difference A - B with the origin in its plane, and the way from there to the nearest boundary."""
    points, radius = why.difference
    role = "apart" if why.verdict == "apart" else "meets"
    nearest = why.closest.point_a - why.closest.point_b
    low_x, low_y, high_x, high_y = around([Bounds(0.0, 0.0, 0.0, 0.0), *boxes_of(Outline(role, points, radius))])
    half = 0.56 * max(high_x - low_x, high_y - low_y) or 1.0
    x, y = low_x + (high_x - low_x) / 2.0, low_y + (high_y - low_y) / 2.0
    window = Bounds(x - 1.6 * half, y - half, x + 1.6 * half, y + half)
    shape = Outline(role, points, radius) if len(points) > 1 or radius > 0.0 else Dot(role, points[0])
    items: list[Item] = [
        Line("compass", (window.min_x, 0.0), (window.max_x, 0.0)),
        Line("compass", (0.0, window.min_y), (0.0, window.max_y)),
        shape,
    ]
    if nearest != (0.0, 0.0):
        items.append(Arrow("mtv" if why.separation < 0.0 else "normal", (0.0, 0.0), nearest))
    items += [Dot("origin", (0.0, 0.0)), Text("label", (0.04 * half, -0.12 * half), "origin", "start")]
    return Drawing(tuple(items), window)


def window_of(scene: Scene, facts: Facts, axes: Sequence[int] = ()) -> Bounds:
    """Return a window that shows all that is drawn of a scene, and of these axes, with a margin."""
    items = items_of(scene, facts)
    if facts.why is not None:
        items += [item for number in axes for item in axis_items(facts.why, number)]
    boxes = [box for item in items for box in boxes_of(item)]
    if not boxes:
        return Bounds(-4.0, -3.0, 4.0, 3.0)
    whole = around(boxes)
    farthest = max(map(abs, whole))
    for _ in range(3):  # the words' size is a share of the window's
        side = _side(whole, farthest) or 1.0
        whole = around([*boxes, *(place_taken(item, LETTER * side) for item in items if isinstance(item, Text))])
    margin = 0.05 * _side(whole, farthest) or 1.0
    return Bounds(whole.min_x - margin, whole.min_y - margin, whole.max_x + margin, whole.max_y + margin)


def _side(box: Bounds, farthest: float) -> float:
    """Return the longer side of a box, or the least length that can be drawn so far from the origin."""
    return max(box.max_x - box.min_x, box.max_y - box.min_y, 1e-13 * farthest)
