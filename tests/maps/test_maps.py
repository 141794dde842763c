"""Levels from text, Tiled and LDtk: against unions by Shapely, rasters, one map in two formats, and broken files."""

from __future__ import annotations

import base64
import gzip
import json
import pickle
import shutil
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm

MAPS = Path(__file__).parent / "data"
SHOWN = (1e-4, 0.37, 0.7919)  # of a cell: samples that lie on no edge of any test tile


def cell(mark: str, x: int, y: int, hangs: bool = False) -> shapely.Polygon:
    """Return the shape that a character draws, computed independently."""
    corners = {
        "#": [(0, 0), (1, 0), (1, 1), (0, 1)],
        "/": [(0, 1), (1, 0), (0, 0)] if hangs else [(0, 1), (1, 0), (1, 1)],
        "\\": [(0, 0), (1, 1), (1, 0)] if hangs else [(0, 0), (1, 1), (0, 1)],
    }[mark]
    return shapely.Polygon([(x + a, y + b) for a, b in corners])


def union(lines: list[str]) -> Any:
    found = []
    for y, line in enumerate(lines):
        for x, mark in enumerate(line):
            above = y > 0 and lines[y - 1][x] != "."
            below = y + 1 < len(lines) and lines[y + 1][x] != "."
            if mark != ".":
                found.append(cell(mark, x, y, above and not below))
    return shapely.unary_union(found)


def polygons(level: cm.Level) -> list[shapely.Polygon]:
    return [shapely.Polygon(region.outline, region.holes) for region in level.outlines]


def corners(ring: Any) -> frozenset[tuple[float, float]]:
    """Return the corners of a ring, without points on straight edges."""
    points = list(ring.coords)[:-1]
    around = zip(points[-1:] + points[:-1], points, points[1:] + points[:1], strict=True)
    turns = [b for a, b, c in around if (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])]
    return frozenset(turns)


def regions(polygons: Any) -> set[Any]:
    """Return polygons as sets of corners: of the outline, and of each hole."""
    return {(corners(p.exterior), frozenset(corners(hole) for hole in p.interiors)) for p in polygons}


def parts_of(union: Any) -> list[shapely.Polygon]:
    return [part for part in getattr(union, "geoms", [union]) if not part.is_empty]


def grids(marks: str) -> Any:
    sizes = st.tuples(st.integers(1, 9), st.integers(1, 9))

    def lines(size: tuple[int, int]) -> Any:
        return st.lists(st.text(marks, min_size=size[0], max_size=size[0]), min_size=size[1], max_size=size[1])

    return sizes.flatmap(lines)


