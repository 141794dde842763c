"""The plan of a join: how the plane is cut into tiles, what is asked, and what it takes in memory and on disk.

In: one source or two, and what is asked of them. Out: a `JoinPlan`, a small value that pickles and can be compared.
Edges of tiles are taken from a sample of where the shapes lie, so that crowded places get small tiles, each with about
as many rows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa

from carom import free_memory
from carom.tables import checks
from carom.tables.arrays import Floats, Integers
from carom.tables.bad_rows import KEPT, BadRow, refuse_bad, write_bad
from carom.tables.held import Keeping
from carom.tables.layout import (
    AABB,
    CIRCLE,
    DIAMETER,
    GEOMETRY,
    POINT,
    SET,
    Layout,
)
from carom.tables.reading import Reading, bad_rows, names_of, repaired_rows
from carom.tables.sources import Piece, Source
from carom.tables.tiling import bounds_of_tiles

Asked = Literal["depth", "normal", "points"]
ASKED: tuple[Asked, ...] = ("depth", "normal", "points")

OnBad = Literal["raise", "skip", "repair"]
ON_BAD: tuple[OnBad, ...] = ("raise", "skip", "repair")

SAMPLE = 2**18
"""Shapes that the edges of tiles are chosen by."""
TILE_ROWS = 2**20
"""Rows of a tile at most, where memory allows; fewer where it does not."""
LEAST_ROWS = 2**14
"""Rows of a tile at least: below, what all tiles share of their borders and of their beginnings takes longer."""
MOST_TILES = 64
"""Tiles that a shape may touch before it is joined apart, with those of each tile that it touches."""
LEAST_BYTES = 2**24
"""Bytes that the work on a tile takes at least, for the same reason."""
ROW_BYTES = {AABB: 900, CIRCLE: 800, DIAMETER: 800, POINT: 700, SET: 1200, GEOMETRY: 4000}
"""Bytes that a row takes at most while its tile is joined: measured, pairs of ordinary data included."""
PAIR_BYTES = 800
"""Bytes that a pair takes at most while its block is computed: measured."""
LEAST_AT_ONCE, MOST_AT_ONCE = 2**14, 2**20
"""Pairs of a block at least and at most: fewer take longer, and more make no difference."""
FEW_ROWS = 2**18
"""Rows of a source that each task of the other may have at hand: a search among them is made for each."""
TILES, ALL, FIRST, SECOND = "tiles", "all", "first", "second"
"""How the rows of a join are divided."""
GROWTH = 40
"""Bytes that a byte of a stored polygon takes then: its convex parts, and their contacts."""


@dataclass(frozen=True)
class JoinPlan:
    """How a join is cut into tiles.

    Attributes
    ----------
    layout, other : Layout
        Which columns hold the shapes of the source, and of the other source if there is one.
    within : float
        The largest distance of a pair.
    columns : tuple of str
        The values that are computed of each pair besides its names.
    x_edges : tuple of float
        Where strips meet.
    y_edges : tuple of tuples of float
        Where the tiles of each strip meet.
    rows, other_rows : int
        How many rows the sources have.
    marks : tuple of str
        One of each source, which changes when it does.
    pairs : int
        How many pairs of boxes there are, about, as some of them tell; 0 where these are too few.
    """

    layout: Layout
    other: Layout | None
    within: float
    columns: tuple[str, ...]
    x_edges: tuple[float, ...]
    y_edges: tuple[tuple[float, ...], ...]
    rows: int
    other_rows: int
    marks: tuple[str, ...]
    on_bad: str = "raise"
    clean: bool = False
    """Whether no row is bad, as a look at all of them has shown."""
    disk: int = 0
    """Bytes that are set aside while it runs, about."""
    block: int = MOST_AT_ONCE
    """Pairs that are computed at once."""
    pairs: int = 0
    proved: bool = False
    """Whether polygons that are read as rings are all surely in order, as that look has shown."""

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return sum(len(edges) + 1 for edges in self.y_edges)

    def edges(self) -> tuple[Floats, Floats, Integers]:
        """Return the edges in x, those in y one strip after the other, and where each strip begins."""
        lengths = [len(edges) for edges in self.y_edges]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        flat = np.array([y for edges in self.y_edges for y in edges], dtype=np.float64)
        return np.array(self.x_edges, dtype=np.float64), flat, starts

    def bounds(self) -> Floats:
        """Return min x, min y, max x, max y of each tile."""
        return bounds_of_tiles(*self.edges())

    def to_json(self) -> str:
        """Return it as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> JoinPlan:
        """Return the plan of a text."""
        told: dict[str, Any] = json.loads(text)
        for name in ("layout", "other"):
            if told[name] is not None:
                lists = {one: tuple(told[name][one]) for one in ("columns", "unused")}
                told[name] = Layout(**{**told[name], **lists})
        told["y_edges"] = tuple(tuple(edges) for edges in told["y_edges"])
        for name, value in told.items():
            told[name] = tuple(value) if isinstance(value, list) else value
        return cls(**told)


