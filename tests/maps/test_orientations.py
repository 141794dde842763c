"""Isometric, staggered and hexagonal maps of Tiled: against the formulas of its renderers, written down anew here."""

from __future__ import annotations

import cmath
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm


class Kind(NamedTuple):
    """The fields of a map that say where its cells are."""

    orientation: str
    width: int  # of a cell
    height: int
    axis: str = "y"
    index: str = "odd"
    side: int = 0

    @property
    def fields(self) -> str:
        cell = f'tilewidth="{self.width}" tileheight="{self.height}"'
        if self.orientation == "isometric":
            return f'orientation="isometric" {cell}'
        shifted = f'staggeraxis="{self.axis}" staggerindex="{self.index}"'
        side = f' hexsidelength="{self.side}"' if self.orientation == "hexagonal" else ""
        return f'orientation="{self.orientation}" {cell} {shifted}{side}'


KINDS = [
    Kind("isometric", 64, 32),
    Kind("isometric", 60, 34),
    *(Kind("staggered", 64, 32, axis, index) for axis in "xy" for index in ("odd", "even")),
    *(Kind("hexagonal", 16, 14, axis, index, 6) for axis in "xy" for index in ("odd", "even")),
    Kind("hexagonal", 14, 12, "y", "odd", 0),
    Kind("hexagonal", 14, 12, "y", "even", 12),
    Kind("hexagonal", 14, 12, "x", "odd", 14),
]


def corner(kind: Kind, column: int, row: int, rows: int) -> tuple[float, float]:
    """Return where the box round a cell begins: tileToScreenCoords of the three renderers."""
    w, h = kind.width, kind.height
    if kind.orientation == "isometric":
        return (column - row) * w / 2 + rows * w / 2 - w / 2, (column + row) * h / 2
    side = kind.side if kind.orientation == "hexagonal" else 0
    shifted = ((column if kind.axis == "x" else row) % 2 == 1) == (kind.index == "odd")
    if kind.axis == "x":
        return column * ((w - side) / 2 + side), row * h + shifted * h / 2
    return column * w + shifted * w / 2, row * ((h - side) / 2 + side)


def cell(kind: Kind, column: int, row: int, rows: int) -> shapely.Polygon:
    """Return the outline of a cell: tileToScreenPolygon."""
    x, y = corner(kind, column, row, rows)
    w, h = kind.width, kind.height
    across, down = (kind.side, 0) if kind.axis == "x" else (0, kind.side)
    dx, dy = (w - across) / 2, (h - down) / 2
    points = [(0, h - dy), (0, dy), (dx, 0), (w - dx, 0), (w, dy), (w, h - dy), (w - dx, h), (dx, h)]
    return shapely.Polygon([(x + a, y + b) for a, b in points])


def tmx(
    kind: Kind, cells: Any, tiles: str = '<tile id="0" type="solid"/>', more: str = "", size: Any = None, grid: str = ""
) -> str:
    cells = np.asarray(cells)
    rows, columns = cells.shape
    w, h = size or (kind.width, kind.height)
    data = ",".join(str(int(number)) for number in cells.ravel())
    return (
        f'<map {kind.fields} width="{columns}" height="{rows}">'
        f'<tileset firstgid="1" name="t" tilewidth="{w}" tileheight="{h}">{grid}{tiles}</tileset>'
        f'<layer name="ground" width="{columns}" height="{rows}"><data encoding="csv">{data}</data></layer>{more}</map>'
    )


def read(folder: Path, text: str, **options: Any) -> cm.Level:
    (folder / "map.tmx").write_text(text)
    return cm.read_map(folder / "map.tmx", **options)


def regions(level: cm.Level) -> list[shapely.Polygon]:
    return [shapely.Polygon(region.outline, region.holes) for region in level.outlines]


def check(level: cm.Level, expected: list[shapely.Polygon]) -> None:
    """The regions are those of the union, and the solids fill them without overlaps."""
    union = shapely.union_all(expected)
    found = regions(level)
    assert all(region.is_valid for region in found)
    assert shapely.union_all(found).equals(union)
    parts = [part for part in getattr(union, "geoms", [union]) if not part.is_empty]
    assert sorted(region.area for region in found) == sorted(part.area for part in parts)
    solids = [cm.convert.to_shapely(solid) for solid in level.solids]
    assert sum(solid.area for solid in solids) == pytest.approx(union.area, rel=1e-12)
    assert shapely.union_all(solids).symmetric_difference(union).area < 1e-9


