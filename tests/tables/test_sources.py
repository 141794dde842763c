"""Which columns are the shape, and what is a source: each is read as it says, or refused in words that help."""

from __future__ import annotations

import json
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import shapely

pytest.importorskip("dask.dataframe")
import dask.dataframe as dd

import carom as cm
from carom import tables

SQUARES = [shapely.box(0, 0, 2, 2), shapely.box(1, 1, 3, 3), shapely.box(8, 8, 9, 9)]
WKB = pa.array(shapely.to_wkb(SQUARES), pa.binary())
CORNERS = {"min_x": [0.0, 1, 8], "min_y": [0.0, 1, 8], "max_x": [2.0, 3, 9], "max_y": [2.0, 3, 9]}
XY = {"x": [0.0, 50.0, 99.0], "y": [0.0, 50.0, 99.0]}
LEFT_OUT = "ignore:.* are read from:UserWarning"


def pairs(source: Any, *more: Any, **words: Any) -> list[tuple[Any, Any]]:
    found = tables.join(source, *more, columns=(), **words).compute()
    return sorted(zip(found["a"].tolist(), found["b"].tolist(), strict=True))


@pytest.mark.filterwarnings(LEFT_OUT)
@pytest.mark.parametrize(
    "beside", [XY, {"xmin": [0.0, 50, 99], "ymin": [0.0] * 3, "xmax": [1.0, 51, 99], "ymax": [1.0] * 3}]
)
@pytest.mark.parametrize("name", ["geometry", "geom", "the_geom", "SHAPE", "wkb_geometry"])
def test_a_geometry_goes_before_columns_of_numbers(beside: dict[str, Any], name: str, tmp_path: Path) -> None:
    table = pa.table({**beside, name: WKB})
    assert pairs(table) == [(0, 1)]
    done = tables.join(table, out=tmp_path / "out")
    assert done.columns == (name,) and name in repr(done) and done.other_columns == ()
    with pytest.warns(
        UserWarning, match=f"^join: the shapes of source are read from {name}, not from {', '.join(beside)}"
    ):
        pairs(table)
    assert pairs(table, shape=tuple(beside)) == []


CENTERED = [
    ({"width": [5.0, 5], "height": [5.0, 5]}, cm.Shapes.boxes([(0, 0), (4, 4)], (5, 5))),
    ({"w": [5.0, 5], "h": [2.0, 2]}, cm.Shapes.boxes([(0, 0), (4, 4)], (5, 2))),
    ({"w": [7.0, 7], "h": [7.0, 7], "angle": [0.7, 0.1]}, cm.Shapes.boxes([(0, 0), (4, 4)], (7, 7), [0.7, 0.1])),
    ({"diameter": [6.0, 6]}, cm.Shapes.circles([(0, 0), (4, 4)], 3)),
    ({"radius": [3.0, 3]}, cm.Shapes.circles([(0, 0), (4, 4)], 3)),
]


@pytest.mark.parametrize(("size", "shapes"), CENTERED, ids=[", ".join(size) for size, _ in CENTERED])
@pytest.mark.parametrize("center", [("x", "y"), ("cx", "cy"), ("center_x", "center_y")])
@pytest.mark.parametrize("named", [False, True])
def test_sizes_about_a_centre_are_what_they_say(size: Any, shapes: cm.Shapes, center: Any, named: bool) -> None:
    frame = pd.DataFrame({center[0]: [0.0, 4.0], center[1]: [0.0, 4.0], **size})
    found = tables.join(frame, shape=tuple(frame.columns) if named else None).compute()
    wanted = cm.contacts(shapes)
    assert found[["a", "b"]].to_numpy().tolist() == wanted.pairs.tolist()
    assert found["depth"].tolist() == wanted.depth.tolist()