class Survey(NamedTuple):
    """The findings of a look at one piece, before it is cut into tiles."""

    sample: Floats  # some of its boxes
    bad: list[BadRow]
    bad_count: int
    missing: int
    repaired: int
    size: int  # bytes of its columns
    proved: bool  # as `BadRows` has it


def survey(
    where: str,
    piece: Piece,
    source: Source,
    share: float,
    on_bad: str,
    folder: Path,
    part: str,
    keeping: Keeping,
    threads: int = 1,
) -> Survey:
    """Return a sample of the boxes of a piece, and its bad rows, which go to a file of a folder, too."""
    layout = source.layout
    table = piece.read(source.columns)
    reading = Reading(table, layout, threads)
    bad = bad_rows(reading)
    mended, faults = repaired_rows(reading)
    told = named_rows(piece, table, layout, bad.rows, bad.reasons)
    refuse_bad(where, told, on_bad)
    told_all = told + named_rows(piece, table, layout, mended, [f"repaired: {fault}" for fault in faults])
    write_bad(folder, part, piece.first + np.concatenate([bad.rows, mended]), told_all)
    keep = np.arange(0, table.num_rows, max(1, int(1.0 / share)))
    keep = keep[~np.isin(keep, bad.rows)]
    boxes = reading.bounds(keep)
    boxes = boxes[~np.isnan(boxes[:, 0])]
    if not len(bad.rows):
        keeping.keep(part, reading)
    return Survey(boxes, told[:KEPT], len(bad.rows), bad.missing, len(mended), table.nbytes, bad.proved)


def named_rows(piece: Piece, table: pa.Table, layout: Layout, rows: Integers, reasons: Sequence[str]) -> list[BadRow]:
    """Return bad rows of a piece by their places and names."""
    names = names_of(table, layout, rows)
    return [BadRow(piece.name(int(row)), reason, name) for row, reason, name in zip(rows, reasons, names, strict=True)]


def checked_question(where: str, within: Any, columns: Any, on_bad: Any) -> tuple[float, tuple[str, ...]]:
    """Return what is asked of each pair, checked."""
    distance = checks.distance(where, "within", within)
    checks.one_of(where, "on_bad", on_bad, ON_BAD)
    return distance, checked_columns(where, columns, ASKED)


def checked_columns(where: str, columns: Any, known: Sequence[str], remedy: str = "") -> tuple[str, ...]:
    """Return the columns of an answer that are asked for, in the order in which they come."""
    expected = f"must be some of {', '.join(known)}{remedy}"
    if not isinstance(columns, (str, Iterable)):
        checks.refuse_type(where, "columns", columns, expected)
    asked = (columns,) if isinstance(columns, str) else tuple(columns)
    if any(name not in known for name in asked):
        checks.refuse(ValueError, where, "columns", columns, expected)
    return tuple(name for name in known if name in asked)


def check_sizes(where: str, **given: Any) -> None:
    """Refuse what is no number of bytes or rows."""
    for name, value in given.items():
        if value is not None:
            checks.count(where, name, value)