def signed_area(ring: Any) -> float:
    return sum(a.cross(b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2


@settings(max_examples=150, deadline=None)
@given(grids("#."), st.booleans())
def test_outlines_of_blocks_are_the_union(lines: list[str], y_up: bool) -> None:
    check_outlines(lines, y_up)


@settings(max_examples=150, deadline=None)
@given(grids("##/\\."), st.booleans())
def test_outlines_of_blocks_and_slopes_are_the_union(lines: list[str], y_up: bool) -> None:
    check_outlines(lines, y_up)


def check_outlines(lines: list[str], y_up: bool) -> None:
    """The same regions, the same holes and corners; parts are convex, fill them, and do not overlap."""
    level = cm.read_grid("\n".join(["", *lines, ""]), y_up=y_up)
    expected = union(lines)
    if y_up:
        expected = shapely.transform(expected, lambda points: np.stack((points[:, 0], len(lines) - points[:, 1]), 1))
    assert all(polygon.is_valid for polygon in polygons(level))
    assert regions(polygons(level)) == regions(parts_of(expected))
    assert all(signed_area(ring) > 0 for region in level.outlines for ring in (region.outline, *region.holes))
    parts = [shapely.Polygon(part.vertices) for part in level.solids]
    assert sum(part.area for part in parts) == expected.area
    assert shapely.unary_union(parts).symmetric_difference(expected).area == 0
    assert level.bounds == (0, 0, len(lines[0]), len(lines))


@pytest.mark.parametrize("seed", range(4))
def test_outlines_of_larger_grids_are_the_union(seed: int) -> None:
    random = np.random.default_rng(seed)
    lines = ["".join(row) for row in random.choice(list("##." if seed % 2 else "#/\\."), (60, 45))]
    check_outlines(lines, seed > 1)


def test_corners_do_not_connect() -> None:
    level = cm.read_grid("#.\n.#")
    assert [region.holes for region in level.outlines] == [(), ()]
    ring = cm.read_grid("###\n#.#\n##.\n###")  # the pocket touches the notch at a corner, and stays a hole
    assert len(ring.outlines) == 1
    assert ring.outlines[0].holes == (((1, 1), (2, 1), (2, 2), (1, 2)),)


POCKETS = ["###\n#/.\n##.", "###\n.\\#\n.##", "##.\n#7.\n###"]


@pytest.mark.parametrize("text", POCKETS)
@pytest.mark.parametrize("size", [1.0, 0.1, 1 / 3])
@pytest.mark.parametrize("y_up", [False, True])
def test_a_tip_on_an_edge_closes_a_pocket(text: str, size: float, y_up: bool) -> None:
    """A slope that ends on the side of another cell: what lies behind it is a hole, at any scale."""
    (region,) = polygons(cm.read_grid(text, tile_size=size, y_up=y_up, legend={"7": "top_right"}))
    assert region.is_valid
    assert len(region.interiors) == 1


def test_regions_that_touch_themselves_are_valid_at_any_scale() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        lines = ["".join(row) for row in random.choice(list("##/\\."), random.integers(2, 8, 2))]
        check_outlines(lines, False)
        level = cm.read_grid("\n".join(["", *lines, ""]), tile_size=0.1, y_up=True)
        assert all(polygon.is_valid for polygon in polygons(level))


def test_slopes_over_many_tiles_are_one_edge() -> None:
    level = cm.read_grid("...../#\n..../##\n.../###\n../####\n./#####\n/######")
    assert [sorted(part.vertices) for part in level.solids] == [[(0, 6), (6, 0), (7, 0), (7, 6)]]


def test_diamonds_and_cut_corners_become_their_outlines() -> None:
    room = cm.read_grid("#####\n#/.\\#\n#...#\n#\\./#\n#####")
    assert [set(hole) for hole in room.outlines[0].holes] == [
        {(2, 1), (3, 1), (4, 2), (4, 3), (3, 4), (2, 4), (1, 3), (1, 2)}
    ]
    diamond = cm.read_grid("./\\.\n/##\\\n\\##/\n.\\/.")
    assert [set(region.outline) for region in diamond.outlines] == [{(2, 0), (4, 2), (2, 4), (0, 2)}]


def test_a_room_is_four_walls() -> None:
    wall = "#" * 40
    level = cm.read_grid("\n".join([wall, *(["#" + "." * 38 + "#"] * 20), wall]), tile_size=0.1)
    assert len(level.solids) == 4
    assert all(isinstance(part, cm.Box) for part in level.solids)
    (region,) = level.outlines
    assert region.outline[2] == (40 * 0.1, 22 * 0.1)
    hits = [cm.move(cm.Circle((2, 1.5), 0.3), (10 * x, 10 * y), level.solids) for x, y in ((1, 0.1), (0.3, -1))]
    assert all(went.hits for went in hits)


def test_flush_tiles_at_any_scale_are_flush() -> None:
    for size in (1.0, 0.1, 1 / 3, 1e-9, 1e9, 7e100, 1e-150):
        level = cm.read_grid("##.\n###\n.##", tile_size=size)
        found = {(i, j) for i, j in cm.pairs(level.solids)}
        assert len(level.solids) == 3
        assert found == {(0, 1), (1, 2)}
        assert all(cm.separation(level.solids[i], level.solids[j]) == 0 for i, j in found)


def test_one_way_edges_and_triggers_are_read() -> None:
    text = "#..PP.#\n#.--=.#\n#>..v.#\n###.###"
    level = cm.read_grid(text, legend={">": "one_way_right", "v": "one_way_down", "P": "player"})
    found = {
        (*s.start, *s.end, *d) for s, d in zip(level.one_way.shapes, level.one_way.directions.tolist(), strict=True)
    }
    assert found == {(2, 1, 5, 1, 0, -1), (2, 2, 2, 3, 1, 0), (5, 3, 4, 3, 0, 1)}
    assert [(t.name, t.shape) for t in level.triggers] == [("player", cm.Box.from_corners((3, 0), (5, 1)))]
    assert level.named("player") == level.triggers
    assert level.named("nobody") == ()
    mirrored = cm.read_grid(text, legend={">": "one_way_right", "v": "one_way_down", "P": "player"}, y_up=True)
    flipped = {(a, 4 - b, c, 4 - d, x, -y) for a, b, c, d, x, y in found}
    pairs = zip(mirrored.one_way.shapes, mirrored.one_way.directions.tolist(), strict=True)
    assert {(*s.start, *s.end, *d) for s, d in pairs} == flipped


def test_triggers_may_have_any_outline() -> None:
    level = cm.read_grid("WWW\nW.W\nWWW")
    (trigger,) = level.triggers
    assert trigger.shape == cm.decompose([(0, 0), (3, 0), (3, 3), (0, 3)], [[(1, 1), (2, 1), (2, 2), (1, 2)]])
    assert len(cm.read_grid("W.\n.W").triggers) == 2


@given(grids("#$B-."), st.booleans())
def test_separate_cells_are_one_thing_each(lines: list[str], y_up: bool) -> None:
    """Everything else is merged as if these cells were empty."""
    text = "\n".join(["", *lines, ""])
    legend = {"B": "box", "$": "solid"}
    level = cm.read_grid(text, legend=legend, separate="$B-", y_up=y_up)
    rest = cm.read_grid(text, legend={"B": None, "$": None, "-": None}, y_up=y_up)
    places = {mark: [(x, y) for y, line in enumerate(lines) for x, c in enumerate(line) if c == mark] for mark in "$B-"}

    def boxes(mark: str) -> list[cm.Box]:
        rows = [(x, len(lines) - 1 - y) if y_up else (x, y) for x, y in places[mark]]
        return [cm.Box.from_corners((x, y), (x + 1, y + 1)) for x, y in rows]

    assert list(level.solids) == [*rest.solids, *boxes("$")]
    assert regions(polygons(level)) == regions([*polygons(rest), *map(cm.convert.to_shapely, boxes("$"))])
    assert [trigger.shape for trigger in level.named("box")] == boxes("B")
    assert len(level.one_way.shapes) == len(places["-"])
    assert all((segment.end - segment.start).length == 1 for segment in level.one_way.shapes)


def test_separate_slopes_keep_the_way_they_stand() -> None:
    text = "/#\\\n##/#"
    merged, level = cm.read_grid(text), cm.read_grid(text, separate=["/", "\\"])
    assert len(level.outlines) == 5
    assert shapely.union_all(polygons(level)).equals(shapely.union_all(polygons(merged)))


def test_a_legend_may_name_halves_and_other_marks() -> None:
    level = cm.read_grid("~@\n#.", legend={"~": "top_left", "@": None, ".": "solid"})
    assert regions(polygons(level)) == regions([shapely.Polygon([(0, 0), (1, 0), (0, 1)]), shapely.box(0, 1, 2, 2)])


@pytest.mark.parametrize(
    ("text", "legend", "expected"),
    [
        ("##\n#?", None, "'?' in line 2, column 2"),
        ("#\t#", None, r"'\\t' in line 1, column 2"),
        ("#>", {">": "one_way_sideways"}, "one_way_sideways"),
        ("#", {"##": "solid"}, "legend"),
        ("#", {"#": 3}, r"legend\['#'\] = 3"),
        ("#", {"#": ""}, r"legend\['#'\] = ''"),
        ("#", ["#"], "legend"),
        (3, None, "text = 3"),
        (b"#", None, "text"),
    ],
)
def test_bad_grids_are_refused(text: Any, legend: Any, expected: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"read_grid.*{expected}"):
        cm.read_grid(text, legend=legend)


@pytest.mark.parametrize("separate", [3, None, ["##"], [1], b"#"])
def test_separate_must_be_characters(separate: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"read_grid: separate.* must be"):
        cm.read_grid("#", separate=separate)


def test_grids_out_of_the_range_of_coordinates_are_refused() -> None:
    for size in (1e150, 6e149):
        with pytest.raises(ValueError, match="read_grid"):
            cm.read_grid("..#", tile_size=size)
    for size in (0, -1, 1e-151, float("nan"), "1"):
        with pytest.raises((TypeError, ValueError), match="read_grid: tile_size"):
            cm.read_grid("..#", tile_size=size)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "\n", " \n ", "...\n..."])
def test_empty_grids_make_empty_levels(text: str) -> None:
    level = cm.read_grid(text)
    assert (len(level.solids), level.outlines, level.triggers, len(level.one_way.shapes)) == (0, (), (), 0)
    assert level.one_way.directions.shape == (0, 2)
    level.add_to(cm.World())


def test_add_to_puts_solids_and_triggers_into_a_world() -> None:
    level = cm.read_grid("#....#\n#.--.#\n#P..E#\n######", y_up=True)
    world = cm.World(gravity=(0, -10))
    bodies = level.add_to(world, layer="level")
    assert [body.data.name for body in bodies.triggers] == ["P", "E"]
    ball = world.add(cm.Circle((2.5, 1.5), 0.25), kind="dynamic", velocity=(0, 9))
    world.step(1 / 60, steps=240)  # up through the platform, and down onto it
    assert ball.position.y == pytest.approx(3.25, abs=0.002)
    runner = world.add(cm.Circle((1.5, 1.25), 0.25), kind="dynamic", velocity=(3, 0), friction=0, turns=False)
    hits = world.step(1 / 60, steps=60)
    entered = [thing.data for hit in hits if hit.kind == "enter" for thing in (hit.body, hit.other)]
    assert level.named("E")[0] in entered
    assert runner.position.y == pytest.approx(1.25, abs=0.002)
    with pytest.raises(TypeError, match=r"Level.add_to: world"):
        level.add_to(None)  # type: ignore[arg-type]


