"""CSV files as Parquet, by PyArrow, a part at a time.

In: a CSV file with the names of columns in its first row, parted by commas, semicolons, tabs or bars. Out: a Parquet
file of the same rows. An empty field is a missing value. The kinds of columns are told by the first part of a file;
where a later part has others, the whole file is looked at.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

PARTS = (",", ";", "\t", "|")
MISSING = ["", "null", "NULL", "NaN", "nan"]


def write_csv_as_parquet(where: str, path: Path, out: Path) -> None:
    """Write the rows of a CSV file as Parquet."""
    try:
        how = _options(path)
        try:
            _write_parts(path, how, out)
        except pa.ArrowInvalid:
            pq.write_table(csv.read_csv(path, **how), out)
    except (pa.ArrowException, ValueError, EOFError) as error:
        raise ValueError(f"{where}: {path} is no CSV file that can be read: {error}") from None


def _options(path: Path) -> dict[str, Any]:
    opener: Any = gzip.open if path.name.lower().endswith(".gz") else open
    with opener(path, "rb") as file:
        head = file.readline().decode("utf-8", "replace")
    part = max(PARTS, key=head.count)
    convert = csv.ConvertOptions(null_values=MISSING, strings_can_be_null=True, quoted_strings_can_be_null=False)
    return {"parse_options": csv.ParseOptions(delimiter=part, newlines_in_values=True), "convert_options": convert}


def _write_parts(path: Path, how: dict[str, Any], out: Path) -> None:
    with csv.open_csv(path, **how) as parts, pq.ParquetWriter(out, parts.schema) as file:
        for part in parts:
            file.write_batch(part)
