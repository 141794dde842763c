"""Copies as a grid: a field for each, which shows the same part of its world.

In: Worlds, what to draw of them, and where to look. Out: one drawing of all fields, row by row from the top.
"""

from __future__ import annotations

import math
from typing import Any

from carom._core import inputs
from carom.canvas.drawing import STYLES, Drawing, Item, Style, outline
from carom.draw.colors import colors_of
from carom.draw.figures import figures_of, seen_in
from carom.draw.items import drawing_of, shifted
from carom.shapes.bounds import Bounds
from carom.world.copies.worlds import Worlds

MOST_COPIES = 100
"""Fields of a grid; more could not be told apart."""


def of_copies(
    where: str, worlds: Worlds, color: Any, chosen: frozenset[str], seen: Bounds | None, up: bool, joints: bool
) -> tuple[Drawing, str]:
    """Return the drawing of the first copies, and what it is in words."""
    if "legend" in chosen:
        inputs.refuse(ValueError, where, "layers", "legend", "is not for copies; draw it of worlds.world(0)")
    count = min(len(worlds), MOST_COPIES)
    copies = [figures_of(where, worlds.world(k)) for k in range(count)]
    plain = [drawing_of(figures, colors_of(where, figures, color), chosen, (), seen, joints) for figures in copies]
    field = plain[0].window if seen is None else seen
    for drawing in plain if seen is None else []:
        low_x, low_y, high_x, high_y = drawing.window
        field = Bounds(
            min(field.min_x, low_x), min(field.min_y, low_y), max(field.max_x, high_x), max(field.max_y, high_y)
        )
    across, down = field.max_x - field.min_x, field.max_y - field.min_y
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns)
    whole = Bounds(field.min_x, field.max_y - rows * down, field.min_x + columns * across, field.max_y)
    items: list[Item] = []
    styles: dict[str, Style] = {"field": STYLES["volume"]}
    for k, figures in enumerate(copies):
        shown = figures if seen is None else seen_in(figures, seen)
        drawing = drawing_of(shown, colors_of(where, figures, color), chosen, (), whole, joints)
        row = k // columns if up else rows - 1 - k // columns
        x, y = k % columns * across, -row * down
        styles |= {f"{k} {role}": style for role, style in drawing.styles.items()}
        items += [item._replace(role=f"{k} {item.role}") for item in shifted(drawing, x, y)]
        low_x, low_y, high_x, high_y = field
        items.append(outline("field", Bounds(low_x + x, low_y + y, high_x + x, high_y + y)))
    return Drawing(tuple(items), whole, styles), f"<Picture: {count} of {len(worlds)} copies>"