def test_a_box_slides_over_the_seams_of_a_level() -> None:
    level = cm.read_grid("#........#\n#......../\n#......../\n####/#####\n##########")
    floor = cm.move(cm.Box((2, 2.5), (0.8, 1.0)), (6, 0), level.solids)
    assert floor.position == (8, 2.5)


@pytest.mark.parametrize("seed", range(6))
def test_the_seams_of_any_slopes_are_smooth(seed: int) -> None:
    """A disc along each longer edge of a level: there is nothing on the way, and nothing turns it away."""
    random = np.random.default_rng(seed)
    size = [1.0, 0.1, 16.0][seed % 3]
    lines = ["".join(row) for row in random.choice(list("###/\\."), random.integers(5, 10, 2))]
    level = cm.read_grid("\n".join(["", *lines, ""]), tile_size=size, y_up=seed % 2 == 0)
    rings = [(ring, side) for o in level.outlines for side, some in ((1, (o.outline,)), (-1, o.holes)) for ring in some]
    points = np.array([point for ring, _ in rings for point in ring])
    tried = 0
    for ring, side in rings:
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            along = (b - a).normalized()
            out = cm.Vec(along.y, -along.x) * side
            ahead, beside = (points - a) @ along, (points - a) @ out
            length = (b - a).length
            touched = (np.abs(beside) < 1e-9 * size) & (ahead > 0.01 * size) & (ahead < length - 0.01 * size)
            if length < 1.9 * size or touched.any():  # by the corner of another region
                continue
            tried += 1
            start, way = a + along * (0.2 * size) + out * (0.05 * size), along * (length - 0.4 * size)
            went = cm.move(cm.Circle(start, 0.05 * size), way - out * (0.3 * size), level.solids)
            assert (went.position - start - way).length < 1e-9 * size
            assert all((hit.normal - out).length < 1e-9 for hit in went.hits)
            world = cm.World(gravity=out * (-10 * size))
            level.add_to(world)
            smooth = {"friction": 0.0, "turns": False}
            ball = world.add(cm.Circle(start, 0.05 * size), kind="dynamic", velocity=way, **smooth)
            world.step(0.1, steps=10)
            assert (ball.position - start - way).length < 0.0005 * size  # a skin of the ball
            assert (ball.velocity - way).length < 0.06 * size
    assert tried


def test_levels_are_values() -> None:
    level = cm.read_grid("#P/-")
    again = pickle.loads(pickle.dumps(level))
    assert (again.outlines, again.triggers, list(again.solids)) == (level.outlines, level.triggers, list(level.solids))
    with pytest.raises(AttributeError):
        level.solids = cm.Shapes()  # type: ignore[misc]
    assert "1 one-way" in repr(level)


# --- Tiled


def summary(level: cm.Level) -> Any:
    edges = [
        (*s.start, *s.end, *d) for s, d in zip(level.one_way.shapes, level.one_way.directions.tolist(), strict=True)
    ]
    return level.bounds, level.outlines, list(level.solids), edges, level.triggers


def test_the_same_map_in_xml_and_json() -> None:
    assert summary(cm.read_map(MAPS / "cave.tmx")) == summary(cm.read_map(MAPS / "cave.tmj"))


def test_a_map_of_tiled_is_read() -> None:
    """The numbers are read off the file by hand."""
    level = cm.read_map(MAPS / "cave.tmx")
    assert level.bounds == (0, 0, 160, 96)
    rings = [region.outline for region in level.outlines]
    # A floor with a slope of two tiles, half as steep as a diagonal, to the left of the pool.
    assert rings[0] == ((0, 0), (16, 0), (16, 80), (48, 80), (80, 64), (80, 96), (0, 96))
    assert rings[1] == ((144, 0), (160, 0), (160, 96), (96, 96), (96, 80), (112, 80), (144, 48))
    assert rings[2] == ((36, 48), (44, 48), (44, 80), (36, 80))  # a tile as tall as two cells stands on its own
    assert rings[3:] == [
        ((70, 30), (80, 30), (80, 34), (70, 34)),
        ((120, 10), (128, 10), (128, 18), (124, 12), (120, 18)),
    ]
    assert cm.Polygon([(80, 64), (80, 80), (48, 80)]) in list(level.solids)
    circles = [part for part in level.solids if isinstance(part, cm.Circle)]
    assert circles == [cm.Circle((104, 40), 4), cm.Circle((93, 23), 3)]
    assert [(s.start, s.end) for s in level.one_way.shapes] == [
        ((32, 32), (80, 32)),  # three tiles
        ((30, 20), (46, 12)),  # two pieces of a line
        ((110, 52), (110, 40)),
    ]
    assert level.one_way.directions.tolist() == [[0, -1], [0, -1], [-1, 0]]
    named = {trigger.name: trigger for trigger in level.triggers}
    assert named["start"].shape == cm.Point((24, 16))
    assert (named["exit"].shape, named["exit"].kind) == (cm.Box.from_corners((128, 16), (136, 32)), "door")
    assert named["exit"].properties == {"to": "cellar", "floor": -2}
    assert named["beam"].shape == cm.Box.from_corners((36, 8), (40, 28))  # turned by a quarter about its corner
    (path,) = level.named("path")
    assert path.shape.parts == (cm.Segment((20, 58), (30, 58)), cm.Segment((30, 58), (30, 63)))
    assert (named["chest"].shape.position, named["chest"].properties) == ((104, 52), {"gold": 9, "locked": False})
    assert named["spark"].shape == cm.Point((104, 34))
    assert named["water"].properties["depth"] == 1.5
    assert named["water"].shape.area == 4 * 256 - 256
    oval = named["oval"].shape
    assert cm.bounds(oval) == (60, 8, 80, 18)
    assert all(((x - 70) / 10) ** 2 + ((y - 13) / 5) ** 2 == pytest.approx(1) for x, y in oval.vertices)


def test_y_up_and_scale_give_the_mirrored_scaled_level() -> None:
    level, up = cm.read_map(MAPS / "cave.tmx"), cm.read_map(MAPS / "cave.tmx", y_up=True, scale=0.125)

    def mirrored(shape: Any) -> Any:
        return shapely.transform(
            cm.convert.to_shapely(shape), lambda p: np.stack((p[:, 0] / 8, (96 - p[:, 1]) / 8), axis=1)
        )

    assert up.bounds == (0, 0, 20, 12)
    assert regions([mirrored(cm.decompose(*region)) for region in level.outlines]) == regions(polygons(up))
    for one, other in zip(level.triggers, up.triggers, strict=True):
        assert mirrored(one.shape).symmetric_difference(cm.convert.to_shapely(other.shape)).area == pytest.approx(0)
    assert (level.one_way.directions * (1, -1)).tolist() == up.one_way.directions.tolist()
    a = shapely.union_all([mirrored(part) for part in level.solids if not isinstance(part, cm.Circle)])
    b = shapely.union_all([cm.convert.to_shapely(part) for part in up.solids if not isinstance(part, cm.Circle)])
    assert a.symmetric_difference(b).area == 0


