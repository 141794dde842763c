"""A source from what the user gave.

In: a file or folder, some files, an Arrow dataset, a stream, a Dask frame, something in memory, or a set of shapes.
Out: a `Source`. A stream, which can be read only once, and CSV are written to Parquet first, in the folder for rows
that are set aside; so is a set in memory, as `Shapes.save` writes it.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from carom import Shapes
from carom.tables import checks
from carom.tables.csv_files import write_csv_as_parquet
from carom.tables.frames_given import ACCEPTED, table_of
from carom.tables.layout import ROW, SET, TILE, Layout, needed_of
from carom.tables.parquet_files import files_in, in_order, is_csv, is_locked, is_parquet, of_files, told_by_parquet
from carom.tables.shape_columns import tell_of_layout
from carom.tables.sources import Piece, Read, Source, Stamp, of_columns, plain, rows_of_piece, stamp

BY_GEOPANDAS = (".geojson", ".json", ".gpkg", ".shp", ".fgb", ".gml", ".kml", ".zip")
"""Ends of names of files with geometries that are not read here."""


def source_of(where: str, name: str, given: Any, layout_of: Read, aside: Path) -> Source:
    """Return a source from what the user gave; `aside` takes what can be read only once."""
    found = _source_of(where, name, given, partial(_read_once, where, layout_of), aside)
    tell_of_layout(where, name, found.layout)
    return found


def _source_of(where: str, name: str, given: Any, read: Read, aside: Path) -> Source:
    if isinstance(given, (str, os.PathLike)):
        return _of_path(where, name, given, read, aside)
    if isinstance(given, Shapes):
        return _of_shapes(name, given, aside)
    if isinstance(given, ds.Dataset):
        return _of_dataset(where, name, given, read, aside)
    if hasattr(given, "to_delayed") and hasattr(given, "to_parquet"):
        return _of_dask(where, name, given, read, aside)
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, (str, os.PathLike)) for one in given):
        files = [file for one in given for file in _files_of(where, name, one)]
        return _of_any_files(where, name, files, read, aside)
    table = table_of(where, name, given)
    if table is not None:
        return _of_table(table, read)
    if hasattr(given, "__arrow_c_stream__"):
        try:
            stream = pa.RecordBatchReader.from_stream(given)
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise TypeError(f"{where}: {name} is no table: {error}; it {ACCEPTED}") from None
        return _of_stream(where, name, stream, read, aside)
    checks.refuse_type(where, name, given, ACCEPTED)


def _read_once(where: str, layout_of: Read, schema: pa.Schema) -> Layout:
    """Return the layout of a table that has no name twice, and none of a column that is added."""
    twice = [name for name in schema.names if schema.names.count(name) > 1]
    if twice:
        raise ValueError(f"{where}: {twice[0]!r} is the name of {schema.names.count(twice[0])} columns")
    layout = layout_of(schema)
    if layout.kind != SET and {ROW, TILE} & set(needed_of(layout)):
        raise ValueError(f"{where}: {ROW!r} and {TILE!r} are columns that {where} adds; rename that of the table")
    return layout


def refuse_inside(where: str, out: Any, *sources: Any) -> None:
    """Refuse an answer in the folder of a source, which would be a part of the source from then on."""
    for given in sources if out is not None else ():
        for one in given if isinstance(given, (list, tuple)) else (given,):
            inside = isinstance(one, (str, os.PathLike)) and Path(out).resolve().is_relative_to(Path(one).resolve())
            if inside and Path(one).is_dir():
                checks.refuse(ValueError, where, "out", str(out), f"must not lie in {str(one)!r}, which is read")


def _of_path(where: str, name: str, given: Any, read: Read, aside: Path) -> Source:
    path = Path(given)
    if path.is_file() and not is_parquet(path) and not is_csv(path):
        return _of_set(where, name, path)
    return _of_any_files(where, name, _files_of(where, name, given), read, aside)


def _files_of(where: str, name: str, given: Any) -> list[Path]:
    """Return the files that a path names: itself, those of a folder, or those that fit a pattern."""
    path = Path(given)
    if path.is_dir():
        return files_in(where, name, path)
    if path.exists():
        return [path]
    files = [Path(one) for one in glob.glob(str(given), recursive=True)] if glob.has_magic(str(given)) else []
    if not files:
        raise FileNotFoundError(f"{where}: {name} = {str(path)!r}: there is no such file or folder")
    return [file for one in in_order(files) for file in ([one] if one.is_file() else files_in(where, name, one))]


def _of_any_files(where: str, name: str, files: Sequence[Path], read: Read, aside: Path) -> Source:
    """Return the source of files that are all Parquet or all CSV."""
    seen = set[Path]()
    for file in files:
        if file.resolve() in seen:
            raise ValueError(f"{where}: {name}: {file} is named twice")
        seen.add(file.resolve())
    tables = [is_csv(file) for file in files]
    if not any(tables):
        return of_files(where, name, files, read)
    if not all(tables):
        raise ValueError(
            f"{where}: {name}: {files[tables.index(False)]} is no CSV file, as others are; ask for one kind"
        )
    written = _room(aside, name, len(files))
    for file, copy in zip(files, written, strict=True):
        write_csv_as_parquet(where, file, copy)
    stamps = tuple(stamp(file) for file in files)
    source = of_files(where, name, written, read, [str(file) for file in files])
    return replace(source, mark=hashlib.sha256(str(stamps).encode()).hexdigest(), files=stamps)


def _room(aside: Path, name: str, count: int) -> list[Path]:
    """Return paths for copies of a source."""
    (aside / name).mkdir(parents=True, exist_ok=True)
    return [aside / name / f"{k:06d}.parquet" for k in range(count)]


def _of_dask(where: str, name: str, frame: Any, read: Read, aside: Path) -> Source:
    folder = aside / name
    named = frame.index.name is not None and frame.index.name not in frame.columns
    try:
        (frame.reset_index() if named else frame).to_parquet(str(folder), write_index=False)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise TypeError(f"{where}: {name} is a frame that Arrow cannot hold: {error}") from None
    return _copied(of_files(where, name, files_in(where, name, folder), read), "the frame")


def _of_stream(where: str, name: str, stream: pa.RecordBatchReader, read: Read, aside: Path) -> Source:
    read(plain(stream.schema))  # what is wrong with the columns is said before anything is read
    (path,) = _room(aside, name, 1)
    try:
        with pq.ParquetWriter(path, stream.schema) as writer:
            for batch in stream:
                writer.write_batch(batch)
    except pa.ArrowException as error:
        raise ValueError(f"{where}: {name} cannot be read: {error}") from None
    return _copied(of_files(where, name, [path], read), "the stream")


def _copied(source: Source, place: str) -> Source:
    """Return a source whose files were written just now, with a mark that another run's copy has, too."""
    mark = hashlib.sha256()
    for path in dict.fromkeys(piece.path for piece in source.pieces):
        with open(path, "rb") as file:
            while part := file.read(2**24):
                mark.update(part)
    pieces = tuple(replace(piece, place=place, offset=piece.first) for piece in source.pieces)
    return replace(source, pieces=pieces, mark=mark.hexdigest(), files=())


