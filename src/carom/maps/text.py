r"""Levels drawn as text: a character for each cell.

In: lines of characters. Out: a `Level`. `#` is solid; `/` and `\` are slopes; `-` and `=` one-way platforms, at the
upper side of their cell; blanks and dots are empty; letters and digits are triggers, one for those of one kind that lie
together. Cells are squares of `tile_size`; the first line is the uppermost, y points down unless asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Never

import numpy as np

from carom._core import inputs
from carom._core.names import refuse_keywords, told_by_name
from carom.maps.building import PIXELS, Draft, Use
from carom.maps.forms import Form, rectangle, shifted
from carom.maps.level import Level
from carom.maps.pieces import WHOLE, Cells
from carom.maps.roles import DIRECTIONS, ONE_WAY, SOLID, TRIGGER, Role, role_of

EMPTY = "empty"
# The half of a cell with this corner.
HALVES: dict[str, list[tuple[float, float]]] = {
    "bottom_right": [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0)],
    "bottom_left": [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
    "top_left": [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
    "top_right": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
}
SLOPES = {"/": ("bottom_right", "top_left"), "\\": ("bottom_left", "top_right")}
MEANING = {"#": SOLID, " ": EMPTY, ".": EMPTY, "-": ONE_WAY, "=": ONE_WAY, "/": "/", "\\": "\\"}


@told_by_name
def read_grid(
    text: str,
    *,
    tile_size: float = 1.0,
    y_up: bool = False,
    legend: Mapping[str, str | None] | None = None,
    separate: str = "",
    **unknown: Never,
) -> Level:
    r"""Return the level that a text draws, a character for each cell.

    Parameters
    ----------
    text : str
        Lines, the uppermost first; short ones are empty to the right. A first and a last line of blanks do not count.
        `#` solid, `/` and `\` slopes, `-` and `=` one-way platforms, blank and `.` empty, letters and digits triggers
        of that name. A slope is solid below; with `#` or a slope above it and neither below, it is solid above.
    tile_size : float, positive
        Width and height of a cell. The first cell's upper left corner is (0, 0).
    y_up : bool
        Let y point up: the last line stands on y = 0.
    legend : mapping of characters to words, optional
        Other meanings of characters: "solid", "empty" (or None), "one_way" (or "one_way_up", "_down", "_left",
        "_right": the side of the cell where the edge is, which stops bodies that come against it), "bottom_left",
        "bottom_right", "top_left", "top_right" (the half with that corner); any other word is the name of a trigger.
    separate : str
        Characters whose cells are not merged, with each other or with others: `separate="$B"` makes each `$` and each
        `B` a solid, a one-way edge or a trigger of its own.

    Returns
    -------
    Level
        `solids`, `outlines`, `one_way`, `triggers`, `bounds`, `add_to(world)`.

    Raises
    ------
    TypeError, ValueError : with the line and the column at fault.

    Examples
    --------
    >>> level = cm.read_grid(r'''
    ... #....P...#
    ... #...---..#
    ... ###/######
    ... ''')
    >>> level.outlines[0].outline[:4]
    (Vec(0.0, 0.0), Vec(1.0, 0.0), Vec(1.0, 2.0), Vec(3.0, 2.0))
    >>> level.one_way.shapes[0], level.triggers[0].name, len(level.solids)
    (Segment((4.0, 1.0), (7.0, 1.0)), 'P', 4)
    >>> sokoban = cm.read_grid("#####\n#$$.#\n#####", legend={"$": "box"}, separate="$")
    >>> [box.shape.position.x for box in sokoban.named("box")]
    [1.5, 2.5]
    """
    where = "read_grid"
    if unknown:
        refuse_keywords(where, read_grid, unknown)
    given: Any = text
    if not isinstance(given, str):
        remedy = "; join lines with '\\n'.join(lines)" if isinstance(given, list | tuple) else ""
        inputs.refuse(TypeError, where, "text", given, f"must be text, not {type(given).__name__}{remedy}")
    size = inputs.size(where, "tile_size", tile_size)
    draft = Draft(where, size, "tile_size", inputs.truth(where, "y_up", y_up))
    return draw(draft, text, meanings(where, "legend", legend), separate_marks(where, separate))


def meanings(where: str, argument: str, legend: Any) -> dict[str, str]:
    """Return the meanings of characters: the usual ones, and those of a legend instead."""
    if legend is None:
        return MEANING
    if not isinstance(legend, Mapping):
        inputs.refuse(TypeError, where, argument, legend, f"must be a mapping, not {type(legend).__name__}")
    result = dict(MEANING)
    for mark, word in legend.items():
        if not isinstance(mark, str) or len(mark) != 1 or mark in "\n\r":
            inputs.refuse(ValueError, where, f"a key of {argument}", mark, "must be one character")
        if word is not None and (not isinstance(word, str) or not word):
            inputs.refuse(TypeError, where, f"{argument}[{mark!r}]", word, "must be a word or None")
        result[mark] = EMPTY if word is None else word
    return result


def separate_marks(where: str, separate: Any) -> frozenset[str]:
    """Return the characters whose cells are kept separate."""
    marks = separate if isinstance(separate, str) else inputs.listed(where, "separate", separate, "characters")
    for k, mark in enumerate(marks):
        if not isinstance(mark, str) or len(mark) != 1:
            inputs.refuse(ValueError, where, f"separate[{k}]", mark, "must be one character")
    return frozenset(marks)


def draw(draft: Draft, text: str, meaning: dict[str, str], separate: frozenset[str] = frozenset()) -> Level:
    """Return the level that a text draws."""
    lines = text.splitlines()
    if lines and not lines[0].strip():
        del lines[0]
    if lines and not lines[-1].strip():
        del lines[-1]
    width = max(map(len, lines), default=0)
    drawn = np.array([list(line.ljust(width)) for line in lines], dtype="U1").reshape(len(lines), width)
    draft.boxes.append((0.0, 0.0, float(width), float(len(lines))))
    draft.height = float(len(lines))
    grid = draft.grid((0.0, 0.0), PIXELS)
    grid.table.extend([np.array(corners)] for corners in HALVES.values())
    marks = drawn.view(np.uint32).reshape(drawn.shape)
    # A slope may hang from these cells or stand on them.
    held = np.isin(marks, [ord(mark) for mark, word in meaning.items() if word == SOLID or word in SLOPES])
    codes, seen = np.unique(marks, return_index=True)
    for code in codes[np.argsort(seen)].tolist():  # in the order of the text
        mark, at = chr(code), marks == code
        word = meaning.get(mark, mark if mark.isalnum() else "")
        if not word:
            row, column = (int(k[0]) for k in np.nonzero(at))
            raise ValueError(
                f"{draft.where}: text has {mark!r} in line {row + 1}, column {column + 1} of the grid, which has no"
                f" meaning; give it one in the legend"
            )
        _take(draft, word, at, held, mark in separate)
    return draft.finish()


def _take(draft: Draft, word: str, at: Any, held: Any, separate: bool) -> None:
    """Take the cells of one meaning, merged or one by one."""
    if word == EMPTY:
        return
    row, column = np.nonzero(at)
    halves, use, kind = list(HALVES), Role(SOLID), np.full(row.size, WHOLE)
    if word in HALVES:
        kind[:] = halves.index(word)
    elif word in SLOPES:
        above, below = np.zeros_like(held), np.zeros_like(held)
        above[1:], below[:-1] = held[:-1], held[1:]
        hangs = (above & ~below)[row, column]
        lower, upper = (halves.index(half) for half in SLOPES[word])
        kind = np.where(hangs, upper, lower)
    elif word.startswith(ONE_WAY):
        found = role_of(word)
        if found is None:
            expected = f"must be one_way, or one_way_ and one of {', '.join(DIRECTIONS)}"
            raise ValueError(f"{draft.where}: legend has {word!r}; it {expected}")
        use = found
    elif word != SOLID:
        use = Role(TRIGGER)
    if separate:
        for x, y, half in zip(column.tolist(), row.tolist(), kind.tolist(), strict=True):
            corners = rectangle(0.0, 0.0, 1.0, 1.0) if half == WHOLE else Form("ring", tuple(HALVES[halves[half]]))
            one = Use(shifted(corners, (x, y)), use, word, word, {})
            draft.add(one, f"the cell in line {y + 1}, column {x + 1}", "", separate=True)
        return
    draft.add_cells(Cells(column, row, kind), use, (0.0, 0.0), PIXELS, word)