def tmx(layer: str, tiles: str = "", *, width: int = 1, height: int = 1, size: str = "8x8", more: str = "") -> str:
    cell = 'tilewidth="{}" tileheight="{}"'.format(*size.split("x"))
    return (
        f'<map orientation="orthogonal" width="{width}" height="{height}" {cell}{more}>'
        f'<tileset firstgid="1" name="t" {cell}>{tiles}</tileset>{layer}</map>'
    )


def shape_tile(points: str, number: int = 0, attributes: str = "") -> str:
    return (
        f'<tile id="{number}" {attributes}><objectgroup><object id="1" x="0" y="0">'
        f'<polygon points="{points}"/></object></objectgroup></tile>'
    )


def write(folder: Path, text: str, name: str = "map.tmx") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def raster(inside: Callable[[float, float], bool], width: int, height: int) -> Any:
    return np.array([[inside(x + 0.5, y + 0.5) for x in range(width)] for y in range(height)])


@pytest.mark.parametrize("flags", range(8))
@pytest.mark.parametrize(
    "points", ["0,8 8,0 8,8", "0,0 8,2 8,8 3,8", "0,0 2,0 2,6 8,6 8,8 0,8", "0,4 8,8 0,8", "1,1 7,2 2,5"]
)
def test_flipped_tiles_are_those_of_a_raster(tmp_path: Path, flags: int, points: str) -> None:
    """Bits of the flags: horizontal, vertical, diagonal; the picture is transposed first, then mirrored."""
    gid = 1 | (flags & 1) << 31 | (flags >> 1 & 1) << 30 | (flags >> 2 & 1) << 29
    layer = f'<layer name="a" width="1" height="1"><data encoding="csv">{gid}</data></layer>'
    level = cm.read_map(write(tmp_path, tmx(layer, shape_tile(points))))
    polygon = shapely.Polygon([tuple(map(float, pair.split(","))) for pair in points.split()])
    picture = raster(lambda x, y: bool(polygon.contains(shapely.Point(x + 0.01, y - 0.02))), 8, 8)
    # The samples are off the centres, so that none lies on an edge; the offset is flipped with the picture.
    dx, dy = 0.01, -0.02
    if flags & 4:
        picture, dx, dy = picture.T, dy, dx
    if flags & 1:
        picture, dx = picture[:, ::-1], -dx
    if flags & 2:
        picture, dy = picture[::-1], -dy
    found = raster(lambda x, y: bool(cm.contains(level.solids, (x + dx, y + dy)).any()), 8, 8)
    assert found.tolist() == picture.tolist()
    region = shapely.union_all(polygons(level))
    assert region.area == polygon.area


@pytest.mark.parametrize("flags", range(8))
def test_one_way_tiles_turn_with_their_flips(tmp_path: Path, flags: int) -> None:
    gid = 1 | (flags & 1) << 31 | (flags >> 1 & 1) << 30 | (flags >> 2 & 1) << 29
    layer = f'<layer name="a" width="1" height="1"><data encoding="csv">{gid}</data></layer>'
    tile = '<tile id="0" type="one_way"/>'
    level = cm.read_map(write(tmp_path, tmx(layer, tile)))
    picture = np.zeros((3, 3), dtype=int)
    picture[0, 1] = 1  # the upper edge
    picture = picture.T if flags & 4 else picture
    picture = picture[:, ::-1] if flags & 1 else picture
    picture = picture[::-1] if flags & 2 else picture
    (row,), (column,) = np.nonzero(picture)
    assert level.one_way.directions.tolist() == [[column - 1, row - 1]]
    middle = level.one_way.shapes[0].position
    assert middle == (4 * column, 4 * row)


def test_a_tile_that_is_not_square_swaps_its_sides(tmp_path: Path) -> None:
    layer = f'<layer name="solid" width="2" height="2"><data encoding="csv">0,0,{1 | 1 << 29},0</data></layer>'
    text = tmx(layer, width=2, height=2, size="8x8").replace(
        'name="t" tilewidth="8" tileheight="8"', 'name="t" tilewidth="6" tileheight="4"'
    )
    level = cm.read_map(write(tmp_path, text))
    assert list(level.solids) == [cm.Box.from_corners((0, 10), (4, 16))]


DATA = [1, 0, 2, 1 | 1 << 31, 0, 1]


def encoded(how: str) -> tuple[str, str]:
    """Return the attributes and text of layer data in one of the forms that Tiled writes."""
    raw = struct.pack("<6I", *DATA)
    if how == "xml":
        return "", "".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in DATA)
    if how == "csv":
        return 'encoding="csv"', "\n" + ",".join(map(str, DATA[:3])) + ",\n" + ",".join(map(str, DATA[3:])) + "\n"
    packers = {"base64": bytes, "zlib": zlib.compress, "gzip": gzip.compress, "zstd": zstandard.compress}
    packed = packers[how](raw)
    compression = "" if how == "base64" else f'compression="{how}"'
    return f'encoding="base64" {compression}', f"\n   {base64.b64encode(packed).decode()}\n  "


TWO_TILES = shape_tile("0,8 8,0 8,8") + shape_tile("0,0 8,0 8,8 0,8", 1)


@pytest.mark.parametrize("how", ["xml", "csv", "base64", "zlib", "gzip", "zstd"])
def test_all_encodings_say_the_same(tmp_path: Path, how: str) -> None:
    attributes, text = encoded(how)
    layer = f'<layer name="a" width="3" height="2"><data {attributes}>{text}</data></layer>'
    level = cm.read_map(write(tmp_path, tmx(layer, TWO_TILES, width=3, height=2)))
    expected = [[(0, 8), (8, 0), (8, 8)], [(16, 0), (24, 0), (24, 8), (16, 8)], [(0, 8), (0, 16), (8, 16)]]
    expected.append([(16, 16), (24, 8), (24, 16)])
    whole = shapely.union_all([shapely.Polygon(points) for points in expected])
    assert regions(polygons(level)) == regions(parts_of(whole))


@pytest.mark.parametrize("how", ["csv", "zlib"])
def test_infinite_maps_are_read(tmp_path: Path, how: str) -> None:
    """Two chunks that meet left of the origin, and one far away; no table spans them."""
    attributes, text = encoded(how)
    places = [(-3, -2), (0, -2), (10**7, 10**7)]
    chunks = "".join(f'<chunk x="{x}" y="{y}" width="3" height="2">{text}</chunk>' for x, y in places)
    layer = f'<layer name="a" width="30" height="20"><data {attributes}>{chunks}</data></layer>'
    path = write(tmp_path, tmx(layer, TWO_TILES, more=' infinite="1"'))
    level = cm.read_map(path)
    cells = [
        shapely.affinity.translate(shape, 8 * (x + column), 8 * (y + row))
        for x, y in places
        for column, row, shape in (
            (0, 0, shapely.Polygon([(0, 8), (8, 0), (8, 8)])),
            (2, 0, shapely.box(0, 0, 8, 8)),
            (0, 1, shapely.Polygon([(0, 0), (8, 8), (0, 8)])),
            (2, 1, shapely.Polygon([(0, 8), (8, 0), (8, 8)])),
        )
    ]
    assert regions(polygons(level)) == regions(parts_of(shapely.union_all(cells)))
    assert level.bounds == (-24, -16, (10**7 + 3) * 8, (10**7 + 2) * 8)
    up = cm.read_map(path, y_up=True)
    assert up.bounds == (-24, -(10**7 + 2) * 8, (10**7 + 3) * 8, 16)