@pytest.mark.parametrize(
    ("columns", "words", "error"),
    [
        ({**XY, "width": [1.0] * 3}, {}, "'width' tells no shape without its other side"),
        ({**XY, "w": [1.0] * 3, "height": [1.0] * 3}, {}, "'w' tells no shape"),
        (
            {**XY, "width": [1.0] * 3, "height": [1.0] * 3, "radius": [1.0] * 3},
            {},
            "x, y, width, height tell a box, and",
        ),
        (
            {"a": [1.0], "b": [1.0], "width": [1.0], "height": [1.0]},
            {"shape": ("a", "b", "width", "height")},
            "tells of sizes",
        ),
        (
            {"a": [1.0], "b": [1.0], "c": [1.0], "d": [1.0], "deg": [1.0]},
            {"shape": (*"abcd", "deg")},
            "radians",
        ),
        ({"left": [1.0], "top": [1.0], "width": [1.0]}, {}, "no columns of shapes are known in left, top, width"),
    ],
)
def test_sizes_that_are_no_shape_are_refused(columns: Any, words: Any, error: str) -> None:
    with pytest.raises(ValueError, match=f"^join: .*{error}"):
        tables.join(pd.DataFrame(columns), **words)


def test_columns_of_another_type_are_not_passed_over(tmp_path: Path) -> None:
    """Text where numbers are to be is refused, also where columns of numbers tell less; a table of no rows is none."""
    text = pd.DataFrame({**CORNERS, **XY}).astype({"min_x": str})
    with pytest.raises(TypeError, match=r"^join: 'min_x' is a column of .*string; it must be of numbers"):
        tables.join(text)
    (tmp_path / "none.csv").write_text("id,x,y,radius\n")
    assert pairs(tmp_path / "none.csv") == []
    with pytest.raises(ValueError, match="'id' is missing"):
        tables.join(pd.DataFrame({**CORNERS, "id": [None] * 3}))


def test_what_is_passed_over_is_told_of_once_and_colors_are_no_radii() -> None:
    with pytest.warns(UserWarning, match=r"source are read from x, y, not from height; shape= chooses") as told:
        pairs(pd.DataFrame({**XY, "height": [3.0, 4, 5]}))
    assert len(told) == 1
    colored = pd.DataFrame({**XY, "r": [90.0, 90, 90], "g": [0, 0, 0], "b": [0, 0, 0]})
    assert pairs(colored) == []
    assert pairs(colored, shape=("x", "y", "r")) == [(0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize("ids", [["a", None, "c"], pd.array([1, None, 3], dtype="Int64")])
def test_a_name_that_is_missing_is_a_bad_row(ids: Any, tmp_path: Path) -> None:
    named, points = pd.DataFrame(CORNERS).assign(id=ids), pd.DataFrame(XY).assign(id=ids)
    for call in (
        lambda **words: tables.join(named, **words),
        lambda **words: tables.join(pd.DataFrame(CORNERS), named, **words),
        lambda **words: tables.nearest(points, pd.DataFrame(CORNERS), **words),
        lambda **words: tables.nearest(pd.DataFrame(XY), named, **words),
    ):
        with pytest.raises(ValueError, match=r"the table, row 1: .*'id' is missing"):
            call()
        with pytest.warns(UserWarning, match="1 bad row is left out"):
            found = call(on_bad="skip").compute()
        for column in ("a", "b"):
            assert not found[column].isna().any() and not str(found[column].dtype).startswith("float")
    nobody = pd.DataFrame({**CORNERS, "id": ids})
    nobody.loc[1, list(CORNERS)] = np.nan
    assert tables.join(nobody, out=tmp_path / "out").missing == 1


def test_an_index_that_has_a_name_is_a_column(tmp_path: Path) -> None:
    named = pd.DataFrame(CORNERS).set_index(pd.Index(["p", "q", "r"], name="id"))
    named.to_parquet(tmp_path / "named.parquet")
    dask = dd.from_pandas(named, npartitions=2)
    assert pairs(named) == pairs(tmp_path / "named.parquet") == pairs(dask) == [("p", "q")]
    assert pairs(named.rename_axis("box"), id="box") == [("p", "q")]
    assert pairs(named.rename_axis(None)) == [(0, 1)]
    two = named.set_index(pd.Index([5, 6, 7], name="n"), append=True)
    assert pairs(two, id="n") == [(5, 6)]


LARGE = 2**53


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.decimal128(20, 0)])
def test_whole_numbers_that_no_float_is_are_bad(kind: pa.DataType) -> None:
    def table(low: int) -> pa.Table:
        column = [pa.array([0, low]), pa.array([0, 0]), pa.array([LARGE, LARGE + 8]), pa.array([1, 1])]
        return pa.table([one.cast(kind) for one in column], names=list(CORNERS))

    assert pairs(table(LARGE)) == [(0, 1)] and pairs(table(LARGE + 2)) == []
    with pytest.raises(ValueError, match=f"row 1: min_x = {LARGE + 1}: no float64 number is that"):
        tables.join(table(LARGE + 1))
    points = table(LARGE + 1).select(["min_x", "min_y"])
    with pytest.raises(ValueError, match=f"row 1: min_x = {LARGE + 1}"):
        tables.nearest(points, table(LARGE), shape=("min_x", "min_y"))


