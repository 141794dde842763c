"""An explanation as text: the shapes, the answer, the levels and the axes in lines of at most 100 columns.

In: findings. Out: a string. Numbers are rounded for reading, to six digits or to as many as fit.
"""

from __future__ import annotations

import textwrap

from carom.explain.axes import Axis, Interval
from carom.explain.findings import Answer, Findings, largest_gaps
from carom.explain.levels import show, show_vector

WIDTH = 100
ROWS = 24  # a polygon may have thousands of axes
HEAD = ("axis", "comes from", "direction", "A covers", "B covers", "gap", "")


def table(why: Answer, axes: list[str]) -> str:
    """Return the answer as a table of fixed width, with the lines that tell of the axes."""
    shapes = (("A", why.a), ("B", why.b))
    lines = [f"{name}  {textwrap.shorten(repr(shape), WIDTH - 3, placeholder=' ...')}" for name, shape in shapes]
    lines += ["", *textwrap.wrap(why.sentence, WIDTH), "", "level               decision     why"]
    for number, level in enumerate(why.levels, 1):
        head = f"{number} {level.name:<18}{level.verdict:<13}"
        lines += textwrap.wrap(head + level.text, WIDTH, subsequent_indent=" " * len(head))
    lines += ["", *axes, ""]
    near, contact = why.closest, why.contact
    lines.append(f"witness points   of A {show_vector(near.point_a)}   of B {show_vector(near.point_b)}")
    if contact is not None:
        lines.append(f"contact          normal {show_vector(contact.normal)}   depth {show(contact.depth)}")
        for point, depth in zip(contact.points, contact.depths, strict=True):
            lines.append(f"contact point    {show_vector(point)}   depth {show(depth)}")
    return "\n".join(lines)


def axis_lines(why: Findings) -> list[str]:
    """Return a line for each axis, with as many digits as the width leaves room for."""
    shown = largest_gaps(why, ROWS, parallel=True)
    for digits in range(6, 0, -1):
        cells = [HEAD, *(_cells(k, why.axes[k], k == why.deciding, digits) for k in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        if sum(widths) + 2 * (len(widths) - 1) <= WIDTH:
            break
    lines = [
        "  ".join(cell.rjust(width) if k in (0, 5) else cell.ljust(width) for k, (cell, width) in enumerate(pairs))
        for pairs in (zip(row, widths, strict=True) for row in cells)
    ]
    if len(shown) < len(why.axes):
        lines.append(f"and {len(why.axes) - len(shown)} more axes, with no larger gap")
    return [line.rstrip() for line in lines]


def _cells(k: int, axis: Axis, decides: bool, digits: int) -> tuple[str, ...]:
    def number(value: float) -> str:
        return f"{value + 0.0:.{digits}g}"

    def span(covered: Interval) -> str:
        return f"{number(covered.low)} to {number(covered.high)}"

    x, y = axis.direction
    note = "decides" if decides else "" if axis.parallel_to is None else f"as {axis.parallel_to}"
    direction = f"({round(x, digits) + 0.0:g}, {round(y, digits) + 0.0:g})"
    return str(k), axis.source, direction, span(axis.a), span(axis.b), number(axis.gap), note