def test_layers_without_tiles_and_maps_without_layers_are_read(tmp_path: Path) -> None:
    """Empty layers add nothing: layers of zeros, infinite ones without chunks, maps without layers."""
    solid = '<tile id="0" type="solid"/>'
    ground = '<layer name="a" width="2" height="1"><data encoding="csv">1,0</data></layer>'
    empty = '<layer name="b" width="2" height="1"><data encoding="csv">0,0</data></layer>'
    expected = [cm.Box.from_corners((0, 0), (8, 8))]
    for layers in (empty + ground, ground + empty, f'<group name="g"/>{ground}'):
        assert list(cm.read_map(write(tmp_path, tmx(layers, solid, width=2))).solids) == expected
    for layers in ("", "<group/>", empty):
        level = cm.read_map(write(tmp_path, tmx(layers, solid, width=2)))
        assert (len(level.solids), level.outlines, level.bounds) == (0, (), (0, 0, 16, 8))
    chunk = '<chunk x="0" y="0" width="2" height="1">1,0</chunk>'
    full = f'<layer name="a" width="2" height="1"><data encoding="csv">{chunk}</data></layer>'
    for data in (
        '<data encoding="csv"/>',
        '<data encoding="csv">\n</data>',
        "<data/>",
        '<data encoding="base64"> </data>',
    ):
        blank = f'<layer name="b" width="2" height="1">{data}</layer>'
        level = cm.read_map(write(tmp_path, tmx(blank + full, solid, more=' infinite="1"')))
        assert list(level.solids) == expected
        level = cm.read_map(write(tmp_path, tmx(blank, solid, more=' infinite="1"')))
        assert (len(level.solids), level.bounds) == (0, (0, 0, 0, 0))


def test_layers_are_merged_and_offsets_added(tmp_path: Path) -> None:
    def layer(name: str, data: str, more: str = "") -> str:
        return f'<layer name="{name}" width="3" height="1" {more}><data encoding="csv">{data}</data></layer>'

    solid = '<tile id="0" type="solid"/>'
    both = layer("a", "1,0,0") + layer("b", "1,1,0") + layer("c", "1,0,0", 'offsetx="16"')
    level = cm.read_map(write(tmp_path, tmx(both, solid, width=3)))
    assert list(level.solids) == [cm.Box.from_corners((0, 0), (24, 8))]
    apart = layer("a", "1,0,0") + layer("b", "1,0,0", 'offsetx="4.5" offsety="-2"')
    level = cm.read_map(write(tmp_path, tmx(apart, solid, width=3)))
    assert list(level.solids) == [cm.Box.from_corners((0, 0), (8, 8)), cm.Box.from_corners((4.5, -2), (12.5, 6))]


def test_two_shapes_in_one_cell_stay_separate(tmp_path: Path) -> None:
    layers = "".join(
        f'<layer name="{gid}" width="1" height="1"><data encoding="csv">{gid}</data></layer>' for gid in (1, 2)
    )
    tiles = shape_tile("0,8 8,0 8,8") + shape_tile("0,0 8,8 0,8", 1)
    level = cm.read_map(write(tmp_path, tmx(layers, tiles)))
    assert len(level.outlines) == 2
    assert shapely.union_all(polygons(level)).area == 48


def test_shapes_of_a_tile_that_meet_along_a_slope_are_one_region(tmp_path: Path) -> None:
    """A corner in the middle of a slanted edge: what lies on both sides is one region, and a tip there is no link."""
    tile = "".join(
        f'<object id="{k}" x="0" y="0"><polygon points="{points}"/></object>'
        for k, points in enumerate(("0,0 8,8 0,8", "0,0 4,0 4,4", "6,2 8,0 8,8 4,4"))
    )
    tiles = f'<tile id="0"><objectgroup>{tile}</objectgroup></tile>'
    layer = '<layer name="a" width="3" height="1"><data encoding="csv">1,1,1</data></layer>'
    level = cm.read_map(write(tmp_path, tmx(layer, tiles, width=3)))
    shapes = [[(0, 0), (8, 8), (0, 8)], [(0, 0), (4, 0), (4, 4)], [(6, 2), (8, 0), (8, 8), (4, 4)]]
    expected = [shapely.Polygon([(x + 8 * k, y) for x, y in points]) for k in range(3) for points in shapes]
    assert all(polygon.is_valid for polygon in polygons(level))
    assert regions(polygons(level)) == regions(parts_of(shapely.union_all(expected)))
    assert sum(cm.convert.to_shapely(part).area for part in level.solids) == shapely.union_all(expected).area


TOUCHING = {  # outlines that touch themselves, with the numbers of holes of the regions they hold
    "0,0 8,0 8,8 4,8 6,4 2,4 4,8 0,8": [1],
    "0,0 8,0 8,8 6,8 4,0 2,8 0,8": [0, 0],
    "0,0 4,4 8,0 8,8 4,4 0,8": [0, 0],
    "0,0 8,0 8,8 0,8 2,6 6,6 4,4 2,6": [1],
}


@pytest.mark.parametrize("points", TOUCHING)
def test_objects_that_touch_themselves_have_valid_outlines(tmp_path: Path, points: str) -> None:
    """As the same shapes of tiles have."""
    layer = f'<objectgroup name="solid"><object id="1" x="0" y="0"><polygon points="{points}"/></object></objectgroup>'
    tile = '<layer name="a" width="1" height="1"><data encoding="csv">1</data></layer>'
    found = polygons(cm.read_map(write(tmp_path, tmx(layer))))
    assert all(polygon.is_valid for polygon in found)
    assert [len(polygon.interiors) for polygon in found] == TOUCHING[points]
    assert regions(found) == regions(polygons(cm.read_map(write(tmp_path, tmx(tile, shape_tile(points))))))


def test_tiles_of_several_shapes_merge_with_their_neighbours(tmp_path: Path) -> None:
    """Two posts in a tile, and a concave one: pieces of a cell that meet those of the next."""
    tile = (
        '<tile id="0"><objectgroup><object id="1" x="0" y="0" width="2" height="8"/>'
        '<object id="2" x="6" y="0" width="2" height="8"/></objectgroup></tile>'
    )
    tiles = tile + shape_tile("0,0 8,0 8,8 6,8 6,2 2,2 2,8 0,8", 1)
    layer = '<layer name="a" width="2" height="2"><data encoding="csv">2,2,1,1</data></layer>'
    level = cm.read_map(write(tmp_path, tmx(layer, tiles, width=2, height=2)))
    expected = shapely.union_all(
        [shapely.box(0, 0, 16, 2), shapely.box(0, 0, 2, 16), shapely.box(6, 0, 10, 16), shapely.box(14, 0, 16, 16)]
    )
    assert regions(polygons(level)) == regions([expected])
    parts = shapely.union_all([cm.convert.to_shapely(part) for part in level.solids])
    assert parts.equals(expected)