ENDINGS = (".pq", ".parq", ".PARQUET", ".geoparquet", ".Parquet.snappy", "", ".0")


@pytest.mark.parametrize("ending", ENDINGS)
def test_parquet_in_a_folder_is_read_whatever_its_name(ending: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(CORNERS)
    frame[:1].to_parquet(tmp_path / "a.parquet")
    (tmp_path / "more").mkdir()
    frame[1:].to_parquet(tmp_path / "more" / f"b{ending}")
    for name in ("README.md", "_SUCCESS", ".b.crc", "_metadata.parquet"):
        (tmp_path / name).write_text("no table")
    assert pairs(tmp_path) == [(0, 1)]


@pytest.mark.parametrize("name", ["b.parquet", "b.parquet.gz", "b.pq", "b.csv", "b.arrow", "b.parquet.123.part"])
def test_a_folder_with_rows_that_are_not_read_is_refused(name: str, tmp_path: Path) -> None:
    pd.DataFrame(CORNERS).to_parquet(tmp_path / "a.parquet")
    (tmp_path / name).write_text("x,y\n1,2\n")
    with pytest.raises(ValueError, match=r"^join: source"):
        tables.join(tmp_path)
    (tmp_path / name).write_text("")
    with pytest.raises(ValueError, match=r"^join: source"):
        tables.join(tmp_path)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "list of geometries": lambda _: SQUARES,
    "array of geometries": lambda _: np.array(SQUARES, dtype=object),
    "series of geometries": lambda _: pd.Series(SQUARES),
    "frame of geometries": lambda _: pd.DataFrame({"n": [1, 2, 3], "geom": SQUARES}),
    "dict of arrays": lambda _: {name: np.array(column) for name, column in CORNERS.items()},
    "dict of geometries": lambda _: {"geometry": SQUARES},
    "shapes": lambda _: cm.Shapes.from_shapely(SQUARES),
    "multipolygon": lambda _: [SQUARES[0], shapely.MultiPolygon(SQUARES[1:2]), None],
    "record batch": lambda _: pa.table({"geometry": WKB}).to_batches()[0],
    "WKB alone": lambda _: pa.chunked_array([WKB]),
    "text": lambda _: pa.table({"geometry": shapely.to_wkt(SQUARES)}),
    "text of a database": lambda _: pa.table({"geometry": [f"SRID=3857;{one.wkt}" for one in SQUARES]}),
    "digits": lambda _: pa.table({"geom": shapely.to_wkb(SQUARES, hex=True)}),
    "fixed size": lambda _: pa.table({"geometry": WKB.cast(pa.binary(len(WKB[0].as_py())))}),
    "files": lambda folder: [folder / "a.parquet", str(folder / "b.parquet")],
    "pattern": lambda folder: folder / "[ab].parquet",
    "pattern as text": lambda folder: f"{folder}/**/[ab].parquet",
    "CSV": lambda folder: folder / "in.csv",
    "CSV with semicolons": lambda folder: folder / "semicolon.csv",
    "CSV with WKT": lambda folder: folder / "wkt.csv",
    "CSVs": lambda folder: [folder / "csv" / "1.csv", folder / "csv" / "2.csv"],
    "folder of CSV": lambda folder: folder / "csv",
    "CSV in gzip": lambda folder: folder / "in.csv.gz",
}


