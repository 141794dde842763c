"""Level files: the tutorial's grammar read strictly, and the levels that come with the game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carom_breakout.levels import (
    BRICKS_END,
    MOST_BRICKS,
    MOST_COLUMNS,
    MOST_ROWS,
    Level,
    LevelError,
    brick_edges,
    make_levels,
    parse_level,
    read_level,
    shipped_levels,
)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("2", ((2,),)),
        ("0 1 2\n3 4 5\n", ((0, 1, 2), (3, 4, 5))),
        ("  0\t2 \t\n 1   2\t\n\n  \n", ((0, 2), (1, 2))),
        ("2 2\r\n0 1\r\n", ((2, 2), (0, 1))),
        ("6 7 999999999999999999999", ((6, 6, 6),)),
        ("007 01 00", ((6, 1, 0),)),
        ("9" * 10_000, ((6,),)),
    ],
)
def test_the_grammar_of_a_level_is_read(text, rows):
    assert parse_level(text, "here").rows == rows


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "file.txt: the level is empty"),
        (" \n\t\n", "file.txt: the level is empty"),
        ("2 2 2\n2 2\n", "file.txt, line 2: 2 bricks where line 1 has 3"),
        ("2 2\n2 2\n2 2 2\n", "file.txt, line 3: 3 bricks where line 1 has 2"),
        ("2 2\n\n2 2\n", "file.txt, line 2: the row is empty"),
        ("2 -1\n", "file.txt, line 1: '-1' is not an unsigned integer"),
        ("2 2\n1 x\n", "file.txt, line 2: 'x' is not an unsigned integer"),
        ("2 1.5\n", "file.txt, line 1: '1.5' is not"),
        ("2 +1\n", "file.txt, line 1: '\\+1' is not"),
        ("2 1e3\n", "file.txt, line 1: '1e3' is not"),
        ("2 ²\n", "file.txt, line 1: '²' is not"),
        ("2, 1\n", "file.txt, line 1: '2,' is not"),
        ("0 0\n0 0\n", "file.txt: no brick can be broken"),
        ("1 1 0\n", "file.txt: no brick can be broken"),
        ("2 " * (MOST_COLUMNS + 1), f"file.txt, line 1: {MOST_COLUMNS + 1} bricks in a row; at most {MOST_COLUMNS}"),
        ("2\n" * (MOST_ROWS + 1), f"file.txt, line {MOST_ROWS + 1}: {MOST_ROWS + 1} rows; at most {MOST_ROWS}"),
        (("2 " * 40 + "\n") * 13, f"file.txt: 40 x 13 bricks; at most {MOST_BRICKS}"),
    ],
)
def test_unplayable_levels_are_refused_with_file_line_and_reason(text, reason):
    with pytest.raises(LevelError, match=f"^{reason}"):
        parse_level(text, "file.txt")


def test_errors_in_a_level_file_name_the_file(tmp_path):
    with pytest.raises(LevelError, match=r"missing\.txt: cannot be read"):
        read_level(tmp_path / "missing.txt")
    with pytest.raises(LevelError, match="cannot be read"):
        read_level(tmp_path)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(LevelError, match=r"picture\.png: not a text file"):
        read_level(tmp_path / "picture.png")
    (tmp_path / "good.txt").write_text("2 1\n0 3\n")
    assert read_level(str(tmp_path / "good.txt")).rows == ((2, 1), (0, 3))


grids = st.integers(1, 20).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 6), min_size=columns, max_size=columns).map(tuple), min_size=1, max_size=24
    ).map(tuple)
)


@given(grids.filter(lambda rows: any(code > 1 for row in rows for code in row)))
def test_the_text_of_a_level_reads_back(rows):
    level = Level("drawn", rows)
    assert parse_level(level.text, "drawn") == level


def test_the_table_keeps_codes_row_by_row():
    table = make_levels([parse_level("2 1\n0 3", "a"), parse_level("5", "b")])
    assert table.codes[0, :5].tolist() == [2, 1, 0, 3, 0]
    assert table.columns.tolist() == [2, 1]
    assert table.rows.tolist() == [2, 1]
    assert table.destructible.tolist() == [2, 1]
    with pytest.raises(ValueError, match=r"levels = .* must hold at least one Level"):
        make_levels([])


@pytest.mark.parametrize("columns", [1, 7, 13, 15, 40])
@pytest.mark.parametrize("rows", [1, 8, 9, 11])
def test_bricks_fill_the_upper_half_except_in_the_tutorial(columns, rows):
    table = make_levels([Level("full", ((2,) * columns,) * rows)])
    edge_x, edge_y = brick_edges(table, 0)
    assert (edge_x[0], edge_x[-1], edge_y[0], edge_y[-1]) == (0.0, 800.0, 0.0, 300.0)
    np.testing.assert_allclose(np.diff(edge_x), 800.0 / columns, rtol=1e-12)
    np.testing.assert_allclose(np.diff(edge_y), 300.0 / rows, rtol=1e-12)
    whole = brick_edges(table, 0, integer_height=True)[1]
    assert np.diff(whole).tolist() == [300 // rows] * rows
    assert BRICKS_END - whole[-1] == 300 % rows


def test_the_shipped_levels_are_at_least_six_and_all_different():
    levels = shipped_levels()
    assert len(levels) >= 6
    assert len({level.rows for level in levels}) == len({level.name for level in levels}) == len(levels)
    for level in levels:
        assert level.name == level.name.strip().capitalize()
        # A ball fits through every gap of one brick.
        assert 800 / len(level.rows[0]) > 26
        assert 300 / len(level.rows) > 26


def test_the_shipped_levels_do_not_copy_the_tutorial():
    # Its four levels have these sizes and numbers of destructible bricks (field survey).
    theirs = {(15, 8, 99), (15, 8, 63), (13, 9, 39), (13, 6, 59)}
    for level in shipped_levels():
        breakable = sum(code > 1 for row in level.rows for code in row)
        assert (len(level.rows[0]), len(level.rows), breakable) not in theirs