@settings(max_examples=25, deadline=None)
@given(st.data())
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_cells_are_merged_where_the_renderers_draw_them(
    tmp_path_factory: pytest.TempPathFactory, kind: Kind, data: Any
) -> None:
    width, height = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    cells = np.array(data.draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height)))
    cells = cells.reshape(height, width)
    level = read(tmp_path_factory.mktemp("map"), tmx(kind, cells))
    check(level, [cell(kind, column, row, height) for row, column in np.argwhere(cells).tolist()])
    every = [cell(kind, column, row, height) for row in range(height) for column in range(width)]
    assert tuple(level.bounds) == shapely.union_all(every).bounds


def test_rows_of_diamonds_are_merged_to_few_parts(tmp_path: Path) -> None:
    """As rows of squares are: a hall of 40 x 30 cells has four walls."""
    hall = np.ones((30, 40))
    hall[1:-1, 1:-1] = 0
    assert len(read(tmp_path, tmx(Kind("isometric", 64, 32), hall)).solids) == 4
    full = np.ones((30, 40))
    staggered = read(tmp_path, tmx(Kind("staggered", 64, 32), full))
    assert len(staggered.outlines) == 1 and len(staggered.solids) < 80


@pytest.mark.parametrize("kind", [Kind("staggered", 33, 17), Kind("hexagonal", 15, 15, "x", "odd", 7)])
def test_odd_pixels_are_left_out_as_by_tiled(tmp_path: Path, kind: Kind) -> None:
    """tileWidth & ~1; where a side leaves half a pixel, cells lie at whole ones, and their slopes make up for it."""
    even = kind._replace(width=kind.width & ~1, height=kind.height & ~1)
    cells = np.ones((4, 4))
    level = read(tmp_path, tmx(kind, cells, size=even[1:3]))
    assert len(level.outlines) == 1 and not level.outlines[0].holes
    step = (even.width - kind.side) // 2 + kind.side if kind.side else even.width
    assert level.bounds.max_x == (3 * step + even.width if kind.side else 4 * even.width + even.width / 2)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_infinite_maps_have_their_cells_at_negative_places(tmp_path: Path, kind: Kind) -> None:
    chunks, expected = [], []
    for left, top in ((-3, -5), (-3, -2), (40, 41)):
        chunks.append(f'<chunk x="{left}" y="{top}" width="3" height="3">1,0,1,1,1,0,0,1,1</chunk>')
        cells = np.array([1, 0, 1, 1, 1, 0, 0, 1, 1]).reshape(3, 3)
        expected += [cell(kind, left + c, top + r, 20) for r, c in np.argwhere(cells).tolist()]
    text = tmx(kind, np.zeros((20, 30)), more="").replace("<map ", '<map infinite="1" ')
    before, _, after = text.partition('<data encoding="csv">')
    text = before + '<data encoding="csv">' + "".join(chunks) + after[after.index("</data>") :]
    level = read(tmp_path, text)
    check(level, expected)
    low_x, low_y, high_x, high_y = shapely.union_all(expected).bounds
    assert level.bounds.min_x <= low_x and level.bounds.min_y <= low_y
    assert level.bounds.max_x >= high_x and level.bounds.max_y >= high_y
    up = read(tmp_path, text, y_up=True, scale=0.5)
    assert (up.bounds.min_y, up.bounds.max_y) == (-level.bounds.max_y / 2, -level.bounds.min_y / 2)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_y_up_and_scale_mirror_every_orientation(tmp_path: Path, kind: Kind) -> None:
    cells = np.random.default_rng(5).random((5, 6)) < 0.6
    level, up = read(tmp_path, tmx(kind, cells)), read(tmp_path, tmx(kind, cells), y_up=True, scale=0.25)
    high = level.bounds.max_y
    mirrored = [
        shapely.transform(region, lambda p: np.stack((p[:, 0] / 4, (high - p[:, 1]) / 4), 1))
        for region in regions(level)
    ]
    check(up, mirrored)
    assert up.bounds == (level.bounds.min_x / 4, 0, level.bounds.max_x / 4, high / 4)


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[3], KINDS[6]], ids=lambda kind: kind.orientation)
def test_trigger_cells_that_lie_together_are_one(tmp_path: Path, kind: Kind) -> None:
    cells = np.array([[1, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 1]])
    level = read(tmp_path, tmx(kind, cells, '<tile id="0" type="trigger"/>'))
    expected = [cell(kind, c, r, 3) for r, c in np.argwhere(cells).tolist()]
    union = shapely.union_all(expected)
    assert len(level.triggers) == len(union.geoms)
    found = shapely.union_all([cm.convert.to_shapely(trigger.shape) for trigger in level.triggers])
    assert found.equals(union)
    assert {trigger.id for trigger in level.triggers} == {None}


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[3], KINDS[6]], ids=lambda kind: kind.orientation)
def test_layers_that_are_moved_by_whole_cells_are_merged(tmp_path: Path, kind: Kind) -> None:
    """The offset of a layer is in pixels, in all orientations; 1.5 pixels more keep the layers apart."""
    dx, dy = np.subtract(corner(kind, 2, 2, 3), corner(kind, 1, 0, 3)).tolist()
    cells = np.zeros((3, 3))
    cells[0, 1] = 1
    for extra, count in ((0.0, 1), (1.5, 2)):
        data = ",".join(str(int(number)) for number in cells.ravel())
        layer = f'<layer name="b" offsetx="{dx + extra}" offsety="{dy}" width="3" height="3">'
        more = f'{layer}<data encoding="csv">{data}</data></layer>'
        beside = np.zeros((3, 3))
        beside[2, 1] = 1  # beside the cell in column 2 and row 2
        level = read(tmp_path, tmx(kind, beside, more=more))
        moved = shapely.affinity.translate(cell(kind, 2, 2, 3), extra, 0)
        if count == 1:
            check(level, [cell(kind, 1, 2, 3), moved])
        else:
            assert sorted(region.area for region in regions(level)) == [moved.area] * 2
            assert any(region.equals(moved) for region in regions(level))


