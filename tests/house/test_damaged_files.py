"""Files that were changed by accident: every reader reads them, or refuses them by its own error and by no other."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom as cm
from carom_breakout.levels import LevelError, read_level, shipped_levels
from carom_breakout.replay import ReplayError, load_replay

TESTS = Path(__file__).parents[1]
TIMES = 150  # of each kind; 2,000 were tried when this was written
PIECES = (b"0", b"-1", b"1e999", b"99999999999999999999", b"null", b"[", b"]", b"{", b"}", b'"', b"NaN", b"true", b",")
PIECES += (b"<", b">", b"/", b"&", b"\x00", b"\xff", b" ", b"\n", b"Infinity", b"x")


def shapes_file(folder: Path) -> bytes:
    file = folder / "shapes.npy"
    shapes = [cm.Circle((0, 0), 1), cm.Box((3, 0), (1, 2), 0.3), cm.Polygon([(5, 0), (6, 0), (5, 1)])]
    cm.Shapes(shapes).save(file)
    return file.read_bytes()


def level_file(folder: Path) -> bytes:
    return shipped_levels()[2].text.encode()


def land_file(folder: Path) -> bytes:
    rings = [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]]]
    geometries: list[dict[str, Any]] = [
        {"type": "Polygon", "coordinates": rings},
        {"type": "MultiPolygon", "coordinates": [[[[9, 0], [12, 0], [12, 3], [9, 0]]]]},
        {"type": "LineString", "coordinates": [[0, 9], [3, 9], [3, 12]]},
        {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 30, 5]}]},
    ]
    features = [
        {"type": "Feature", "id": k, "properties": {"name": f"place {k}"}, "geometry": one}
        for k, one in enumerate(geometries)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def read_land(file: Path) -> None:
    """Read a file of GeoJSON with Python's own reader, and what it holds in each way."""
    told, faults = json.loads(file.read_bytes()), []
    for read in (cm.convert.from_shapely, cm.Shapes.from_shapely):
        for on_bad in ("skip", "repair", "raise"):
            try:
                read(told, on_bad=on_bad)
            except (TypeError, ValueError) as error:
                faults.append(str(error))
    assert all("from_shapely: " in fault for fault in faults)
    if faults:
        raise ValueError(faults[0])


def of_tests(name: str) -> Callable[[Path], bytes]:
    return lambda folder: (TESTS / name).read_bytes()


def small_replay(folder: Path) -> bytes:
    """The first 3,000 bytes, and the end; with a level, runs and checkpoints."""
    return (
        b'{"format":"carom breakout replay 1","version":"0.1.0","levels":[{"name":"a","text":"2 2\\n0 3\\n"}],"seed":1,'
        b'"level":0,"physics":0,"inclusive":false,"dt":0.016666666666666666,"runs":[[3,0,null,0],[2,-1,401.5,0],'
        b'[55,1,null,2]],"checkpoints":{"60":"7f3fcb4e13d75f6d"}}\n'
    )


READERS: dict[str, tuple[Callable[[Path], bytes], Callable[[Path], Any], type[Exception]]] = {
    "replay.json": (small_replay, load_replay, ReplayError),
    "level.txt": (level_file, read_level, LevelError),
    "shapes.npy": (shapes_file, cm.Shapes.load, ValueError),
    "cave.tmx": (of_tests("maps/data/cave.tmx"), cm.read_map, ValueError),
    "cave.tmj": (of_tests("maps/data/cave.tmj"), cm.read_map, ValueError),
    "isle.tmx": (of_tests("maps/data/isle.tmx"), cm.read_map, ValueError),
    "comb.tmj": (of_tests("maps/data/comb.tmj"), cm.read_map, ValueError),
    "rooms.ldtk": (of_tests("maps/data/rooms.ldtk"), cm.read_map, ValueError),
    "caves.world": (of_tests("maps/data/caves.world"), cm.read_map, ValueError),
    "plan.png": (of_tests("maps/data/plan.png"), cm.read_map, ValueError),
    "plan.pgm": (of_tests("maps/data/plan.pgm"), cm.read_map, ValueError),
    "plan.yaml": (of_tests("maps/data/plan.yaml"), cm.read_map, ValueError),
    "arena.map": (of_tests("maps/data/arena.map"), cm.read_map, ValueError),
    "land.geojson": (land_file, read_land, ValueError),
    "grid.txt": (
        lambda folder: b"#..#\n#-P#\n####\n",
        lambda file: cm.read_grid(file.read_text("latin-1")),
        ValueError,
    ),
}


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return it with one to three places changed: a byte, a piece put in, a piece left out or doubled."""
    for _ in range(rng.randint(1, 3)):
        at, length = rng.randrange(len(content)), rng.choice((0, 1, 1, 2, 5, 20))
        piece = rng.choice((bytes([rng.randrange(256)]), rng.choice(PIECES), content[at : at + length] * 2, b""))
        content = content[:at] + piece + content[at + length :] or b" "
    return content


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    make, read, error = READERS[name]
    content, rng, refused = make(tmp_path), random.Random(name), 0
    shutil.copytree(TESTS / "maps" / "data", tmp_path, dirs_exist_ok=True)  # what the maps refer to
    file = tmp_path / name
    file.write_bytes(content)
    read(file)
    for k in range(TIMES):
        file.write_bytes(damaged(content, rng))
        try:
            read(file)
        except error:
            refused += 1
        except Exception as raised:
            pytest.fail(f"number {k}: {type(raised).__name__}: {raised}")
    assert refused > TIMES // 20