def test_roles_give_layers_and_classes_a_meaning(tmp_path: Path) -> None:
    layers = (
        '<layer name="Walls" width="2" height="1"><data encoding="csv">1,0</data></layer>'
        '<layer name="Sky" width="2" height="1"><data encoding="csv">0,1</data></layer>'
        '<objectgroup name="Ladders"><object id="1" class="rung" x="1" y="1" width="2" height="2"/></objectgroup>'
    )
    path = write(tmp_path, tmx(layers, width=2))
    with pytest.warns(UserWarning, match="no tile has a collision shape"):
        assert len(cm.read_map(path).solids) == 0
    level = cm.read_map(path, roles={"Walls": "solid", "rung": "one_way_left"})
    assert list(level.solids) == [cm.Box.from_corners((0, 0), (8, 8))]
    assert level.one_way.directions.tolist() == [[-1, 0]]
    level = cm.read_map(path, roles={"Walls": "trigger", "Sky": "trigger", "Ladders": "ignore"})
    assert [(trigger.name, trigger.shape.position) for trigger in level.triggers] == [
        ("Walls", (4, 4)),
        ("Sky", (12, 4)),
    ]
    for roles, expected in (
        ({"Walls": "wall"}, r"roles\['Walls'\] = 'wall'"),
        ({2.5: "solid"}, "key of roles"),
        (["Walls"], "roles"),
    ):
        with pytest.raises((TypeError, ValueError), match=f"read_map: .*{expected}"):
            cm.read_map(path, roles=roles)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("flags", "rotation", "expected"),
    [
        (0, 0, [(10, 12), (26, 4), (26, 12)]),
        (1 << 31, 0, [(26, 12), (10, 4), (10, 12)]),
        (0, 90, [(10, 12), (18, 28), (10, 28)]),
    ],
)
def test_tile_objects_are_read(tmp_path: Path, flags: int, rotation: int, expected: Any) -> None:
    """A tile of 8 x 8, shown 16 wide and 8 high, whose lower left corner is the object's point and pivot."""
    thing = f'<object id="3" gid="{1 | flags}" x="10" y="12" width="16" height="8" rotation="{rotation}"/>'
    layer = f'<objectgroup name="solid">{thing}</objectgroup>'
    level = cm.read_map(write(tmp_path, tmx(layer, shape_tile("0,8 8,0 8,8"), width=4, height=4)))
    assert [set(part.vertices) for part in level.solids] == [set(expected)]
    level = cm.read_map(write(tmp_path, tmx(layer.replace("solid", "x"), shape_tile("0,8 8,0 8,8"), width=4, height=4)))
    assert level.triggers[0].shape.area == 128


def test_objects_of_every_kind_are_read(tmp_path: Path) -> None:
    things = (
        '<object id="1" x="1" y="2" width="4" height="0"/><object id="2" x="1" y="2"/>'
        '<object id="3" x="0" y="0" width="10" height="4"><capsule/></object>'
        '<object id="4" x="0" y="0" width="4" height="4" rotation="45"><ellipse/></object>'
        '<object id="5" x="1" y="1"><polygon points="0,0 4,0 1,1 0,4"/></object>'
    )
    level = cm.read_map(write(tmp_path, tmx(f'<objectgroup name="o">{things}</objectgroup>')))
    segment, point, capsule, circle, dart = [trigger.shape for trigger in level.triggers]
    assert segment == cm.Segment((1, 2), (5, 2))
    assert point == cm.Point((1, 2))
    assert capsule == cm.Capsule((2, 2), (8, 2), 2)
    assert circle.radius == 2
    assert circle.center.x == pytest.approx(0)
    assert circle.center.y == pytest.approx(8**0.5)
    assert dart.area == 4


LAYER = '<layer name="a" width="2" height="1"><data encoding="csv">1,1</data></layer>'


def ring(points: str) -> str:
    """Return a map with one polygon."""
    polygon = f'<object id="7" x="0" y="0"><polygon points="{points}"/></object>'
    return tmx(f'<objectgroup name="o">{polygon}</objectgroup>')


