"""A picture of each scene, as Carom plays it: the shapes of its queries, or its bodies and their paths.

In: a scene. Out: a small SVG. Carom's adapter is wrapped, and every query of the scene is recorded and drawn: of many
pairs the first, of many rays the first forty. Bodies are outlined where they begin and filled where they end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from carom_conformance.adapters import load
from carom_conformance.engine import Body, Engine, Hit, Joint, State, World
from carom_conformance.registry import Scene, all_scenes
from carom_conformance.shapes import Circle, Point, Polygon, Shape, core, moved

WIDE, HIGH = 160.0, 120.0
SHOWN = 0.75
"""Of that size are the pictures in a table."""
MOST_SHAPES, MOST_RAYS, MOST_PATH, CROWD = 60, 40, 24, 15
MOST_EXTENT = 60.0
"""Units that a picture of a world shows at most."""
STATIC, FIRST, SECOND, WAY = "#999", "#d55e00", "#0072b2", "#555"


class Canvas:
    """Marks in units of the scene, which are put on the page at the end."""

    def __init__(self) -> None:
        self.marks: list[tuple[Shape, str, str]] = []
        self.lines: list[tuple[list[Point], str]] = []
        self.frame: list[Point] = []

    def shape(self, shape: Shape, colour: str, style: str = "filled", framed: bool = True) -> None:
        """Add a shape: filled, outlined or dashed."""
        points, radius = core(shape)
        numbers = [*(x for point in points for x in point), radius]
        if (
            len(self.marks) < MOST_SHAPES
            and points
            and all(isinstance(x, int | float) and math.isfinite(x) for x in numbers)
        ):
            self.marks.append((shape, colour, style))
            if framed:
                self.frame += [(x + s * radius, y + s * radius) for x, y in points for s in (-1, 1)]

    def line(self, points: Sequence[Point], colour: str, framed: bool = True) -> None:
        """Add a line through points."""
        kept = [point for point in points if all(map(math.isfinite, point))]
        if len(kept) > 1:
            self.lines.append((kept, colour))
            if framed:
                self.frame += kept

    def svg(self, words: str) -> str:
        """Return the picture; words stand in it if nothing can be drawn."""
        body = self._body() if self.frame else _text(words)
        size = f'width="{SHOWN * WIDE:g}" height="{SHOWN * HIGH:g}" viewBox="0 0 {WIDE:g} {HIGH:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        return f'{head}\n<rect width="100%" height="100%" fill="#fff"/>\n{body}</svg>\n'

    def _body(self) -> str:
        cx, cy, scale = self._view()

        def place(point: Point) -> Point:
            return (point[0] - cx) * scale + WIDE / 2, (cy - point[1]) * scale + HIGH / 2

        parts = [_mark(shape, colour, style, place, scale) for shape, colour, style in self.marks]
        parts += [_polyline([place(point) for point in points], colour) for points, colour in self.lines]
        return "".join(f"{part}\n" for part in dict.fromkeys(parts) if part)

    def _view(self) -> tuple[float, float, float]:
        """Return the middle and the scale: all that is framed, or the smaller of two shapes of very unequal sizes."""
        bounds = _bounds(self.frame)
        sizes = [
            (max(b[2] - b[0], b[3] - b[1]), b) for b in (_bounds(_corners(shape)) for shape, _, _ in self.marks[:2])
        ]
        if len(self.marks) == 2 and not self.lines:
            (small, near), (large, _) = sorted(sizes)
            if 0 < small < large / 60:
                bounds = (near[0] - small, near[1] - small, near[2] + small, near[3] + small)
        wide, high = bounds[2] - bounds[0], bounds[3] - bounds[1]
        wide, high = max(wide, high / 50, 1e-300), max(high, wide / 50, 1e-300)
        scale = min(WIDE / wide, HIGH / high) * 0.86
        return (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, scale


class Sketch(Engine):
    """Carom's adapter, with every query recorded on a canvas."""

    def __init__(self) -> None:
        self.inner, self.canvas, self.worlds = load("carom"), Canvas(), list[SketchWorld]()

    def pair(self, a: Shape, b: Shape) -> None:
        """Draw the first pair of shapes."""
        if not self.canvas.marks:
            self.canvas.shape(a, SECOND)
            self.canvas.shape(b, FIRST)

    def intersects(self, a: Shape, b: Shape) -> bool:
        self.pair(a, b)
        return self.inner.intersects(a, b)

    def contains(self, shape: Shape, point: Point) -> bool:
        if not self.canvas.marks:
            self.canvas.shape(shape, SECOND)
            bounds = _bounds(self.canvas.frame) if self.canvas.frame else (0.0, 0.0, 1.0, 1.0)
            dot = 0.02 * max(bounds[2] - bounds[0], bounds[3] - bounds[1])
            self.canvas.shape(Circle(point, dot), FIRST)
        return self.inner.contains(shape, point)

    def distance(self, a: Shape, b: Shape) -> float:
        self.pair(a, b)
        return self.inner.distance(a, b)

    def overlap(self, a: Shape, b: Shape) -> tuple[float, Point] | None:
        self.pair(a, b)
        return self.inner.overlap(a, b)

    def raycast(self, origin: Point, translation: Point, shape: Shape) -> Hit | None:
        if len(self.canvas.lines) < MOST_RAYS:
            if all(shape != mark[0] for mark in self.canvas.marks) and len(self.canvas.marks) < 3:
                self.canvas.shape(shape, SECOND)
            if shape in [mark[0] for mark in self.canvas.marks]:
                self.canvas.line([origin, (origin[0] + translation[0], origin[1] + translation[1])], FIRST)
        return self.inner.raycast(origin, translation, shape)

    def cast(self, a: Shape, b: Shape, translation: Point) -> float | None:
        found = self.inner.cast(a, b, translation)
        self.motion(a, b, translation, 1.0 if found is None else found)
        return found

    def turning_cast(self, a: Shape, b: Shape, translation: Point, rotation: float, pivot: Point) -> float | None:
        found = self.inner.turning_cast(a, b, translation, rotation, pivot)
        end = 1.0 if found is None else found
        if not self.canvas.marks:
            self.motion(_turned(a, rotation * end, pivot), b, (0.0, 0.0), 0.0)
            self.motion(a, b, translation, end)
        return found

    def motion(self, a: Shape, b: Shape, translation: Point, part: float) -> None:
        """Draw a shape that moves, and the one that it may meet."""
        way = translation[0] * part, translation[1] * part
        self.canvas.shape(b, SECOND)
        self.canvas.shape(a, FIRST, "outlined")
        self.canvas.shape(moved(a, *way), FIRST)
        (x, y) = core(a)[0][0]
        self.canvas.line([(x, y), (x + way[0], y + way[1])], WAY)

    def world(self, gravity: Point, friction: float = 0.6, restitution: float = 0.0, sleep: bool = True) -> World:
        made = SketchWorld(self.inner.world(gravity, friction, restitution, sleep))
        self.worlds.append(made)
        return made

    def finish(self) -> Canvas:
        """Draw the first world, if there is one, and return the canvas."""
        if self.worlds and not self.canvas.marks:
            self.worlds[0].draw(self.canvas)
        return self.canvas


