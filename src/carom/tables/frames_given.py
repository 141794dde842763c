"""Things in memory as Arrow tables: frames, columns of geometries, dicts and lists.

In: a pandas frame or a GeoDataFrame, a series or list of geometries, a dict of arrays, or anything of Arrow. Out: a
table. Geometries become WKB in a column that tells their coordinate system. An index that has a name is a column, as
it is where the frame is written to a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import shapely

from carom.tables import checks

ACCEPTED = (
    "must be a Parquet folder or file, a CSV file, a list of files, an Arrow dataset, table or stream, a frame of "
    "pandas, GeoPandas or Dask, a dict of arrays, a list of geometries, or Shapes, saved or not"
)


def table_of(where: str, name: str, given: Any) -> pa.Table | None:
    """Return a thing in memory as a table; None for anything else. Values that make no table are refused."""
    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pd.DataFrame):
        return _of_frame(where, name, given)
    if isinstance(given, Mapping):
        try:
            return _of_frame(where, name, pd.DataFrame(dict(given)))
        except ValueError as error:
            raise ValueError(f"{where}: {name} is a dict that is no table: {error}") from None
    if isinstance(given, pd.Series):
        if not _holds_geometries(given):
            checks.refuse_type(where, name, given, "is one column of a table; " + ACCEPTED)
        return _of_frame(where, name, given.to_frame("geometry"))
    if isinstance(given, (pa.Array, pa.ChunkedArray)) and not pa.types.is_struct(given.type):
        return _of_column(where, name, given)
    if isinstance(given, (list, tuple, np.ndarray)) or hasattr(given, "geom_type"):
        return _of_list(where, name, given)
    if hasattr(given, "__arrow_c_array__"):
        try:
            return pa.Table.from_batches([pa.record_batch(given)])
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise TypeError(f"{where}: {name} is no table: {error}; it {ACCEPTED}") from None
    return None


def _of_frame(where: str, name: str, frame: pd.DataFrame) -> pa.Table:
    named = [level for level in frame.index.names if level is not None and level not in frame.columns]
    geometries: dict[str, Any] = {}
    try:
        if named:
            frame = frame.reset_index(level=named)
        for k, label in enumerate(frame.columns):
            if _holds_geometries(frame.iloc[:, k]):
                geometries[str(label)] = frame.iloc[:, k]
        rest = [k for k, label in enumerate(frame.columns) if str(label) not in geometries]
        table = pa.Table.from_pandas(pd.DataFrame(frame).iloc[:, rest], preserve_index=False)
    except (pa.ArrowException, ValueError) as error:
        raise TypeError(f"{where}: {name} is a frame that Arrow cannot hold: {error.args[0]}") from None
    columns, fields = table.columns, list(table.schema)
    for label, column in geometries.items():
        field, stored = _stored(label, column.to_numpy(), getattr(column, "crs", None))
        columns.append(stored)
        fields.append(field)
    table = pa.table(columns, schema=pa.schema(fields))
    active = getattr(frame, "_geometry_column_name", None)
    metadata = {"geo": json.dumps({"primary_column": active})} if active in geometries else None
    return table.replace_schema_metadata(metadata)


def _holds_geometries(column: Any) -> bool:
    """Tell whether a column of pandas holds Shapely's geometries, by the first value that is there."""
    if str(column.dtype) == "geometry":
        return True
    if column.dtype != object:
        return False
    values = column.to_numpy()
    first = next((one for one in values if one is not None and one is not pd.NA and not isinstance(one, float)), None)
    return isinstance(first, shapely.Geometry)


def _stored(label: str, values: Any, crs: Any = None) -> tuple[pa.Field, pa.Array]:
    """Return geometries as a column of WKB."""
    told = {"crs": json.loads(crs.to_json())} if hasattr(crs, "to_json") else {}
    own = {"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": json.dumps(told)}
    values = np.array([one if isinstance(one, shapely.Geometry) else None for one in values], dtype=object)
    return pa.field(label, pa.large_binary(), metadata=own), pa.array(shapely.to_wkb(values), pa.large_binary())


def _of_column(where: str, name: str, column: Any) -> pa.Table:
    told = getattr(column.type, "extension_name", "")
    binary = pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type)
    if not binary and not told.startswith("geoarrow."):
        checks.refuse(TypeError, where, name, str(column.type), "is one column of a table; " + ACCEPTED)
    return pa.table({"geometry": column})


def _of_list(where: str, name: str, given: Any) -> pa.Table:
    """Return the table of a list of geometries, where None is a row without one."""
    values = [given] if hasattr(given, "geom_type") else list(given)
    for k, one in enumerate(values):
        if one is not None and not isinstance(one, shapely.Geometry):
            checks.refuse_type(where, f"{name}[{k}]", one, "must be a geometry of Shapely, a file, or None")
    field, stored = _stored("geometry", values)
    return pa.table([stored], schema=pa.schema([field]))
