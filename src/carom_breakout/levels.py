"""Level files: the tutorial's plain-text grammar, read strictly, and laid out as a table for the rules.

In: text of one row of bricks a line, unsigned integers parted by blanks: 0 empty, 1 solid, 2 blue, 3 green, 4 tan,
5 orange, above 5 white; blank lines at the end do not count. Out: a `Level`, and many of them as the columns of
`Levels`. The bricks fill the upper half of the field, 800 by 300 pixels, from its upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from carom import inner

FIELD_WIDTH, BRICKS_END = 800.0, 300.0
SOLID, LARGEST_CODE = 1, 6
MOST_COLUMNS, MOST_ROWS, MOST_BRICKS = 40, 24, 480  # every game has room for so many bricks

Edges = NDArray[np.float64]


class LevelError(ValueError):
    """A level file that cannot be played: which file, which line, why."""


class Level(NamedTuple):
    """One level: its name, and the brick codes row by row."""

    name: str
    rows: tuple[tuple[int, ...], ...]

    @property
    def text(self) -> str:
        """The level in the grammar of its file."""
        return "".join(" ".join(map(str, row)) + "\n" for row in self.rows)


class Levels(NamedTuple):
    """Levels as columns, the form that the rules read. A brick is cell row * columns + column of its level."""

    codes: NDArray[np.int8]  # (levels, MOST_BRICKS)
    columns: NDArray[np.int64]  # (levels,)
    rows: NDArray[np.int64]  # (levels,)
    destructible: NDArray[np.int64]  # (levels,)


def parse_level(text: str, name: str) -> Level:
    r"""Read a level, or say in which line and why it cannot be played.

    Parameters
    ----------
    text : str
        Rows of unsigned integers parted by blanks.
    name : str
        Stands in the error, most usefully the path of the file.

    Returns
    -------
    Level

    Raises
    ------
    LevelError
        A ValueError, for an empty text, a ragged row, an entry that is no unsigned integer, a level that is too big,
        or one without a brick that can be broken.

    Examples
    --------
    >>> parse_level("2 1 2\n0 3 0\n", "tiny").rows
    ((2, 1, 2), (0, 3, 0))
    """
    lines = text.rstrip().splitlines()
    if not lines:
        raise LevelError(f"{name}: the level is empty; it needs at least one row such as '2 2 1 2 2'")
    rows: list[tuple[int, ...]] = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        for word in words:
            if not (word.isascii() and word.isdigit()):
                raise LevelError(f"{name}, line {number}: '{word}' is not an unsigned integer")
        if not words:
            raise LevelError(f"{name}, line {number}: the row is empty; write 0 for each empty place")
        if len(words) > MOST_COLUMNS:
            raise LevelError(f"{name}, line {number}: {len(words)} bricks in a row; at most {MOST_COLUMNS} fit")
        if rows and len(words) != len(rows[0]):
            raise LevelError(
                f"{name}, line {number}: {len(words)} bricks where line 1 has {len(rows[0])}; "
                "all rows must be equally long"
            )
        # int() refuses integers of thousands of digits, and all codes above 5 are the same white brick.
        rows.append(tuple(int(word) if len(word.lstrip("0")) <= 1 else LARGEST_CODE for word in words))
    if len(rows) > MOST_ROWS:
        raise LevelError(f"{name}, line {MOST_ROWS + 1}: {len(rows)} rows; at most {MOST_ROWS} fit")
    if len(rows) * len(rows[0]) > MOST_BRICKS:
        raise LevelError(f"{name}: {len(rows[0])} x {len(rows)} bricks; at most {MOST_BRICKS} fit")
    if not any(code > SOLID for row in rows for code in row):
        raise LevelError(f"{name}: no brick can be broken, so the level could not be won; it needs a code above 1")
    return Level(name, tuple(tuple(min(code, LARGEST_CODE) for code in row) for row in rows))


def read_level(file: str | Path) -> Level:
    """Read a level file; see `parse_level`."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LevelError(f"{file}: not a text file ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise LevelError(f"{file}: cannot be read ({error.strerror})") from None
    return parse_level(text, str(file))


def shipped_levels() -> list[Level]:
    """Return the levels that come with the game, in playing order."""
    folder = resources.files("carom_breakout") / "levels_data"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return [parse_level(file.read_text(encoding="utf-8"), _title(file.name)) for file in files]


def _title(file_name: str) -> str:
    """Return 'Two rooms' for '3-two-rooms.txt'."""
    return file_name.removesuffix(".txt").split("-", 1)[1].replace("-", " ").capitalize()


def make_levels(levels: Sequence[Level]) -> Levels:
    """Lay levels out as the table that the rules read."""
    if not levels:
        raise ValueError("levels = [] must hold at least one Level; shipped_levels() returns those of the game")
    columns = np.array([len(level.rows[0]) for level in levels], np.int64)
    rows = np.array([len(level.rows) for level in levels], np.int64)
    codes = np.zeros((len(levels), MOST_BRICKS), np.int8)
    for i, level in enumerate(levels):
        codes[i, : columns[i] * rows[i]] = np.ravel(level.rows)
    return Levels(codes, columns, rows, (codes > SOLID).sum(axis=1))


@inner
def edge(k: int, count: int, extent: float) -> float:
    """Return where the k-th of `count` bricks begins, and the one before it ends: the very same number for both."""
    return extent * k / count


def brick_edges(levels: Levels, level: int, integer_height: bool = False) -> tuple[Edges, Edges]:
    """Return where the columns and the rows of a level's bricks begin and end, one more than there are of each.

    `integer_height` lays rows out as the tutorial does: cut to whole pixels, so that some of the field stays unused.
    """
    columns, rows = int(levels.columns[level]), int(levels.rows[level])
    height = BRICKS_END // rows if integer_height else BRICKS_END / rows
    return (
        np.array([edge(k, columns, FIELD_WIDTH) for k in range(columns + 1)]),
        np.array([height * k if integer_height else edge(k, rows, BRICKS_END) for k in range(rows + 1)]),
    )
