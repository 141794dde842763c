"""A join of tables finds what `contacts` finds of all shapes in memory, wherever tiles, pieces and files begin."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import carom as cm
from carom import tables
from carom.tables import sort_answers

AABB = ("min_x", "min_y", "max_x", "max_y")


def boxes(count: int, seed: int, crowded: bool = False) -> Any:
    """Return AABBs, half of them in a hundredth of the area if they are to crowd."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(0.0, count**0.5, (count, 2))
    if crowded:
        centers[: count // 2] *= 0.1
    half = rng.uniform(0.1, 0.7, (count, 2))
    return np.hstack([centers - half, centers + half])


def frame_of(values: Any, names: Any = AABB) -> pd.DataFrame:
    return pd.DataFrame(values, columns=list(names))


def assert_same(found: pd.DataFrame, wanted: Any) -> None:
    """Tell that an answer has the pairs and the very numbers of `contacts`."""
    found = found.sort_values(["a", "b"])
    assert found[["a", "b"]].to_numpy().tolist() == wanted.pairs.tolist()
    for name, column in (
        ("depth", wanted.depth),
        ("normal_x", wanted.normal[:, 0]),
        ("normal_y", wanted.normal[:, 1]),
        ("points", wanted.count),
        ("point_1_x", wanted.points[:, 0, 0]),
    ):
        assert name not in found or found[name].to_numpy().tolist() == column.tolist(), name


@pytest.mark.parametrize("tile_rows", [None, 900, 57])
@pytest.mark.parametrize("crowded", [False, True])
def test_boxes_are_joined_as_in_memory(tile_rows: int | None, crowded: bool) -> None:
    values = boxes(4000, 1, crowded)
    found = tables.join(frame_of(values), columns=("depth", "normal", "points"), within=0.05, tile_rows=tile_rows)
    assert_same(found.compute(), cm.contacts(cm.Shapes.boxes(bounds=values), within=0.05))


@given(
    corners=st.lists(st.tuples(*[st.integers(0, 6)] * 2, *[st.integers(0, 3)] * 2), max_size=40),
    tile_rows=st.integers(1, 12),
    within=st.sampled_from([0.0, 1.0, 2.5]),
)
@settings(max_examples=40, deadline=None)
def test_pairs_at_borders_are_told_once(corners: list[Any], tile_rows: int, within: float) -> None:
    """Whole numbers put borders of boxes onto edges of tiles; boxes without width are lines and points."""
    values = np.array([(x, y, x + w, y + h) for x, y, w, h in corners], dtype=float).reshape(-1, 4)
    found = tables.join(frame_of(values), columns=(), within=within, tile_rows=tile_rows).compute()
    low, high = values[:, None, :2], values[:, None, 2:]
    gap = np.maximum(np.maximum(low - high.swapaxes(0, 1), low.swapaxes(0, 1) - high), 0.0)
    near = (gap**2).sum(axis=2) <= within**2
    wanted = np.argwhere(np.triu(near, 1)).tolist()
    assert sorted(found[["a", "b"]].to_numpy().tolist()) == wanted


def test_two_tables_and_names_of_text() -> None:
    rng = np.random.default_rng(3)
    discs = np.column_stack([rng.uniform(0, 30, (900, 2)), rng.uniform(0.1, 0.8, 900)])
    turned = np.column_stack([rng.uniform(0, 30, (300, 2)), rng.uniform(0.2, 2, (300, 2)), rng.uniform(0, 6, 300)])
    first = frame_of(discs, ("x", "y", "r")).assign(name=[f"disc {k:04d}" for k in range(900)])
    second = frame_of(turned, ("cx", "cy", "width", "height", "angle"))
    found = tables.join(first, second, id="name", tile_rows=100).compute()
    found["a"] = found["a"].str[5:].astype(int)
    wanted = cm.contacts(
        cm.Shapes.circles(discs[:, :2], discs[:, 2]), cm.Shapes.boxes(turned[:, :2], turned[:, 2:4], turned[:, 4])
    )
    assert_same(found, wanted)


def regions(count: int, seed: int) -> Any:
    """Return polygons, some concave and some with a hole, and a missing one."""
    rng, out = np.random.default_rng(seed), []
    for k in range(count):
        x, y, r = *rng.uniform(0, 14, 2), rng.uniform(0.4, 1.2)
        angles = np.sort(rng.uniform(0, 2 * np.pi, 9))
        radii = r * rng.uniform(0.4, 1.0, 9)
        ring = [(x + q * np.cos(a), y + q * np.sin(a)) for a, q in zip(angles, radii, strict=True)]
        shell = shapely.Polygon(ring) if k % 3 else shapely.box(x, y, x + r, y + r)
        hole = shapely.box(x + 0.3 * r, y + 0.3 * r, x + 0.6 * r, y + 0.6 * r)
        out.append(shell.difference(hole) if k % 3 == 0 else shell)
    return np.array([one if one.is_valid else one.buffer(0) for one in out] + [None], dtype=object)


@pytest.mark.parametrize("tile_rows", [None, 20])
def test_regions_are_joined_as_shapely_says(tile_rows: int | None) -> None:
    given = regions(150, 4)
    table = pa.table({"geometry": pa.array(shapely.to_wkb(given), pa.binary())})
    found = tables.join(table, columns="depth", tile_rows=tile_rows).compute()
    tree = shapely.STRtree(given)
    wanted = {(int(a), int(b)) for a, b in tree.query(given, predicate="intersects").T if a < b}
    assert {(a, b) for a, b in found[["a", "b"]].to_numpy().tolist()} == wanted
    assert (found["depth"] >= 0.0).all()
    bare = tables.join(table, columns=(), tile_rows=tile_rows).compute()
    assert bare.to_numpy().tolist() == found[["a", "b"]].to_numpy().tolist()


def test_a_saved_set_is_joined_as_it_is(tmp_path: Path) -> None:
    values = boxes(800, 5)
    shapes = cm.Shapes.concatenate([cm.Shapes.boxes(bounds=values), cm.Shapes.circles(values[:, :2], 0.3)])
    shapes.save(tmp_path / "set.shapes")
    found = tables.join(tmp_path / "set.shapes", tile_rows=150).compute()
    assert_same(found, cm.contacts(shapes))


@pytest.mark.parametrize("kind", ["folder", "dataset", "table", "stream", "dask"])
def test_every_kind_of_source_has_the_same_answer(kind: str, tmp_path: Path) -> None:
    values = boxes(2500, 6)
    frame = frame_of(values)
    table = pa.Table.from_pandas(frame)
    for k in range(12):  # 10 comes after 9
        pq.write_table(table.slice(k * 210, 210), tmp_path / f"part-{k}.parquet", row_group_size=50)
    source: Any = tmp_path
    if kind == "dataset":
        import pyarrow.dataset as ds

        source = ds.dataset([tmp_path / f"part-{k}.parquet" for k in range(12)])
    elif kind == "table":
        source = table
    elif kind == "stream":
        source = table.to_reader(max_chunksize=300)
    elif kind == "dask":
        import dask.dataframe as dd

        source = dd.from_pandas(frame, npartitions=3)
    found = tables.join(source, tile_rows=300, sort=True).compute()
    assert found[["a", "b"]].to_numpy().tolist() == cm.pairs(cm.Shapes.boxes(bounds=values)).tolist()


def test_files_continue_and_another_question_is_refused(tmp_path: Path) -> None:
    values = boxes(3000, 7)
    frame_of(values).to_parquet(tmp_path / "in.parquet")
    done = tables.join(tmp_path / "in.parquet", out=tmp_path / "out", tile_rows=300)
    assert done.pairs == len(cm.pairs(cm.Shapes.boxes(bounds=values)))
    assert not (tmp_path / "out.unfinished").exists()
    assert_same(pd.read_parquet(tmp_path / "out"), cm.contacts(cm.Shapes.boxes(bounds=values)))
    again = tables.join(tmp_path / "in.parquet", out=tmp_path / "out")
    assert again == done
    with pytest.raises(FileExistsError, match="another plan, since within differ"):
        tables.join(tmp_path / "in.parquet", out=tmp_path / "out", within=1.0)
    frame_of(values[:-1]).to_parquet(tmp_path / "in.parquet")
    with pytest.raises(FileExistsError, match="since rows and data differ"):
        tables.join(tmp_path / "in.parquet", out=tmp_path / "out")


def test_a_stopped_run_goes_on_with_its_tiles(tmp_path: Path) -> None:
    values = boxes(3000, 8)
    frame_of(values).to_parquet(tmp_path / "in.parquet")

    def stop(stage: str, done: int, count: int) -> None:
        if stage == "join tiles" and done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.join(tmp_path / "in.parquet", out=tmp_path / "out", tile_rows=200, progress=stop)
    assert not (tmp_path / "out").exists()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "out.unfinished").glob("pairs-*.parquet")}
    assert len(kept) >= 3
    tables.join(tmp_path / "in.parquet", out=tmp_path / "out", tile_rows=200)
    assert all((tmp_path / "out" / path.name).stat().st_mtime_ns == when for path, when in kept.items())
    assert_same(pd.read_parquet(tmp_path / "out"), cm.contacts(cm.Shapes.boxes(bounds=values)))


