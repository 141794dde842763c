"""The hold of a pointer: handles, shapes under a pixel, dragged shapes, nearer views.

In: a state, the view of it, and pixels. Out: names of what is held, new shapes and new views. The window and the page
have the same hand; a pixel of a large screen is `stroke` of these.
"""

from __future__ import annotations

import math

from carom import ConvexShape, Point, Vec, contains, distance
from carom.draw import View
from carom_playground.edit import corners, scaled, with_corner
from carom_playground.scene import Point2
from carom_playground.state import State

NOTCH = math.radians(5.0)  # a wheel's notch turns so far, with Alt a tenth of it
GROWTH = 1.06
STEM = 46.0  # pixels from the middle of a shape to its handles
REACH = 11.0  # pixels from a handle, or from a thin shape, that still take hold of it
SMALLEST = 0.02  # of its size: to less a shape is not shrunk by one drag
NEW_SIZE = 0.16  # of the height of the field


def handles(state: State, view: View, stroke: float) -> dict[str, Point2]:
    """Return the pixels of the handles: of the selected shape "turn", "scale" or its corners, and "motion"."""
    found: dict[str, Point2] = {}
    shape = state.chosen
    if shape is not None and state.corners:
        found |= {f"corner {k}": view.place(corner) for k, corner in enumerate(corners(shape))}
    elif shape is not None and state.step is None:
        x, y = view.place(shape.position)
        found["turn"] = (x, y - STEM * stroke)
        found["scale"] = (x + STEM * stroke, y)
    if "motion" in state.scene.layers and state.scene.pair is not None:
        found["motion"] = view.place(state.scene.a.position + state.scene.motion)
    return found


def grasp(state: State, view: View, at: Point2, stroke: float, reach: float = REACH) -> str:
    """Return the name of the handle under a pixel, "shape" after selecting one, or "pan"."""
    for name, place in handles(state, view, stroke).items():
        if math.dist(place, at) <= reach * stroke:
            return name
    row = shape_at(state, view.world(at), reach * stroke / view.scale)
    if row is None:
        return "pan"
    state.select(row)
    return "shape"


def shape_at(state: State, at: Point2, reach: float) -> int | None:
    """Return the row of the shape at a point, the selected one first, then those on top; thin ones from near by."""
    rows = [*reversed(range(len(state.scene.shapes)))]
    if state.selected is not None:
        rows = [state.selected, *rows]
    shapes = state.scene.shapes
    inside = next((row for row in rows if contains(shapes[row], at)), None)
    if inside is not None:
        return inside
    return next((row for row in rows if distance(shapes[row], Point(at)) <= reach), None)


def dragged(held: str, shape: ConvexShape, start: Vec, end: Vec) -> ConvexShape:
    """Return the shape that results when one of its handles, or itself, is dragged from one point to another."""
    middle = shape.position
    if held == "shape":
        return shape.translated(end - start)
    if held == "turn":
        return shape.rotated((end - middle).angle - (start - middle).angle)
    if held == "scale":
        return scaled(shape, max((end.x - middle.x) / (start.x - middle.x), SMALLEST))
    return with_corner(shape, int(held.split()[1]), end)


def nearer(view: View, at: Point2, factor: float) -> View:
    """Return a view that shows all larger, with the same point under a pixel."""
    x, y = view.world(at)
    return view._replace(left=float(at[0]), top=float(at[1]), low_x=x, high_y=y, scale=view.scale * factor)


def place_for_new(state: State, view: View, middle: Point2, high: float) -> tuple[Point2, float]:
    """Return where another shape goes, near the middle of a field so high, and how large it is made."""
    count, size = len(state.scene.shapes), NEW_SIZE * high / view.scale
    x, y = view.world(middle)
    return (x + 1.4 * size * (count % 3 - 1), y + 1.2 * size * (count // 3 % 3 - 1)), size


def panned(view: View, before: list[Point2], now: list[Point2]) -> View:
    """Return a view moved with a finger or, with two, also made nearer by as much as these went apart."""
    x, y = view.world(_middle(before))
    left, top = _middle(now)
    factor = math.dist(now[0], now[-1]) / math.dist(before[0], before[-1]) if len(before) > 1 else 1.0
    return view._replace(left=left, top=top, low_x=x, high_y=y, scale=view.scale * factor)


def turned_by_two(shape: ConvexShape, before: list[Vec], now: list[Vec]) -> ConvexShape:
    """Return a shape turned, and moved, as two fingers went."""
    turned = shape.rotated((now[1] - now[0]).angle - (before[1] - before[0]).angle)
    return turned.translated(Vec(*_middle(now)) - Vec(*_middle(before)))


def _middle(places: list[Point2] | list[Vec]) -> Point2:
    first, last = places[0], places[-1]
    return (first[0] + last[0]) / 2.0, (first[1] + last[1]) / 2.0