# --- collision shapes of tiles


def shape(points: str, number: int = 0) -> str:
    polygon = f'<object id="1" x="0" y="0"><polygon points="{points}"/></object>'
    return f'<tile id="{number}"><objectgroup>{polygon}</objectgroup></tile>'


def test_shapes_of_tiles_are_drawn_from_the_lower_left_corner_of_a_cell(tmp_path: Path) -> None:
    """A tile of 64 x 80 pixels on cells of 64 x 32; the diamond at its foot is the cell, a post stands alone."""
    kind = Kind("isometric", 64, 32)
    diamond = "0,64 32,48 64,64 32,80"
    cells = np.array([[1, 1, 0], [0, 1, 2]])
    level = read(tmp_path, tmx(kind, cells, shape(diamond) + shape("28,10 36,10 36,64 28,64", 1), size=(64, 80)))
    x, y = corner(kind, 2, 1, 2)
    post = shapely.box(x + 28, y + 32 - 70, x + 36, y + 32 - 16)
    floor = [cell(kind, c, r, 2) for r, c in np.argwhere(cells == 1).tolist()]
    assert len(level.outlines) == 2
    assert shapely.union_all(regions(level)).equals(shapely.union_all([*floor, post]))
    assert len(level.solids) == 3  # two cells of a row, one below, and the post


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[1], KINDS[4]], ids=lambda kind: f"{kind.orientation}-{kind.height}")
def test_halves_of_diamonds_are_merged_with_their_neighbours(tmp_path: Path, kind: Kind) -> None:
    w, h = kind.width, kind.height
    halves = [
        [(0, h / 2), (w / 2, 0), (w / 2, h)],
        [(w, h / 2), (w / 2, h), (w / 2, 0)],
        [(0, h / 2), (w, h / 2), (w / 2, h)],
    ]
    tiles = "".join(shape(" ".join(f"{x},{y}" for x, y in half), k) for k, half in enumerate(halves))
    tiles += shape(f"0,{h / 2} {w / 2},0 {w},{h / 2} {w / 2},{h}", 3)
    cells = np.random.default_rng(2).integers(0, 5, (6, 6))
    level = read(tmp_path, tmx(kind, cells, tiles))
    expected = []
    for row, column in np.argwhere(cells).tolist():
        x, y = corner(kind, column, row, 6)
        half = [*halves, [(0, h / 2), (w / 2, 0), (w, h / 2), (w / 2, h)]][cells[row, column] - 1]
        expected.append(shapely.Polygon([(x + a, y + b) for a, b in half]))
    check(level, expected)
    assert len(level.solids) < len(expected)


