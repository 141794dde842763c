"""The pictures of an explanation: the scene with the deciding axis, and every axis with both projections in strips.

In: findings. Out: two pictures. The scene is in world coordinates; the strips have coordinates of their own, all to
one scale, and show no number that the findings do not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from carom.canvas.drawing import Arrow, Dot, Drawing, Item, Line, Merged, Outline, Text, outline
from carom.explain.axes import Axis, Interval
from carom.explain.explanation import CompoundExplanation, Explanation
from carom.explain.findings import Answer
from carom.explain.levels import parts_of
from carom.explain.numbers import show_gap
from carom.explain.report import largest_gaps
from carom.narrow.verbs import separation
from carom.shapes.base import ConvexShape
from carom.shapes.basic import Point
from carom.shapes.bounds import Bounds, bounds
from carom.vector import Point2, Vec

DIGITS = 4
ROWS = 8  # of strips; more could not be read
MOST_NUMBERED = 40  # parts of one body
LETTER = 0.02  # width of a letter beside the axis, as a share of the scene's

# Of the strips, in hundredths of their height: where intervals have their middle, how far they go, where a row ends.
MIDDLE, WIDE, LAST = 55.0, 36.0, 108.0
BRIEF_MIDDLE, BRIEF_WIDE = 37.0, 54.0  # where no sources stand before them
TITLE = 83.0  # the title stands above this height


def pictures_of(why: Explanation | CompoundExplanation) -> list[Drawing]:
    """Return both pictures of an explanation: the scene with the deciding axis, and a strip for each axis."""
    return [scene(why, ruler(why, why.axis)), strips(why)]


def scene(why: Answer, beside: Sequence[Item] = ()) -> Drawing:
    """Return the shapes, a letter for each at its far end along the deciding axis, items beside them, where they meet.

    Of a body of several parts those that decide have colours; all are numbered, unless they are too many.
    """
    along, reach = why.axis.direction, extent(why)[1]
    state = "apart" if why.verdict == "apart" else "meets"
    items: list[Item] = []
    numbers: list[Text] = []
    marks = [item.at for item in meeting(why) if isinstance(item, Dot)]
    beside = list(beside)
    every = [*parts_of(why.a), *parts_of(why.b)]
    for which, (letter, whole, other, away) in enumerate((("a", why.a, why.b, -along), ("b", why.b, why.a, along))):
        parts, lit = parts_of(whole), {pair[which] for pair in why.pairs}
        items += [outline(f"{letter} {state}" if k in lit else f"{letter} plain", part) for k, part in enumerate(parts)]
        if len(parts) > 1:
            numbered = range(len(parts)) if len(parts) <= MOST_NUMBERED else sorted(lit)
            for k in numbered:
                taken = [*marks, *(item.at for item in numbers)]
                place = _free_place(parts[k], taken, parts_of(other), reach)
                numbers.append(Text("strong" if k in lit else "small", place, str(k)))
        outermost = max(parts, key=lambda part: part.radius + max(map(away.dot, part.vertices)))
        beside.append(name(outermost, away, letter.upper(), reach, every))
    boxes = [bounds(why.a), bounds(why.b)]
    if why.levels[-1].name in ("bounding circle", "AABB", "OBB"):
        volumes = [outline("volume", volume) for volume in why.levels[-1].volumes]
        boxes += [box for volume in volumes for box in boxes_of(volume)]
        items += volumes
    items += [*beside, *meeting(why), *numbers]
    return Drawing(tuple(items), _window(boxes, beside))


def _free_place(part: ConvexShape, taken: Sequence[Point2], others: Sequence[ConvexShape], reach: float) -> Vec:
    """Return a place in a part for its number: its middle or, where that is not free, one towards a corner."""
    middle = part.position
    places = [middle + (corner - middle) * share for share in (0.0, 0.3, 0.6) for corner in part.vertices]

    def room(place: Vec) -> float:
        return min(
            0.08 * reach,
            *((place - Vec(*at)).length for at in taken),
            *(separation(Point(place), other) for other in others),
        )

    return max(places, key=room)


def extent(why: Answer) -> tuple[Vec, float]:
    """Return the middle of both shapes and how far they reach from it."""
    low_x, low_y, high_x, high_y = around((bounds(why.a), bounds(why.b)))
    middle = Vec(low_x + (high_x - low_x) / 2.0, low_y + (high_y - low_y) / 2.0)
    # Two equal points have no extent; far from zero, less than a few roundings cannot be drawn.
    farthest = max(map(abs, (low_x, low_y, high_x, high_y)))
    return middle, max(Vec(high_x - low_x, high_y - low_y).length / 2.0, 1e-14 * farthest) or 1.0


def around(boxes: Sequence[Bounds]) -> Bounds:
    """Return the box around boxes."""
    low_x, low_y, high_x, high_y = zip(*boxes, strict=True)
    return Bounds(min(low_x), min(low_y), max(high_x), max(high_y))


def boxes_of(item: Item) -> list[Bounds]:
    """Return boxes of the world that hold an item; of words and dots the place where they stand."""
    if isinstance(item, Outline):
        r = item.radius
        return [Bounds(x - r, y - r, x + r, y + r) for x, y in item.points]
    if isinstance(item, Merged):
        return [box for part in item.parts for box in boxes_of(part)]
    if isinstance(item, Line | Arrow):
        return [Bounds(*item.start, *item.start), Bounds(*item.end, *item.end)]
    return [Bounds(*item.at, *item.at)]


def _window(boxes: list[Bounds], beside: list[Item]) -> Bounds:
    """Return a square around all, with a margin and room for the words, whose size is a share of the square's."""
    inside = around([*boxes, *(box for item in beside if isinstance(item, Line | Arrow) for box in boxes_of(item))])
    whole, side = inside, 0.0
    for _ in range(4):
        side = 1.06 * max(whole.max_x - whole.min_x, whole.max_y - whole.min_y)
        whole = around([inside, *(place_taken(item, LETTER * side) for item in beside if isinstance(item, Text))])
    x, y = whole.min_x + (whole.max_x - whole.min_x) / 2.0, whole.min_y + (whole.max_y - whole.min_y) / 2.0
    half = max(side, 1.06 * max(whole.max_x - whole.min_x, whole.max_y - whole.min_y)) / 2.0
    return Bounds(x - half, y - half, x + half, y + half)