@pytest.mark.parametrize("kind", SOURCES)
def test_what_people_hold_is_a_source(kind: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(CORNERS)
    frame[:2].to_parquet(tmp_path / "a.parquet")
    frame[2:].to_parquet(tmp_path / "b.parquet")
    frame.to_csv(tmp_path / "in.csv", index=False)
    frame.to_csv(tmp_path / "in.csv.gz", index=False)
    frame.to_csv(tmp_path / "semicolon.csv", index=False, sep=";")
    pd.DataFrame({"geometry": shapely.to_wkt(SQUARES)}).to_csv(tmp_path / "wkt.csv", index=False)
    (tmp_path / "csv").mkdir()
    frame[:1].to_csv(tmp_path / "csv" / "1.csv", index=False)
    frame[1:].to_csv(tmp_path / "csv" / "2.csv", index=False)
    source = SOURCES[kind](tmp_path)
    assert pairs(source) == [(0, 1)]
    assert pairs(source, SQUARES) == [(0, 0), (0, 1), (1, 0), (1, 1)] + [(2, 2)] * (kind != "multipolygon")
    nearest = tables.nearest(pd.DataFrame({"x": [9.0], "y": [9.0]}), source)
    assert nearest.compute()["b"].tolist() == [2 if kind != "multipolygon" else 1]
    done = tables.join(source, out=tmp_path / "out")
    assert tables.join(source, out=tmp_path / "out") == done and done.pairs == 1


def test_a_frame_of_geopandas_is_read_by_its_active_geometry(tmp_path: Path) -> None:
    gpd = pytest.importorskip("geopandas")
    far = shapely.points([(0, 0), (50, 50), (90, 90)])
    frame = gpd.GeoDataFrame({"name": ["p", "q", "r"], "far": gpd.GeoSeries(far)}, geometry=SQUARES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert pairs(frame, id="name") == [("p", "q")]
        assert pairs(frame.set_geometry("far")) == []
    named = frame.drop(columns="far").rename_geometry("SHAPE").set_index("name").rename_axis("id")
    assert pairs(named) == pairs(named.geometry) == [("p", "q")]
    named.to_parquet(tmp_path / "named.parquet")
    assert pairs(tmp_path / "named.parquet") == [("p", "q")]
    with pytest.warns(UserWarning, match="degrees"):
        pairs(named.set_crs("EPSG:4326"))
    named.set_crs("EPSG:32631").to_parquet(tmp_path / "native.parquet", geometry_encoding="geoarrow")
    table = pq.read_table(tmp_path / "native.parquet")
    kept = table.schema.field("SHAPE").remove_metadata()
    bare = pa.table([table["SHAPE"]], schema=pa.schema([kept], metadata={b"geo": table.schema.metadata[b"geo"]}))
    pq.write_table(bare, tmp_path / "native.parquet")
    assert pairs(tmp_path / "native.parquet") == [(0, 1)]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (pd.Series([1, 2]), "is one column of a table"),
        (pa.array([1, 2]), "is one column of a table"),
        ([1, 2], r"\[0\] = 1 must be a geometry of Shapely, a file, or None"),
        ([(0, 0), (1, 1)], r"\[0\] = \(0, 0\) must be a geometry"),
        (np.zeros((3, 4)), r"\[0\] = .* must be a geometry"),
        ({"x": [1, 2], "y": [1]}, "is a dict that is no table"),
        (3.0, "must be a Parquet folder or file"),
    ],
)
def test_what_is_no_source_is_refused(source: Any, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^join: source.*{error}"):
        tables.join(source)


def test_files_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame(CORNERS)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ValueError, match=r"a\.parquet is named twice"):
        tables.join([tmp_path / "a.parquet", tmp_path / "*.parquet"])
    with pytest.raises(ValueError, match=r"a\.parquet is no CSV file"):
        tables.join([tmp_path / "a.csv", tmp_path / "a.parquet"])
    with pytest.raises(FileNotFoundError, match="there is no such file or folder"):
        tables.join(tmp_path / "*.pq")
    (tmp_path / "text").write_text("no table")
    with pytest.raises(ValueError, match="text is neither Parquet, nor CSV, nor a saved set"):
        tables.join(tmp_path / "text")