def test_an_isometric_tileset_has_its_shapes_in_its_own_frame(tmp_path: Path) -> None:
    """Its grid is 64 x 32, at the foot of pictures of 64 x 64: a rectangle of 32 x 32 is the cell, 16 x 32 its half."""
    kind = Kind("isometric", 64, 32)
    grid = '<grid orientation="isometric" width="64" height="32"/>'

    def tile(number: int, attributes: str, inner: str = "") -> str:
        thing = f'<object id="1" {attributes}>{inner}</object>'
        return f'<tile id="{number}"><objectgroup>{thing}</objectgroup></tile>'

    tiles = tile(0, 'x="0" y="0" width="32" height="32"') + tile(1, 'x="0" y="0" width="16" height="32"')
    tiles += tile(2, 'x="16" y="16" width="8" height="8" rotation="90"')
    tiles += tile(3, 'x="0" y="0" width="32" height="32"', "<ellipse/>")
    level = read(tmp_path, tmx(kind, np.array([[1, 2, 0, 3, 0, 4]]), tiles, size=(64, 64), grid=grid))

    def at(column: int, x: float, y: float) -> tuple[float, float]:
        left, top = corner(kind, column, 0, 1)
        return left + 32 + (x - y), top + (x + y) / 2

    half = shapely.Polygon([at(1, 0, 0), at(1, 16, 0), at(1, 16, 32), at(1, 0, 32)])
    joined = shapely.union_all([cell(kind, 0, 0, 1), half])
    outlines = regions(level)
    assert any(outline.equals(joined) for outline in outlines)
    pivot = at(3, 16, 16)  # a turn is one of the picture, about the point as it is drawn
    square = shapely.Polygon([at(3, 16, 16), at(3, 24, 16), at(3, 24, 24), at(3, 16, 24)])
    turned = shapely.affinity.rotate(square, 90, pivot)
    assert min(outline.symmetric_difference(turned).area for outline in outlines) < 1e-9
    middle = at(5, 16, 16)
    oval = [outline for outline in outlines if len(outline.exterior.coords) > 20]
    for x, y in oval[0].exterior.coords:  # in its own frame the ellipse is a circle of radius 16
        across, down = (x - middle[0]) / 2, y - middle[1]
        assert math.hypot(down + across, down - across) == pytest.approx(16)


HEXAGON = Kind("hexagonal", 28, 32, "y", "odd", 16)
TURNS = {0: 0, 1 << 29: 60, 1 << 28: 120, 1 << 29 | 1 << 28: 180}
MIRRORS = {0: (1, 1), 1 << 31: (-1, 1), 1 << 30: (1, -1), 1 << 31 | 1 << 30: (-1, -1)}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("mirror", MIRRORS)
def test_hexagonal_tiles_are_mirrored_and_then_turned(tmp_path: Path, turn: int, mirror: int) -> None:
    """About the middle of the picture, clockwise by 60 and by 120 degrees; a whole cell stays whole."""
    points = [(14, 4), (24, 10), (14, 16)]
    whole = "14,0 28,8 28,24 14,32 0,24 0,8"
    cells = np.array([[0, 1 | turn | mirror, 2 | turn | mirror, 2]])
    tiles = shape(" ".join(f"{x},{y}" for x, y in points)) + shape(whole, 1)
    level = read(tmp_path, tmx(HEXAGON, cells, tiles))
    middle = complex(14, 16)
    mapped = [
        middle + cmath.rect(1, math.radians(TURNS[turn])) * complex((x - 14) * MIRRORS[mirror][0], (y - 16) * sign)
        for x, y in points
        for sign in [MIRRORS[mirror][1]]
    ]
    expected = shapely.Polygon([(28 + p.real, p.imag) for p in mapped])
    found = regions(level)
    assert len(found) == 2
    assert min(region.symmetric_difference(expected).area for region in found) < 1e-9
    both = shapely.union_all([cell(HEXAGON, 2, 0, 1), cell(HEXAGON, 3, 0, 1)])
    assert any(region.equals(both) for region in found)


