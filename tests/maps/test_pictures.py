"""Pictures, maps of ROS and maps of movingai: against the cells that they are made of, and files that are no maps."""

from __future__ import annotations

import base64
import math
import os
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import carom as cm
from carom.maps.tiled_file import tile_ids

DATA = Path(__file__).parent / "data"
USUAL: dict[str, Any] = {
    "image": "plan.png",
    "resolution": 0.5,
    "origin": [0.0, 0.0, 0.0],
    "negate": 0,
    "occupied_thresh": 0.65,
    "free_thresh": 0.196,
}
GREY = np.array([[0, 254, 205], [254, 100, 0]], dtype=np.uint8)


def ros(folder: Path, pixels: Any = GREY, roles: Any = None, scale: float = 1.0, **fields: Any) -> cm.Level:
    Image.fromarray(np.asarray(pixels)).save(folder / "plan.png")
    lines = [f"{key}: {value}" for key, value in {**USUAL, **fields}.items() if value is not None]
    (folder / "plan.yaml").write_text("\n".join(lines))
    return cm.read_map(folder / "plan.yaml", roles=roles, scale=scale)


def cells(level: cm.Level, rows: int, columns: int, size: float = 1.0) -> list[list[bool]]:
    """Return which cells of a level that begins at (0, 0) hold something solid in their middles, by y and x."""
    middles = [[((x + 0.5) * size, (y + 0.5) * size) for x in range(columns)] for y in range(rows)]
    return [[bool(np.any(cm.contains(level.solids, middle))) for middle in row] for row in middles]


@pytest.mark.parametrize("y_up", [False, True])
@pytest.mark.parametrize("name", ["plan.png", "plan.pgm"])
def test_dark_pixels_of_a_picture_are_solid(name: str, y_up: bool) -> None:
    level = cm.read_map(DATA / name, scale=2, y_up=y_up)
    dark = np.asarray(Image.open(DATA / name)) < 128
    drawn = "\n".join("".join(".#"[int(cell)] for cell in row) for row in dark)
    same = cm.read_grid(drawn, tile_size=2, y_up=y_up)
    assert level.outlines == same.outlines and level.bounds == same.bounds
    assert sorted(level.solids.bounds.tolist()) == sorted(same.solids.bounds.tolist())
    light = cm.read_map(DATA / name, roles={"dark": "ignore", "Light": "solid"})
    assert light.solids.areas.sum() == dark.size - dark.sum()


@given(st.integers(0, 2**32 - 1))
def test_any_picture_is_read_as_its_text_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dark = np.pad(rng.random(rng.integers(1, 9, 2)) < rng.random(), 1)
    draft_level = cm.read_grid("\n".join("".join(".#"[int(cell)] for cell in row) for row in dark), tile_size=0.1)
    file = DATA.parent / f"picture-{os.getpid()}.png"
    try:
        Image.fromarray(np.where(dark, 0, 255).astype(np.uint8)).save(file)
        level = cm.read_map(file, scale=0.1)
    finally:
        file.unlink(missing_ok=True)
    assert level.outlines == draft_level.outlines
    assert sorted(level.solids.bounds.tolist()) == sorted(draft_level.solids.bounds.tolist())


def test_pictures_of_all_modes_are_read_as_grey_on_white(tmp_path: Path) -> None:
    dark = np.array([[True, False, True, False]])
    grey = Image.fromarray(np.where(dark, 0, 255).astype(np.uint8))
    clear = Image.new("RGBA", (4, 1), (0, 0, 0, 0))
    clear.putpixel((0, 0), (0, 0, 0, 255))
    deep = Image.fromarray(np.where(dark, 1000, 65000).astype(np.uint16))
    pictures = [grey.convert(mode) for mode in ("1", "P", "LA", "RGB", "RGBA")] + [grey, deep]
    for picture in pictures:
        picture.save(tmp_path / "a.png")
        assert cells(cm.read_map(tmp_path / "a.png"), 1, 4) == dark.tolist(), picture.mode
    deep.save(tmp_path / "a.pgm")
    assert cells(cm.read_map(tmp_path / "a.pgm"), 1, 4) == dark.tolist()
    clear.save(tmp_path / "a.png")
    assert cells(cm.read_map(tmp_path / "a.png"), 1, 4) == [[True, False, False, False]]


def test_a_map_of_ros_lies_in_its_own_frame(tmp_path: Path) -> None:
    level = ros(tmp_path)
    assert level.bounds == (0.0, 0.0, 1.5, 1.0)
    assert cells(level, 2, 3, 0.5) == [[False, False, True], [True, False, False]]  # the last row is the lowest
    moved = ros(tmp_path, origin=[-3.0, 7.0, 0.0], scale=2.0)
    assert moved.bounds == (-6.0, 14.0, -3.0, 16.0)
    assert moved.solids == ros(tmp_path, scale=2.0).solids.translated((-6, 14))
    assert cm.read_map(DATA / "plan.yaml").bounds == pytest.approx((-1.5, 2.0, -1.05, 2.3))