def test_rows_of_csv_are_told_by_its_name_and_kinds_may_change(tmp_path: Path) -> None:
    rows = [f"{k},{k % 200},{k // 200},1" for k in range(90_000)]
    rows[70_001] = "70001,1.5,2.5,1"
    rows[80_000] = "A8,0.25,0.25,1"
    (tmp_path / "in.csv").write_text("\n".join(["id,x,y,radius", *rows, ""]))
    found = tables.join(tmp_path / "in.csv", columns=(), within=0.0).compute()
    assert {"70001", "A8"} <= set(found["a"]) | set(found["b"])
    rows[5] = "5,,5,1"
    (tmp_path / "in.csv").write_text("\n".join(["id,x,y,radius", *rows, ""]))
    with pytest.raises(ValueError, match=r"in\.csv, row 5: id '5': \(nan, 5.0, 1.0\): a number is missing"):
        tables.join(tmp_path / "in.csv")


def arc(kind: int, order: str = "<") -> bytes:
    """Return WKB of a curve: a circular string, a curve polygon or a multisurface."""
    string = struct.pack(order + "BII6d", order == "<", 8, 3, 0, 0, 1, 1, 2, 0)
    if kind == 8:
        return string
    return struct.pack(order + "BII", order == "<", kind, 1) + (WKB[0].as_py() if kind == 12 else string)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("kind", "name"), [(8, "CircularString"), (10, "CurvePolygon"), (12, "MultiSurface")])
def test_a_curve_is_a_bad_row(kind: int, name: str, order: str, tmp_path: Path) -> None:
    table = pa.table(
        {"geometry": pa.array([WKB[0].as_py(), arc(kind, order), WKB[1].as_py(), None, b"x"], pa.binary())}
    )
    with pytest.raises(ValueError, match=f"the table, row 1: the geometry is a {name}"):
        tables.join(table)
    done = tables.join(table, out=tmp_path / "out", columns=(), on_bad="skip")
    assert (done.pairs, done.bad_count, done.missing) == (1, 2, 1)
    assert [row.place for row in done.bad] == ["the table, row 1", "the table, row 4"]


@pytest.mark.parametrize("dims", ["xy", "xyz", "xym", "xyzm"])
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("kind", ["point", "linestring", "polygon", "multipolygon", "multilinestring", "multipoint"])
def test_geoarrow_is_read_with_any_dimensions(dims: str, interleaved: bool, kind: str) -> None:
    shapes: dict[str, list[Any]] = {
        "point": [one.centroid for one in SQUARES],
        "linestring": [
            shapely.LineString([(0, 0), (2, 2)]),
            shapely.LineString([(0, 2), (2, 0)]),
            shapely.LineString([(8, 8), (9, 9)]),
        ],
        "polygon": SQUARES,
    }
    if kind.startswith("multi"):
        one, of = kind.removeprefix("multi"), {"point": shapely.multipoints, "linestring": shapely.multilinestrings}
        made = of.get(one, shapely.multipolygons)
        shapes[kind] = [made([shape]) for shape in shapes[one]]
    _, flat, offsets = shapely.to_ragged_array(shapes[kind])
    numbers = np.column_stack([flat, np.full((len(flat), len(dims) - 2), 4.0)])
    inner: Any = (
        pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), len(dims))
        if interleaved
        else pa.StructArray.from_arrays([pa.array(column) for column in numbers.T], list(dims))
    )
    for some in offsets:
        inner = pa.ListArray.from_arrays(pa.array(some.astype(np.int32)), inner)
    field = pa.field("geometry", inner.type, metadata={"ARROW:extension:name": f"geoarrow.{kind}"})
    table = pa.table([inner], schema=pa.schema([field]))
    wanted = [] if kind.endswith("point") else [(0, 1)]
    assert pairs(table) == wanted
    assert pairs(table.slice(1), table.slice(0, 1)) == ([] if kind.endswith("point") else [(0, 0)])