def _of_dataset(where: str, name: str, dataset: ds.Dataset, read: Read, aside: Path) -> Source:
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # of rows that a filter chooses
        return _of_stream(where, name, dataset.scanner().to_reader(), read, aside)
    schema = plain(_told_by_fragments(dataset.schema, fragments))
    layout = read(schema)
    used = of_columns(schema, needed_of(layout))
    pieces: list[Piece] = []
    stamps: list[Stamp] = []
    first, mark = 0, hashlib.sha256()
    for fragment in fragments:
        path = getattr(fragment, "path", "") or "the dataset"
        whole, offset = [fragment], 0
        parquet = isinstance(fragment, ds.ParquetFileFragment)
        if os.path.exists(path):
            stamps.append(stamp(path))
            mark.update(f"{stamps[-1]}".encode())
            if parquet and is_locked(Path(path), fragment.metadata):
                raise ValueError(f"{where}: {name}: {path} is encrypted in part; write it anew without, and ask again")
        if parquet:
            whole = fragment.split_by_row_group()
        for part in whole:
            rows = sum(group.num_rows for group in part.row_groups) if parquet else part.count_rows()
            if rows:
                pieces.append(Piece(first, rows, path, offset, used, fragment=part))
            first, offset = first + rows, offset + rows
            mark.update(f"{path} {rows}\n".encode())
    return Source(tuple(pieces), schema, layout, mark.hexdigest(), tuple(stamps))


def _told_by_fragments(schema: pa.Schema, fragments: Sequence[Any]) -> pa.Schema:
    """Return the columns of a dataset, with what the first Parquet file says of coordinates."""
    if not fragments or not isinstance(fragments[0], ds.ParquetFileFragment):
        return schema
    told = told_by_parquet(fragments[0].metadata)
    for k, field in enumerate(schema):
        if field.name in told.names and not field.metadata:
            schema = schema.set(k, field.with_metadata(told.field(field.name).metadata))
    return schema


def _of_table(table: pa.Table, read: Read) -> Source:
    table = table.cast(plain(table.schema))
    layout = read(table.schema)
    used = table.select(needed_of(layout)).replace_schema_metadata(None)
    most = rows_of_piece(used.num_rows)
    pieces = tuple(
        Piece(
            begin,
            min(most, used.num_rows - begin),
            "the table",
            begin,
            used.schema,
            table=used.slice(begin, most).combine_chunks(),
        )
        for begin in range(0, used.num_rows, most)
    )
    mark = hashlib.sha256(str(used.schema).encode())
    for piece in pieces:
        with pa.ipc.new_stream(sink := pa.BufferOutputStream(), used.schema) as stream:
            stream.write_table(piece.table)
        mark.update(sink.getvalue())
    return Source(pieces, table.schema, layout, mark.hexdigest())


def _of_shapes(name: str, shapes: Shapes, aside: Path) -> Source:
    """Return the source of a set in memory, which is written to a file for all workers."""
    aside.mkdir(parents=True, exist_ok=True)
    path = aside / f"{name}.shapes"
    shapes.save(path)
    found = _set_of(path)
    with path.open("rb") as file:
        mark = hashlib.file_digest(file, "sha256").hexdigest()
    pieces = tuple(replace(piece, place="the set") for piece in found.pieces)
    return replace(found, pieces=pieces, mark=mark, files=())


def _of_set(where: str, name: str, path: Path) -> Source:
    try:
        return _set_of(path)
    except ValueError as error:
        remedy = "; pass the frame that geopandas.read_file makes of it" if path.suffix.lower() in BY_GEOPANDAS else ""
        told = f"{where}: {name}: {path} is neither Parquet, nor CSV, nor a saved set: {error}{remedy}"
        raise ValueError(told) from None


def _set_of(path: Path) -> Source:
    rows, told = len(Shapes.load(path)), stamp(path)
    most = rows_of_piece(rows)
    pieces = tuple(Piece(begin, min(most, rows - begin), str(path), begin) for begin in range(0, rows, most))
    mark = hashlib.sha256(f"{told}".encode())
    return Source(pieces, pa.schema([]), Layout(SET, (told[0],)), mark.hexdigest(), (told,))