@pytest.mark.parametrize("yaw", [0.3, -math.pi / 2, math.pi])
def test_a_map_of_ros_is_turned_about_its_origin(tmp_path: Path, yaw: float) -> None:
    flat, level = ros(tmp_path), ros(tmp_path, origin=[4.0, -2.0, yaw], roles={"unknown": "trigger"})
    c, s = math.cos(yaw), math.sin(yaw)
    rng = np.random.default_rng(1)
    for x, y in rng.uniform((0, 0), (1.5, 1.0), (200, 2)).tolist():
        there = 4 + c * x - s * y, -2 + s * x + c * y
        inside = np.any(cm.contains(flat.solids, (x, y)))
        assert np.any(cm.contains(level.solids, there)) == inside
        assert any(cm.contains(cm.decompose(*outline), there) for outline in level.outlines) == inside
        assert cm.contains(level.triggers[0].shape, there) == (x > 1.0 and y > 0.5)
    low_x, low_y, high_x, high_y = level.bounds
    for x, y in ((0, 0), (1.5, 0), (1.5, 1), (0, 1)):
        assert low_x - 1e-12 <= 4 + c * x - s * y <= high_x + 1e-12
        assert low_y - 1e-12 <= -2 + s * x + c * y <= high_y + 1e-12


SHADES = np.array([[0, 60, 120, 180, 205, 240, 255]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("fields", "occupied", "unknown"),
    [
        ({}, [0, 60], [120, 180, 205]),  # as map_server divides: (255 - x) / 255 above 0.65, below 0.196
        ({"negate": 1}, [180, 205, 240, 255], [60, 120]),
        ({"negate": "true"}, [180, 205, 240, 255], [60, 120]),
        ({"occupied_thresh": 0.5}, [0, 60, 120], [180, 205]),
        ({"free_thresh": 0.25}, [0, 60], [120, 180]),
        ({"mode": "scale"}, [0, 60], []),
        ({"mode": "Trinary", "occupied_thresh": None, "free_thresh": None}, [0, 60], [120, 180, 205]),
        ({"mode": "raw"}, [], [120, 180, 205, 240, 255]),
        ({"free_thresh": "5e-2"}, [0, 60], [120, 180, 205, 240]),  # which YAML takes for text
    ],
)
def test_grey_values_mean_what_map_server_says(
    tmp_path: Path, fields: dict[str, Any], occupied: list[int], unknown: list[int]
) -> None:
    def shades(roles: Any) -> list[int]:
        found = cells(ros(tmp_path, SHADES, roles, resolution=1.0, **fields), 1, SHADES.size)[0]
        return SHADES[0][np.array(found)].tolist()

    assert shades(None) == occupied
    assert shades({"unknown": "solid", "occupied": "ignore"}) == unknown
    assert sorted(shades({"free": "solid"}) + unknown) == SHADES[0].tolist()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"image": "../plan.png"}, "image = '../plan.png' must lie in the folder"),
        ({"image": "/etc/passwd"}, "image = '/etc/passwd' must lie in the folder"),
        ({"image": "link.png"}, "image = 'link.png' must lie in the folder"),
        ({"image": "none.png"}, "image 'none.png': .* cannot be read: No such file"),
        ({"image": "plan.yaml"}, "image 'plan.yaml': it is no PNG or PGM"),
        ({"image": 3}, "image = 3 must be a file's name"),
        ({"image": "!!python/object/apply:os.system ['false']"}, "the YAML cannot be read: could not determine"),
        ({"image": None}, "it is no map of ROS"),
        ({"resolution": 0}, "resolution = 0.0 must be positive"),
        ({"resolution": None}, "resolution = None must be a number"),
        ({"resolution": "1e-151"}, "resolution . scale = 1e-151 leaves"),
        ({"resolution": 1e-9, "origin": [1e9, 0, 0]}, "origin: "),
        ({"origin": "[1]"}, r"origin = \[1\] must be a list of x, y and yaw"),
        ({"origin": "[0, .nan, 0]"}, r"origin\[1\] = nan must be a number"),
        ({"origin": [0, 0, 90]}, r"origin\[2\] = 90.0 must be a yaw in radians"),
        ({"negate": 2}, "negate = 2 must be 0 or 1"),
        ({"mode": "grey"}, "mode = 'grey' must be one of trinary"),
        ({"free_thresh": 0.9}, "free_thresh = 0.9 must be less than occupied_thresh = 0.65"),
        ({"extra": "[" * 1000}, "the YAML cannot be read"),
        ({"extra": "&a [1]\nmore: *a"}, "it has aliases"),
        ({"extra": "x" * 2**20}, "it has more than 1048576 bytes"),
    ],
)
def test_what_is_no_map_of_ros_is_refused(tmp_path: Path, fields: dict[str, Any], expected: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "link.png").symlink_to(DATA / "plan.png")
    with pytest.raises(ValueError, match=f"read_map: plan.yaml: {expected}"):
        ros(tmp_path / "inner", **fields)