@given(
    names=st.lists(st.sampled_from(["", "a", "ä", "\U0001f600", "\uffff", "b"]), min_size=1, max_size=30),
    other=st.booleans(),
    tile_rows=st.integers(1, 12),
)
@settings(max_examples=8, deadline=None)
def test_files_are_sorted_on_request_whatever_the_tiles(names: list[Any], other: bool, tile_rows: int) -> None:
    """Names that stand for several rows are in order, too."""
    frame = pa.table(
        {"id": pa.array(names, pa.string()), "x": np.arange(len(names)) % 7.0, "y": 0.0 * np.arange(len(names))}
    )
    second = frame if other else None
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sort_answers, "RANGE_ROWS", 5)
        found = []
        for rows in (tile_rows, 100):
            words = {"within": 1.0, "columns": "depth", "tile_rows": rows, "sort": True}
            done = tables.join(frame, second, out=Path(folder) / str(rows), **words)
            found.append(pa.concat_tables(map(pq.read_table, sorted(done.path.glob("*.parquet")))))
            frames = tables.join(frame, second, **words).compute()
            assert pa.Table.from_pandas(frames, found[-1].schema, preserve_index=False).equals(found[-1])
    assert found[0].equals(found[1])
    keys = list(zip(*found[0].to_pydict().values(), strict=True))
    assert keys == sorted(keys)