BROKEN: dict[str, tuple[str, str]] = {
    "oblique": (tmx(LAYER).replace("orthogonal", "oblique"), "orientation 'oblique' is not known here; orthogonal,"),
    "no side": (tmx(LAYER).replace("orthogonal", "hexagonal"), "hexsidelength is missing"),
    "long side": (tmx(LAYER, more=' hexsidelength="9"').replace("orthogonal", "hexagonal"), "= 9.0 must be at most t"),
    "odd axis": (tmx(LAYER, more=' staggeraxis="z"').replace("orthogonal", "staggered"), "staggeraxis = 'z' must be y"),
    "odd index": (
        tmx(LAYER, more=' staggerindex="1"').replace("orthogonal", "staggered"),
        "staggerindex = '1' must be",
    ),
    "narrow": (tmx(LAYER, size="1x8").replace("orthogonal", "staggered"), "tilewidth = 1.0 must be at least 2"),
    "odd grid": (
        tmx(LAYER).replace("</tileset>", '<grid orientation="round" width="8" height="8"/></tileset>'),
        "tileset 't': grid: orientation 'round' must be",
    ),
    "flat grid": (
        tmx(LAYER).replace("</tileset>", '<grid orientation="isometric" width="8" height="0"/></tileset>'),
        "tileset 't': grid: height = 0.0 must be positive",
    ),
    "cut off": (tmx(LAYER)[:-20], "XML is broken"),
    "no map": ("<tileset/>", "no map"),
    "empty": ("", "neither XML nor JSON"),
    "missing tileset": (tmx(LAYER).replace('name="t"', 'source="none.tsx"'), "tileset 'none.tsx': .*cannot be read"),
    "too few tiles": (tmx(LAYER.replace("1,1", "1")), "layer 'a': data: data has 1 tiles; 2 x 1 are 2"),
    "too many tiles": (tmx(LAYER.replace("1,1", "1,1,1")), "data has 3 tiles"),
    "letters": (tmx(LAYER.replace("1,1", "1,x")), "csv data must be whole numbers"),
    "broken base64": (tmx(LAYER.replace("csv", "base64").replace("1,1", "AAA")), "base64 data cannot be decoded"),
    "short base64": (tmx(LAYER.replace("csv", "base64").replace("1,1", "AAAA")), "base64 data have 3 bytes"),
    "truncated zlib": (
        tmx(
            LAYER.replace('"csv"', '"base64" compression="zlib"').replace(
                "1,1", base64.b64encode(zlib.compress(bytes(8))[:5]).decode()
            )
        ),
        "zlib data end after",
    ),
    "no zlib": (
        tmx(LAYER.replace('"csv"', '"base64" compression="zlib"').replace("1,1", "AAAA")),
        "cannot be unpacked",
    ),
    "a bomb": (
        tmx(LAYER.replace('"csv"', '"base64" compression="zlib"').replace('width="2"', 'width="70000000"')),
        "layer 'a': data: zlib data of 70000000 tiles are too many; at most 67108864",
    ),
    "unknown packing": (tmx(LAYER.replace('"csv"', '"base64" compression="lzma"').replace("1,1", "AA==")), "'lzma'"),
    "unknown tile": (
        tmx(LAYER).replace('firstgid="1"', 'firstgid="5"'),
        "layer 'a': tile id 1 is of no tileset",
    ),
    "negative size": (
        tmx('<objectgroup name="o"><object id="7" x="0" y="0" width="-2" height="1"/></objectgroup>'),
        "layer 'o': object 7: width = -2.0",
    ),
    "two points": (
        ring("0,0 1,1"),
        "layer 'o': object 7: polygon has 2 points",
    ),
    "crossing": (
        ring("0,0 2,2 2,0 0,2"),
        "layer 'o': object 7: .*crosses",
    ),
    "flat": (
        ring("0,0 2,2 4,4"),
        "layer 'o': object 7: .*no area",
    ),
    "no number": (
        tmx('<objectgroup name="o"><object id="7" x="left" y="0"/></objectgroup>'),
        "object 7: x = 'left' must be a number",
    ),
    "infinite": (
        tmx('<objectgroup name="o"><object id="7" x="inf" y="0"/></objectgroup>'),
        "object 7: x = inf must be a number",
    ),
    "infinite tile": (
        tmx('<objectgroup name="o"><object id="7" gid="inf" x="1" y="0"/></objectgroup>'),
        "object 7: gid = inf must be a whole number",
    ),
    "bad points": (
        ring("0,0 2"),
        "point '2'",
    ),
    "bad property": (
        tmx('<objectgroup name="o"><properties><property name="solid" value="maybe"/></properties></objectgroup>'),
        "layer 'o': property solid = 'maybe'",
    ),
    "bad direction": (
        tmx('<objectgroup name="o"><properties><property name="one_way" value="west"/></properties></objectgroup>'),
        "property one_way = 'west' must be true, false, up",
    ),
    "missing template": (
        tmx('<objectgroup name="o"><object id="7" template="none.tx"/></objectgroup>'),
        "object 7: template 'none.tx': .*cannot be read",
    ),
    "no cells": (tmx(LAYER, size="0x8"), "tilewidth"),
    "bad tile shape": (
        tmx(LAYER.replace("2", "1").replace("1,1", "1"), shape_tile("0,0 2,2 2,0 0,2")),
        "layer 'a': tileset 't': tile 0: .*crosses",
    ),
}


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_broken_maps_are_refused_by_name(tmp_path: Path, case: str) -> None:
    text, expected = BROKEN[case]
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=f"(?s)read_map: map.tmx: .*{expected}"):
        cm.read_map(path)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_json_with_any_value_replaced_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """Any one value of the map in place of another: a Level, or a ValueError that begins with the file."""
    folder = tmp_path_factory.mktemp("maps")
    shutil.copytree(MAPS, folder, dirs_exist_ok=True)
    name = data.draw(st.sampled_from(["cave.tmj", "tiles.tsj", "comb.tmj", "rooms.ldtk", "rooms/Cellar.ldtkl"]))
    node = json.loads((folder / name).read_text())
    places: list[tuple[Any, Any]] = []

    def walk(thing: Any) -> None:
        for key, value in list(thing.items()) if isinstance(thing, dict) else list(enumerate(thing)):
            places.append((thing, key))
            if isinstance(value, (dict, list)):
                walk(value)

    walk(node)
    thing, key = data.draw(st.sampled_from(places))
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        0.5,
        10**30,
        float("inf"),
        float("nan"),
        1e300,
        "",
        "x",
        [],
        {},
        [1, 2],
        {"a": 1},
        [{}],
    ]
    thing[key] = data.draw(st.sampled_from(odd))
    (folder / name).write_text(json.dumps(node))
    target = {"comb.tmj": "comb.tmj"}.get(name, "rooms.ldtk" if "oo" in name else "cave.tmj")
    refused = None
    try:
        cm.read_map(folder / target)
    except ValueError as error:
        refused = str(error)
    assert refused is None or refused.startswith(f"read_map: {target}: ")


def test_bad_paths_and_options_are_refused() -> None:
    with pytest.raises(FileNotFoundError):
        cm.read_map(MAPS / "none.tmx")
    with pytest.raises(ValueError, match=r"read_map: path = .*must end with one of \.tmx"):
        cm.read_map(MAPS / "cave.bmp")
    with pytest.raises(TypeError, match="read_map: path = 3"):
        cm.read_map(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"levels = \['a'\] is for maps of LDtk"):
        cm.read_map(MAPS / "cave.tmx", levels="a")


def test_text_files_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "#.@\n###\n", "hall.txt")
    level = cm.read_map(path, scale=16, roles={"@": "player"}, y_up=True)
    assert summary(level) == summary(cm.read_grid("#.@\n###", tile_size=16, legend={"@": "player"}, y_up=True))
    with pytest.raises(ValueError, match=r"read_map: hall.txt: text has '@' in line 1, column 3"):
        cm.read_map(path)


# --- LDtk

WATER = {"water": "trigger"}


def test_a_project_of_ldtk_is_read() -> None:
    """Two levels side by side, one in a file of its own; their walls are one outline round one hall."""
    level = cm.read_map(MAPS / "rooms.ldtk", roles=WATER)
    assert level.bounds == (0, 0, 96, 64)
    (region,) = level.outlines
    assert region.outline == ((0, 0), (96, 0), (96, 64), (0, 64))
    assert region.holes == (((16, 16), (80, 16), (80, 48), (16, 48)),)
    assert [(s.start, s.end) for s in level.one_way.shapes] == [((16, 32), (32, 32))]
    (player,) = level.named("Player")
    assert player.shape == cm.Box.from_corners((24, 16), (32, 32))  # its pivot is at its feet; the layer is offset by 4
    assert player.properties == {"iid": "aa-1", "life": 3, "items": ["Key", "Map"]}
    assert player.layer == "Hall/Things"
    assert [trigger.shape.area for trigger in level.named("water")] == [512, 256]


def test_levels_and_roles_of_ldtk_are_chosen() -> None:
    level = cm.read_map(MAPS / "rooms.ldtk", levels="Cellar", roles={3: "ignore"}, y_up=True, scale=0.5)
    assert level.bounds == (32, -32, 48, 0)
    assert shapely.union_all(polygons(level)).area == 6 * 64
    assert level.triggers == ()
    assert len(cm.read_map(MAPS / "rooms.ldtk", roles={"Collisions": "ignore", "passage": "solid"}).solids) == 1
    with pytest.raises(ValueError, match=r"levels: there is no 'Attic'; there are 'Hall', 'Cellar'"):
        cm.read_map(MAPS / "rooms.ldtk", levels=["Hall", "Attic"])
    with pytest.raises(TypeError, match=r"read_map: levels\[0\] = 3"):
        cm.read_map(MAPS / "rooms.ldtk", levels=[3])  # type: ignore[list-item]