def test_a_role_of_a_map_of_ros_must_fit() -> None:
    with pytest.raises(ValueError, match=r"roles\['unknwon'\].*did you mean unknown"):
        cm.read_map(DATA / "plan.yaml", roles={"unknwon": "solid"})
    with pytest.raises(ValueError, match="levels"):
        cm.read_map(DATA / "plan.yaml", levels="a")


def test_a_grid_of_movingai_is_read_letter_by_letter() -> None:
    level = cm.read_map(DATA / "arena.map")
    lines = (DATA / "arena.map").read_text().splitlines()[4:]
    assert cells(level, 4, 6) == [[letter in "@OTW" for letter in line] for line in lines]
    assert level.bounds == (0.0, 0.0, 6.0, 4.0)
    swim = cm.read_map(DATA / "arena.map", roles={"W": "ignore", "S": "solid", "G": "trigger", "O": "one_way"})
    assert cells(swim, 4, 6) == [[letter in "@ST" for letter in line] for line in lines]
    assert [trigger.name for trigger in swim.triggers] == ["G"] and len(swim.one_way.shapes) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the header must be four lines"),
        ("type tile\nheight 1\nwidth 1\nmap\n.\n", "type = 'tile' is not known"),
        ("type octile\nheight 1\nwidth 1\n.\n", "line 4 = b'.' must be one of"),
        ("type octile\nheight x\nwidth 1\nmap\n.\n", "height = 'x' must be a whole number"),
        ("type octile\nheight 2\nwidth 1\nmap\n.\n", "the map has 1 rows; the header says height 2"),
        ("type octile\nheight 1\nwidth 999999999\nmap\n.\n", "line 5 has 1 cells; the header says width 999999999"),
        ("type octile\nheight 1\nwidth 2\nmap\n.x\n", "line 5, column 2 has 'x', which has no meaning"),
    ],
)
def test_what_is_no_map_of_movingai_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "a.map").write_text(text)
    with pytest.raises(ValueError, match=f"read_map: a.map: {expected}"):
        cm.read_map(tmp_path / "a.map")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.fromarray(np.zeros((400, 500), dtype=np.uint8)).save(tmp_path / "a.png")
    for most in (199_999, 90_000):  # where Pillow warns, and where it raises an error
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", most)
        with pytest.raises(ValueError, match=f"a.png: the picture has too many pixels: .* = {most}"):
            cm.read_map(tmp_path / "a.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 200_000)
    assert len(cm.read_map(tmp_path / "a.png").solids) == 1


def test_memory_is_bounded_by_the_number_of_pixels(tmp_path: Path) -> None:
    """A chessboard is the worst: a box for every second pixel, and four corners of each."""
    chess = (np.indices((150, 200)).sum(axis=0) % 2 * 255).astype(np.uint8)
    Image.fromarray(chess).save(tmp_path / "a.png")
    cm.read_map(tmp_path / "a.png")
    tracemalloc.start()
    try:
        cm.read_map(tmp_path / "a.png")
        assert tracemalloc.get_traced_memory()[1] < 600 * chess.size
    finally:
        tracemalloc.stop()


def test_layers_packed_by_zstd_are_read_on_every_python() -> None:
    import zstandard

    ids = np.arange(6, dtype="<u4")
    packed = base64.b64encode(zstandard.compress(ids.tobytes())).decode()
    assert tile_ids(packed, "base64", "zstd", 3, 2).tolist() == [[0, 1, 2], [3, 4, 5]]
    for wrong in (packed[:12], base64.b64encode(zlib.compress(ids.tobytes())).decode()):
        with pytest.raises(ValueError, match=r"zstd data|base64 data have"):
            tile_ids(wrong, "base64", "zstd", 3, 2)
    bomb = base64.b64encode(zstandard.compress(bytes(10**8))).decode()
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="base64 data have 25 bytes; 6 tiles"):
            tile_ids(bomb, "base64", "zstd", 3, 2)
        assert tracemalloc.get_traced_memory()[1] < 10**7
    finally:
        tracemalloc.stop()
