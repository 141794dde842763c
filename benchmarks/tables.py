"""Joins of tables past memory: Parquet to Parquet, beside SedonaDB and Shapely's tree on the same files.

Each row is a process of its own with the page cache as the row before left it: wall time, the memory of the process at
most, and how many pairs it found. Carom computes depth and normal of each pair and writes them; the others count the
pairs that meet, which is less. Carom and SedonaDB are given the same limit of memory. The files are made once, in a
folder of the system's for scratch files. Sizes are in `CASES`; the largest takes some minutes and 25 GB of disk.
SedonaDB needs sedonadb and geoarrow-pyarrow.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import Table, duration

FOLDER = Path(tempfile.gettempdir()) / "carom-tables"
PIECE = 1_000_000
CASES = (
    # Shapes, how they lie, how many, and who else joins them.
    ("boxes", "even", 1_000_000, ("SedonaDB", "Shapely")),
    ("boxes", "even", 5_000_000, ("SedonaDB",)),
    ("boxes", "crowded", 5_000_000, ()),
    ("boxes", "even", 50_000_000, ("Carom, one worker", "SedonaDB")),
    ("boxes", "even", 200_000_000, ()),
    ("hexagons", "even", 1_000_000, ("Shapely",)),
    ("hexagons", "even", 10_000_000, ()),
)
LIMIT = 6 * 2**30

CAROM = """
import sys, carom as cm
from carom import tables
done = tables.join(sys.argv[1], out=sys.argv[2], memory=int(sys.argv[3]))
print(done.pairs)
"""
ONE = """
import dask
dask.config.set(num_workers=1)
"""
SEDONA = """
import os, sys, warnings, sedonadb
warnings.simplefilter("ignore")
sd = sedonadb.connect()
sd.options.memory_limit, sd.options.temp_dir = int(sys.argv[3]), os.path.dirname(sys.argv[2])
sd.read_parquet(sys.argv[1]).to_view("t")
box = "geometry" if "hexagons" in sys.argv[1] else (
    "ST_Envelope(ST_MakeLine(ST_Point(min_x, min_y), ST_Point(max_x, max_y)))"
)
sd.sql(f"SELECT {box} AS g FROM t").to_view("s")
queries = "SELECT COUNT(*) AS n FROM s", "SELECT COUNT(*) AS n FROM s a JOIN s b ON ST_Intersects(a.g, b.g)"
rows, found = (sd.sql(query).to_arrow_table()["n"][0].as_py() for query in queries)
print((found - rows) // 2)
"""
SHAPELY = """
import sys, shapely, numpy as np, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
if "geometry" in table.column_names:
    given = shapely.from_wkb(table.column("geometry").to_numpy())
else:
    given = shapely.box(*(table.column(name).to_numpy() for name in ("min_x", "min_y", "max_x", "max_y")))
a, b = shapely.STRtree(given).query(given, predicate="intersects")
print(int((a < b).sum()))
"""


def made(shape: str, lie: str, count: int) -> Path:
    """Return the file of a case, made if it is not there."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely

    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{shape}-{lie}-{count}.parquet"
    if path.exists():
        return path
    rng, aside = np.random.default_rng(1), path.with_suffix(".part")
    names = ["min_x", "min_y", "max_x", "max_y"] if shape == "boxes" else ["geometry"]
    schema = pa.schema([(name, pa.float64() if shape == "boxes" else pa.binary()) for name in names])
    turns = np.linspace(0, 2 * np.pi, 7)[:-1]
    with pq.ParquetWriter(aside, schema) as file:
        for begin in range(0, count, PIECE):
            n = min(PIECE, count - begin)
            at, half = rng.uniform(0, count**0.5, (n, 2)), rng.uniform(0.15, 0.6, (n, 2))
            if lie == "crowded":
                at[::2], half[::2] = 0.1 * at[::2], 0.1 * half[::2]
            if shape == "boxes":
                columns = [pa.array(column.copy()) for column in np.hstack([at - half, at + half]).T]
            else:
                ring = at[:, None] + half[:, :1, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
                columns = [pa.array(shapely.to_wkb(shapely.polygons(ring)), pa.binary())]
            file.write_table(pa.table(columns, schema=schema))
    os.replace(aside, path)
    return path


def timed(code: str, path: Path) -> tuple[float, float, int]:
    """Return the seconds of a process, its memory at most in GB, and how many pairs it found."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as out:
        watch = (
            "import json, resource, subprocess, sys, time; begin = time.perf_counter();"
            "done = subprocess.run(sys.argv[1:], capture_output=True, text=True);"
            "print(json.dumps([time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,"
            "done.stdout, done.stderr]))"
        )
        command = [sys.executable, "-c", code, str(path), f"{out}/pairs", str(LIMIT)]
        run = subprocess.run([sys.executable, "-c", watch, *command], capture_output=True, text=True, check=True)
    seconds, peak, told, trouble = json.loads(run.stdout)
    if not told.strip():
        raise RuntimeError(trouble)
    return seconds, peak / 2**20, int(told.split()[-1])


def run(rounds: int) -> Table:
    """Measure, once each: most take longer than any noise."""
    programs = {"Carom": CAROM, "Carom, one worker": ONE + CAROM, "SedonaDB": SEDONA, "Shapely": SHAPELY}
    rows = [("shapes", "lie", "rows", "library", "time", "memory", "pairs")]
    for shape, lie, count, others in CASES:
        path = made(shape, lie, count)
        for library in ("Carom", *others):
            seconds, peak, pairs = timed(programs[library], path)
            rows.append((shape, lie, f"{count:,}", library, duration(seconds), f"{peak:.2f} GB", f"{pairs:,}"))
            print("  ".join(rows[-1]), flush=True)
    note = (
        f"Carom and SedonaDB may take {LIMIT / 2**30:.0f} GB. Carom has two workers, reads and writes Parquet, and "
        "computes depth and normal; the others count pairs."
    )
    return Table("Tables past memory: one process, Parquet to Parquet", note, rows)
