"""Tables are declared once: what is added there is grown, copied, pickled and digested, and old recordings load."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import carom as cm
from carom.world.state.table_bytes import packed, unpacked
from carom.world.step.declared import Array, Use, arrays_of, columns_of, copied, longer, make, room_for
from carom.world.step.piles import Piles, make_piles
from carom.world.step.tables import Body, Tables, make_tables

ROOT = Path(cm.__file__).parent
DATA = Path(__file__).with_name("data")

# Where a table and a column are added.
ADDED = (
    ("step/tables.py", "    vx: Lasting[F8]", "    tint: Lasting[F8]\n    vx: Lasting[F8]"),
    (
        "step/tables.py",
        "    rules: Annotated",
        '    tags: Annotated[Integers, Length("bodies", 2, fill=-1), Use.LASTING]\n    rules: Annotated',
    ),
)
PROGRAM = """
import json, lzma, pickle, sys
import carom as cm
data = sys.argv[1]
facts = json.loads(open(f"{data}.json", encoding="utf-8").read())
world, tape = pickle.loads(lzma.decompress(open(f"{data}.pickle.xz", "rb").read()))
tables = world._store.tables
assert "tint" in tables.bodies.dtype.names and not tables.bodies["tint"].any()
assert len(tables.tags) == 2 * len(tables.bodies) and (tables.tags == -1).all()
assert world.digest() == facts["digest"], "what is new and empty changes no digest"
replay = tape.replay()
assert replay.diverged is None and replay.note == ""
worlds = world.copies(2)
worlds.step(1 / 60)
copied = worlds.world(1)._store.tables
assert len(copied.tags) == 2 * len(copied.bodies)
for table, row in (("bodies", "tint"), ("tags", 3)):
    before = world.digest()
    getattr(world._store.tables, table)[row] = 7
    assert world.digest() != before
other, back = world.copy(), pickle.loads(pickle.dumps(world))
for one in (other, back):
    assert one.digest() == world.digest()
    assert one._store.tables.tags[3] == 7 and (one._store.tables.bodies["tint"] == 7).all()
world.add_many(cm.Shapes.circles([(k, 90) for k in range(100)], 0.3), kind="dynamic")
tables = world._store.tables
assert len(tables.tags) == 2 * len(tables.bodies) and tables.tags[3] == 7 and tables.tags[-1] == -1
world.step(1 / 60)
"""


def test_a_table_and_a_column_more_are_kept_everywhere_and_break_no_recording(tmp_path: Path) -> None:
    package = tmp_path / "carom"
    shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.bin", "prebuilt"))
    for name, old, new in ADDED:
        file = package / "world" / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")

    kept = DATA / f"world-{cm.__version__}"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(kept)],
        env=os.environ | {"CAROM_KERNELS": "plain", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_uses_divide_the_columns_and_scratch_is_in_no_pickle() -> None:
    columns = [set(columns_of(Body, use)) for use in Use]
    assert sum(map(len, columns)) == len(Body.__annotations__) == len(set().union(*columns))
    piles = make_piles(20, 64, 6)
    piles.solving["mass"] = 3.0
    piles.solving["next_x"] = 2.0
    piles.rows.speed[:] = 5.0
    given = packed(piles)
    assert "work" not in given and given["rows"] == {"graph": {"matrix": {}}}
    back = unpacked(given, make_piles(1, 1, 1))
    assert not back.solving["mass"].any() and (back.solving["next_x"] == 2.0).all()
    assert back.rows.speed.shape == piles.rows.speed.shape and not back.rows.speed.any()
    assert not copied(piles).rows.speed.any()


@pytest.mark.parametrize(
    "tables", [make_tables(), make_piles(3, 5, 4), make(Tables, bodies=1)], ids=["world", "piles", "one"]
)
def test_tables_grow_by_what_they_are_of_and_keep_their_rows(tables: Tables | Piles) -> None:
    of = {one.length.of for one in arrays_of(type(tables)).values() if isinstance(one, Array)} - {"one", "inside"}
    for name in of:
        count = room_for(tables, name)
        for array in tables:
            if isinstance(array, np.ndarray) and array.dtype.names is None:
                array[...] = np.arange(array.size).reshape(array.shape)
        grown = longer(tables, name, 2 * count + 1)
        for field, one in arrays_of(type(tables)).items():
            if not isinstance(one, Array):
                continue
            old, new = getattr(tables, field), getattr(grown, field)
            if one.length.of != name:
                assert new is old
                continue
            assert len(new) == one.length.rows(2 * count + 1) > len(old)
            if one.length.hashed:
                assert (new == one.length.fill).all()
            else:
                assert (new[: len(old)] == old).all()
                if one.record is None:
                    rest = np.arange(len(old), len(new)) if one.length.numbered else one.length.fill
                    assert (new[len(old) :] == rest).all()