def test_one_way_tiles_turn_with_their_hexagons(tmp_path: Path) -> None:
    thing = '<object id="1" type="one_way" x="4" y="8" width="20" height="16"/>'
    tile = f'<tile id="0"><objectgroup>{thing}</objectgroup></tile>'
    level = read(tmp_path, tmx(HEXAGON, [[1 | 1 << 29]], tile))
    (direction,) = level.one_way.directions.tolist()
    assert direction == pytest.approx([math.sin(math.pi / 3), -0.5])
    segment = level.one_way.shapes[0]
    assert tuple(segment.position - cm.Vec(14, 16)) == pytest.approx((8 * direction[0], 8 * direction[1]))


def test_shapes_that_are_no_whole_hexagon_stay_separate(tmp_path: Path) -> None:
    tiles = shape("14,0 28,8 28,24 14,32") + shape("14,0 28,8 28,24 14,32 0,24 0,8", 1)
    level = read(tmp_path, tmx(HEXAGON, [[2, 1, 2]], tiles))
    assert len(level.outlines) == 3
    assert sum(region.area for region in regions(level)) == 2.5 * cell(HEXAGON, 0, 0, 1).area


# --- objects


THINGS = (
    '<objectgroup name="things">'
    '<object id="1" name="room" x="32" y="64" width="16" height="96"/>'
    '<object id="2" name="start" x="48" y="16"><point/></object>'
    '<object id="3" name="way" x="8" y="8"><polyline points="0,0 32,0 32,64"/></object>'
    '<object id="4" name="area" x="0" y="0"><polygon points="0,0 64,0 0,64"/></object>'
    '<object id="5" name="door" x="32" y="32" width="16" height="8" rotation="30"/>'
    '<object id="6" name="pill" x="0" y="0" width="64" height="32"><capsule/></object>'
    '<object id="7" name="chest" gid="1" x="64" y="96" width="40" height="20"/>'
    "</objectgroup>"
)


def placed(kind: Kind, rows: int, x: float, y: float) -> tuple[float, float]:
    """Return where a point of an object is drawn: pixelToScreenCoords."""
    if kind.orientation != "isometric":
        return x, y
    across, down = x / kind.height, y / kind.height
    return (across - down) * kind.width / 2 + rows * kind.width / 2, (across + down) * kind.height / 2


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[1], KINDS[2], KINDS[6]], ids=lambda kind: f"{kind[:3]}")
def test_objects_are_drawn_in_their_own_projection(tmp_path: Path, kind: Kind) -> None:
    level = read(tmp_path, tmx(kind, np.zeros((6, 5)), '<tile id="0"/>', more=THINGS), y_up=False)
    named = {trigger.name: trigger for trigger in level.triggers}
    assert {name: trigger.id for name, trigger in named.items()} == dict(
        zip(("room", "start", "way", "area", "door", "pill", "chest"), range(1, 8), strict=True)
    )

    def polygon(*points: tuple[float, float]) -> shapely.Polygon:
        return shapely.Polygon([placed(kind, 6, *point) for point in points])

    def apart(name: str, expected: shapely.Polygon) -> float:
        return cm.convert.to_shapely(named[name].shape).symmetric_difference(expected).area

    assert apart("room", polygon((32, 64), (48, 64), (48, 160), (32, 160))) < 1e-9
    assert named["start"].shape == cm.Point(placed(kind, 6, 48, 16))
    assert apart("area", polygon((0, 0), (64, 0), (0, 64))) < 1e-9
    way = named["way"].shape
    assert isinstance(way, cm.Compound)
    ends = [placed(kind, 6, *point) for point in ((8, 8), (40, 8), (40, 72))]
    assert [(part.start, part.end) for part in way.parts] == [(ends[0], ends[1]), (ends[1], ends[2])]  # type: ignore[union-attr]
    box = polygon((32, 32), (48, 32), (48, 40), (32, 40))
    assert apart("door", shapely.affinity.rotate(box, 30, placed(kind, 6, 32, 32))) < 1e-9
    pill = shapely.LineString([(16, 16), (48, 16)]).buffer(16, quad_segs=64)
    drawn = shapely.transform(pill, lambda p: np.array([placed(kind, 6, x, y) for x, y in p]))
    assert apart("pill", drawn) < 0.01 * drawn.area
    x, y = placed(kind, 6, 64, 96)
    left = x - 20 if kind.orientation == "isometric" else x
    assert named["chest"].shape == cm.Box.from_corners((left, y - 20), (left + 40, y))


