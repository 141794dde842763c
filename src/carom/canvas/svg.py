"""A picture as SVG text: one file, no script, no outside font; rounded corners are true arcs.

In: pictures, to stand side by side. Out: text. SVG counts y downwards, so y is turned over here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from carom.canvas.drawing import HEIGHT, RED, STYLES, Dot, Drawing, Item, Line, Merged, Outline, Style, Text
from carom.canvas.geometry import View, arrow_head, sides
from carom.vector import Point2

HATCH = (
    '<pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<path d="M0 0V9" stroke="{RED}" stroke-width="3" opacity=".55"/></pattern>'
)


def to_svg(pictures: Sequence[Drawing], title: str) -> str:
    """Return pictures side by side, each `HEIGHT` pixels high, as an SVG document."""
    drawn: list[str] = []
    left = 0.0
    for picture in pictures:
        low_x, low_y, high_x, high_y = picture.window
        view = View(left, 0.0, low_x, high_y, HEIGHT / (high_y - low_y))
        drawn += [element(item, view, picture.styles) for item in picture.items]
        left += (high_x - low_x) * view.scale
    size = f'viewBox="0 0 {left:.0f} {HEIGHT}" width="{left:.0f}" height="{HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="Helvetica, Arial, sans-serif">'
    page = f'<rect width="{left:.0f}" height="{HEIGHT}" fill="#FFFFFF"/>'
    return "\n".join((head, f"<title>{_escape(title)}</title>", f"<defs>{HATCH}</defs>", page, *drawn, "</svg>\n"))


def group(name: str, items: Iterable[Item], view: View) -> str:
    """Return items as one SVG group with an id."""
    return "\n".join((f'<g id="{name}">', *(element(item, view) for item in items), "</g>"))


def element(item: Item, view: View, styles: Mapping[str, Style] = STYLES) -> str:
    """Return the SVG element, or two, of one item."""
    style = styles[item.role]
    name = f'class="{item.role}"'
    if isinstance(item, Outline):
        shape = f'd="{path(item, view)}"'
        fill = f'fill="{style.fill}" fill-opacity="{style.opacity}"' if style.fill else 'fill="none"'
        hatch = f'\n<path {shape} fill="url(#hatch)"/>' if style.hatched else ""
        return f"<path {name} {shape} {fill} {pen(style)}/>{hatch}"
    if isinstance(item, Merged):
        shape = f'd="{" ".join(path(part, view) for part in item.parts)}"'
        wide = pen(style._replace(width=2.0 * style.width))  # its inner half lies under the fill
        fill = f'fill="{style.fill}" fill-opacity="{style.opacity}" paint-order="stroke"'
        return f"<path {name} {shape} {fill} {wide}/>"
    if isinstance(item, Text):
        x, y = view.place(item.at)
        weight = ' font-weight="bold"' if style.bold else ""
        look = f'font-size="{style.size:g}" fill="{style.fill}" text-anchor="{item.align}"{weight}'
        return f'<text {name} x="{x:.2f}" y="{y + 0.35 * style.size:.2f}" {look}>{_escape(item.text)}</text>'
    if isinstance(item, Dot):
        x, y = view.place(item.at)
        fill = style.fill or "none"
        return f'<circle {name} cx="{x:.2f}" cy="{y:.2f}" r="{style.size:g}" fill="{fill}" {pen(style)}/>'
    start, end = view.place(item.start), view.place(item.end)
    return line(name, style, start, end) if isinstance(item, Line) else arrow(name, style, start, end)


def pen(style: Style) -> str:
    """Return the attributes of a stroke."""
    if not style.stroke:
        return 'stroke="none"'
    dash = f' stroke-dasharray="{" ".join(f"{step:g}" for step in style.dash)}"' if style.dash else ""
    return f'stroke="{style.stroke}" stroke-width="{style.width:g}"{dash}'


def path(item: Outline, view: View) -> str:
    """Return the path of an outline: straight sides, and an arc about each core point if it is rounded."""
    reach = item.radius * view.scale
    arc = f"A{reach:.2f} {reach:.2f} 0 0 0"
    if len(item.points) == 1:
        x, y = view.place(item.points[0])
        return f"M{x - reach:.2f} {y:.2f}{arc} {x + reach:.2f} {y:.2f}{arc} {x - reach:.2f} {y:.2f}Z"
    joint = f"{arc} " if item.radius else "L"
    found = sides(item)
    steps = joint.join(f"{_pair(view.place(side.start))}L{_pair(view.place(side.end))}" for side in found)
    return f"M{steps}{joint + _pair(view.place(found[0].start)) if item.radius else ''}Z"


def _pair(point: Point2) -> str:
    return f"{point[0]:.2f} {point[1]:.2f}"


def line(name: str, style: Style, start: Point2, end: Point2) -> str:
    """Return a straight line."""
    (x0, y0), (x1, y1) = start, end
    return f'<path {name} d="M{x0:.2f} {y0:.2f}L{x1:.2f} {y1:.2f}" fill="none" {pen(style)}/>'


def arrow(name: str, style: Style, start: Point2, end: Point2) -> str:
    """Return a line that ends in a head; a head as short as the line where that is shorter."""
    corners, back = arrow_head(start, end, style.width)
    head = " ".join(f"{x:.2f},{y:.2f}" for x, y in corners)
    shaft = line(name, style, start, back) + "\n" if back else ""
    return f'{shaft}<polygon {name} points="{head}" fill="{style.stroke}"/>'


def _escape(text: str) -> str:
    from html import escape  # its table of all names takes longer to import than this module

    return escape(text)
