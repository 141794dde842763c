"""An explanation as text: the answer, the levels, a line for each axis, the points.

In: an explanation, and how wide a line may be. Out: lines, with numbers rounded for reading: to six digits or as many
as fit, and of coordinates far from the origin as many as tell the shapes' corners apart.
"""

from __future__ import annotations

import math
import textwrap
from typing import Any

from carom.explain.axes import Interval
from carom.explain.findings import Answer
from carom.explain.numbers import (
    DIGITS,
    digits_for,
    show,
    show_direction,
    show_point,
    without_rounding,
)
from carom.explain.words import parallel_words
from carom.narrow.dispatch import has_compound
from carom.shapes.bounds import bounds
from carom.vector import Vec

WIDTH = 100
LEAST_WIDTH = 40
LEAST_DIGITS = 3
ROWS = 24  # a polygon may have thousands of axes
HEAD = ("axis", "comes from", "direction", "A covers", "B covers", "gap", "")


def report(why: Answer, width: int = WIDTH) -> str:
    """Return an explanation as text of a width."""
    width = max(width, LEAST_WIDTH)
    lines = [*_shape_lines("A", why.a, width), *_shape_lines("B", why.b, width), ""]
    for sentence in (why.sentence, why.shadow_sentence):
        lines += textwrap.wrap(sentence, width)
    lines += ["", *_level_lines(why, width), ""]
    if has_compound(why.a, why.b):
        lines += textwrap.wrap(f"the axes between part {why.pair[0]} of A and part {why.pair[1]} of B", width)
    lines += [*_axis_lines(why, width), ""]
    lines += _point_lines(why, width)
    return "\n".join(lines)


def size_of(why: Answer) -> float:
    """Return the size that coordinates have to show: the least of both shapes' and the gap's or overlap's, but zero."""
    boxes = bounds(why.a), bounds(why.b)
    gap = without_rounding(abs(why.separation), max(abs(number) for box in boxes for number in box))
    sizes = (gap, *(max(box.max_x - box.min_x, box.max_y - box.min_y) for box in boxes))
    return min((size for size in sizes if size > 0.0), default=0.0)


def _shape_lines(name: str, shape: Any, width: int) -> list[str]:
    """Return a shape as the Python expression that makes it, and its angle in degrees."""
    angle = getattr(shape, "angle", 0.0)
    told = f"{name}  {textwrap.shorten(repr(shape), width - 3, placeholder=' ...')}"
    turned = f"turned by {show(math.degrees(angle))} degrees"
    if not angle:
        return [told]
    return [f"{told}  {turned}"] if len(told) + 2 + len(turned) <= width else [told, f"   {turned}"]


def _level_lines(why: Answer, width: int) -> list[str]:
    if width < 72:
        lines = []
        for number, level in enumerate(why.levels, 1):
            lines += textwrap.wrap(f"{number} {level.name}: {level.verdict}", width)
            lines += textwrap.wrap(level.text, width, initial_indent="    ", subsequent_indent="    ")
        return lines
    lines = ["level               decision     why"]
    for number, level in enumerate(why.levels, 1):
        head = f"{number} {level.name:<18}{level.verdict:<13}"
        lines += textwrap.wrap(head + level.text, width, subsequent_indent=" " * len(head))
    return lines


def largest_gaps(why: Answer, rows: int) -> list[int]:
    """Return the numbers, in order, of at most so many axes, those with the largest gaps; no parallel ones."""
    numbers = [k for k, axis in enumerate(why.axes) if axis.parallel_to is None]
    return sorted(sorted(numbers, key=lambda k: (k != why.deciding, -why.axes[k].gap))[:rows])


def _axis_lines(why: Answer, width: int) -> list[str]:
    """Return a line for each axis, or two where one would be too long."""
    shown = largest_gaps(why, ROWS)
    for digits in range(DIGITS, LEAST_DIGITS - 1, -1):
        lines = _rows([HEAD, *(_cells(why, k, digits) for k in shown)])
        if max(map(len, lines)) <= width:
            break
    else:
        lines = []
        for k in shown:
            number, source, direction, a, b, gap, note = _cells(why, k, DIGITS)
            lines += textwrap.wrap(f"axis {number}, {source}, direction {direction}: gap {gap}  {note}".rstrip(), width)
            covers = f"A covers {a}, B covers {b}"
            lines += textwrap.wrap(covers, width, initial_indent="    ", subsequent_indent="    ")
    every = sum(axis.parallel_to is None for axis in why.axes)
    if len(shown) < every:
        lines.append(f"and {every - len(shown)} more axes, with no larger gap")
    if parallel := parallel_words(why.axes):
        lines += textwrap.wrap(parallel, width)
    if why.origin != (0.0, 0.0):
        place = show_point(why.origin, size_of(why))
        lines += textwrap.wrap(f"where A and B cover an axis is measured from {place}, the position of A", width)
    return lines


def _rows(cells: list[tuple[str, ...]]) -> list[str]:
    """Return cells in columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if k in (0, 5) else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _cells(why: Answer, k: int, digits: int) -> tuple[str, ...]:
    axis, decides = why.axes[k], k == why.deciding
    note = "decides" if decides else ""
    largest = max(max(map(abs, (*other.a, *other.b))) for other in why.axes)

    def number(value: float, size: float) -> str:
        """Return a number of the axis with digits enough to see a size in it."""
        return show(without_rounding(value, largest), digits_for(abs(value), size, digits))

    def span(covered: Interval) -> str:
        size = covered.high - covered.low
        return f"{number(covered.low, size)} to {number(covered.high, size)}"

    gap = axis.gap if decides else without_rounding(axis.gap, largest)
    return (
        str(k),
        axis.source,
        show_direction(axis.direction, digits),
        span(axis.a),
        span(axis.b),
        show(gap, digits),
        note,
    )


def _point_lines(why: Answer, width: int) -> list[str]:
    near, contact, size = why.closest, why.contact, size_of(why)

    def place(point: Vec) -> str:
        return show_point(point, size)

    told = [("witness points", f"of A {place(near.point_a)}   of B {place(near.point_b)}")]
    if contact is not None:
        told.append(("contact", f"normal {show_direction(contact.normal)}   depth {show(contact.depth)}"))
        for point, depth in zip(contact.points, contact.depths, strict=True):
            told.append(("contact point", f"{place(point)}   depth {show(depth)}"))
    lines: list[str] = []
    for name, words in told:
        lines += textwrap.wrap(f"{name:<17}{words}", width, subsequent_indent=" " * 17)
    return lines
