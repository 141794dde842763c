"""Worlds of Tiled: several maps at their places, against one map that holds them all."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm
from carom.maps.world_names import find_numbers

PIECES = ["a", "b?", "a*", "[ab-]+", r"\\.", ".", ".*", "0*", "^", "$", r"\\D{1,2}", "[^b]{2}", r"\\-{0,}", r"\\w"]
TILE = '<tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>'


def write_map(file: Path, cells: Any) -> None:
    height, width = cells.shape
    file.write_text(
        f'<map orientation="orthogonal" width="{width}" height="{height}" tilewidth="16" tileheight="16">'
        f'<tileset firstgid="1" name="stones" tilewidth="16" tileheight="16">{TILE}</tileset>'
        f'<layer name="ground" width="{width}" height="{height}"><data encoding="csv">'
        f"{','.join(str(int(cell)) for cell in cells.ravel())}</data></layer>"
        '<objectgroup name="things"><object id="7" name="exit" x="16" y="0" width="16" height="16"/></objectgroup>'
        "</map>"
    )


def write_world(folder: Path, **fields: Any) -> Path:
    maps = [{"fileName": "left.tmx", "x": -64, "y": 0}, {"fileName": "right.tmx", "x": 0, "y": 0}]
    (folder / "all.world").write_text(json.dumps({"maps": maps, "type": "world", **fields}))
    return folder / "all.world"


@pytest.mark.parametrize("y_up", [False, True])
def test_maps_of_a_world_are_merged_like_one(tmp_path: Path, y_up: bool) -> None:
    cells = np.random.default_rng(1).random((3, 8)) < 0.7
    for name, part in (("left", cells[:, :4]), ("right", cells[:, 4:]), ("whole", cells)):
        write_map(tmp_path / f"{name}.tmx", part)
    world = cm.read_map(write_world(tmp_path), y_up=y_up)
    whole = cm.read_map(tmp_path / "whole.tmx", y_up=y_up)
    down = 48.0 if y_up else 0.0  # a world is mirrored at y = 0, a map at its middle
    moved = whole.solids.translated((-64, -down))
    assert sorted(world.solids.bounds.tolist()) == sorted(moved.bounds.tolist())
    assert world.bounds == (-64, -down, 64, 48 - down)
    assert len(world.outlines) == len(whole.outlines)
    assert sorted(trigger.shape.position.x for trigger in world.named("exit")) == [-40, 24]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"maps": 3}, "it holds no world of Tiled"),
        ({"type": "map"}, "it holds no world of Tiled"),
        ({"maps": [{"x": 0}]}, r"maps\[0\]: fileName is missing"),
        ({"maps": [{"fileName": "none.tmx"}]}, r"maps\[0\]: none.tmx: .*cannot be read"),
        ({"maps": [{"fileName": "all.world"}]}, r"maps\[0\]: all.world: it holds no map of Tiled, but a world"),
        ({"maps": [{"fileName": "a.tmx", "x": "b"}]}, r"maps\[0\]: x = 'b' must be a number"),
        ({"patterns": 3}, "patterns = 3 must be a list"),
        ({"patterns": [{"regexp": "a.*"}]}, r"patterns\[0\]: regexp: it must have two groups"),
        ({"patterns": [{"regexp": "((a+)+)"}]}, r"patterns\[0\]: regexp: .* in it is not read here"),
        ({"patterns": [{"regexp": "(a|b)(c)"}]}, r"patterns\[0\]: regexp: .* in it is not read here"),
        ({"patterns": [{"regexp": "([z-a])(c)"}]}, r"patterns\[0\]: regexp: '\[z-a\]' is no class of characters"),
        ({"patterns": [{"regexp": "(a)(l)l"}]}, r"patterns\[0\]: regexp: 'all.world' has 'a' and 'l', which must be"),
        ({"patterns": [{"regexp": "()()", "multiplierX": 0}]}, r"patterns\[0\]: multiplierX and multiplierY must not"),
    ],
)
def test_what_is_no_world_is_refused(tmp_path: Path, fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=f"read_map: all.world: {expected}"):
        cm.read_map(write_world(tmp_path, **fields))


@pytest.mark.parametrize("fields", [{"maps": []}, {"maps": [], "patterns": [{"regexp": r"no(\d+)-(\d+)\.tmx"}]}])
def test_a_world_without_maps_is_refused(tmp_path: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^read_map: all\.world: it has no maps"):
        cm.read_map(write_world(tmp_path, **fields))


def test_a_pattern_that_fits_no_file_is_told_of(tmp_path: Path) -> None:
    for name in ("left.tmx", "right.tmx"):
        write_map(tmp_path / name, np.ones((2, 2)))
    with pytest.warns(UserWarning, match=r"^read_map: all\.world: patterns\[0\]: no file beside the world fits"):
        level = cm.read_map(write_world(tmp_path, patterns=[{"regexp": r"no(\d+)-(\d+)\.tmx"}]))
    assert len(level.solids) == 2


def test_maps_are_found_by_patterns_of_their_names(tmp_path: Path) -> None:
    cells = np.random.default_rng(2).random((6, 8)) < 0.7
    for column in range(2):
        for row in range(2):
            name = f"part-{column - 1:+d}_{row:03d}.tmx".replace("+", "")
            write_map(tmp_path / name, cells[3 * row : 3 * row + 3, 4 * column : 4 * column + 4])
    (tmp_path / "part-x_000.tmx").write_text("no map, and not asked for")
    write_map(tmp_path / "whole.tmx", cells)
    pattern = {
        "regexp": r"^part-(-?\d+)_0*(\d+)\.tmx$",
        "multiplierX": 64,
        "multiplierY": 48,
        "offsetX": 64,
        "offsetY": 7,
    }
    listed = [{"fileName": "part--1_000.tmx", "x": 0, "y": 7}]
    for maps in ({}, {"maps": listed}):
        file = tmp_path / "all.world"
        file.write_text(json.dumps({"type": "world", "patterns": [pattern], **maps}))
        world, whole = cm.read_map(file), cm.read_map(tmp_path / "whole.tmx")
        assert sorted(world.solids.bounds.tolist()) == sorted(whole.solids.translated((0, 7)).bounds.tolist())
        assert len(world.named("exit")) == 4


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), st.lists(st.text("01ab-.", max_size=9), max_size=8))
def test_patterns_find_what_a_search_by_regular_expression_does(pieces: list[str], names: list[str]) -> None:
    pattern = "".join([*pieces[:2], r"(\d+)", *pieces[2:4], "([0-9]{1,2})", *pieces[4:]])
    matches = [(name, re.search(pattern, name)) for name in names]
    expected = [(name, int(match[1]), int(match[2])) for name, match in matches if match]
    assert find_numbers(pattern, names) == expected


def test_a_pattern_that_backtracks_without_end_takes_no_time() -> None:
    begin = time.process_time()
    assert find_numbers(r"(\d+)(\d+)" + r"\d*" * 20 + "x", ["1" * 60 + ".tmx"]) == []
    assert time.process_time() - begin < 2.0
