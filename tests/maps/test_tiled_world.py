"""Worlds of Tiled: several maps at their places, against one map that holds them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom as cm

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
        ({"patterns": [{"regexp": "a.*"}]}, "its maps are told by patterns"),
    ],
)
def test_what_is_no_world_is_refused(tmp_path: Path, fields: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=f"read_map: all.world: {expected}"):
        cm.read_map(write_world(tmp_path, **fields))