def test_parquet_that_is_encrypted_in_part_is_refused(tmp_path: Path) -> None:
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):  # type: ignore[misc, name-defined]
        def __init__(self, _: Any) -> None:
            super().__init__()

        def wrap_key(self, key: bytes, _: str) -> str:
            return key.hex()

    table = pa.Table.from_pandas(pd.DataFrame(CORNERS).assign(note=["u", "v", "w"]))
    for plain in (True, False):
        how = encryption.EncryptionConfiguration(footer_key="f", column_keys={"c": ["note"]}, plaintext_footer=plain)
        locks = encryption.CryptoFactory(Keys).file_encryption_properties(encryption.KmsConnectionConfig(), how)
        with pq.ParquetWriter(tmp_path / "in.parquet", table.schema, encryption_properties=locks) as file:
            file.write_table(table)
        for source in (tmp_path / "in.parquet", tmp_path):
            with pytest.raises(
                ValueError, match=r"in\.parquet is (encrypted in part|no Parquet file that can be read)"
            ):
                tables.join(source)
        if plain:
            with pytest.raises(ValueError, match=r"in\.parquet is encrypted in part"):
                tables.join(ds.dataset(tmp_path / "in.parquet"))


@pytest.mark.parametrize(
    "told",
    [{"crs": "OGC:CRS84"}, {"crs": None, "edges": "spherical"}, {"crs": {"id": {"authority": "EPSG", "code": 4326}}}],
)
def test_degrees_are_told_of_whoever_says_so(told: dict[str, Any], tmp_path: Path) -> None:
    own = {"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": json.dumps(told)}
    arrow = pa.table([WKB], schema=pa.schema([pa.field("geometry", pa.binary(), metadata=own)]))
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", **told}}}
    parquet = pa.table([WKB], schema=pa.schema([("geometry", pa.binary())], metadata={"geo": json.dumps(geo)}))
    pq.write_table(parquet, tmp_path / "in.parquet")
    for source in (arrow, parquet, tmp_path / "in.parquet", ds.dataset(tmp_path / "in.parquet")):
        with pytest.warns(UserWarning, match="'geometry' says that its coordinates are degrees") as seen:
            assert pairs(source) == [(0, 1)]
        assert len(seen) == 1
    assert pairs(pa.table({"geometry": WKB})) == [(0, 1)]