def test_a_map_says_the_same_in_json(tmp_path: Path) -> None:
    for kind in (KINDS[0], KINDS[3], KINDS[7]):
        cells = np.random.default_rng(1).integers(0, 2, (4, 5))
        level = read(
            tmp_path, tmx(kind, cells, more='<objectgroup name="o"><object id="9" x="4" y="6"/></objectgroup>')
        )
        node: dict[str, Any] = {
            "type": "map",
            "orientation": kind.orientation,
            "width": 5,
            "height": 4,
            "tilewidth": kind.width,
            "tileheight": kind.height,
            "tilesets": [
                {
                    "firstgid": 1,
                    "name": "t",
                    "tilewidth": kind.width,
                    "tileheight": kind.height,
                    "grid": {"orientation": "orthogonal", "width": 1, "height": 1},
                    "tiles": [{"id": 0, "type": "solid"}],
                }
            ],
            "layers": [
                {"type": "tilelayer", "name": "ground", "width": 5, "height": 4, "data": cells.ravel().tolist()},
                {"type": "objectgroup", "name": "o", "objects": [{"id": 9, "x": 4, "y": 6}]},
            ],
        }
        if kind.orientation != "isometric":
            node |= {"staggeraxis": kind.axis, "staggerindex": kind.index}
        if kind.orientation == "hexagonal":
            node["hexsidelength"] = kind.side
        (tmp_path / "map.tmj").write_text(json.dumps(node))
        other = cm.read_map(tmp_path / "map.tmj")
        assert (other.bounds, other.outlines, list(other.solids)) == (level.bounds, level.outlines, list(level.solids))
        assert other.triggers == level.triggers


def test_old_staggered_maps_shift_their_odd_rows(tmp_path: Path) -> None:
    """Those that say nothing of an axis."""
    kind = Kind("staggered", 64, 32)
    text = tmx(kind, np.ones((2, 2))).replace('staggeraxis="y" staggerindex="odd"', "")
    check(read(tmp_path, text), [cell(kind, c, r, 2) for c in range(2) for r in range(2)])


def test_isometric_maps_of_a_world_lie_at_their_places(tmp_path: Path) -> None:
    kind = Kind("isometric", 64, 32)
    (tmp_path / "a.tmx").write_text(tmx(kind, np.ones((2, 2))))
    maps = [{"fileName": "a.tmx", "x": x, "y": y} for x, y in ((0, 0), (64, 32), (-500, 7))]
    (tmp_path / "all.world").write_text(json.dumps({"maps": maps, "type": "world"}))
    level = cm.read_map(tmp_path / "all.world")
    block = [cell(kind, c, r, 2) for c in range(2) for r in range(2)]
    expected = [shapely.affinity.translate(part, one["x"], one["y"]) for one in maps for part in block]
    check(level, expected)
    assert len(level.outlines) == 2  # the first two are flush


@pytest.mark.parametrize("scale", [1.0, 0.1, 1 / 3])
def test_walls_of_diamonds_are_smooth(tmp_path: Path, scale: float) -> None:
    """A disc along a wall of many parts, pressed against it: nothing on the way turns it away."""
    cells = np.zeros((12, 12))
    cells[6:, :] = np.random.default_rng(1).random((6, 12)) < 0.5
    cells[6, :] = 1
    level = read(tmp_path, tmx(Kind("isometric", 64, 32), cells), scale=scale)
    assert len(level.solids) > 10
    # The upper side of row 6, from column 1 to column 11, and the way out of the wall.
    ends = [cm.Vec((c - 6) * 32 + 384, (c + 6) * 16) * scale for c in (1, 11)]
    along = (ends[1] - ends[0]).normalized()
    out = cm.Vec(along.y, -along.x)
    radius = 4 * scale
    start, way = ends[0] + out * radius, ends[1] - ends[0]
    went = cm.move(cm.Circle(start, radius), way - out * (3 * radius), level.solids)
    assert (went.position - start - way).length < 1e-9 * scale
    assert all((hit.normal - out).length < 1e-9 for hit in went.hits)
