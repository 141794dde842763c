"""Columns of answers as a table: arrays of one number a row, by name, as a data frame takes them.

In: columns by name, some of them with two numbers a row, some with a list for each query. Out: a dict of
arrays (m,). Nothing is computed but the number of each row's query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The names of the numbers of a column that has several in a row, in the order in which they lie.
NAMES = {
    "pairs": ("a", "b"),
    "point": ("x", "y"),
    "position": ("x", "y"),
    "rest": ("rest_x", "rest_y"),
    "heading": ("heading_x", "heading_y"),
    "normal": ("nx", "ny"),
    "entry_point": ("entry_x", "entry_y"),
    "exit_point": ("exit_x", "exit_y"),
    "entry_normal": ("entry_nx", "entry_ny"),
    "exit_normal": ("exit_nx", "exit_ny"),
    "point_a": ("ax", "ay"),
    "point_b": ("bx", "by"),
    "points": ("x0", "y0", "x1", "y1"),
    "depths": ("depth0", "depth1"),
    "impulses": ("impulse0", "impulse1"),
    "friction_impulses": ("friction_impulse0", "friction_impulse1"),
    "features": ("feature_a0", "feature_b0", "feature_a1", "feature_b1"),
}


def flat(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return columns by name, each (m,); `offsets` become the number of each row's query."""
    table: dict[str, NDArray[Any]] = {}
    for name, column in columns.items():
        if name == "offsets":
            table["query"] = np.repeat(np.arange(column.size - 1), np.diff(column))
        elif name in NAMES:
            numbers = column.reshape(-1, len(NAMES[name]))
            table.update({part: numbers[:, k] for k, part in enumerate(NAMES[name])})
        else:
            table["row" if name == "rows" else name] = column.reshape(-1)
    return table
