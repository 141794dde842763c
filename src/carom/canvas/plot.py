"""A picture on matplotlib axes, in the picture's own coordinates.

In: a picture, and axes if there are any. Out: the axes, or a figure of several. This is the one file that imports
matplotlib; its curves are Bezier curves that no screen tells from arcs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, degrees
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from carom.canvas.drawing import HEIGHT, RED, Arrow, Dot, Drawing, Item, Line, Merged, Outline, Style
from carom.canvas.geometry import HEAD, sides

INCHES = 5.4  # of HEIGHT pixels
POINT = 72.0 * INCHES / HEIGHT  # matplotlib's points in a pixel


def onto_axes(picture: Drawing, axes: Axes | None = None) -> Axes:
    """Draw a picture on axes, or on the current ones, above what is there already."""
    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.gca()
    above = max([2.0, *(artist.get_zorder() for artist in (*axes.patches, *axes.lines))])
    for order, item in enumerate(picture.items):
        add(item, axes, above + order / len(picture.items), picture.styles)
    low_x, low_y, high_x, high_y = picture.window
    axes.set(xlim=(low_x, high_x), ylim=(low_y, high_y), aspect="equal")
    return axes


def figure(pictures: Sequence[Drawing]) -> Figure:
    """Return a figure of pictures side by side, without frames."""
    shares = [(p.window.max_x - p.window.min_x) / (p.window.max_y - p.window.min_y) for p in pictures]
    made = Figure(figsize=(INCHES * sum(shares), INCHES), dpi=200)
    left = 0.0
    for picture, share in zip(pictures, shares, strict=True):
        axes = made.add_axes((left / sum(shares), 0.0, share / sum(shares), 1.0))
        onto_axes(picture, axes).set_axis_off()
        left += share
    return made


def add(item: Item, axes: Axes, order: float, styles: Mapping[str, Style]) -> None:
    """Add one item above all of lower order."""
    style = styles[item.role]
    pen: dict[str, Any] = {"lw": style.width * POINT, "zorder": order}
    if style.dash:
        pen["ls"] = (0, [step / style.width for step in style.dash])
    if isinstance(item, Outline):
        curve = path(item)
        if style.fill:
            axes.add_patch(PathPatch(curve, fc=style.fill, ec="none", alpha=style.opacity, zorder=order))
        if style.hatched:
            axes.add_patch(PathPatch(curve, fc="none", ec=RED, alpha=0.6, lw=0.0, hatch="//", zorder=order))
        axes.add_patch(PathPatch(curve, fc="none", ec=style.stroke or "none", **pen))
    elif isinstance(item, Merged):
        curve = Path.make_compound_path(*map(path, item.parts))
        # Its inner half lies under the fill; mitres at the sharp corners of parts would be spikes.
        wide = pen | {"lw": 2.0 * pen["lw"], "joinstyle": "round"}
        if style.opacity == 1.0 or all(len(part.points) == 2 and not part.radius for part in item.parts):
            axes.add_patch(PathPatch(curve, fc="none", ec=style.stroke or "none", **wide))
        axes.add_patch(PathPatch(curve, fc=style.fill, ec="none", alpha=style.opacity, zorder=order))
    elif isinstance(item, Dot):
        look: dict[str, Any] = {"mfc": style.fill or "none", "mec": style.stroke or "none", "zorder": order}
        axes.plot(*item.at, "o", ms=2.0 * style.size * POINT, mew=style.width * POINT, **look)
    elif isinstance(item, Line):
        axes.plot(*zip(item.start, item.end, strict=True), color=style.stroke, solid_capstyle="butt", **pen)
    elif isinstance(item, Arrow):
        head = {"arrowstyle": "-|>", "mutation_scale": 2.0 * HEAD * style.width * POINT, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", item.end, item.start, zorder=order, arrowprops={**head, "color": style.stroke, **pen})
    else:
        align = {"start": "left", "middle": "center", "end": "right"}[item.align]
        words: dict[str, Any] = {"ha": align, "va": "center", "color": style.fill, "size": style.size * POINT}
        axes.text(*item.at, item.text, weight="bold" if style.bold else "normal", zorder=order, **words)


def path(item: Outline) -> Path:
    """Return the closed path of an outline."""
    if len(item.points) == 1:
        return Path.circle(item.points[0], item.radius)
    points: Any = []
    codes: Any = []
    for side in sides(item):
        points += [side.start, side.end]
        codes += [Path.LINETO, Path.LINETO]
        if item.radius:
            (x, y), (x0, y0), (x1, y1) = side.center, side.end, side.arc_end
            arc: Any = Path.arc(degrees(atan2(y0 - y, x0 - x)), degrees(atan2(y1 - y, x1 - x)))
            points += (arc.vertices[1:] * item.radius + side.center).tolist()
            codes += arc.codes[1:].tolist()
    codes[0] = Path.MOVETO
    return Path([*points, points[0]], [*codes, Path.CLOSEPOLY])