def test_all_bad_rows_are_listed_by_their_names(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    places = rng.uniform(0, 90, (3000, 2))
    frame = pd.DataFrame({"id": [f"n{k}" for k in range(3000)], "x": places[:, 0], "y": places[:, 1], "radius": 1.0})
    frame.loc[::2, "radius"] = -1.0
    (tmp_path / "in").mkdir()
    first, second = tmp_path / "in" / "0.parquet", tmp_path / "in" / "1.parquet"
    frame[:1700].to_parquet(first)
    frame[1700:].to_parquet(second)
    with pytest.raises(
        ValueError, match=r"^join: .*, row \d+: id 'n\d+': .* -1\.0\): the radius must be positive; on_bad="
    ):
        tables.join([first, second])
    done = tables.join(tmp_path / "in", first, on_bad="skip", out=tmp_path / "out")
    assert (done.bad_count, len(done.bad)) == (1500 + 850, 1000)
    assert done.bad[1].id == "n2" and str(done.bad[1]).startswith(f"{first}, row 2: id 'n2': (")
    assert done.bad_file == done.path / "_bad.csv"
    listed = pd.read_csv(done.bad_file)
    assert listed["id"].tolist() == [f"n{k}" for k in [*range(0, 3000, 2), *range(0, 1700, 2)]]
    assert listed["row"].tolist() == [*range(0, 3000, 2), *range(0, 1700, 2)]
    assert listed["place"][850] == f"{second}, row 0"
    assert tables.join(tmp_path / "in", first, on_bad="skip", out=tmp_path / "out") == done
    assert tables.join(frame[1::2], out=tmp_path / "good").bad_file is None


def test_bad_samples_are_all_listed(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": np.arange(4000) % 50, "t": np.arange(4000) // 50, "x": 0.0, "y": 0.0})
    frame.loc[::3, "x"] = np.inf
    frame.loc[1::3, "t"] = 7
    done = tables.encounters(frame, within=1.0, on_bad="skip", tile_rows=500, out=tmp_path / "out")
    listed = pd.read_csv(done.bad_file)
    assert len(listed) == done.bad_count > 2500
    assert (listed["id"] == frame["id"][listed["row"]].to_numpy()).all()
    assert set(np.flatnonzero(np.isinf(frame["x"]))) <= set(listed["row"])


def test_a_geometry_that_is_not_valid_is_repaired_on_request(tmp_path: Path) -> None:
    bowtie = shapely.Polygon([(0, 0), (4, 4), (4, 0), (0, 4)])
    given = [bowtie, shapely.box(0.5, 1.9, 1, 2.1), shapely.box(3, 0.2, 3.2, 0.4), None]
    table = pa.table({"id": list("abcd"), "geometry": pa.array(shapely.to_wkb(given), pa.binary())})
    done = tables.join(table, on_bad="repair", out=tmp_path / "out", columns="depth")
    wanted = shapely.make_valid(bowtie)
    assert done.pairs == sum(wanted.intersects(one) for one in given[1:3])
    assert (done.repaired, done.bad_count, done.missing) == (1, 0, 1)
    listed = pd.read_csv(done.bad_file)
    assert listed["id"].tolist() == ["a"] and listed["reason"][0].startswith("repaired: Self-intersection")
    points = pd.DataFrame({"x": [2.0, 2.0], "y": [0.5, 2.0]})
    near = tables.nearest(points, table, on_bad="repair").compute()
    shapes = np.array([wanted, *given[1:3]], dtype=object)
    assert near["distance"].tolist() == pytest.approx(
        [shapely.distance(shapes, shapely.Point(2.0, y)).min() for y in (0.5, 2.0)]
    )
    curve = table.set_column(1, "geometry", pa.array([arc(8), *table["geometry"].to_pylist()[1:]], pa.binary()))
    with pytest.raises(ValueError, match="row 0: id 'a': the geometry is a CircularString"):
        tables.join(curve, on_bad="repair")


@pytest.mark.parametrize("ask", [tables.join, tables.nearest])
def test_two_coordinate_systems_are_refused(ask: Any) -> None:
    """Numbers in metres of one grid mean nothing in those of another, or in degrees."""
    geopandas = pytest.importorskip("geopandas")
    at = geopandas.GeoDataFrame({"id": [1, 2]}, geometry=shapely.points([[0, 0], [1, 1]]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of degrees
        for one, other in ((3857, 25832), (3857, 4326), (4326, "EPSG:2154")):
            with pytest.raises(ValueError, match=r"'geometry' is in .* bring both to one coordinate system"):
                ask(at.set_crs(one), at.set_crs(other))
        for one, other in ((3857, 3857), (4326, "OGC:CRS84"), (3857, None)):
            found = ask(at.set_crs(one), at.set_crs(other) if other else at)
            assert list(found.compute()[["a", "b"]].itertuples(index=False, name=None)) == [(1, 1), (2, 2)]


@pytest.mark.parametrize("name", ["zones.geojson", "zones.GPKG", "zones.shp"])
def test_a_file_of_another_kind_names_who_reads_it(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('{"type": "FeatureCollection", "features": []}')
    with pytest.raises(
        ValueError, match=r"is neither Parquet, nor CSV.*pass the frame that geopandas\.read_file makes"
    ):
        tables.join(tmp_path / name)


@pytest.mark.parametrize("shape", [None, "geometry"])
def test_a_column_of_geometries_without_any_is_one(shape: str | None) -> None:
    """Pandas and Arrow give a column without values no type: that of a frame whose rows were all filtered out."""
    points = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0]})
    nothing = pd.DataFrame({"id": [3, 4], "geometry": np.array([None, None], dtype=object)})
    for frame in (nothing, nothing[:0]):
        assert len(tables.join(frame, points, columns=(), shape=shape).compute()) == 0
        assert len(tables.nearest(points, frame, other_shape=shape).compute()) == 0