def plan_of(
    sources: Sequence[Source],
    surveys: Sequence[Survey],
    within: float,
    columns: tuple[str, ...],
    on_bad: str,
    budget: int | None,
    tile_rows: int | None,
    workers: int,
) -> JoinPlan:
    """Return the plan of sources that have been surveyed."""
    rows = sum(source.rows for source in sources)
    have = budget if budget is not None else free_memory()
    if tile_rows is not None:
        tiles = max(1, math.ceil(rows / tile_rows))
    else:
        size = _bytes_of_work(sources, surveys)
        # One tile alone may take what several share.
        by_memory = 1 if size <= 0.8 * have else math.ceil(size / max(LEAST_BYTES, 0.8 * have / workers))
        tiles = max(1, math.ceil(rows / TILE_ROWS), by_memory)
    x_edges, y_edges = edges_of(_middles(surveys), tiles) if tiles > 1 else ((), ((),))
    return JoinPlan(
        sources[0].layout,
        sources[1].layout if len(sources) > 1 else None,
        within,
        columns,
        x_edges,
        y_edges,
        sources[0].rows,
        sources[1].rows if len(sources) > 1 else 0,
        tuple(source.mark for source in sources),
        on_bad,
        not any(one.bad_count for one in surveys),
        int(1.2 * sum(one.size for one in surveys)),
        min(MOST_AT_ONCE, max(LEAST_AT_ONCE, have // workers // PAIR_BYTES)),
        proved=all(one.proved for one in surveys),
    )


def parts_of(
    sources: Sequence[Source], sizes: Sequence[Sequence[int]], plan: JoinPlan, budget: int | None, workers: int
) -> str:
    """Return how the rows of sources are divided, of which pieces with these bytes were read.

    ALL: all rows are joined at once, where one tile would hold them. FIRST or SECOND: each piece of that source is
    joined with all rows of the other, which are few. So nothing is set aside. TILES: by tiles.
    """
    if len(sources) == 2:
        many = 0 if sources[0].rows > sources[1].rows else 1
        few, largest = 1 - many, max(range(len(sizes[many])), key=sizes[many].__getitem__, default=None)
        if largest is not None and sources[few].rows <= FEW_ROWS:
            task = [(sources[few], sources[few].rows, sum(sizes[few]))]
            task.append((sources[many], sources[many].pieces[largest].rows, sizes[many][largest]))
            if _bytes_of_rows(task) * workers <= 0.8 * (budget if budget is not None else free_memory()):
                return (FIRST, SECOND)[many]
    return ALL if plan.tiles == 1 else TILES


def _middles(surveys: Sequence[Survey]) -> Floats:
    boxes = np.concatenate([one.sample for one in surveys] or [np.zeros((0, 4))])
    return 0.5 * boxes[:, :2] + 0.5 * boxes[:, 2:]


def _bytes_of_work(sources: Sequence[Source], surveys: Sequence[Survey]) -> int:
    """Return the memory that a join of all rows at once would take."""
    left = iter(surveys)
    return _bytes_of_rows([(one, one.rows, sum(next(left).size for _ in one.pieces)) for one in sources])


def _bytes_of_rows(given: Iterable[tuple[Source, int, int]]) -> int:
    """Return the memory that a join takes of so many rows of each source, which are stored in so many bytes."""
    total = 0
    for source, rows, stored in given:
        own = rows * ROW_BYTES.get(source.layout.kind, 1000)
        total += max(own, GROWTH * stored) if source.layout.kind == GEOMETRY else own
    return total


def edges_of(sample: Floats, tiles: int) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Return edges of strips, and of the tiles of each, between which about equally many of the sample lie."""
    strips = max(1, round(math.sqrt(tiles)))
    in_each = max(1, math.ceil(tiles / strips))
    if not len(sample):
        return (), ((),)
    x_edges = _cuts(sample[:, 0], strips)
    strip = np.searchsorted(x_edges, sample[:, 0], side="right")
    y_edges = tuple(tuple(_cuts(sample[strip == s, 1], in_each).tolist()) for s in range(len(x_edges) + 1))
    return tuple(x_edges.tolist()), y_edges


def _cuts(values: Floats, parts: int) -> Floats:
    """Return the values that cut sorted values into so many parts of equal number, each once."""
    if not len(values) or parts < 2:
        return np.zeros(0)
    ordered = np.sort(values)
    return np.unique(ordered[(np.arange(1, parts) * len(ordered)) // parts])