def test_files_whose_columns_are_wider_or_narrower_are_one_table(tmp_path: Path) -> None:
    values = np.rint(4.0 * boxes(400, 13))
    values[:, 2:] += 1.0
    frame = frame_of(values).assign(id=[f"box {k:03d}" for k in range(400)])
    whole = pa.Table.from_pandas(frame, preserve_index=False)
    parts = [whole.slice(begin, 100) for begin in range(0, 400, 100)]
    names = [parts[1]["id"].cast(pa.large_string()), parts[2]["id"].dictionary_encode(), parts[3]["id"]]
    parts[1:] = [one.set_column(4, "id", column) for one, column in zip(parts[1:], names, strict=True)]
    for k, kind in ((0, pa.int32()), (2, pa.float32()), (3, pa.decimal128(12, 3))):
        parts[k] = parts[k].set_column(0, "min_x", parts[k]["min_x"].cast(kind))
    parts[3] = parts[3].append_column("note", pa.array(range(100))).select(["note", "max_y", "id", *AABB[:3]])
    for k, part in enumerate(parts):
        pq.write_table(part, tmp_path / f"{k}.parquet")
    found = tables.join(tmp_path, columns=(), tile_rows=50, sort=True).compute()
    wanted = cm.pairs(cm.Shapes.boxes(bounds=values))
    assert [[int(name[4:]) for name in row] for row in found.to_numpy().tolist()] == wanted.tolist()
    pq.write_table(parts[3].drop_columns(["id"]), tmp_path / "4.parquet")
    with pytest.raises(ValueError, match=r"4\.parquet has no column 'id'"):
        tables.join(tmp_path)
    pq.write_table(parts[3].set_column(2, "id", pa.array(range(100))), tmp_path / "4.parquet")
    with pytest.raises(TypeError, match=r"4\.parquet has other columns than the files before: .*id"):
        tables.join(tmp_path)


@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows_have_an_empty_answer(rows: int, tmp_path: Path) -> None:
    frame = frame_of(boxes(1, 9)[:rows])
    assert list(tables.join(frame, columns="depth").compute().columns) == ["a", "b", "depth"]
    assert tables.join(frame, out=tmp_path / "out").pairs == 0
    assert len(pd.read_parquet(tmp_path / "out")) == 0


@pytest.mark.parametrize(
    ("row", "reason"),
    [((0, np.nan, 1, 1), "missing"), ((0, 0, np.inf, 1), "finite"), ((2, 0, 1, 1), "below the lower")],
)
def test_a_bad_row_is_named_or_left_out(row: Any, reason: str, tmp_path: Path) -> None:
    values = boxes(500, 10)
    values[321] = row
    frame_of(values).to_parquet(tmp_path / "in.parquet")
    with pytest.raises(ValueError, match=rf"in\.parquet, row 321: .*{reason}"):
        tables.join(tmp_path / "in.parquet")
    done = tables.join(tmp_path / "in.parquet", out=tmp_path / "out", on_bad="skip", tile_rows=60)
    with pytest.warns(UserWarning, match=rf"^join: 1 bad row is left out: .*in.parquet, row 321: .*{reason}"):
        assert len(tables.join(tmp_path / "in.parquet", on_bad="skip")) == done.pairs
    assert done.bad_count == 1 and "row 321" in done.bad[0].place and reason in done.bad[0].reason
    good = np.delete(np.arange(500), 321)
    wanted = good[cm.pairs(cm.Shapes.boxes(bounds=values[good]))]
    found = pd.read_parquet(tmp_path / "out").sort_values(["a", "b"])
    assert found[["a", "b"]].to_numpy().tolist() == wanted.tolist()