class SketchWorld(World):
    """A world of Carom, with its bodies and joints kept."""

    def __init__(self, inner: World) -> None:
        self.inner = inner
        self.bodies: dict[Any, Body] = {}
        self.paths: dict[Any, list[State]] = {}
        self.joints: list[Joint] = []

    def add(self, body: Body) -> Any:
        handle = self.inner.add(body)
        self.bodies[handle] = body
        self.paths[handle] = [self.inner.state(handle)]
        return handle

    def join(self, joint: Joint) -> Any:
        self.joints.append(joint)
        return self.inner.join(joint)

    def step(self, dt: float) -> None:
        self.inner.step(dt)
        for handle, path in self.paths.items():
            if self.bodies[handle].kind != "static" and not getattr(handle, "removed", False):
                path.append(self.inner.state(handle))

    def state(self, body: Any) -> State:
        return self.inner.state(body)

    def place(self, body: Any, at: Point, angle: float) -> None:
        self.inner.place(body, at, angle)

    def push(self, body: Any, velocity: Point, spin: float) -> None:
        self.inner.push(body, velocity, spin)

    def remove(self, body: Any) -> None:
        self.inner.remove(body)

    def asleep(self, body: Any) -> bool:
        return self.inner.asleep(body)

    def visits(self) -> tuple[int, int]:
        return self.inner.visits()

    def broken(self, joint: Any) -> bool:
        return self.inner.broken(joint)

    def draw(self, canvas: Canvas) -> None:
        """Draw the walls, the bodies where they begin and end, their paths, and the joints as they are made."""
        ends = [path[-1] for handle, path in self.paths.items() if self.bodies[handle].kind != "static"]
        middle = (sum(s.x for s in ends) / len(ends), sum(s.y for s in ends) / len(ends)) if ends else (0.0, 0.0)

        def near(state: State) -> bool:
            return max(abs(state.x - middle[0]), abs(state.y - middle[1])) < MOST_EXTENT / 2

        crowd = len(ends) > CROWD
        for handle, body in self.bodies.items():
            path, moving = self.paths[handle], body.kind != "static"
            colour = FIRST if body.kind == "kinematic" else SECOND if moving else STATIC
            styles = [(path[-1], "dashed" if body.sensor else "filled")]
            if moving and not crowd:
                styles.insert(0, (path[0], "outlined"))
            for state, style in styles:
                for shape in body.shapes:
                    canvas.shape(_put(shape, state), colour, style, framed=(moving or not ends) and near(state))
            if moving and not crowd:
                shown = path[:: max(1, len(path) // MOST_PATH)]
                canvas.line([(s.x, s.y) for s in shown if near(s)], WAY)
        for joint in self.joints:
            if joint.kind in ("rod", "rope", "spring"):
                canvas.line([joint.at, joint.to], FIRST)
            elif joint.kind == "pin":
                canvas.shape(Circle(joint.at, 0.06), FIRST)


def draw(scene: Scene) -> str:
    """Return the picture of a scene."""
    sketch = Sketch()
    with suppress(Exception):  # a scene of bad input, or one that Carom refuses: as far as it came
        scene.play(sketch)
    return sketch.finish().svg(scene.name)


def draw_all(folder: Path, names: Iterable[str]) -> None:
    """Write the pictures of scenes into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.svg").write_text(draw(all_scenes()[name]), encoding="utf-8")


def _put(shape: Shape, state: State) -> Shape:
    return moved(_turned(shape, state.angle, (0.0, 0.0)), state.x, state.y)


def _turned(shape: Shape, angle: float, pivot: Point) -> Shape:
    c, s = math.cos(angle), math.sin(angle)

    def turn(point: Point) -> Point:
        x, y = point[0] - pivot[0], point[1] - pivot[1]
        return pivot[0] + c * x - s * y, pivot[1] + s * x + c * y

    if isinstance(shape, Polygon):
        return Polygon(tuple(turn(point) for point in shape.vertices))
    if isinstance(shape, Circle):
        return Circle(turn(shape.centre), shape.radius)
    return shape._replace(a=turn(shape.a), b=turn(shape.b))


def _corners(shape: Shape) -> list[Point]:
    points, radius = core(shape)
    return [(x + s * radius, y + s * radius) for x, y in points for s in (-1, 1)]


def _bounds(points: Sequence[Point]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _mark(shape: Shape, colour: str, style: str, place: Any, scale: float) -> str:
    points, radius = core(shape)
    at = [place(point) for point in points[:: 1 + len(points) // 200]]
    if any(abs(x) > 1e7 for point in at for x in point) or radius * scale > 1e7:
        return ""
    look = (
        f'fill="{colour}" fill-opacity=".3" stroke="{colour}"'
        if style == "filled"
        else f'fill="none" stroke="{colour}"'
    )
    if style == "dashed":
        look += ' stroke-dasharray="3"'
    if isinstance(shape, Circle):
        return f'<circle cx="{at[0][0]:.1f}" cy="{at[0][1]:.1f}" r="{max(radius * scale, 0.5):.1f}" {look}/>'
    if isinstance(shape, Polygon):
        return f'<polygon points="{_list(at)}" {look}/>'
    width = f' stroke-width="{max(2 * radius * scale, 1.5):.1f}" stroke-linecap="round" stroke-opacity=".5"'
    return f'<polyline points="{_list(at)}" fill="none" stroke="{colour}"{width}/>'


def _polyline(points: Sequence[Point], colour: str) -> str:
    kept = [(x, y) for x, y in points if abs(x) < 1e7 and abs(y) < 1e7]
    return (
        f'<polyline points="{_list(kept)}" fill="none" stroke="{colour}" stroke-width=".7"/>' if len(kept) > 1 else ""
    )


def _list(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _text(words: str) -> str:
    lines: list[str] = []
    for word in words.replace("-", " ").split():
        if lines and len(lines[-1]) + len(word) < 22:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    rows = [
        f'<text x="8" y="{24 + 16 * k}" font-family="sans-serif" font-size="12">{line}</text>'
        for k, line in enumerate(lines)
    ]
    return "\n".join(rows) + "\n"