def project_of(levels: dict[str, Any], folder: Path, **more: Any) -> Path:
    """Write a project of LDtk whose levels are 32 pixels wide and high, from (world, place, depth, solid cells)."""
    worlds: dict[str, Any] = {}
    for name, (world, at, depth, cells) in levels.items():
        layer = {"__identifier": "Walls", "__type": "IntGrid", "__cWid": 2, "__cHei": 2, "__gridSize": 16}
        layer |= {"layerDefUid": 1, "entityInstances": [], "intGridCsv": cells}
        level = {"identifier": name, "worldX": at, "worldY": 0, "worldDepth": depth, "pxWid": 32, "pxHei": 32}
        made = {"identifier": world, "worldLayout": "Free", "levels": []}
        worlds.setdefault(world, made)["levels"].append({**level, "layerInstances": [layer]})
    defs = {"layers": [{"uid": 1, "identifier": "Walls", "intGridValues": [{"value": 1, "identifier": None}]}]}
    node = {"jsonVersion": "1.5.3", "levels": [], "worlds": list(worlds.values()), "defs": defs, **more}
    write(folder, json.dumps(node), "made.ldtk")
    return folder / "made.ldtk"


def test_worlds_of_ldtk_are_read_one_at_a_time(tmp_path: Path) -> None:
    levels = {
        "Square": ("Town", 0, 0, [1, 0, 0, 0]),
        "Gate": ("Town", 32, 0, [1, 0, 0, 0]),
        "Hole": ("Cave", 0, 0, [0] * 4),
    }
    file = project_of(levels, tmp_path)
    with pytest.raises(ValueError, match=r"made\.ldtk: levels of 2 worlds, 'Town', 'Cave', would lie over each other"):
        cm.read_map(file)
    with pytest.raises(ValueError, match="levels of 2 worlds"):
        cm.read_map(file, levels=["Gate", "Hole"])
    assert cm.read_map(file, levels="Town").solids.bounds.tolist() == [[0, 0, 16, 16], [32, 0, 48, 16]]
    assert cm.read_map(file, levels=["Gate"]).solids.bounds.tolist() == [[32, 0, 48, 16]]
    assert cm.read_map(file, levels="Cave").bounds == (0, 0, 32, 32)
    with pytest.raises(ValueError, match="there is no 'Attic'; there are 'Town', 'Square', 'Gate', 'Cave', 'Hole'"):
        cm.read_map(file, levels="Attic")


def test_levels_of_ldtk_over_each_other_are_told_of(tmp_path: Path) -> None:
    levels = {"Ground": ("W", 0, 0, [1, 0, 0, 0]), "Cellar": ("W", 16, -1, [1, 0, 0, 0])}
    with pytest.warns(
        UserWarning, match="the levels 'Ground' and 'Cellar' lie over each other, at the depths 0 and -1"
    ):
        cm.read_map(project_of(levels, tmp_path))
    levels["Cellar"] = ("W", 32, -1, [1, 0, 0, 0])
    assert len(cm.read_map(project_of(levels, tmp_path)).solids) == 2


@pytest.mark.parametrize("version", ["0.5.0", "0.7.2-beta", "0.1"])
def test_a_project_of_an_old_ldtk_is_refused(version: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"made\.ldtk: jsonVersion = '{version}': save the project with LDtk 0\.8"):
        cm.read_map(project_of({}, tmp_path, jsonVersion=version))
    layers = [{"uid": 1, "identifier": "Walls", "intGridValues": [{"identifier": None}]}]
    with pytest.raises(ValueError, match=r"layer 'Walls': value = None must be a whole number"):
        cm.read_map(project_of({}, tmp_path, defs={"layers": layers}))


def test_an_empty_field_of_ldtk_is_ignored(tmp_path: Path) -> None:
    """LDtk writes a field without a value as null; also one of a name that means something, as solid."""
    shutil.copytree(MAPS, tmp_path, dirs_exist_ok=True)
    node = json.loads((tmp_path / "rooms.ldtk").read_text())
    door = node["levels"][0]["layerInstances"][0]["entityInstances"][1]
    door["fieldInstances"] = [{"__identifier": "solid", "__type": "Bool", "__value": None}]
    write(tmp_path, json.dumps(node), "rooms.ldtk")
    level = cm.read_map(tmp_path / "rooms.ldtk")
    assert level.named("Door")[0].properties["solid"] is None
    assert len(level.solids) == len(cm.read_map(MAPS / "rooms.ldtk").solids)


@pytest.mark.parametrize(("layout", "place"), [("LinearHorizontal", (64, 0)), ("LinearVertical", (0, 64))])
def test_levels_in_a_row_get_their_places(tmp_path: Path, layout: str, place: tuple[float, float]) -> None:
    shutil.copytree(MAPS, tmp_path, dirs_exist_ok=True)
    node = json.loads((tmp_path / "rooms.ldtk").read_text())
    node["worldLayout"] = layout
    for one in node["levels"]:
        one["worldX"] = one["worldY"] = -1
    write(tmp_path, json.dumps(node), "rooms.ldtk")
    level = cm.read_map(tmp_path / "rooms.ldtk", levels="Cellar")
    assert level.bounds == (*place, place[0] + 32, place[1] + 64)


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        (("levels", 0, "worldX"), 1e150, r"level 'Hall': worldX = 1e\+150"),
        (("levels", 0, "layerInstances", 1, "__pxTotalOffsetY"), 10**30, "level 'Hall': layer 'Collisions': .*OffsetY"),
        (("levels", 0, "layerInstances", 1, "__gridSize"), 1e-300, "layer 'Collisions': __gridSize = 1e-300"),
        (("levels", 0, "layerInstances", 1, "layerDefUid"), [1], "layerDefUid"),
        (("levels", 0, "layerInstances", 0, "entityInstances", 1, "__tags"), 0.5, "entity 'bb-1': __tags = 0.5"),
        (("defs",), 3, "defs must be an object"),
    ],
)
def test_odd_projects_are_refused_by_name(tmp_path: Path, place: tuple[Any, ...], value: Any, expected: str) -> None:
    shutil.copytree(MAPS, tmp_path, dirs_exist_ok=True)
    node = thing = json.loads((tmp_path / "rooms.ldtk").read_text())
    for key in place[:-1]:
        thing = thing[key]
    thing[place[-1]] = value
    write(tmp_path, json.dumps(node), "rooms.ldtk")
    with pytest.raises(ValueError, match=f"read_map: rooms.ldtk: .*{expected}"):
        cm.read_map(tmp_path / "rooms.ldtk")


def test_a_missing_level_file_is_named(tmp_path: Path) -> None:
    shutil.copy(MAPS / "rooms.ldtk", tmp_path)
    with pytest.raises(ValueError, match=r"read_map: rooms.ldtk: level 'Cellar': .*Cellar.ldtkl cannot be read"):
        cm.read_map(tmp_path / "rooms.ldtk")


def test_a_map_of_pictures_alone_warns_and_names_both_remedies(tmp_path: Path) -> None:
    layer = '<layer name="rocks" width="1" height="1"><data encoding="csv">1</data></layer>'
    path = write(tmp_path, tmx(layer, '<tile id="0"/>'))
    with pytest.warns(UserWarning, match=r"map\.tmx: .*draw collision shapes .*roles=\{'rocks': 'solid'\}") as told:
        assert not len(cm.read_map(path).solids)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(cm.read_map(path, roles={"rocks": "solid"}).solids) == 1
        assert not len(cm.read_map(path, roles={"rocks": "ignore"}).solids)
        assert len(cm.read_map(path, roles={"rocks": "trigger"}).triggers) == 1
        cm.read_map(write(tmp_path, tmx(layer, TWO_TILES)))