def test_a_row_without_a_value_is_in_no_pair_and_is_counted(tmp_path: Path) -> None:
    values = boxes(300, 11)
    values[7] = np.nan
    found = tables.join(frame_of(values), tile_rows=50).compute()
    assert len(found) and not (found[["a", "b"]] == 7).any().any()
    assert tables.join(frame_of(values), out=tmp_path / "boxes").missing == 1
    given = pa.array([None, *shapely.to_wkb([shapely.Polygon(), shapely.box(0, 0, 1, 1)])], pa.binary())
    done = tables.join(pa.table({"geometry": given}), out=tmp_path / "regions")
    assert (done.pairs, done.missing, done.bad_count) == (0, 2, 0)


def test_an_outline_that_crosses_itself_is_named() -> None:
    given = shapely.to_wkb(np.array([shapely.box(0, 0, 1, 1), shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)])]))
    with pytest.raises(ValueError, match="row 1: Self-intersection"):
        tables.join(pa.table({"geometry": pa.array(given, pa.binary())}))


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ({"within": -1.0}, "within = -1.0 must not be negative"),
        ({"columns": "normals"}, "columns = 'normals' must be some of depth, normal, points"),
        ({"on_bad": "drop"}, "on_bad = 'drop' must be one of raise, skip, repair"),
        ({"shape": ("min_x", "left", "max_x", "max_y")}, "'left' is no column"),
        ({"id": "name"}, "id = 'name' is no column"),
        ({"tile_rows": 0}, "tile_rows = 0 must be at least 1"),
    ],
)
def test_a_wrong_word_is_named(words: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        tables.join(frame_of(boxes(5, 12)), **words)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    far = pa.array(shapely.to_wkb([shapely.box(0, 0, 1, 1), shapely.box(0, 0, 1e200, 1)]), pa.binary())
    with pytest.raises(ValueError, match=r"row 1: a coordinate is beyond 1e\+150"):
        tables.join(pa.table({"geometry": far}))
    twice = pa.table([[0.0], [0.0], [1.0], [1.0]], names=["x", "y", "radius", "x"])
    with pytest.raises(ValueError, match=r"^join: 'x' is the name of 2 columns"):
        tables.join(twice)
    with pytest.raises(ValueError, match=r"^join: .*'carom_row'.* that join adds"):
        tables.join(frame_of(boxes(3, 1)).assign(carom_row=0), id="carom_row")
    with pytest.raises(TypeError, match=r"^join: source is a frame that Arrow cannot hold: .*object"):
        tables.join(pd.DataFrame({"x": [0.0], "y": [object()]}))
    frame_of(boxes(300, 1)).to_parquet(tmp_path / "in.parquet", compression=None)
    with pytest.raises(ValueError, match=r"^join: out = .* must not lie in .*, which is read"):
        tables.join(tmp_path, out=tmp_path / "out")
    stored = bytearray((tmp_path / "in.parquet").read_bytes())
    stored[4:200] = b"\xff" * 196
    (tmp_path / "in.parquet").write_bytes(bytes(stored))
    with pytest.raises(ValueError, match=r"in\.parquet cannot be read: "):
        tables.join(tmp_path / "in.parquet")


def test_tiles_of_large_polygons_have_few_rows() -> None:
    rng = np.random.default_rng(14)
    rings = shapely.buffer(shapely.points(rng.uniform(0, 100, (600, 2))), 1.0, quad_segs=100)
    table, small = (
        pa.table({"geometry": pa.array(shapely.to_wkb(some), pa.binary())}) for some in (rings, shapely.envelope(rings))
    )
    assert tables.plan(small, memory=1).tiles == 1
    assert tables.plan(table, memory=1).tiles >= 10


def test_degrees_are_told_of_once() -> None:
    field = pa.field(
        "geometry",
        pa.binary(),
        metadata={b"ARROW:extension:name": b"geoarrow.wkb", b"ARROW:extension:metadata": b'{"crs": "EPSG:4326"}'},
    )
    given = pa.array(shapely.to_wkb(np.array([shapely.box(0, 0, 1, 1)])), pa.binary())
    with pytest.warns(UserWarning, match="degrees") as told:
        tables.join(pa.table([given], schema=pa.schema([field]))).compute()
    assert len(told) == 1
