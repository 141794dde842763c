"""Parquet files as a source: which files of a folder are read, and their groups of rows as pieces.

In: paths, or what lies in a folder. Out: a `Source`. A file is Parquet by its first bytes, whatever its name; one that
ought to be by its name and is not is refused, and so is one that is encrypted in part, which PyArrow cannot look into.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from carom.tables.layout import needed_of
from carom.tables.sources import (
    PIECE_BYTES,
    Piece,
    Read,
    Source,
    Stamp,
    of_columns,
    plain,
    rows_of_piece,
    stamp,
)

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
NAMED = (".parquet", ".parq", ".pq", ".geoparquet")
"""Parts of names of files that ought to be Parquet."""
CSV = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
OTHERS = (".arrow", ".feather", ".ipc", ".orc", ".shapes")
"""Ends of names of files with rows that are not read from a folder."""


def is_parquet(path: Path) -> bool:
    """Tell by its first bytes whether a file is Parquet."""
    with path.open("rb") as file:
        return file.read(4) in (MAGIC, ENCRYPTED)


def is_csv(path: Path) -> bool:
    """Tell by its name whether a file is CSV."""
    return path.name.lower().endswith(CSV)


def files_in(where: str, name: str, folder: Path) -> list[Path]:
    """Return the files of a folder that hold rows, all Parquet or all CSV, in the order of their names."""
    found: dict[str, list[Path]] = {"Parquet": [], "CSV": []}
    for file in folder.rglob("*"):
        if any(part[0] in "_." for part in file.relative_to(folder).parts) or not file.is_file():
            continue
        low = file.name.lower()
        if is_parquet(file):
            found["Parquet"].append(file)
        elif is_csv(file):
            found["CSV"].append(file)
        elif any(part in low for part in NAMED) or low.endswith(OTHERS):
            raise ValueError(
                f"{where}: {name}: {file} is no Parquet file; move it elsewhere, or name the files in a list"
            )
    if all(found.values()):
        raise ValueError(f"{where}: {name} = {str(folder)!r} holds Parquet and CSV; name the files in a list")
    files = found["Parquet"] or found["CSV"]
    if not files:
        raise ValueError(f"{where}: {name} = {str(folder)!r}: no file in this folder is Parquet or CSV")
    return in_order(files)


def in_order(files: Sequence[Path]) -> list[Path]:
    """Return files in the order of their names, numbers in them by value."""
    # Turns of other letters and of digits, so that like is compared with like.
    return sorted(files, key=lambda file: [int(k) if k.isdecimal() else k for k in re.split(r"(\d+)", str(file))])


def of_files(where: str, name: str, files: Sequence[Path], read: Read, shown: Sequence[str] = ()) -> Source:
    """Return files as a source; `shown` is what errors call each of them."""
    mark, metas, stamps = hashlib.blake2b(digest_size=16), [], list[Stamp]()
    schema = used = pa.schema([])
    for path in files:
        try:
            metas.append(pq.read_metadata(path))
            own = plain(told_by_parquet(metas[-1]))
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{where}: {name}: {path} is no Parquet file that can be read: {error}") from None
        if is_locked(path, metas[-1]):
            raise ValueError(f"{where}: {name}: {path} is encrypted in part; write it anew without, and ask again")
        if len(metas) == 1:
            schema = own
            used = of_columns(schema, needed_of(read(schema)))
        used = _wider(f"{where}: {name}: {path}", used, own)
        stamps.append(stamp(path))
        mark.update(f"{stamps[-1]} {metas[-1].num_rows}\n".encode())
    for field in used:
        schema = schema.set(schema.get_field_index(field.name), schema.field(field.name).with_type(field.type))
    pieces: list[Piece] = []
    first, most = 0, rows_of_piece(sum(meta.num_rows for meta in metas))
    for path, meta, place in zip(files, metas, shown or map(str, files), strict=True):
        groups, begin, offset, size = [], 0, 0, 0
        for k in range(meta.num_row_groups):
            groups.append(k)
            offset += meta.row_group(k).num_rows
            size += _size_of(meta.row_group(k), used.names)
            if offset - begin >= most or size >= PIECE_BYTES or k == meta.num_row_groups - 1:
                if offset > begin:
                    pieces.append(Piece(first, offset - begin, place, begin, used, str(path), tuple(groups)))
                first, begin, groups, size = first + offset - begin, offset, [], 0
    return Source(tuple(pieces), schema, read(schema), mark.hexdigest(), tuple(stamps))


def told_by_parquet(meta: pq.FileMetaData) -> pa.Schema:
    """Return the columns of a file, with what Parquet's own types of geometries say of coordinates."""
    schema = meta.schema.to_arrow_schema()
    for k in range(len(meta.schema)):
        column = meta.schema.column(k)
        told = re.fullmatch(r"(Geometry|Geography)\(crs=(.*?)(?:, algorithm=.*)?\)", str(column.logical_type))
        at = schema.get_field_index(column.path)
        if told is None or at < 0 or (schema.field(at).metadata or {}).get(b"ARROW:extension:name"):
            continue
        edges = {"edges": "spherical"} if told[1] == "Geography" else {}
        more = json.dumps({"crs": _crs(told[2]), **edges})
        own = {"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": more}
        schema = schema.set(at, schema.field(at).with_metadata(own))
    return schema


def _crs(text: str) -> object:
    """Return the coordinate system that Parquet tells: longitude and latitude where it tells none."""
    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text or "OGC:CRS84"


def is_locked(path: Path, meta: pq.FileMetaData) -> bool:
    """Tell whether columns of a file are encrypted: PyArrow ends the process at a look at them.

    The end of such a file that can be read otherwise is signed: there is more of it than the metadata takes.
    """
    with path.open("rb") as file:
        file.seek(-8, 2)
        return bool(int.from_bytes(file.read(4), "little") != meta.serialized_size)


def _wider(where: str, used: pa.Schema, own: pa.Schema) -> pa.Schema:
    """Return columns that hold the values of a further file, too."""
    missing = [one for one in used.names if one not in own.names]
    if missing:
        raise ValueError(f"{where} has no column {missing[0]!r}")
    try:
        return pa.unify_schemas([used, of_columns(own, used.names)], promote_options="permissive")
    except pa.ArrowException as error:
        raise TypeError(f"{where} has other columns than the files before: {error}") from None


def _size_of(group: pq.RowGroupMetaData, used: Sequence[str]) -> int:
    """Return the bytes of some columns in a group of rows."""
    columns = map(group.column, range(group.num_columns))
    return sum(one.total_uncompressed_size for one in columns if one.path_in_schema.split(".")[0] in used)