def place_taken(item: Text, letter: float) -> Bounds:
    """Return the room that words take, from the width of a letter."""
    (x, y), wide = item.at, letter * max(len(item.text), 2)
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[item.align] * wide
    return Bounds(left, y - 1.3 * letter, left + wide, y + 1.3 * letter)


def _below(along: Vec) -> Vec:
    """Return the unit vector across an axis to the side where it is laid: downwards, or to the right."""
    return -along.perpendicular if along.x > 0.0 or (along.x == 0.0 and along.y > 0.0) else along.perpendicular


def name(shape: ConvexShape, away: Vec, letter: str, reach: float, shapes: Sequence[ConvexShape]) -> Text:
    """Return the letter of a shape, just beyond the corner that lies farthest along `away`, or where no shape is."""
    side, most = _below(-away if letter == "A" else away), 0.07 * reach
    turns = [k * math.pi / 8.0 * sign for k in range(1, 9) for sign in (1.0, -1.0)]
    best, room = _beyond(shape, away, reach) - side * (0.1 * reach), -math.inf
    for place in (best, *(_beyond(shape, away.rotated(turn), reach) for turn in turns)):
        free = min(most, *(separation(Point(place), other) for other in shapes))
        if free > room:
            best, room = place, free
        if room >= most:
            break
    return Text(f"name {letter.lower()}", best, letter)


def _beyond(shape: ConvexShape, along: Vec, reach: float) -> Vec:
    """Return a place a little farther along a direction than any of a shape."""
    return max(shape.vertices, key=along.dot) + along * (shape.radius + 0.12 * reach)


def ruler(why: Answer, axis: Axis, *, middles: bool = False) -> list[Item]:
    """Return an axis, laid beside the shapes where it is lower, with the interval of each.

    With `middles`, a dot marks the middle of each: from there the half extents go to both sides.
    """
    middle, reach = extent(why)
    along = axis.direction
    across = _below(along)
    base = middle + across * (1.25 * reach)
    zero = along.dot(middle - why.origin)

    def at(value: float, height: float = 0.0) -> Vec:
        return base + along * (value - zero) - across * (height * reach)

    low, high = min(axis.a.low, axis.b.low), max(axis.a.high, axis.b.high)
    items: list[Item] = []
    for shape, covered in zip(why.shadows, (axis.a, axis.b), strict=True):
        for value, sense in ((covered.low, -1.0), (covered.high, 1.0)):
            corner, foot = max(shape.vertices, key=(along * sense).dot), at(value)
            items.append(Line("guide", foot, foot - across * across.dot(foot - corner)))
    items.append(Arrow("axis", at(low - 0.12 * reach), at(high + 0.2 * reach)))
    items += _bars(axis, at, 0.05, 0.03 * reach)
    if middles:
        for letter, covered, side in (("a", axis.a, 0.05), ("b", axis.b, -0.05)):
            items.append(Dot(f"middle {letter}", at(covered.low + (covered.high - covered.low) / 2.0, side)))
    align = "start" if across.x > 0.1 else "end" if across.x < -0.1 else "middle"
    between = axis.a.high + (axis.b.low - axis.a.high) / 2.0
    items.append(Text("strong", at(between, -0.12 if align != "middle" else -0.17), show_gap(axis.gap, DIGITS), align))
    return items


def _bars(axis: Axis, at: Callable[[float, float], Point2], apart: float, least: float) -> list[Item]:
    """Return the intervals of A and B, drawn to both sides of the axis, and the gap or the overlap between.

    An interval shorter than `least` becomes a dot, which can be seen.
    """
    items: list[Item] = []
    for name, covered, side in (("a", axis.a, apart), ("b", axis.b, -apart)):
        start, end = at(covered.low, side), at(covered.high, side)
        long = covered.high - covered.low >= least
        items.append(Line(f"projection {name}", start, end) if long else Dot(f"point {name}", start))
    items.append(Line("gap" if axis.gap > 0.0 else "overlap", at(axis.a.high, 0.0), at(axis.b.low, 0.0)))
    return items


def meeting(why: Answer) -> list[Item]:
    """Return the witness points apart; contact points and the normal where the shapes meet."""
    return witnesses(why) if why.contact is None else contacts(why)


def witnesses(why: Answer) -> list[Item]:
    """Return the two points that realise the separation, and the line between them."""
    near = why.closest
    return [Line("witness", near.point_a, near.point_b), Dot("witness", near.point_a), Dot("witness", near.point_b)]


def contacts(why: Answer) -> list[Item]:
    """Return the contact points, and the normal from the first; nothing where the shapes are apart."""
    if why.contact is None:
        return []
    start = why.contact.points[0]
    arrow = Arrow("normal", start, start + why.contact.normal * (0.45 * extent(why)[1]))
    return [arrow, *(Dot("contact", point) for point in why.contact.points)]


def strips(
    why: Answer, rows: int = ROWS, shown: int | None = None, tallest: float = 13.0, *, brief: bool = False
) -> Drawing:
    """Return the answer and, for each axis with a large gap, a strip: the intervals of A and B, and the gap.

    `rows` is how many strips there are at most, `tallest` their greatest height in hundredths of the picture's; the
    axis of number `shown` is among them, and lies in the band; `brief` ones, for a narrow place, have no sources.
    """
    middle, wide = (BRIEF_MIDDLE, BRIEF_WIDE) if brief else (MIDDLE, WIDE)
    shown = why.deciding if shown is None else shown
    size = f"{abs(why.separation):.{DIGITS}g}"
    title = {"apart": f"A and B are {size} apart", "touch": "A and B touch", "overlap": f"A and B overlap by {size}"}
    items: list[Item] = [
        Text("title", (2.0, 93.0), title[why.verdict], "start"),
        Text("label", (2.0, 86.5), _decided(why), "start"),
        Text("small", (2.0, 79.0), "axis", "start"),
        Text("small", (middle, 79.0), "A above, B below", "middle"),
        Text("small", (LAST, 79.0), "between them", "end"),
    ]
    numbers = largest_gaps(why, rows)
    if shown not in numbers:
        numbers = sorted([*largest_gaps(why, rows - 1), shown])
    scale = wide / (max(_span(axis).high - _span(axis).low for axis in why.axes) or 1.0)
    height = min(tallest, 70.0 / len(numbers))
    for row, k in enumerate(numbers):
        y, half, right = 76.0 - (row + 0.5) * height, 0.47 * height, LAST + 1.0
        if k == shown:
            items.append(Outline("band", ((1.0, y - half), (right, y - half), (right, y + half), (1.0, y + half))))
        items += _strip(why.axes[k], y, scale, middle)
        words = "strong" if k == why.deciding else "label"
        items += [
            Text(words, (2.0, y), str(k), "start"),
            Text(words, (8.0, y), "" if brief else why.axes[k].source, "start"),
            Text(words, (LAST, y), show_gap(why.axes[k].gap, DIGITS), "end"),
        ]
    every = sum(axis.parallel_to is None for axis in why.axes)
    if every > len(numbers):
        rest = f"and {every - len(numbers)} more, with no larger gap"
        items.append(Text("small", (LAST, 79.0 - 3.0 - len(numbers) * height - 2.0), rest, "end"))
    return Drawing(tuple(items), Bounds(0.0, 0.0, LAST + 4.0, 100.0))


def _decided(why: Answer) -> str:
    """Return which level decided, and of bodies of several parts which two parts the strips show."""
    level = f"decided by level {len(why.levels)}: {why.levels[-1].name}"
    if why.levels[-1].name != "parts":
        return level
    return f"{level} {', and '.join(f'{i} of A and {j} of B' for i, j in why.pairs)}"


def without_title(strips: Drawing) -> Drawing:
    """Return the strips alone, seen through a window that ends with the last of them."""
    items = tuple(item for item in strips.items if not (isinstance(item, Text) and item.at[1] > TITLE))
    low = min(item.at[1] for item in items if isinstance(item, Text))
    return Drawing(items, Bounds(0.0, low - 6.0, LAST + 4.0, TITLE))


def _span(axis: Axis) -> Interval:
    return Interval(min(axis.a.low, axis.b.low), max(axis.a.high, axis.b.high))


def _strip(axis: Axis, y: float, scale: float, place: float) -> list[Item]:
    """Return the intervals on an axis, with their middle at a place of the picture."""
    low, high = _span(axis)
    middle = low + (high - low) / 2.0

    def at(value: float, up: float) -> Point2:
        return place + (value - middle) * scale, y + up

    return [Line("axis", at(low, 0.0), at(high, 0.0)), *_bars(axis, at, 1.5, 1.0 / scale)]
